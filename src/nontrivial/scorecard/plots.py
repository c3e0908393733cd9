"""The pictures of a scorecard, as SVG, each as wide as a telephone or a third of a screen."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from sklearn.metrics import RocCurveDisplay

from nontrivial.curves.gain import ExtrapolatedAreaWarning
from nontrivial.displays import (
    CostCurveDisplay,
    HyperbolicPrecisionRecallDisplay,
    NetBenefitDisplay,
    PrecisionRecallGainDisplay,
)
from nontrivial.displays._base import CURVES
from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial.scorecard.answers import Forecasts, Predictions
from nontrivial.scorecard.calibration import Calibration
from nontrivial.terminal import shortened, visible

_INK, _QUIET = CURVES[0], "0.45"
_SIDE = TEXT_WIDTH / 2  # inches
_AXES = {
    PrecisionRecallGainDisplay: ("Recall gain", "Precision gain"),
    HyperbolicPrecisionRecallDisplay: ("Recall", "Precision"),
    RocCurveDisplay: ("False positive rate", "True positive rate"),
    CostCurveDisplay: ("Probability cost of the positive class", "Normalized expected cost"),
}


def curve_svg(display: Any, models: Sequence[Predictions]) -> str:
    """Draw a display's curve of each model; if there are very many cases, of 100,000 evenly spaced ones."""
    with house_style(), warnings.catch_warnings(action="ignore", category=ExtrapolatedAreaWarning):
        figure, axes = _panel()
        axes.set_prop_cycle(color=CURVES)
        for each in map(_some, models):
            name = _name(each.model) or None
            drawn = display.from_predictions(
                each.truth.astype(int), each.score, sample_weight=each.weights, name=name, ax=axes
            )
            if display is RocCurveDisplay:  # scikit-learn's, to look like ours
                area = f"AUROC = {drawn.roc_auc:.3f}"
                drawn.line_.set(linewidth=1.8, label=f"{name} ({area})" if name else area)
        if display is RocCurveDisplay:
            axes.plot([0, 1], [0, 1], color=_QUIET, linewidth=0.8, label="chance")
        x, y = _AXES[display]  # without the positive label, which may be long
        axes.set(xlabel=x, ylabel=y)
        _legend_below(figure, axes)
        return _svg(figure)


def reliability_svg(found: Mapping[str, Calibration]) -> str:
    """Draw the share of positives over the probability, of one model with intervals, as far as there are any."""
    alone = len(found) == 1
    with house_style():
        figure, axes = _panel()
        rows = [row for each in found.values() for row in each.reliability]
        greatest = max(np.nanmax([row.mean, row.share, row.high if alone else 0.0]) for row in rows)
        end = min(1.04 * max(greatest, 0.001), 1.0)
        axes.plot([0, end], [0, end], color=_QUIET, linewidth=0.8, label="probabilities agree with the cases")
        for color, (name, each) in zip(CURVES, found.items(), strict=False):
            means, shares, lows, highs = zip(
                *((row.mean, row.share, row.low, row.high) for row in each.reliability), strict=True
            )
            label = _name(name) or "tenths of the cases"
            axes.plot(means, shares, "o-", color=color, markersize=4, label=label, clip_on=False)
            if alone:
                axes.vlines(means, lows, highs, color=color, linewidth=1)
        axes.set(
            xlabel="Probability", ylabel="Share of positives", aspect="equal", xlim=(0, end), ylim=(0, end)
        )
        _legend_below(figure, axes)
        return _svg(figure)


def net_benefit_svg(models: Sequence[Predictions]) -> str:
    """Draw net benefit over thresholds up to that of one case in a hundred, from all cases."""
    with house_style():
        figure, axes = _panel()
        for each in models:
            assert each.chances is not None
            end = np.quantile(each.chances, 0.99) or 0.99
            shown, name = np.minimum(each.chances, end), _name(each.model) or "model"
            NetBenefitDisplay.from_predictions(
                each.truth, shown, sample_weight=each.weights, name=name, ax=axes
            )
        axes.set(
            xlabel="Threshold probability", ylabel="Net benefit"
        )  # truth says only whether a case is positive
        _legend_below(figure, axes)
        return _svg(figure)


def numbers_svg(forecasts: Forecasts) -> str:
    """Draw predicted numbers over true ones; if there are very many cases, some thousands of evenly spaced ones."""
    shown = _some(forecasts, 5_000)
    ends = [min(shown.truth.min(), shown.prediction.min()), max(shown.truth.max(), shown.prediction.max())]
    with house_style():
        figure, axes = _panel()
        axes.plot(ends, ends, color=_QUIET, linewidth=0.8)
        axes.plot(shown.truth, shown.prediction, ".", color=_INK, markersize=3, alpha=0.5, rasterized=True)
        axes.set(xlabel="Truth", ylabel="Prediction")
        return _svg(figure)


def _some(answers: Any, most: int = 100_000) -> Any:
    n = len(answers.truth)
    return answers if n <= most else answers.only(np.arange(0, n, -(-n // most)))


def _name(model: str) -> str:
    """Return the name of a model for a legend; matplotlib would take text between dollars for a formula."""
    return shortened(visible(model), 30).replace("$", r"\$")


def _panel() -> tuple[Figure, Axes]:
    """Return a picture that a telephone shows in its own size."""
    figure = Figure(figsize=(_SIDE, 0.95 * _SIDE), layout="constrained")
    return figure, figure.subplots()


def _legend_below(figure: Figure, axes: Axes) -> None:
    """Put the legend beside the curves, where it covers none, and make the picture higher for it."""
    handles, labels = axes.get_legend_handles_labels()
    if legend := axes.get_legend():
        legend.remove()
    if handles:
        figure.set_figheight(figure.get_figheight() + 0.15 * max(len(handles), 3))
        figure.legend(handles, labels, loc="outside lower left")


def _svg(figure: Figure) -> str:
    """Lay the figure out once, then write it; with a layout engine it would be drawn twice."""
    layout, dpi = figure.get_layout_engine(), figure.dpi
    assert layout is not None
    FigureCanvasSVG(figure)  # measures texts as the file has them
    layout.execute(figure)
    figure.set_layout_engine("none")
    figure.dpi = dpi  # measuring has left that of an SVG
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Creator": None, "Date": None})
    return stream.getvalue()
