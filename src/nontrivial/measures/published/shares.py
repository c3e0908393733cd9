"""What printed scores say of any data: bounds of the share of positives and of the Prediction Advantage without n."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables, Quantity
from nontrivial.measures.catalogue import least as lesser
from nontrivial.measures.published.printed import MOST_CASES, Interval, Printed, is_share, read_printed
from nontrivial.measures.published.tables import LAMBDA, TOLERANCE, Demand, Ranges, demands_on, read_ranges


class SharePoint(NamedTuple):
    """Shares whose scores are printed as given, by exact arithmetic on these floats, and their Prediction Advantage."""

    prevalence: float
    recall: float
    specificity: float
    advantage: float


@dataclass(frozen=True)
class PublishedBounds:
    """What published scores leave open for any data.

    Attributes
    ----------
    possible : bool or None
        Whether some shares have such scores: proved if False; None if the search ended before it was known.
    prevalence, advantage : (float, float) or None
        Proved outer bounds of the share of positives and of the Prediction Advantage under 0/1 loss; None if nothing is
        possible. The lower bound of the advantage is -inf if the rarer class may be as rare as one likes.
    verdict : {"better", "worse"} or None
        The sign of the Prediction Advantage, if the bounds tell it. Without the number of cases there is no test.
    points : dict of str to SharePoint
        Points that fit, nearest to each end: least_prevalence, greatest_prevalence, least_advantage and
        greatest_advantage; empty if none was found.
    is_tight : bool
        Whether each finite end lies within 0.002 of its point. Otherwise the true bounds may be narrower.
    """

    possible: bool | None
    prevalence: tuple[float, float] | None = None
    advantage: tuple[float, float] | None = None
    verdict: Literal["better", "worse"] | None = None
    points: Mapping[str, SharePoint] = field(default_factory=dict)
    is_tight: bool = True


def published_bounds(scores: Mapping[str, Printed], *, positives: str | None = None) -> PublishedBounds:
    """Bound the share of positives and the Prediction Advantage of all data that give the printed scores.

    The scores of one confusion table bind each other, whatever the number of cases.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives : str, optional
        The share of positives as printed, such as "30%".

    Returns
    -------
    PublishedBounds
        For both classes present, and at most a thousand million cases. A score that is 0/0 may have been printed as 0
        or 1, as libraries do.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a number is none or outside the range of its score, or `positives` is
        not a share.

    Notes
    -----
    Branch and prune: a box of shares is left out only if a score surely misses its rounding interval in all of it.

    References
    ----------
    PA paper, section 2.4; Moore, Kearfott and Cloud 2009, Introduction to Interval Analysis.

    Examples
    --------
    >>> bounds = published_bounds({"accuracy": "0.76", "recall": "0.71", "specificity": "0.77", "kappa": "0.25"})
    >>> [f"{share:.1%}" for share in bounds.prevalence], bounds.verdict
    (['8.6%', '9.7%'], 'worse')
    >>> published_bounds({"f1": "0.9", "precision": "0.5"}).possible
    False
    """
    if positives is not None and not is_share(positives):
        raise ValueError(
            f"positives is {positives!r}; without n, it must be a share, such as '30%' or '0.30'."
        )
    share = None if positives is None else read_printed(positives, "positives", may_be_limit=False)
    return bound_shares(read_ranges(scores), share)


def bound_shares(ranges: Ranges, share: Interval | None = None) -> PublishedBounds:
    """Return what `published_bounds` does, from rounding intervals of the scores and of the share of positives."""
    demands = [] if share is None else demands_on("prevalence", share)
    for name, interval in ranges.items():
        if name != LAMBDA:
            demands += demands_on(name, interval)
            continue
        # Lambda is the greatest of 0, the Prediction Advantage and the advantage of the opposite predictions.
        if interval.low > 0:
            demands.append(Demand(CATALOGUE[LAMBDA], Fraction(interval.low), side=1))
        for quantity in (CATALOGUE["prediction_advantage"], OPPOSITE_ADVANTAGE):
            demands.append(Demand(quantity, Fraction(interval.high), side=-1))
    search = _Search(demands)
    for within, most_batches in (WITHIN, MOST_BATCHES), (FINER, MOST_BATCHES // 3):
        for end in range(len(ENDS)):
            search.refine(end, within, most_batches)
    if not search.boxes.size:
        return PublishedBounds(possible=False)
    least_share, most_share, worst, best = (
        sign * search.bound(end) for end, sign in enumerate((1, -1, 1, -1))
    )
    printed, rarest = share or ranges.get("prevalence"), 2 * LEAST_RATIO
    fewest, most = (float(printed.low), float(printed.high)) if printed else (0.0, 1.0)
    return PublishedBounds(
        possible=True if search.points else None,
        prevalence=(
            max(fewest, least_share) if least_share > rarest else fewest,
            min(most, most_share) if most_share < 1 - rarest else most,
        ),
        advantage=(worst, best),
        verdict="better" if worst > 0 else "worse" if best < 0 else None,
        points={name: search.points[end] for end, name in enumerate(ENDS) if search.points},
        is_tight=all(search.is_near(end, WITHIN) for end in range(len(ENDS))),
    )


# The unknowns are, for either order of the classes, three numbers:
#
#   ratio    cases of the rarer class for one of the other, up to 1
#   hits     the share of the rarer class that is predicted rightly
#   alarms   cases of the other class that are predicted wrongly, for one of the rarer class, up to 1 / ratio
#
# So the Prediction Advantage is hits - alarms, and scores such as the precision do not vanish with the ratio. No score
# turns worse with more hits, with fewer alarms, or with more cases of the other class that are predicted rightly (a
# lesser ratio). So its values in a box lie between those at two corners. If the worse corner lies beyond 1 / ratio, the
# worst point lies at an end of the edge where the other class is all wrong, as along it each score rises or falls with
# the ratio. Tests compare both statements for all scores.

WITHIN = 0.002  # each end is to lie so near a point that fits
FINER = 0.00004  # and so near if that takes few boxes more
ENDS = ("least_prevalence", "greatest_prevalence", "least_advantage", "greatest_advantage")
BATCH = 256  # boxes that are halved at once
MOST_BATCHES = 60  # for an end
LEAST_RATIO = 1 / MOST_CASES
RARE = -1000.0  # an advantage below it counts as unbounded if the ratio may be the least
NUDGE = 1e-15  # more than floats lose of 1
TINY = 1e-60  # in place of 0 in a corner, so that its score is not 0/0 but its neighbours' score
RATIO, HITS, ALARMS, SWAPPED = range(4)  # the rows of a point; swapped: the negatives are the rarer class
PREVALENCE, PRECISION, LIFT = (CATALOGUE[name] for name in ("prevalence", "precision", "lift"))
OF_BOTH_CORNERS = (PREVALENCE, CATALOGUE[LAMBDA])  # the greatest and the least value may be at either corner
OPPOSITE_ADVANTAGE = Quantity(ratio=lambda t: (lesser(t.fn - t.tn, t.fp - t.tp), t.minority), better=-1)


def _tables(points: Floats, outward: int = 0) -> ConfusionTables:
    """Return the tables of points; outward: made better (1) or worse (-1) by more than floats lose."""
    ratio, hits, alarms, swapped = points
    false = np.minimum(ratio * alarms, 1.0)
    true = np.maximum(1.0 - false + outward * NUDGE, 0.0)
    right, wrong = ratio * hits, ratio * (1.0 - hits)
    if outward > 0:
        false, wrong = false + TINY, wrong + TINY
    elif outward < 0:
        true, right = true + TINY, right + TINY
    cells = (right, false, wrong, true), (true, wrong, false, right)
    return ConfusionTables(*(np.where(swapped, *pair) for pair in zip(cells[1], cells[0], strict=True)))


# Where scores are 0/0: predicted or right are none of all, or none of a class, for either order of the classes.
_NONE = [(0.5, hits, alarms, swapped) for hits, alarms in ((0, 0), (1, 2), (0, 2)) for swapped in (0, 1)]
TABLES_OF_NONE = _tables(np.array(_NONE, dtype=float).T)


def _may_fit(demands: list[Demand], boxes: Floats) -> Mask:
    """Tell which boxes of shape (2, 4, n), least and greatest, may hold points that meet all demands."""
    low, high = boxes
    swapped = low[SWAPPED]
    with np.errstate(divide="ignore"):
        edge = np.minimum(high[RATIO], 1 / high[ALARMS])
    best = _tables(np.array([low[RATIO], high[HITS], low[ALARMS], swapped]), 1)
    worst, worst_at_edge = (
        _tables(np.array([ratio, low[HITS], high[ALARMS], swapped]), -1) for ratio in (high[RATIO], edge)
    )
    none_hit, all_false = low[HITS] == 0, high[RATIO] * high[ALARMS] >= 1 - NUDGE
    has_none = np.array([none_hit & (low[ALARMS] == 0), (high[HITS] == 1) & all_false, none_hit & all_false])
    fits = np.ones(len(swapped), dtype=bool)
    for demand in demands:
        corners = [(best, worst)] if demand.rises else [(worst, best), (worst_at_edge, best)]
        if demand.quantity in OF_BOTH_CORNERS:
            corners = [(best, worst), (worst, best), (worst_at_edge, best)]
        met = np.zeros(len(swapped), dtype=bool)
        for corner, opposite in corners:
            values = demand.quantity.values(corner)
            if demand.quantity is LIFT:
                # It may fall with more true positives if these are the commoner class.
                with np.errstate(invalid="ignore"):
                    factors = PRECISION.values(corner) / PREVALENCE.values(opposite)
                values = np.where(swapped, factors, values)
            met |= ~demand.is_missed(values, TOLERANCE)
        if demand.may_be_undefined:
            undefined = np.isnan(demand.quantity.values(TABLES_OF_NONE)).reshape(3, 2)
            met |= (has_none & undefined[:, swapped.astype(int)]).any(axis=0)
        fits &= met
    return fits


def _share(points: Floats) -> Floats:
    return np.asarray(np.where(points[SWAPPED], 1.0, points[RATIO]) / (1 + points[RATIO]))


def _lower_bounds(end: int, boxes: Floats) -> Floats:
    """Return a lower bound in each box of the number that is made least for an end."""
    low, high = boxes
    if end < 2:
        shares = _share(low), _share(high)
        return np.asarray(np.minimum(*shares) if end == 0 else -np.maximum(*shares))
    return np.asarray(low[HITS] - high[ALARMS] if end == 2 else low[ALARMS] - high[HITS])


class _Search:
    """All boxes that may hold points that fit, and for each end the nearest point found, with its number."""

    def __init__(self, demands: list[Demand]) -> None:
        self.demands = demands
        self.numbers: Floats = np.full(len(ENDS), np.inf)
        self.points: dict[int, SharePoint] = {}
        whole = [[[LEAST_RATIO] * 2, [0, 0], [0, 0], [0, 1]], [[1, 1], [1, 1], [MOST_CASES] * 2, [0, 1]]]
        self.boxes: Floats = np.array(whole, dtype=float)
        for _ in range(MOST_BATCHES):
            if 0 < self.boxes.shape[2] < BATCH:
                self.halve(np.arange(self.boxes.shape[2]))

    def halve(self, places: Ints) -> None:
        """Halve boxes in the number that changes tables most; if it spans magnitudes, at the geometric mean."""
        low, high = lower = self.boxes[..., places]
        shares = (high[RATIO] - low[RATIO]) * (1 + high[ALARMS]) / (1 + low[RATIO] * (1 + high[ALARMS]))
        widths = np.array([shares, high[HITS] - low[HITS], (high[ALARMS] - low[ALARMS]) / (1 + low[ALARMS])])
        rows, columns = widths.argmax(axis=0), np.arange(len(places))
        offset = rows != RATIO  # as all but the ratio may begin at 0
        first, last = low[rows, columns] + offset, high[rows, columns] + offset
        upper = lower.copy()
        lower[1, rows, columns] = upper[0, rows, columns] = (
            np.where(last > 4 * first, np.sqrt(first * last), (first + last) / 2) - offset
        )
        low, high = halves = np.concatenate([lower, upper], axis=2)
        # Cut off what has more false than there are, and leave out the boxes with nothing else.
        high[ALARMS] = np.minimum(high[ALARMS], (1 + NUDGE) / low[RATIO])
        with np.errstate(divide="ignore"):
            high[RATIO] = np.minimum(high[RATIO], (1 + NUDGE) / low[ALARMS])
        halves = halves[..., (low[ALARMS] <= high[ALARMS]) & (low[RATIO] <= high[RATIO])]
        halves = halves[..., _may_fit(self.demands, halves)]
        self.boxes = np.concatenate([np.delete(self.boxes, places, axis=2), halves], axis=2)
        self.find_points(halves)

    def find_points(self, boxes: Floats) -> None:
        """Try the middle and the corners of boxes."""
        corners = (boxes[[*corner, 0], range(4)] for corner in np.ndindex(2, 2, 2))
        points = np.concatenate([boxes.mean(axis=0), *corners], axis=1)
        points[ALARMS] = np.minimum(points[ALARMS], 1 / points[RATIO])
        tables, fits = _tables(points), np.ones(points.shape[1], dtype=bool)
        for demand in self.demands:
            values = demand.quantity.values(tables)
            fits &= np.where(np.isnan(values), demand.may_be_undefined, ~demand.is_missed(values, 1e-14))
        points = points[:, fits]
        for end in range(len(ENDS)):
            numbers = _lower_bounds(end, np.array([points, points]))
            for place in numbers.argsort()[:2]:
                is_nearer = numbers[place] < self.numbers[end] - FINER / 4
                point = _exact_point(points[:, place], self.demands) if is_nearer else None
                if point is not None:
                    self.numbers[end], self.points[end] = numbers[place], point

    def refine(self, end: int, within: float, most_batches: int) -> None:
        """Halve the boxes that reach beyond the nearest point."""
        for _ in range(most_batches):
            bounds = _lower_bounds(end, self.boxes)
            beyond = np.flatnonzero(bounds < self.numbers[end] - within)
            if not beyond.size or self.is_near(end):
                return
            self.halve(beyond[bounds[beyond].argsort(kind="stable")[:BATCH]])

    def bound(self, end: int) -> float:
        """Return the outer bound of the number that is made least for an end."""
        bounds = _lower_bounds(end, self.boxes)
        if ENDS[end] == "least_advantage" and (bounds[self.boxes[0, RATIO] <= LEAST_RATIO] < RARE).any():
            return -math.inf
        least = float(bounds.min())
        return least - NUDGE * max(1.0, abs(least))

    def is_near(self, end: int, within: float = 0.0) -> bool:
        """Tell whether the bound is near the nearest point, or both are beyond all."""
        bound, number = self.bound(end), float(self.numbers[end])
        return number < RARE if bound == -math.inf else number - bound <= within


def _exact_point(point: Floats, demands: list[Demand]) -> SharePoint | None:
    """Return the shares of a point if the scores of these floats meet all demands exactly."""
    ratio, hits, alarms, swapped = map(float, point)
    prevalence, other = float(_share(point)), 1 - min(ratio * alarms, 1.0)
    recall, specificity = (other, hits) if swapped else (hits, other)
    p, r, s = map(Fraction, (prevalence, recall, specificity))
    cells = p * r, (1 - p) * (1 - s), p * (1 - r), (1 - p) * s
    tables = ConfusionTables(*(np.array([cell], dtype=object) for cell in cells))
    if not 0 < p < 1 or not all(demand.met_exactly(tables).all() for demand in demands):
        return None
    return SharePoint(prevalence, recall, specificity, float(1 - (cells[1] + cells[2]) / min(p, 1 - p)))
