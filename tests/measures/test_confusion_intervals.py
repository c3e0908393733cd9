"""Intervals for every measure of a table: exact ones, coverage over all tables of few cases, and what is refused."""

import itertools

import numpy as np
import pytest
from curves.rankings import moderate
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import gammaln
from scipy.stats import binomtest

from nontrivial.measures import confusion_intervals, confusion_measures, prediction_advantage_interval
from nontrivial.measures.confusion import MEASURES

TABLE = {"tp": 30, "fp": 10, "fn": 20, "tn": 140}


@settings(moderate, max_examples=50)
@given(st.lists(st.integers(0, 60), min_size=4, max_size=4), st.sampled_from([0.8, 0.95]))
def test_proportions_have_the_exact_bounds_of_scipy_and_every_estimate_is_held(cells, level):
    tp, fp, fn, tn = cells
    assume(tp + fn and fp + tn)
    found = confusion_intervals(*cells, level=level, n_resamples=100)
    assert found["estimate"].equals(confusion_measures(*cells)[list(MEASURES)].iloc[0].rename("estimate"))
    shares = {
        "recall": (tp, tp + fn),
        "precision": (tp, tp + fp),
        "specificity": (tn, tn + fp),
        "error_rate": (fp + fn, sum(cells)),
        "jaccard": (tp, tp + fp + fn),
    }
    for name, (successes, trials) in shares.items():
        if trials:
            expected = binomtest(successes, trials).proportion_ci(level, method="exact")
            assert found.loc[name, ["low", "high"]].tolist() == pytest.approx([*expected], rel=1e-9)
    held = found[found["method"] != ""]
    assert (held["low"] <= held["estimate"] + 1e-12).all()
    assert (held["estimate"] <= held["high"] + 1e-12).all()
    without = found[found["method"] == ""]
    assert without[["low", "high"]].isna().all(axis=None)
    assert sum(cells) < 5 or without["estimate"].isna().all()


def test_f1_follows_from_the_jaccard_index_and_the_advantage_is_that_of_the_labels():
    options = {"level": 0.8, "n_resamples": 500, "random_state": 1}
    found = confusion_intervals(**TABLE, **options)
    assert found.attrs == {"level": 0.8, "assumes": {"clopper_pearson": None, "bootstrap": "one_more_case"}}
    f1, jaccard = (found.loc[name, ["low", "high"]].astype(float) for name in ("f_beta", "jaccard"))
    assert f1.tolist() == pytest.approx((2 * jaccard / (1 + jaccard)).tolist(), rel=1e-12)
    assert confusion_intervals(**TABLE, beta=2).loc["f_beta", "method"] == "bootstrap"
    truth, prediction = (
        np.repeat([1, 0, 1, 0], list(TABLE.values())),
        np.repeat([1, 1, 0, 0], list(TABLE.values())),
    )
    interval = prediction_advantage_interval(truth, prediction, **options)
    assert tuple(found.loc["prediction_advantage", ["low", "high"]]) == interval
    small = {name: np.int8(count) for name, count in TABLE.items() if name != "tn"}
    assert confusion_intervals(**small, tn=np.uint64(140), **options).equals(found)


def test_lambda_has_the_interval_of_the_best_relabelling():
    straight, opposite = confusion_intervals(30, 10, 20, 140), confusion_intervals(20, 140, 30, 10)
    advantage = straight.loc["prediction_advantage"]
    assert straight.loc["goodman_kruskal_lambda"].equals(advantage)
    turned = opposite.loc["goodman_kruskal_lambda", ["low", "high"]].tolist()
    assert turned == pytest.approx(advantage[["low", "high"]].tolist(), abs=0.03)
    worse = confusion_intervals(40, 30, 10, 20)
    assert worse.loc["prediction_advantage", "low"] < 0 == worse.loc["goodman_kruskal_lambda", "low"]


def test_the_ends_of_extreme_tables():
    """An end that the estimate passes is moved to it; a perfect table is no certainty."""
    row = confusion_intervals(tp=0, fp=5, fn=5, tn=0).loc["cohen_kappa"]
    assert row["low"] == row["estimate"] == -1
    table = confusion_intervals(10, 0, 0, 190)
    unlimited = table.loc[["positive_likelihood_ratio", "diagnostic_odds_ratio"]]
    assert (unlimited["estimate"] == np.inf).all()
    assert (unlimited["low"] < np.inf).all()
    assert (table["low"] < table["high"]).all()


@pytest.mark.parametrize("cells", [(30, 10, 20, 140), (15, 42, 10, 46), (5, 3, 3, 5), (5, 2, 3, 5)])
def test_symmetric_measures_have_the_same_interval_whichever_class_is_positive(cells):
    symmetric = ["matthews_corrcoef", "cohen_kappa", "p4", "informedness", "balanced_accuracy"]
    found = confusion_intervals(*cells).loc[symmetric, ["low", "high"]].astype(float)
    turned = confusion_intervals(*cells[::-1]).loc[symmetric, ["low", "high"]].astype(float)
    np.testing.assert_allclose(found, turned, rtol=1e-12)


def test_coverage_over_all_tables_of_ten_cases():
    """No simulation of tables: each with both classes is weighed with its chance."""
    n = 10
    tables = np.array([t for t in itertools.product(range(n + 1), repeat=4) if sum(t) == n])
    tables = tables[(tables[:, [0, 2]].sum(axis=1) > 0) & (tables[:, [1, 3]].sum(axis=1) > 0)]
    found = [
        confusion_intervals(*map(int, t), n_resamples=300)[["low", "high"]].to_numpy(float) for t in tables
    ]
    low, high = np.moveaxis(np.array(found), 2, 0)
    coefficients = gammaln(n + 1) - gammaln(tables + 1).sum(axis=1)
    rates = [(0.3, 0.3), (0.8, 0.1), (0.95, 0.05)]
    for prevalence, (recall, false_positive_rate) in itertools.product([0.5, 0.3], rates):
        cells = np.array(
            [
                prevalence * recall,
                (1 - prevalence) * false_positive_rate,
                prevalence * (1 - recall),
                (1 - prevalence) * (1 - false_positive_rate),
            ]
        )
        chances = np.exp(coefficients + tables @ np.log(cells))
        truth = confusion_measures(*cells).iloc[0].to_numpy()
        offered = ~np.isnan(low)
        holds = offered & (low <= truth + 1e-9) & (truth - 1e-9 <= high)
        coverage = (chances @ holds) / (chances @ offered)
        assert coverage.min() >= 0.89, list(MEASURES)[coverage.argmin()]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"tp": -1}, "tp"),
        ({"tp": 2**53, "tn": 2**53}, "tp"),
        ({"tp": 10**70}, "tp"),
        ({"fn": 2.5}, "fn"),
        ({"tn": True}, "tn"),
        ({"tp": 0, "fn": 0}, "one class"),
        ({"level": 1}, "level"),
        ({"n_resamples": 0}, "n_resamples"),
        ({"beta": -1}, "beta"),
    ],
)
def test_bad_input_is_one_sentence(changed, message):
    with pytest.raises(ValueError, match=message):
        confusion_intervals(**TABLE | changed)
