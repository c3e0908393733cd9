"""Tasks and their division into batches."""

from hypothesis import given
from hypothesis import strategies as st

from nontrivial_study.experiments.tasks.tasks import Task, chunk_tasks, expand_tasks, resolve_task

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
