"""Operating points: one per distinct score, whatever the types of labels and scores."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import roc_curve

from nontrivial.curves import expected_f_gain_score, operating_points
from nontrivial.curves.points import find_positive_steps
from nontrivial.seeds import generator_for

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
    "dtype", [np.uint8, np.uint64, np.int16, np.int64, np.float32, np.float64, np.longdouble, object]
)
def test_scores_of_any_type_are_compared_as_they_are(dtype):
    assert_same(operating_points(LABELS, np.array(SCORES, dtype=dtype)), operating_points(LABELS, SCORES))


def test_scores_that_only_their_own_type_tells_apart_stay_apart():
    assert len(operating_points([0, 1], np.array([2**63, 2**63 + 1], dtype=np.uint64)).tp) == 3
    assert len(operating_points([0, 1], np.array([-(2**62) - 1, -(2**62)])).tp) == 3
    assert len(operating_points([0, 1], 1 + np.array([0, 2**-60], dtype=np.longdouble)).tp) == 3


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


def test_the_index_of_a_series_is_ignored():
    labels = pd.Series(LABELS, index=list("abcdef"))
    scores = pd.Series(SCORES, index=list("fedcba"))
    assert_same(operating_points(labels, scores), operating_points(LABELS, SCORES))


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


NEAR_TIES = [
    0.5,
    np.nextafter(0.5, 0),
    np.nextafter(0.5, 1),
    -0.5,
    np.nextafter(-0.5, 0),
    0.0,
    -0.0,
    5e-324,
    -1e300,
]


@given(
    st.lists(st.tuples(st.booleans(), st.sampled_from(NEAR_TIES) | st.floats(-9, 9)), min_size=2, max_size=30)
)
def test_each_threshold_counts_the_scores_at_or_above_it(rows):
    truth, scores = (np.array(column) for column in zip(*rows, strict=True))
    if truth.all() or not truth.any():
        return
    points = operating_points(truth, scores)
    thresholds = np.unique(scores)[::-1]
    assert points.scores.tolist() == thresholds.tolist()
    assert points.tp[1:].tolist() == [int((truth & (scores >= one)).sum()) for one in thresholds]
    assert points.fp[1:].tolist() == [int((~truth & (scores >= one)).sum()) for one in thresholds]
    rises, again = find_positive_steps(truth, scores), points.positive_steps()
    for field in ("tp", "fp_start", "fp_end", "thresholds"):
        assert getattr(rises, field).tolist() == getattr(again, field).tolist()


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


def test_millions_of_half_precision_scores_are_counted_as_they_are_in_full():
    draw = generator_for("points", "float16")
    scores = draw.normal(size=2**22).astype(np.float16)
    truth = np.arange(2**22) % 50 == 0
    half, full = (find_positive_steps(truth, scores.astype(kind)) for kind in (np.float16, np.float32))
    for name in ("tp", "fp_start", "fp_end", "thresholds"):
        np.testing.assert_array_equal(getattr(half, name), getattr(full, name))


def test_a_light_case_is_not_lost_behind_heavy_ones():
    heavy = [1e12, 1.1, 1e12]
    assert operating_points([1, 1, 0], [3, 2, 1], sample_weight=heavy).fn.tolist() == [1e12 + 1.1, 1.1, 0, 0]
    assert operating_points([0, 0, 1], [3, 2, 1], sample_weight=heavy).tn.tolist() == [1e12 + 1.1, 1.1, 0, 0]


def test_a_constant_score_has_an_expected_gain_beside_hardly_any_negatives():
    assert expected_f_gain_score([1, 1, 1, 0], [1, 1, 1, 1], sample_weight=[1e12, 1e12, 1e12, 1]) == 0.25
