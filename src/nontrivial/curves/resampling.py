"""Intervals for the areas of one ranking, or for the differences between two, by the bootstrap.

A resample changes how often each case counts, not where it ranks. The cases are sorted once into cells, the rises
and the stretches between them; a resample is then a count of each cell, and its areas one linear pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._validation import binary_truth_and_scores, check_in_unit_interval
from nontrivial.curves.gain_areas import warn_if_extrapolated
from nontrivial.curves.points import Rises, find_rises
from nontrivial.curves.summary import areas_of


def bootstrap_curve_areas(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    compared_with: ArrayLike | None = None,
    n_resamples: int = 1000,
    level: float = 0.95,
    stratify: bool = False,
    random_state: int | np.random.Generator | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> pd.DataFrame:
    """Return the areas of `curve_areas` with percentile bootstrap intervals.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive.
    compared_with : array-like of shape (n,), optional
        Scores of another model for the same cases. The result is then about the areas of `y_score` minus those of
        `compared_with`, both taken from the same resamples.
    n_resamples : int, default 1000
        At least 1.
    level : float, default 0.95
        Of the intervals, strictly between 0 and 1.
    stratify : bool, default False
        Resample each class apart, so that the class sizes stay. Otherwise they vary as they would in another sample,
        and a resample without one class is left out.
    random_state : int, numpy.random.Generator or None
        Seed.
    pos_label : label, optional
        The positive class; by default the greater label.
    sample_weight : array-like of shape (n,), optional
        0 or greater; a case keeps its weight whenever it is drawn.

    Returns
    -------
    DataFrame
        A column for each area that `curve_areas` names; rows ``estimate``, ``low``, ``high``, and ``resamples``, the
        number of resamples in which the area is defined.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, one class is missing, or an option is out of range.

    Warns
    -----
    ExtrapolatedAreaWarning
        As in `curve_areas`, once.

    Notes
    -----
    The intervals speak of other test cases for the same model, not of training again.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1], 100)
    >>> scores = rng.normal(size=200) + labels
    >>> bootstrap_curve_areas(labels, scores, random_state=0).loc[:"high", ["roc_auc", "prg_auc"]].round(2)
              roc_auc  prg_auc
    estimate     0.74     0.49
    low          0.67     0.33
    high         0.81     0.64
    """
    level = check_in_unit_interval(level, "level")
    if not (isinstance(n_resamples, (int, np.integer)) and n_resamples >= 1):
        raise ValueError(f"n_resamples is {n_resamples!r}; it must be a whole number of at least 1.")
    rng = np.random.default_rng(random_state)
    models = [
        _Cells.of(y_true, scores, pos_label, sample_weight)
        for scores in ([y_score] if compared_with is None else [y_score, compared_with])
    ]
    for model in models:
        warn_if_extrapolated(model.rises)
    estimate = _difference([areas_of(model.rises) for model in models])
    values = np.full((n_resamples, len(estimate)), np.nan)
    for row in values:
        draw = models[0].draw(rng, stratify=stratify)
        resampled = [rises for model in models if (rises := model.resample(draw)) is not None]
        if len(resampled) == len(models):
            row[:] = list(_difference([areas_of(rises) for rises in resampled]).values())
    defined = np.count_nonzero(~np.isnan(values), axis=0)
    tails = [(1 - level) / 2, (1 + level) / 2]
    bounds = np.array(
        [
            np.quantile(v[~np.isnan(v)], tails) if d else [np.nan] * 2
            for v, d in zip(values.T, defined, strict=True)
        ]
    )
    return pd.DataFrame(
        [list(estimate.values()), *bounds.T, defined],
        index=["estimate", "low", "high", "resamples"],
        columns=list(estimate),
    )


def _difference(areas: list[dict[str, float]]) -> dict[str, float]:
    """Return the one model's areas, or how far the first's exceed the second's."""
    first, *others = areas
    return {name: area - sum(other[name] for other in others) for name, area in first.items()}


@dataclass(frozen=True, eq=False)
class _Cells:
    """The cases of a ranking, sorted into its rises (for positives) and in and between them (for negatives).

    With m rises, positives are in the cells 0 to m - 1; negatives in m + 2 i between rise i - 1 and rise i, and in
    m + 2 i + 1 tied with rise i.
    """

    rises: Rises
    positive: Mask
    weights: Floats | None
    cell: Ints

    @classmethod
    def of(cls, y_true: ArrayLike, y_score: ArrayLike, pos_label: Any, sample_weight: Any) -> _Cells:
        positive, scores, weights = binary_truth_and_scores(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
        if weights is not None:
            counted = np.flatnonzero(weights)
            positive, scores, weights = positive[counted], scores[counted], weights[counted]
        rises = find_rises(positive, scores, sample_weight=weights)
        m, increasing = len(rises.thresholds), rises.thresholds[::-1]
        below = np.searchsorted(increasing, scores, side="left")
        place = below + np.searchsorted(increasing, scores, side="right")  # 2 i between rises, 2 i + 1 on one
        return cls(rises, positive, weights, np.where(positive, m - 1 - below, 3 * m - place))

    def draw(self, rng: np.random.Generator, *, stratify: bool) -> Ints:
        """Draw as many cases as there are, with replacement."""
        n = len(self.cell)
        if not stratify:
            return rng.integers(n, size=n)
        classes = [np.flatnonzero(self.positive), np.flatnonzero(~self.positive)]
        return np.concatenate([rng.choice(cases, size=len(cases)) for cases in classes])

    def resample(self, draw: Ints) -> Rises | None:
        """Return the rises of the cases drawn, or None if a class is missing."""
        m = len(self.rises.thresholds)
        weights = None if self.weights is None else self.weights[draw]
        counts = np.bincount(self.cell[draw], weights=weights, minlength=3 * m + 1)
        gained, fp = counts[:m], np.cumsum(counts[m:])
        some = np.flatnonzero(gained > 0)
        if not len(some) or fp[-1] == 0:
            return None
        tp = np.zeros(len(some) + 1)
        np.cumsum(gained[some], out=tp[1:])
        return Rises(
            tp=tp,
            fp_start=fp[:-1:2][some].astype(np.float64),
            fp_end=fp[1::2][some].astype(np.float64),
            thresholds=self.rises.thresholds[some],
            positives=float(tp[-1]),
            negatives=float(fp[-1]),
            rounding=self.rises.rounding,
        )
