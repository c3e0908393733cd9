"""Labels, scores, weights and options in every form people have them, and what is said of bad ones."""

import os
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

import nontrivial
from nontrivial import _validation as validation
from nontrivial._warnings import warn_user

NAN = float("nan")


def of_weights(values):
    return validation.as_weights(values, 3)


def of_predictions(arguments):
    y_true, y_pred, pos_label = arguments
    return validation.binary_truth_and_predictions(y_true, y_pred, pos_label=pos_label)


def of_classes(classes):
    return validation.encode_labels(np.array([1, 3]), names=["y_true"], classes=classes)


def of_level(level):
    return validation.check_in_unit_interval(level, "level")


BAD = [
    (validation.binary_truth, [1, 1], "one class only"),
    (validation.binary_truth, [0, 1, 2], "more than two classes"),
    (validation.binary_truth, [0, 1, None], "missing"),
    (validation.binary_truth, [0, 1, NAN], "NaN"),
    (validation.binary_truth, ["a", "b", None], "missing"),
    (validation.binary_truth, ["a", "b"], "'a' and 'b'"),
    (validation.binary_truth, pd.Series([0, 1, None], dtype="Int64"), "missing|NaN"),
    (validation.binary_truth, ["a", 1], "mixes kinds"),
    (validation.binary_truth, [], "empty"),
    (validation.binary_truth, np.zeros((2, 3)), r"shape \(2, 3\)"),
    (validation.binary_truth, csr_array([[0, 1]]), "csr_array"),
    (validation.binary_truth, np.zeros((2, 2, 2)), "3 dimensions"),
    (validation.binary_truth, np.array(["2020", "2021"], dtype="M8[Y]"), "numbers, booleans or strings"),
    (of_predictions, ([0, 1], [0, 1, 1], 1), "y_true has 2, y_pred has 3"),
    (of_predictions, ([0, 1], ["0", "1"], 1), "strings"),
    (of_predictions, ([0, 1], [0, 2], 1), "may hold 0 and 1"),
    (of_predictions, (["a", "b"], ["a", "c"], "a"), "may hold 'b' and 'a'"),
    *((of_predictions, ([0, 1], [0, 1], bad), "labels 0 and 1") for bad in (2, "1", pd.NA, NAN)),
    (of_classes, [1, 2], "label 3 occurs"),
    (of_classes, [1, 2, 3, 3], "twice"),
    (of_classes, ["1", "2", "3"], "strings"),
    (validation.as_scores, [0.1, NAN], "NaN or infinite"),
    (validation.as_scores, [0.1, -np.inf], "NaN or infinite"),
    (validation.as_scores, [0.1, None], "missing"),
    (validation.as_scores, ["0.1", "0.2"], "numbers are needed"),
    (validation.as_scores, [1j, 2], "numbers are needed"),
    (validation.as_scores, [object(), 1], "not a number"),
    (validation.as_scores, np.array([2**53 + 1, 0.5], dtype=object), "floats would round"),
    (validation.as_scores, np.array([np.int64(2**53 + 1), 0.5], dtype=object), "floats would round"),
    (validation.as_scores, [2**70 + 1, 0], "floats would round"),
    (of_weights, [1, -1, 1], "negative"),
    (of_weights, [0, 0, 0], "zero everywhere"),
    (of_weights, [1, 1], "2 values for 3 cases"),
    (of_weights, [1, NAN, 1], "NaN"),
    (of_weights, [1e-15, 1e15, 0], "1e-15 and 1e.15"),
    (of_weights, [7, 7.007e12, 0], r"1e\+12 times"),
    (of_weights, [5e-324, 1, 1], "4.94e-324"),
    *((of_level, bad, "level") for bad in (0, 1, -0.5, 95, "0.95", NAN)),
    (validation.check_beta, -1, "beta"),
    (validation.check_prevalence, 1e-10, "prevalence"),
]


@pytest.mark.parametrize(("check", "values", "reason"), BAD)
def test_bad_input_is_one_sentence(check, values, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        check(values)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
def test_scores_keep_their_type(dtype):
    scores = validation.as_scores(np.array([0, 3, 1], dtype=dtype))
    assert scores.dtype == dtype
    assert scores.tolist() == [0, 3, 1]


def test_boolean_and_nullable_scores_become_numbers():
    assert validation.as_scores([True, False]).tolist() == [1, 0]
    assert validation.as_scores(pd.Series([0.5, 0.25], dtype="Float64")).tolist() == [0.5, 0.25]
    great = pd.Series([2**60 + 1, 2**60 + 2], dtype="Int64")
    assert validation.as_scores(great).tolist() == [2**60 + 1, 2**60 + 2]


def test_whole_targets_are_not_rounded():
    assert validation.as_real([[1, 2], [3, 4]], "y_true").shape == (2, 2)
    assert validation.as_real([2**62, -(2**53)], "y_true").tolist() == [2**62, -(2**53)]
    for great in (2**60 + 1, 2**63 - 1):
        targets = pd.DataFrame({"a": [great, 0], "b": [1, 2]}, dtype="Int64")
        with pytest.raises(ValueError, match="beyond 2\\*\\*53"):
            validation.as_real(targets, "y_true")


@pytest.mark.parametrize("least", [1e-6, 3e-20, 7.0])
def test_weights_may_differ_by_twelve_decades(least):
    assert of_weights([least, least * 1e12, 0]).tolist() == [least, least * 1e12, 0]
    assert of_weights(None) is None


def test_a_class_that_weighs_nothing_is_absent():
    with pytest.raises(ValueError, match="one class only"):
        validation.binary_truth([0, 0, 1], sample_weight=np.array([1.0, 1.0, 0.0]))


def test_predictions_may_come_in_another_type():
    positive, predicted, weights = of_predictions(
        (np.array([0, 1, 1], dtype=np.uint8), [False, True, False], None)
    )
    assert positive.tolist() == [False, True, True]
    assert predicted.tolist() == [False, True, False]
    assert weights is None


def test_classes_are_sorted_or_as_given():
    arrays = validation.as_labels(["b", "a"], "y_true"), validation.as_labels(["c", "b"], "y_pred")
    classes, codes = validation.encode_labels(*arrays, names=["y_true", "y_pred"])
    assert classes.tolist() == ["a", "b", "c"]
    assert [each.tolist() for each in codes] == [[1, 0], [2, 1]]
    classes, (codes,) = of_classes([3, 4, 2, 1])
    assert classes.tolist() == [3, 4, 2, 1]
    assert codes.tolist() == [3, 0]


@pytest.mark.parametrize(
    ("truth", "prediction"),
    [
        ([2**53, 2**53 + 1], [2**53 + 1, 5]),
        ([2**63, 2**63 + 1], [7, 5]),
        ([2**63, 2**63 + 1], [-1, 5]),
    ],
)
def test_great_signed_and_unsigned_labels_are_told_apart(truth, prediction):
    arrays = np.array(truth, dtype=np.uint64), np.array(prediction, dtype=np.int64)
    classes, codes = validation.encode_labels(*arrays, names=["y_true", "y_pred"])
    assert classes.tolist() == sorted({*truth, *prediction})
    assert [classes[each].tolist() for each in codes] == [truth, prediction]


def test_numbers_are_shown_as_people_write_them():
    values = [np.int64(1), np.float32(0.1), np.str_("a"), np.bool_(True), [np.int64(1)], (np.float64(0.5),)]
    assert [validation.show(value) for value in values] == ["1", "0.1", "'a'", "True", "[1]", "(0.5,)"]
    assert validation.show_some(np.arange(5)) == "0, 1, 2 and 2 more"


def test_warnings_point_to_the_users_line_even_in_a_package_whose_name_begins_like_this_one():
    path = os.path.dirname(nontrivial.__file__) + "_beside.py"
    names = {}
    exec(compile("def call(function, *args):\n    function(*args)\n", path, "exec"), names)
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        names["call"](warn_user, "said", UserWarning)
    assert [(each.filename, each.lineno) for each in found] == [(path, 2)]
