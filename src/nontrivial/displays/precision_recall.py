"""The plot of Precision-Recall curves with hyperbolic interpolation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Labels
from nontrivial._validation import undefined_for_one_class
from nontrivial.curves.areas import hyperbolic_area, interpolated_points
from nontrivial.curves.points import operating_points
from nontrivial.displays._base import CurveDisplay, paired, several

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(eq=False, repr=False)
class HyperbolicPrecisionRecallDisplay(CurveDisplay):
    """Precision-Recall curve that is straight between contingency tables, and so curved between points.

    Use `from_estimator`, `from_predictions` or `from_cv_results` to make one.

    Parameters
    ----------
    precision, recall : ndarray or list of ndarray
        Points dense enough to be joined by straight lines; a list holds one array for each curve.
    pr_auc : float or list of float, optional
        Areas for the legend, by hyperbolic interpolation.
    prevalence : float or list of float, optional
        Share of positives, for the curve of the always-positive prediction. Several are drawn as their mean.
    name : str or list of str, optional
        For the legend.
    pos_label : label, optional
        For the axes' names.

    Attributes
    ----------
    line_ : matplotlib line, or list of lines for several curves
    baseline_ : matplotlib line or None
    isometrics_ : list of matplotlib lines
    ax_, figure_ : matplotlib axes and figure

    Notes
    -----
    PRG paper, Section 2 and Figure 2 (left). scikit-learn's display draws steps, whose area is average
    precision; the area here is that of `nontrivial.curves.pr_auc_score`.

    Examples
    --------
    >>> from nontrivial.displays import HyperbolicPrecisionRecallDisplay
    >>> display = HyperbolicPrecisionRecallDisplay.from_predictions([1, 0, 1, 0], [4, 3, 2, 1])
    >>> display.line_.get_label()
    'AUPR = 0.797'
    """

    _area_name: ClassVar[str] = "AUPR"

    precision: Floats | list[Floats]
    recall: Floats | list[Floats]
    _: KW_ONLY
    pr_auc: float | list[float] | None = None
    prevalence: float | list[float] | None = None
    name: str | Sequence[str] | None = None
    pos_label: Any = None

    @classmethod
    @undefined_for_one_class(
        lambda: {
            "precision": np.full(1, np.nan),
            "recall": np.full(1, np.nan),
            "pr_auc": np.nan,
            "prevalence": np.nan,
        }
    )
    def _curves_of(
        cls, y_true: Labels, y_score: ArrayLike, pos_label: Any, weights: Floats | None
    ) -> dict[str, Any]:
        points = operating_points(y_true, y_score, pos_label=pos_label, sample_weight=weights)
        precision, recall = interpolated_points(points)
        return {
            "precision": precision,
            "recall": recall,
            "pr_auc": hyperbolic_area(points.positive_steps()),
            "prevalence": points.positives / (points.positives + points.negatives),
        }

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        plot_baseline: bool = True,
        plot_isometrics: bool = True,
    ) -> Self:
        """Draw the curve or curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        name : str or list of str, optional
            For the legend, instead of the name stored.
        curve_kwargs : dict or list of dict, optional
            For matplotlib's ``plot``; a list holds one dict for each curve.
        plot_baseline : bool, default True
            Draw the hyperbola of the predictions that are as good for F1 as predicting everything positive; nothing
            without a prevalence.
        plot_isometrics : bool, default True
            Draw the hyperbolas on which F1 is 0.1, 0.2, ... 0.9.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If a list does not have one entry for each curve.
        """
        self._start(ax, "Recall", "Precision")
        self.ax_.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        curves = paired(self.recall, self.precision)
        f1s = [f / 10 for f in range(1, 10)] if plot_isometrics else []
        self.isometrics_ = self._draw_isometrics([_hyperbola(f1) for f1 in f1s], f1s, *curves)
        self.baseline_ = None
        shares = [] if self.prevalence is None else [each for each in several(self.prevalence) if each > 0]
        if plot_baseline and shares:
            share = float(np.mean(shares))
            label = f"as good as all positive, F1 = {2 * share / (1 + share):.2f}"
            self.baseline_ = self._draw_once(
                *_hyperbola(2 * share / (1 + share)), color="0.35", linewidth=1.0, label=label, zorder=2
            )
        self._draw_curves(*curves, self.pr_auc, name, curve_kwargs)
        self._place_legend()
        return self


def _hyperbola(f1: float) -> tuple[Floats, Floats]:
    """Return recall and precision along which F1 is `f1`: their reciprocals sum to 2 / F1."""
    precision = np.linspace(f1 / (2 - f1), 1, 200)
    return 1 / (2 / f1 - 1 / precision), precision
