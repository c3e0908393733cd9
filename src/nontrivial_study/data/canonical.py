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
Record = dict[str, Any]
Entry = Mapping[str, Any]  # the description of a data set, task or run in the configuration or a list


def canonical_table(
    features: pd.DataFrame, target: pd.Series | np.ndarray, class_names: Mapping[Any, str] | None = None
) -> pd.DataFrame:
    """Return the features, in the distributor's order, and then the target, as one table in canonical form.

    `class_names` maps the labels of the target to names. Without `class_names`, the target is a column of numbers.

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
        str(name): _to_floats(column) if pd.api.types.is_numeric_dtype(column) else _to_texts(column)
        for name, column in features.items()
    }
    if class_names is None:
        columns[TARGET] = _to_floats(target)
    else:
        unknown = sorted(set(target) - set(class_names), key=str)
        if unknown:
            raise ValueError(f"The target has the label {unknown[0]!r}; known are {list(class_names)}.")
        columns[TARGET] = _to_texts(target.map(dict(class_names)))
    return pd.DataFrame(columns)


def canonical_sha256(table: pd.DataFrame) -> str:
    """Return the digest of a canonical table's values.

    The digest covers the shape, the kind of each column, and every value in column order, but no column names. Numbers
    enter as little-endian float64, 0.0 and -0.0 alike, and texts as their length and UTF-8 bytes. So the digest does
    not depend on the library that stores the table.
    """
    digest = hashlib.sha256(f"{table.shape[0]}x{table.shape[1]}".encode())
    for _, column in table.items():
        if pd.api.types.is_numeric_dtype(column):
            digest.update(b"\nnumber\n" + _normalize_numbers(column).tobytes())
        else:
            digest.update(b"\ntext\n")
            for value in column:
                text = None if pd.isna(value) else str(value).encode()
                digest.update(b"-;" if text is None else b"%d:%b;" % (len(text), text))
    return digest.hexdigest()


def rows_sha256(table: pd.DataFrame) -> str:
    """Return a digest of a canonical table's rows that is the same for every distributor of a data set.

    Distributors may reorder rows and columns, rename classes, and store numbers as categories. None of this changes the
    digest, because the digest sorts the columns by their values. Columns with the same values in different rows keep
    their order.
    """
    columns = [_value_codes(_numbers_if_all_are(column)) for _, column in table.items()]
    target: Ints = columns.pop()
    if pd.api.types.is_numeric_dtype(table[TARGET]):  # the target of a regression is a column like any other
        columns, target = [*columns, target], np.zeros(len(table), dtype=np.int64)
    sorted_columns = sorted(columns, key=lambda codes: hashlib.sha256(np.sort(codes).tobytes()).digest())
    codes = np.column_stack([*sorted_columns[::-1], target])
    rows = codes[np.lexsort(codes.T)]  # sort by class, then by the columns
    class_starts = np.flatnonzero(np.diff(rows[:, -1])) + 1
    rows_of_classes = np.split(rows[:, :-1], class_starts)
    class_digests = sorted(hashlib.sha256(part.tobytes()).digest() for part in rows_of_classes)
    return hashlib.sha256(f"{table.shape[0]}x{table.shape[1]}".encode() + b"".join(class_digests)).hexdigest()


def dataset_record(name: str, table: pd.DataFrame, entry: Entry) -> Record:
    """Return the record of a canonical table. Raise ValueError if the table differs from its entry."""
    classes = None
    if "classes" in entry:
        classes = {str(key): int(count) for key, count in table[TARGET].value_counts().sort_index().items()}
    n_features, sha256 = table.shape[1] - 1, canonical_sha256(table)
    actual = {"rows": len(table), "features": n_features, "classes": classes, "sha256": sha256}
    for key, value in actual.items():
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
        **actual,
        "sha256_covers": "the values of the canonical table, independent of file format and column names",
        "rows_sha256": rows_sha256(table),
        "positive": None if classes is None else minority_class(classes),
    }


def minority_class(counts: Mapping[str, int]) -> str:
    """Return the class with the fewest rows. Of equally rare classes, return the last in the order of `Classes`.

    Examples
    --------
    >>> minority_class({"benign": 357, "malignant": 212})
    'malignant'
    >>> minority_class({"9": 20, "10": 20})
    '10'
    """
    fewest = min(counts.values())
    return Classes.from_labels([name for name, count in counts.items() if count == fewest]).names[-1]


def write_dataset(path: str | os.PathLike[str], table: pd.DataFrame, record: Record) -> None:
    """Write a canonical table as Parquet, and its record beside it as JSON."""
    write_parquet(path, table)
    write_json(Path(path).with_suffix(".json"), record)


def _to_floats(column: pd.Series) -> np.ndarray:
    return column.to_numpy(dtype=np.float64, na_value=np.nan)


def _numbers_if_all_are(column: pd.Series) -> pd.Series:
    """Return a column as numbers if all its values are numbers, or else unchanged."""
    numbers = pd.to_numeric(column, errors="coerce")
    return numbers if numbers.notna().equals(column.notna()) else column


def _normalize_numbers(column: pd.Series) -> Floats:
    """Return numbers in which all zeros have the same bits, and all NaNs have the same bits."""
    values: Floats = column.to_numpy(dtype="<f8", copy=True)
    values += 0.0  # turns -0.0 into 0.0
    values[np.isnan(values)] = np.nan
    return values


def _value_codes(column: pd.Series) -> Ints:
    """Return a code for each cell. Cells with the same value have the same code."""
    if pd.api.types.is_numeric_dtype(column):
        return _normalize_numbers(column).view("<i8")
    codes, texts = pd.factorize(column)
    digests = [hashlib.sha256(str(text).encode()).digest()[:8] for text in texts] + [b"-missing"]
    return np.frombuffer(b"".join(digests), dtype="<i8")[codes]


def _to_texts(column: pd.Series) -> pd.Series:
    return pd.Series([None if pd.isna(value) else str(value) for value in column], dtype="str")
