"""Figures 4 and 5 of the PRG paper, and those of the choice between two models."""

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
from matplotlib.typing import LineStyleType

from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.figure_style import TEXT_WIDTH, draw_message, house_style
from nontrivial_study.experiments.curve_numbers import PANELS
from nontrivial_study.experiments.ranks.model_choice import JUDGED, SUBSETS
from nontrivial_study.experiments.ranks.ranks import labels_of_pair
from nontrivial_study.experiments.results import OK

FEW_RANKS = 12  # each of which has its tick
_LEAST = 0.005  # what is missing to 1 is told apart down to this
_TICKS = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 1]
# Okabe and Ito's vermilion and blue, each with a shape of its own, hollow so that marks can lie on one another.
TASKS: list[dict[str, Any]] = [
    {"color": "#d55e00", "marker": "o", "markersize": 4.5, "markerfacecolor": "none"},
    {"color": "#0072b2", "marker": "^", "markersize": 5, "markerfacecolor": "none"},
]


def count_classes(largest: int) -> tuple[list[int], list[str]]:
    """Divide counts into 0, 1-2, 3-4, 5-8 and on by doubling, as far as the largest count needs."""
    first, last = [0, 1], [0, 2]
    while last[-1] < largest:
        first.append(last[-1] + 1)
        last.append(2 * last[-1])
    names = ["0", *(f"{low}\u2013{high}" for low, high in zip(first[1:], last[1:], strict=True))]
    return [*first, last[-1] + 1], names


def plot_ranks(table: pd.DataFrame) -> Figure:
    """Draw how many models have each pair of ranks, and the areas of the models of two tasks (PRG paper, Figure 4)."""
    x_rank, y_rank = (column for column in table.columns if column.endswith("_rank"))
    x_area, y_area = x_rank.removesuffix("_rank"), y_rank.removesuffix("_rank")
    counts = table[table["panel"] == "left"].astype({x_rank: int, y_rank: int})
    grid = counts.pivot_table("count", y_rank, x_rank, "first").to_numpy(dtype=int)
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.9), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1, 1))
        _draw_counts(figure, left, grid)
        left.set_title(_about(table[table["panel"] == "all"], int(grid.sum())))
        x_label, y_label = (CURVE_AREAS[area].short_label for area in (x_area, y_area))
        left.set_xlabel(f"Rank of the model by {x_label} (1 = best)")
        left.set_ylabel(f"Rank of the model by {y_label} (1 = best)")
        _draw_areas(right, table[table["panel"] == "right"], x_area, y_area)
        right.set(xlabel=f"{x_label} of the model", ylabel=f"{y_label} of the model")
        if right.lines:
            figure.legend(loc="outside lower center")
    return figure


def _draw_counts(figure: Figure, axes: Axes, grid: np.ndarray) -> None:
    ranks = len(grid)
    first, names = count_classes(int(grid.max()))
    edges = np.arange(ranks + 1) + 0.5
    # White for none, then colours from light to dark that also grey and colour-blind readers can order.
    colours = ListedColormap(["white", *colormaps["YlGnBu"](np.linspace(0.22, 1, len(names) - 1))])
    norm = BoundaryNorm(first, colours.N)
    cells = axes.pcolormesh(edges, edges, grid, cmap=colours, norm=norm, linewidth=0)
    axes.set_aspect("equal")
    axes.grid(visible=False)
    ticks = range(1, ranks + 1) if ranks <= FEW_RANKS else [1, *range(5, ranks + 1, 5)]
    axes.set(xticks=ticks, yticks=ticks)
    beside = axes.inset_axes((1.04, 0, 0.06, 1))
    bar = figure.colorbar(cells, cax=beside, spacing="uniform", drawedges=True)
    middles = [(low + high) / 2 for low, high in pairwise(first)]
    bar.set_ticks(middles, labels=names)
    beside.tick_params(which="both", length=0)
    beside.set_title("Models in the cell", loc="center")


def _draw_areas(axes: Axes, models: pd.DataFrame, x_area: str, y_area: str) -> None:
    functions = (_spread, _gather)
    axes.set_xscale("function", functions=functions)
    axes.set_yscale("function", functions=functions)
    axes.set(xlim=(-0.1, 1.0001), ylim=(-0.1, 1.0001))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(_TICKS, [f"{tick:g}" for tick in _TICKS])
    axes.minorticks_off()
    axes.set_box_aspect(1)
    for look, (task, rows) in zip(TASKS, models.groupby("task", sort=False), strict=False):
        shown = rows[rows[y_area] >= 0]
        label = f"{task}: rank correlation {rows['task_correlation'].iloc[0]:.3f}"
        if len(shown) < len(rows):
            label += f"; {len(rows) - len(shown)} of {len(rows)} models below 0, not shown"
        axes.plot(shown[x_area], shown[y_area], linestyle="none", label=label, clip_on=False, **look)
    if models.empty:
        axes.text(0.5, 0.5, "No task has a rank correlation.", ha="center", va="center")


def _about(every: pd.DataFrame, models: int) -> str:
    row = every.iloc[0][["tasks", "datasets", "tied"]].astype(int)
    counted = f"{models:,} models, {row['tasks']:,} tasks, {row['datasets']:,} sources"
    return f"{counted}\n{row['tied']:,} models with equal areas left out"


def _spread(area: np.ndarray) -> np.ndarray:
    """Spread what is close to 1, which is where most areas are, as the logarithm of what is missing to 1 does."""
    return -np.log10(np.maximum(1 + _LEAST - np.asarray(area), _LEAST / 2))


def _gather(height: np.ndarray) -> np.ndarray:
    return np.asarray(1 + _LEAST - 10.0 ** -np.asarray(height))


# The first model's curve is solid and the second's dashed, as in the paper.
COMPARED_LOOKS = [
    {"color": "#0072b2", "linestyle": "-", "linewidth": 1.4, "alpha": 1},
    {"color": "#d55e00", "linestyle": (0, (4, 1.5)), "linewidth": 1.4, "alpha": 1},
]
LEAST = -1.0  # curves leave the panel below it
_LONGEST_LINE = 100  # characters


def plot_compared(table: pd.DataFrame) -> Figure:
    """Draw the curves of models of one task."""
    if table["panel"].isna().all():
        reasons = table.groupby("status", sort=False)["model"].agg(" and ".join)
        return draw_message("\n".join(_wrapped(f"{models}: {status}") for status, models in reasons.items()))
    looks = dict(zip(table["model"].drop_duplicates(), COMPARED_LOOKS, strict=False))
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.15), layout="constrained")
        task, data = table[["task", "data"]].iloc[0]
        title = f"Task {task}" + (f", {data}" if data else "")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)  # it came from data
        for axes, (panel, (x_label, y_label, _)) in zip(figure.subplots(1, 3), PANELS.items(), strict=True):
            curves = table[table["panel"] == panel].astype({"x": float, "y": float})
            for model, rows in curves.groupby("model", sort=False):
                axes.plot(rows["x"], rows["y"], **looks[model])
            lowest = max(curves["y"].min(), LEAST)
            axes.set(xlabel=x_label, ylabel=y_label, aspect="equal" if lowest > LEAST / 4 else "auto")
            axes.set(xlim=(-0.01, 1.01), ylim=(min(lowest, -0.01), 1.01), xticks=np.linspace(0, 1, 6))
        entries = {model: _entry(str(model), rows) for model, rows in table.groupby("model", sort=False)}
        keys = [Line2D([], [], label=entry, **looks[model]) for model, entry in entries.items()]
        figure.legend(handles=keys, loc="outside lower left")
    return figure


def _entry(model: str, rows: pd.DataFrame) -> str:
    """Return a model's entry in the legend: its areas, or why it has none."""
    status = rows["status"].iloc[0]
    if status != OK:
        return _wrapped(f"{model}: not shown, {status}")
    areas = rows.groupby("panel")["area"].first().astype(float)
    return f"{model}: " + ", ".join(f"{name} {areas[panel]:.3f}" for panel, (_, _, name) in PANELS.items())


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _LONGEST_LINE)


YARDSTICKS = {
    "expected_f1_gain": "Expected\nF1 gain",
    "held_out_f1": "F1 on\nheld-out folds",
    "held_out_cost_advantage": "Cost on\nheld-out folds",
    "prediction_advantage": "Prediction\nAdvantage",
}
# Okabe and Ito's colours, each with a shape of its own, for the areas in their order.
_COLOURS = ("#555555", "#cc79a7", "#d55e00", "#0072b2", "#009e73", "#e69f00", "#56b4e9", "#000000")
CHOICE_LOOKS = tuple(zip(_COLOURS, "svo^D<>*", strict=True))
_TITLES = "All pairs of models\nof a task", "Pairs that AUPR and AUPRG\norder differently"
CHOICE_TITLES = dict(zip(SUBSETS, _TITLES, strict=True))


def plot_model_choice(table: pd.DataFrame) -> Figure:
    """Draw the share of pairs of models in which an area and a yardstick agree on the better one."""
    looks = dict(zip(JUDGED, cycle(CHOICE_LOOKS), strict=False))
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 4.5), layout="constrained")
        panels = figure.subplots(1, len(CHOICE_TITLES), sharey=True)
        for axes, (of, title) in zip(panels, CHOICE_TITLES.items(), strict=True):
            shown = table[table["of"] == of]
            _draw_choice(axes, shown, looks)
            axes.set_title(f"{title} (up to {shown['pairs'].max():,})", fontweight="bold")
            axes.set_xlabel("Pairs with the better model ranked higher (%)")
        panels[0].set_yticks(range(len(YARDSTICKS)), list(YARDSTICKS.values()))
        panels[0].set_ylim(len(YARDSTICKS) - 0.5, -0.5)
        keys = [
            Line2D([], [], color=color, marker=marker, label=CURVE_AREAS[area].short_label, **_MARKER)
            for area, (color, marker) in looks.items()
        ]
        keys.append(Line2D([], [], **_EVEN, label="as by a coin"))
        figure.legend(handles=keys, loc="outside lower center", ncols=min(len(keys), 6))
    return figure


_EVEN: dict[str, Any] = {"color": "0.35", "linewidth": 0.9, "linestyle": ":"}
_MARKER: dict[str, Any] = {
    "linestyle": "none",
    "markersize": 5,
    "markerfacecolor": "white",
    "markeredgewidth": 1.2,
}


def _draw_choice(axes: Axes, table: pd.DataFrame, looks: Mapping[str, tuple[str, str]]) -> None:
    axes.axvline(50, **_EVEN)
    for row in table.to_dict("records"):
        color, marker = looks[row["area"]]
        place = list(looks).index(row["area"]) - (len(looks) - 1) / 2
        height = list(YARDSTICKS).index(row["yardstick"]) + 0.75 / len(looks) * place
        axes.plot([100 * row["agreement_low"], 100 * row["agreement_high"]], [height, height], color=color)
        axes.plot([100 * row["agreement"]], [height], color=color, marker=marker, **_MARKER)
    axes.set_xlim(-2, 102)
    axes.grid(visible=False, axis="y")
    for boundary in range(1, len(YARDSTICKS)):
        axes.axhline(boundary - 0.5, color="0.9", linewidth=0.6)
    axes.tick_params(axis="y", length=0)


# Of a figure: colour, line, mark, name, and how far beyond 0 and 100 % its tasks are marked.
SHARE_LOOKS: dict[str, tuple[str, LineStyleType, str, str, int]] = {
    "top3": ("#d55e00", (0, (4, 1.5)), "o", "on the first three in order", 9),
    "top1": ("#0072b2", "-", "|", "on the best model", 4),
}
_SHARE_TICKS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]


def plot_share_curve(table: pd.DataFrame) -> Figure:
    """Draw the disagreement of each pair of areas over the share of positives."""
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.3), layout="constrained")
        marked = table[(table["kind"] == "task") & (table["figure"] == "top1")]
        counted = f"{len(marked) // marked['pair'].nunique()} tasks from {marked['source'].nunique()} sources"
        figure.suptitle(counted, x=0.01, ha="left")
        pairs = list(table.groupby("pair", sort=False))
        panels = figure.subplots(1, len(pairs), sharey=True, squeeze=False)[0]
        for axes, (pair, rows) in zip(panels, pairs, strict=True):
            for name, (color, dashes, marker, label, beyond) in SHARE_LOOKS.items():
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
            ticks = [tick for tick in _SHARE_TICKS if 0.9 * least <= tick <= 1.1 * greatest]
            axes.set_xticks(ticks, [f"{100 * tick:g}" for tick in ticks])
            axes.set_title(" and ".join(labels_of_pair(str(pair))), fontweight="bold")
            axes.set_xlabel("Share of positives (%)")
        panels[0].set_ylabel("Tasks in which the areas disagree (%)")
        handles, names = panels[0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside lower center", ncols=2)
    return figure
