"""Labels, scores, weights and options in every form people have them; `measures/test_peers.py` has more of both."""

import os
import warnings

import numpy as np
import pandas as pd
import pytest

import nontrivial
from nontrivial import _validation as validation
from nontrivial._warnings import warn_user
from nontrivial.curves import prg_auc_score
from nontrivial.measures import f_gain_score, prediction_advantage_score

NAN = float("nan")


def of_labels(labels):
    return prg_auc_score(labels, [1, 2])


def of_scores(scores):
    return prg_auc_score([0, 1], scores)


def of_predictions(arguments):
    return f_gain_score(*arguments[:2], pos_label=arguments[2])


def of_weights(values):
    return validation.as_weights(values, 3)


def of_classes(classes):
    return prediction_advantage_score([1, 3], [1, 3], labels=classes)


def of_level(level):
    return validation.check_in_unit_interval(level, "level")


BAD = [
    (of_labels, [0, 1, 2], "inconsistent numbers of samples"),
    (of_labels, [0, None], "y_true.*missing"),
    (of_labels, [0, NAN], "y_true contains NaN"),
    (of_labels, pd.Series(["a", None], dtype="string"), "y_true.*missing"),
    (of_labels, pd.Series([0, None], dtype="Int64"), "y_true contains NaN"),
    (of_labels, ["a", 1], "y_true.*one kind"),
    (of_labels, ["a", "b"], "'a' and 'b'"),
    (of_scores, [0.1, -np.inf], "y_score contains infinity"),
    (of_scores, [0.1, None], "y_score contains NaN"),
    (of_scores, ["0.1", "0.2"], "numbers are needed"),
    (of_scores, np.zeros((2, 2)), r"shape \(2, 2\); pass one column"),
    (of_scores, np.ma.array([1, 2], mask=[0, 1]), "y_score has masked values"),
    (of_predictions, ([0, 1], ["0", "1"], 1), "strings"),
    (of_predictions, ([0, 1], [0, 2], 1), "may hold 0 and 1"),
    (of_predictions, ([0, 1], [0.2, 0.7], 1), "classes, not scores"),
    (of_predictions, (["a", "b"], ["a", "c"], "a"), "may hold 'b' and 'a'"),
    *((of_predictions, ([0, 1], [0, 1], bad), "labels 0 and 1") for bad in (2, "1", NAN)),
    (of_classes, [1, 2], "label 3 is none of the classes 1, 2"),
    (of_classes, [1, 2, 3, 3], "twice"),
    (of_classes, ["1", "2", "3"], "strings"),
    (of_weights, [1, -1, 1], "negative"),
    (of_weights, [0, 0, 0], "zero everywhere"),
    (of_weights, [1, 1], "inconsistent numbers of samples"),
    (of_weights, [1e-15, 1e15, 0], "1e-15 and 1e.15"),
    (of_weights, [7, 7.007e12, 0], r"1e\+12 times"),
    (of_weights, [5e-324, 1, 1], "4.94e-324"),
    *((of_level, bad, "level") for bad in (0, 1, -0.5, 95, "0.95", NAN)),
    (validation.check_beta, -1, "beta"),
]


@pytest.mark.parametrize(("check", "values", "reason"), BAD)
def test_an_error_says_what_is_wrong(check, values, reason):
    with pytest.raises(ValueError, match=reason):
        check(values)


def test_numbers_keep_their_digits():
    great = pd.Series([2**60 + 1, 2**60 + 2], dtype="Int64")
    assert prg_auc_score([0, 1], great) == prg_auc_score([0, 1], [1, 2])
    for dtype in (np.float64, np.float32, np.int64, np.uint8):
        assert validation.as_scores(np.array([0, 3, 1], dtype=dtype)).dtype == dtype


@pytest.mark.parametrize("least", [1e-6, 3e-20, 7.0])
def test_weights_may_differ_by_twelve_decades(least):
    assert of_weights([least, least * 1e12, 0]).tolist() == [least, least * 1e12, 0]


def test_a_class_that_weighs_nothing_is_absent():
    with pytest.raises(validation.OneClassError):
        validation.binary_truth(np.array([0, 0, 1]), sample_weight=np.array([1.0, 1.0, 0.0]))


def test_classes_are_sorted_or_as_given():
    arrays = validation.as_labels(["b", "a"], "y_true"), validation.as_labels(["c", "b"], "y_pred")
    classes, codes = validation.encode_labels(*arrays)
    assert classes.tolist() == ["a", "b", "c"]
    assert [each.tolist() for each in codes] == [[1, 0], [2, 1]]
    classes, (codes,) = validation.encode_labels(np.array([1, 3]), classes=[3, 4, 2, 1])
    assert classes.tolist() == [3, 4, 2, 1]
    assert codes.tolist() == [3, 0]


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
