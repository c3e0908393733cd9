"""The canonical form of a data set: one table, one record, one digest."""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints
from nontrivial.files import write_json
from nontrivial.reading.labels import Classes
from nontrivial_study.tables import write_parquet

TARGET = "target"


def canonical_table(
    features: pd.DataFrame, target: pd.Series | np.ndarray, class_names: Mapping[Any, str] | None = None
) -> pd.DataFrame:
    """Return the features, in the distributor's order, and the target, last, as one table in canonical form.

    Examples
    --------
    >>> canonical_table(pd.DataFrame({"x": [1, 2]}), [0, 1], {0: "no", 1: "yes"})
         x target
    0  1.0     no
    1  2.0    yes
    """
    target = pd.Series(np.asarray(target))
    if TARGET in features.columns:
        raise ValueError(f"A feature is named {TARGET!r}, the name kept for the target column; rename it.")
    columns = {
        str(name): _as_float(column) if pd.api.types.is_numeric_dtype(column) else _as_text(column)
        for name, column in features.items()
    }
    if class_names is None:
        columns[TARGET] = _as_float(target)
    else:
        unknown = sorted(set(target) - set(class_names), key=str)
        if unknown:
            raise ValueError(f"The target has the label {unknown[0]!r}; known are {list(class_names)}.")
        columns[TARGET] = _as_text(target.map(dict(class_names)))
    return pd.DataFrame(columns)


def canonical_sha256(table: pd.DataFrame) -> str:
    """Return the digest of a canonical table's values.

    It covers the shape, every value in column order and the kind of each column, not the column names, and
    does not depend on the library that stores the table: numbers enter as little-endian float64 with one zero
    and one NaN, texts as their length and UTF-8 bytes.
    """
    digest = hashlib.sha256(f"{table.shape[0]}x{table.shape[1]}".encode())
    for _, column in table.items():
        if pd.api.types.is_numeric_dtype(column):
            digest.update(b"\nnumber\n" + _normalized(column).tobytes())
        else:
            digest.update(b"\ntext\n")
            for value in column:
                text = None if pd.isna(value) else str(value).encode()
                digest.update(b"-;" if text is None else b"%d:%b;" % (len(text), text))
    return digest.hexdigest()


def rows_sha256(table: pd.DataFrame) -> str:
    """Return a digest of a canonical table's rows that does not depend on how a distributor presents them.

    Distributors put rows and columns into another order, rename classes, and declare a column of numbers to be one of
    categories; the digest stays the same. Columns that have the same values, in any order, are told apart by
    their places.
    """
    columns = [_keys(_as_number(column)) for _, column in table.items()]
    target: Ints = columns.pop()
    if pd.api.types.is_numeric_dtype(table[TARGET]):  # for regression: then it is a value as any other
        columns, target = [*columns, target], np.zeros(len(table), dtype=np.int64)
    by_values = sorted(columns, key=lambda keys: hashlib.sha256(np.sort(keys).tobytes()).digest())
    keys = np.column_stack([*by_values[::-1], target])
    rows = keys[np.lexsort(keys.T)]  # by class first
    starts = np.flatnonzero(np.diff(rows[:, -1])) + 1
    classes = sorted(hashlib.sha256(part[:, :-1].tobytes()).digest() for part in np.split(rows, starts))
    return hashlib.sha256(f"{table.shape[0]}x{table.shape[1]}".encode() + b"".join(classes)).hexdigest()


def dataset_record(name: str, table: pd.DataFrame, entry: Mapping[str, Any]) -> dict[str, Any]:
    """Describe a canonical table, after checking it against what the configuration expects of it."""
    classes = None
    if "classes" in entry:
        classes = {str(key): int(count) for key, count in table[TARGET].value_counts().sort_index().items()}
    found = {
        "rows": len(table),
        "features": table.shape[1] - 1,
        "classes": classes,
        "sha256": canonical_sha256(table),
    }
    for key, value in found.items():
        if value != entry.get(key):
            raise ValueError(
                f"Data set {name!r} from {entry['source']} has {key} {value}; {entry.get(key)} was expected, so the "
                "copy is damaged or another version."
            )
    return {
        "name": name,
        **{key: entry[key] for key in ("title", "source", "uci_id", "address", "licence")},
        **{key: entry[key] for key in ("original", "citation", "dated", "columns") if key in entry},
        "kind": "regression" if classes is None else "classification",
        **found,
        "sha256_covers": "the values of the canonical table, independent of file format and column names",
        "rows_sha256": rows_sha256(table),
        "positive": None if classes is None else minority_class(classes),
    }


def minority_class(counts: Mapping[str, int]) -> str:
    """Return the class with the fewest rows; of equally rare ones, the last in the order of `Classes`.

    Examples
    --------
    >>> minority_class({"benign": 357, "malignant": 212})
    'malignant'
    >>> minority_class({"9": 20, "10": 20})
    '10'
    """
    fewest = min(counts.values())
    return Classes.from_labels([name for name, count in counts.items() if count == fewest]).names[-1]


def write_dataset(path: str | os.PathLike[str], table: pd.DataFrame, record: Mapping[str, Any]) -> None:
    """Write a canonical table as Parquet, and its record beside it as JSON."""
    write_parquet(path, table)
    write_json(Path(path).with_suffix(".json"), record)


def _as_float(column: pd.Series) -> np.ndarray:
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _as_number(column: pd.Series) -> pd.Series:
    """Return a column as numbers if every value is one, or else as it is."""
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().equals(column.notna()) else column


def _normalized(column: pd.Series) -> Floats:
    """Return numbers with one zero, since -0.0 + 0.0 is 0.0, and with one NaN."""
    values: Floats = column.to_numpy(dtype="<f8", copy=True)
    values += 0.0
    values[np.isnan(values)] = np.nan
    return values


def _keys(column: pd.Series) -> Ints:
    """Return a number for each value, the same wherever the value stands."""
    if pd.api.types.is_numeric_dtype(column):
        return _normalized(column).view("<i8")
    codes, texts = pd.factorize(column)
    digests = [hashlib.sha256(str(text).encode()).digest()[:8] for text in texts] + [b"-missing"]
    return np.frombuffer(b"".join(digests), dtype="<i8")[codes]


def _as_text(column: pd.Series) -> pd.Series:
    return pd.Series([None if pd.isna(value) else str(value) for value in column], dtype="str")
