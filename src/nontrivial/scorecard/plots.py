"""The pictures of a scorecard, as SVG."""

from __future__ import annotations

import io

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray
from sklearn.metrics import RocCurveDisplay

from nontrivial.displays import CostCurveDisplay, PrecisionRecallDisplay, PrecisionRecallGainDisplay
from nontrivial.figures.style import TEXT_WIDTH, house_style
from nontrivial.scorecard.card import Scorecard

_INK, _QUIET = "#16761c", "0.45"


def curves_svg(truth: NDArray[np.bool_], score: NDArray[np.float64]) -> str:
    """Draw the PRG, PR, ROC and cost curves.

    The classes are called 0 and 1: a label from a file may hold what matplotlib takes for a formula.
    """
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, TEXT_WIDTH), layout="constrained")
        displays = (PrecisionRecallGainDisplay, PrecisionRecallDisplay, RocCurveDisplay, CostCurveDisplay)
        for axes, display in zip(figure.subplots(2, 2).flat, displays, strict=True):
            display.from_predictions(truth.astype(int), score, ax=axes)
        return _svg(figure)


def measures_svg(card: Scorecard) -> str:
    """Draw each measure that lies in [-1, 1], with its interval."""
    shown = {
        name: estimate
        for name, estimate in card.measures.items()
        if all(-1 <= part <= 1 for part in estimate)  # leaves out what is undefined, too
    }
    names = list(shown)
    values, low, high = np.array(list(shown.values())).T
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 0.6 + 0.19 * len(names)), layout="constrained")
        axes = figure.subplots()
        places = np.arange(len(names))[::-1]
        axes.hlines(places, low, high, color=_INK, linewidth=1.5)
        axes.plot(values, places, "o", color=_INK, markersize=4)
        axes.axvline(0, color=_QUIET, linewidth=0.8)
        axes.set_yticks(places, labels=[name.replace("_", " ") for name in names])
        axes.set(xlabel="Value, with its 95 % interval", ylim=(-0.7, len(names) - 0.3))
        axes.grid(visible=False, axis="y")
        return _svg(figure)


def _svg(figure: Figure) -> str:
    stream = io.StringIO()
    figure.savefig(stream, format="svg", metadata={"Creator": None, "Date": None})
    return stream.getvalue()
