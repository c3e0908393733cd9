"""Reading a file of predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

TRUTH = ("truth", "y_true", "label", "target")
SCORE = ("score", "y_score", "probability")
PREDICTION = ("prediction", "y_pred", "predicted")


@dataclass(frozen=True, eq=False)
class Predictions:
    """The cases of a file.

    Attributes
    ----------
    name : str
        The file's name, without its folder.
    truth, prediction : ndarray of shape (n,)
        Labels; for two classes, or one against the rest, booleans that are True for the positive class.
    score : ndarray of shape (n,) or None
        The greater, the more positive.
    positive : str or None
        The positive label; None for more than two classes without one.
    rule : str
        How predictions were made of scores, where the file has none; otherwise empty.
    """

    name: str
    truth: NDArray
    prediction: NDArray
    score: NDArray | None
    positive: str | None
    rule: str


def read_predictions(
    path: str | Path,
    *,
    truth: str | None = None,
    score: str | None = None,
    prediction: str | None = None,
    positive: str | None = None,
) -> Predictions:
    """Read the true labels of cases, and what was predicted of them.

    Parameters
    ----------
    path : path
        CSV or Parquet (by the ending ``.parquet``), one row per case.
    truth, score, prediction : str, optional
        The columns; by default the first there is of ``truth, y_true, label, target``, of ``score, y_score,
        probability`` and of ``prediction, y_pred, predicted``. One of score and prediction is enough: without
        predictions, those whose score is a probability of at least 0.5 (or, where scores leave [0, 1], a decision
        value of at least 0) are taken to be predicted positive.
    positive : str, optional
        The positive label; of two labels, by default the greater. With more labels, it is set against all others.

    Returns
    -------
    Predictions

    Raises
    ------
    ValueError
        If the file cannot be read, a column is not there, a value is missing, or there is no such label.
    """
    path = Path(path)
    table = _read_table(path)
    truth_column = _column(table, truth, TRUTH, "--truth", path)
    if truth_column is None:
        raise ValueError(
            f"{path.name} has no column {', '.join(TRUTH)}; name the one of the true labels with --truth, "
            f"of {_names(table)}."
        )
    score_column = _column(table, score, SCORE, "--score", path)
    prediction_column = _column(table, prediction, PREDICTION, "--prediction", path)
    if score_column is None and prediction_column is None:
        raise ValueError(
            f"{path.name} has neither a score nor a prediction; name its column with --score or --prediction, "
            f"of {_names(table)}."
        )
    labels = _values(table, truth_column, path)
    classes = sorted(pd.unique(labels), key=_sort_key)
    if len(classes) < 2:
        raise ValueError(
            f"Column {truth_column!r} of {path.name} has one class only; two or more are needed."
        )
    label = _positive(positive, classes, truth_column, path)
    scores = None if score_column is None else _scores(table, score_column, path)
    if label is None:
        if prediction_column is None:
            raise ValueError(
                f"Column {truth_column!r} of {path.name} has {len(classes)} classes, of which a score needs one: "
                "name it with --positive."
            )
        return Predictions(path.name, labels, _values(table, prediction_column, path), None, None, "")
    is_positive = _equals(labels, label)
    if prediction_column is None:
        assert scores is not None
        predicted, rule = _apply_threshold(scores, score_column)
    else:
        predicted, rule = _predicted_positive(table, prediction_column, label, classes, path), ""
    return Predictions(path.name, is_positive, predicted, scores, _text(label), rule)


def _read_table(path: Path) -> pd.DataFrame:
    if not path.is_file():
        raise ValueError(f"{path} is not a file; a CSV or Parquet file of predictions is needed.")
    try:
        if path.suffix == ".parquet":
            table = pd.read_parquet(path)
        else:
            # Only an empty field is a missing value: "NA" and "None" can be labels.
            table = pd.read_csv(path, keep_default_na=False, na_values=[""])
    except (ValueError, UnicodeDecodeError) as error:
        form = "Parquet" if path.suffix == ".parquet" else "CSV"
        raise ValueError(f"{path.name} cannot be read as {form}: {' '.join(str(error).split())}") from error
    if table.empty:
        raise ValueError(f"{path.name} has no rows; one row per case is needed.")
    return table


def _column(
    table: pd.DataFrame, given: str | None, known: Sequence[str], option: str, path: Path
) -> str | None:
    if given is None:
        return next((name for name in known if name in table.columns), None)
    if given not in table.columns:
        raise ValueError(f"{option} is {given!r}, which {path.name} does not have; it has {_names(table)}.")
    return given


def _names(table: pd.DataFrame) -> str:
    return ", ".join(map(str, table.columns))


def _values(table: pd.DataFrame, column: str, path: Path) -> NDArray:
    missing = np.flatnonzero(table[column].isna().to_numpy())
    if len(missing):
        raise ValueError(
            f"Column {column!r} of {path.name} is empty in row {missing[0] + 1}; every case needs a value."
        )
    return table[column].to_numpy()


def _scores(table: pd.DataFrame, column: str, path: Path) -> NDArray[np.float64]:
    values = _values(table, column, path)
    try:
        scores = values.astype(np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"Column {column!r} of {path.name} holds something that is not a number.") from None
    if not np.isfinite(scores).all():
        row = np.flatnonzero(~np.isfinite(scores))[0] + 1
        raise ValueError(
            f"Column {column!r} of {path.name} is not finite in row {row}; every score must be a number."
        )
    return scores


def _positive(text: str | None, classes: list[Any], column: str, path: Path) -> Any:
    if text is None:
        return classes[-1] if len(classes) == 2 else None
    for label in classes:
        if text in (str(label), _text(label)):
            return label
    raise ValueError(
        f"--positive is {text!r}, which column {column!r} of {path.name} does not hold; "
        f"it holds {', '.join(map(_text, classes))}."
    )


def _predicted_positive(
    table: pd.DataFrame, column: str, label: Any, classes: list[Any], path: Path
) -> NDArray:
    values = _values(table, column, path)
    strangers = [value for value in pd.unique(values) if not any(value == known for known in classes)]
    if strangers:
        raise ValueError(
            f"Column {column!r} of {path.name} predicts {_text(strangers[0])!r}, which is no true label; "
            f"those are {', '.join(map(_text, classes))}."
        )
    return _equals(values, label)


def _apply_threshold(scores: NDArray[np.float64], column: str | None) -> tuple[NDArray[np.bool_], str]:
    probabilities = scores.min() >= 0 and scores.max() <= 1
    threshold = 0.5 if probabilities else 0
    return scores >= threshold, f"predicted positive where {column} >= {threshold}"


def _equals(values: NDArray, label: Any) -> NDArray[np.bool_]:
    return np.asarray(values == label, dtype=bool)


def _sort_key(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label


def _text(label: Any) -> str:
    """Write a label as a person would: 1 for 1.0."""
    number = isinstance(label, (float, np.floating)) and float(label).is_integer()
    return str(int(label)) if number else str(label)
