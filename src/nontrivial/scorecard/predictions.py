"""Reading a file of predictions."""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from nontrivial.scorecard.columns import find_columns

_SEPARATORS = ",;\t"
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*")


@dataclass(frozen=True, eq=False)
class Predictions:
    """The cases of a file.

    Attributes
    ----------
    name : str
        The file's name, without its folder.
    columns : dict of str to str
        The columns that were read, by what they hold.
    truth, prediction : ndarray of shape (n,)
        Labels; for two classes, or one against the rest, booleans that are True for the positive class.
    score : ndarray of shape (n,) or None
        The greater, the more positive.
    positive : str or None
        The positive label; None for more than two classes without one.
    classes : dict of str to label
        The true labels by how they are written, in their order.
    rule : str
        How predictions were made of scores, where they were; otherwise empty.
    """

    name: str
    columns: dict[str, str]
    truth: NDArray
    prediction: NDArray
    score: NDArray | None = None
    positive: str | None = None
    classes: dict[str, Any] = field(default_factory=dict)
    rule: str = ""


def read_predictions(
    path: str | Path,
    *,
    truth: str | None = None,
    score: str | None = None,
    prediction: str | None = None,
    positive: str | None = None,
    threshold: float | None = None,
) -> Predictions:
    """Read the true labels of cases, and what was predicted of them.

    Parameters
    ----------
    path : path
        CSV or Parquet (by the ending ``.parquet``), one row per case. Commas, semicolons or tabs divide the columns of
        a CSV file, whichever make the most of its first line.
    truth, score, prediction : str, optional
        The columns; by default those with one of the names that `nontrivial.scorecard.columns` knows. One of score
        and prediction is enough.
    positive : str, optional
        The positive label; of two labels, by default the greater. With more labels, it is set against all others.
    threshold : float, optional
        The score from which on a case is predicted positive. By default the file's predictions count; if it has
        none, the threshold is 0.5 where all scores lie in [0, 1], and 0 elsewhere.

    Returns
    -------
    Predictions

    Raises
    ------
    ValueError
        If the file cannot be read, a column is not there or holds what it cannot, a value is missing, there is no
        such label, or a threshold has no scores to cut.
    """
    path = Path(path)
    table = _read_table(path)
    names = {"truth": truth, "score": score, "prediction": prediction}
    truth_column, score_column, prediction_column = find_columns(list(table.columns), path.name, **names)
    if threshold is not None:
        _check_threshold(threshold, score_column, prediction, path)
        prediction_column = None
    labels = _values(table, truth_column, path)
    classes = sorted(pd.unique(labels), key=_sort_key)
    if len(classes) < 2:
        raise ValueError(
            f"Column {truth_column!r} of {path.name} has one class only; two or more are needed."
        )
    label = _positive(positive, classes, truth_column, path)
    predicted = None
    if prediction_column is not None:
        predicted = _values(table, prediction_column, path)
        _check_predicted(predicted, prediction_column, classes, path)
    written = {_text(known): known for known in classes}
    if label is None:
        if predicted is None:
            raise ValueError(
                f"Column {truth_column!r} of {path.name} has {len(classes)} classes, of which a score needs one: "
                "name it with --positive."
            )
        columns = _named(truth=truth_column, prediction=prediction_column)
        return Predictions(path.name, columns, labels, predicted, classes=written)
    scores = None if score_column is None else _scores(table, score_column, path)
    if predicted is None:
        predicted, rule = _apply_threshold(scores, score_column, threshold)
    else:
        predicted, rule = _equals(predicted, label), ""
    columns = _named(truth=truth_column, score=score_column, prediction=prediction_column)
    truths = _equals(labels, label)
    return Predictions(path.name, columns, truths, predicted, scores, _text(label), written, rule)


def _read_table(path: Path) -> pd.DataFrame:
    if not path.is_file():
        raise ValueError(f"{path} is not a file; a CSV or Parquet file of predictions is needed.")
    try:
        if path.suffix == ".parquet":
            table = pd.read_parquet(path)
        else:
            # Only an empty field is a missing value: "NA" and "None" can be labels.
            # A field without a name would make an index of the first column, or be left out with a warning.
            with warnings.catch_warnings(category=pd.errors.ParserWarning, action="error"):
                options = {"keep_default_na": False, "na_values": [""], "index_col": False}
                table = pd.read_csv(path, sep=_separator(path), **options)
    except pd.errors.ParserWarning:
        raise ValueError(
            f"{path.name} has more fields in a row than names in its first line; a number needs a point, not a comma."
        ) from None
    except (ValueError, UnicodeDecodeError) as error:
        form = "Parquet" if path.suffix == ".parquet" else "CSV"
        raise ValueError(f"{path.name} cannot be read as {form}: {' '.join(str(error).split())}") from error
    if table.empty:
        raise ValueError(f"{path.name} has no rows; one row per case is needed.")
    return table.rename(columns=str)


def _separator(path: Path) -> str:
    """Return what divides the columns: of comma, semicolon and tab, the one that makes the most of the first line."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
        line = next((line for line in stream if line.strip()), "")
    return max(_SEPARATORS, key=re.sub(r'"[^"]*"', "", line).count)


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
        place = next((place for place, value in enumerate(values) if not _is_number(value)), 0)
        wrong = str(values[place]).strip()
        also = "write it with a point" if _DECIMAL_COMMA.fullmatch(wrong) else "every score must be one"
        raise ValueError(
            f"Column {column!r} of {path.name} holds {wrong!r} in row {place + 1}, which is not a number; {also}."
        ) from None
    if not np.isfinite(scores).all():
        row = np.flatnonzero(~np.isfinite(scores))[0] + 1
        raise ValueError(
            f"Column {column!r} of {path.name} is not finite in row {row}; every score must be a number."
        )
    return scores


def _is_number(value: Any) -> bool:
    try:
        np.float64(value)
    except (TypeError, ValueError):
        return False
    return True


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


def _check_predicted(values: NDArray, column: str, classes: list[Any], path: Path) -> None:
    """Refuse predictions that are no labels: scores, or something that a file of two classes cannot hold."""
    strangers = [value for value in pd.unique(values) if not any(value == known for known in classes)]
    if not strangers:
        return
    known = ", ".join(map(_text, classes))
    fraction = next(
        (value for value in strangers if isinstance(value, float) and not value.is_integer()), None
    )
    if fraction is not None:
        raise ValueError(
            f"Column {column!r} of {path.name} holds numbers that are no labels, such as {fraction:g}, where those are "
            f"{known}; if they are scores, name the column with --score."
        )
    if len(classes) == 2 or len(strangers) == len(pd.unique(values)):
        raise ValueError(
            f"Column {column!r} of {path.name} predicts {_text(strangers[0])!r}, which is no true label; "
            f"those are {known}."
        )


def _check_threshold(threshold: float, score_column: str | None, prediction: str | None, path: Path) -> None:
    if prediction is not None:
        raise ValueError(
            "--threshold makes predictions of scores, and --prediction names a column of them; give one."
        )
    if score_column is None:
        raise ValueError(
            f"--threshold needs scores, and {path.name} has none; name their column with --score."
        )
    if not np.isfinite(threshold):
        raise ValueError(f"--threshold is {threshold}; it must be a finite number.")


def _apply_threshold(
    scores: NDArray[np.float64], column: str, threshold: float | None
) -> tuple[NDArray[np.bool_], str]:
    if threshold is not None:
        return scores >= threshold, f"positive where {column} >= {threshold:g}"
    probabilities = scores.min() >= 0 and scores.max() <= 1
    threshold, reason = (
        (0.5, "all scores lie in [0, 1]") if probabilities else (0, "scores lie outside [0, 1]")
    )
    return (
        scores >= threshold,
        f"positive where {column} >= {threshold:g}, as {reason}; --threshold sets another",
    )


def _named(**columns: str | None) -> dict[str, str]:
    return {what: name for what, name in columns.items() if name is not None}


def _equals(values: NDArray, label: Any) -> NDArray[np.bool_]:
    return np.asarray(values == label, dtype=bool)


def _sort_key(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label


def _text(label: Any) -> str:
    """Write a label as a person would: 1 for 1.0."""
    number = isinstance(label, (float, np.floating)) and float(label).is_integer()
    return str(int(label)) if number else str(label)
