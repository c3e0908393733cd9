"""Claims about numbers by name, and what is defined from them."""

from __future__ import annotations

import graphlib
import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nontrivial.claims.domains import (
    Domain,
    Part,
    are_counts,
    check_size,
    column_of,
    part_of,
    product_by_total,
)
from nontrivial.claims.encoding import Ratio, Symbols
from nontrivial.claims.formulas import Formula, NamedNumbers
from nontrivial.claims.solver import Space
from nontrivial.claims.values import Value

_LARGEST = 3  # up to which positive numbers without ranges are tried, or 6 of fewer than 5 names
_CHOICES = 3  # of a minimum, a maximum or a magnitude; more are beyond the solver


@dataclass(frozen=True)
class Numbers(Domain):
    """Whole numbers by name, each in a range, and what is defined from them."""

    ranges: Mapping[str, range]
    define: Mapping[str, Formula]
    # Whether all positive real numbers are meant, of which those in the ranges are only tried.
    open: bool = False
    kind = "numbers"

    @classmethod
    def positive(cls, names: Sequence[str], define: Mapping[str, Formula]) -> Numbers:
        """All positive numbers."""
        largest = 2 * _LARGEST if len(names) < 5 else _LARGEST
        return cls(dict.fromkeys(names, range(1, largest + 1)), define, open=True)

    def fields(self) -> dict[str, Any]:
        ranges = {name: [axis[0], axis[-1]] for name, axis in self.ranges.items()}
        return {"over": self.kind, "ranges": ranges, "open": self.open}

    def check_names(self, names: Sequence[str]) -> None:
        """Every name is a number, or defined from such without going round in circles."""
        check_size(self.ranges.values())
        check_defined(names, tuple(self.ranges), self.define)

    def small(self) -> Iterator[Part]:
        blocks = product_by_total(self.ranges.values())
        return (part_of(block, self._cases(block.T)) for block in blocks)

    def one(self, case: Sequence[int]) -> NamedNumbers | None:
        """The numbers by name, if every one is in its range; where they have none, if it is positive."""
        axes = self.ranges.values()
        if not are_counts(case, len(axes)):
            return None
        fits = (number > 0 if self.open else number in axis for number, axis in zip(case, axes, strict=True))
        return self._cases(column_of(case)) if all(fits) else None

    def spaces(self) -> Sequence[Space]:
        """Variables from 0 on, or positive where a range begins with 1 or more; and those within their ranges.

        None where many choices are made, which is beyond the solver.
        """
        if sum(formula.choices for formula in self.define.values()) > _CHOICES:
            return ()
        cases = Symbols({name: Ratio(f"?{name}") for name in self.ranges}, self.define)
        free = {f"?{n}": (f"(> ?{n} 0.0)",) if axis[0] > 0 else () for n, axis in self.ranges.items()}
        bound = {f"?{n}": (f"(<= {axis[0]}.0 ?{n} {axis[-1]}.0)",) for n, axis in self.ranges.items()}
        spaces = [Space("any size", free, cases), Space("the ranges", bound, cases)]
        return spaces[:1] if self.open else spaces

    def _cases(self, columns: Iterable[Any]) -> NamedNumbers:
        return NamedNumbers(dict(zip(self.ranges, map(Value, columns), strict=True)), self.define)


def check_defined(names: Sequence[str], known: Sequence[str], define: Mapping[str, Formula]) -> None:
    """Raise ValueError unless every name is known, or defined in the end from what is, and nothing twice."""
    for name in define:
        if name in known:
            raise ValueError(f"{name!r} is defined twice; once is allowed.")
    parts = {name: formula.names for name, formula in define.items()}
    for name in itertools.chain(names, *parts.values()):
        if name not in known and name not in define:
            raise ValueError(f"{name!r} is unknown; known: {', '.join((*known, *define))}.")
    try:
        graphlib.TopologicalSorter(parts).prepare()
    except graphlib.CycleError as error:
        raise ValueError(f"{min(error.args[1])!r} is defined by itself.") from error
