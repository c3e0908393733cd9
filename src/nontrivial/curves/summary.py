"""Six areas of one ranking from one sort."""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from nontrivial._validation import undefined_for_one_class
from nontrivial.curves.areas import hyperbolic_area, roc_area, step_area
from nontrivial.curves.cost import cost_area
from nontrivial.curves.expected_gain import expected_gain, warn_if_undefined
from nontrivial.curves.gain_areas import gain_area, warn_if_extrapolated
from nontrivial.curves.hull import find_hull
from nontrivial.curves.points import find_rises
from nontrivial.curves.rises import Rises

AREAS = ("roc_auc", "average_precision", "pr_auc", "prg_auc", "expected_f1_gain", "cost_curve_area")


@undefined_for_one_class(lambda: dict.fromkeys(AREAS, float("nan")))
def curve_areas(
    y_true: ArrayLike, y_score: ArrayLike, *, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> dict[str, float]:
    """Return the areas under the ROC, PR, PRG and cost curves, from one sort.

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
    dict of str to float
        ``roc_auc`` in [0, 1]; ``average_precision`` (step) and ``pr_auc`` (hyperbolic) in (0, 1]; ``prg_auc``,
        signed, at most 1; ``expected_f1_gain``, at most 1, NaN where 0/0; ``cost_curve_area`` in [0, 1/4], the
        only one of which less is better.

    Raises
    ------
    ValueError
        If the lengths differ, or a score is not finite.

    Warns
    -----
    ExtrapolatedAreaWarning
        If recall gain 0 is reached before the first point with a true positive.
    UndefinedMetricWarning
        If all cases are of one class, so that all areas are NaN, or if the expected F1 gain alone is.

    See Also
    --------
    prg_auc_score, pr_auc_score, expected_f_gain_score, cost_curve_area_score : One at a time, with sources.

    Examples
    --------
    >>> areas = curve_areas([1, 0, 1, 0], [4, 3, 2, 1])
    >>> for name, area in areas.items():
    ...     print(f"{name:17} {area:.3f}")
    roc_auc           0.750
    average_precision 0.833
    pr_auc            0.797
    prg_auc           0.250
    expected_f1_gain  0.375
    cost_curve_area   0.125
    """
    rises = find_rises(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)
    warn_if_extrapolated(rises)
    areas = areas_of(rises)
    warn_if_undefined(areas["expected_f1_gain"])
    return areas


def areas_of(rises: Rises) -> dict[str, float]:
    """Return the areas that `curve_areas` names."""
    prg_auc = gain_area(rises)
    return {
        "roc_auc": roc_area(rises),
        "average_precision": step_area(rises),
        "pr_auc": hyperbolic_area(rises),
        "prg_auc": prg_auc,
        "expected_f1_gain": expected_gain(rises, area=prg_auc),
        "cost_curve_area": cost_area(find_hull(rises)),
    }
