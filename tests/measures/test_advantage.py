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
    no_information_rate,
    prediction_advantage_score,
)
from nontrivial.seeds import generator_for

COST = np.array([[0, 5, 1], [1, 0, 2], [4, 1, 0]])
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
    "squared of outputs": (
        SEVERAL,
        SAID_SEVERAL,
        {"loss": "squared"},
        partial(metrics.r2_score, multioutput="variance_weighted"),
    ),
    "absolute": (REALS, SAID, {"loss": "absolute"}, metrics.d2_absolute_error_score),
    "pinball": (
        REALS,
        SAID,
        {"loss": "pinball", "quantile": 0.3},
        partial(metrics.d2_pinball_score, alpha=0.3),
    ),
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
    found = prediction_advantage_score(truth, prediction, sample_weight=weights, **options)
    assert found == pytest.approx(peer(truth, prediction, sample_weight=weights), rel=1e-9)


@pytest.mark.parametrize(
    ("truth", "prediction", "options", "same"),
    [
        (LABELS, GUESSES, {"loss": lambda y, p: y != p}, {}),
        (LABELS, GUESSES, {"loss": scalar_loss}, {}),
        (LABELS, GUESSES, {"loss": "cost", "cost": 1 - np.eye(3)}, {}),
        (LABELS, GUESSES, {"loss": lambda y, p: COST[p, y]}, {"loss": "cost", "cost": COST}),
        (
            LABELS,
            GUESSES,
            {"loss": "cost", "cost": COST[::-1, ::-1], "labels": [2, 1, 0]},
            {"loss": "cost", "cost": COST},
        ),
        (REALS, SAID, {"loss": lambda y, p: (y - p) ** 2}, {"loss": "squared"}),
        (REALS, SAID, {"loss": lambda y, p: np.abs(y - p)}, {"loss": "absolute"}),
        (REALS, SAID, {"loss": "absolute"}, {"loss": "pinball", "quantile": 0.5}),
        (FREQUENT, CHANCE, {"loss": "brier_score"}, {"loss": "squared"}),
    ],
)
@weighted
def test_losses_that_are_the_same_have_the_same_advantage(truth, prediction, options, same, weights):
    found, expected = (
        prediction_advantage_score(truth, prediction, sample_weight=weights, **each)
        for each in (options, same)
    )
    assert found == pytest.approx(expected, rel=1e-9)


LOSSES = {
    "zero_one": (LABELS, GUESSES, {}),
    "cost": (LABELS, GUESSES, {"loss": "cost", "cost": COST}),
    "cross_entropy": (LABELS, CHANCES, {"loss": "cross_entropy"}),
    "squared": (REALS, SAID, {"loss": "squared"}),
    "absolute": (SEVERAL, SAID_SEVERAL, {"loss": "absolute"}),
    "pinball": (SEVERAL, SAID_SEVERAL, {"loss": "pinball", "quantile": 0.7}),
    "callable": (REALS, SAID, {"loss": capped_loss}),
}
every_loss = pytest.mark.parametrize(("truth", "prediction", "options"), LOSSES.values(), ids=LOSSES)


@every_loss
def test_weights_are_repetitions(truth, prediction, options):
    weights = WEIGHTS["whole"]
    rows = [each.repeat(weights, axis=0) for each in (truth, prediction)]
    found = prediction_advantage_score(truth, prediction, sample_weight=weights, **options)
    assert found == pytest.approx(prediction_advantage_score(*rows, **options), rel=1e-9)
    one, risk = bayesian_marginal_prediction(truth, sample_weight=weights, **options)
    other, repeated_risk = bayesian_marginal_prediction(rows[0], **options)
    np.testing.assert_allclose(one, other, rtol=1e-6)
    assert risk == pytest.approx(repeated_risk, rel=1e-9)


@every_loss
def test_the_marginal_prediction_itself_has_no_advantage_over_itself(truth, prediction, options):
    constant, _ = bayesian_marginal_prediction(truth, **options)
    said = np.repeat(np.asarray(constant)[None], len(truth), axis=0)
    assert prediction_advantage_score(truth, said, **options) == pytest.approx(0, abs=1e-15)
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
        (
            [0, 0, 0, 1],
            {"loss": "cost", "cost": [[0, 10], [1, 0]]},
            1,
            0.75,
        ),  # to miss one costs ten false alarms
        ([0, 1, 1], {"loss": "cost", "cost": np.zeros((2, 2))}, 0, 0),
        ([0.0, 0.0, 3.0, 5.0], {"loss": "squared"}, 2.0, 4.5),
        ([0.0, 0.0, 3.0, 5.0], {"loss": "absolute"}, 1.5, 2.0),
        ([1.0, 5.0, 2.0], {"loss": "absolute", "sample_weight": [2, 1, 1]}, 1.5, 1.25),
        ([0.0, 1.0, 1.0, 2.0], {"loss": lambda y, p: (y != p) * 1.0}, 1.0, 0.5),
        (
            [0.0, 1.0, 2.0, 3.0],
            {"loss": lambda y, p: (y != p) * 1.0, "sample_weight": [1, 1, 5, 1]},
            2.0,
            3 / 8,
        ),
        ([0.0, 1.0, 1.0], {"loss": lambda y, p: (y - p) ** 2, "labels": [0, 1]}, 1, 1 / 3),
        ([1, 0, 0], {"loss": "cross_entropy", "sample_weight": [0, 1, 1]}, [1.0, 0.0], 0.0),
        (
            list("aaabbc"),
            {"loss": "cross_entropy"},
            [1 / 2, 1 / 3, 1 / 6],
            np.log(2) / 2 + np.log(3) / 3 + np.log(6) / 6,
        ),
    ],
)
def test_marginal_predictions_by_hand(y, options, prediction, risk):
    found = bayesian_marginal_prediction(y, **options)
    assert np.asarray(found[0]).tolist() == (
        prediction if isinstance(prediction, str) else pytest.approx(prediction)
    )
    assert found[1] == pytest.approx(risk, rel=1e-15)


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


@pytest.mark.parametrize(("options", "advantage"), [(3, Fraction(2, 5)), (4, Fraction(7, 15))])
def test_the_exam_with_sixty_right_answers(options, advantage):
    """Answers spread evenly over the options, in as many questions as that takes."""
    truth = np.arange(300) % options
    prediction = np.where(np.arange(300) < 120, (truth + 1) % options, truth)
    assert prediction_advantage_score(truth, prediction) == pytest.approx(float(advantage), rel=1e-15)


def test_as_many_labels_as_cases_need_no_square_memory():
    labels = np.arange(100_000)
    assert prediction_advantage_score(labels, labels) == 1
    assert goodman_kruskal_lambda_score(labels, labels[::-1]) == 1


# Probabilities.


@pytest.mark.parametrize("positives", range(1, 10))
def test_marginal_frequencies_of_a_rare_class_have_exactly_no_advantage(positives):
    truth = (np.arange(10_000) < positives).astype(int)
    frequencies, _ = bayesian_marginal_prediction(truth, loss="cross_entropy")
    constant = np.tile(frequencies, (len(truth), 1))
    assert prediction_advantage_score(truth, constant, loss="cross_entropy") == 0


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


def test_whole_numbers_that_floats_hold_are_taken_however_large():
    truth = np.array([2**62, 2**62 + 2**20, 2**62 + 2**21])
    assert prediction_advantage_score(truth, truth[[0, 1, 1]], loss="squared") == 0.5


def test_floats_as_python_objects_are_a_regression_and_whole_numbers_are_classes():
    score = partial(prediction_advantage_score, loss=lambda y, p: np.abs(y - p))
    truth, said = [1.5, 2.5, 3.7, 1.5], [1.4, 2.5, 3.5, 2]
    assert score(truth, said) == score(*(np.array(each, dtype=object) for each in (truth, said)))
    assert score([1, 2, 4, 1], np.array([1, 2.5, 4, 1], dtype=object)) == score([1, 2, 4, 1], [1, 2.5, 4, 1])
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
        ([0.1] * 3, [0.1, 0.1, 0.2], {"loss": "absolute"}),
        ([0, 0, 1], [0.1, 0.1, 0.9], {"loss": "cross_entropy", "sample_weight": [1, 1, 0]}),
        ([0, 0], [0, 1], {"prevalence": 0.3}),
        ([0, 0], [0, 1], {"prevalence": [0.3, 0.7]}),
    ],
)
def test_no_risk_of_the_marginal_prediction_is_nan_with_a_warning(truth, prediction, options):
    with pytest.warns(UndefinedMetricWarning, match="division by 0|one class only"):
        assert np.isnan(prediction_advantage_score(truth, prediction, **options))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"loss": "hinge"}, "loss is 'hinge'; it must be one of zero_one"),
        ({"loss": np.array(["squared", "hinge"])}, "it must be one of zero_one"),
        ({"cost": [[0, 1], [1, 0]]}, "cost, the matrix"),
        ({"loss": "cost"}, "cost, the matrix"),
        ({"loss": "cost", "cost": np.eye(3)}, "shape \\(3, 3\\) for 2 classes"),
        ({"loss": "cost", "cost": [[0, -1], [1, 0]]}, "negative"),
        ({"loss": "cross_entropy", "y_pred": [0.5, 1.5]}, "outside \\[0, 1\\]"),
        ({"loss": "cross_entropy", "y_pred": [[0.5, 0.4], [0.5, 0.5]]}, "add up to 1"),
        ({"loss": "cross_entropy", "y_pred": np.full((2, 3), 1 / 3)}, "for 2 classes; name them"),
        ({"loss": "cross_entropy", "y_pred": [0.5, 0.5], "baseline": [0, 0]}, "baseline lacks the class 1"),
        ({"loss": "cross_entropy", "y_true": ["ill", "well"], "y_pred": [0.9, 0.2]}, "labels must name"),
        ({"loss": "squared", "y_pred": [[0, 1], [1, 0]]}, "number of outputs"),
        ({"loss": "squared", "labels": [0, 1]}, "labels has no meaning"),
        ({"loss": "squared", "quantile": 0.5}, "quantile"),
        ({"loss": "pinball"}, "quantile"),
        ({"loss": "pinball", "quantile": 1}, "quantile"),
        ({"y_pred": [0.2, 1]}, "y_pred holds fractions"),
        ({"y_pred": [0, 1, 1]}, "inconsistent"),
        ({"y_pred": [0, np.nan]}, "NaN"),
        ({"y_pred": ["0", "1"]}, "strings"),
        ({"labels": [0, 2]}, "label 1 is none"),
        ({"sample_weight": [1, -1]}, "negative"),
        ({"y_true": [0.5, 1.0], "loss": lambda y, p: np.mean(y != p)}, "one per case"),
        ({"y_true": [0.5, 1.0], "loss": lambda y, p: -np.abs(y - p)}, "negative"),
        ({"y_true": [0.5, 1.0], "loss": lambda y, p: np.full(len(y), np.nan)}, "NaN"),
        ({"y_true": np.arange(4000), "y_pred": np.arange(4000), "loss": capped_loss}, "takes 4000 distinct"),
        ({"y_true": np.eye(2) / 2, "y_pred": np.eye(2), "loss": capped_loss}, "one output"),
        *(
            ({"prevalence": shares} | options, "prevalence")
            for shares, options in [
                (1.0, {}),
                ([0.5, 0.6], {}),
                ([1.5, -0.5], {}),
                ([0.2, 0.3, 0.5], {}),
                ([0.2, 0.3, 0.5], {"labels": [0, 1, 2]}),
                (0.5, {"labels": [0, 1, 2]}),
                (0.5, {"baseline": [0, 1]}),
                (0.5, {"loss": "squared"}),
                (0.5, {"y_true": ["a", "b"], "y_pred": ["a", "b"]}),
                (7, {"y_true": [0, 0]}),
            ]
        ),
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
    found = prediction_advantage_score(truth, prediction, prevalence=shares, **options)
    weights = (shares / np.bincount(truth))[truth]
    expected = prediction_advantage_score(truth, prediction, sample_weight=weights, **options)
    assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("labels", [None, [0, 1], [1, 0]])
def test_one_share_is_that_of_the_greater_label_whatever_their_order(labels):
    truth, prediction = [0, 0, 0, 1, 1], [0, 0, 1, 1, 0]
    for share in (0.1, 0.3, 0.5):
        found = prediction_advantage_score(truth, prediction, labels=labels, prevalence=share)
        assert found == pytest.approx(1 - ((1 - share) / 3 + share / 2) / share, rel=1e-14)


# What others call these quantities.


@pytest.mark.parametrize(
    ("truth", "prediction", "weights", "expected"),
    [
        (
            ["ant", "ant", "bee", "bee", "bee", "cat"],
            [1, 1, 2, 2, 1, 2],
            None,
            1 / 3,
        ),  # 2 errors of 3 are left
        (["ant", "ant", "bee", "bee", "bee", "cat"], [1, 1, 2, 2, 1, 2], [1, 2, 1, 1, 0, 4], 1 - 2 / 5),
        ([0, 0, 0, 1], [5, 5, 7, 7], None, 0),
    ],
)
def test_lambda_relabels_the_predictions(truth, prediction, weights, expected):
    found = goodman_kruskal_lambda_score(truth, prediction, sample_weight=weights)
    assert found == pytest.approx(expected, rel=1e-15)
    with pytest.raises(ValueError, match="inconsistent"):
        goodman_kruskal_lambda_score(truth, [0])


def test_no_information_rate_is_the_share_of_the_greatest_class():
    assert no_information_rate([2, 1, 2, 3, 2]) == pytest.approx(0.6, rel=1e-15)
    assert no_information_rate(["a", "b"], sample_weight=[1, 3]) == 0.75


def test_labels_of_one_column_are_two():
    assert efron_r2_score([1, 1, 0], [1, 1, 0], labels=[0, 1]) == 1
    for bad, reason in (([0, 1, 2], "3 classes"), ([0, 2], "label 1 is none")):
        with pytest.raises(ValueError, match=reason):
            efron_r2_score([1, 1, 0], [1, 1, 0], labels=bad)
