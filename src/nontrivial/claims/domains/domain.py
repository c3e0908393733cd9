"""Domains: the kinds of cases that claims are about, as the search and the solver use them.

A case is a tuple of whole numbers, such as the four cells of a confusion table. A search goes through the small cases
of a domain by size: by the sum of their numbers, and equal sums in ascending order. The solver decides some domains
for cases of any size.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from nontrivial.claims.language.formulas import Definitions, FormulaCases, NamedNumbers
from nontrivial.claims.language.numbers import Ratios
from nontrivial.claims.solver import SolverRatio, SolverSpace, as_case
from nontrivial.claims.verdict import Case

_CASES_AT_ONCE = 2**14
_MAX_COMBINATIONS = 10**6
# If all positive numbers are meant, small whole numbers times these factors are tried: near 1, near 0, and large.
_FACTORS = tuple(map(Fraction, ("1/2", "1/7", "1/100", "100", "1e9")))


@dataclass(frozen=True)
class CaseBatch:
    """Cases that are tried at once, in the order of size. `case_at` returns the case at a position."""

    cases: FormulaCases
    count: int
    case_at: Callable[[int], Case]

    def first_case(self, mask: np.ndarray) -> Case | None:
        """Return the first case for which a mask is true, if any."""
        return self.case_at(int(np.argmax(mask))) if mask.any() else None


class LargerCases(NamedTuple):
    """Cases that are tried if no small case settles a claim, and plain data that describe these cases."""

    fields: dict[str, Any]
    batches: Iterable[CaseBatch]


class Domain(ABC):
    """A kind of cases that a claim can be about."""

    kind: str  # its name in the registry
    is_complete: bool = False  # whether its small cases are all its cases
    is_whole: bool = True  # whether its cases consist of whole numbers only
    larger_are_all: bool = True  # whether its larger cases are all cases up to some size

    @property
    @abstractmethod
    def names(self) -> Sequence[str]:
        """The names that a formula about its cases can use."""

    @abstractmethod
    def search_fields(self) -> dict[str, Any]:
        """Return plain data that describe the small cases."""

    @abstractmethod
    def small_batches(self) -> Iterable[CaseBatch]:
        """Return batches of the small cases, in the order of size."""

    def larger_cases(self, names: Collection[str]) -> LargerCases:
        """Return larger cases, in the order of size, in which a claim with these names can be evaluated."""
        return LargerCases({}, ())

    @abstractmethod
    def natural_batches(self) -> Iterable[CaseBatch]:
        """Return batches of natural cases, in the order of size: counts above 0, or rankings without ties."""

    @abstractmethod
    def as_cases(self, case: Sequence[int | Fraction]) -> FormulaCases | None:
        """Return one case as `FormulaCases`; None if the case is not in the domain."""

    def solver_space(self) -> SolverSpace | None:
        """Return all cases in the solver's terms; None if the solver cannot decide claims about such cases."""
        return None


class GridDomain(Domain):
    """A domain whose cases are rows of whole numbers, each in a range of its own."""

    ranges: Mapping[str, range]  # by the name of each number

    @abstractmethod
    def cases(self, columns: Any, arithmetic: Any = Ratios) -> FormulaCases:
        """Make cases from a column for each number."""

    def grid(self) -> np.ndarray:
        """Return all combinations of the numbers; raise ValueError if there are too many."""
        ranges = self.ranges.values()
        if math.prod(map(len, ranges)) > _MAX_COMBINATIONS:
            raise ValueError(f"the ranges have more than {_MAX_COMBINATIONS:,} combinations.")
        return np.stack(np.meshgrid(*ranges, indexing="ij"), axis=-1).reshape(-1, len(ranges))

    def small_batches(self) -> Iterable[CaseBatch]:
        return map(self.make_batch, split_by_size(self.grid()))

    def natural_batches(self) -> Iterable[CaseBatch]:
        grid = self.grid()
        return map(self.make_batch, split_by_size(grid[(grid > 0).all(axis=1)]))

    def contains(self, number: int | Fraction, allowed: range) -> bool:
        """Whether a number is whole and in the allowed range."""
        return type(number) is int and number in allowed

    def as_cases(self, case: Sequence[int | Fraction]) -> FormulaCases | None:
        ranges = self.ranges.values()
        if len(case) != len(ranges) or not all(map(self.contains, case, ranges)):
            return None
        return self.cases(np.array([case], dtype=object).T)

    def make_batch(self, rows: np.ndarray) -> CaseBatch:
        return CaseBatch(self.cases(rows.T), len(rows), lambda position: as_case(rows[position].tolist()))

    def solver_space(self) -> SolverSpace | None:
        """Return a variable for each number: at least 0, or above 0 if the range begins with 1 or more."""
        variables = [f"?{name}" for name in self.ranges]
        bounds = [f"(>= {name} 0.0)" for name in variables]
        bounds += [f"(> ?{name} 0.0)" for name, allowed in self.ranges.items() if allowed[0] > 0]
        return SolverSpace(variables, bounds, self.cases(variables, SolverRatio), self.is_whole)


@dataclass(frozen=True)
class NumberDomain(GridDomain):
    """Numbers by name, each in a range, and numbers defined by formulas."""

    ranges: Mapping[str, range]
    define: Definitions
    is_complete: bool = True  # if not, all positive numbers are meant, and the ranges are the small cases
    is_whole: bool = True
    kind = "numbers"

    @classmethod
    def positive(cls, names: Sequence[str], define: Definitions) -> NumberDomain:
        """Return the domain of all positive numbers. Small whole numbers are the small cases."""
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

    def larger_cases(self, names: Collection[str]) -> LargerCases:
        """Return multiples of the small cases, or nothing unless all positive numbers are meant."""
        factors = () if self.is_complete else _FACTORS
        multiples = (rows * factor for factor in factors for rows in split_by_size(self.grid()))
        return LargerCases({}, map(self.make_batch, multiples))

    def contains(self, number: int | Fraction, allowed: range) -> bool:
        """Whether a number is in the allowed range, or, if all positive numbers are meant, positive."""
        return super().contains(number, allowed) if self.is_complete else number > 0

    def solver_space(self) -> SolverSpace | None:
        has_logarithm = any(formula.has_logarithm for formula in self.define.values())
        return None if has_logarithm else super().solver_space()


def split_by_size(rows: np.ndarray) -> Iterator[np.ndarray]:
    """Sort rows of numbers by the sum of each row, and yield blocks of rows."""
    rows = rows[np.argsort(rows.sum(axis=1), kind="stable")]
    return (rows[start : start + _CASES_AT_ONCE] for start in range(0, len(rows), _CASES_AT_ONCE))
