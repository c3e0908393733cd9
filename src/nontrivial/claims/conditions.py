"""Where a claim that fails in places does hold: by a condition derived by hand, or one that is looked for.

A condition is exact if it is true in just the cases in which the claim is, of those that are as given. The solver
proves that of cases of any size; where it cannot, every small case is tried, and the result says so. Looked for are
comparisons that suggest themselves, such as of the cells of a table, and any two of them joined by "and" or "or".
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np

from nontrivial.claims.domains import Domain
from nontrivial.claims.formulas import Formula, all_true

TRIED = 8  # candidates of either kind that agree with the claim on small cases and are put to the solver
_COMPARED = (
    ("positives", "negatives"),
    ("predicted_positives", "positives"),
    ("predicted_positives", "predicted_negatives"),
    ("fp", "fn"),
    ("tp", "fp"),
    ("tp", "fn"),
    ("tp", "tn"),
    ("tn", "fp"),
    ("tn", "fn"),
    ("recall", "specificity"),
    ("precision", "negative_predictive_value"),
    ("prediction_advantage", "0"),
    ("informedness", "0"),
    ("accuracy", "1/2"),
)
_COUNTED = ("errors", "tp + tn", "fp", "fn", "tp", "tn", "predicted_positives", "predicted_negatives")
_MARKS = ("ties", "mixed_groups", "precision_rises", "precision_falls")
_ATOMS = {
    "tables": (
        *(f"{count} {symbol} 0" for count in _COUNTED for symbol in ("==", ">")),
        *(f"min({two}) > 0" for two in ("fn, tn", "fp, tp", "tp, tn", "fp, fn")),
        *(
            f"{one} {symbol} {other}"
            for one, other in _COMPARED
            for symbol in ("==", "<=", ">=", "<", ">", "!=")
        ),
    ),
    "rankings": (
        *(f"{count} {symbol} 0" for count in _MARKS for symbol in ("==", ">")),
        *(
            f"{which} == {truth}"
            for which in ("is_perfect", "is_reversed", "is_calibrated")
            for truth in (0, 1)
        ),
        *(f"{count} {symbol} 1" for count in ("positives", "negatives", "groups") for symbol in ("==", ">")),
        *(f"positives {symbol} negatives" for symbol in ("==", "<=", ">=", "<", ">")),
        *(f"roc_auc {symbol} 1/2" for symbol in ("==", "<=", ">=", "<", ">")),
        *(f"roc_auc {symbol} roc_hull_auc" for symbol in ("==", "<")),
        *(f"least_precision_gain {symbol} 0" for symbol in (">=", "<")),
    ),
}
Mask = np.ndarray


@dataclass(frozen=True)
class ExactlyWhen:
    """Where a claim holds.

    Attributes
    ----------
    condition : str
    status : str
        "proved" of any size; "searched", exact in every small case; "sufficient", met nowhere where the claim fails but
        not wherever it holds; "refuted", a condition proposed that is met somewhere where it fails.
    met, wrong, holds : int
        In how many small cases it is met; in how many of these the claim fails; in how many the claim holds.
    """

    condition: str
    status: Literal["proved", "searched", "sufficient", "refuted"]
    met: int
    wrong: int
    holds: int


def try_condition(proposed: Formula, claim: Formula, given: Sequence[Formula], domain: Domain) -> ExactlyWhen:
    """Try a condition in every small case, and then by the solver."""
    meant, right, (mask,) = _evaluate([proposed], claim, given, domain)
    met = mask & meant
    counts = int(met.sum()), int((met & ~right).sum()), int((meant & right).sum())
    return _judge(proposed, counts, claim, given, domain)


def find_condition(claim: Formula, given: Sequence[Formula], domain: Domain) -> ExactlyWhen | None:
    """Look for the simplest condition that is exact, or else for the weakest that suffices; None if there is none."""
    atoms = [atom for atom in _atoms(domain.kind) if set(atom.names) != set(claim.names)]
    if not atoms:
        return None
    meant, right, masks = _evaluate(atoms, claim, given, domain)
    right = right[meant]
    known: dict[bytes, tuple[str, Mask]] = {}
    for atom, mask in zip(atoms, (mask[meant] for mask in masks), strict=True):
        if mask.any() and not mask.all():
            known.setdefault(mask.tobytes(), (atom.text, mask))  # of equals the first, which is the simplest
    found = [
        (Formula.condition(text), int(mask.sum())) for text, mask in _candidates(list(known.values()), right)
    ]
    holds = int(right.sum())
    exact = [condition for condition, met in found if met == holds][:TRIED]
    weakest = sorted((one for one in found if one[1] != holds), key=lambda one: -one[1])[:TRIED]
    for condition, met in [*((one, holds) for one in exact), *weakest]:
        judged = _judge(condition, (met, 0, holds), claim, given, domain)
        if judged.status != "refuted" and (judged.status != "sufficient" or met != holds):
            return judged
    return None


def _candidates(atoms: list[tuple[str, Mask]], right: Mask) -> list[tuple[str, Mask]]:
    """The atoms, and what two of them make, that are met nowhere where the claim fails."""
    single = [one for one in atoms if not (one[1] & ~right).any()]
    both = (
        (f"{one} and {other}", its_mask & mask) for (one, its_mask), (other, mask) in combinations(atoms, 2)
    )
    either = (
        (f"{one} or {other}", its_mask | mask) for (one, its_mask), (other, mask) in combinations(single, 2)
    )
    return single + [one for one in (*both, *either) if one[1].any() and not (one[1] & ~right).any()]


def _evaluate(
    conditions: Sequence[Formula], claim: Formula, given: Sequence[Formula], domain: Domain
) -> tuple[Mask, Mask, list[Mask]]:
    """Where the claim has a meaning, where it holds, and where each condition is met, in every small case."""
    rows = []
    for part in domain.small():
        truth = claim.truth(part.cases)
        meant = all_true(given, part.cases, part.count) & truth.defined
        masks = [condition.truth(part.cases).true for condition in conditions]
        rows.append([np.broadcast_to(mask, part.count) for mask in (meant, truth.true, *masks)])
    meant, right, *masks = (np.concatenate(column) for column in zip(*rows, strict=True))
    return meant, right, masks


def _judge(
    condition: Formula, counts: tuple[int, int, int], claim: Formula, given: Sequence[Formula], domain: Domain
) -> ExactlyWhen:
    met, wrong, holds = counts
    if wrong:
        return ExactlyWhen(condition.text, "refuted", *counts)
    is_exact = met == holds
    status = "searched" if is_exact else "sufficient"
    for scope, symbols in domain.symbols()[-1:]:
        from nontrivial.claims.encoding import negated, truth_of
        from nontrivial.claims.solver import find_case

        (true, false), (is_met, _) = truth_of(claim, symbols), truth_of(condition, symbols)
        missed = find_case(symbols, given, is_met, false).exists
        if missed and scope == "any size":
            status = "refuted"
        elif is_exact and missed is False:
            exists = find_case(symbols, given, true, negated(is_met)).exists
            if exists is False:
                status = "proved"
            elif exists and scope == "any size":
                status = "sufficient"
    return ExactlyWhen(condition.text, status, *counts)


@functools.cache
def _atoms(kind: str) -> tuple[Formula, ...]:
    """The comparisons of which conditions are made; none where nothing suggests itself."""
    return tuple(map(Formula.condition, _ATOMS.get(kind, ())))
