"""Averages over classes, given prevalences, undefined values and columns: what all scores of labels share."""

import itertools
import warnings

import numpy as np
import pytest
from measures.label_scores import OTHERS, draw
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import confusion_matrix, multilabel_confusion_matrix

from nontrivial import measures
from nontrivial.measures.label_scores import LABEL_SCORES


@pytest.mark.parametrize("name", sorted(LABEL_SCORES.keys() - OTHERS.keys()))
@pytest.mark.parametrize("weighted", [False, True])
def test_averages_are_those_of_each_class_against_the_rest(name, weighted):
    truth, predicted, weights = draw(3, weighted)
    tables = multilabel_confusion_matrix(truth, predicted, sample_weight=weights)
    each = measures.confusion_measures(tables[:, 1, 1], tables[:, 0, 1], tables[:, 1, 0], tables[:, 0, 0])[
        name
    ]
    found = {a: LABEL_SCORES[name](truth, predicted, average=a, sample_weight=weights) for a in
             ("macro", "weighted", "micro", None)}  # fmt: skip
    np.testing.assert_allclose(found[None], each, rtol=1e-14)
    assert found["macro"] == pytest.approx(each.mean(), rel=1e-14)
    support = tables[:, 1].sum(axis=1)
    assert found["weighted"] == pytest.approx(np.average(each, weights=support), rel=1e-14)
    assert found["micro"] == pytest.approx(measures.micro_average(tables)[name], rel=1e-14)


@pytest.mark.parametrize("name", OTHERS)
def test_scores_beside_the_table_follow_from_it(name):
    score, formula = OTHERS[name]
    truth, predicted, weights = draw(2, weighted=True)
    (tn, fp), (fn, tp) = confusion_matrix(truth, predicted, sample_weight=weights)
    table = measures.confusion_measures(tp, fp, fn, tn).iloc[0]
    assert score(truth, predicted, sample_weight=weights) == pytest.approx(formula(table), rel=1e-14)


@pytest.mark.parametrize("name", LABEL_SCORES)
@pytest.mark.parametrize("average", ["binary", "macro", "weighted", "micro", None])
def test_a_case_of_no_weight_counts_for_nothing_whatever_its_labels(name, average):
    truth, predicted, _ = draw(2, weighted=False)
    expected = LABEL_SCORES[name](truth, predicted, average=average)
    rows = [*truth, 8, truth[0]], [*predicted, predicted[0], 9]
    weights = np.repeat([1, 0], [len(truth), 2])
    found = LABEL_SCORES[name](*rows, average=average, sample_weight=weights)
    np.testing.assert_allclose(found, expected, rtol=1e-14)


def test_an_undefined_score_warns_in_the_users_name():
    with pytest.warns(UndefinedMetricWarning, match="markedness") as caught:
        assert np.isnan(measures.markedness_score([0, 1], [1, 1]))
    assert caught[0].filename == __file__
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(measures.lift_score([0, 1], [0, 0]))


@pytest.mark.parametrize("name", LABEL_SCORES)
def test_every_score_of_labels_warns_where_it_is_undefined_and_nowhere_else(name):
    for cells in itertools.product(range(3), repeat=4):
        tp, fp, fn, tn = cells
        if not any(cells):
            continue
        truth, predicted = np.repeat([1, 0, 1, 0], cells), np.repeat([1, 1, 0, 0], cells)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            found = LABEL_SCORES[name](truth, predicted)
        assert [each.category for each in caught] == [UndefinedMetricWarning] * int(np.isnan(found)), cells
        assert np.isnan(found) or (tp + fn and fp + tn), cells
        if name not in OTHERS and tp + fn and fp + tn:
            np.testing.assert_equal(found, measures.confusion_measures(*cells)[name].item())


def test_a_class_that_is_only_predicted_weighs_nothing():
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(measures.recall_gain_score([0, 1, 0, 1], [0, 1, 2, 1], average="macro"))
    found = measures.recall_gain_score([0, 1, 0, 1], [0, 1, 2, 1], average="weighted")
    assert found == pytest.approx((0.0 + 1.0) / 2)


@pytest.mark.parametrize("name", LABEL_SCORES)
@pytest.mark.parametrize("average", ["binary", "macro", "weighted", "micro", None])
@pytest.mark.parametrize("options", [{"y_true": [1, 1]}, {"sample_weight": [1, 0]}], ids=["truth", "weight"])
def test_one_class_is_nan_with_a_warning(name, average, options):
    arguments = {"y_true": [0, 1], "y_pred": [0, 1]} | options
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(LABEL_SCORES[name](**arguments, average=average)).all()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"average": "samples"}, "average is 'samples'"),
        ({"average": "macro", "pos_label": 1}, "pos_label"),
        ({"average": "macro", "prevalence": 0.5}, "prevalence"),
        ({"y_true": [1, 1], "prevalence": 7}, "prevalence"),
        ({"y_true": [0, 1, 2], "y_pred": [0, 1, 2]}, "more than two classes"),
        ({"y_pred": [0.2, 0.7], "average": "macro"}, "y_pred holds 0.2"),
        ({"y_true": ["a", "b"], "y_pred": ["a", "b"]}, "pos_label must say which of 'a' and 'b'"),
    ],
)
def test_what_does_not_fit_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        measures.p4_score(**{"y_true": [0, 1], "y_pred": [0, 1]} | arguments)


def test_strings_need_no_positive_label_where_all_classes_count():
    assert measures.p4_score(["a", "b"], ["a", "b"], average="macro") == 1


def test_the_warning_names_the_classes_of_which_a_score_is_undefined():
    with pytest.warns(UndefinedMetricWarning, match=r"classes 'b' against"):
        measures.markedness_score(["a", "b", "c", "c"], ["a", "a", "c", "c"], average=None)


@pytest.mark.parametrize(
    ("name", "prediction"),
    [("p4", [1, 1, 0, 0]), ("markedness", [1, 1, 1, 1]), ("lift", [0, 0, 0, 0])],
)
@pytest.mark.filterwarnings("error")
def test_zero_division_says_what_0_divided_by_0_counts_as(name, prediction):
    truth = [0, 0, 1, 1]
    for value in (0, 1):
        assert LABEL_SCORES[name](truth, prediction, zero_division=value) == value
    with pytest.warns(UndefinedMetricWarning, match="undefined"):
        assert np.isnan(LABEL_SCORES[name](truth, prediction, zero_division=float("nan")))
    with pytest.raises(ValueError, match="zero_division"):
        LABEL_SCORES[name](truth, prediction, zero_division="warn")


@pytest.mark.parametrize("name", LABEL_SCORES)
@pytest.mark.filterwarnings("error")
def test_a_class_that_is_only_predicted_counts_as_zero_division_says(name):
    truth, prediction = [0, 0, 1, 1, 1], [0, 0, 1, 1, 2]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        undefined = LABEL_SCORES[name](truth, prediction, average=None)
    found = LABEL_SCORES[name](truth, prediction, average=None, zero_division=0)
    np.testing.assert_array_equal(found, np.nan_to_num(undefined, neginf=-np.inf))
    assert LABEL_SCORES[name](truth, prediction, average="macro", zero_division=0) == found.mean()
