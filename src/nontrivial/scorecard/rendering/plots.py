"""The figures of a scorecard, as SVG, each as wide as a telephone or a third of a screen."""

import io
import textwrap
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.calibration import CalibrationDisplay
from sklearn.metrics import RocCurveDisplay

from nontrivial.curves.gain import ExtrapolatedAreaWarning
from nontrivial.displays import NetBenefitDisplay
from nontrivial.displays._base import CURVE_COLORS
from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial.scorecard.answers.answers import Forecasts, Predictions
from nontrivial.scorecard.compare import Subgroups, named_cards
from nontrivial.scorecard.estimates.calibration import Calibration
from nontrivial.scorecard.rendering.numbers import INTERVAL_NAME
from nontrivial.scorecard.rendering.verdict_lines import verdict_sections
from nontrivial.terminal import cut_middle

REFERENCE_COLOR = "0.45"
FIGURE_SIZE = (0.54 * TEXT_WIDTH, 0.4 * TEXT_WIDTH)


def forest_svg(result: Subgroups) -> str:
    """Draw a forest plot of all cases and the subgroups."""
    with house_style():
        figure, axes = _create_axes()
        figure.set_size_inches(FIGURE_SIZE[0], max(0.18 * len(named_cards(result)) + 0.7, 1.2))
        draw_forest(axes, result)
        return _finish_svg(figure, axes)


def draw_forest(axes: Axes, result: Subgroups) -> None:
    """Draw the values behind the verdicts on the deciding question, with their intervals; models have colours."""
    named_rows = [named for named in named_cards(result) if result.question in named.card.verdicts]
    verdicts = [named.card.verdicts[result.question] for named in named_rows]
    values, lows, highs = np.array([[verdict.value, verdict.low, verdict.high] for verdict in verdicts]).T
    lows = np.nan_to_num(lows, nan=np.nan, neginf=np.append(lows[np.isfinite(lows)], values).min())
    rows, models = np.arange(len(named_rows)), np.array([named.card.model for named in named_rows])
    for model in dict.fromkeys(models):
        of_model, label = models == model, _legend_name(model) if len(set(models)) > 1 else None
        (points,) = axes.plot(values[of_model], rows[of_model], "o", markersize=4, label=label)
        axes.hlines(rows[of_model], lows[of_model], highs[of_model], linewidth=1, color=points.get_color())
    title = verdict_sections(result)[0].title
    axes.axvline(verdicts[0].trivial, color=REFERENCE_COLOR, linewidth=0.8, zorder=0)
    axes.set_yticks(rows, [_legend_name(named.name) for named in named_rows])
    axes.set(xlabel=title.partition(": ")[2], ylim=(len(rows) - 0.5, -0.5))


def curves_svg(display: Any, models: Sequence[Predictions], end: float = 1.0) -> str:
    """Draw a display's curve of each model; if there are more than 100,000 cases, from evenly spaced ones.

    The curve of net benefit uses all cases, because positives may be rare, and stops at the threshold `end`.
    """
    with house_style(), warnings.catch_warnings(action="ignore", category=ExtrapolatedAreaWarning):
        figure, axes = _create_axes()
        for model in models:
            shown = model if display is NetBenefitDisplay else _thin_out(model, 100_000)
            truth, score = shown.truth.astype(int), np.asarray(shown.score)
            if display is NetBenefitDisplay:  # thresholds up to the score of the highest hundredth
                score = np.minimum(score, min(np.quantile(score, 0.99) or 0.99, end))
            display.from_predictions(truth, score, sample_weight=shown.weights, name=_legend_name(model.model), ax=axes)
        if display is RocCurveDisplay:
            axes.plot([0, 1], [0, 1], color=REFERENCE_COLOR, linewidth=0.8, label="chance")
        return _finish_svg(figure, axes)


def reliability_svg(calibrations: Mapping[str, Calibration], end: float) -> str:
    """Draw the share of positives over the probability: of one model with intervals, of several up to `end`."""
    is_alone, greatest = len(calibrations) == 1, 0.001
    with house_style():
        figure, axes = _create_axes()
        for name, calibration in calibrations.items():
            bins = pd.DataFrame(calibration.reliability)
            means, shares, lows, highs = bins[["mean", "share", "low", "high"]].to_numpy(dtype=float).T
            CalibrationDisplay(shares, means, None).plot(
                ax=axes, name=_legend_name(name), marker="o", markersize=4, clip_on=not is_alone
            )
            greatest = max(greatest, shares.max(), means.max() if is_alone else end)
            if is_alone and bins["method"][0]:
                axes.vlines(means, lows, highs, color=CURVE_COLORS[0], linewidth=1, label=INTERVAL_NAME)
                greatest = max(greatest, highs.max())
        limits = 0, min(1.04 * greatest, 1.0)
        axes.set(aspect="equal", xlim=limits, ylim=limits)
        return _finish_svg(figure, axes)


def forecasts_svg(forecasts: Forecasts) -> str:
    """Draw predicted over true numbers; if there are more than 5,000 cases, only evenly spaced ones."""
    shown = _thin_out(forecasts, 5_000)
    numbers = np.concatenate([shown.truth, shown.prediction])
    ends = numbers.min(), numbers.max()
    with house_style():
        figure, axes = _create_axes()
        axes.plot(ends, ends, color=REFERENCE_COLOR, linewidth=0.8)
        axes.plot(shown.truth, shown.prediction, ".", markersize=3, alpha=0.5, rasterized=True)
        axes.set(xlabel="Truth", ylabel="Prediction")
        return _write_svg(figure)


def _thin_out(answers: Any, max_cases: int) -> Any:
    """Return at most `max_cases` of the cases, evenly spaced."""
    n = len(answers.truth)
    return answers if n <= max_cases else answers.select_cases(np.arange(0, n, -(-n // max_cases)))


def _legend_name(model: str) -> str:
    """Return the name of a model for a legend; matplotlib would read text between dollars as a formula."""
    return cut_middle(model or "model", 24).replace("$", r"\$")


def _create_axes() -> tuple[Figure, Axes]:
    """Create a figure that a telephone shows in its own size."""
    figure = Figure(figsize=FIGURE_SIZE, layout="constrained")
    axes = figure.subplots()
    axes.set_prop_cycle(color=CURVE_COLORS)
    return figure, axes


def _finish_svg(figure: Figure, axes: Axes) -> str:
    """Put the legend beside the curves, so that it covers none, and write the figure as SVG."""
    handles, labels = axes.get_legend_handles_labels()
    if legend := axes.get_legend():
        legend.remove()
    folded_labels = []
    for label in labels:
        name, *areas = label.rsplit(" (", 1)
        folded_labels.append("\n(".join([textwrap.fill(name, 18), *areas]))
    figure.legend(handles, folded_labels, loc="outside right upper", handlelength=1.2)
    for axis in (axes.xaxis, axes.yaxis):  # the page names the positive label above the figures
        axis.set_label_text(axis.get_label_text().partition(" (")[0])
    return _write_svg(figure)


def _write_svg(figure: Figure) -> str:
    figure.draw_without_rendering()  # the layout needs a second pass
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Creator": None, "Date": None})
    return stream.getvalue()
