"""Prediction Advantage against the risk it is made from: a line for each problem, and its slope is the problem's."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter, NullLocator
from matplotlib.typing import LineStyleType

from nontrivial.figure_style import TEXT_WIDTH, house_style

TITLES = {
    "zero_one": ("0/1 loss", "Error rate"),
    "cross_entropy": ("Cross-entropy", "Risk (nats)"),
    "cost": ("Cost-sensitive loss", "Mean cost (1 = an ordinary error)"),
    "squared": ("Squared loss", "Mean squared error (target unit\N{SUPERSCRIPT TWO})"),
    "absolute": ("Absolute loss", "Mean absolute error (target unit)"),
}
# Okabe and Ito's colours, by falling lightness, each with a marker of its own.
PROBLEMS: list[tuple[str, str, LineStyleType]] = [
    ("#d55e00", "o", "-"),
    ("#0072b2", "s", (0, (5, 1.5))),
    ("#009e73", "^", (0, (1.5, 1.2))),
    ("#7b2d9e", "D", (0, (6, 1.5, 1.2, 1.5))),
    ("#555555", "v", (0, (3, 1))),
    ("#b58900", "P", (0, (3, 1, 1, 1, 1, 1))),
]
MARKERS: dict[str, Any] = {"markersize": 4.5, "markerfacecolor": "white", "markeredgewidth": 1}
# Where a logarithmic axis of what is left of the trivial risk is marked, by the advantage that this is.
TICKS = (0.998, 0.99, 0.98, 0.95, 0.9, 0.8, 0.5, 0)
LEAST = -2.0  # where such an axis ends


def plot_losses(table: pd.DataFrame) -> Figure:
    """Draw the models' advantages against their risks, for each loss."""
    problems = table["dataset"].drop_duplicates().tolist()
    if len(problems) > len(PROBLEMS):
        raise ValueError(f"The table has {len(problems)} data sets; at most {len(PROBLEMS)} are allowed.")
    looks = dict(zip(problems, PROBLEMS, strict=False))
    losses = [loss for loss in TITLES if loss in set(table["loss"])]
    rows = -(-len(losses) // 3)
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 2.55 * rows + 0.4), layout="constrained")
        panels = figure.subplots(rows, 3, squeeze=False).ravel()
        for axes, loss in zip(panels, losses, strict=False):
            _draw(axes, table[(table["loss"] == loss) & table["risk"].notna()], looks)
            title, label = TITLES[loss]
            axes.set_title(title, fontweight="bold")
            axes.set_xlabel(label)
        for axes in panels[: len(losses) : 3]:
            axes.set_ylabel("Prediction Advantage (1 = perfect)")
        for axes in panels[len(losses) :]:
            axes.axis("off")
        keys = [
            Line2D([], [], color=color, linestyle=dashes, label=name, marker=marker, **MARKERS)
            for name, (color, marker, dashes) in looks.items()
        ]
        keys.append(Line2D([], [], color="0.2", linewidth=0.8, label="trivial"))
        if len(losses) < len(panels):
            panels[-1].legend(handles=keys, loc="center", title="Data set")
        else:
            figure.legend(handles=keys, loc="outside lower center", ncols=len(keys))
    return figure


def _draw(axes: Axes, table: pd.DataFrame, looks: dict[str, tuple[str, str, LineStyleType]]) -> None:
    risk = table["risk"].astype(float)
    several = len(set(table["dataset"])) > 1
    shown = table[np.isfinite(risk) & ((risk > 0) | (not several))]

    def place(advantage: Any) -> Any:
        return 1 - advantage if several else advantage

    axes.axhline(place(0), color="0.2", linewidth=0.8, zorder=1.5)
    least = shown["risk"].min() / 1.5 if several else 0.0
    top = shown.loc[shown["high"] < 1, "high"].max()  # 1 has no place on a logarithmic axis
    for name, of_problem in shown.groupby("dataset", sort=False):
        color, marker, dashes = looks[str(name)]
        marginal = of_problem["marginal_risk"].iloc[0]
        line = np.array([least, max(marginal, of_problem["risk"].max())])
        top = max(top, 1 - least / marginal)
        axes.plot(line, place(1 - line / marginal), color=color, linestyle=dashes, linewidth=1.1, zorder=2)
        low, high = of_problem[["low", "high"]].to_numpy(dtype=float).T
        low = np.maximum(low, LEAST) if several else low  # an end at minus infinity is at the edge
        axes.vlines(
            of_problem["risk"], place(low), place(high), color=color, linewidth=0.9, alpha=0.6, zorder=2.2
        )
        axes.plot(
            of_problem["risk"], place(of_problem["advantage"]), color=color, marker=marker, linestyle="none",
            zorder=2.5, **MARKERS,
        )  # fmt: skip
    if several:
        _mark_logarithmic(axes, place(top))
    else:
        axes.set(xlim=(0, None), ylim=(None, 1.05))
    notes = [(int(np.isinf(risk).sum()), "of infinite risk, PA = \N{MINUS SIGN}\N{INFINITY}")]
    notes.append((int((risk == 0).sum()) if several else 0, "without risk, PA = 1"))
    text = "\n".join(f"and {count} {what}" for count, what in notes if count)
    if text:
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        axes.text(0.03, 0.03, text, transform=axes.transAxes, fontsize=7, color="0.25", bbox=box, zorder=3)


def _mark_logarithmic(axes: Axes, least: float) -> None:
    """Mark logarithmic axes: risk plainly, and what is left of the trivial risk, upside down, by its advantage."""
    axes.set(
        xscale="log", yscale="log", ylim=(1 - LEAST, least / 1.2)
    )  # below the trivial there is room for a note
    ticks = [tick for tick in TICKS if 1 - tick >= least / 1.2]
    axes.set_yticks([1 - tick for tick in ticks], [f"{tick:g}" for tick in ticks])
    axes.xaxis.set_major_formatter("{x:g}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_minor_locator(NullLocator())
