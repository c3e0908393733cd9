"""Scores at other shares of the classes."""

import math

import numpy as np
import pytest

from nontrivial import measures
from nontrivial.seeds import generator_for

SCORES = {
    "p4": measures.p4_score,
    "informedness": measures.informedness_score,
    "markedness": measures.markedness_score,
    "precision_gain": measures.precision_gain_score,
    "recall_gain": measures.recall_gain_score,
    "f_beta_gain": measures.f_gain_score,
}
OTHERS = {
    "geometric_mean": (measures.geometric_mean_score, lambda t: math.sqrt(t["recall"] * t["specificity"])),
    "lift": (measures.lift_score, lambda t: t["precision"] / t["prevalence"]),
}
ALL = SCORES | {name: score for name, (score, _) in OTHERS.items()}


def draw(k, weighted, n=90):
    rng = generator_for("label scores", k, weighted)
    truth = rng.integers(0, k, n)
    predicted = np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n))
    return truth, predicted, rng.integers(0, 4, n) if weighted else None


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("prevalence", [0.02, 0.5])
def test_a_prevalence_is_a_weight_of_the_classes(name, prevalence):
    truth, predicted, _ = draw(2, weighted=False)
    share = truth.mean()
    weights = np.where(truth == 1, prevalence / share, (1 - prevalence) / (1 - share))
    found = ALL[name](truth, predicted, prevalence=prevalence)
    assert found == pytest.approx(ALL[name](truth, predicted, sample_weight=weights), rel=1e-12)


def test_every_measure_at_a_prevalence_by_bayes():
    table = measures.confusion_measures([90, 3], [5, 1], [10, 0], [95, 2], prevalence=0.01)
    assert table["prevalence"].tolist() == pytest.approx([0.01, 0.01], rel=1e-14)
    assert table["recall"].tolist() == pytest.approx([0.9, 1.0], rel=1e-14)
    precision = 0.01 * 0.9 / (0.01 * 0.9 + 0.99 * 0.05)
    assert table["precision"][0] == pytest.approx(precision, rel=1e-14)
    assert table["f_beta"][0] == pytest.approx(2 * precision * 0.9 / (precision + 0.9), rel=1e-14)
    assert table["prediction_advantage"][0] == pytest.approx(1 - (0.001 + 0.0495) / 0.01, rel=1e-13)
    assert measures.confusion_measures(3, 0, 1, 0, prevalence=0.5).isna().to_numpy().all()


@pytest.mark.parametrize("prevalence", [0, 1, np.nan])
def test_a_prevalence_lies_between_0_and_1(prevalence):
    with pytest.raises(ValueError, match="prevalence"):
        measures.confusion_measures(1, 1, 1, 1, prevalence=prevalence)
