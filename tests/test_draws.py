"""What is drawn, the imaginary cases, and ends of intervals and p-values that agree."""

import itertools

import numpy as np
import pytest
from scipy.stats import beta

from nontrivial._draws import (
    MAX_UNITS_DRAWN,
    N_BLOCKS,
    Bounds,
    DrawnCells,
    DrawSettings,
    Units,
    bootstrap_bounds,
    resample_statistics,
)
from nontrivial.curves import bootstrap_curve_areas, curve_areas
from nontrivial.curves.areas import resampled_areas
from nontrivial.curves.bootstrap import RankingCells
from nontrivial.measures import UnequalCasesWarning, compare_models, prediction_advantage_interval
from nontrivial.measures.intervals import bound_advantage


@pytest.mark.parametrize("n", [39, 999, 1000])
@pytest.mark.parametrize("sign", [1, -1])
def test_a_p_value_is_at_most_the_tail_exactly_where_the_ends_exclude_0(n, sign):
    for beyond in range(n // 40 + 2):
        draws = sign * (np.arange(n) - beyond + 0.5)
        for estimate in (sign * n / 2, 0.0, -sign * 0.1):
            low, high, better, worse, _ = Bounds.from_draws(draws, estimate, 0.95)
            assert (low > 0, high < 0) == (better <= 0.025, worse <= 0.025)
            assert low <= estimate <= high


def test_too_few_draws_to_show_that_predictions_are_worse_leave_the_upper_end_above_0():
    """With two constants, either of which may be the best, 39 draws show no p-value below 2 / 40."""
    truth = np.arange(60) % 2
    cells = DrawnCells.from_predictions(truth, 1 - truth, 2, Units(60, None, np.arange(60) // 2))
    few, many = (bound_advantage(cells, DrawSettings(0.95, n)) for n in (39, 199))
    assert few.high == 0 < 0.025 < few.p_worse
    assert many.high < 0 < many.p_worse <= 0.025


def test_undefined_draws_count_for_nothing_and_too_few_have_no_ends():
    draws = np.arange(60.0)
    with_undefined = np.append(draws, [np.nan] * 50)
    assert Bounds.from_draws(with_undefined, 30.0, 0.95) == Bounds.from_draws(draws, 30.0, 0.95)
    assert np.isnan(Bounds.from_draws(draws[:38], 20.0, 0.95)[:2]).all()


def test_the_lower_end_has_a_quarter_of_a_case_more_that_is_wrong_and_the_upper_end_more_that_is_right():
    cells = DrawnCells.from_counts(np.array([14.0, 1, 3, 2]))

    def recall(drawn):
        return {"": drawn[:, 2] / (drawn[:, 2] + drawn[:, 3])}

    def misses(drawn):
        return {"": 1 - recall(drawn)[""]}

    expected = np.array([beta.ppf(0.025, 3, 2.25), beta.ppf(0.975, 3.25, 2)])
    result, turned = (bootstrap_bounds(cells, each, DrawSettings(0.95, 40_000, 0))[""][:2] for each in (recall, misses))
    assert result == pytest.approx(expected, abs=0.01)
    assert turned == pytest.approx(1 - expected[::-1], abs=0.01)


@pytest.mark.parametrize("kind", ["weights", "groups", "two models"])
def test_a_resample_has_the_areas_of_weighted_cases_and_of_imaginary_ones_at_the_ends(kind):
    draw = np.random.default_rng(1)
    positive = draw.random(40) < 0.4
    scores = [draw.normal(size=40).round(1) + positive for _ in range(2 if kind == "two models" else 1)]
    weights = draw.random(40) + 0.5 if kind == "weights" else None
    groups = np.arange(40) // 4 if kind == "groups" else None
    rankings = RankingCells.from_models(positive, scores, Units(40, weights, groups))
    cells = rankings.cells
    drawn = resample_statistics(cells, lambda weights: {"": weights}, DrawSettings(0.5, 3, 2))
    n = 40 if groups is None else 10
    assert cells.imaginary_shapes.tolist() == [1 / 4 if len(scores) == 1 else 1 / 32] * 2
    gamma = np.random.default_rng(2).standard_gamma(np.append(np.ones(n), cells.imaginary_shapes), (3, n + 2))
    mass = np.ones(40) if weights is None else weights
    # What a group has of a class, on average over the groups that have any.
    group_numbers = np.arange(40) if groups is None else groups
    unit = [mass[positive == c].sum() / len(np.unique(group_numbers[positive == c])) for c in (False, True)]
    labels = np.append(positive, [False, True])
    for (row, of_units), is_adverse in itertools.product(enumerate(gamma), (True, False)):
        each = np.append(mass * of_units[:n][group_numbers], np.maximum(of_units[n:] * unit, 1e-11))
        for place, score in enumerate(scores):
            drawn_areas = resampled_areas(
                np.split(drawn[0 if is_adverse else 1][""], rankings.starts[1:-1], axis=1)[place][[row]]
            )
            ends = [99, -99] if is_adverse == (place == 0) else [-99, 99]
            expected = curve_areas(labels, np.append(score, ends), sample_weight=each)
            for name, area in drawn_areas.items():
                assert area[0] == pytest.approx(expected[name], rel=1e-9), name


def test_very_many_units_are_drawn_in_blocks_and_a_group_stays_whole():
    blocks, n_blocks = Units(MAX_UNITS_DRAWN + 1).number_drawn_units()
    assert n_blocks == len(np.unique(blocks)) == N_BLOCKS
    groups = np.repeat(np.arange(MAX_UNITS_DRAWN + 1), 2)
    assert (Units(len(groups), None, groups).number_drawn_units()[0].reshape(-1, 2) == blocks[:, None]).all()
    units, n_units = Units(MAX_UNITS_DRAWN).number_drawn_units()
    assert n_units == len(np.unique(units)) == MAX_UNITS_DRAWN


@pytest.mark.parametrize("how", [{"groups": np.arange(60) % 4}, {"sample_weight": np.array([1e4] + [1.0] * 59)}, {}])
def test_too_few_units_have_no_interval_anywhere(how):
    draw, n = np.random.default_rng(0), 60 if how else 4
    truth, *guesses = (draw.random((3, n)) < 0.5).astype(int)
    truth[:2], scores = [0, 1], draw.random((2, n))
    with pytest.warns(UserWarning, match="effective sample size is below 5") as caught:
        areas = bootstrap_curve_areas(truth, scores[0], compared_with=scores[1], **how)
    assert UnequalCasesWarning not in [each.category for each in caught]
    assert areas.loc["estimate", ["roc_auc", "prg_auc"]].notna().all()
    assert areas.loc[["low", "high", "pvalue"]].isna().all(axis=None)
    with pytest.warns(UserWarning, match="effective sample size is below 5"):
        compared = compare_models(truth, *guesses, **how)
    assert np.isnan([compared.low, compared.high, compared.pvalue]).all()
    for loss, method in (("zero_one", "bootstrap"), ("squared", "fieller")):
        with pytest.warns(UserWarning, match="effective sample size is below 5"):
            result = prediction_advantage_interval(truth, guesses[0], loss=loss, method=method, **how)
        assert np.isnan(result).all()
