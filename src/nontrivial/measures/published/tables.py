"""Find all confusion tables that printed scores allow, by exact arithmetic.

If the class sizes are given, every searched quantity rises, or falls, with both TP and TN. Fix one of TP and TN: the
tables that satisfy an inequality are then neighbours, and bisection finds the first and the last. Only in three corners
can a measure be 0/0. The search tries these three tables one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.measures.catalogue import ALIASES, CATALOGUE, ConfusionTables, Quantity
from nontrivial.measures.published.numbers import SHARE_BOUNDS, Bounds, Printed, RoundingInterval, parse_printed
from nontrivial.measures.published.sizes import check_counts

# The rounding interval of each score, by the name of its measure.
Ranges = Mapping[str, RoundingInterval]
AREA = "roc_auc"
LAMBDA = "goodman_kruskal_lambda"
ERROR_SCORES = ("accuracy", "error_rate")  # these depend on the number of errors alone
# If the class sizes are given, each of these scores rises, or falls, with both TP and TN. There are two exceptions:
# lambda does neither, and a table only bounds the area.
SEARCHED_SCORES = (*(name for name, measure in CATALOGUE.items() if measure.is_monotone), LAMBDA, AREA)
SCORE_NAMES = dict(zip(SEARCHED_SCORES, SEARCHED_SCORES, strict=True))
SCORE_NAMES |= {alias: name for alias, name in ALIASES.items() if name in SEARCHED_SCORES}
SCORE_BOUNDS: dict[str, Bounds] = {
    name: CATALOGUE[name].bounds if name in CATALOGUE else SHARE_BOUNDS for name in SEARCHED_SCORES
}
# The area is the share of pairs of a positive and a negative case that are in order; a tie counts as one half. At the
# threshold of the table, TP * TN pairs are surely in order, and FP * FN pairs are surely not.
LEAST_AREA = Quantity(ratio=lambda t: (t.tp * t.tn, t.class_product))
GREATEST_AREA = Quantity(ratio=lambda t: (t.class_product - t.fp * t.fn, t.class_product))
# Ten times the error of the catalogue's formulas in floats. If a limit is above 1, the tolerance is relative.
FLOAT_TOLERANCE = 1e-11
MAX_RUNS_TRIED = 1_000_000
MAX_TABLES_LISTED = 5_000_000


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
            names = ", ".join(sorted(SEARCHED_SCORES))
            hint = f"did you mean {near[0]!r}?" if near else f"known are {names}."
            raise ValueError(f"The score {alias!r} is unknown; {hint}")
        if name in ranges:
            raise ValueError(f"{alias} is given twice, under two names; give it once.")
        ranges[name] = parse_printed(printed, str(alias), SCORE_BOUNDS[name])
    return ranges


@dataclass(frozen=True)
class Inequality:
    """The condition that a quantity of a table is at least (`side` 1) or at most (`side` -1) a limit."""

    quantity: Quantity
    limit: Fraction
    side: int
    may_be_undefined: bool = False

    @property
    def is_helped_by_hits(self) -> bool:
        """Whether more TP or TN help to satisfy the inequality; otherwise, fewer help."""
        return self.side * (self.quantity.better or 1) > 0

    def is_violated(self, values: Floats, tolerance: float) -> Mask:
        """Tell which values of the quantity miss the limit by more than the tolerance; NaN never does."""
        limit = float(self.limit)
        return np.asarray(self.side * values < self.side * limit - tolerance * max(1.0, abs(limit)))

    def is_satisfied(self, tp: Ints, tn: Ints, class_sizes: tuple[int, int]) -> Any:
        """Tell which tables satisfy the inequality. A table whose quantity is 0/0 counts as satisfying it."""
        limit = float(self.limit)
        values = self.quantity.values(tables_from_hits(tp.astype(float), tn.astype(float), class_sizes))
        is_satisfied = ~(self.side * values < self.side * limit)
        # Floats cannot decide near the limit, so exact integers decide.
        unsure = np.flatnonzero(np.abs(values - limit) <= FLOAT_TOLERANCE * max(1.0, abs(limit)))
        if unsure.size:
            tables = tables_from_hits(tp[unsure].astype(object), tn[unsure].astype(object), class_sizes)
            excess_signs = self.quantity.compare(tables, *self.limit.as_integer_ratio())
            is_satisfied[unsure] = self.side * excess_signs >= 0
        return is_satisfied

    def is_satisfied_exactly(self, tables: ConfusionTables) -> Mask:
        """Tell which tables of exact Python numbers satisfy the inequality; `may_be_undefined` decides about 0/0."""
        above, below = self.quantity.exact_ratio(tables)
        is_undefined = np.equal(above, 0) & np.equal(below, 0)
        is_satisfied = self.side * self.quantity.compare(tables, *self.limit.as_integer_ratio()) >= 0
        return np.where(is_undefined, self.may_be_undefined, is_satisfied).astype(bool)


def tables_from_hits(tp: Any, tn: Any, class_sizes: tuple[int, int]) -> ConfusionTables:
    positives, negatives = class_sizes
    return ConfusionTables(tp, negatives - tn, positives - tp, tn)


def inequalities_of(name: str, interval: RoundingInterval) -> list[Inequality]:
    """Return the inequalities that any table with this score satisfies; the score must not be lambda."""
    low, high = interval.low, interval.high
    if name == AREA:
        return [Inequality(GREATEST_AREA, Fraction(low), side=1), Inequality(LEAST_AREA, Fraction(high), side=-1)]
    # Libraries print 0 or 1 if the score is 0/0.
    may_be_undefined = low <= 0 <= high or low <= 1 <= high
    limits = [(Fraction(end), side) for end, side in ((low, 1), (high, -1)) if not math.isinf(end)]
    return [Inequality(CATALOGUE[name], limit, side, may_be_undefined) for limit, side in limits]


@dataclass(frozen=True)
class FittingTables:
    """Runs of fitting tables. Each column is a run, in which TP (row 0) or TN (row 1) grows from `first` to `last`."""

    first: Ints
    last: Ints

    @property
    def count(self) -> int:
        return int((self.last - self.first).sum() + self.first.shape[1])

    def list_hits(self) -> tuple[Ints, Ints]:
        """Return TP and TN of all tables, sorted by TP and then TN."""
        steps = self.last - self.first
        lengths = steps.sum(axis=0) + 1
        place_in_run = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        grows = np.repeat(steps > 0, lengths, axis=1)
        tp, tn = np.repeat(self.first, lengths, axis=1) + grows * place_in_run
        order = np.lexsort((tn, tp))
        return tp[order], tn[order]


NO_TABLES = FittingTables(*np.empty((2, 2, 0), dtype=np.int64))


def published_tables(scores: Mapping[str, Printed], *, positives: int, n: int) -> pd.DataFrame:
    """List all confusion tables that give all of the printed scores.

    Exact integers decide about every table, so rounding errors neither add nor remove a table.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        Printed scores by the names of `confusion_measures`, where `f_beta` is F1; `lift`, `geometric_mean` (of recall
        and specificity) and `roc_auc` (of the scores that became the predictions at one threshold); or by other usual
        names, such as `f1`, `kappa` or `mcc`. A string keeps its trailing zeros, and may be a percentage, such as
        "97%". A number stands for all numbers that round to it; a tie may be rounded up or down. After ``<``, ``<=``,
        ``>`` or ``>=`` it is a limit, and the limit itself counts.
    positives, n : int
        Positive cases and all cases.

    Returns
    -------
    pandas.DataFrame
        The columns ``tp, fp, fn, tn, prediction_advantage``, in the order of `tp` and then `tn`; no row if no table
        gives the scores. A score that is 0/0 for a table may have been printed as 0 or 1, as libraries do.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a text is not a number, a number lies outside the range of its score, a
        class has no cases, there are more than 5,000,000 tables, or more than 1,000,000 numbers of hits to try.

    Examples
    --------
    >>> published_tables({"recall": "0.75", "precision": "0.6"}, positives=4, n=20)
       tp  fp  fn  tn  prediction_advantage
    0   3   2   1  14                  0.25
    >>> len(published_tables({"accuracy": "0.89", "kappa": "0.24"}, positives=4, n=47))
    0
    """
    positives, n = check_counts(positives, n)
    tables = find_tables(parse_scores(scores), positives, n - positives)
    if tables.count > MAX_TABLES_LISTED:
        raise ValueError(
            f"{tables.count:,} tables give the scores; at most {MAX_TABLES_LISTED:,} are listed. Give more scores or "
            "more digits."
        )
    tp, tn = tables.list_hits()
    fp, fn = n - positives - tn, positives - tp
    minority = min(positives, n - positives)
    advantage = (minority - fp - fn) / minority
    return pd.DataFrame({"tp": tp, "fp": fp, "fn": fn, "tn": tn, "prediction_advantage": advantage})


def find_tables(ranges: Ranges, positives: int, negatives: int) -> FittingTables:
    """Find the tables whose scores lie in all of the ranges. Raise ValueError if there are too many to try."""
    class_sizes = positives, negatives
    parts = [NO_TABLES]
    for inequalities in _alternative_inequalities(ranges, positives, negatives):
        corners = np.array([[0, 0, positives], [0, negatives, 0]])
        for inequality in inequalities:
            tp, tn = corners.astype(object)
            corners = corners[:, inequality.is_satisfied_exactly(tables_from_hits(tp, tn, class_sizes))]
        parts += [_find_runs(inequalities, class_sizes), FittingTables(corners, corners)]
    return FittingTables(
        np.concatenate([part.first for part in parts], axis=1), np.concatenate([part.last for part in parts], axis=1)
    )


def _alternative_inequalities(ranges: Ranges, positives: int, negatives: int) -> list[list[Inequality]]:
    """Return alternative lists of inequalities; a table that fits satisfies all inequalities of exactly one list."""
    if AREA in ranges:
        # The area is a multiple of 1 / steps, because a tie counts as one half.
        steps = 2 * positives * negatives
        if math.ceil(steps * ranges[AREA].low) > steps * ranges[AREA].high:
            return []
    by_score = [inequalities_of(name, interval) for name, interval in ranges.items() if name != LAMBDA]
    common = [inequality for inequalities in by_score for inequality in inequalities]
    if LAMBDA not in ranges:
        return [common]
    # Let x be the greater of hits and errors. Lambda is (x - majority) / minority, or 0 if x is below the majority.
    n, minority = positives + negatives, min(positives, negatives)
    low, high = ranges[LAMBDA].low, ranges[LAMBDA].high
    least = n - minority + math.ceil(low * minority) if low else (n + 1) // 2
    most = n - minority + math.floor(high * minority)
    hits = [(least, most), (n - most, min(n - least, (n - 1) // 2))]
    accuracies = [replace(ranges[LAMBDA], low=Fraction(low, n), high=Fraction(high, n)) for low, high in hits]
    return [[*common, *inequalities_of("accuracy", accuracy)] for accuracy in accuracies]


def _find_runs(inequalities: list[Inequality], class_sizes: tuple[int, int]) -> FittingTables:
    """Find the tables, other than the corners, that satisfy all inequalities."""
    fixed, growing = (0, 1) if class_sizes[0] <= class_sizes[1] else (1, 0)  # fix the smaller class
    n_fixed, n_growing = class_sizes[fixed], class_sizes[growing]
    # A run has a fitting table only if its best table fits. That table has all hits of the other class, or none.
    best_tables = FittingTables(np.zeros((2, 1), dtype=np.int64), np.array(class_sizes)[:, None])
    for inequality in inequalities:
        best_hits = n_growing if inequality.is_helped_by_hits else 0
        best_tables.first[growing] = best_tables.last[growing] = best_hits
        best_tables = _narrow_runs(best_tables, inequality, class_sizes, growing=fixed)
    least, most = (best_tables.first[fixed, 0], best_tables.last[fixed, 0]) if best_tables.count else (0, -1)
    if most - least >= MAX_RUNS_TRIED:
        raise ValueError(
            f"The scores leave {most - least + 1:,} numbers of true {('positives', 'negatives')[fixed]} to try; "
            f"at most {MAX_RUNS_TRIED:,} are tried. Give more scores or more digits."
        )
    numbers = np.arange(least, most + 1)
    # Leave out the corners: there 0/0 counts as satisfied, although the neighbours may not satisfy the inequality.
    after_corner = np.where((numbers == 0) | (numbers == n_fixed), 1, 0)
    before_corner = np.where(numbers == 0, n_growing - 1, n_growing)
    order = [fixed, growing]
    runs = FittingTables(np.array([numbers, after_corner])[order], np.array([numbers, before_corner])[order])
    for inequality in inequalities:
        runs = _narrow_runs(runs, inequality, class_sizes, growing)
    return runs


def _narrow_runs(
    runs: FittingTables, inequality: Inequality, class_sizes: tuple[int, int], growing: int
) -> FittingTables:
    """Narrow each run, in which TP (`growing` 0) or TN (1) grows, to the tables that satisfy the inequality."""

    def has_turned(places: Ints, numbers: Ints) -> Any:
        hits = runs.first[:, places]
        hits[growing] = numbers
        return inequality.is_satisfied(hits[0], hits[1], class_sizes) == inequality.is_helped_by_hits

    turn = find_first(has_turned, runs.first[growing], runs.last[growing])
    first, last = runs.first.copy(), runs.last.copy()
    if inequality.is_helped_by_hits:
        first[growing] = turn
    else:
        last[growing] = turn - 1
    is_left = first[growing] <= last[growing]
    return FittingTables(first[:, is_left], last[:, is_left])


def find_first(is_true: Callable[[Ints, Ints], Any], low: Ints, high: Ints) -> Ints:
    """Bisect many ranges at once: return the first number from `low` to `high` for which `is_true`, or `high` + 1.

    `is_true(places, numbers)` takes indices of ranges and a number in each. Once true, it must stay true.
    """
    low, end = low.copy(), high + 1
    open_places = np.flatnonzero(low < end)
    while open_places.size:
        middle = (low[open_places] + end[open_places]) // 2
        reached = is_true(open_places, middle)
        end[open_places[reached]] = middle[reached]
        low[open_places[~reached]] = middle[~reached] + 1
        open_places = open_places[low[open_places] < end[open_places]]
    return low
