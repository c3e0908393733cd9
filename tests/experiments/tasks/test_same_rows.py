"""Data sets that are the same rows are found by their digests, and their tasks are said to be of the first."""

import pandas as pd

from nontrivial_study.experiments.tasks.tasks import find_duplicates, name_duplicates

RECORDS = [
    {"name": "wdbc", "rows_sha256": "a"},
    {"name": "iris", "rows_sha256": "b"},
    {"name": "wdbc_uci", "rows_sha256": "a"},
    {"name": "openml_1", "rows_sha256": "c", "openml_data": 10},
    {"name": "openml_2", "rows_sha256": "a", "openml_data": 20},
    {"name": "openml_3", "rows_sha256": "c", "openml_data": 30},
]


def test_each_is_called_after_the_first_of_its_rows():
    assert find_duplicates(RECORDS) == {"wdbc_uci": "wdbc", "openml_2": "wdbc", "openml_3": "openml_1"}


def test_tasks_of_the_same_rows_are_of_one_data_set():
    names = ["wdbc", "iris", "iris", "wdbc_uci", "OpenML data 10", "OpenML data 20", "OpenML data 30"]
    areas = pd.DataFrame({"rows_of": names, "roc_auc": "0.50"})
    expected = ["wdbc", "iris", "iris", "wdbc", "OpenML data 10", "wdbc", "OpenML data 10"]
    (found,) = name_duplicates([areas], RECORDS)
    assert found["rows_of"].tolist() == expected
    assert found["roc_auc"].eq("0.50").all()


def test_tasks_made_of_one_original_are_of_it():
    made = [
        {"name": "haberman_uci", "rows_sha256": "h"},
        {"name": "ecoli1", "rows_sha256": "e", "original": "ecoli"},
        {"name": "haberman", "rows_sha256": "h", "original": "haberman"},
        {"name": "ecoli2", "rows_sha256": "f", "original": "ecoli"},
        {"name": "openml_4", "rows_sha256": "f", "openml_data": 40},
    ]
    areas = pd.DataFrame({"rows_of": ["ecoli1", "ecoli2", "haberman_uci", "haberman", "OpenML data 40"]})
    (found,) = name_duplicates([areas], made)
    assert found["rows_of"].tolist() == ["ecoli", "ecoli", "haberman", "haberman", "ecoli"]
