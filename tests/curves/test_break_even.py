"""The break-even point of precision and recall."""

import numpy as np
import pytest
from sklearn.metrics import precision_score, recall_score

from nontrivial.curves import break_even_point_score


@pytest.mark.parametrize("seed", range(10))
def test_without_ties_it_is_the_precision_of_the_top_positives(seed):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(50) < 3 + 4 * seed)
    scores = rng.permutation(50)
    predicted = scores >= 50 - labels.sum()
    found = break_even_point_score(labels, scores)
    assert found == pytest.approx(precision_score(labels, predicted))
    assert found == pytest.approx(recall_score(labels, predicted))


def test_inside_a_tie_the_table_is_interpolated():
    # Points (1, 0) and (3, 4) of 3 and 4; 3 predicted positive lie 2/6 on the way: TP = 1 + 2/3.
    assert break_even_point_score([1, 1, 1, 0, 0, 0, 0], [2, 1, 1, 1, 1, 1, 1]) == pytest.approx(5 / 9)


@pytest.mark.parametrize(
    ("labels", "scores", "value"),
    [
        ([0, 1], [0, 1], 1.0),
        ([0, 1], [1, 0], 0.0),
        ([0, 0, 0, 1], [1, 1, 1, 1], 0.25),
        ([0, 0, 1], [3, 2, 1], 0.0),
    ],
)
def test_extremes(labels, scores, value):
    assert break_even_point_score(labels, scores) == value
