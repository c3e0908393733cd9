"""How figures look, and files of them that are equal to the byte from run to run."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import matplotlib.style
from matplotlib.figure import Figure

from nontrivial.figure_finish import SIZE, mark_leaving, set_type
from nontrivial.files import atomic_path

NO_MODEL = "Nothing to draw: the model that is shown here failed; tables/curve_areas.csv has the reason."
TEXT_WIDTH = 7.2  # inches; the width of a page's text, at which every font size below is meant

_HOUSE = {
    "axes.axisbelow": True,
    "axes.edgecolor": "0.35",
    "axes.grid": True,
    "axes.labelsize": SIZE,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlelocation": "left",
    "axes.titlesize": SIZE,
    "figure.constrained_layout.h_pad": 0.06,
    "figure.constrained_layout.w_pad": 0.06,
    "figure.dpi": 100,
    "figure.facecolor": "white",
    "figure.titlesize": SIZE,
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that letters are the same everywhere
    "font.size": SIZE,
    "grid.color": "0.9",
    "grid.linewidth": 0.5,
    "legend.fontsize": SIZE,
    "legend.frameon": False,
    "lines.linewidth": 1.3,
    "lines.markersize": 3.5,
    "pdf.fonttype": 42,  # TrueType: the text of a PDF can be searched and copied
    "savefig.dpi": 300,
    "svg.fonttype": "path",  # an SVG in a browser has no DejaVu to fall back on
    "svg.hashsalt": "nontrivial",
    "xtick.labelsize": SIZE,
    "ytick.labelsize": SIZE,
}

# What names a date or the version of the writer would change a file whose picture is the same.
_METADATA: dict[str, dict[str, Any]] = {
    ".svg": {"Creator": None, "Date": None},
    ".pdf": {"Creator": None, "Producer": None, "CreationDate": None},
    ".png": {"Software": None},
}


@dataclass(frozen=True)
class Look:
    """How a measure is drawn: told apart by colour, and without colour by dashes and marker.

    Attributes
    ----------
    name : str
        The measure's name for people.
    color : str or None
        None takes the next of the axes' colours.
    dashes : tuple of float
        Lengths drawn and left out, in line widths; empty for a solid line.
    marker : str
    width : float
        Line width in points.
    """

    name: str
    color: str | None
    dashes: tuple[float, ...]
    marker: str
    width: float = 1.3

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
    """Draw and save in the house style, whatever the user's own settings are.

    Examples
    --------
    >>> import matplotlib
    >>> with house_style():
    ...     matplotlib.rcParams["font.family"]
    ['DejaVu Sans']
    """
    with matplotlib.style.context(["default", _HOUSE]):
        yield


def blank(reason: str) -> Figure:
    """Return a figure that holds one sentence, for where there is nothing to draw.

    Examples
    --------
    >>> blank("The model failed.").texts[0].get_text()
    'The model failed.'
    """
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 1.2), layout="constrained")
        figure.text(0.5, 0.5, reason, ha="center", va="center")
    return figure


def save_figure(figure: Figure, stem: str | os.PathLike[str]) -> None:
    """Write a figure as `stem`.svg, `stem`.pdf and `stem`.png, each whole or not at all, and fix its layout.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
    stem : path
        The files' path without its ending.

    Notes
    -----
    The files hold no date, no version and no random identifier: the same figure gives the same bytes.
    """
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
