"""Claims about OpenML's archive, on a small selection."""

import re
from fractions import Fraction

import pytest
from nontrivial.audit.families.archived_runs import (
    archived_area,
    archived_areas,
    archived_data_sets,
    archived_tasks,
    check_runs,
    unpublished,
)
from nontrivial.audit.found import Unavailable, found_from_json
from nontrivial.audit.stated import Statement

from nontrivial.files import DamagedFile
from nontrivial.records import read_record, write_record

PLACES = {"selection": "selection.json", "table": "areas.csv"}
AREAS = """task,model,status,roc_auc
openml_7,weka.A,ok,0.9
openml_7,weka.B,ok,0.8
openml_7,weka.C,RuntimeError: no predictions,
openml_8,weka.A,ok,0.1
"""


@pytest.fixture
def archive(tmp_path):
    runs = [{"run": 10 + place, "flow_name": f"weka.{letter}"} for place, letter in enumerate("ABC")]
    tasks = [
        {"task": 7, "data": 3, "runs": runs},
        {"task": 8, "data": 3, "runs": runs[:1]},
        {"task": 9, "data": 4, "runs": []},
    ]
    write_record(tmp_path / "selection.json", {"source": "https://openml.example", "tasks": tasks})
    (tmp_path / "areas.csv").write_text(AREAS)
    return tmp_path


def test_data_sets_are_counted_once(archive):
    assert archived_data_sets(archive, selection="selection.json", tasks=3).value == 2


def count_tasks(folder, *, leave_out=(), **asked):
    path = folder / "selection.json"
    settings = {
        "flows": 3,
        "cutoff_date": "2015-07-31",
        "run_id_bound": 20,
        "leave_out": {"tasks": [*leave_out], "runs": [12]},
    }
    write_record(path, read_record(path) | {"settings": settings})
    claimed = {"archive": "openml.example", "flows": 3, "until": "2015-07-31", "last_run": 20}
    counted = archived_tasks(folder, selection="selection.json", **claimed | asked)
    return counted.reason if isinstance(counted, Unavailable) else counted.text()


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, "3 (from https://openml.example)"),
        ({"last_run": 19}, "3 (from https://openml.example)"),
        ({"flows": 30}, "the claim is about tasks with 30 flows, and selection.json asks for 3."),
        (
            {"archive": "www.openml.org"},
            "the claim is about the archive at www.openml.org, and selection.json is of openml.example.",
        ),
        (
            {"until": "2015-06-30"},
            "the claim is about evaluations until 2015-06-30, and selection.json has those until 2015-07-31.",
        ),
        ({"last_run": 21}, "the claim is about runs up to 21, and selection.json has those up to 20."),
    ],
)
def test_tasks_are_counted_in_the_archive_that_is_meant(archive, asked, found):
    assert count_tasks(archive, **asked) == found


def test_a_task_that_the_study_leaves_out_is_counted(archive):
    assert count_tasks(archive, leave_out=[5]) == "4 (from https://openml.example)"


def test_a_run_is_found_by_its_task_and_flow(archive):
    found = archived_area(archive, **PLACES, task=7, run=11, area="roc_auc")
    assert found.value == Fraction(4, 5)
    assert found.text() == "0.8 (from run 11 of weka.B at https://openml.example)"
    both = archived_areas(
        archive, stated=Statement.parse("b < a"), **PLACES, task=7, runs={"a": 10, "b": 11}, area="roc_auc"
    )
    assert {name: quantity.value for name, quantity in both.values.items()} == {
        "a": Fraction(9, 10),
        "b": Fraction(4, 5),
    }
    assert found_from_json(both.to_json()).text() == (
        "a 0.9; b 0.8 (from run 10 of weka.A at https://openml.example and run 11 of weka.B at https://openml.example)"
    )


@pytest.mark.parametrize(
    ("task", "run", "reason"),
    [
        (7, 13, "selection.json has no run 13 of task 7."),
        (6, 10, "selection.json has no run 10 of task 6."),
        (7, 12, "areas.csv has no roc_auc of run 12: RuntimeError: no predictions."),
    ],
)
def test_what_is_not_there_is_told(archive, task, run, reason):
    assert archived_area(archive, **PLACES, task=task, run=run, area="roc_auc") == Unavailable(reason)


def test_one_missing_run_leaves_nothing_to_compare(archive):
    found = archived_areas(
        archive, stated=Statement.parse("b < a"), **PLACES, task=7, runs={"a": 10, "b": 12}, area="roc_auc"
    )
    assert isinstance(found, Unavailable)


def test_a_file_that_is_no_selection_is_named(archive):
    (archive / "selection.json").write_text("[]")
    with pytest.raises(DamagedFile, match=re.escape("selection.json is damaged")):
        archived_data_sets(archive, selection="selection.json", tasks=3)


def test_an_unknown_run_is_named():
    with pytest.raises(ValueError, match="'c' is not among the runs; known: a, b"):
        check_runs(stated=Statement.parse("a < c"), runs={"a": 1, "b": 2})


def test_what_was_never_published_is_said():
    assert unpublished(needed="the draw of models").reason == (
        "rests on the draw of models, which the authors have not published."
    )
