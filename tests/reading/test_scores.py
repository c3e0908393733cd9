"""Scores and the labels that are predicted beside them."""

import itertools

import numpy as np
import pytest

from nontrivial.reading.scores import are_confidences, are_separable


def test_scores_and_predictions_are_separable_where_some_threshold_gives_them():
    for score, predicted in itertools.product(
        itertools.product([0.2, 0.5, 0.9], repeat=3), itertools.product([False, True], repeat=3)
    ):
        score, predicted = np.array(score), np.array(predicted)
        exists = any(np.array_equal(score >= t, predicted) for t in (*score, np.inf))
        assert are_separable(score, predicted) == exists


@pytest.mark.parametrize(
    ("score", "predicted", "n_classes", "expected"),
    [
        ([0.9, 0.5, 0.7, 0.8], [1, 1, 0, 0], 2, True),
        ([0.9, 0.49, 0.7, 0.8], [1, 1, 0, 0], 2, False),
        ([0.9, 0.5, 0.7, 1.1], [1, 1, 0, 0], 2, False),
        ([0.9, 0.5, 0.7, 0.8], [1, 1, 1, 1], 2, False),  # one class alone is predicted
        ([0.9, 0.8, 0.7, 0.6], [1, 1, 0, 0], 2, False),
        ([0.6, 0.7, 0.8, 0.9], [1, 1, 0, 0], 2, False),  # the score of the other class
        ([0.9, 0.33, 0.5, 0.8, 0.4], list("abcba"), 3, True),
        ([0.9, 0.32, 0.5, 0.8, 0.4], list("abcba"), 3, False),
    ],
)
def test_confidences_in_the_predicted_class_are_told_from_scores(score, predicted, n_classes, expected):
    assert are_confidences(np.array(score), np.array(predicted), n_classes) is expected
