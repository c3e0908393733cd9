"""Counts of a confusion table that a review prints, and whether its scores follow from them."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables
from nontrivial.measures.published.printed import Interval
from nontrivial.measures.published.tables import AREA, GREATEST_AREA, LAMBDA, LEAST_AREA, find_tables
from nontrivial.terminal import joined

CELLS = ("tp", "fp", "fn", "tn")
# Each sum, and its two parts.
SUMS = {
    "positives": [("tp", "fn")],
    "negatives": [("fp", "tn")],
    "predicted_positives": [("tp", "fp")],
    "predicted_negatives": [("fn", "tn")],
    "hits": [("tp", "tn")],
    "errors": [("fp", "fn")],
    "n": [("positives", "negatives"), ("predicted_positives", "predicted_negatives"), ("hits", "errors")],
}
# Scores that are shares of one count in another.
SHARES = {
    "recall": ("tp", "positives"),
    "specificity": ("tn", "negatives"),
    "precision": ("tp", "predicted_positives"),
    "negative_predictive_value": ("tn", "predicted_negatives"),
    "accuracy": ("hits", "n"),
    "error_rate": ("errors", "n"),
    "false_positive_rate": ("fp", "negatives"),
    "false_negative_rate": ("fn", "positives"),
    "false_discovery_rate": ("fp", "predicted_positives"),
    "false_omission_rate": ("fn", "predicted_negatives"),
    "prevalence": ("positives", "n"),
}


class Clash(ValueError):
    """Counts of a row that no table has."""


class Count(NamedTuple):
    """A count, and the printed numbers from which it follows."""

    value: int
    sources: tuple[str, ...]


def add_up(given: list[tuple[str, Count]]) -> dict[str, Count]:
    """Return all counts and sums that follow from some; raise `Clash` with the numbers that no table has."""
    counts: dict[str, Count] = {}

    def learn(name: str, value: int, sources: tuple[str, ...]) -> None:
        known = counts.setdefault(name, Count(value, sources))
        if value < 0 or known.value != value:
            numbers = tuple(dict.fromkeys(sources if value < 0 else (*known.sources, *sources)))
            raise Clash(
                f"{joined(numbers)} clash: no table has {'both' if len(numbers) == 2 else 'all of them'}"
            )

    for name, count in given:
        learn(name, count.value, count.sources)
    size = -1
    while size < len(counts):
        size = len(counts)
        for whole, part, other in _triples():
            if part in counts and other in counts:
                learn(
                    whole,
                    counts[part].value + counts[other].value,
                    counts[part].sources + counts[other].sources,
                )
            for known, unknown in ((part, other), (other, part)):
                if whole in counts and known in counts:
                    sources = counts[whole].sources + counts[known].sources
                    learn(unknown, counts[whole].value - counts[known].value, sources)
    return counts


def _triples() -> list[tuple[str, str, str]]:
    return [(whole, *parts) for whole, ways in SUMS.items() for parts in ways]


def exact_shares(counts: Mapping[str, Count]) -> dict[str, Interval]:
    """Return the scores whose exact value follows from counts; those of a whole table are recall and specificity."""
    shares = {}
    for name, (part, whole) in SHARES.items():
        if part in counts and whole in counts and counts[whole].value:
            value = Fraction(counts[part].value, counts[whole].value)
            shares[name] = Interval(value, value, value, name)
    if counts.keys() >= set(CELLS):
        return {name: shares[name] for name in ("recall", "specificity") if name in shares}
    return shares


def how_printed(interval: Interval, is_met: Callable[[Interval], Any]) -> str | None:
    """Say how a printed number departs from the counts; None if it follows from them."""
    if is_met(interval):
        return None
    if interval.is_limit:
        return "wrong"
    if is_met(interval.as_cut_off()):
        return "cut off"
    near = interval.unit * 3 / 2
    is_near = is_met(replace(interval, low=interval.value - near, high=interval.value + near))
    return "rounded otherwise" if is_near else "wrong"


class Departure(NamedTuple):
    """A printed score that does not follow from the counts: how, and what the counts give."""

    score: str
    printed: str
    how: str
    value: str


def find_departure(
    score: str, printed: str, measure: str, interval: Interval, counts: Mapping[str, Count]
) -> Departure | None:
    """Return how a printed score departs from the counts; None if it follows from them, or they do not give it."""
    shares = exact_shares(counts)
    if measure in shares:
        value = shares[measure].value
        how = how_printed(interval, lambda other: other.low <= value <= other.high)
        text = _rounded(float(value), interval)
    elif counts.keys() >= set(CELLS):
        sizes = counts["positives"].value, counts["negatives"].value
        how = how_printed(interval, lambda other: find_tables({**shares, measure: other}, *sizes).count)
        text = _value_text(measure, [counts[cell].value for cell in CELLS], interval)
    else:
        return None
    return Departure(score, printed, how, text) if how else None


def _value_text(measure: str, cells: list[int], interval: Interval) -> str:
    tables = ConfusionTables(*(np.array([float(cell)]) for cell in cells))
    if measure == AREA:
        ends = (float(quantity.values(tables)[0]) for quantity in (LEAST_AREA, GREATEST_AREA))
        return " to ".join(_rounded(end, interval) for end in ends)
    if measure == LAMBDA:
        majority = max(tables.positives[0], tables.negatives[0])
        most_hits = max(tables.hits[0], tables.errors[0])
        return _rounded(max(most_hits - majority, 0) / (tables.n[0] - majority), interval)
    return _rounded(float(CATALOGUE[measure].values(tables)[0]), interval)


def _rounded(value: float, interval: Interval) -> str:
    """Write a value with as many digits as the printed number has."""
    text = f"{value:z.{max(0, -math.floor(math.log10(interval.unit) + 0.5)) if interval.unit else 4}f}"
    return "undefined (0/0)" if math.isnan(value) else text
