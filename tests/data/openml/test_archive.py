"""The choice of archived runs: complete without paging, seeded, the same however the lists come."""

import random
import re
from dataclasses import replace

import pytest
from servers.archive import CLOVER_RUNS, FLOWS, SPARE_FLOWS
from servers.sets import ADA_TASK, CLOVER_TASK

from nontrivial_study.data.http.failures import DownloadError
from nontrivial_study.data.openml import archive as openml_archive
from nontrivial_study.data.openml.archive import (
    Evaluation,
    list_evaluations,
    list_tasks,
    run_blocks,
    select_runs,
    take_tasks,
)

ALWAYS = [{"task": CLOVER_TASK, "runs": list(CLOVER_RUNS)}, {"task": ADA_TASK, "runs": []}]
NOTHING = {"tasks": [], "runs": []}
SETTINGS = {"flows": FLOWS, "always": ALWAYS, "leave_out": NOTHING}
CUTOFF = "2015-07-31"
FIRST = range(1001, 2001)
RUNS = 6 * (FLOWS + SPARE_FLOWS)


@pytest.fixture
def listed(service):
    """Tasks and evaluations as the plan gathers them."""
    found = {}
    for block in (FIRST, *([run] for run in CLOVER_RUNS)):
        found |= list_evaluations(service, block, CUTOFF)[0]
    return list_tasks(service)[0], found


def test_every_binary_task_is_listed_however_short_a_page_is(service, server, monkeypatch):
    expected = {number for number, member in server.openml.tasks.items() if len(member.counts) == 2}
    monkeypatch.setattr(openml_archive, "_PAGE", 2)
    assert set(list_tasks(service)[0]) == expected
    assert (
        sum("/task/list/" in path for path in server.requests) == len(expected) // 2 + 1 + len(expected) % 2
    )


def test_a_list_that_never_ends_is_given_up(service, server, monkeypatch):
    first = "/api/v1/xml/task/list/type/1/number_classes/2/status/all/limit/10000"
    answer = server.openml.answer

    def endless(path):
        page = answer(f"{first}/offset/0")
        return page.replace(b"<oml:did>", b"<oml:did>1%d" % len(server.requests))

    monkeypatch.setattr(server.openml, "answer", endless)
    with pytest.raises(DownloadError) as caught:
        list_tasks(service)
    assert not caught.value.lasting
    assert server.requests == [f"{first}/offset/{10_000 * number}" for number in range(30)]
    assert server.requests[-1] in str(caught.value)


@pytest.mark.parametrize("bound", [1, 999, 1000, 1001, 463_902])
def test_blocks_cover_every_run_once(bound):
    runs = [run for block in run_blocks(bound) for run in block]
    assert runs == list(range(1, bound + 1))


def test_464_blocks_reach_the_last_run_of_july_2015():
    assert len(run_blocks(463_902)) == 464


def test_evaluations_are_the_archives(service, server):
    found, unreadable = list_evaluations(service, FIRST, CUTOFF)
    archive = server.openml.archive
    assert sorted(found) == [1001 + number for number in range(RUNS)]
    assert unreadable == 0
    for run, evaluation in found.items():
        assert evaluation.areas == pytest.approx([archive.area(archive.run(run))] * 2, abs=5e-7)


def test_no_results_is_an_empty_block_and_not_asked_for_again(service, server):
    for _ in range(2):
        assert list_evaluations(service, range(1, 1001), CUTOFF) == ({}, 0)
    assert len(server.requests) == 1


def test_an_overloaded_database_is_no_empty_block(service, server):
    server.faults.add("/evaluation/", "107", times=2)
    assert len(list_evaluations(service, FIRST, CUTOFF)[0]) == RUNS
    assert service.client.counts["retries"] == 2


def test_a_second_plan_asks_for_nothing(service, server):
    list_tasks(service)
    before = len(server.requests)
    list_tasks(service)
    assert len(server.requests) == before


def test_a_list_of_tasks_that_repeats_itself_ends(service, server, monkeypatch):
    answer = server.openml.answer
    monkeypatch.setattr(
        server.openml, "answer", lambda path: answer(re.sub(r"/offset/\d+", "/offset/0", path))
    )
    assert len(list_tasks(service)[0]) == 6
    assert len(server.requests) == 2


def test_a_malformed_task_is_counted_and_the_others_are_kept(service, rewrite):
    rewrite("/task/list/", b"<oml:did>30000</oml:did>", b"")
    rewrite("/task/list/", rb'(<oml:did>30001</oml:did>.*?)name="target_feature"', rb"\1")
    tasks, unreadable = list_tasks(service)
    assert (len(tasks), unreadable) == (4, 2)


def test_later_runs_are_left_out(service):
    assert list_evaluations(service, FIRST, "2014-07-31")[0] == {}


@pytest.mark.parametrize("kind", ["414", "543"])
def test_what_is_too_much_at_once_is_halved(kind, service, forgetful, server):
    whole = list_evaluations(service, FIRST, CUTOFF)
    server.faults.add("/evaluation/", kind, times=3)
    assert list_evaluations(forgetful, FIRST, CUTOFF) == whole


def test_a_row_given_twice_counts_once(service, forgetful, server):
    whole = list_evaluations(service, FIRST, CUTOFF)
    server.faults.add("/evaluation/", "duplicate_evaluations")
    assert list_evaluations(forgetful, FIRST, CUTOFF) == whole


def test_of_two_rows_for_a_run_the_same_is_taken_whichever_comes_first(service, forgetful, rewrite):
    row = rb"(?s)(<oml:evaluation><oml:run_id>1001<.*?</oml:evaluation>)"
    other = rb"<oml:evaluation><oml:run_id>1001</oml:run_id><oml:task_id>%d</oml:task_id><oml:flow_id>1</oml:flow_id>"
    other = other % CLOVER_TASK + rb"<oml:upload_time>2014-01-01</oml:upload_time>"
    other += rb"<oml:array_data>[0.25,0.25]</oml:array_data></oml:evaluation>"
    rewrite("/evaluation/", row, other + rb"\1")
    first = list_evaluations(service, FIRST, CUTOFF)
    rewrite("/evaluation/", re.escape(other), b"")
    rewrite("/evaluation/", row, rb"\1" + other)
    assert list_evaluations(forgetful, FIRST, CUTOFF) == first
    assert first[0][1001].areas == (0.25, 0.25)


@pytest.mark.parametrize("areas", [b"[NaN,0.5]", b"[0.5,1.5]", b"[?,?]", b"0.5", b'["a"]'])
def test_areas_that_are_none_are_counted(areas, service, rewrite):
    rewrite("/evaluation/", rb"(1001<.*?<oml:array_data>)[^<]*", rb"\g<1>" + areas)
    found, unreadable = list_evaluations(service, FIRST, CUTOFF)
    assert (len(found), unreadable) == (RUNS - 1, 1)


def test_a_list_that_cannot_be_had_is_no_empty_list(service, server):
    server.faults.add("/evaluation/", "html", times=-1)
    with pytest.raises(DownloadError, match="answered with a web page"):
        list_evaluations(service, FIRST, CUTOFF)


def test_a_malformed_row_is_counted_and_the_others_are_kept(service, rewrite):
    rewrite("/evaluation/", rb"(<oml:run_id>1003</oml:run_id>.*?)<oml:flow_id>3</oml:flow_id>", rb"\1")
    found, unreadable = list_evaluations(service, FIRST, CUTOFF)
    assert (len(found), unreadable) == (RUNS - 1, 1)


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
        assert len(one["runs"]) == FLOWS
        assert len(set(flows)) == len(flows) == FLOWS + SPARE_FLOWS
        assert all(listed[1][run["run"]].task == one["task"] for run in one["runs"] + one["reserve"])


def test_the_documents_examples_are_in_the_smallest_draw(listed):
    selection = select_runs(listed[0], listed[1].values(), SETTINGS | {"flows": 2})
    assert [one["task"] for one in selection[:2]] == [CLOVER_TASK, ADA_TASK]
    assert [run["run"] for run in selection[0]["runs"]] == list(CLOVER_RUNS)


def test_examples_of_one_flow_are_both_there_and_told_apart(listed):
    tasks, evaluations = listed
    second = replace(
        evaluations[CLOVER_RUNS[1]], flow=evaluations[CLOVER_RUNS[0]].flow, flow_name="made.up.Flow01(1)"
    )
    one, *_ = select_runs(tasks, (evaluations | {second.run: second}).values(), SETTINGS)
    names = [run["flow_name"] for run in one["runs"] + one["reserve"]]
    assert names[:2] == [f"made.up.Flow01(1) (run {run})" for run in CLOVER_RUNS]
    assert len(set(names)) == len(names)
    assert len(one["runs"]) == FLOWS


def test_more_tasks_leave_the_others_as_they_were(listed):
    tasks, evaluations = listed
    whole = select_runs(tasks, evaluations.values(), SETTINGS)
    assert len(whole) == 6
    fewer = {number: tasks[number] for number in [one["task"] for one in whole[::2]] + [ADA_TASK]}
    assert select_runs(fewer, evaluations.values(), SETTINGS) == [
        one for one in whole if one["task"] in fewer
    ]


def test_tasks_are_taken_in_the_order_of_the_draw_while_there_are_some(listed):
    whole = select_runs(listed[0], listed[1].values(), SETTINGS)
    assert take_tasks(whole, [4, 5]) == whole[4:]
    with pytest.raises(
        ValueError, match=r"task_count asks for more tasks than there are; it must be at most 6,"
    ):
        take_tasks(whole, [5, 6])


def without(listed, **leave_out):
    return select_runs(listed[0], listed[1].values(), SETTINGS | {"leave_out": NOTHING | leave_out})


def test_a_task_is_told_only_which_of_its_own_runs_are_left_out_and_nothing_else_changes(listed):
    whole = without(listed)
    out = [whole[1]["reserve"][0]["run"], whole[1]["runs"][0]["run"], whole[3]["runs"][1]["run"]]
    expected = [[], sorted(out[:2]), [], out[2:], [], []]
    assert without(listed, runs=out) == [
        one | {"left_out": own} for one, own in zip(whole, expected, strict=True)
    ]


def test_a_task_left_out_is_replaced_by_the_next_of_the_draw(listed):
    whole = without(listed)
    out = [whole[4]["task"], whole[2]["task"]]
    assert without(listed, tasks=out) == [one for one in whole if one["task"] not in out]
    # That one of its runs is left out as well is no mistake.
    assert without(listed, tasks=out, runs=[whole[4]["runs"][0]["run"]]) == without(listed, tasks=out)
    with pytest.raises(ValueError, match=r"it must be at most 4, .* that are not left out\.$"):
        take_tasks(without(listed, tasks=out), [4])


def test_what_is_left_out_but_is_not_there_is_said(listed):
    with pytest.raises(
        ValueError,
        match=r"^openml\.archive\.leave_out\.tasks names task 9, which has 0 flows in the archive; name tasks",
    ):
        without(listed, tasks=[without(listed)[2]["task"], 9])
    run = without(listed)[2]["runs"][0]["run"]
    with pytest.raises(
        ValueError,
        match=r"^openml\.archive\.leave_out\.runs names run 9, which no task has among its runs or",
    ):
        without(listed, runs=[run, 9])


def test_flows_are_drawn_differently_for_each_task(listed):
    selection = select_runs(listed[0], listed[1].values(), SETTINGS | {"flows": 4})
    assert len({tuple(run["flow"] for run in one["runs"]) for one in selection}) == 6


def test_tasks_with_too_few_flows_or_more_classes_are_not_drawn():
    tasks = {number: {"data": number, "name": str(number)} for number in (1, 2, 3)}
    runs = [Evaluation(100 + i, 1, i, f"f{i}", (0.5, 0.5)) for i in range(3)]
    runs += [Evaluation(200 + i, 2, i % 2, f"f{i % 2}", (0.5, 0.5)) for i in range(6)]
    runs += [Evaluation(300 + i, 3, i, f"f{i}", (0.5, 0.5, 0.5)) for i in range(3)]
    settings = {"flows": 3, "always": [], "leave_out": NOTHING}
    assert [one["task"] for one in select_runs(tasks, runs, settings)] == [1]
    with pytest.raises(ValueError, match="names task 2, which has 2 flows in the archive"):
        select_runs(tasks, runs, settings | {"always": [{"task": 2, "runs": []}]})
    with pytest.raises(
        ValueError, match=r"names 4 runs of task 1; it may name at most openml\.archive\.flows, 3"
    ):
        select_runs(tasks, runs, settings | {"always": [{"task": 1, "runs": [100, 101, 102, 103]}]})
    with pytest.raises(ValueError, match="names run 7 of task 1, which the archive does not have"):
        select_runs(tasks, runs, settings | {"always": [{"task": 1, "runs": [7]}]})
