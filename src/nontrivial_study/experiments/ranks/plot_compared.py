"""Figure 5 of the PRG paper: ROC, precision-recall and PRG curves of two models on one task."""

from __future__ import annotations

import textwrap

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from nontrivial.displays.gain import PrecisionRecallGainDisplay
from nontrivial.displays.precision_recall import HyperbolicPrecisionRecallDisplay
from nontrivial.figure_style import TEXT_WIDTH, blank, house_style
from nontrivial_study.experiments.status import OK

# The first model's curve is solid and the second's dashed, as in the paper.
LOOKS = [
    {"color": "#0072b2", "linestyle": "-", "linewidth": 1.4, "alpha": 1},
    {"color": "#d55e00", "linestyle": (0, (4, 1.5)), "linewidth": 1.4, "alpha": 1},
]
AREAS = {"roc": "AUROC", "pr": "AUPR", "prg": "AUPRG"}
PANELS = {
    "roc": (None, "False positive rate", "True positive rate"),
    "pr": (HyperbolicPrecisionRecallDisplay, "Recall", "Precision"),
    "prg": (PrecisionRecallGainDisplay, "Recall gain", "Precision gain"),
}
_LONGEST_LINE = 100  # characters


def plot_compared(table: pd.DataFrame) -> Figure:
    """Draw the curves of models of one task.

    Parameters
    ----------
    table : DataFrame
        From `nontrivial_study.experiments.curve_numbers.compared_curves`, of at most two models.

    Returns
    -------
    matplotlib.figure.Figure
        Panels for ROC, precision-recall and PRG curves; the areas, or why a model has no curves, are in the legend. The
        PRG panel ends at precision gain -1 at the lowest. Where no model has curves, the reasons stand alone.
    """
    if table["panel"].isna().all():
        reasons = table.groupby("status", sort=False)["model"].agg(" and ".join)
        return blank("\n".join(_wrapped(f"{models}: {status}") for status, models in reasons.items()))
    looks = dict(zip(table["model"].drop_duplicates(), LOOKS, strict=False))
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.15), layout="constrained")
        task, data = table[["task", "data"]].iloc[0]
        title = f"Task {task}" + (f", {data}" if data else "")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)  # it came from data
        for axes, (panel, (display, across, up)) in zip(figure.subplots(1, 3), PANELS.items(), strict=True):
            axes.set(ylim=(-0.01, 1), aspect="equal", xlabel=across, ylabel=up)
            curves = list(table[table["panel"] == panel].groupby("model", sort=False))
            x, y = ([rows[side].to_numpy(dtype=float) for _, rows in curves] for side in "xy")
            styles = [looks[model] for model, _ in curves]
            if display is None:
                for *points, look in zip(x, y, styles, strict=True):
                    axes.plot(*points, **look)
            else:
                display(y, x).plot(axes, curve_kwargs=styles, plot_baseline=False, plot_isometrics=False)
            axes.set(xlim=(-0.01, 1.01), xticks=np.linspace(0, 1, 6))
            axes.set_ylim(min(axes.get_ylim()[0], -0.01), 1.01)
        keys = [
            Line2D([], [], label=_entry(str(model), rows), **looks[model])
            for model, rows in table.groupby("model", sort=False)
        ]
        figure.legend(handles=keys, loc="outside lower left")
    return figure


def _entry(model: str, rows: pd.DataFrame) -> str:
    """Return a model's entry in the legend: its areas, or why it has none."""
    status = rows["status"].iloc[0]
    if status != OK:
        return _wrapped(f"{model}: not shown, {status}")
    areas = rows.groupby("panel")["area"].first().astype(float)
    return f"{model}: " + ", ".join(f"{name} {areas[panel]:.3f}" for panel, name in AREAS.items())


def _wrapped(text: str) -> str:
    return textwrap.fill(text, _LONGEST_LINE)
