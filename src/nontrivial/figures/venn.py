"""Figure 2 of the PA paper, drawn to scale: what is positive, what is called positive, and what is both."""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_lowercase

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Patch, Rectangle
from scipy.optimize import brentq

from nontrivial.figures.style import TEXT_WIDTH, house_style
from nontrivial.measures.confusion import confusion_measures
from nontrivial.study.confusion_regions import REGIONS

POSITIVE = {"facecolor": "#16761c", "alpha": 0.32, "hatch": "////"}
CALLED = {"facecolor": "#1f4fd8", "alpha": 0.22, "hatch": "...."}
_MARGIN = 1.06


@dataclass(frozen=True)
class Venn:
    """The two sets of a confusion table as shapes of true size in a rectangle of area 1.

    Attributes
    ----------
    width, height : float
        Of the rectangle.
    shape : str
        ``"circle"``, or ``"bar"`` where circles of this size do not fit into their own share of a rectangle.
    called, positive : tuple of float
        Centre x, centre y and radius; or left end, bottom and width, all as high as the rectangle.
    """

    width: float
    height: float
    shape: str
    called: tuple[float, float, float]
    positive: tuple[float, float, float]


def lens_area(first: float, second: float, distance: float) -> float:
    """Return the area that two circles have in common.

    Parameters
    ----------
    first, second : float
        Radii.
    distance : float
        Of the centres.

    Examples
    --------
    >>> lens_area(1.0, 1.0, 0.0) == np.pi, lens_area(1.0, 0.5, 2.0)
    (True, 0.0)
    """
    if distance >= first + second:
        return 0.0
    if distance <= abs(first - second):
        return float(np.pi * min(first, second) ** 2)
    to_chord = (distance**2 + first**2 - second**2) / (2 * distance)
    return float(_segment(first, to_chord) + _segment(second, distance - to_chord))


def _segment(radius: float, to_chord: float) -> float:
    """Return the area that a chord cuts off a circle; the centre may lie on either side."""
    cosine = np.clip(to_chord / radius, -1, 1)
    return radius**2 * (np.arccos(cosine) - cosine * np.sqrt(1 - cosine**2))


def lay_out(tp: float, fp: float, fn: float, tn: float) -> Venn:
    """Find shapes whose areas are the shares of a confusion table.

    Parameters
    ----------
    tp, fp, fn, tn : float
        Counts or shares; only their proportions matter.

    Returns
    -------
    Venn

    Raises
    ------
    ValueError
        If a count is negative or not finite, or all are 0.

    Examples
    --------
    >>> lay_out(30, 10, 10, 50).shape, lay_out(0, 50, 50, 0).shape
    ('circle', 'bar')
    """
    cells = np.array([tp, fp, fn, tn], dtype=np.float64)
    if not (np.isfinite(cells).all() and (cells >= 0).all() and cells.sum() > 0):
        raise ValueError("A Venn diagram needs four counts that are finite, 0 or greater, and not all 0.")
    tp, fp, fn, tn = cells / cells.sum()
    called, positive = np.sqrt((tp + fp) / np.pi), np.sqrt((tp + fn) / np.pi)
    apart, inside = called + positive, abs(called - positive)
    if tp == 0:
        distance = apart
    elif min(fp, fn) == 0:
        distance = inside
    else:
        distance = brentq(lambda d: lens_area(called, positive, d) - tp, inside, apart, xtol=1e-14)
    # The circles' common bounding box; one may lie inside the other.
    left, right = min(-called, distance - positive), max(called, distance + positive)
    across, high = right - left, 2 * max(called, positive)
    if across * high * _MARGIN**2 > 1:
        return Venn(1.25, 0.8, "bar", (0.0, 0.0, 1.25 * (tp + fp)), (1.25 * fp, 0.0, 1.25 * (tp + fn)))
    height = max(0.8, high * _MARGIN)
    if across > 0:  # not if both sets are empty
        height = min(height, 1 / (across * _MARGIN))
    width = 1 / height
    start = (width - across) / 2 - left
    return Venn(
        width, height, "circle", (start, height / 2, called), (start + distance, height / 2, positive)
    )


def plot_venn(
    tp: float,
    fp: float,
    fn: float,
    tn: float,
    *,
    title: str = "",
    ax: Axes | None = None,
) -> Figure:
    """Draw a confusion table as the PA paper's Venn diagram, every area to scale.

    Parameters
    ----------
    tp, fp, fn, tn : float
        Counts or shares, 0 or greater: b, a, c and d of the paper.
    title : str
    ax : matplotlib Axes, optional
        Where to draw; by default a figure of its own.

    Returns
    -------
    matplotlib.figure.Figure
        The rectangle holds all cases, the left shape those called positive, the right one those that are. Where two
        circles of that size cannot lie in the rectangle with the overlap they need, bars take their place.

    Raises
    ------
    ValueError
        If a count is negative or not finite, or all are 0.

    References
    ----------
    PA paper, Section 4 and Figure 2: PA is (b - a) / (b + c), as long as the positives are the minority.

    Examples
    --------
    >>> figure = plot_venn(198, 11, 14, 346, title="Random forest")
    >>> figure.axes[0].get_title(loc="left")
    'Random forest'
    """
    with house_style():
        figure = Figure(figsize=(0.6 * TEXT_WIDTH, 3.1), layout="constrained") if ax is None else ax.figure
        axes = figure.subplots() if ax is None else ax
        _draw(axes, lay_out(tp, fp, fn, tn), (tp, fp, fn, tn))
        axes.set_title(title, fontweight="bold")
        if ax is None:
            figure.legend(handles=_keys(), loc="outside lower center")
    return figure


def plot_regions(table: pd.DataFrame) -> Figure:
    """Draw the Venn diagrams of several confusion tables beside one another (PA paper, Figure 2).

    Parameters
    ----------
    table : DataFrame
        From `nontrivial.study.confusion_regions.region_table`.

    Returns
    -------
    matplotlib.figure.Figure
        Under each diagram its PA, Cohen's kappa, F1 and accuracy.
    """
    titles = table["title"].drop_duplicates().tolist()
    with house_style():
        figure = Figure(figsize=(TEXT_WIDTH, 3.2), layout="constrained")
        panels = figure.subplots(1, len(titles), squeeze=False)[0]
        for letter, axes, title in zip(ascii_lowercase, panels, titles, strict=False):
            cells = table[table["title"] == title].set_index("cell")["count"].to_dict()
            plot_venn(**cells, title=f"{letter}   {title}", ax=axes)
            measures = confusion_measures(**cells).iloc[0]
            axes.set_xlabel(
                f"PA = (b \N{MINUS SIGN} a) / (b + c) = {_signed(measures['prediction_advantage'])}\n"
                f"kappa {_signed(measures['cohen_kappa'])},  F1 {_signed(measures['f_beta'])},  "
                f"accuracy {_signed(measures['accuracy'])}"
            )
        figure.legend(handles=_keys(), loc="outside lower center", ncols=2)
    return figure


def _draw(axes: Axes, venn: Venn, cells: tuple[float, float, float, float]) -> None:
    axes.add_patch(
        Rectangle((0, 0), venn.width, venn.height, facecolor="white", edgecolor="0.2", linewidth=0.9)
    )
    for place, look in ((venn.positive, POSITIVE), (venn.called, CALLED)):
        fill, edge = dict(look), look["facecolor"]
        hatch, alpha = fill.pop("hatch"), fill.pop("alpha")
        # The hatch takes the edge's colour and alpha; the outline is drawn again, solid.
        axes.add_patch(
            _shape(venn, place, facecolor=edge, edgecolor=edge, alpha=alpha, linewidth=0, hatch=hatch)
        )
        axes.add_patch(_shape(venn, place, fill=False, edgecolor=edge, linewidth=1.4))
    total = sum(cells)
    places = _label_places(venn)
    counts = dict(zip(("tp", "fp", "fn", "tn"), cells, strict=True))
    for region, cell in REGIONS.items():
        text = f"{region}\n{100 * counts[cell] / total:.1f} %"
        x, y, outside = places[region]
        box = {"facecolor": "white", "edgecolor": "none", "alpha": 0.85, "pad": 1.2}
        if outside is None:
            axes.text(x, y, text, ha="center", va="center", fontsize=8, bbox=box, zorder=5)
        else:
            axes.annotate(
                text, (x, y), outside, ha="center", va="center", fontsize=8, bbox=box, zorder=5,
                arrowprops={"arrowstyle": "-", "color": "0.2", "linewidth": 0.7},
            )  # fmt: skip
    axes.set(
        xlim=(-0.01, venn.width + 0.01),
        ylim=(-0.01, venn.height + 0.01),
        aspect="equal",
        xticks=[],
        yticks=[],
    )
    axes.grid(visible=False)
    for side in axes.spines.values():
        side.set_visible(False)


def _shape(venn: Venn, place: tuple[float, float, float], **options) -> Circle | Rectangle:
    x, y, size = place
    return (
        Circle((x, y), size, **options)
        if venn.shape == "circle"
        else Rectangle((x, y), size, venn.height, **options)
    )


def _label_places(venn: Venn) -> dict[str, tuple[float, float, tuple[float, float] | None]]:
    """Return where each region's label points to, and where it stands if the region is too narrow for it."""
    if venn.shape == "circle":
        (x1, y, r1), (x2, _, r2) = venn.called, venn.positive
        ends = {"a": (x1 - r1, min(x2 - r2, x1 + r1)), "c": (max(x1 + r1, x2 - r2), x2 + r2)}
        ends["b"] = (max(x1 - r1, x2 - r2), min(x1 + r1, x2 + r2))
    else:
        (x1, _, w1), (x2, _, w2) = venn.called, venn.positive
        y = venn.height / 2
        ends = {"a": (x1, x2), "b": (x2, x1 + w1), "c": (x1 + w1, x2 + w2)}
    places = {}
    for region, (start, end) in ends.items():
        middle = (start + end) / 2
        if end - start >= 0.17:
            places[region] = (middle, y, None)
        else:
            side = {"a": 0.14, "b": 0.5, "c": 0.86}[region] * venn.width
            places[region] = (middle, y, (side, 0.9 * venn.height))
    places["d"] = (0.1 * venn.width, 0.1 * venn.height, None)
    if venn.shape == "bar":
        right = venn.positive[0] + venn.positive[2]
        room = venn.width - right
        places["d"] = (right + room / 2, y, None if room >= 0.17 else (0.86 * venn.width, 0.1 * venn.height))
    return places


def _keys() -> list[Patch]:
    return [
        Patch(edgecolor=CALLED["facecolor"], **CALLED, label="a + b: the classifier says positive"),
        Patch(
            edgecolor=POSITIVE["facecolor"], **POSITIVE, label="b + c: the label is positive (the minority)"
        ),
    ]


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "\N{MINUS SIGN}")
