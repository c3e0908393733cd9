"""Rank disagreement in groups of tasks, each like a study of its own."""

import numpy as np
import pandas as pd
import pytest
from experiments.ranks.ranked_tasks import FIRST, PUBLISHED, SAME, THIRD, areas

from nontrivial_study.experiments.ranks.ranks import (
    rank_disagreement,
    rank_disagreement_by_group,
)

TASKS = areas(SAME, FIRST, THIRD, FIRST)
TASKS["positives"] = np.repeat([5, 10, 10, 30], 4)
TASKS["negatives"] = np.repeat([95, 90, 10, 70], 4)
TASKS["extrapolated"] = [True] * 4 + [True, False] * 2 + [False] * 8
EDGES = {"positive_share": [0.1, 0.4], "positives": [10], "extrapolated_share": [0.25]}


def test_groups_are_divided_at_their_edges():
    table = rank_disagreement_by_group(TASKS, EDGES, resamples=100)
    first = table[table["pair"] == "pr_auc/prg_auc"]
    assert first["split"].tolist() == ["positive_share"] * 3 + ["positives"] * 2 + ["extrapolated_share"] * 2
    assert first["tasks"].tolist() == [1, 2, 1, 1, 3, 2, 2]
    assert first["at_least"].fillna(-1).tolist() == [-1, 0.1, 0.4, -1, 10, -1, 0.25]
    assert first["below"].fillna(-1).tolist() == [0.1, 0.4, -1, 10, -1, 0.25, -1]
    assert first["extrapolated_share"].tolist() == pytest.approx([1, 0.25, 0, 1, 1 / 6, 0, 0.75])
    assert first["top1_disagreement"].tolist() == pytest.approx([0, 1, 0, 0, 2 / 3, 0.5, 0.5])


def test_a_group_is_like_a_study_of_its_own():
    table = rank_disagreement_by_group(TASKS, EDGES, resamples=100).set_index(["split", "at_least", "pair"])
    alone = rank_disagreement(TASKS[TASKS["positives"] >= 10], PUBLISHED, resamples=100).set_index("pair")
    for pair, expected in alone.iterrows():
        found = table.loc["positives", 10, pair]
        shared = [name for name in found.index if name in expected.index]
        assert len(shared) > 20
        pd.testing.assert_series_equal(
            found[shared].astype(float), expected[shared].astype(float), check_names=False
        )


def test_failed_models_count_for_nothing_and_an_empty_group_has_its_row():
    failed = TASKS.astype({"positives": "Int64", "negatives": "Int64", "extrapolated": "boolean"})
    failed.loc[failed["task"] == "t0", "status"] = "failed in fold 0: E: x"
    failed.loc[failed["task"] == "t0", ["positives", "negatives", "extrapolated"]] = None
    table = rank_disagreement_by_group(failed, {"positives": [10]}, resamples=100)
    assert table["tasks"].tolist() == [0] * 3 + [3] * 3
    assert table["top1_disagreement"].isna().tolist() == [True] * 3 + [False] * 3
    assert (table["top1_decided_by_ties"] == 0).all()
