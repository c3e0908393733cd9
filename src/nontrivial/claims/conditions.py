"""Where a claim that fails in places does hold: by a condition derived by hand, or one that is looked for.

A condition is exact if, among the cases that are as given, it is true just where the claim is. The solver proves this
for cases of any size. If it cannot, every small case is tried, and the result says so. Of tables, simple comparisons of
cells and rates are looked at, and any two of them joined by "and" or "or".
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from itertools import combinations, product

import numpy as np

from nontrivial.claims.domains import Domain
from nontrivial.claims.formulas import Formula, all_true
from nontrivial.claims.found import ExactlyWhen, Outcome
from nontrivial.claims.solver import any_of, find_case

TRIED = 16  # candidates that are put to the solver; none is met in a small case in which the claim fails
_EVERY = "== <= >= < > !="
# Of tables: left sides, comparisons, right sides, of which each is combined with each.
_ATOMS = (
    ("errors; tp + tn; fp; fn; tp; tn; predicted_positives; predicted_negatives", "== >", "0"),
    ("min(fn, tn); min(fp, tp); min(tp, tn); min(fp, fn)", ">", "0"),
    ("positives", _EVERY, "negatives"),
    ("predicted_positives", _EVERY, "positives; predicted_negatives"),
    ("fp", _EVERY, "fn"),
    ("tp", _EVERY, "fp; fn; tn"),
    ("tn", _EVERY, "fp; fn"),
    ("recall", _EVERY, "specificity"),
    ("precision", _EVERY, "negative_predictive_value"),
    ("prediction_advantage; informedness", _EVERY, "0"),
    ("accuracy", _EVERY, "1/2"),
)


def try_condition(proposed: Formula, claim: Formula, given: Sequence[Formula], domain: Domain) -> ExactlyWhen:
    """Try a condition in every small case, and then by the solver."""
    right, mask = _evaluate([proposed], claim, given, domain)
    met, wrong, holds = int(mask.sum()), int((mask & ~right).sum()), int(right.sum())
    status: Outcome = "refuted" if wrong else "searched" if met == holds else "sufficient"
    space = domain.space()
    if domain.complete:
        status = "proved" if status == "searched" else status
    elif space is not None and not wrong:
        truth, is_met = claim.truth(space.cases), proposed.truth(space.cases).true
        goes_wrong = find_case(space, given, is_met, truth.false).exists
        if goes_wrong:
            status = "refuted"
        elif status == "searched" and goes_wrong is False:
            misses = find_case(space, given, truth.true, [f"(not {any_of(*is_met)})"]).exists
            status = status if misses is None else "sufficient" if misses else "proved"
    return ExactlyWhen(proposed.text, status, met, wrong, holds)


def find_condition(claim: Formula, given: Sequence[Formula], domain: Domain) -> ExactlyWhen | None:
    """Look for the simplest condition on tables that is exact, or the weakest that suffices; None if there is none."""
    if domain.kind != "tables":
        return None
    atoms = [atom for atom in _atoms() if set(atom.names) != set(claim.names)]
    right, *masks = _evaluate(atoms, claim, given, domain)
    known: dict[bytes, tuple[str, np.ndarray]] = {}
    for atom, mask in zip(atoms, masks, strict=True):
        if mask.any() and not mask.all():
            known.setdefault(mask.tobytes(), (atom.text, mask))  # of equals the first, which is the simplest
    found = sorted(_sufficient(list(known.values()), right), key=lambda one: -int(one[1].sum()))
    for text, _ in found[:TRIED]:
        judged = try_condition(Formula(text), claim, given, domain)
        if judged.status != "refuted" and (judged.status != "sufficient" or judged.met < judged.holds):
            return judged
    return None


def _sufficient(atoms: list[tuple[str, np.ndarray]], right: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Atoms, and pairs joined by "and" or "or", that are met somewhere and nowhere where the claim fails."""
    single = [one for one in atoms if not (one[1] & ~right).any()]
    yield from single
    for (one, its_mask), (other, mask) in combinations(atoms, 2):
        both = its_mask & mask
        if both.any() and not (both & ~right).any():
            yield f"{one} and {other}", both
    for (one, its_mask), (other, mask) in combinations(single, 2):
        yield f"{one} or {other}", its_mask | mask


def _evaluate(
    conditions: Sequence[Formula], claim: Formula, given: Sequence[Formula], domain: Domain
) -> list[np.ndarray]:
    """Where the claim holds, and where each condition is met, of the small cases in which the claim has a meaning."""
    rows = []
    for part in domain.small():
        truth = claim.truth(part.cases)
        meant = all_true(given, part.cases, part.count) & truth.defined
        masks = [truth.true, *(condition.truth(part.cases).true for condition in conditions)]
        rows.append([np.broadcast_to(mask, part.count)[meant] for mask in masks])
    return [np.concatenate(column) for column in zip(*rows, strict=True)]


@functools.cache
def _atoms() -> tuple[Formula, ...]:
    """The comparisons of which conditions are made."""
    return tuple(
        Formula(f"{left} {symbol} {right}")
        for lefts, symbols, rights in _ATOMS
        for left, right, symbol in product(lefts.split("; "), rights.split("; "), symbols.split())
    )
