"""The tutorial's figures on real data: precision-recall, ROC, cost curve, averages over folds."""

from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.typing import LineStyleType

from nontrivial._arrays import Floats
from nontrivial.curves.areas import interpolate_pr_points
from nontrivial.curves.points import OperatingPoints
from nontrivial.figure_style import NO_MODEL_MESSAGE, TEXT_WIDTH, LineLook, draw_message, house_style
from nontrivial_study.experiments.results import OK

# Okabe and Ito's colours. A model beyond the third has the look of an earlier one.
MODEL_LOOKS = (
    LineLook("#0072b2", "-", "o"),
    LineLook("#d55e00", (0, (5, 1.5)), "s"),
    LineLook("#009e73", (0, (1.5, 1.2)), "^"),
)
# An average stands to the left (-1) or to the right (1) of the folds' markers.
AVERAGE_SIDES = {"macro": -1, "micro": 1}
AVERAGE_DASHES: dict[str, LineStyleType] = {"macro": "-", "micro": (0, (2, 1))}
SQUARE_SIDE = 0.62 * TEXT_WIDTH  # inches
BACKGROUND_COLOR = "0.75"
MARKER_OPTIONS: dict[str, Any] = {"markersize": 5, "markerfacecolor": "white", "markeredgewidth": 1.1}


def plot_precision_recall(table: pd.DataFrame) -> Figure:
    """Draw precision-recall curves with their break-even points."""
    with house_style():
        figure, axes = _create_square_figure("Recall", "Precision")
        axes.plot([0, 1], [0, 1], color=BACKGROUND_COLOR, linewidth=0.9, label="precision = recall")
        prevalence = table["prevalence"].iloc[0]
        label = "every case called positive"
        axes.axhline(prevalence, color="0.35", linewidth=0.9, linestyle=":", label=label)
        by_model = table.groupby("model", sort=False)
        for (model, points), look in zip(by_model, cycle(MODEL_LOOKS), strict=False):
            precision, recall = _interpolate_hyperbolically(points, prevalence)
            break_even = points["break_even_point"].iloc[0]
            label = f"{_model_title(model)}: area {points['area'].iloc[0]:.3f}, break-even {break_even:.3f}"
            axes.plot(recall, precision, color=look.color, linestyle=look.linestyle)
            axes.plot([break_even], [break_even], color=look.color, marker=look.marker, **MARKER_OPTIONS)
            axes.plot([], [], **look._asdict(), **MARKER_OPTIONS, label=label)  # the entry of the legend
        figure.legend(loc="outside lower center")
    return figure


def plot_roc(table: pd.DataFrame) -> Figure:
    """Draw ROC curves."""
    with house_style():
        figure, axes = _create_square_figure("False positive rate", "True positive rate")
        axes.plot([0, 1], [0, 1], color="0.35", linewidth=0.9, linestyle=":", label="chance")
        by_model = table.groupby("model", sort=False)
        for (model, points), look in zip(by_model, cycle(MODEL_LOOKS), strict=False):
            label = f"{_model_title(model)}: area {points['area'].iloc[0]:.3f}"
            x, y = points["false_positive_rate"], points["true_positive_rate"]
            axes.plot(x, y, color=look.color, linestyle=look.linestyle, label=label)
        figure.legend(loc="outside lower center")
    return figure


def plot_costs(table: pd.DataFrame) -> Figure:
    """Draw cost lines with their lower envelope, a panel for each model."""
    models = table["model"].drop_duplicates().tolist()
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.2), layout="constrained")
        panels = figure.subplots(1, len(models), sharey=True, squeeze=False)[0]
        for axes, model, look in zip(panels, models, cycle(MODEL_LOOKS), strict=False):
            points = table[table["model"] == model]
            lines = points[points["part"] == "line"]
            ends = lines["normalized_cost"].to_numpy().reshape(-1, 2)
            segments = [((0, start), (1, end)) for start, end in ends]
            axes.add_collection(LineCollection(segments, colors=BACKGROUND_COLOR, linewidths=0.5))
            envelope = points[points["part"] == "envelope"]
            x, cost = envelope["probability_cost"], envelope["normalized_cost"]
            axes.fill_between(x, 0, cost, color=look.color, alpha=0.15, linewidth=0)
            axes.plot(x, cost, color=look.color, linewidth=2)
            axes.plot([0, 0.5, 1], [0, 0.5, 0], color="0.35", linewidth=0.9, linestyle=":")
            axes.set_title(f"{_model_title(model)}: area {points['area'].iloc[0]:.3f}", fontweight="bold")
            axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="Probability cost of the positive class")
        panels[0].set_ylabel("Normalized expected cost")
        handles = [
            Line2D([], [], color=BACKGROUND_COLOR, linewidth=0.9, label="one threshold: from (0, FPR) to (1, FNR)"),
            Line2D([], [], color="0.2", linewidth=2, label="lower envelope"),
            Line2D([], [], color="0.35", linewidth=0.9, linestyle=":", label="better constant answer"),
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


def plot_averages(table: pd.DataFrame) -> Figure:
    """Draw precision, recall and F1 of each fold with their macro and micro averages."""
    table = table[table["status"] == OK]
    if table.empty:
        return draw_message(NO_MODEL_MESSAGE)
    titles = {"precision": "Precision", "recall": "Recall", "f_beta": "F1"}
    models = table["model"].drop_duplicates().tolist()
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.3), layout="constrained")
        panels = figure.subplots(1, len(titles), sharey=True)
        for axes, (measure, title) in zip(panels, titles.items(), strict=True):
            for position, (model, look) in enumerate(zip(models, cycle(MODEL_LOOKS), strict=False)):
                rows = table[table["model"] == model]
                folds = rows[~rows["fold"].isin(AVERAGE_SIDES)][measure].astype(float)
                x = position + np.linspace(-0.14, 0.14, len(folds))
                axes.plot(x, folds, color=look.color, marker=look.marker, linestyle="none", **MARKER_OPTIONS)
                for average, side in AVERAGE_SIDES.items():
                    value = rows.loc[rows["fold"] == average, measure].astype(float).item()
                    ends = position + side * np.array([0.2, 0.42])
                    dashes = AVERAGE_DASHES[average]
                    axes.plot(ends, [value, value], color="0.1", linestyle=dashes, linewidth=1.6)
                    if np.isnan(value):
                        continue
                    axes.annotate(
                        f"{value:.3f}", (ends.mean(), value), xytext=(0, -2.5), textcoords="offset points",
                        fontsize=6.5, ha="center", va="top",
                    )  # fmt: skip
            axes.set_title(title, fontweight="bold")
            axes.set_xticks(range(len(models)), [_model_title(model).replace(" ", "\n") for model in models])
            axes.set_xlim(-0.55, len(models) - 0.45)
            axes.grid(visible=False, axis="x")
        panels[0].set_ylabel("Value of the measure (1 = perfect)")
        values = table[list(titles)].to_numpy(dtype=float)
        panels[0].set_ylim(np.floor(10 * np.nanmin(values, initial=1.0) - 0.2) / 10, 1.02)
        handles = [Line2D([], [], color="0.35", marker="o", linestyle="none", **MARKER_OPTIONS, label="one fold")]
        handles += [
            Line2D([], [], color="0.1", linewidth=1.6, linestyle=dashes, label=f"{average} average")
            for average, dashes in AVERAGE_DASHES.items()
        ]
        figure.legend(handles=handles, loc="outside lower center", ncols=3)
    return figure


def _create_square_figure(x_label: str, y_label: str) -> tuple[Figure, Axes]:
    figure = Figure(figsize=(SQUARE_SIDE, SQUARE_SIDE), layout="constrained")
    axes = figure.subplots()
    axes.set(xlim=(-0.005, 1.005), ylim=(0, 1.02), aspect="equal", xlabel=x_label, ylabel=y_label)
    return figure, axes


def _model_title(model: object) -> str:
    return str(model).replace("_", " ").capitalize()


def _interpolate_hyperbolically(points: pd.DataFrame, prevalence: float) -> tuple[Floats, Floats]:
    """Return precision and recall along the hyperbolas that join the points, from recall 0 on."""
    points = points[points["precision"] > 0]  # at precision 0 the number of false positives is unknown
    tp = np.array([0.0, *points["recall"] * prevalence])
    fp = np.array([0.0, *tp[1:] * (1 / points["precision"] - 1)])
    return interpolate_pr_points(OperatingPoints(tp, fp, tp[1:], prevalence, 1 - prevalence, rounding=0))
