"""The measures of one kind of classifier over imbalance, a small panel for each data set (after PA paper, Figure 1)."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nontrivial.figure_style import LOOKS, NO_MODEL, TEXT_WIDTH, blank, house_style

COLUMNS = 5
LEAST = -1.0
# What the last row sums up: each measure under the reading in which it can warn at all.
SUMMED = {
    "prediction_advantage": "zero",
    "accuracy": "best_constant",
    "f_beta": "best_constant",
    "cohen_kappa": "zero",
}


def plot_multiples(table: pd.DataFrame) -> Figure:
    """Draw the measures over the share of the minority for each data set, and below where they first say "trivial".

    Parameters
    ----------
    table : DataFrame
        From `nontrivial_study.experiments.imbalance.multiples.multiples_table`.

    Returns
    -------
    matplotlib.figure.Figure
        Panels with lines; bands are 95 % intervals from the error of the two rates. In the last row a dot for each data
        set with its interval, and a bar at the median; at the left edge are those that never warn.
    """
    curves, crossings = (table[table["kind"] == kind] for kind in ("curve", "crossing"))
    if curves.empty:
        return blank(NO_MODEL)
    names = curves["dataset"].drop_duplicates().tolist()
    rows = math.ceil(len(names) / COLUMNS)
    noise = curves["noise"].iloc[0]
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 1.75 * rows + 2.6), layout="constrained")
        figure.suptitle(f"{100 * noise:g} % label noise, {len(names)} data sets", x=0.01, ha="left")
        grid = figure.add_gridspec(rows + 1, COLUMNS, height_ratios=[*[1] * rows, 1.2])
        first: Axes | None = None
        for number, name in enumerate(names):
            axes = figure.add_subplot(grid[divmod(number, COLUMNS)], sharex=first, sharey=first)
            first = first or axes
            _draw_panel(axes, curves[curves["dataset"] == name])
            axes.set_title(name if len(name) < 15 else f"{name[:13]}…", fontsize=7.5)
            axes.tick_params(labelbottom=number + COLUMNS >= len(names), labelleft=number % COLUMNS == 0)
        if first is not None:
            first.set(xlim=(0, 50), ylim=(max(LEAST, -0.1 + curves["value"].min()), 1.02))
            first.set_ylabel("Value of the measure")
        _draw_summary(figure.add_subplot(grid[rows, :]), crossings, noise)
        keys = [Line2D([], [], label=look.name, **look.line()) for look in LOOKS.values()]
        figure.legend(handles=keys, loc="outside lower center", ncols=4)
    return figure


def _draw_panel(axes: Axes, curves: pd.DataFrame) -> None:
    axes.axhline(0, color="0.2", linewidth=0.8, zorder=1.5)
    for name, look in LOOKS.items():
        curve = curves[curves["measure"] == name]
        share = 100 * curve["minority_share"]
        axes.fill_between(share, curve["low"], curve["high"], color=look.color, alpha=0.12, linewidth=0)
        axes.plot(share, curve["value"], **(look.line() | {"marker": "", "linewidth": 0.7 * look.width}))
    axes.set_xticks([0, 25, 50])


def _draw_summary(axes: Axes, crossings: pd.DataFrame, noise: float) -> None:
    axes.axvspan(0, 50 * noise, color="0.93", linewidth=0, zorder=0)
    for height, (name, reading) in enumerate(SUMMED.items()):
        look = LOOKS[name]
        chosen = crossings[(crossings["measure"] == name) & (crossings["reading"] == reading)]
        places = np.linspace(-0.3, 0.3, max(len(chosen), 2))
        for offset, row in zip(places, chosen.to_dict("records"), strict=False):
            low, crossing, high = 100 * np.nan_to_num(
                [row["low"], row["crossing"], row["high"]], nan=noise / 2
            )
            axes.plot([low, high], [height + offset] * 2, color=look.color, linewidth=0.8)
            dot = look.line() | {"linestyle": "none", "markersize": 3.5}
            axes.plot([crossing], [height + offset], **dot)
        median = 100 * chosen["crossing"].fillna(noise / 2).median()
        axes.plot([median, median], [height - 0.42, height + 0.42], color="0.2", linewidth=1.6)
    axes.set(ylim=(len(SUMMED) - 0.5, -0.5), xlim=(0, 52), yticks=range(len(SUMMED)))
    axes.set_yticklabels(
        [LOOKS[name].name.removeprefix("Prediction Advantage (").removesuffix(")") for name in SUMMED]
    )
    axes.set_xlabel('Share of the minority (%) at which the measure first says "trivial"')
    axes.grid(visible=False, axis="y")
