"""The plots of cost curves and decision curves."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from nontrivial._arrays import Floats
from nontrivial._validation import as_probabilities
from nontrivial.curves.areas import cost_area, envelope, thin_lines
from nontrivial.curves.hull import find_hull
from nontrivial.curves.points import OperatingPoints
from nontrivial.displays._base import (
    CURVE_ZORDER,
    GUIDE_COLOR,
    REFERENCE_LINE,
    CurveDisplay,
    CurveNames,
    LabelledField,
    LineOptions,
    mean_prevalence,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COST_LINES_LABEL = "single thresholds"
_MAX_COST_LINES = 150


@dataclass(eq=False, repr=False)
class CostCurveDisplay(CurveDisplay):
    """Lower envelope of the cost lines, with these lines and the better of the two trivial predictions.

    Parameters
    ----------
    probability_cost, normalized_expected_cost : ndarray or list of ndarray
        As `nontrivial.curves.cost_curve` gives them; a list holds one array for each curve.
    cost_curve_area : float or list of float, optional
        Areas for the legend; less is better, 1/4 is trivial.
    lines : tuple of two ndarray or list of these, optional
        False positive rate and false negative rate of each threshold: the ends of its line.
    name, pos_label : optional
        The name in the legend, or a list with one for each curve; the positive label, which the axes name.

    Attributes
    ----------
    line_, trivial_, cost_lines_, ax_, figure_
        What matplotlib drew. `line_` is a list if there are several curves; what an option leaves out is None.

    Notes
    -----
    Tutorial, "Cost-sensitive Error Rate & Cost Curve".

    Examples
    --------
    >>> display = CostCurveDisplay.from_predictions([1, 0, 1, 0], [4, 3, 2, 1])
    >>> display.line_.get_label()
    'area = 0.125'
    """

    _x = LabelledField("probability_cost", "Probability cost of the positive class")
    _y = LabelledField("normalized_expected_cost", "Normalized expected cost")
    _area = LabelledField("cost_curve_area", "area")

    probability_cost: Floats | list[Floats]
    normalized_expected_cost: Floats | list[Floats]
    _: KW_ONLY
    cost_curve_area: float | list[float] | None = None
    lines: tuple[Floats, Floats] | list[tuple[Floats, Floats]] | None = None

    @classmethod
    def _fields_from_points(cls, points: OperatingPoints) -> dict[str, Any]:
        hull = find_hull(points.positive_steps())
        x, cost = envelope(hull)
        shown = thin_lines(points, hull, _MAX_COST_LINES)
        return {
            "probability_cost": x,
            "normalized_expected_cost": cost,
            "cost_curve_area": cost_area(hull),
            "lines": (points.fp[shown] / points.negatives, points.fn[shown] / points.positives),
        }

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: CurveNames = None,
        curve_kwargs: LineOptions = None,
        plot_trivial: bool = True,
        plot_lines: bool = True,
    ) -> Self:
        """Draw the curve or curves, and return the display.

        Parameters
        ----------
        ax, name, curve_kwargs
            As in `HyperbolicPrecisionRecallDisplay.plot`.
        plot_trivial : bool, default True
            Draw the better of the two trivial predictions.
        plot_lines : bool, default True
            Draw the cost lines if the axes hold a single curve: all lines of the envelope, and up to 150 others, evenly
            spaced.
        """
        curves = self._start_plot(ax)  # first, because its error names the extra that brings matplotlib
        from matplotlib.collections import LineCollection

        lines = self.lines if plot_lines and isinstance(self.lines, tuple) else None
        has_curve = any(line.get_zorder() > REFERENCE_LINE["zorder"] for line in self.ax_.lines)
        if has_curve:
            lines = None
            for drawn in list(self.ax_.collections):
                if drawn.get_label() == _COST_LINES_LABEL:
                    drawn.remove()
        self.ax_.set(xlim=(0, 1), ylim=(0, 0.65 if lines is None else 1))
        self.cost_lines_ = self.trivial_ = None
        if lines is not None:
            segments = [((0, start), (1, end)) for start, end in zip(*lines, strict=True)]
            drawn = LineCollection(
                segments, colors=GUIDE_COLOR, linewidths=0.5, zorder=1, label=_COST_LINES_LABEL
            )
            self.cost_lines_ = self.ax_.add_collection(drawn)
        if plot_trivial:
            label = "trivial (area = 0.25)"
            self.trivial_ = self._draw_reference_line([0, 0.5, 1], [0, 0.5, 0], label=label, linestyle="--")
        self._draw_curves(curves, name, curve_kwargs)
        self._draw_legend(loc="upper center")
        return self


@dataclass(eq=False, repr=False)
class NetBenefitDisplay(CurveDisplay):
    """Decision curve: the net benefit of a model, of acting on all cases, and of acting on none.

    Parameters
    ----------
    thresholds : ndarray or list of ndarray
        Threshold probabilities in [0, 1); a list holds one array for each curve.
    net_benefit : ndarray or list of ndarray
        Net benefit per case at each threshold, as `nontrivial.measures.net_benefit_score` defines it.
    prevalence : float or list of float, optional
        Share of positives, for the curve of acting on all cases. Several are drawn as their mean.
    name, pos_label : optional
        The name in the legend, or a list with one for each curve; the positive label, which the axes name.

    Attributes
    ----------
    line_, all_, none_, ax_, figure_
        What matplotlib drew. `line_` is a list if there are several curves; what an option leaves out is None.

    Notes
    -----
    Vickers and Elkin 2006. Scores must be probabilities: one outside [0, 1] is a ValueError. `from_predictions` takes
    200 evenly spaced thresholds from 0 to the greatest probability, at most 0.99; above it, the model acts on no case.
    The plot ends at the last threshold; its lower end is minus a fifth of the greatest net benefit.

    Examples
    --------
    >>> display = NetBenefitDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.7, 0.9], name="model")
    >>> display.prevalence, float(display.net_benefit[100].round(3))
    (0.5, 0.294)
    """

    _x = LabelledField("thresholds", "Threshold probability")
    _y = LabelledField("net_benefit", "Net benefit")

    thresholds: Floats | list[Floats]
    net_benefit: Floats | list[Floats]
    _: KW_ONLY
    prevalence: float | list[float] | None = None

    @classmethod
    def _fields_from_points(cls, points: OperatingPoints) -> dict[str, Any]:
        as_probabilities(points.scores, "net benefit")
        thresholds = np.linspace(0, min(float(points.scores[0]) or 0.99, 0.99), 200)
        last_acted = np.searchsorted(-points.scores.astype(float), -thresholds, side="right")
        n = points.positives + points.negatives
        return {
            "thresholds": thresholds,
            "net_benefit": (points.tp[last_acted] - points.fp[last_acted] * thresholds / (1 - thresholds))
            / n,
            "prevalence": points.positives / n,
        }

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: CurveNames = None,
        curve_kwargs: LineOptions = None,
        plot_all: bool = True,
        plot_none: bool = True,
    ) -> Self:
        """Draw the curve or curves, and return the display.

        Parameters
        ----------
        ax, name, curve_kwargs
            As in `HyperbolicPrecisionRecallDisplay.plot`.
        plot_all : bool, default True
            Draw the net benefit of acting on all cases. It needs a prevalence.
        plot_none : bool, default True
            Draw the net benefit of acting on no case, which is 0.
        """
        curves = self._start_plot(ax)
        prevalence = mean_prevalence(self.prevalence)
        self.all_ = self.none_ = None
        if plot_all and prevalence is not None:
            x = np.linspace(0, 0.99, 500)
            self.all_ = self._draw_reference_line(x, (prevalence - x) / (1 - x), label="all", linestyle="--")
        if plot_none:
            self.none_ = self._draw_reference_line([0, 1], [0, 0], label="none", linestyle=":")
        self._draw_curves(curves, name or self.name or "model", curve_kwargs)
        # The limits show every curve whole, and little below 0.
        drawn = [
            np.asarray(line.get_xydata()) for line in self.ax_.lines if line.get_zorder() == CURVE_ZORDER
        ]
        points = np.concatenate(drawn)
        points = points[~np.isnan(points).any(axis=1)]
        if len(points) and (top := points[:, 1].max()) > 0:
            self.ax_.set(xlim=(0, points[:, 0].max() or 1), ylim=(-0.2 * top, 1.1 * top))
        self._draw_legend(loc="upper right")
        return self
