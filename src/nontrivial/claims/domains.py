"""What claims are about: confusion tables and pairs of them, and what any kind of case has to offer.

A case is a tuple of whole numbers, say the four cells of a table. Every kind of case can go through its small cases in
the order of size (by sum, then one by one), and some can be put to the solver, which decides cases of any size.
"""

from __future__ import annotations

import functools
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.encoding import TableSymbols
from nontrivial.claims.formulas import Cases
from nontrivial.claims.solver import Space
from nontrivial.claims.tables import CELLS, Table, check_names

# Cases in a table, and in both tables of a pair together.
SMALL = {False: 12, True: 8}  # of those on which every proof is tried
LARGEST = {False: 36, True: 16}  # of those that are searched where the smallest counterexample is larger
_BLOCK = 2**14
_MOST = 10**6  # combinations of whole numbers


@dataclass(frozen=True)
class Part:
    """Cases that are gone through at once, in the order of size; `case` gives the one at a place as whole numbers."""

    cases: Cases
    count: int
    case: Callable[[int], tuple[int, ...]]


class Domain(ABC):
    """What the search and the solver need to know of cases of a kind."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """As the registry calls it."""

    @abstractmethod
    def fields(self) -> dict[str, Any]:
        """What was searched, as plain data."""

    @abstractmethod
    def check_names(self, names: Sequence[str]) -> None:
        """Raise ValueError for a name that its cases do not have."""

    @abstractmethod
    def small(self) -> Iterable[Part]:
        """Its small cases, by size."""

    def larger(self) -> Iterable[Part]:
        """Some beyond them."""
        return ()

    @abstractmethod
    def one(self, case: Sequence[int]) -> Cases | None:
        """One case in numbers that nothing outgrows; None if it is not in the domain."""

    def spaces(self) -> Sequence[Space]:
        """Its cases in the solver's terms, all of them and then those in its ranges; none if there is no way."""
        return ()


@dataclass(frozen=True)
class Tables(Domain):
    """Confusion tables of any size, or pairs of them, whose measures end in ``_1`` and ``_2``.

    A pair is of two classifiers, or of two problems.
    """

    pairs: bool = False

    @property
    def kind(self) -> str:
        return "pairs of tables" if self.pairs else "tables"

    def fields(self) -> dict[str, Any]:
        return {"over": self.kind, "cases": SMALL[self.pairs]}

    def check_names(self, names: Sequence[str]) -> None:
        """Every measure and cell is known."""
        if self.pairs:
            for name in names:
                if not name.endswith(("_1", "_2")):
                    raise ValueError(f"{name!r} names neither table; names that end in _1 or _2 are allowed.")
            names = [name[:-2] for name in names]
        check_names(names)

    def small(self) -> Iterable[Part]:
        return [_small(self.pairs)]

    def larger(self) -> Iterable[Part]:
        blocks = _by_total(8 if self.pairs else 4, SMALL[self.pairs] + 1, LARGEST[self.pairs])
        return (part_of(block, _tables(block.T)) for block in blocks)

    def one(self, case: Sequence[int]) -> Cases | None:
        """The four whole numbers of a table, or the eight of a pair."""
        return _tables(column_of(case)) if are_counts(case, 8 if self.pairs else 4) else None

    def spaces(self) -> Sequence[Space]:
        tables = [[f"?{cell}{end}" for cell in CELLS] for end in (("_1", "_2") if self.pairs else ("",))]
        symbols = [TableSymbols(*cells) for cells in tables]
        cases = TwoTables(*symbols) if self.pairs else symbols[0]
        return [Space("any size", {cell: () for cells in tables for cell in cells}, cases)]


class TwoTables(Cases):
    """Pairs of tables, whose names end in ``_1`` and ``_2``."""

    def __init__(self, first: Cases, second: Cases) -> None:
        self.tables = {"1": first, "2": second}

    def number(self, exact: Fraction) -> Any:
        """A number that is the same in all cases."""
        return self.tables["1"].number(exact)

    def value(self, name: str) -> Any:
        """The measure, of the table that the name's end tells."""
        measure, _, which = name.rpartition("_")
        return self.tables[which].value(measure)

    def exchanged(self, how: str) -> TwoTables:
        """Both tables exchanged."""
        return TwoTables(*(table.exchanged(how) for table in self.tables.values()))


def _tables(cells: Sequence[Any] | np.ndarray) -> Cases:
    return Table(*cells) if len(cells) == 4 else TwoTables(Table(*cells[:4]), Table(*cells[4:]))


@functools.cache  # claims share them, and what each measure comes to on them
def _small(pairs: bool) -> Part:
    block = np.concatenate(list(_by_total(8 if pairs else 4, 0, SMALL[pairs])))
    return part_of(block, _tables(block.T))


def check_size(axes: Iterable[range]) -> None:
    """Raise ValueError if ranges have too many combinations to go through."""
    if math.prod(axis.stop - axis.start for axis in axes) > _MOST:
        raise ValueError(f"the ranges have more than {_MOST:,} combinations.")


def product_by_total(axes: Collection[range]) -> Iterator[np.ndarray]:
    """All combinations of whole numbers from some ranges, by their sum and then one by one, in blocks."""
    grid = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1).reshape(-1, len(axes))
    grid = grid[np.argsort(grid.sum(axis=1), kind="stable")]
    return (grid[start : start + _BLOCK] for start in range(0, len(grid), _BLOCK))


def _by_total(count: int, first: int, last: int) -> Iterator[np.ndarray]:
    """All sequences of so many whole numbers from 0 on with sums from `first` to `last`, in blocks."""
    for total in range(first, last + 1):
        places = itertools.combinations(range(total + count - 1), count - 1)
        size = math.comb(total + count - 1, count - 1)
        flat = itertools.chain.from_iterable(places)
        bars = np.fromiter(flat, dtype=np.int64, count=size * (count - 1)).reshape(size, -1)
        cases = np.diff(bars, axis=1, prepend=-1, append=total + count - 1) - 1
        yield from (cases[start : start + _BLOCK] for start in range(0, size, _BLOCK))


def part_of(block: np.ndarray, cases: Cases) -> Part:
    """Cases from an array with a row for each."""
    return Part(cases, len(block), lambda place: tuple(block[place].tolist()))


def column_of(case: Sequence[int]) -> np.ndarray:
    """One case as an array with a row for each of its numbers, which nothing outgrows."""
    return np.array([case], dtype=object).T


def are_counts(case: Sequence[int], count: int) -> bool:
    """Tell whether a case is so many whole numbers from 0 on."""
    return len(case) == count and all(type(number) is int and number >= 0 for number in case)
