"""The curves of one's own models."""

import pandas as pd
from matplotlib.figure import Figure

from nontrivial.displays._base import CURVE_COLORS
from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial_study.experiments.curve_numbers import PANELS


def plot_own(table: pd.DataFrame) -> Figure:
    """Draw the ROC, PR and PRG curves of the models, a row for each task."""
    tasks = list(table["task"].drop_duplicates())
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.2 * len(tasks)), layout="constrained")
        for row, task in zip(figure.subplots(len(tasks), 3, squeeze=False), tasks, strict=True):
            of_task = table[table["task"] == task]
            for axes, (panel, (x_label, y_label, area_label)) in zip(row, PANELS.items(), strict=True):
                axes.set_prop_cycle(color=CURVE_COLORS)
                for model, rows in of_task[of_task["panel"] == panel].groupby("model", sort=False):
                    label = f"{model} {float(rows['area'].iloc[0]):.2f}".replace("$", r"\$")
                    axes.plot(rows["x"].astype(float), rows["y"].astype(float), linewidth=1.3, label=label)
                axes.set(xlim=(-0.01, 1.01), ylim=(-0.01, 1.01), aspect="equal")
                axes.set(xlabel=x_label, ylabel=y_label)
                place = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.28)}
                axes.legend(title=area_label, fontsize=5.5, title_fontsize=6, **place)
            row[0].set_title(f"Task {task}", loc="left", parse_math=False)
    return figure
