"""Figures of the measures over imbalance and noise, after the PA paper's Figures 1 and 2."""

import math
from collections.abc import Hashable
from itertools import cycle
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from nontrivial import figure_style as style
from nontrivial.displays.labels import VennDisplay
from nontrivial.measures.confusion import confusion_measures
from nontrivial_study.tables import rows_with

PANEL_HEIGHT = 2.6  # inches
MARKERS_PER_LINE = 5
# Lines leave the panel below this value: PA falls without bound, and what matters happens around 0.
MIN_MEASURE_SHOWN = -1.0
SHADE: dict[str, Any] = {"facecolor": "#ffe9a3", "edgecolor": "#8a7000", "linewidth": 0.5}


def plot_imbalance(table: pd.DataFrame) -> Figure:
    """Draw every measure against the share of the minority class (PA paper, Figure 1)."""
    classes = table["positive"].drop_duplicates().tolist()
    noises = sorted(table["noise"].unique(), reverse=True)
    with style.house_style():
        figure = Figure(figsize=(style.TEXT_WIDTH, PANEL_HEIGHT * len(classes) + 1.0), layout="constrained")
        panels = figure.subplots(len(classes), len(noises), sharex=True, sharey=True, squeeze=False)
        for row, minority in zip(panels, classes, strict=True):
            for axes, noise in zip(row, noises, strict=True):
                _draw_measures(axes, rows_with(table, positive=minority, noise=noise))
            row[0].set_ylabel(f"Minority: {minority}\nValue of the measure (1 = perfect)")
        for top, bottom, noise in zip(panels[0], panels[-1], noises, strict=True):
            top.set_title(f"{100 * noise:g} % label noise", fontweight="bold")
            bottom.set_xlabel("Share of the minority class (%)")
        panels[0, 0].set_ylim(_lower_limit(table), 1.05)
        drawn = [look for name, look in style.MEASURE_LOOKS.items() if name in set(table["measure"])]
        figure.legend(handles=_legend_keys(drawn), loc="outside lower center", ncols=3)
    return figure


def misleading_shares(means: pd.DataFrame, points: int = 2001) -> tuple[np.ndarray, np.ndarray]:
    """Return a fine grid of shares, and a mask of those where PA alone calls the classifier worse than trivial.

    The means of the measures, a column for each, are indexed by the shares at which they were traced.
    """
    traced = means.index.to_numpy()
    shares = np.linspace(traced[0], traced[-1], points)
    values = {name: np.interp(shares, traced, column.to_numpy()) for name, column in means.items()}
    advantage = values.pop("prediction_advantage")
    is_praised = [of_measure > 0 for of_measure in values.values()]
    return shares, np.logical_and.reduce([advantage < 0, *is_praised])


def _draw_measures(axes: Axes, table: pd.DataFrame) -> None:
    """Draw each measure, with its interval, over the share of the minority."""
    axes.axhline(0, color="0.2", linewidth=0.8, zorder=1.5)
    means = {}
    for position, name in enumerate(style.MEASURE_LOOKS):
        curve = table[table["measure"] == name].set_index("minority_share").sort_index()
        if curve.empty:
            continue
        means[name] = curve["mean"]
        percent, look = 100 * curve.index.to_numpy(), style.MEASURE_LOOKS[name]
        axes.fill_between(percent, curve["low"], curve["high"], color=look.color, alpha=0.15, linewidth=0)
        # Markers start at different shares, so that the markers of lines that coincide stand side by side.
        step = max(1, len(curve) // MARKERS_PER_LINE)
        first_marked = position * step // len(style.MEASURE_LOOKS)
        axes.plot(percent, curve["mean"], **look.line_options(markevery=(first_marked, step)))
    if "prediction_advantage" in means:
        shares, misleading = misleading_shares(pd.DataFrame(means))
        axes.fill_between(100 * shares, 0, 1, where=misleading, zorder=0.5, **SHADE)


def _lower_limit(table: pd.DataFrame) -> float:
    """Return the multiple of 1/4 below the least mean, but at least `MIN_MEASURE_SHOWN`."""
    least = np.nan_to_num(table["mean"].min())
    return max(float(np.floor(4 * min(least, 0) - 0.2) / 4), MIN_MEASURE_SHOWN)


def _legend_keys(looks: list[style.MeasureLook]) -> list[Line2D | Patch]:
    keys: list[Line2D | Patch] = [Line2D([], [], label=look.name, **look.line_options()) for look in looks]
    keys.append(Patch(color="0.5", alpha=0.3, linewidth=0, label="95 % band over test sets"))
    keys.append(Patch(label="Only PA warns: PA < 0, all others > 0", **SHADE))
    return keys


class _CrossingMark(NamedTuple):
    """How the crossings of a measure are marked in each model's row."""

    reading: str  # the reading under which the measure has a crossing at all
    offset: float  # above the middle of the row
    label: str


CROSSING_MARKS = {
    "prediction_advantage": _CrossingMark("zero", 0.27, "PA = 0"),
    "f_beta": _CrossingMark("best_constant", 0.0, "F1 = that of a constant"),
    "cohen_kappa": _CrossingMark("zero", -0.27, "kappa = 0"),
}
SHADED_HEIGHT = 0.8  # a share of the row's height


def plot_crossings(table: pd.DataFrame) -> Figure:
    """Draw the shares of the minority at which measures cross into "no better than trivial"."""
    table = table[table["held"] == "noise"]
    rows = table[["dataset", "model", "positive"]].drop_duplicates().reset_index(drop=True)
    noises = sorted(table["at"].unique(), reverse=True)
    greatest = 10 * np.ceil(10 * np.nanmax(table[["crossing", "high"]].to_numpy(), initial=0.1))  # percent
    heights = {row: -number for number, row in enumerate(rows.itertuples(index=False, name=None))}
    with style.house_style():
        figure = Figure(figsize=(style.TEXT_WIDTH, 1.3 + 0.46 * len(rows)), layout="constrained")
        panels = figure.subplots(1, len(noises), sharey=True, squeeze=False)[0]
        for axes, noise in zip(panels, noises, strict=True):
            axes.axvspan(0, 50 * noise, color="0.93", linewidth=0, zorder=0)
            for name, mark in CROSSING_MARKS.items():
                crossings = rows_with(table, measure=name, reading=mark.reading, at=noise)
                for row in crossings.to_dict("records"):
                    height = heights[row["dataset"], row["model"], row["positive"]]
                    if name == "cohen_kappa":
                        least = 50 * noise if np.isnan(row["crossing"]) else 100 * row["crossing"]
                        width = 100 * row["width"]
                        axes.barh(height, width, left=least, height=SHADED_HEIGHT, zorder=0.8, **SHADE)
                    _mark_crossing(axes, row, height + mark.offset, name)
            axes.set(xlim=(0, greatest), xlabel="Share of the minority class (%)")
            axes.set_title(f"{100 * noise:g} % label noise", fontweight="bold")
            axes.grid(visible=False, axis="y")
        has_several_datasets = len(rows["dataset"].unique()) > 1
        labels = []
        for dataset, model, positive in heights:
            of_dataset = f"{dataset}, " if has_several_datasets else ""
            labels.append(f"{model.replace('_', ' ')}\n{of_dataset}minority: {positive}")
        panels[0].set_yticks(list(heights.values()), labels)
        panels[0].tick_params(axis="y", labelsize=7)
        panels[0].set_ylim(-len(rows) + 0.45, 0.55)
        keys: list[Line2D | Patch] = [
            Line2D([], [], **style.MEASURE_LOOKS[name].line_options(linestyle="-", linewidth=1.3), label=mark.label)
            for name, mark in CROSSING_MARKS.items()
        ]
        keys.append(Patch(label="PA \N{LESS-THAN OR EQUAL TO} 0 < kappa", **SHADE))
        keys.append(Patch(color="0.93", label="no such test set"))
        figure.legend(handles=keys, loc="outside lower center", ncols=len(keys))
    return figure


def _mark_crossing(axes: Axes, row: dict[Hashable, Any], height: float, name: str) -> None:
    look = style.MEASURE_LOOKS[name]
    if np.isfinite(row["crossing"]):
        low, high = np.nan_to_num([row["low"], row["high"]], nan=0.0)
        axes.plot([100 * low, 100 * high], [height, height], color=look.color, linewidth=1.3)
        axes.plot([100 * row["crossing"]], [height], **look.line_options(linestyle="none", markersize=5))


PANELS_PER_ROW = 5
# The measures in the last row, each with the reference below which it calls a classifier trivial.
SUMMARIZED_READINGS = {"prediction_advantage": "zero", "accuracy": "best_constant"}
SUMMARIZED_READINGS |= {"f_beta": "best_constant", "cohen_kappa": "zero"}


def plot_multiples(table: pd.DataFrame) -> Figure:
    """Draw the measures over the share of the minority for each data set, and below where they first say "trivial"."""
    curves, crossings = (table[table["kind"] == kind] for kind in ("curve", "crossing"))
    if curves.empty:
        return style.draw_message(style.NO_MODEL_MESSAGE)
    names = curves["dataset"].drop_duplicates().tolist()
    rows = math.ceil(len(names) / PANELS_PER_ROW)
    noise = curves["noise"].iloc[0]
    with style.house_style():
        figure = Figure(figsize=(style.TEXT_WIDTH, 1.75 * rows + 2.6), layout="constrained")
        figure.suptitle(f"{100 * noise:g} % label noise, {len(names)} data sets", x=0.01, ha="left")
        grid = figure.add_gridspec(rows + 1, PANELS_PER_ROW, height_ratios=[*[1] * rows, 1.2])
        first: Axes | None = None
        for number, name in enumerate(names):
            axes = figure.add_subplot(grid[divmod(number, PANELS_PER_ROW)], sharex=first, sharey=first)
            first = first or axes
            _draw_curves(axes, curves[curves["dataset"] == name])
            axes.set_title(name if len(name) < 15 else f"{name[:13]}…", fontsize=7.5)
            axes.tick_params(labelbottom=number + PANELS_PER_ROW >= len(names), labelleft=number % PANELS_PER_ROW == 0)
        if first is not None:
            least = max(MIN_MEASURE_SHOWN, -0.1 + curves["value"].min())
            first.set(xlim=(0, 50), ylim=(least, 1.02), ylabel="Value of the measure")
        _draw_crossing_summary(figure.add_subplot(grid[rows, :]), crossings, noise)
        keys = [Line2D([], [], label=look.name, **look.line_options()) for look in style.MEASURE_LOOKS.values()]
        figure.legend(handles=keys, loc="outside lower center", ncols=4)
    return figure


def _draw_curves(axes: Axes, curves: pd.DataFrame) -> None:
    axes.axhline(0, color="0.2", linewidth=0.8, zorder=1.5)
    for name, look in style.MEASURE_LOOKS.items():
        curve = curves[curves["measure"] == name]
        share = 100 * curve["minority_share"]
        axes.fill_between(share, curve["low"], curve["high"], color=look.color, alpha=0.12, linewidth=0)
        axes.plot(share, curve["value"], **look.line_options(marker="", linewidth=0.7 * look.width))
    axes.set_xticks([0, 25, 50])


def _draw_crossing_summary(axes: Axes, crossings: pd.DataFrame, noise: float) -> None:
    """Draw the shares at which each measure first says "trivial", a point for each data set, and their medians."""
    axes.axvspan(0, 50 * noise, color="0.93", linewidth=0, zorder=0)
    for height, (name, reading) in enumerate(SUMMARIZED_READINGS.items()):
        look = style.MEASURE_LOOKS[name]
        of_measure = rows_with(crossings, measure=name, reading=reading)
        offsets = np.linspace(-0.3, 0.3, max(len(of_measure), 2))
        for offset, row in zip(offsets, of_measure.to_dict("records"), strict=False):
            shares = [row["low"], row["crossing"], row["high"]]
            low, crossing, high = 100 * np.nan_to_num(shares, nan=noise / 2)
            axes.plot([low, high], [height + offset] * 2, color=look.color, linewidth=0.8)
            axes.plot([crossing], [height + offset], **look.line_options(linestyle="none", markersize=3.5))
        median = 100 * of_measure["crossing"].fillna(noise / 2).median()
        axes.plot([median, median], [height - 0.42, height + 0.42], color="0.2", linewidth=1.6)
    names = [style.MEASURE_LOOKS[name].name for name in SUMMARIZED_READINGS]
    short_names = [name.removeprefix("Prediction Advantage (").removesuffix(")") for name in names]
    axes.set_yticks(range(len(names)), short_names)
    axes.set(ylim=(len(SUMMARIZED_READINGS) - 0.5, -0.5), xlim=(0, 52))
    axes.set_xlabel('Share of the minority (%) at which the measure first says "trivial"')
    axes.grid(visible=False, axis="y")


def plot_regions(table: pd.DataFrame) -> Figure:
    """Draw the Venn diagrams of several confusion tables beside one another (PA paper, Figure 2)."""
    titles = table["title"].drop_duplicates().tolist()
    with style.house_style():
        figure = Figure(figsize=(style.TEXT_WIDTH, 3.2), layout="constrained")
        panels = figure.subplots(1, len(titles), squeeze=False)[0]
        for axes, title in zip(panels, titles, strict=True):
            cells = table[table["title"] == title].set_index("cell")["count"].to_dict()
            VennDisplay(**cells).plot(axes, legend=False)
            axes.set_title(title, fontweight="bold")
            measures = confusion_measures(**cells).iloc[0]
            axes.set_xlabel(
                f"PA = (b \N{MINUS SIGN} a) / (b + c) = {_format_signed(measures['prediction_advantage'])}\n"
                f"kappa {_format_signed(measures['cohen_kappa'])},  F1 {_format_signed(measures['f_beta'])},  "
                f"accuracy {_format_signed(measures['accuracy'])}"
            )
        figure.legend(handles=VennDisplay.legend_handles(), loc="outside lower center", ncols=2)
    return figure


def _format_signed(value: float) -> str:
    """Format a number with two decimals and a true minus sign."""
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")


def plot_training_noise(table: pd.DataFrame) -> Figure:
    """Draw PA against the share of the minority in the training set."""
    table = rows_with(table, measure="prediction_advantage", positive=table["positive"].iloc[0])
    noises = sorted(table["noise"].unique(), reverse=True)
    models = table["model"].drop_duplicates().tolist()
    looks = {model: look._asdict() for model, look in zip(models, cycle(style.SERIES_LOOKS), strict=False)}
    with style.house_style():
        figure = Figure(figsize=(style.TEXT_WIDTH, 4.6), layout="constrained")
        panels = figure.subplots(2, len(noises), sharex=True, sharey=True, squeeze=False)
        for row, tested_on in zip(panels, ("clean", "noisy"), strict=True):
            for axes, noise in zip(row, noises, strict=True):
                axes.axhline(0, color="0.2", linewidth=0.8, zorder=1.5)
                for position, model in enumerate(models):
                    rows = rows_with(table, tested_on=tested_on, noise=noise, model=model)
                    rows = rows.dropna(subset="value")
                    # The points of different models stand side by side.
                    x = 100 * rows["minority_share"] + 0.5 * (position - (len(models) - 1) / 2)
                    color = looks[model]["color"]
                    axes.vlines(x, rows["low"], rows["high"], color=color, linewidth=0.9, alpha=0.6)
                    axes.plot(x, rows["value"], linewidth=1.1, **looks[model], **style.HOLLOW_MARKER)
            row[0].set_ylabel(f"Tested on {tested_on} labels\nPA (1 = perfect)")
        for axes, noise in zip(panels[0], noises, strict=True):
            axes.set_title(f"{100 * noise:g} % noise in training", fontweight="bold")
        for axes in panels[-1]:
            axes.set_xlabel("Share of the minority class (%)")
        least = max(MIN_MEASURE_SHOWN, np.nan_to_num(table["value"].min()) - 0.1)
        panels[0, 0].set(xlim=(0, 52), ylim=(least, 1.05))
        keys = [
            Line2D([], [], label=model.replace("_", " "), **look, **style.HOLLOW_MARKER)
            for model, look in looks.items()
        ]
        figure.legend(handles=keys, loc="outside lower center", ncols=len(keys))
    return figure
