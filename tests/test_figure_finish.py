"""What every figure gets: letters for panels, one size of type, arrows where a line leaves the frame."""

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

from nontrivial.figure_style import FONT_SIZE, add_exit_arrows, letter_panels, save_figure


def drawing(rows=1, columns=2):
    figure = Figure(figsize=(4, 2))
    figure.subplots(rows, columns, squeeze=False)
    return figure


def test_panels_are_named_once_and_colour_bars_are_not():
    figure = drawing(2, 3)
    figure.axes[4].set_axis_off()  # as where a legend stands
    figure.axes[5].remove()
    figure.axes[1].set_title("b   Risk", loc="left")
    figure.axes[2].set_title("Worth")
    figure.colorbar(figure.axes[3].imshow([[0, 1]]), ax=figure.axes[3])
    for _ in range(2):
        letter_panels(figure)
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["a", "b   Risk", "c   Worth", "d", "", ""]
    assert [axes.get_title() for axes in figure.axes] == [""] * 6


def test_all_text_has_one_size(tmp_path):
    figure = drawing()
    figure.axes[0].text(0, 0, "small", fontsize=5)
    figure.legend(handles=figure.axes[0].plot([0, 1], label="a line"), fontsize=12)
    save_figure(figure, tmp_path / "drawing")
    assert {text.get_fontsize() for text in figure.findobj(Text)} == {FONT_SIZE}


@pytest.mark.parametrize(
    ("x", "y", "marker", "place"),
    [
        ([0.5, 0.5], [0.5, -0.5], "v", (0.5, 0)),
        ([0.5, 1.5], [0.5, 0.5], ">", (1, 0.5)),
        ([-1, 0.5], [0.5, 0.5], "<", (0, 0.5)),
        ([0.25, 0.75], [0.5, 1.5], "^", (0.5, 1)),
    ],
)
def test_a_line_that_leaves_has_an_arrow_where_it_does(x, y, marker, place):
    figure = drawing(1, 1)
    axes = figure.axes[0]
    axes.plot(x, y, color="red")
    axes.axhline(3)  # all of it is outside
    axes.set(xlim=(0, 1), ylim=(0, 1))
    for _ in range(2):
        add_exit_arrows(figure)
    (arrow,) = [line for line in axes.get_lines() if line.get_marker() in tuple("v^<>")]
    assert (arrow.get_marker(), arrow.get_color()) == (marker, "red")
    assert arrow.get_xydata()[0] == pytest.approx(place)


@pytest.mark.parametrize("y", [[0, 1], [float("nan"), 2], [0.5, 0.5]])
def test_a_line_that_stays_or_has_a_gap_has_none(y):
    figure = drawing(1, 1)
    figure.axes[0].plot([0, 1], y)
    figure.axes[0].set(xlim=(0, 1), ylim=(0, 1))
    add_exit_arrows(figure)
    assert len(figure.axes[0].get_lines()) == 1
