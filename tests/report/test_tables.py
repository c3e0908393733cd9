"""Tables as shown: texts kept, numbers rounded, wide ones turned, long ones cut; and what did not come out, by run."""

import pandas as pd

from nontrivial_study.report.tables import (
    MAX_WHOLE_ROWS,
    ROWS_OF_CUT_TABLE,
    ShownCell,
    count_outcomes,
    failed_runs,
    find_problems,
    missing_points,
    show_table,
    show_tables,
)
from nontrivial_study.tables import read_texts


def test_texts_stay_as_they_stand(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("stated,class,empty\n0.30,NA,\nnot stated,null,\n")
    frame = read_texts(path)
    assert frame.to_numpy().tolist() == [["0.30", "NA", ""], ["not stated", "null", ""]]
    table = show_table("t", frame)
    assert [[cell.text for cell in row] for row in table.rows] == frame.to_numpy().tolist()
    assert [column.numeric for column in table.columns] == [False, False, False]


def test_a_wide_table_of_few_rows_is_turned():
    frame = pd.DataFrame({"example": ["cats", "dogs"]} | {f"m{number}": ["0.12345", "2"] for number in range(11)})
    table = show_table("t", frame)
    assert [column.name for column in table.columns] == ["column", "cats", "dogs"]
    assert [column.numeric for column in table.columns] == [False, True, True]
    assert [cell.text for cell in table.rows[0]] == ["m0", "0.1235", "2"]
    assert len(table.rows) == 11
    assert table.total == 2


def test_rounded_numbers_keep_their_exact_text():
    table = show_table("t", pd.DataFrame({"x": ["0.123456789", "0.5", ""]}))
    assert [row[0] for row in table.rows] == [ShownCell("0.1235", "0.123456789"), ShownCell("0.5"), ShownCell("")]


def test_tables_beyond_a_length_show_their_first_rows():
    rows = [str(number) for number in range(MAX_WHOLE_ROWS + 1)]
    whole, cut = (show_table("t", pd.DataFrame({"x": rows[:count]})) for count in (MAX_WHOLE_ROWS, MAX_WHOLE_ROWS + 1))
    assert (len(whole.rows), whole.total, whole.whole) == (MAX_WHOLE_ROWS, MAX_WHOLE_ROWS, True)
    assert (len(cut.rows), cut.total, cut.whole) == (ROWS_OF_CUT_TABLE, MAX_WHOLE_ROWS + 1, False)
    assert [row[0].text for row in cut.rows] == rows[:ROWS_OF_CUT_TABLE]


def test_the_budget_serves_small_tables_first_and_keeps_the_order():
    frames = {name: pd.DataFrame({"x": ["1"] * length}) for name, length in (("c", 60), ("a", 50), ("b", 40))}
    assert [(table.name, table.whole) for table in show_tables(frames, budget=100)] == [
        ("c", False),
        ("a", True),
        ("b", True),
    ]


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
    assert find_problems({"imbalance_noise": sweep})["points"] == 3
    assert missing_points(sweep)[["minority_share", "measures", "reason"]].to_numpy().tolist() == [
        ["0.01", "all", "impossible"],
        ["0.1", "p4", "0/0 in every test set"],
    ]
