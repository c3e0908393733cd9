"""One sort of integers counts the classes at scores of any type, as comparisons in Python do."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nontrivial.curves import points
from nontrivial.curves.points import count_scores

TYPES = ("float16", "float32", "float64", "longdouble", "int8", "uint8", "int64", "uint64")


def by_python(positive, scores):
    rows = list(zip(scores.tolist(), positive.tolist(), strict=True))
    distinct = sorted(set(scores.tolist()), reverse=True)
    return distinct, *(
        [0, *(sum(score >= least and label == side for score, label in rows) for least in distinct)]
        for side in (True, False)
    )


def as_lists(counted):
    return tuple(each.tolist() for each in counted)


@given(st.data())
def test_classes_are_counted_at_scores_of_any_type(data):
    dtype = np.dtype(data.draw(st.sampled_from(TYPES)))
    elements = {"allow_nan": False, "allow_infinity": False} if dtype.kind == "f" else {}
    scores = data.draw(arrays(dtype, st.integers(1, 9), elements=elements))
    positive = data.draw(arrays(bool, len(scores)))
    counted = count_scores(positive, scores)
    assert counted[0].dtype == dtype
    assert as_lists(counted) == by_python(positive, scores)


@pytest.mark.parametrize(
    "pair",
    [
        (0.0, 5e-324),  # lost when it is divided
        (2.0**53, 2.0**53 + 2),
        (-1.7976931348623157e308, 1.7976931348623157e308),
        (-0.1, np.nextafter(-0.1, 0)),
        (np.int64(2**53), np.int64(2**53 + 1)),
        (np.uint64(2**64 - 2), np.uint64(2**64 - 1)),
        (np.longdouble(1), 1 + np.finfo(np.longdouble).eps),
        (np.longdouble("1e4000"), np.longdouble("2e4000")),
    ],
)
@pytest.mark.parametrize("large", [0, 1000])
def test_neighbours_are_told_apart_beside_greater_scores(pair, large):
    scores = np.array([*pair[::-1], *pair, pair[0] * 0 + large])
    positive = np.array([False, True, True, False, False])
    assert as_lists(count_scores(positive, scores)) == by_python(positive, scores)


def test_underflow_is_no_error():
    with np.errstate(all="raise"):
        found, _, _ = count_scores(np.array([True, False]), np.array([1e-320, 1000.0]))
    assert found.tolist() == [1000.0, 1e-320]


def test_minus_zero_ties_with_zero():
    counted = count_scores(np.array([False, True, False]), np.array([0.0, -0.0, 1.0]))
    assert as_lists(counted) == ([1.0, 0.0], [0, 0, 1], [0, 1, 2])
    assert not np.signbit(counted[0]).any()


def test_common_scores_take_one_sort_of_integers(monkeypatch):
    monkeypatch.setattr(np, "argsort", None)
    for scores in (np.array([0.1, 0.7]), np.array([-30.5, 7.25]), np.array([3, 1]), np.float32([0.3, 12])):
        assert len(count_scores(np.array([True, False]), scores)[0]) == 2


@pytest.mark.parametrize("digits", [1, 9], ids=["tied", "distinct"])
def test_stretches_are_put_together(monkeypatch, digits):
    monkeypatch.setattr(points, "IN_CACHE", 3)
    draw = np.random.default_rng(1)
    positive, scores = draw.random(20) < 0.5, draw.normal(size=20).round(digits) * 9
    assert as_lists(count_scores(positive, scores)) == by_python(positive, scores)
