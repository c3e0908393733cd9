"""The Precision-Recall plot: its curve is hyperbolic, and so are its lines of one F1."""

import numpy as np
import pytest
from displays.rankings import SCORES, y

from nontrivial.curves import pr_auc_score
from nontrivial.displays import HyperbolicPrecisionRecallDisplay

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def test_the_area_under_the_drawn_precision_recall_curve_is_the_hyperbolic_one():
    for labels, scores in [
        (y, SCORES),
        ([1, 0, 0, 1, 0, 1, 0, 0], [2, 2, 2, 2, 1, 1, 1, 1]),
        ([0, 1, 1], [3, 2, 1]),
    ]:
        display = HyperbolicPrecisionRecallDisplay.from_predictions(labels, scores)
        recall, precision = display.line_.get_data()
        assert (recall[0], recall[-1]) == (0, 1)
        assert np.trapezoid(precision, recall) == pytest.approx(pr_auc_score(labels, scores), abs=2e-5)
        assert (np.diff(recall) >= 0).all()


def test_along_a_hyperbola_of_the_precision_recall_plot_f1_is_the_same():
    display = HyperbolicPrecisionRecallDisplay.from_predictions(y, SCORES)
    prevalence = y.mean()
    for line, f1 in [
        *((line, (i + 1) / 10) for i, line in enumerate(display.isometrics_)),
        (display.baseline_, 2 * prevalence / (1 + prevalence)),
    ]:
        recall, precision = line.get_data()
        np.testing.assert_allclose(2 / (1 / precision + 1 / recall), f1)
    assert display.baseline_.get_xydata()[0] == pytest.approx([1, prevalence])
