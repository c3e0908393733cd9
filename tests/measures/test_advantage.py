"""Prediction Advantage, the marginal prediction and what is related: closed forms, exact fractions, peers."""

from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pytest
from sklearn import metrics
from sklearn.exceptions import DataConversionWarning, UndefinedMetricWarning

from nontrivial.measures import (
    bayesian_marginal_prediction,
    efron_r2_score,
    goodman_kruskal_lambda_score,
    prediction_advantage_score,
    selective_advantage_curve,
)
from nontrivial.seeds import generator_for

COST = np.array([[0, 5, 1], [1, 0, 2], [4, 1, 0]])
COSTS = {"loss": "cost", "cost": COST}
RNG = generator_for("advantage")
LABELS, GUESSES, FREQUENT = RNG.integers(0, 3, 61), RNG.integers(0, 3, 61), RNG.integers(0, 2, 61)
CHANCES, CHANCE = RNG.dirichlet(np.ones(3), 61), RNG.random(61)
REALS, SAID = RNG.normal(size=61), RNG.normal(size=61)
SEVERAL, SAID_SEVERAL = RNG.normal(size=(61, 3)), RNG.normal(size=(61, 3))
WEIGHTS = {"equal": None, "whole": RNG.integers(0, 4, 61), "decimal": RNG.random(61) + 0.01}
weighted = pytest.mark.parametrize("weights", WEIGHTS.values(), ids=WEIGHTS)


def scalar_loss(true, predicted):
    return 0.0 if true == predicted else 1.0


def capped_loss(true, predicted):
    return np.minimum((true - predicted) ** 2, 1)


OF_OUTPUTS = partial(metrics.r2_score, multioutput="variance_weighted")
PINBALL = {"loss": "pinball", "quantile": 0.3}
# Truth, prediction, options, and the peer.
PEERS = {
    "log_loss": (LABELS, CHANCES, {"loss": "cross_entropy"}, metrics.d2_log_loss_score),
    "log_loss of one column": (FREQUENT, CHANCE, {"loss": "log_loss"}, metrics.d2_log_loss_score),
    "columns in another order": (
        np.array(list("abc"))[LABELS],
        CHANCES,
        {"loss": "cross_entropy", "labels": ["c", "b", "a"]},
        lambda y, p, **options: metrics.d2_log_loss_score(y, p[:, ::-1], **options),
    ),
    "squared": (REALS, SAID, {"loss": "squared"}, metrics.r2_score),
    "squared of outputs": (SEVERAL, SAID_SEVERAL, {"loss": "squared"}, OF_OUTPUTS),
    "absolute": (REALS, SAID, {"loss": "absolute"}, metrics.d2_absolute_error_score),
    "pinball": (REALS, SAID, PINBALL, partial(metrics.d2_pinball_score, alpha=0.3)),
    "callable": (
        REALS,
        SAID,
        {"loss": lambda y, p: np.where(y > p, 0.9 * (y - p), 0.1 * (p - y))},
        partial(metrics.d2_pinball_score, alpha=0.9),
    ),
}


@pytest.mark.parametrize(("truth", "prediction", "options", "peer"), PEERS.values(), ids=PEERS)
@weighted
def test_peers(truth, prediction, options, peer, weights):
    result = prediction_advantage_score(truth, prediction, sample_weight=weights, **options)
    assert result == pytest.approx(peer(truth, prediction, sample_weight=weights), rel=1e-9)


@pytest.mark.parametrize(
    ("truth", "prediction", "options", "same"),
    [
        (LABELS, GUESSES, {"loss": scalar_loss}, {}),
        (LABELS, GUESSES, {"loss": "cost", "cost": 1 - np.eye(3)}, {}),
        (LABELS, GUESSES, {"loss": lambda y, p: COST[p, y]}, COSTS),
        (LABELS, GUESSES, {"loss": "cost", "cost": COST[::-1, ::-1], "labels": [2, 1, 0]}, COSTS),
        (REALS, SAID, {"loss": lambda y, p: (y - p) ** 2}, {"loss": "squared"}),
        (REALS, SAID, {"loss": "absolute"}, {"loss": "pinball", "quantile": 0.5}),
        (FREQUENT, CHANCE, {"loss": "brier_score"}, {"loss": "squared"}),
    ],
)
@weighted
def test_losses_that_are_the_same_have_the_same_advantage(truth, prediction, options, same, weights):
    result, expected = (
        prediction_advantage_score(truth, prediction, sample_weight=weights, **each) for each in (options, same)
    )
    assert result == pytest.approx(expected, rel=1e-9)


LOSSES = {
    "zero_one": (LABELS, GUESSES, {}),
    "cost": (LABELS, GUESSES, COSTS),
    "cross_entropy": (LABELS, CHANCES, {"loss": "cross_entropy"}),
    "squared": (REALS, SAID, {"loss": "squared"}),
    "absolute": (SEVERAL, SAID_SEVERAL, {"loss": "absolute"}),
    "pinball": (SEVERAL, SAID_SEVERAL, {"loss": "pinball", "quantile": 0.7}),
    "callable": (REALS, SAID, {"loss": capped_loss}),
}
every_loss = pytest.mark.parametrize(("truth", "prediction", "options"), LOSSES.values(), ids=LOSSES)


@every_loss
@weighted
def test_no_constant_is_better_than_the_marginal_prediction(truth, prediction, options, weights):
    """PA paper, lemmas 2.2 to 2.5 and section 2.7."""

    def advantage(constant, **known):
        said = np.repeat(np.asarray(constant)[None], len(truth), axis=0)
        return prediction_advantage_score(truth, said, **options, **known)

    best, risk = bayesian_marginal_prediction(truth, sample_weight=weights, **options)
    assert advantage(best, sample_weight=weights) == pytest.approx(0, abs=1e-15)
    assert max(advantage(each, sample_weight=weights) for each in prediction) <= 1e-15
    assert risk > 0


@every_loss
def test_a_constant_known_before_is_no_better_than_one_chosen_in_hindsight(truth, prediction, options):
    training = truth[:40]
    constant, _ = bayesian_marginal_prediction(training, **options)
    said = np.repeat(np.asarray(constant)[None], len(truth), axis=0)
    assert prediction_advantage_score(truth, said, baseline=training, **options) == 0
    hindsight, own, fair = (
        prediction_advantage_score(truth, prediction, **options, **known)
        for known in ({}, {"baseline": truth}, {"baseline": training})
    )
    assert hindsight == own <= fair


@pytest.mark.parametrize(
    ("y", "options", "prediction", "risk"),
    [
        ([2, 1, 2, 1], {}, 1, 0.5),
        (list("aaabbc"), {}, "a", 0.5),
        # To miss one costs ten false alarms.
        ([0, 0, 0, 1], {"loss": "cost", "cost": [[0, 10], [1, 0]]}, 1, 0.75),
        ([0, 1, 1], {"loss": "cost", "cost": np.zeros((2, 2))}, 0, 0),
        ([0.0, 0.0, 3.0, 5.0], {"loss": "squared"}, 2.0, 4.5),
        ([0.0, 0.0, 3.0, 5.0], {"loss": "absolute"}, 1.5, 2.0),
        ([1.0, 5.0, 2.0], {"loss": "absolute", "sample_weight": [2, 1, 1]}, 1.5, 1.25),
        ([0.0, 1.0, 1.0, 2.0], {"loss": lambda y, p: (y != p) * 1.0}, 1.0, 0.5),
        ([0.0, 1.0, 2.0], {"loss": lambda y, p: (y != p) * 1.0, "sample_weight": [1, 1, 5]}, 2.0, 2 / 7),
        ([0.0, 1.0, 1.0], {"loss": lambda y, p: (y - p) ** 2, "labels": [0, 1]}, 1, 1 / 3),
        ([1, 0, 0], {"loss": "cross_entropy", "sample_weight": [0, 1, 1]}, [1.0, 0.0], 0.0),
        (list("abb"), {"loss": "cross_entropy"}, [1 / 3, 2 / 3], np.log(3) - 2 / 3 * np.log(2)),
    ],
)
def test_marginal_predictions_by_hand(y, options, prediction, risk):
    result = bayesian_marginal_prediction(y, **options)
    assert np.asarray(result[0]).tolist() == (prediction if isinstance(prediction, str) else pytest.approx(prediction))
    assert result[1] == pytest.approx(risk, rel=1e-15)


def test_the_deepest_of_many_valleys_is_found():
    truth = np.r_[np.arange(15) * 2, 40 + np.linspace(0, 1, 30), np.arange(30, 85) * 2]
    assert bayesian_marginal_prediction(truth, loss=capped_loss)[0] == pytest.approx(40.5, abs=1e-6)
    truth, weights = np.arange(1000.0), np.ones(1000)
    weights[501] = 3000
    constant, _ = bayesian_marginal_prediction(truth, loss=capped_loss, sample_weight=weights)
    assert constant == pytest.approx(501, abs=1e-2)


# 0/1 loss in fractions.


def test_every_binary_case_of_six_in_fractions():
    for truth in product([0, 1], repeat=6):
        trivial = min(sum(truth), 6 - sum(truth))
        for errors in range(7) if trivial else ():
            prediction = [1 - y if i < errors else y for i, y in enumerate(truth)]
            assert prediction_advantage_score(truth, prediction) == float(1 - Fraction(errors, trivial))


def test_as_many_labels_as_cases_need_no_square_memory():
    labels = np.arange(100_000)
    assert prediction_advantage_score(labels, labels) == 1
    assert goodman_kruskal_lambda_score(labels, labels[::-1]) == 1


# Probabilities.


def test_a_class_of_hardly_any_weight_keeps_its_digits():
    light, heavy = 1e-6, 1e6
    options = {"loss": "cross_entropy", "sample_weight": [light, heavy]}
    least = (light * np.log1p(heavy / light) + heavy * np.log1p(light / heavy)) / (light + heavy)
    assert bayesian_marginal_prediction([1, 0], **options)[1] == pytest.approx(least, rel=1e-14)
    advantage = prediction_advantage_score([1, 0], [0.5, 0.5], **options)
    assert advantage == pytest.approx(1 - np.log(2) / least, rel=1e-14)


@pytest.mark.filterwarnings("ignore:The y_prob")
def test_probabilities_of_32_bits_cost_what_scikit_learn_says():
    chance = np.linspace(0.9991, 0.9999, 50)
    truth, rows = np.arange(50) % 50 > 0, np.column_stack([1 - chance, chance]).astype(np.float32)
    advantage = prediction_advantage_score(truth, rows, loss="cross_entropy")
    assert advantage == pytest.approx(metrics.d2_log_loss_score(truth, rows.astype(float)), rel=1e-9)


def test_one_column_is_the_greater_label_and_a_certain_mistake_infinitely_bad():
    score = partial(prediction_advantage_score, loss="cross_entropy")
    expected = score(FREQUENT, np.column_stack([1 - CHANCE, CHANCE]))
    assert score(FREQUENT, CHANCE) == expected
    with pytest.warns(DataConversionWarning):
        assert score(FREQUENT, CHANCE[:, None]) == expected
    assert score([0, 1], [0.5, 0.0]) == -np.inf


# Numbers and losses of one's own.


def test_one_output_may_be_a_column():
    truth, column = np.array([1.0, 2.0, 4.0]), np.array([[1.0], [2.0], [3.0]])
    for loss in ("squared", "absolute"):
        expected = prediction_advantage_score(truth, column.ravel(), loss=loss)
        assert prediction_advantage_score(truth, column, loss=loss) == expected
        assert prediction_advantage_score(truth[:, None], column, loss=loss) == expected


def test_floats_as_python_objects_are_a_regression_and_whole_numbers_are_classes():
    score = partial(prediction_advantage_score, loss=lambda y, p: np.abs(y - p))
    truth, said = [1.5, 2.5, 3.7, 1.5], [1.4, 2.5, 3.5, 2]
    assert score(truth, said) == score(*(np.array(each, dtype=object) for each in (truth, said)))
    assert score([0, 2, 2], [0, 0, 2]) == 0  # of the classes 0 and 2; the median is 2 as well
    assert prediction_advantage_score([1.5], [1.0], loss=scalar_loss, baseline=[1.0]) == 0


# 0/0 and bad input.


@pytest.mark.parametrize(
    ("truth", "prediction", "options"),
    [
        ([1, 1], [1, 0], {}),
        ([1, 1], [1, 1], {"loss": scalar_loss}),
        ([0, 1, 1], [0, 1, 0], {"loss": "cost", "cost": np.zeros((2, 2))}),
        ([0.1] * 3, [0.1, 0.1, 0.2], {"loss": "squared"}),
        ([0, 0, 1], [0.1, 0.1, 0.9], {"loss": "cross_entropy", "sample_weight": [1, 1, 0]}),
        ([0, 0], [0, 1], {"prevalence": 0.3}),
    ],
)
def test_no_risk_of_the_marginal_prediction_is_nan_with_a_warning(truth, prediction, options):
    with pytest.warns(UndefinedMetricWarning, match="division by 0|one class only"):
        assert np.isnan(prediction_advantage_score(truth, prediction, **options))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"loss": "hinge"}, "loss is 'hinge'; it must be one of zero_one"),
        ({"loss": "cost"}, "cost, the matrix"),
        ({"loss": "cost", "cost": np.eye(3)}, "shape \\(3, 3\\) for 2 classes"),
        ({"loss": "cost", "cost": [[0, -1], [1, 0]]}, "negative"),
        ({"loss": "cross_entropy", "y_pred": [0.5, 1.5]}, "outside \\[0, 1\\]"),
        ({"loss": "cross_entropy", "y_pred": [[0.5, 0.4], [0.5, 0.5]]}, "add up to 1"),
        ({"loss": "cross_entropy", "y_pred": np.full((2, 3), 1 / 3)}, "for 2 classes; name all"),
        ({"loss": "cross_entropy", "y_pred": [0.5, 0.5], "baseline": [0, 0]}, "baseline lacks the class 1"),
        ({"loss": "cross_entropy", "y_true": ["ill", "well"], "y_pred": [0.9, 0.2]}, "pos_label must"),
        ({"loss": "squared", "y_pred": [[0, 1], [1, 0]]}, "number of outputs"),
        ({"loss": "squared", "labels": [0, 1]}, "labels has no meaning"),
        ({"loss": "pinball"}, "quantile"),
        ({"y_pred": [0.2, 1]}, "y_pred holds fractions"),
        ({"y_pred": ["0", "1"]}, "strings"),
        ({"y_true": [0.5, 1.0], "loss": lambda y, p: np.mean(y != p)}, "not one per case"),
        ({"y_true": [0.5, 1.0], "loss": lambda y, p: -np.abs(y - p)}, "negative"),
        ({"y_true": [0.5, 1.0], "loss": lambda y, p: np.full(len(y), np.nan)}, "NaN"),
        ({"y_true": np.arange(4000), "y_pred": np.arange(4000), "loss": capped_loss}, "takes 4000 distinct"),
        ({"prevalence": 1.0}, "prevalence is 1.0"),
        ({"prevalence": [0.5, 0.6]}, "2 shares"),
        ({"prevalence": [0.2, 0.3, 0.5]}, "2 shares"),
        ({"prevalence": [0.2, 0.3, 0.5], "labels": [0, 1, 2]}, "class 2, of which"),
        ({"prevalence": 0.5, "labels": [0, 1, 2]}, "is one number"),
        ({"prevalence": 0.5, "baseline": [0, 1]}, "without baseline"),
        ({"prevalence": 0.5, "loss": "squared"}, "between classes"),
        ({"prevalence": 0.5, "y_true": ["a", "b"], "y_pred": ["a", "b"]}, "pos_label must"),
    ],
)
def test_bad_input_is_refused(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        prediction_advantage_score(**{"y_true": [0, 1], "y_pred": [0, 1]} | arguments)


# Other shares of the classes.


@pytest.mark.parametrize("name", ["zero_one", "cost", "cross_entropy"])
def test_a_prevalence_is_a_weight_of_the_classes(name):
    truth, prediction, options = LOSSES[name]
    shares = np.array([0.7, 0.1, 0.2])
    result = prediction_advantage_score(truth, prediction, prevalence=shares, **options)
    weights = (shares / np.bincount(truth))[truth]
    expected = prediction_advantage_score(truth, prediction, sample_weight=weights, **options)
    assert result == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("labels", [None, [0, 1], [1, 0]])
def test_one_share_is_that_of_the_greater_label_whatever_their_order(labels):
    truth, prediction = [0, 0, 0, 1, 1], [0, 0, 1, 1, 0]
    for share in (0.1, 0.3, 0.5):
        result = prediction_advantage_score(truth, prediction, labels=labels, prevalence=share)
        assert result == pytest.approx(1 - ((1 - share) / 3 + share / 2) / share, rel=1e-14)


# What others call these quantities.


@pytest.mark.parametrize(("weights", "expected"), [(None, 1 / 3), ([1, 2, 1, 1, 0, 4], 1 - 2 / 5)])
def test_lambda_relabels_the_predictions(weights, expected):
    truth, prediction = ["ant", "ant", "bee", "bee", "bee", "cat"], [1, 1, 2, 2, 1, 2]
    result = goodman_kruskal_lambda_score(truth, prediction, sample_weight=weights)
    assert result == pytest.approx(expected, rel=1e-15)
    assert goodman_kruskal_lambda_score(LABELS, GUESSES) >= prediction_advantage_score(LABELS, GUESSES)


def test_labels_of_one_column_are_two():
    assert efron_r2_score([1, 1, 0], [1, 1, 0], labels=[0, 1]) == 1
    for bad, reason in (([0, 1, 2], "3 classes"), ([0, 2], "label 1 is none")):
        with pytest.raises(ValueError, match=reason):
            efron_r2_score([1, 1, 0], [1, 1, 0], labels=bad)


# Classifiers that abstain.


def covered_one_by_one(truth, prediction, confidence, weights):
    """Return coverage, risk, advantage and whether it is trivial, of every threshold, each from nothing."""
    points = []
    for threshold in sorted(set(confidence[weights > 0]), reverse=True):
        own, wrong = dict.fromkeys(set(truth), Fraction(0)), Fraction(0)
        remaining = confidence >= threshold
        for y, p, w in zip(truth[remaining], prediction[remaining], weights[remaining], strict=True):
            own[y] += Fraction(w)
            wrong += Fraction(w) * int(y != p)
        covered = sum(own.values())
        of_marginal = covered - max(own.values())
        of_one_class = -np.inf if wrong else np.nan
        advantage = float(1 - wrong / of_marginal) if of_marginal else of_one_class
        coverage = float(covered / sum(map(Fraction, weights)))
        points.append((coverage, float(wrong / covered), advantage, wrong >= of_marginal))
    return np.array(points).T


@pytest.mark.parametrize("seed", range(12))
def test_every_point_is_the_measure_of_the_covered_cases(seed):
    draw, n = generator_for("selective", seed), 60
    truth = draw.choice([0, 1, 2], n, p=[0.6, 0.3, 0.1])
    if seed >= 8:
        truth.sort()  # one class is covered first
    prediction = np.where(draw.random(n) < 0.7, truth, draw.integers(0, 3, n))
    confidence = draw.integers(0, 15, n) / 4 if seed < 8 else -(np.arange(n) // 2)  # with ties
    # Sums of decimal weights cancel exactly.
    weights = [np.ones(n), draw.integers(0, 4, n).astype(float), 10 ** draw.uniform(-4.4, 4.4, n)][seed % 3]
    given = None if seed % 3 == 0 else weights
    curve = selective_advantage_curve(truth, prediction, confidence, sample_weight=given)
    *expected, trivial = covered_one_by_one(truth, prediction, confidence, weights)
    np.testing.assert_allclose(list(curve), expected, rtol=2e-15)
    assert (curve.trivial == trivial).all()
    assert (np.diff(curve.thresholds) < 0).all()
    assert curve.coverage[-1] == 1
    assert curve.advantage[-1] == pytest.approx(
        prediction_advantage_score(truth, prediction, sample_weight=given), rel=1e-12
    )


def test_one_class_without_errors_is_undefined_but_trivial():
    curve = selective_advantage_curve([0, 0, 1], [0, 0, 1], [0.9, 0.9, 0.1])
    assert np.isnan(curve.advantage[0])
    assert curve.trivial.tolist() == [True, False]
    with pytest.warns(UndefinedMetricWarning):
        curve = selective_advantage_curve([0, 0, 0], [0, 0, 1], [0.9, 0.8, 0.1])
    assert np.array_equal(curve.advantage, [np.nan, np.nan, -np.inf], equal_nan=True)
