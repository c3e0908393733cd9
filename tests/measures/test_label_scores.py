"""Averages over classes, given prevalences and undefined values of all scores of labels, and net benefit."""

import itertools
import warnings

import numpy as np
import pytest
from measures.exact_tables import measures
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import multilabel_confusion_matrix

from nontrivial.measures import confusion_measures, micro_average, net_benefit_score, p4_score
from nontrivial.measures.confusion import MEASURES
from nontrivial.measures.label_scores import LABEL_SCORES
from nontrivial.seeds import generator_for

every_score = pytest.mark.parametrize(("name", "score"), LABEL_SCORES.items())
every_average = pytest.mark.parametrize("average", ["binary", "macro", "weighted", "micro", None])


def draw(k, weighted, n=90):
    rng = generator_for("label scores", k, weighted)
    truth = rng.integers(0, k, n)
    predicted = np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n))
    return truth, predicted, rng.integers(0, 4, n) if weighted else None


@every_score
@pytest.mark.parametrize("weighted", [False, True])
def test_averages_are_those_of_each_class_against_the_rest(name, score, weighted):
    truth, predicted, weights = draw(3, weighted)
    tables = multilabel_confusion_matrix(truth, predicted, sample_weight=weights)
    cells = tables[:, 1, 1], tables[:, 0, 1], tables[:, 1, 0], tables[:, 0, 0]
    each = [float(measures(*table)[name]) for table in zip(*cells, strict=True)]
    np.testing.assert_allclose(score(truth, predicted, average=None, sample_weight=weights), each, rtol=1e-14)
    expected = {
        "macro": np.mean(each),
        "weighted": np.average(each, weights=tables[:, 1].sum(axis=1)),
        "micro": float(measures(*np.sum(cells, axis=1))[name]),
    }
    for average, value in expected.items():
        result = score(truth, predicted, average=average, sample_weight=weights)
        assert result == pytest.approx(value, rel=1e-14)
    if name in MEASURES:
        assert expected["micro"] == pytest.approx(micro_average(tables)[name], rel=1e-14)


@every_score
@every_average
def test_a_case_of_no_weight_counts_for_nothing_whatever_its_labels(name, score, average):
    truth, predicted, _ = draw(2, weighted=False)
    rows = [*truth, 8, truth[0]], [*predicted, predicted[0], 9]
    result = score(*rows, average=average, sample_weight=np.repeat([1, 0], [len(truth), 2]))
    np.testing.assert_allclose(result, score(truth, predicted, average=average), rtol=1e-14)


@every_score
def test_every_score_warns_where_it_is_undefined_and_nowhere_else(name, score):
    for cells in itertools.product(range(3), repeat=4):
        tp, fp, fn, tn = cells
        if not any(cells):
            continue
        truth, predicted = np.repeat([1, 0, 1, 0], cells), np.repeat([1, 1, 0, 0], cells)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = score(truth, predicted)
        warned = [(each.category, each.filename) for each in caught]
        assert warned == [(UndefinedMetricWarning, __file__)] * int(np.isnan(result)), cells
        if not (tp + fn and fp + tn):
            assert np.isnan(result), cells
        elif name in MEASURES:
            np.testing.assert_equal(result, confusion_measures(*cells)[name].item())


@every_score
@pytest.mark.filterwarnings("error")
def test_zero_division_says_what_0_divided_by_0_counts_as(name, score):
    truth, predicted = [0, 0, 1, 1, 1], [0, 0, 1, 1, 2]  # the third class is only predicted
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        undefined = score(truth, predicted, average=None)
        assert score(truth, predicted, average="weighted") == pytest.approx(np.average(undefined[:2], weights=[2, 3]))
    assert ("classes 2 against" in str(caught[0].message)) if np.isnan(undefined).any() else not caught
    for value in (0, 1):
        result = score(truth, predicted, average=None, zero_division=value)
        np.testing.assert_array_equal(result, np.where(np.isnan(undefined), value, undefined))
        assert score(truth, predicted, average="macro", zero_division=value) == result.mean()


@every_score
@every_average
@pytest.mark.parametrize("options", [{"y_true": [1, 1]}, {"sample_weight": [1, 0]}], ids=["truth", "weight"])
@pytest.mark.parametrize("zero_division", [0, np.nan])
def test_one_class_is_nan_with_a_warning(name, score, average, options, zero_division):
    options = {"y_true": [0, 1], "y_pred": [0, 1], "zero_division": zero_division} | options
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(score(**options, average=average)).all()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"average": "samples"}, "average is 'samples'"),
        ({"average": "macro", "pos_label": 1}, "pos_label"),
        ({"average": "macro", "prevalence": 0.5}, "prevalence"),
        ({"zero_division": "warn"}, "zero_division"),
        ({"y_true": [0, 1, 2], "y_pred": [0, 1, 2]}, "more than two classes"),
        ({"y_pred": [0.2, 0.7]}, "y_pred holds fractions"),
    ],
)
def test_what_does_not_fit_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        p4_score(**{"y_true": [0, 1], "y_pred": [0, 1]} | arguments)
    assert p4_score(["a", "b"], ["a", "b"], average="macro") == 1  # strings need no positive label here
    with pytest.raises(TypeError, match="beta"):
        p4_score([0, 1], [0, 1], beta=2)


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_net_benefit_by_definition(threshold, prevalence):
    rng = generator_for("net benefit", threshold)
    truth, scores = rng.integers(0, 2, 50), rng.random(50).round(1)
    acted = scores >= threshold
    share = truth.mean() if prevalence is None else prevalence
    recall, fall_out = acted[truth == 1].mean(), acted[truth == 0].mean()
    odds = threshold / (1 - threshold)
    result = net_benefit_score(truth, scores, threshold=threshold, prevalence=prevalence)
    assert result == pytest.approx(share * recall - (1 - share) * fall_out * odds, rel=1e-12)
    for bad in ({"threshold": 1}, {"y_score": [2, 0]}):
        with pytest.raises(ValueError, match=r"\.$"):
            net_benefit_score(**{"y_true": [0, 1], "y_score": [0, 1], "threshold": threshold} | bad)
