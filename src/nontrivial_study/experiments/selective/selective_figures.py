"""Risk and Prediction Advantage of two selective classifiers against coverage."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from nontrivial.figure_style import TEXT_WIDTH, LineLook, house_style
from nontrivial_study.experiments.selective.selective import REJECTS

CLASSIFIER_LOOKS = dict(
    zip(REJECTS, [LineLook("#0072b2", "-", "P"), LineLook("#d55e00", (0, (5, 1.5)), "s")], strict=True)
)


def plot_selection(curves: pd.DataFrame, pair: pd.DataFrame) -> Figure:
    """Draw both classifiers' risk and advantage against their coverage."""
    pair = pair[pair["model"].notna() & (pair["model"] != "")]
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.1), layout="constrained")
        if pair.empty:
            figure.text(0.5, 0.5, "There is no such pair of models; the table says why.", ha="center")
            return figure
        risk, advantage = figure.subplots(1, 2)
        advantage.axhline(0, color="0.2", linewidth=0.8, zorder=1.5)
        for rejects, look in CLASSIFIER_LOOKS.items():
            curve = curves[curves["rejects"] == rejects]
            point = pair[pair["rejects"] == rejects].iloc[0]
            label = f"rejects {rejects} ({point['model'].replace('_', ' ')})"
            finite_advantages = curve["advantage"].where(np.isfinite(curve["advantage"]))
            for axes, heights, height in (
                (risk, 100 * curve["risk"], 100 * point["risk"]),
                (advantage, finite_advantages, point["advantage"]),
            ):
                line_look = {"color": look.color, "linestyle": look.linestyle, "label": label}
                axes.plot(100 * curve["coverage"], heights, **line_look)
                axes.plot(
                    [100 * point["coverage"]], [height], color=look.color, marker=look.marker, markersize=7,
                    markerfacecolor="none", markeredgewidth=1.3,
                )  # fmt: skip
        for axes in (risk, advantage):
            axes.set(xlim=(0, 101), xlabel="Coverage (% of the cases answered)")
            axes.axvline(100 * pair["coverage"].iloc[0], color="0.6", linewidth=0.8, linestyle=":", zorder=1)
        risk.set(ylabel="Errors among the answered (%)", ylim=(-0.5, None))
        risk.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        risk.yaxis.set_major_formatter("{x:g}")
        advantage.set(ylabel="Prediction Advantage (1 = perfect)", ylim=(-0.15, 1.05))
        risk.set_title("a   Risk", fontweight="bold")
        advantage.set_title("b   Prediction Advantage", fontweight="bold")
        figure.legend(*risk.get_legend_handles_labels(), loc="outside lower center", ncols=2)
    return figure
