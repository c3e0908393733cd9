"""Decides a claim about cases of a kind: with the solver for cases of any size, and by trying every small one exactly.

The solver proves or refutes; what it leaves undecided is searched only, and said to be. Every proof is tried on all
small cases, and every refutation is a case that exact arithmetic, which shares nothing with the solver, confirms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.conditions import find_condition, try_condition
from nontrivial.claims.domains import Domain, Part
from nontrivial.claims.formulas import Formula, all_true
from nontrivial.claims.found import Decision, Status
from nontrivial.claims.numbers import Numbers
from nontrivial.claims.solver import Space, find_case


def decide(
    claim: Formula, given: Sequence[Formula], domain: Domain, proposed: Formula | None = None
) -> Decision:
    """Decide a claim.

    Parameters
    ----------
    claim : Formula
        A condition.
    given : sequence of Formula
        What is presupposed of a case.
    domain : Domain
    proposed : Formula, optional
        The condition under which a claim that fails was derived to hold.

    Examples
    --------
    >>> from nontrivial.claims.domains import Tables
    >>> minority = [Formula.condition("1 <= positives <= negatives")]
    >>> decide(Formula.condition("prediction_advantage <= recall"), minority, Tables()).status
    'proved'
    >>> decide(Formula.condition("f1 <= balanced_accuracy"), minority, Tables()).witness
    (1, 1, 0, 0)
    """
    found = _search(claim, given, domain)
    for space in domain.spaces():
        found = _solve(found, claim, given, domain, space)
        if found.status not in ("searched", "not shown"):
            break
    if found.status in ("searched", "not shown") and isinstance(domain, Numbers) and not domain.open:
        found = replace(found, status="impossible" if claim.sometimes else "proved", proved_of="the ranges")
    if found.witness is not None:
        cases = domain.one(found.witness)
        assert cases is not None  # a witness is in the domain
        found = replace(found, values={name: _text(cases.value(name)) for name in claim.names})
    if found.status != "refuted":
        return found
    case = claim, given, domain
    where = find_condition(*case) if proposed is None else try_condition(proposed, *case)
    return replace(found, exactly_when=where)


def is_hit(claim: Formula, given: Sequence[Formula], domain: Domain, case: Sequence[int]) -> bool:
    """Tell whether one case settles a claim: it is as given, and the claim fails (or holds, if it is "sometimes")."""
    cases = domain.one(case)
    return cases is not None and bool(_hits(claim, given, Part(cases, 1, lambda _: tuple(case)))[0].all())


def _hits(claim: Formula, given: Sequence[Formula], part: Part) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The cases of a part that settle a claim, those in which it has a meaning, and those in which it has none."""
    applies, truth = all_true(given, part.cases, part.count), claim.truth(part.cases)
    hit = truth.true if claim.sometimes else truth.false
    return applies & hit, applies & truth.defined, applies & ~truth.defined


def _search(claim: Formula, given: Sequence[Formula], domain: Domain) -> Decision:
    counts, witness = np.zeros(3, dtype=int), None
    for part in domain.small():
        masks = _hits(claim, given, part)
        if witness is None and masks[0].any():
            witness = part.case(int(np.argmax(masks[0])))
        counts += [mask.sum() for mask in masks]
    hits, checked, undefined = counts.tolist()
    status: Status = (
        ("shown" if hits else "not shown") if claim.sometimes else "refuted" if hits else "searched"
    )
    somewhere = True if undefined else None
    return Decision(status, "", domain.fields(), checked, undefined, hits, somewhere, not checked, witness)


def _solve(
    found: Decision, claim: Formula, given: Sequence[Formula], domain: Domain, space: Space
) -> Decision:
    """Ask the solver what a search left open."""
    truth = claim.truth(space.cases)
    if found.undefined_somewhere is None:
        found = replace(found, undefined_somewhere=find_case(space, given, [truth.undefined]).exists)
    if found.hits:
        return found
    settling, others = (truth.true, truth.false) if claim.sometimes else (truth.false, truth.true)
    answer = find_case(space, given, settling)
    if answer.exists is False:
        vacuous = found.vacuous and find_case(space, given, others).exists is False
        status: Status = "impossible" if claim.sometimes else "proved"
        return replace(found, status=status, proved_of=space.scope, vacuous=vacuous)
    for part in domain.larger() if answer.exists else ():
        hit = _hits(claim, given, part)[0]
        if hit.any():
            return _settled(found, claim, part.case(int(np.argmax(hit))), True)
    if answer.case is not None:
        scale = math.lcm(*(number.denominator for number in answer.case))
        case = tuple(int(number * scale) for number in answer.case)
        if is_hit(claim, given, domain, case):
            return _settled(found, claim, case, False)
    return found  # undecided, or settled by real numbers for which no whole ones were found


def _settled(found: Decision, claim: Formula, case: tuple[int, ...], smallest: bool) -> Decision:
    status: Status = "shown" if claim.sometimes else "refuted"
    return replace(found, status=status, hits=1, witness=case, smallest=smallest, vacuous=False)


def _text(value: Any) -> str:
    number: Fraction | None = value.fractions()[0]
    if number is None or not value.is_root:
        return "undefined" if number is None else str(number)
    return f"{'-' if number < 0 else ''}sqrt({abs(number)})"
