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


def test_two_classes_by_hand():
    """Against a constant 0 the model wins TP and loses FP; against a constant 1 it wins TN and loses FN."""
    truth, prediction = labels_of([76, 4, 6, 14])
    result = triviality_test(truth, prediction)
    assert result.statistic == prediction_advantage_score(truth, prediction) == 0.5
    expected = binomtest(14, 18, alternative="greater").pvalue
    assert result.pvalue == pytest.approx(expected, rel=1e-12)


def test_both_classes_must_be_beaten():
    """In near balance the harder of the two constants decides, even if it is not the majority."""
    truth, prediction = labels_of([49, 2, 25, 24])  # against 0: 24 to 2; against 1: 49 to 25
    expected = binomtest(49, 74, alternative="greater").pvalue
    assert triviality_test(truth, prediction).pvalue == pytest.approx(expected, rel=1e-12)


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


def guesses_of_three(draw):
    return *draw.integers(0, 3, (2, 90)), {}


def alarms_at_random(draw):
    """A miss costs 4, a false alarm 1: alarms for a fifth, at random, are as good as the better constant in balance."""
    return draw.random(100) < 0.2, draw.random(100) < 0.5, {"loss": "cost", "cost": [[0, 4], [1, 0]]}


def twice_the_signal(draw):
    """Exactly as bad as the constant."""
    signal, noise = draw.normal(size=(2, 80))
    return signal + noise, 2 * signal, {"loss": "squared"}


def rare_outliers(draw):
    """The model errs by 1 in a hundredth of the cases, and is a little better than the constant in all others.

    The true advantage is negative: 0.01 + 0.25 x 0.0025 against 0.0025 + 0.01 x 0.25.
    """
    truth = 0.5 + 0.05 * draw.normal(size=100).clip(-3, 3)
    far = draw.random(100) < 0.01
    return np.where(far, 0.0, truth), np.where(far, 1.0, 0.25 + 0.5 * truth), {"loss": "squared", "bound": 1}


@ASSUMING
@pytest.mark.parametrize("models", [guesses_of_three, alarms_at_random, twice_the_signal, rare_outliers])
def test_a_worthless_model_seems_better_in_no_more_than_the_level(models):
    draw, p_values = generator_for("triviality", models.__name__), []
    for _ in range(200):
        truth, prediction, options = models(draw)
        p_values.append(triviality_test(truth, prediction, **options).pvalue)
    assert np.mean(np.array(p_values) <= 0.05) <= 0.05 + 2 * np.sqrt(0.05 * 0.95 / 200)


@ASSUMING
def test_without_a_bound_rare_outliers_go_unseen():
    """Which is why it warns."""
    draw = generator_for("triviality", "outliers")
    cases = [rare_outliers(draw)[:2] for _ in range(100)]
    assert np.mean([triviality_test(*each, loss="squared").pvalue <= 0.05 for each in cases]) > 0.2
    with pytest.warns(UnboundedLossWarning):
        triviality_test(*cases[0], loss="squared")


@ASSUMING
def test_other_losses_are_the_paired_test_of_scipy():
    draw = generator_for("triviality", "paired")
    truth = draw.normal(size=30)
    prediction = truth + draw.normal(size=30)
    marginal = (truth - truth.mean()) ** 2
    expected = ttest_rel(marginal, (truth - prediction) ** 2, alternative="greater").pvalue
    assert triviality_test(truth, prediction, loss="squared").pvalue == pytest.approx(expected, rel=1e-12)


@ASSUMING
def test_good_models_are_found_out():
    draw = generator_for("triviality", "power")
    truth = draw.random(400) < 0.2
    prediction = truth ^ (draw.random(400) < 0.05)
    assert triviality_test(truth, prediction).pvalue < 1e-4
    probability = np.where(prediction, 0.8, 0.05)
    assert triviality_test(truth, probability, loss="cross_entropy").pvalue < 1e-4
    signal = draw.normal(size=200)
    for loss in ("squared", "absolute", lambda y, p: np.abs(y - p) ** 1.5):
        assert triviality_test(signal + draw.normal(size=200), signal, loss=loss).pvalue < 1e-4


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
@pytest.mark.parametrize("loss", ["zero_one", "squared", "absolute"])
def test_the_marginal_prediction_is_not_better_than_itself(loss):
    truth = [0, 0, 0, 1, 2]
    assert triviality_test(truth, [0] * 5, loss=loss).pvalue >= 0.5


@ASSUMING
def test_a_constant_wrong_probability_of_zero_is_hopeless():
    result = triviality_test([0, 1, 1, 0], [0.1, 0.0, 0.9, 0.1], loss="cross_entropy")
    assert result == (-np.inf, 1.0)


def test_one_class_only_cannot_be_beaten():
    with pytest.warns(UndefinedMetricWarning, match="no model can be better"):
        result = triviality_test([1, 1], [1, 0])
    assert np.isnan(result.statistic)
    assert result.pvalue == 1.0


@ASSUMING
def test_fewer_than_five_cases_tell_nothing_about_numbers():
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


@pytest.mark.parametrize("how", [{"groups": np.arange(60)}, {"sample_weight": np.full(60, 3.0)}])
def test_groups_of_one_case_each_and_equal_weights_are_none(how):
    draw = generator_for("triviality", "groups")
    truth = draw.random(60) < 0.4
    prediction = truth ^ (draw.random(60) < 0.2)
    assert triviality_test(truth, prediction, **how) == triviality_test(truth, prediction)


def test_a_known_marginal_prediction_is_tested_alone():
    truth, prediction = labels_of([49, 2, 25, 24])  # against 0: 24 to 2; against 1: 49 to 25
    found = triviality_test(truth, prediction, baseline=[0, 0, 1])
    assert found.pvalue == pytest.approx(binomtest(24, 26, alternative="greater").pvalue)
    assert found.statistic == prediction_advantage_score(truth, prediction, baseline=[0, 0, 1])


@pytest.mark.parametrize(
    ("options", "warned"),
    [
        ({}, False),
        ({"groups": np.arange(60) // 2}, False),
        ({"sample_weight": np.full(60, 3.0)}, False),
        ({"groups": np.arange(60) // 7}, True),
        ({"sample_weight": np.arange(60) % 2 + 1}, True),
        ({"sample_weight": np.arange(60) % 2 + 1, "loss": "squared", "bound": 1}, True),
    ],
)
def test_a_test_that_supposes_that_nothing_is_heavier_says_so(options, warned):
    truth = np.arange(60) % 3 % 2
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        triviality_test(truth, truth, **options)
    assert [each.category for each in caught] == [UserWarning] * warned
    assert all(each.filename == __file__ for each in caught)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("options", "test", "assumes"),
    [
        ({}, "sign", None),
        ({"groups": np.arange(60) // 2}, "betting", "heaviest_seen"),
        ({"sample_weight": np.full(60, 3.0)}, "sign", "heaviest_seen"),
        ({"groups": np.arange(60) // 7}, "betting", "heaviest_seen"),
        ({"loss": "squared"}, "paired_t", "no_rare_loss"),
        ({"loss": "squared", "groups": np.arange(60) // 7}, "paired_t", "no_rare_loss"),
        ({"loss": "squared", "bound": 1}, "betting", None),
        ({"loss": "absolute", "bound": 1}, "hoeffding", None),
        ({"sample_weight": np.arange(60) % 3 == 1}, None, None),
    ],
)
def test_a_result_says_its_test_and_what_that_assumes(options, test, assumes):
    truth = np.arange(60) % 3 % 2
    found = triviality_test(truth, truth, **options)
    assert (found.test, found.test_assumes) == (test, assumes)
    statistic, pvalue = found
    assert pickle.loads(pickle.dumps(found)).test == found.test
    assert found._replace(pvalue=0.5)[1] == 0.5 != pvalue
    assert statistic == 1 or np.isnan(statistic)


@pytest.mark.parametrize("positives", [1, 7, 30])
def test_the_marginal_frequencies_themselves_tell_nothing_under_a_bound(positives):
    truth = (np.arange(60) < positives).astype(int)
    constant = np.full(60, positives / 60)
    assert triviality_test(truth, constant, loss="cross_entropy", bound=10) == (0.0, 1.0)


def test_weights_of_zero_leave_cases_out():
    truth, prediction = labels_of([49, 2, 25, 24])
    weights = np.arange(100) % 4 / 2
    some = weights > 0
    assert triviality_test(truth, prediction, sample_weight=weights) == triviality_test(
        truth[some], prediction[some], sample_weight=weights[some]
    )


@pytest.mark.parametrize("options", [{"bound": 1}, {"loss": "squared", "bound": 0.01}, {"groups": [1] * 5}])
def test_bad_options_are_refused(options):
    with pytest.raises(ValueError, match=r"bound|groups"):
        triviality_test([0, 0, 0, 1, 2], [0, 1, 0, 1, 2], **options)


def test_costs_stand_in_the_order_of_the_labels_given():
    truth, prediction = labels_of([76, 4, 6, 14])
    sorted_ones = triviality_test(truth, prediction, loss="cost", cost=[[0, 5], [1, 0]])
    turned = triviality_test(truth, prediction, loss="cost", cost=[[0, 1], [5, 0]], labels=[1, 0])
    assert turned == pytest.approx(sorted_ones, rel=1e-12)
    assert sorted_ones.statistic == pytest.approx(1 - (4 + 5 * 6) / 80, rel=1e-12)


@ASSUMING
def test_a_group_that_weighs_nothing_is_no_group():
    draw = generator_for("triviality", "empty groups")
    truth, prediction, groups = draw.normal(size=12), draw.normal(size=12) / 9, np.repeat([0, 1, 2, 3], 3)
    weights = np.where(groups == 1, 0.0, 1.0)
    some = weights > 0
    assert triviality_test(
        truth, prediction, loss="squared", groups=groups, sample_weight=weights
    ) == pytest.approx(
        triviality_test(truth[some], prediction[some], loss="squared", groups=groups[some]), rel=1e-12
    )
