"""Ranks and their disagreement, against tasks worked by hand."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

from nontrivial.study.ranking import PAIRS, rank_counts, rank_disagreement, rank_models

PUBLISHED = {
    f"{one}/{other}": {"top1_disagreement": 0.1, "top3_disagreement": 0.2, "rank_correlation": 0.3}
    for one, other in PAIRS
}


def areas(*tasks, status="ok"):
    """Build the table of areas: each task maps a measure to the areas of its models a, b, c, ..."""
    parts = []
    for number, task in enumerate(tasks):
        columns = {"pr_auc": task["pr"], "prg_auc": task["prg"], "roc_auc": task["roc"]}
        names = list("abcdefgh"[: len(task["pr"])])
        parts.append(pd.DataFrame({"task": f"t{number}", "model": names, "status": status} | columns))
    return pd.concat(parts, ignore_index=True)


SAME = {"pr": [0.9, 0.8, 0.7, 0.6], "prg": [0.4, 0.3, 0.2, 0.1], "roc": [0.99, 0.98, 0.97, 0.96]}
THIRD = {"pr": [0.9, 0.8, 0.7, 0.6], "prg": [0.4, 0.3, 0.1, 0.2], "roc": [0.99, 0.98, 0.97, 0.96]}
FIRST = {"pr": [0.9, 0.8, 0.7, 0.6], "prg": [0.3, 0.4, 0.2, 0.1], "roc": [0.99, 0.98, 0.97, 0.96]}
FOURTH = {"pr": [0.9, 0.8, 0.7, 0.6, 0.5], "prg": [0.9, 0.8, 0.7, 0.5, 0.6], "roc": [0.9, 0.8, 0.7, 0.6, 0.5]}


@pytest.mark.parametrize(
    ("tasks", "top1", "top3"),
    [
        ([SAME], 0, 0),
        ([THIRD], 0, 1),
        ([FIRST], 1, 1),
        ([FOURTH], 0, 0),
        ([SAME, THIRD, FIRST, FOURTH], 0.25, 0.5),
    ],
)
def test_disagreement_by_hand(tasks, top1, top3):
    table = rank_disagreement(areas(*tasks), PUBLISHED, resamples=100).set_index("pair")
    assert table.loc["pr_auc/prg_auc", ["top1_disagreement", "top3_disagreement"]].tolist() == [top1, top3]
    assert table.loc["prg_auc/roc_auc", ["top1_disagreement", "top3_disagreement"]].tolist() == [top1, top3]
    assert table.loc["pr_auc/roc_auc", ["top1_disagreement", "top3_disagreement"]].tolist() == [0, 0]
    assert table["tasks"].tolist() == [len(tasks)] * 3


def test_tied_models_are_compared_as_a_set_and_counted():
    same_set = {"pr": [0.9, 0.9, 0.5, 0.4], "prg": [0.7, 0.7, 0.5, 0.4], "roc": [0.9, 0.8, 0.7, 0.6]}
    table = rank_disagreement(areas(same_set), PUBLISHED, resamples=100).set_index("pair")
    assert table.loc["pr_auc/prg_auc", ["top1_disagreement", "top1_ties"]].tolist() == [0, 1]
    assert table.loc["pr_auc/roc_auc", ["top1_disagreement", "top1_ties"]].tolist() == [1, 1]


def test_areas_that_differ_by_rounding_alone_are_tied():
    ranks = rank_models(areas({"pr": [1.0, 1 - 1e-15, 0.5], "prg": [1, 1, 1], "roc": [1, 1, 1]}), ["pr_auc"])
    assert ranks["pr_auc"].tolist() == [1.5, 1.5, 3.0]


def test_correlation_is_pearsons_of_the_pooled_average_ranks():
    rng = np.random.default_rng(0)
    tasks = [{key: rng.integers(0, 6, 8) / 6 for key in ("pr", "prg", "roc")} for _ in range(5)]
    table = areas(*tasks)
    ranks = rank_models(table, ["pr_auc", "prg_auc", "roc_auc"])
    for row in rank_disagreement(table, PUBLISHED, resamples=100).itertuples():
        one, other = row.pair.split("/")
        assert row.rank_correlation == pytest.approx(pearsonr(ranks[one], ranks[other]).statistic, rel=1e-12)
        assert row.rank_correlation_low <= row.rank_correlation <= row.rank_correlation_high


def test_interval_is_of_whole_tasks():
    """With half of 100 tasks disagreeing, the share of a resample is binomial."""
    table = rank_disagreement(areas(*[SAME, FIRST] * 50), PUBLISHED, resamples=20_000).set_index("pair")
    low, high = table.loc["pr_auc/prg_auc", ["top1_disagreement_low", "top1_disagreement_high"]]
    assert low == pytest.approx(0.40, abs=0.011)
    assert high == pytest.approx(0.60, abs=0.011)


def test_failed_models_are_left_out_and_counted():
    table = areas(FIRST)
    table.loc[1, ["status", "pr_auc", "prg_auc", "roc_auc"]] = [
        "failed in fold 0: ValueError: no",
        None,
        None,
        None,
    ]
    row = rank_disagreement(table, PUBLISHED, resamples=100).iloc[0]
    assert (row["failed"], row["ranked"], row["top1_disagreement"]) == (1, 3, 0)


def test_counts_of_ranks():
    counts = rank_counts(areas(SAME, FIRST), "pr_auc", "prg_auc", 4)
    assert len(counts) == 16
    cells = counts.set_index(["pr_auc_rank", "prg_auc_rank"])["count"]
    assert (cells[1, 1], cells[1, 2], cells[2, 1], cells[3, 3], cells[2, 4]) == (1, 1, 1, 2, 0)
    assert cells.sum() == 8


def test_the_papers_figures_stand_beside():
    table = rank_disagreement(areas(SAME, FIRST), PUBLISHED, resamples=100)
    assert table["paper_rank_correlation"].tolist() == [0.3] * 3
