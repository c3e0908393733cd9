"""Files of predictions: a row group for each task, and a note with the task, its runs and the digest of its inputs."""

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

_KEY_COLUMNS = {"task": pa.string(), "model": pa.string(), "row": pa.int64(), "fold": pa.int8()}
_BINARY_COLUMNS = {"truth": pa.bool_(), "prediction": pa.bool_(), "score": pa.float64()}
# Codes of the true and the predicted class with a score for each class; or numbers, without scores.
_OTHER_COLUMNS = {"truth": pa.float64(), "prediction": pa.float64(), "scores": pa.list_(pa.float64())}
_NOTES_KEY = b"nontrivial"  # in the metadata of the file
_NUMERICAL_PACKAGES = ("numpy", "pandas", "scikit-learn", "scipy")


@dataclass(frozen=True)
class TaskPredictions:
    """All predictions on one task."""

    task: Task
    predictions: pd.DataFrame  # this table and the next are as `train_task` returns them
    runs: pd.DataFrame
    record: dict[str, Any] = field(default_factory=dict)  # facts about the task, which JSON can hold


class Batch:
    """A file of predictions, read one task at a time; its keys are the digests of the tasks' inputs.

    FileNotFoundError if the file does not exist. DamagedFile, also when a task is read, if its content was changed.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        with naming_file(path):
            self._file = pq.ParquetFile(path, page_checksum_verification=True)
            notes = (self._file.metadata.metadata or {}).get(_NOTES_KEY)
            if notes is None:
                raise ValueError("it is not a file of predictions")
            self._notes: list[dict[str, Any]] = json.loads(notes)
        self._numbers = {note["made_from"]: number for number, note in enumerate(self._notes)}

    def __iter__(self) -> Iterator[TaskPredictions]:
        return map(self._read_task, range(len(self._notes)))

    def __contains__(self, digest: str) -> bool:
        return digest in self._numbers

    def __getitem__(self, digest: str) -> TaskPredictions:
        return self._read_task(self._numbers[digest])

    def _read_task(self, number: int) -> TaskPredictions:
        note = self._notes[number]
        runs = pd.DataFrame(note["runs"], columns=["task", "model", "status", "warnings"], dtype="str")
        with naming_file(self._path):
            predictions: pd.DataFrame = self._file.read_row_group(number).to_pandas()
        return TaskPredictions(Task(**note["task"]), predictions, runs, note["record"])


def digest_of_inputs(files: Iterable[str | os.PathLike[str]], **values: Any) -> str:
    """Return a digest of everything that results are made from: the content of files, values and numerical software."""
    parts = {
        "files": [sha256_of(path) for path in files],
        "values": values,
        "software": {name: version(name) for name in _NUMERICAL_PACKAGES},
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def write_batch(
    path: str | os.PathLike[str],
    digests: Mapping[str, str],
    make: Callable[[list[str]], Iterator[TaskPredictions]],
    *,
    are_binary: bool = True,
) -> list[dict[str, Any]]:
    """Write the predictions on some tasks, each as soon as it is made, and return the records of the tasks.

    `digests` has the digest of the inputs of each task by its name. A task is copied from an earlier file at the path
    if that has the same digest; the names of the other tasks are given to `make`.
    """
    earlier = _read_earlier_batch(path)
    made = make([name for name, digest in digests.items() if digest not in earlier])
    notes: list[dict[str, Any]] = []
    columns = pa.schema(_KEY_COLUMNS | (_BINARY_COLUMNS if are_binary else _OTHER_COLUMNS))
    with (
        atomic_path(path) as temporary,
        pq.ParquetWriter(temporary, columns, compression="zstd", write_page_checksum=True) as writer,
    ):
        for digest in digests.values():
            member = earlier[digest] if digest in earlier else next(made)
            table = pa.Table.from_pandas(member.predictions, writer.schema, preserve_index=False)
            writer.write_table(table, row_group_size=max(1, table.num_rows))
            note = {"task": asdict(member.task), "runs": member.runs.to_numpy().tolist()}
            notes.append(note | {"record": member.record, "made_from": digest})
        next(made, None)  # lets the generator run to its end
        writer.add_key_value_metadata({_NOTES_KEY: json.dumps(notes)})
    return [note["record"] for note in notes]


def _read_earlier_batch(path: str | os.PathLike[str]) -> Batch | dict[str, TaskPredictions]:
    """Return the batch at a path, or an empty one if no file can be read."""
    try:
        return Batch(path)
    except (FileNotFoundError, DamagedFile):
        return {}
