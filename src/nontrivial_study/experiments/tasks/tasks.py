"""Tasks, their division into batches of work, and data sets that are the same rows under several names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from nontrivial_study.data.canonical import minority_class
from nontrivial_study.data.own import SOURCE as OWN


@dataclass(frozen=True)
class Task:
    """One task: binary, or all classes or the numbers of a data set of the user's own."""

    name: str  # ``<dataset>`` for a two-class data set, ``<dataset>-<class>`` for one class against the rest
    dataset: str
    # The class that counts as positive: the one with fewer rows than all the others together. None for a two-class
    # data set whose classes are known only once it has been downloaded.
    positive: str | None
    cells: int  # rows times features, a measure of the work
    # Whether models score by probabilities where they can, and not by their decision function, so that they get a
    # verdict on them: on the user's own data.
    probabilities: bool = False
    target: str = "positive"  # one class against the rest; or all "classes", or "numbers"


def dataset_name(number: int) -> str:
    """Return the name that the data set and the task of an OpenML task's number have in the study."""
    return f"openml_{number}"


def resolve_task(task: Task, record: Mapping[str, Any]) -> Task:
    """Return a task with the positive class that its data set's record names, where it was not known before."""
    is_known = task.positive is not None or task.target != "positive"
    return task if is_known else replace(task, positive=record["positive"])


def rows_of(dataset: str, record: Mapping[str, Any]) -> str:
    """Return what the rows of a task come from: its data set, at OpenML that with the number of the record."""
    number = record.get("openml_data")
    return dataset if number is None else f"OpenML data {number}"


def expand_tasks(names: Iterable[str], datasets: Mapping[str, Mapping[str, Any]]) -> list[Task]:
    """Return the binary tasks of the named data sets, in the order named.

    A data set of two classes gives one task with the minority as positive; one of k > 2 classes gives k tasks,
    each class against the rest.
    """
    tasks = []
    for dataset in names:
        entry = datasets[dataset]
        classes = entry["classes"]
        cells = entry["rows"] * entry["features"]
        is_own = entry.get("source") == OWN
        if len(classes) == 2:
            tasks.append(Task(dataset, dataset, minority_class(classes), cells, is_own))
        else:
            tasks += [Task(f"{dataset}-{name}", dataset, name, cells, is_own) for name in classes]
    return tasks


def whole_tasks(datasets: Mapping[str, Mapping[str, Any]]) -> list[Task]:
    """Return the tasks of data sets that are not binary: all of three classes or more, or numbers."""
    tasks = []
    for name, entry in datasets.items():
        if len(entry.get("classes", ())) != 2:
            target = "classes" if "classes" in entry else "numbers"
            tasks.append(Task(name, name, None, entry["rows"] * entry["features"], True, target))
    return tasks


def chunk_tasks(tasks: Sequence[Task], cells: int) -> list[list[Task]]:
    """Divide tasks into batches, each of consecutive tasks with at most `cells` cells, or of one larger task.

    Starting a process costs seconds, so a batch should be worth many; consecutive filling leaves all batches but
    the last as they were when tasks are added at the end.
    """
    chunks: list[list[Task]] = []
    room = 0
    for task in tasks:
        if not chunks or task.cells > room:
            chunks.append([])
            room = cells
        chunks[-1].append(task)
        room -= task.cells
    return chunks


# Data sets that are the same rows under several names: counted apart, they would pass for several tries.
def find_duplicates(records: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return, for each data set with the rows of one before it, the name of the first."""
    firsts: dict[str, str] = {}
    names = {record["name"]: firsts.setdefault(record["rows_sha256"], record["name"]) for record in records}
    return {name: first for name, first in names.items() if name != first}


def name_duplicates(
    tables: Iterable[pd.DataFrame], records: Sequence[Mapping[str, Any]]
) -> Iterator[pd.DataFrame]:
    """Yield tables whose ``rows_of`` is one name for all tasks of the same rows, or made of one original.

    It is the name of the original where a record with those rows has one, or of the first data set with those rows.
    """
    first = find_duplicates(records)
    of_data = {record["name"]: rows_of(record["name"], record) for record in records}
    leader = {name: first.get(name, name) for name in of_data}
    originals = {leader[record["name"]]: record["original"] for record in records if "original" in record}
    made_of = {of_data[name]: originals.get(one, of_data[one]) for name, one in leader.items()}
    for areas in tables:
        yield areas.assign(rows_of=areas["rows_of"].replace(made_of))
