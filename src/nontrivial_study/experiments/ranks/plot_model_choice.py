"""How often each area picks the better of two models, by three yardsticks of what is better."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nontrivial.figure_style import TEXT_WIDTH, house_style

YARDSTICKS = {
    "expected_f1_gain": "Expected\nF1 gain",
    "held_out_f1": "F1 on\nheld-out folds",
    "held_out_cost_advantage": "Cost on\nheld-out folds",
    "prediction_advantage": "Prediction\nAdvantage",
}
# Okabe and Ito's colours, each with a shape of its own.
AREAS = {
    "roc_auc": ("AUROC", "#555555", "s"),
    "average_precision": ("average precision", "#cc79a7", "v"),
    "pr_auc": ("AUPR", "#d55e00", "o"),
    "prg_auc": ("AUPRG", "#0072b2", "^"),
    "expected_f1_gain": ("expected F1 gain", "#009e73", "D"),
}
TITLES = {
    "all": "All pairs of models\nof a task",
    "pr_auc and prg_auc disagree": "Pairs that AUPR and AUPRG\norder differently",
}
_STEP = 0.15


def plot_model_choice(table: pd.DataFrame) -> Figure:
    """Draw the share of pairs of models in which an area and a yardstick agree on the better one.

    Parameters
    ----------
    table : DataFrame
        From `nontrivial_study.experiments.ranks.model_choice.choice_table`.

    Returns
    -------
    matplotlib.figure.Figure
        A panel for all pairs and one for those that AUPR and AUPRG order differently; a mark for each area with its
        interval, in a row for each yardstick. A share without pairs has no mark.
    """
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 4.5), layout="constrained")
        panels = figure.subplots(1, len(TITLES), sharey=True)
        for axes, (of, title) in zip(panels, TITLES.items(), strict=True):
            shown = table[table["of"] == of]
            _draw(axes, shown)
            axes.set_title(f"{title} (up to {shown['pairs'].max():,})", fontweight="bold")
            axes.set_xlabel("Pairs with the better model ranked higher (%)")
        panels[0].set_yticks(range(len(YARDSTICKS)), list(YARDSTICKS.values()))
        panels[0].set_ylim(len(YARDSTICKS) - 0.5, -0.5)
        keys = [
            Line2D([], [], color=color, marker=marker, linestyle="none", label=name, **_MARKER)
            for name, color, marker in AREAS.values()
        ]
        keys.append(Line2D([], [], **_EVEN, label="as by a coin"))
        figure.legend(handles=keys, loc="outside lower center", ncols=len(keys))
    return figure


_EVEN: dict[str, Any] = {"color": "0.35", "linewidth": 0.9, "linestyle": ":"}
_MARKER: dict[str, Any] = {"markersize": 5, "markerfacecolor": "white", "markeredgewidth": 1.2}


def _draw(axes: Axes, table: pd.DataFrame) -> None:
    axes.axvline(50, **_EVEN)
    for row in table.to_dict("records"):
        _, color, marker = AREAS[row["area"]]
        height = list(YARDSTICKS).index(row["yardstick"]) + _STEP * (list(AREAS).index(row["area"]) - 2)
        axes.plot([100 * row["agreement_low"], 100 * row["agreement_high"]], [height, height], color=color)
        axes.plot([100 * row["agreement"]], [height], color=color, marker=marker, linestyle="none", **_MARKER)
    axes.set_xlim(-2, 102)
    axes.grid(visible=False, axis="y")
    for boundary in range(1, len(YARDSTICKS)):
        axes.axhline(boundary - 0.5, color="0.9", linewidth=0.6)
    axes.tick_params(axis="y", length=0)
