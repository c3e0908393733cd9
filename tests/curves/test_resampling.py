"""Bootstrap intervals of areas: a resample by weights is a resample of rows."""

import warnings

import numpy as np
import pandas as pd
import pytest
from curves.rankings import random_case
from scipy.stats import norm

from nontrivial.curves import ExtrapolatedAreaWarning, bootstrap_curve_areas, curve_areas
from nontrivial.measures import UnequalCasesWarning

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")
AREAS = ["roc_auc", "average_precision", "pr_auc", "prg_auc", "expected_f1_gain"]  # those with intervals


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
    alone = bootstrap_curve_areas(labels, scores, groups=np.arange(120), sample_weight=np.full(120, 0.1))
    pd.testing.assert_frame_equal(alone, bootstrap_curve_areas(labels, scores))
    apart = bootstrap_curve_areas(np.repeat(labels, 2), np.repeat(scores, 2), n_resamples=400)
    width = {
        name: table.loc["high"] - table.loc["low"] for name, table in (("twice", twice), ("apart", apart))
    }
    assert (width["twice"][AREAS] > 1.15 * width["apart"][AREAS]).all()


def test_two_models_are_compared_on_the_same_resamples():
    labels, scores, _ = random_case(2, decimals=6)
    other = scores + np.random.default_rng(0).normal(size=120)
    found = bootstrap_curve_areas(labels, scores, compared_with=other)
    reverse = bootstrap_curve_areas(labels, other, compared_with=scores)
    assert found.loc["estimate"].to_dict() == pytest.approx((-reverse.loc["estimate"]).to_dict())
    assert found.loc["low", AREAS].to_dict() == pytest.approx(
        (-reverse.loc["high", AREAS]).to_dict(), rel=1e-9
    )
    assert found.loc["pvalue", AREAS].to_dict() == pytest.approx(reverse.loc["pvalue", AREAS].to_dict())
    excluded = (found.loc["low", AREAS] > 0) | (found.loc["high", AREAS] < 0)
    assert ((found.loc["pvalue", AREAS] < 0.05) == excluded).all()
    assert (found.loc["resamples", AREAS] == 1000).all()
    same = bootstrap_curve_areas(labels, scores, compared_with=scores)
    assert (same.loc["estimate"] == 0).all()
    assert (same.loc["pvalue", AREAS] == 1).all()


def test_many_cases_have_the_intervals_of_the_normal_distribution():
    """Of 10,000 cases, those of AUROC are DeLong's."""
    labels, scores, _ = random_case(9, n=10_000, decimals=9)
    found = bootstrap_curve_areas(labels, scores)["roc_auc"]
    of_positive = np.searchsorted(np.sort(scores[~labels]), scores[labels]) / (~labels).sum()
    of_negative = 1 - np.searchsorted(np.sort(scores[labels]), scores[~labels]) / labels.sum()
    error = np.sqrt(of_positive.var() / labels.sum() + of_negative.var() / (~labels).sum())
    assert [found["low"], found["high"]] == pytest.approx(
        found["estimate"] + error * np.array([-1.96, 1.96]), abs=error / 3
    )


def test_an_interval_of_a_perfect_ranking_is_no_point():
    labels = np.arange(200) < 10
    found = bootstrap_curve_areas(labels, labels.astype(float))
    assert (found.loc["high", AREAS[:4]] == 1).all()
    assert (found.loc["low", AREAS[:4]] < 0.95).all()


@pytest.mark.parametrize(
    ("options", "part", "warned"),
    [
        ({}, 1 / 2, False),
        ({"groups": np.arange(120) // 2}, 1 / 2, False),
        ({"sample_weight": np.ones(120)}, 1 / 2, False),
        ({"compared_with": np.arange(120)}, 1 / 4, False),
        ({"compared_with": np.arange(120), "groups": np.arange(120) // 9}, 1 / 4, True),
    ],
)
def test_the_result_says_its_level_method_and_what_it_supposes(options, part, warned):
    labels, scores, _ = random_case(1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = bootstrap_curve_areas(labels, scores, n_resamples=40, **options)
    assert (UnequalCasesWarning in [each.category for each in caught]) == warned
    unequal = {"groups", "sample_weight", "compared_with"} & options.keys()
    assumes = "alike_mistakes" if unequal else "one_more_case"
    said = {"level": 0.95, "method": "bootstrap", "assumes": assumes, "pseudo_case": part}
    assert found.attrs == said | ({"test_assumes": "alike_mistakes"} if "compared_with" in options else {})


def test_the_area_under_the_cost_curve_has_no_interval():
    labels, scores, _ = random_case(1)
    found = bootstrap_curve_areas(labels, scores)["cost_curve_area"]
    assert found["estimate"] == curve_areas(labels, scores)["cost_curve_area"]
    assert np.isnan(found[["low", "high"]]).all()
    assert found["resamples"] == 0


def test_the_seed_decides_and_a_generator_serves_too():
    labels, scores, _ = random_case(3)
    one = bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=5)
    assert one.equals(bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=5))
    assert one.equals(
        bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=np.random.default_rng(5))
    )
    assert not one.equals(bootstrap_curve_areas(labels, scores, n_resamples=50, random_state=6))


def test_cases_of_weight_zero_are_no_cases():
    labels, scores, weights = random_case(4)
    weights[::3] = 0
    some = weights > 0
    found = bootstrap_curve_areas(labels, scores, sample_weight=weights, n_resamples=40, random_state=0)
    without = bootstrap_curve_areas(
        labels[some], scores[some], sample_weight=weights[some], n_resamples=40, random_state=0
    )
    pd.testing.assert_frame_equal(found, without, rtol=1e-12)


def test_95_percent_intervals_of_auroc_cover_the_truth():
    """Binormal scores one standard deviation apart, 60 positives of 200: AUROC is Phi(1/sqrt 2)."""
    covered = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        labels = rng.random(200) < 0.3
        scores = rng.normal(size=200) + labels
        interval = bootstrap_curve_areas(labels, scores, n_resamples=200, random_state=seed)["roc_auc"]
        covered += interval["low"] <= norm.cdf(1 / np.sqrt(2)) <= interval["high"]
    assert covered >= 88  # of 100; at 95 percent fewer have a chance of 1 in 600


@pytest.mark.filterwarnings("always::nontrivial.curves.ExtrapolatedAreaWarning")
def test_an_extrapolated_area_is_announced_once():
    with pytest.warns(ExtrapolatedAreaWarning) as caught:
        bootstrap_curve_areas(np.arange(50) % 40 == 1, np.arange(50), n_resamples=39, random_state=0)
    assert [warning.filename for warning in caught] == [__file__]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 1.0}, "level"),
        ({"n_resamples": 38}, "a level of 0.95 needs a whole number of at least 39"),
        ({"n_resamples": 198, "level": 0.99}, "at least 199"),
        ({"n_resamples": 32, "level": 0.94}, "at least 33"),
        ({"n_resamples": 2.5}, "n_resamples"),
        ({"n_resamples": 10**6 + 1}, "n_resamples"),
        ({"stratify": "no"}, "stratify"),
        ({"compared_with": [1.0, 2.0]}, "lengths differ"),
        ({"groups": [1, 1]}, "groups"),
        ({"groups": [1, 1, 1]}, "groups"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        bootstrap_curve_areas([0, 1, 1], [1.0, 2.0, 3.0], **options)


@pytest.mark.parametrize(("positives", "negatives"), [(40, 360), (60, 140)])
def test_the_area_of_good_scores_is_not_much_less_certain_than_by_delong(positives, negatives):
    """It is twice as wide if a whole imaginary case is at either end."""
    high, low = (norm.ppf((np.arange(n) + 0.5) / n) for n in (positives, negatives))
    wins = (high + 2.5)[:, None] > low
    error = np.sqrt(sum(wins.mean(axis=axis).var(ddof=1) / wins.shape[1 - axis] for axis in (0, 1)))
    labels = np.repeat([1, 0], [positives, negatives])
    found = bootstrap_curve_areas(labels, np.concatenate([high + 2.5, low]))["roc_auc"]
    assert 0.9 < (found["high"] - found["low"]) / (2 * 1.96 * error) < 1.7
