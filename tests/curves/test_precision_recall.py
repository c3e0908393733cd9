"""Points along the Precision-Recall curve against the hyperbola between two tables, worked by hand."""

import numpy as np
import pytest

from nontrivial.curves import operating_points
from nontrivial.curves.areas import interpolated_points


def test_points_lie_on_the_hyperbola_between_two_tables():
    """From TP = 1, FP = 0 to TP = 2, FP = 2: FP = 2 (TP - 1), so that the precision is TP / (3 TP - 2)."""
    points = operating_points([1, 0, 0, 1], [2, 1, 1, 1])
    precision, recall = interpolated_points(points)
    assert recall == pytest.approx(np.arange(401) / 400, abs=1e-12)
    tp = 2 * recall
    assert precision == pytest.approx(np.where(tp <= 1, 1, tp / (3 * tp - 2)), abs=1e-12)


@pytest.mark.parametrize(("labels", "first"), [([1, 1, 0, 0], 1), ([1, 0, 1, 0], 1 / 2), ([0, 0, 1, 1], 0)])
def test_at_recall_0_stands_the_limit_along_the_first_line_with_true_positives(labels, first):
    precision, recall = interpolated_points(operating_points(labels, [2, 2, 1, 1]))
    assert recall[0] == 0
    assert precision[0] == pytest.approx(first, abs=1e-12)
