"""Two classes: which cases are positive."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from nontrivial._validation import binary_truth, binary_truth_and_predictions

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
    "matrix": (np.zeros((2, 3)), r"shape \(2, 3\); pass one column\."),
    "sparse": (csr_array([[0, 1]]), "csr_array"),
    "cube": (np.zeros((2, 2, 2)), "3 dimensions"),
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


@pytest.mark.parametrize("pos_label", [2, "1", pd.NA, np.nan])
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
