"""Labels, scores and weights in every form people have them."""

import numpy as np
import pandas as pd
import pytest

from nontrivial import _validation as validation
from nontrivial._binary import binary_truth, binary_truth_and_predictions

CODINGS = {
    "integers": [0, 1, 1, 0],
    "minus one and one": [-1, 1, 1, -1],
    "strings": ["benign", "malign", "malign", "benign"],
    "NumPy strings": np.array(["a", "b", "b", "a"]),
    "booleans": [False, True, True, False],
    "unsigned": np.array([1, 200, 200, 1], dtype=np.uint8),
    "floats": np.array([0.0, 1.0, 1.0, 0.0], dtype=np.float32),
    "shuffled index": pd.Series([0, 1, 1, 0], index=[3, 0, 2, 1]),
    "repeated index": pd.Series([0, 1, 1, 0], index=[7, 7, 7, 7]),
    "string column": pd.Series(["n", "y", "y", "n"], dtype="string"),
    "category": pd.Series(["n", "y", "y", "n"], dtype="category"),
    "nullable integers": pd.Series([0, 1, 1, 0], dtype="Int64"),
    "nullable booleans": pd.Series([False, True, True, False], dtype="boolean"),
    "objects": np.array([0, 1, 1, 0], dtype=object),
    "tuple": (0, 1, 1, 0),
}


@pytest.mark.parametrize("labels", CODINGS.values(), ids=CODINGS)
def test_any_coding_has_the_greater_label_positive(labels):
    if isinstance(np.asarray(labels)[0], str):
        with pytest.raises(ValueError, match="pos_label must say"):
            binary_truth(labels)
        positive, high, low = binary_truth(labels, pos_label=max(labels))
    else:
        positive, high, low = binary_truth(labels)
    assert positive.dtype == bool
    assert positive.tolist() == [False, True, True, False]
    assert high > low


@pytest.mark.parametrize("labels", CODINGS.values(), ids=CODINGS)
def test_pos_label_turns_the_roles_round(labels):
    lesser = np.asarray(labels)[0]
    positive, high, low = binary_truth(labels, pos_label=lesser)
    assert positive.tolist() == [True, False, False, True]
    assert high == lesser
    assert low != lesser


BAD_TRUTHS = {
    "one class": ([1, 1], "one class only"),
    "three classes": ([0, 1, 2], "more than two classes"),
    "missing": ([0, 1, None], "missing"),
    "NaN": ([0, 1, np.nan], "NaN"),
    "infinite": ([0, 1, np.inf], "infinite"),
    "missing string": (["a", "b", None], "missing"),
    "missing nullable": (pd.Series([0, 1, None], dtype="Int64"), "missing|NaN"),
    "mixed": (["a", 1], "mixes kinds"),
    "empty": ([], "empty"),
    "two columns": ([[0, 1], [1, 0]], "one column"),
    "matrix": (np.zeros((2, 3)), "2 dimensions"),
    "dates": (np.array(["2020", "2021"], dtype="M8[Y]"), "numbers, booleans or strings"),
}


@pytest.mark.parametrize(("labels", "reason"), BAD_TRUTHS.values(), ids=BAD_TRUTHS)
def test_bad_truth_is_one_sentence(labels, reason):
    with pytest.raises(ValueError, match=reason) as caught:
        binary_truth(labels)
    message = str(caught.value)
    assert "y_true" in message
    assert message.endswith(".")
    assert "\n" not in message


def test_a_class_that_weighs_nothing_is_absent():
    with pytest.raises(ValueError, match="one class only"):
        binary_truth([0, 0, 1], sample_weight=np.array([1.0, 1.0, 0.0]))


@pytest.mark.parametrize("pos_label", [2, "1"])
def test_unknown_pos_label_names_the_known(pos_label):
    with pytest.raises(ValueError, match="must be one of the labels 0 and 1"):
        binary_truth([0, 1], pos_label=pos_label)


@pytest.mark.parametrize(
    ("y_true", "y_pred", "pos_label", "reason"),
    [
        ([0, 1], [0, 1, 1], 1, "y_true has 2, y_pred has 3"),
        ([0, 1], ["0", "1"], 1, "one kind"),
        ([0, 1], [0, 2], 1, "may hold 0 and 1"),
        (["a", "b"], ["a", "c"], "a", "may hold 'b' and 'a'"),
    ],
)
def test_predictions_must_fit_the_truth(y_true, y_pred, pos_label, reason):
    with pytest.raises(ValueError, match=reason):
        binary_truth_and_predictions(y_true, y_pred, pos_label=pos_label)


def test_predictions_may_come_in_another_type():
    positive, predicted, weights = binary_truth_and_predictions(
        np.array([0, 1, 1], dtype=np.uint8), [False, True, False]
    )
    assert positive.tolist() == [False, True, True]
    assert predicted.tolist() == [False, True, False]
    assert weights is None


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8])
def test_scores_keep_their_type(dtype):
    scores = validation.as_scores(np.array([0, 3, 1], dtype=dtype))
    assert scores.dtype == dtype
    assert scores.tolist() == [0, 3, 1]


def test_boolean_and_nullable_scores_become_numbers():
    assert validation.as_scores([True, False]).tolist() == [1, 0]
    assert validation.as_scores(pd.Series([0.5, 0.25], dtype="Float64")).tolist() == [0.5, 0.25]


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([0.1, np.nan], "NaN or infinite"),
        ([0.1, -np.inf], "NaN or infinite"),
        ([0.1, None], "missing"),
        (["0.1", "0.2"], "numbers are needed"),
        ([[0.1, 0.9], [0.2, 0.8]], "one column"),
        ([1j, 2], "numbers are needed"),
        ([object(), 1], "not a number"),
        ([], "empty"),
    ],
)
def test_bad_scores_are_one_sentence(scores, reason):
    with pytest.raises(ValueError, match=reason):
        validation.as_scores(scores)


@pytest.mark.parametrize(
    ("weights", "reason"),
    [
        ([1, -1, 1], "negative"),
        ([0, 0, 0], "0 everywhere"),
        ([1, 1], "2 values for 3 cases"),
        ([1, np.nan, 1], "NaN"),
        ([1, np.inf, 1], "infinite"),
        ([1e-15, 1e15, 0], "1e-15 and 1e.15"),
        ([5e-324, 1, 1], "5e-324|4.94e-324"),
    ],
)
def test_bad_weights_are_one_sentence(weights, reason):
    with pytest.raises(ValueError, match=reason):
        validation.as_weights(weights, 3)


def test_weights_may_differ_by_nine_decades():
    assert validation.as_weights([1e-9, 1, 0], 3).tolist() == [1e-9, 1, 0]


def test_absent_weights_stay_absent():
    assert validation.as_weights(None, 3) is None


def test_encoding_numbers_sorted_classes():
    classes, (truth, prediction) = validation.encode_labels(
        validation.as_labels(["b", "a"], "y_true"),
        validation.as_labels(["c", "b"], "y_pred"),
        names=["y_true", "y_pred"],
    )
    assert classes.tolist() == ["a", "b", "c"]
    assert truth.tolist() == [1, 0]
    assert prediction.tolist() == [2, 1]


def test_encoding_follows_given_classes_with_unused_ones():
    classes, (codes,) = validation.encode_labels(np.array([1, 3, 4]), names=["y_true"], classes=[3, 4, 2, 1])
    assert classes.tolist() == [3, 4, 2, 1]
    assert codes.tolist() == [3, 0, 1]


@pytest.mark.parametrize(
    ("classes", "reason"),
    [([1, 2], "label 3 occurs"), ([1, 2, 3, 3], "twice"), (["1", "2", "3"], "one kind")],
)
def test_encoding_rejects_classes_that_do_not_fit(classes, reason):
    with pytest.raises(ValueError, match=reason):
        validation.encode_labels(np.array([1, 3]), names=["y_true"], classes=classes)


@pytest.mark.parametrize("level", [0, 1, -0.5, 95, "0.95", np.nan])
def test_level_must_be_inside_the_unit_interval(level):
    with pytest.raises(ValueError, match="level"):
        validation.check_in_unit_interval(level, "level")


def test_regression_targets_may_have_outputs():
    assert validation.as_real([[1, 2], [3, 4]], "y_true").shape == (2, 2)
    with pytest.raises(ValueError, match="3 dimensions"):
        validation.as_real(np.zeros((2, 2, 2)), "y_true")
