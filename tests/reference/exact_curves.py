"""Curves and areas of small rankings in exact rational arithmetic, slow and plain.

Written from the definitions of the PRG paper and the tutorial: areas are summed or integrated as they are
defined, hulls are found by asking of each point whether it is the only best one for some trade-off. Nothing here
shares a formula with the package. Where a logarithm is needed it has 50 digits.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cached_property

Table = tuple[Fraction, Fraction]
Groups = Sequence[tuple[Fraction, Fraction]]
"""The weight of positives and of negatives of each distinct score, best score first."""


def compositions(total: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Yield every ranking of `total` cases with ties: the positives and negatives of each tied group."""
    if total == 0:
        yield ()
    for size in range(1, total + 1):
        for rest in compositions(total - size):
            for positives in range(size + 1):
                yield ((positives, size - positives), *rest)


def has_both_classes(groups: Groups) -> bool:
    return any(p for p, _ in groups) and any(n for _, n in groups)


class ExactRanking:
    """All that is known of a ranking with both classes."""

    def __init__(self, groups: Groups) -> None:
        self.groups = [(Fraction(p), Fraction(n)) for p, n in groups]
        self.tables: list[Table] = [(Fraction(0), Fraction(0))]
        for p, n in self.groups:
            self.tables.append((self.tables[-1][0] + p, self.tables[-1][1] + n))
        self.positives, self.negatives = self.tables[-1]
        self.prevalence = self.positives / (self.positives + self.negatives)
        self.zero_recall_gain_tp = self.positives**2 / (self.positives + self.negatives)

    # Points

    def precision(self, table: Table) -> Fraction:
        return table[0] / (table[0] + table[1])

    def recall(self, table: Table) -> Fraction:
        return table[0] / self.positives

    def f_beta(self, table: Table, beta_squared: Fraction) -> Fraction:
        tp, fp = table
        return (1 + beta_squared) * tp / ((1 + beta_squared) * tp + fp + beta_squared * (self.positives - tp))

    def gains(self, table: Table) -> tuple[Fraction, Fraction]:
        """Return recall gain and precision gain by Definition 1, for TP > 0."""
        pi = self.prevalence

        def gain(x: Fraction) -> Fraction:
            return (x - pi) / ((1 - pi) * x)

        return gain(self.recall(table)), gain(self.precision(table))

    # The gain curve

    @cached_property
    def gain_tables(self) -> list[Table]:
        """Return the tables of the PRG curve: all points, and both kinds of crossing between them."""
        result = [self.tables[0]]
        for first, last in itertools.pairwise(self.tables):
            shares = {
                share
                for side in (self._recall_side, self._precision_side)
                if (share := _root(side(first), side(last))) is not None
            }
            result += [_between(first, last, share) for share in sorted(shares)]
            result.append(last)
        return result

    def _recall_side(self, table: Table) -> Fraction:
        return table[0] - self.zero_recall_gain_tp

    def _precision_side(self, table: Table) -> Fraction:
        return self.negatives * table[0] - self.positives * table[1]

    @cached_property
    def gain_polyline(self) -> list[tuple[Fraction, Fraction]]:
        """Return (recall gain, precision gain) from recall gain 0 to the always-positive prediction."""
        return [self.gains(t) for t in self.gain_tables if t[0] >= self.zero_recall_gain_tp]

    def specificity_at_zero_recall_gain(self) -> Fraction:
        return next(1 - fp / self.negatives for tp, fp in self.gain_tables if tp == self.zero_recall_gain_tp)

    def auprg(self) -> Fraction:
        return _trapezoids(self.gain_polyline)

    def clipped_auprg(self) -> Fraction:
        line = self.gain_polyline
        return _trapezoids([(x, max(y, Fraction(0))) for x, y in line])

    def expected_f_gain(self, beta_squared: Fraction) -> Fraction | None:
        """Integrate the F-beta gain over Delta along the polyline; None where the range is empty."""
        pi = self.prevalence
        total, width = Fraction(0), Fraction(0)
        for (x1, y1), (x2, y2) in itertools.pairwise(self.gain_polyline):
            step = (x2 - x1) / pi - (y2 - y1) / (1 - pi)
            mean = ((y1 + y2) + beta_squared * (x1 + x2)) / (2 * (1 + beta_squared))
            total, width = total + mean * step, width + step
        return total / width if width else None

    # Hulls

    @cached_property
    def f_hull(self) -> list[int]:
        """Return the points that alone are best for some beta squared in an open interval."""
        found = {}
        for i, table in enumerate(self.tables):
            if table[0] > 0:
                found.setdefault(table, i)
        gains = {t: self.gains(t) for t in found}
        return [found[t] for t in found if _alone_best(gains[t], [g for o, g in gains.items() if o != t])]

    def d_values(self) -> list[Fraction]:
        """Return the calibrated score of each segment of the F-hull by equation 7."""
        result = []
        vertices = [self.tables[i] for i in self.f_hull]
        for one, two in itertools.pairwise(vertices):
            recall = 1 / self.recall(one) - 1 / self.recall(two)
            precision = 1 / self.precision(one) - 1 / self.precision(two)
            result.append(recall / (recall - precision))
        return result

    @cached_property
    def roc_hull(self) -> list[int]:
        """Return the points that alone are best for some cost ratio, with both trivial predictions."""
        points = [(-fp, tp) for tp, fp in self.tables]
        inner = range(1, len(points) - 1)
        return [
            0,
            *(i for i in inner if _alone_best(points[i], [p for j, p in enumerate(points) if j != i])),
            len(points) - 1,
        ]

    def roc_hull_auc(self) -> Fraction:
        hull = [self.tables[i] for i in self.roc_hull]
        return _trapezoids([(fp / self.negatives, tp / self.positives) for tp, fp in hull])

    # Areas

    def roc_auc(self) -> Fraction:
        """Return the probability that a positive ranks above a negative, ties counted half."""
        won, seen = Fraction(0), Fraction(0)
        for p, n in reversed(self.groups):
            won += p * seen + p * n / 2
            seen += n
        return won / (self.positives * self.negatives)

    def average_precision(self) -> Fraction:
        steps = itertools.pairwise(self.tables)
        return sum(((b[0] - a[0]) * self.precision(b) for a, b in steps if b[0] > a[0]), Fraction(0)) / (self.positives)

    def linear_pr_auc(self) -> Fraction:
        points = [(Fraction(0), Fraction(1))]
        points += [(self.recall(t), self.precision(t)) for t in self.tables[1:]]
        return _trapezoids(points)

    def hyperbolic_pr_auc(self) -> Decimal:
        """Integrate T / (T + F(T)) over T, F straight between points, in closed form."""
        with localcontext() as context:
            context.prec = 50
            total = Decimal(0)
            for (t1, f1), (t2, f2) in itertools.pairwise(self.tables):
                if t2 == t1:
                    continue
                slope = (f2 - f1) / (t2 - t1)
                a, b = 1 + slope, f1 - slope * t1  # predicted positives are a T + b
                area = _decimal((t2 - t1) / a)
                if b:
                    area -= _decimal(b / a**2) * _decimal((a * t2 + b) / (a * t1 + b)).ln()
                total += area
            return total / _decimal(self.positives)

    # Break-even point and cost

    def break_even_point(self) -> Fraction:
        for first, last in itertools.pairwise(self.tables):
            if sum(first) < self.positives <= sum(last):
                share = (self.positives - sum(first)) / (sum(last) - sum(first))
                return self.recall(_between(first, last, share))
        raise AssertionError("the predicted positives pass the positives on the way")

    def cost_area(self) -> Fraction:
        """Integrate the least of the lines from (0, FPR) to (1, FNR): it is straight between their crossings."""
        lines = [(fp / self.negatives, 1 - tp / self.positives) for tp, fp in self.tables]
        places = {Fraction(0), Fraction(1)}
        for (a, b), (c, d) in itertools.combinations(lines, 2):
            share = _root(a - c, b - d)
            if share is not None:
                places.add(share)
        return _trapezoids([(x, min((1 - x) * a + x * b for a, b in lines)) for x in sorted(places)])


def _root(start: Fraction, end: Fraction) -> Fraction | None:
    """Return where, strictly between 0 and 1, a line from `start` to `end` crosses 0."""
    return start / (start - end) if start * end < 0 else None


def _between(first: Table, last: Table, share: Fraction) -> Table:
    return first[0] + share * (last[0] - first[0]), first[1] + share * (last[1] - first[1])


def _trapezoids(points: Sequence[tuple[Fraction, Fraction]]) -> Fraction:
    pairs = itertools.pairwise(points)
    return sum(((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in pairs), Fraction(0))


def _alone_best(point: tuple[Fraction, Fraction], others: Sequence[tuple[Fraction, Fraction]]) -> bool:
    """Tell whether y + b x is greatest at `point` alone for all b of some open interval in (0, inf)."""
    low, high = Fraction(0), None
    for x, y in others:
        ahead_x, ahead_y = point[0] - x, point[1] - y
        if ahead_x == 0:
            if ahead_y <= 0:
                return False
        elif ahead_x > 0:
            low = max(low, -ahead_y / ahead_x)
        else:
            bound = -ahead_y / ahead_x
            high = bound if high is None else min(high, bound)
    return high is None or low < high


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
