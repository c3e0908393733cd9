"""Published error rates: exact rounding intervals, certainty of the sign, possible counts."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction

import numpy as np
import pytest

from nontrivial.measures import published_advantage

HABERMAN = {"positives": 81, "n": 306}


@pytest.mark.parametrize(
    ("spelled", "low", "high", "advantage", "sign_certain", "possible"),
    [
        ({"error": "0.3"}, "0.25", "0.35", "-0.1333", False, True),
        ({"error": "0.30"}, "0.295", "0.305", "-0.1333", True, True),
        ({"error": 0.3, "digits": 2}, "0.295", "0.305", "-0.1333", True, True),
        ({"accuracy": "70 %"}, "0.295", "0.305", "-0.1333", True, True),
        ({"error": "0.27"}, "0.265", "0.275", "-0.0200", True, True),
        ({"error": "0.2742"}, "0.27415", "0.27425", "-0.0359", True, False),
        ({"accuracy": "0.734"}, "0.2655", "0.2665", "-0.0049", True, False),
        ({"error": np.float32(0.273), "n": np.int32(306)}, "0.2725", "0.2735", "-0.0313", True, False),
        ({"error": "0.273", "positives": 225}, "0.2725", "0.2735", "-0.0313", True, False),  # either class
        ({"error": 1}, "0.5", "1", "-2.7778", True, True),
        # the ends belong to the interval: 0.15 to 0.25 holds 1/4, which is also the trivial error of 1 in 4
        ({"error": "0.2", "positives": 1, "n": 4}, "0.15", "0.25", "0.2", False, True),
    ],
)
def test_rounding_interval_of_a_rate(spelled, low, high, advantage, sign_certain, possible):
    arguments = HABERMAN | spelled
    positives, n = arguments["positives"], int(arguments["n"])
    record = published_advantage(**arguments)
    minority = Fraction(min(positives, n - positives), n)
    assert (record.low, record.high) == tuple(float(1 - Fraction(end) / minority) for end in (high, low))
    assert round(record.advantage, 4) == float(advantage)
    assert (record.sign_certain, record.possible) == (sign_certain, possible)


@pytest.mark.parametrize(("n", "digits"), [(7, 1), (7, 3), (40, 2), (200, 1), (200, 2)])
def test_possible_is_what_rounding_all_counts_gives(n, digits):
    """Ties go up in one school and to even in the other; a print of either counts as possible."""
    unit = Decimal(1).scaleb(-digits)
    printed = {
        (Decimal(errors) / n).quantize(unit, rounding)
        for errors in range(n + 1)
        for rounding in (ROUND_HALF_UP, ROUND_HALF_EVEN)
    }
    for step in range(10**digits + 1):
        # A tie may also have been rounded down; only then is a rate possible that neither school prints.
        tied = any(abs(errors * 10**digits - step * n) * 2 == n for errors in range(n + 1))
        record = published_advantage(error=step * unit, positives=3, n=n)
        assert record.possible == (step * unit in printed or tied)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "exactly one"),
        ({"error": 0.3, "accuracy": 0.7}, "exactly one"),
        ({"accuracy": 73.4}, "a percentage with its sign"),
        ({"error": -0.1}, "a share from 0 to 1"),
        ({"error": "0." + "3" * 60}, "must be a number"),
        ({"error": 0.273, "digits": 2}, "more than the 2 decimals"),
        ({"error": 0.3, "digits": -1}, "digits"),
        ({"error": 0.3, "positives": 306}, "both classes"),
        ({"error": 0.3, "positives": 26.47}, "whole number"),
        ({"error": 0.3, "n": True}, "whole number"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_advantage(**HABERMAN | arguments)
