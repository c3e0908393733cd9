"""Ranks and their disagreement, against tasks worked by hand."""

import numpy as np
import pandas as pd
import pytest
from experiments.ranks.ranked_tasks import FIRST, FOURTH, PAIRS, PUBLISHED, SAME, SECOND, THIRD, areas
from scipy.stats import binomtest, pearsonr, spearmanr

from nontrivial_study.experiments.ranks.disagreement import TOPS, compare_ranks, rank_disagreement, values_to_rank


@pytest.mark.parametrize(
    ("tasks", "top1", "top3", "top3_set"),
    [
        ([SAME], 0, 0, 0),
        ([THIRD], 0, 1, 1),
        ([FIRST], 1, 1, 0),
        ([SECOND], 0, 1, 1),
        ([FOURTH], 0, 0, 0),
        ([SAME, THIRD, FIRST, FOURTH], 0.25, 0.5, 0.25),
    ],
)
def test_disagreement_by_hand(tasks, top1, top3, top3_set):
    table = rank_disagreement(areas(*tasks), PAIRS, PUBLISHED, resamples=100).set_index("pair")
    columns = [f"{top}_disagreement" for top in TOPS]
    assert table.loc["pr_auc/prg_auc", columns].tolist() == [top1, top3, top3_set]
    assert table.loc["prg_auc/roc_auc", columns].tolist() == [top1, top3, top3_set]
    assert table.loc["pr_auc/roc_auc", columns].tolist() == [0, 0, 0]
    assert table["tasks"].tolist() == [len(tasks)] * 3
    assert table["datasets"].tolist() == [(len(tasks) + 1) // 2] * 3
    assert (table.filter(like="decided_by_ties") == 0).all(axis=None)


def test_tied_models_are_compared_as_a_set_and_counted():
    same_set = {"pr": [0.9, 0.9, 0.5, 0.4], "prg": [0.7, 0.7, 0.5, 0.4], "roc": [0.9, 0.8, 0.7, 0.6]}
    table = rank_disagreement(areas(same_set), PAIRS, PUBLISHED, resamples=100).set_index("pair")
    columns = ["top1_disagreement", *(f"{top}_decided_by_ties" for top in TOPS)]
    assert table.loc["pr_auc/prg_auc", columns].tolist() == [0, 1, 1, 0]
    assert table.loc["pr_auc/roc_auc", columns].tolist() == [1, 1, 1, 0]


def test_a_tie_for_the_third_place():
    """Models c and d are tied for the third place; without d under the other area the sets differ."""
    tied = {"pr": [0.9, 0.8, 0.7, 0.7], "prg": [0.4, 0.3, 0.2, 0.1], "roc": [0.9, 0.8, 0.7, 0.7]}
    table = rank_disagreement(areas(tied), PAIRS, PUBLISHED, resamples=100).set_index("pair")
    columns = [f"{name}_{what}" for what in ("disagreement", "decided_by_ties") for name in ("top3", "top3_set")]
    assert table.loc["pr_auc/prg_auc", columns].tolist() == [1, 1, 1, 1]
    assert table.loc["pr_auc/roc_auc", columns].tolist() == [0, 0, 1, 1]
    assert (table["top1_decided_by_ties"] == 0).all()


def test_areas_that_differ_by_rounding_alone_are_tied():
    assert values_to_rank(pd.DataFrame({"pr_auc": [1.0, 1 - 1e-15, 0.5]}))["pr_auc"].tolist() == [1, 1, 0.5]


def test_correlation_is_pearsons_of_the_pooled_average_ranks():
    rng = np.random.default_rng(0)
    tasks = [{key: rng.integers(0, 6, 8) / 6 for key in ("pr", "prg", "roc")} for _ in range(5)]
    table = areas(*tasks)
    ranks = table.groupby("task")[["pr_auc", "prg_auc", "roc_auc"]].rank(ascending=False)
    disagreement = rank_disagreement(table, PAIRS, PUBLISHED, resamples=100)
    assert disagreement["rank_correlation"].dtype == float
    for row in disagreement.itertuples():
        x, y = row.pair.split("/")
        assert row.rank_correlation == pytest.approx(pearsonr(ranks[x], ranks[y]).statistic, rel=1e-12)
        assert row.rank_correlation_low <= row.rank_correlation <= row.rank_correlation_high
        own = [spearmanr(*rows[[x, y]].to_numpy().T).statistic for _, rows in table.groupby("task")]
        np.testing.assert_allclose(compare_ranks(table, row.pair).correlations, own, rtol=1e-12)
        assert row.task_correlation_mean == pytest.approx(np.mean(own))
        assert row.task_correlation_median == pytest.approx(np.median(own))
        assert row.task_correlation_lower_quartile == pytest.approx(np.quantile(own, 0.25))
        assert row.task_correlation_upper_quartile == pytest.approx(np.quantile(own, 0.75))
        assert row.task_correlation_median_low <= row.task_correlation_median_high


def test_a_task_whose_models_are_all_tied_has_no_correlation_of_its_own():
    constant = {"pr": [0.5, 0.5], "prg": [0.1, 0.2], "roc": [0.1, 0.2]}
    row = rank_disagreement(areas(SAME, constant), PAIRS, PUBLISHED, resamples=100).iloc[0]
    assert row["task_correlation_undefined"] == 1
    assert row["task_correlation_mean"] == 1


def test_interval_is_of_whole_data_sets():
    """With the tasks of half of 50 data sets disagreeing, the share of a resample is binomial."""
    tasks = [SAME, SAME, FIRST, FIRST] * 25
    table = rank_disagreement(areas(*tasks), PAIRS, PUBLISHED, resamples=20_000).set_index("pair")
    low, high = table.loc["pr_auc/prg_auc", ["top1_disagreement_low", "top1_disagreement_high"]]
    assert low == pytest.approx(0.36, abs=0.011)
    assert high == pytest.approx(0.64, abs=0.011)


def test_where_no_task_disagrees_the_interval_is_that_of_as_many_tries_as_there_are_data_sets():
    row = rank_disagreement(areas(*[SAME] * 58), PAIRS, PUBLISHED, resamples=100).iloc[0]
    assert (row["datasets"], row["top1_disagreement"], row["top1_disagreement_low"]) == (29, 0, 0)
    assert row["top1_disagreement_high"] == pytest.approx(binomtest(0, 29).proportion_ci(0.95, "exact").high)
    row = rank_disagreement(areas(*[FIRST] * 58), PAIRS, PUBLISHED, resamples=100).iloc[0]
    assert row["top1_disagreement_low"] == pytest.approx(binomtest(29, 29).proportion_ci(0.95, "exact").low)


def test_failed_models_are_left_out_and_counted():
    table = areas(FIRST)
    table.loc[1, ["status", "pr_auc", "prg_auc", "roc_auc"]] = ["failed in fold 0: no", None, None, None]
    row = rank_disagreement(table, PAIRS, PUBLISHED, resamples=100).iloc[0]
    assert (row["failed"], row["ranked"], row["top1_disagreement"]) == (1, 3, 0)


def test_less_is_better_for_some_areas_and_an_undefined_area_has_the_last_place():
    table = areas(SAME).assign(cost_curve_area=[0.1, 0.2, 0.3, 0.4])
    assert compare_ranks(table, "roc_auc/cost_curve_area").correlations == [1]
    table = table.assign(expected_f1_gain=[0.9, 0.8, 0.7, np.nan])
    assert compare_ranks(table, "roc_auc/expected_f1_gain").correlations == [1]
