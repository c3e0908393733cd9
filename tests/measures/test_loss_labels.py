"""Losses of probabilities read labels in any coding: the same number as of 0 and 1."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.measures import (
    bayesian_marginal_prediction,
    compare_models,
    efron_r2_score,
    mcfadden_r2_score,
    prediction_advantage_interval,
    prediction_advantage_score,
    triviality_test,
)

LOSSES = ["brier_score", "cross_entropy"]
of_probabilities = pytest.mark.parametrize("loss", LOSSES)
# Negative and positive label, and what must be named.
D2_BRIER_SCORE = getattr(metrics, "d2_brier_score", None)  # from scikit-learn 1.8 on
CODINGS = {
    "booleans": (False, True, None),
    "1 and 2": (1, 2, None),
    "-1 and 1": (-1, 1, None),
    "fractions": (0.5, 2.5, None),
    "strings": ("well", "ill", "ill"),
    "the greater string": ("ill", "well", "well"),
    "the lesser number": (1, 0, 0),
    "False": (True, False, False),
}
chances = st.integers(1, 63).map(lambda share: share / 64)  # exact, as are their complements
cases = st.lists(st.tuples(st.booleans(), chances, chances, st.integers(1, 4)), min_size=6, max_size=12)


def all_numbers(truth, prediction, other, weights, **options):
    """Return the numbers of every function that takes losses of probabilities."""
    best, risk = bayesian_marginal_prediction(truth, sample_weight=weights, **options)
    given = {"sample_weight": weights, **options}
    with warnings.catch_warnings(action="ignore"):
        return [
            *np.atleast_1d(best),
            risk,
            prediction_advantage_score(truth, prediction, **given),
            prediction_advantage_score(truth, prediction, baseline=truth, **options),
            prediction_advantage_score(truth, prediction, prevalence=0.25, **options),
            *prediction_advantage_interval(truth, prediction, **given),
            *prediction_advantage_interval(truth, prediction, method="bootstrap", n_resamples=39, **given),
            *prediction_advantage_interval(truth, prediction, bound=6, **options),
            *triviality_test(truth, prediction, **given),
            triviality_test(truth, prediction, bound=6, **options).pvalue,
            *compare_models(truth, prediction, other, **given),
        ]


@of_probabilities
@settings(deadline=None, max_examples=30, derandomize=True)
@given(cases=cases, coding=st.sampled_from(sorted(CODINGS)), form=st.sampled_from(["labels", "columns", ""]))
def test_any_coding_gives_the_numbers_of_0_and_1(loss, cases, coding, form):
    negative, positive, pos_label = CODINGS[coding]
    truth, prediction, other, weights = map(
        np.array, zip(*[(True, 0.5, 0.5, 1), (False, 0.25, 0.5, 1), *cases], strict=True)
    )
    expected = all_numbers(truth.astype(int), prediction, other, weights, loss=loss)
    labels = [positive if each else negative for each in truth]
    options = {"loss": loss, "pos_label": pos_label}
    if form == "labels":  # their order changes nothing for one column
        options["labels"] = [positive, negative]
    columns = sorted([negative, positive])
    if form == "columns":
        prediction, other = (
            np.column_stack([each if label == positive else 1 - each for label in columns])
            for each in (prediction, other)
        )
    result = all_numbers(labels, prediction, other, weights, **options)
    if loss == "cross_entropy":  # the frequencies are in the order of the labels
        in_order = (options.get("labels") or columns).index(positive)
        result[:2] = result[:2] if in_order == 1 else result[1::-1]
    np.testing.assert_allclose(result, expected, rtol=1e-9, atol=1e-9)


@of_probabilities
@settings(deadline=None, max_examples=30, derandomize=True)
@given(
    cases=st.lists(st.tuples(st.integers(0, 2), st.integers(1, 9), st.integers(1, 9)), min_size=6, max_size=12),
    names=st.permutations([7, 1, 3]) | st.permutations(["ant", "bee", "cat"]),
    absent=st.booleans(),
)
def test_several_classes_have_any_names(loss, cases, names, absent):
    """With `labels`, the test set may lack a class of the columns."""
    places, *counts = map(np.array, zip(*[(0, 2, 3), (1, 4, 5), *cases], strict=True))
    truth = places % 2 if absent else places
    prediction = np.column_stack([*counts, np.full(len(places), 2)])
    prediction = prediction / prediction.sum(axis=1, keepdims=True)
    options = {"loss": loss, "labels": [0, 1, 2]}
    expected = prediction_advantage_score(truth, prediction, **options)
    peer = {"brier_score": D2_BRIER_SCORE, "cross_entropy": metrics.d2_log_loss_score}[loss]
    if peer:
        assert expected == pytest.approx(peer(truth, prediction, labels=[0, 1, 2]), rel=1e-9)
    renamed = [names[place] for place in truth]
    assert prediction_advantage_score(renamed, prediction, loss=loss, labels=names) == expected
    own = {"brier_score": efron_r2_score, "cross_entropy": mcfadden_r2_score}[loss]
    assert own(renamed, prediction, labels=names) == expected


def test_the_brier_score_in_fractions():
    prediction = [Fraction(9, 10), Fraction(2, 10), Fraction(7, 10), Fraction(1, 10)]
    lost = sum((y - p) ** 2 for y, p in zip([1, 0, 1, 0], prediction, strict=True))
    assert 1 - lost == Fraction(17, 20)  # the constant 1/2 loses 4/4
    score = prediction_advantage_score([2, 1, 2, 1], [float(each) for each in prediction], loss="brier_score")
    assert score == pytest.approx(0.85, rel=1e-15)
    best, risk = bayesian_marginal_prediction(["ill", "well", "ill", "ill"], loss="brier_score", pos_label="ill")
    assert (best, risk) == (0.75, 0.1875)
    best, risk = bayesian_marginal_prediction(list("abca"), loss="brier_score")
    assert (best.tolist(), risk) == ([0.5, 0.25, 0.25], 0.625)


@of_probabilities
@pytest.mark.parametrize("label", [0, 1, 2, -1, True, "ill"])
def test_one_class_is_undefined_whatever_it_is_called(loss, label):
    truth, prediction = [label] * 6, [0.25, 0.5, 0.5, 0.75, 0.5, 0.5]
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(prediction_advantage_score(truth, prediction, loss=loss))
    with warnings.catch_warnings(action="ignore"):
        assert triviality_test(truth, prediction, loss=loss).pvalue == 1
        assert np.isnan(prediction_advantage_interval(truth, prediction, loss=loss)).all()
        assert np.isnan(compare_models(truth, prediction, prediction, loss=loss)).all()


@of_probabilities
@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"y_true": ["ill", "well"]}, "pos_label must say which of 'ill' and 'well'"),
        ({"y_true": ["ill", "well"], "labels": ["ill", "well"]}, "pos_label must say"),
        ({"pos_label": 2}, "pos_label is 2; it must be one of the labels 0 and 1"),
        ({"y_true": [0, 1], "labels": [0, 1, 2]}, "for 3 classes; name all"),
        ({"labels": [0, 1, 2], "y_pred": np.full((2, 3), 1 / 3), "pos_label": 1}, "pos_label is for two classes"),
        ({"y_pred": [0.5, 1.5]}, "outside \\[0, 1\\]"),
        ({"y_true": [0.1, 0.7, 0.3], "y_pred": [0.1, 0.7, 0.3]}, "for 3 classes"),
    ],
)
def test_what_probabilities_are_for_is_not_guessed(loss, arguments, reason):
    with pytest.raises(ValueError, match=reason):
        prediction_advantage_score(**{"y_true": [0, 1], "y_pred": [0.2, 0.7], "loss": loss} | arguments)


def test_a_positive_label_is_for_classes():
    with pytest.raises(ValueError, match="pos_label has no meaning"):
        prediction_advantage_score([1.0, 2.0], [1.0, 2.0], loss="squared", pos_label=1)
    share = {"prevalence": 0.1, "pos_label": "ill"}
    truth, prediction = ["ill"] * 10 + ["well"] * 10, ["ill"] * 9 + ["well"] * 10 + ["ill"]
    assert prediction_advantage_score(truth, prediction, **share) == pytest.approx(0, abs=1e-12)
