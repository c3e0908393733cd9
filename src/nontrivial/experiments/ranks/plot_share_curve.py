"""How often two areas disagree on the best models, against the share of positives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from nontrivial.experiments.ranks.plot_ranks import AREAS
from nontrivial.figure_style import TEXT_WIDTH, blank, house_style

LOOKS: dict[
    str, dict[str, Any]
] = {  # of a figure: the line, and where its tasks are marked beyond 0 and 100 %
    "top3": {
        "color": "#d55e00",
        "linestyle": (0, (4, 1.5)),
        "marker": "o",
        "label": "on the first three in order",
    },
    "top1": {"color": "#0072b2", "linestyle": "-", "marker": "|", "label": "on the best model"},
}
_BEYOND = {"top1": 4, "top3": 9}  # percent
_TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]


def plot_share_curve(table: pd.DataFrame) -> Figure:
    """Draw the disagreement of each pair of areas over the share of positives.

    Parameters
    ----------
    table : DataFrame
        From `nontrivial.experiments.ranks.share_curve.share_curve`.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for each pair: curves with bands, and a mark for each task, above for disagreement and below for none.
    """
    if table.empty:
        return blank("No task has ranked models.")
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.3), layout="constrained")
        marked = table[(table["kind"] == "task") & (table["figure"] == "top1")]
        counted = f"{len(marked) // marked['pair'].nunique()} tasks from {marked['source'].nunique()} sources"
        figure.suptitle(counted, x=0.01, ha="left")
        pairs = list(table.groupby("pair", sort=False))
        panels = figure.subplots(1, len(pairs), sharey=True, squeeze=False)[0]
        for axes, (pair, rows) in zip(panels, pairs, strict=True):
            for name, look in LOOKS.items():
                of_figure = rows[rows["figure"] == name]
                curve, tasks = (of_figure[of_figure["kind"] == kind] for kind in ("curve", "task"))
                share = curve["positive_share"]
                axes.fill_between(
                    share,
                    100 * curve["low"],
                    100 * curve["high"],
                    color=look["color"],
                    alpha=0.15,
                    linewidth=0,
                )
                line = {key: value for key, value in look.items() if key != "marker"}
                axes.plot(share, 100 * curve["disagreement"], **line)
                height = np.where(tasks["disagreement"] > 0, 100 + _BEYOND[name], -_BEYOND[name])
                mark = {
                    "color": look["color"],
                    "marker": look["marker"],
                    "markersize": 4,
                    "markerfacecolor": "none",
                }
                axes.plot(tasks["positive_share"], height, linestyle="none", alpha=0.7, **mark)
            axes.axhspan(100, 113, color="0.96", zorder=0)
            axes.axhspan(-13, 0, color="0.96", zorder=0)
            axes.set(ylim=(-13, 113), yticks=range(0, 101, 20), xscale="log")
            axes.minorticks_off()
            low, high = rows["positive_share"].min(), rows["positive_share"].max()
            ticks = [tick for tick in _TICKS if 0.9 * low <= tick <= 1.1 * high]
            axes.set_xticks(ticks, [f"{100 * tick:g}" for tick in ticks])
            axes.set_title(" and ".join(AREAS[area] for area in str(pair).split("/")), fontweight="bold")
            axes.set_xlabel("Share of positives (%)")
        panels[0].set_ylabel("Tasks in which the areas disagree (%)")
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
    return figure
