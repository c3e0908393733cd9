"""Prediction Advantage and the marginal prediction: closed forms, exact fractions, scikit-learn's d2 family."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning, UndefinedMetricWarning
from sklearn.metrics import (
    d2_absolute_error_score,
    d2_log_loss_score,
    d2_pinball_score,
    mean_pinball_loss,
    r2_score,
)

from nontrivial.measures import bayesian_marginal_prediction, prediction_advantage_score

COST = [[0, 5, 1], [1, 0, 2], [4, 1, 0]]


def random_labels(seed, n=60, k=3):
    draw = np.random.default_rng(seed)
    return draw.integers(0, k, n), draw.integers(0, k, n)


def random_probabilities(seed, n=60, k=3):
    return np.random.default_rng(seed).dirichlet(np.ones(k), n)


def random_reals(seed, n=60, outputs=()):
    draw = np.random.default_rng(seed)
    return draw.normal(size=(n, *outputs)), draw.normal(size=(n, *outputs))


class TestZeroOne:
    def test_every_binary_case_of_six_in_fractions(self):
        for truth in product([0, 1], repeat=6):
            trivial = min(sum(truth), 6 - sum(truth))
            if not trivial:
                continue
            for errors in range(7):
                prediction = [1 - y if i < errors else y for i, y in enumerate(truth)]
                assert prediction_advantage_score(truth, prediction) == float(1 - Fraction(errors, trivial))

    def test_many_classes_in_fractions(self):
        truth, prediction = random_labels(0, k=4)
        errors = int((truth != prediction).sum())
        trivial = len(truth) - int(np.bincount(truth).max())
        assert prediction_advantage_score(truth, prediction) == float(1 - Fraction(errors, trivial))

    @pytest.mark.parametrize(("options", "advantage"), [(3, Fraction(2, 5)), (4, Fraction(7, 15))])
    def test_the_exam_with_sixty_right_answers(self, options, advantage):
        """Answers spread evenly over the options, in as many questions as that takes."""
        truth = np.arange(300) % options
        prediction = np.where(np.arange(300) < 120, (truth + 1) % options, truth)
        assert prediction_advantage_score(truth, prediction) == pytest.approx(float(advantage), rel=1e-15)

    def test_the_intern_has_a_negative_advantage(self):
        truth = np.arange(1000) < 10
        prediction = truth ^ (np.arange(1000) >= 970)
        assert prediction_advantage_score(truth, prediction) == -2.0

    def test_marginal_prediction_of_equals_is_the_first(self):
        assert bayesian_marginal_prediction([2, 1, 2, 1]) == (1, 0.5)

    def test_many_distinct_labels_need_no_square_memory(self):
        labels = np.arange(100_000)
        assert prediction_advantage_score(labels, labels) == 1.0


class TestCrossEntropy:
    @pytest.mark.parametrize("seed", range(3))
    def test_equals_d2_log_loss(self, seed):
        truth, _ = random_labels(seed)
        probabilities = random_probabilities(seed)
        weights = np.random.default_rng(seed).random(60)
        for sample_weight in (None, weights):
            ours = prediction_advantage_score(
                truth, probabilities, loss="cross_entropy", sample_weight=sample_weight
            )
            theirs = d2_log_loss_score(truth, probabilities, sample_weight=sample_weight)
            assert ours == pytest.approx(theirs, rel=1e-12)

    def test_marginal_risk_is_the_entropy(self):
        frequencies, risk = bayesian_marginal_prediction(list("aaabbc"), loss="cross_entropy")
        np.testing.assert_allclose(frequencies, [1 / 2, 1 / 3, 1 / 6])
        assert risk == pytest.approx(np.log(2) / 2 + np.log(3) / 3 + np.log(6) / 6, rel=1e-15)

    def test_marginal_frequencies_have_no_advantage(self):
        truth, _ = random_labels(1)
        frequencies, _ = bayesian_marginal_prediction(truth, loss="cross_entropy")
        constant = np.tile(frequencies, (len(truth), 1))
        assert prediction_advantage_score(truth, constant, loss="cross_entropy") == 0.0

    def test_marginal_risk_keeps_the_digits_of_a_class_of_hardly_any_weight(self):
        light, heavy = 1e-6, 1e6
        options = {"loss": "cross_entropy", "sample_weight": [light, heavy]}
        least = (light * np.log1p(heavy / light) + heavy * np.log1p(light / heavy)) / (light + heavy)
        assert bayesian_marginal_prediction([1, 0], **options)[1] == pytest.approx(least, rel=1e-14)
        advantage = prediction_advantage_score([1, 0], [0.5, 0.5], **options)
        assert advantage == pytest.approx(1 - np.log(2) / least, rel=1e-14)

    @pytest.mark.parametrize("positives", range(1, 10))
    def test_marginal_frequencies_of_a_rare_class_have_exactly_no_advantage(self, positives):
        truth = (np.arange(10_000) < positives).astype(int)
        frequencies, _ = bayesian_marginal_prediction(truth, loss="cross_entropy")
        constant = np.tile(frequencies, (len(truth), 1))
        assert prediction_advantage_score(truth, constant, loss="cross_entropy") == 0.0

    @pytest.mark.filterwarnings("ignore:The y_prob")
    def test_probabilities_of_32_bits_cost_what_scikit_learn_says(self):
        chance = np.linspace(0.9991, 0.9999, 50)
        truth, rows = np.arange(50) % 50 > 0, np.column_stack([1 - chance, chance]).astype(np.float32)
        advantage = prediction_advantage_score(truth, rows, loss="cross_entropy")
        assert advantage == pytest.approx(d2_log_loss_score(truth, rows.astype(float)), rel=1e-9)

    def test_one_column_is_the_greater_label(self):
        truth, _ = random_labels(2, k=2)
        probability = random_probabilities(2, k=2)[:, 1]
        one = prediction_advantage_score(truth, probability, loss="cross_entropy")
        two = prediction_advantage_score(
            truth, np.column_stack([1 - probability, probability]), loss="cross_entropy"
        )
        with pytest.warns(DataConversionWarning, match="y_pred"):
            column = prediction_advantage_score(truth, probability[:, None], loss="cross_entropy")
        assert one == two == column

    def test_a_certain_mistake_is_infinitely_bad(self):
        assert prediction_advantage_score([0, 1], [0.5, 0.0], loss="cross_entropy") == -np.inf

    def test_columns_follow_labels(self):
        truth = ["a", "c", "c", "a"]
        probabilities = random_probabilities(3, n=4)
        ours = prediction_advantage_score(truth, probabilities, loss="cross_entropy", labels=["c", "b", "a"])
        theirs = d2_log_loss_score(truth, probabilities[:, ::-1], labels=["a", "b", "c"])
        assert ours == pytest.approx(theirs, rel=1e-12)


class TestRegression:
    @pytest.mark.parametrize("seed", range(3))
    def test_squared_is_r2(self, seed):
        truth, prediction = random_reals(seed)
        weights = np.random.default_rng(seed).random(60)
        for sample_weight in (None, weights):
            ours = prediction_advantage_score(truth, prediction, loss="squared", sample_weight=sample_weight)
            assert ours == pytest.approx(r2_score(truth, prediction, sample_weight=sample_weight), rel=1e-12)

    def test_squared_over_outputs_is_variance_weighted_r2(self):
        truth, prediction = random_reals(3, outputs=(4,))
        ours = prediction_advantage_score(truth, prediction, loss="squared")
        assert ours == pytest.approx(r2_score(truth, prediction, multioutput="variance_weighted"), rel=1e-12)

    @pytest.mark.parametrize("n", [59, 60])
    def test_absolute_is_d2_absolute_error(self, n):
        truth, prediction = random_reals(4, n=n)
        ours = prediction_advantage_score(truth, prediction, loss="absolute")
        assert ours == pytest.approx(d2_absolute_error_score(truth, prediction), rel=1e-12)
        assert ours == pytest.approx(d2_pinball_score(truth, prediction, alpha=0.5), rel=1e-12)

    def test_absolute_over_outputs_is_the_ratio_of_summed_risks(self):
        truth, prediction = random_reals(5, outputs=(3,))
        trivial = np.abs(truth - np.median(truth, axis=0)).sum()
        expected = 1 - np.abs(truth - prediction).sum() / trivial
        assert prediction_advantage_score(truth, prediction, loss="absolute") == pytest.approx(
            expected, rel=1e-12
        )

    @pytest.mark.parametrize("loss", ["squared", "absolute"])
    def test_equal_targets_are_a_division_by_zero_in_spite_of_rounding(self, loss):
        with pytest.warns(UndefinedMetricWarning, match="all labels are equal"):
            assert np.isnan(prediction_advantage_score([0.1] * 3, [0.1, 0.1, 0.2], loss=loss))

    def test_marginal_predictions_are_mean_and_median(self):
        assert bayesian_marginal_prediction([0.0, 0.0, 3.0, 5.0], loss="squared") == (2.0, 4.5)
        assert bayesian_marginal_prediction([0.0, 0.0, 3.0, 5.0], loss="absolute") == (1.5, 2.0)


class TestCost:
    def test_against_the_definition(self):
        truth, prediction = random_labels(6)
        frequencies = np.bincount(truth) / len(truth)
        trivial = min(sum(COST[i][j] * frequencies[j] for j in range(3)) for i in range(3))
        risk = np.mean([COST[i][j] for i, j in zip(prediction, truth, strict=True)])
        ours = prediction_advantage_score(truth, prediction, loss="cost", cost=COST)
        assert ours == pytest.approx(1 - risk / trivial, rel=1e-12)

    def test_rows_are_predictions_and_columns_the_truth(self):
        cost = [[0, 10], [1, 0]]  # missing a positive costs ten times a false alarm
        assert bayesian_marginal_prediction([0, 0, 0, 1], loss="cost", cost=cost) == (1, 0.75)

    def test_unit_costs_are_zero_one(self):
        truth, prediction = random_labels(7)
        ours = prediction_advantage_score(truth, prediction, loss="cost", cost=1 - np.eye(3))
        assert ours == prediction_advantage_score(truth, prediction)

    def test_rows_follow_labels(self):
        cost = np.array(COST)
        reverse = cost[::-1, ::-1]
        truth, prediction = random_labels(8)
        assert prediction_advantage_score(
            truth, prediction, loss="cost", cost=reverse, labels=[2, 1, 0]
        ) == prediction_advantage_score(truth, prediction, loss="cost", cost=cost)


class TestCallable:
    def test_over_classes_equals_the_closed_forms(self):
        truth, prediction = random_labels(9)
        for loss, named in [
            (lambda y, p: y != p, {"loss": "zero_one"}),
            (lambda y, p: np.array(COST)[p, y], {"loss": "cost", "cost": COST}),
        ]:
            ours = prediction_advantage_score(truth, prediction, loss=loss)
            assert ours == prediction_advantage_score(truth, prediction, **named)
            assert bayesian_marginal_prediction(truth, loss=loss) == bayesian_marginal_prediction(
                truth, **named
            )

    @pytest.mark.parametrize("seed", range(3))
    @pytest.mark.parametrize("name", ["squared", "absolute"])
    def test_over_numbers_equals_the_closed_forms(self, name, seed):
        loss = {"squared": lambda y, p: (y - p) ** 2, "absolute": lambda y, p: np.abs(y - p)}[name]
        truth, prediction = random_reals(seed)
        weights = np.random.default_rng(seed).integers(0, 4, 60)
        for sample_weight in (None, weights):
            ours = prediction_advantage_score(truth, prediction, loss=loss, sample_weight=sample_weight)
            closed = prediction_advantage_score(truth, prediction, loss=name, sample_weight=sample_weight)
            assert ours == pytest.approx(closed, rel=1e-9)

    def test_quantile_loss_equals_d2_pinball(self):
        truth, prediction = random_reals(10, n=61)
        ours = prediction_advantage_score(
            truth, prediction, loss=lambda y, p: np.where(y > p, 0.9 * (y - p), 0.1 * (p - y))
        )
        assert ours == pytest.approx(d2_pinball_score(truth, prediction, alpha=0.9), rel=1e-9)

    def test_a_step_loss_finds_the_label(self):
        label, risk = bayesian_marginal_prediction(
            [0.0, 1.0, 1.0, 2.0], loss=lambda y, p: (y != p).astype(float)
        )
        assert (label, risk) == (1.0, 0.5)

    def test_the_deepest_of_many_valleys_is_found(self):
        truth = np.r_[np.arange(15) * 2, 40 + np.linspace(0, 1, 30), np.arange(30, 85) * 2]
        center, _ = bayesian_marginal_prediction(truth, loss=lambda y, p: np.minimum((y - p) ** 2, 1))
        assert center == pytest.approx(40.5, abs=1e-6)

    def test_a_heavy_label_is_found(self):
        label, risk = bayesian_marginal_prediction(
            [0.0, 1.0, 2.0, 3.0], loss=lambda y, p: (y != p).astype(float), sample_weight=[1, 1, 5, 1]
        )
        assert (label, risk) == (2.0, 3 / 8)

    def test_a_function_of_scalars_is_taken_case_by_case(self):
        assert prediction_advantage_score(
            ["a", "b", "b", "b"], ["a", "b", "b", "a"], loss=lambda y, p: 0.0 if y == p else 1.0
        ) == prediction_advantage_score([0, 1, 1, 1], [0, 1, 1, 0])

    def test_a_function_of_scalars_takes_a_single_class_or_case(self):
        loss = lambda y, p: 0.0 if y == p else 1.0  # noqa: E731
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(prediction_advantage_score([1, 1], [1, 1], loss=loss))
        assert prediction_advantage_score([1.5], [1.0], loss=loss, baseline=[1.0]) == 0

    def test_floats_as_python_objects_are_a_regression(self):
        truth, prediction = np.array([1.5, 2.5, 3.7, 1.5]), np.array([1.4, 2.5, 3.5, 2.0])
        expected = prediction_advantage_score(truth, prediction, loss=lambda y, p: np.abs(y - p))
        for objects in (prediction.astype(object), np.array([1.4, 2.5, 3.5, 2], dtype=object)):
            assert expected == prediction_advantage_score(
                truth.astype(object), objects, loss=lambda y, p: np.abs(y - p)
            )
        classes = np.array([1, 2, 4, 1])
        assert prediction_advantage_score(
            classes, np.array([1, 2.5, 4, 1], dtype=object), loss=lambda y, p: np.abs(y - p)
        ) == prediction_advantage_score(classes, [1, 2.5, 4, 1], loss=lambda y, p: np.abs(y - p))

    def test_labels_make_numbers_classes(self):
        prediction, _ = bayesian_marginal_prediction(
            [0.0, 1.0, 1.0], loss=lambda y, p: (y - p) ** 2, labels=[0, 1]
        )
        assert prediction == 1

    @pytest.mark.parametrize(
        ("loss", "reason"),
        [
            (lambda y, p: np.mean(y != p), "one per case"),
            (lambda y, p: -np.abs(y - p), "negative"),
            (lambda y, p: np.full(len(y), np.nan), "NaN"),
            (lambda y, p: np.where(y > 1, np.inf, 0), "infinite"),
        ],
    )
    def test_bad_losses_are_one_sentence(self, loss, reason):
        with pytest.raises(ValueError, match=reason):
            prediction_advantage_score([0.5, 1.0, 2.0], [1.0, 1.0, 1.0], loss=loss)

    def test_a_regression_in_integers_is_pointed_out(self):
        with pytest.raises(ValueError, match="4000 distinct integer labels"):
            prediction_advantage_score(np.arange(4000), np.arange(4000), loss=lambda y, p: np.abs(y - p))

    def test_several_outputs_are_not_for_a_callable(self):
        with pytest.raises(ValueError, match="one output"):
            prediction_advantage_score(
                [[0.5, 1], [1, 0]], [[0.5, 1], [1, 0]], loss=lambda y, p: np.abs(y - p)
            )


class TestBaseline:
    def test_the_marginal_of_the_training_set_scores_zero(self):
        assert prediction_advantage_score([0, 0, 1], [1, 1, 1], baseline=[1, 1, 0]) == 0.0
        assert prediction_advantage_score([0.0, 4.0], [1.0, 1.0], loss="squared", baseline=[0.0, 2.0]) == 0.0

    def test_hindsight_is_harder_to_beat(self):
        truth, prediction = random_labels(11)
        with_hindsight = prediction_advantage_score(truth, prediction)
        rarest = np.bincount(truth).argmin()
        assert prediction_advantage_score(truth, prediction, baseline=[rarest]) > with_hindsight

    def test_own_labels_change_nothing(self):
        truth, _ = random_labels(12)
        probabilities = random_probabilities(12)
        own = prediction_advantage_score(truth, probabilities, loss="cross_entropy", baseline=truth)
        assert own == prediction_advantage_score(truth, probabilities, loss="cross_entropy")

    def test_a_class_the_baseline_never_saw_has_no_cross_entropy(self):
        with pytest.raises(ValueError, match="baseline lacks the class 2"):
            prediction_advantage_score(
                [0, 1, 2], random_probabilities(0, n=3), loss="cross_entropy", baseline=[0, 1, 1]
            )


class TestWeights:
    @pytest.mark.parametrize("loss", ["zero_one", "cross_entropy", "squared", "absolute", "cost"])
    def test_weights_are_repetitions(self, loss):
        truth, prediction = random_labels(13)
        weights = np.random.default_rng(13).integers(0, 4, len(truth))
        if loss == "cross_entropy":
            prediction = random_probabilities(13)
        keywords = {"loss": loss, "cost": COST if loss == "cost" else None}
        weighted = prediction_advantage_score(truth, prediction, sample_weight=weights, **keywords)
        repeated = prediction_advantage_score(
            truth.repeat(weights), prediction.repeat(weights, axis=0), **keywords
        )
        assert weighted == pytest.approx(repeated, rel=1e-12)
        one, risk = bayesian_marginal_prediction(truth, sample_weight=weights, **keywords)
        other, repeated_risk = bayesian_marginal_prediction(truth.repeat(weights), **keywords)
        np.testing.assert_allclose(one, other, rtol=1e-12)
        assert risk == pytest.approx(repeated_risk, rel=1e-12)

    def test_weights_are_repetitions_in_the_search_for_the_best_constant(self):
        """A capped loss has many valleys; the deepest is at the one heavy value among a thousand."""

        def capped(true, predicted):
            return np.minimum((true - predicted) ** 2, 4.0)

        truth, weights = np.arange(1000.0), np.ones(1000, dtype=int)
        weights[501] = 3000
        constant, risk = bayesian_marginal_prediction(truth, loss=capped, sample_weight=weights)
        other, repeated_risk = bayesian_marginal_prediction(truth.repeat(weights), loss=capped)
        assert [constant, other] == pytest.approx([501.0, 501.0], abs=1e-2)
        assert risk == pytest.approx(repeated_risk, rel=1e-5)

    def test_the_weighted_median_is_the_midpoint_where_the_weight_is_halved(self):
        assert bayesian_marginal_prediction([1.0, 5.0, 2.0], loss="absolute", sample_weight=[2, 1, 1]) == (
            1.5,
            1.25,
        )

    def test_a_class_without_weight_is_absent(self):
        frequencies, risk = bayesian_marginal_prediction(
            [0, 0, 1], loss="cross_entropy", sample_weight=[1, 1, 0]
        )
        assert frequencies.tolist() == [1.0, 0.0]
        assert risk == 0.0
        with pytest.warns(UndefinedMetricWarning):
            assert np.isnan(
                prediction_advantage_score(
                    [0, 0, 1], [0.1, 0.1, 0.9], loss="cross_entropy", sample_weight=[1, 1, 0]
                )
            )


def test_one_class_is_nan_with_the_reason():
    with pytest.warns(UndefinedMetricWarning, match="division by 0"):
        assert np.isnan(prediction_advantage_score([1, 1], [1, 0]))


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
        ({"loss": "cross_entropy", "y_pred": np.full((2, 3), 1 / 3)}, "one probability per class"),
        ({"loss": "squared", "y_pred": [[0, 1], [1, 0]]}, "number of outputs"),
        ({"loss": "squared", "labels": [0, 1]}, "labels has no meaning"),
        ({"loss": "squared", "y_true": [0, 2**53 + 1]}, "y_true has whole numbers beyond"),
        ({"loss": "squared", "y_pred": [0, -(2**53) - 1]}, "y_pred has whole numbers beyond"),
        (
            {"loss": "cross_entropy", "y_true": ["ill", "well"], "y_pred": [0.9, 0.2]},
            "labels must name the two classes",
        ),
        ({"y_pred": [0.2, 1]}, "y_pred holds 0.2, which is not a class"),
        ({"y_pred": [0, 1, 1]}, "lengths differ"),
        ({"y_pred": [0, np.nan]}, "NaN"),
        ({"y_pred": ["0", "1"]}, "one kind"),
        ({"labels": [0, 2]}, "label 1 occurs"),
        ({"sample_weight": [1, -1]}, "negative"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        prediction_advantage_score(**{"y_true": [0, 1], "y_pred": [0, 1]} | arguments)
    assert str(caught.value).endswith((".", ")."))


def test_costs_of_zero_are_zero_over_zero():
    free = np.zeros((2, 2))
    with pytest.warns(UndefinedMetricWarning, match="division by 0"):
        assert np.isnan(prediction_advantage_score([0, 1, 1], [0, 1, 0], loss="cost", cost=free))
    assert bayesian_marginal_prediction([0, 1, 1], loss="cost", cost=free)[1] == 0


@pytest.mark.parametrize("quantile", [0.1, 0.5, 0.9])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_pinball_loss_is_beaten_by_no_constant(quantile, weighted):
    rng = np.random.default_rng(0)
    truth, prediction = rng.lognormal(size=41), rng.lognormal(size=41)
    weights = rng.integers(0, 4, 41) if weighted else None
    options = {"loss": "pinball", "quantile": quantile, "sample_weight": weights}

    def risk(prediction):
        return mean_pinball_loss(truth, prediction, alpha=quantile, sample_weight=weights)

    constant, marginal_risk = bayesian_marginal_prediction(truth, **options)
    risks = [risk(np.full(41, value)) for value in truth]
    assert marginal_risk == pytest.approx(min(risks), rel=1e-13)
    assert risk(np.full(41, constant)) == pytest.approx(marginal_risk, rel=1e-13)
    found = prediction_advantage_score(truth, prediction, **options)
    assert found == pytest.approx(1 - risk(prediction) / marginal_risk, rel=1e-12)
    both = [np.column_stack([a, a]) for a in (truth, prediction)]
    assert prediction_advantage_score(*both, **options) == pytest.approx(found, rel=1e-12)


@pytest.mark.parametrize(
    "options", [{}, {"quantile": 0}, {"quantile": 1.5}, {"loss": "squared", "quantile": 0.5}]
)
def test_the_quantile_belongs_to_the_pinball_loss(options):
    with pytest.raises(ValueError, match="quantile"):
        prediction_advantage_score([1.0, 2.0], [1.0, 2.0], **{"loss": "pinball"} | options)


def test_one_output_may_be_a_column():
    truth, column = np.array([1.0, 2.0, 4.0]), np.array([[1.0], [2.0], [3.0]])
    for loss in ("squared", "absolute"):
        expected = prediction_advantage_score(truth, column.ravel(), loss=loss)
        assert prediction_advantage_score(truth, column, loss=loss) == expected
        assert prediction_advantage_score(truth[:, None], column, loss=loss) == expected


@pytest.mark.parametrize("loss", ["zero_one", "cost", "cross_entropy"])
def test_a_prevalence_is_a_weight_of_the_classes(loss):
    rng = np.random.default_rng(1)
    truth, shares = rng.integers(0, 3, 60), np.array([0.7, 0.1, 0.2])
    prediction = rng.dirichlet(np.ones(3), 60) if loss == "cross_entropy" else rng.integers(0, 3, 60)
    options = {"loss": loss} | ({"cost": [[0, 1, 5], [2, 0, 1], [1, 1, 0]]} if loss == "cost" else {})
    found = prediction_advantage_score(truth, prediction, prevalence=shares, **options)
    weights = (shares / np.bincount(truth))[truth]
    expected = prediction_advantage_score(truth, prediction, sample_weight=weights, **options)
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_rule_right_in_nine_of_ten_is_trivial_at_a_tenth():
    truth, prediction = [0] * 10 + [1] * 10, [0] * 9 + [1] * 10 + [0]
    assert prediction_advantage_score(truth, prediction, prevalence=0.1) == pytest.approx(0, abs=1e-12)
    assert prediction_advantage_score(truth, prediction, prevalence=0.5) == pytest.approx(0.8, rel=1e-12)
    named = [["no", "yes"][label] for label in truth], [["no", "yes"][label] for label in prediction]
    assert prediction_advantage_score(*named, prevalence=[0.5, 0.5]) == pytest.approx(0.8, rel=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        {"prevalence": 1.0},
        {"prevalence": [0.5, 0.6]},
        {"prevalence": [1.5, -0.5]},
        {"prevalence": [0.2, 0.3, 0.5]},
        {"prevalence": [0.2, 0.3, 0.5], "labels": [0, 1, 2]},
        {"prevalence": 0.5, "labels": [0, 1, 2]},
        {"prevalence": 0.5, "baseline": [0, 1]},
        {"prevalence": 0.5, "loss": "squared"},
        {"prevalence": 0.5, "y_true": ["a", "b"], "y_pred": ["a", "b"]},
    ],
)
def test_shares_that_do_not_fit_are_refused(options):
    with pytest.raises(ValueError, match="prevalence"):
        prediction_advantage_score(**{"y_true": [0, 0, 1, 1], "y_pred": [0, 0, 1, 1]} | options)


def test_whole_numbers_that_floats_hold_are_taken_however_large():
    truth = np.array([2**62, 2**62 + 2**20, 2**62 + 2**21])
    found = prediction_advantage_score(truth, truth[[0, 1, 1]], loss="squared")
    assert found == prediction_advantage_score([0, 1, 2], [0, 1, 1], loss="squared") == 0.5
