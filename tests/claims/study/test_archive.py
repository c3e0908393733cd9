"""Claims about OpenML's archive, on a small selection."""

from fractions import Fraction

import pytest

from nontrivial.claims.verdict import Absent
from nontrivial.files import read_json, write_json
from nontrivial_study.documents.kinds import data_sets, runs, tasks

PLACES = {"selection": "selection.json", "table": "areas.csv"}
AREAS = """task,model,status,pr_auc,prg_auc,roc_auc
openml_7,weka.A,ok,0.9,0.8,0.9
openml_7,weka.B,ok,0.7,-0.1,0.8
openml_7,weka.C,RuntimeError: no predictions,,,
openml_7,dummy,ok,0.5,-0.5,0.5
openml_8,weka.A,ok,0.2,-0.3,0.1
"""


@pytest.fixture
def archive(tmp_path):
    models = [{"run": 10 + place, "flow_name": f"weka.{letter}"} for place, letter in enumerate("ABC")]
    chosen = [
        {"task": 7, "data": 3, "runs": models},
        {"task": 8, "data": 3, "runs": models[:1]},
        {"task": 9, "data": 4, "runs": []},
    ]
    write_json(tmp_path / "selection.json", {"source": "https://openml.example", "tasks": chosen})
    (tmp_path / "areas.csv").write_text(AREAS)
    return tmp_path


def test_data_sets_are_counted_once(archive):
    (point,) = data_sets(archive, selection="selection.json", tasks=3)
    assert point.values == {"data_sets": 2}
    other = data_sets(archive, selection="selection.json", tasks=886)
    assert (other.reason, other.about["wanted"], other.about["there"]) == ("another selection", 886, 3)
    assert other.about["numbers"] == {"data sets": 2}


def count_tasks(folder, *, leave_out=(), **asked):
    path = folder / "selection.json"
    settings = {
        "flows": 3,
        "cutoff_date": "2015-07-31",
        "run_id_bound": 20,
        "leave_out": {"tasks": [*leave_out], "runs": [12]},
    }
    write_json(path, read_json(path) | {"settings": settings})
    claimed = {"archive": "openml.example", "flows": 3, "until": "2015-07-31", "last_run": 20}
    counted = tasks(folder, selection="selection.json", **claimed | asked)
    return counted.about["what"] if isinstance(counted, Absent) else counted[0].values["tasks"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, 3),
        ({"last_run": 19}, 3),
        ({"leave_out": [5]}, 4),  # it could be selected, and is left out by the study
        ({"flows": 30}, "flows"),
        ({"archive": "www.openml.org"}, "archive"),
        ({"until": "2015-06-30"}, "last day"),
        ({"last_run": 21}, "last run"),
    ],
)
def test_tasks_are_counted_in_the_archive_that_is_meant(archive, asked, found):
    assert count_tasks(archive, **asked) == found


def test_a_run_is_found_by_its_task_and_flow(archive):
    (point,) = runs(archive, **PLACES, task=7, runs={"a": 10, "b": 11}, area="roc_auc")
    assert point.values == {"a": Fraction(9, 10), "b": Fraction(4, 5)}


@pytest.mark.parametrize(
    ("task", "run", "reason", "about"),
    [
        (7, 13, "no run", {"run": 13, "task": 7}),
        (6, 10, "no run", {"run": 10, "task": 6}),
        (7, 12, "failed run", {"run": 12, "status": "RuntimeError: no predictions"}),
    ],
)
def test_one_missing_run_leaves_nothing_to_compare(archive, task, run, reason, about):
    found = runs(archive, **PLACES, task=task, runs={"a": 10, "b": run}, area="roc_auc")
    assert found.reason == reason
    assert about.items() <= found.about.items()
