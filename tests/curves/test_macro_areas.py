"""Intervals for the means of areas over classes."""

import numpy as np
import pandas as pd
import pytest

from nontrivial import _draws
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.curves.bootstrap import bootstrap_macro_areas
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
AREAS = ["roc_auc", "average_precision", "pr_auc", "prg_auc", "expected_f1_gain"]  # those with intervals


def said_of_classes(seed, n, n_classes, distance):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % n_classes)
    return truth, rng.normal(size=(n, n_classes)) + distance * np.eye(n_classes)[truth]


def test_a_case_weighs_the_same_for_all_classes(monkeypatch):
    """Without imaginary cases, draws of the mean area under the ROC curve are means of shares of weighted pairs."""
    monkeypatch.setattr(_draws, "PRIOR", 0.0)
    truth, scores = said_of_classes(0, 12, 3, 1.0)
    found = bootstrap_macro_areas(truth, scores, None, None, level=0.95, n_resamples=99)["roc_auc"]

    def mean_area(weights):
        pairs = [(truth == k)[:, None] * (truth != k) * np.outer(weights, weights) for k in range(3)]
        return np.mean([np.average(s[:, None] > s, weights=w) for s, w in zip(scores.T, pairs, strict=True)])

    drawn = generator_for("bootstrap_macro_areas").standard_gamma(np.repeat([1, 0], [12, 9]), (99, 21))[
        :, :12
    ]
    areas = np.sort([mean_area(weights) for weights in drawn])
    estimate = mean_area(np.ones(12))
    low, high = min(areas[1], 2 * estimate - areas[-2]), max(areas[-2], min(2 * estimate - areas[1], 1))
    assert found[["estimate", "low", "high"]].tolist() == pytest.approx([estimate, low, high])


@pytest.mark.parametrize("groups", [None, np.arange(60) // 2])
def test_the_order_of_the_classes_changes_nothing_but_imaginary_cases(monkeypatch, groups):
    monkeypatch.setattr(_draws, "PRIOR", 0.0)
    truth, scores = said_of_classes(1, 60, 4, 1.0)
    weights, order = np.random.default_rng(0).random(60) + 0.5, np.array([2, 0, 3, 1])
    found = bootstrap_macro_areas(truth, scores, weights, groups, level=0.95, n_resamples=50)
    turned = bootstrap_macro_areas(
        np.argsort(order)[truth], scores[:, order], weights, groups, n_resamples=50, level=0.95
    )
    pd.testing.assert_frame_equal(found, turned, rtol=1e-9)


def test_the_mean_of_perfect_rankings_is_less_uncertain_than_one_but_no_point():
    truth, scores = said_of_classes(2, 80, 8, 20.0)
    mean = bootstrap_macro_areas(truth, scores, None, None, level=0.95)
    one = bootstrap_curve_areas(truth == 0, scores[:, 0])
    assert (mean.loc["high", AREAS[:4]] == 1).all()
    assert (mean.loc["low", AREAS[:4]] < 0.999).all()
    assert (1 - mean.loc["low", AREAS[:4]] < 0.45 * (1 - one.loc["low", AREAS[:4]])).all()
