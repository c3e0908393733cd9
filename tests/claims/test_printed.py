"""Numbers as printed."""

import decimal
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.claims.language import Printed, fixed_number


@pytest.mark.parametrize(
    ("text", "value", "low", "high"),
    [
        ("0.3", "3/10", "1/4", "7/20"),
        ("0.30", "3/10", "59/200", "61/200"),
        ("-0.02", "-1/50", "-1/40", "-3/200"),
        ("25980", "25980", "51959/2", "51961/2"),
        ("7/15", "7/15", "7/15", "7/15"),
        ("-7/15", "-7/15", "-7/15", "-7/15"),
        ("0", "0", "-1/2", "1/2"),
    ],
)
def test_printed_digits_stand_for_all_numbers_that_round_to_them(text, value, low, high):
    printed = Printed.parse(text)
    assert (printed.value, printed.low, printed.high) == (Fraction(value), Fraction(low), Fraction(high))
    assert fixed_number(text) == (Fraction(value), (Fraction(low), Fraction(high)))


@pytest.mark.parametrize(
    "text",
    ["", "0.", ".5", "1,00", "1e3", "nan", "inf", "1/0", "0.3.1", "3%", "a", "+1", "0.5/2", "--1", "\u0663"],
)
def test_what_is_no_printed_number_is_named(text):
    with pytest.raises(ValueError, match="is not a printed number such as"):
        Printed.parse(text)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.fractions(min_value=-5, max_value=5, max_denominator=10**6), st.integers(min_value=1, max_value=6))
def test_a_number_lies_in_the_range_of_its_rounded_digits(number, digits):
    rounded = decimal.Decimal(int(round(number, digits) * 10**digits)).scaleb(-digits)
    printed = Printed.parse(format(rounded, "f"))
    assert printed.low <= number <= printed.high
    assert printed.high - printed.low == Fraction(1, 10**digits)


@pytest.mark.parametrize(
    ("text", "number", "cut"),
    [
        ("0.46", "7/15", True),
        ("0.47", "7/15", False),
        ("0.46", "0.46", True),
        ("0.46", "0.47", False),
        ("0.46", "-7/15", False),
        ("-0.46", "-7/15", True),
        ("0.4", "1/2", False),
        ("-0.0", "-1/50", True),
    ],
)
def test_cut_digits_are_told_from_rounded_ones(text, number, cut):
    assert Printed.parse(text).is_cut_from(Fraction(number)) is cut


@pytest.mark.parametrize(
    ("text", "value", "low", "high"),
    [
        (81, 81, 81, 81),  # a count is exact
        (">= 0.3", "3/10", "3/10", 1),
        ("<= 0.7", "7/10", 0, "7/10"),
    ],
)
def test_fixed_numbers(text, value, low, high):
    assert fixed_number(text) == (Fraction(value), (Fraction(low), Fraction(high)))


@pytest.mark.parametrize("text", ["0.3 or more", ">=", ">=0.3", ">=  0.3", "> 0.3", "0..4"])
def test_what_is_no_fixed_number_is_named(text):
    with pytest.raises(ValueError, match="is not a printed number such as"):
        fixed_number(text)
