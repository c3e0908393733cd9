"""Bound the share of positives and the Prediction Advantage over all data that have the printed scores.

Branch and prune: a search halves boxes of shares, and drops the boxes that surely break an inequality of a score.

Either class may be the rarer one. Each time, there are three unknowns:

    ratio    cases of the rarer class per case of the other class, at most 1
    hits     the share of the rarer class that is predicted rightly
    alarms   wrong predictions for the other class per case of the rarer class, at most 1 / ratio

The Prediction Advantage is hits - alarms. With these unknowns, scores such as the precision do not vanish with the
ratio. No score gets worse with more hits, with fewer alarms, or with a lower ratio, which adds cases of the other
class that are predicted rightly. So the values of a score in a box lie between its values at two corners. If the worse
corner lies beyond alarms = 1 / ratio, the worst point has the other class all wrong. These points form an edge of the
box. Each score rises or falls with the ratio along this edge, so one of its ends is worst. Tests check both statements.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal, NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables, Quantity
from nontrivial.measures.catalogue import minimum as lesser
from nontrivial.measures.published.numbers import Printed, RoundingInterval, parse_printed
from nontrivial.measures.published.sizes import MAX_PUBLISHED_CASES, is_share
from nontrivial.measures.published.tables import (
    FLOAT_TOLERANCE,
    LAMBDA,
    Inequality,
    Ranges,
    inequalities_of,
    parse_scores,
)

# The search minimises each objective; to find a greatest value, it minimises the negative.
OBJECTIVES = ("least_prevalence", "greatest_prevalence", "least_advantage", "greatest_advantage")
WITHIN = 0.002  # a bound is tight if a fitting point lies within this distance
WITHIN_FINER = 0.00004  # a few more boxes are tried to reach this distance
BOXES_HALVED_AT_ONCE = 256
MAX_BATCHES = 60
LEAST_RATIO = 1 / MAX_PUBLISHED_CASES
UNBOUNDED_ADVANTAGE = -1000.0  # a lower bound counts as -infinity if the rarer class may be extremely rare
FLOAT_ERROR = 1e-15  # exceeds the rounding error of numbers near 1
POINT_TOLERANCE = 1e-14  # exact arithmetic decides about points within this tolerance
TINY = 1e-60  # added to cells at a corner: scores then have their neighbours' values and not 0/0
RATIO, HITS, ALARMS, SWAPPED = range(4)  # the rows of points; SWAPPED is 1 if the negatives are rarer
PREVALENCE, PRECISION, LIFT = (CATALOGUE[name] for name in ("prevalence", "precision", "lift"))
EXTREME_AT_EITHER_CORNER = (PREVALENCE, CATALOGUE[LAMBDA])
OPPOSITE_ADVANTAGE = Quantity(ratio=lambda t: (lesser(t.fn - t.tn, t.fp - t.tp), t.minority), better=-1)


class SharePoint(NamedTuple):
    """Shares that give exactly the printed scores, computed without rounding, and their Prediction Advantage."""

    prevalence: float
    recall: float
    specificity: float
    advantage: float


@dataclass(frozen=True)
class PublishedBounds:
    """What published scores imply if the number of cases is unknown.

    Attributes
    ----------
    possible : bool or None
        Whether any data have such scores. False is proved; None means that the search ended without an answer.
    prevalence, advantage : (float, float) or None
        Proved outer bounds of the share of positives and of the Prediction Advantage under 0/1 loss; None if no data
        have the scores. The lower bound of the advantage is -inf if the rarer class may be arbitrarily rare.
    verdict : {"better", "worse"} or None
        The sign of the Prediction Advantage, if the bounds decide it. Without the number of cases, nothing is tested.
    points : dict of str to SharePoint
        For each end (least_prevalence, greatest_prevalence, least_advantage, greatest_advantage), the fitting point
        that comes nearest; empty if no point was found.
    is_tight : bool
        Whether each finite bound lies within 0.002 of its point. Otherwise the true bounds may be narrower.
    """

    possible: bool | None
    prevalence: tuple[float, float] | None = None
    advantage: tuple[float, float] | None = None
    verdict: Literal["better", "worse"] | None = None
    points: Mapping[str, SharePoint] = field(default_factory=dict)
    is_tight: bool = True


def published_bounds(scores: Mapping[str, Printed], *, positives: str | None = None) -> PublishedBounds:
    """Bound the share of positives and the Prediction Advantage of all data that give the printed scores.

    The scores of one confusion table constrain each other, whatever the number of cases.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives : str, optional
        The share of positives as printed, such as "30%".

    Returns
    -------
    PublishedBounds
        The bounds hold if both classes have cases, and for at most a thousand million cases. A score that is 0/0 may
        have been printed as 0 or 1, as libraries do.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a text is not a number, a number lies outside the range of its score,
        or `positives` is not a share.

    Notes
    -----
    Branch and prune: a box of shares is dropped only if a score surely misses its rounding interval everywhere in it.

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
        raise ValueError(f"positives is {positives!r}; without n it must be a share such as '30%' or '0.30'.")
    share = None if positives is None else parse_printed(positives, "positives", may_be_limit=False)
    return bound_shares(parse_scores(scores), share)


def bound_shares(ranges: Ranges, share: RoundingInterval | None = None) -> PublishedBounds:
    """Compute `published_bounds` from the rounding intervals of the scores and of the share of positives."""
    inequalities = [] if share is None else inequalities_of("prevalence", share)
    for name, interval in ranges.items():
        inequalities += _share_inequalities(name, interval)
    search = search_boxes(inequalities)
    if not search.boxes.size:
        return PublishedBounds(possible=False)
    least_share, least_advantage = (search.lower_bound("least_prevalence"), search.lower_bound("least_advantage"))
    most_share, most_advantage = (-search.lower_bound("greatest_prevalence"), -search.lower_bound("greatest_advantage"))
    # The search tries no classes below this share, so a bound that is nearer to 0 or 1 counts as 0 or 1.
    rarest = 2 * LEAST_RATIO
    printed = share or ranges.get("prevalence")
    fewest, most = (float(printed.low), float(printed.high)) if printed else (0.0, 1.0)
    return PublishedBounds(
        possible=True if search.points else None,
        prevalence=(
            max(fewest, least_share) if least_share > rarest else fewest,
            min(most, most_share) if most_share < 1 - rarest else most,
        ),
        advantage=(least_advantage, most_advantage),
        verdict="better" if least_advantage > 0 else "worse" if most_advantage < 0 else None,
        points={objective: search.points[objective] for objective in OBJECTIVES if search.points},
        is_tight=all(search.is_near(objective, WITHIN) for objective in OBJECTIVES),
    )


def _share_inequalities(name: str, interval: RoundingInterval) -> list[Inequality]:
    """Return the inequalities that any table with this score satisfies; the score may be lambda."""
    if name != LAMBDA:
        return inequalities_of(name, interval)
    # Lambda is the greatest of 0, the Prediction Advantage and the advantage of the opposite predictions.
    inequalities = [
        Inequality(quantity, Fraction(interval.high), side=-1)
        for quantity in (CATALOGUE["prediction_advantage"], OPPOSITE_ADVANTAGE)
    ]
    if interval.low > 0:
        inequalities.append(Inequality(CATALOGUE[LAMBDA], Fraction(interval.low), side=1))
    return inequalities


def tables_at(points: Floats, outward: int = 0) -> ConfusionTables:
    """Return the tables at points. `outward` makes tables better (1) or worse (-1) by more than the rounding error."""
    ratio, hits, alarms, swapped = points
    false = np.minimum(ratio * alarms, 1.0)
    true = np.maximum(1.0 - false + outward * FLOAT_ERROR, 0.0)
    right, wrong = ratio * hits, ratio * (1.0 - hits)
    if outward > 0:
        false, wrong = false + TINY, wrong + TINY
    elif outward < 0:
        true, right = true + TINY, right + TINY
    cells, swapped_cells = (right, false, wrong, true), (true, wrong, false, right)
    return ConfusionTables(*(np.where(swapped, *pair) for pair in zip(swapped_cells, cells, strict=True)))


# The three points at which scores can be 0/0, for either order of the classes: nothing is predicted to be of the rarer
# class, nothing is predicted to be of the other class, and nothing is predicted rightly.
_DEGENERATE_POINTS = [(0.5, hits, alarms, swapped) for hits, alarms in ((0, 0), (1, 2), (0, 2)) for swapped in (0, 1)]
DEGENERATE_TABLES = tables_at(np.array(_DEGENERATE_POINTS, dtype=float).T)


def _may_hold_points(inequalities: list[Inequality], boxes: Floats) -> Mask:
    """Tell which boxes, arrays of least and greatest points, may hold points that satisfy all inequalities."""
    low, high = boxes
    swapped = low[SWAPPED]
    with np.errstate(divide="ignore"):
        edge = np.minimum(high[RATIO], 1 / high[ALARMS])
    best = tables_at(np.array([low[RATIO], high[HITS], low[ALARMS], swapped]), 1)
    worst, worst_at_edge = (
        tables_at(np.array([ratio, low[HITS], high[ALARMS], swapped]), -1) for ratio in (high[RATIO], edge)
    )
    has_no_hit, is_all_false = low[HITS] == 0, high[RATIO] * high[ALARMS] >= 1 - FLOAT_ERROR
    is_degenerate = np.array(
        [has_no_hit & (low[ALARMS] == 0), (high[HITS] == 1) & is_all_false, has_no_hit & is_all_false]
    )
    fits = np.ones(len(swapped), dtype=bool)
    for inequality in inequalities:
        quantity = inequality.quantity
        corners = [(best, worst)] if inequality.is_helped_by_hits else [(worst, best), (worst_at_edge, best)]
        if quantity in EXTREME_AT_EITHER_CORNER:
            corners = [(best, worst), (worst, best), (worst_at_edge, best)]
        may_hold = np.zeros(len(swapped), dtype=bool)
        for corner, opposite in corners:
            values = quantity.values(corner)
            if quantity is LIFT:
                # More true positives of the commoner class may lower the lift. Its two factors bound the lift.
                with np.errstate(invalid="ignore"):
                    bounds = PRECISION.values(corner) / PREVALENCE.values(opposite)
                values = np.where(swapped, bounds, values)
            may_hold |= ~inequality.is_violated(values, FLOAT_TOLERANCE)
        if inequality.may_be_undefined:
            undefined = np.isnan(quantity.values(DEGENERATE_TABLES)).reshape(3, 2)
            may_hold |= (is_degenerate & undefined[:, swapped.astype(int)]).any(axis=0)
        fits &= may_hold
    return fits


def _prevalence_at(points: Floats) -> Floats:
    return np.asarray(np.where(points[SWAPPED], 1.0, points[RATIO]) / (1 + points[RATIO]))


def _lower_bounds(objective: str, boxes: Floats) -> Floats:
    """Return a lower bound of the objective in each box; an objective to maximise counts as its negative."""
    low, high = boxes
    if objective == "least_prevalence":
        return np.minimum(_prevalence_at(low), _prevalence_at(high))
    if objective == "greatest_prevalence":
        return -np.maximum(_prevalence_at(low), _prevalence_at(high))
    if objective == "least_advantage":
        return np.asarray(low[HITS] - high[ALARMS])
    return np.asarray(low[ALARMS] - high[HITS])


class _BoxSearch:
    """The boxes that may hold fitting points, and the best value and point found for each objective."""

    def __init__(self, inequalities: list[Inequality]) -> None:
        self.inequalities = inequalities
        self.values = dict.fromkeys(OBJECTIVES, math.inf)
        self.points: dict[str, SharePoint] = {}
        # One box for each order of the classes.
        low = [[LEAST_RATIO] * 2, [0, 0], [0, 0], [0, 1]]
        high = [[1, 1], [1, 1], [MAX_PUBLISHED_CASES] * 2, [0, 1]]
        self.boxes: Floats = np.array([low, high], dtype=float)

    def halve_boxes(self, places: Ints) -> None:
        """Halve some boxes along the unknown that changes their tables most; drop halves without fitting points."""
        low, high = lower = self.boxes[..., places]
        shares = (high[RATIO] - low[RATIO]) * (1 + high[ALARMS]) / (1 + low[RATIO] * (1 + high[ALARMS]))
        widths = np.array([shares, high[HITS] - low[HITS], (high[ALARMS] - low[ALARMS]) / (1 + low[ALARMS])])
        rows, columns = widths.argmax(axis=0), np.arange(len(places))
        offset = rows != RATIO  # hits and alarms may be 0, which has no ratio to another end
        first, last = low[rows, columns] + offset, high[rows, columns] + offset
        upper = lower.copy()
        lower[1, rows, columns] = upper[0, rows, columns] = (
            np.where(last > 4 * first, np.sqrt(first * last), (first + last) / 2) - offset
        )
        low, high = halves = np.concatenate([lower, upper], axis=2)
        # Cut off the parts with more false alarms than cases, and drop the boxes that have only such parts.
        high[ALARMS] = np.minimum(high[ALARMS], (1 + FLOAT_ERROR) / low[RATIO])
        with np.errstate(divide="ignore"):
            high[RATIO] = np.minimum(high[RATIO], (1 + FLOAT_ERROR) / low[ALARMS])
        halves = halves[..., (low[ALARMS] <= high[ALARMS]) & (low[RATIO] <= high[RATIO])]
        halves = halves[..., _may_hold_points(self.inequalities, halves)]
        self.boxes = np.concatenate([np.delete(self.boxes, places, axis=2), halves], axis=2)
        self.try_points(halves)

    def try_points(self, boxes: Floats) -> None:
        """Try the middle and the corners of boxes, and keep the best fitting point for each objective."""
        corners = (boxes[[*corner, 0], range(4)] for corner in np.ndindex(2, 2, 2))
        points = np.concatenate([boxes.mean(axis=0), *corners], axis=1)
        points[ALARMS] = np.minimum(points[ALARMS], 1 / points[RATIO])
        tables, fits = tables_at(points), np.ones(points.shape[1], dtype=bool)
        for inequality in self.inequalities:
            values = inequality.quantity.values(tables)
            is_satisfied = ~inequality.is_violated(values, POINT_TOLERANCE)
            fits &= np.where(np.isnan(values), inequality.may_be_undefined, is_satisfied)
        points = points[:, fits]
        for objective in OBJECTIVES:
            values = _lower_bounds(objective, np.array([points, points]))
            for place in values.argsort()[:2]:
                is_better = values[place] < self.values[objective] - WITHIN_FINER / 4
                point = _exact_point(points[:, place], self.inequalities) if is_better else None
                if point is not None:
                    self.values[objective], self.points[objective] = float(values[place]), point

    def refine(self, objective: str, within: float, max_batches: int) -> None:
        """Halve the boxes whose bounds lie below the best value, until the lowest bound lies near this value."""
        for _ in range(max_batches):
            bounds = _lower_bounds(objective, self.boxes)
            open_places = np.flatnonzero(bounds < self.values[objective] - within)
            if not open_places.size or self.is_near(objective):
                return
            self.halve_boxes(open_places[bounds[open_places].argsort(kind="stable")[:BOXES_HALVED_AT_ONCE]])

    def lower_bound(self, objective: str) -> float:
        """Return a proved lower bound of the objective over all boxes."""
        bounds = _lower_bounds(objective, self.boxes)
        has_least_ratio = self.boxes[0, RATIO] <= LEAST_RATIO
        if objective == "least_advantage" and (bounds[has_least_ratio] < UNBOUNDED_ADVANTAGE).any():
            return -math.inf
        least = float(bounds.min())
        return least - FLOAT_ERROR * max(1.0, abs(least))

    def is_near(self, objective: str, within: float = 0.0) -> bool:
        """Tell whether the lower bound lies near the best value, or both count as -infinity."""
        bound, value = self.lower_bound(objective), self.values[objective]
        return value < UNBOUNDED_ADVANTAGE if bound == -math.inf else value - bound <= within


def search_boxes(inequalities: list[Inequality]) -> _BoxSearch:
    """Search for the least and greatest prevalence and advantage of shares that satisfy the inequalities."""
    search = _BoxSearch(inequalities)
    for _ in range(MAX_BATCHES):
        if 0 < search.boxes.shape[2] < BOXES_HALVED_AT_ONCE:
            search.halve_boxes(np.arange(search.boxes.shape[2]))
    for objective in OBJECTIVES:
        search.refine(objective, WITHIN, MAX_BATCHES)
    for objective in OBJECTIVES:
        search.refine(objective, WITHIN_FINER, MAX_BATCHES // 3)
    return search


def _exact_point(point: Floats, inequalities: list[Inequality]) -> SharePoint | None:
    """Return the shares at a point, or None if they violate an inequality by exact arithmetic on these floats."""
    ratio, hits, alarms, swapped = map(float, point)
    prevalence, true_rate = float(_prevalence_at(point)), 1 - min(ratio * alarms, 1.0)
    recall, specificity = (true_rate, hits) if swapped else (hits, true_rate)
    p, r, s = map(Fraction, (prevalence, recall, specificity))
    cells = p * r, (1 - p) * (1 - s), p * (1 - r), (1 - p) * s
    tables = ConfusionTables(*(np.array([cell], dtype=object) for cell in cells))
    if not 0 < p < 1 or not all(inequality.is_satisfied_exactly(tables).all() for inequality in inequalities):
        return None
    return SharePoint(prevalence, recall, specificity, float(1 - (cells[1] + cells[2]) / min(p, 1 - p)))
