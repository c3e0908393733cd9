"""The plot of cost curves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Labels
from nontrivial._validation import undefined_for_one_class
from nontrivial.curves.areas import cost_area, envelope, thin_lines
from nontrivial.curves.hull import find_hull
from nontrivial.curves.points import operating_points
from nontrivial.displays._base import QUIET, CurveDisplay, paired, several

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection

_EVEN_LINES = 150
_ENVELOPE, _COST_LINES = "envelope", "cost-lines"  # marks of what was drawn


@dataclass(eq=False, repr=False)
class CostCurveDisplay(CurveDisplay):
    """Lower envelope of the cost lines, with the lines and the two trivial predictions.

    Use `from_estimator`, `from_predictions` or `from_cv_results` to make one.

    Parameters
    ----------
    probability_cost, normalized_expected_cost : ndarray or list of ndarray
        As `nontrivial.curves.cost_curve` gives them; a list holds one array for each curve.
    cost_curve_area : float or list of float, optional
        Areas for the legend; less is better, 1/4 is trivial.
    lines : tuple of two ndarray or list of these, optional
        False positive rate and false negative rate of thresholds: the ends of their lines.
    name : str or list of str, optional
        For the legend.
    pos_label : label, optional
        For the axes' names.

    Attributes
    ----------
    line_ : matplotlib line, or list of lines for several curves
    trivial_ : matplotlib line or None
    cost_lines_ : matplotlib LineCollection or None
    ax_, figure_ : matplotlib axes and figure

    Notes
    -----
    Tutorial, "Cost-sensitive Error Rate & Cost Curve".

    Examples
    --------
    >>> from nontrivial.displays import CostCurveDisplay
    >>> display = CostCurveDisplay.from_predictions([1, 0, 1, 0], [4, 3, 2, 1])
    >>> display.line_.get_label()
    'area = 0.125'
    """

    _area_name: ClassVar[str] = "area"

    probability_cost: Floats | list[Floats]
    normalized_expected_cost: Floats | list[Floats]
    _: KW_ONLY
    cost_curve_area: float | list[float] | None = None
    lines: tuple[Floats, Floats] | list[tuple[Floats, Floats]] | None = None
    name: str | Sequence[str] | None = None
    pos_label: Any = None

    @classmethod
    @undefined_for_one_class(
        lambda: {
            "probability_cost": np.array([0.0, 1.0]),
            "normalized_expected_cost": np.full(2, np.nan),
            "cost_curve_area": np.nan,
            "lines": None,
        }
    )
    def _curves_of(
        cls, y_true: Labels, y_score: ArrayLike, pos_label: Any, weights: Floats | None
    ) -> dict[str, Any]:
        points = operating_points(y_true, y_score, pos_label=pos_label, sample_weight=weights)
        hull = find_hull(points.positive_steps())
        x, cost = envelope(hull)
        shown = thin_lines(points, hull, _EVEN_LINES)
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
        name: str | Sequence[str] | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
        plot_trivial: bool = True,
        plot_lines: bool = True,
    ) -> Self:
        """Draw the envelope or envelopes.

        Parameters
        ----------
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        name, curve_kwargs
            As in `HyperbolicPrecisionRecallDisplay.plot`.
        plot_trivial : bool, default True
            Draw the better of the two trivial predictions.
        plot_lines : bool, default True
            Draw the cost lines if the axes hold a single curve: of many thresholds, 150 evenly spaced ones and all that
            make the envelope.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If a list does not have one entry for each curve.
        """
        self._start(ax, "Probability cost of the positive class", "Normalized expected cost")
        lines = self.lines if plot_lines and isinstance(self.lines, tuple) else None
        if any(line.get_gid() == _ENVELOPE for line in self.ax_.lines):
            lines = None
            for drawn in [each for each in self.ax_.collections if each.get_gid() == _COST_LINES]:
                drawn.remove()
        self.ax_.set(xlim=(0, 1), ylim=(0, 0.65 if lines is None else 1))
        self.cost_lines_ = None if lines is None else self._draw_lines(*lines)
        self.trivial_ = None
        if plot_trivial:
            self.trivial_ = self._draw_once(
                [0, 0.5, 1],
                [0, 0.5, 0],
                color="0.35",
                linewidth=1.0,
                linestyle="--",
                label="trivial (area = 0.25)",
                zorder=2,
            )
        curves = paired(self.probability_cost, self.normalized_expected_cost)
        self._draw_curves(*curves, self.cost_curve_area, name, curve_kwargs)
        for line in several(self.line_):
            line.set_gid(_ENVELOPE)
        self._place_legend(loc="upper center")
        return self

    def _draw_lines(self, starts: Floats, ends: Floats) -> Collection:
        from matplotlib.collections import LineCollection

        segments = [((0, start), (1, end)) for start, end in zip(starts, ends, strict=True)]
        return self.ax_.add_collection(
            LineCollection(
                segments, colors=QUIET, linewidths=0.5, zorder=1, gid=_COST_LINES, label="single thresholds"
            )
        )
