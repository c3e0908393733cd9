"""Confusion tables, pairs of them, and tables with a factor: their names, measures and cases."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from nontrivial.claims.domains.domain import CaseBatch, GridDomain, LargerCases, split_by_size
from nontrivial.claims.language.formulas import CellChange, Formula, FormulaCases
from nontrivial.claims.language.numbers import Ratios
from nontrivial.measures.catalogue import ALIASES, CATALOGUE, ConfusionTables

TABLE_CELLS = ("fp", "tp", "fn", "tn")
MARGIN_NAMES = ("positives", "negatives", "predicted_positives", "predicted_negatives", "errors", "n")
FACTOR_NAME = "k"
TABLE_NAMES = (*TABLE_CELLS, *MARGIN_NAMES, *CATALOGUE, "f1", "chance_agreement")
_CHANCE_HITS = "predicted_positives * positives + predicted_negatives * negatives"
_CHANCE_AGREEMENT = Formula.number(f"({_CHANCE_HITS}) / n**2")


class _TableKind(NamedTuple):
    """The endings of names, and the largest numbers of cases that are tried, both tables of a pair together."""

    name_ends: tuple[str, ...]
    factor_names: tuple[str, ...]
    small: int
    larger: int  # if no small table settles a claim
    without_empty_cell: int


_TABLE_KINDS = {
    "tables": _TableKind(("",), (), small=12, larger=48, without_empty_cell=48),
    "pairs of tables": _TableKind(("_1", "_2"), (), small=8, larger=16, without_empty_cell=18),
    "tables and a factor": _TableKind(("",), (FACTOR_NAME,), small=10, larger=24, without_empty_cell=24),
}


class TableCases(FormulaCases):
    """Confusion tables as the numbers FP, TP, FN and TN of each table, with a factor if the cases have one."""

    def __init__(self, *cells: Any, beta: Fraction = Fraction(1), factor: Any = None) -> None:
        self._cells, self.arithmetic, self._factor = cells, type(cells[0]), factor
        fp, tp, fn, tn = cells
        squared, unit = (beta**2).as_integer_ratio()
        self._tables = ConfusionTables(tp, fp, fn, tn, weights=(unit, squared))
        self._computed: dict[str, Any] = {}

    def value(self, name: str) -> Any:
        """Return a cell, a margin or a measure of each table; names such as ``f_beta(2)`` give beta."""
        if name not in self._computed:
            self._computed[name] = self._compute_value(name)
        return self._computed[name]

    def _compute_value(self, name: str) -> Any:
        """Compute a cell, a margin or a measure from the cells."""
        measure, _, beta = name.partition("(")
        if beta:
            return TableCases(*self._cells, beta=Fraction(beta.removesuffix(")"))).value(measure)
        if name == FACTOR_NAME and self._factor is not None:
            return self._factor
        if name in (*TABLE_CELLS, *MARGIN_NAMES):
            return getattr(self._tables, name)
        if name == "chance_agreement":
            return _CHANCE_AGREEMENT.evaluate(self)
        if name not in TABLE_NAMES:
            raise ValueError(f"{name!r} is unknown; known: {', '.join(TABLE_NAMES)}.")
        record = CATALOGUE[ALIASES.get(name, name)]
        above, below = record.ratio(self._tables)
        if record.scale.falls:
            return replace(below / above, scale=record.scale.of_reciprocal)
        return replace(above / below, scale=record.scale)

    def change_cells(self, change: CellChange, template: str) -> TableCases:
        return TableCases(*change(*self._cells), factor=self._factor)


class TablePairCases(FormulaCases):
    """Pairs of confusion tables, with names that end in ``_1`` and ``_2``, before any beta: ``f_beta_1(2)``."""

    def __init__(self, first: TableCases, second: TableCases) -> None:
        self._tables = {"1": first, "2": second}
        self.arithmetic = first.arithmetic

    def value(self, name: str) -> Any:
        name, bracket, beta = name.partition("(")
        measure, _, which = name.rpartition("_")
        return self._tables[which].value(measure + bracket + beta)

    def change_cells(self, change: CellChange, template: str) -> TablePairCases:
        return TablePairCases(*(table.change_cells(change, template) for table in self._tables.values()))


@dataclass(frozen=True)
class TableDomain(GridDomain):
    """Confusion tables of any size: alone, in pairs, or with a factor, as `kind` says."""

    kind: str = "tables"

    @property
    def names(self) -> Sequence[str]:
        kind = _TABLE_KINDS[self.kind]
        return [*(f"{name}{end}" for end in kind.name_ends for name in TABLE_NAMES), *kind.factor_names]

    @functools.cached_property
    def ranges(self) -> Mapping[str, range]:  # type: ignore[override]
        kind, any_count = _TABLE_KINDS[self.kind], range(10**100)
        cells = {f"{cell}{end}": any_count for end in kind.name_ends for cell in TABLE_CELLS}
        return cells | dict.fromkeys(kind.factor_names, any_count[1:])

    def cases(self, columns: Any, arithmetic: Any = Ratios) -> FormulaCases:
        numbers = list(map(arithmetic, columns))
        if self.kind == "pairs of tables":
            return TablePairCases(TableCases(*numbers[:4]), TableCases(*numbers[4:]))
        return TableCases(*numbers[:4], factor=numbers[4] if len(numbers) > 4 else None)

    def search_fields(self) -> dict[str, Any]:
        return {"over": self.kind, "cases": _TABLE_KINDS[self.kind].small}

    def small_batches(self) -> Iterable[CaseBatch]:
        return [_small_tables(self)]

    def larger_cases(self, names: Collection[str]) -> LargerCases:
        """Return the tables above the small ones, up to the largest size that is searched."""
        first, last = _TABLE_KINDS[self.kind].small + 1, _TABLE_KINDS[self.kind].larger
        return LargerCases({"larger": last}, map(self.make_batch, self._tables_by_size(first, last)))

    def natural_batches(self) -> Iterable[CaseBatch]:
        largest = _TABLE_KINDS[self.kind].without_empty_cell - len(self.ranges)
        return (self.make_batch(rows + 1) for rows in _rows_by_sum(len(self.ranges), 0, largest))

    def _tables_by_size(self, first: int, last: int) -> Iterator[np.ndarray]:
        """Yield blocks of all tables whose sums are from `first` to `last`, with factors of at least 1."""
        for rows in _rows_by_sum(len(self.ranges), first, last):
            yield rows[rows[:, -1] > 0] if _TABLE_KINDS[self.kind].factor_names else rows


@functools.cache  # claims share the tables, and the measures computed on them
def _small_tables(domain: TableDomain) -> CaseBatch:
    """Make one batch of all small tables of a domain."""
    return domain.make_batch(np.concatenate(list(domain._tables_by_size(0, _TABLE_KINDS[domain.kind].small))))


def _rows_by_sum(length: int, first: int, last: int) -> Iterator[np.ndarray]:
    """Yield all rows of so many whole numbers from 0 on with sums from `first` to `last`, in blocks."""
    for total in range(first, last + 1):
        bars = np.array(list(itertools.combinations(range(total + length - 1), length - 1)), dtype=np.int64)
        yield from split_by_size(np.diff(bars, axis=1, prepend=-1, append=total + length - 1) - 1)
