"""The plots of predicted labels: the PA paper's Venn diagram, and measures over the class balance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import as_floats, binary_truth_and_predictions, check_choice
from nontrivial.displays._base import LabelsDisplay, positive_label_suffix
from nontrivial.measures.catalogue import canonical_name
from nontrivial.measures.confusion import confusion_measures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

_MIN_MARGIN = 1.06  # the least side of the rectangle, in sides of the box around both circles


@dataclass(frozen=True)
class VennLayout:
    """Two shapes, for the cases called positive and for the positives, in a rectangle of area 1.

    The shapes are circles in the middle of the rectangle's height, or bars as high as it if circles do not fit.
    """

    width: float
    height: float
    are_circles: bool
    called: tuple[float, float]  # left and right end
    positive: tuple[float, float]


def lens_area(first_radius: float, second_radius: float, distance: float) -> float:
    """Return the common area of two circles whose centres are at a distance."""
    if distance >= first_radius + second_radius:
        return 0.0
    if distance <= abs(first_radius - second_radius):
        return float(np.pi * min(first_radius, second_radius) ** 2)
    first_to_chord = (distance**2 + first_radius**2 - second_radius**2) / (2 * distance)
    area = 0.0
    # The chord cuts a segment off each circle. It may lie beyond a centre; then the distance to it is negative.
    for radius, to_chord in ((first_radius, first_to_chord), (second_radius, distance - first_to_chord)):
        cosine = np.clip(to_chord / radius, -1, 1)
        area += radius**2 * (np.arccos(cosine) - cosine * np.sqrt(1 - cosine**2))
    return float(area)


def lay_out(tp: float, fp: float, fn: float, tn: float) -> VennLayout:
    """Compute shapes whose areas are the shares of a confusion table."""
    cells = np.array([tp, fp, fn, tn], dtype=np.float64)
    if not (np.isfinite(cells).all() and (cells >= 0).all() and cells.sum() > 0):
        raise ValueError("A Venn diagram needs four counts that are finite, 0 or greater, and not all 0.")
    tp, fp, fn, tn = cells / cells.sum()
    called_radius, positive_radius = np.sqrt((tp + fp) / np.pi), np.sqrt((tp + fn) / np.pi)
    farthest, nearest = called_radius + positive_radius, abs(called_radius - positive_radius)
    # If FP or FN is 0, one circle lies inside the other. Rounding may leave the largest lens below TP.
    if min(fp, fn) == 0 or lens_area(called_radius, positive_radius, nearest) <= tp:
        distance = nearest
    else:
        from scipy.optimize import brentq  # slow to import

        distance = brentq(
            lambda distance: lens_area(called_radius, positive_radius, distance) - tp,
            nearest, farthest, xtol=1e-14, maxiter=1000,
        )  # fmt: skip
    # The bounding box of both circles, with the origin at the centre of the first.
    left, right = (min(-called_radius, distance - positive_radius), max(called_radius, distance + positive_radius))
    box_width, box_height = right - left, 2 * max(called_radius, positive_radius)
    if box_width * box_height * _MIN_MARGIN**2 > 1:
        return VennLayout(1.25, 0.8, False, (0.0, 1.25 * (tp + fp)), (1.25 * fp, 1.25 * (tp + fp + fn)))
    height = max(0.8, box_height * _MIN_MARGIN)
    if box_width > 0:  # it is 0 if nothing is positive or called positive
        height = min(height, 1 / (box_width * _MIN_MARGIN))
    width = 1 / height
    called_center = (width - box_width) / 2 - left
    positive_center = called_center + distance
    called = (called_center - called_radius, called_center + called_radius)
    positive = (positive_center - positive_radius, positive_center + positive_radius)
    return VennLayout(width, height, True, called, positive)


CELL_OF_REGION = {"a": "fp", "b": "tp", "c": "fn", "d": "tn"}  # by the paper's letters

# The two shapes differ by hatches too.
_POSITIVE_LOOK: dict[str, Any] = {"facecolor": "#16761c", "alpha": 0.32, "hatch": "////"}
_CALLED_LOOK: dict[str, Any] = {"facecolor": "#1f4fd8", "alpha": 0.22, "hatch": "...."}
_MIN_LABELLED_WIDTH = 0.17  # a narrower region has its label outside


@dataclass(eq=False, repr=False)
class VennDisplay(LabelsDisplay):
    """The positives, the cases called positive, and their overlap, as areas to scale.

    If the positives are the minority, PA is (b - a) / (b + c): above 0 only if more cases called positive are right (b)
    than wrong (a). Use `from_estimator` or `from_predictions`, or give a confusion table.

    Parameters
    ----------
    tp, fp, fn, tn : float
        Counts or shares, finite, 0 or greater and not all 0, else a ValueError. The paper calls them b, a, c and d.
    name : str, optional
        Title of the plot.

    Attributes
    ----------
    labels_, ax_, figure_
        What matplotlib drew; `labels_` has the text of each region, by its letter.

    Notes
    -----
    PA paper, Section 4 and Figure 2. The rectangle holds all cases, the left shape the cases called positive, and the
    right shape the positives. The shapes are circles, or bars if circles do not fit into the rectangle.

    Examples
    --------
    >>> display = VennDisplay(tp=30, fp=10, fn=20, tn=40).plot()
    >>> display.labels_["b"].get_text().split()
    ['b', '30.0', '%']
    """

    tp: float
    fp: float
    fn: float
    tn: float
    _: KW_ONLY
    name: str | None = None

    def __post_init__(self) -> None:
        self._layout = lay_out(self.tp, self.fp, self.fn, self.tn)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Count the cases from labels and predicted labels, draw them, and return the display.

        Parameters
        ----------
        y_true, y_pred, pos_label, sample_weight
            As in `nontrivial.measures.p4_score`, which raises the same errors. One class only is a ValueError, too.
        name, ax : str and matplotlib axes, optional
            The title of the plot, and where to draw; by default new axes.
        """
        positive, predicted, weights = binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        tn, fp, fn, tp = np.bincount(2 * positive + predicted, weights=weights, minlength=4)
        return cls(tp, fp, fn, tn, name=name).plot(ax)

    def plot(self, ax: Axes | None = None, *, legend: bool = True) -> Self:
        """Draw the diagram on `ax` or new axes, with a legend below it unless `legend` is False; return the display."""
        ax = self._set_axes(ax)
        from matplotlib.patches import Rectangle  # here, so that importing a display is fast

        layout = self._layout
        frame_look: dict[str, Any] = {"facecolor": "white", "edgecolor": "0.2", "linewidth": 0.9}
        ax.add_patch(Rectangle((0, 0), layout.width, layout.height, **frame_look))
        for ends, look in ((layout.positive, _POSITIVE_LOOK), (layout.called, _CALLED_LOOK)):
            color = look["facecolor"]
            # A hatch has the colour and the alpha of its edge, so a second patch draws the solid outline.
            ax.add_patch(_create_patch(layout, *ends, edgecolor=color, linewidth=0, **look))
            ax.add_patch(_create_patch(layout, *ends, fill=False, edgecolor=color, linewidth=1.4))
        self._draw_labels()
        ax.set(xlim=(-0.01, layout.width + 0.01), ylim=(-0.01, layout.height + 0.01), aspect="equal")
        ax.set_axis_off()
        if self.name is not None:
            ax.set_title(self.name)
        if legend:
            ax.legend(handles=self.legend_handles(), loc="upper center", bbox_to_anchor=(0.5, 0), frameon=False)
        return self

    @staticmethod
    def legend_handles() -> list[Patch]:
        """Return the legend's handles of the two shapes; a figure of several diagrams needs them once."""
        from matplotlib.patches import Patch

        return [
            Patch(edgecolor=_CALLED_LOOK["facecolor"], **_CALLED_LOOK, label="a + b: the classifier says positive"),
            Patch(edgecolor=_POSITIVE_LOOK["facecolor"], **_POSITIVE_LOOK, label="b + c: the label is positive"),
        ]

    def _draw_labels(self) -> None:
        """Write the letter and the share of each region into it, or beside it if it is too narrow."""
        layout, total = self._layout, self.tp + self.fp + self.fn + self.tn
        (called, called_end), (positive, positive_end) = layout.called, layout.positive
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "zorder": 5}
        look["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.2}
        leader: dict[str, Any] = {"arrowstyle": "-", "color": "0.2", "linewidth": 0.7}
        # Left and right end of each region, and where its label stands if it is too narrow: in shares of the rectangle.
        regions = {
            "a": (called, min(positive, called_end), (0.14, 0.9)),
            "b": (max(called, positive), min(called_end, positive_end), (0.5, 0.9)),
            "c": (max(called_end, positive), positive_end, (0.86, 0.9)),
            "d": (positive_end, layout.width, (0.86, 0.1)),
        }
        self.labels_ = {}
        for region, (left, right, (x, y)) in regions.items():
            text = f"{region}\n{100 * getattr(self, CELL_OF_REGION[region]) / total:.1f} %"
            inside, outside = ((left + right) / 2, layout.height / 2), (x * layout.width, y * layout.height)
            if region == "d" and layout.are_circles:  # around the circles there is room in a corner
                self.labels_[region] = self.ax_.text(0.1 * layout.width, 0.1 * layout.height, text, **look)
            elif right - left >= _MIN_LABELLED_WIDTH:
                self.labels_[region] = self.ax_.text(*inside, text, **look)
            else:
                self.labels_[region] = self.ax_.annotate(text, inside, outside, arrowprops=leader, **look)


def _create_patch(layout: VennLayout, left: float, right: float, **options: Any) -> Patch:
    from matplotlib.patches import Circle, Rectangle

    if layout.are_circles:
        return Circle(((left + right) / 2, layout.height / 2), (right - left) / 2, **options)
    return Rectangle((left, 0), right - left, layout.height, **options)


_ZERO_LINE_ID = "no-advantage"  # each display has one such line, so these count the displays on the axes
_PAPER_MEASURES = ("accuracy", "balanced_accuracy", "f_beta", "cohen_kappa", "prediction_advantage")


@dataclass(eq=False, repr=False)
class MeasureImbalanceDisplay(LabelsDisplay):
    """Measures of one rule as the share of positives changes while its two error rates stay.

    The plot shows at which shares a measure praises a rule that is worse than the trivial prediction. Use
    `from_estimator` or `from_predictions`.

    Parameters
    ----------
    positive_share : ndarray of shape (n_shares,)
        Shares of positives, in [0, 1].
    measures : DataFrame of shape (n_shares, n_measures)
        Columns of `nontrivial.measures.confusion_measures`.
    observed_share : float, optional
        Share of positives in the data, which a line marks.
    name, pos_label : optional
        The model's name in the legend; the positive label, which the axis names.

    Attributes
    ----------
    lines_, ax_, figure_
        What matplotlib drew; `lines_` has the line of each measure, by its name.

    Notes
    -----
    PA paper, Section 4. The error rates stay the same if only the number of cases in each class changes.

    Examples
    --------
    >>> display = MeasureImbalanceDisplay.from_predictions([0, 0, 0, 1], [0, 0, 1, 1], shares=[0.1, 0.5])
    >>> display.measures["prediction_advantage"].round(3).tolist()
    [-2.0, 0.667]
    """

    positive_share: Floats
    measures: pd.DataFrame
    _: KW_ONLY
    observed_share: float | None = None
    name: str | None = None
    pos_label: Any = None

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_pred: ArrayLike,
        *,
        measures: Sequence[str] = _PAPER_MEASURES,
        shares: ArrayLike | None = None,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
    ) -> Self:
        """Compute the measures from labels and predicted labels, draw them, and return the display.

        Parameters
        ----------
        y_true, y_pred, pos_label, sample_weight, ax
            As in `VennDisplay.from_predictions`.
        measures : sequence of str
            Columns of `nontrivial.measures.confusion_measures`, by default the five of the PA paper's Figure 1. Another
            name is a ValueError.
        shares : array-like, optional
            Shares of positives, by default 0.01, 0.02, ... 0.99. A share outside [0, 1] is a ValueError.
        name : str, optional
            The model's name in the legend.
        """
        positive, predicted, weights = binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        weights = np.ones(len(positive)) if weights is None else weights
        tpr = np.average(predicted[positive], weights=weights[positive])
        fpr = np.average(predicted[~positive], weights=weights[~positive])
        share = np.arange(1, 100) / 100 if shares is None else as_floats(shares, "shares")
        table = confusion_measures(
            tp=share * tpr, fp=(1 - share) * fpr, fn=share * (1 - tpr), tn=(1 - share) * (1 - fpr)
        )
        measures = list(map(canonical_name, measures))
        for measure in measures:
            check_choice(measure, "measures", table.columns)
        observed = float(weights[positive].sum() / weights.sum())
        display = cls(share, table[measures], observed_share=observed, name=name, pos_label=pos_label)
        return display.plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the measures on `ax` or new axes, each model paler than the one before; return the display."""
        ax = self._set_axes(ax)
        from nontrivial.figure_style import MEASURE_LOOKS, MeasureLook  # slow to import

        n_earlier = sum(line.get_gid() == _ZERO_LINE_ID for line in ax.lines)
        model = self.name or (f"model {n_earlier + 1}" if n_earlier else "")
        ax.axhline(0, color="0.6", linewidth=0.8, zorder=1, visible=not n_earlier, gid=_ZERO_LINE_ID)
        if self.observed_share is not None and not n_earlier:
            ax.axvline(self.observed_share, color="0.6", linewidth=0.8, linestyle=":", zorder=1)
            ax.annotate(
                "these cases", (self.observed_share, 0.02), xycoords=("data", "axes fraction"), color="0.4",
                fontsize="small", xytext=(3, 0), textcoords="offset points",
            )  # fmt: skip
        self.lines_ = {}
        for measure in self.measures.columns.astype(str):
            plain_look = MeasureLook(measure.replace("_", " ").capitalize(), None, (), "")
            look = MEASURE_LOOKS.get(measure, plain_look)
            (self.lines_[measure],) = ax.plot(
                self.positive_share,
                self.measures[measure],
                label=f"{look.name}, {model}" if model else look.name,
                **look.line_options() | {"marker": ""},
                alpha=0.5**n_earlier,
            )
        xlabel = "Share of positives" + positive_label_suffix(self.pos_label)
        ax.set(xlim=(0, 1), ylim=(-0.55, 1.02), xlabel=xlabel, ylabel="Value of the measure")
        # Only a figure with a layout engine makes room for a legend beside the axes.
        if ax.figure.get_layout_engine() is not None:
            ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        else:
            ax.legend(loc="best", fontsize="small")
        return self
