"""Tests of two models and of triviality: exact p-values, symmetry, level, power, weights and groups."""

import itertools

import numpy as np
import pytest
from curves.rankings import moderate
from hypothesis import assume, given
from hypothesis import strategies as st
from measures.exact_tables import chances_of, labels_of, tables_of
from scipy.stats import binomtest, ttest_rel
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.measures import compare_models, prediction_advantage_score, triviality_test
from nontrivial.measures.finite_sample import STAKES
from nontrivial.seeds import generator_for

ASSUMING = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")
pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnequalCasesWarning")


def case(n=200, seed=0):
    draw = generator_for("comparison", n, seed)
    truth = draw.random(n) < 0.3
    return truth, truth ^ (draw.random(n) < 0.1), truth ^ (draw.random(n) < 0.25)


@pytest.mark.parametrize("loss", [{}, {"loss": "cost", "cost": [[0, 4], [1, 0]]}])
def test_the_difference_is_that_of_the_scores(loss):
    truth, *models = case()
    result = compare_models(truth, *models, **loss)
    scores = [prediction_advantage_score(truth, each, **loss) for each in models]
    assert result.difference == pytest.approx(scores[0] - scores[1])
    assert result.low < result.difference < result.high
    same = compare_models(truth, models[0], models[0], **loss)
    assert (same.difference, same.pvalue) == (0, 1)
    assert same.low < 0 < same.high


@pytest.mark.parametrize(("won", "lost", "told"), [(12, 3, True), (29, 15, True), (24, 12, False), (20, 9, False)])
def test_the_p_value_is_that_of_mcnemar_and_the_interval_ends_at_0_or_holds_it_as_this_tells(won, lost, told):
    truth = np.arange(100) < 45
    first, second = truth.copy(), truth.copy()
    second[:won] = first[won : won + lost] = False
    forth, back = compare_models(truth, first, second), compare_models(truth, second, first)
    assert forth.pvalue == pytest.approx(binomtest(won, won + lost).pvalue)
    assert (forth.pvalue <= 0.05) == told
    assert forth.low >= 0 >= back.high if told else forth.low <= 0 <= back.high


@pytest.mark.parametrize(
    "options",
    [{}, {"loss": "squared"}, {"loss": "cost", "cost": [[0, 2], [1, 0]]}, {"groups": np.arange(200) // 4}],
    ids=["zero_one", "squared", "cost", "groups"],
)
@ASSUMING
def test_the_other_way_round_is_the_negative(options):
    truth, first, second = (each.astype(float if options.get("loss") == "squared" else int) for each in case())
    equal = truth.copy()
    equal[::-1][: np.count_nonzero(first != truth)] = 1 - truth[::-1][: np.count_nonzero(first != truth)]
    for other in (second, equal):
        result = compare_models(truth, first, other, **options)
        reverse = compare_models(truth, other, first, **options)
        assert result == pytest.approx((-reverse[0], -reverse[2], -reverse[1], reverse[3]), abs=1e-12)
    assert result.difference == 0 or "cost" in options


@pytest.mark.parametrize("seed", [0, 7, 28, 34])
def test_the_p_value_of_groups_is_near_the_share_of_all_exchanges(seed):
    draw, groups = np.random.default_rng(seed), np.arange(24) // 3
    truth = draw.random(24) < 0.5
    first, second = (truth ^ (draw.random(24) < share) for share in (0.1, 0.5))
    gained = np.bincount(groups, weights=(second != truth).astype(float) - (first != truth))
    exchanged = np.array(list(itertools.product((1, -1), repeat=8))) @ gained
    expected = np.mean(np.abs(exchanged) >= abs(gained.sum()) - 1e-9)
    result = compare_models(truth, first, second, groups=groups, n_resamples=10_000)
    assert result.pvalue == pytest.approx(expected, abs=0.015)


@ASSUMING
def test_two_models_of_numbers_have_the_paired_test_of_scipy():
    truth, *models = np.random.default_rng(0).normal(size=(3, 50))
    losses = [(truth - each) ** 2 for each in models]
    result = compare_models(truth, *models, loss="squared")
    assert result.pvalue == pytest.approx(ttest_rel(*losses).pvalue)


@ASSUMING
@pytest.mark.parametrize("loss", ["zero_one", "cost", "squared"])
@moderate
@given(st.integers(0, 10**6), st.sampled_from([None, "groups", "sample_weight"]), st.floats(0, 3))
def test_p_value_and_interval_agree_at_every_level(loss, seed, drawn_by, gain):
    options = {"loss": loss, "n_resamples": 200} | ({"cost": [[0, 3], [1, 0]]} if loss == "cost" else {})
    if drawn_by:
        options[drawn_by] = np.arange(60) // 2 if drawn_by == "groups" else 1 + np.arange(60) % 3
    assume(drawn_by or loss != "zero_one")  # McNemar's test moves ends to 0 alone
    draw = np.random.default_rng(seed)
    truth, error, other = draw.normal(size=(3, 60))
    models = [truth, truth + error, truth + (1 + gain) * other]
    if loss != "squared":
        models = [each > 0.5 for each in models]
        assume(models[0].any())
    p = compare_models(*models, **options).pvalue
    for alpha, excluded in ((p + 1e-6, True), (p - 1e-6, False)):
        if 0.02 < alpha < 1:
            result = compare_models(*models, level=1 - alpha, **options)
            assert (result.low > 0 or result.high < 0) == excluded


@ASSUMING
def test_a_difference_of_numbers_may_exceed_1_and_has_no_end_for_a_handful():
    truth = np.arange(20.0)
    result = compare_models(truth, truth, np.roll(truth, 7), loss="squared")
    assert 1 < result.low < result.difference < result.high
    truth = [0.0] * 5 + [1.0]
    result = compare_models(truth, truth, [0.0] * 6, loss="squared")
    assert result[1:] == (-np.inf, np.inf, result.pvalue)
    assert result.pvalue > 0.05
    truth, said = [0, 1, 1, 0, 1], [0.1, 0.9, 0.9, 0.2, 0.8]
    endless = compare_models(truth, said, [*said[:4], 0.0], loss="cross_entropy")
    assert endless == (np.inf, -np.inf, np.inf, 1)  # the other model may have an infinite loss, too
    with pytest.warns(UndefinedMetricWarning) as caught:
        undefined = compare_models([0, 1, 1], [1.0, 0.9, 0.9], [0.1, 0.9, 0.0], loss="cross_entropy")
    assert np.isnan(undefined).all()
    assert RuntimeWarning not in [each.category for each in caught]
    tiny = np.full(20, 1e-80)
    assert compare_models(np.arange(20.0), tiny, tiny, loss="squared").difference == 0
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(compare_models([1, 1], [1, 0], [1, 1])).all()


# Is one model better than trivial?


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
    result = triviality_test(truth, prediction, baseline=baseline)
    assert result.statistic == prediction_advantage_score(truth, prediction, baseline=baseline)
    expected = binomtest(won, won + lost, alternative="greater").pvalue
    assert result.pvalue == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.2])
def test_level_is_held_over_all_tables_of_twelve_cases(alpha):
    """No simulation: wherever the true advantage is 0 or negative, rejection has at most probability alpha."""
    tables, reached = tables_of(12), []
    rejected = np.array([triviality_test(*labels_of(table)).pvalue <= alpha for table in tables])
    for share, true_positive in itertools.product([0.1, 0.3, 0.4, 0.45, 0.5], [0.05, 0.25, 0.5, 0.75, 0.95]):
        hit = true_positive * share  # as many true positives as false ones, so that the advantage is 0
        reached.append(chances_of(tables, [1 - share - hit, hit, share - hit, hit])[rejected].sum())
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
    result = triviality_test(truth, prediction, loss="squared", bound=1).pvalue
    losses = (truth - prediction) ** 2

    def capital(constant):
        return np.mean([np.prod(1 + stake * ((truth - constant) ** 2 - losses)) for stake in STAKES])

    assert result >= 1 / min(map(capital, np.linspace(0, 1, 2001))) * (1 - 1e-6)
    assert result <= 2 / capital(truth.mean())


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
    result = triviality_test(truth, prediction, **options)
    assert result.pvalue >= expected
    assert not result.statistic > 0
