"""Tasks, their division into batches of work, and data sets that have the same rows under several names."""

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
    # The class that counts as positive. It has fewer rows than all other classes together. None for a two-class data
    # set whose classes are known only once it has been downloaded.
    positive: str | None
    cells: int  # rows times features, a measure of the work
    # Whether models score by probabilities if they can, and not by their decision function. On the user's own data they
    # do, so that the probabilities get a verdict.
    probabilities: bool = False
    target: str = "positive"  # "positive": one class against the rest; "classes": all classes; "numbers": a regression


def dataset_name(number: int) -> str:
    """Return the study's name of an OpenML task and of its data set."""
    return f"openml_{number}"


def resolve_task(task: Task, record: Mapping[str, Any]) -> Task:
    """Return a task with the positive class that its data set's record names, if it was not known before."""
    is_known = task.positive is not None or task.target != "positive"
    return task if is_known else replace(task, positive=record["positive"])


def rows_of(dataset: str, record: Mapping[str, Any]) -> str:
    """Return the name of the data set that a task's rows come from; OpenML's data sets are named by their number."""
    number = record.get("openml_data")
    return dataset if number is None else f"OpenML data {number}"


def expand_tasks(names: Iterable[str], datasets: Mapping[str, Mapping[str, Any]]) -> list[Task]:
    """Return the binary tasks of the named data sets, in the order named.

    A data set of two classes has one task, with the minority as positive. A data set of k > 2 classes has k tasks, each
    class against the rest.
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
    """Return a task for each data set that is not binary: its target is all classes, or numbers."""
    tasks = []
    for name, entry in datasets.items():
        if len(entry.get("classes", ())) != 2:
            target = "classes" if "classes" in entry else "numbers"
            tasks.append(Task(name, name, None, entry["rows"] * entry["features"], True, target))
    return tasks


def chunk_tasks(tasks: Sequence[Task], cells: int) -> list[list[Task]]:
    """Divide tasks into batches, each of consecutive tasks with at most `cells` cells, or of one larger task.

    Starting a process costs seconds, so the work of a batch should take many. Batches are filled one after another, so
    tasks that are added at the end change only the last batch.
    """
    chunks: list[list[Task]] = []
    cells_left = 0
    for task in tasks:
        if not chunks or task.cells > cells_left:
            chunks.append([])
            cells_left = cells
        chunks[-1].append(task)
        cells_left -= task.cells
    return chunks


def find_duplicates(records: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return for each data set with the same rows as an earlier one the name of the first."""
    firsts: dict[str, str] = {}
    names = {record["name"]: firsts.setdefault(record["rows_sha256"], record["name"]) for record in records}
    return {name: first for name, first in names.items() if name != first}


def name_duplicates(tables: Iterable[pd.DataFrame], records: Sequence[Mapping[str, Any]]) -> Iterator[pd.DataFrame]:
    """Yield tables whose ``rows_of`` is one name for all tasks of the same rows, or made of one original.

    Counted separately, such tasks would pass for independent ones. The name is the original's if a record with those
    rows has one, otherwise the name of the first data set with those rows.
    """
    duplicates = find_duplicates(records)
    first_of = {record["name"]: duplicates.get(record["name"], record["name"]) for record in records}
    originals = {first_of[record["name"]]: record["original"] for record in records if "original" in record}
    own_names = {record["name"]: rows_of(record["name"], record) for record in records}
    shared_names = {own_names[name]: originals.get(first, own_names[first]) for name, first in first_of.items()}
    for areas in tables:
        yield areas.assign(rows_of=areas["rows_of"].replace(shared_names))
