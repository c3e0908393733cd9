"""What every figure gets before it is saved: letters for its panels, one size of type, arrows where lines leave."""

from __future__ import annotations

import itertools
import re
from string import ascii_lowercase

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.text import Text

SIZE = 8.0  # points
_LETTER = re.compile(r"[a-z]( {3}|$)")
_THINNEST = 1.0  # points; thinner lines are guides
_SLACK = 0.005  # of the frame's side, by which a line that runs along it may lie outside
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
    """Put an arrow at each place where a line leaves the frame of its panel; the limits have to be final."""
    for axes in figure.axes:
        lines = list(axes.get_lines())
        for line in () if any(line.get_label() == _MARK for line in lines) else lines:
            is_curve = line.get_linestyle() != "None" and line.get_linewidth() >= _THINNEST
            if is_curve and line.get_transform() == axes.transData and line.get_clip_on():
                _mark_line(axes, line)


def _mark_line(axes: Axes, line: Line2D) -> None:
    points = axes.transAxes.inverted().transform(axes.transData.transform(line.get_xydata()))
    inside = np.all(np.abs(points - 0.5) <= 0.5 + _SLACK, axis=1).tolist()
    for (one, is_in), (other, other_in) in itertools.pairwise(zip(points, inside, strict=True)):
        if is_in == other_in or not np.isfinite([one, other]).all():
            continue
        start, end = (one, other) if is_in else (other, one)
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
