"""Figures of how areas rank models: the PRG paper's Figures 4 and 5, and which area picks the better model."""

import textwrap
from collections.abc import Mapping
from itertools import cycle, pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.figure_style import TEXT_WIDTH, draw_message, house_style
from nontrivial_study.experiments.curve_numbers import PANELS
from nontrivial_study.experiments.ranks.disagreement import labels_of_pair
from nontrivial_study.experiments.ranks.model_choice import ALL_PAIRS, CHOOSING_AREAS, OPPOSED_PAIRS
from nontrivial_study.experiments.results import OK

MAX_RANKS_WITH_TICKS = 12  # with more ranks, only every fifth has a tick
_MIN_GAP = 0.005  # gaps between an area and 1 are shown down to this one
_AREA_TICKS = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 1]
# Okabe and Ito's vermilion and blue, each with a shape of its own, hollow so that marks can lie on one another.
TASK_LOOKS: list[dict[str, Any]] = [
    {"color": "#d55e00", "marker": "o", "markersize": 4.5, "markerfacecolor": "none"},
    {"color": "#0072b2", "marker": "^", "markersize": 5, "markerfacecolor": "none"},
]


def count_classes(largest: int) -> tuple[list[int], list[str]]:
    """Divide counts into the classes 0, 1-2, 3-4, 5-8 and on by doubling, as far as the largest count needs.

    Returns the first count of each class and the first count beyond the last class; and the labels of the classes.
    """
    first, last = [0, 1], [0, 2]
    while last[-1] < largest:
        first.append(last[-1] + 1)
        last.append(2 * last[-1])
    labels = ["0", *(f"{low}\u2013{high}" for low, high in zip(first[1:], last[1:], strict=True))]
    return [*first, last[-1] + 1], labels


def plot_ranks(table: pd.DataFrame) -> Figure:
    """Draw how many models have each pair of ranks, and the areas of the models of two tasks (PRG paper, Figure 4)."""
    counts = table[table["panel"] == "left"].astype({"pr_auc_rank": int, "prg_auc_rank": int})
    grid = counts.pivot_table("count", "prg_auc_rank", "pr_auc_rank", "first").to_numpy(dtype=int)
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.9), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1, 1))
        _draw_rank_counts(figure, left, grid)
        left.set_title(_format_totals(table[table["panel"] == "all"], int(grid.sum())))
        left.set_xlabel("Rank of the model by AUPR (1 = best)")
        left.set_ylabel("Rank of the model by AUPRG (1 = best)")
        _draw_areas_of_models(right, table[table["panel"] == "right"])
        if right.lines:
            figure.legend(loc="outside lower center")
    return figure


def _draw_rank_counts(figure: Figure, axes: Axes, grid: np.ndarray) -> None:
    """Draw how many models have each pair of ranks, as a map of squares."""
    ranks = len(grid)
    first_counts, labels = count_classes(int(grid.max()))
    edges = np.arange(ranks + 1) + 0.5
    # White for none, then colours from light to dark that also grey and colour-blind readers can order.
    colours = ListedColormap(["white", *colormaps["YlGnBu"](np.linspace(0.22, 1, len(labels) - 1))])
    norm = BoundaryNorm(first_counts, colours.N)
    cells = axes.pcolormesh(edges, edges, grid, cmap=colours, norm=norm, linewidth=0)
    axes.set_aspect("equal")
    axes.grid(visible=False)
    ticks = range(1, ranks + 1) if ranks <= MAX_RANKS_WITH_TICKS else [1, *range(5, ranks + 1, 5)]
    axes.set(xticks=ticks, yticks=ticks)
    bar_axes = axes.inset_axes((1.04, 0, 0.06, 1))
    bar = figure.colorbar(cells, cax=bar_axes, spacing="uniform", drawedges=True)
    middles = [(low + high) / 2 for low, high in pairwise(first_counts)]
    bar.set_ticks(middles, labels=labels)
    bar_axes.tick_params(which="both", length=0)
    bar_axes.set_title("Models in the cell", loc="center")


def _draw_areas_of_models(axes: Axes, models: pd.DataFrame) -> None:
    """Draw the two areas of each model as a point."""
    functions = (_stretch_near_one, _undo_stretch)
    axes.set_xscale("function", functions=functions)
    axes.set_yscale("function", functions=functions)
    axes.set(xlim=(-0.1, 1.0001), ylim=(-0.1, 1.0001), xlabel="AUPR of the model", ylabel="AUPRG of the model")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(_AREA_TICKS, [f"{tick:g}" for tick in _AREA_TICKS])
    axes.minorticks_off()
    axes.set_box_aspect(1)
    for look, (task, rows) in zip(TASK_LOOKS, models.groupby("task", sort=False), strict=False):
        shown = rows[rows["prg_auc"] >= 0]
        label = f"{task}: rank correlation {rows['task_correlation'].iloc[0]:.3f}"
        if len(shown) < len(rows):
            label += f"; {len(rows) - len(shown)} of {len(rows)} models below 0, not shown"
        axes.plot(shown["pr_auc"], shown["prg_auc"], linestyle="none", label=label, clip_on=False, **look)
    if models.empty:
        axes.text(0.5, 0.5, "No task has a rank correlation.", ha="center", va="center")


def _format_totals(totals: pd.DataFrame, models: int) -> str:
    row = totals.iloc[0][["tasks", "datasets", "tied"]].astype(int)
    counts = f"{models:,} models, {row['tasks']:,} tasks, {row['datasets']:,} sources"
    return f"{counts}\n{row['tied']:,} models with equal areas left out"


def _stretch_near_one(area: np.ndarray) -> np.ndarray:
    """Stretch an axis near 1, where most areas lie: return the logarithm of their gap to 1, with a minus sign."""
    return -np.log10(np.maximum(1 + _MIN_GAP - np.asarray(area), _MIN_GAP / 2))


def _undo_stretch(height: np.ndarray) -> np.ndarray:
    return np.asarray(1 + _MIN_GAP - 10.0 ** -np.asarray(height))


# The first model's curve is solid and the second model's dashed, as in the paper.
COMPARED_LOOKS = [
    {"color": "#0072b2", "linestyle": "-", "linewidth": 1.4, "alpha": 1},
    {"color": "#d55e00", "linestyle": (0, (4, 1.5)), "linewidth": 1.4, "alpha": 1},
]
MIN_GAIN_SHOWN = -1.0  # curves leave the panel below it
_MAX_LINE_LENGTH = 100  # characters


def plot_compared(table: pd.DataFrame) -> Figure:
    """Draw the curves of models of one task."""
    if table["panel"].isna().all():
        reasons = table.groupby("status", sort=False)["model"].agg(" and ".join)
        lines = [_wrap_text(f"{models}: {status}") for status, models in reasons.items()]
        return draw_message("\n".join(lines))
    looks = dict(zip(table["model"].drop_duplicates(), COMPARED_LOOKS, strict=False))
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.15), layout="constrained")
        task, data = table[["task", "data"]].iloc[0]
        title = f"Task {task}" + (f", {data}" if data else "")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)  # names may contain a $
        for axes, (name, panel) in zip(figure.subplots(1, 3), PANELS.items(), strict=True):
            curves = table[table["panel"] == name].astype({"x": float, "y": float})
            for model, rows in curves.groupby("model", sort=False):
                axes.plot(rows["x"], rows["y"], **looks[model])
            lowest = max(curves["y"].min(), MIN_GAIN_SHOWN)
            aspect = "equal" if lowest > MIN_GAIN_SHOWN / 4 else "auto"
            axes.set(xlabel=panel.x_label, ylabel=panel.y_label, aspect=aspect)
            axes.set(xlim=(-0.01, 1.01), ylim=(min(lowest, -0.01), 1.01), xticks=np.linspace(0, 1, 6))
        by_model = table.groupby("model", sort=False)
        keys = [Line2D([], [], label=_legend_entry(str(name), rows), **looks[name]) for name, rows in by_model]
        figure.legend(handles=keys, loc="outside lower left")
    return figure


def _legend_entry(model: str, rows: pd.DataFrame) -> str:
    """Return a model's entry in the legend: its areas, or why it has none."""
    status = rows["status"].iloc[0]
    if status != OK:
        return _wrap_text(f"{model}: not shown, {status}")
    areas = rows.groupby("panel")["area"].first().astype(float)
    return f"{model}: " + ", ".join(f"{panel.area_label} {areas[name]:.3f}" for name, panel in PANELS.items())


def _wrap_text(text: str) -> str:
    return textwrap.fill(text, _MAX_LINE_LENGTH)


YARDSTICK_LABELS = {
    "expected_f1_gain": "Expected\nF1 gain",
    "held_out_f1": "F1 on\nheld-out folds",
    "held_out_cost_advantage": "Cost on\nheld-out folds",
    "prediction_advantage": "Prediction\nAdvantage",
}
# Okabe and Ito's colours, each with a shape of its own, for the areas in their order.
_COLOURS = ("#555555", "#cc79a7", "#d55e00", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#000000")
CHOICE_LOOKS = tuple(zip(_COLOURS, "svo^D<>*", strict=True))
CHOICE_TITLES = {
    ALL_PAIRS: "All pairs of models\nof a task",
    OPPOSED_PAIRS: "Pairs that AUPR and AUPRG\norder differently",
}


def plot_model_choice(table: pd.DataFrame) -> Figure:
    """Draw the share of pairs of models in which an area and a yardstick agree on the better model."""
    looks = dict(zip(CHOOSING_AREAS, cycle(CHOICE_LOOKS), strict=False))
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 4.5), layout="constrained")
        panels = figure.subplots(1, len(CHOICE_TITLES), sharey=True)
        for axes, (subset, title) in zip(panels, CHOICE_TITLES.items(), strict=True):
            of_subset = table[table["of"] == subset]
            _draw_agreements(axes, of_subset, looks)
            axes.set_title(f"{title} (up to {of_subset['pairs'].max():,})", fontweight="bold")
            axes.set_xlabel("Pairs with the better model ranked higher (%)")
        panels[0].set_yticks(range(len(YARDSTICK_LABELS)), list(YARDSTICK_LABELS.values()))
        panels[0].set_ylim(len(YARDSTICK_LABELS) - 0.5, -0.5)
        keys = [
            Line2D([], [], color=color, marker=marker, label=CURVE_AREAS[area].short_label, **_AREA_MARKER)
            for area, (color, marker) in looks.items()
        ]
        keys.append(Line2D([], [], **_COIN_LINE, label="as by a coin"))
        figure.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), 6))
    return figure


_COIN_LINE: dict[str, Any] = {"color": "0.35", "linewidth": 0.9, "linestyle": ":"}
_AREA_MARKER: dict[str, Any] = {"linestyle": "none", "markersize": 5}
_AREA_MARKER |= {"markerfacecolor": "white", "markeredgewidth": 1.2}


def _draw_agreements(axes: Axes, table: pd.DataFrame, looks: Mapping[str, tuple[str, str]]) -> None:
    """Draw the share of pairs on which an area agrees with each yardstick."""
    axes.axvline(50, **_COIN_LINE)
    for row in table.to_dict("records"):
        color, marker = looks[row["area"]]
        steps_from_middle = list(looks).index(row["area"]) - (len(looks) - 1) / 2
        height = list(YARDSTICK_LABELS).index(row["yardstick"]) + 0.75 / len(looks) * steps_from_middle
        axes.plot([100 * row["agreement_low"], 100 * row["agreement_high"]], [height, height], color=color)
        axes.plot([100 * row["agreement"]], [height], color=color, marker=marker, **_AREA_MARKER)
    axes.set_xlim(-2, 102)
    axes.grid(visible=False, axis="y")
    for boundary in range(1, len(YARDSTICK_LABELS)):
        axes.axhline(boundary - 0.5, color="0.9", linewidth=0.6)
    axes.tick_params(axis="y", length=0)


# The lines of disagreement at the top, and the marks of single tasks, which lie so far beyond 0 and 100 %.
SHARE_LINES: dict[str, dict[str, Any]] = {
    "top3": {"color": "#d55e00", "linestyle": (0, (4, 1.5)), "label": "on the first three in order"},
    "top1": {"color": "#0072b2", "linestyle": "-", "label": "on the best model"},
}
_SHARE_MARKERS, _MARK_DISTANCES = {"top3": "o", "top1": "|"}, {"top3": 9, "top1": 4}
_SHARE_TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]


def plot_share_curve(table: pd.DataFrame) -> Figure:
    """Draw the disagreement of each pair of areas over the share of positives."""
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.3), layout="constrained")
        marked = table[(table["kind"] == "task") & (table["figure"] == "top1")]
        counts = f"{len(marked) // marked['pair'].nunique()} tasks from {marked['source'].nunique()} sources"
        figure.suptitle(counts, x=0.01, ha="left")
        pairs = list(table.groupby("pair", sort=False))
        panels = figure.subplots(1, len(pairs), sharey=True, squeeze=False)[0]
        for axes, (pair, rows) in zip(panels, pairs, strict=True):
            for top, line in SHARE_LINES.items():
                of_top = rows[rows["figure"] == top]
                curve, tasks = (of_top[of_top["kind"] == kind] for kind in ("curve", "task"))
                share, low, high = curve["positive_share"], 100 * curve["low"], 100 * curve["high"]
                axes.fill_between(share, low, high, color=line["color"], alpha=0.15, linewidth=0)
                axes.plot(share, 100 * curve["disagreement"], **line)
                distance = _MARK_DISTANCES[top]
                height = np.where(tasks["disagreement"] > 0, 100 + distance, -distance)
                marks = {"color": line["color"], "marker": _SHARE_MARKERS[top], "markersize": 4}
                marks |= {"markerfacecolor": "none", "linestyle": "none", "alpha": 0.7}
                axes.plot(tasks["positive_share"], height, **marks)
            axes.axhspan(100, 113, color="0.96", zorder=0)
            axes.axhspan(-13, 0, color="0.96", zorder=0)
            axes.set(ylim=(-13, 113), yticks=range(0, 101, 20), xscale="log")
            axes.minorticks_off()
            least, greatest = rows["positive_share"].min(), rows["positive_share"].max()
            ticks = [tick for tick in _SHARE_TICKS if 0.9 * least <= tick <= 1.1 * greatest]
            axes.set_xticks(ticks, [f"{100 * tick:g}" for tick in ticks])
            axes.set_title(" and ".join(labels_of_pair(str(pair))), fontweight="bold")
            axes.set_xlabel("Share of positives (%)")
        panels[0].set_ylabel("Tasks in which the areas disagree (%)")
        figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure
