"""The plot of Precision-Recall-Gain curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Labels
from nontrivial._validation import check_beta, undefined_for_one_class
from nontrivial.curves.gain import gain_area, gain_curve, warn_if_extrapolated
from nontrivial.curves.hull import beta_squared, f_hull, find_hull
from nontrivial.curves.points import operating_points
from nontrivial.displays._base import HULL, CurveDisplay, paired

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D


@dataclass(eq=False, repr=False)
class PrecisionRecallGainDisplay(CurveDisplay):
    """Precision-Recall-Gain curve, its baseline, its F-gain isometrics and its convex hull.

    Use `from_estimator`, `from_predictions` or `from_cv_results` to make one.

    Parameters
    ----------
    precision_gain, recall_gain : ndarray or list of ndarray
        As `nontrivial.curves.precision_recall_gain_curve` gives them; a list holds one array for each curve.
    prg_auc : float or list of float, optional
        Areas for the legend.
    hull : tuple of three ndarray or list of these, optional
        Precision gain and recall gain of the vertices, the always-positive prediction at the end, and the calibrated
        scores of the segments between them.
    name : str or list of str, optional
        For the legend.
    pos_label : label, optional
        For the axes' names.

    Attributes
    ----------
    line_ : matplotlib line, or list of lines for several curves
    baseline_ : matplotlib line or None
    isometrics_ : list of matplotlib lines
    hull_ : matplotlib line or None
    ax_, figure_ : matplotlib axes and figure

    Notes
    -----
    PRG paper, Sections 3.1 to 3.4, Figures 2 and 3. The plot shows recall gain from 0 to 1, the part that the area
    is taken over, and precision gain from 0, or from as far below as the curve goes, to -1 at most.

    Examples
    --------
    >>> from nontrivial.displays import PrecisionRecallGainDisplay
    >>> display = PrecisionRecallGainDisplay.from_predictions([1, 0, 1, 0], [4, 3, 2, 1], name="ranking")
    >>> display.prg_auc, display.line_.get_label()
    (0.25, 'ranking (AUPRG = 0.250)')
    """

    _area_name: ClassVar[str] = "AUPRG"

    precision_gain: Floats | list[Floats]
    recall_gain: Floats | list[Floats]
    _: KW_ONLY
    prg_auc: float | list[float] | None = None
    hull: tuple[Floats, ...] | list[tuple[Floats, ...]] | None = None
    name: str | Sequence[str] | None = None
    pos_label: Any = None

    @classmethod
    @undefined_for_one_class(
        lambda: {
            "precision_gain": np.full(1, np.nan),
            "recall_gain": np.full(1, np.nan),
            "prg_auc": np.nan,
            "hull": (np.full(1, np.nan), np.full(1, np.nan), np.empty(0)),
        }
    )
    def _curves_of(
        cls, y_true: Labels, y_score: ArrayLike, pos_label: Any, weights: Floats | None
    ) -> dict[str, Any]:
        points = operating_points(y_true, y_score, pos_label=pos_label, sample_weight=weights)
        steps = points.positive_steps()
        warn_if_extrapolated(steps)
        precision_gain, recall_gain, _ = gain_curve(points)
        hull = f_hull(find_hull(steps))
        vertices = (hull.gain(hull.fp), hull.gain(hull.fn))
        return {
            "precision_gain": precision_gain,
            "recall_gain": recall_gain,
            "prg_auc": gain_area(steps),
            "hull": _down_to_always_positive(*vertices, 1 / (1 + beta_squared(hull))),
        }

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        plot_baseline: bool = True,
        plot_isometrics: bool = True,
        plot_hull: bool = False,
        beta: float = 1.0,
    ) -> Self:
        """Draw the curve or curves.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        name, curve_kwargs
            As in `HyperbolicPrecisionRecallDisplay.plot`.
        plot_baseline : bool, default True
            Draw the line of the predictions that are as good for F-beta as predicting everything positive.
        plot_isometrics : bool, default True
            Draw the lines on which the F-beta gain is 0.1, 0.2, ... 0.9.
        plot_hull : bool, default False
            Draw the convex hull of a single curve, with the calibrated score of each segment where there is room.
        beta : float, default 1
            Of the baseline and the isometrics, 0 or greater and finite.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If a list does not have one entry for each curve, or the hull is to be drawn for several curves or for none.
        """
        beta = check_beta(beta)
        squared = beta * beta
        if not np.isfinite(squared):
            raise ValueError(f"beta is {beta:g}; the isometrics need one whose square is finite.")
        hull = self.hull if plot_hull else ()
        if hull is None or isinstance(hull, list):
            raise ValueError("plot_hull is only for a display of a single curve that stores its hull.")
        self._start(ax, "Recall gain", "Precision gain")
        curves = zip(*paired(self.recall_gain, self.precision_gain), strict=True)
        x, y = zip(
            *((recall[recall >= 0], precision[recall >= 0]) for recall, precision in curves), strict=True
        )
        lowest = max(min(self.ax_.get_ylim()[0], *(curve.min(initial=0.0) for curve in y)), -1.0)
        self.ax_.set(xlim=(0, 1), ylim=(lowest, 1), aspect="equal" if lowest > -0.25 else "auto")

        f_gains = [f / 10 for f in range(1, 10)] if plot_isometrics else []
        self.isometrics_ = self._draw_isometrics([_isometric(f, squared) for f in f_gains], f_gains, x, y)
        self.baseline_ = self._draw_baseline(beta, squared) if plot_baseline else None
        self._draw_curves(x, y, self.prg_auc, name, curve_kwargs)
        self.hull_ = self._draw_hull(*hull) if plot_hull else None
        self._place_legend()
        return self

    def _draw_baseline(self, beta: float, squared: float) -> Line2D:
        """Draw the isometric through (1, 0), the always-positive prediction."""
        label = f"as good as all positive, by F{beta:g}"
        return self._draw_once([0, 1], [squared, 0], color="0.35", linewidth=1.0, label=label, zorder=2)

    def _draw_hull(self, y: Floats, x: Floats, d: Floats) -> Line2D:
        from matplotlib.patheffects import withStroke

        label = "convex hull, d"
        is_named = any(line.get_label() == label for line in self.ax_.lines)
        (line,) = self.ax_.plot(
            x,
            y,
            color=HULL,
            linewidth=1.0,
            linestyle="--",
            marker="o",
            markersize=3.5,
            label="_nolegend_" if is_named else label,
            zorder=4,
        )
        lowest = self.ax_.get_ylim()[0]
        taken = np.empty((0, 2))
        for ends, value in zip(pairwise(np.column_stack([x, y])), d, strict=True):
            middle = _middle_inside(np.array(ends), lowest)
            # Segments crowd at full recall: a label that would cover another is left out.
            if middle is not None and (np.abs(taken - middle).max(axis=1) > 0.06).all():
                taken = np.vstack([taken, middle])
                self.ax_.annotate(
                    f"{value:.2g}",
                    (middle[0], middle[1]),
                    textcoords="offset points",
                    color=HULL,
                    fontsize="x-small",
                    path_effects=[withStroke(linewidth=2, foreground="white")],
                    zorder=5,
                    **_beside(middle),
                )
        return line


def _isometric(f_gain: float, squared: float) -> tuple[Floats, Floats]:
    """Return the ends of y + beta^2 x = (1 + beta^2) FG, which passes (FG, FG) for every beta."""
    recall_gain = np.array([0.0, 1.0])
    return recall_gain, (1 + squared) * f_gain - squared * recall_gain


def _down_to_always_positive(precision_gain: Floats, recall_gain: Floats, d: Floats) -> tuple[Floats, ...]:
    """Add the drop at full recall, whose calibrated score is 0, to a hull that ends above it."""
    if precision_gain[-1] <= 0:
        return precision_gain, recall_gain, d
    return tuple(
        np.append(values, last) for values, last in ((precision_gain, 0.0), (recall_gain, 1.0), (d, 0.0))
    )


def _middle_inside(ends: Floats, lowest: float) -> Floats | None:
    """Return the middle of the part of a falling segment that is right of 0 and above `lowest`, None if none is."""
    (x, y), (dx, dy) = ends[0], ends[1] - ends[0]
    first = -x / dx if x < 0 else 0.0
    last = (lowest - y) / dy if y + dy < lowest else 1.0
    return ends[0] + (first + last) / 2 * (ends[1] - ends[0]) if first < last else None


def _beside(place: Floats) -> dict[str, Any]:
    """Return where a label stands so that it stays inside the axes: right of its place and above, if there is room."""
    x, y = place
    if x > 0.85:
        return {"xytext": (-5, 0), "ha": "right", "va": "bottom" if y < 0.05 else "center"}
    if y > 0.9:
        return {"xytext": (0, -5), "ha": "left", "va": "top"}
    return {"xytext": (5, 4), "ha": "left", "va": "bottom"}
