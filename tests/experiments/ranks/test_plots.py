"""The figures of ranks and areas show the numbers of their tables."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_rgb

from nontrivial_study.experiments.curve_numbers import PANELS, curve_numbers
from nontrivial_study.experiments.ranks.model_choice import CHOOSING_AREAS
from nontrivial_study.experiments.ranks.ranks_figures import (
    CHOICE_LOOKS,
    CHOICE_TITLES,
    YARDSTICK_LABELS,
    count_classes,
    plot_compared,
    plot_model_choice,
    plot_ranks,
)


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
        pd.DataFrame({"panel": "right", "task": name, "task_correlation": 0.9, "pr_auc": pr_auc, "prg_auc": prg_auc})
        for name, pr_auc, prg_auc in tasks
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


def compared(**statuses):
    rng = np.random.default_rng(0)
    parts = []
    for model, status in statuses.items():
        truth = rng.random(60) < 0.4
        curves = curve_numbers(truth, truth + rng.normal(size=60))
        curves = curves if status == "ok" else pd.DataFrame(index=[0], columns=list(curves))
        parts.append(curves.assign(task="t", data="", model=model, status=status))
    return pd.concat(parts, ignore_index=True)


def test_two_models_are_told_apart_without_colour_and_by_their_areas():
    table = compared(one="ok", two="ok")
    figure = plot_compared(table.assign(data="white$clover$ (version 1)"))
    assert figure.get_suptitle() == "Task t, white$clover$ (version 1)"
    for axes, panel in zip(figure.axes, PANELS, strict=True):
        assert len({line.get_linestyle() for line in axes.lines}) == 2
        assert axes.get_legend() is None
        for line, (_, rows) in zip(axes.lines, table[table["panel"] == panel].groupby("model"), strict=True):
            np.testing.assert_array_equal(line.get_xydata(), rows[["x", "y"]].astype(float))
    (legend,) = figure.legends
    areas = table.groupby(["model", "panel"])["area"].first()
    for text, model in zip(legend.get_texts(), ("one", "two"), strict=True):
        for name, panel in PANELS.items():
            assert f"{panel.area_label} {areas[model, name]:.3f}" in text.get_text()
        assert text.get_text().startswith(model)


def test_a_model_without_curves_is_named_with_the_reason():
    figure = plot_compared(compared(one="has no confidences", two="ok"))
    (legend,) = figure.legends
    assert legend.get_texts()[0].get_text() == "one: not shown, has no confidences"
    assert [len(axes.lines) for axes in figure.axes] == [1, 1, 1]


def choice():
    rows = [
        {"yardstick": judge, "of": subset, "area": area, "pairs": 10, "agreement": 0.5 + place / 20}
        for subset in CHOICE_TITLES
        for judge in YARDSTICK_LABELS
        for place, area in enumerate(CHOOSING_AREAS)
        if area != judge
    ]
    return pd.DataFrame(rows).assign(agreement_low=0.4, agreement_high=0.9)


def test_better_models_marks_stand_at_their_shares():
    table = choice()
    figure = plot_model_choice(table)
    for axes in figure.axes:
        marks = [line for line in axes.lines if line.get_linestyle() == "None"]
        assert len(marks) == len(table) / 2
        by_marker = {line.get_marker(): line.get_xdata()[0] for line in marks}
        assert by_marker == {
            marker: pytest.approx(50 + 5 * place)
            for place, (_, marker) in enumerate(CHOICE_LOOKS[: len(CHOOSING_AREAS)])
        }
        heights = [line.get_ydata()[0] for line in marks]
        assert len(set(np.round(heights, 6))) == len(marks)
    assert "(up to 10)" in figure.axes[0].get_title(loc="left")
