"""Infer the counts of a printed confusion table, and check whether the printed scores follow from the counts."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np

from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables
from nontrivial.measures.published.numbers import ImpossibleNumber, RoundingInterval
from nontrivial.measures.published.tables import AREA, GREATEST_AREA, LEAST_AREA, SCORE_NAMES, find_tables
from nontrivial.terminal import join_with_and

COUNTED_CELLS = ("tp", "fp", "fn", "tn")
COUNT_SUMS = [
    ("positives", ("tp", "fn")),
    ("negatives", ("fp", "tn")),
    ("predicted_positives", ("tp", "fp")),
    ("predicted_negatives", ("fn", "tn")),
    ("hits", ("tp", "tn")),
    ("errors", ("fp", "fn")),
    ("n", ("positives", "negatives")),
    ("n", ("predicted_positives", "predicted_negatives")),
    ("n", ("hits", "errors")),
]
_NAMES_OF_COUNTS = {*COUNTED_CELLS, *(total for total, _ in COUNT_SUMS)}
# The scores that divide one count by another, with the names of both counts. To learn these names, the formulas of the
# catalogue are applied to a table that holds names in place of counts.
_TABLE_OF_NAMES: Any = SimpleNamespace(**{name: name for name in _NAMES_OF_COUNTS})
COUNTED_SHARES: dict[str, tuple[str, str]] = {
    name: measure.ratio(_TABLE_OF_NAMES)
    for name, measure in CATALOGUE.items()
    if measure.is_proportion and name != "jaccard"  # the denominator of jaccard has no name
}


@dataclass(frozen=True)
class Count:
    """A count and its `sources`, the printed numbers from which the count follows."""

    value: int
    sources: tuple[str, ...]

    def plus(self, count: "Count", sign: int = 1) -> "Count":
        """Return the sum of two counts, or with `sign` -1 their difference."""
        return Count(self.value + sign * count.value, self.sources + count.sources)


def infer_counts(stated: Iterable[tuple[str, Count]]) -> dict[str, Count]:
    """Return the stated counts and all others that follow. Raise ImpossibleNumber if no table has such counts."""
    counts: dict[str, Count] = {}

    def record(name: str, count: Count) -> None:
        earlier = counts.setdefault(name, count)
        if count.value < 0 or earlier.value != count.value:
            sources = count.sources if count.value < 0 else (*earlier.sources, *count.sources)
            numbers = tuple(dict.fromkeys(sources))
            subset = "both" if len(numbers) == 2 else "all of them"
            raise ImpossibleNumber(f"{join_with_and(numbers)} clash: no table has {subset}.")

    for name, count in stated:
        record(name, count)
    n_known = -1
    while n_known < len(counts):
        n_known = len(counts)
        for total, (first, second) in COUNT_SUMS:
            if first in counts and second in counts:
                record(total, counts[first].plus(counts[second]))
            if total in counts and first in counts:
                record(second, counts[total].plus(counts[first], -1))
            if total in counts and second in counts:
                record(first, counts[total].plus(counts[second], -1))
    return counts


def exact_scores(counts: Mapping[str, Count]) -> dict[str, RoundingInterval]:
    """Return the exact scores that follow from counts; for a whole table, only recall and specificity, which fix it."""
    shares = {}
    for name, (part, whole) in COUNTED_SHARES.items():
        if part in counts and whole in counts and counts[whole].value:
            value = Fraction(counts[part].value, counts[whole].value)
            shares[name] = RoundingInterval(value, value, value, name)
    if counts.keys() >= set(COUNTED_CELLS):
        return {name: shares[name] for name in ("recall", "specificity") if name in shares}
    return shares


def find_departure(
    score: str, printed: str, interval: RoundingInterval, counts: Mapping[str, Count]
) -> dict[str, str] | None:
    """Describe in fields how a printed score differs from the counts; None if it agrees, or if counts are missing."""
    measure, shares = SCORE_NAMES[score], exact_scores(counts)
    exact = shares[measure].value if measure in shares else None
    if exact is None and not counts.keys() >= set(COUNTED_CELLS):
        return None

    def follows(rounding: RoundingInterval) -> bool:
        if exact is not None:
            return bool(rounding.low <= exact <= rounding.high)
        positives, negatives = counts["positives"].value, counts["negatives"].value
        return find_tables({**shares, measure: rounding}, positives, negatives).count > 0

    if follows(interval):
        return None
    reach = interval.unit * 3 / 2
    one_unit_off = replace(interval, low=interval.value - reach, high=interval.value + reach)
    how = "wrong"
    if not interval.is_limit and follows(interval.as_cut_off()):
        how = "cut off"
    elif not interval.is_limit and follows(one_unit_off):
        how = "rounded otherwise"
    decimals = max(0, -math.floor(math.log10(interval.unit) + 0.5))
    values = [float(exact)] if exact is not None else _values_by_counts(measure, counts)
    texts = ["undefined (0/0)" if math.isnan(value) else f"{value:z.{decimals}f}" for value in values]
    return {"score": score, "printed": printed, "how": how, "value": " to ".join(texts)}


def _values_by_counts(measure: str, counts: Mapping[str, Count]) -> list[float]:
    """Compute a measure from the four counts, as a list of one value; for the area, of its lower and upper bound."""
    tables = ConfusionTables(*(np.array([float(counts[cell].value)]) for cell in COUNTED_CELLS))
    quantities = [LEAST_AREA, GREATEST_AREA] if measure == AREA else [CATALOGUE[measure]]
    return [float(quantity.values(tables)[0]) for quantity in quantities]
