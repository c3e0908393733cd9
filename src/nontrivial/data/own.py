"""A user's own data sets: files of rows, and what the study has to know of them before it starts."""

from __future__ import annotations

import contextlib
import csv
import io
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

from nontrivial.data.canonical import TARGET, canonical_table

SOURCE = "own file"
MOST_CLASSES = 50
_SEPARATORS = ",;\t"


def own_entry(name: str, setting: Mapping[str, str]) -> dict[str, Any]:
    """Describe a data set of the user's own as the configuration of the data sets describes the others.

    Parameters
    ----------
    name : str
    setting : mapping
        ``file``, the path of a CSV or Parquet file, and ``target``, its column of classes.

    Raises
    ------
    ValueError
        With one sentence, if the file cannot be read, lacks the column or a label, or has fewer than 2 or more than
        50 classes.
    """
    file, target = setting["file"], setting["target"]
    names = column_names(file)
    if target not in names:
        raise ValueError(f"{file} has no column {target!r}; it has {', '.join(names)}.")
    if len(names) < 2:
        raise ValueError(f"{file} has no column beside {target!r}; at least one feature is needed.")
    labels = _labels(read_columns(file, [target], text=[target])[target], file)
    classes = {str(label): int(count) for label, count in labels.value_counts().sort_index().items()}
    if not 2 <= len(classes) <= MOST_CLASSES:
        raise ValueError(
            f"{file} has {len(classes)} different values in {target!r}; it must have 2 to {MOST_CLASSES} classes."
        )
    return {
        "title": name,
        "source": SOURCE,
        "uci_id": None,
        "address": f"#{name}",
        "licence": "not stated",
        "file": file,
        "target": target,
        "rows": len(labels),
        "features": len(names) - 1,
        "classes": classes,
    }


def read_own(entry: Mapping[str, Any]) -> pd.DataFrame:
    """Return a data set of the user's own as a canonical table.

    Parameters
    ----------
    entry : mapping
        From `own_entry`.
    """
    target = entry["target"]
    table = read_columns(entry["file"], column_names(entry["file"]), text=[target])
    features = table.drop(columns=target).rename(columns={TARGET: f"{TARGET}_feature"})
    labels = _labels(table[target], entry["file"])
    return canonical_table(features, labels, {label: label for label in entry["classes"]})


def column_names(file: str) -> list[str]:
    """Return the names of a file's columns; ValueError if it is no CSV or Parquet file with names that differ."""
    if not os.path.isfile(file):
        raise ValueError(f"{file} is not a file; a CSV or Parquet file is needed.")
    with _plain_errors(file):
        names = _columns_of_parquet(file) if _is_parquet(file) else _first_line(file)
    wrong = next((name for name in names if not name or names.count(name) > 1), None)
    if wrong is not None:
        raise ValueError(
            f"{file} has several columns named {wrong!r}, or one without a name; names must differ."
        )
    return names


def read_columns(file: str, columns: Sequence[str], text: Sequence[str] = ()) -> pd.DataFrame:
    """Read columns of a CSV or Parquet file; those in `text` as they are written in CSV.

    Raises
    ------
    ValueError
        With one sentence, for instance if a row has more or fewer cells than the first line.
    """
    with _plain_errors(file):
        if _is_parquet(file):
            return _frame(pa.parquet.read_table(file, columns=list(columns)))
        with open(file, "rb") as stream:
            content = stream.read()
        if content.count(b'"') % 2:
            raise ValueError("a quotation mark is never closed.")
        # In one block, since types are told from the first.
        size = max(min(len(content) + 1, 2**31 - 1), 1 << 20)
        table = pa.csv.read_csv(
            io.BytesIO(content),
            pa.csv.ReadOptions(block_size=size, use_threads=False),
            pa.csv.ParseOptions(delimiter=_separator(file), newlines_in_values=True),
            pa.csv.ConvertOptions(
                include_columns=list(columns),
                column_types=dict.fromkeys(text, pa.string()),
                strings_can_be_null=True,
            ),
        )
        return _frame(table)


def _frame(table: pa.Table) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas(ignore_metadata=True)
    return frame


@contextlib.contextmanager
def _plain_errors(file: str) -> Iterator[None]:
    try:
        yield
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise ValueError(f"{file} cannot be read: {reason}.") from None


def _is_parquet(file: str) -> bool:
    with open(file, "rb") as stream:
        return stream.read(4) == b"PAR1"


def _columns_of_parquet(file: str) -> list[str]:
    names: list[str] = pa.parquet.read_schema(file).names
    return [name for name in names if not name.startswith("__index_level_")]  # row numbers of pandas


def _first_line(file: str) -> list[str]:
    with open(file, encoding="utf-8-sig", newline="") as stream:
        names = next(csv.reader(stream, delimiter=_separator(file)), [])
    if not names:
        raise ValueError("it is empty; names of columns are needed")
    return names


def _separator(file: str) -> str:
    with open(file, encoding="utf-8-sig") as stream:
        first = stream.readline()
    return max(_SEPARATORS, key=first.count)


def _labels(column: pd.Series, file: str) -> pd.Series:
    missing = column.isna()
    if missing.any():
        raise ValueError(
            f"{file} has no label in column {column.name!r} of row {int(missing.argmax()) + 1}; each row needs one."
        )
    return column.map(str)
