"""The confusion tables that printed scores allow, found without rounding.

With given classes, every searched quantity rises, or falls, with both TP and TN. Fix one of TP and TN: the tables that
satisfy an inequality are then neighbours, and bisection finds the first and the last. Only in three corners can a
measure be 0/0. The search looks at these tables one by one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from nontrivial._arrays import Ints
from nontrivial.measures.published.inequalities import (
    AREA,
    LAMBDA,
    Inequality,
    Ranges,
    inequalities_of,
    parse_scores,
    tables_from_hits,
)
from nontrivial.measures.published.numbers import Printed
from nontrivial.measures.published.sizes import check_counts

MAX_RUNS_TRIED = 1_000_000
MAX_TABLES_LISTED = 5_000_000


@dataclass(frozen=True)
class FittingTables:
    """Runs of tables that fit: in each, TP or TN grows from its number in `first` to its number in `last`.

    The columns of both arrays are the runs. The rows are TP and TN.
    """

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


def published_tables(scores: Mapping[str, Printed], *, positives: int, n: int) -> pd.DataFrame:
    """List all confusion tables that give all of the printed scores.

    Whole numbers decide about every table, so no rounding of floats adds or removes one.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        Printed scores by the names of `confusion_measures`, where `f_beta` is F1; `lift`, `geometric_mean` (of recall
        and specificity) and `roc_auc` (of the scores that became the predictions at one threshold); or by other usual
        names, such as `f1`, `kappa` or `mcc`. A string keeps its trailing zeros, and may be a percentage, such as
        "97%". A number stands for all that round to it, ties either way. After ``<``, ``<=``, ``>`` or ``>=`` it is a
        limit, which itself counts.
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
        If there is no score, a name is unknown, a number is none or outside the range of its score, a class has no
        cases, there are more than 5,000,000 tables, or more than 1,000,000 true positives and true negatives to try.

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
    parts = [FittingTables(*np.empty((2, 2, 0), dtype=np.int64))]
    for inequalities in _alternative_inequalities(ranges, positives, negatives):
        corners = np.array([[0, 0, positives], [0, negatives, 0]])
        for inequality in inequalities:
            tp, tn = corners.astype(object)
            corners = corners[:, inequality.holds_exactly(tables_from_hits(tp, tn, class_sizes))]
        parts += [_find_runs(inequalities, class_sizes), FittingTables(corners, corners)]
    return FittingTables(
        np.concatenate([part.first for part in parts], axis=1),
        np.concatenate([part.last for part in parts], axis=1),
    )


def _alternative_inequalities(ranges: Ranges, positives: int, negatives: int) -> list[list[Inequality]]:
    """Return lists of inequalities: a table fits if it satisfies all of one list, and none satisfies two lists."""
    if AREA in ranges:
        steps = 2 * positives * negatives  # of an area, because a tie counts as one half
        if math.ceil(steps * ranges[AREA].low) > steps * ranges[AREA].high:
            return []
    common = [
        inequality
        for name, interval in ranges.items()
        if name != LAMBDA
        for inequality in inequalities_of(name, interval)
    ]
    if LAMBDA not in ranges:
        return [common]
    # Let x be the hits, or the errors if these are more. Lambda is (x - majority) / minority, or 0 if that is negative.
    n, minority = positives + negatives, min(positives, negatives)
    low, high = ranges[LAMBDA].low, ranges[LAMBDA].high
    least = n - minority + math.ceil(low * minority) if low else (n + 1) // 2
    most = n - minority + math.floor(high * minority)
    hits = [(least, most), (n - most, min(n - least, (n - 1) // 2))]
    accuracies = [replace(ranges[LAMBDA], low=Fraction(low, n), high=Fraction(high, n)) for low, high in hits]
    return [[*common, *inequalities_of("accuracy", accuracy)] for accuracy in accuracies]


class _Runs(NamedTuple):
    """Runs of tables: one of TP and TN is `fixed`, and the other one grows from `first` to `last`."""

    fixed: Ints
    first: Ints
    last: Ints


def _find_runs(inequalities: list[Inequality], class_sizes: tuple[int, int]) -> FittingTables:
    """Find the tables, other than the corners, that satisfy all inequalities."""
    # Fix the hits of the smaller class, because there are fewer of them to try.
    fixes_tp = class_sizes[0] <= class_sizes[1]
    n_fixed, n_growing = sorted(class_sizes)
    # A run can only satisfy an inequality if its best table does. That table has all hits of the other class, or none.
    fixed_hits = _Runs(np.array([0]), np.array([0]), np.array([n_fixed]))
    for inequality in inequalities:
        best = np.full_like(fixed_hits.fixed, n_growing if inequality.rises else 0)
        fixed_hits = _narrow_runs(fixed_hits._replace(fixed=best), inequality, class_sizes, not fixes_tp)
    least, most = (fixed_hits.first[0], fixed_hits.last[0]) if fixed_hits.first.size else (0, -1)
    if most - least >= MAX_RUNS_TRIED:
        raise ValueError(
            f"The scores leave {most - least + 1:,} numbers of true {'positives' if fixes_tp else 'negatives'} to try; "
            f"at most {MAX_RUNS_TRIED:,} are tried. Give more scores or more digits."
        )
    fixed = np.arange(least, most + 1)
    # Leave out the corners: there 0/0 counts as satisfied, although the neighbours may not satisfy the inequality.
    runs = _Runs(
        fixed,
        first=np.where((fixed == 0) | (fixed == n_fixed), 1, 0),
        last=np.where(fixed == 0, n_growing - 1, n_growing),
    )
    for inequality in inequalities:
        runs = _narrow_runs(runs, inequality, class_sizes, fixes_tp)
    order = 1 if fixes_tp else -1
    return FittingTables(
        np.array([runs.fixed, runs.first])[::order], np.array([runs.fixed, runs.last])[::order]
    )


def _narrow_runs(runs: _Runs, inequality: Inequality, class_sizes: tuple[int, int], fixes_tp: bool) -> _Runs:
    """Cut each run to the tables that satisfy the inequality, and drop the runs without one."""

    def has_turned(places: Ints, growing: Ints) -> Any:
        hits = (runs.fixed[places], growing) if fixes_tp else (growing, runs.fixed[places])
        return inequality.holds(*hits, class_sizes) == inequality.rises

    turn = find_first(has_turned, runs.first, runs.last)
    first, last = (turn, runs.last) if inequality.rises else (runs.first, turn - 1)
    is_left = first <= last
    return _Runs(runs.fixed[is_left], first[is_left], last[is_left])


def find_first(is_true: Callable[[Ints, Ints], Any], low: Ints, high: Ints) -> Ints:
    """Bisect many ranges at once: return the first number from `low` to `high` for which `is_true`, or `high` + 1.

    `is_true` takes places of ranges and a number for each. Once true in a range, it stays true.
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
