"""Files of predictions: a row group for each task, and a note on what the task is and what its rows were made from."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from nontrivial.files import DamagedFile, atomic_path, naming_file, sha256_of
from nontrivial_study.experiments.tasks.tasks import Task

_KEYS = {"task": pa.string(), "model": pa.string(), "row": pa.int64(), "fold": pa.int8()}
_ANSWERS = {"truth": pa.bool_(), "prediction": pa.bool_(), "score": pa.float64()}
# Of all classes, the places of the true and the predicted one and a score for each; or numbers, without scores.
_WHOLE_ANSWERS = {"truth": pa.float64(), "prediction": pa.float64(), "scores": pa.list_(pa.float64())}
_NOTES = b"nontrivial"  # the key of what is noted of the tasks, in the file's metadata
_SOFTWARE = ("numpy", "pandas", "scikit-learn", "scipy")


@dataclass(frozen=True)
class TaskPredictions:
    """All predictions on one task."""

    task: Task
    # As `train_task` returns them.
    predictions: pd.DataFrame
    runs: pd.DataFrame
    # What else is to be known of the task, in the form of JSON.
    record: dict[str, Any] = field(default_factory=dict)


class Batch:
    """A file of predictions, read one task at a time: a mapping from what they were made from.

    FileNotFoundError if there is no file; DamagedFile, also when a task is read, if it is not what was written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        with naming_file(path):
            self._file = pq.ParquetFile(path, page_checksum_verification=True)
            notes = (self._file.metadata.metadata or {}).get(_NOTES)
            if notes is None:
                raise ValueError("it is no file of predictions")
            self._notes: list[dict[str, Any]] = json.loads(notes)
        self._places = {note["made_from"]: place for place, note in enumerate(self._notes)}

    def __iter__(self) -> Iterator[TaskPredictions]:
        return map(self._member, range(len(self._notes)))

    def __contains__(self, made_from: str) -> bool:
        return made_from in self._places

    def __getitem__(self, made_from: str) -> TaskPredictions:
        return self._member(self._places[made_from])

    def _member(self, number: int) -> TaskPredictions:
        note = self._notes[number]
        runs = pd.DataFrame(note["runs"], columns=["task", "model", "status", "warnings"], dtype="str")
        with naming_file(self._path):
            predictions: pd.DataFrame = self._file.read_row_group(number).to_pandas()
        return TaskPredictions(Task(**note["task"]), predictions, runs, note["record"])


def digest_of(files: Iterable[str | os.PathLike[str]], **values: Any) -> str:
    """Return a digest of what results are made from: the content of files, values, and the numerical software."""
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
    *,
    are_binary: bool = True,
) -> list[dict[str, Any]]:
    """Write the predictions on some tasks, each as soon as it is there; those of an earlier file are carried over."""
    before = _whole_batch(path)
    carried = {source for source in made_from.values() if source in before}
    made = make([name for name, source in made_from.items() if source not in carried])
    notes: list[dict[str, Any]] = []
    columns = pa.schema(_KEYS | (_ANSWERS if are_binary else _WHOLE_ANSWERS))
    with (
        atomic_path(path) as temporary,
        pq.ParquetWriter(temporary, columns, compression="zstd", write_page_checksum=True) as writer,
    ):
        for source in made_from.values():
            note = _append(writer, before[source] if source in carried else next(made))
            notes.append(note | {"made_from": source})
        next(made, None)  # so that it comes to its end, and to what it does there
        writer.add_key_value_metadata({_NOTES: json.dumps(notes)})
    return [note["record"] for note in notes]


def _append(writer: pq.ParquetWriter, member: TaskPredictions) -> dict[str, Any]:
    """Write the predictions on a task as a part of the file and return what is to be noted of it."""
    table = pa.Table.from_pandas(member.predictions, writer.schema, preserve_index=False)
    writer.write_table(table, row_group_size=max(1, table.num_rows))
    runs = member.runs.to_numpy().tolist()
    return {"task": asdict(member.task), "runs": runs, "record": member.record}


def _whole_batch(path: str | os.PathLike[str]) -> Batch | dict[str, TaskPredictions]:
    """Return the batch at a path; nothing where there is none, or what it holds cannot be told."""
    try:
        return Batch(path)
    except (FileNotFoundError, DamagedFile):
        return {}
