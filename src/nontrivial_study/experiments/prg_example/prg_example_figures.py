"""Figures 1 to 3 of the PRG paper: the running example as ROC, precision-recall and PRG curves."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patheffects import withStroke

from nontrivial._arrays import Floats
from nontrivial.displays.precision_recall import HyperbolicPrecisionRecallDisplay, PrecisionRecallGainDisplay
from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial_study.tables import rows_with

SIDE = 215.0  # points, about, of square axes of which two share a page's width
SIZE = 7.5  # of the letters, in points
_GAP = 3.5  # points between a segment and its value
_ROOM = 1.5  # points around a value that stay free
# Along a segment, its middle first.
_PLACES = sorted(np.linspace(0.1, 0.9, 33), key=lambda place: abs(place - 0.5))


def label_segments(axes: Axes, hull: Floats, values: Floats, dots: Floats, color: str) -> None:
    """Write each segment's value beside it, as near its middle as there is room."""
    ends = _from_zero(hull) * SIDE
    taken = [dots * SIDE, *(np.linspace(one, other, 100) for one, other in pairwise(ends))]
    for one, other, value in zip(ends[:-1], ends[1:], values, strict=True):
        text = f"{value:.2g}"
        half = SIZE * np.array([0.32 * len(text), 0.4])
        places = [place for share in _PLACES for place in _beside(one, other, share, half)]
        covered = [_covered(place, half + _ROOM, np.vstack(taken)) for place in places]
        middle = places[int(np.argmin(covered))]
        taken.append(middle + half * (np.indices((9, 9)).reshape(2, -1).T / 4 - 1))
        look: dict[str, Any] = {"color": color, "fontsize": SIZE, "ha": "center", "va": "center", "zorder": 5}
        x, y = middle / SIDE
        axes.text(x, y, text, path_effects=[withStroke(linewidth=2, foreground="white")], **look)


def _from_zero(hull: Floats) -> Floats:
    """Cut off what of a hull that runs to the right is left of 0."""
    first = np.interp(0, *hull.T)
    return np.vstack([[[0, first]], hull[hull[:, 0] > 0]]) if hull[0, 0] < 0 else hull


def _beside(one: Floats, other: Floats, share: float, half: Floats) -> list[Floats]:
    """Return the middles of two boxes that stand at the two sides of a segment, the right one first."""
    along = (other - one) / np.hypot(*(other - one))
    across = np.array([abs(along[1]), -along[0] * np.sign(along[1] or 1)])
    place = one + share * (other - one)
    return [place + side * (_GAP + np.abs(across) @ half) * across for side in (1, -1)]


def _covered(middle: Floats, half: Floats, taken: Floats) -> int:
    """Count what a box covers; left of the axes and below them nothing may stand."""
    return int((np.abs(taken - middle) < half).all(axis=1).sum()) + 1000 * int((middle < half).any())


CURVE: dict[str, Any] = {"color": "#0b5394", "linewidth": 2.2}
NON_DOMINATED: dict[str, Any] = {"color": "#b3261e", "linestyle": "none", "marker": "o", "markersize": 4.5}
NON_DOMINATED |= {"zorder": 4, "clip_on": False}
HULL: dict[str, Any] = {"color": "#b3261e", "linestyle": (0, (1.2, 1.2)), "linewidth": 1.1, "zorder": 4}
CORNERS: dict[str, Any] = HULL | {"marker": "o", "markersize": 3.5}
GRID: dict[str, Any] = {"color": "#16761c", "linestyle": "none", "marker": ".", "markersize": 2.6}
BASELINE: dict[str, Any] = {"color": "0.35", "linewidth": 1.0}
ISOMETRIC: dict[str, Any] = {"color": "0.6", "linewidth": 0.8, "linestyle": ":"}


def plot_points(table: pd.DataFrame, example: pd.DataFrame) -> Figure:
    """Draw the ROC and the precision-recall curve with the points that no other dominates (Figure 1)."""
    with house_style():
        figure, (roc, pr) = _panels(example)
        _draw_roc(roc, table)
        x, y, _ = _points(table, "roc", "hull")
        roc.plot(x, y, **HULL)
        _draw_pr(pr, table, plot_baseline=False, plot_isometrics=False)
        for axes, panel in ((roc, "roc"), (pr, "pr")):
            axes.plot(*_points(table, panel, "non-dominated")[:2], **NON_DOMINATED)
        _legend(
            figure,
            ("curve", CURVE),
            ("point that no other dominates", NON_DOMINATED),
            ("convex hull of the ROC curve", HULL),
        )
    return figure


def plot_isometrics(table: pd.DataFrame, example: pd.DataFrame) -> Figure:
    """Draw the precision-recall and the PRG curve with lines of equal F1 (Figure 2)."""
    with house_style():
        figure, (pr, prg) = _panels(example)
        _draw_pr(pr, table)
        pr.plot(*_points(table, "pr", "non-dominated")[:2], **NON_DOMINATED)
        _draw_prg(prg, table)
        x, y, _ = _points(table, "prg", "hull")
        prg.plot(x[x >= 0], y[x >= 0], **NON_DOMINATED)
        *_, (f1,) = _points(table, "pr", "always positive")
        _legend(
            figure,
            ("curve", CURVE),
            ("point that no other dominates", NON_DOMINATED),
            (f"as good as all positive: F1 = {f1:.3f}, F1 gain = 1/2", BASELINE),
            ("equal F1 (left), equal F1 gain (right)", ISOMETRIC),
        )
    return figure


def plot_calibration(table: pd.DataFrame, example: pd.DataFrame) -> Figure:
    """Draw the ROC and the PRG curve with the calibrated score of each segment of their hulls (Figure 3)."""
    with house_style():
        figure, (roc, prg) = _panels(example)
        _draw_roc(roc, table)
        _draw_prg(prg, table, plot_baseline=False, plot_isometrics=False)
        for axes, panel in ((roc, "roc"), (prg, "prg")):
            *hull, values = _points(table, panel, "hull")
            grid = _points(table, panel, "grid")[:2]
            axes.plot(*hull, **CORNERS)
            axes.plot(*grid, **GRID)
            label_segments(axes, np.column_stack(hull), values[:-1], np.column_stack(grid), HULL["color"])
        _legend(
            figure,
            ("curve", CURVE),
            ("convex hull with c (left) and d (right)", CORNERS),
            ("regular grid of the other plot", GRID),
        )
    return figure


def _panels(example: pd.DataFrame) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(TEXT_WIDTH, 4.1), layout="constrained")
    positives, negatives = example[["positives", "negatives"]].sum()
    size = f"{positives} positives and {negatives} negatives"
    title = f"Running example, reconstructed from the labels of Figure 3 as {size}"
    figure.suptitle(title, x=0.01, ha="left")
    return figure, list(figure.subplots(1, 2))


def _points(table: pd.DataFrame, panel: str, part: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    chosen = rows_with(table, panel=panel, part=part)
    return chosen["x"].to_numpy(), chosen["y"].to_numpy(), chosen["value"].to_numpy()


def _draw_roc(axes: Axes, table: pd.DataFrame) -> None:
    x, y, _ = _points(table, "roc", "curve")
    axes.plot([0, 1], [0, 1], color="0.6", linewidth=0.8)
    axes.plot(x, y, **CURVE)
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    axes.set(xlabel="False positive rate", ylabel="True positive rate")


def _draw_pr(axes: Axes, table: pd.DataFrame, **options: bool) -> None:
    x, y, _ = _points(table, "pr", "curve")
    _, baseline, _ = _points(table, "pr", "always positive")
    prevalence = float(baseline[0]) if len(baseline) else None
    display = HyperbolicPrecisionRecallDisplay(y, x, prevalence=prevalence)
    _draw_without_legend(display, axes, options)


def _draw_prg(axes: Axes, table: pd.DataFrame, **options: bool) -> None:
    x, y, _ = _points(table, "prg", "curve")
    _draw_without_legend(PrecisionRecallGainDisplay(y, x), axes, options)


def _draw_without_legend(
    display: HyperbolicPrecisionRecallDisplay | PrecisionRecallGainDisplay,
    axes: Axes,
    options: Mapping[str, Any],
) -> None:
    """Draw a display whose legend is the figure's."""
    display.plot(axes, curve_kwargs=CURVE, **options)
    if legend := axes.get_legend():
        legend.remove()
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))


def _legend(figure: Figure, *entries: tuple[str, dict[str, Any]]) -> None:
    handles = [Line2D([], [], label=label, **look) for label, look in entries]
    figure.legend(handles=handles, loc="outside lower center", ncols=2 if len(handles) > 3 else len(handles))
