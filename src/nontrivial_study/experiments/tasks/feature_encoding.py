"""Texts and missing values as numbers, learnt from the training rows of each fold."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
import pandas as pd
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.impute import SimpleImputer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

# A column of texts with more values than this, such as a name or a date, has its rare ones taken together.
_MOST_CATEGORIES = 30
_MOST_KEPT = 200_000_000  # bytes


def encode_folds(
    features: pd.DataFrame, splits: Sequence[tuple[np.ndarray, np.ndarray]]
) -> Callable[[int], tuple[np.ndarray, np.ndarray]]:
    """Return a function that gives the rows to train on and to test on of a fold, as numbers.

    What is learnt for it is learnt from the training rows alone. It is learnt once for all models that ask, as far as
    the encoded folds fit into 200 MB: one encoding takes as long as many a fit.

    Parameters
    ----------
    features : DataFrame
        From a canonical table: float64 or text.
    splits : sequence of (train, test)
        Numbers of rows.

    Examples
    --------
    >>> table = pd.DataFrame({"x": [1.0, 3.0, None]})
    >>> train, test = encode_folds(table, [(np.array([0, 1]), np.array([2]))])(0)
    >>> train.tolist(), test.tolist()
    ([[1.0], [3.0]], [[2.0]])
    """
    encoder = make_encoder(features)
    if encoder is None:
        values = features.to_numpy(dtype=np.float64)
        return lambda number: tuple(values[rows] for rows in splits[number])
    kept: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def encode(number: int) -> tuple[np.ndarray, np.ndarray]:
        if number in kept:
            return kept[number]
        train, test = (features.iloc[rows] for rows in splits[number])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of texts that training did not have, which is provided for
            fitted = clone(encoder)
            encoded = fitted.fit_transform(train), fitted.transform(test)
        for part in encoded:
            part.flags.writeable = False  # the next model must meet the same
        if sum(part.nbytes for pair in [*kept.values(), encoded] for part in pair) <= _MOST_KEPT:
            kept[number] = encoded
        return encoded

    return encode


def make_encoder(features: pd.DataFrame) -> ColumnTransformer | None:
    """Return an unfitted transformer to numbers, or None for a table that is complete and numeric as it is.

    A missing number becomes the median; each text becomes a column of zeros and ones, a missing one too, and one
    that the training rows do not have becomes none, or the rare ones' where there are such.

    Parameters
    ----------
    features : DataFrame
        From a canonical table: float64 or text.

    Examples
    --------
    >>> make_encoder(pd.DataFrame({"x": [1.0, 2.0]})) is None
    True
    >>> make_encoder(pd.DataFrame({"x": [1.0, None], "y": ["a", None]})).fit_transform(
    ...     pd.DataFrame({"x": [1.0, None], "y": ["a", None]})
    ... )
    array([[1., 0., 1.],
           [1., 1., 0.]])
    """
    numbers = [name for name, column in features.items() if pd.api.types.is_numeric_dtype(column)]
    texts = [name for name in features if name not in numbers]
    if not texts and not features.isna().to_numpy().any():
        return None
    steps = []
    if numbers:
        steps.append(("numbers", SimpleImputer(strategy="median", keep_empty_features=True), numbers))
    if texts:
        encode = OneHotEncoder(
            handle_unknown="infrequent_if_exist", max_categories=_MOST_CATEGORIES, sparse_output=False
        )
        fill = SimpleImputer(strategy="constant", fill_value="", missing_values=pd.NA)
        steps.append(("texts", make_pipeline(fill, encode), texts))
    return ColumnTransformer(steps)
