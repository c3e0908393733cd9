"""The inequalities that printed scores set on the confusion table they belong to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables, Quantity
from nontrivial.measures.names import ALIASES
from nontrivial.measures.published.numbers import (
    SHARE_BOUNDS,
    Bounds,
    Printed,
    RoundingInterval,
    parse_printed,
)

# The rounding interval of each score, by the name of its measure.
Ranges = Mapping[str, RoundingInterval]
AREA = "roc_auc"
LAMBDA = "goodman_kruskal_lambda"
ERROR_SCORES = ("accuracy", "error_rate")  # the number of errors alone decides these
# The search needs scores that rise, or fall, with both TP and TN if the classes are given. Lambda does not, and a table
# only bounds the area; `tables.py` handles both.
SEARCHED_SCORES = (*(name for name, measure in CATALOGUE.items() if measure.is_monotone), LAMBDA, AREA)
SCORE_NAMES = dict(zip(SEARCHED_SCORES, SEARCHED_SCORES, strict=True))
SCORE_NAMES |= {alias: name for alias, name in ALIASES.items() if name in SEARCHED_SCORES}
SCORE_BOUNDS: dict[str, Bounds] = {
    name: CATALOGUE[name].bounds if name in CATALOGUE else SHARE_BOUNDS for name in SEARCHED_SCORES
}
# The area is the share of pairs of a positive and a negative case that are in order; a tie counts as one half. At the
# threshold of the table, TP TN pairs are surely in order, and FP FN are surely not.
LEAST_AREA = Quantity(ratio=lambda t: (t.tp * t.tn, t.class_product))
GREATEST_AREA = Quantity(ratio=lambda t: (t.class_product - t.fp * t.fn, t.class_product))
# Ten times the error of the catalogue's formulas in floats: absolute, but relative if the limit is above 1.
FLOAT_TOLERANCE = 1e-11


def parse_scores(scores: Mapping[str, Printed]) -> dict[str, RoundingInterval]:
    """Parse printed scores, and name them as the catalogue does."""
    if not isinstance(scores, Mapping):
        raise ValueError(f"scores is of type {type(scores).__name__}; it must map names to printed numbers.")
    if not scores:
        raise ValueError("scores is empty; at least one printed score is needed.")
    ranges: dict[str, RoundingInterval] = {}
    for alias, printed in scores.items():
        name = SCORE_NAMES.get(alias)
        if name is None:
            near = get_close_matches(str(alias), SCORE_NAMES, n=1)
            hint = (
                f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(SEARCHED_SCORES))}."
            )
            raise ValueError(f"The score {alias!r} is unknown; {hint}")
        if name in ranges:
            raise ValueError(f"{alias} is given twice, under two names; give it once.")
        ranges[name] = parse_printed(printed, str(alias), SCORE_BOUNDS[name])
    return ranges


@dataclass(frozen=True)
class Inequality:
    """A quantity of a table is at least the limit (`side` 1), or at most the limit (`side` -1)."""

    quantity: Quantity
    limit: Fraction
    side: int
    may_be_undefined: bool = False

    @property
    def is_helped_by_hits(self) -> bool:
        """Whether more TP or TN help to satisfy it; otherwise they harm."""
        return self.side * (self.quantity.better or 1) > 0

    def is_violated(self, values: Floats, tolerance: float) -> Mask:
        """Tell which values of the quantity miss the limit by more than the tolerance; NaN does not."""
        limit = float(self.limit)
        return np.asarray(self.side * values < self.side * limit - tolerance * max(1.0, abs(limit)))

    def is_satisfied(self, tp: Ints, tn: Ints, class_sizes: tuple[int, int]) -> Any:
        """Tell which tables satisfy the inequality. A table whose quantity is 0/0 counts as satisfying it."""
        limit = float(self.limit)
        values = self.quantity.values(tables_from_hits(tp.astype(float), tn.astype(float), class_sizes))
        is_satisfied = ~(self.side * values < self.side * limit)
        # Floats cannot decide near the limit, so whole numbers do.
        unsure = np.flatnonzero(np.abs(values - limit) <= FLOAT_TOLERANCE * max(1.0, abs(limit)))
        if unsure.size:
            tables = tables_from_hits(tp[unsure].astype(object), tn[unsure].astype(object), class_sizes)
            is_satisfied[unsure] = (
                self.side * self.quantity.compare(tables, *self.limit.as_integer_ratio()) >= 0
            )
        return is_satisfied

    def is_satisfied_exactly(self, tables: ConfusionTables) -> Mask:
        """Tell which tables of Python's numbers satisfy the inequality; `may_be_undefined` decides for 0/0."""
        above, below = self.quantity.exact_ratio(tables)
        is_undefined = np.equal(above, 0) & np.equal(below, 0)
        is_satisfied = self.side * self.quantity.compare(tables, *self.limit.as_integer_ratio()) >= 0
        return np.where(is_undefined, self.may_be_undefined, is_satisfied).astype(bool)


def tables_from_hits(tp: Any, tn: Any, class_sizes: tuple[int, int]) -> ConfusionTables:
    positives, negatives = class_sizes
    return ConfusionTables(tp, negatives - tn, positives - tp, tn)


def inequalities_of(name: str, interval: RoundingInterval) -> list[Inequality]:
    """Return the inequalities that a score other than lambda sets on any table."""
    low, high = interval.low, interval.high
    if name == AREA:
        return [
            Inequality(GREATEST_AREA, Fraction(low), side=1),
            Inequality(LEAST_AREA, Fraction(high), side=-1),
        ]
    # Libraries print 0 or 1 if the score is 0/0.
    may_be_undefined = low <= 0 <= high or low <= 1 <= high
    limits = [(Fraction(end), side) for end, side in ((low, 1), (high, -1)) if not math.isinf(end)]
    return [Inequality(CATALOGUE[name], limit, side, may_be_undefined) for limit, side in limits]
