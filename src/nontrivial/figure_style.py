"""How figures look, and files of them that are equal to the byte from run to run."""

import contextlib
import itertools
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from string import ascii_lowercase
from typing import Any

import matplotlib.style
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

from nontrivial.files import atomic_path

# Every figure gets these before it is saved: letters for its panels, one size of type, arrows on lines that leave.

SIZE = 8.0  # points
_LETTER = re.compile(r"[a-z]( {3}|$)")
_THINNEST = 1.0  # points; thinner lines are guides
_SLACK = 0.005  # a line along the frame may lie outside by this part of the frame's side
_MARK = "_leaving"  # the label of an arrow
_ARROWS = (("<", ">"), ("v", "^"))  # by the axis along which a line leaves: at its lower and at its upper end


def set_type(figure: Figure) -> None:
    """Set all text in one size, and name the panels by letters if there are several."""
    panels = [
        axes for axes in figure.axes if (axes.axison or axes.has_data()) and not hasattr(axes, "_colorbar")
    ]
    for letter, axes in zip(ascii_lowercase, panels if len(panels) > 1 else (), strict=False):
        title = axes.get_title(loc="left") or axes.get_title()
        if not _LETTER.match(title):
            axes.set_title("", loc="center")
            axes.set_title(f"{letter}   {title}".rstrip(), loc="left", fontweight="bold")
    for text in figure.findobj(Text):
        text.set_fontsize(SIZE)


def mark_leaving(figure: Figure) -> None:
    """Put an arrow on each line that leaves the frame of its panel; the limits have to be final."""
    for axes in figure.axes:
        lines = list(axes.get_lines())
        for line in () if any(line.get_label() == _MARK for line in lines) else lines:
            is_curve = line.get_linestyle() != "None" and line.get_linewidth() >= _THINNEST
            if is_curve and line.get_transform() == axes.transData and line.get_clip_on():
                _mark_line(axes, line)


def _mark_line(axes: Axes, line: Line2D) -> None:
    points = axes.transAxes.inverted().transform(axes.transData.transform(line.get_xydata()))
    inside = np.all(np.abs(points - 0.5) <= 0.5 + _SLACK, axis=1).tolist()
    for (point, is_in), (after, after_in) in itertools.pairwise(zip(points, inside, strict=True)):
        if is_in == after_in or not np.isfinite([point, after]).all():
            continue
        start, end = (point, after) if is_in else (after, point)
        beyond = np.where(end > 0.5, end - 1, -end)  # how far it lies outside, by direction
        side = int(np.argmax(beyond / np.maximum(np.abs(end - start), 1e-12)))
        edge = 1.0 if end[side] > 0.5 else 0.0
        share = (edge - start[side]) / (end[side] - start[side])
        place = np.clip(start + np.clip(share, 0, 1) * (end - start), 0, 1)
        axes.add_artist(
            Line2D(
                *place[:, None], transform=axes.transAxes, marker=_ARROWS[side][int(edge)], color=line.get_color(),
                markersize=5, linestyle="none", label=_MARK, clip_on=False, zorder=line.get_zorder() + 1,
            )
        )  # fmt: skip


NO_MODEL = "Nothing to draw: the model that is shown here failed; tables/curve_areas.csv has the reason."
TEXT_WIDTH = 7.2  # inches; the width of a page's text, at which every font size below is meant

_STYLE = Path(__file__).with_name("house.mplstyle")
_HOUSE: list[str | Path | dict[str, Any]] = ["default", _STYLE, {"font.size": SIZE}]

# What names a date or the version of the writer would change a file whose picture is the same.
_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Creator": None, "Date": None},
    ".pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    ".png": {"Software": None},
}


@dataclass(frozen=True)
class Look:
    """How a measure is drawn: told apart by colour, and without colour by dashes and marker."""

    name: str  # for people
    color: str | None  # None takes the next of the axes' colours
    dashes: tuple[float, ...]  # lengths drawn and left out, in line widths; empty for a solid line
    marker: str
    width: float = 1.3  # in points

    def line(self) -> dict[str, Any]:
        """Return the keyword arguments of `Axes.plot` that give a line this look."""
        return {
            "color": self.color,
            "linestyle": (0, self.dashes) if self.dashes else "-",
            "marker": self.marker,
            "linewidth": self.width,
            "markerfacecolor": "white",
            "markeredgewidth": 0.9,
        }


# The PA paper's colours for its five measures, by increasing lightness of line for those that run close together.
LOOKS = {
    "accuracy": Look("Accuracy", "#1f4fd8", (), "o"),
    "balanced_accuracy": Look("Balanced accuracy", "#d62728", (6, 1.5), "s"),
    "p4": Look("P4", "#c46f00", (3, 1), "v"),
    "f_beta": Look("F1 score", "#0097a7", (6, 1.5, 1.2, 1.5), "^"),
    "matthews_corrcoef": Look("Matthews correlation (MCC)", "#555555", (3, 1, 1, 1, 1, 1), "X"),
    "cohen_kappa": Look("Cohen's kappa", "#7b2d9e", (1.2, 1.2), "D"),
    "prediction_advantage": Look("Prediction Advantage (PA)", "#16761c", (), "P", 2.2),
}


@contextlib.contextmanager
def house_style() -> Iterator[None]:
    """Draw and save in the house style, whatever the user's own settings are."""
    with matplotlib.style.context(_HOUSE):
        yield


def blank(reason: str) -> Figure:
    """Return a figure of one sentence, the reason that there is nothing to draw."""
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 1.2), layout="constrained")
        figure.text(0.5, 0.5, reason, ha="center", va="center")
    return figure


def save_figure(figure: Figure, stem: str | os.PathLike[str]) -> None:
    """Write a figure as `stem`.svg, `stem`.pdf and `stem`.png, with the same bytes in every run."""
    with house_style():
        set_type(figure)
        # A layout that is computed anew for each file differs in the last bits, and by the file's resolution.
        if figure.axes and (layout := figure.get_layout_engine()):
            layout.execute(figure)
        figure.set_layout_engine(None)  # a placeholder would have each file drawn twice
        mark_leaving(figure)
        for ending, metadata in _METADATA.items():
            with atomic_path(f"{os.fspath(stem)}{ending}") as temporary:
                figure.savefig(temporary, metadata=metadata)
