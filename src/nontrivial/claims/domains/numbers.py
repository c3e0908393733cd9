"""Numbers by name: whole numbers in ranges, or all positive numbers, and numbers defined by formulas."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from nontrivial.claims.domains.domain import CaseBatch, GridDomain, split_by_size
from nontrivial.claims.language.formulas import Formula, NamedNumbers
from nontrivial.claims.language.ratios import Ratios
from nontrivial.claims.solver import SolverSpace

# The multiples of small whole numbers that are tried of all positive numbers: near 1, near 0, and large.
_FACTORS = tuple(map(Fraction, ("1/2", "1/7", "1/100", "100", "1e9")))


@dataclass(frozen=True)
class NumberDomain(GridDomain):
    """Numbers by name, each in a range, and numbers defined by formulas."""

    ranges: Mapping[str, range]
    define: Mapping[str, Formula]
    is_complete: bool = True  # if not, all positive numbers are meant, and the ranges are the small cases
    is_whole: bool = True
    kind = "numbers"

    @classmethod
    def positive(cls, names: Sequence[str], define: Mapping[str, Formula]) -> NumberDomain:
        """All positive numbers; few of them are tried."""
        largest = 6 if len(names) < 5 else 3
        return cls(dict.fromkeys(names, range(1, largest + 1)), define, is_complete=False, is_whole=False)

    def search_fields(self) -> dict[str, Any]:
        ranges = {name: [allowed[0], allowed[-1]] for name, allowed in self.ranges.items()}
        return {"over": self.kind, "ranges": ranges, "open": not self.is_complete}

    @property
    def names(self) -> Sequence[str]:
        return [*self.ranges, *self.define]

    def cases(self, columns: Any, arithmetic: Any = Ratios) -> NamedNumbers:
        numbers = dict(zip(self.ranges, map(arithmetic, columns), strict=True))
        return NamedNumbers(numbers, self.define, arithmetic)

    def larger_batches(self, names: Collection[str]) -> Iterable[CaseBatch]:
        """Go through multiples of the small cases, if all positive numbers are meant."""
        for factor in () if self.is_complete else _FACTORS:
            for rows in split_by_size(self.grid()):
                yield self.batch(rows * factor)

    def contains(self, number: int | Fraction, allowed: range) -> bool:
        """Whether a number is in its range; if all positive numbers are meant, whether it is positive."""
        return super().contains(number, allowed) if self.is_complete else number > 0

    def solver_space(self) -> SolverSpace | None:
        has_logarithm = any(formula.has_logarithm for formula in self.define.values())
        return None if has_logarithm else super().solver_space()
