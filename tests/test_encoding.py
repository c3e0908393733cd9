"""Labels as the numbers of their classes."""

import numpy as np
import pytest

from nontrivial._validation import as_labels, encode_labels


def test_encoding_numbers_sorted_classes():
    classes, (truth, prediction) = encode_labels(
        as_labels(["b", "a"], "y_true"),
        as_labels(["c", "b"], "y_pred"),
        names=["y_true", "y_pred"],
    )
    assert classes.tolist() == ["a", "b", "c"]
    assert truth.tolist() == [1, 0]
    assert prediction.tolist() == [2, 1]


def test_encoding_follows_given_classes_with_unused_ones():
    classes, (codes,) = encode_labels(np.array([1, 3, 4]), names=["y_true"], classes=[3, 4, 2, 1])
    assert classes.tolist() == [3, 4, 2, 1]
    assert codes.tolist() == [3, 0, 1]


@pytest.mark.parametrize(
    ("truth", "prediction", "dtype"),
    [
        ([2**53, 2**53 + 1], [2**53 + 1, 5], np.int64),
        ([2**63, 2**63 + 1], [7, 5], np.uint64),
        ([2**63, 2**63 + 1], [-1, 5], object),
        ([2**63, 7], [0, 5], np.uint64),
        ([2**63, 7], [-1, 5], object),
    ],
)
def test_encoding_tells_great_signed_and_unsigned_labels_apart(truth, prediction, dtype):
    arrays = np.array(truth, dtype=np.uint64), np.array(prediction, dtype=np.int64)
    classes, codes = encode_labels(*arrays, names=["y_true", "y_pred"])
    assert classes.dtype == dtype
    assert classes.tolist() == sorted({*truth, *prediction})
    assert [classes[each].tolist() for each in codes] == [truth, prediction]


@pytest.mark.parametrize(
    ("classes", "reason"),
    [([1, 2], "label 3 occurs"), ([1, 2, 3, 3], "twice"), (["1", "2", "3"], "one kind")],
)
def test_encoding_rejects_classes_that_do_not_fit(classes, reason):
    with pytest.raises(ValueError, match=reason):
        encode_labels(np.array([1, 3]), names=["y_true"], classes=classes)
