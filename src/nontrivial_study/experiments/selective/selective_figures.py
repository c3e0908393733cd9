"""Coverage against risk and Prediction Advantage of two selective classifiers, of which one rejects the minority."""

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial_study.experiments.selective.selective import REJECTS

LOOKS = dict(zip(REJECTS, [("#0072b2", "-", "P"), ("#d55e00", (0, (5, 1.5)), "s")], strict=True))


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
        for rejects, (color, dashes, marker) in LOOKS.items():
            rows = curves[curves["rejects"] == rejects]
            point = pair[pair["rejects"] == rejects].iloc[0]
            label = f"rejects {rejects} ({point['model'].replace('_', ' ')})"
            finite = rows["advantage"].where(np.isfinite(rows["advantage"]))
            for axes, values, value in (
                (risk, 100 * rows["risk"], 100 * point["risk"]),
                (advantage, finite, point["advantage"]),
            ):
                axes.plot(100 * rows["coverage"], values, color=color, linestyle=dashes, label=label)
                axes.plot(
                    [100 * point["coverage"]], [value], color=color, marker=marker, markersize=7,
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
