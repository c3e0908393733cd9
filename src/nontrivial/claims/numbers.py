"""Claims about numbers by name, and what is defined from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nontrivial.claims.domains import Part, are_counts, check_size, column_of, part_of, product_by_total
from nontrivial.claims.formulas import Formula, NotTables
from nontrivial.claims.values import Value

_LARGEST = 3  # up to which positive numbers without ranges are tried, or 6 of fewer than 5 names
_CHOICES = 3  # of a minimum, a maximum or a magnitude; more are beyond the solver


class NamedNumbers(NotTables):
    """Numbers by name, and what is defined from them, computed once."""

    def __init__(self, numbers: Mapping[str, Value], define: Mapping[str, Formula]) -> None:
        self._known, self._define = dict(numbers), define

    def value(self, name: str) -> Value:
        """The numbers of that name; ValueError, naming what is known, for an unknown one."""
        if name not in self._known:
            if name not in self._define:
                raise ValueError(f"{name!r} is unknown; known: {', '.join((*self._known, *self._define))}.")
            self._known[name] = self._define[name].value(self)
        return self._known[name]


@dataclass(frozen=True)
class Numbers:
    """Whole numbers by name, each in a range, and what is defined from them.

    Attributes
    ----------
    ranges : mapping of str to range
    define : mapping of str to Formula
    open : bool
        Whether the claim is about all positive real numbers, of which those in the ranges are only tried.
    """

    ranges: Mapping[str, range]
    define: Mapping[str, Formula]
    open: bool = False
    kind = "numbers"

    @classmethod
    def positive(cls, names: Sequence[str], define: Mapping[str, Formula]) -> Numbers:
        """All positive numbers."""
        largest = 2 * _LARGEST if len(names) < 5 else _LARGEST
        return cls(dict.fromkeys(names, range(1, largest + 1)), define, open=True)

    def fields(self) -> dict[str, Any]:
        """What was searched, as plain data."""
        ranges = {name: [axis[0], axis[-1]] for name, axis in self.ranges.items()}
        return {"over": self.kind, "ranges": ranges, "open": self.open}

    def check_names(self, names: Sequence[str]) -> None:
        """Every name is a number, or defined from such without going round in circles."""
        check_size(tuple(self.ranges.values()))
        check_defined(names, tuple(self.ranges), self.define)

    def small(self, beyond: bool = False) -> Iterator[Part]:
        """All combinations, by their sum; there is nothing beyond."""
        if not beyond:
            for block in product_by_total(list(self.ranges.values())):
                yield part_of(block, self._cases(block.T))

    def one(self, case: Sequence[int]) -> NamedNumbers | None:
        """The numbers by name, if every one is in its range; where they have none, if it is positive."""
        axes = self.ranges.values()
        if not are_counts(case, len(axes)):
            return None
        fits = all(
            number > 0 if self.open else number in axis for number, axis in zip(case, axes, strict=True)
        )
        return self._cases(column_of(case)) if fits else None

    def symbols(self) -> Sequence[tuple[str, Any]]:
        """Variables from 0 on, or positive where a range begins with 1 or more; and those within their ranges.

        None where many choices are made, which is beyond the solver.
        """
        if sum(formula.choices for formula in self.define.values()) > _CHOICES:
            return ()
        from nontrivial.claims.symbols import NumberSymbols

        free = ("any size", NumberSymbols(self.ranges, self.define))
        bound = ("the ranges", NumberSymbols(self.ranges, self.define, bounded=True))
        return [free] if self.open else [free, bound]

    def _cases(self, columns: Sequence[Any]) -> NamedNumbers:
        numbers = {name: Value(column) for name, column in zip(self.ranges, columns, strict=True)}
        return NamedNumbers(numbers, self.define)


def check_defined(names: Sequence[str], known: Sequence[str], define: Mapping[str, Formula]) -> None:
    """Raise ValueError unless every name is known, or defined in the end from what is, and nothing twice."""
    for name in define:
        if name in known:
            raise ValueError(f"{name!r} is defined twice; once is allowed.")

    settled: set[str] = set(known)

    def check(name: str, above: tuple[str, ...]) -> None:
        if name in above:
            raise ValueError(f"{name!r} is defined by itself.")
        if name not in settled:
            if name not in define:
                raise ValueError(f"{name!r} is unknown; known: {', '.join((*known, *define))}.")
            for part in define[name].names:
                check(part, (*above, name))
            settled.add(name)

    for name in (*names, *define):
        check(name, ())
