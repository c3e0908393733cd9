"""Intervals for the Prediction Advantage: coverage, exactly for 12 cases and by simulation for more; closed forms."""

import itertools
import pickle
from fractions import Fraction

import numpy as np
import pytest
from measures.coverage import hold
from measures.exact_tables import labels_of
from scipy.special import gammaln
from scipy.stats import binomtest
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.measures import prediction_advantage_interval, prediction_advantage_score, triviality_test
from nontrivial.measures.fieller import paired_bounds
from nontrivial.seeds import generator_for, seed_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
METHODS = ["bootstrap", "exact", "concentration"]


def intervals_of(tables, method):
    """Of tables of TN, FP, FN, TP."""
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


@pytest.mark.parametrize("method", METHODS)
def test_coverage_over_all_tables_of_ten_cases(method):
    """No simulation: every table with both classes is weighed with its probability."""
    n = 10
    tables = np.array([cells for cells in itertools.product(range(n + 1), repeat=4) if sum(cells) == n])
    tables = tables[(tables[:, :2].sum(axis=1) > 0) & (tables[:, 2:].sum(axis=1) > 0)]
    bounds = intervals_of(tables, method)
    coefficients = gammaln(n + 1) - gammaln(tables + 1).sum(axis=1)
    for share, miss, multiple in itertools.product([0.5, 0.4, 0.3], [0.1, 0.3, 0.5, 0.7, 0.9], [1, 1 / 3]):
        cells, advantage = cells_and_advantage(share, miss, multiple)
        chances = np.exp(coefficients + tables @ np.log(cells))
        least = 0.93 if method == "bootstrap" else 0.95
        assert chances[hold(bounds, advantage)].sum() / chances.sum() >= least, (share, miss, multiple)


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


def test_simulated_coverage_for_unequal_costs_of_three_classes():
    draw = generator_for("coverage", "cost")
    cost = np.array([[0, 4, 9], [1, 0, 3], [2, 1, 0]])
    # The model is right with 0.7, and draws from the shares else.
    shares, kept = np.array([0.5, 0.3, 0.2]), 0.7
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


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("known", [None, 0])
@pytest.mark.parametrize("method", ["bootstrap", "exact"])
def test_an_interval_lies_on_one_side_of_0_exactly_where_sign_tests_show_it(method, known, level):
    """By SciPy's binomial tests; an end at 0 of a verdict excludes it."""
    places, tail = [0, 1] if known is None else [known], (1 - level) / 2
    shown = set()
    for table in itertools.product([0, 1, 6, 9], repeat=4):
        right, wrong = table[::3], table[1:3]
        if 0 in (right[0] + wrong[0], right[1] + wrong[1]) or sum(wrong) + right[1 - places[0]] == 0:
            continue
        if sum(table) < 5:
            continue  # too few for an interval by draws
        p_values = {"better": [], "worse": []}
        for place in places:
            won, lost = right[1 - place], wrong[place]
            of_both = max(won + lost, 1)
            p_values["better"].append(binomtest(won, of_both, alternative="greater").pvalue)
            p_values["worse"].append(binomtest(lost, of_both, alternative="greater").pvalue)
        verdicts = {
            "better": max(p_values["better"]) <= tail,
            "worse": min(p_values["worse"]) * len(places) <= tail,
        }
        low, high = prediction_advantage_interval(
            *labels_of(table),
            method=method,
            baseline=None if known is None else [known],
            level=level,
            n_resamples=200,
        )
        assert low >= 0 if verdicts["better"] else low <= 0, table
        assert high <= 0 if verdicts["worse"] else high >= 0, table
        shown.update(verdict for verdict, found in verdicts.items() if found)
    assert shown == {"better", "worse"}


def test_only_a_known_constant_that_errs_has_an_interval():
    truth, prediction = np.zeros(20, int), np.arange(20) < 4
    low, high = prediction_advantage_interval(truth, prediction, baseline=[1], labels=[0, 1])
    assert low < 1 - 4 / 20 < high
    with pytest.warns(UndefinedMetricWarning, match="division by 0"):
        assert np.isnan(prediction_advantage_interval(truth, prediction, baseline=[0])).all()


@pytest.mark.parametrize("table", [(8, 1, 5, 8), (76, 4, 6, 14)])
def test_neither_the_order_of_the_classes_nor_a_class_without_cases_changes_an_interval(table):
    truth, prediction = labels_of(table)
    for method in ("bootstrap", "exact"):
        found = prediction_advantage_interval(truth, prediction, method=method)
        assert found == prediction_advantage_interval(1 - truth, 1 - prediction, method=method)
    assert prediction_advantage_interval(
        truth, prediction, labels=[0, 1, 2]
    ) == prediction_advantage_interval(truth, prediction)


def test_a_label_that_is_never_true_is_no_constant_to_be_worse_than():
    truth, prediction = np.repeat([0, 1], [2, 10]), np.repeat([0, 1, 0, 1, 2], [1, 1, 6, 1, 3])
    assert prediction_advantage_interval(truth, prediction).high < 0


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


def test_one_class_is_nan_for_the_bootstrap_and_open_for_the_others():
    with pytest.warns(UndefinedMetricWarning, match="division by 0"):
        assert np.isnan(prediction_advantage_interval([1, 1, 1], [1, 1, 1], method="bootstrap")).all()
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
    truth, said = [0, 1, 0, 1, 1], [0.1, 0.0, 0.1, 0.9, 0.9]
    low, high = prediction_advantage_interval(truth, said, loss="cross_entropy")
    assert (low, high) == (-np.inf, -np.inf)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"level": 95}, "level is 95"),
        ({"stratify": "no"}, "stratify is 'no'"),
        ({"level": np.complex64(0.9)}, "level is "),
        ({"level": Fraction(10**20 - 1, 10**20)}, "level is "),
        ({"method": "wald"}, "method is 'wald'; it must be one of bootstrap"),
        ({"loss": "squared", "method": "exact"}, 'is for loss="zero_one"'),
        ({"loss": "squared", "method": "concentration"}, "needs bound"),
        ({"loss": "squared", "method": "concentration", "bound": 0}, "greater than 0"),
        ({"loss": "squared", "bound": 10**400}, "greater than 0"),
        ({"loss": "squared", "bound": "5"}, "greater than 0"),
        ({"loss": "squared", "method": "concentration", "bound": 0.5}, "greater than bound"),
        (
            {"loss": "cross_entropy", "y_pred": [0.5, 0.5, 0.5], "method": "concentration", "bound": 0.6},
            "logarithm of 2 classes",
        ),
        ({"loss": "squared", "stratify": True}, "no classes"),
        ({"method": "exact", "stratify": True}, "does not take stratify"),
        ({"loss": "squared", "method": "fieller", "stratify": True}, "does not take stratify"),
        ({"method": "bootstrap", "n_resamples": 0}, "n_resamples"),
        ({"y_pred": [0, 1]}, "lengths differ"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        prediction_advantage_interval(**{"y_true": [0, 1, 1], "y_pred": [0, 1, 0]} | arguments)


def test_equal_weights_are_none():
    truth, prediction = labels_of((60, 5, 10, 35))
    plain = prediction_advantage_interval(truth, prediction)
    assert prediction_advantage_interval(truth, prediction, sample_weight=np.full(110, 3.0)) == plain
    assert prediction_advantage_interval(truth, prediction, groups=np.arange(110)) == plain


@pytest.mark.parametrize(
    ("options", "method"),
    [
        ({}, "bootstrap"),
        ({"baseline": [0] * 70 + [1] * 30}, "bootstrap"),
        ({"sample_weight": np.arange(1, 101) % 7 + 1}, "bootstrap"),
        ({"groups": np.arange(100) // 2}, "bootstrap"),
        ({"sample_weight": np.full(100, 3.0)}, "bootstrap"),
        ({"stratify": True}, "bootstrap"),
        ({"loss": "cost", "cost": [[0, 3], [1, 0]]}, "bootstrap"),
        ({"loss": "squared"}, "fieller"),
        ({"loss": "squared", "bound": 1}, "concentration"),
        ({"loss": "cross_entropy", "stratify": True}, "bootstrap"),
    ],
)
def test_each_loss_has_the_interval_of_the_scorecard(options, method):
    truth, prediction = labels_of((60, 10, 10, 20))
    if options.get("loss") == "cross_entropy":
        prediction = np.where(prediction, 0.8, 0.1)
    found = prediction_advantage_interval(truth, prediction, **options)
    assert found == prediction_advantage_interval(truth, prediction, method=method, **options)
    assert found.method == method
    of_numbers = options.get("loss") in ("squared", "cross_entropy")
    of_probabilities = of_numbers and method == "fieller"
    may_differ = not {"groups", "sample_weight"}.isdisjoint(options)
    of_classes = "alike_mistakes" if may_differ else "one_more_case"
    sampled = "one_worst_case" if of_probabilities else "no_rare_loss" if of_numbers else of_classes
    assert found.assumes == (sampled if method in ("bootstrap", "fieller") else None)
    again = pickle.loads(pickle.dumps(found))
    assert (again, again.level, again.method, again.assumes) == (found, 0.95, method, found.assumes)


@pytest.mark.parametrize(
    ("cells", "advantage"),
    [
        ((10.6, 95.4, 0, 94), -0.0149),
        ((45, 0, 38.5, 16.5), 0.1444),
        ((0, 55, 0, 45), -0.2222),
    ],
)
@pytest.mark.parametrize("options", [{}, {"loss": "cost", "cost": [[0, 1], [1, 0]]}], ids=["labels", "cost"])
def test_the_bootstrap_holds_where_either_class_may_be_the_more_frequent(cells, advantage, options):
    """Against the class that is so in the sample alone, 80 % of these intervals held."""
    n = round(sum(cells))
    tables = generator_for("near ties", str(cells)).multinomial(n, np.array(cells) / sum(cells), size=300)
    tables, times = np.unique(tables, axis=0, return_counts=True)
    bounds = np.array(
        [
            prediction_advantage_interval(*labels_of(table), method="bootstrap", n_resamples=400, **options)
            for table in tables
        ]
    )
    assert times[hold(bounds, advantage)].sum() / 300 >= 0.93


@pytest.mark.parametrize("method", ["exact", "concentration"])
@pytest.mark.parametrize("option", ["sample_weight", "groups"])
def test_only_the_bootstrap_takes_weights_and_groups(method, option):
    with pytest.raises(ValueError, match="bootstrap"):
        prediction_advantage_interval([0, 1, 1], [0, 1, 0], method=method, **{option: [1, 2, 2]})


@pytest.mark.parametrize("option", [{"groups": [1, 2, 2]}, {"sample_weight": [1, 2, 2]}, {"stratify": True}])
def test_a_bound_that_would_not_be_used_is_refused(option):
    with pytest.raises(ValueError, match="bound"):
        prediction_advantage_interval([0, 1, 1], [0, 1, 0], loss="squared", bound=1, **option)


@pytest.mark.parametrize("method", [None, "concentration"])
def test_a_bound_of_a_loss_that_has_its_own_is_refused(method):
    with pytest.raises(ValueError, match="has a known bound"):
        prediction_advantage_interval([0, 1, 1], [0, 1, 0], method=method, bound=1)


@pytest.mark.parametrize(("constant", "known"), [(0.2, 0.0), (0.0, 0.2)])
def test_a_constant_compared_with_a_known_one_is_as_uncertain_as_their_difference(constant, known):
    truth = np.random.default_rng(0).normal(size=50)
    found = prediction_advantage_interval(
        truth, np.full(50, constant), loss="squared", baseline=[known], method="fieller"
    )
    longer = [np.append(truth, one) for one in truth]
    with_one_more = [paired_bounds((each - constant) ** 2, (each - known) ** 2, 0.95) for each in longer]
    assert found.low == pytest.approx(min(bounds.low for bounds in with_one_more), rel=0.01)
    assert found.high == pytest.approx(max(bounds.high for bounds in with_one_more), rel=0.01)


@pytest.mark.parametrize(("n", "least"), [(6, 0.0), (60, 0.85), (600, 0.98)])
def test_numbers_without_an_error_may_have_one_in_a_further_case(n, least):
    """It loses there what the best constant loses at most."""
    truth = np.arange(float(n))
    low, high = prediction_advantage_interval(truth, truth, loss="squared", method="fieller")
    marginal = (truth - truth.mean()) ** 2
    one_more = paired_bounds(np.append(0 * truth, marginal.max()), np.append(marginal, marginal.max()), 0.95)
    assert (low, high) == (max(one_more.low, 0.0), 1.0)
    assert least <= low < 1


@pytest.mark.parametrize(
    "options", [{"loss": "absolute"}, {"loss": "pinball", "quantile": 0.8}, {"loss": "squared"}], ids=str
)
def test_groups_of_equal_cases_are_as_uncertain_as_their_weights_say(options):
    """Three equal cases of a group are one case that weighs three."""
    truth = np.random.default_rng(1).normal(size=40)
    weights = 1.0 + np.arange(40) % 3
    many = np.repeat(np.arange(40), weights.astype(int))
    alone = prediction_advantage_interval(
        truth, np.full(40, 0.1), sample_weight=weights, method="fieller", **options
    )
    together = prediction_advantage_interval(
        truth[many], np.full(len(many), 0.1), groups=many, method="fieller", **options
    )
    assert tuple(together) == pytest.approx(tuple(alone), rel=1e-9)


def test_the_interval_of_numbers_has_nothing_below_zero_exactly_where_the_test_says_better():
    seen = set()
    for seed in range(60):
        x, u = np.random.default_rng(seed).normal(size=(2, 30))
        options = {"loss": "squared"}
        low, _ = prediction_advantage_interval(0.6 * x + u, 0.6 * x, method="fieller", **options)
        is_better = triviality_test(0.6 * x + u, 0.6 * x, **options).pvalue <= 0.025
        assert (low >= 0) == is_better
        seen.add(is_better)
    assert seen == {True, False}
