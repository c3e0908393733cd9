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
        """The numbers of some names, and then as they may be: at all ends of their ranges; none if one is missing."""
        values = _known(self.values, names)
        if len(values) < len(names):
            return []
        if self.possible:
            others = (_known(one, names) for one in self.possible)
            return [values, *(one for one in others if len(one) == len(names))]
        ends = [sorted(set(self.ranges.get(name, (number,)))) for name, number in values.items()]
        return [values, *(dict(zip(values, corner, strict=True)) for corner in itertools.product(*ends))]


def _known(values: Mapping[str, Fraction | None], names: Sequence[str]) -> dict[str, Fraction]:
    """Return those of some names that are numbers."""
    return {name: number for name in names if (number := values[name]) is not None}


def judge_point(
    claim: Formula, given: Sequence[Formula], define: Mapping[str, Formula], point: Point
) -> Number | Numbers | Absent:
    """Judge a claim about one point."""
    rows = point.variants(_needed([claim, *given], define, point))
    if not rows:
        return Absent("no number")
    cases = _cases(rows, define)
    if not all_true(given, cases, len(rows))[0]:
        return Absent("does not apply")
    if claim.printed is not None:
        found = _range(evaluate(claim.printed[0], cases))
        return Absent("undefined") if found is None else Number(*found)
    ranges = {name: _range(cases.value(name)) for name in claim.names}
    values = {name: found for name, found in ranges.items() if found is not None}
    if len(values) < len(ranges):
        return Absent("undefined")
    holds, *at_ends = np.broadcast_to(claim.truth(cases).true, len(rows)).tolist()
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
    for point in points:
        rows = point.variants(_needed([claim, *given], define, point))
        if not rows:
            counts["absent"] += 1
            continue
        cases = _cases(rows, define)
        truth = claim.truth(cases)
        applies = all_true(given, cases, len(rows)) & truth.defined
        if not applies[0]:
            continue
        holds, *possible = (applies & truth.true)[applies].tolist()
        counts["points"] += 1
        counts["kept"] += holds
        counts["clearly_kept"] += holds and bool(possible) and all(possible)
        counts["clearly_broken"] += not holds and bool(possible) and not any(possible)
        (kept_at if holds else broken).append(point)
    kept_first, broken_first = (next(iter(some), Point({})) for some in (kept_at, broken))
    needed = _needed([claim, *given], define, broken_first) if broken else []
    values = {name: str(broken_first.values[name]) for name in needed}
    return Survey(**counts, broken=broken_first.place, values=values, keeping=kept_first.place)


def _needed(formulas: Sequence[Formula], define: Mapping[str, Formula], point: Point) -> list[str]:
    """The point's names that formulas are made of in the end; ValueError for one that it does not have."""
    names = [name for formula in formulas for name in formula.names]
    for name in names:
        if name in define:
            names += define[name].names
        elif name not in point.values:
            raise ValueError(f"{name!r} is not among the numbers: {', '.join((*point.values, *define))}.")
    return [name for name in dict.fromkeys(names) if name not in define]


def _cases(rows: Sequence[Mapping[str, Fraction]], define: Mapping[str, Formula]) -> NamedNumbers:
    numbers = {}
    for name in rows[0]:
        parts = np.array([row[name].as_integer_ratio() for row in rows], dtype=object)
        numbers[name] = Value(*parts.T)
    return NamedNumbers(numbers, define)


def _range(value: Value) -> Range | None:
    every = value.fractions()
    numbers = [number for number in every if number is not None]
    return (numbers[0], min(numbers), max(numbers)) if len(numbers) == len(every) else None
