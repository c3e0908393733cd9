"""How figures look, and how their files come out equal to the byte from run to run."""

import contextlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from string import ascii_lowercase
from typing import Any, NamedTuple

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text
from matplotlib.typing import LineStyleType

from nontrivial.files import atomic_path

TEXT_WIDTH = 7.2  # inches: the width of a page's text, at which a figure is printed
FONT_SIZE = 8.0  # points

_STYLE_FILE = Path(__file__).with_name("house.mplstyle")
_STYLE_SHEETS: list[str | Path | dict[str, Any]] = ["default", _STYLE_FILE, {"font.size": FONT_SIZE}]


@contextlib.contextmanager
def house_style() -> Iterator[None]:
    """Draw and save in the house style, whatever the user's own settings are."""
    with matplotlib.style.context(_STYLE_SHEETS):
        yield


# Colours, dashes and markers. Lines differ by dashes and markers too, so that they differ in print without colour.


@dataclass(frozen=True)
class MeasureLook:
    """The name of a measure in a legend, and the colour, dashes, marker and width of its line."""

    name: str
    color: str | None  # None takes the next of the axes' colours
    dashes: tuple[float, ...]  # lengths of dash and gap in turn, in line widths; empty for a solid line
    marker: str
    width: float = 1.3  # points

    def line_options(self, **changes: Any) -> dict[str, Any]:
        """Return the keyword arguments of `Axes.plot` that give a line this look, but for some changes."""
        return {
            "color": self.color,
            "linestyle": (0, self.dashes) if self.dashes else "-",
            "marker": self.marker,
            "linewidth": self.width,
            "markerfacecolor": "white",
            "markeredgewidth": 0.9,
            **changes,
        }


# The PA paper's colours of its five measures. Of lines that run close together, the later one is lighter.
MEASURE_LOOKS = {
    "accuracy": MeasureLook("Accuracy", "#1f4fd8", (), "o"),
    "balanced_accuracy": MeasureLook("Balanced accuracy", "#d62728", (6, 1.5), "s"),
    "p4": MeasureLook("P4", "#c46f00", (3, 1), "v"),
    "f_beta": MeasureLook("F1 score", "#0097a7", (6, 1.5, 1.2, 1.5), "^"),
    "matthews_corrcoef": MeasureLook("Matthews correlation (MCC)", "#555555", (3, 1, 1, 1, 1, 1), "X"),
    "cohen_kappa": MeasureLook("Cohen's kappa", "#7b2d9e", (1.2, 1.2), "D"),
    "prediction_advantage": MeasureLook("Prediction Advantage (PA)", "#16761c", (), "P", 2.2),
}


class LineLook(NamedTuple):
    """The colour, dashes and marker of a model or data set."""

    color: str
    linestyle: LineStyleType
    marker: str


# Okabe and Ito's colours, from light to dark.
SERIES_LOOKS = (
    LineLook("#d55e00", "-", "o"),
    LineLook("#0072b2", (0, (5, 1.5)), "s"),
    LineLook("#009e73", (0, (1.5, 1.2)), "^"),
    LineLook("#7b2d9e", (0, (6, 1.5, 1.2, 1.5)), "D"),
    LineLook("#555555", (0, (3, 1)), "v"),
    LineLook("#b58900", (0, (3, 1, 1, 1, 1, 1)), "P"),
)
HOLLOW_MARKER: dict[str, Any] = {"markersize": 4.5, "markerfacecolor": "white", "markeredgewidth": 1}


NO_MODEL_MESSAGE = "Nothing to draw: the model that is shown here failed; tables/curve_areas.csv has the reason."


def draw_message(message: str) -> Figure:
    """Return a figure of one sentence, which says why there is nothing to draw."""
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 1.2), layout="constrained")
        figure.text(0.5, 0.5, message, ha="center", va="center")
    return figure


# Saving. Every figure gets letters for its panels, one size of type, and arrows on lines that leave a panel.

_PANEL_LETTER = re.compile(r"[a-z]( {3}|$)")
_MIN_CURVE_WIDTH = 1.0  # points; thinner lines are guides
_FRAME_TOLERANCE = 0.005  # part of the frame's side; a line along the frame may lie this far outside
_ARROW_LABEL = "_leaving"
_ARROWS = (("<", ">"), ("v", "^"))  # for each axis: the arrow at its lower end, and at its upper end
# A date, or the version of the writer, would change a file whose picture is the same.
_FILE_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Creator": None, "Date": None},
    ".pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    ".png": {"Software": None},
}


def save_figure(figure: Figure, stem: str | os.PathLike[str]) -> None:
    """Write a figure as `stem`.svg, `stem`.pdf and `stem`.png, with the same bytes in every run."""
    with house_style():
        letter_panels(figure)
        for text in figure.findobj(Text):
            text.set_fontsize(FONT_SIZE)
        # A layout that is computed anew for each file differs in the last bits, and by the file's resolution.
        if figure.axes and (layout := figure.get_layout_engine()):
            layout.execute(figure)
        figure.set_layout_engine(None)  # a placeholder would have each file drawn twice
        add_exit_arrows(figure)
        for ending, metadata in _FILE_METADATA.items():
            with atomic_path(f"{os.fspath(stem)}{ending}") as temporary:
                figure.savefig(temporary, metadata=metadata)


def letter_panels(figure: Figure) -> None:
    """Begin the title of each panel with a letter, if there are several panels."""
    panels = [axes for axes in figure.axes if (axes.axison or axes.has_data()) and not hasattr(axes, "_colorbar")]
    for letter, axes in zip(ascii_lowercase, panels if len(panels) > 1 else (), strict=False):
        title = axes.get_title(loc="left") or axes.get_title()
        if not _PANEL_LETTER.match(title):
            axes.set_title("", loc="center")
            axes.set_title(f"{letter}   {title}".rstrip(), loc="left", fontweight="bold")


def add_exit_arrows(figure: Figure) -> None:
    """Put an arrow on each curve at the point where it leaves its panel; the limits have to be final."""
    for axes in figure.axes:
        lines = list(axes.get_lines())
        for line in () if any(line.get_label() == _ARROW_LABEL for line in lines) else lines:
            is_curve = line.get_linestyle() != "None" and line.get_linewidth() >= _MIN_CURVE_WIDTH
            if is_curve and line.get_transform() == axes.transData and line.get_clip_on():
                _add_exit_arrows_to_line(axes, line)


def _add_exit_arrows_to_line(axes: Axes, line: Line2D) -> None:
    points = axes.transAxes.inverted().transform(axes.transData.transform(line.get_xydata()))
    inside = np.all(np.abs(points - 0.5) <= 0.5 + _FRAME_TOLERANCE, axis=1).tolist()
    for (point, is_inside), (next_point, is_next_inside) in pairwise(zip(points, inside, strict=True)):
        if is_inside == is_next_inside or not np.isfinite([point, next_point]).all():
            continue
        start, end = (point, next_point) if is_inside else (next_point, point)
        excess = np.where(end > 0.5, end - 1, -end)  # how far the end lies outside, along each axis
        axis = int(np.argmax(excess / np.maximum(np.abs(end - start), 1e-12)))
        edge = 1.0 if end[axis] > 0.5 else 0.0
        fraction = (edge - start[axis]) / (end[axis] - start[axis])
        crossing = np.clip(start + np.clip(fraction, 0, 1) * (end - start), 0, 1)
        axes.add_artist(
            Line2D(
                *crossing[:, None], transform=axes.transAxes, marker=_ARROWS[axis][int(edge)],
                color=line.get_color(), markersize=5, linestyle="none", label=_ARROW_LABEL, clip_on=False,
                zorder=line.get_zorder() + 1,
            )
        )  # fmt: skip
