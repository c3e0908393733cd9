"""Prediction Advantage against risk: the models of a data set lie on a line, which its marginal risk fixes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import NullFormatter, NullLocator

from nontrivial.figure_style import HOLLOW_MARKER, SERIES_LOOKS, TEXT_WIDTH, LineLook, house_style

# The title of each loss's panel, and the label of its axis of risks.
LOSS_TITLES = {
    "zero_one": ("0/1 loss", "Error rate"),
    "cross_entropy": ("Cross-entropy", "Risk (nats)"),
    "cost": ("Cost-sensitive loss", "Mean cost (1 = an ordinary error)"),
    "squared": ("Squared loss", "Mean squared error (target unit\N{SUPERSCRIPT TWO})"),
    "absolute": ("Absolute loss", "Mean absolute error (target unit)"),
}
# The axis of advantages is logarithmic in 1 - PA if a panel has several data sets.
LOGARITHMIC_TICKS = (0.998, 0.99, 0.98, 0.95, 0.9, 0.8, 0.5, 0)
MIN_LOGARITHMIC_ADVANTAGE = -2.0


def plot_losses(table: pd.DataFrame) -> Figure:
    """Draw the models' advantages against their risks, for each loss."""
    datasets = table["dataset"].drop_duplicates().tolist()
    if len(datasets) > len(SERIES_LOOKS):
        raise ValueError(f"The table has {len(datasets)} data sets; at most {len(SERIES_LOOKS)} are allowed.")
    looks = dict(zip(datasets, SERIES_LOOKS, strict=False))
    losses = [loss for loss in LOSS_TITLES if loss in set(table["loss"])]
    n_rows = -(-len(losses) // 3)
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 2.55 * n_rows + 0.4), layout="constrained")
        panels = figure.subplots(n_rows, 3, squeeze=False).ravel()
        for axes, loss in zip(panels, losses, strict=False):
            _draw_loss(axes, table[(table["loss"] == loss) & table["risk"].notna()], looks)
            title, risk_label = LOSS_TITLES[loss]
            axes.set_title(title, fontweight="bold")
            axes.set_xlabel(risk_label)
        for axes in panels[: len(losses) : 3]:
            axes.set_ylabel("Prediction Advantage (1 = perfect)")
        for axes in panels[len(losses) :]:
            axes.axis("off")
        handles = [Line2D([], [], label=dataset, **look._asdict(), **HOLLOW_MARKER) for dataset, look in looks.items()]
        handles.append(Line2D([], [], color="0.2", linewidth=0.8, label="trivial"))
        if len(losses) < len(panels):
            panels[-1].legend(handles=handles, loc="center", title="Data set")
        else:
            figure.legend(handles=handles, loc="outside lower center", ncols=len(handles))
    return figure


def _draw_loss(axes: Axes, table: pd.DataFrame, looks: Mapping[str, LineLook]) -> None:
    """Draw the Prediction Advantage of models against their risk under a loss, with a line for each data set."""
    risk = table["risk"].astype(float)
    is_logarithmic = len(set(table["dataset"])) > 1
    shown = table[np.isfinite(risk) & ((risk > 0) | (not is_logarithmic))]

    def height(advantage: Any) -> Any:
        """Return the advantage; on a logarithmic axis, 1 minus the advantage."""
        return 1 - advantage if is_logarithmic else advantage

    axes.axhline(height(0), color="0.2", linewidth=0.8, zorder=1.5)
    min_risk = shown["risk"].min() / 1.5 if is_logarithmic else 0.0
    max_advantage = shown.loc[shown["high"] < 1, "high"].max()  # a logarithmic axis cannot show 1
    for dataset, models in shown.groupby("dataset", sort=False):
        look = looks[str(dataset)]
        marginal_risk = models["marginal_risk"].iloc[0]
        ends = np.array([min_risk, max(marginal_risk, models["risk"].max())])
        max_advantage = max(max_advantage, 1 - min_risk / marginal_risk)
        line_look: dict[str, Any] = {"color": look.color, "linestyle": look.linestyle, "linewidth": 1.1}
        axes.plot(ends, height(1 - ends / marginal_risk), zorder=2, **line_look)
        low, high = models[["low", "high"]].to_numpy(dtype=float).T
        if is_logarithmic:
            low = np.maximum(low, MIN_LOGARITHMIC_ADVANTAGE)  # it may be minus infinity
        axes.vlines(models["risk"], height(low), height(high), color=look.color, linewidth=0.9, alpha=0.6, zorder=2.2)
        axes.plot(
            models["risk"], height(models["advantage"]), color=look.color, marker=look.marker,
            linestyle="none", zorder=2.5, **HOLLOW_MARKER,
        )  # fmt: skip
    if is_logarithmic:
        _set_logarithmic_axes(axes, 1 - max_advantage)
    else:
        axes.set(xlim=(0, None), ylim=(None, 1.05))
    counts = {
        "of infinite risk, PA = \N{MINUS SIGN}\N{INFINITY}": int(np.isinf(risk).sum()),
        "without risk, PA = 1": int((risk == 0).sum()) if is_logarithmic else 0,
    }
    note = "\n".join(f"and {count} {models_left_out}" for models_left_out, count in counts.items() if count)
    if note:
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1}
        axes.text(0.03, 0.03, note, transform=axes.transAxes, fontsize=7, color="0.25", bbox=box, zorder=3)


def _set_logarithmic_axes(axes: Axes, min_height: float) -> None:
    """Make both axes logarithmic. Heights are 1 - PA, so the upright axis is reversed and its ticks name PA."""
    top = min_height / 1.2
    axes.set(xscale="log", yscale="log", ylim=(1 - MIN_LOGARITHMIC_ADVANTAGE, top))
    ticks = [advantage for advantage in LOGARITHMIC_TICKS if 1 - advantage >= top]
    axes.set_yticks([1 - advantage for advantage in ticks], [f"{advantage:g}" for advantage in ticks])
    axes.xaxis.set_major_formatter("{x:g}")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
    axes.yaxis.set_minor_locator(NullLocator())
