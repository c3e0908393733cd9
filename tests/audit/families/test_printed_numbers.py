"""What follows from printed numbers, with the range that their digits leave."""

import re
from fractions import Fraction

import pytest

from nontrivial.audit.expressions import Expression
from nontrivial.audit.families.printed_numbers import (
    check_number,
    check_numbers,
    computed_number,
    computed_numbers,
)
from nontrivial.audit.stated import Printed, Statement, parse_stated
from nontrivial.audit.verdict import decide

ODDS = Expression.parse("(1 - d)/d")


def test_the_range_is_that_of_the_digits():
    found = computed_number(formula=ODDS, printed={"d": Printed.parse("0.76")})
    # 0.755 to 0.765, of which the greater gives the less.
    assert (found.value, found.low, found.high) == (Fraction(6, 19), Fraction(47, 153), Fraction(49, 151))


def test_the_range_is_over_all_combinations():
    found = computed_number(
        formula=Expression.parse("a - b"), printed={"a": Printed.parse("0.5"), "b": Printed.parse("0.2")}
    )
    assert (found.value, found.low, found.high) == (Fraction(3, 10), Fraction(1, 5), Fraction(2, 5))


@pytest.mark.parametrize(
    ("order", "verdict"),
    [
        ("low < 1 < high", "reproduced"),  # 0.51/0.49 is above 1 with every number that prints so
        ("low < 1.07 < high", "contradicted"),
        ("low < 1.03 < high", "caveat"),  # 0.495 gives 1.02
        ("high < low", "contradicted"),
    ],
)
def test_an_order_of_what_is_computed(order, verdict):
    stated = Statement.parse(order)
    found = computed_numbers(
        stated=stated,
        formulas={"low": Expression.parse("(1 - d1)/d1"), "high": Expression.parse("(1 - d2)/d2")},
        printed={"d1": Printed.parse("0.76"), "d2": Printed.parse("0.49")},
    )
    assert decide(stated, found)[0] == verdict


def test_a_formula_without_value_is_named():
    with pytest.raises(ValueError, match=re.escape("'(1 - d)/d' has no value for 0.")):
        computed_number(formula=ODDS, printed={"d": Printed.parse("0/1")})


def test_names_without_a_number_are_named():
    with pytest.raises(ValueError, match="'d' is not among the printed numbers; known: x"):
        check_number(formula=ODDS, printed={"x": Printed.parse("1")})
    with pytest.raises(ValueError, match="'middle' is not among the formulas; known: low"):
        check_numbers(
            stated=parse_stated("low < middle"), formulas={"low": ODDS}, printed={"d": Printed.parse("1")}
        )
