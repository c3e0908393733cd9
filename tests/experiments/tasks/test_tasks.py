"""Tasks, their division into batches, and data sets that are the same rows."""

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from nontrivial_study.experiments.tasks.tasks import (
    Task,
    chunk_tasks,
    expand_tasks,
    find_duplicates,
    name_duplicates,
    resolve_task,
)

DATASETS = {
    "two": {"rows": 10, "features": 2, "classes": {"no": 7, "yes": 3}},
    "three": {"rows": 12, "features": 5, "classes": {"a": 4, "b": 5, "c": 3}},
}


def test_two_classes_give_one_task_with_the_minority_positive():
    assert expand_tasks(["two"], DATASETS) == [Task("two", "two", "yes", 20)]


def test_more_classes_give_each_against_the_rest():
    tasks = expand_tasks(["three", "two"], DATASETS)
    assert [(task.name, task.positive, task.cells) for task in tasks[:3]] == [
        ("three-a", "a", 60),
        ("three-b", "b", 60),
        ("three-c", "c", 60),
    ]
    assert tasks[3].name == "two"


def test_a_task_is_settled_by_its_record():
    assert resolve_task(Task("m", "m", None, 0), {"positive": "yes"}) == Task("m", "m", "yes", 0)
    assert resolve_task(Task("m", "m", "no", 0), {"positive": "yes"}) == Task("m", "m", "no", 0)


@given(st.lists(st.integers(1, 50), min_size=1), st.integers(1, 100))
def test_chunks_keep_all_tasks_in_order_and_within_the_limit(sizes, limit):
    tasks = [Task(str(i), str(i), "yes", size) for i, size in enumerate(sizes)]
    chunks = chunk_tasks(tasks, limit)
    assert [task for chunk in chunks for task in chunk] == tasks
    assert all(len(chunk) == 1 or sum(task.cells for task in chunk) <= limit for chunk in chunks)
    more = chunk_tasks([*tasks, Task("new", "new", "yes", 1)], limit)
    assert more[: len(chunks) - 1] == chunks[:-1]


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
    (renamed,) = name_duplicates([areas], RECORDS)
    assert renamed["rows_of"].tolist() == expected
    assert renamed["roc_auc"].eq("0.50").all()


def test_tasks_made_of_one_original_are_of_it():
    made = [
        {"name": "haberman_uci", "rows_sha256": "h"},
        {"name": "ecoli1", "rows_sha256": "e", "original": "ecoli"},
        {"name": "haberman", "rows_sha256": "h", "original": "haberman"},
        {"name": "ecoli2", "rows_sha256": "f", "original": "ecoli"},
        {"name": "openml_4", "rows_sha256": "f", "openml_data": 40},
    ]
    areas = pd.DataFrame({"rows_of": ["ecoli1", "ecoli2", "haberman_uci", "haberman", "OpenML data 40"]})
    (renamed,) = name_duplicates([areas], made)
    assert renamed["rows_of"].tolist() == ["ecoli", "ecoli", "haberman", "haberman", "ecoli"]
