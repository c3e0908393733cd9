"""The Precision-Recall-Gain curve: its theorems, its conventions, and what other implementations get wrong."""

import math

import numpy as np
import pytest
from curves.rankings import moderate, rankings, split
from hypothesis import given
from hypothesis import strategies as st

from nontrivial.curves import (
    expected_f_gain_score,
    operating_points,
    precision_recall_gain_curve,
    prg_auc_score,
)
from nontrivial.measures import confusion_measures

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


@moderate
@given(rankings)
def test_gains_at_the_points_are_the_measures_of_their_tables(rows):
    points = operating_points(*split(rows))
    precision_gain, recall_gain, thresholds = precision_recall_gain_curve(*split(rows))
    measures = confusion_measures(points.tp, points.fp, points.fn, points.tn)
    at_points = np.append(np.diff(thresholds) < 0, True)
    np.testing.assert_allclose(precision_gain[at_points], measures["precision_gain"], rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(recall_gain[at_points], measures["recall_gain"], rtol=1e-13, atol=1e-15)


@moderate
@given(rankings, st.floats(0, 5))
def test_theorem_2_the_f_gain_is_the_weighted_mean_of_the_gains(rows, beta):
    points = operating_points(*split(rows))
    precision_gain, recall_gain, thresholds = precision_recall_gain_curve(*split(rows))
    some = points.tp > 0
    f_gain = confusion_measures(points.tp, points.fp, points.fn, points.tn, beta=beta)["f_beta_gain"][some]
    at_points = np.append(np.diff(thresholds) < 0, True)
    mean = (precision_gain[at_points][some] + beta**2 * recall_gain[at_points][some]) / (1 + beta**2)
    np.testing.assert_allclose(f_gain, mean, rtol=1e-10, atol=1e-12)


@moderate
@given(rankings)
def test_theorem_3_as_printed_for_f1(rows):
    labels, scores = split(rows)
    precision_gain, recall_gain, _ = precision_recall_gain_curve(labels, scores)
    pi = np.mean(labels)
    top = precision_gain[recall_gain >= 0][0]
    denominator = 1 - pi * (1 - top)
    if denominator < 1e-9:
        assert math.isnan(expected_f_gain_score(labels, scores))
    else:
        expected = (prg_auc_score(labels, scores) / 2 + 0.25 - pi * (1 - top**2) / 4) / denominator
        assert expected_f_gain_score(labels, scores) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@moderate
@given(rankings)
def test_points_come_in_order(rows):
    _, recall_gain, thresholds = precision_recall_gain_curve(*split(rows))
    some = np.isfinite(recall_gain)
    assert (np.diff(recall_gain[some]) >= 0).all()
    assert not np.isnan(thresholds).any()
    assert (thresholds[1:] <= thresholds[:-1]).all()


def test_points_come_in_order_whatever_is_rounded():
    """The crossing of precision gain lies where recall gain is 1 less 1e-11; their quotient was 1 + 2**-52."""
    weights = [1014072.0, 663410030420.0, 9.0]
    recall_gain = precision_recall_gain_curve([1, 0, 0], [1, 2, 0], sample_weight=weights)[1]
    assert list(recall_gain[3:]) == [1.0, 1.0, 1.0]


@moderate
@given(rankings)
def test_every_sign_change_has_a_point_on_the_axis(rows):
    for gain in precision_recall_gain_curve(*split(rows))[:2]:
        sides = np.sign(gain[np.isfinite(gain)])
        assert not ((sides[:-1] * sides[1:]) < 0).any()


@pytest.mark.parametrize("groups", [[(3, 0), (6, 8), (3, 1)], [(6, 0), (1, 10), (5, 0)]])
def test_both_gains_crossing_in_one_place_make_one_point(groups):
    # In the first, from TP = 3, FP = 0 to 9 and 8 of 12 and 9: at TP = 48/7, FP = 36/7 both gains are 0.
    labels = [label for p, n in groups for label in [1] * p + [0] * n]
    scores = [-place for place, group in enumerate(groups) for _ in range(sum(group))]
    precision_gain, recall_gain, thresholds = precision_recall_gain_curve(labels, scores)
    assert len(thresholds) == 5
    np.testing.assert_array_equal(
        (precision_gain == 0) & (recall_gain == 0), [False, False, True, False, False]
    )


LABELS = np.array([0, 1, 1, 0, 1, 0, 0, 1, 0, 0])
SCORES = np.array([250, 240, 200, 7, 130, 110, 90, 60, 30, 3])


@pytest.mark.parametrize("beta", [-1, np.nan, "1", None])
def test_beta_is_a_number_of_at_least_0(beta):
    with pytest.raises(ValueError, match="beta"):
        expected_f_gain_score(LABELS, SCORES, beta=beta)
