"""The test by exchanging two models, against all ways of exchanging them, and its level."""

import itertools

import numpy as np
import pytest
from scipy.stats import rankdata

from nontrivial._draws import MOST_UNITS, assign_blocks
from nontrivial.curves import bootstrap_curve_areas, curve_areas
from nontrivial.curves.bootstrap import exchange_p_values

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
NAMES = ("roc_auc", "average_precision", "pr_auc", "prg_auc")
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
    found = [difference(np.array(each, dtype=bool)) for each in itertools.product((0, 1), repeat=n_units)]
    return np.mean(np.array(found) >= found[0] - 1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", ["cases", "ties", "weights", "groups"])
def test_draws_come_near_the_share_of_all_exchanges(name, kind):
    rng = np.random.default_rng(3)
    scores = [rng.normal(size=9) + shift * LABELS for shift in (2, 0)]
    if kind == "ties":
        scores = [each.round() for each in scores]
    weights = np.arange(1.0, 10.0) if kind == "weights" else None
    groups = np.arange(9) // 2 if kind == "groups" else None
    expected = by_all_exchanges(LABELS, scores, weights, np.arange(9) if groups is None else groups, name)
    found = exchange_p_values(LABELS, scores, weights, groups, 4000, np.random.default_rng(0))[name]
    assert found == pytest.approx(expected, abs=0.03)


def test_whole_scores_that_floats_do_not_tell_apart_have_ranks_of_their_own():
    near = 2**60 + np.random.default_rng(0).permutation(40)
    labels = np.arange(40) < 12
    exact, small = ([each, np.arange(40)] for each in (near, near - 2**60))
    of_both = [
        exchange_p_values(labels, each, None, None, 99, np.random.default_rng(1)) for each in (exact, small)
    ]
    assert of_both[0] == of_both[1]


def test_equal_models_that_misplace_a_few_of_ten_positives_are_told_apart_in_no_more_than_the_level():
    """By the draws of the bootstrap alone, they were in 10 % of the samples."""
    labels, rejected = np.arange(300) < 10, 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        common = rng.normal(size=300) + 2.5 * labels
        first, second = (
            np.where(labels & (rng.random(300) < 0.2), common - 8, common + 0.2 * rng.normal(size=300))
            for _ in range(2)
        )
        found = bootstrap_curve_areas(labels, first, compared_with=second, n_resamples=199)["roc_auc"]
        rejected += found["pvalue"] <= 0.05
        assert (found["pvalue"] <= 0.05) == (found["low"] > 0 or found["high"] < 0)
    assert rejected <= 11  # of 100; at 5 percent more have a chance of 1 in 200


def test_the_least_p_value_counts_the_ranking_itself():
    labels, ranks = np.arange(60) < 30, np.arange(60)
    found = exchange_p_values(labels, [-ranks, ranks], None, None, 99, np.random.default_rng(0))
    assert {found[name] for name in NAMES} == {1 / 100}


def test_very_many_cases_are_exchanged_in_blocks():
    rng = np.random.default_rng(5)
    labels = rng.random(MOST_UNITS + 1) < 0.1
    scores = [rng.normal(size=len(labels)) + labels for _ in range(2)]
    blocks, _ = assign_blocks(None, len(labels))
    alone, grouped = (
        exchange_p_values(labels, scores, None, units, 19, np.random.default_rng(0))
        for units in (None, blocks)
    )
    assert alone == grouped


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9, 0.95])
def test_the_interval_excludes_zero_exactly_where_the_p_value_is_small_enough(level):
    seen = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        labels = np.arange(60) < 20
        first, second = rng.normal(size=60) + 1.2 * labels, rng.normal(size=60)
        found = bootstrap_curve_areas(labels, first, compared_with=second, n_resamples=99, level=level)
        for _, each in found.drop(columns="cost_curve_area").items():
            rejected = each["low"] > 0 or each["high"] < 0
            assert rejected == (each["pvalue"] <= (1 - level) * (1 + 1e-9))
            seen.add(rejected)
    assert seen == {True, False}
