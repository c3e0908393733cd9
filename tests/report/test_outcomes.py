"""What did not come out: counted by run and not by row, told apart by kind, with its reasons."""

import pandas as pd

from nontrivial_study.report.tables import (
    count_outcomes,
    failed_runs,
    missing_points,
    points_of,
)

AREAS = pd.DataFrame(
    [
        ("wdbc", "forest", "ok"),
        ("wdbc", "stump", "failed in fold 3: ValueError: one class only"),
        ("iris", "stump", "failed in fold 1: MemoryError: no room"),
        ("iris", "chance", "failed in fold 1: MemoryError: no room"),
    ],
    columns=["task", "model", "status"],
)
IMPOSSIBLE = ("impossible", "20% noise flips 46, the minority has 23")
NOISE = pd.DataFrame(
    [
        ("wdbc", "forest", "0.2", "0.05", "clean", "p4", *IMPOSSIBLE),
        ("wdbc", "forest", "0.2", "0.05", "clean", "accuracy", *IMPOSSIBLE),
        ("wdbc", "forest", "0.2", "0.05", "noisy", "p4", *IMPOSSIBLE),
        ("wdbc", "forest", "0.2", "0.5", "clean", "p4", "ok", "ok"),
        ("wdbc", "tree", "0.2", "0.5", "clean", "p4", "failed", "impossible: of all words a model's own"),
    ],
    columns=["dataset", "model", "noise", "minority_share", "tested_on", "measure", "outcome", "status"],
)
ABSENT = pd.DataFrame(
    {"dataset": ["haberman"], "model": [""], "outcome": ["not evaluated"], "status": ["not downloaded"]}
)


def test_a_run_is_counted_once_however_many_rows_it_fills():
    tables = {"curve_areas": AREAS, "training_noise": NOISE, "haberman_trained": ABSENT}
    assert count_outcomes(tables).to_numpy().tolist() == [
        ["curve_areas", 4, 3, 0, 0],
        ["training_noise", 3, 1, 1, 0],
        ["haberman_trained", 1, 0, 0, 1],
    ]


def test_tables_without_status_count_no_runs():
    tables = {"exam": pd.DataFrame({"who": ["Bob"]})}
    assert count_outcomes(tables).empty
    assert failed_runs(tables).empty


def test_failed_runs_are_listed_with_task_or_data_set():
    failed = failed_runs({"curve_areas": AREAS, "training_noise": NOISE, "haberman_trained": ABSENT})
    assert failed.to_numpy().tolist() == [
        ["curve_areas", "wdbc", "stump", "failed in fold 3: ValueError: one class only"],
        ["curve_areas", "iris", "stump", "failed in fold 1: MemoryError: no room"],
        ["curve_areas", "iris", "chance", "failed in fold 1: MemoryError: no room"],
        ["training_noise", "wdbc", "tree", "impossible: of all words a model's own"],
    ]


def test_points_that_lack_a_value_name_the_measures_and_the_reasons():
    columns = ["dataset", "model", "positive", "noise", "minority_share", "measure", "mean", "reason"]
    sweep = pd.DataFrame(
        [
            ("wdbc", "forest", "malignant", "0.2", "0.01", "p4", "", "impossible"),
            ("wdbc", "forest", "malignant", "0.2", "0.01", "kappa", "", "impossible"),
            ("wdbc", "forest", "malignant", "0.2", "0.1", "p4", "", "0/0 in every test set"),
            ("wdbc", "forest", "malignant", "0.2", "0.1", "kappa", "0.5", ""),
            ("wdbc", "forest", "malignant", "0.2", "0.5", "p4", "0.5", ""),
        ],
        columns=columns,
    )
    assert len(points_of(sweep)) == 3
    assert missing_points(sweep)[["minority_share", "measures", "reason"]].to_numpy().tolist() == [
        ["0.01", "all", "impossible"],
        ["0.1", "p4", "0/0 in every test set"],
    ]
