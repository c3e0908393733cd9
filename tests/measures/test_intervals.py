"""Intervals for the Prediction Advantage: closed forms, peers, exact coverage of few cases, and what is refused."""

import itertools

import numpy as np
import pytest
from curves.rankings import moderate
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from measures.exact_tables import chances_of, labels_of, tables_of
from scipy.stats import binomtest, ttest_1samp
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial._draws import Bounds, Units
from nontrivial.measures import (
    compare_models,
    confusion_intervals,
    confusion_measures,
    prediction_advantage_interval,
    prediction_advantage_score,
    triviality_test,
)
from nontrivial.measures.confusion import MEASURES
from nontrivial.measures.student import PairedSums
from nontrivial.seeds import generator_for, user_generator

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
METHODS = ["bootstrap", "exact", "concentration"]


# Labels.


@pytest.mark.parametrize("method", METHODS)
def test_coverage_over_all_tables_of_ten_cases(method):
    """No simulation: every table with both classes is weighed with its probability."""
    tables, options = tables_of(10), {"method": method, "n_resamples": 500}
    low, high = np.array([prediction_advantage_interval(*labels_of(table), **options) for table in tables]).T
    for share, miss, multiple in itertools.product([0.5, 0.4, 0.3], [0.1, 0.3, 0.5, 0.7, 0.9], [1, 1 / 3]):
        alarm, advantage = multiple * miss * share, 1 - miss - multiple * miss
        chances = chances_of(tables, [1 - share - alarm, alarm, miss * share, (1 - miss) * share])
        holds = (low <= advantage + 1e-12) & (advantage - 1e-12 <= high)
        held = chances[holds].sum() / chances.sum()
        assert held >= (0.93 if method == "bootstrap" else 0.95), (share, miss, multiple)


@pytest.mark.parametrize(
    ("table", "exact", "concentration", "bootstrap"),
    [
        ((76, 4, 6, 14), (0.0, 0.8034), (-1.0993, 0.9008), (0.1117, 0.7722)),
        ((45, 5, 40, 10), (-0.4676, 0.4509), (-0.6808, 0.5289), (-0.3484, 0.2641)),
        ((80, 0, 0, 20), (0.6827, 1.0), (0.5735, 1.0), (0.8672, 1.0)),
        ((900, 50, 30, 20), (-1.2636, -0.1567), (-2.3519, 0.2398), (-1.1388, -0.1889)),
    ],
)
def test_the_intervals_of_some_tables(table, exact, concentration, bootstrap):
    expected = {"exact": exact, "concentration": concentration, "bootstrap": bootstrap}
    for method, ends_of in expected.items():
        result = prediction_advantage_interval(*labels_of(table), method=method)
        assert result[:] == pytest.approx(ends_of, abs=1e-4)


@moderate
@given(st.lists(st.integers(0, 40), min_size=4, max_size=4), st.sampled_from(METHODS))
def test_an_interval_holds_the_estimate_grows_with_its_level_and_knows_no_names_or_order(table, method):
    assume(table[0] + table[1] and table[2] + table[3] and sum(table) >= 5)
    truth, prediction = labels_of(table)
    levels = [
        prediction_advantage_interval(truth, prediction, method=method, level=level, n_resamples=200)
        for level in (0.95, 0.8, 0.5)
    ]
    lows, highs = np.transpose(levels)
    value = prediction_advantage_score(truth, prediction)
    assert (np.diff([*lows, value, *highs[::-1]]) >= -1e-12).all()
    order = np.arange(len(truth))[::-1]
    renamed = [np.where(labels[order], "healthy", "sick") for labels in (truth, prediction)]
    assert prediction_advantage_interval(*renamed, method=method, n_resamples=200) == levels[0]
    extra = prediction_advantage_interval(truth, prediction, labels=[0, 1, 2], method=method, n_resamples=200)
    assert extra == levels[0] or method != "bootstrap"  # the others count the classes that there may be


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("known", [None, 0])
@pytest.mark.parametrize("method", ["bootstrap", "exact"])
def test_an_interval_lies_on_one_side_of_0_exactly_where_sign_tests_show_it(method, known, level):
    """By SciPy's binomial tests; an end at 0 of a verdict excludes it."""
    places, tail = [0, 1] if known is None else [known], (1 - level) / 2
    options = {"baseline": None if known is None else [known], "level": level, "n_resamples": 200}
    shown = set()
    for table in itertools.product([0, 1, 6, 9], repeat=4):
        right, wrong = table[::3], table[1:3]
        if 0 in (right[0] + wrong[0], right[1] + wrong[1]) or sum(wrong) + right[1 - places[0]] == 0:
            continue
        if sum(table) < 5:
            continue  # too few for an interval by draws
        pairs = [(right[1 - place], wrong[place]) for place in places]
        better, worse = (
            [binomtest(pair[side], max(sum(pair), 1), alternative="greater").pvalue for pair in pairs]
            for side in (0, 1)
        )
        verdicts = {"better": max(better) <= tail, "worse": min(worse) * len(places) <= tail}
        low, high = prediction_advantage_interval(*labels_of(table), method=method, **options)
        assert low >= 0 if verdicts["better"] else low <= 0, table
        assert high <= 0 if verdicts["worse"] else high >= 0, table
        shown.update(verdict for verdict, result in verdicts.items() if result)
    assert shown == {"better", "worse"}


@moderate
@given(st.integers(2, 4), st.integers(0, 10**6))
def test_costs_of_1_for_each_mistake_are_the_loss_of_labels(k, seed):
    """Two ways to the same draws; under 0/1 loss the exact test may move an end to 0."""
    truth, prediction = np.random.default_rng(seed).integers(k, size=(2, 60))
    truth[:k] = np.arange(k)
    cost = {"loss": "cost", "cost": 1 - np.eye(k)}
    result, expected = (
        prediction_advantage_interval(truth, prediction, n_resamples=100, **each) for each in (cost, {})
    )
    for of_costs, of_labels in zip(result, expected, strict=True):
        assert of_labels in (0, pytest.approx(of_costs, abs=1e-12))


def test_what_may_be_the_best_constant():
    truth, prediction = np.zeros(20, int), np.arange(20) < 4
    low, high = prediction_advantage_interval(truth, prediction, baseline=[1], labels=[0, 1])
    assert low < 1 - 4 / 20 < high
    with pytest.warns(UndefinedMetricWarning, match="division by 0"):
        assert np.isnan(prediction_advantage_interval(truth, prediction, baseline=[0])).all()
    # A label that is never true is no constant to be worse than.
    truth, prediction = np.repeat([0, 1], [2, 10]), np.repeat([0, 1, 0, 1, 2], [1, 1, 6, 1, 3])
    assert prediction_advantage_interval(truth, prediction).high < 0
    # Of three classes, each known one has an interval of its own.
    truth = np.repeat([0, 1, 2], [30, 20, 10])
    prediction = np.where(np.arange(60) % 5 == 0, (truth + 1) % 3, truth)
    for known, method in itertools.product(range(3), METHODS):
        low, high = prediction_advantage_interval(truth, prediction, method=method, baseline=[known])
        assert low < prediction_advantage_score(truth, prediction, baseline=[known]) < high
    # The best constant is less certain than the same one if it is known.
    unknown, known = (
        prediction_advantage_interval(truth, prediction, method="exact", baseline=each) for each in (None, [0])
    )
    assert unknown.low < known.low < known.high < unknown.high


def test_one_class_is_nan_for_the_bootstrap_and_open_for_the_others():
    for method in ("bootstrap", None):
        with pytest.warns(UndefinedMetricWarning, match="division by 0"):
            assert np.isnan(prediction_advantage_interval([1, 1, 1], [1, 1, 1], method=method)).all()
    for method in ("exact", "concentration"):
        low, high = prediction_advantage_interval([1, 1, 1], [1, 1, 0], method=method, labels=[0, 1])
        assert low == -np.inf
        assert high > 0.9
    cost = [[1, 5], [2, 0]]  # even the right answer costs 1 for the first class
    low, high = prediction_advantage_interval([0] * 9, [0] * 8 + [1], loss="cost", cost=cost, labels=[0, 1])
    assert low < -1 / 9 <= high <= 0


def test_the_bootstrap_is_repeatable_follows_its_seed_and_may_be_drawn_in_parts(monkeypatch):
    truth, prediction = labels_of((70, 10, 5, 15))
    default, seeded, generator = (
        prediction_advantage_interval(truth, prediction, random_state=seed)
        for seed in (None, 1, np.random.default_rng(1))
    )
    assert default != seeded == generator
    monkeypatch.setattr("nontrivial._draws.MAX_WEIGHTS_AT_ONCE", 999)
    assert prediction_advantage_interval(truth, prediction) == default


# Bounded losses.


def test_concentration_by_hand():
    n = 20  # all cases are of one class, and the model is always wrong: both empirical means are at the ends
    low, high = prediction_advantage_interval([1] * n, [0] * n, method="concentration")
    marginal = 1 - (0.05 / 4 / 2) ** (1 / n)  # either of the two classes may be the marginal prediction
    assert low == -np.inf
    assert high == pytest.approx(1 - (0.05 / 4) ** (1 / n) / marginal, rel=1e-9)
    # Every other case is 0, those between are 1: a constant from the one half is wrong on all of the other.
    truth, prediction = np.arange(40) % 2, np.ones(40) - np.arange(40) % 2
    _, high = prediction_advantage_interval(truth, prediction, loss="squared", bound=1)
    assert high == pytest.approx(1 - (0.05 / 4) ** (1 / 40), rel=1e-9)
    # In cross-entropy the class that the one half lacks would have been infinitely unlikely.
    said = 0.2 + 0.6 * (np.arange(40) % 2)
    result = prediction_advantage_interval(truth, said, loss="cross_entropy", bound=5)
    assert result == pytest.approx((-5.8818, 0.9985), abs=1e-4)
    result = prediction_advantage_interval(truth, said, loss="squared", bound=1)
    assert result == pytest.approx((-1.1995, 0.9990), abs=1e-4)


# Numbers and probabilities.


@pytest.mark.parametrize("option", [{}, {"groups": np.arange(60) // 3}, {"sample_weight": np.arange(1.0, 61)}])
@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_fieller_agrees_with_scipys_paired_test_at_its_ends(option, shift):
    """The test has one more case like the worst; the factor by which the model errs is at an end."""
    draw = generator_for("fieller", shift)
    truth = draw.normal(size=60)
    prediction = truth + draw.normal(size=60) + shift
    low, high = prediction_advantage_interval(truth, prediction, loss="squared", **option)
    losses = (truth - prediction) ** 2
    marginal = (truth - np.average(truth, weights=option.get("sample_weight"))) ** 2
    total = Units(60, option.get("sample_weight"), option.get("groups")).sum_by_unit
    for end, sign in ((low, 1), (high, -1)):
        saved = sign * total((1 - end) * marginal - losses)
        saved = np.append(saved, saved.min())
        assert ttest_1samp(saved, 0, alternative="greater").pvalue == pytest.approx(0.025)
    result = triviality_test(truth, prediction, loss="squared", **option)
    assert (result.pvalue <= 0.025) == (low >= 0)


@pytest.mark.parametrize("unit", [1e-55, 1e-41, 1e39, 1e59])
def test_the_unit_of_the_numbers_does_not_matter(unit):
    draw = np.random.default_rng(1)
    truth = draw.normal(size=30)
    models = truth + draw.normal(size=(2, 30))
    for result, expected in (
        [prediction_advantage_interval(truth * of, models[0] * of, loss="squared") for of in (unit, 1)],
        [compare_models(truth * of, *(models * of), loss="squared") for of in (unit, 1)],
    ):
        assert result == pytest.approx(expected)
        assert np.isfinite(expected).all()


@pytest.mark.parametrize(("n", "least"), [(6, 0.0), (60, 0.85), (600, 0.98)])
def test_numbers_without_an_error_may_have_one_in_a_further_case(n, least):
    """It loses there what the best constant loses at most."""
    truth = np.arange(float(n))
    low, high = prediction_advantage_interval(truth, truth, loss="squared")
    marginal = (truth - truth.mean()) ** 2
    one_more = PairedSums.from_cases(np.append(marginal, 0), np.append(marginal, marginal.max())).bounds(0.95)
    assert (low, high) == (pytest.approx(max(one_more.low, 0.0)), 1.0)
    assert least <= low < 1


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("loss", ["cross_entropy", "squared"])
def test_each_end_supposes_the_worst_case_with_probabilities_that_were_seen(loss, n_classes):
    draw = np.random.default_rng(3)
    truth = draw.permutation(np.arange(60) % n_classes)
    said = draw.dirichlet(np.ones(n_classes), 60) / 2 + np.eye(n_classes)[truth] / 2
    classes = np.eye(n_classes)
    if loss == "cross_entropy":
        bounds = prediction_advantage_interval(truth, said, loss=loss)
        of_classes, marginal = -np.log(said), -np.log(np.bincount(truth) / 60)
    else:
        bounds = prediction_advantage_interval(classes[truth], said, loss=loss)
        of_classes = ((classes[None] - said[:, None]) ** 2).sum(axis=2)
        marginal = ((classes - np.bincount(truth) / 60) ** 2).sum(axis=1)
    saved = marginal[truth] - of_classes[np.arange(60), truth]

    def with_one_more(loss, k):
        sums = PairedSums.from_cases(np.append(saved, marginal[k] - loss), np.append(marginal[truth], marginal[k]))
        return sums.bounds(0.95)

    lows = [with_one_more(of_classes[case, k], k).low for case in range(60) for k in range(n_classes)]
    highs = [with_one_more(of_classes[:, k].min(), k).high for k in range(n_classes)]
    assert bounds == pytest.approx((min(lows), max(highs)))


def test_one_more_case_weighs_as_much_as_a_group_on_average():
    truth, said = np.arange(60) % 2, np.clip(np.arange(60) % 2, 0.2, 0.7)
    groups = np.repeat(np.arange(20), 3)
    summed = np.bincount(groups, weights=0.25 - (truth - said) ** 2)
    low = prediction_advantage_interval(truth, said, loss="squared", groups=groups).low
    sums = PairedSums.from_cases(np.append(summed, 3 * (0.25 - 0.64)), np.full(21, 0.75))
    assert low == pytest.approx(sums.bounds(0.95).low)


def test_ends_without_bound():
    truth, prediction = [0.0, 0.1, 0.2, 0.1, 9.0], [0.1, 0.1, 0.3, 0.2, 8.0]
    assert prediction_advantage_interval(truth, prediction, loss="squared") == (-np.inf, 1.0)
    truth, said = [0, 1, 0, 1, 1], [0.1, 0.0, 0.1, 0.9, 0.9]
    assert prediction_advantage_interval(truth, said, loss="cross_entropy") == (-np.inf, -np.inf)


@pytest.mark.parametrize("weights", [None, np.arange(1.0, 41)])
def test_the_bootstrap_of_probabilities_weighs_the_cases_alone(weights):
    draw = np.random.default_rng(0)
    truth, said = np.arange(40) % 4 == 0, draw.uniform(0.05, 0.6, 40)
    options = {"loss": "cross_entropy", "method": "bootstrap", "n_resamples": 99, "sample_weight": weights}
    result = prediction_advantage_interval(truth, said, **options)
    mass = np.ones(40) if weights is None else weights
    share = np.average(truth, weights=mass)
    lost, marginal = (-np.log(np.where(truth, each, 1 - each)) for each in (said, share))
    drawn = mass * user_generator(None).standard_gamma(1, (99, 40))
    advantages = 1 - drawn @ lost / (drawn @ marginal)
    expected = Bounds.from_draws(advantages, 1 - mass @ lost / (mass @ marginal), 0.95)
    assert result[:] == pytest.approx(expected[:2])


# Every measure of a table.

TABLE = {"tp": 30, "fp": 10, "fn": 20, "tn": 140}


@settings(moderate, max_examples=50)
@given(st.lists(st.integers(0, 60), min_size=4, max_size=4), st.sampled_from([0.8, 0.95]))
def test_proportions_have_the_exact_bounds_of_scipy_and_every_estimate_is_held(cells, level):
    tp, fp, fn, tn = cells
    assume(tp + fn and fp + tn)
    result = confusion_intervals(*cells, level=level, n_resamples=100)
    assert result["estimate"].equals(confusion_measures(*cells)[list(MEASURES)].iloc[0].rename("estimate"))
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
            assert result.loc[name, ["low", "high"]].tolist() == pytest.approx([*expected], rel=1e-9)
    held = result[result["method"] != ""]
    assert (held["low"] <= held["estimate"] + 1e-12).all()
    assert (held["estimate"] <= held["high"] + 1e-12).all()
    without = result[result["method"] == ""]
    assert without[["low", "high"]].isna().all(axis=None)
    assert sum(cells) < 5 or without["estimate"].isna().all()


def test_f1_follows_from_the_jaccard_index_and_the_advantage_is_that_of_the_labels():
    options = {"level": 0.8, "n_resamples": 500, "random_state": 1}
    result = confusion_intervals(**TABLE, **options)
    assert result.attrs == {"level": 0.8, "assumes": {"clopper_pearson": None, "bootstrap": "one_more_case"}}
    f1, jaccard = (result.loc[name, ["low", "high"]].astype(float) for name in ("f_beta", "jaccard"))
    assert f1.tolist() == pytest.approx((2 * jaccard / (1 + jaccard)).tolist(), rel=1e-12)
    assert confusion_intervals(**TABLE, beta=2).loc["f_beta", "method"] == "bootstrap"
    interval = prediction_advantage_interval(*labels_of((140, 10, 20, 30)), **options)
    assert tuple(result.loc["prediction_advantage", ["low", "high"]]) == interval
    small = {name: np.int8(count) for name, count in TABLE.items() if name != "tn"}
    assert confusion_intervals(**small, tn=np.uint64(140), **options).equals(result)


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
    result = confusion_intervals(*cells).loc[symmetric, ["low", "high"]].astype(float)
    turned = confusion_intervals(*cells[::-1]).loc[symmetric, ["low", "high"]].astype(float)
    np.testing.assert_allclose(result, turned, rtol=1e-12)


def test_coverage_of_every_measure_over_all_tables_of_ten_cases():
    """No simulation of tables: each with both classes is weighed with its chance."""
    tables = tables_of(10)
    result = [confusion_intervals(*table.tolist()[::-1], n_resamples=300) for table in tables[:, [0, 2, 1, 3]]]
    low, high = np.moveaxis([each[["low", "high"]].to_numpy(float) for each in result], 2, 0)
    rates = [(0.3, 0.3), (0.8, 0.1), (0.95, 0.05)]
    for prevalence, (recall, alarm) in itertools.product([0.5, 0.3], rates):
        negatives, positives = (1 - prevalence) * np.array([1 - alarm, alarm]), prevalence * recall
        cells = [*negatives, prevalence - positives, positives]
        chances = chances_of(tables, cells)
        truth = confusion_measures(cells[3], cells[1], cells[2], cells[0]).iloc[0].to_numpy()
        offered = ~np.isnan(low)
        holds = offered & (low <= truth + 1e-9) & (truth - 1e-9 <= high)
        coverage = (chances @ holds) / (chances @ offered)
        assert coverage.min() >= 0.89, list(MEASURES)[coverage.argmin()]
