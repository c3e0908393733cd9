"""Refuse a table of counts, such as a pasted cross table, because predictions need a row for each case."""

import re

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints
from nontrivial.reading.cells import FileColumn
from nontrivial.reading.files import OpenedTable

_MAX_CLASSES = 20
_TOTALS = {"total", "all", "sum"}
_COUNT_HEADINGS = {"n", "count", "counts", "freq", "frequency"}
_OUTCOMES = ("tn", "fp", "fn", "tp")


def refuse_counts(table: OpenedTable) -> None:
    """If a table holds counts instead of cases, raise ValueError with the command that judges these counts."""
    kind, counts = "columns of counts", _find_outcomes(table)
    if counts is not None:
        remedy = f"{_write_command(counts)} for the first row"
    else:
        kind, counts = "a cross table of counts", find_cross_table(table)
        if counts is None:
            return
        if len(counts) == 2 and counts[0].sum() <= counts[1].sum():
            counts = counts[::-1, ::-1]  # the rarer class is positive
        remedy, transposed = _write_command(counts), _write_command(counts.T)
        if transposed != remedy:
            remedy = f"{remedy} if the rows are the true classes, or {transposed} if the columns are"
    raise ValueError(f"{table.name} holds {kind}, but one row for each case is needed; for the counts, run: {remedy}.")


def _write_command(counts: Ints) -> str:
    """Return the command that judges counts. Rows are the true classes; of two classes, the positive one is last."""
    if len(counts) == 2:
        options = zip(_OUTCOMES, counts.ravel().tolist(), strict=True)
        return f"nontrivial published {' '.join(f'--{outcome} {count}' for outcome, count in options)}"
    sizes, n = counts.sum(axis=1), int(counts.sum())
    error = f"{1 - np.trace(counts) / n:.{len(str(n)) + 1}f}"  # with so many decimals, only one number of errors fits
    return f"nontrivial published --error {error} --classes {','.join(map(str, sizes))}"


def _find_outcomes(table: OpenedTable) -> Ints | None:
    """Return the counts in the first row of the columns TP, FP, FN and TN; None if the table lacks such columns."""
    names = {name.casefold(): name for name in table.names}
    if not names.keys() >= set(_OUTCOMES):
        return None
    cells = table.read([names[outcome] for outcome in _OUTCOMES], first=True)
    columns = [FileColumn(name, values) for name, values in cells.items()]
    if not all(column.is_numeric() for column in columns):
        return None
    return _convert_to_counts(np.array([column.numbers[0] for column in columns]).reshape(2, 2))


def find_cross_table(table: OpenedTable) -> Ints | None:
    """Return the counts of a cross table, or of a table with a row for each pair of classes; None for other tables."""
    if table.form not in ("CSV", "XLSX", "a table"):
        return None
    corner, *names = table.names or [""]
    names = [name for name in names if name.casefold() not in _TOTALS]
    if not 2 <= len(names) <= _MAX_CLASSES or len(set(table.names)) < len(table.names):
        return None
    cells = table.read(table.names, first=True)
    if len(cells) < len(table.names) or len(cells[corner]) > _MAX_CLASSES**2:
        return None
    columns = {name: FileColumn(name, values) for name, values in cells.items()}
    if len(names) == 2 and names[1].casefold() in _COUNT_HEADINGS:
        return _tabulate_pairs(*columns.values())
    texts, codes = columns[corner].distinct_texts
    labels = [label for label in (texts[code].strip() for code in codes) if label.casefold() not in _TOTALS]
    columns_by_class = dict(zip(_drop_shared_words(names), names, strict=True))
    order = [columns_by_class[label] for label in _drop_shared_words(labels) if label in columns_by_class]
    is_square = len(labels) == len(names) == len(set(order))
    if not is_square or not all(columns[name].is_numeric() for name in names):
        return None
    return _convert_to_counts(np.column_stack([columns[name].numbers[: len(labels)] for name in order]))


def _tabulate_pairs(first: FileColumn, second: FileColumn, counts: FileColumn) -> Ints | None:
    """Return the cross table of rows with two classes and a count, as R writes them; None if a pair recurs."""
    pairs = pd.DataFrame({0: first.names, 1: second.names})
    if pairs.duplicated().any() or not counts.is_numeric():
        return None
    labels = sorted({*first.names.categories, *second.names.categories})
    table = pairs.assign(n=counts.numbers).pivot_table("n", index=0, columns=1, observed=False)
    return _convert_to_counts(table.reindex(index=labels, columns=labels).fillna(0).to_numpy())


def _convert_to_counts(numbers: Floats) -> Ints | None:
    """Return numbers as counts; None if one is not a count, if their sum is too small, or if no case is right."""
    is_whole = (numbers >= 0).all() and (numbers == np.round(numbers)).all()
    may_be_counts = is_whole and numbers.sum() > len(numbers) and np.trace(numbers)
    return numbers.astype(np.int64) if may_be_counts else None


def _drop_shared_words(names: list[str]) -> list[str]:
    """Return names in lower case, without the first words that all names share, such as "actual"."""
    words = [re.split(r"[\s_.:=-]+", name.strip()) for name in names]
    while len({first for first, *_ in words}) == 1 and all(len(of_name) > 1 for of_name in words):
        words = [of_name[1:] for of_name in words]
    return [" ".join(of_name).casefold() for of_name in words]
