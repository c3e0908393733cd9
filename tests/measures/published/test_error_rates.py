"""Published error rates: exact rounding intervals, certainty of the sign, possible counts."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest

from nontrivial.measures import published_advantage

HABERMAN = {"positives": 81, "n": 306}


def test_one_decimal_stands_for_a_tenth():
    record = published_advantage(error="0.3", **HABERMAN)
    assert (record.error_low, record.error, record.error_high) == (0.25, 0.3, 0.35)
    assert record.low == float(1 - Fraction(35, 100) / Fraction(81, 306))
    assert record.advantage == float(1 - Fraction(3, 10) / Fraction(81, 306))
    assert record.high == float(1 - Fraction(25, 100) / Fraction(81, 306))
    assert not record.sign_certain
    assert record.possible
    assert record.errors == (77, 107)


@pytest.mark.parametrize(
    "spelled",
    [{"error": "0.30"}, {"error": 0.3, "digits": 2}, {"error": Decimal("0.30")}, {"accuracy": "0.70"}],
)
def test_a_trailing_zero_counts(spelled):
    record = published_advantage(**spelled, **HABERMAN)
    assert (record.error_low, record.error_high) == (0.295, 0.305)
    assert record.sign_certain


@pytest.mark.parametrize(
    ("spelled", "advantage", "sign_certain", "possible"),
    [
        ({"error": "0.27"}, "-0.02", True, True),
        ({"error": "0.3"}, "-0.13", False, True),
        ({"error": "0.273"}, "-0.0313", True, False),
        ({"error": "0.2742"}, "-0.0359", True, False),
        ({"accuracy": "0.734"}, "-0.0049", True, False),
        ({"accuracy": "0.717"}, "-0.0691", True, False),
        ({"error": "0.266"}, "-0.0049", True, False),
    ],
)
def test_the_errors_published_for_haberman(spelled, advantage, sign_certain, possible):
    record = published_advantage(**spelled, **HABERMAN)
    digits = len(advantage.split(".")[1])
    assert round(record.advantage, digits) == float(advantage)
    assert (record.sign_certain, record.possible) == (sign_certain, possible)


@pytest.mark.parametrize(
    ("n", "digits"), [(7, 1), (7, 2), (7, 3), (40, 1), (40, 2), (40, 3), (200, 1), (200, 2)]
)
def test_possible_is_what_rounding_all_counts_gives(n, digits):
    """Ties go up in one school and to even in the other; a print of either counts as possible."""
    unit = Decimal(1).scaleb(-digits)
    printed = {
        (Decimal(errors) / n).quantize(unit, rounding)
        for errors in range(n + 1)
        for rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN)
    }
    for step in range(10**digits + 1):
        value = step * unit
        record = published_advantage(error=value, positives=3, n=n)
        # A tie may also have been rounded down; only then is a rate possible that neither school prints.
        tied = any(abs(errors * 10**digits - step * n) * 2 == n for errors in range(n + 1))
        assert record.possible == (value in printed or tied)


def test_ends_of_the_rounding_interval_belong_to_it():
    record = published_advantage(error="0.2", positives=2, n=4)  # 0.15 .. 0.25, and 1/4 is possible
    assert record.errors == (1, 1)


def test_an_interval_that_touches_zero_has_no_certain_sign():
    record = published_advantage(error="0.2", positives=1, n=4)  # the trivial error 0.25 is its end
    assert record.low == 0.0
    assert not record.sign_certain


def test_rates_are_cut_at_zero_and_one():
    assert published_advantage(error=0, positives=1, n=4).error_low == 0.0
    assert published_advantage(error=1, positives=1, n=4).error_high == 1.0


@pytest.mark.parametrize(
    "spelled",
    [
        {"error": "0.273", "positives": 225, "n": 306},  # the minority may be either class
        {"error": np.float32(0.273), "positives": np.int64(81), "n": np.int32(306)},
    ],
)
def test_the_same_is_said_of_the_same(spelled):
    assert published_advantage(**spelled) == published_advantage(error="0.273", **HABERMAN)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "exactly one"),
        ({"error": 0.3, "accuracy": 0.7}, "exactly one"),
        ({"accuracy": 73.4}, "not a percentage"),
        ({"error": -0.1}, "must lie in"),
        ({"error": "nan"}, "must be a number"),
        ({"error": "a third"}, "must be a number"),
        ({"error": 0.273, "digits": 2}, "more than the 2 decimals"),
        ({"error": 0.3, "digits": -1}, "digits"),
        ({"error": 0.3, "digits": 1.0}, "digits"),
        ({"error": 0.3, "positives": 0}, "both classes"),
        ({"error": 0.3, "positives": 306}, "both classes"),
        ({"error": 0.3, "positives": 26.47}, "whole number"),
        ({"error": 0.3, "n": True}, "whole number"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_advantage(**HABERMAN | arguments)
