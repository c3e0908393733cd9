"""Rank disagreement in groups of tasks, and the numbers of the rank figure, by hand."""

import numpy as np
import pandas as pd
import pytest
from experiments.ranks.ranked_tasks import FIRST, PAIRS, PUBLISHED, SAME, THIRD, areas

from nontrivial_study.experiments.ranks.disagreement import rank_disagreement, rank_disagreement_by_group
from nontrivial_study.experiments.ranks.ranks import quartile_tasks, rank_counts, rank_figure_table

TASKS = areas(SAME, FIRST, THIRD, FIRST)
TASKS["positives"] = np.repeat([5, 10, 10, 30], 4)
TASKS["negatives"] = np.repeat([95, 90, 10, 70], 4)
TASKS["extrapolated"] = [True] * 4 + [True, False] * 2 + [False] * 8
EDGES = {"positive_share": [0.1, 0.4], "positives": [10], "extrapolated_share": [0.25]}


def test_groups_are_divided_at_their_edges():
    table = rank_disagreement_by_group(TASKS, PAIRS, EDGES, resamples=100)
    first = table[table["pair"] == "pr_auc/prg_auc"]
    assert first["split"].tolist() == ["positive_share"] * 3 + ["positives"] * 2 + ["extrapolated_share"] * 2
    assert first["tasks"].tolist() == [1, 2, 1, 1, 3, 2, 2]
    assert first["at_least"].fillna(-1).tolist() == [-1, 0.1, 0.4, -1, 10, -1, 0.25]
    assert first["below"].fillna(-1).tolist() == [0.1, 0.4, -1, 10, -1, 0.25, -1]
    assert first["extrapolated_share"].tolist() == pytest.approx([1, 0.25, 0, 1, 1 / 6, 0, 0.75])
    assert first["top1_disagreement"].tolist() == pytest.approx([0, 1, 0, 0, 2 / 3, 0.5, 0.5])


def test_a_group_is_like_a_study_of_its_own():
    table = rank_disagreement_by_group(TASKS, PAIRS, EDGES, resamples=100).set_index(["split", "at_least", "pair"])
    alone = rank_disagreement(TASKS[TASKS["positives"] >= 10], PAIRS, PUBLISHED, resamples=100).set_index("pair")
    for pair, expected in alone.iterrows():
        in_group = table.loc["positives", 10, pair]
        shared = [name for name in in_group.index if name in expected.index]
        assert len(shared) > 20
        pd.testing.assert_series_equal(
            in_group[shared].astype(float), expected[shared].astype(float), check_names=False
        )


def test_failed_models_count_for_nothing_and_an_empty_group_has_its_row():
    failed = TASKS.astype({"positives": "Int64", "negatives": "Int64", "extrapolated": "boolean"})
    failed.loc[failed["task"] == "t0", "status"] = "failed in fold 0: E: x"
    failed.loc[failed["task"] == "t0", ["positives", "negatives", "extrapolated"]] = None
    table = rank_disagreement_by_group(failed, PAIRS, {"positives": [10]}, resamples=100)
    assert table["tasks"].tolist() == [0] * 3 + [3] * 3
    assert table["top1_disagreement"].isna().tolist() == [True] * 3 + [False] * 3
    assert (table["top1_decided_by_ties"] == 0).all()


def test_counts_of_ranks():
    counts, tied = rank_counts(areas(SAME, FIRST), 4)
    assert (len(counts), tied) == (16, 0)
    cells = counts.set_index(["pr_auc_rank", "prg_auc_rank"])["count"]
    assert (cells[1, 1], cells[1, 2], cells[2, 1], cells[3, 3], cells[2, 4]) == (1, 1, 1, 2, 0)
    assert cells.sum() == 8


def test_models_with_equal_areas_are_left_out_and_counted():
    """Two models share the first place under one area, two the last under the other; one of them is in both."""
    tied = {"pr": [0.9, 0.9, 0.5, 0.4, 0.3], "prg": [5, 4, 3, 2, 2], "roc": [1] * 5}
    table = rank_figure_table(areas(tied, SAME), 5)
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
    table = quartile_tasks(areas(*tasks))
    assert table["quartile"].tolist() == ["lower quartile", "upper quartile"]
    assert table["task"].tolist() == [lower[0], upper[0]]
    assert table["task_correlation"].tolist() == pytest.approx([lower[1], upper[1]])


def test_the_table_holds_both_panels():
    table = rank_figure_table(areas(FIRST, SAME, REVERSED), 4)
    _, left, right = (rows for _, rows in table.groupby("panel"))
    assert left["count"].sum() == 12
    assert left["model"].isna().all()
    assert right["task"].tolist() == ["t2"] * 4 + ["t1"] * 4
    assert right["prg_auc"].tolist() == [*REVERSED["prg"], *SAME["prg"]]
    assert right["count"].isna().all()
    tied = {"pr": [0.5, 0.5], "prg": [1, 2], "roc": [1, 2]}
    assert set(rank_figure_table(areas(tied), 4)["panel"]) == {"all", "left"}
    assert np.isfinite(right["task_correlation"].astype(float)).all()
