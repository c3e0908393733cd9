"""Claims about printed or measured numbers, judged with all that rounding and sampling leave possible."""

from __future__ import annotations

import ast
import functools
import itertools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial.claims.language import formulas
from nontrivial.claims.language.formulas import Definitions, Formula, FormulaCases, NamedNumbers
from nontrivial.claims.language.numbers import Ratios, TruthValues
from nontrivial.claims.verdict import NothingFound, NumberFinding, NumberRange, RelationFinding

_MAX_LOG_DENOMINATOR = 10**15  # numbers from logarithms are rounded to such fractions


@dataclass(frozen=True)
class Point:
    """Numbers that belong together, such as a row of a table; None for a missing number."""

    values: Mapping[str, Fraction | None]
    # The ends of each uncertain number. If the numbers depend on each other, `possible` lists all sets of numbers.
    ranges: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    possible: Sequence[Mapping[str, Fraction | None]] = ()
    key: Mapping[str, str] = field(default_factory=dict)  # the columns that identify the point among others
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)  # as in `NumberFinding`

    def rows(self, names: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return a row of the numbers with these names, then a row for each variant; no row if a number is missing."""
        values = tuple(self.values[name] for name in names)
        if None in values:
            return []
        variants: Iterable[tuple[Any, ...]] = (tuple(row[name] for name in names) for row in self.possible)
        if not self.possible:
            variants = itertools.product(*({*self.ranges.get(name, (self.values[name],))} for name in names))
        return [values, *(row for row in variants if None not in row)]


def judge_point(
    claim: Formula,
    conditions: Sequence[Formula],
    define: Definitions,
    point: Point,
    tolerance: str = "rounded",
    *,
    among_many: bool = False,
) -> NumberFinding | RelationFinding | NothingFound:
    """Judge a claim about one point by all variants of the point that meet the conditions."""
    names = _names_in_point([claim, *conditions], define, point)
    rows = point.rows(names)
    if not rows:
        return NothingFound("no number")
    met = formulas.all_true(conditions, _numbers_of_rows(names, rows, define), len(rows))
    applies = met.true & ~met.rounded
    if not applies[0]:
        return NothingFound("does not apply")
    rows = list(itertools.compress(rows, applies))
    numbers = _numbers_of_rows(names, rows, define)
    if claim.printed is not None and not among_many:
        number = _number_range(formulas.evaluate_node(claim.printed.number, numbers))
        return NothingFound("undefined") if number is None else NumberFinding(*number, point.elsewhere)
    ranges = {name: _number_range(numbers.value(name)) for name in claim.names}
    values = {name: ends for name, ends in ranges.items() if ends is not None}
    truth = claim.evaluate(_EqualWithinRanges(numbers, len(rows), is_exact=tolerance == "exact"))
    true, false = (np.broadcast_to(mask, len(rows)) for mask in (truth.true, truth.false & ~truth.rounded))
    if len(values) < len(ranges) or not (true[0] or false[0]):
        return NothingFound("undecided" if np.any(truth.false) else "undefined")
    at_ends = "all" if true[1:].all() else "none" if false[1:].all() else "some"
    if len(rows) == 1:
        at_ends = "some"
    return RelationFinding(values, bool(true[0]), at_ends, elsewhere=point.elsewhere)


def judge_points(
    claim: Formula, conditions: Sequence[Formula], define: Definitions, points: Iterable[Point]
) -> RelationFinding | NothingFound:
    """Judge whether a claim holds at every point, or, with "sometimes", at one point."""
    counts = dict.fromkeys(("points", "kept", "clearly_kept", "clearly_broken", "absent"), 0)
    settling = RelationFinding({}, True, "all")
    for point in points:
        finding = judge_point(claim, conditions, define, point, among_many=True)
        if not isinstance(finding, RelationFinding):
            counts["absent"] += finding == NothingFound("no number")
            continue
        counts["points"] += 1
        counts["kept"] += finding.holds
        counts["clearly_kept"] += finding.holds and finding.at_ends == "all"
        counts["clearly_broken"] += not finding.holds and finding.at_ends == "none"
        if not settling.place and finding.holds == claim.sometimes:
            settling = replace(finding, place=point.key)
    if not counts["points"]:
        return NothingFound("no points")
    if claim.sometimes and not counts["kept"]:
        return NothingFound("kept nowhere", counts)
    needed = 1 if claim.sometimes else counts["points"]
    at_ends = "all" if counts["clearly_kept"] >= needed else "none" if counts["clearly_broken"] else "some"
    return replace(settling, holds=counts["kept"] >= needed, at_ends=at_ends, points=counts)


def _names_in_point(parts: Sequence[Formula], define: Definitions, point: Point) -> list[str]:
    """List the names of the point that formulas use, also inside definitions; raise ValueError for an unknown name."""
    names = [name for part in parts for name in part.names]
    for name in names:
        if name in define:
            names += define[name].names
        elif name not in point.values:
            raise ValueError(f"{name!r} is not among the numbers: {', '.join((*point.values, *define))}.")
    return [name for name in dict.fromkeys(names) if name not in define]


def _numbers_of_rows(names: Sequence[str], rows: Sequence[tuple[Any, ...]], define: Definitions) -> NamedNumbers:
    """Make a column of numbers for each name."""
    columns = np.array(rows, dtype=object).T
    return NamedNumbers(dict(zip(names, map(Ratios, columns), strict=True)), define)


def _number_range(number: Ratios) -> NumberRange | None:
    """Return the first number, the least and the greatest; None if a number has no value."""
    fractions = number.fractions()
    numbers = [fraction for fraction in fractions if fraction is not None]
    if number.error is not None:
        numbers = [fraction.limit_denominator(_MAX_LOG_DENOMINATOR) for fraction in numbers]
    return NumberRange(numbers[0], min(numbers), max(numbers)) if len(numbers) == len(fractions) else None


class _EqualWithinRanges(FormulaCases):
    """The variants of a point, in which two numbers are equal or not by their ranges.

    They are equal if they are so in all variants, unequal if one number is less in all variants, and otherwise
    neither. Printed digits in a claim stand for all numbers that round to them: if x is 1/3, ``x == 0.33`` is true.
    """

    def __init__(self, numbers: NamedNumbers, count: int, *, is_exact: bool) -> None:
        self._numbers, self._count, self._is_exact = numbers, count, is_exact

    def value(self, name: str) -> Any:
        return self._numbers.value(name)

    def compare(self, parts: Sequence[ast.expr], symbols: Sequence[str], sides: Sequence[Ratios]) -> TruthValues:
        if not {"==", "!="} & {*symbols}:
            return Ratios.compare(symbols, sides)
        links = []
        pairs = itertools.pairwise(zip(parts, sides, strict=True))
        for symbol, (first, second) in zip(symbols, pairs, strict=True):
            if symbol in ("==", "!="):
                ends = (self._ends_of_side(*side, symbol) for side in (first, second))
                equal = self._are_equal(*ends)
                links.append(equal if symbol == "==" else ~equal)
            else:
                links.append(Ratios.compare([symbol], [first[1], second[1]]))
        return functools.reduce(operator.and_, links)

    def _ends_of_side(self, part: ast.expr, side: Ratios, symbol: str) -> tuple[Ratios, Ratios]:
        """Return the ends of a side of an equation: printed digits have two ends, all else is exact."""
        printed = None if self._is_exact else formulas.printed_number_of(part)
        # A fraction is exact. So is a whole number after !=, as otherwise a printed 0.3 would not differ from 0.
        if printed and "/" not in printed.text and (symbol == "==" or "." in printed.text):
            return Ratios.constant(printed.low), Ratios.constant(printed.high)
        return side, side

    def _are_equal(self, first: tuple[Ratios, Ratios], second: tuple[Ratios, Ratios]) -> TruthValues:
        """Whether two numbers with ranges may be equal."""
        (low, high), (other_low, other_high) = first, second
        below = Ratios.compare(["<"], [high, other_low])
        above = Ratios.compare([">"], [low, other_high])
        states = [below.true, above.true, below.false & above.false]
        # The order of the two sides in each variant: -1, 0 or 1, and NaN if a side has no value.
        order = np.zeros(self._count) + np.select(states, [-1, 1, 0], np.nan)
        if order[0] == 0 and (low is not high or other_low is not other_high):
            order[np.isfinite(order)] = 0
        elif (order != order[0]).any():
            order[1:] = np.nan
        return TruthValues(order == 0, abs(order) == 1, below.rounded | above.rounded)
