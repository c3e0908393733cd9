"""Counts of a confusion table that a review prints, and whether its scores follow from them."""

import math
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables
from nontrivial.measures.published.printed import ImpossibleNumber, Interval
from nontrivial.measures.published.tables import AREA, GREATEST_AREA, LEAST_AREA, SCORES, find_tables
from nontrivial.terminal import joined

CELLS = ("tp", "fp", "fn", "tn")
# Each sum, and its two parts.
SUMS = [
    ("positives", "tp", "fn"),
    ("negatives", "fp", "tn"),
    ("predicted_positives", "tp", "fp"),
    ("predicted_negatives", "fn", "tn"),
    ("hits", "tp", "tn"),
    ("errors", "fp", "fn"),
    ("n", "positives", "negatives"),
    ("n", "predicted_positives", "predicted_negatives"),
    ("n", "hits", "errors"),
]
# Scores that are shares of one count in another, with the names of both.
_NAMES: Any = SimpleNamespace(**{name: name for name in (*CELLS, *(whole for whole, _, _ in SUMS))})
COUNTED: dict[str, tuple[str, str]] = {
    name: measure.ratio(_NAMES)
    for name, measure in CATALOGUE.items()
    if measure.is_proportion and name != "jaccard"  # whose denominator has no name
}


class Count(NamedTuple):
    """A count, and the printed numbers from which it follows."""

    value: int
    sources: tuple[str, ...]


class Departure(NamedTuple):
    """A printed score that does not follow from the counts: how it departs, and the value by the counts."""

    score: str
    printed: str
    how: str
    value: str


def add_up(given: list[tuple[str, Count]]) -> dict[str, Count]:
    """Return all counts and sums that follow from some; raise `ImpossibleNumber` if no table has them."""
    counts: dict[str, Count] = {}

    def learn(name: str, value: int, sources: tuple[str, ...]) -> None:
        known = counts.setdefault(name, Count(value, sources))
        if value < 0 or known.value != value:
            numbers = tuple(dict.fromkeys(sources if value < 0 else (*known.sources, *sources)))
            both = "both" if len(numbers) == 2 else "all of them"
            raise ImpossibleNumber(f"{joined(numbers)} clash: no table has {both}.")

    for name, count in given:
        learn(name, count.value, count.sources)
    n_known = -1
    while n_known < len(counts):
        n_known = len(counts)
        for whole, part, other in SUMS:
            for name, first, sign, second in (
                (whole, part, 1, other),
                (other, whole, -1, part),
                (part, whole, -1, other),
            ):
                if first in counts and second in counts:
                    value = counts[first].value + sign * counts[second].value
                    learn(name, value, counts[first].sources + counts[second].sources)
    return counts


def exact_shares(counts: Mapping[str, Count]) -> dict[str, Interval]:
    """Return the scores whose exact value follows from counts; of a whole table, recall and specificity suffice."""
    shares = {}
    for name, (part, whole) in COUNTED.items():
        if part in counts and whole in counts and counts[whole].value:
            value = Fraction(counts[part].value, counts[whole].value)
            shares[name] = Interval(value, value, value, name)
    if counts.keys() >= set(CELLS):
        return {name: shares[name] for name in ("recall", "specificity") if name in shares}
    return shares


def find_departure(
    score: str, printed: str, interval: Interval, counts: Mapping[str, Count]
) -> Departure | None:
    """Return how a printed score departs from the counts; None if it follows from them, or they do not give it."""
    measure, shares = SCORES[score], exact_shares(counts)
    exact = shares[measure].value if measure in shares else None
    if exact is None and not counts.keys() >= set(CELLS):
        return None

    def holds(other: Interval) -> bool:
        if exact is not None:
            return bool(other.low <= exact <= other.high)
        sizes = counts["positives"].value, counts["negatives"].value
        return find_tables({**shares, measure: other}, *sizes).count > 0

    if holds(interval):
        return None
    near = interval.unit * 3 / 2
    near_interval = replace(interval, low=interval.value - near, high=interval.value + near)
    if not interval.is_limit and holds(interval.as_cut_off()):
        how = "cut off"
    else:
        how = "rounded otherwise" if not interval.is_limit and holds(near_interval) else "wrong"
    values = [float(exact or 0)]
    if exact is None:  # an area has a least and a greatest value
        tables = ConfusionTables(*(np.array([float(counts[cell].value)]) for cell in CELLS))
        quantities = [LEAST_AREA, GREATEST_AREA] if measure == AREA else [CATALOGUE[measure]]
        values = [float(quantity.values(tables)[0]) for quantity in quantities]
    decimals = max(0, -math.floor(math.log10(interval.unit) + 0.5))
    texts = ["undefined (0/0)" if math.isnan(value) else f"{value:z.{decimals}f}" for value in values]
    return Departure(score, printed, how, " to ".join(texts))
