"""Statements about formulas of whole numbers: cells of several tables, costs, grids of rates and weights."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial.audit import cases
from nontrivial.audit.cases import Case, Domain, Ratio, exact
from nontrivial.audit.formulas import Definition, check_definitions
from nontrivial.audit.found import Search
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.test import Test

_AXIS = re.compile(r"([a-z][a-z0-9_]*) (\d+)\.\.(\d+)")
MOST_CASES = 5_000_000
BLOCK = 200_000


@dataclass(frozen=True)
class Axis:
    """A whole number and its range, written like ``tp 0..4``."""

    name: str
    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> Axis:
        """Read an axis; else ValueError."""
        match = _AXIS.fullmatch(text)
        if match is None or int(match[2]) > int(match[3]):
            raise ValueError(f"{text[:60]!r} is not a range of whole numbers such as 'tp 0..4'.")
        return cls(match[1], int(match[2]), int(match[3]))


@dataclass(eq=False)
class Numbers:
    """Cases of several whole numbers, one array for each axis, and what formulas make of them."""

    columns: dict[str, NDArray]
    define: Sequence[Definition]
    _ratios: dict[str, Ratio] = field(default_factory=dict, repr=False)

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the arrays."""
        return next(iter(self.columns.values())).shape

    def ratio(self, name: str) -> Ratio:
        """A number or a defined quantity of all cases."""
        if name not in self._ratios:
            self._ratios[name] = self._compute(name)
        return self._ratios[name]

    def _compute(self, name: str) -> Ratio:
        if name in self.columns:
            return self.columns[name], np.ones(self.shape, dtype=np.int64)
        formula = next(definition.formula for definition in self.define if definition.name == name)
        values = {part: self.ratio(part) for part in formula.names}
        # Parts are in lowest terms; if the formula could leave 64 bits, Python's integers take over.
        bounds = {part: tuple(int(np.abs(x).max(initial=0)) for x in ratio) for part, ratio in values.items()}
        if max(formula.bound(bounds)) >= 2**62:
            values = {part: tuple(x.astype(object) for x in ratio) for part, ratio in values.items()}
        return exact(*(np.broadcast_to(part, self.shape) for part in formula.ratio(values)))

    def smallest(self, hits: NDArray[np.bool_]) -> tuple[int, Case]:
        """By the sum of the numbers, then lexicographically."""
        rows = np.stack([column[hits] for column in self.columns.values()], axis=1)
        row = rows[np.lexsort((*rows.T[::-1], rows.sum(axis=1)))[0]]
        return int(row.sum()), tuple(int(number) for number in row)


def search_numbers(
    *,
    stated: Statement,
    axes: tuple[Axis, ...],
    define: tuple[Definition, ...] = (),
    where: tuple[Order, ...] = (),
) -> Search:
    """Search all whole numbers in the ranges of `axes` that are as `where` says.

    The smallest case is that of the least sum.
    """
    return cases.search(stated, where, _domain(axes, define))


def is_number_hit(
    case: Sequence[int],
    *,
    stated: Statement,
    axes: tuple[Axis, ...],
    define: tuple[Definition, ...] = (),
    where: tuple[Order, ...] = (),
) -> bool:
    """Tell whether one case settles the statement."""
    return cases.is_hit(stated, where, _domain(axes, define), case)


def check_numbers(
    *,
    stated: Statement,
    axes: tuple[Axis, ...],
    define: tuple[Definition, ...] = (),
    where: tuple[Order, ...] = (),
) -> None:
    """Raise ValueError for an unknown name, or a domain that is too large."""
    known = check_definitions(define, [axis.name for axis in axes])
    for name in (*stated.names, *(name for order in where for name in order.names)):
        if name not in known:
            raise ValueError(f"{name!r} is not defined; known: {', '.join(known)}.")
    count = int(np.prod([float(axis.high - axis.low + 1) for axis in axes]))
    if not 1 <= count <= MOST_CASES:
        raise ValueError(f"the axes have {count:,} cases; 1 to {MOST_CASES:,} are allowed.")


def _domain(axes: Sequence[Axis], define: Sequence[Definition]) -> Domain:
    ranges = ", ".join(f"{axis.name} in {axis.low}..{axis.high}" for axis in axes)

    def blocks() -> Iterator[Numbers]:
        # The leading axes are gone through one value at a time, as many as keep a block small.
        inner = len(axes)
        while inner > 1 and _count(axes[-inner:]) > BLOCK:
            inner -= 1
        grid = np.indices([axis.high - axis.low + 1 for axis in axes[-inner:]]).reshape(inner, -1)
        for outer in itertools.product(*(range(axis.low, axis.high + 1) for axis in axes[:-inner])):
            columns = [np.full(grid.shape[1], number, dtype=np.int64) for number in outer]
            columns += [index + axis.low for index, axis in zip(grid, axes[-inner:], strict=True)]
            yield Numbers(dict(zip((axis.name for axis in axes), columns, strict=True)), define)

    def block_of(case: Sequence[int]) -> Numbers | None:
        if len(case) != len(axes):
            return None
        if not all(axis.low <= number <= axis.high for number, axis in zip(case, axes, strict=True)):
            return None
        return Numbers(
            {axis.name: np.array([number]) for number, axis in zip(case, axes, strict=True)}, define
        )

    return Domain(f"all whole numbers {ranges}", blocks, block_of)


def _count(axes: Sequence[Axis]) -> int:
    return int(np.prod([axis.high - axis.low + 1 for axis in axes]))


TESTS: dict[str, Any] = {"whole_numbers": Test(search_numbers, is_number_hit, check_numbers)}
