"""Where each measure first says "no better than trivial", for several models beside one another."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nontrivial.figure_style import LOOKS, TEXT_WIDTH, house_style
from nontrivial_study.experiments.imbalance.plot_sweep import SHADE

# Each with the reading under which the measure has a crossing at all, and its height within a model's row.
SHOWN = {
    "prediction_advantage": ("zero", 0.27),
    "f_beta": ("best_constant", 0.0),
    "cohen_kappa": ("zero", -0.27),
}
HEIGHT = 0.8  # of the shading, of a row
NAMES = {"prediction_advantage": "PA = 0", "f_beta": "F1 = that of a constant", "cohen_kappa": "kappa = 0"}


def plot_crossings(table: pd.DataFrame) -> Figure:
    """Draw the shares of the minority at which measures cross into "no better than trivial".

    Parameters
    ----------
    table : DataFrame
        From `crossings.crossing_table`, of several models. A column of panels for each noise that
        is held, the greatest first; a row for each data set, model and class taken as the minority.

    Returns
    -------
    matplotlib.figure.Figure
        Crossings as markers with intervals. Shaded are the shares at which PA is not positive and Cohen's kappa is; a
        marker is missing where the measure never crosses.
    """
    table = table[table["held"] == "noise"]
    rows = table[["dataset", "model", "positive"]].drop_duplicates().reset_index(drop=True)
    noises = sorted(table["at"].unique(), reverse=True)
    greatest = 10 * np.ceil(10 * np.nanmax(table[["crossing", "high"]].to_numpy(), initial=0.1))  # percent
    heights = {row: -place for place, row in enumerate(rows.itertuples(index=False, name=None))}
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 1.3 + 0.46 * len(rows)), layout="constrained")
        panels = figure.subplots(1, len(noises), sharey=True, squeeze=False)[0]
        for axes, noise in zip(panels, noises, strict=True):
            axes.axvspan(0, 50 * noise, color="0.93", linewidth=0, zorder=0)
            for name, (reading, offset) in SHOWN.items():
                chosen = table[
                    (table["measure"] == name) & (table["reading"] == reading) & (table["at"] == noise)
                ]
                for row in chosen.to_dict("records"):
                    height = heights[row["dataset"], row["model"], row["positive"]]
                    if name == "cohen_kappa":
                        _shade(axes, row, height, noise)
                    _mark(axes, row, height + offset, name)
            axes.set_xlim(0, greatest)
            axes.set_title(f"{100 * noise:g} % label noise", fontweight="bold")
            axes.set_xlabel("Share of the minority class (%)")
            axes.grid(visible=False, axis="y")
        several = len(set(rows["dataset"])) > 1
        labels = [
            f"{model.replace('_', ' ')}\n{dataset + ', ' if several else ''}minority: {positive}"
            for dataset, model, positive in heights
        ]
        panels[0].set_yticks(list(heights.values()), labels)
        panels[0].tick_params(axis="y", labelsize=7)
        panels[0].set_ylim(-len(rows) + 0.45, 0.55)
        keys: list[Line2D | Patch] = [
            Line2D([], [], **(LOOKS[name].line() | {"linestyle": "-", "linewidth": 1.3}), label=NAMES[name])
            for name in SHOWN
        ]
        keys.append(Patch(label="PA \N{LESS-THAN OR EQUAL TO} 0 < kappa", **SHADE))
        keys.append(Patch(color="0.93", label="no such test set"))
        figure.legend(handles=keys, loc="outside lower center", ncols=len(keys))
    return figure


def _mark(axes: Axes, row: dict[Hashable, Any], height: float, name: str) -> None:
    look = LOOKS[name]
    if np.isfinite(row["crossing"]):
        low, high = np.nan_to_num([row["low"], row["high"]], nan=0.0)
        axes.plot([100 * low, 100 * high], [height, height], color=look.color, linewidth=1.3)
        axes.plot([100 * row["crossing"]], [height], **(look.line() | {"linestyle": "none", "markersize": 5}))


def _shade(axes: Axes, row: dict[Hashable, Any], height: float, noise: float) -> None:
    least = 50 * noise if np.isnan(row["crossing"]) else 100 * row["crossing"]
    axes.barh(height, 100 * row["width"], left=least, height=HEIGHT, zorder=0.8, **SHADE)
