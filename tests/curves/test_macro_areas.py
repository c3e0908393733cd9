"""Intervals for the means of areas over classes."""

import numpy as np
import pandas as pd
import pytest

from nontrivial._draws import ends_of_draws
from nontrivial.curves import bootstrap, bootstrap_curve_areas, curve_areas, resampling
from nontrivial.curves.bootstrap import bootstrap_macro_areas
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
AREAS = ["roc_auc", "average_precision", "pr_auc", "prg_auc", "expected_f1_gain"]  # those with intervals


def said_of_classes(seed, n, n_classes, distance):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % n_classes)
    return truth, rng.normal(size=(n, n_classes)) + distance * np.eye(n_classes)[truth]


def test_a_case_weighs_the_same_for_all_classes(monkeypatch):
    """Without pseudo-cases, draws of the mean area under the ROC curve are means of shares of weighted pairs."""
    monkeypatch.setattr(bootstrap, "OF_CASES", 0.0)
    monkeypatch.setattr(resampling, "OF_PERFECT", 0.0)
    truth, scores = said_of_classes(0, 12, 3, 1.0)
    found = bootstrap_macro_areas(truth, scores, None, None, level=0.95, n_resamples=99)["roc_auc"]

    def mean_area(weights):
        pairs = [(truth == k)[:, None] * (truth != k) * np.outer(weights, weights) for k in range(3)]
        return np.mean([np.average(s[:, None] > s, weights=w) for s, w in zip(scores.T, pairs, strict=True)])

    drawn = generator_for("bootstrap_macro_areas", "cases").standard_exponential((99, 12))
    areas = np.array([mean_area(weights) for weights in drawn])
    estimate = mean_area(np.ones(12))
    areas = estimate + np.sqrt(1 + 1 / 4) * (areas - estimate)  # as classes have four cases
    areas += 2 * max(estimate - areas.mean(), 0)
    low, high, _ = ends_of_draws(areas, areas, 0.025)
    assert found[["estimate", "low", "high"]].tolist() == pytest.approx([estimate, low, high])


@pytest.mark.parametrize("groups", [None, np.arange(60) // 2])
def test_the_order_of_the_classes_changes_nothing_but_pseudo_cases(monkeypatch, groups):
    monkeypatch.setattr(bootstrap, "OF_UNITS", 0.0)
    monkeypatch.setattr(resampling, "OF_PERFECT", 0.0)
    truth, scores = said_of_classes(1, 60, 4, 1.0)
    weights, order = np.random.default_rng(0).random(60) + 0.5, np.array([2, 0, 3, 1])
    found = bootstrap_macro_areas(truth, scores, weights, groups, level=0.95, n_resamples=50)
    turned = bootstrap_macro_areas(
        np.argsort(order)[truth], scores[:, order], weights, groups, n_resamples=50, level=0.95
    )
    pd.testing.assert_frame_equal(found, turned, rtol=1e-9)


def test_a_mean_does_not_depend_on_how_many_resamples_are_drawn_at_once(monkeypatch):
    """That number differs between classes of many cases and of few."""
    truth, scores = said_of_classes(3, 60, 3, 1.0)
    found = bootstrap_macro_areas(truth, scores, None, None, level=0.95, n_resamples=50)
    monkeypatch.setattr(resampling, "BATCH", 500)
    pd.testing.assert_frame_equal(
        found, bootstrap_macro_areas(truth, scores, None, None, level=0.95, n_resamples=50), rtol=1e-9
    )


def test_the_mean_of_perfect_rankings_is_less_uncertain_than_one_but_no_point():
    """If the classes shared their pseudo-cases, it would be uncertain as far as one."""
    truth, scores = said_of_classes(2, 80, 8, 20.0)
    mean = bootstrap_macro_areas(truth, scores, None, None, level=0.95)
    one = bootstrap_curve_areas(truth == 0, scores[:, 0])
    assert (mean.loc["high", AREAS[:4]] == 1).all()
    assert (mean.loc["low", AREAS[:4]] < 0.999).all()
    assert (1 - mean.loc["low", AREAS[:4]] < 0.45 * (1 - one.loc["low", AREAS[:4]])).all()


def test_95_percent_intervals_of_means_cover_the_truth_of_few_positives():
    """Eight classes of six cases that are scored at random.

    Without what counts in the mean alone, average precision is covered in a half and the PRG area in a quarter.
    """
    chance = curve_areas(np.repeat([1, 0], [6, 42]), np.zeros(48))
    tables = [
        bootstrap_macro_areas(*said_of_classes(seed, 48, 8, 0.0), None, None, level=0.95, n_resamples=200)
        for seed in range(60)
    ]
    for name in AREAS:
        covered = sum(table.loc["low", name] <= chance[name] <= table.loc["high", name] for table in tables)
        assert covered >= 51, name  # of 60; at 95 percent fewer have a chance of 1 in 1,000
