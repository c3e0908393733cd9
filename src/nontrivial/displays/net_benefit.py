"""The plot of decision curves: net benefit over the threshold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Labels
from nontrivial._validation import undefined_for_one_class
from nontrivial.curves.points import operating_points
from nontrivial.displays._base import CurveDisplay, paired, several

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_POINTS = 200  # of a curve
_LAST = 0.99  # threshold; at 1, a false positive is infinitely bad
_CURVE = "net-benefit"  # marks what was drawn


@dataclass(eq=False, repr=False)
class NetBenefitDisplay(CurveDisplay):
    """Decision curve: the net benefit of a model, of acting on all cases, and of acting on none.

    Use `from_estimator`, `from_predictions` or `from_cv_results` to make one.

    Parameters
    ----------
    thresholds : ndarray or list of ndarray
        Threshold probabilities in [0, 1); a list holds one array for each curve.
    net_benefit : ndarray or list of ndarray
        Net benefit per case at each threshold, as `nontrivial.measures.net_benefit_score` defines it.
    prevalence : float or list of float, optional
        Share of positives, for the curve of acting on all cases. Several are drawn as their mean.
    name : str or list of str, optional
        For the legend.
    pos_label : label, optional
        For the axes' names.

    Attributes
    ----------
    line_ : matplotlib line, or list of lines for several curves
    all_ : matplotlib line or None
    none_ : matplotlib line or None
    ax_, figure_ : matplotlib axes and figure

    See Also
    --------
    sklearn.calibration.CalibrationDisplay : Whether the probabilities agree with the cases.

    Notes
    -----
    Vickers and Elkin 2006. Scores must be probabilities: one outside [0, 1] is a ValueError. `from_predictions` takes
    200 evenly spaced thresholds from 0 to the greatest probability, at most 0.99; above it, the model acts on nobody.
    The plot ends there, and below at minus a fifth of its greatest net benefit.

    Examples
    --------
    >>> from nontrivial.displays import NetBenefitDisplay
    >>> display = NetBenefitDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.7, 0.9], name="model")
    >>> display.prevalence, float(display.net_benefit[100].round(3))
    (0.5, 0.294)
    """

    _area_name: ClassVar[str] = ""

    thresholds: Floats | list[Floats]
    net_benefit: Floats | list[Floats]
    _: KW_ONLY
    prevalence: float | list[float] | None = None
    name: str | Sequence[str] | None = None
    pos_label: Any = None

    @classmethod
    @undefined_for_one_class(
        lambda: {"thresholds": np.full(1, np.nan), "net_benefit": np.full(1, np.nan), "prevalence": np.nan}
    )
    def _curves_of(
        cls, y_true: Labels, y_score: ArrayLike, pos_label: Any, weights: Floats | None
    ) -> dict[str, Any]:
        points = operating_points(y_true, y_score, pos_label=pos_label, sample_weight=weights)
        if points.scores[-1] < 0 or points.scores[0] > 1:
            raise ValueError("y_score has values outside [0, 1]; net benefit needs probabilities.")
        thresholds = np.linspace(0, min(float(points.scores[0]) or _LAST, _LAST), _POINTS)
        acted = np.searchsorted(-points.scores.astype(float), -thresholds, side="right")
        n = points.positives + points.negatives
        return {
            "thresholds": thresholds,
            "net_benefit": (points.tp[acted] - points.fp[acted] * thresholds / (1 - thresholds)) / n,
            "prevalence": points.positives / n,
        }

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        plot_all: bool = True,
        plot_none: bool = True,
    ) -> Self:
        """Draw the curve or curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        name, curve_kwargs
            As in `HyperbolicPrecisionRecallDisplay.plot`.
        plot_all : bool, default True
            Draw the net benefit of acting on all cases; nothing without a prevalence.
        plot_none : bool, default True
            Draw the net benefit of acting on no case, 0.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If a list does not have one entry for each curve.
        """
        self._start(ax, "Threshold probability", "Net benefit")
        curves = paired(self.thresholds, self.net_benefit)
        shares = [] if self.prevalence is None else [each for each in several(self.prevalence) if each > 0]
        self.all_ = self.none_ = None
        look: dict[str, Any] = {"color": "0.35", "linewidth": 1.0, "zorder": 2}
        if plot_all and shares:
            share, x = np.mean(shares), np.linspace(0, _LAST, 500)
            self.all_ = self._draw_once(x, (share - x) / (1 - x), linestyle="--", label="all", **look)
        if plot_none:
            self.none_ = self._draw_once([0, 1], [0, 0], linestyle=":", label="none", **look)
        self._draw_curves(*curves, None, name or self.name or "model", curve_kwargs)
        for line in several(self.line_):
            line.set_gid(_CURVE)
        self._fit_axes()
        self._place_legend(loc="upper right")
        return self

    def _fit_axes(self) -> None:
        """Show all of the curves on the axes, up to the last threshold, and little of what lies below them."""
        drawn = [line.get_xydata() for line in self.ax_.lines if line.get_gid() == _CURVE]
        points = np.concatenate([np.asarray(each) for each in drawn])
        points = points[~np.isnan(points).any(axis=1)]
        if len(points) and (top := points[:, 1].max()) > 0:
            self.ax_.set(xlim=(0, points[:, 0].max() or 1), ylim=(-0.2 * top, 1.1 * top))
