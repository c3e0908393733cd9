"""The choice of archived runs: complete without paging, seeded, the same however the lists come."""

import random

import pytest
from servers.archive import CLOVER_RUNS
from servers.sets import ADA_TASK, CLOVER_TASK

from nontrivial.data import openml_archive
from nontrivial.data.http import DownloadError
from nontrivial.data.openml_archive import Evaluation, list_evaluations, list_tasks, run_blocks, select_runs

ALWAYS = [{"task": CLOVER_TASK, "runs": list(CLOVER_RUNS)}, {"task": ADA_TASK, "runs": []}]
SETTINGS = {"task_count": 4, "flows": 12, "always": ALWAYS}
CUTOFF = "2015-07-31"
FIRST = range(1001, 2001)


@pytest.fixture
def listed(service):
    """Tasks and evaluations as the plan gathers them."""
    found = {}
    for block in (FIRST, *([run] for run in CLOVER_RUNS)):
        found |= list_evaluations(service, block, CUTOFF)[0]
    return list_tasks(service), found


def test_every_binary_task_is_listed_however_short_a_page_is(service, server, monkeypatch):
    expected = {number for number, member in server.openml.tasks.items() if len(member.counts) == 2}
    monkeypatch.setattr(openml_archive, "_PAGE", 2)
    assert set(list_tasks(service)) == expected
    assert (
        sum("/task/list/" in path for path in server.requests) == len(expected) // 2 + 1 + len(expected) % 2
    )


@pytest.mark.parametrize("bound", [1, 999, 1000, 1001, 463_902])
def test_blocks_cover_every_run_once(bound):
    runs = [run for block in run_blocks(bound) for run in block]
    assert runs == list(range(1, bound + 1))


def test_464_blocks_reach_the_last_run_of_july_2015():
    assert len(run_blocks(463_902)) == 464


def test_evaluations_are_the_archives(service, server):
    found, unreadable = list_evaluations(service, FIRST, CUTOFF)
    archive = server.openml.archive
    assert sorted(found) == [1001 + number for number in range(6 * 18)]
    assert unreadable == 0
    for run, evaluation in found.items():
        assert evaluation.areas == pytest.approx([archive.area(archive.run(run))] * 2, abs=5e-7)


def test_no_results_is_an_empty_block(service):
    assert list_evaluations(service, range(1, 1001), CUTOFF) == ({}, 0)


def test_later_runs_are_left_out(service):
    assert list_evaluations(service, FIRST, "2014-07-31")[0] == {}


def test_an_address_that_is_too_long_is_halved(service, server):
    whole = list_evaluations(service, FIRST, CUTOFF)
    service.client.cache = None
    server.faults.add("/evaluation/", "414", times=3)
    assert list_evaluations(service, FIRST, CUTOFF) == whole


def test_a_row_given_twice_counts_once(service, server):
    whole = list_evaluations(service, FIRST, CUTOFF)
    service.client.cache = None
    server.faults.add("/evaluation/", "duplicate_evaluations")
    assert list_evaluations(service, FIRST, CUTOFF) == whole


def test_a_list_that_cannot_be_had_is_no_empty_list(service, server):
    server.faults.add("/evaluation/", "html", times=-1)
    with pytest.raises(DownloadError, match="answered with a web page"):
        list_evaluations(service, FIRST, CUTOFF)


def test_a_malformed_row_is_counted_and_the_others_are_kept(service, server, monkeypatch):
    answer = server.openml.answer
    monkeypatch.setattr(
        server.openml, "answer", lambda path: answer(path).replace(b"<oml:flow_id>3</oml:flow_id>", b"", 1)
    )
    found, unreadable = list_evaluations(service, FIRST, CUTOFF)
    assert (len(found), unreadable) == (6 * 18 - 1, 1)


def test_the_draw_does_not_depend_on_the_order_of_the_lists(listed):
    tasks, evaluations = listed
    shuffled = list(evaluations.values())
    random.Random(0).shuffle(shuffled)
    backwards = dict(reversed(tasks.items()))
    assert select_runs(tasks, evaluations.values(), SETTINGS) == select_runs(backwards, shuffled, SETTINGS)


def test_a_draw_has_the_documents_examples_and_different_flows(listed):
    selection = select_runs(listed[0], listed[1].values(), SETTINGS)
    assert [one["task"] for one in selection[:2]] == [CLOVER_TASK, ADA_TASK]
    assert {run["run"] for run in selection[0]["runs"]} >= set(CLOVER_RUNS)
    for one in selection:
        flows = [run["flow"] for run in one["runs"] + one["reserve"]]
        assert len(one["runs"]) == 12
        assert len(set(flows)) == len(flows) == 18
        assert all(listed[1][run["run"]].task == one["task"] for run in one["runs"] + one["reserve"])


def test_more_tasks_leave_the_others_as_they_were(listed):
    tasks, evaluations = listed
    fewer = select_runs(tasks, evaluations.values(), SETTINGS)
    more = select_runs(tasks, evaluations.values(), SETTINGS | {"task_count": 6})
    assert more[:4] == fewer


def test_flows_are_drawn_differently_for_each_task(listed):
    selection = select_runs(listed[0], listed[1].values(), SETTINGS | {"task_count": 6})
    assert len({tuple(run["flow"] for run in one["runs"]) for one in selection}) == 6


def test_tasks_with_too_few_flows_or_more_classes_are_not_drawn():
    tasks = {number: {"data": number, "name": str(number)} for number in (1, 2, 3)}
    runs = [Evaluation(100 + i, 1, i, f"f{i}", (0.5, 0.5)) for i in range(3)]
    runs += [Evaluation(200 + i, 2, i % 2, f"f{i % 2}", (0.5, 0.5)) for i in range(6)]
    runs += [Evaluation(300 + i, 3, i, f"f{i}", (0.5, 0.5, 0.5)) for i in range(3)]
    settings = {"task_count": 1, "flows": 3, "always": []}
    assert [one["task"] for one in select_runs(tasks, runs, settings)] == [1]
    with pytest.raises(ValueError, match=r"openml\.archive\.task_count is 2; allowed are at most 1"):
        select_runs(tasks, runs, settings | {"task_count": 2})
    with pytest.raises(ValueError, match="names task 2, which has 2 flows in the archive"):
        select_runs(tasks, runs, settings | {"always": [{"task": 2, "runs": []}]})
    with pytest.raises(ValueError, match="names run 7 of task 1, which the archive does not have"):
        select_runs(tasks, runs, settings | {"always": [{"task": 1, "runs": [7]}]})
