"""The data sets that the servers offer: read from a folder, or made up as they are asked for."""

from __future__ import annotations

import csv
import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import arff
import numpy as np

CLOVER_TASK, ADA_TASK = 3872, 3896
_KNOWN_TASKS = {"white-clover__bin_is2020": CLOVER_TASK, "ada_agnostic": ADA_TASK}
FOLDS = 10
# liac-arff does not know dates; OpenML hands them out as they are.
_DATE = re.compile(r"(?im)^(@attribute\s+(?:'[^'\n]*'|\"[^\"\n]*\"|\S+)\s+)date\b.*$")


@dataclass
class FolderSet:
    """A data set of the folder's ``openml/``, served as OpenML would."""

    data_id: int
    task_id: int
    name: str
    path: Path
    target: str
    licence: str
    counts: dict[str, int]
    rows: int

    @cached_property
    def arff(self) -> bytes:
        text = self.path.read_text(encoding="utf-8", errors="replace")
        # Bounds behind a numeric type, which some files carry, are not in what OpenML hands out.
        return re.sub(
            r"(?im)^(@attribute\s.*?\s(?:integer|real|numeric))\s*\[.*?\]\s*$", r"\1", text
        ).encode()

    @cached_property
    def format(self) -> str:
        body = re.split(r"(?im)^@data\s*$", self.arff.decode(), maxsplit=1)[-1]
        return "Sparse_ARFF" if body.lstrip().startswith("{") else "ARFF"

    @cached_property
    def _parsed(self) -> dict:
        text = _DATE.sub(r"\1STRING", self.arff.decode())
        return arff.loads(text, return_type=arff.DENSE if self.format == "ARFF" else arff.LOD)

    @cached_property
    def attributes(self) -> list[tuple[str, list[str] | str]]:
        return self._parsed["attributes"]

    @cached_property
    def truth(self) -> np.ndarray:
        column = [name for name, _ in self.attributes].index(self.target)
        if self.format == "ARFF":
            return np.array([str(row[column]) for row in self._parsed["data"]])
        first = self.attributes[column][1][0]  # what a sparse row need not say
        return np.array([str(row.get(column, first)) for row in self._parsed["data"]])

    @cached_property
    def classes(self) -> list[str]:
        kind = dict(self.attributes)[self.target]
        return [str(label) for label in kind] if isinstance(kind, list) else sorted(set(self.truth))


@dataclass
class MadeUpSet:
    """A binary data set of a few numeric features, the same whenever it is asked for."""

    data_id: int
    task_id: int
    rows: int
    name: str = field(init=False)
    target: str = "class"
    licence: str = "public domain"
    format: str = "ARFF"
    classes: tuple[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.name = f"made-up-{self.data_id}"
        self.classes = ("no", "rather yes" if self.data_id % 5 == 0 else "yes")

    @property
    def _generator(self) -> np.random.Generator:
        return np.random.default_rng([7, self.data_id])

    @property
    def truth(self) -> np.ndarray:
        share = 0.05 + 0.45 * self._generator.random()
        positive = np.zeros(self.rows, dtype=int)
        positive[: max(FOLDS, round(share * self.rows))] = 1
        return np.array(self.classes)[self._generator.permutation(positive)]

    @property
    def counts(self) -> dict[str, int]:
        truth = self.truth
        return {name: int((truth == name).sum()) for name in self.classes}

    @property
    def attributes(self) -> list[tuple[str, list[str] | str]]:
        return [("a", "REAL"), ("b", "REAL"), (self.target, list(self.classes))]

    @property
    def arff(self) -> bytes:
        truth = self.truth
        values = self._generator.normal(size=(self.rows, 2)) + (truth == self.classes[1])[:, None]
        labels = ",".join(f"'{label}'" for label in self.classes)
        lines = [f"@relation {self.name}", "@attribute a real", "@attribute b real"]
        lines += [f"@attribute {self.target} {{{labels}}}", "@data"]
        lines += [f"{a:.4f},{b:.4f},'{label}'" for (a, b), label in zip(values, truth, strict=True)]
        return ("\n".join(lines) + "\n").encode()


def read_folder(folder: Path) -> list[FolderSet]:
    """Return the ARFF sets of a folder in the order of its index; ids follow from the order."""
    sets = []
    with (folder / "index.csv").open(encoding="utf-8", newline="") as stream:
        entries = [entry for entry in csv.DictReader(stream) if entry["format"] == "arff"]
    for number, entry in enumerate(entries, start=1):
        counts = dict(pair.strip().rsplit("=", 1) for pair in entry["classes_and_counts"].split(";"))
        sets.append(
            FolderSet(
                data_id=number,
                task_id=_KNOWN_TASKS.get(entry["name"], 10_000 + number),
                name=entry["name"],
                path=folder / entry["file"],
                target=entry["target_column"],
                licence=entry["license"] or "unknown",
                counts={label: int(count) for label, count in counts.items()},
                rows=int(entry["rows"]),
            )
        )
    return sets


def make_sets(count: int, rows: int, taken: set[int]) -> list[MadeUpSet]:
    """Return `count` made-up sets, the documents' two tasks first unless the folder has them."""
    wanted = [task for task in (CLOVER_TASK, ADA_TASK) if task not in taken]
    task_ids = wanted + [20_000 + number for number in range(count)]
    return [MadeUpSet(30_000 + number, task_id, rows) for number, task_id in enumerate(task_ids[:count])]


def fold_of(truth: np.ndarray, task_id: int) -> np.ndarray:
    """Return a stratified division of the rows into `FOLDS` folds."""
    generator = np.random.default_rng([11, task_id])
    fold = np.empty(len(truth), dtype=int)
    start = 0
    for label in np.unique(truth):
        rows = generator.permutation(np.flatnonzero(truth == label))
        fold[rows] = (start + np.arange(len(rows))) % FOLDS
        start += len(rows)
    return fold


def md5(content: bytes) -> str:
    return hashlib.md5(content, usedforsecurity=False).hexdigest()
