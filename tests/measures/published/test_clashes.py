"""Numbers that no score has, numbers that were cut off, and which of several numbers clash."""

from decimal import ROUND_DOWN, Decimal
from fractions import Fraction

import pytest
from measures.exact_tables import all_tables

from nontrivial.measures import published_tables
from nontrivial.measures.published.clashes import fits_cut_off, fits_without
from nontrivial.measures.published.printed import ImpossibleNumber
from nontrivial.measures.published.tables import find_tables, read_ranges

POSITIVES, N = 6, 15


def is_possible(ranges):
    return find_tables(ranges, POSITIVES, N - POSITIVES).count > 0


@pytest.mark.parametrize(
    ("name", "printed"),
    [("accuracy", "1.03"), ("recall", "104%"), ("kappa", "-1.1"), ("positive_likelihood_ratio", "-2")],
)
def test_a_number_that_its_score_never_has_is_impossible(name, printed):
    with pytest.raises(ImpossibleNumber, match=printed) as raised:
        published_tables({name: printed}, positives=3, n=9)
    assert ("%" in str(raised.value)) == (name in ("accuracy", "recall"))


@pytest.mark.parametrize("name", ["recall", "cohen_kappa", "matthews_corrcoef", "f_beta"])
def test_the_numbers_cut_off_are_those_whose_first_digits_are_printed(name):
    tables = {at: values[name] for at, values in all_tables(POSITIVES, N).items() if values[name]}
    for value in tables.values():
        printed = Decimal(float(value)).quantize(Decimal("0.01"), ROUND_DOWN)
        if abs(float(value) - round(float(value), 2)) < 1e-9:  # floats may lie on either side
            printed = Decimal(f"{float(value):.2f}")
        interval = read_ranges({name: f"{printed}"})[name].as_cut_off()
        assert value >= Fraction(interval.low)
        assert value <= Fraction(interval.high)
        beyond = Fraction(printed) + (Fraction(1, 100) if float(value) > 0 else Fraction(-1, 100))
        assert not interval.low <= beyond <= interval.high


def test_what_clashes_and_what_may_have_been_cut_off():
    ranges = read_ranges({"recall": "0.66", "specificity": "0.89", "accuracy": "0.80"})  # 4 of 6, 8 of 9
    assert not is_possible(ranges)
    assert fits_without(ranges, is_possible) == ["recall"]
    assert fits_cut_off(ranges, is_possible) == [("recall",)]
    both = read_ranges({"recall": "0.66", "specificity": "0.88"})
    assert fits_without(both, is_possible) == []
    assert fits_cut_off(both, is_possible) == [("recall", "specificity")]
    assert fits_cut_off(read_ranges({"recall": "0.60"}), is_possible) == []


def test_what_cannot_be_tried_is_not_said():
    def refuse(ranges):
        raise ValueError

    ranges = read_ranges({"recall": "0.66", "specificity": "0.89"})
    assert fits_without(ranges, refuse) is fits_cut_off(ranges, refuse) is None
