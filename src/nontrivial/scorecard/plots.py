"""The pictures of a scorecard, as SVG, each as wide as a telephone or a third of a screen."""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.metrics import RocCurveDisplay

from nontrivial.curves.gain import ExtrapolatedAreaWarning
from nontrivial.displays import NetBenefitDisplay
from nontrivial.displays._base import CURVES
from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial.scorecard.answers import Forecasts, Predictions
from nontrivial.scorecard.calibration import Calibration
from nontrivial.scorecard.estimates import LEVEL
from nontrivial.terminal import cut

_INK, _QUIET = CURVES[0], "0.45"
SIZE = (0.54 * TEXT_WIDTH, 0.4 * TEXT_WIDTH)


def curve_svg(display: Any, models: Sequence[Predictions]) -> str:
    """Draw a display's curve of each model; if there are very many cases, of 100,000 evenly spaced ones."""
    with house_style(), warnings.catch_warnings(action="ignore", category=ExtrapolatedAreaWarning):
        figure, axes = _panel()
        for each in map(_some, models):
            display.from_predictions(
                each.truth.astype(int),
                each.score,
                sample_weight=each.weights,
                name=_name(each.model),
                ax=axes,
            )
        if display is RocCurveDisplay:
            axes.plot([0, 1], [0, 1], color=_QUIET, linewidth=0.8, label="chance")
        return _finished(figure, axes)


def reliability_svg(found: Mapping[str, Calibration]) -> str:
    """Draw the share of positives over the probability, of one model with intervals, as far as there are any."""
    alone = len(found) == 1
    with house_style():
        figure, axes = _panel()
        rows = [row for each in found.values() for row in each.reliability]
        greatest = max(np.nanmax([row.mean, row.share, row.high if alone else 0.0]) for row in rows)
        end = min(1.04 * max(greatest, 0.001), 1.0)
        axes.plot([0, end], [0, end], color=_QUIET, linewidth=0.8, label="ideal")
        for color, (name, each) in zip(CURVES, found.items(), strict=False):
            means, shares, lows, highs = zip(
                *((row.mean, row.share, row.low, row.high) for row in each.reliability), strict=True
            )
            axes.plot(means, shares, "o-", color=color, markersize=4, label=_name(name), clip_on=False)
            if alone and each.reliability[0].method:
                axes.vlines(
                    means, lows, highs, color=color, linewidth=1, label=f"{LEVEL * 100:.0f} % interval"
                )
        axes.set(
            xlabel="Probability", ylabel="Share of positives", aspect="equal", xlim=(0, end), ylim=(0, end)
        )
        return _finished(figure, axes)


def net_benefit_svg(models: Sequence[Predictions]) -> str:
    """Draw net benefit over thresholds up to that of one case in a hundred, from all cases."""
    with house_style():
        figure, axes = _panel()
        for each in models:
            assert each.chances is not None
            end = np.quantile(each.chances, 0.99) or 0.99
            shown = np.minimum(each.chances, end)
            NetBenefitDisplay.from_predictions(
                each.truth, shown, sample_weight=each.weights, name=_name(each.model), ax=axes
            )
        return _finished(figure, axes)


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
    return cut(model or "model", 24).replace("$", r"\$")


def _panel() -> tuple[Figure, Axes]:
    """Return a picture that a telephone shows in its own size."""
    figure = Figure(figsize=SIZE, layout="constrained")
    axes = figure.subplots()
    axes.set_prop_cycle(color=CURVES)
    return figure, axes


def _finished(figure: Figure, axes: Axes) -> str:
    """Put the legend to the right of the curves, where it covers none, and write the figure."""
    handles, labels = axes.get_legend_handles_labels()
    if legend := axes.get_legend():
        legend.remove()
    folded = []
    for label in labels:
        name, *areas = label.rsplit(" (", 1)
        folded.append("\n(".join([textwrap.fill(name, 16), *areas]))
    figure.legend(handles, folded, loc="outside right upper", handlelength=1.2)
    for axis in (axes.xaxis, axes.yaxis):  # the positive label is above the figures
        axis.set_label_text(axis.get_label_text().partition(" (")[0])
    return _svg(figure)


def _svg(figure: Figure) -> str:
    figure.draw_without_rendering()  # the layout needs a second pass
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Creator": None, "Date": None})
    return stream.getvalue()
