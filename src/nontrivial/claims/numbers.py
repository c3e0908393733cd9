"""Claims about numbers by name, and what is defined from them."""

from __future__ import annotations

import graphlib
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.domains import Rows
from nontrivial.claims.encoding import Ratio, Symbols
from nontrivial.claims.formulas import Cases, Formula, NamedNumbers
from nontrivial.claims.solver import Space
from nontrivial.claims.values import Value

_LARGEST = 3  # the greatest number that is tried where there are no ranges; 6 if there are fewer than 5 names


@dataclass(frozen=True)
class Numbers(Rows):
    """Whole numbers by name, each in a range, and what is defined from them."""

    ranges: Mapping[str, range]
    define: Mapping[str, Formula]
    # Whether all positive real numbers are meant. The ranges then only say which are tried.
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
        """Every name is a number, or is defined from numbers."""
        self.check_size()
        check_defined(names, tuple(self.ranges), self.define)

    def axes(self) -> Sequence[range]:
        return list(self.ranges.values())

    def cases(self, columns: Any) -> NamedNumbers:
        values = (column if isinstance(column, Value) else Value(column) for column in columns)
        return NamedNumbers(dict(zip(self.ranges, values, strict=True)), self.define)

    @property
    def complete(self) -> bool:
        return not self.open

    @property
    def whole(self) -> bool:
        return not self.open

    def one(self, case: Sequence[int | Fraction]) -> Cases | None:
        """The numbers by name, if each is in its range; if all numbers are meant, any positive ones."""
        if not self.open:
            return super().one(case)
        if len(case) != len(self.ranges) or not all(type(x) in (int, Fraction) and x > 0 for x in case):
            return None
        exact = (np.array([Fraction(x).as_integer_ratio()], dtype=object) for x in case)
        return self.cases([Value(above, below) for above, below in (parts.T for parts in exact)])

    def space(self) -> Space:
        """Variables from 0 on, or positive where a range begins with 1 or more."""
        cases = Symbols({name: Ratio(f"?{name}") for name in self.ranges}, self.define)
        bounds = [f"(> ?{name} 0.0)" for name, axis in self.ranges.items() if axis[0] > 0]
        return Space([f"?{name}" for name in self.ranges], bounds, cases)


def check_defined(names: Sequence[str], known: Sequence[str], define: Mapping[str, Formula]) -> None:
    """Raise ValueError for a name that is unknown, defined twice or defined by itself."""
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
