"""The Prediction Advantage of models trained on imbalanced and noisy data, tested on clean and on noisy labels."""

from __future__ import annotations

from itertools import cycle
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial_study.experiments.losses.plot_losses import MARKERS, PROBLEMS

LEAST = -1.0  # below it lines leave the panel: how much worse than trivial a model is, no reader needs


def plot_training_noise(table: pd.DataFrame) -> Figure:
    """Draw PA against the share of the minority in the training set.

    Parameters
    ----------
    table : DataFrame
        From `training_noise.noise_table`. A row of panels for clean and one for noisy test labels,
        a column for each noise, the greatest first, for the first class taken as the minority.
    """
    table = table[
        (table["measure"] == "prediction_advantage") & (table["positive"] == table["positive"].iloc[0])
    ]
    noises = sorted(table["noise"].unique(), reverse=True)
    models = table["model"].drop_duplicates().tolist()
    looks: dict[str, dict[str, Any]] = {
        model: {"color": color, "marker": marker, "linestyle": dashes} | MARKERS
        for model, (color, marker, dashes) in zip(models, cycle(PROBLEMS), strict=False)
    }
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 4.6), layout="constrained")
        panels = figure.subplots(2, len(noises), sharex=True, sharey=True, squeeze=False)
        for row, tested_on in zip(panels, ("clean", "noisy"), strict=True):
            for axes, noise in zip(row, noises, strict=True):
                axes.axhline(0, color="0.2", linewidth=0.8, zorder=1.5)
                for place, model in enumerate(models):
                    rows = table[
                        (table["tested_on"] == tested_on)
                        & (table["noise"] == noise)
                        & (table["model"] == model)
                    ].dropna(subset="value")
                    x = 100 * rows["minority_share"] + 0.5 * (place - (len(models) - 1) / 2)
                    color = looks[model]["color"]
                    axes.vlines(x, rows["low"], rows["high"], color=color, linewidth=0.9, alpha=0.6)
                    axes.plot(x, rows["value"], linewidth=1.1, **looks[model])
            row[0].set_ylabel(f"Tested on {tested_on} labels\nPA (1 = perfect)")
        for axes, noise in zip(panels[0], noises, strict=True):
            axes.set_title(f"{100 * noise:g} % noise in training", fontweight="bold")
        for axes in panels[-1]:
            axes.set_xlabel("Share of the minority class (%)")
        panels[0, 0].set_ylim(max(LEAST, np.nan_to_num(table["value"].min()) - 0.1), 1.05)
        panels[0, 0].set_xlim(0, 52)
        keys = [Line2D([], [], label=model.replace("_", " "), **look) for model, look in looks.items()]
        figure.legend(handles=keys, loc="outside lower center", ncols=len(keys))
    return figure
