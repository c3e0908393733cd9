"""The plot of a confusion table as the PA paper's Venn diagram, every area to scale."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._validation import binary_truth_and_predictions
from nontrivial.displays._base import LabelsDisplay, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch


# The geometry of a Venn diagram of two sets whose every area is to scale.

_MARGIN = 1.06


@dataclass(frozen=True)
class Venn:
    """The two sets of a confusion table as shapes of true size in a rectangle of area 1."""

    width: float  # of the rectangle
    height: float
    are_circles: bool  # or bars as high as the rectangle, where circles of this size do not fit into it
    called: tuple[float, float]  # left and right end
    positive: tuple[float, float]


def lens_area(first: float, second: float, distance: float) -> float:
    """Return the area that two circles of these radii, whose centres are so far apart, have in common."""
    if distance >= first + second:
        return 0.0
    if distance <= abs(first - second):
        return float(np.pi * min(first, second) ** 2)
    to_chord = (distance**2 + first**2 - second**2) / (2 * distance)
    return float(_segment(first, to_chord) + _segment(second, distance - to_chord))


def _segment(radius: float, to_chord: float) -> float:
    """Return the area that a chord cuts off a circle; the centre may lie on either side."""
    cosine = np.clip(to_chord / radius, -1, 1)
    return float(radius**2 * (np.arccos(cosine) - cosine * np.sqrt(1 - cosine**2)))


def lay_out(tp: float, fp: float, fn: float, tn: float) -> Venn:
    """Find shapes whose areas are the shares of a confusion table."""
    cells = np.array([tp, fp, fn, tn], dtype=np.float64)
    if not (np.isfinite(cells).all() and (cells >= 0).all() and cells.sum() > 0):
        raise ValueError("A Venn diagram needs four counts that are finite, 0 or greater, and not all 0.")
    tp, fp, fn, tn = cells / cells.sum()
    called, positive = np.sqrt((tp + fp) / np.pi), np.sqrt((tp + fn) / np.pi)
    apart, inside = called + positive, abs(called - positive)
    if tp == 0:
        distance = apart
    elif min(fp, fn) == 0 or lens_area(called, positive, inside) <= tp:  # inside, but for rounding
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
    if across > 0:  # not if both sets are empty
        height = min(height, 1 / (across * _MARGIN))
    width = 1 / height
    start = (width - across) / 2 - left
    end = start + distance
    return Venn(width, height, True, (start - called, start + called), (end - positive, end + positive))


REGIONS = {"a": "fp", "b": "tp", "c": "fn", "d": "tn"}  # the paper's letters

# Told apart by hatches too.
_POSITIVE: dict[str, Any] = {"facecolor": "#16761c", "alpha": 0.32, "hatch": "////"}
_CALLED: dict[str, Any] = {"facecolor": "#1f4fd8", "alpha": 0.22, "hatch": "...."}
_NARROW = 0.17  # of the unit rectangle: a region that does not hold its label


@dataclass(eq=False, repr=False)
class VennDisplay(LabelsDisplay):
    """What is positive, what is called positive, and what is both, as areas to scale.

    Where the positives are the minority, PA is (b - a) / (b + c): it is above 0 only if more of what is called
    positive is right (b) than wrong (a). Use `from_estimator` or `from_predictions` to make one, or give a table.

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
    PA paper, Section 4 and Figure 2. The rectangle holds all cases, the left shape those called positive, the right
    one those that are. Where two circles of that size cannot lie in the rectangle with the overlap they need, bars
    take their place.

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
        """Count the cases from labels and predicted labels, and draw them.

        Parameters
        ----------
        y_true, y_pred : array-like of shape (n,)
            Two labels: numbers, booleans or strings.
        pos_label : label, optional
            The positive class; by default the greater label. Strings have no default.
        sample_weight : array-like of shape (n,), optional
            0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.
        name : str, optional
            Title of the plot.
        ax : matplotlib axes, optional
            Where to draw; by default new axes.

        Returns
        -------
        VennDisplay

        Raises
        ------
        ValueError
            If the lengths differ or one class is missing.
        """
        positive, predicted, weights = binary_truth_and_predictions(
            y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
        )
        tn, fp, fn, tp = np.bincount(2 * positive + predicted, weights=weights, minlength=4)
        return cls(tp, fp, fn, tn, name=name).plot(ax)

    def plot(self, ax: Axes | None = None, *, legend: bool = True) -> Self:
        """Draw the diagram on `ax` or new axes, with a legend below it unless `legend` is False; return the display."""
        ax = new_axes() if ax is None else ax
        from matplotlib.patches import Rectangle  # here, so that importing a display is fast

        self.ax_, self.figure_ = ax, ax.figure
        venn = self._layout
        ax.add_patch(
            Rectangle((0, 0), venn.width, venn.height, facecolor="white", edgecolor="0.2", linewidth=0.9)
        )
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
            ax.legend(
                handles=self.legend_handles(), loc="upper center", bbox_to_anchor=(0.5, 0), frameon=False
            )
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
        total = self.tp + self.fp + self.fn + self.tn
        look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 8, "zorder": 5}
        look["bbox"] = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.2}
        line: dict[str, Any] = {"arrowstyle": "-", "color": "0.2", "linewidth": 0.7}
        self.labels_ = {}
        for region, (place, outside) in _label_places(self._layout).items():
            text = f"{region}\n{100 * getattr(self, REGIONS[region]) / total:.1f} %"
            self.labels_[region] = (
                self.ax_.text(*place, text, **look)
                if outside is None
                else self.ax_.annotate(text, place, outside, arrowprops=line, **look)
            )


def _shape(venn: Venn, left: float, right: float, **options: Any) -> Patch:
    from matplotlib.patches import Circle, Rectangle

    if venn.are_circles:
        return Circle(((left + right) / 2, venn.height / 2), (right - left) / 2, **options)
    return Rectangle((left, 0), right - left, venn.height, **options)


def _label_places(venn: Venn) -> dict[str, tuple[tuple[float, float], tuple[float, float] | None]]:
    """Return where each region's label points to, and where it stands if the region is too narrow for it."""
    (called, called_end), (positive, positive_end) = venn.called, venn.positive
    middle = venn.height / 2

    def place(start: float, end: float, beside: tuple[float, float]) -> Any:
        is_wide = end - start >= _NARROW
        return ((start + end) / 2, middle), None if is_wide else (
            beside[0] * venn.width,
            beside[1] * venn.height,
        )

    return {
        "a": place(called, min(positive, called_end), (0.14, 0.9)),
        "b": place(max(called, positive), min(called_end, positive_end), (0.5, 0.9)),
        "c": place(max(called_end, positive), positive_end, (0.86, 0.9)),
        "d": ((0.1 * venn.width, 0.1 * venn.height), None)
        if venn.are_circles
        else place(positive_end, venn.width, (0.86, 0.1)),
    }
