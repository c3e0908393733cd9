"""Data sets that are the same rows under several names: counted apart, they would pass for several tries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from nontrivial_study.experiments.tasks.binary_tasks import rows_of_data


def first_of_same_rows(records: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return, for each data set with the rows of one before it, the name of the first.

    Parameters
    ----------
    records : iterable of mapping
        Records of data sets, `nontrivial_study.data.canonical.dataset_record`.

    Examples
    --------
    >>> digests = {"wdbc": "a", "iris": "b", "wdbc_uci": "a"}
    >>> first_of_same_rows({"name": name, "rows_sha256": digest} for name, digest in digests.items())
    {'wdbc_uci': 'wdbc'}
    """
    firsts: dict[str, str] = {}
    names = {record["name"]: firsts.setdefault(record["rows_sha256"], record["name"]) for record in records}
    return {name: first for name, first in names.items() if name != first}


def name_same_rows(
    tables: Iterable[pd.DataFrame], records: Sequence[Mapping[str, Any]]
) -> Iterator[pd.DataFrame]:
    """Yield tables whose ``rows_of`` is one name for all tasks of the same rows, or made of one original.

    It is the name of the original where a record with those rows has one, or of the first data set with those rows.

    Parameters
    ----------
    tables : iterable of DataFrame
        With ``rows_of`` from `nontrivial_study.experiments.tasks.binary_tasks.rows_of`.
    records : sequence of mapping
        Records of the data sets.

    Examples
    --------
    >>> records = [
    ...     {"name": "wdbc", "rows_sha256": "a"},
    ...     {"name": "openml_9946", "rows_sha256": "a", "openml_data": 1510},
    ... ]
    >>> areas = pd.DataFrame({"rows_of": ["wdbc", "OpenML data 1510", "iris"]})
    >>> next(name_same_rows([areas], records))["rows_of"].tolist()
    ['wdbc', 'wdbc', 'iris']
    """
    first = first_of_same_rows(records)
    of_data = {record["name"]: rows_of_data(record["name"], record) for record in records}
    leader = {name: first.get(name, name) for name in of_data}
    originals = {leader[record["name"]]: record["original"] for record in records if "original" in record}
    made_of = {of_data[name]: originals.get(one, of_data[one]) for name, one in leader.items()}
    for areas in tables:
        yield areas.assign(rows_of=areas["rows_of"].replace(made_of))
