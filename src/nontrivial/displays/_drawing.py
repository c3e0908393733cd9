"""How one curve or many are drawn, with what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial.terminal import naming_extras

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D
    from matplotlib.typing import LegendLocType

T = TypeVar("T")

CURVE = "#0b5394"
# One display after the other on the same axes; told apart by the colour-blind too (Okabe and Ito 2008).
CURVES = (CURVE, "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
HULL = "#b3261e"
QUIET = "0.72"
_CORNERS: dict[LegendLocType, tuple[int, int]] = {
    "lower left": (0, 0),
    "upper right": (1, 1),
    "upper left": (0, 1),
}
_BEHIND_CURVES = 2.5
_SAMPLES = 2000  # of a curve, when its distance from something is measured
_COARSE = 10  # one of so many samples is enough to find room for a number
_LABEL = 0.045  # of an axis from 0 to 1, which a number of two digits takes


class CurvePlot:
    """The axes of a display of curves, and what is drawn on them."""

    _area_name: ClassVar[str]
    name: str | Sequence[str] | None
    pos_label: Any

    def _start(self, ax: Axes | None, title_x: str, title_y: str) -> None:
        """Take the axes and name them."""
        self.ax_ = new_axes() if ax is None else ax
        self.figure_ = self.ax_.figure
        of = "" if self.pos_label is None else f" (positive label: {self.pos_label})"
        self.ax_.set(xlabel=title_x + of, ylabel=title_y + of)

    def _draw_isometrics(
        self,
        lines: Sequence[tuple[Floats, Floats]],
        values: Sequence[float],
        x: Sequence[Floats],
        y: Sequence[Floats],
    ) -> list[Line2D]:
        """Draw lines of equal value with their values, where these do not lie under the curves."""
        sampled = [_sampled(np.column_stack(curve)) for curve in zip(x, y, strict=True)]
        curves = np.concatenate([points[:: max(len(points) // _SAMPLES, 1) * _COARSE] for points in sampled])
        drawn = []
        for line, value in zip(lines, values, strict=True):
            before = len(self.ax_.lines)
            drawn.append(self._draw_once(*line, color=QUIET, linewidth=0.7, linestyle=":", zorder=1))
            if len(self.ax_.lines) > before:
                self._mark_isometric(drawn[-1], value, curves)
        return drawn

    def _draw_once(self, x: ArrayLike, y: ArrayLike, **look: Any) -> Line2D:
        """Draw a line, unless these axes have one with the same label or, without a label, the same points.

        Points may differ by the rounding of sums of weights.
        """
        points = np.column_stack([x, y])
        for line in self.ax_.lines:
            drawn = np.asarray(line.get_xydata())
            if "label" in look:
                is_drawn = line.get_label() == look["label"]
            else:
                is_drawn = drawn.shape == points.shape and np.allclose(
                    drawn, points, rtol=1e-9, equal_nan=True
                )
            if is_drawn and line.get_zorder() == look["zorder"]:
                return line
        return self.ax_.plot(x, y, **look)[0]

    def _mark_isometric(self, line: Line2D, value: float, curves: Floats) -> None:
        """Write the value of an isometric on it, as near as the curves leave room to where it crosses the diagonal.

        That is at the value itself.
        """
        places = _sampled(np.asarray(line.get_xydata()))[::_COARSE]
        places = places[(np.abs(places - 0.5) < 0.5 - _LABEL / 2).all(axis=1)]
        order = np.argsort(np.abs(places - value).max(axis=1), kind="stable")
        places = np.vstack([[value, value], places[order]])
        room = [np.abs(curves - place).max(axis=1).min(initial=1.0) for place in places]
        x, y = places[np.argmax(np.minimum(room, _LABEL))]
        self.ax_.text(
            x,
            y,
            f"{value:.1f}",
            color="0.5",
            fontsize="x-small",
            ha="center",
            va="center",
            bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.6},
            zorder=2.2,  # over the baseline, under the curves
        )

    def _draw_curves(
        self,
        x: Sequence[Floats],
        y: Sequence[Floats],
        area: float | list[float] | None,
        name: str | Sequence[str] | None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None,
    ) -> None:
        """Draw each curve; several share one entry of the legend unless each has its own name or look."""
        from matplotlib.cbook import normalize_kwargs
        from matplotlib.lines import Line2D

        name = self.name if name is None else name
        areas = [] if area is None else several(area)
        texts: Sequence[str | None] = [f"{each:.3f}" for each in areas] or [None] * len(x)
        are_several = len(x) > 1
        names: Sequence[str | None] = [name] * len(x) if name is None or isinstance(name, str) else name
        looks: Sequence[Mapping[str, Any]]
        if curve_kwargs is None or isinstance(curve_kwargs, Mapping):
            looks = [curve_kwargs or {}] * len(x)
        else:
            looks = curve_kwargs
        own = are_several and (names is name or looks is curve_kwargs)
        if not len(looks) == len(names) == len(texts) == len(x):
            raise ValueError(
                f"There are {len(x)} curves; lists of areas, names and curve_kwargs must have as many entries."
            )
        if own or not are_several:
            labels = list(map(self._label, names, texts))
        else:
            labels = [self._label(names[0], _spread(areas)), *["_nolegend_"] * (len(x) - 1)]
        basic: dict[str, Any] = {"linewidth": 1.0, "alpha": 0.6} if are_several else {"linewidth": 1.8}
        if not own:
            taken = {line.get_color() for line in self.ax_.lines}
            basic["color"] = next((color for color in CURVES if color not in taken), None)
        full = [normalize_kwargs(dict(look), Line2D) for look in looks]
        lines = [
            self.ax_.plot(*curve, **{"label": label, "zorder": 3, **basic, **look})[0]
            for *curve, label, look in zip(x, y, labels, full, strict=True)
        ]
        self.line_ = lines if are_several else lines[0]

    def _place_legend(self, loc: LegendLocType | None = None) -> None:
        """Put the legend where it is told, or into the corner that all curves keep farthest from; never over them.

        Where nothing has a name, there is no legend.
        """
        if not self.ax_.get_legend_handles_labels()[0]:
            return
        if loc is None:
            frame = self.ax_.transLimits
            drawn = [line for line in self.ax_.lines if line.get_zorder() > _BEHIND_CURVES]
            curves = np.concatenate(
                [
                    frame.transform(_sampled(np.asarray(line.get_xydata())))
                    for line in drawn or several(self.line_)
                ]
            )
            loc, _ = max(
                _CORNERS.items(), key=lambda item: np.abs(curves - item[1]).max(axis=1).min(initial=1.0)
            )
        legend = self.ax_.legend(loc=loc, fontsize="small", frameon=True, framealpha=1)
        legend.set_zorder(_BEHIND_CURVES)

    def _label(self, name: str | None, area: str | None) -> str:
        area = f"{self._area_name} = {area}" if area else None
        return f"{name} ({area})" if name and area else name or area or "_nolegend_"


def _spread(areas: Sequence[float]) -> str | None:
    """Return mean and standard deviation of the areas of several curves, and how many of them are defined."""
    defined = [area for area in areas if not np.isnan(area)]
    if not defined:
        return "nan" if areas else None
    some = "" if len(defined) == len(areas) else f", {len(defined)} of {len(areas)} curves"
    return f"{np.mean(defined):.3f} \u00b1 {np.std(defined):.3f}{some}"


def _sampled(points: Floats) -> Floats:
    """Return points along a polyline, its corners among them, close enough to see where it passes."""
    if len(points) == 0 or np.isnan(points).any():  # the curve of cases of one class
        return points[:0]
    between = max(_SAMPLES // len(points), 1)
    place = np.arange((len(points) - 1) * between + 1) / between
    return np.column_stack([np.interp(place, np.arange(len(points)), column) for column in points.T])


def new_axes() -> Axes:
    """Return the axes of a new figure, which makes room for what lies beside them."""
    with naming_extras():
        import matplotlib.pyplot as plt  # here, so that importing a display is fast

    return plt.subplots(layout="constrained")[1]


def several(arrays: T | list[T]) -> list[T]:
    """Return a list of curves from one curve or a list of them."""
    return arrays if isinstance(arrays, list) else [arrays]


def paired(x: Floats | list[Floats], y: Floats | list[Floats]) -> tuple[list[Floats], list[Floats]]:
    """Return the coordinates of all curves, from those of one curve or lists of them.

    Raises
    ------
    ValueError
        If the two arrays of a curve differ in length.
    """
    of_x, of_y = several(x), several(y)
    lengths = list(map(len, of_x)), list(map(len, of_y))
    if lengths[0] != lengths[1]:
        raise ValueError(
            f"The curves have {lengths[0]} x and {lengths[1]} y coordinates; each curve must have as many of both."
        )
    return of_x, of_y
