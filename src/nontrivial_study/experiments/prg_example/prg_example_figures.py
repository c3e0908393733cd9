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
from nontrivial.displays._base import CurveDisplay
from nontrivial.displays.curves import HyperbolicPrecisionRecallDisplay, PrecisionRecallGainDisplay
from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial_study.tables import rows_with

AXES_SIDE = 215.0  # points, about; two such axes share a page's width
LETTER_SIZE = 7.5  # points
_LABEL_GAP = 3.5  # points between a segment and its label
_PADDING = 1.5  # points around a label that stay free
# The shares of a segment at which its label is tried, the middle first.
_SHARES = sorted(np.linspace(0.1, 0.9, 33), key=lambda share: abs(share - 0.5))


def label_segments(axes: Axes, hull: Floats, values: Floats, dots: Floats, color: str) -> None:
    """Write each segment's value beside it, as near its middle as other things leave room."""
    ends = _cut_left_of_zero(hull) * AXES_SIDE
    obstacles = [dots * AXES_SIDE, *(np.linspace(start, end, 100) for start, end in pairwise(ends))]
    for start, end, value in zip(ends[:-1], ends[1:], values, strict=True):
        text = f"{value:.2g}"
        half_size = LETTER_SIZE * np.array([0.32 * len(text), 0.4])
        centers = [center for share in _SHARES for center in _centers_beside(start, end, share, half_size)]
        covered = [_count_covered(center, half_size + _PADDING, np.vstack(obstacles)) for center in centers]
        center = centers[int(np.argmin(covered))]
        obstacles.append(center + half_size * (np.indices((9, 9)).reshape(2, -1).T / 4 - 1))
        x, y = center / AXES_SIDE
        axes.text(
            x, y, text, color=color, fontsize=LETTER_SIZE, ha="center", va="center", zorder=5,
            path_effects=[withStroke(linewidth=2, foreground="white")],
        )  # fmt: skip


def _cut_left_of_zero(hull: Floats) -> Floats:
    """Cut off the part of a hull left of 0."""
    height_at_zero = np.interp(0, *hull.T)
    return np.vstack([[[0, height_at_zero]], hull[hull[:, 0] > 0]]) if hull[0, 0] < 0 else hull


def _centers_beside(start: Floats, end: Floats, share: float, half_size: Floats) -> list[Floats]:
    """Return the centers of a box on the right and on the left of a segment, at a share of its length."""
    direction = (end - start) / np.hypot(*(end - start))
    to_right = np.array([abs(direction[1]), -direction[0] * np.sign(direction[1] or 1)])
    offset = (_LABEL_GAP + np.abs(to_right) @ half_size) * to_right
    return [start + share * (end - start) + offset, start + share * (end - start) - offset]


def _count_covered(center: Floats, half_size: Floats, obstacles: Floats) -> int:
    """Count the points that a box covers; a box that leaves the axes counts as 1000 more."""
    n_covered = (np.abs(obstacles - center) < half_size).all(axis=1).sum()
    return int(n_covered) + 1000 * int((center < half_size).any())


CURVE_LOOK: dict[str, Any] = {"color": "#0b5394", "linewidth": 2.2}
POINT_LOOK: dict[str, Any] = {"color": "#b3261e", "linestyle": "none", "marker": "o", "markersize": 4.5}
POINT_LOOK |= {"zorder": 4, "clip_on": False}
HULL_LOOK: dict[str, Any] = {"color": "#b3261e", "linestyle": (0, (1.2, 1.2)), "linewidth": 1.1, "zorder": 4}
VERTEX_LOOK: dict[str, Any] = HULL_LOOK | {"marker": "o", "markersize": 3.5}
GRID_LOOK: dict[str, Any] = {"color": "#16761c", "linestyle": "none", "marker": ".", "markersize": 2.6}
BASELINE_LOOK: dict[str, Any] = {"color": "0.35", "linewidth": 1.0}
ISOMETRIC_LOOK: dict[str, Any] = {"color": "0.6", "linewidth": 0.8, "linestyle": ":"}


def plot_points(table: pd.DataFrame, example: pd.DataFrame) -> Figure:
    """Draw the ROC and the precision-recall curve with the points that no other dominates (Figure 1)."""
    looks = {
        "curve": CURVE_LOOK,
        "point that no other dominates": POINT_LOOK,
        "convex hull of the ROC curve": HULL_LOOK,
    }
    with house_style():
        figure, (roc, pr) = _create_panels(example)
        _draw_roc(roc, table)
        hull = rows_with(table, panel="roc", part="hull")
        roc.plot(hull["x"], hull["y"], **HULL_LOOK)
        _draw_pr(pr, table, plot_baseline=False, plot_isometrics=False)
        for axes, panel in ((roc, "roc"), (pr, "pr")):
            points = rows_with(table, panel=panel, part="non-dominated")
            axes.plot(points["x"], points["y"], **POINT_LOOK)
        _draw_legend(figure, looks)
    return figure


def plot_isometrics(table: pd.DataFrame, example: pd.DataFrame) -> Figure:
    """Draw the precision-recall and the PRG curve with lines of equal F1 (Figure 2)."""
    f1 = rows_with(table, panel="pr", part="always positive")["value"].item()
    looks = {
        "curve": CURVE_LOOK,
        "point that no other dominates": POINT_LOOK,
        f"as good as all positive: F1 = {f1:.3f}, F1 gain = 1/2": BASELINE_LOOK,
        "equal F1 (left), equal F1 gain (right)": ISOMETRIC_LOOK,
    }
    with house_style():
        figure, (pr, prg) = _create_panels(example)
        _draw_pr(pr, table)
        points = rows_with(table, panel="pr", part="non-dominated")
        pr.plot(points["x"], points["y"], **POINT_LOOK)
        _draw_prg(prg, table)
        hull = rows_with(table, panel="prg", part="hull")
        hull = hull[hull["x"] >= 0]
        prg.plot(hull["x"], hull["y"], **POINT_LOOK)
        _draw_legend(figure, looks)
    return figure


def plot_calibration(table: pd.DataFrame, example: pd.DataFrame) -> Figure:
    """Draw the ROC and the PRG curve with the calibrated score of each segment of their hulls (Figure 3)."""
    looks = {
        "curve": CURVE_LOOK,
        "convex hull with c (left) and d (right)": VERTEX_LOOK,
        "regular grid of the other plot": GRID_LOOK,
    }
    with house_style():
        figure, (roc, prg) = _create_panels(example)
        _draw_roc(roc, table)
        _draw_prg(prg, table, plot_baseline=False, plot_isometrics=False)
        for axes, panel in ((roc, "roc"), (prg, "prg")):
            hull, grid = (rows_with(table, panel=panel, part=part) for part in ("hull", "grid"))
            axes.plot(hull["x"], hull["y"], **VERTEX_LOOK)
            axes.plot(grid["x"], grid["y"], **GRID_LOOK)
            scores = hull["value"].to_numpy()[:-1]
            vertices, dots = (rows[["x", "y"]].to_numpy() for rows in (hull, grid))
            label_segments(axes, vertices, scores, dots, HULL_LOOK["color"])
        _draw_legend(figure, looks)
    return figure


def _create_panels(example: pd.DataFrame) -> tuple[Figure, list[Axes]]:
    """Create a figure with two empty panels, and the size of the example in its title."""
    figure = Figure(figsize=(TEXT_WIDTH, 4.1), layout="constrained")
    positives, negatives = example[["positives", "negatives"]].sum()
    size = f"{positives} positives and {negatives} negatives"
    title = f"Running example, reconstructed from the labels of Figure 3 as {size}"
    figure.suptitle(title, x=0.01, ha="left")
    return figure, list(figure.subplots(1, 2))


def _draw_roc(axes: Axes, table: pd.DataFrame) -> None:
    curve = rows_with(table, panel="roc", part="curve")
    axes.plot([0, 1], [0, 1], color="0.6", linewidth=0.8)
    axes.plot(curve["x"], curve["y"], **CURVE_LOOK)
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
    axes.set(xlabel="False positive rate", ylabel="True positive rate")


def _draw_pr(axes: Axes, table: pd.DataFrame, **options: bool) -> None:
    """Draw the precision-recall curve of the example."""
    curve = rows_with(table, panel="pr", part="curve")
    precision, recall = curve["y"].to_numpy(), curve["x"].to_numpy()
    # The precision of the always-positive prediction is the prevalence.
    always_positive = rows_with(table, panel="pr", part="always positive")
    prevalence = None if always_positive.empty else always_positive["y"].item()
    display = HyperbolicPrecisionRecallDisplay(precision, recall, prevalence=prevalence)
    _draw_without_legend(display, axes, options)


def _draw_prg(axes: Axes, table: pd.DataFrame, **options: bool) -> None:
    curve = rows_with(table, panel="prg", part="curve")
    display = PrecisionRecallGainDisplay(curve["y"].to_numpy(), curve["x"].to_numpy())
    _draw_without_legend(display, axes, options)


def _draw_without_legend(display: CurveDisplay, axes: Axes, options: Mapping[str, Any]) -> None:
    """Draw a display without its legend, because the figure has one for all panels."""
    display.plot(axes, curve_kwargs=CURVE_LOOK, **options)
    if legend := axes.get_legend():
        legend.remove()
    axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01))


def _draw_legend(figure: Figure, looks: Mapping[str, Mapping[str, Any]]) -> None:
    handles = [Line2D([], [], label=label, **look) for label, look in looks.items()]
    figure.legend(handles=handles, loc="outside lower center", ncols=2 if len(handles) > 3 else len(handles))
