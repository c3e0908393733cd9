"""Labels as the numbers of their classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Ints, Labels
from nontrivial._validation import as_array, as_labels, as_weights, show, show_some


def encode_labels(
    *arrays: Labels, names: Sequence[str], classes: ArrayLike | None = None
) -> tuple[Labels, Sequence[Ints]]:
    """Number the labels of several arrays by one list of classes.

    Parameters
    ----------
    *arrays : arrays from `as_labels`
    names : what to call each of them in an error
    classes : the classes in the order wanted; default the sorted labels of all arrays together

    Returns
    -------
    classes : array of shape (k,)
    codes : for each array, integers in [0, k) such that ``classes[codes]`` equals the array
    """
    given = list(arrays)
    names = list(names)
    if classes is not None:
        classes = as_labels(classes, "labels")
        given.append(classes)
        names.append("labels")
    for array, name in zip(given[1:], names[1:], strict=True):
        if (array.dtype == object) != (given[0].dtype == object):
            raise ValueError(
                f"One of {names[0]} and {name} holds strings, the other numbers; use one kind of labels."
            )
    joined, found = pd.factorize(np.concatenate(_of_one_type(given)), sort=True)
    parts = np.split(joined, np.cumsum([len(array) for array in given])[:-1])
    if classes is None:
        return np.asarray(found), parts
    *parts, order = parts
    if len(np.unique(order)) < len(order):
        raise ValueError("labels names a class twice; every class must appear once.")
    if len(order) < len(found):
        stranger = found[np.setdiff1d(np.arange(len(found)), order)[0]]
        raise ValueError(
            f"The label {show(stranger)} occurs but is not in labels; labels must name every class."
        )
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return classes, [place[part] for part in parts]


def check_two_classes(y_true: ArrayLike, labels: ArrayLike, sample_weight: ArrayLike | None) -> None:
    """Raise ValueError unless `labels` are two, which hold those of the cases that count."""
    truth = as_labels(np.ravel(as_array(y_true, "y_true")), "y_true")
    weights = as_weights(sample_weight, len(truth))
    counted = truth if weights is None else truth[weights > 0]
    classes, _ = encode_labels(counted, names=["y_true"], classes=labels)
    if len(classes) != 2:
        raise ValueError(f"labels has {len(classes)} classes; one column of scores needs exactly two.")


def check_fitted_to(
    estimator: Any, y: ArrayLike, name: str = "y", sample_weight: ArrayLike | None = None
) -> None:
    """Raise ValueError if a case that counts has a label that is no class of a fitted classifier."""
    labels, classes = as_labels(y, name), as_labels(estimator.classes_, "classes_")
    weights = as_weights(sample_weight, len(labels))
    strange = labels[~np.isin(labels, classes) & (True if weights is None else weights > 0)]
    if len(strange):
        raise ValueError(
            f"{name} has the label {show(strange[0])}, but {type(estimator).__name__} was fitted to the classes "
            f"{show_some(classes)}; use the labels that it was fitted to."
        )


def _of_one_type(arrays: list[Labels]) -> list[Labels]:
    """Return whole numbers in a type that holds all: NumPy joins signed and unsigned 64 bits to floats, which round."""
    if any(array.dtype.kind not in "biu" for array in arrays) or np.result_type(*arrays).kind != "f":
        return arrays
    least, greatest = min(int(array.min()) for array in arrays), max(int(array.max()) for array in arrays)
    shared = object if least < 0 and greatest >= 2**63 else np.uint64 if greatest >= 2**63 else np.int64
    return [array.astype(shared) for array in arrays]
