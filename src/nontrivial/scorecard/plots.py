"""The pictures of a scorecard, as SVG."""

from __future__ import annotations

import io
import warnings
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from sklearn.metrics import RocCurveDisplay

from nontrivial.curves.gain import ExtrapolatedAreaWarning
from nontrivial.displays import CostCurveDisplay, HyperbolicPrecisionRecallDisplay, PrecisionRecallGainDisplay
from nontrivial.displays._base import CURVES
from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial.scorecard.answers import Forecasts, Predictions
from nontrivial.scorecard.evaluate import Calibration, Scorecard, net_benefits
from nontrivial.scorecard.notes import label_of
from nontrivial.terminal import visible

# These have no upper bound, so their scale does not end at 1.
_RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio")
_INK, _QUIET = CURVES[0], "0.45"


def curves_svg(*models: Predictions) -> list[str]:
    """Draw the PRG, PR, ROC and cost curves; if there are very many cases, of 100,000 evenly spaced ones.

    Each is a picture of its own, so that a small screen shows one below the other. They do not name the positive label,
    and they escape the names of several models, since matplotlib may take text from a file for a formula.
    """
    shown = [_some(each) for each in models]
    displays = {
        PrecisionRecallGainDisplay: ("Recall gain", "Precision gain"),
        HyperbolicPrecisionRecallDisplay: ("Recall", "Precision"),
        RocCurveDisplay: ("False positive rate", "True positive rate"),
        CostCurveDisplay: ("Probability cost of the positive class", "Normalized expected cost"),
    }
    # A note of the card says which areas are extrapolated.
    with house_style(), warnings.catch_warnings(action="ignore", category=ExtrapolatedAreaWarning):
        pictures = []
        for display, (x, y) in displays.items():
            figure, axes = _panel()
            axes.set_prop_cycle(color=CURVES)
            for each in shown:
                name = visible(each.model).replace("$", r"\$") if len(shown) > 1 else None
                drawn = display.from_predictions(
                    each.truth.astype(int), each.score, sample_weight=each.weights, name=name, ax=axes
                )
                if isinstance(drawn, RocCurveDisplay):  # scikit-learn's, to look like ours
                    area = f"AUROC = {drawn.roc_auc:.3f}"
                    drawn.line_.set(linewidth=1.8, label=f"{name} ({area})" if name else area)
            axes.set(xlabel=x, ylabel=y)
            if display is RocCurveDisplay:
                axes.plot([0, 1], [0, 1], color=_QUIET, linewidth=0.8)
                axes.legend(loc="lower right", fontsize="small")
            pictures.append(_svg(figure))
        return pictures


def calibration_svg(calibration: Calibration, predictions: Predictions) -> list[str]:
    """Draw the shares of positives over probabilities, and net benefit over thresholds."""
    assert predictions.score is not None
    thresholds = tuple(np.arange(1, 100) / 100)
    curve = net_benefits(predictions.truth, predictions.score, predictions.weights, thresholds)
    rows = calibration.reliability
    means, shares = (np.array([getattr(row, name) for row in rows]) for name in ("mean", "share"))
    with house_style():
        (left_figure, left), (right_figure, right) = _panel(), _panel()
        left.plot([0, 1], [0, 1], color=_QUIET, linewidth=0.8)
        left.vlines(means, [row.low for row in rows], [row.high for row in rows], color=_INK, linewidth=1)
        left.plot(means, shares, "o-", color=_INK, markersize=4)
        left.set(xlabel="Probability", ylabel="Share of positives", xlim=(0, 1), ylim=(0, 1))
        right.plot(thresholds, [row.model for row in curve], color=_INK, label="model")
        right.plot(thresholds, [row.everybody for row in curve], color=_QUIET, linestyle="--", label="all")
        right.axhline(0, color=_QUIET, linewidth=0.8, label="none")
        top = max(calibration.share, 0.01)
        right.set(xlabel="Threshold", ylabel="Net benefit", xlim=(0, 1), ylim=(-0.2 * top, 1.1 * top))
        right.legend()
        return [_svg(left_figure), _svg(right_figure)]


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


def measures_svg(card: Scorecard) -> str:
    """Draw each measure on a scale that ends at 1, with its interval.

    Those are the measures that lie in [-1, 1] and the Prediction Advantage, which has no lower bound: where it or its
    interval goes below -1, the axis goes on there logarithmically, and an end at minus infinity is an arrow.
    """
    shown = {
        name: estimate
        for name, estimate in card.measures.items()
        if name == "prediction_advantage"
        or (name not in _RATIOS and all(-1 <= part <= 1 for part in estimate[:3]))
    }
    names = list(shown)
    values, low, high = np.array([estimate[:3] for estimate in shown.values()]).T
    places = np.arange(len(names))[::-1]
    least = np.min([part for estimate in shown.values() for part in estimate[:3] if np.isfinite(part)])
    with house_style():
        figure, axes = _panel(0.6 + 0.19 * len(names))
        label = "Value, with its 95 % interval"
        if least < -1 or np.isinf(low).any():
            _logarithmic_below_minus_one(axes, least)
            label += "\n(logarithmic below -1)"
        edge = axes.get_xlim()[0]
        endless = np.isneginf(low)
        axes.hlines(places, np.where(endless, edge, low), high, color=_INK, linewidth=1.5)
        axes.plot(values, places, "o", color=_INK, markersize=4)
        axes.plot(np.full(endless.sum(), edge), places[endless], "<", color=_INK, markersize=4, clip_on=False)
        axes.axvline(0, color=_QUIET, linewidth=0.8)
        axes.set_yticks(places, labels=list(map(label_of, names)))
        axes.set(xlabel=label, ylim=(-0.7, len(names) - 0.3))
        axes.grid(visible=False, axis="y")
        return _svg(figure)


def _panel(height: float = TEXT_WIDTH / 2) -> tuple[Figure, Axes]:
    """Return a picture that a telephone shows in its own size."""
    figure = Figure(figsize=(TEXT_WIDTH / 2, height), layout="constrained")
    return figure, figure.subplots()


def _logarithmic_below_minus_one(axes: Axes, least: float) -> None:
    """Make the axis logarithmic below -1, as far as the least value."""
    axes.set_xscale("symlog", linthresh=1, linscale=2)
    axes.set_xlim(2 * min(least, -1), 1.1)
    decades = np.arange(np.ceil(np.log10(-axes.get_xlim()[0])))
    ticks = [*-(10.0 ** decades[::-1]), -0.5, 0, 0.5, 1]
    axes.set_xticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)


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
