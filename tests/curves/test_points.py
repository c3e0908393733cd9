"""Operating points: one per distinct score, whatever the types of labels and scores."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import roc_curve

from nontrivial.curves import expected_f_gain_score, operating_points
from nontrivial.curves import points as points_module
from nontrivial.curves.points import find_positive_steps

LABELS = [0, 1, 1, 0, 1, 0]
SCORES = [3, 3, 200, 100, 250, 0]


def assert_same(points, other):
    for name in ("tp", "fp", "thresholds"):
        np.testing.assert_array_equal(getattr(points, name), getattr(other, name))
    assert (points.positives, points.negatives) == (other.positives, other.negatives)


def test_worked_by_hand():
    points = operating_points(LABELS, SCORES)
    np.testing.assert_array_equal(points.thresholds, [np.inf, 250, 200, 100, 3, 0])
    np.testing.assert_array_equal(points.tp, [0, 1, 2, 2, 3, 3])
    np.testing.assert_array_equal(points.fp, [0, 0, 0, 1, 2, 3])
    np.testing.assert_array_equal(points.fn, [3, 2, 1, 1, 0, 0])
    np.testing.assert_array_equal(points.tn, [3, 3, 3, 2, 1, 0])
    assert (points.positives, points.negatives) == (3, 3)


@pytest.mark.parametrize(
    "labels",
    [
        np.array(LABELS, dtype=bool),
        np.array(LABELS, dtype=np.uint8),
        2 * np.array(LABELS) - 1,
        np.where(LABELS, "sick", "healthy"),
        np.where(LABELS, 7.5, -2.5).tolist(),
        pd.Series(LABELS, index=[5, 3, 0, 1, 4, 2]),
        pd.Series(np.where(LABELS, "b", "a"), dtype="category"),
    ],
    ids=["bool", "uint8", "-1/1", "strings", "floats", "shuffled index", "categories"],
)
def test_labels_of_any_coding_give_the_same_points(labels):
    positive = {"pos_label": max(labels)} if isinstance(np.asarray(labels)[0], str) else {}
    assert_same(operating_points(labels, SCORES, **positive), operating_points(LABELS, SCORES))


def test_the_lesser_label_can_be_the_positive_one():
    flipped = operating_points(1 - np.array(LABELS), SCORES, pos_label=0)
    assert_same(flipped, operating_points(LABELS, SCORES))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(-3, 3), st.integers(0, 3)), min_size=2, max_size=12).filter(
        lambda rows: len({label for label, _, weight in rows if weight}) == 2
    )
)
def test_whole_weights_count_like_repeated_cases(rows):
    labels, scores, weights = (np.array(column) for column in zip(*rows, strict=True))
    repeated = operating_points(np.repeat(labels, weights), np.repeat(scores, weights))
    assert_same(operating_points(labels, scores, sample_weight=weights), repeated)


TYPES = ("float16", "float32", "float64", "longdouble", "int8", "uint8", "int64", "uint64")
NEIGHBOURS = [
    (0.0, 5e-324),  # lost when it is divided
    (0.0, -0.0),
    (np.longdouble(0), np.longdouble(-0.0)),
    (0.5, np.nextafter(0.5, 1)),
    (2.0**53, 2.0**53 + 2),
    (-1.7976931348623157e308, 1.7976931348623157e308),
    (-0.1, np.nextafter(-0.1, 0)),
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
    for field in ("tp", "fn", "fp_start", "fp_end", "thresholds"):
        assert getattr(steps, field).tolist() == getattr(points.positive_steps(), field).tolist()


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


@pytest.mark.parametrize("digits", [1, 9], ids=["tied", "distinct"])
def test_chunks_are_put_together(monkeypatch, digits):
    draw = np.random.default_rng(1)
    truth, scores = draw.random(20) < 0.5, draw.normal(size=20).round(digits) * 9
    monkeypatch.setattr(points_module, "IN_CACHE", 3)
    assert_counted(truth, scores)


def test_points_with_weights_are_those_of_scikit_learn():
    rng = np.random.default_rng(1)
    labels, scores, weights = rng.random(300) < 0.3, rng.random(300).round(2), rng.random(300)
    points = operating_points(labels, scores, sample_weight=weights)
    fpr, tpr, thresholds = roc_curve(labels, scores, sample_weight=weights, drop_intermediate=False)
    np.testing.assert_allclose(points.tp / points.positives, tpr, rtol=1e-12)
    np.testing.assert_allclose(points.fp / points.negatives, fpr, rtol=1e-12)
    np.testing.assert_array_equal(points.thresholds, thresholds)


def test_neither_input_is_changed():
    labels, scores, weights = np.array(LABELS), np.array(SCORES, dtype=float), np.ones(6)
    operating_points(labels, scores, sample_weight=weights)
    np.testing.assert_array_equal(labels, LABELS)
    np.testing.assert_array_equal(scores, SCORES)


@pytest.mark.parametrize(
    ("labels", "scores", "weights", "message"),
    [
        ([0, 1], [1.0, np.nan], None, "y_score has NaN"),
        ([0, 1], [1.0, np.inf], None, "y_score has NaN or infinite"),
        ([0, 1, 1], [1.0, 2.0], None, "lengths differ"),
        ([1, 1], [1.0, 2.0], None, "one class only"),
        ([0, 1, 2], [1.0, 2.0, 3.0], None, "more than two classes"),
        ([0, 1], [1.0, 2.0], [1, -1], "negative"),
        ([0, 1], [1.0, 2.0], [1, 0], "one class only"),
        ([], [], None, "empty"),
        ([0, 1], [[0.2, 0.8], [0.1, 0.9]], None, "one column"),
        ([0, 1], ["a", "b"], None, "number"),
    ],
)
def test_bad_input_is_one_sentence(labels, scores, weights, message):
    with pytest.raises(ValueError, match=message) as caught:
        operating_points(labels, scores, sample_weight=weights)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_an_unknown_positive_label_is_refused():
    with pytest.raises(ValueError, match="pos_label"):
        operating_points([0, 1], [1, 2], pos_label=2)


def test_a_light_case_is_not_lost_behind_heavy_ones():
    heavy = [1e12, 1.1, 1e12]
    assert operating_points([1, 1, 0], [3, 2, 1], sample_weight=heavy).fn.tolist() == [1e12 + 1.1, 1.1, 0, 0]
    assert operating_points([0, 0, 1], [3, 2, 1], sample_weight=heavy).tn.tolist() == [1e12 + 1.1, 1.1, 0, 0]


def test_a_constant_score_has_an_expected_gain_beside_hardly_any_negatives():
    assert expected_f_gain_score([1, 1, 1, 0], [1, 1, 1, 1], sample_weight=[1e12, 1e12, 1e12, 1]) == 0.25
