"""The pictures of a scorecard, as SVG."""

from __future__ import annotations

import io
import warnings

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from sklearn.metrics import RocCurveDisplay

from nontrivial._arrays import Floats, Mask
from nontrivial.curves.gain_areas import ExtrapolatedAreaWarning
from nontrivial.displays import CostCurveDisplay, PrecisionRecallDisplay, PrecisionRecallGainDisplay
from nontrivial.figure_style import TEXT_WIDTH, house_style
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.text import NAMES

# They have no upper bound, so that 1 is no end of their scale.
_RATIOS = ("positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio")
_INK, _QUIET = "#16761c", "0.45"


def curves_svg(truth: Mask, score: Floats) -> str:
    """Draw the PRG, PR, ROC and cost curves.

    The classes are called 0 and 1: a label from a file may hold what matplotlib takes for a formula.
    """
    with (
        house_style(),
        warnings.catch_warnings(action="ignore", category=ExtrapolatedAreaWarning),
    ):  # the card tells
        figure = Figure(figsize=(TEXT_WIDTH, TEXT_WIDTH), layout="constrained")
        displays = (PrecisionRecallGainDisplay, PrecisionRecallDisplay, RocCurveDisplay, CostCurveDisplay)
        for axes, display in zip(figure.subplots(2, 2).flat, displays, strict=True):
            display.from_predictions(truth.astype(int), score, ax=axes)
        return _svg(figure)


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
        figure = Figure(figsize=(TEXT_WIDTH, 0.6 + 0.19 * len(names)), layout="constrained")
        axes = figure.subplots()
        if least < -1 or np.isinf(low).any():
            _go_on_below_minus_one(axes, least)
        edge = axes.get_xlim()[0]
        endless = np.isneginf(low)
        axes.hlines(places, np.where(endless, edge, low), high, color=_INK, linewidth=1.5)
        axes.plot(values, places, "o", color=_INK, markersize=4)
        axes.plot(np.full(endless.sum(), edge), places[endless], "<", color=_INK, markersize=4, clip_on=False)
        axes.axvline(0, color=_QUIET, linewidth=0.8)
        axes.set_yticks(places, labels=[NAMES.get(name, name).replace("_", " ") for name in names])
        axes.set(xlabel="Value, with its 95 % interval", ylim=(-0.7, len(names) - 0.3))
        axes.grid(visible=False, axis="y")
        return _svg(figure)


def _go_on_below_minus_one(axes: Axes, least: float) -> None:
    """Make the axis logarithmic below -1, as far as the least value."""
    axes.set_xscale("symlog", linthresh=1, linscale=2)
    axes.set_xlim(2 * min(least, -1), 1.1)
    decades = np.arange(np.ceil(np.log10(-axes.get_xlim()[0])))
    ticks = [*-(10.0 ** decades[::-1]), -0.5, 0, 0.5, 1]
    axes.set_xticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)


def _svg(figure: Figure) -> str:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Creator": None, "Date": None})
    return stream.getvalue()
