"""The rank figure: the paper's classes of counts, every cell in its place and shade, and two tasks' areas."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.colors import to_rgb

from nontrivial_study.experiments.ranks.ranks_figures import count_classes, plot_ranks


def counts_of(grid):
    """The table of `rank_figure_table` for grid[x, y], without tasks."""
    grid = np.asarray(grid)
    first, second = np.indices(grid.shape) + 1
    ranks = {"pr_auc_rank": first.ravel(), "prg_auc_rank": second.ravel(), "count": grid.ravel()}
    tasks = dict.fromkeys(["quartile", "task", "task_correlation", "model", "pr_auc", "prg_auc"])
    every = pd.DataFrame([{"panel": "all", "tasks": 7, "datasets": 5, "tied": 3}])
    return pd.concat([every, pd.DataFrame({"panel": "left"} | ranks | tasks)], ignore_index=True)


def with_tasks(counts, *tasks):
    """Add tasks, each a name with the two areas of its models."""
    parts = [
        pd.DataFrame(
            {"panel": "right", "task": name, "task_correlation": 0.9, "pr_auc": across, "prg_auc": up}
        )
        for name, across, up in tasks
    ]
    return pd.concat([counts, *parts], ignore_index=True)


def cells_of(figure):
    return figure.axes[0].collections[0]


def color_at(figure, x, y):
    cells = cells_of(figure)
    return cells.to_rgba(cells.get_array()[y - 1, x - 1])[:3]


def lightness(color):
    return np.dot(to_rgb(color), (0.299, 0.587, 0.114))


def test_the_classes_are_the_papers():
    first, names = count_classes(600)
    assert names == [
        "0", "1–2", "3–4", "5–8", "9–16", "17–32", "33–64", "65–128", "129–256", "257–512", "513–1024"  # noqa: RUF001
    ]  # fmt: skip
    assert first == [0, 1, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, 5000))
def test_the_classes_divide_the_counts(largest):
    first, names = count_classes(largest)
    assert first == sorted(set(first))
    assert len(first) == len(names) + 1
    assert first[0] == 0
    assert first[-1] > largest
    assert len(names) == 2 or first[-2] <= largest  # no class that no count needs


def test_first_rank_goes_right_and_second_up():
    grid = np.zeros((6, 6), dtype=int)
    grid[4, 1] = 5  # rank 5 under the first area, 2 under the second
    figure = plot_ranks(counts_of(grid))
    assert lightness(color_at(figure, 5, 2)) < 0.5
    assert color_at(figure, 2, 5) == (1, 1, 1)
    axes = figure.axes[0]
    assert axes.get_xlabel() == "Rank of the model by AUPR (1 = best)"
    assert axes.get_ylabel() == "Rank of the model by AUPRG (1 = best)"
    assert axes.get_xlim() == (0.5, 6.5)


@pytest.mark.parametrize("ranks", [2, 7, 12, 30])
def test_axes_run_from_the_first_rank_to_the_last(ranks):
    axes = plot_ranks(counts_of(np.eye(ranks, dtype=int))).axes[0]
    for limits, ticks in ((axes.get_xlim(), axes.get_xticks()), (axes.get_ylim(), axes.get_yticks())):
        assert limits == (0.5, ranks + 0.5)
        assert (ticks[0], ticks[-1]) == (1, ranks)
        assert all(float(tick).is_integer() for tick in ticks)


def test_the_order_of_rows_does_not_matter():
    counts = counts_of([[3, 0], [1, 2]])
    shuffled = plot_ranks(counts.sample(frac=1, random_state=3))
    assert (cells_of(shuffled).get_array() == [[3, 1], [0, 2]]).all()


def test_more_is_darker_and_none_is_white():
    figure = plot_ranks(counts_of(np.array([0, 2, 4, 8, 16, 32, 64, 128, 600]).reshape(3, 3)))
    shades = [lightness(color_at(figure, x, y)) for x in (1, 2, 3) for y in (1, 2, 3)]
    assert color_at(figure, 1, 1) == (1, 1, 1)
    steps = -np.diff(shades)
    assert (steps > 0.02).all()
    assert steps[0] > 0.1  # one model is told from none in grey


def test_counts_of_one_class_share_a_shade():
    figure = plot_ranks(counts_of([[5, 8], [4, 9]]))
    assert color_at(figure, 1, 1) == color_at(figure, 1, 2)
    assert color_at(figure, 1, 1) != color_at(figure, 2, 1)
    assert color_at(figure, 1, 2) != color_at(figure, 2, 2)


def test_the_key_stands_beside_with_every_class():
    figure = plot_ranks(counts_of([[5, 0], [1, 9]]))
    (key,) = figure.axes[0].child_axes
    assert [text.get_text() for text in key.get_yticklabels()] == ["0", "1–2", "3–4", "5–8", "9–16"]  # noqa: RUF001


def test_tasks_sources_and_what_is_left_out_are_said():
    title = plot_ranks(counts_of([[5, 0], [1, 9]])).axes[0].get_title(loc="left")
    assert all(part in title for part in ("15 models", "7 tasks", "5 sources", "3 models with equal areas"))


def test_areas_close_to_1_are_told_apart():
    axes = plot_ranks(with_tasks(counts_of([[1]]), ("a", [0.98, 1.0, 0.4], [0.99, 1.0, 0.5]))).axes[1]
    places = axes.transData.transform([(0.98, 0), (1.0, 0), (0.4, 0), (0.42, 0)])[:, 0]
    assert places[1] - places[0] > 10 * (places[3] - places[2]) > 0


def test_no_models_at_all_can_be_drawn():
    plot_ranks(counts_of(np.zeros((30, 30), dtype=int)))


def test_the_models_of_two_tasks_and_how_many_are_below():
    counts = counts_of([[1, 0], [0, 1]])
    figure = plot_ranks(with_tasks(counts, ("a", [0.5, 0.9], [0.4, 0.8]), ("b", [0.1, 0.2], [-0.5, 0.0])))
    axes = figure.axes[1]
    (first, second) = axes.lines
    assert first.get_xydata().tolist() == [[0.5, 0.4], [0.9, 0.8]]
    assert second.get_xydata().tolist() == [[0.2, 0.0]]
    assert first.get_marker() != second.get_marker()
    assert first.get_label() == "a: rank correlation 0.900"
    assert second.get_label() == "b: rank correlation 0.900; 1 of 2 models below 0, not shown"
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("AUPR of the model", "AUPRG of the model")
    assert len(figure.legends) == 1


def test_no_task_is_said():
    figure = plot_ranks(counts_of([[1, 0], [0, 1]]))
    assert [text.get_text() for text in figure.axes[1].texts] == ["No task has a rank correlation."]
    assert not figure.legends


def test_missing_and_repeated_cells_are_refused():
    counts = counts_of([[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="one row for each of the 2 x 2 pairs of ranks"):
        plot_ranks(counts.iloc[:-1])
    with pytest.raises(ValueError, match="one row for each"):
        plot_ranks(pd.concat([counts.iloc[:-1], counts.iloc[1:2]]))
    with pytest.raises(ValueError, match="one row for each"):
        plot_ranks(pd.concat([counts, counts.iloc[1:2]]))
