"""The plots of Precision-Recall, Precision-Recall-Gain, cost and decision curves."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from nontrivial._arrays import Floats
from nontrivial._validation import as_probabilities, check_beta
from nontrivial.curves.areas import hyperbolic_pr_area, interpolate_pr_points
from nontrivial.curves.gain import gain_area, gain_curve, warn_if_extrapolated
from nontrivial.curves.hull import (
    area_under_cost_curve,
    beta_squared_between,
    choose_cost_lines,
    find_roc_hull,
    lower_envelope,
    select_f_vertices,
)
from nontrivial.curves.points import OperatingPoints
from nontrivial.displays import _base as base
from nontrivial.displays._base import CurveDisplay, CurveNames, LabelledField, LineOptions

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

_COST_LINES_LABEL = "single thresholds"
_MAX_DRAWN_COST_LINES = 150


@dataclass(eq=False, repr=False)
class HyperbolicPrecisionRecallDisplay(CurveDisplay):
    """Precision-Recall curve that is straight between contingency tables, and so curved between points.

    Parameters
    ----------
    precision, recall : ndarray or list of ndarray
        Points dense enough to be joined by straight lines; a list holds one array for each curve.
    pr_auc : float or list of float, optional
        Areas for the legend, by hyperbolic interpolation.
    prevalence : float or list of float, optional
        Share of positives, for the curve of the always-positive prediction. Several are drawn as their mean.
    name, pos_label : optional
        The name in the legend, or a list with one for each curve; the positive label, which the axes name.

    Attributes
    ----------
    line_, baseline_, isometrics_, ax_, figure_
        What matplotlib drew. `line_` is a list if there are several curves; what an option leaves out is None.

    Notes
    -----
    PRG paper, Section 2 and Figure 2 (left). scikit-learn's display draws steps, whose area is average
    precision; the area here is `nontrivial.curves.pr_auc_score`.

    Examples
    --------
    >>> display = HyperbolicPrecisionRecallDisplay.from_predictions([1, 0, 1, 0], [4, 3, 2, 1])
    >>> display.line_.get_label()
    'AUPR = 0.797'
    """

    _x = LabelledField("recall", "Recall")
    _y = LabelledField("precision", "Precision")
    _area = LabelledField("pr_auc", "AUPR")

    precision: Floats | list[Floats]
    recall: Floats | list[Floats]
    _: KW_ONLY
    pr_auc: float | list[float] | None = None
    prevalence: float | list[float] | None = None

    @classmethod
    def _fields_from_points(cls, points: OperatingPoints) -> dict[str, Any]:
        precision, recall = interpolate_pr_points(points)
        return {
            "precision": precision,
            "recall": recall,
            "pr_auc": hyperbolic_pr_area(points.positive_steps()),
            "prevalence": points.positives / (points.positives + points.negatives),
        }

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: CurveNames = None,
        curve_kwargs: LineOptions = None,
        plot_baseline: bool = True,
        plot_isometrics: bool = True,
    ) -> Self:
        """Draw the curve or curves, and return the display.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        name : str or list of str, optional
            Name in the legend, instead of the display's name.
        curve_kwargs : dict or list of dict, optional
            Options of matplotlib's ``plot``: for all curves, or for each. The length of a list is the number of
            curves, else a ValueError.
        plot_baseline : bool, default True
            Draw the hyperbola of the predictions that are as good for F1 as predicting everything positive. It needs a
            prevalence.
        plot_isometrics : bool, default True
            Draw the hyperbolas on which F1 is 0.1, 0.2, ... 0.9.
        """
        curves = self._start_plot(ax)
        self.ax_.set(xlim=(0, 1), ylim=(0, 1), aspect="equal")
        self.isometrics_ = self.baseline_ = None
        if plot_isometrics:
            self.isometrics_ = self._draw_isometrics(lambda x, y: 2 * x * y / (x + y), "F1")
        prevalence = base.mean_prevalence(self.prevalence)
        if plot_baseline and prevalence is not None:
            f1 = 2 * prevalence / (1 + prevalence)
            label = f"as good as all positive, F1 = {f1:.2f}"
            precision = np.linspace(f1 / (2 - f1), 1, 200)
            recall = 1 / (2 / f1 - 1 / precision)  # the reciprocals sum to 2 / F1
            self.baseline_ = self._draw_reference_line(recall, precision, label=label)
        self._draw_curves(curves, name, curve_kwargs)
        self._draw_legend()
        return self


@dataclass(eq=False, repr=False)
class PrecisionRecallGainDisplay(CurveDisplay):
    """Precision-Recall-Gain curve, its baseline, its F-gain isometrics and its convex hull.

    Parameters
    ----------
    precision_gain, recall_gain : ndarray or list of ndarray
        As `nontrivial.curves.precision_recall_gain_curve` gives them; a list holds one array for each curve.
    prg_auc : float or list of float, optional
        Areas for the legend.
    hull : tuple of three ndarray or list of these, optional
        Precision gain and recall gain of the hull's vertices, and the calibrated scores of the segments between them.
        The last vertex is the always-positive prediction.
    name, pos_label : optional
        The name in the legend, or a list with one for each curve; the positive label, which the axes name.

    Attributes
    ----------
    line_, baseline_, isometrics_, hull_, ax_, figure_
        What matplotlib drew. `line_` is a list if there are several curves; what an option leaves out is None.

    Notes
    -----
    PRG paper, Sections 3.1 to 3.4, Figures 2 and 3. The plot shows recall gain from 0 to 1, as the area does. It shows
    precision gain up to 1; the lower end is the curve's lowest point, but at most 0 and at least -1.

    Examples
    --------
    >>> display = PrecisionRecallGainDisplay.from_predictions([1, 0, 1, 0], [4, 3, 2, 1], name="ranking")
    >>> display.prg_auc, display.line_.get_label()
    (0.25, 'ranking (AUPRG = 0.250)')
    """

    _x = LabelledField("recall_gain", "Recall gain")
    _y = LabelledField("precision_gain", "Precision gain")
    _area = LabelledField("prg_auc", "AUPRG")

    precision_gain: Floats | list[Floats]
    recall_gain: Floats | list[Floats]
    _: KW_ONLY
    prg_auc: float | list[float] | None = None
    hull: tuple[Floats, ...] | list[tuple[Floats, ...]] | None = None

    @classmethod
    def _fields_from_points(cls, points: OperatingPoints) -> dict[str, Any]:
        steps = points.positive_steps()
        warn_if_extrapolated(steps)
        precision_gain, recall_gain, _ = gain_curve(points)
        hull = select_f_vertices(find_roc_hull(steps))
        y, x, d = hull.gain(hull.fp), hull.gain(hull.fn), 1 / (1 + beta_squared_between(hull))
        if y[-1] > 0:  # then there is a drop at full recall, whose calibrated score is 0
            y, x, d = np.append(y, 0.0), np.append(x, 1.0), np.append(d, 0.0)
        return {
            "precision_gain": precision_gain,
            "recall_gain": recall_gain,
            "prg_auc": gain_area(steps),
            "hull": (y, x, d),
        }

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: CurveNames = None,
        curve_kwargs: LineOptions = None,
        plot_baseline: bool = True,
        plot_isometrics: bool = True,
        plot_hull: bool = False,
        beta: float = 1.0,
    ) -> Self:
        """Draw the curve or curves, and return the display.

        Parameters
        ----------
        ax, name, curve_kwargs
            As in `HyperbolicPrecisionRecallDisplay.plot`.
        plot_baseline : bool, default True
            Draw the line of the predictions that are as good for F-beta as predicting everything positive.
        plot_isometrics : bool, default True
            Draw the lines on which the F-beta gain is 0.1, 0.2, ... 0.9.
        plot_hull : bool, default False
            Draw the convex hull of a single curve, with the calibrated score of each segment if there is room for it.
        beta : float, default 1
            The beta of the baseline and the isometrics, 0 or greater and finite.
        """
        beta = check_beta(beta)
        squared = beta * beta
        if not np.isfinite(squared):
            raise ValueError(f"beta is {beta:g}; the isometrics need one whose square is finite.")
        hull = self.hull if plot_hull else None
        if plot_hull and hull is None:
            raise ValueError("plot_hull is only for a display of a single curve that stores its hull.")
        x, y = self._start_plot(ax)
        y = [precision[recall >= 0] for recall, precision in zip(x, y, strict=True)]
        x = [recall[recall >= 0] for recall in x]
        lowest = max(min(self.ax_.get_ylim()[0], *(curve.min(initial=0.0) for curve in y)), -1.0)
        self.ax_.set(xlim=(0, 1), ylim=(lowest, 1), aspect="equal" if lowest > -0.25 else "auto")
        self.isometrics_ = self.baseline_ = None
        if plot_isometrics:
            self.isometrics_ = self._draw_isometrics(lambda x, y: (y + squared * x) / (1 + squared), f"F{beta:g}", -1)
        if plot_baseline:  # the isometric through (1, 0), the always-positive prediction
            label = f"as good as all positive, by F{beta:g}"
            self.baseline_ = self._draw_reference_line([0, 1], [squared, 0], label=label)
        self._draw_curves((x, y), name, curve_kwargs)
        self.hull_ = self._draw_hull(*hull) if isinstance(hull, tuple) else None
        self._draw_legend()
        return self

    def _draw_hull(self, precision_gain: Floats, recall_gain: Floats, scores: Floats) -> Line2D:
        """Draw the hull, and beside each segment its calibrated score."""
        from matplotlib.patheffects import withStroke

        label = "convex hull, d"
        is_in_legend = label in self.ax_.get_legend_handles_labels()[1]
        line_look: dict[str, Any] = {"color": base.HULL_COLOR, "lw": 1.0, "ls": "--", "marker": "o", "ms": 3.5}
        line_look["label"] = "_nolegend_" if is_in_legend else label
        (line,) = self.ax_.plot(recall_gain, precision_gain, zorder=4, **line_look)
        text_look: dict[str, Any] = {"color": base.HULL_COLOR, "fontsize": "x-small", "zorder": 5}
        text_look["path_effects"] = [withStroke(linewidth=2, foreground="white")]
        lowest = self.ax_.get_ylim()[0]
        labelled = np.empty((0, 2))
        for ends, score in zip(pairwise(np.column_stack([recall_gain, precision_gain])), scores, strict=True):
            middle = _middle_of_visible_part(np.array(ends), lowest)
            # Segments crowd at full recall: a label that would cover another is left out.
            if middle is not None and (np.abs(labelled - middle).max(axis=1) > 0.06).all():
                labelled = np.vstack([labelled, middle])
                offset = _offset_inside_axes(*middle)
                self.ax_.annotate(f"{score:.2g}", tuple(middle), textcoords="offset points", **text_look, **offset)
        return line


def _middle_of_visible_part(ends: Floats, lowest: float) -> Floats | None:
    """Return the middle of the part of a falling segment right of 0 and above `lowest`, or None."""
    (x, y), (dx, dy) = ends[0], ends[1] - ends[0]
    first = -x / dx if x < 0 else 0.0
    last = (lowest - y) / dy if y + dy < lowest else 1.0
    return ends[0] + (first + last) / 2 * (ends[1] - ends[0]) if first < last else None


def _offset_inside_axes(x: float, y: float) -> dict[str, Any]:
    """Return the offset of a label from a point: to the right and above, unless it would leave the axes."""
    if x > 0.85:
        return {"xytext": (-5, 0), "ha": "right", "va": "bottom" if y < 0.05 else "center"}
    if y > 0.9:
        return {"xytext": (0, -5), "ha": "left", "va": "top"}
    return {"xytext": (5, 4), "ha": "left", "va": "bottom"}


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
        hull = find_roc_hull(points.positive_steps())
        x, cost = lower_envelope(hull)
        shown = choose_cost_lines(points, hull, _MAX_DRAWN_COST_LINES)
        return {
            "probability_cost": x,
            "normalized_expected_cost": cost,
            "cost_curve_area": area_under_cost_curve(hull),
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
        has_curve = any(line.get_zorder() > base.REFERENCE_LINE["zorder"] for line in self.ax_.lines)
        if has_curve:
            lines = None
            for drawn in list(self.ax_.collections):
                if drawn.get_label() == _COST_LINES_LABEL:
                    drawn.remove()
        self.ax_.set(xlim=(0, 1), ylim=(0, 0.65 if lines is None else 1))
        self.cost_lines_ = self.trivial_ = None
        if lines is not None:
            segments = [((0, start), (1, end)) for start, end in zip(*lines, strict=True)]
            drawn = LineCollection(segments, colors=base.GUIDE_COLOR, linewidths=0.5, zorder=1, label=_COST_LINES_LABEL)
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
            "net_benefit": (points.tp[last_acted] - points.fp[last_acted] * thresholds / (1 - thresholds)) / n,
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
        prevalence = base.mean_prevalence(self.prevalence)
        self.all_ = self.none_ = None
        if plot_all and prevalence is not None:
            x = np.linspace(0, 0.99, 500)
            self.all_ = self._draw_reference_line(x, (prevalence - x) / (1 - x), label="all", linestyle="--")
        if plot_none:
            self.none_ = self._draw_reference_line([0, 1], [0, 0], label="none", linestyle=":")
        self._draw_curves(curves, name or self.name or "model", curve_kwargs)
        # The limits show every curve whole, and little below 0.
        drawn = [np.asarray(line.get_xydata()) for line in self.ax_.lines if line.get_zorder() == base.CURVE_ZORDER]
        points = np.concatenate(drawn)
        points = points[~np.isnan(points).any(axis=1)]
        if len(points) and (top := points[:, 1].max()) > 0:
            self.ax_.set(xlim=(0, points[:, 0].max() or 1), ylim=(-0.2 * top, 1.1 * top))
        self._draw_legend(loc="upper right")
        return self
