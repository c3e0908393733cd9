"""Figure 4 (left) of the PRG paper: how the ranks of models under two areas go together."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pandas as pd
from matplotlib import colormaps
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.figure import Figure

from nontrivial.figures.style import TEXT_WIDTH, house_style

AREAS = {"pr_auc": "AUPR", "prg_auc": "AUPRG", "roc_auc": "AUROC"}


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


def plot_rank_counts(counts: pd.DataFrame) -> Figure:
    """Draw how many models have each pair of ranks (PRG paper, Figure 4 left).

    Parameters
    ----------
    counts : DataFrame
        From `nontrivial.study.ranking.rank_counts`: the rank under one area, drawn to the right, the rank under the
        other, drawn upwards, and ``count``; a row for each of the k times k pairs of ranks 1..k.

    Returns
    -------
    matplotlib.figure.Figure
        A cell for each pair of ranks, coloured by the class of its count, darker for more; white where there is none.

    Raises
    ------
    ValueError
        If a pair of ranks is missing or given twice.
    """
    across, up = (column for column in counts.columns if column.endswith("_rank"))
    ranks = int(counts[across].max())
    grid = np.full((ranks, ranks), -1)
    grid[counts[up] - 1, counts[across] - 1] = counts["count"]
    if len(counts) != ranks**2 or (grid < 0).any():
        raise ValueError(f"The counts must have one row for each of the {ranks} x {ranks} pairs of ranks.")
    first, names = count_classes(int(grid.max()))
    with house_style():
        figure = Figure(figsize=(0.62 * TEXT_WIDTH, 0.5 * TEXT_WIDTH), layout="constrained")
        axes = figure.subplots()
        edges = np.arange(ranks + 1) + 0.5
        colours = _shades(len(names))
        cells = axes.pcolormesh(
            edges, edges, grid, cmap=colours, norm=BoundaryNorm(first, colours.N), linewidth=0
        )
        axes.set_aspect("equal")
        axes.grid(visible=False)
        ticks = [1, *range(5, ranks + 1, 5)]
        axes.set(xticks=ticks, yticks=ticks)
        axes.set_xlabel(f"Rank of the model by {_area(across)} (1 = best)")
        axes.set_ylabel(f"Rank of the model by {_area(up)} (1 = best)")
        beside = axes.inset_axes((1.06, 0, 0.06, 1))
        bar = figure.colorbar(cells, cax=beside, spacing="uniform", drawedges=True)
        middles = [(low + high) / 2 for low, high in pairwise(first)]
        bar.set_ticks(middles, labels=names)
        bar.ax.tick_params(which="both", length=0)
        bar.set_label("Models in the cell (number)")
    return figure


def _shades(classes: int) -> ListedColormap:
    """Return white for none, then colours from light to dark that also grey and colour-blind readers can order."""
    return ListedColormap(["white", *colormaps["YlGnBu"](np.linspace(0.22, 1, classes - 1))])


def _area(column: str) -> str:
    name = column.removesuffix("_rank")
    return AREAS.get(name, name)
