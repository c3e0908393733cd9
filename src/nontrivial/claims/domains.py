"""Domains of cases that a search goes through, in blocks that bound its memory.

A case is a tuple of whole numbers, say the four cells of a confusion table. A block is a prefix that its cases
share, with one axis for each of the other numbers.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from nontrivial.audit.atoms import TABLE_ATOMS
from nontrivial.audit.expressions import Cases
from nontrivial.audit.ratios import Table, check_names
from nontrivial.audit.stated import Order
from nontrivial.audit.values import Magnitude, Value

TABLE_CELLS = "FP, TP, FN, TN"
SMALL_CELL = 6  # of the tables that candidates for a condition are tried on first
# Beyond it a search would not end in reasonable time.
MOST_CASES = 10**8


class Domain(Protocol):
    """What a search needs to know of a domain."""

    @property
    def text(self) -> str:
        """The domain in words."""

    @property
    def size(self) -> int:
        """How many cases it has at most."""

    @property
    def atoms(self) -> tuple[Order, ...]:
        """The comparisons that a condition under which a failing statement holds is looked for among."""

    def small(self) -> Domain:
        """The part of it on which candidates for such a condition are tried first."""

    def parts(self, kind: type) -> Iterator[Part]:
        """All cases, in parts that bound the memory, in numbers of a kind that suffices."""

    def magnitudes(self, met: list[int]) -> Cases:
        """A case of `Magnitude`, as great as its numbers get, which note in `met` what is made of them."""

    def cases(self, case: Sequence[int]) -> Cases:
        """One case of the domain."""

    def holds(self, case: Sequence[int]) -> bool:
        """Tell whether a case is in the domain."""

    def check_names(self, names: Sequence[str]) -> None:
        """Raise ValueError for a name that its cases do not have."""


@dataclass(frozen=True)
class Part:
    """Cases that are gone through at once.

    Attributes
    ----------
    shape : tuple of int
        Of the arrays that their numbers come in, once broadcast.
    cases : Cases
    smallest : callable
        Takes a mask of that shape and returns the least case in it, by total and then lexicographically.
    """

    shape: tuple[int, ...]
    cases: Cases
    smallest: Callable[[np.ndarray], tuple[int, ...]]


@dataclass(frozen=True)
class Block:
    """Cases that share their first components."""

    prefix: tuple[int, ...]
    axes: tuple[range, ...]

    @property
    def shape(self) -> tuple[int, ...]:
        """The lengths of the axes."""
        return tuple(len(axis) for axis in self.axes)

    def components(self, kind: type) -> list[np.ndarray]:
        """The components as arrays of a kind of number, each along an axis of its own."""
        ones = (1,) * len(self.axes)
        fixed = [np.full(ones, number, dtype=kind) for number in self.prefix]
        shapes = [(*ones[:place], -1, *ones[place + 1 :]) for place in range(len(self.axes))]
        return fixed + [
            np.array(axis, dtype=kind).reshape(shape) for axis, shape in zip(self.axes, shapes, strict=True)
        ]

    def smallest(self, mask: np.ndarray) -> tuple[int, ...]:
        """Of the cases in a mask, the least by total and then lexicographically."""
        places = np.argwhere(mask)
        cases = places + [axis.start for axis in self.axes]
        # argwhere is lexicographic and argmin takes the first, so ties go to the least case.
        case = cases[np.argmin(cases.sum(axis=1))]
        return (*self.prefix, *(int(number) for number in case))


def blocks(axes: Sequence[range], largest: int = 2**17) -> Iterator[Block]:
    """Cut a domain into blocks of at most `largest` cases, if possible, in lexicographic order.

    Examples
    --------
    >>> [block.prefix for block in blocks([range(2), range(3)], largest=3)]
    [(0,), (1,)]
    """
    cut = 0
    while cut < len(axes) - 1 and np.prod([len(axis) for axis in axes[cut:]], dtype=float) > largest:
        cut += 1
    for prefix in itertools.product(*axes[:cut]):
        yield Block(prefix, tuple(axes[cut:]))


def largest_magnitude(domain: Domain, evaluate: Any) -> int:
    """The greatest magnitude that any number of a computation on the domain can have.

    Parameters
    ----------
    domain : Domain
    evaluate : callable
        Takes cases and computes on them.
    """
    met: list[int] = [0]
    evaluate(domain.magnitudes(met))
    return max(met)


class Product:
    """A domain of all combinations of whole numbers, each from an axis of its own."""

    atoms: tuple[Order, ...] = ()

    @property
    def size(self) -> int:
        """The number of cases."""
        return math.prod(len(axis) for axis in self.axes())

    def axes(self) -> list[range]:
        """The whole numbers that each component of a case runs through."""
        raise NotImplementedError

    def cases(self, components: Sequence[Any]) -> Cases:
        """The cases with these components: numbers, or arrays that broadcast against each other."""
        raise NotImplementedError

    def small(self) -> Domain:
        """The whole of it."""
        return self

    def parts(self, kind: type) -> Iterator[Part]:
        """All cases, block by block."""
        for block in blocks(self.axes()):
            yield Part(block.shape, self.cases(block.components(kind)), block.smallest)

    def magnitudes(self, met: list[int]) -> Cases:
        """Each component as great as it gets."""
        return self.cases([Magnitude(max(-axis[0], axis[-1]), met) for axis in self.axes()])

    def holds(self, case: Sequence[int]) -> bool:
        """Tell whether every component is on its axis."""
        axes = self.axes()
        return len(case) == len(axes) and all(
            type(number) is int and number in axis for number, axis in zip(case, axes, strict=True)
        )


@dataclass(frozen=True)
class Cells(Product):
    """Every confusion table with cells from 0 to a limit."""

    cells: int
    atoms = TABLE_ATOMS

    @property
    def text(self) -> str:
        """The domain in words."""
        return f"every confusion table with cells {TABLE_CELLS} in 0..{self.cells}"

    def axes(self) -> list[range]:
        """0 to the limit for each cell."""
        return [range(self.cells + 1)] * 4

    def cases(self, components: Sequence[Any]) -> Table:
        """Tables from FP, TP, FN, TN."""
        return Table(*components)

    def small(self) -> Cells:
        """The tables with small cells."""
        return Cells(min(SMALL_CELL, self.cells))

    def check_names(self, names: Sequence[str]) -> None:
        """Every measure and cell is known."""
        check_names(names)


@dataclass(frozen=True)
class Problem(Product):
    """Every confusion table of one problem: of so many positives and so many negatives."""

    positives: int
    negatives: int

    @property
    def text(self) -> str:
        """The domain in words."""
        return f"every confusion table of {self.positives} positives and {self.negatives} negatives"

    def axes(self) -> list[range]:
        """The false positives and the true positives."""
        return [range(self.negatives + 1), range(self.positives + 1)]

    def cases(self, components: Sequence[Any]) -> Table:
        """Tables from FP and TP."""
        fp, tp = components
        return Table(fp, tp, self.positives - tp, self.negatives - fp)

    def check_names(self, names: Sequence[str]) -> None:
        """Every measure and cell is known."""
        check_names(names)


class _TwoTables:
    """Two tables, whose names end in ``_1`` and ``_2``."""

    def __init__(self, first: Table, second: Table) -> None:
        self.tables = {"1": first, "2": second}

    def value(self, name: str) -> Value:
        """The measure, of the table that the name's end tells."""
        measure, _, which = name.rpartition("_")
        return self.tables[which].value(measure)

    def exchanged(self, how: str) -> _TwoTables:
        """Both tables exchanged."""
        return _TwoTables(*(table.exchanged(how) for table in self.tables.values()))


@dataclass(frozen=True)
class Pairs(Product):
    """Every pair of confusion tables with cells from 0 to a limit; of two classifiers, or of two problems."""

    cells: int

    @property
    def text(self) -> str:
        """The domain in words."""
        return f"every pair of confusion tables with cells {TABLE_CELLS} in 0..{self.cells} (the first's, the second's)"

    def axes(self) -> list[range]:
        """0 to the limit for each cell."""
        return [range(self.cells + 1)] * 8

    def cases(self, components: Sequence[Any]) -> _TwoTables:
        """Pairs of tables from the cells of both."""
        return _TwoTables(Table(*components[:4]), Table(*components[4:]))

    def check_names(self, names: Sequence[str]) -> None:
        """Every measure and cell is known that ends in ``_1`` or ``_2``."""
        for name in names:
            if name[-2:] not in ("_1", "_2"):
                raise ValueError(f"{name!r} names neither table; names that end in _1 or _2 are allowed.")
        check_names([name[:-2] for name in names])
