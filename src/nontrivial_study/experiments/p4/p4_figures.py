"""P4, F1, informedness and markedness over the imbalance-noise plane of one classifier."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.cm import ScalarMappable
from matplotlib.colors import BoundaryNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.tri import Triangulation

from nontrivial.figure_style import MEASURE_LOOKS, TEXT_WIDTH, house_style

PANEL_TITLES = {"p4": "P4", "f_beta": "F1", "informedness": "Informedness", "markedness": "Markedness"}
SHADE_LEVELS = np.linspace(0, 1, 11)
_SHADE_ZORDER = 0.5  # below all lines


def plot_plane(table: pd.DataFrame) -> Figure:
    """Draw four measures over the shares of the positive class and the noise levels."""
    possible = table[table["noise"] <= 2 * table["minority_share"]]
    plane = Triangulation(100 * possible["minority_share"], 100 * possible["noise"])
    color_map = colormaps["YlGnBu"]
    colors: dict[str, Any] = {"cmap": color_map, "norm": BoundaryNorm(SHADE_LEVELS, color_map.N)}
    shade_look = colors | {"levels": SHADE_LEVELS, "zorder": _SHADE_ZORDER}
    advantage_color = MEASURE_LOOKS["prediction_advantage"].color
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 5.4), layout="constrained")
        panels = figure.subplots(2, 2, sharex=True, sharey=True)
        for axes, (name, title) in zip(panels.ravel(), PANEL_TITLES.items(), strict=True):
            values = possible[name]
            _draw_levels(axes.tricontourf, plane, values, **shade_look)
            _draw_levels(axes.tricontourf, plane, values, levels=[-2, 0], colors=["white"], hatches=["////"])
            _draw_levels(axes.tricontour, plane, values, levels=SHADE_LEVELS, colors="0.35", linewidths=0.4)
            for color, width in (("white", 4), (advantage_color, 2.2)):
                line = {"levels": [0], "colors": color, "linewidths": width}
                _draw_levels(axes.tricontour, plane, possible["prediction_advantage"], **line)
            axes.fill([0, 50, 0], [0, 100, 100], color="0.93", linewidth=0, zorder=0)
            axes.set_rasterization_zorder(_SHADE_ZORDER + 0.1)  # vectors would take half a megabyte
            axes.set(xlim=(0, 50), ylim=(0, 50))
            axes.set_title(title, fontweight="bold")
            axes.grid(visible=False)
        for axes in panels[-1]:
            axes.set_xlabel("Share of the positive class (%)")
        for axes in panels[:, 0]:
            axes.set_ylabel("Label noise (%)")
        bar = figure.colorbar(ScalarMappable(**colors), ax=panels, ticks=SHADE_LEVELS[::2], shrink=0.7)
        bar.set_label("Value of the measure (1 = perfect)")
        bar.outline.set_linewidth(0.6)
        border = "Prediction Advantage = 0 (above the line it is negative)"
        handles = [
            Line2D([], [], color=advantage_color, linewidth=2.2, label=border),
            Patch(facecolor="white", edgecolor="0.2", hatch="////", label="measure negative"),
            Patch(color="0.93", label="no such test set"),
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


def _draw_levels(draw: Callable[..., Any], plane: Triangulation, measure: pd.Series, **look: Any) -> None:
    """Draw the contours of a measure between the points at which it is defined, if there are any."""
    values = measure.to_numpy(dtype=float)
    undefined = np.isnan(values)[plane.triangles].any(axis=1)
    if not undefined.all():
        draw(Triangulation(plane.x, plane.y, plane.triangles, mask=undefined), values, **look)
