"""The one rule that turns what is stated and what was found into a verdict.

==========================  ===============================  ====================================================
stated                      found                            verdict
==========================  ===============================  ====================================================
anything                    unavailable                      not_evaluated
number, tolerance exact     a quantity                       reproduced if equal; caveat if the range holds it
number, tolerance rounded   a quantity                       reproduced if it rounds to the printed digits;
                                                             caveat if the digits are cut off instead of rounded,
                                                             if only the range agrees, or if the sign is open
number, tolerance interval  a quantity with a sampling       reproduced if the range meets the numbers that round
                            range                            to the printed digits
comparison or order         quantities                       reproduced if all of the ranges keep it; caveat if
                                                             only the numbers themselves do, or only some ends
statement (always)          a search                         contradicted by one counterexample; not_evaluated if no
                                                             case has either side true; caveat if it holds but a
                                                             side is undefined in places
statement (sometimes)       a search                         reproduced by one example; not_evaluated without
statement                   a proof                          reproduced
statement (always)          a survey                         reproduced if kept at every point; caveat if not, but
                                                             nowhere broken by more than sampling error
statement (sometimes)       a survey                         reproduced if kept somewhere by more than sampling
                                                             error; caveat if kept at all; else not_evaluated
==========================  ===============================  ====================================================

Everything else is contradicted.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import product

from nontrivial.audit.expressions import Named
from nontrivial.audit.found import (
    Found,
    Proof,
    Quantities,
    Quantity,
    Search,
    Survey,
    Unavailable,
    number_text,
)
from nontrivial.audit.stated import Comparison, Order, Printed, Stated, Statement, common_sign
from nontrivial.audit.truth import order_truth

REPRODUCED = "reproduced"
CAVEAT = "caveat"
CONTRADICTED = "contradicted"
NOT_EVALUATED = "not_evaluated"
VERDICTS = (REPRODUCED, CAVEAT, CONTRADICTED, NOT_EVALUATED)
TOLERANCES = ("exact", "rounded", "interval")
# All reasons of a caveat; of the first, {} is how the number agrees.
CAVEATS = {
    "sign": "the number found {}, but its range leaves the sign open.",
    "cut": "the printed digits are cut off, not rounded.",
    "range": "the number found differs, but the stated one lies within its range.",
    "not all ends": "the numbers found keep the stated relation, but not all of their ranges do.",
    "some ends": "the numbers found do not keep the stated relation, but within their ranges some do.",
    "undefined": (
        "it holds in the domain searched wherever both sides are defined, which is not everywhere."
    ),
    "unclearly kept": "it holds at some points, but at none by more than sampling error.",
    "unclearly broken": "at some points it is broken, but nowhere by more than sampling error.",
}


def decide(stated: Stated | None, found: Found, tolerance: str = "rounded") -> tuple[str, str]:
    """Return the verdict and, in one sentence, its reason.

    Parameters
    ----------
    stated : Printed, Comparison, Statement or None
        What the document says; None for an opinion, about which nothing can be found.
    found : Quantity, Quantities, Search, Survey, Proof or Unavailable
        What a test found.
    tolerance : {"exact", "rounded", "interval"}
        For a stated number, which numbers agree with it (see the table above).

    Examples
    --------
    >>> decide(Printed.parse("0.46"), Quantity.exactly(Fraction(7, 15)))
    ('caveat', 'the printed digits are cut off, not rounded.')
    """
    match stated, found:
        case _, Unavailable(reason=reason):
            return NOT_EVALUATED, reason
        case Printed(), Quantity():
            return _compare_number(stated, found, tolerance)
        case Comparison(), Quantity():
            corners = [stated.holds(number) for number in (found.low, found.high)]
            if stated.symbol in ("=", "!="):  # a number inside the range is as possible as one of its ends
                inside = found.low <= stated.bound.value <= found.high
                corners.append(inside == (stated.symbol == "="))
            return _compare_order(stated.holds(found.value), corners)
        case Statement(connective="", sometimes=False), Quantities():
            return _compare_order(*_order_truth(stated.order, found))
        case Statement(), Search():
            return _judge_search(stated, found)
        case Statement(), Proof():
            return REPRODUCED, "it is an identity of algebra wherever both sides are defined."
        case Statement(), Survey():
            return _judge_survey(stated, found)
    raise ValueError(
        f"a {type(found).__name__.lower()} does not answer a stated {type(stated).__name__.lower()}."
    )


def _compare_number(stated: Printed, found: Quantity, tolerance: str) -> tuple[str, str]:
    low, high = (stated.value, stated.value) if tolerance == "exact" else (stated.low, stated.high)
    ranges_meet = low <= found.high and found.low <= high
    if tolerance == "interval":
        if ranges_meet:
            return REPRODUCED, "the stated number lies within the range found."
        return CONTRADICTED, "the stated number lies outside the range found."
    agreed = "equals the stated number" if tolerance == "exact" else "rounds to the printed digits"
    if low <= found.value <= high:
        sign = common_sign(found.low, found.high)
        if sign is None and found.low != found.high and stated.sign is not None:
            return CAVEAT, CAVEATS["sign"].format(agreed)
        return REPRODUCED, f"the number found {agreed}."
    if tolerance == "rounded" and stated.is_cut_from(found.value):
        return CAVEAT, CAVEATS["cut"]
    if ranges_meet:
        return CAVEAT, CAVEATS["range"]
    difference = number_text(abs(found.value - stated.value))
    return CONTRADICTED, f"the number found differs from the stated one by {difference}."


def _compare_order(value_holds: bool, corners_hold: Iterable[bool]) -> tuple[str, str]:
    corners = list(corners_hold)
    if value_holds:
        if all(corners):
            return REPRODUCED, "the numbers found keep the stated relation."
        return CAVEAT, CAVEATS["not all ends"]
    if any(corners):
        return CAVEAT, CAVEATS["some ends"]
    return CONTRADICTED, "the numbers found do not keep the stated relation."


def _order_truth(order: Order, found: Quantities) -> tuple[bool, list[bool]]:
    """Whether the values keep the order, and whether the ends of the ranges do, however they are combined."""
    names = list(dict.fromkeys(order.names))

    def keeps(numbers: Iterable[Fraction]) -> bool:
        holds, defined = order_truth(order, Named(dict(zip(names, numbers, strict=True))))
        return bool(holds and defined)

    quantities = [_quantity(name, found) for name in names]
    corners = product(*([quantity.low, quantity.high] for quantity in quantities))
    return keeps(quantity.value for quantity in quantities), [keeps(corner) for corner in corners]


def _quantity(name: str, found: Quantities) -> Quantity:
    if name not in found.values:
        raise ValueError(f"{name!r} is not among the numbers found: {', '.join(found.values)}.")
    return found.values[name]


def _judge_search(stated: Statement, found: Search) -> tuple[str, str]:
    if stated.sometimes:
        if found.hits:
            return REPRODUCED, "the search found a case in which it holds."
        return (
            NOT_EVALUATED,
            "the search found no case in which it holds, which does not rule one out elsewhere.",
        )
    if found.hits:
        return CONTRADICTED, "a counterexample refutes it."
    if not found.checked:
        return NOT_EVALUATED, "the domain that was searched holds no case to which it applies."
    if found.details.get("vacuous"):
        return NOT_EVALUATED, "in the domain that was searched neither side is ever true."
    if found.undefined:
        return CAVEAT, CAVEATS["undefined"]
    if found.details.get("proof"):
        return REPRODUCED, "the domain searched holds no counterexample, and algebra leaves none beyond it."
    return REPRODUCED, "the domain searched holds no counterexample."


def _judge_survey(stated: Statement, found: Survey) -> tuple[str, str]:
    if not found.points:
        return NOT_EVALUATED, "there is no point at which it applies."
    if stated.sometimes:
        if found.clearly_kept:
            return REPRODUCED, "it holds at some points by more than sampling error."
        if found.kept:
            return CAVEAT, CAVEATS["unclearly kept"]
        return (
            NOT_EVALUATED,
            "it holds at no point that was measured, which does not rule one out elsewhere.",
        )
    if found.clearly_broken:
        return CONTRADICTED, "at some points it is broken by more than sampling error."
    if found.kept < found.points:
        return CAVEAT, CAVEATS["unclearly broken"]
    return REPRODUCED, "it holds at every point."
