"""Numbers that a document prints, and what follows from them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from nontrivial.audit.expressions import Expression, Named
from nontrivial.audit.found import Quantities, Quantity
from nontrivial.audit.stated import Printed, Statement
from nontrivial.audit.test import Test


def computed_number(*, formula: Expression, printed: dict[str, Printed]) -> Quantity:
    """Compute a number from printed ones.

    Its range is that of the formula over all ends of the ranges that print so, which is its range altogether where the
    formula does not turn within them.
    """
    corners = itertools.product(*([number.low, number.high] for number in printed.values()))
    values = [_value(formula, dict(zip(printed, corner, strict=True))) for corner in corners]
    exact = _value(formula, {name: number.value for name, number in printed.items()})
    return Quantity(exact, min(values), max(values))


def computed_numbers(
    *, stated: Statement, formulas: dict[str, Expression], printed: dict[str, Printed]
) -> Quantities:
    """Compute several numbers from printed ones, for an order between them."""
    return Quantities(
        {
            name: computed_number(formula=formula, printed={key: printed[key] for key in formula.names})
            for name, formula in formulas.items()
        }
    )


def _value(formula: Expression, numbers: Mapping[str, Fraction]) -> Fraction:
    value = formula.value(Named(dict(numbers))).fraction()
    if value is None:
        raise ValueError(f"{formula.text!r} has no value for {', '.join(map(str, numbers.values()))}.")
    return value


def check_number(*, formula: Expression, printed: dict[str, Printed], **_: Any) -> None:
    """Raise ValueError for a name without a printed number."""
    _check_names(formula, printed)


def check_numbers(*, stated: Statement, formulas: dict[str, Expression], printed: dict[str, Printed]) -> None:
    """Raise ValueError for a name without a printed number or a formula."""
    for formula in formulas.values():
        _check_names(formula, printed)
    for name in stated.names:
        if name not in formulas:
            raise ValueError(f"{name!r} is not among the formulas; known: {', '.join(formulas)}.")


def _check_names(formula: Expression, printed: dict[str, Printed]) -> None:
    for name in formula.names:
        if name not in printed:
            raise ValueError(f"{name!r} is not among the printed numbers; known: {', '.join(printed)}.")


TESTS = {
    "computed_number": Test(computed_number, check=check_number),
    "computed_numbers": Test(computed_numbers, check=check_numbers),
}
