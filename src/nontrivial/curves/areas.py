"""Areas under curves and other numbers of one ranking, and the catalogue of the areas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import nontrivial.curves.gain as gain
import nontrivial.curves.hull as hull
from nontrivial._arrays import Floats
from nontrivial._validation import check_choice
from nontrivial.curves.hull import find_roc_hull
from nontrivial.curves.points import OperatingPoints, PositiveSteps, ResampledSteps, find_positive_steps
from nontrivial.curves.scoring import Area, RankingScore, ranking_curve, ranking_score

_MAX_RECALL_STEP = 1 / 400  # less than the width of a printed line


def interpolate_pr_points(points: OperatingPoints) -> tuple[Floats, Floats]:
    """Return precision and recall along straight lines between contingency tables, from recall 0 on."""
    n_parts = np.maximum(np.ceil(np.diff(points.tp) / (points.positives * _MAX_RECALL_STEP)), 1).astype(int)
    ends = np.cumsum(n_parts)
    numbers = np.arange(len(points.tp))
    positions = np.interp(np.arange(ends[-1] + 1), [0, *ends], numbers)
    tp, fp = (np.interp(positions, numbers, cells) for cells in (points.tp, points.fp))
    precision = np.divide(tp, tp + fp, out=np.zeros_like(tp), where=tp > 0)
    if points.tp[1] > 0:  # the limit along a line from the empty prediction
        precision[0] = precision[1]
    return precision, tp / points.positives


@ranking_score(at_prevalence=True)
def pr_auc_score(*, interpolation: str = "hyperbolic") -> Area:
    """Return an area under the Precision-Recall curve, over recall from 0 to 1.

    PRG paper, Sections 2 and 4; tutorial, "The P-R curve". "step" and "linear" equal scikit-learn's
    ``average_precision_score`` and ``auc`` of ``precision_recall_curve``.

    Parameters
    ----------
    interpolation : {"hyperbolic", "step", "linear"}, default "hyperbolic"
        The curve between neighbouring operating points. "hyperbolic": straight lines between their contingency tables,
        which a random choice between two thresholds achieves (Davis and Goadrich 2006). "step": the precision of the
        point with more recall, which gives the average precision. "linear": the trapezoidal rule, which no thresholds
        achieve.

    Returns
    -------
    In (0, 1]; exactly 1 for a perfect ranking. A constant score has the prevalence p, or (1 + p) / 2 for "linear";
    exactly so for whole weights and without `prevalence`. The empty prediction has a precision of 0/0: "hyperbolic"
    takes the limit along the curve, "step" does without it, and "linear" takes 1.

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
    """Return AUROC: on average over the positives, the share of negatives with a lower score; ties count half."""
    return steps.mean(lambda _, __, fp, next_fp: 1.0 - (fp + next_fp) / (2 * steps.negatives))


def step_pr_area(steps: PositiveSteps | ResampledSteps) -> Any:
    """Return the average precision."""
    return steps.mean(lambda _, next_tp, __, next_fp: next_tp / (next_tp + next_fp))


def linear_pr_area(steps: PositiveSteps) -> float:
    """Return the area under the PR curve by the trapezoidal rule."""

    def mean_precision(tp: Floats, next_tp: Floats, fp: Floats, next_fp: Floats) -> Floats:
        predicted = tp + fp
        start = np.divide(tp, predicted, out=np.ones_like(predicted), where=predicted > 0)
        return np.asarray((start + next_tp / (next_tp + next_fp)) / 2)

    return steps.mean(mean_precision)


def hyperbolic_pr_area(steps: PositiveSteps) -> float:
    """Return the area under the PR curve with tables interpolated between operating points."""

    def mean_precision(tp: Floats, next_tp: Floats, fp: Floats, next_fp: Floats) -> Floats:
        before, after = tp + fp, next_tp + next_fp
        return _mean_precision(tp + next_tp, before + after, next_tp - tp, after - before)

    return steps.mean(mean_precision)


def resampled_hyperbolic_pr_area(steps: ResampledSteps) -> Floats:
    predicted = (steps.tp_start + steps.fp_start) + (steps.tp_end + steps.fp_end)
    gained, added = steps.tp_gained, steps.tp_gained + steps.fp_gained
    return steps.mean_of(_mean_precision(steps.tp_start + steps.tp_end, predicted, gained, added))


def _mean_precision(tp: Floats, predicted: Floats, gained: Floats, added: Floats) -> Floats:
    """Return the mean precision along each step, from the sums over both ends of TP and TP + FP, and their growth."""
    # TP grows by a fixed share s of the predicted positives M, from M1 to M2. Let m be (TP1 + TP2) / (M1 + M2) and
    # v = (M2 - M1) / (M1 + M2). The integral of TP/M gives the mean m + (artanh(v) / v - 1) (m - s).
    middle, v = tp / predicted, added / predicted
    # This series loses no digits. It is also finite for v = 1, a step from the empty prediction.
    squared = v * v
    excess = squared * (1 / 3 + squared * (1 / 5 + squared / 7))
    far = np.flatnonzero((v > 0.005) & (v < 1))  # nearer to 0, the next term of the series is below 1e-19
    far_v = v.take(far)
    excess.put(far, np.arctanh(far_v) / far_v - 1)
    return np.asarray(middle + excess * (middle - gained / added))


_PR_AREAS: dict[str, Area] = {"hyperbolic": hyperbolic_pr_area, "step": step_pr_area, "linear": linear_pr_area}


@ranking_score()
def break_even_point_score() -> Area:
    """Return the height at which precision equals recall (tutorial, "The P-R curve"; PA paper, Section 3).

    There, as many cases are predicted positive as are positive. Tables between two operating points are interpolated,
    so exactly one such point exists.

    Returns
    -------
    In [0, 1]; F-beta has the same value there for every beta. 1 for a perfect ranking, the prevalence for a
    constant score.

    Examples
    --------
    >>> break_even_point_score([1, 0, 1, 0], [4, 3, 2, 1])
    0.5
    """

    def break_even_recall(steps: PositiveSteps) -> float:
        step = int(np.searchsorted(steps.tp[1:] + steps.fp_end, steps.positives))
        start = steps.tp[step] + steps.fp_start[step]
        added = steps.tp[step + 1] + steps.fp_end[step] - start
        share = max(0.0, (steps.positives - start) / added)  # 0 if the point lies before the step, at its TP
        recall, next_recall = steps.tp[step : step + 2] / steps.positives
        return float(recall + share * (next_recall - recall))

    return break_even_recall


@ranking_score()
def kolmogorov_smirnov_score() -> Area:
    """Return the greatest distance between the two classes' distribution functions of scores.

    It is the greatest abs(TPR - FPR) of all thresholds (Smirnov 1939).

    Returns
    -------
    In [0, 1]: 1 for a perfect ranking, 0 for a constant score. A ranking and its reverse have the same value.

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


@dataclass(frozen=True)
class CurveArea:
    """What the package knows of an area under a curve."""

    name: str
    short_label: str
    label: str
    meaning: str  # a sentence
    from_steps: Callable[[PositiveSteps], float]
    from_resamples: Callable[[ResampledSteps], Floats] | None  # None for an area without an interval
    score: RankingScore | None = None  # a public function, which also becomes a scorer
    less_is_better: bool = False
    why_no_interval: str = ""
    why_undefined: str = ""  # the reason why a ranking with both classes may lack the area

    @property
    def sign(self) -> int:
        return -1 if self.less_is_better else 1


_AREA_RECORDS = (
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
        from_steps=step_pr_area,
        from_resamples=step_pr_area,
    ),
    CurveArea(
        name="pr_auc",
        short_label="AUPR",
        label="Area under the PR curve",
        meaning="Area under the precision-recall curve, with hyperbolic interpolation; a constant score has the "
        "prevalence.",
        from_steps=hyperbolic_pr_area,
        from_resamples=resampled_hyperbolic_pr_area,
        score=pr_auc_score,
    ),
    CurveArea(
        name="prg_auc",
        short_label="AUPRG",
        label="Area under the PRG curve",
        meaning="Area under the curve of precision gain over recall gain; 0 is calling everything positive.",
        from_steps=gain.signed_gain_area,
        from_resamples=gain.resampled_gain_area,
        score=gain.prg_auc_score,
    ),
    CurveArea(
        name="expected_f1_gain",
        short_label="expected F1 gain",
        label="Expected F1 gain",
        meaning="Mean F1 gain of a threshold chosen at random along the ranking.",
        from_steps=gain.expected_gain,
        from_resamples=gain.resampled_expected_gain,
        score=gain.expected_f_gain_score,
        why_undefined="no negative case scores below the threshold at which recall equals the prevalence",
    ),
    CurveArea(
        name="cost_curve_area",
        short_label="cost curve area",
        label="Area under the cost curve",
        meaning="Mean cost over all error costs and prevalences; less is better, and 0.25 is trivial.",
        from_steps=lambda steps: hull.area_under_cost_curve(find_roc_hull(steps)),
        from_resamples=None,
        score=hull.cost_curve_area_score,
        less_is_better=True,
        why_no_interval="thresholds were tuned on these cases",
    ),
)
CURVE_AREAS = {record.name: record for record in _AREA_RECORDS}


@ranking_curve(find_positive_steps, lambda: dict.fromkeys(CURVE_AREAS, float("nan")))
def curve_areas(steps: PositiveSteps) -> dict[str, float]:
    """Return the areas under the ROC, PR, PRG and cost curves, from one sort; the functions of each have sources.

    Returns
    -------
    dict of str to float
        ``roc_auc`` in [0, 1]; ``average_precision`` (step) and ``pr_auc`` (hyperbolic) in (0, 1]; ``prg_auc``,
        signed, at most 1; ``expected_f1_gain``, at most 1, NaN if 0/0; ``cost_curve_area`` in [0, 1/4], for which
        less is better.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.

    Examples
    --------
    >>> areas = curve_areas([1, 0, 1, 0], [4, 3, 2, 1])
    >>> areas["roc_auc"], areas["prg_auc"], areas["cost_curve_area"]
    (0.75, 0.25, 0.125)
    """
    gain.warn_if_extrapolated(steps)
    areas = compute_areas(steps)
    gain.warn_if_undefined(areas["expected_f1_gain"])
    return areas


def compute_areas(steps: PositiveSteps) -> dict[str, float]:
    """Return the areas of `curve_areas` without its warnings."""
    return {area.name: area.from_steps(steps) for area in CURVE_AREAS.values()}


def resampled_areas(cells: Floats) -> dict[str, Floats]:
    """Return the areas that have intervals, one value for each row of drawn weights of cells."""
    steps = ResampledSteps.from_cells(cells)
    # A drawn weight may be next to nothing.
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return {area.name: area.from_resamples(steps) for area in CURVE_AREAS.values() if area.from_resamples}
