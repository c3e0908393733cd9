"""The numbers of the rank figure, by hand."""

import numpy as np
import pytest
from experiments.ranks.ranked_tasks import FIRST, SAME, THIRD, areas

from nontrivial_study.experiments.ranks.ranks import quartile_tasks, rank_counts, rank_figure_table


def test_counts_of_ranks():
    counts = rank_counts(areas(SAME, FIRST), "pr_auc", "prg_auc", 4)
    assert len(counts) == 16
    cells = counts.set_index(["pr_auc_rank", "prg_auc_rank"])["count"]
    assert (cells[1, 1], cells[1, 2], cells[2, 1], cells[3, 3], cells[2, 4]) == (1, 1, 1, 2, 0)
    assert cells.sum() == 8


def test_models_with_equal_areas_are_left_out_and_counted():
    """Two models share the first place under one area, two the last under the other; one of them is in both."""
    tied = {"pr": [0.9, 0.9, 0.5, 0.4, 0.3], "prg": [5, 4, 3, 2, 2], "roc": [1] * 5}
    table = rank_figure_table(areas(tied, SAME), "pr_auc", "prg_auc", 5)
    every = table[table["panel"] == "all"].iloc[0]
    assert every[["tasks", "datasets", "tied"]].tolist() == [2, 1, 4]
    cells = table[table["panel"] == "left"].set_index(["pr_auc_rank", "prg_auc_rank"])["count"]
    assert cells[cells > 0].to_dict() == {(1, 1): 1, (2, 2): 1, (3, 3): 2, (4, 4): 1}


REVERSED = {"pr": [0.9, 0.8, 0.7, 0.6], "prg": [1, 2, 3, 4], "roc": [1, 1, 1, 1]}


@pytest.mark.parametrize(
    ("tasks", "lower", "upper"),
    [
        ([FIRST, SAME, REVERSED], ("t2", -1), ("t1", 1)),
        ([SAME, REVERSED, FIRST, THIRD], ("t1", -1), ("t2", 0.8)),  # FIRST and THIRD both have 0.8
        ([THIRD], ("t0", 0.8), ("t0", 0.8)),
    ],
)
def test_quartile_tasks(tasks, lower, upper):
    table = quartile_tasks(areas(*tasks), "pr_auc", "prg_auc")
    assert table["quartile"].tolist() == ["lower quartile", "upper quartile"]
    assert table["task"].tolist() == [lower[0], upper[0]]
    assert table["task_correlation"].tolist() == pytest.approx([lower[1], upper[1]])


def test_the_table_holds_both_panels():
    table = rank_figure_table(areas(FIRST, SAME, REVERSED), "pr_auc", "prg_auc", 4)
    _, left, right = (rows for _, rows in table.groupby("panel"))
    assert left["count"].sum() == 12
    assert left["model"].isna().all()
    assert right["task"].tolist() == ["t2"] * 4 + ["t1"] * 4
    assert right["prg_auc"].tolist() == [*REVERSED["prg"], *SAME["prg"]]
    assert right["count"].isna().all()
    tied = {"pr": [0.5, 0.5], "prg": [1, 2], "roc": [1, 2]}
    assert set(rank_figure_table(areas(tied), "pr_auc", "prg_auc", 4)["panel"]) == {"all", "left"}
    assert np.isfinite(right["task_correlation"].astype(float)).all()
