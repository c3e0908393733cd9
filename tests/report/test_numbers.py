"""Numbers as shown: short, and never another number than they are."""

import math
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.audit.found import number_text
from nontrivial.report.numbers import cut_numbers, percent, round_number


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.123456789", "0.1235"),
        ("-0.0388888888889", "-0.03889"),
        ("0.99999", "0.99999"),
        ("4997.5", "4997.5"),
        ("94952.5", "94952.5"),
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
def test_rounding_keeps_the_value_and_what_is_not_whole(value):
    shown = float(round_number(f"{value:.12g}")[0])
    assert math.isclose(shown, value, rel_tol=1e-3, abs_tol=0)
    assert shown.is_integer() == float(f"{value:.12g}").is_integer()


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0.947817432106 (6666/7033)", "0.9478… (6666/7033)"),
        ("0.0387596482292 (1333200/34396597)", "0.03875…"),
        (
            "-0.133333333333 (-2/15), between -0.322222222222 (-29/90) and 0.0555",
            "-0.1333… (-2/15), between -0.3222… (-29/90) and 0.0555",
        ),
        ("94952.5123456", "94952.5…"),
        ("0.499999999999", "0.4999…"),
        ("714,194 counterexamples among 1,434,180 cases", "714,194 counterexamples among 1,434,180 cases"),
        (
            "version 1.2.3456789012, 2.632826075e-05, x0.123456789",
            "version 1.2.3456789012, 2.632826075e-05, x0.123456789",
        ),
        ("0.1234567", "0.1234…"),
        ("0.123456", "0.123456"),
    ],
)
def test_long_decimals_in_a_text_are_cut_off(text, shown):
    assert cut_numbers(text) == shown


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.fractions(-(10**6), 10**6), st.integers(1, 9))
def test_what_is_cut_off_stays_on_its_side_of_what_is_stated(value, digits):
    written = float(number_text(value).split(" ")[0])
    stated = f"{written:.{digits}f}"
    cut = re.match(r"-?[\d.]+", cut_numbers(number_text(value), beside=stated))[0]
    assert abs(float(cut)) <= abs(written)
    assert math.isclose(float(cut), written, rel_tol=1e-3)
    assert (abs(float(cut)) >= abs(float(stated))) == (abs(written) >= abs(float(stated)))


def test_a_percentage_has_three_digits():
    assert [percent(share).replace("\N{NO-BREAK SPACE}", " ") for share in (0.2192, 1, 0.00269147)] == [
        "21.9 %",
        "100 %",
        "0.269 %",
    ]
