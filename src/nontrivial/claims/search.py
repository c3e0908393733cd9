"""Decides claims about the cases of a domain, and finds the condition under which a refuted claim does hold.

A claim goes through these steps until one of them settles the claim:

1. All small cases are tried. A small case can refute a claim, or show a claim that says "sometimes".
2. The solver is asked. If no case of any size settles the claim, the claim is proved, or impossible.
3. Larger cases are tried, as in step 1.
4. The solver's own case settles the claim, if exact arithmetic confirms the case.
5. The claim stays open. But if the small cases are all cases, the claim is proved, or impossible.
"""

import csv
import functools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from importlib import resources
from itertools import combinations, islice
from typing import Any, NamedTuple

import numpy as np

from nontrivial.claims.domains.domain import CaseBatch, Domain
from nontrivial.claims.language.formulas import Formula, all_true
from nontrivial.claims.language.numbers import Ratios
from nontrivial.claims.solver import FEW_SOLVER_STEPS, SolverAnswer, SolverSpace, any_of
from nontrivial.claims.verdict import Case, Decision, ExactlyWhen, Outcome, Status

_MAX_CANDIDATES = 16  # the solver gets at most so many conditions that suffice in small cases


class CaseMasks(NamedTuple):
    """Masks of cases. Only cases that meet the conditions are True in any mask."""

    settling: Any  # cases that settle the claim
    defined: Any  # cases in which the claim is true or false
    undefined: Any  # cases in which the claim is 0/0
    undecided: Any  # cases that would settle the claim, but compare rounded numbers
    rounded: Any  # cases that compare rounded numbers that differ by less than their errors


@dataclass(frozen=True)
class Question:
    """The question whether a claim holds in all cases that meet the conditions, or, with "sometimes", in one case."""

    claim: Formula
    conditions: Sequence[Formula]
    domain: Domain

    @property
    def names(self) -> set[str]:
        return {name for formula in (self.claim, *self.conditions) for name in formula.names}

    def masks(self, batch: CaseBatch) -> CaseMasks:
        """Evaluate the conditions and the claim in each case of a batch."""
        met, truth = all_true(self.conditions, batch.cases, batch.count), self.claim.evaluate(batch.cases)
        rounded = met.true & (met.rounded | truth.rounded)
        settling = met.true & (truth.true if self.claim.sometimes else truth.false)
        return CaseMasks(
            settling=settling & ~rounded,
            defined=met.true & truth.is_defined,
            undefined=met.true & ~truth.is_defined,
            undecided=settling & rounded,
            rounded=rounded,
        )

    def masks_at(self, case: Sequence[int | Fraction] | None) -> CaseMasks:
        """Return the masks of one case as booleans. All are False for None, and for a case outside the domain."""
        cases = None if case is None else self.domain.as_cases(case)
        if cases is None:
            return CaseMasks(*[False] * len(CaseMasks._fields))
        return CaseMasks(*(bool(mask.all()) for mask in self.masks(CaseBatch(cases, 1, lambda _: ()))))

    def is_settled_by(self, case: Sequence[int | Fraction] | None) -> bool:
        return bool(self.masks_at(case).settling)

    def first_settling(self, batches: Iterable[CaseBatch]) -> Case | None:
        """Find the first case that settles the claim."""
        firsts = (batch.first_case(self.masks(batch).settling) for batch in batches)
        return next((case for case in firsts if case is not None), None)

    def solver_space(self, *more: Formula) -> SolverSpace | None:
        """Return the cases in the solver's terms; None if the solver cannot decide the claim or a further formula."""
        formulas = (self.claim, *self.conditions, *more)
        has_logarithm = any(formula.has_logarithm for formula in formulas)
        return None if has_logarithm else self.domain.solver_space()


def decide(claim: Formula, conditions: Sequence[Formula], domain: Domain, proposed: Formula | None = None) -> Decision:
    """Decide a claim. A refuted claim also gets a condition under which the claim holds, proposed or found."""
    question = Question(claim, conditions, domain)
    decision, space = settle(question), question.solver_space()
    if space is not None and decision.undefined_somewhere is None:
        answer = space.find_case(conditions, [claim.evaluate(space.cases).undefined])
        is_known = answer.exists is False or question.masks_at(answer.case).undefined
        decision = replace(decision, undefined_somewhere=answer.exists if is_known else None)
    if decision.witness is None:
        return decision
    natural = question.first_settling(domain.natural_batches()) if decision.smallest else None
    witness = natural or decision.witness
    exactly_when = None
    if decision.status == "refuted":
        exactly_when = try_condition(proposed, question) if proposed else find_condition(question)
    cases = domain.as_cases(witness)
    assert cases is not None  # a witness is in the domain
    return replace(
        decision,
        witness=witness,
        natural=natural is not None,
        values={name: _witness_value_text(value) for name, value in claim.values(cases).items()},
        exactly_when=exactly_when,
    )


def settle(question: Question) -> Decision:
    """Decide a claim by small cases, then the solver, then larger cases (the steps at the top of this file)."""
    claim, domain, sometimes = question.claim, question.domain, question.claim.sometimes
    settled: Status = "shown" if sometimes else "refuted"
    proved: Status = "impossible" if sometimes else "proved"
    decision = _try_small_cases(question)
    if decision.witness is not None:
        return replace(decision, status=settled, vacuous=False)
    space, answer = question.solver_space(), SolverAnswer(None)
    # About pairs of tables, the solver soon proves a claim, but takes minutes to refute one.
    is_asked_twice = domain.kind == "pairs of tables"
    if space is not None:
        truth = claim.evaluate(space.cases)
        settling, others = (truth.true, truth.false) if sometimes else (truth.false, truth.true)
        steps = FEW_SOLVER_STEPS if is_asked_twice else None
        answer = space.find_case(question.conditions, settling, steps=steps)
    if answer.exists is not False and (domain.is_whole or not question.is_settled_by(answer.case)):
        larger_case = question.first_settling(domain.larger_cases(question.names).batches)
        if larger_case is not None:
            is_smallest = domain.larger_are_all
            return replace(decision, status=settled, witness=larger_case, smallest=is_smallest, vacuous=False)
    if space is not None and answer.exists is None and is_asked_twice:
        answer = space.find_case(question.conditions, settling)
    if space is not None and answer.exists is False:
        if decision.vacuous:  # no small case meets the conditions, but a larger one may
            other = space.find_case(question.conditions, others)
            checked = int(question.masks_at(other.case).defined)
            decision = replace(decision, checked=checked, vacuous=other.exists is False)
        return decision if decision.vacuous else replace(decision, status=proved, proved_of="any size")
    larger = domain.larger_cases(question.names)
    decision = replace(decision, domain=decision.domain | larger.fields)
    if answer.case is not None and question.is_settled_by(answer.case):
        return replace(decision, status=settled, witness=answer.case, smallest=False, vacuous=False)
    if decision.vacuous:
        is_defined = (question.masks(batch).defined.any() for batch in larger.batches)
        decision = replace(decision, vacuous=not any(is_defined))
    if domain.is_complete and not (decision.near or decision.vacuous):
        decision = replace(decision, status=proved, proved_of="the ranges")
    return replace(decision, unconfirmed=bool(answer.exists) and not domain.is_whole)


def _try_small_cases(question: Question) -> Decision:
    """Evaluate the claim in all small cases, and settle it by the first that does."""
    domain, counts = question.domain, np.zeros(len(CaseMasks._fields), dtype=int)
    witness = undefined_case = None
    for batch in domain.small_batches():
        masks = question.masks(batch)
        witness = witness or batch.first_case(masks.settling)
        undefined_case = undefined_case or batch.first_case(masks.undefined)
        counts += [mask.sum() for mask in masks]
    totals = CaseMasks(*counts.tolist())
    return Decision(
        status="not shown" if question.claim.sometimes else "searched",
        proved_of="",
        domain=domain.search_fields(),
        checked=totals.defined,
        undefined=totals.undefined,
        hits=totals.settling,
        undefined_somewhere=bool(totals.undefined) or (False if domain.is_complete else None),
        vacuous=not totals.defined,
        witness=witness,
        undefined_case=undefined_case,
        near=totals.rounded,
        undecided=totals.undecided > 0,
    )


def _witness_value_text(value: Ratios) -> str:
    """Write a value exactly, a rounded one with nine digits."""
    numerator, denominator, is_rounded = (
        np.ravel(part).tolist()[0]
        for part in (value.numerator, value.denominator, getattr(value.error, "numerator", 0))
    )
    if is_rounded:
        return f"{float(Fraction(numerator, denominator)):.9g}"
    return value.scale.text(numerator, denominator) if numerator or denominator else "undefined"


class _Candidate(NamedTuple):
    """A condition, and the small cases that meet it."""

    text: str
    met: np.ndarray


def try_condition(proposed: Formula, question: Question) -> ExactlyWhen:
    """Judge whether a proposed condition says exactly when a claim holds, by all small cases and by the solver."""
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
    """Find a condition under which a claim about tables holds: the simplest exact, or the weakest sufficient one."""
    if question.domain.kind != "tables":
        return None
    simple = [formula for formula in simple_conditions() if {*formula.names} != {*question.claim.names}]
    claim_holds, *masks = _masks_in_small_cases([question.claim, *simple], question)
    if claim_holds.all():  # the claim fails in larger tables only
        return None
    # Conditions that the same cases meet are one candidate, with the text of the first, which is the simplest.
    candidates: dict[bytes, _Candidate] = {}
    for formula, met in zip(simple, masks, strict=True):
        if met.any() and not met.all():
            candidates.setdefault(met.tobytes(), _Candidate(formula.text, met))
    sufficient = sorted(
        _sufficient_conditions(list(candidates.values()), claim_holds), key=lambda candidate: -int(candidate.met.sum())
    )
    formulas = (Formula.condition(candidate.text) for candidate in sufficient)
    others = (formula for formula in formulas if formula.comparisons != question.claim.comparisons)
    for formula in islice(others, _MAX_CANDIDATES):
        judged = try_condition(formula, question)
        if judged.status != "refuted" and (judged.status != "sufficient" or judged.met < judged.holds):
            return judged
    return None


def _sufficient_conditions(candidates: Sequence[_Candidate], claim_holds: np.ndarray) -> Iterator[_Candidate]:
    """Yield the candidates, and joined pairs of candidates, that no case meets in which the claim fails."""
    single = [candidate for candidate in candidates if not (candidate.met & ~claim_holds).any()]
    yield from single
    for first, second in combinations(candidates, 2):
        met_by_both = first.met & second.met
        if met_by_both.any() and not (met_by_both & ~claim_holds).any():
            yield _Candidate(f"{first.text} and {second.text}", met_by_both)
    for first, second in combinations(single, 2):
        yield _Candidate(f"{first.text} or {second.text}", first.met | second.met)


def _masks_in_small_cases(formulas: Sequence[Formula], question: Question) -> list[np.ndarray]:
    """Return a mask for each formula over the small cases that meet the conditions and define the claim."""
    rows = []
    for batch in question.domain.small_batches():
        is_defined = question.masks(batch).defined
        masks = (formula.evaluate(batch.cases).true for formula in formulas)
        rows.append([np.broadcast_to(mask, batch.count)[is_defined] for mask in masks])
    return [np.concatenate(masks) for masks in zip(*rows, strict=True)]


@functools.cache
def simple_conditions() -> tuple[Formula, ...]:
    """Return the simple conditions on tables from ``conditions.csv``, the simplest first."""
    text = resources.files(__package__).joinpath("conditions.csv").read_text(encoding="utf-8")
    return tuple(Formula.condition(row["condition"]) for row in csv.DictReader(text.splitlines()))
