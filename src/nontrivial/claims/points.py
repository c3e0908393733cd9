"""Claims about numbers that were printed or measured, judged with what rounding and sampling leave possible."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from nontrivial.claims.formulas import Formula, NamedNumbers, all_true, evaluate
from nontrivial.claims.found import Absent, Number, Numbers, Range, Survey
from nontrivial.claims.values import Value


@dataclass(frozen=True)
class Point:
    """Numbers that belong together.

    Attributes
    ----------
    values : mapping of str to Fraction or None
        None where there is no such number.
    ranges : mapping of str to (Fraction, Fraction)
        Between which ends numbers may lie; of the others there is no doubt.
    possible : sequence of mapping
        Instead of ranges, all numbers together as they may be.
    place : mapping of str to str
        What tells the point from the others.
    """

    values: Mapping[str, Fraction | None]
    ranges: Mapping[str, tuple[Fraction, Fraction]] = field(default_factory=dict)
    possible: Sequence[Mapping[str, Fraction | None]] = ()
    place: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def exact(cls, **values: Fraction | int) -> Point:
        """Numbers without doubt."""
        return cls({name: Fraction(value) for name, value in values.items()})

    def variants(self, names: Sequence[str]) -> list[dict[str, Fraction]]:
        """The numbers of some names, and then as they may be: at all ends of their ranges."""
        values = _known(self.values, names)
        if self.possible:
            others = (_known(one, names) for one in self.possible)
            return [values, *(one for one in others if len(one) == len(values))]
        ends = [sorted(set(self.ranges.get(name, (number,)))) for name, number in values.items()]
        return [values, *(dict(zip(values, corner, strict=True)) for corner in itertools.product(*ends))]


def _known(values: Mapping[str, Fraction | None], names: Sequence[str]) -> dict[str, Fraction]:
    """Return those of some names that are numbers."""
    return {name: number for name in names if (number := values[name]) is not None}


def judge_point(
    claim: Formula, given: Sequence[Formula], define: Mapping[str, Formula], point: Point
) -> Number | Numbers | Absent:
    """Judge a claim about one point."""
    needed = _needed([claim, *given], define, point)
    if any(point.values[name] is None for name in needed):
        return Absent("no number")
    cases, count = _cases(point.variants(needed), define)
    if not all_true(given, cases, count)[0]:
        return Absent("does not apply")
    if claim.printed is not None:
        numbers = evaluate(claim.printed[0], cases).fractions()
        if None in numbers:
            return Absent("undefined")
        return Number(numbers[0], min(numbers), max(numbers))
    ranges = {name: _range(cases.value(name)) for name in claim.names}
    values = {name: found for name, found in ranges.items() if found is not None}
    if len(values) < len(ranges):
        return Absent("undefined")
    holds, *at_ends = np.broadcast_to(claim.truth(cases).true, count).tolist()
    return Numbers(values, holds, "all" if all(at_ends) else "some" if any(at_ends) else "none")


def survey_points(
    claim: Formula, given: Sequence[Formula], define: Mapping[str, Formula], points: Iterable[Point]
) -> Survey:
    """Look at a claim at each point.

    Examples
    --------
    >>> third, half = Fraction(1, 3), Fraction(1, 2)
    >>> points = [Point({"x": half}, {"x": (third, half)}), Point.exact(x=1)]
    >>> found = survey_points(Formula.condition("x > 2/5"), [], {}, points)
    >>> found.points, found.kept, found.clearly_kept
    (2, 2, 1)
    """
    counts = dict.fromkeys(("points", "kept", "clearly_kept", "clearly_broken", "absent"), 0)
    kept_at: list[Point] = []
    broken: list[Point] = []
    names: list[str] = []
    for point in points:
        names = _needed([claim, *given], define, point)
        if any(point.values[name] is None for name in names):
            counts["absent"] += 1
            continue
        cases, count = _cases(point.variants(names), define)
        truth = claim.truth(cases)
        applies = all_true(given, cases, count) & truth.defined
        if not applies[0]:
            continue
        holds = bool(np.broadcast_to(truth.true, count)[0])
        possible = np.broadcast_to(truth.true, count)[1:][applies[1:]]
        counts["points"] += 1
        counts["kept"] += holds
        counts["clearly_kept"] += holds and bool(possible.size and possible.all())
        counts["clearly_broken"] += not holds and bool(possible.size) and not possible.any()
        (kept_at if holds else broken).append(point)
    first = broken[0] if broken else None
    values = {name: str(first.values[name]) for name in names} if first else {}
    keeping = dict(kept_at[0].place) if kept_at else {}
    return Survey(**counts, broken=dict(first.place) if first else {}, values=values, keeping=keeping)


def _needed(formulas: Sequence[Formula], define: Mapping[str, Formula], point: Point) -> list[str]:
    """The point's names that formulas are made of in the end; ValueError for one that it does not have."""
    found: dict[str, None] = {}
    waiting = [name for formula in formulas for name in formula.names]
    while waiting:
        name = waiting.pop(0)
        if name in define:
            waiting += define[name].names
        elif name in point.values:
            found[name] = None
        else:
            raise ValueError(f"{name!r} is not among the numbers: {', '.join((*point.values, *define))}.")
    return list(found)


def _cases(rows: Sequence[Mapping[str, Fraction]], define: Mapping[str, Formula]) -> tuple[NamedNumbers, int]:
    numbers = {
        name: Value(
            np.array([row[name].numerator for row in rows], dtype=object),
            np.array([row[name].denominator for row in rows], dtype=object),
        )
        for name in rows[0]
    }
    return NamedNumbers(numbers, define), len(rows)


def _range(value: Value) -> Range | None:
    every = value.fractions()
    numbers = [number for number in every if number is not None]
    return (numbers[0], min(numbers), max(numbers)) if len(numbers) == len(every) else None
