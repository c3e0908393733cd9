"""Six areas from one sort, against exact fractions and against scikit-learn."""

import itertools
import math
import warnings
from fractions import Fraction

import numpy as np
import pytest
from reference.exact_curves import ExactRanking, compositions, has_both_classes
from sklearn.metrics import average_precision_score, roc_auc_score

from nontrivial.curves import ExtrapolatedAreaWarning, curve_areas

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def cases_of(groups):
    """Return labels and scores, one case for each unit of weight."""
    labels = [label for p, n in groups for label in [1] * p + [0] * n]
    scores = [-place for place, (p, n) in enumerate(groups) for _ in range(p + n)]
    return labels, scores


def exact_areas(groups):
    ranking = ExactRanking(groups)
    return {
        "roc_auc": ranking.roc_auc(),
        "average_precision": ranking.average_precision(),
        "pr_auc": ranking.hyperbolic_pr_auc(),
        "prg_auc": ranking.auprg(),
        "expected_f1_gain": ranking.expected_f_gain(Fraction(1)),
        "cost_curve_area": ranking.cost_area(),
    }


def assert_equal_areas(areas, exact, what):
    assert list(areas) == list(exact)
    for name, value in exact.items():
        if value is None:
            assert math.isnan(areas[name]), (name, what)
        else:
            assert areas[name] == pytest.approx(float(value), rel=1e-12, abs=1e-15), (name, what)


@pytest.mark.parametrize("n", range(2, 7))
def test_every_ranking_with_ties_has_the_exact_areas(n):
    for groups in filter(has_both_classes, compositions(n)):
        assert_equal_areas(curve_areas(*cases_of(groups)), exact_areas(groups), groups)


def test_a_perfect_ranking_has_its_areas_exactly_however_its_scores_are_tied():
    perfect = [1.0, 1.0, 1.0, 1.0, 0.75, 0.0]
    rng = np.random.default_rng(0)
    for positives, negatives in itertools.product([1, 2, 3, 7, 10, 49, 1000], repeat=2):
        for weights in (None, rng.random(positives + negatives) + 0.01):
            scores = np.concatenate([
                np.sort(rng.integers(5, 5 + rng.integers(1, 20), positives)),
                rng.integers(0, rng.integers(1, 5), negatives),
            ])  # fmt: skip
            labels = np.repeat([1, 0], [positives, negatives])
            areas = curve_areas(labels, scores, sample_weight=weights)
            assert list(areas.values()) == (perfect if weights is None else pytest.approx(perfect, abs=1e-14))
            names = [name for name in areas if name != "expected_f1_gain"]
            assert [areas[name] for name in names] == [1.0, 1.0, 1.0, 1.0, 0.0]


def test_a_constant_score_has_the_areas_of_the_trivial_prediction():
    for positives, negatives in itertools.product([1, 2, 3, 7, 10, 49, 1000], repeat=2):
        areas = curve_areas(np.repeat([1, 0], [positives, negatives]), np.zeros(positives + negatives))
        assert areas["prg_auc"] == pytest.approx(0, abs=1e-15)
        assert areas["roc_auc"] == 0.5
        assert areas["cost_curve_area"] == 0.25
        assert areas["average_precision"] == pytest.approx(positives / (positives + negatives))
        assert areas["pr_auc"] == pytest.approx(positives / (positives + negatives))


@pytest.mark.parametrize("weighted", [False, True])
def test_roc_auc_and_average_precision_are_those_of_scikit_learn(weighted):
    for seed in range(20):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(5, 500))
        labels = rng.permutation(np.arange(n) < rng.integers(1, n))
        scores = (rng.normal(size=n) + labels).round(int(rng.integers(0, 5)))
        weights = rng.random(n) if weighted else None
        areas = curve_areas(labels, scores, sample_weight=weights)
        assert areas["roc_auc"] == pytest.approx(
            roc_auc_score(labels, scores, sample_weight=weights), rel=1e-12
        )
        peer = average_precision_score(labels, scores, sample_weight=weights)
        assert areas["average_precision"] == pytest.approx(peer, rel=1e-12)


def test_an_extrapolated_area_is_announced_once():
    labels, scores = np.repeat([1, 0], [1, 99]), np.arange(100)
    with pytest.warns(ExtrapolatedAreaWarning, match="extrapolated") as caught:
        curve_areas(labels, scores)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        curve_areas(np.repeat([1, 0], 50), np.arange(100))
