"""Predictions files of OpenML's runs: parsed, checked against their task, and turned into the study's form."""

import contextlib
import io
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.csv
from sklearn.metrics import roc_auc_score

from nontrivial.reading import arff
from nontrivial.terminal import shorten

AREA_DIGITS = 12
_CONFIDENCE = "confidence."
_NUMBER_COLUMNS, _TEXT_COLUMNS = ("repeat", "fold", "row_id"), ("prediction", "truth")
_SYNONYMS = {"repeat_nr": "repeat", "fold_nr": "fold", "rowid": "row_id", "row id": "row_id", "correct": "truth"}
_MAX_CELLS_READ = 10_000_000  # a short file of sparse rows can stand for a huge table


class CheckedRun(NamedTuple):
    """The predictions of a run, its area under the ROC curve for each class, and notes on oddities."""

    table: pd.DataFrame
    areas: dict[str, float]
    notes: list[str]


def read_predictions_file(content: bytes) -> tuple[pd.DataFrame, list[str]]:
    """Read a predictions file in ARFF. Return its rows under our column names, and notes on oddities of the file."""
    notes = ["NUL bytes"] if b"\0" in content else []
    content = content.replace(b"\0", b"")
    text = io.StringIO(content.decode("utf-8", errors="replace"), newline=None)
    with _errors_naming_arff():
        attributes = arff.read_header(enumerate(text, start=1))
    names = [_column_name(attribute.name) for attribute in attributes]
    types = {name: kind for name in names if (kind := _column_type(name))}
    for name, attribute in zip(names, attributes, strict=True):
        if name in types and name not in (attribute.name, "truth"):
            notes.append(f"the column {attribute.name!r} for {name}")
    for name in ("row_id", "prediction"):
        if name not in types:
            raise ValueError(f"has no column {name}")
    if any(names.count(name) > 1 for name in types):
        raise ValueError("has two columns of the same meaning")
    body = text.read()
    try:
        table = _read_csv(body.encode(), names, types)
    except ValueError:
        notes.append("read row by row")
        first_line = 1 + content.count(b"\n") - body.count("\n")
        lines, columns = enumerate(io.StringIO(body), first_line), [names.index(name) for name in types]
        with _errors_naming_arff():
            cells = arff.read_rows(lines, attributes, columns, declared_only=False, max_cells=_MAX_CELLS_READ)
            table = cells.rename_columns(list(types)).cast(pa.schema(types))
    if not table.num_rows:
        raise ValueError("has no rows")
    rows: pd.DataFrame = table.to_pandas()
    declared = attributes[names.index("prediction")].labels
    undeclared = sorted(set(rows["prediction"].dropna()) - set(declared))
    if declared and undeclared:
        notes.append(f"the label {undeclared[0]!r}, which is not declared")
    for name in set(_TEXT_COLUMNS) & set(types):
        rows[name] = rows[name].str.strip()
    return rows, notes


def _column_name(name: str) -> str:
    """Return our name of a column, in lower case. The class in the name of a confidence keeps its case."""
    lower = name.lower()
    if lower.startswith(_CONFIDENCE):
        return _CONFIDENCE + name[len(_CONFIDENCE) :]
    return _SYNONYMS.get(lower, lower)


def _column_type(name: str) -> pa.DataType | None:
    """Return the type of a column, or None if we do not read the column. Labels that look like numbers stay texts."""
    if name in _NUMBER_COLUMNS or name.startswith(_CONFIDENCE):
        return pa.float64()
    return pa.string() if name in _TEXT_COLUMNS else None


@contextlib.contextmanager
def _errors_naming_arff() -> Iterator[None]:
    try:
        yield
    except ValueError as error:
        raise ValueError(f"is not readable ARFF ({shorten(str(error), 200)})") from None


def _read_csv(body: bytes, names: list[str], types: Mapping[str, pa.DataType]) -> pa.Table:
    """Read the body of an ARFF file as CSV in a tenth of the time. Raise ValueError if the body is not CSV."""
    quote = "'" if b"'" in body else '"'
    if (quote == "'" and b'"' in body) or any(odd in body for odd in (b"\\", b"%", b"{", b"\t", b", ")):
        raise ValueError("quotes of two kinds, escapes, comments, sparse rows or blanks: not CSV")
    return pyarrow.csv.read_csv(
        pa.BufferReader(body),
        pyarrow.csv.ReadOptions(column_names=names, use_threads=False),
        pyarrow.csv.ParseOptions(quote_char=quote),
        pyarrow.csv.ConvertOptions(
            column_types=dict(types),
            include_columns=list(types),
            null_values=["?", ""],
            strings_can_be_null=True,
            quoted_strings_can_be_null=False,
        ),
    )


def check_predictions(rows: pd.DataFrame, truth: pd.Series, fold: np.ndarray, positive: str) -> CheckedRun:
    """Return the rows of a predictions file in the study's form. Raise ValueError if they cannot be trusted."""
    # Predictions files drop the blanks around a label.
    labels, positive = truth.str.strip().to_numpy(dtype=object), positive.strip()
    classes = sorted(set(labels))
    columns = [str(name) for name in rows if str(name).startswith(_CONFIDENCE)]
    column_of_class = {name[len(_CONFIDENCE) :].strip(): name for name in columns}
    if missing := [label for label in classes if label not in column_of_class]:
        raise ValueError(f"has no confidences for the class {missing[0]!r}")
    rows = rows.sort_values("row_id", ignore_index=True)
    if not np.array_equal(rows["row_id"], np.arange(len(labels))):
        raise ValueError(f"predicts {len(rows)} rows, which are not the {len(labels)} of the data set once each")
    for name in ("repeat", "fold", "truth"):
        if name not in rows:
            rows[name] = np.nan
    scores = rows[[column_of_class[label] for label in classes]].to_numpy()
    if problem := _find_problem(rows, scores, labels, fold):
        raise ValueError(problem)
    notes = []
    if rows["fold"].isna().any():
        notes.append("folds missing, taken from the task")
    if (scores < 0).any() or (scores > 1).any():  # margins, for example, also rank the rows
        notes.append("confidences that are not from 0 to 1")
    if np.isin(scores, (0, 1)).all():
        notes.append("confidences of 0 and 1 alone")
    table = pd.DataFrame(
        {
            "row": np.arange(len(labels)),
            "fold": fold.astype(np.int8),
            "truth": labels == positive,
            "prediction": rows["prediction"].to_numpy(dtype=object) == positive,
            "score": scores[:, classes.index(positive)],
        }
    )
    areas = {}
    for label, confidence in zip(classes, scores.T, strict=True):
        areas[label] = round(float(roc_auc_score(labels == label, confidence)), AREA_DIGITS)
    return CheckedRun(table, areas, notes)


def _find_problem(rows: pd.DataFrame, scores: np.ndarray, labels: np.ndarray, fold: np.ndarray) -> str:
    """Return why the predictions of a data set's rows cannot be trusted, or an empty text."""
    classes = np.array(sorted(set(labels)), dtype=object)
    predicted = rows["prediction"].to_numpy(dtype=object)
    is_truth_wrong = (rows["truth"] != labels)[rows["truth"].notna()].any()
    has_favourite = scores.max(axis=1) > scores.min(axis=1)
    contradicts = (classes[scores.argmax(axis=1)] != predicted)[has_favourite]
    if (rows["repeat"] > 0).any():
        return "has repeats that the task does not have"
    if (rows["fold"] != fold)[rows["fold"].notna()].any():
        return "has folds that are not the task's"
    if not np.isfinite(scores).all():
        return "has confidences that are not finite"
    if (scores == 0).all(axis=1).any():
        return "has rows whose confidences are all zero"
    if rows["prediction"].isna().any():
        return "has rows without a prediction"
    if unknown := set(predicted) - set(classes):
        return f"predicts the label {min(unknown)!r}, which the data set does not have"
    if (predicted == labels).all() and (is_truth_wrong or contradicts.any()):
        return "has prediction and truth swapped"
    if is_truth_wrong:
        return "has a truth that is not the data set's"
    if contradicts.any() and contradicts.mean() > 0.5:
        return "has predictions that contradict its own confidences"
    return ""
