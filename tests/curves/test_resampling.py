"""Bootstrap intervals of areas: a resample by weights is a resample of rows."""

import warnings

import numpy as np
import pandas as pd
import pytest
from curves.rankings import random_case
from scipy.stats import norm

from nontrivial import _draws
from nontrivial.curves import ExtrapolatedAreaWarning, bootstrap_curve_areas, curve_areas
from nontrivial.curves.bootstrap import bootstrap_mean_areas
from nontrivial.measures import UnequalCasesWarning
from nontrivial.seeds import generator_for

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


def test_the_seed_decides_and_the_area_under_the_cost_curve_has_no_interval():
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


def test_cases_of_weight_zero_are_no_cases():
    labels, scores, weights = random_case(4)
    weights[::3] = 0
    some = weights > 0
    found = bootstrap_curve_areas(labels, scores, sample_weight=weights, n_resamples=40, random_state=0)
    without = bootstrap_curve_areas(
        labels[some], scores[some], sample_weight=weights[some], n_resamples=40, random_state=0
    )
    pd.testing.assert_frame_equal(found, without, rtol=1e-12)


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


# Means over the classes and over folds.


def said_of_classes(seed, n, n_classes, distance):
    rng = np.random.default_rng(seed)
    truth = rng.permutation(np.arange(n) % n_classes)
    return truth, rng.normal(size=(n, n_classes)) + distance * np.eye(n_classes)[truth]


def test_a_case_weighs_the_same_for_all_classes(monkeypatch):
    """Without imaginary cases, draws of the mean area under the ROC curve are means of shares of weighted pairs."""
    monkeypatch.setattr(_draws, "PRIOR", 0.0)
    truth, scores = said_of_classes(0, 12, 3, 1.0)
    found = bootstrap_mean_areas(truth, scores, None, None, level=0.95, n_resamples=99)["roc_auc"]

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
    found = bootstrap_mean_areas(truth, scores, weights, groups, level=0.95, n_resamples=50)
    turned = bootstrap_mean_areas(
        np.argsort(order)[truth], scores[:, order], weights, groups, n_resamples=50, level=0.95
    )
    pd.testing.assert_frame_equal(found, turned, rtol=1e-9)


def test_the_mean_of_perfect_rankings_is_less_uncertain_than_one_but_no_point():
    truth, scores = said_of_classes(2, 80, 8, 20.0)
    mean = bootstrap_mean_areas(truth, scores, None, None, level=0.95)
    one = bootstrap_curve_areas(truth == 0, scores[:, 0])
    assert (mean.loc["high", AREAS[:4]] == 1).all()
    assert (mean.loc["low", AREAS[:4]] < 0.999).all()
    assert (1 - mean.loc["low", AREAS[:4]] < 0.45 * (1 - one.loc["low", AREAS[:4]])).all()


def test_the_mean_over_folds_is_drawn_within_each():
    """One fold is the ranking itself; copies in groups are no more cases; a fold of its own half has its own mean."""
    labels, scores, _ = random_case(7, decimals=9)
    options = {"level": 0.95, "n_resamples": 1000}
    both = np.column_stack([-scores, scores])  # of either class
    one = bootstrap_mean_areas(labels, both, None, None, ranked=[1], fold=np.zeros(120, int), **options)
    pd.testing.assert_frame_equal(
        one.drop(index="pvalue"), bootstrap_curve_areas(labels, scores), rtol=1e-9, check_names=False
    )
    fold = np.arange(120) % 3
    apart = both + 9 * fold[:, None]
    three = bootstrap_mean_areas(labels, apart, None, None, ranked=[1], fold=fold, **options)["roc_auc"]
    alone = [curve_areas(labels[fold == k], scores[fold == k])["roc_auc"] for k in range(3)]
    assert three["estimate"] == pytest.approx(np.mean(alone))
    assert three["low"] < three["estimate"] < three["high"]
    y, x, part, group = (np.repeat(each, 2, axis=0) for each in (labels, both, fold, np.arange(120)))
    copies = bootstrap_mean_areas(y, x, None, group, ranked=[1], fold=part, **options)["roc_auc"]
    assert copies[["low", "high"]].tolist() == pytest.approx(three[["low", "high"]].tolist(), abs=0.02)
    few = bootstrap_mean_areas(labels, both, None, np.arange(120) % 4, ranked=[1], fold=fold, **options)[
        "roc_auc"
    ]
    assert np.isnan(few[["low", "high"]]).all()
