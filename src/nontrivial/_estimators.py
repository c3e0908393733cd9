"""Scores of classes from a fitted classifier, with the columns in a given order of the classes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import as_labels, encode_labels

SCORE_METHODS = ("predict_proba", "decision_function")


def class_scores(estimator: Any, X: Any, classes: ArrayLike, methods: Sequence[str] = SCORE_METHODS) -> Floats | None:
    """Return a column of scores for each class, by the first method that the estimator has; None if it has none."""
    name = type(estimator).__name__
    method = next((method for method in methods if hasattr(estimator, method)), None)
    if method is None:
        return None
    if getattr(estimator, "classes_", None) is None:
        raise ValueError(f"{name} has no classes_ after fit; they name the columns of {method}.")
    own_classes = as_labels(estimator.classes_, "classes_")
    all_classes, (columns,) = encode_labels(own_classes, classes=classes)
    n_classes = len(all_classes)
    answers = getattr(estimator, method)(X)
    if isinstance(answers, pd.DataFrame) and set(answers.columns) == set(own_classes.tolist()):
        answers = answers.iloc[:, answers.columns.get_indexer(own_classes.tolist())]
    values = np.asarray(answers, dtype=np.float64)
    if method == "decision_function":
        if len(own_classes) < n_classes:
            raise ValueError("A training set lacks a class, so there are no decision values for it; use other folds.")
        if n_classes == 2 and values.size == len(values):  # the score of the second class
            values = np.column_stack([-values.ravel(), values.ravel()])
    if values.ndim != 2 or values.shape[1] != len(own_classes):
        raise ValueError(f"{method} of {name} has shape {values.shape}; it needs {len(own_classes)} columns.")
    scores = np.zeros((len(values), n_classes))  # the probability of a class without training cases stays 0
    scores[:, columns] = values
    return scores
