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
from typing import Any, NamedTuple

import numpy as np

from nontrivial._arrays import Ints, Mask
from nontrivial.claims.language.formulas import FormulaCases
from nontrivial.claims.language.numbers import Ratios, exact_product
from nontrivial.claims.verdict import Case

_GREATER_THAN_ALL = 2**40  # greater than every slope and cost, in the units used here


@dataclass(eq=False)
class RankingPaths(FormulaCases):
    """Rankings of the same P positives and N negatives, both at least 1, as rows of arrays."""

    gained: Ints  # the positives of each group, 0 after the last group
    added: Ints  # the negatives of each group

    def __post_init__(self) -> None:
        # The operating points from (0, 0) on. The last point, (N, P), is repeated.
        origin = ((0, 0), (1, 0))  # a column of 0 before all others
        self.tp, self.fp = (np.pad(counts.cumsum(axis=1), origin) for counts in (self.gained, self.added))
        self.predicted = self.tp + self.fp
        self.positives, self.negatives = int(self.tp[0, -1]), int(self.fp[0, -1])
        self.n = self.positives + self.negatives
        self.groups = (self.gained + self.added > 0).sum(axis=1)
        # True for the columns that are points, False for those that repeat the last one.
        self.points = np.arange(self.tp.shape[1]) <= self.groups[:, None]
        self._computed: dict[str, Ratios] = {}

    def __len__(self) -> int:
        return len(self.tp)

    def part(self, rows: slice | Mask) -> RankingCases:
        """Return the rankings in some rows."""
        return RankingCases(self.gained[rows], self.added[rows])

    def case_at(self, row: int) -> Case:
        """Return one ranking as a case: the positives and the negatives of each group in turn."""
        counts = np.stack([self.gained[row], self.added[row]], axis=1)
        return tuple(counts[: self.groups[row]].ravel().tolist())

    def value(self, name: str) -> Ratios:
        """Return a quantity of each ranking in lowest terms. Each quantity is computed once."""
        if name not in self._computed:
            value = QUANTITIES[name](self)
            numerator, denominator, _ = np.broadcast_arrays(value.numerator, value.denominator, self.groups)
            common = np.maximum(np.gcd(numerator, denominator), 1)
            numerator, denominator = ((part // common).astype(np.int64) for part in (numerator, denominator))
            self._computed[name] = replace(value, numerator=numerator, denominator=denominator)
        return self._computed[name]


def multiple_up_to(largest: int) -> int:
    """Return the least common multiple of 1, 2, .. up to `largest`."""
    return math.lcm(*range(1, largest + 1))


def pairwise_differences(counts: Ints) -> Ints:
    """Subtract the count at each point i from the count at each point k. The axes are ranking, i and k."""
    return np.asarray(counts[:, None, :] - counts[:, :, None])


def doubled_areas(x: Ints, y: Ints) -> Ints:
    """Return twice the area under each path, by trapezoids."""
    return np.asarray((np.diff(x) * (y[:, 1:] + y[:, :-1])).sum(axis=1))


class _GainCurve(NamedTuple):
    """Precision gain and recall gain at the corners of a curve, as multiples of 1 / unit."""

    precision: Ints
    recall: Ints
    unit: int


class RankingCases(RankingPaths):
    """Rankings, with public methods that each compute an exact number for each ranking."""

    # Areas under the ROC and the Precision-Recall curve.

    def roc_auc(self) -> Ratios:
        """Area under the ROC curve, by trapezoids (PRG paper, Section 1; tutorial, the formula for AUC)."""
        return Ratios(doubled_areas(self.fp, self.tp), 2 * self.positives * self.negatives)

    def roc_auc_after_first(self) -> Ratios:
        """The trapezoids from the first point behind the origin on (tutorial, formula for AUC, its sum to m - 1)."""
        return Ratios(doubled_areas(self.fp[:, 1:], self.tp[:, 1:]), 2 * self.positives * self.negatives)

    def concordance(self) -> Ratios:
        """Share of the pairs of a positive and a negative with the positive first, ties counted half."""
        ones = np.ones((self.gained.shape[1],) * 2, dtype=int)
        # A pair counts 2, or 1 if tied. The axes are the group of the positive and the group of the negative.
        twice = np.triu(ones) + np.triu(ones, k=1)
        pairs = np.einsum("rp,pn,rn->r", self.gained, twice, self.added)
        return Ratios(pairs, 2 * self.positives * self.negatives)

    def expected_accuracy(self) -> Ratios:
        """Mean accuracy for a uniform predicted positive rate, with tables interpolated between the points."""
        return Ratios(doubled_areas(self.predicted, self.tp + self.negatives - self.fp), 2 * self.n**2)

    def _precision_at_points(self) -> tuple[Ints, int]:
        """Return the precision at each operating point, 0 at the first, in multiples of 1 / unit, and the unit."""
        predicted = np.maximum(self.predicted, 1)
        unit = math.lcm(*np.unique(predicted).tolist())
        if unit >= _GREATER_THAN_ALL:
            predicted = predicted.astype(object)
        return exact_product(self.tp, unit // predicted), unit

    def average_precision(self) -> Ratios:
        """Average precision: the precision of each point, weighted by the recall gained there."""
        precision, unit = self._precision_at_points()
        return Ratios(exact_product(self.gained, precision[:, 1:]).sum(axis=1), self.positives * unit)

    def mean_precision_at_positives(self) -> Ratios:
        """Arithmetic mean, over the positives, of the precision of the first point that has found them."""
        precision, unit = self._precision_at_points()
        point = (self.tp[:, :, None] >= np.arange(1, self.positives + 1)).argmax(axis=1)
        return Ratios(np.take_along_axis(precision, point, axis=1).sum(axis=1), self.positives * unit)

    def pr_auc(self) -> Ratios:
        """Area under the Precision-Recall curve with interpolated tables (Davis and Goadrich), to nine decimals."""
        # Along a group of g positives among m cases, from TP to TP + g of M to M + m predicted positives, the mean
        # precision is g/m + (TP - g M/m) ln((M + m)/M) / m. It is rational only if precision does not change.
        size, before = np.maximum(self.gained + self.added, 1), self.predicted[:, :-1]
        change = self.gained * (self.tp[:, :-1] * size - self.gained * before)
        logarithm = np.log1p(size / np.maximum(before, 1))
        mean_precision = self.gained / size + change * logarithm / (size**2 * np.maximum(self.gained, 1))
        area = (self.gained * mean_precision).sum(axis=1) / self.positives
        unit = math.lcm(*np.unique(size).tolist())
        exact = exact_product((self.gained**2 * (unit // size)).sum(axis=1), 10**9)
        rounded = exact_product(exact_product(np.rint(area * 10**9).astype(int), self.positives), unit)
        is_exact = (change == 0).all(axis=1)
        error = Ratios(np.where(is_exact, 0, 1), np.full(len(area), 10**8))
        denominator = exact_product(self.positives * unit, 10**9)
        return Ratios(np.where(is_exact, exact, rounded), denominator, error=error)

    # The Precision-Recall-Gain curve: its area, and the F gain to expect along it.
    #
    # The recall gain is 0 at TP = P^2/n. So the gains at the corners of the curve are whole multiples of 1 / (N P L),
    # with the least common multiple L of 1..P.

    def _gain_curve(self) -> _GainCurve:
        """Compute the curve from recall gain 0 on. Points with a negative recall gain move to its start."""
        common = multiple_up_to(self.positives)
        n_tp_at_zero = self.positives**2  # n TP at recall gain 0
        unit = self.negatives * self.positives * common
        factor = n_tp_at_zero * (common // np.maximum(self.tp, 1))
        precision, recall = unit - factor * self.fp, unit - factor * (self.positives - self.tp)
        # The group within which the curve reaches recall gain 0.
        group = (self.n * self.tp[:, 1:] >= n_tp_at_zero).argmax(axis=1)[:, None]
        tp, fp, gained, added = (
            np.take_along_axis(part, group, axis=1) for part in (self.tp, self.fp, self.gained, self.added)
        )
        errors = self.n * gained * fp + (n_tp_at_zero - self.n * tp) * added
        is_before = self.n * self.tp < n_tp_at_zero
        precision_at_zero = unit - errors * (common // gained)
        precision = np.where(is_before, precision_at_zero, precision)
        return _GainCurve(precision, np.where(is_before, 0, recall), unit)

    def prg_auc(self) -> Ratios:
        """AUPRG: negative precision gain counts as negative (PRG paper, Section 3.3)."""
        curve = self._gain_curve()
        return Ratios(doubled_areas(curve.recall, curve.precision), 2 * curve.unit**2)

    def precision_gain_at_zero(self) -> Ratios:
        """y0, the precision gain at recall gain 0."""
        curve = self._gain_curve()
        return Ratios(curve.precision[:, 0], curve.unit)

    def _mean_f_gain(self, beta_squared: Fraction) -> Ratios:
        """E[FG_beta] by integration: FG_beta and Delta are linear on each piece, the final vertical drop included."""
        precision, recall, unit = self._gain_curve()
        weight, weight_unit = beta_squared.as_integer_ratio()
        delta = self.negatives * recall - self.positives * precision  # Delta times n / (P N)
        total = doubled_areas(delta, weight_unit * precision + weight * recall)
        return Ratios(total, 2 * (weight + weight_unit) * unit * (delta[:, -1] - delta[:, 0]))

    # Choices of groups to predict positive: by a threshold on the score, and any others.

    def _f_beta(self, tp: Ints, fp: Ints, beta_squared: Fraction) -> Ratios:
        weight, unit = beta_squared.as_integer_ratio()
        return Ratios((unit + weight) * tp, unit * (tp + fp) + weight * self.positives)

    def _best_f_beta(self, beta_squared: Fraction) -> Ratios:
        """The greatest F-beta of an operating point."""
        points = zip(self.tp.T[1:], self.fp.T[1:], strict=True)
        scores = (self._f_beta(tp, fp, beta_squared) for tp, fp in points)
        return functools.reduce(lambda first, second: first.choose(">=", second), scores)

    def _better_subsets(self, beta_squared: Fraction) -> Ratios:
        """The number of choices of groups to predict positive that have a greater F-beta than every threshold."""
        chosen = np.arange(2**self.n) >> np.arange(self.n)[:, None] & 1
        of_subsets = self._f_beta(self.gained @ chosen, self.added @ chosen, beta_squared)
        best = self._best_f_beta(beta_squared)
        best = Ratios(best.numerator[:, None], best.denominator[:, None])
        better = Ratios.compare([">"], [of_subsets, best]).true.sum(axis=1)
        return Ratios(better >> self.n - self.groups)  # each column after the last group doubles the choices

    def _threshold_misses(self, beta_squared: Fraction) -> Ratios:
        """1 if groups with a share of positives above best F / (1 + beta^2) are not best to call positive, else 0."""
        best, (weight, unit) = self._best_f_beta(beta_squared), beta_squared.as_integer_ratio()
        limit = unit * best.numerator[:, None] * (self.gained + self.added)
        is_chosen = (weight + unit) * best.denominator[:, None] * self.gained > limit
        tp, fp = ((counts * is_chosen).sum(axis=1) for counts in (self.gained, self.added))
        is_worse = Ratios.compare(["<"], [self._f_beta(tp, fp, beta_squared), best]).true
        return Ratios(is_worse.astype(int))

    def is_calibrated(self) -> Ratios:
        """1 if the share of positives falls from group to group, so that it can serve as the score, else 0."""
        falls = self.gained[:, 1:] * self.added[:, :-1] < self.gained[:, :-1] * self.added[:, 1:]
        return Ratios((falls | ~self.points[:, 2:]).all(axis=1).astype(int))

    # The shape of the curves: Pareto fronts, convex hull, and isotonic regression.

    @functools.cached_property
    def _slopes_between_points(self) -> Ints:
        """Return the share of positives among the cases between points i and k, times a common multiple."""
        size = np.maximum(pairwise_differences(self.predicted), 1)
        return np.asarray(pairwise_differences(self.tp) * (multiple_up_to(self.n) // size))

    @functools.cached_property
    def _hull_vertices(self) -> Mask:
        """Return which points are strict vertices of the upper convex hull of the ROC curve, both ends included."""
        is_later = np.triu(np.ones((self.n + 1, self.n + 1), dtype=bool), k=1)
        pairs = self.points[:, :, None] & self.points[:, None, :] & is_later
        least_before = np.where(pairs, self._slopes_between_points, _GREATER_THAN_ALL).min(axis=1)
        greatest_after = np.where(pairs, self._slopes_between_points, -_GREATER_THAN_ALL).max(axis=2)
        return np.asarray(self.points & (least_before > greatest_after))

    @property
    def _edge_over_group(self) -> Ints:
        """Return the index of the hull edge that lies over each group."""
        return np.cumsum(self._hull_vertices[:, :-1], axis=1) - 1

    @functools.cached_property
    def _hull_rankings(self) -> RankingCases:
        """Return the rankings whose ROC curves are the hulls. In these, all groups below a hull edge are tied."""
        hull = np.zeros((2, len(self), self.n), dtype=int)
        for tied, counts in zip(hull, (self.gained, self.added), strict=True):
            np.add.at(tied, (np.arange(len(self))[:, None], self._edge_over_group), counts)
        return RankingCases(*hull)

    def isotonic_mismatches(self) -> Ratios:
        """The number of groups whose isotonic regression is not the share of positives on the hull edge over them."""
        # The regression is the least of the greatest means. This formula does not use the hull.
        splits = range(1, self.n + 1)
        slopes = self._slopes_between_points
        regression = [slopes[:, :split, split:].max(axis=2).min(axis=1) for split in splits]
        hull = self._hull_rankings
        shares = hull.gained * (multiple_up_to(self.n) // np.maximum(hull.gained + hull.added, 1))
        share_over_group = np.take_along_axis(shares, self._edge_over_group, axis=1)
        differs = share_over_group != np.stack(regression, axis=1)
        return Ratios((differs & self.points[:, 1:]).sum(axis=1))

    # The operating points that are best for some trade-off. They are found from all points, without the hull, so that
    # statements that relate points and hull are really tested.
    #
    # A trade-off between errors, a FP + b FN, is a weighted accuracy. Divided by TP, it orders points as F-beta does,
    # with beta squared b/a. A point that is best between two trade-offs at which points are equal is also best at these
    # two. On an edge of the hull that gains t true and f false positives, t FP + f FN is the same at both ends. This
    # trade-off is the accuracy at the calibrated score c = t/(t + f). In gain space the edge has the slope -beta^2, and
    # d = 1/(1 + beta^2) (PRG paper, Sections 1 and 3.4).

    def _error_costs(self, fp_costs: Ints, fn_costs: Ints) -> Ints:
        """Compute a FP + b FN. The axes are ranking, trade-off and point."""
        fp, fn = self.fp[:, None, :], self.positives - self.tp[:, None, :]
        return np.asarray(fp_costs[:, :, None] * fp + fn_costs[:, :, None] * fn)

    def _error_costs_per_tp(self, fp_costs: Ints, fn_costs: Ints) -> Ints:
        """Compute (a FP + b FN) / TP times a common multiple. Without a true positive, the cost exceeds all others."""
        tp = self.tp[:, None, :]
        share = multiple_up_to(self.positives) // np.maximum(tp, 1)
        return np.where(tp > 0, self._error_costs(fp_costs, fn_costs) * share, _GREATER_THAN_ALL)

    def _points_with_least_cost(self, costs: Ints) -> Mask:
        """Return which operating points have the least cost at some trade-off."""
        return np.asarray(self.points & (costs == costs.min(axis=2, keepdims=True)).any(axis=1))

    def _best_for_accuracy(self, least_weight: int = 1) -> Mask:
        """Return which points are best for some weights of the classes, each at least `least_weight`."""
        ranges = (range(least_weight, count + 1) for count in (self.positives, self.negatives))
        weights = itertools.product(*ranges)
        fp_costs, fn_costs = np.array([pair for pair in weights if any(pair)]).T
        return self._points_with_least_cost(self._error_costs(fp_costs[None], fn_costs[None]))

    def _best_for_f_beta(self) -> Mask:
        """Return which points are best for some F-beta, 0 <= beta < inf."""
        # Two points have the same F-beta at the beta squared (FP TP' - FP' TP) / (P (TP' - TP)).
        excess, gained = range(self.negatives * self.positives + 1), range(1, self.positives + 1)
        squares = {Fraction(above, self.positives * below) for above in excess for below in gained}
        fn_costs, fp_costs = np.array([square.as_integer_ratio() for square in squares]).T
        return self._points_with_least_cost(self._error_costs_per_tp(fp_costs[None], fn_costs[None]))

    def front_vertices_not_best(self) -> Ratios:
        """The number of non-dominated vertices of the ROC hull that are best for no weighting of the two classes."""
        more_tp, more_fp = pairwise_differences(self.tp), pairwise_differences(self.fp)
        is_dominated = ((more_tp >= 0) & (more_fp <= 0) & (more_tp > more_fp)).any(axis=2)
        return Ratios((self._hull_vertices & ~is_dominated & ~self._best_for_accuracy()).sum(axis=1))

    def best_for_f_only(self) -> Ratios:
        """The number of points that are best for some F-beta, 0 included, but for no weighting, weight 0 included."""
        return Ratios((self._best_for_f_beta() & ~self._best_for_accuracy(least_weight=0)).sum(axis=1))

    def best_for_accuracy_only_above_baseline(self) -> Ratios:
        """The number of points not below the baseline, best for some weighting, but for no F-beta, 0 included."""
        # Both precision and recall are at least the prevalence.
        is_above = self.n * self.tp >= self.positives * np.maximum(self.positives, self.predicted)
        return Ratios((is_above & self._best_for_accuracy() & ~self._best_for_f_beta()).sum(axis=1))

    def vertices_not_best(self) -> Ratios:
        """The number of hull edges with an end not best for acc_c, at the calibrated score c; c and 1 - c as meant."""
        edges = self._hull_rankings.gained, self._hull_rankings.added
        costs = _cost_at_worse_end(self._hull_rankings._error_costs(*edges))
        return Ratios((costs > self._error_costs(*edges).min(axis=2)).sum(axis=1))

    def f_vertices_not_best(self) -> Ratios:
        """The number of hull edges, from TP >= 1 on, with an end not best for F-beta at the beta of the edge."""
        # By Theorem 4 beta squared is b/a.
        hull = self._hull_rankings
        fp_costs = self.positives * hull.gained
        fn_costs = hull.added * hull.tp[:, :-1] - hull.fp[:, :-1] * hull.gained
        is_between = (hull.tp[:, :-1] > 0) & (hull.gained > 0)
        costs = _cost_at_worse_end(hull._error_costs_per_tp(fp_costs, fn_costs))
        is_not_best = costs > self._error_costs_per_tp(fp_costs, fn_costs).min(axis=2)
        return Ratios((is_between & is_not_best).sum(axis=1))


def _cost_at_worse_end(costs: Ints) -> Ints:
    """Return the greater cost of the two ends of each hull edge, at the trade-off of the edge."""
    return np.maximum(costs.diagonal(axis1=1, axis2=2), costs.diagonal(1, axis1=1, axis2=2))


_COUNTS: dict[str, Callable[[Any], Ratios]] = {
    "positives": lambda rankings: Ratios(rankings.positives),
    "negatives": lambda rankings: Ratios(rankings.negatives),
    "n": lambda rankings: Ratios(rankings.n),
    "prevalence": lambda rankings: Ratios(rankings.positives, rankings.n),
    "groups": lambda rankings: Ratios(rankings.groups),
    "ties": lambda rankings: Ratios(rankings.n - rankings.groups),
}
_METHODS_OF_BETA = {
    "{}_best": RankingCases._best_f_beta,
    "{}_better_subsets": RankingCases._better_subsets,
    "{}_threshold_misses": RankingCases._threshold_misses,
    "mean_{}_gain": RankingCases._mean_f_gain,
}
_BETAS_SQUARED = {"f_half": Fraction(1, 4), "f1": Fraction(1), "f2": Fraction(4)}
# All quantities, by the names that the registry uses.
QUANTITIES: dict[str, Callable[[Any], Ratios]] = {
    **_COUNTS,
    **{name: method for name, method in vars(RankingCases).items() if not name.startswith("_")},
    **{
        pattern.format(f_name): functools.partial(method, beta_squared=beta_squared)
        for f_name, beta_squared in _BETAS_SQUARED.items()
        for pattern, method in _METHODS_OF_BETA.items()
    },
}


def describe_quantity(compute: Callable[[Any], Ratios]) -> str:
    """Return the first line of a quantity's docstring, with the value of beta squared if the quantity has one."""
    if isinstance(compute, functools.partial):
        return f"{describe_quantity(compute.func)} Beta squared is {compute.keywords['beta_squared']}."
    return str(compute.__doc__).splitlines()[0]


# Quantities that go through pairs of points, or through subsets of the groups, are computed for few cases only.
FEW_CASES_QUANTITIES = frozenset(name for name in QUANTITIES if re.search("vertices|isotonic|best_for|subsets", name))
# Quantities whose exact numbers fit into 64 bits even for hundreds of cases.
MANY_CASES_QUANTITIES = frozenset(
    {
        *(*_COUNTS, "roc_auc", "roc_auc_after_first", "concordance", "expected_accuracy"),
        *("average_precision", "mean_precision_at_positives", "f_half_best", "f1_best", "f2_best"),
    }
)


def ranking_class_counts(max_cases: int) -> Iterator[tuple[int, int]]:
    """Yield the counts (positives, negatives) of at most so many cases, with both classes present, fewest first."""
    for n in range(2, max_cases + 1):
        yield from ((positives, n - positives) for positives in range(1, n))


@functools.cache
def all_rankings(positives: int, negatives: int) -> RankingCases:
    """Return every ranking of so many positives and negatives once, sorted as cases."""
    cases = _cases_of_rankings(positives, negatives)
    width = 2 * (positives + negatives)
    counts = np.array([case + (0,) * (width - len(case)) for case in cases])
    return RankingCases(counts[:, 0::2], counts[:, 1::2])


@functools.cache
def _cases_of_rankings(positives: int, negatives: int) -> list[tuple[int, ...]]:
    """List every ranking as a case, in ascending order."""
    if not positives and not negatives:
        return [()]
    return [
        (p, n, *remaining)
        for p, n in itertools.product(range(positives + 1), range(negatives + 1))
        if p or n
        for remaining in _cases_of_rankings(positives - p, negatives - n)
    ]
