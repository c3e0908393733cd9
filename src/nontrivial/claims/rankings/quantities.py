"""Rankings, ties included, and their curves, areas and hulls in exact arithmetic, without `nontrivial.curves`.

A ranking is a sequence of groups of tied cases, the best first. To the curves it is a path of operating points (FP, TP)
from (0, 0) to (N, P) in which each group is one step.
"""

from __future__ import annotations

import functools
import itertools
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from nontrivial._arrays import Ints, Mask
from nontrivial.claims.language import Cases, Value, times

_LARGE = 2**40  # greater than every slope and cost, in the units used here


@dataclass(eq=False)
class Paths(Cases):
    """Rankings of the same P positives and N negatives, both 1 or more, a row for each; n is P + N."""

    gained: Ints  # the positives of each group, 0 behind the last
    added: Ints  # its negatives

    def __post_init__(self) -> None:
        # The operating points from (0, 0) on; the last one, (N, P), is repeated.
        first = ((0, 0), (1, 0))  # a column before all others
        self.tp, self.fp = (np.pad(part.cumsum(axis=1), first) for part in (self.gained, self.added))
        self.predicted = self.tp + self.fp
        self.positives, self.negatives = int(self.tp[0, -1]), int(self.fp[0, -1])
        self.n = self.positives + self.negatives
        self.groups = (self.gained + self.added > 0).sum(axis=1)
        # Which columns are points, not padding.
        self.points = np.arange(self.tp.shape[1]) <= self.groups[:, None]
        self._known: dict[str, Value] = {}

    def __len__(self) -> int:
        return len(self.tp)

    def part(self, rows: slice | Mask) -> Rankings:
        return Rankings(self.gained[rows], self.added[rows])

    def integers(self, row: int) -> tuple[int, ...]:
        """One ranking as integers: the positives and the negatives of each group in turn."""
        steps = np.stack([self.gained[row], self.added[row]], axis=1)
        return tuple(steps[: self.groups[row]].ravel().tolist())

    def value(self, name: str) -> Value:
        """A quantity in lowest terms, computed once."""
        if name not in self._known:
            value = QUANTITIES[name](self)
            above, below, _ = np.broadcast_arrays(value.numerator, value.denominator, self.groups)
            common = np.maximum(np.gcd(above, below), 1)
            above, below = ((part // common).astype(np.int64) for part in (above, below))
            self._known[name] = replace(value, numerator=above, denominator=below)
        return self._known[name]


def multiple_up_to(largest: int) -> int:
    """The least number that all whole numbers up to `largest` divide."""
    return math.lcm(*range(1, largest + 1))


def between(counts: Ints) -> Ints:
    """How much more there is at each point k than at each point i; the axes are ranking, i, k."""
    return np.asarray(counts[:, None, :] - counts[:, :, None])


def trapezoids(across: Ints, up: Ints) -> Ints:
    """Twice the area under each path."""
    return np.asarray((np.diff(across) * (up[:, 1:] + up[:, :-1])).sum(axis=1))


class Rankings(Paths):
    """Rankings and their quantities: each public method gives one exact number for each ranking."""

    # Areas under the ROC and the Precision-Recall curve.

    def roc_auc(self) -> Value:
        """Area under the ROC curve, by trapezoids (PRG paper, Section 1; tutorial, the formula for AUC)."""
        return Value(trapezoids(self.fp, self.tp), 2 * self.positives * self.negatives)

    def roc_auc_after_first(self) -> Value:
        """The trapezoids from the first point behind the origin on (tutorial, formula for AUC, its sum to m - 1)."""
        return Value(trapezoids(self.fp[:, 1:], self.tp[:, 1:]), 2 * self.positives * self.negatives)

    def concordance(self) -> Value:
        """Share of the pairs of a positive and a negative with the positive first, ties counted half."""
        ones = np.ones((self.gained.shape[1],) * 2, dtype=int)
        twice = np.triu(ones) + np.triu(ones, k=1)  # by the group of the positive and that of the negative
        pairs = np.einsum("rp,pn,rn->r", self.gained, twice, self.added)
        return Value(pairs, 2 * self.positives * self.negatives)

    def expected_accuracy(self) -> Value:
        """Mean accuracy where the predicted positive rate is uniform and tables are interpolated."""
        return Value(trapezoids(self.predicted, self.tp + self.negatives - self.fp), 2 * self.n**2)

    def _precision(self) -> tuple[Ints, int]:
        """Precision at each operating point, 0 at the first, in multiples of one over the number."""
        predicted = np.maximum(self.predicted, 1)
        unit = math.lcm(*np.unique(predicted).tolist())
        return times(self.tp, unit // (predicted if unit < _LARGE else predicted.astype(object))), unit

    def average_precision(self) -> Value:
        """Average precision: the precision of each point, weighted by the recall gained there."""
        precision, unit = self._precision()
        return Value(times(self.gained, precision[:, 1:]).sum(axis=1), self.positives * unit)

    def mean_precision_at_positives(self) -> Value:
        """Arithmetic mean, over the positives, of the precision of the first point that has found them."""
        precision, unit = self._precision()
        found_at = (self.tp[:, :, None] >= np.arange(1, self.positives + 1)).argmax(axis=1)
        return Value(np.take_along_axis(precision, found_at, axis=1).sum(axis=1), self.positives * unit)

    def pr_auc(self) -> Value:
        """Area under the Precision-Recall curve with interpolated tables (Davis and Goadrich), to nine decimals."""
        # Along a group of g positives among m cases, from TP to TP + g of M to M + m predicted positives, the mean
        # precision is g/m + (TP - g M/m) ln((M + m)/M) / m. It is rational only if precision does not change.
        size, before = np.maximum(self.gained + self.added, 1), self.predicted[:, :-1]
        change = self.gained * (self.tp[:, :-1] * size - self.gained * before)
        mean = self.gained / size + change * np.log1p(size / np.maximum(before, 1)) / (
            size**2 * np.maximum(self.gained, 1)
        )
        area = (self.gained * mean).sum(axis=1) / self.positives
        unit = math.lcm(*np.unique(size).tolist())
        exact = times((self.gained**2 * (unit // size)).sum(axis=1), 10**9)
        rounded = times(times(np.rint(area * 10**9).astype(int), self.positives), unit)
        is_exact = (change == 0).all(axis=1)
        error = Value(np.where(is_exact, 0, 1), np.full(len(area), 10**8))
        return Value(np.where(is_exact, exact, rounded), times(self.positives * unit, 10**9), error=error)

    # The Precision-Recall-Gain curve: its area, and the F gain to expect along it.
    #
    # The recall gain is 0 where TP = P^2/n. So the gains at the curve's corners are whole multiples of one over N P L,
    # with the least common multiple L of 1..P.

    def _gain_curve(self) -> tuple[Ints, Ints, int]:
        """Precision gain and recall gain from recall gain 0 on, where the curve arrives first, and their unit."""
        common = multiple_up_to(self.positives)
        zero = self.positives**2  # of n TP, where the recall gain is 0
        unit = self.negatives * self.positives * common
        factor = zero * (common // np.maximum(self.tp, 1))
        precision, recall = unit - factor * self.fp, unit - factor * (self.positives - self.tp)
        group = (self.n * self.tp[:, 1:] >= zero).argmax(axis=1)[:, None]  # within which it arrives there
        tp, fp, gained, added = (
            np.take_along_axis(part, group, axis=1) for part in (self.tp, self.fp, self.gained, self.added)
        )
        errors = self.n * gained * fp + (zero - self.n * tp) * added
        is_before = self.n * self.tp < zero
        at_zero = unit - errors * (common // gained)
        return np.where(is_before, at_zero, precision), np.where(is_before, 0, recall), unit

    def prg_auc(self) -> Value:
        """AUPRG: negative precision gain counts as negative (PRG paper, Section 3.3)."""
        precision, recall, unit = self._gain_curve()
        return Value(trapezoids(recall, precision), 2 * unit**2)

    def precision_gain_at_zero(self) -> Value:
        """y0, the precision gain where recall gain is 0."""
        precision, _, unit = self._gain_curve()
        return Value(precision[:, 0], unit)

    def _mean_f_gain(self, b: Fraction) -> Value:
        """E[FG_beta] by integration: FG_beta and Delta are linear on each piece, the final vertical drop included."""
        precision, recall, unit = self._gain_curve()
        delta = self.negatives * recall - self.positives * precision  # times n / (P N)
        total = trapezoids(delta, b.denominator * precision + b.numerator * recall)
        return Value(total, 2 * (b.numerator + b.denominator) * unit * (delta[:, -1] - delta[:, 0]))

    # Choices of groups to predict positive: by a threshold on the score, and any others.

    def _f(self, tp: Ints, fp: Ints, b: Fraction) -> Value:
        unit, weight = b.denominator, b.numerator
        return Value((unit + weight) * tp, unit * (tp + fp) + weight * self.positives)

    def _best_f(self, b: Fraction) -> Value:
        """The greatest F-beta of an operating point."""
        at_points = (self._f(tp, fp, b) for tp, fp in zip(self.tp.T[1:], self.fp.T[1:], strict=True))
        return functools.reduce(lambda first, second: first.choose(">=", second), at_points)

    def _better_subsets(self, b: Fraction) -> Value:
        """Choices of groups to predict positive that have a greater F-beta than every threshold."""
        chosen = np.arange(2**self.n) >> np.arange(self.n)[:, None] & 1
        rivals, best = self._f(self.gained @ chosen, self.added @ chosen, b), self._best_f(b)
        best = Value(best.numerator[:, None], best.denominator[:, None])
        better = Value.compare([">"], [rivals, best]).true.sum(axis=1)
        return Value(better >> self.n - self.groups)  # each group of padding doubles the choices

    def _threshold_misses(self, b: Fraction) -> Value:
        """1 if groups with a share of positives above best F / (1 + beta^2) are not best to call positive, else 0."""
        best = self._best_f(b)
        limit = b.denominator * best.numerator[:, None] * (self.gained + self.added)
        taken = (b.numerator + b.denominator) * best.denominator[:, None] * self.gained > limit
        tp, fp = ((part * taken).sum(axis=1) for part in (self.gained, self.added))
        return Value(Value.compare(["<"], [self._f(tp, fp, b), best]).true.astype(int))

    def is_calibrated(self) -> Value:
        """1 where the share of positives falls from group to group, so that it can serve as the score, else 0."""
        falls = self.gained[:, 1:] * self.added[:, :-1] < self.gained[:, :-1] * self.added[:, 1:]
        return Value((falls | ~self.points[:, 2:]).all(axis=1).astype(int))

    # The shape of the curves: Pareto fronts, convex hull, and isotonic regression.

    @functools.cached_property
    def _shares(self) -> Ints:
        """The share of positives from point i to k, a measure of the slope, times a common multiple."""
        size = np.maximum(between(self.predicted), 1)
        return np.asarray(between(self.tp) * (multiple_up_to(self.n) // size))

    @functools.cached_property
    def _vertices(self) -> Mask:
        """Which points are strict vertices of the upper convex hull of the ROC curve, its ends included."""
        ordered = np.triu(np.ones((self.n + 1, self.n + 1), dtype=bool), k=1)
        pairs = self.points[:, :, None] & self.points[:, None, :] & ordered
        before = np.where(pairs, self._shares, _LARGE).min(axis=1)
        after = np.where(pairs, self._shares, -_LARGE).max(axis=2)
        return np.asarray(self.points & (before > after))

    @property
    def _edge(self) -> Ints:
        """The place of the hull's edge over each group."""
        return np.cumsum(self._vertices[:, :-1], axis=1) - 1

    @functools.cached_property
    def _hull(self) -> Rankings:
        """The rankings whose ROC curves are the hulls: the groups below an edge are tied."""
        hull = np.zeros((2, len(self), self.n), dtype=int)
        for tied, counts in zip(hull, (self.gained, self.added), strict=True):
            np.add.at(tied, (np.arange(len(self))[:, None], self._edge), counts)
        return Rankings(*hull)

    def isotonic_mismatches(self) -> Value:
        """Groups whose isotonic regression is not the share of positives on the hull edge over them."""
        splits = range(1, self.n + 1)  # the least of the greatest means is a formula that knows of no hull
        regression = [self._shares[:, :split, split:].max(axis=2).min(axis=1) for split in splits]
        size = np.maximum(self._hull.gained + self._hull.added, 1)
        shares = self._hull.gained * (multiple_up_to(self.n) // size)
        unlike = np.take_along_axis(shares, self._edge, axis=1) != np.stack(regression, axis=1)
        return Value((unlike & self.points[:, 1:]).sum(axis=1))

    # Which operating points are best for something, found from all of them and not from the hull, so that statements
    # which relate the two are really tested.
    #
    # A trade-off between errors, a FP + b FN, is one of weighted accuracy; divided by TP it is one of F-beta, with b/a
    # for beta squared. What is best between two trade-offs at which points are alike is best at these, too. On an edge
    # of the hull that gains t true and f false positives, t FP + f FN is the same at both ends; it is accuracy at the
    # calibrated score c = t/(t + f). In gain space the edge has slope -beta^2, and d = 1/(1 + beta^2) (PRG paper,
    # Sections 1 and 3.4).

    def _costs(self, of_fp: Ints, of_fn: Ints) -> Ints:
        """a FP + b FN; the axes are ranking, trade-off, point."""
        fp, fn = self.fp[:, None, :], self.positives - self.tp[:, None, :]
        return np.asarray(of_fp[:, :, None] * fp + of_fn[:, :, None] * fn)

    def _costs_per_tp(self, of_fp: Ints, of_fn: Ints) -> Ints:
        """The same over TP, times a common multiple; more than all others without a true positive."""
        tp = self.tp[:, None, :]
        share = multiple_up_to(self.positives) // np.maximum(tp, 1)
        return np.where(tp > 0, self._costs(of_fp, of_fn) * share, _LARGE)

    def _cheapest(self, costs: Ints) -> Mask:
        """Which operating points have the least cost at some trade-off."""
        return np.asarray(self.points & (costs == costs.min(axis=2, keepdims=True)).any(axis=1))

    def _best_for_accuracy(self, least: int = 1) -> Mask:
        """Those best for some weighting of the classes; `least` 0 allows weight 0 of one of them."""
        weights = itertools.product(range(least, self.positives + 1), range(least, self.negatives + 1))
        of_fp, of_fn = np.array([pair for pair in weights if any(pair)]).T
        return self._cheapest(self._costs(of_fp[None], of_fn[None]))

    def _best_for_f(self) -> Mask:
        """Those best for some F-beta, 0 <= beta < inf."""
        # Two points are alike where beta squared is (FP TP' - FP' TP) / (P (TP' - TP)).
        excess, gained = range(self.negatives * self.positives + 1), range(1, self.positives + 1)
        squares = {Fraction(above, self.positives * below) for above in excess for below in gained}
        of_fn, of_fp = np.array([square.as_integer_ratio() for square in squares]).T
        return self._cheapest(self._costs_per_tp(of_fp[None], of_fn[None]))

    def front_vertices_not_best(self) -> Value:
        """Non-dominated vertices of the ROC hull that are best for no weighting of the two classes."""
        # True and false positives, how many more at one point than at another.
        more, fewer = between(self.tp), between(self.fp)
        dominated = ((more >= 0) & (fewer <= 0) & (more > fewer)).any(axis=2)
        return Value((self._vertices & ~dominated & ~self._best_for_accuracy()).sum(axis=1))

    def best_for_f_only(self) -> Value:
        """Operating points that are best for some F-beta, 0 included, but for no weighting, of one class included."""
        return Value((self._best_for_f() & ~self._best_for_accuracy(least=0)).sum(axis=1))

    def best_for_accuracy_only_above_baseline(self) -> Value:
        """Operating points not below the baseline that are best for some weighting, but for no F-beta, 0 included."""
        # Neither precision nor recall is less than the prevalence.
        above = self.n * self.tp >= self.positives * np.maximum(self.positives, self.predicted)
        return Value((above & self._best_for_accuracy() & ~self._best_for_f()).sum(axis=1))

    def vertices_not_best(self) -> Value:
        """Hull edges with an end that is not best for acc_c, c being their calibrated score; c and 1 - c as meant."""
        edges = self._hull.gained, self._hull.added
        worse = _worse_end(self._hull._costs(*edges))
        return Value((worse > self._costs(*edges).min(axis=2)).sum(axis=1))

    def f_vertices_not_best(self) -> Value:
        """Hull edges between points with a true positive with an end that is not best for F-beta at their beta."""
        # By Theorem 4 beta squared is b/a.
        hull = self._hull
        of_fp = self.positives * hull.gained
        of_fn = hull.added * hull.tp[:, :-1] - hull.fp[:, :-1] * hull.gained
        is_between = (hull.tp[:, :-1] > 0) & (hull.gained > 0)
        worse = _worse_end(hull._costs_per_tp(of_fp, of_fn))
        return Value((is_between & (worse > self._costs_per_tp(of_fp, of_fn).min(axis=2))).sum(axis=1))


def _worse_end(costs: Ints) -> Ints:
    """From the costs of the hull's points at the trade-off of each edge, the greater one of its two ends."""
    return np.maximum(costs.diagonal(axis1=1, axis2=2), costs.diagonal(1, axis1=1, axis2=2))


# The quantities by the names that the registry uses, and a line for each of them.
_COUNTS: dict[str, tuple[Callable[[Any], Value], str]] = {
    "positives": (lambda rankings: Value(rankings.positives), "The number of positives."),
    "negatives": (lambda rankings: Value(rankings.negatives), "The number of negatives."),
    "n": (lambda rankings: Value(rankings.n), "The number of cases."),
    "prevalence": (lambda rankings: Value(rankings.positives, rankings.n), "positives / n"),
    "groups": (lambda rankings: Value(rankings.groups), "The number of distinct scores."),
    "ties": (lambda rankings: Value(rankings.n - rankings.groups), "n - groups"),
}
_OF_BETA = {
    "{}_best": Rankings._best_f,
    "{}_better_subsets": Rankings._better_subsets,
    "{}_threshold_misses": Rankings._threshold_misses,
    "mean_{}_gain": Rankings._mean_f_gain,
}
QUANTITIES: dict[str, Callable[[Any], Value]] = {
    name: method for name, method in vars(Rankings).items() if not name.startswith("_")
}
LINES = {name: str(method.__doc__).splitlines()[0] for name, method in QUANTITIES.items()}
QUANTITIES |= {name: count for name, (count, _) in _COUNTS.items()}
LINES |= {name: line for name, (_, line) in _COUNTS.items()}
for _f, _b in (("f_half", Fraction(1, 4)), ("f1", Fraction(1)), ("f2", Fraction(4))):
    for _pattern, _method in _OF_BETA.items():
        _name, _line = _pattern.format(_f), str(_method.__doc__).splitlines()[0]
        QUANTITIES[_name], LINES[_name] = functools.partial(_method, b=_b), f"{_line} Beta squared is {_b}."


# These go through pairs of points, or subsets of the groups; of rankings of more than a few cases they are not asked.
OF_FEW_CASES = frozenset(name for name in QUANTITIES if re.search("vertices|isotonic|best_for|subsets", name))
# The exact numbers of these fit into 64 bits also for hundreds of cases.
OF_MANY_CASES = frozenset(
    {
        *(*_COUNTS, "roc_auc", "roc_auc_after_first", "concordance", "expected_accuracy"),
        *("average_precision", "mean_precision_at_positives", "f_half_best", "f1_best", "f2_best"),
    }
)


def classes(cases: int) -> Iterator[tuple[int, int]]:
    """The counts (positives, negatives) with both classes present and at most `cases` in all, fewest first."""
    for n in range(2, cases + 1):
        yield from ((positives, n - positives) for positives in range(1, n))


@functools.cache
def all_rankings(positives: int, negatives: int) -> Rankings:
    """Every ranking of so many positives and negatives once, in the order of their integers."""
    width = 2 * (positives + negatives)
    rows = _integers(positives, negatives)
    steps = np.array([row + (0,) * (width - len(row)) for row in rows])
    return Rankings(steps[:, 0::2], steps[:, 1::2])


@functools.cache
def _integers(positives: int, negatives: int) -> list[tuple[int, ...]]:
    if not positives and not negatives:
        return [()]
    return [
        (p, n, *rest)
        for p, n in itertools.product(range(positives + 1), range(negatives + 1))
        if p or n
        for rest in _integers(positives - p, negatives - n)
    ]
