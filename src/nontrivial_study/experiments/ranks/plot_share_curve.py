"""How often two areas disagree on the best models, against the share of positives."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.typing import LineStyleType

from nontrivial.figure_style import TEXT_WIDTH, blank, house_style
from nontrivial_study.experiments.ranks.ranking import AREAS

# Of a figure: colour, line, mark, name, and how far beyond 0 and 100 % its tasks are marked.
LOOKS: dict[str, tuple[str, LineStyleType, str, str, int]] = {
    "top3": ("#d55e00", (0, (4, 1.5)), "o", "on the first three in order", 9),
    "top1": ("#0072b2", "-", "|", "on the best model", 4),
}
_TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]


def plot_share_curve(table: pd.DataFrame) -> Figure:
    """Draw the disagreement of each pair of areas over the share of positives.

    Parameters
    ----------
    table : DataFrame
        From `nontrivial_study.experiments.ranks.share_curve.share_curve`.

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
            for name, (color, dashes, marker, label, beyond) in LOOKS.items():
                of_figure = rows[rows["figure"] == name]
                curve, tasks = (of_figure[of_figure["kind"] == kind] for kind in ("curve", "task"))
                share, low, high = curve["positive_share"], 100 * curve["low"], 100 * curve["high"]
                axes.fill_between(share, low, high, color=color, alpha=0.15, linewidth=0)
                axes.plot(share, 100 * curve["disagreement"], color=color, linestyle=dashes, label=label)
                height = np.where(tasks["disagreement"] > 0, 100 + beyond, -beyond)
                axes.plot(
                    tasks["positive_share"], height, color=color, linestyle="none", alpha=0.7, marker=marker,
                    markersize=4, markerfacecolor="none",
                )  # fmt: skip
            axes.axhspan(100, 113, color="0.96", zorder=0)
            axes.axhspan(-13, 0, color="0.96", zorder=0)
            axes.set(ylim=(-13, 113), yticks=range(0, 101, 20), xscale="log")
            axes.minorticks_off()
            least, greatest = rows["positive_share"].min(), rows["positive_share"].max()
            ticks = [tick for tick in _TICKS if 0.9 * least <= tick <= 1.1 * greatest]
            axes.set_xticks(ticks, [f"{100 * tick:g}" for tick in ticks])
            axes.set_title(" and ".join(AREAS[area] for area in str(pair).split("/")), fontweight="bold")
            axes.set_xlabel("Share of positives (%)")
        panels[0].set_ylabel("Tasks in which the areas disagree (%)")
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
    return figure
