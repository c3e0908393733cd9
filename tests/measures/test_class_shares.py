"""Scores at other shares of the classes."""

import numpy as np
import pytest
from measures.label_scores import draw
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial import measures
from nontrivial.measures.label_scores import LABEL_SCORES


@pytest.mark.parametrize("name", LABEL_SCORES)
@pytest.mark.parametrize("prevalence", [0.02, 0.5])
def test_a_prevalence_is_a_weight_of_the_classes(name, prevalence):
    truth, predicted, _ = draw(2, weighted=False)
    share = truth.mean()
    weights = np.where(truth == 1, prevalence / share, (1 - prevalence) / (1 - share))
    found = LABEL_SCORES[name](truth, predicted, prevalence=prevalence)
    assert found == pytest.approx(LABEL_SCORES[name](truth, predicted, sample_weight=weights), rel=1e-12)


def test_every_measure_at_a_prevalence_by_bayes():
    table = measures.confusion_measures([90, 3], [5, 1], [10, 0], [95, 2], prevalence=0.01)
    assert table["prevalence"].tolist() == pytest.approx([0.01, 0.01], rel=1e-14)
    assert table["recall"].tolist() == pytest.approx([0.9, 1.0], rel=1e-14)
    precision = 0.01 * 0.9 / (0.01 * 0.9 + 0.99 * 0.05)
    assert table["precision"][0] == pytest.approx(precision, rel=1e-14)
    assert table["f_beta"][0] == pytest.approx(2 * precision * 0.9 / (precision + 0.9), rel=1e-14)
    assert table["prediction_advantage"][0] == pytest.approx(1 - (0.001 + 0.0495) / 0.01, rel=1e-13)
    assert measures.confusion_measures(3, 0, 1, 0, prevalence=0.5).isna().to_numpy().all()


@pytest.mark.parametrize("labels", [None, [0, 1], [1, 0]])
def test_one_share_is_that_of_the_greater_label_whatever_their_order(labels):
    found = measures.prediction_advantage_score(
        [0, 0, 0, 1, 1], [0, 0, 1, 1, 0], labels=labels, prevalence=0.3
    )
    assert found == pytest.approx(1 - (0.7 / 3 + 0.3 / 2) / 0.3, rel=1e-14)


@pytest.mark.parametrize("prevalence", [0, 1, np.nan])
def test_a_prevalence_lies_between_0_and_1(prevalence):
    with pytest.raises(ValueError, match="prevalence"):
        measures.confusion_measures(1, 1, 1, 1, prevalence=prevalence)


@pytest.mark.parametrize("prediction", [[0, 0], [0, 1]])
@pytest.mark.parametrize("prevalence", [0.3, [0.3, 0.7]])
def test_the_advantage_of_one_class_is_nan_at_any_prevalence(prediction, prevalence):
    with pytest.warns(UndefinedMetricWarning, match="one class only"):
        assert np.isnan(measures.prediction_advantage_score([0, 0], prediction, prevalence=prevalence))


def test_a_prevalence_is_checked_before_the_classes():
    with pytest.raises(ValueError, match="prevalence is 7"):
        measures.prediction_advantage_score([0, 0], [0, 0], prevalence=7)
