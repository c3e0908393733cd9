"""Decides a claim about cases of a kind: with the solver for cases of any size, and by trying every small one exactly.

The solver proves or refutes; what it leaves undecided is searched only, and said to be. Every proof is tried on all
small cases, and every refutation is a case that exact arithmetic, which shares nothing with the solver, confirms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from nontrivial.claims.conditions import ExactlyWhen, find_condition, try_condition
from nontrivial.claims.domains import Domain, Part
from nontrivial.claims.formulas import Formula, all_true
from nontrivial.claims.numbers import Numbers

Status = Literal["proved", "refuted", "searched", "shown", "impossible", "not shown"]


@dataclass(frozen=True)
class Decision:
    """What is known of a claim about every case of a domain, or about some case.

    Attributes
    ----------
    status : str
        Of a claim about every case: "proved", "refuted" by a case, or "searched" without finding one. Of one about some
        case: "shown" by a case, "impossible", or "not shown".
    proved_of : str
        Of what is proved or impossible: "any size", or "the ranges" of numbers; else empty.
    domain : dict
        What was searched, as plain data.
    checked, undefined, hits : int
        Small cases in which the claim has a meaning; in which it has none; and that settle it.
    undefined_somewhere : bool or None
        Whether there are cases in which it has no meaning; None if that is undecided.
    vacuous : bool
        Whether it has a meaning in no case that is as given.
    witness : tuple of int or None
        The case that settles it.
    values : dict of str to str
        What the claim's names come to there: an exact number, ``sqrt(...)``, or "undefined".
    smallest : bool
        Whether no smaller case does.
    exactly_when : ExactlyWhen or None
        For what is refuted, where it holds.
    """

    status: Status
    proved_of: str
    domain: dict[str, Any]
    checked: int
    undefined: int
    hits: int
    undefined_somewhere: bool | None = None
    vacuous: bool = False
    witness: tuple[int, ...] | None = None
    values: dict[str, str] | None = None
    smallest: bool = True
    exactly_when: ExactlyWhen | None = None


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
    settled = found.witness is not None and found.undefined_somewhere
    for scope, symbols in () if settled else domain.symbols():
        found = _solve(found, claim, given, domain, scope, symbols)
        if found.status not in ("searched", "not shown"):
            break
    if found.status == "not shown" and isinstance(domain, Numbers) and not domain.open:
        found = replace(found, status="impossible", proved_of="the ranges")  # every case was tried
    if found.witness is not None:
        cases = domain.one(found.witness)
        found = replace(found, values={name: _text(name, cases) for name in claim.names})
    if found.status != "refuted":
        return found
    if proposed is not None:
        return replace(found, exactly_when=try_condition(proposed, claim, given, domain))
    return replace(found, exactly_when=find_condition(claim, given, domain))


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
    checked = undefined = hits = 0
    witness = None
    for part in domain.small():
        hit, meant, unmeant = _hits(claim, given, part)
        if witness is None and hit.any():
            witness = part.case(int(np.argmax(hit)))
        checked, undefined, hits = checked + meant.sum(), undefined + unmeant.sum(), hits + hit.sum()
    settled: Status = "shown" if claim.sometimes else "refuted"
    open_: Status = "not shown" if claim.sometimes else "searched"
    return Decision(
        status=settled if hits else open_,
        proved_of="",
        domain=domain.fields(),
        checked=int(checked),
        undefined=int(undefined),
        hits=int(hits),
        undefined_somewhere=True if undefined else None,
        vacuous=not checked,
        witness=witness,
    )


def _solve(
    found: Decision, claim: Formula, given: Sequence[Formula], domain: Domain, scope: str, symbols: Any
) -> Decision:
    """Add to what a search found what the solver knows."""
    from nontrivial.claims.encoding import negated, truth_of
    from nontrivial.claims.solver import find_case

    true, false = truth_of(claim, symbols)
    if found.undefined_somewhere is None:
        somewhere = find_case(symbols, given, negated(true), negated(false)).exists
        found = replace(found, undefined_somewhere=somewhere)
    if found.hits:
        return found
    answer = find_case(symbols, given, true if claim.sometimes else false)
    if answer.exists is None:
        return found
    if not answer.exists:
        settles_nothing = false if claim.sometimes else true
        vacuous = found.vacuous and find_case(symbols, given, settles_nothing).exists is False
        status: Status = "impossible" if claim.sometimes else "proved"
        return replace(found, status=status, proved_of=scope, vacuous=vacuous)
    witness, smallest = _witness(claim, given, domain, answer.case)
    if witness is None:
        return found  # there are such real numbers, and no whole ones were found
    settled: Status = "shown" if claim.sometimes else "refuted"
    return replace(found, status=settled, hits=1, witness=witness, smallest=smallest, vacuous=False)


def _witness(
    claim: Formula, given: Sequence[Formula], domain: Domain, case: tuple[Fraction, ...] | None
) -> tuple[tuple[int, ...] | None, bool]:
    """The smallest case beyond the small ones that settles a claim, or else the solver's, in whole numbers."""
    for part in domain.small(beyond=True):
        hit = _hits(claim, given, part)[0]
        if hit.any():
            return part.case(int(np.argmax(hit))), True
    if case is None:
        return None, False
    scale = math.lcm(*(number.denominator for number in case))
    whole = tuple(int(number * scale) for number in case)
    return (whole, False) if is_hit(claim, given, domain, whole) else (None, False)


def _text(name: str, cases: Any) -> str:
    value = cases.value(name)
    (number,) = value.fractions()
    if number is None:
        return "undefined"
    if not value.is_root:
        return str(number)
    return f"{'-' if number < 0 else ''}sqrt({abs(number)})"
