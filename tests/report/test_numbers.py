"""Numbers as shown: short, and never another number than they are."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.claims.sentences import number_text
from nontrivial_study.report.notation import cut_number, round_number


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.123456789", "0.1235"),
        ("-0.0388888888889", "-0.03889"),
        ("0.99999", "1.000"),
        ("4997.5", "4998"),
        ("94952.5", "94952"),
        ("2.63282607551e-05", "2.633e-05"),
        ("0.5", "0.5"),
        ("0", "0"),
        ("-99", "-99"),
        ("25980", "25980"),
        ("1000000000000", "1000000000000"),
        ("inf", "inf"),
        ("-inf", "-inf"),
        ("", ""),
    ],
)
def test_numbers_are_rounded_for_reading(text, shown):
    assert round_number(text) == (shown, text != shown)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_keeps_the_value(value):
    shown, _ = round_number(f"{value:.12g}")
    assert math.isclose(float(shown), value, rel_tol=1e-3, abs_tol=0)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("6666/7033", "0.9478… (6666/7033)"),
        ("1333200/34396597", "0.03875…"),
        ("-2/15", "-0.1333… (-2/15)"),
        ("94952.5123456", "94952…"),
        ("0.499999999999", "0.4999…"),
        ("1434180", "1434180"),
        ("1234567.5", "1234567…"),
        ("0.0555", "0.0555"),
        ("0.1234567", "0.1234…"),
        ("0.123456", "0.1234…"),
        ("0", "0"),
    ],
)
def test_long_decimals_are_cut_off(number, shown):
    assert cut_number(Fraction(number)) == shown


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.fractions(-(10**6), 10**6), st.integers(1, 4))
def test_what_is_cut_off_stays_on_its_side_of_what_is_stated(value, digits):
    stated = f"{float(value):.{digits}g}"
    cut = float(cut_number(value).partition(" ")[0].rstrip("…"))
    assert math.isclose(cut, value, rel_tol=1e-3)
    written = Fraction(number_text(value).partition(" ")[0])
    assert (abs(cut) >= abs(float(stated))) == (abs(float(written)) >= abs(float(stated)))
