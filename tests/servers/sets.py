"""The data sets that the server offers: read from a folder, or made up."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import arff
import numpy as np

CLOVER_TASK, ADA_TASK = 3872, 3896
_KNOWN_TASKS = {"white-clover__bin_is2020": CLOVER_TASK, "ada_agnostic": ADA_TASK}
FOLDS = 10
# liac-arff does not know dates; OpenML hands them out as they are.
_DATE = re.compile(r"(?im)^(@attribute\s+(?:'[^'\n]*'|\"[^\"\n]*\"|\S+)\s+)date\b.*$")
# Bounds behind a numeric type, which some files carry, are not in what OpenML hands out.
_BOUNDS = re.compile(r"(?im)^(@attribute\s.*?\s(?:integer|real|numeric))\s*\[.*?\]\s*$")


@dataclass
class DataSet:
    """A data set and its task; `read` returns its ARFF file."""

    data_id: int
    task_id: int
    name: str
    target: str
    licence: str
    counts: dict[str, int]
    read: Callable[[], str]

    @property
    def rows(self) -> int:
        return sum(self.counts.values())

    @cached_property
    def arff(self) -> bytes:
        return self.read().encode()

    @cached_property
    def is_sparse(self) -> bool:
        return re.split(r"(?im)^@data\s*$", self.arff.decode(), maxsplit=1)[-1].lstrip().startswith("{")

    @cached_property
    def _parsed(self) -> dict:
        text = _DATE.sub(r"\1STRING", self.arff.decode())
        return arff.loads(text, return_type=arff.LOD if self.is_sparse else arff.DENSE)

    @cached_property
    def attributes(self) -> list[tuple[str, list[str] | str]]:
        return self._parsed["attributes"]

    @cached_property
    def truth(self) -> np.ndarray:
        column = [name for name, _ in self.attributes].index(self.target)
        if not self.is_sparse:
            return np.array([str(row[column]) for row in self._parsed["data"]])
        first = self.attributes[column][1][0]  # what a sparse row need not say
        return np.array([str(row.get(column, first)) for row in self._parsed["data"]])

    @cached_property
    def classes(self) -> list[str]:
        """The labels that occur, in the order in which they are declared."""
        kind = dict(self.attributes)[self.target]
        present = sorted(set(self.truth))
        return [str(label) for label in kind if label in present] if isinstance(kind, list) else present

    @cached_property
    def fold(self) -> np.ndarray:
        """A stratified division of the rows into `FOLDS` folds."""
        generator = np.random.default_rng([11, self.task_id])
        fold = np.empty(len(self.truth), dtype=int)
        start = 0
        for label in np.unique(self.truth):
            rows = generator.permutation(np.flatnonzero(self.truth == label))
            fold[rows] = (start + np.arange(len(rows))) % FOLDS
            start += len(rows)
        return fold


def read_folder(folder: Path) -> list[DataSet]:
    """Return the ARFF sets of a folder in the order of its index; ids follow from the order."""
    with (folder / "index.csv").open(encoding="utf-8", newline="") as stream:
        entries = [entry for entry in csv.DictReader(stream) if entry["format"] == "arff"]
    sets = []
    for number, entry in enumerate(entries, start=1):
        counts = dict(pair.strip().rsplit("=", 1) for pair in entry["classes_and_counts"].split(";"))
        counts = {label: int(count) for label, count in counts.items()}
        task, licence = _KNOWN_TASKS.get(entry["name"], 10_000 + number), entry["license"] or "unknown"
        read = partial(_read_file, folder / entry["file"])
        sets.append(DataSet(number, task, entry["name"], entry["target_column"], licence, counts, read))
    return sets


def _read_file(path: Path) -> str:
    return _BOUNDS.sub(r"\1", path.read_text(encoding="utf-8", errors="replace"))


def make_sets(count: int, rows: int, taken: set[int]) -> list[DataSet]:
    """Return `count` made-up sets, the documents' two tasks first unless the folder has them."""
    wanted = [task for task in (CLOVER_TASK, ADA_TASK) if task not in taken]
    task_ids = wanted + [20_000 + number for number in range(count)]
    return [_make_set(30_000 + number, task_id, rows) for number, task_id in enumerate(task_ids[: max(0, count)])]


def _make_set(data_id: int, task_id: int, rows: int) -> DataSet:
    """Return a binary data set of two numeric features, the same whenever it is asked for."""
    generator = np.random.default_rng([7, data_id])
    share = 0.05 + 0.45 * generator.random()
    positive = generator.permutation(np.arange(rows) < max(FOLDS, round(share * rows)))
    values = np.random.default_rng([7, data_id]).normal(size=(rows, 2)) + positive[:, None]
    names = ("no", "rather yes" if data_id % 5 == 0 else "yes")
    truth = np.array(names)[positive.astype(int)].tolist()
    lines = [f"@relation made-up-{data_id}", "@attribute a real", "@attribute b real"]
    lines += [f"@attribute class {{'{names[0]}','{names[1]}'}}", "@data"]
    lines += [f"{a:.4f},{b:.4f},'{label}'" for (a, b), label in zip(values, truth, strict=True)]
    text = "\n".join([*lines, ""])
    counts = {name: Counter(truth)[name] for name in names}
    return DataSet(data_id, task_id, f"made-up-{data_id}", "class", "public domain", counts, lambda: text)
