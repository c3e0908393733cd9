"""Cost curves: what a ranking costs at its best threshold, for every class balance and cost ratio (tutorial)."""

from __future__ import annotations

import sys
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints
from nontrivial._validation import as_array, show, undefined_for_one_class
from nontrivial.curves.hull import Hull, find_hull
from nontrivial.curves.points import OperatingPoints, find_rises
from nontrivial.curves.rises import steps
from nontrivial.curves.scoring import score_classes


@undefined_for_one_class(lambda: (np.array([0.0, 1.0]), np.array([np.nan, np.nan])))
def cost_curve(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> tuple[Floats, Floats]:
    """Return the corners of the lower envelope of the cost lines.

    A threshold with false positive rate FPR and false negative rate FNR costs (1 - x) FPR + x FNR at probability
    cost x. The envelope is the least of these lines, those of the empty and the always-positive prediction among
    them.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive.
    pos_label : label, optional
        The positive class; by default the greater label. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.

    Returns
    -------
    probability_cost : ndarray of shape (n_corners,)
        Increasing from 0 to 1. A class balance and two costs give the place: see `probability_cost`.
    normalized_expected_cost : ndarray of shape (n_corners,)
        In [0, 0.5]; 0 at both ends. Straight between corners. Never 0/0, as both classes are there.

    Raises
    ------
    ValueError
        If the lengths differ or a score is not finite.

    Warns
    -----
    UndefinedMetricWarning
        If all cases are of one class; the costs are NaN.

    Notes
    -----
    Tutorial, "Cost-sensitive Error Rate & Cost Curve".

    Examples
    --------
    >>> cost_curve([0, 1, 0, 1], [1, 1, 1, 1])  # no ranking: the better of the two trivial predictions
    (array([0. , 0.5, 1. ]), array([0. , 0.5, 0. ]))
    """
    rises = find_rises(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    return envelope(find_hull(rises))


def cost_curve_area_score(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    labels: ArrayLike | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> float | Floats:
    """Return the area under the lower envelope of the cost lines; less is better.

    Parameters
    ----------
    y_true, y_score, average, labels, pos_label, sample_weight
        As in `prg_auc_score`.

    Returns
    -------
    float, or ndarray of shape (n_classes,) for three and more classes and ``average=None``
        In [0, 1/4]: 0 for a perfect ranking, 1/4 for one that no threshold makes better than trivial.

    Raises
    ------
    ValueError
        As in `prg_auc_score`.

    Warns
    -----
    UndefinedMetricWarning
        As in `prg_auc_score`.

    Notes
    -----
    Tutorial, "Cost-sensitive Error Rate & Cost Curve": the expected cost over all conditions alike.

    Examples
    --------
    >>> cost_curve_area_score([0, 1, 0, 1], [1, 1, 1, 1])
    0.25
    >>> cost_curve_area_score([0, 0, 1, 1], [1, 2, 3, 4])
    0.0
    """
    return score_classes(
        lambda rises: cost_area(find_hull(rises)), y_true, y_score, average, labels, pos_label, sample_weight
    )


def probability_cost(
    positive_share: ArrayLike, *, false_negative_cost: float = 1.0, false_positive_cost: float = 1.0
) -> Floats | float:
    """Return where on a cost curve a class balance and two costs lie.

    Parameters
    ----------
    positive_share : float or array-like
        Share of positives where the rule will be used, in [0, 1].
    false_negative_cost, false_positive_cost : float, default 1
        Cost of each kind of error, greater than 0.

    Returns
    -------
    float or ndarray
        In [0, 1]; equal to `positive_share` where the costs are equal.

    Raises
    ------
    ValueError
        If a share is not in [0, 1] or a cost is not a positive finite number.

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
    for name, cost in (
        ("false_negative_cost", false_negative_cost),
        ("false_positive_cost", false_positive_cost),
    ):
        if not (isinstance(cost, Real) and 0 < cost <= sys.float_info.max):
            raise ValueError(f"{name} is {show(cost)}; it must be a finite number greater than 0.")
    share = share.astype(np.float64)
    of_positives = share * float(false_negative_cost)
    place = of_positives / (of_positives + (1 - share) * float(false_positive_cost))
    return place if place.ndim else float(place)


def envelope(hull: Hull) -> tuple[Floats, Floats]:
    """Return the corners of the lower envelope: each edge of the ROC hull is the crossing of two lines."""
    fp_step = hull.positives * steps(hull.fp)
    x = fp_step / (fp_step + hull.negatives * steps(hull.tp))
    cost = (1 - x) * hull.fp[:-1] / hull.negatives + x * hull.fn[:-1] / hull.positives
    first, last = ([0.0] if x[0] > 0 else []), ([1.0] if x[-1] < 1 else [])
    return np.concatenate([first, x, last]), np.concatenate([first, cost, np.zeros(len(last))])


def cost_area(hull: Hull) -> float:
    """Return the area under the lower envelope."""
    x, cost = envelope(hull)
    return float(np.add.reduce(steps(x) * (cost[1:] + cost[:-1])) / 2)


def thin_lines(points: OperatingPoints, hull: Hull, most: int) -> Ints:
    """Return which thresholds' cost lines to draw: all that the envelope is made of, and evenly `most` of the rest."""
    # The cases predicted positive grow from point to point, so they tell which points the hull's vertices are.
    of_envelope = np.searchsorted(points.tp + points.fp, hull.tp + hull.fp)
    return np.union1d(of_envelope, np.linspace(0, len(points.tp) - 1, most).astype(np.intp))
