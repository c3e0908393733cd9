"""Figure 4 of the PRG paper: how the ranks of models under two areas go together, and the areas in two tasks."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure

from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial_study.experiments.ranks.ranking import AREAS

FEW_RANKS = 12  # each of which has its tick
_LEAST = 0.005  # what is missing to 1 is told apart down to this
_TICKS = [0, 0.5, 0.8, 0.9, 0.95, 0.98, 1]
# Okabe and Ito's vermilion and blue, each with a shape of its own, hollow so that marks can lie on one another.
TASKS: list[dict[str, Any]] = [
    {"color": "#d55e00", "marker": "o", "markersize": 4.5, "markerfacecolor": "none"},
    {"color": "#0072b2", "marker": "^", "markersize": 5, "markerfacecolor": "none"},
]


def count_classes(largest: int) -> tuple[list[int], list[str]]:
    """Divide counts into 0, 1-2, 3-4, 5-8 and on by doubling, as far as the largest count needs.

    Returns
    -------
    first : list of int
        The least count of each class, and after them the first that is in none.
    names : list of str

    Examples
    --------
    >>> count_classes(10)
    ([0, 1, 3, 5, 9, 17], ['0', '1–2', '3–4', '5–8', '9–16'])
    """
    first, last = [0, 1], [0, 2]
    while last[-1] < largest:
        first.append(last[-1] + 1)
        last.append(2 * last[-1])
    names = ["0", *(f"{low}\u2013{high}" for low, high in zip(first[1:], last[1:], strict=True))]
    return [*first, last[-1] + 1], names


def plot_ranks(table: pd.DataFrame) -> Figure:
    """Draw how many models have each pair of ranks, and the areas of the models of two tasks (PRG paper, Figure 4).

    Parameters
    ----------
    table : DataFrame
        From `rank_pairs.rank_figure_table`: the rank under one area, drawn to the right, the rank
        under the other, drawn upwards, and ``count``, a row for each of the k times k pairs of ranks 1..k; and the two
        areas of each model of two tasks.

    Returns
    -------
    matplotlib.figure.Figure
        Left a cell for each pair of ranks, coloured by the class of its count, darker for more; white where there is
        none. Right a mark for each model, a shape for each task, on axes that spread what is close to 1; models below 0
        leave the panel and are counted.

    Raises
    ------
    ValueError
        If a pair of ranks is missing or given twice.
    """
    across, up = (column.removesuffix("_rank") for column in table.columns if column.endswith("_rank"))
    grid = _grid_of_counts(table[table["panel"] == "left"], f"{across}_rank", f"{up}_rank")
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.9), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=(1, 1))
        _draw_counts(figure, left, grid)
        left.set_title(_about(table[table["panel"] == "all"], int(grid.sum())))
        left.set_xlabel(f"Rank of the model by {AREAS[across]} (1 = best)")
        left.set_ylabel(f"Rank of the model by {AREAS[up]} (1 = best)")
        _draw_areas(right, table[table["panel"] == "right"], across, up)
        right.set_xlabel(f"{AREAS[across]} of the model")
        right.set_ylabel(f"{AREAS[up]} of the model")
        if right.lines:
            figure.legend(loc="outside lower center")
    return figure


def _grid_of_counts(counts: pd.DataFrame, across: str, up: str) -> np.ndarray:
    ranks = int(counts[across].max())
    grid = np.full((ranks, ranks), -1)
    places = counts[[up, across]].to_numpy(dtype=int) - 1
    grid[places[:, 0], places[:, 1]] = counts["count"]
    if len(counts) != ranks**2 or (grid < 0).any():
        raise ValueError(f"The counts must have one row for each of the {ranks} x {ranks} pairs of ranks.")
    return grid


def _draw_counts(figure: Figure, axes: Axes, grid: np.ndarray) -> None:
    ranks = len(grid)
    first, names = count_classes(int(grid.max()))
    edges = np.arange(ranks + 1) + 0.5
    colours = _shades(len(names))
    cells = axes.pcolormesh(
        edges, edges, grid, cmap=colours, norm=BoundaryNorm(first, colours.N), linewidth=0
    )
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


def _draw_areas(axes: Axes, models: pd.DataFrame, across: str, up: str) -> None:
    functions = (_spread, _gather)
    axes.set_xscale("function", functions=functions)
    axes.set_yscale("function", functions=functions)
    axes.set(xlim=(-0.1, 1.0001), ylim=(-0.1, 1.0001), xticks=_TICKS, yticks=_TICKS)
    axes.set_xticklabels([f"{tick:g}" for tick in _TICKS])
    axes.set_yticklabels([f"{tick:g}" for tick in _TICKS])
    axes.minorticks_off()
    axes.set_box_aspect(1)
    for look, (task, rows) in zip(TASKS, models.groupby("task", sort=False), strict=False):
        shown = rows[rows[up] >= 0]
        label = f"{task}: rank correlation {rows['task_correlation'].iloc[0]:.3f}"
        if len(shown) < len(rows):
            label += f"; {len(rows) - len(shown)} of {len(rows)} models below 0, not shown"
        axes.plot(shown[across], shown[up], linestyle="none", label=label, clip_on=False, **look)
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


def _shades(classes: int) -> ListedColormap:
    """Return white for none, then colours from light to dark that also grey and colour-blind readers can order."""
    return ListedColormap(["white", *colormaps["YlGnBu"](np.linspace(0.22, 1, classes - 1))])
