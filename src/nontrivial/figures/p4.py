"""P4 and its kin over the imbalance-noise plane of one classifier."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.colors import BoundaryNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nontrivial.figures.style import LOOKS, NO_MODEL, TEXT_WIDTH, blank, house_style

SHOWN = {"p4": "P4", "f_beta": "F1", "informedness": "Informedness", "markedness": "Markedness"}
LEVELS = np.linspace(0, 1, 11)


def plot_plane(table: pd.DataFrame) -> Figure:
    """Draw four measures over the shares of the positive class and the noise levels.

    Parameters
    ----------
    table : DataFrame
        From `nontrivial.study.four_rates.plane_table`, on a grid.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for each measure: shades by tenths, darker for more, their borders as lines, hatched where the measure
        is negative. Across all panels runs the line on which the Prediction Advantage is 0; below it, it is positive.

    Raises
    ------
    ValueError
        If the points are not a grid.
    """
    if table.empty:
        return blank(NO_MODEL)
    shares, noises = np.unique(table["minority_share"]), np.unique(table["noise"])
    if len(table) != len(shares) * len(noises):
        raise ValueError("The plane must have one row for each pair of a share and a noise.")
    grid = table.sort_values(["noise", "minority_share"])
    x, y = np.meshgrid(100 * shares, 100 * noises)
    advantage = grid["prediction_advantage"].to_numpy().reshape(x.shape)
    colours = colormaps["YlGnBu"]
    green = LOOKS["prediction_advantage"].color
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 5.4), layout="constrained")
        panels = figure.subplots(2, 2, sharex=True, sharey=True)
        for axes, (name, title) in zip(panels.ravel(), SHOWN.items(), strict=True):
            # Beyond the possible the measure is continued, so that its lines run straight under the cover.
            values = _continued(grid[name].to_numpy(dtype=float).reshape(x.shape))
            filled = axes.contourf(
                x, y, values, levels=LEVELS, cmap=colours, norm=BoundaryNorm(LEVELS, colours.N)
            )
            axes.contourf(x, y, values, levels=[-2, 0], colors=["white"], hatches=["////"])
            axes.contour(x, y, values, levels=LEVELS, colors="0.35", linewidths=0.4)
            axes.contour(x, y, np.ma.masked_invalid(advantage), levels=[0], colors="white", linewidths=4)
            axes.contour(x, y, np.ma.masked_invalid(advantage), levels=[0], colors=green, linewidths=2.2)
            axes.fill([x.min(), 50, x.min()], [2 * x.min(), 100, 100], color="0.93", linewidth=0, zorder=2.5)
            axes.set(xlim=(x.min(), x.max()), ylim=(y.min(), y.max()))
            axes.set_title(title, fontweight="bold")
            axes.grid(visible=False)
        for axes in panels[-1]:
            axes.set_xlabel("Share of the positive class (%)")
        for axes in panels[:, 0]:
            axes.set_ylabel("Label noise (%)")
        bar = figure.colorbar(filled, ax=panels, ticks=LEVELS[::2], shrink=0.7)
        bar.set_label("Value of the measure (1 = perfect)")
        bar.outline.set_linewidth(0.6)
        keys = [
            Line2D(
                [],
                [],
                color=green,
                linewidth=2.2,
                label="Prediction Advantage = 0 (above the line it is negative)",
            ),
            Patch(facecolor="white", edgecolor="0.2", hatch="////", label="measure negative"),
            Patch(color="0.93", label="no such test set"),
        ]
        figure.legend(handles=keys, loc="outside lower center", ncols=3)
    return figure


def _continued(values: np.ndarray) -> np.ndarray:
    """Continue each row to the left of its first number, along the line through its first two."""
    whole = values.copy()
    columns = np.arange(values.shape[1])
    for row in whole:
        (known,) = np.nonzero(~np.isnan(row))
        if len(known) > 1:
            first, second = known[:2]
            left = columns[:first]
            row[left] = row[first] + (left - first) * (row[second] - row[first]) / (second - first)
    return whole
