"""Figure 1 of the PA paper: the measures over class imbalance, for several levels of label noise."""

from __future__ import annotations

from string import ascii_lowercase
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nontrivial.figure_style import LOOKS, TEXT_WIDTH, house_style

PANEL_HEIGHT = 2.6  # inches
MARKERS_PER_LINE = 5
LEAST = -1.0  # the lower end of a panel at most: PA falls without bound, and what matters happens around 0
SHADE: dict[str, Any] = {"facecolor": "#ffe9a3", "edgecolor": "#8a7000", "linewidth": 0.5}


def plot_imbalance(table: pd.DataFrame) -> Figure:
    """Draw every measure against the share of the minority class (PA paper, Figure 1).

    Parameters
    ----------
    table : DataFrame
        The columns that `sweep.sweep_imbalance` gives, and before them ``dataset``, ``model`` and
        ``positive``, for one model on one data set. A row of panels is drawn for each class taken as the
        minority (``positive``, in order of appearance) and a column for each ``noise``, the greatest first.

    Returns
    -------
    matplotlib.figure.Figure
        Means as lines, percentile bands around them; gaps where the mean is missing. What is below -1 leaves the
        panel. Shaded, above zero, are the
        shares at which the mean PA is negative while the means of all the other measures are positive.

    Raises
    ------
    ValueError
        If the table is empty, mixes data sets or models, or has a measure without a look.
    """
    _check(table)
    classes = table["positive"].drop_duplicates().tolist()
    noises = sorted(table["noise"].unique(), reverse=True)
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, PANEL_HEIGHT * len(classes) + 1.0), layout="constrained")
        panels = figure.subplots(len(classes), len(noises), sharex=True, sharey=True, squeeze=False)
        for row, minority in zip(panels, classes, strict=True):
            for axes, noise in zip(row, noises, strict=True):
                _draw_panel(axes, table[(table["positive"] == minority) & (table["noise"] == noise)])
            row[0].set_ylabel(f"Minority: {minority}\nValue of the measure (1 = perfect)")
        for number, (top, bottom, noise) in enumerate(zip(panels[0], panels[-1], noises, strict=True)):
            top.set_title(f"{ascii_lowercase[number]}   {100 * noise:g} % label noise", fontweight="bold")
            bottom.set_xlabel("Share of the minority class (%)")
        panels[0, 0].set_ylim(_lower_limit(table), 1.05)
        drawn = [name for name in LOOKS if name in set(table["measure"])]
        figure.legend(handles=_keys(drawn), loc="outside lower center", ncols=3)
    return figure


def misleading_shares(means: pd.DataFrame, points: int = 2001) -> tuple[np.ndarray, np.ndarray]:
    """Find the shares at which PA alone calls the classifier worse than trivial.

    Parameters
    ----------
    means : DataFrame, index share (increasing), a column for each measure
    points : int
        Fineness of the search between the shares, where means are taken as linear.

    Returns
    -------
    shares : ndarray of shape (points,)
    misleading : ndarray of bool, shape (points,)
        True where PA < 0 and every other measure > 0; False where one is missing.

    Examples
    --------
    >>> means = pd.DataFrame({"prediction_advantage": [-0.5, 0.5], "accuracy": [0.9, 0.9]}, index=[0.1, 0.5])
    >>> misleading_shares(means, points=5)[1].tolist()
    [True, True, False, False, False]
    """
    known = means.index.to_numpy()
    shares = np.linspace(known[0], known[-1], points)
    values = {name: np.interp(shares, known, column.to_numpy()) for name, column in means.items()}
    advantage = values.pop("prediction_advantage")
    return shares, np.logical_and.reduce([advantage < 0, *(other > 0 for other in values.values())])


def _check(table: pd.DataFrame) -> None:
    if table.empty:
        raise ValueError("The table of imbalance and noise has no rows; there is nothing to draw.")
    for column in ("dataset", "model"):
        found = table[column].unique().tolist()
        if len(found) > 1:
            raise ValueError(f"The table holds several values of {column!r} ({found}); a figure shows one.")
    unknown = sorted(set(table["measure"]) - set(LOOKS))
    if unknown:
        raise ValueError(
            f"No look is known for the measure {unknown[0]!r}; the known ones are {', '.join(LOOKS)}."
        )


def _draw_panel(axes: Axes, table: pd.DataFrame) -> None:
    axes.axhline(0, color="0.2", linewidth=0.8, zorder=1.5)
    means = {}
    for position, name in enumerate(LOOKS):
        curve = table[table["measure"] == name].set_index("minority_share").sort_index()
        if curve.empty:
            continue
        means[name] = curve["mean"]
        percent, look = 100 * curve.index.to_numpy(), LOOKS[name]
        axes.fill_between(percent, curve["low"], curve["high"], color=look.color, alpha=0.15, linewidth=0)
        # Markers start at different shares, so that those of lines that coincide stand side by side.
        step = max(1, len(curve) // MARKERS_PER_LINE)
        axes.plot(percent, curve["mean"], markevery=(position * step // len(LOOKS), step), **look.line())
    if "prediction_advantage" in means:
        shares, misleading = misleading_shares(pd.DataFrame(means))
        axes.fill_between(100 * shares, 0, 1, where=misleading, zorder=0.5, **SHADE)


def _lower_limit(table: pd.DataFrame) -> float:
    """Return the quarter below the least mean, so that every line is seen whole down to `LEAST`."""
    least = table["mean"].min()
    return max(float(np.floor(4 * min(least, 0) - 0.2) / 4), LEAST) if np.isfinite(least) else -0.25


def _keys(names: list[str]) -> list[Line2D | Patch]:
    keys: list[Line2D | Patch] = [
        Line2D([], [], label=LOOKS[name].name, **LOOKS[name].line()) for name in names
    ]
    keys.append(Patch(color="0.5", alpha=0.3, linewidth=0, label="95 % band over test sets"))
    keys.append(Patch(label="Only PA warns: PA < 0, all others > 0", **SHADE))
    return keys
