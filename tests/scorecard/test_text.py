"""A scorecard as text."""

import pytest

from nontrivial.scorecard.sections import number, p_number, p_text


def test_no_number_is_less_than_nothing_by_its_rounding():
    assert [number(value) for value in (-0.00001, -0.0, -0.00006)] == ["0.0000", "0.0000", "-0.0001"]


@pytest.mark.parametrize(
    ("p_value", "in_sentence", "in_table"),
    [(0.00009, "p < 0.0001", "< 0.0001"), (0.0001, "p = 0.0001", "0.0001"), (1.0, "p = 1.0000", "1.0000")],
)
def test_a_p_value_is_equal_to_a_number_or_less_than_the_least(p_value, in_sentence, in_table):
    assert (p_text(p_value), p_number(p_value)) == (in_sentence, in_table)
