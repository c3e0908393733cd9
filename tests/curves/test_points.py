"""Operating points: one per distinct score, whatever the types of labels and scores."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nontrivial.curves import operating_points, pr_auc_score
from nontrivial.curves.points import find_positive_steps

TYPES = ("float16", "float32", "float64", "longdouble", "int8", "uint8", "int64", "uint64")
NEIGHBOURS = [
    (0.0, 5e-324),  # lost when it is divided
    (0.0, -0.0),
    (0.5, np.nextafter(0.5, 1)),
    (2.0**53, 2.0**53 + 2),
    (-1.7976931348623157e308, 1.7976931348623157e308),
    (np.int64(2**53), np.int64(2**53 + 1)),
    (np.uint64(2**64 - 2), np.uint64(2**64 - 1)),
    (np.longdouble(1), 1 + np.finfo(np.longdouble).eps),
    (np.longdouble("1e4000"), np.longdouble("2e4000")),
]


def assert_counted(truth, scores):
    """Compare points and steps with counts in Python."""
    points, steps = operating_points(truth, scores), find_positive_steps(truth, scores)
    thresholds = sorted(set(scores.tolist()), reverse=True)
    assert points.scores.dtype == scores.dtype
    assert points.scores.tolist() == thresholds
    assert not np.signbit(points.scores[points.scores == 0]).any()
    assert points.tp[1:].tolist() == [int((truth & (scores >= one)).sum()) for one in thresholds]
    assert points.fp[1:].tolist() == [int((~truth & (scores >= one)).sum()) for one in thresholds]
    for field in ("tp", "fn", "fp_start", "fp_end"):
        assert getattr(steps, field).tolist() == getattr(points.positive_steps(), field).tolist()
    every = np.arange(len(steps.fp_end))
    assert steps.scores_of(every).tolist() == points.positive_steps().scores_of(every).tolist()


@given(st.data())
def test_scores_of_any_type_are_counted_as_they_are(data):
    dtype = np.dtype(data.draw(st.sampled_from(TYPES)))
    elements = {"allow_nan": False, "allow_infinity": False} if dtype.kind == "f" else {}
    scores = data.draw(arrays(dtype, st.integers(2, 30), elements=elements))
    truth = data.draw(arrays(bool, len(scores)))
    truth[:2] = True, False
    assert_counted(truth, scores)


@pytest.mark.parametrize("pair", NEIGHBOURS)
@pytest.mark.parametrize("large", [0, 1000])
def test_neighbours_are_told_apart_beside_greater_scores(pair, large):
    scores = np.array([*pair[::-1], *pair, pair[0] * 0 + large])
    with np.errstate(all="raise"):  # underflow is no error
        assert_counted(np.array([False, True, True, False, False]), scores)


@pytest.mark.parametrize(("labels", "below"), [([1, 1, 0], "fn"), ([0, 0, 1], "tn")])
def test_a_light_case_is_not_lost_behind_heavy_ones(labels, below):
    points = operating_points(labels, [3, 2, 1], sample_weight=[1e12, 1.1, 1e12])
    assert getattr(points, below).tolist() == [1e12 + 1.1, 1.1, 0, 0]


@pytest.mark.parametrize("before", [1, 10**3, 10**6, 10**9])
def test_no_digits_are_lost_when_a_lone_positive_ranks_far_down(before):
    with localcontext() as context:  # after `before` negatives the positive comes alone: 1 - f ln(1 + 1/f)
        context.prec = 60
        exact = 1 - before * (1 + 1 / Decimal(before)).ln()
    area = pr_auc_score([0, 1], [2, 1], sample_weight=[before, 1])
    assert area == pytest.approx(float(exact), rel=1e-12)
