"""The test of triviality: exact p-values, its level under the null, its power."""

import itertools
import pickle
import warnings

import numpy as np
import pytest
from measures.exact_tables import labels_of
from scipy.special import gammaln
from scipy.stats import binomtest, ttest_rel
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.measures import UnboundedLossWarning, prediction_advantage_score, triviality_test
from nontrivial.measures.finite_sample import STAKES
from nontrivial.seeds import generator_for

ASSUMING = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")


@pytest.mark.parametrize(
    ("table", "baseline", "won", "lost"),
    [
        ([76, 4, 6, 14], None, 14, 4),  # against a constant 0 the model wins TP and loses FP
        ([49, 2, 25, 24], None, 49, 25),  # the harder constant decides, even if it is not the majority
        ([49, 2, 25, 24], [0, 0, 1], 24, 2),  # a known one is tested alone
    ],
)
def test_labels_have_the_binomial_test_of_scipy(table, baseline, won, lost):
    truth, prediction = labels_of(table)
    found = triviality_test(truth, prediction, baseline=baseline)
    assert found.statistic == prediction_advantage_score(truth, prediction, baseline=baseline)
    expected = binomtest(won, won + lost, alternative="greater").pvalue
    assert found.pvalue == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_level_is_held_over_all_tables_of_twelve_cases(alpha):
    """No simulation: wherever the true advantage is 0 or negative, rejection has at most probability alpha."""
    n = 12
    tables = np.array([t for t in itertools.product(range(n + 1), repeat=4) if sum(t) == n])
    tables = tables[(tables[:, :2].sum(axis=1) > 0) & (tables[:, 2:].sum(axis=1) > 0)]
    rejected = np.array([triviality_test(*labels_of(table)).pvalue <= alpha for table in tables])
    coefficients = gammaln(n + 1) - gammaln(tables + 1).sum(axis=1)
    reached = []
    for share, true_positive in itertools.product([0.1, 0.3, 0.4, 0.45, 0.5], [0.05, 0.25, 0.5, 0.75, 0.95]):
        hit = true_positive * share  # as many true positives as false ones, so that the advantage is 0
        cells = np.array([1 - share - hit, hit, share - hit, hit])
        reached.append(np.exp(coefficients + tables @ np.log(cells))[rejected].sum())
    assert max(reached) <= alpha + 1e-12
    assert alpha == 0.01 or max(reached) > alpha / 20  # twelve cases cannot be that clear


@pytest.mark.parametrize("loss", ["squared", "absolute", "cross_entropy", "cost"])
def test_bounded_tests_hold_their_level_and_find_good_models(loss):
    draw = generator_for("triviality", "bounded", loss)
    options = {"cross_entropy": {"bound": 5.0}, "cost": {"cost": [[0, 4], [1, 0]]}}.get(loss, {"bound": 1})
    guessed, good = [], []
    for _ in range(60):
        chance = draw.uniform(0.02, 0.98, 150)
        truth = (draw.random(150) < chance).astype(int if loss in ("cross_entropy", "cost") else float)
        guess, known = draw.permutation(chance), 0.1 + 0.8 * truth
        if loss == "cost":
            guess, known = (guess > 0.2).astype(int), truth
        guessed.append(triviality_test(truth, guess, loss=loss, **options).pvalue)
        good.append(triviality_test(truth, known, loss=loss, **options).pvalue)
    assert np.mean(np.array(guessed) <= 0.05) <= 0.05
    assert np.max(good) < 0.01


@ASSUMING
def test_numbers_have_the_paired_test_of_scipy_but_fewer_than_five_tell_nothing():
    truth, error = generator_for("triviality", "paired").normal(size=(2, 30))
    marginal = (truth - truth.mean()) ** 2
    expected = ttest_rel(marginal, error**2, alternative="greater").pvalue
    assert triviality_test(truth, truth + error, loss="squared").pvalue == pytest.approx(expected, rel=1e-12)
    for n, expected in ((2, 1.0), (4, 1.0), (5, 0.04)):
        truth = np.linspace(0, 1, n)
        assert triviality_test(truth, truth, loss="squared").pvalue == pytest.approx(expected, abs=0.01)
    with pytest.warns(UndefinedMetricWarning):
        assert triviality_test([0.5], [0.5], loss="squared").pvalue == 1.0


def test_the_greatest_p_value_is_over_all_constants():
    """No constant on a grid leaves less capital than the one found."""
    draw = generator_for("triviality", "constants")
    truth = draw.beta(2, 5, 60)
    prediction = np.clip(truth + 0.1 * draw.normal(size=60), 0, 1)
    found = triviality_test(truth, prediction, loss="squared", bound=1).pvalue
    losses = (truth - prediction) ** 2

    def capital(constant):
        return np.mean([np.prod(1 + stake * ((truth - constant) ** 2 - losses)) for stake in STAKES])

    assert found >= 1 / min(map(capital, np.linspace(0, 1, 2001))) * (1 - 1e-6)
    assert found <= 2 / capital(truth.mean())


@pytest.mark.parametrize("options", [{"bound": 1}, {"loss": "squared", "bound": 0.01}, {"groups": [1] * 5}])
def test_bad_options_are_refused(options):
    with pytest.raises(ValueError, match=r"bound|groups"):
        triviality_test([0, 0, 0, 1, 2], [0, 1, 0, 1, 2], **options)


@ASSUMING
@pytest.mark.parametrize(
    ("truth", "prediction", "options", "expected"),
    [
        *(([0, 0, 0, 1, 2], [0] * 5, {"loss": loss}, 0.5) for loss in ("zero_one", "squared", "absolute")),
        ([0, 1, 1, 0], [0.1, 0.0, 0.9, 0.1], {"loss": "cross_entropy"}, 1.0),
        ([1] + [0] * 59, [1 / 60] * 60, {"loss": "cross_entropy", "bound": 10}, 1.0),
        ([1] * 30 + [0] * 30, [0.5] * 60, {"loss": "cross_entropy", "bound": 10}, 1.0),
        ([1, 1], [1, 0], {}, 1.0),
    ],
)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
def test_a_model_that_is_no_better_than_the_constant_is_not_shown_to_be(truth, prediction, options, expected):
    found = triviality_test(truth, prediction, **options)
    assert found.pvalue >= expected
    assert not found.statistic > 0


@ASSUMING
@pytest.mark.parametrize("loss", ["zero_one", "squared"])
def test_weights_and_groups_that_say_nothing_change_nothing(loss):
    draw = generator_for("triviality", "groups")
    truth = draw.random(60) < 0.4
    prediction = truth ^ (draw.random(60) < 0.2)
    if loss == "squared":
        truth, prediction = truth.astype(float), 0.8 * prediction
    alone = triviality_test(truth, prediction, loss=loss)
    assert triviality_test(truth, prediction, loss=loss, groups=np.arange(60)) == alone
    assert triviality_test(truth, prediction, loss=loss, sample_weight=np.full(60, 3.0)) == alone
    weights, groups = np.arange(60) % 4 / 2, np.arange(60) // 3
    weights[3:6] = 0  # all of a group
    some = weights > 0
    for each in ({}, {"groups": groups}):
        found = triviality_test(truth, prediction, loss=loss, sample_weight=weights, **each)
        kept = {name: value[some] for name, value in each.items()}
        expected = triviality_test(
            truth[some], prediction[some], loss=loss, sample_weight=weights[some], **kept
        )
        assert found == pytest.approx(expected, rel=1e-12)


HEAVY = {"sample_weight": np.arange(60) % 2 + 1}
BOUND = {"loss": "squared", "bound": 1}


@pytest.mark.parametrize(
    ("options", "test", "assumes", "warned"),
    [
        ({}, "sign", None, []),
        ({"groups": np.arange(60) // 2}, "betting", "heaviest_seen", []),
        ({"groups": np.arange(60) // 7}, "betting", "heaviest_seen", []),
        ({"sample_weight": np.full(60, 3.0)}, "sign", "heaviest_seen", []),
        (HEAVY, "betting", "heaviest_seen", []),
        ({"loss": "squared"}, "paired_t", "no_rare_loss", [UnboundedLossWarning]),
        ({"loss": "squared"} | HEAVY, "paired_t", "no_rare_loss", [UnboundedLossWarning]),
        (BOUND, "betting", None, []),
        (BOUND | HEAVY, "betting", "heaviest_seen", []),
        (BOUND | {"baseline": [0.0, 1.0]}, "betting", None, []),
        ({"loss": "absolute", "bound": 1}, "hoeffding", None, []),
        ({"sample_weight": np.arange(60) % 3 == 1}, None, None, [UndefinedMetricWarning]),
    ],
)
def test_a_result_says_its_test_and_what_that_assumes(options, test, assumes, warned):
    truth = np.arange(60) % 3 % 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = triviality_test(truth, truth, **options)
    assert [each.category for each in caught] == warned
    assert all(each.filename == __file__ for each in caught)
    assert (found.test, found.test_assumes) == (test, assumes)
    assert pickle.loads(pickle.dumps(found)).test == found.test
    assert found.statistic == 1 or test is None
    assert found.pvalue < 0.5 or test is None


def test_costs_stand_in_the_order_of_the_labels_given():
    truth, prediction = labels_of([76, 4, 6, 14])
    sorted_ones = triviality_test(truth, prediction, loss="cost", cost=[[0, 5], [1, 0]])
    turned = triviality_test(truth, prediction, loss="cost", cost=[[0, 1], [5, 0]], labels=[1, 0])
    assert turned == pytest.approx(sorted_ones, rel=1e-12)
    assert sorted_ones.statistic == pytest.approx(1 - (4 + 5 * 6) / 80, rel=1e-12)
