"""The condition under which a claim that fails does hold: proposed, or found among simple ones.

A condition is exact if, among the cases that meet what is given, it is true in just those in which the claim is true.
The solver proves this for cases of any size; otherwise every small case is tried. For tables, candidates are simple
comparisons of cells and rates, and any two of them joined by "and" or "or".
"""

import csv
import functools
from collections.abc import Iterator, Sequence
from importlib import resources
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np

from nontrivial.claims.findings import ExactlyWhen, Outcome
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.search.question import Question
from nontrivial.claims.solver import any_of

_MAX_CANDIDATES = 16  # put to the solver; each of them suffices in all small cases


class _Candidate(NamedTuple):
    """A condition, and the small cases that meet it."""

    text: str
    met: np.ndarray


def try_condition(proposed: Formula, question: Question) -> ExactlyWhen:
    """Try a condition in every small case, and then by the solver."""
    claim_holds, is_met = _masks_in_small_cases([question.claim, proposed], question)
    met, wrong, holds = int(is_met.sum()), int((is_met & ~claim_holds).sum()), int(claim_holds.sum())
    status: Outcome = "refuted" if wrong else "searched" if met == holds else "sufficient"
    space = question.solver_space(proposed)
    if question.domain.is_complete:
        status = "proved" if status == "searched" else status
    elif space is not None and not wrong:
        truth, condition = question.claim.evaluate(space.cases), proposed.evaluate(space.cases).true
        fails = space.find_case(question.conditions, condition, truth.false).exists
        if fails:
            status = "refuted"
        elif status == "searched" and fails is False:
            not_met = f"(not {any_of(*condition)})"
            misses = space.find_case(question.conditions, truth.true, [not_met]).exists
            status = status if misses is None else "sufficient" if misses else "proved"
    return ExactlyWhen(proposed.text, status, met, wrong, holds)


def find_condition(question: Question) -> ExactlyWhen | None:
    """Look for the simplest exact condition on tables, or the weakest sufficient one; None if there is none."""
    if question.domain.kind != "tables":
        return None
    simple = [formula for formula in simple_conditions() if {*formula.names} != {*question.claim.names}]
    claim_holds, *masks = _masks_in_small_cases([question.claim, *simple], question)
    if claim_holds.all():  # it fails in larger tables only
        return None
    # Conditions that the same cases meet are one candidate, with the text of the first, which is the simplest.
    candidates: dict[bytes, _Candidate] = {}
    for formula, met in zip(simple, masks, strict=True):
        if met.any() and not met.all():
            candidates.setdefault(met.tobytes(), _Candidate(formula.text, met))
    sufficient = sorted(
        _sufficient_conditions(list(candidates.values()), claim_holds),
        key=lambda candidate: -int(candidate.met.sum()),
    )
    formulas = (Formula.condition(candidate.text) for candidate in sufficient)
    others = (formula for formula in formulas if formula.comparisons != question.claim.comparisons)
    for formula in islice(others, _MAX_CANDIDATES):
        judged = try_condition(formula, question)
        if judged.status != "refuted" and (judged.status != "sufficient" or judged.met < judged.holds):
            return judged
    return None


def _sufficient_conditions(candidates: Sequence[_Candidate], claim_holds: np.ndarray) -> Iterator[_Candidate]:
    """Yield candidates, and pairs of them, that some cases meet, but no case in which the claim fails."""
    single = [candidate for candidate in candidates if not (candidate.met & ~claim_holds).any()]
    yield from single
    for first, second in combinations(candidates, 2):
        both = first.met & second.met
        if both.any() and not (both & ~claim_holds).any():
            yield _Candidate(f"{first.text} and {second.text}", both)
    for first, second in combinations(single, 2):
        yield _Candidate(f"{first.text} or {second.text}", first.met | second.met)


def _masks_in_small_cases(formulas: Sequence[Formula], question: Question) -> list[np.ndarray]:
    """Find which small cases make each formula true, among those that meet the conditions and define the claim."""
    rows = []
    for batch in question.domain.small_batches():
        is_defined = question.masks(batch).defined
        masks = (formula.evaluate(batch.cases).true for formula in formulas)
        rows.append([np.broadcast_to(mask, batch.count)[is_defined] for mask in masks])
    return [np.concatenate(masks) for masks in zip(*rows, strict=True)]


@functools.cache
def simple_conditions() -> tuple[Formula, ...]:
    """Read the candidates, the simplest first."""
    text = resources.files(__package__).joinpath("conditions.csv").read_text(encoding="utf-8")
    return tuple(Formula.condition(row["condition"]) for row in csv.DictReader(text.splitlines()))
