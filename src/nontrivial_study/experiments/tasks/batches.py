"""Files of predictions: a row group for each task, and a note on what the task is and what its rows were made from.

A batch is written and read one task at a time, so that memory is that of a task, however many there are. When a batch
is made again because tasks were added to it, those that would be made from the same things again are carried over.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import pandas as pd
import pyarrow as pa

from nontrivial_study.experiments.tasks.binary_tasks import Task
from nontrivial.files import DamagedFile, sha256_of
from nontrivial_study.parquet_tables import Reader, Writer, open_writer

_COLUMNS = pa.schema(
    {
        "task": pa.string(),
        "model": pa.string(),
        "row": pa.int64(),
        "fold": pa.int8(),
        "truth": pa.bool_(),
        "prediction": pa.bool_(),
        "score": pa.float64(),
    }
)
_SOFTWARE = ("numpy", "pandas", "scikit-learn", "scipy")


@dataclass(frozen=True)
class TaskPredictions:
    """All predictions on one task.

    Attributes
    ----------
    task : Task
    predictions, runs : DataFrame
        As `nontrivial_study.experiments.tasks.training.train_task` returns them.
    record : dict
        What else is to be known of the task, in the form of JSON.
    """

    task: Task
    predictions: pd.DataFrame
    runs: pd.DataFrame
    record: dict[str, Any] = field(default_factory=dict)


class Batch:
    """A file of predictions, read one task at a time: a mapping from what they were made from.

    Parameters
    ----------
    path : path
        A file of `write_batch`.

    Raises
    ------
    FileNotFoundError
        If there is no file.
    nontrivial.files.DamagedFile
        Then, or when a task is read, if the file is not what was written. A task that is damaged is not in the mapping.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = Reader(path)
        self._places = {note["made_from"]: place for place, note in enumerate(self._file.notes)}

    def __iter__(self) -> Iterator[TaskPredictions]:
        return map(self._member, range(len(self._file)))

    def __contains__(self, made_from: str) -> bool:
        return made_from in self._places and self._file.is_whole(self._places[made_from])

    def __getitem__(self, made_from: str) -> TaskPredictions:
        return self._member(self._places[made_from])

    def _member(self, number: int) -> TaskPredictions:
        note = self._file.notes[number]
        runs = pd.DataFrame(note["runs"], columns=["task", "model", "status", "warnings"], dtype="str")
        return TaskPredictions(Task(**note["task"]), self._file.read(number), runs, note["record"])


def digest_of(files: Iterable[str | os.PathLike[str]], **values: Any) -> str:
    """Return a digest of what results are made from: the content of files, values, and the numerical software.

    Parameters
    ----------
    files : iterable of path
        Code and data; what they are called does not matter.
    **values
        Settings, in the form of JSON.

    Returns
    -------
    str of 64 hexadecimal digits
    """
    parts = {
        "files": [sha256_of(path) for path in files],
        "values": values,
        "software": {name: version(name) for name in _SOFTWARE},
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def write_batch(
    path: str | os.PathLike[str],
    made_from: Mapping[str, str],
    make: Callable[[list[str]], Iterator[TaskPredictions]],
) -> list[dict[str, Any]]:
    """Write the predictions on some tasks, each as soon as it is there.

    Parameters
    ----------
    path : path
        What stands there already is not made again, as far as it was made from the same things.
    made_from : mapping of str to str
        From the tasks' names, in their order, to what `digest_of` says of their sources.
    make : callable
        Given the names of the tasks that are to be made, yields them in this order.

    Returns
    -------
    list of dict
        The tasks' records.
    """
    before = _whole_batch(path)
    carried = {source for source in made_from.values() if source in before}
    made = make([name for name, source in made_from.items() if source not in carried])
    notes: list[dict[str, Any]] = []
    with open_writer(path, _COLUMNS, notes) as writer:
        for source in made_from.values():
            note = _append(writer, before[source] if source in carried else next(made))
            notes.append(note | {"made_from": source})
        next(made, None)  # so that it comes to its end, and to what it does there
    return [note["record"] for note in notes]


def _append(writer: Writer, member: TaskPredictions) -> dict[str, Any]:
    """Write the predictions on a task as a part of the file and return what is to be noted of it."""
    writer.append(pa.Table.from_pandas(member.predictions, _COLUMNS, preserve_index=False))
    runs = member.runs.to_numpy().tolist()
    return {"task": asdict(member.task), "runs": runs, "record": member.record}


def _whole_batch(path: str | os.PathLike[str]) -> Batch | dict[str, TaskPredictions]:
    """Return the batch at a path; nothing where there is none, or what it holds cannot be told."""
    try:
        return Batch(path)
    except (FileNotFoundError, DamagedFile):
        return {}
