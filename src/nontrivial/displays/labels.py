"""The plots of predicted labels: the PA paper's Venn diagram, and measures over the class balance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import as_real, binary_truth_and_predictions, check_choice
from nontrivial.displays._base import Display, of_positive, positive_class
from nontrivial.measures.confusion import confusion_measures
from nontrivial.measures.names import canonical_name

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch


class LabelsDisplay(Display):
    """A plot that is made from labels and predicted labels, by a `from_predictions` of its own."""

    from_predictions: ClassVar[Callable[..., Any]]

    @classmethod
    def from_estimator(
        cls, estimator: Any, X: Any, y: ArrayLike, *, name: str | None = None, **options: Any
    ) -> Self:
        """Predict the labels of `X` with a fitted classifier; draw and return what `from_predictions` does.

        Parameters
        ----------
        estimator, X, y, name
            As in `PrecisionRecallGainDisplay.from_estimator`, with its errors.
        **options
            For `from_predictions`; the positive class is the greater of the estimator's, unless `pos_label` is given.
        """
        name = type(estimator).__name__ if name is None else name
        options["pos_label"] = positive_class(estimator, y, options.get("pos_label"))
        display: Self = cls.from_predictions(y, estimator.predict(X), name=name, **options)
        return display


# The geometry of a Venn diagram of two sets whose every area is to scale.

_MARGIN = 1.06


@dataclass(frozen=True)
class Venn:
    """The two sets of a confusion table as shapes of true size in a rectangle of area 1."""

    width: float  # of the rectangle, like `height`
    height: float
    are_circles: bool  # bars as high as the rectangle take the place of circles that do not fit into it
    called: tuple[float, float]  # left and right end
    positive: tuple[float, float]


def lens_area(first: float, second: float, distance: float) -> float:
    """Return the area that two circles of these radii, whose centres are so far apart, have in common."""
    if distance >= first + second:
        return 0.0
    if distance <= abs(first - second):
        return float(np.pi * min(first, second) ** 2)
    to_chord = (distance**2 + first**2 - second**2) / (2 * distance)
    segments = 0.0  # which the chord cuts off the circles; a centre may lie on either side of it
    for radius, away in ((first, to_chord), (second, distance - to_chord)):
        cosine = np.clip(away / radius, -1, 1)
        segments += radius**2 * (np.arccos(cosine) - cosine * np.sqrt(1 - cosine**2))
    return float(segments)


def lay_out(tp: float, fp: float, fn: float, tn: float) -> Venn:
    """Find shapes whose areas are the shares of a confusion table."""
    cells = np.array([tp, fp, fn, tn], dtype=np.float64)
    if not (np.isfinite(cells).all() and (cells >= 0).all() and cells.sum() > 0):
        raise ValueError("A Venn diagram needs four counts that are finite, 0 or greater, and not all 0.")
    tp, fp, fn, tn = cells / cells.sum()
    called, positive = np.sqrt((tp + fp) / np.pi), np.sqrt((tp + fn) / np.pi)
    apart, inside = called + positive, abs(called - positive)
    if min(fp, fn) == 0 or lens_area(called, positive, inside) <= tp:  # inside, but for rounding
        distance = inside
    else:
        from scipy.optimize import brentq  # slow to import

        distance = brentq(
            lambda d: lens_area(called, positive, d) - tp, inside, apart, xtol=1e-14, maxiter=1000
        )
    # The circles' common bounding box; one may lie inside the other.
    left, right = min(-called, distance - positive), max(called, distance + positive)
    across, high = right - left, 2 * max(called, positive)
    if across * high * _MARGIN**2 > 1:
        return Venn(1.25, 0.8, False, (0.0, 1.25 * (tp + fp)), (1.25 * fp, 1.25 * (tp + fp + fn)))
    height = max(0.8, high * _MARGIN)
    height = min(height, 1 / (across * _MARGIN)) if across > 0 else height  # 0 if both sets are empty
    width = 1 / height
    start = (width - across) / 2 - left
    end = start + distance
    return Venn(width, height, True, (start - called, start + called), (end - positive, end + positive))


REGIONS = {"a": "fp", "b": "tp", "c": "fn", "d": "tn"}  # the paper's letters

# Told apart by hatches too.
_POSITIVE: dict[str, Any] = {"facecolor": "#16761c", "alpha": 0.32, "hatch": "////"}
_CALLED: dict[str, Any] = {"facecolor": "#1f4fd8", "alpha": 0.22, "hatch": "...."}
_NARROW = 0.17  # a region of this width does not hold its label


@dataclass(eq=False, repr=False)
class VennDisplay(LabelsDisplay):
    """What is positive, what is called positive, and what is both, as areas to scale.

    If the positives are the minority, PA is (b - a) / (b + c): above 0 only if more cases called positive are right (b)
    than wrong (a). Use `from_estimator` or `from_predictions` to make one, or give a table.

    Parameters
    ----------
    tp, fp, fn, tn : float
        Counts or shares, finite, 0 or greater and not all 0, else a ValueError: b, a, c and d of the paper.
    name : str, optional
        Title of the plot.

    Attributes
    ----------
    labels_, ax_, figure_
        What matplotlib drew; the labels by the letters of their regions.

    Notes
    -----
    PA paper, Section 4 and Figure 2. The rectangle holds all cases, the left shape the cases called positive, the right
    one the positives. Bars take the place of circles that do not fit into the rectangle with their overlap.

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
            As in `nontrivial.measures.p4_score`, with its errors; one class only is a ValueError, too.
        name, ax : str and matplotlib axes, optional
            Title of the plot, and where to draw; by default on new axes.
        """
        positive, predicted, weights = binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        tn, fp, fn, tp = np.bincount(2 * positive + predicted, weights=weights, minlength=4)
        return cls(tp, fp, fn, tn, name=name).plot(ax)

    def plot(self, ax: Axes | None = None, *, legend: bool = True) -> Self:
        """Draw the diagram on `ax` or new axes, with a legend below it unless `legend` is False; return the display."""
        ax = self._take_axes(ax)
        from matplotlib.patches import Rectangle  # here, so that importing a display is fast

        venn = self._layout
        frame: dict[str, Any] = {"facecolor": "white", "edgecolor": "0.2", "linewidth": 0.9}
        ax.add_patch(Rectangle((0, 0), venn.width, venn.height, **frame))
        for place, look in ((venn.positive, _POSITIVE), (venn.called, _CALLED)):
            color = look["facecolor"]
            # The hatch takes the edge's colour and alpha; the outline is drawn again, solid.
            ax.add_patch(_shape(venn, *place, edgecolor=color, linewidth=0, **look))
            ax.add_patch(_shape(venn, *place, fill=False, edgecolor=color, linewidth=1.4))
        self._draw_labels()
        ax.set(xlim=(-0.01, venn.width + 0.01), ylim=(-0.01, venn.height + 0.01), aspect="equal")
        ax.set_axis_off()
        if self.name is not None:
            ax.set_title(self.name)
        if legend:
            handles = self.legend_handles()
            ax.legend(handles=handles, loc="upper center", bbox_to_anchor=(0.5, 0), frameon=False)
        return self

    @staticmethod
    def legend_handles() -> list[Patch]:
        """Return what stands for the two shapes in a legend, for a figure of several diagrams."""
        from matplotlib.patches import Patch

        return [
            Patch(edgecolor=_CALLED["facecolor"], **_CALLED, label="a + b: the classifier says positive"),
            Patch(edgecolor=_POSITIVE["facecolor"], **_POSITIVE, label="b + c: the label is positive"),
        ]

    def _draw_labels(self) -> None:
        venn, total = self._layout, self.tp + self.fp + self.fn + self.tn
        (called, called_end), (positive, positive_end) = venn.called, venn.positive
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "zorder": 5}
        look["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.2}
        line: dict[str, Any] = {"arrowstyle": "-", "color": "0.2", "linewidth": 0.7}
        places = {  # both ends of a region, and the place of a label that it is too narrow for
            "a": (called, min(positive, called_end), (0.14, 0.9)),
            "b": (max(called, positive), min(called_end, positive_end), (0.5, 0.9)),
            "c": (max(called_end, positive), positive_end, (0.86, 0.9)),
            "d": (positive_end, venn.width, (0.86, 0.1)),
        }
        self.labels_ = {}
        for region, (start, end, (x, y)) in places.items():
            text = f"{region}\n{100 * getattr(self, REGIONS[region]) / total:.1f} %"
            inside, outside = ((start + end) / 2, venn.height / 2), (x * venn.width, y * venn.height)
            if region == "d" and venn.are_circles:  # it lies all around them
                self.labels_[region] = self.ax_.text(0.1 * venn.width, 0.1 * venn.height, text, **look)
            elif end - start >= _NARROW:
                self.labels_[region] = self.ax_.text(*inside, text, **look)
            else:
                self.labels_[region] = self.ax_.annotate(text, inside, outside, arrowprops=line, **look)


def _shape(venn: Venn, left: float, right: float, **options: Any) -> Patch:
    from matplotlib.patches import Circle, Rectangle

    if venn.are_circles:
        return Circle(((left + right) / 2, venn.height / 2), (right - left) / 2, **options)
    return Rectangle((left, 0), right - left, venn.height, **options)


_ZERO = "no-advantage"  # a mark by which the displays on the same axes are counted
_PAPER_MEASURES = ("accuracy", "balanced_accuracy", "f_beta", "cohen_kappa", "prediction_advantage")


@dataclass(eq=False, repr=False)
class MeasureImbalanceDisplay(LabelsDisplay):
    """Measures of one rule as the share of positives changes while its two error rates stay.

    The plot shows at which shares a measure praises a rule that is worse than the trivial prediction. Use
    `from_estimator` or `from_predictions` to make one.

    Parameters
    ----------
    positive_share : ndarray of shape (n_shares,)
        In [0, 1].
    measures : DataFrame of shape (n_shares, n_measures)
        Named as `nontrivial.measures.confusion_measures` names them.
    observed_share : float, optional
        Share of positives in the data, marked by a line.
    name, pos_label : optional
        For the legend and the axis.

    Attributes
    ----------
    lines_, ax_, figure_
        What matplotlib drew; the lines by the names of their measures.

    Notes
    -----
    PA paper, Section 4. The error rates stay the same if only the numbers of cases change in each class.

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
        y_true, y_pred, pos_label, sample_weight, name, ax
            As in `VennDisplay.from_predictions`, with its errors; the name goes into the legend.
        measures : sequence of str
            Columns of `nontrivial.measures.confusion_measures`, others are a ValueError; by default the five of the PA
            paper's Figure 1.
        shares : array-like, optional
            Shares of positives, in [0, 1], others are a ValueError; by default 0.01, 0.02, ... 0.99.
        """
        positive, predicted, weights = binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        weights = np.ones(len(positive)) if weights is None else weights
        recall = np.average(predicted[positive], weights=weights[positive])
        fall_out = np.average(predicted[~positive], weights=weights[~positive])
        share = np.arange(1, 100) / 100 if shares is None else as_real(shares, "shares")
        table = confusion_measures(
            share * recall, (1 - share) * fall_out, share * (1 - recall), (1 - share) * (1 - fall_out)
        )
        measures = list(map(canonical_name, measures))
        for measure in measures:
            check_choice(measure, "measures", table.columns)
        observed = float(weights[positive].sum() / weights.sum())
        display = cls(share, table[measures], observed_share=observed, name=name, pos_label=pos_label)
        return display.plot(ax)

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the measures on `ax` or new axes, each model paler than the one before; return the display."""
        ax = self._take_axes(ax)
        from nontrivial.figure_style import (
            MEASURE_LOOKS,
            MeasureLook,
        )  # here, so that importing a display is fast

        earlier = sum(line.get_gid() == _ZERO for line in ax.lines)
        model = self.name or (f"model {earlier + 1}" if earlier else "")
        ax.axhline(0, color="0.6", linewidth=0.8, zorder=1, visible=not earlier, gid=_ZERO)
        if self.observed_share is not None and not earlier:
            ax.axvline(self.observed_share, color="0.6", linewidth=0.8, linestyle=":", zorder=1)
            beside: dict[str, Any] = {"xytext": (3, 0), "textcoords": "offset points"}
            place, of_axes = (self.observed_share, 0.02), ("data", "axes fraction")
            ax.annotate("these cases", place, xycoords=of_axes, color="0.4", fontsize="small", **beside)
        self.lines_ = {}
        for measure in self.measures.columns.astype(str):
            look = MEASURE_LOOKS.get(
                measure, MeasureLook(measure.replace("_", " ").capitalize(), None, (), "")
            )
            (self.lines_[measure],) = ax.plot(
                self.positive_share,
                self.measures[measure],
                label=f"{look.name}, {model}" if model else look.name,
                **look.line_options() | {"marker": ""},
                alpha=0.5**earlier,
            )
        xlabel = "Share of positives" + of_positive(self.pos_label)
        ax.set(xlim=(0, 1), ylim=(-0.55, 1.02), xlabel=xlabel, ylabel="Value of the measure")
        # Only a figure that arranges what it holds makes room beside the axes.
        if ax.figure.get_layout_engine() is not None:
            ax.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False)
        else:
            ax.legend(loc="best", fontsize="small")
        return self
