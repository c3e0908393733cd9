"""What claims are about: confusion tables and pairs of them, numbers by name, and what any kind of case has to offer.

A case is a tuple of whole numbers, say the four cells of a table. Every kind of case can go through its small cases in
the order of size (by sum, then one by one), and some can be put to the solver, which decides cases of any size.
"""

from __future__ import annotations

import functools
import graphlib
import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.formulas import Cases, Formula, NamedNumbers
from nontrivial.claims.found import Case
from nontrivial.claims.solver import Ratio, Space
from nontrivial.claims.tables import CELLS, MEASURES, Table
from nontrivial.claims.values import Value

# By whether tables come in pairs: how many cases they have together.
SMALL = {False: 12, True: 8}  # every proof is tried on tables of up to so many
LARGEST = {False: 36, True: 16}  # if no small table settles a claim, larger ones are searched up to here
_BLOCK = 2**14
_MOST = 10**6  # combinations of whole numbers


@dataclass(frozen=True)
class Part:
    """Cases that are tried at once, in the order of size; `case` gives the one at a place as whole numbers."""

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

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """What its cases have numbers for."""

    @abstractmethod
    def small(self) -> Iterable[Part]:
        """Its small cases, by size."""

    def larger(self) -> Iterable[Part]:
        """Some larger ones, by size."""
        return ()

    @abstractmethod
    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        """One case in numbers that nothing outgrows; None if it is not in the domain."""

    @property
    def complete(self) -> bool:
        """Whether its small cases are all that it has."""
        return False

    @property
    def whole(self) -> bool:
        """Whether its cases are whole numbers only."""
        return True

    def space(self) -> Space | None:
        """Its cases in the solver's terms; None if the solver cannot take them."""
        return None

    def of_solver(self, case: Sequence[Fraction] | None) -> Case | None:
        """The solver's case as one of its own, made whole by a common factor if it has to be."""
        if case is None:
            return None
        scale = math.lcm(*(number.denominator for number in case)) if self.whole else 1
        scaled = (scale * number for number in case)
        return tuple(int(number) if number.denominator == 1 else number for number in scaled)


class Rows(Domain):
    """Cases that are rows of whole numbers, each of which is in a range."""

    @abstractmethod
    def axes(self) -> Sequence[range]:
        """The range of each number."""

    @abstractmethod
    def cases(self, columns: Sequence[Any] | np.ndarray) -> Cases:
        """Cases from a column for each number."""

    def check_size(self) -> None:
        """Raise ValueError if there are too many cases to go through."""
        if math.prod(axis.stop - axis.start for axis in self.axes()) > _MOST:
            raise ValueError(f"the ranges have more than {_MOST:,} combinations.")

    def small(self) -> Iterable[Part]:
        """All of its cases."""
        grid = np.stack(np.meshgrid(*self.axes(), indexing="ij"), axis=-1).reshape(-1, len(self.axes()))
        grid = grid[np.argsort(grid.sum(axis=1), kind="stable")]
        return (self.part(grid[start : start + _BLOCK]) for start in range(0, len(grid), _BLOCK))

    def has(self, case: Sequence[int | Fraction]) -> bool:
        """Whether a row is one of the cases: as many whole numbers, each in its range."""
        return len(case) == len(self.axes()) and all(
            type(number) is int and number in axis for number, axis in zip(case, self.axes(), strict=True)
        )

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        return self.cases(np.array([case], dtype=object).T) if self.has(case) else None

    def part(self, block: np.ndarray) -> Part:
        """Cases from an array with a row for each."""
        return Part(self.cases(block.T), len(block), lambda place: tuple(block[place].tolist()))


@dataclass(frozen=True)
class Tables(Rows):
    """Confusion tables of any size, or pairs of them, whose measures end in ``_1`` and ``_2``.

    A pair is of two classifiers, or of two problems.
    """

    pairs: bool = False

    @property
    def kind(self) -> str:
        return "pairs of tables" if self.pairs else "tables"

    def fields(self) -> dict[str, Any]:
        return {"over": self.kind, "cases": SMALL[self.pairs]}

    @property
    def names(self) -> Sequence[str]:
        return [f"{name}{end}" for end in self._ends for name in (*CELLS, *MEASURES)]

    @property
    def _ends(self) -> Sequence[str]:
        return ("_1", "_2") if self.pairs else ("",)

    def axes(self) -> Sequence[range]:
        return [range(10**100)] * (len(CELLS) * len(self._ends))  # any counts

    def cases(self, columns: Sequence[Any] | np.ndarray) -> Cases:
        return self._tables(columns, Value)

    def _tables(self, cells: Sequence[Any] | np.ndarray, arithmetic: type) -> Cases:
        first = Table(*cells[:4], arithmetic=arithmetic)
        return TwoTables(first, Table(*cells[4:], arithmetic=arithmetic)) if self.pairs else first

    def small(self) -> Iterable[Part]:
        return [_small(self)]

    def larger(self) -> Iterable[Part]:
        return map(self.part, _by_total(len(self.axes()), SMALL[self.pairs] + 1, LARGEST[self.pairs]))

    def space(self) -> Space:
        cells = [f"?{cell}{end}" for end in self._ends for cell in CELLS]
        return Space(cells, (), self._tables(cells, Ratio))


@functools.cache  # claims share them, and what each measure comes to on them
def _small(tables: Tables) -> Part:
    return tables.part(np.concatenate(list(_by_total(len(tables.axes()), 0, SMALL[tables.pairs]))))


@dataclass(frozen=True)
class Numbers(Rows):
    """Whole numbers by name, each in a range, and what is defined from them."""

    ranges: Mapping[str, range]
    define: Mapping[str, Formula]
    # Whether all positive real numbers are meant. The ranges then only say which are tried.
    open: bool = False
    kind = "numbers"

    def __post_init__(self) -> None:
        check_defined(list(self.ranges), self.define)
        self.check_size()

    @classmethod
    def positive(cls, names: Sequence[str], define: Mapping[str, Formula]) -> Numbers:
        """All positive numbers, of which few are tried."""
        largest = 6 if len(names) < 5 else 3
        return cls(dict.fromkeys(names, range(1, largest + 1)), define, open=True)

    def fields(self) -> dict[str, Any]:
        ranges = {name: [axis[0], axis[-1]] for name, axis in self.ranges.items()}
        return {"over": self.kind, "ranges": ranges, "open": self.open}

    @property
    def names(self) -> Sequence[str]:
        return [*self.ranges, *self.define]

    def axes(self) -> Sequence[range]:
        return list(self.ranges.values())

    def cases(self, columns: Any) -> NamedNumbers:
        return NamedNumbers(dict(zip(self.ranges, map(Value, columns), strict=True)), self.define)

    @property
    def complete(self) -> bool:
        return not self.open

    whole = complete

    def has(self, case: Sequence[int | Fraction]) -> bool:
        """Whether each number is in its range; if all numbers are meant, whether they are positive."""
        if not self.open:
            return super().has(case)
        return len(case) == len(self.ranges) and all(type(x) in (int, Fraction) and x > 0 for x in case)

    def space(self) -> Space:
        """Variables from 0 on, or positive where a range begins with 1 or more."""
        cases = NamedNumbers({name: Ratio(f"?{name}") for name in self.ranges}, self.define, Ratio)
        bounds = [f"(> ?{name} 0.0)" for name, axis in self.ranges.items() if axis[0] > 0]
        return Space([f"?{name}" for name in self.ranges], bounds, cases)


class TwoTables(Cases):
    """Pairs of tables, whose names end in ``_1`` and ``_2``."""

    def __init__(self, first: Cases, second: Cases) -> None:
        self.tables = {"1": first, "2": second}
        self.arithmetic = first.arithmetic

    def value(self, name: str) -> Any:
        """The measure, of the table that the name's end tells."""
        measure, _, which = name.rpartition("_")
        return self.tables[which].value(measure)

    def exchanged(self, how: str) -> TwoTables:
        return TwoTables(*(table.exchanged(how) for table in self.tables.values()))


def _by_total(count: int, first: int, last: int) -> Iterator[np.ndarray]:
    """All sequences of so many whole numbers from 0 on with sums from `first` to `last`, in blocks."""
    for total in range(first, last + 1):
        bars = np.array(list(itertools.combinations(range(total + count - 1), count - 1)), dtype=np.int64)
        cases = np.diff(bars, axis=1, prepend=-1, append=total + count - 1) - 1
        yield from (cases[start : start + _BLOCK] for start in range(0, len(cases), _BLOCK))


def check_defined(known: Sequence[str], define: Mapping[str, Formula]) -> None:
    """Raise ValueError for a definition of what is known, from what is unknown, or of itself."""
    parts = {name: formula.names for name, formula in define.items()}
    for name in define:
        if name in known:
            raise ValueError(f"{name!r} is defined twice; once is allowed.")
    for name in itertools.chain(*parts.values()):
        if name not in known and name not in define:
            raise ValueError(f"{name!r} is unknown; known: {', '.join((*known, *define))}.")
    try:
        graphlib.TopologicalSorter(parts).prepare()
    except graphlib.CycleError as error:
        raise ValueError(f"{min(error.args[1])!r} is defined by itself.") from error
