"""Areas and other numbers of one ranking: ROC, Precision-Recall, cost and separation; and a record of each area."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints
from nontrivial._validation import as_array, as_real, check_choice, show
from nontrivial.curves.gain import (
    expected_f_gain_score,
    expected_gain,
    prg_auc_score,
    resampled_expected_gain,
    resampled_gain_area,
    signed_gain_area,
    warn_if_extrapolated,
    warn_if_undefined,
)
from nontrivial.curves.hull import Hull, find_hull
from nontrivial.curves.points import (
    OperatingPoints,
    PositiveSteps,
    ResampledSteps,
    differences,
    find_positive_steps,
)
from nontrivial.curves.scoring import Area, RankingScore, ranking_curve, ranking_score

_RECALL_STEP = 1 / 400  # finer than a printed line is wide


def interpolated_points(points: OperatingPoints) -> tuple[Floats, Floats]:
    """Return precision and recall along straight lines between contingency tables, from recall 0 on."""
    parts = np.maximum(np.ceil(np.diff(points.tp) / (points.positives * _RECALL_STEP)), 1).astype(int)
    ends = np.cumsum(parts)
    number = np.arange(len(points.tp))
    place = np.interp(np.arange(ends[-1] + 1), [0, *ends], number)
    tp, fp = (np.interp(place, number, cells) for cells in (points.tp, points.fp))
    precision = np.divide(tp, tp + fp, out=np.zeros_like(tp), where=tp > 0)
    if points.tp[1] > 0:  # the limit along a line from the empty prediction
        precision[0] = precision[1]
    return precision, tp / points.positives


@ranking_score(at_prevalence=True)
def pr_auc_score(*, interpolation: str = "hyperbolic") -> Area:
    """Return an area under the Precision-Recall curve, over recall from 0 to 1.

    Parameters
    ----------
    interpolation : {"hyperbolic", "step", "linear"}, default "hyperbolic"
        The curve between neighbouring operating points. "hyperbolic": straight lines between their contingency tables
        (Davis and Goadrich 2006), as a random choice between two thresholds achieves. "step": the precision of the
        point with more recall; average precision. "linear": the trapezoidal rule, which no thresholds achieve.

    Returns
    -------
    In (0, 1]; exactly 1 for a perfect ranking. A constant score has the prevalence p, and (1 + p) / 2 for "linear":
    exactly, for whole weights and without `prevalence`. The 0/0 precision of the empty prediction is the limit along
    the curve for "hyperbolic", is not used by "step" and is 1 for "linear".

    Notes
    -----
    PRG paper, Sections 2 and 4; tutorial, "The P-R curve". "step" and "linear" equal scikit-learn's
    ``average_precision_score`` and ``auc`` of ``precision_recall_curve``.

    Examples
    --------
    >>> pr_auc_score([1, 0, 1], [3, 2, 1])
    0.797267445945...
    >>> pr_auc_score([0, 1, 2], [[3, 2, 1], [1, 3, 2], [2, 1, 3]], average=None)
    array([1., 1., 1.])
    """
    check_choice(interpolation, "interpolation", _PR_AREAS)
    return _PR_AREAS[interpolation]


def roc_area(steps: PositiveSteps | ResampledSteps) -> Any:
    """Return AUROC: the mean over the positives of the share of negatives below each, ties counted half."""
    return steps.mean(lambda _, __, fp, next_fp: 1.0 - (fp + next_fp) / (2 * steps.negatives))


def step_area(steps: PositiveSteps | ResampledSteps) -> Any:
    return steps.mean(lambda _, next_tp, __, next_fp: next_tp / (next_tp + next_fp))


def linear_area(steps: PositiveSteps) -> float:
    """Return the area by the trapezoidal rule in precision and recall."""

    def mean_precision(tp: Floats, next_tp: Floats, fp: Floats, next_fp: Floats) -> Floats:
        predicted = tp + fp
        start = np.divide(tp, predicted, out=np.ones_like(predicted), where=predicted > 0)
        return np.asarray((start + next_tp / (next_tp + next_fp)) / 2)

    return steps.mean(mean_precision)


def hyperbolic_area(steps: PositiveSteps) -> float:
    """Return the area with tables interpolated between operating points."""

    def mean_precision(tp: Floats, next_tp: Floats, fp: Floats, next_fp: Floats) -> Floats:
        before, after = tp + fp, next_tp + next_fp
        return _mean_precision(tp + next_tp, before + after, next_tp - tp, after - before)

    return steps.mean(mean_precision)


def resampled_hyperbolic_area(steps: ResampledSteps) -> Floats:
    predicted = (steps.tp_start + steps.fp_start) + (steps.tp_end + steps.fp_end)
    gained, added = steps.tp_gained, steps.tp_gained + steps.fp_gained
    return steps.mean_of(_mean_precision(steps.tp_start + steps.tp_end, predicted, gained, added))


def _mean_precision(tp: Floats, predicted: Floats, gained: Floats, added: Floats) -> Floats:
    """Return the mean precision along each step from the sums of TP and of TP + FP at its ends, and their growth."""
    # TP grows by a fixed share s of the predicted positives M, from M1 to M2. Let m be (TP1 + TP2) / (M1 + M2) and
    # v = (M2 - M1) / (M1 + M2). The integral of TP/M gives the mean m + (artanh(v) / v - 1) (m - s).
    middle, v = tp / predicted, added / predicted
    # The series cancels nothing; for v = 1, a step from the empty prediction with constant precision, it is finite.
    squared = v * v
    excess = squared * (1 / 3 + squared * (1 / 5 + squared / 7))
    far = np.flatnonzero((v > 0.005) & (v < 1))  # nearer to 0, the next term of the series is below 1e-19
    far_v = v.take(far)
    excess.put(far, np.arctanh(far_v) / far_v - 1)
    return np.asarray(middle + excess * (middle - gained / added))


_PR_AREAS: dict[str, Area] = {"hyperbolic": hyperbolic_area, "step": step_area, "linear": linear_area}


@ranking_score()
def break_even_point_score() -> Area:
    """Return the height at which precision equals recall.

    Precision equals recall if as many cases are predicted positive as are positive. Tables between two operating points
    are interpolated, so exactly one such point exists.

    Returns
    -------
    In [0, 1]; F-beta has the same value there for every beta. 1 for a perfect ranking, the prevalence for a
    constant score.

    Notes
    -----
    Tutorial, "The P-R curve"; PA paper, Section 3 (break-even point).

    Examples
    --------
    >>> break_even_point_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.5
    """

    def break_even_recall(steps: PositiveSteps) -> float:
        step = int(np.searchsorted(steps.tp[1:] + steps.fp_end, steps.positives))
        start = steps.tp[step] + steps.fp_start[step]
        added = steps.tp[step + 1] + steps.fp_end[step] - start
        share = max(
            0.0, (steps.positives - start) / added
        )  # the drop before a step has TP of the step's start
        recall, next_recall = steps.tp[step : step + 2] / steps.positives
        return float(recall + share * (next_recall - recall))

    return break_even_recall


@ranking_curve(find_positive_steps, lambda: (np.array([0.0, 1.0]), np.array([np.nan, np.nan])))
def cost_curve(steps: PositiveSteps) -> tuple[Floats, Floats]:
    """Return the corners of the lower envelope of the cost lines.

    A threshold with false positive rate FPR and false negative rate FNR costs (1 - x) FPR + x FNR at
    probability cost x. The envelope is the least of these lines and of the lines of the empty and the always-positive
    prediction.

    Returns
    -------
    probability_cost : ndarray of shape (n_corners,)
        Increasing from 0 to 1. A class balance and two costs give the place: see `probability_cost`.
    normalized_expected_cost : ndarray of shape (n_corners,)
        In [0, 0.5]; 0 at both ends. Straight between corners. NaN if a class is missing.

    Notes
    -----
    Tutorial, "Cost-sensitive Error Rate & Cost Curve".

    Examples
    --------
    >>> cost_curve([0, 1, 0, 1], [1, 1, 1, 1])  # no ranking: the better of the two trivial predictions
    (array([0. , 0.5, 1. ]), array([0. , 0.5, 0. ]))
    """
    return envelope(find_hull(steps))


@ranking_score()
def cost_curve_area_score() -> Area:
    """Return the area under the lower envelope of the cost lines; less is better.

    Returns
    -------
    In [0, 1/4]: 0 for a perfect ranking, 1/4 for one that no threshold makes better than trivial.

    Notes
    -----
    Tutorial, "Cost-sensitive Error Rate & Cost Curve": the expected cost over all conditions alike.

    Examples
    --------
    >>> cost_curve_area_score([0, 0, 1, 1], [1, 2, 3, 4])
    0.0
    """
    return lambda steps: cost_area(find_hull(steps))


def probability_cost(
    positive_share: ArrayLike, *, false_negative_cost: float = 1.0, false_positive_cost: float = 1.0
) -> Floats | float:
    """Return the place of a class balance and two costs on a cost curve.

    Parameters
    ----------
    positive_share : float or array-like
        Share of positives in the use of the rule, in [0, 1]; another one is a ValueError.
    false_negative_cost, false_positive_cost : float, default 1
        Cost of each kind of error, finite and greater than 0.

    Returns
    -------
    float or ndarray
        In [0, 1]; equal to `positive_share` if the costs are equal.

    Notes
    -----
    Tutorial, "Cost-sensitive Error Rate & Cost Curve". The expected cost of a rule there is its normalized
    expected cost times share x false_negative_cost + (1 - share) x false_positive_cost.

    Examples
    --------
    >>> probability_cost(0.1, false_negative_cost=9)
    0.5
    """
    share = as_array(positive_share, "positive_share")
    if share.dtype.kind not in "biuf" or not ((share >= 0) & (share <= 1)).all():
        raise ValueError(
            "positive_share has a value that is not a number from 0 to 1; every value must be a share."
        )
    costs = {"false_negative_cost": false_negative_cost, "false_positive_cost": false_positive_cost}
    for name, cost in costs.items():
        if not (isinstance(cost, Real) and 0 < cost <= sys.float_info.max):
            raise ValueError(f"{name} is {show(cost)}; it must be a finite number greater than 0.")
    share = share.astype(np.float64)
    of_positives = share * float(false_negative_cost)
    place = of_positives / (of_positives + (1 - share) * float(false_positive_cost))
    return place if place.ndim else float(place)


def envelope(hull: Hull) -> tuple[Floats, Floats]:
    """Return the corners of the lower envelope: each edge of the ROC hull is the crossing of two lines."""
    fp_step = hull.positives * differences(hull.fp)
    x = fp_step / (fp_step + hull.negatives * differences(hull.tp))
    cost = (1 - x) * hull.fp[:-1] / hull.negatives + x * hull.fn[:-1] / hull.positives
    first, last = ([0.0] if x[0] > 0 else []), ([1.0] if x[-1] < 1 else [])
    return np.concatenate([first, x, last]), np.concatenate([first, cost, np.zeros(len(last))])


def cost_area(hull: Hull) -> float:
    x, cost = envelope(hull)
    return float(np.add.reduce(differences(x) * (cost[1:] + cost[:-1])) / 2)


def thin_lines(points: OperatingPoints, hull: Hull, most: int) -> Ints:
    """Return the thresholds of the cost lines to draw: all in the envelope, and `most` evenly spaced ones."""
    # The number of predicted positives grows from point to point, so it finds the points of the hull's vertices.
    envelope_points = np.searchsorted(points.tp + points.fp, hull.tp + hull.fp)
    return np.union1d(envelope_points, np.linspace(0, len(points.tp) - 1, most).astype(np.intp))


@ranking_score()
def kolmogorov_smirnov_score() -> Area:
    """Return the greatest distance between the two classes' distribution functions of scores.

    It is the greatest abs(TPR - FPR) over all thresholds.

    Returns
    -------
    In [0, 1]: 1 for a perfect ranking, 0 for a constant score. A ranking and its reverse have the same value.

    References
    ----------
    Smirnov 1939, the distance of two empirical distribution functions.

    Examples
    --------
    >>> kolmogorov_smirnov_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.5
    """

    def greatest_distance(steps: PositiveSteps) -> float:
        tpr = steps.tp / steps.positives
        start, end = steps.fp_start / steps.negatives, steps.fp_end / steps.negatives
        return float(max((tpr[1:] - end).max(), (start - tpr[:-1]).max()))

    return greatest_distance


@ranking_score()
def h_measure_score(*, shape: tuple[float, float] | None = None) -> Area:
    r"""Return the H-measure: the share of a trivial rule's expected loss that the ranking saves at its best thresholds.

    A false positive costs c and a false negative 1 - c; c is drawn from a beta distribution.

    Parameters
    ----------
    shape : tuple of two floats, optional
        Of the beta distribution of c, both from 1e-9 to 1e9. By default (1 + p, 2 - p) for the prevalence p (Hand and
        Anagnostopoulos 2014); Hand 2009 has (2, 2), and the R package `hmeasure` (2, 1 / p).

    Returns
    -------
    In [0, 1]: 1 for a perfect ranking, 0 for one that no threshold makes better than trivial. It is optimistic, because
    thresholds are the best on these very cases.

    Notes
    -----
    For prevalence p, the loss at cost c is the least c (1 - p) FPR + (1 - c) p FNR of all thresholds, and
    min(c (1 - p), (1 - c) p) for a trivial rule. H is one minus the ratio of their means over c.

    References
    ----------
    Hand 2009, "Measuring classifier performance"; Hand and Anagnostopoulos 2014, "A better Beta for the H measure".

    Examples
    --------
    >>> truth, scores = [1, 0, 1, 0, 0], [5, 4, 3, 2, 1]
    >>> round(h_measure_score(truth, scores), 3), round(h_measure_score(truth, scores, shape=(2, 2)), 3)
    (0.587, 0.58)
    """
    given = None if shape is None else as_real(np.atleast_1d(shape), "shape")
    # Beyond these limits, a float64 cannot tell the distribution from one or two points.
    if given is not None and not (given.shape == (2,) and ((given >= 1e-9) & (given <= 1e9)).all()):
        raise ValueError(f"shape is {show(shape)}; it must be two numbers from 1e-09 to 1e+09.")
    return lambda steps: _h_measure(steps, given)


def _h_measure(steps: PositiveSteps, shape: Floats | None) -> float:
    from scipy.special import betainc  # no other area needs it, and it takes long to load

    hull = find_hull(steps)
    positives, negatives = hull.positives, hull.negatives
    fp, fn, tp_step, fp_step = hull.fp, hull.fn, differences(hull.tp), differences(hull.fp)
    if positives > negatives:
        # Costs near the prevalence matter most. Near 1, floats lie too far apart, so the classes are swapped.
        positives, negatives, shape = negatives, positives, None if shape is None else shape[::-1]
        fp, fn, tp_step, fp_step = fn[::-1], fp[::-1], fp_step[::-1], tp_step[::-1]
    prevalence = positives / (positives + negatives)
    a, b = (1 + prevalence, 2 - prevalence) if shape is None else shape

    def loss(false_positives: Floats, false_negatives: Floats, changes: Floats) -> float:
        """Return the mean loss of the rules that are best from each cost c of `changes` down to the next."""
        mean_cost = betainc(a + 1, b, changes) * a / (a + b)
        mean_rest = betainc(a, b + 1, changes) * b / (a + b)
        return float(-(false_positives @ differences(mean_cost) + false_negatives @ differences(mean_rest)))

    # Along an edge of the hull both ends cost the same: c FP = (1 - c) TP for what is gained.
    changes = np.concatenate([[1.0], tp_step / (tp_step + fp_step), [0.0]])
    trivial = loss(np.array([0.0, negatives]), np.array([positives, 0.0]), np.array([1.0, prevalence, 0.0]))
    return max(1 - loss(fp, fn, changes) / trivial, 0.0)


# The catalogue of areas. The library, the scorecard and the study read from it what areas there are.


@dataclass(frozen=True)
class CurveArea:
    """An area under a curve: its names, and how it is computed."""

    name: str
    short_label: str
    label: str
    meaning: str  # as a sentence
    from_steps: Callable[[PositiveSteps], float]
    from_resamples: Callable[[ResampledSteps], Floats] | None  # None for an area without an interval
    score: RankingScore | None = None  # a public function, which becomes a scorer
    less_is_better: bool = False
    why_no_interval: str = ""
    why_undefined: str = ""  # if a ranking with both classes can have no such area

    @property
    def sign(self) -> int:
        return -1 if self.less_is_better else 1


_RECORDS = (
    CurveArea(
        name="roc_auc",
        short_label="AUROC",
        label="Area under the ROC curve (AUC)",
        meaning="Share of pairs of a positive and a negative in which the positive scores higher; 0.5 is chance.",
        from_steps=roc_area,
        from_resamples=roc_area,
    ),
    CurveArea(
        name="average_precision",
        short_label="average precision",
        label="Average precision",
        meaning="Area under the precision-recall curve, drawn in steps.",
        from_steps=step_area,
        from_resamples=step_area,
    ),
    CurveArea(
        name="pr_auc",
        short_label="AUPR",
        label="Area under the PR curve",
        meaning="Area under the precision-recall curve, with hyperbolic interpolation; a constant score has the "
        "prevalence.",
        from_steps=hyperbolic_area,
        from_resamples=resampled_hyperbolic_area,
        score=pr_auc_score,
    ),
    CurveArea(
        name="prg_auc",
        short_label="AUPRG",
        label="Area under the PRG curve",
        meaning="Area under the curve of precision gain over recall gain; 0 is calling everything positive.",
        from_steps=signed_gain_area,
        from_resamples=resampled_gain_area,
        score=prg_auc_score,
    ),
    CurveArea(
        name="expected_f1_gain",
        short_label="expected F1 gain",
        label="Expected F1 gain",
        meaning="Mean F1 gain of a threshold chosen at random along the ranking.",
        from_steps=expected_gain,
        from_resamples=resampled_expected_gain,
        score=expected_f_gain_score,
        why_undefined="no negative case scores below the threshold at which recall equals the prevalence",
    ),
    CurveArea(
        name="cost_curve_area",
        short_label="cost curve area",
        label="Area under the cost curve",
        meaning="Mean cost over all error costs and prevalences; less is better, and 0.25 is trivial.",
        from_steps=lambda steps: cost_area(find_hull(steps)),
        from_resamples=None,
        score=cost_curve_area_score,
        less_is_better=True,
        why_no_interval="thresholds were tuned on these cases",
    ),
)
CURVE_AREAS = {record.name: record for record in _RECORDS}


@ranking_curve(find_positive_steps, lambda: dict.fromkeys(CURVE_AREAS, float("nan")))
def curve_areas(steps: PositiveSteps) -> dict[str, float]:
    """Return the areas under the ROC, PR, PRG and cost curves, from one sort.

    Returns
    -------
    dict of str to float
        ``roc_auc`` in [0, 1]; ``average_precision`` (step) and ``pr_auc`` (hyperbolic) in (0, 1]; ``prg_auc``,
        signed, at most 1; ``expected_f1_gain``, at most 1, NaN if 0/0; ``cost_curve_area`` in [0, 1/4], the
        only one of which less is better.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.

    See Also
    --------
    prg_auc_score, pr_auc_score, expected_f_gain_score, cost_curve_area_score : One at a time, with sources.

    Examples
    --------
    >>> areas = curve_areas([1, 0, 1, 0], [4, 3, 2, 1])
    >>> areas["roc_auc"], areas["prg_auc"], areas["cost_curve_area"]
    (0.75, 0.25, 0.125)
    """
    warn_if_extrapolated(steps)
    areas = areas_of(steps)
    warn_if_undefined(areas["expected_f1_gain"])
    return areas


def areas_of(steps: PositiveSteps) -> dict[str, float]:
    """Return the areas of `curve_areas` without its warnings."""
    return {area.name: area.from_steps(steps) for area in CURVE_AREAS.values()}


def resampled_areas(cells: Floats) -> dict[str, Floats]:
    """Return the areas that have intervals: one value for each row of cells of `ResampledSteps`."""
    steps = ResampledSteps.of_cells(cells)
    # An imaginary case may weigh next to nothing.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return {area.name: area.from_resamples(steps) for area in CURVE_AREAS.values() if area.from_resamples}
