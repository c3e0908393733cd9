"""Numbers as shown: short, and never another number than they are; formulas, and the comparisons that break."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.claims.domains.tables import TableDomain
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.sentences import fraction_text
from nontrivial_study.report.notation import broken_comparisons, cut_number, formula_markup, round_number


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("-0.0388888888889", "-0.03889"),
        ("0.99999", "1.000"),
        ("94952.5", "94952"),
        ("2.63282607551e-05", "2.633e-05"),
        ("1000000000000", "1000000000000"),
        ("-inf", "-inf"),
        ("", ""),
    ],
)
def test_numbers_are_rounded_for_reading(text, shown):
    assert round_number(text) == shown


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_rounding_keeps_the_value(value):
    shown = round_number(f"{value:.12g}")
    assert math.isclose(float(shown), value, rel_tol=1e-3, abs_tol=0)


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("1333200/34396597", "0.03875…"),
        ("-2/15", "-0.1333… (-2/15)"),
        ("0.499999999999", "0.4999…"),
        ("1234567.5", "1234567…"),
        ("0.0555", "0.0555"),
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
    written = Fraction(fraction_text(value).partition(" ")[0])
    assert (abs(cut) >= abs(float(stated))) == (abs(float(written)) >= abs(float(stated)))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("prediction_advantage <= 2 * f_beta - 1", "prediction_advantage ≤ 2 * f1 - 1"),
        ("f1_1 >= f1_2 and not tp == 0", "f1_1 ≥ f1_2 and not tp = 0"),
        ("sometimes(x == -0.30)", "sometimes(x = -0.30)"),
        ("a - (b - c) != 0.2742519", "a - (b - c) ≠ 0.2742519"),
        ("", ""),
    ],
)
def test_formulas_are_written_with_the_signs_of_prose(written, shown):
    assert formula_markup(written).striptags() == shown


@pytest.mark.parametrize(
    ("claim", "table", "links"),
    [
        ("cohen_kappa <= f1 <= balanced_accuracy", (1, 1, 0, 0), ["f1 2/3 > balanced_accuracy 1/2"]),
        ("not (f1 > 0 and recall > 0)", (1, 1, 0, 0), ["f1 2/3 > 0", "recall 1 > 0"]),
        ("f1 > 1 or recall < 1", (1, 1, 0, 0), ["f1 2/3 < 1", "recall 1 = 1"]),
        ("(fp > 1) == (tp > 0)", (1, 1, 0, 0), ["fp 1 = 1", "tp 1 > 0"]),
        # Precision is 0/0 there, and breaks nothing.
        ("precision > 0 and f1 > 0", (0, 0, 1, 1), ["f1 0 = 0"]),
        ("matthews_corrcoef > 1", (1, 2, 0, 1), ["matthews_corrcoef 0.5773… < 1"]),
    ],
)
def test_the_links_that_break_stand_with_their_numbers(claim, table, links):
    broken = broken_comparisons(claim, Formula.condition(claim).tree, TableDomain().as_cases(table))
    parts = [(link.left.striptags(), link.left_value, link.sign, link.right.striptags()) for link in broken]
    values = [link.right_value for link in broken]
    shown = [" ".join(filter(None, (*part, value))) for part, value in zip(parts, values, strict=True)]
    assert shown == links
