"""Bootstrap intervals of areas: a resample by weights is a resample of rows."""

import itertools

import numpy as np
import pandas as pd
import pytest
from curves.rankings import random_case
from scipy.stats import norm, rankdata

from nontrivial import _draws
from nontrivial._draws import MAX_UNITS_DRAWN, DrawSettings, Units
from nontrivial.curves import ExtrapolatedAreaWarning, bootstrap_curve_areas, curve_areas
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.curves.bootstrap import bootstrap_mean_areas, exchange_p_values
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
AREAS = [name for name, area in CURVE_AREAS.items() if area.from_resamples]  # those with intervals
ONE_IF_PERFECT = [name for name, value in curve_areas([0, 1, 1], [0, 1, 2]).items() if value == 1]


def test_groups_weigh_more_or_less_together():
    """Each case twice, as a group of two, gives the intervals of each case three times, as a group of three."""
    labels, scores, _ = random_case(5)
    twice, thrice = (
        bootstrap_curve_areas(
            np.repeat(labels, k), np.repeat(scores, k), groups=np.repeat(np.arange(120), k), n_resamples=50
        )
        for k in (2, 3)
    )
    pd.testing.assert_frame_equal(twice, thrice, rtol=1e-9)
    apart = bootstrap_curve_areas(np.repeat(labels, 2), np.repeat(scores, 2), n_resamples=400)
    width = {name: table.loc["high"] - table.loc["low"] for name, table in (("twice", twice), ("apart", apart))}
    assert (width["twice"][AREAS] > 1.15 * width["apart"][AREAS]).all()


def test_two_models_are_compared_on_the_same_resamples():
    labels, scores, _ = random_case(2, decimals=6)
    other = scores + np.random.default_rng(0).normal(size=120)
    result = bootstrap_curve_areas(labels, scores, compared_with=other)
    reverse = bootstrap_curve_areas(labels, other, compared_with=scores)
    assert result.loc["estimate"].to_dict() == pytest.approx((-reverse.loc["estimate"]).to_dict())
    assert result.loc["low", AREAS].to_dict() == pytest.approx((-reverse.loc["high", AREAS]).to_dict(), rel=1e-9)
    assert result.loc["pvalue", AREAS].to_dict() == pytest.approx(reverse.loc["pvalue", AREAS].to_dict())
    excluded = (result.loc["low", AREAS] > 0) | (result.loc["high", AREAS] < 0)
    assert ((result.loc["pvalue", AREAS] < 0.05) == excluded).all()
    assert (result.loc["resamples", AREAS] == 1000).all()
    same = bootstrap_curve_areas(labels, scores, compared_with=scores)
    assert (same.loc["estimate"] == 0).all()
    assert (same.loc["pvalue", AREAS] == 1).all()


def delong(labels, scores):
    low, high = (np.sort(scores[labels == each]) for each in (0, 1))
    of_positive, of_negative = np.searchsorted(low, high) / len(low), np.searchsorted(high, low) / len(high)
    return np.sqrt(of_positive.var(ddof=1) / len(high) + of_negative.var(ddof=1) / len(low))


def test_many_cases_have_the_intervals_of_delong_and_good_scores_of_few_are_little_less_certain():
    labels, scores, _ = random_case(9, n=10_000, decimals=9)
    result, error = bootstrap_curve_areas(labels, scores)["roc_auc"], delong(labels, scores)
    expected = result["estimate"] + error * np.array([-1.96, 1.96])
    assert result[["low", "high"]].tolist() == pytest.approx(expected.tolist(), abs=error / 3)
    high, low = (norm.ppf((np.arange(n) + 0.5) / n) for n in (40, 360))
    labels, scores = np.repeat([1, 0], [40, 360]), np.concatenate([high + 2.5, low])
    result = bootstrap_curve_areas(labels, scores)["roc_auc"]
    assert 0.9 < (result["high"] - result["low"]) / (2 * 1.96 * delong(labels, scores)) < 1.7
    perfect = bootstrap_curve_areas(labels, labels.astype(float))
    assert (perfect.loc["high", ONE_IF_PERFECT] == 1).all()
    assert (perfect.loc["low", ONE_IF_PERFECT] < 0.99).all()


@pytest.mark.filterwarnings("always::nontrivial.curves.ExtrapolatedAreaWarning")
def test_the_seed_decides_and_an_extrapolated_area_is_said_once():
    labels, scores, _ = random_case(3)
    one, again, other = (
        bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=seed)
        for seed in (5, np.random.default_rng(5), 6)
    )
    assert one.equals(again)
    assert not one.equals(other)
    assert one.loc["estimate"].to_dict() == curve_areas(labels, scores)
    assert one.loc[["low", "high"], "cost_curve_area"].isna().all()
    assert one.loc["resamples", "cost_curve_area"] == 0
    with pytest.warns(ExtrapolatedAreaWarning) as caught:  # once
        bootstrap_curve_areas(np.arange(50) % 40 == 1, np.arange(50), n_resamples=39)
    assert [warning.filename for warning in caught] == [__file__]


# Means over the classes and over folds.


def said_of_classes(seed, n, n_classes, distance):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % n_classes)
    return truth, rng.normal(size=(n, n_classes)) + distance * np.eye(n_classes)[truth]


@pytest.mark.parametrize("mass", [None, np.arange(1.0, 13.0)])
def test_a_case_weighs_the_same_for_all_classes(monkeypatch, mass):
    """Without imaginary cases, draws of the mean area under the ROC curve are means of shares of weighted pairs."""
    monkeypatch.setattr(_draws, "PRIOR_WEIGHT", 0.0)
    truth, scores = said_of_classes(0, 12, 3, 1.0)
    result = bootstrap_mean_areas(truth, scores, Units(12, mass), level=0.95, n_resamples=99)["roc_auc"]
    mass = np.ones(12) if mass is None else mass

    def mean_area(weights):
        pairs = [(truth == k)[:, None] * (truth != k) * np.outer(weights, weights) for k in range(3)]
        return np.mean([np.average(s[:, None] > s, weights=w) for s, w in zip(scores.T, pairs, strict=True)])

    shapes = np.repeat([1, 0], [12, 6])
    drawn = generator_for("bootstrap_macro_areas").standard_gamma(shapes, (99, 18))[:, :12]
    areas = np.sort([mean_area(mass * weights) for weights in drawn])
    estimate = mean_area(mass)
    low, high = min(areas[1], 2 * estimate - areas[-2]), max(areas[-2], min(2 * estimate - areas[1], 1))
    assert result[["estimate", "low", "high"]].tolist() == pytest.approx([estimate, low, high])


def test_the_mean_over_folds_is_drawn_within_each():
    """One fold is the ranking itself; copies in groups are no more cases; a fold of its own half has its own mean."""
    labels, scores, _ = random_case(7, decimals=9)
    options = {"level": 0.95, "n_resamples": 1000}
    both = np.column_stack([-scores, scores])  # of either class
    one = bootstrap_mean_areas(labels, both, Units(120), ranked=[1], fold=np.zeros(120, int), **options)
    pd.testing.assert_frame_equal(
        one.drop(index="pvalue"), bootstrap_curve_areas(labels, scores), rtol=1e-9, check_names=False
    )
    fold = np.arange(120) % 3
    apart = both + 9 * fold[:, None]
    three = bootstrap_mean_areas(labels, apart, Units(120), ranked=[1], fold=fold, **options)["roc_auc"]
    alone = [curve_areas(labels[fold == k], scores[fold == k])["roc_auc"] for k in range(3)]
    assert three["estimate"] == pytest.approx(np.mean(alone))
    assert three[["low", "high"]].tolist() == pytest.approx([0.6660, 0.8793], abs=1e-4)
    y, x, part, group = (np.repeat(each, 2, axis=0) for each in (labels, both, fold, np.arange(120)))
    copies = bootstrap_mean_areas(y, x, Units(240, None, group), ranked=[1], fold=part, **options)["roc_auc"]
    assert copies[["low", "high"]].tolist() == pytest.approx(three[["low", "high"]].tolist(), abs=0.02)
    few = bootstrap_mean_areas(labels, both, Units(120, None, np.arange(120) % 4), ranked=[1], fold=fold, **options)[
        "roc_auc"
    ]
    assert np.isnan(few[["low", "high"]]).all()


# The test by exchanging two models.


LABELS = np.arange(9) % 3 == 0


def by_all_exchanges(labels, scores, weights, unit, name):
    """Return the share of all exchanges in which the difference is at least as great as without any."""
    one, other = (rankdata(each) for each in scores)

    def difference(exchanged):
        swapped = exchanged[unit]
        first, second = np.where(swapped, other, one), np.where(swapped, one, other)
        areas = [curve_areas(labels, each, sample_weight=weights)[name] for each in (first, second)]
        return abs(areas[0] - areas[1])

    n_units = unit.max() + 1
    result = [difference(np.array(each, dtype=bool)) for each in itertools.product((0, 1), repeat=n_units)]
    return np.mean(np.array(result) >= result[0] - 1e-12)


@pytest.mark.parametrize("name", ONE_IF_PERFECT)  # which are never undefined
@pytest.mark.parametrize("kind", ["cases", "ties", "weights", "groups"])
def test_draws_come_near_the_share_of_all_exchanges(name, kind):
    rng = np.random.default_rng(3)
    scores = [rng.normal(size=9) + shift * LABELS for shift in (2, 0)]
    if kind == "ties":
        scores = [each.round() for each in scores]
    weights = np.arange(1.0, 10.0) if kind == "weights" else None
    groups = np.arange(9) // 2 if kind == "groups" else None
    expected = by_all_exchanges(LABELS, scores, weights, np.arange(9) if groups is None else groups, name)
    result = exchange_p_values(LABELS, scores, Units(9, weights, groups), DrawSettings(0.95, 4000, 0))[name]
    assert result == pytest.approx(expected, abs=0.03)


def test_the_least_p_value_counts_the_ranking_itself_and_very_many_cases_are_exchanged_in_blocks():
    labels, ranks = np.arange(60) < 30, np.arange(60)
    result = exchange_p_values(labels, [-ranks, ranks], Units(60), DrawSettings(0.95, 99, 0))
    assert {result[name] for name in ONE_IF_PERFECT} == {1 / 100}
    labels = np.arange(MAX_UNITS_DRAWN + 1) % 10 == 0
    scores = list(np.random.default_rng(5).normal(size=(2, len(labels))) + labels)
    blocks, _ = Units(len(labels)).number_drawn_units()
    alone, grouped = (
        exchange_p_values(labels, scores, Units(len(labels), None, groups), DrawSettings(0.5, 19, 0))
        for groups in (None, blocks)
    )
    assert alone == grouped


def test_the_exchange_decides_where_a_few_positives_make_most_of_a_difference():
    """By the draws alone, the p-value would be 0.04."""
    rng, labels = np.random.default_rng(44), np.arange(50) < 10
    common = rng.normal(size=50) + 2.5 * labels
    first, second = (
        np.where(labels & (rng.random(50) < 0.2), common - 8, common + 0.2 * rng.normal(size=50)) for _ in range(2)
    )
    result = bootstrap_curve_areas(labels, first, compared_with=second, n_resamples=199)["roc_auc"]
    assert result["pvalue"] > 0.05
    assert result["low"] <= 0 <= result["high"]


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
def test_the_interval_excludes_zero_exactly_where_the_p_value_is_small_enough(level):
    seen = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        labels = np.arange(60) < 20
        first, second = rng.normal(size=60) + 1.2 * labels, rng.normal(size=60)
        result = bootstrap_curve_areas(labels, first, compared_with=second, n_resamples=99, level=level)
        for _, each in result[AREAS].items():
            rejected = each["low"] > 0 or each["high"] < 0
            assert rejected == (each["pvalue"] <= (1 - level) * (1 + 1e-9))
            seen.add(rejected)
    assert seen == {True, False}
