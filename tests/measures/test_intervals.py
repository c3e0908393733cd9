"""Intervals for the Prediction Advantage: coverage, exactly for 12 cases and by simulation for more; closed forms."""

import itertools

import numpy as np
import pytest
from scipy.special import gammaln
from scipy.stats import beta, chi2, ttest_1samp
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.measures import (
    UnboundedLossWarning,
    prediction_advantage_interval,
    prediction_advantage_score,
    triviality_test,
)
from nontrivial.measures.concentration import mean_bounds
from nontrivial.measures.exact import _radius, exact_intervals, risk_ratio_bounds
from nontrivial.measures.sign_verdict import judge_counts
from nontrivial.measures.totals import Totals
from nontrivial.seeds import generator_for, seed_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
METHODS = ["bootstrap", "exact", "concentration"]


def labels_of(table):
    """Return truth and prediction of a table of TN, FP, FN, TP."""
    return np.repeat([0, 0, 1, 1], table), np.repeat([0, 1, 0, 1], table)


def intervals_of(tables, method):
    return np.array(
        [
            prediction_advantage_interval(
                *labels_of(table), method=method, n_resamples=500, random_state=seed_for(*table.tolist())
            )
            for table in tables
        ]
    )


def cells_and_advantage(share, miss, multiple):
    """Return the probabilities of TN, FP, FN, TP and the true Prediction Advantage."""
    false_positive = multiple * miss * share
    cells = np.array([1 - share - false_positive, false_positive, miss * share, (1 - miss) * share])
    return cells, 1 - miss - multiple * miss


def hold(bounds, advantage):
    return (bounds[:, 0] <= advantage + 1e-12) & (advantage - 1e-12 <= bounds[:, 1])


@pytest.mark.parametrize("method", METHODS)
def test_coverage_over_all_tables_of_twelve_cases(method):
    """No simulation: every table with both classes is weighed with its probability."""
    n = 12
    tables = np.array([cells for cells in itertools.product(range(n + 1), repeat=4) if sum(cells) == n])
    tables = tables[(tables[:, :2].sum(axis=1) > 0) & (tables[:, 2:].sum(axis=1) > 0)]
    bounds = intervals_of(tables, method)
    coefficients = gammaln(n + 1) - gammaln(tables + 1).sum(axis=1)
    for share, miss, multiple in itertools.product([0.5, 0.4, 0.3], [0.1, 0.3, 0.5, 0.7, 0.9], [1, 1 / 3]):
        cells, advantage = cells_and_advantage(share, miss, multiple)
        chances = np.exp(coefficients + tables @ np.log(cells))
        assert chances[hold(bounds, advantage)].sum() / chances.sum() >= 0.95, (share, miss, multiple)


@pytest.mark.parametrize(
    ("method", "simulations"), [("bootstrap", 200), ("exact", 100), ("concentration", 50)]
)
@pytest.mark.parametrize("n", [100, pytest.param(1000, marks=pytest.mark.rehearsal)])
def test_simulated_coverage_of_95_percent_intervals_is_93_percent_or_more(n, method, simulations):
    """The hardest part of the grid of the coverage benchmark: as many errors in either class."""
    draw = generator_for("coverage", n, method)
    for share, miss in itertools.product([0.5, 0.3, 0.1], [0.05, 0.3, 0.7]):
        cells, advantage = cells_and_advantage(share, miss, 1)
        tables, times = np.unique(draw.multinomial(n, cells, size=simulations), axis=0, return_counts=True)
        coverage = times[hold(intervals_of(tables, method), advantage)].sum() / simulations
        assert coverage >= 0.93, (share, miss)


def regression(draw, n):
    """The model knows the signal and trusts it too much: f = 1.2 x for y = x + noise, both standard normal."""
    signal = draw.normal(size=n)
    return signal + draw.normal(size=n), 1.2 * signal


@pytest.mark.parametrize(
    ("loss", "advantage"), [("squared", 1 - 1.04 / 2), ("absolute", 1 - np.sqrt(1.04 / 2))]
)
def test_simulated_coverage_of_the_bootstrap_for_regression(loss, advantage):
    draw = generator_for("coverage", loss)
    bounds = np.array(
        [
            prediction_advantage_interval(
                *regression(draw, 60), loss=loss, n_resamples=1000, random_state=draw
            )
            for _ in range(500)
        ]
    )
    assert hold(bounds, advantage).mean() >= 0.93


@pytest.mark.parametrize("stratify", [False, True])
def test_simulated_coverage_of_the_bootstrap_for_cross_entropy(stratify):
    draw = generator_for("coverage", "cross_entropy", int(stratify))
    # Two kinds of cases, in equal numbers, positive with 0.1 and 0.5; the model says 0.2 and 0.6.
    risk = -np.mean([0.1 * np.log(0.2) + 0.9 * np.log(0.8), 0.5 * np.log(0.6) + 0.5 * np.log(0.4)])
    advantage = 1 - risk / -(0.3 * np.log(0.3) + 0.7 * np.log(0.7))
    bounds = []
    for _ in range(300):
        if stratify:  # as many positives as expected, and the kinds of cases as they go with them
            truth = np.arange(200) < 60
            kind = draw.random(200) < np.where(truth, 5 / 6, 5 / 14)
        else:
            kind = draw.random(200) < 0.5
            truth = draw.random(200) < np.where(kind, 0.5, 0.1)
        bounds.append(
            prediction_advantage_interval(
                truth,
                np.where(kind, 0.6, 0.2),
                loss="cross_entropy",
                stratify=stratify,
                n_resamples=500,
                random_state=draw,
            )
        )
    assert hold(np.array(bounds), advantage).mean() >= 0.93


def test_simulated_coverage_for_unequal_costs_of_three_classes():
    draw = generator_for("coverage", "cost")
    cost = np.array([[0, 4, 9], [1, 0, 3], [2, 1, 0]])
    shares, kept = (
        np.array([0.5, 0.3, 0.2]),
        0.7,
    )  # the model is right with 0.7 and draws from the shares else
    confusion = (1 - kept) * np.outer(shares, shares) + kept * np.diag(shares)
    advantage = 1 - (cost * confusion).sum() / (cost @ shares).min()
    for method, times in [("bootstrap", 300), ("concentration", 60)]:
        bounds = []
        for _ in range(times):
            truth = draw.choice(3, 150, p=shares)
            prediction = np.where(draw.random(150) < kept, truth, draw.choice(3, 150, p=shares))
            bounds.append(
                prediction_advantage_interval(
                    truth,
                    prediction,
                    loss="cost",
                    cost=cost,
                    method=method,
                    n_resamples=500,
                    random_state=draw,
                )
            )
        assert hold(np.array(bounds), advantage).mean() >= 0.93


@pytest.mark.parametrize("loss", ["squared", "cross_entropy"])
def test_concentration_covers_with_a_stated_bound(loss):
    draw = generator_for("concentration", loss)
    for _ in range(40):
        kind = draw.random(300) < 0.5
        truth = (draw.random(300) < np.where(kind, 0.5, 0.1)).astype(int)
        prediction = np.where(kind, 0.6, 0.2)
        if loss == "squared":
            risk, marginal, bound = np.mean([0.1 * 0.64 + 0.9 * 0.04, 0.5 * 0.16 + 0.5 * 0.36]), 0.21, 1
        else:
            risk = -np.mean([0.1 * np.log(0.2) + 0.9 * np.log(0.8), 0.5 * np.log(0.6) + 0.5 * np.log(0.4)])
            marginal, bound = -(0.3 * np.log(0.3) + 0.7 * np.log(0.7)), -np.log(0.1)
        low, high = prediction_advantage_interval(
            truth, prediction, loss=loss, method="concentration", bound=bound
        )
        assert low <= 1 - risk / marginal <= high


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "table", [(70, 10, 5, 15), (40, 10, 10, 40), (90, 0, 0, 10), (0, 50, 50, 0), (95, 0, 5, 0)]
)
def test_interval_holds_the_empirical_advantage_and_narrows_with_more_cases(method, table):
    widths = []
    for times in (1, 10, 100):
        truth, prediction = labels_of(np.array(table) * times)
        low, high = prediction_advantage_interval(truth, prediction, method=method)
        assert low <= prediction_advantage_score(truth, prediction) <= high
        widths.append(high - low)
    assert widths[0] > widths[1] > widths[2]


@pytest.mark.parametrize("method", METHODS)
def test_a_higher_level_gives_a_wider_interval(method):
    truth, prediction = labels_of((70, 10, 5, 15))
    ends = [
        prediction_advantage_interval(truth, prediction, method=method, level=x) for x in (0.5, 0.8, 0.95)
    ]
    assert ends[0][0] > ends[1][0] > ends[2][0]
    assert ends[0][1] < ends[1][1] < ends[2][1]


@pytest.mark.parametrize("method", METHODS)
def test_classes_may_be_renamed_and_cases_reordered(method):
    truth, prediction = labels_of((70, 10, 5, 15))
    expected = prediction_advantage_interval(truth, prediction, method=method)
    order = generator_for("reorder").permutation(100)
    renamed = [np.where(labels[order], "sick", "healthy") for labels in (truth, prediction)]
    assert prediction_advantage_interval(*renamed, method=method) == expected


def test_a_model_without_errors_is_not_certain():
    truth, prediction = labels_of((80, 0, 0, 20))
    for method in METHODS:
        low, high = prediction_advantage_interval(truth, prediction, method=method)
        assert low < 0.95
        assert high == 1.0


def test_bootstrap_is_repeatable_and_follows_its_seed():
    truth, prediction = labels_of((70, 10, 5, 15))
    default = prediction_advantage_interval(truth, prediction)
    assert prediction_advantage_interval(truth, prediction) == default
    seeded = prediction_advantage_interval(truth, prediction, random_state=1)
    assert seeded == prediction_advantage_interval(truth, prediction, random_state=np.random.default_rng(1))
    assert seeded != default


def test_stratified_bootstrap_keeps_the_marginal():
    """With the class shares held, a model that is right on one class only varies by the other alone."""
    truth, prediction = labels_of((500, 0, 50, 50))
    low, high = prediction_advantage_interval(truth, prediction, stratify=True, n_resamples=20_000)
    # PA is then the recall, whose posterior under half a case against and half a case for it is known.
    assert low == pytest.approx(beta.ppf(0.025, 50, 50.5), abs=0.01)
    assert high == pytest.approx(beta.ppf(0.975, 50.5, 50), abs=0.01)


def test_stratified_bootstrap_keeps_the_share_of_the_minority():
    """Without misses the advantage is 1 - 5 FPR, and only the false positive rate varies."""
    truth, prediction = labels_of((450, 50, 0, 100))
    low, high = prediction_advantage_interval(truth, prediction, stratify=True, n_resamples=20_000)
    free_low, free_high = prediction_advantage_interval(truth, prediction, n_resamples=20_000)
    # The lower end has half a miss in 100.5 positives besides, which shifts it a little.
    assert low == pytest.approx(1 - 5 * beta.ppf(0.975, 50.5, 450), abs=0.02)
    assert high == pytest.approx(1 - 5 * beta.ppf(0.025, 50, 450.5), abs=0.01)
    assert free_high - free_low > 1.15 * (high - low)


def test_batches_of_draws_do_not_change_the_number_of_draws(monkeypatch):
    truth, prediction = regression(generator_for("batches"), 50)
    expected = prediction_advantage_interval(truth, prediction, loss="squared")
    monkeypatch.setattr("nontrivial.measures.bootstrap.BATCH", 999)
    assert prediction_advantage_interval(truth, prediction, loss="squared") == expected


@pytest.mark.parametrize("tail", [0.2, 0.025, 0.0005])
def test_radius_is_the_quantile_of_the_mixture_of_chi_squares(tail):
    radius = _radius(tail)
    assert chi2.sf(radius**2, 1) / 2 + chi2.sf(radius**2, 2) / 4 == pytest.approx(tail, rel=1e-9)


def test_risk_ratio_bounds_without_any_error_are_binomial():
    """With no case that the model gets wrong, the upper bound is at least each of the two binomial bounds."""
    least, greatest = risk_ratio_bounds(np.array([0]), np.array([20]), np.array([0]), 0.025)
    assert least[0] == 0
    assert greatest[0] > beta.isf(0.025, 1, 20)


def test_risk_ratio_bounds_of_a_marginal_without_error_are_open():
    least, greatest = risk_ratio_bounds(np.array([0]), np.array([0]), np.array([3]), 0.025)
    assert greatest[0] == np.inf
    assert 0 < least[0] < np.inf


@pytest.mark.parametrize(("n", "tail"), [(10, 0.05), (1000, 0.001)])
def test_mean_bounds_have_closed_forms_at_the_ends_and_beat_hoeffdings_square_root(n, tail):
    assert mean_bounds(0.0, n, tail) == (0.0, pytest.approx(1 - tail ** (1 / n), rel=1e-9))
    assert mean_bounds(1.0, n, tail) == (pytest.approx(tail ** (1 / n), rel=1e-9), 1.0)
    for mean in (1e-12, 0.01, 0.3, 0.5, 0.99):
        low, high = mean_bounds(mean, n, tail)
        reach = np.sqrt(-np.log(tail) / (2 * n))
        assert mean - reach - 1e-9 <= low <= mean <= high <= mean + reach + 1e-9


def test_either_class_may_be_the_marginal_in_near_balance():
    """The interval spans what it would be were the one class or the other known to be the more frequent."""
    truth, prediction = labels_of((45, 5, 40, 10))
    low, high = prediction_advantage_interval(truth, prediction, method="exact")
    tail = 0.05 * 0.99 / 2
    least, greatest = risk_ratio_bounds(np.array([40, 5]), np.array([50, 50]), np.array([5, 40]), tail)
    assert (low, high) == (1 - greatest.max(), 1 - least.min())
    assert min(np.ptp(least), np.ptp(greatest)) > 0.01


def test_concentration_by_hand_for_a_model_that_is_always_wrong():
    """All of n cases are of one class, so that both empirical means are at the ends, where the bounds are known."""
    n = 20
    low, high = prediction_advantage_interval([1] * n, [0] * n, method="concentration")
    model = (0.05 / 4) ** (1 / n)
    marginal = 1 - (0.05 / 4 / 2) ** (1 / n)  # either of the two classes may be the marginal prediction
    assert low == -np.inf
    assert high == pytest.approx(1 - model / marginal, rel=1e-9)


def test_concentration_chooses_the_constant_on_other_cases_than_it_judges():
    """Every other case is 0, those between are 1: a constant from the one half is wrong on all of the other."""
    n = 40
    truth, prediction = np.arange(n) % 2, np.ones(n) - np.arange(n) % 2
    _, high = prediction_advantage_interval(
        truth, prediction, loss="squared", method="concentration", bound=1
    )
    assert high == pytest.approx(1 - (0.05 / 4) ** (1 / n), rel=1e-9)
    # In cross-entropy the class that the one half lacks would have been infinitely unlikely.
    low, high = prediction_advantage_interval(
        truth, np.full(n, 0.5), loss="cross_entropy", method="concentration", bound=5
    )
    assert -np.inf < low < 0 < high < 1


def test_one_class_is_nan_for_the_bootstrap_and_open_for_the_others():
    with pytest.warns(UndefinedMetricWarning, match="division by 0"):
        assert np.isnan(prediction_advantage_interval([1, 1, 1], [1, 1, 1])).all()
    for method in ("exact", "concentration"):
        low, high = prediction_advantage_interval([1, 1, 1], [1, 1, 0], method=method, labels=[0, 1])
        assert low == -np.inf
        assert high > 0.9


def test_one_class_may_have_a_cost_that_nobody_can_avoid():
    cost = [[1, 5], [2, 0]]  # even the right answer costs 1 for the first class
    low, high = prediction_advantage_interval([0] * 9, [0] * 8 + [1], loss="cost", cost=cost, labels=[0, 1])
    assert low < -1 / 9 <= high <= 0


def test_infinite_cross_entropy_stays_infinite():
    low, high = prediction_advantage_interval([0, 1, 0, 1], [0.1, 0.0, 0.1, 0.9], loss="cross_entropy")
    assert (low, high) == (-np.inf, -np.inf)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"level": 95}, "level is 95"),
        ({"method": "wald"}, "method is 'wald'; it must be one of bootstrap"),
        ({"loss": "squared", "method": "exact"}, 'is for loss="zero_one"'),
        ({"loss": "squared", "method": "concentration"}, "needs bound"),
        ({"loss": "squared", "method": "concentration", "bound": 0}, "greater than 0"),
        ({"loss": "squared", "method": "concentration", "bound": 0.5}, "greater than bound"),
        (
            {"loss": "cross_entropy", "y_pred": [0.5, 0.5, 0.5], "method": "concentration", "bound": 0.6},
            "logarithm of 2 classes",
        ),
        ({"loss": "squared", "stratify": True}, "no classes"),
        ({"n_resamples": 0}, "n_resamples"),
        ({"y_pred": [0, 1]}, "lengths differ"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        prediction_advantage_interval(**{"y_true": [0, 1, 1], "y_pred": [0, 1, 0]} | arguments)


@pytest.mark.parametrize("loss", ["squared", "absolute", "cross_entropy"])
@pytest.mark.filterwarnings("always::nontrivial.measures.UnboundedLossWarning")
def test_the_bootstrap_of_an_unbounded_loss_says_what_it_assumes(loss):
    truth, prediction = ([0, 1, 1, 0], [0.1, 0.7, 0.8, 0.2])
    with pytest.warns(UnboundedLossWarning) as caught:
        prediction_advantage_interval(truth, prediction, loss=loss)
    assert [warning.filename for warning in caught] == [__file__]


def test_a_known_marginal_prediction_narrows_the_exact_interval():
    truth, prediction = labels_of((60, 5, 10, 35))
    low, high = prediction_advantage_interval(truth, prediction, method="exact", baseline=[0])
    unknown = prediction_advantage_interval(truth, prediction, method="exact")
    assert unknown[0] <= low < high <= unknown[1]
    for method in METHODS:
        low, high = prediction_advantage_interval(truth, prediction, method=method, baseline=[0])
        assert low < prediction_advantage_score(truth, prediction, baseline=[0]) < high


def test_groups_widen_the_bootstrap_and_copies_in_groups_do_not_narrow_it():
    truth, prediction = labels_of((60, 5, 10, 35))
    once = prediction_advantage_interval(truth, prediction, groups=np.arange(110))
    twice = prediction_advantage_interval(
        np.repeat(truth, 2), np.repeat(prediction, 2), groups=np.repeat(np.arange(110), 2)
    )
    apart = prediction_advantage_interval(np.repeat(truth, 2), np.repeat(prediction, 2))
    assert twice == pytest.approx(once, abs=0.03)
    assert apart[1] - apart[0] < 0.8 * (twice[1] - twice[0])


def test_equal_weights_are_none():
    truth, prediction = labels_of((60, 5, 10, 35))
    plain = prediction_advantage_interval(truth, prediction)
    weighted = prediction_advantage_interval(truth, prediction, sample_weight=np.full(110, 3.0))
    assert weighted == pytest.approx(plain, abs=0.03)


def test_exact_intervals_agree_with_the_verdict_on_all_small_tables():
    """An end at 0 excludes it: the sign tests are sharper there."""
    sides = [(cases, wrong) for cases in range(1, 9) for wrong in range(cases + 1)]
    tables = np.array(list(itertools.combinations_with_replacement(sides, 2)))
    counts, wrong = tables[..., 0], tables[..., 1]
    low, high = exact_intervals(counts, wrong, 0.95)
    expected = np.where(low >= 0, "better", np.where(high <= 0, "worse", "not shown"))
    assert [judge_counts(*table).verdict for table in zip(counts, wrong, strict=True)] == expected.tolist()
    assert set(expected) == {"better", "worse", "not shown"}


@pytest.mark.parametrize(
    "option", [{}, {"groups": np.arange(60) // 3}, {"sample_weight": np.arange(1.0, 61)}]
)
@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_fieller_agrees_with_the_test_of_triviality_at_its_ends(option, shift):
    """The test is Student's; a model that errs by what the best constant errs, times a factor, is at an end."""
    draw = generator_for("fieller", shift)
    truth = draw.normal(size=60)
    prediction = truth + draw.normal(size=60) + shift
    low, high = prediction_advantage_interval(truth, prediction, loss="squared", method="fieller", **option)
    losses = (truth - prediction) ** 2
    marginal = (truth - np.average(truth, weights=option.get("sample_weight"))) ** 2
    total = Totals(option.get("sample_weight", np.ones(60)), option.get("groups"))
    for end, sign in ((low, 1), (high, -1)):
        saved = sign * total((1 - end) * marginal - losses)
        assert ttest_1samp(saved, 0, alternative="greater").pvalue == pytest.approx(0.025)
    found = triviality_test(truth, prediction, loss="squared", **option)
    assert (found.pvalue <= 0.025) == (low > 0)


def test_fieller_has_no_lower_end_for_a_handful_and_is_not_for_classes():
    truth, prediction = [0.0, 0.1, 0.2, 9.0], [0.1, 0.1, 0.3, 8.0]
    bounds = prediction_advantage_interval(truth, prediction, loss="squared", method="fieller")
    assert bounds == (-np.inf, 1.0)
    with pytest.raises(ValueError, match="between classes"):
        prediction_advantage_interval([0, 1, 1], [0, 1, 0], method="fieller")


@pytest.mark.parametrize("rows", [1, 4])
def test_fieller_covers_where_the_bootstrap_does_not(rows):
    """Squared losses of a lognormal target, in 20 groups of equal cases."""
    draw, bounds = generator_for("coverage", "fieller", rows), []
    for _ in range(300):
        x, u = np.repeat(np.sqrt(0.5) * draw.normal(size=(2, 20)), rows, axis=1)
        options = {"loss": "squared", "groups": np.repeat(np.arange(20), rows), "n_resamples": 200}
        bounds += [
            prediction_advantage_interval(np.exp(x + u), np.exp(x + 0.25), method=method, **options)
            for method in ("fieller", "bootstrap")
        ]
    advantage = 1 - np.e**1.5 * (np.sqrt(np.e) - 1) / (np.e * (np.e - 1))
    held = hold(np.array(bounds), advantage)
    assert held[::2].mean() >= 0.94 > 0.9 > held[1::2].mean()


@pytest.mark.parametrize("method", ["exact", "concentration"])
@pytest.mark.parametrize("option", ["sample_weight", "groups"])
def test_only_the_bootstrap_takes_weights_and_groups(method, option):
    with pytest.raises(ValueError, match="bootstrap"):
        prediction_advantage_interval([0, 1, 1], [0, 1, 0], method=method, **{option: [1, 2, 3]})
