"""A pasted cross table of counts, which has no row for each case: it is told from a file of cases and refused."""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np

from nontrivial._arrays import Ints
from nontrivial.reading.cells import Column
from nontrivial.reading.files import Table
from nontrivial.terminal import listed

_MOST_CLASSES = 20
_PREDICTED = re.compile(r"pred|classified|assigned|y_hat", re.IGNORECASE)
_TRUE = re.compile(r"true|truth|actual|reference|observed|gold|y_test", re.IGNORECASE)
_TOTALS = {"total", "all", "sum"}
_COUNTS = {"n", "count", "counts", "freq", "frequency", "size", "cases"}


class CrossTable(NamedTuple):
    """Counts of pairs of classes; `rows` and `columns` are what the table calls these."""

    counts: Ints
    rows: str
    columns: str

    @property
    def truths(self) -> list[int]:
        """The axes that may hold the true classes: 0 for the rows."""
        if _PREDICTED.search(self.rows) or _TRUE.search(self.columns):
            return [1]
        return [0] if _PREDICTED.search(self.columns) or _TRUE.search(self.rows) else [0, 1]

    def command(self, truth: int) -> str:
        """Return the command for the published error, if an axis holds the true classes."""
        sizes, n = self.counts.sum(axis=1 - truth), int(self.counts.sum())
        error = f"{1 - np.trace(self.counts) / n:.{len(str(n)) + 1}f}"
        cases = f"--positives {sizes.min()} --n {n}"
        return f"nontrivial published --error {error} {cases if len(sizes) == 2 else '--classes ' + _sizes(sizes)}"


def _sizes(sizes: Ints) -> str:
    return ",".join(map(str, sizes))


def refuse_cross_table(table: Table) -> None:
    """Raise ValueError with the command for counts, if a table crosses true and predicted classes."""
    crossed = find_cross_table(table)
    if crossed is None:
        return
    commands = [crossed.command(truth) for truth in crossed.truths]
    if len(set(commands)) == 1:
        remedy = f"run: {commands[0]}"
    else:
        remedy = f"run: {commands[0]} if the rows are the true classes, or {commands[1]} if the columns are"
    raise ValueError(
        f"{table.name} is a cross table of counts, but one row for each case is needed; for the counts, {remedy}."
    )


def find_cross_table(table: Table) -> CrossTable | None:
    """Return the counts of a table that crosses classes, or lists each pair of classes with its count."""
    if not 3 <= len(table.names) <= _MOST_CLASSES + 2 or len(set(table.names)) < len(table.names):
        return None
    cells = table.read(table.names, first=True)
    if len(cells) < len(table.names) or len(cells[table.names[0]]) > _MOST_CLASSES**2:
        return None
    columns = {name: Column(name, values) for name, values in cells.items()}
    return _crossed(columns) or _paired(columns)


def _crossed(columns: dict[str, Column]) -> CrossTable | None:
    """Read a row for each class, with a column for each."""
    (rows, first), *others = columns.items()
    others = [(name, column) for name, column in others if name.casefold() not in _TOTALS]
    texts, cases = first.written
    labels = [texts[place] for place in cases]
    of_classes = [place for place, label in enumerate(labels) if label.strip().casefold() not in _TOTALS]
    labels, names = [labels[place].strip() for place in of_classes], [name for name, _ in others]
    if not 2 <= len(labels) == len(others) or len(set(labels)) < len(labels):
        return None
    order = [_place_of(label, names) for label in labels]
    counts = [_whole_numbers(column) for _, column in others]
    if None in order or len(set(order)) < len(order) or any(numbers is None for numbers in counts):
        return None
    matrix = np.column_stack([counts[place] for place in order])[of_classes]  # type: ignore[misc, index]  # no None is left
    return CrossTable(matrix, rows, listed(names)) if matrix.sum() > len(matrix) else None


def _place_of(label: str, names: list[str]) -> int | None:
    """Return the place of the only name that is a label, or ends with it behind a blank or the like."""
    ends = re.compile(rf"(.*[\s_.:=-])?{re.escape(label)}", re.IGNORECASE)
    places = [place for place, name in enumerate(names) if ends.fullmatch(name)]
    return places[0] if len(places) == 1 else None


def _paired(columns: dict[str, Column]) -> CrossTable | None:
    """Read a row for each pair of classes, with its count in the last column."""
    (rows, first), (name, second), *others = columns.items()
    if len(others) != 1 or others[0][0].casefold() not in _COUNTS:
        return None
    counts = _whole_numbers(others[0][1])
    pairs = [[column.written.texts[place] for place in column.written.cases] for column in (first, second)]
    labels = sorted({*pairs[0], *pairs[1]})
    if counts is None or len(set(zip(*pairs, strict=True))) < len(counts) or len(labels) > _MOST_CLASSES:
        return None
    if len(labels) < 2 or counts.sum() <= len(counts) or not {*pairs[0]} & {*pairs[1]}:
        return None
    matrix = np.zeros((len(labels), len(labels)), dtype=np.int64)
    np.add.at(matrix, tuple([labels.index(text) for text in texts] for texts in pairs), counts)
    return CrossTable(matrix, rows, name)


def _whole_numbers(column: Column) -> Ints | None:
    if not column.are_numbers():
        return None
    numbers = column.numbers
    is_count = (numbers >= 0) & (numbers == np.round(numbers)) & (numbers < 1e15)
    return numbers.astype(np.int64) if is_count.all() else None
