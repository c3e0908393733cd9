"""The tutorial's figures on real data: precision-recall, ROC, cost curve, averages over folds."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.typing import LineStyleType

from nontrivial._arrays import Floats
from nontrivial.curves.areas import interpolated_points
from nontrivial.curves.points import OperatingPoints
from nontrivial.figure_style import NO_MODEL, TEXT_WIDTH, blank, house_style
from nontrivial_study.experiments.results import OK

# Okabe and Ito's colours with dashes and markers of their own.
Look = tuple[str, LineStyleType, str]
LOOKS: list[Look] = [
    ("#0072b2", "-", "o"),
    ("#d55e00", (0, (5, 1.5)), "s"),
    ("#009e73", (0, (1.5, 1.2)), "^"),
]
# On which side of the folds' markers an average stands, and its dashes.
AVERAGES: dict[str, tuple[int, LineStyleType]] = {"macro": (-1, "-"), "micro": (1, (0, (2, 1)))}
SIDE = 0.62 * TEXT_WIDTH
QUIET = "0.75"


def plot_precision_recall(table: pd.DataFrame) -> Figure:
    """Draw precision-recall curves with their break-even points."""
    with house_style():
        figure, axes = _square("Recall", "Precision")
        axes.plot([0, 1], [0, 1], color=QUIET, linewidth=0.9, label="precision = recall")
        prevalence = table["prevalence"].iloc[0]
        label = "every case called positive"
        axes.axhline(prevalence, color="0.35", linewidth=0.9, linestyle=":", label=label)
        for (model, points), (color, dashes, marker) in _looks(table):
            precision, recall = _between(points, prevalence)
            even = points["break_even_point"].iloc[0]
            label = f"{_words(model)}: area {points['area'].iloc[0]:.3f}, break-even {even:.3f}"
            axes.plot(recall, precision, color=color, linestyle=dashes)
            axes.plot([even], [even], color=color, marker=marker, **_MARKER)
            axes.plot([], [], color=color, linestyle=dashes, marker=marker, **_MARKER, label=label)
        figure.legend(loc="outside lower center")
    return figure


def plot_roc(table: pd.DataFrame) -> Figure:
    """Draw ROC curves."""
    with house_style():
        figure, axes = _square("False positive rate", "True positive rate")
        axes.plot([0, 1], [0, 1], color="0.35", linewidth=0.9, linestyle=":", label="chance")
        for (model, points), (color, dashes, _) in _looks(table):
            label = f"{_words(model)}: area {points['area'].iloc[0]:.3f}"
            x, y = points["false_positive_rate"], points["true_positive_rate"]
            axes.plot(x, y, color=color, linestyle=dashes, label=label)
        figure.legend(loc="outside lower center")
    return figure


def plot_costs(table: pd.DataFrame) -> Figure:
    """Draw cost lines with their lower envelope, a panel for each model."""
    models = table["model"].drop_duplicates().tolist()
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.2), layout="constrained")
        panels = figure.subplots(1, len(models), sharey=True, squeeze=False)[0]
        for axes, ((model, points), (color, _, _)) in zip(panels, _looks(table), strict=True):
            lines = points[points["part"] == "line"]
            ends = lines["normalized_cost"].to_numpy().reshape(-1, 2)
            segments = [((0, start), (1, end)) for start, end in ends]
            axes.add_collection(LineCollection(segments, colors=QUIET, linewidths=0.5))
            envelope = points[points["part"] == "envelope"]
            x, cost = envelope["probability_cost"], envelope["normalized_cost"]
            axes.fill_between(x, 0, cost, color=color, alpha=0.15, linewidth=0)
            axes.plot(x, cost, color=color, linewidth=2)
            axes.plot([0, 0.5, 1], [0, 0.5, 0], color="0.35", linewidth=0.9, linestyle=":")
            axes.set_title(f"{_words(model)}: area {points['area'].iloc[0]:.3f}", fontweight="bold")
            axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="Probability cost of the positive class")
        panels[0].set_ylabel("Normalized expected cost")
        keys = [
            Line2D([], [], color=QUIET, linewidth=0.9, label="one threshold: from (0, FPR) to (1, FNR)"),
            Line2D([], [], color="0.2", linewidth=2, label="lower envelope"),
            Line2D([], [], color="0.35", linewidth=0.9, linestyle=":", label="better constant answer"),
        ]
        figure.legend(handles=keys, loc="outside lower center", ncols=3)
    return figure


def plot_averages(table: pd.DataFrame) -> Figure:
    """Draw precision, recall and F1 of each fold with their macro and micro averages."""
    table = table[table["status"] == OK]
    if table.empty:
        return blank(NO_MODEL)
    names = {"precision": "Precision", "recall": "Recall", "f_beta": "F1"}
    models = table["model"].drop_duplicates().tolist()
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.3), layout="constrained")
        panels = figure.subplots(1, len(names), sharey=True)
        for axes, (column, title) in zip(panels, names.items(), strict=True):
            for place, (_, rows) in enumerate(table.groupby("model", sort=False)):
                color, _, marker = LOOKS[place % len(LOOKS)]
                folds = rows[~rows["fold"].isin(AVERAGES)][column].astype(float)
                spread = np.linspace(-0.14, 0.14, len(folds))
                axes.plot(place + spread, folds, color=color, marker=marker, linestyle="none", **_MARKER)
                for kind, (side, style) in AVERAGES.items():
                    value = rows.loc[rows["fold"] == kind, column].astype(float).item()
                    ends = place + side * np.array([0.2, 0.42])
                    axes.plot(ends, [value, value], color="0.1", linestyle=style, linewidth=1.6)
                    if np.isnan(value):
                        continue
                    axes.annotate(
                        f"{value:.3f}", (ends.mean(), value), xytext=(0, -2.5), textcoords="offset points",
                        fontsize=6.5, ha="center", va="top",
                    )  # fmt: skip
            axes.set_title(title, fontweight="bold")
            axes.set_xticks(range(len(models)), [_words(model).replace(" ", "\n") for model in models])
            axes.set_xlim(-0.55, len(models) - 0.45)
            axes.grid(visible=False, axis="x")
        panels[0].set_ylabel("Value of the measure (1 = perfect)")
        least = table[list(names)].to_numpy(dtype=float)
        panels[0].set_ylim(np.floor(10 * np.nanmin(least, initial=1.0) - 0.2) / 10, 1.02)
        keys = [Line2D([], [], color="0.35", marker="o", linestyle="none", **_MARKER, label="one fold")]
        keys += [
            Line2D([], [], color="0.1", linewidth=1.6, linestyle=style, label=f"{kind} average")
            for kind, (_, style) in AVERAGES.items()
        ]
        figure.legend(handles=keys, loc="outside lower center", ncols=3)
    return figure


_MARKER: dict[str, Any] = {"markersize": 5, "markerfacecolor": "white", "markeredgewidth": 1.1}


def _square(across: str, up: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(SIDE, SIDE), layout="constrained")
    axes = figure.subplots()
    axes.set(xlim=(-0.005, 1.005), ylim=(0, 1.02), aspect="equal", xlabel=across, ylabel=up)
    return figure, axes


def _looks(table: pd.DataFrame) -> list[tuple[tuple[str, pd.DataFrame], Look]]:
    groups = [(str(model), rows) for model, rows in table.groupby("model", sort=False)]
    return [(group, LOOKS[place % len(LOOKS)]) for place, group in enumerate(groups)]


def _words(model: str) -> str:
    return model.replace("_", " ").capitalize()


def _between(points: pd.DataFrame, prevalence: float) -> tuple[Floats, Floats]:
    """Put points on the hyperbolas that straight lines between confusion tables are, from recall 0 on."""
    points = points[points["precision"] > 0]  # nothing tells the false positives before the first true one
    tp = np.array([0.0, *points["recall"] * prevalence])
    fp = np.array([0.0, *tp[1:] * (1 / points["precision"] - 1)])
    return interpolated_points(OperatingPoints(tp, fp, tp[1:], prevalence, 1 - prevalence, rounding=0))
