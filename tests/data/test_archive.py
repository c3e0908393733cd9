"""The archive: the choice of runs, their predictions, and what is made of those that are odd or broken."""

import random
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from servers.archive import CLOVER_RUNS, FIRST_FILE, READABLE, SPARE_FLOWS, UNUSABLE
from servers.sets import ADA_TASK, CLOVER_TASK
from sklearn.metrics import roc_auc_score

from nontrivial_study.data import archive_selection
from nontrivial_study.data.archive_download import fetch_archived_tasks
from nontrivial_study.data.archive_selection import Evaluation, list_evaluations, list_tasks, select_runs
from nontrivial_study.data.download_errors import DownloadError
from nontrivial_study.data.http import Client
from nontrivial_study.data.openml import OpenML
from nontrivial_study.data.prediction_files import check_predictions, read_predictions_file

ALWAYS = [{"task": CLOVER_TASK, "runs": list(CLOVER_RUNS)}, {"task": ADA_TASK, "runs": []}]
FLOWS = 2  # that are drawn: each is a file to fetch and read
NOTHING = {"tasks": [], "runs": []}
SETTINGS = {"flows": FLOWS, "always": ALWAYS, "leave_out": NOTHING}
CUTOFF = "2015-07-31"
FIRST = range(1001, 2001)
RUNS = 6 * (FLOWS + SPARE_FLOWS)
NAME = f"openml_{ADA_TASK}"


@pytest.fixture
def listed(service):
    """Tasks and evaluations as the plan gathers them."""
    evaluations = {}
    for block in (FIRST, *([run] for run in CLOVER_RUNS)):
        evaluations |= list_evaluations(service, block, CUTOFF)[0]
    return list_tasks(service)[0], evaluations


def test_every_binary_task_is_listed_however_short_a_page_is(service, server, monkeypatch):
    monkeypatch.setattr(archive_selection, "_LIST_PAGE", 2)
    expected = {number for number, member in server.openml.tasks.items() if len(member.counts) == 2}
    assert set(list_tasks(service)[0]) == expected


def test_a_list_of_tasks_that_repeats_itself_ends(service, server, monkeypatch):
    answer = server.openml.answer
    monkeypatch.setattr(server.openml, "answer", lambda path: answer(re.sub(r"/offset/\d+", "/offset/0", path)))
    assert len(list_tasks(service)[0]) == 6
    assert len(server.requests) == 2


def test_evaluations_are_the_archives_and_an_empty_block_is_not_asked_for_again(service, server):
    for bound in (1, 999, 1000, 1001, 463_902):
        assert [run for block in archive_selection.run_blocks(bound) for run in block] == list(range(1, bound + 1))
    evaluations, unreadable = list_evaluations(service, FIRST, CUTOFF)
    archived = server.openml.archive
    assert (sorted(evaluations), unreadable) == ([1001 + number for number in range(RUNS)], 0)
    for run, evaluation in evaluations.items():
        assert evaluation.areas == pytest.approx([archived.area(archived.run(run))] * 2, abs=5e-7)
    assert list_evaluations(service, FIRST, "2014-07-31")[0] == {}
    for _ in range(2):
        assert list_evaluations(service, range(1, 1001), CUTOFF) == ({}, 0)
    assert len(server.requests) == 2


@pytest.mark.parametrize("kind", ["107", "414", "543", "duplicate_evaluations"])
def test_what_the_service_sends_otherwise_changes_nothing(kind, service, server):
    server.faults.add("/evaluation/", kind, times=3)
    evaluations, unreadable = list_evaluations(service, FIRST, CUTOFF)
    assert (len(evaluations), unreadable) == (RUNS, 0)


@pytest.mark.parametrize("kind", ["html", "404", "102"])
def test_a_list_that_cannot_be_had_is_no_empty_list(kind, service, server):
    server.faults.add("/evaluation/", kind, times=-1)
    with pytest.raises(DownloadError):
        list_evaluations(service, FIRST, CUTOFF)


@pytest.mark.parametrize("areas", [b"[NaN,0.5]", b"[0.5,1.5]", b"0.5"])
def test_rows_that_cannot_be_read_are_counted(areas, service, rewrite):
    rewrite("/evaluation/", rb"(1001<.*?<oml:array_data>)[^<]*", rb"\g<1>" + areas)
    rewrite("/evaluation/", rb"(<oml:run_id>1003</oml:run_id>.*?)<oml:flow_id>3</oml:flow_id>", rb"\1")
    rewrite("/task/list/", b"<oml:did>30000</oml:did>", b"")
    evaluations, unreadable = list_evaluations(service, FIRST, CUTOFF)
    assert (len(evaluations), unreadable) == (RUNS - 2, 2)
    assert list_tasks(service)[1] == 1


def test_a_draw_has_the_documents_examples_and_different_flows_in_whatever_order_the_lists_are(listed):
    tasks, evaluations = listed
    selection = select_runs(tasks, evaluations.values(), SETTINGS)
    shuffled = list(evaluations.values())
    random.Random(0).shuffle(shuffled)
    assert select_runs(dict(reversed(tasks.items())), shuffled, SETTINGS) == selection
    assert [entry["task"] for entry in selection[:2]] == [CLOVER_TASK, ADA_TASK]
    assert {run["run"] for run in selection[0]["runs"]} >= set(CLOVER_RUNS)
    for entry in selection:
        flows = [run["flow"] for run in entry["runs"] + entry["reserve"]]
        assert len(entry["runs"]) == FLOWS
        assert len(set(flows)) == len(flows) == FLOWS + SPARE_FLOWS
        assert all(evaluations[run["run"]].task == entry["task"] for run in entry["runs"] + entry["reserve"])
    assert len({tuple(run["flow"] for run in entry["runs"]) for entry in selection}) > 1


def test_examples_of_one_flow_are_both_there_and_told_apart(listed):
    tasks, evaluations = listed
    flow = evaluations[CLOVER_RUNS[0]].flow
    second = evaluations[CLOVER_RUNS[1]]._replace(flow=flow, flow_name="made.up.Flow01(1)")
    entry, *_ = select_runs(tasks, (evaluations | {second.run: second}).values(), SETTINGS)
    names = [run["flow_name"] for run in entry["runs"] + entry["reserve"]]
    assert names[:2] == [f"made.up.Flow01(1) (run {run})" for run in CLOVER_RUNS]
    assert len(set(names)) == len(names)


def test_more_tasks_leave_the_others_as_they_were(listed):
    tasks, evaluations = listed
    whole = select_runs(tasks, evaluations.values(), SETTINGS)
    fewer = {number: tasks[number] for number in [entry["task"] for entry in whole[::2]] + [ADA_TASK]}
    some = select_runs(fewer, evaluations.values(), SETTINGS)
    assert some == [entry for entry in whole if entry["task"] in fewer]
    assert archive_selection.tasks_at(whole, [4, 5]) == whole[4:]
    with pytest.raises(ValueError, match=r"asks for more tasks than there are; it must be at most 6,"):
        archive_selection.tasks_at(whole, [5, 6])


def test_what_is_left_out_is_replaced_by_the_next_of_the_draw(listed):
    def without(**leave_out):
        return select_runs(listed[0], listed[1].values(), SETTINGS | {"leave_out": NOTHING | leave_out})

    whole = without()
    out = [whole[1]["reserve"][0]["run"], whole[1]["runs"][0]["run"], whole[3]["runs"][1]["run"]]
    expected = [[], sorted(out[:2]), [], out[2:], [], []]
    pairs = zip(whole, expected, strict=True)
    assert without(runs=out) == [entry | {"left_out": runs} for entry, runs in pairs]
    tasks = [whole[4]["task"], whole[2]["task"]]
    assert without(tasks=tasks) == [entry for entry in whole if entry["task"] not in tasks]
    with pytest.raises(ValueError, match=r"leave_out\.tasks names task 9, which has 0 flows in the archive"):
        without(tasks=[9])
    with pytest.raises(ValueError, match=r"leave_out\.runs names run 9, which no task has"):
        without(runs=[9])


def test_tasks_with_too_few_flows_or_more_classes_are_not_drawn():
    tasks = {number: {"data": number, "name": str(number)} for number in (1, 2, 3)}
    runs = [Evaluation(100 + i, 1, i, f"f{i}", (0.5, 0.5)) for i in range(3)]
    runs += [Evaluation(200 + i, 2, i % 2, f"f{i % 2}", (0.5, 0.5)) for i in range(6)]
    runs += [Evaluation(300 + i, 3, i, f"f{i}", (0.5, 0.5, 0.5)) for i in range(3)]
    drawn = {"flows": 3, "always": [], "leave_out": NOTHING}
    assert [entry["task"] for entry in select_runs(tasks, runs, drawn)] == [1]
    for task, fixed, message in [
        (2, [], "names task 2, which has 2 flows in the archive"),
        (1, [100, 101, 102, 103], "names 4 runs of task 1; it may name at most"),
        (1, [7], "names run 7 of task 1, which the archive does not have"),
    ]:
        with pytest.raises(ValueError, match=message):
            select_runs(tasks, runs, drawn | {"always": [{"task": task, "runs": fixed}]})


@pytest.fixture
def both(listed):
    """Two tasks that were selected, by their names."""
    drawn = SETTINGS | {"always": [{"task": ADA_TASK, "runs": []}]}
    entries = select_runs(listed[0], listed[1].values(), drawn)
    return {f"openml_{entry['task']}": entry for entry in entries[:2]}


@pytest.fixture
def quirk(server, both, monkeypatch):
    """A function that gives the first selected run a quirk."""
    whole = server.openml.archive.run

    def give(quirk, runs=(both[NAME]["runs"][0]["run"],)):
        def run(run_id):
            return replace(whole(run_id), quirk=quirk) if run_id in runs else whole(run_id)

        monkeypatch.setattr(server.openml.archive, "run", run)

    return give


def fetch(selected, service):
    [(_, *archived)] = fetch_archived_tasks({NAME: selected[NAME]}, service)
    return archived


def test_predictions_are_the_archives_and_its_areas_are_compared(service, server, both):
    predictions, runs, record = fetch(both, service)
    assert len(predictions) == FLOWS * 120
    assert runs["status"].eq("ok").all()
    assert runs["model"].tolist() == [run["flow_name"] for run in both[NAME]["runs"]]
    archived = server.openml.archive
    member = archived.tasks[ADA_TASK]
    for taken in record["taken"]:
        mine = predictions[predictions["model"] == taken["flow_name"]].sort_values("row")
        confidence = archived.confidences(archived.run(taken["run"]))
        expected = confidence if record["positive"] == member.classes[1] else 1 - confidence
        np.testing.assert_allclose(mine["score"], expected, atol=1e-6)
        assert mine["truth"].tolist() == (member.truth == record["positive"]).tolist()
        assert taken["areas_found"] == pytest.approx([roc_auc_score(mine["truth"], mine["score"])] * 2)
        assert max(map(abs, taken["difference"])) < 1e-6
    assert record["replaced"] == []


@pytest.mark.parametrize("kind", READABLE)
def test_what_can_be_read_is_taken_and_noted_if_it_comes_twice_where_its_areas_differ(
    kind, service, server, both, quirk
):
    quirk(kind)  # the list of evaluations was made before
    _, runs, record = fetch(both, service)
    assert fetch(both, service)[2] == record
    assert record["replaced"] == []
    assert runs["warnings"].ne("").tolist() == [True, False]
    differ = kind == "hard"
    assert ("areas under the ROC curve" in runs["warnings"][0]) == differ
    file = f"/data/download/{FIRST_FILE + both[NAME]['runs'][0]['run']}/"
    assert sum(path.startswith(file) for path in server.requests) == 1 + differ


@pytest.mark.parametrize("kind", UNUSABLE)
def test_what_cannot_serve_is_replaced_and_the_next_run_needs_no_network(kind, service, server, both, quirk):
    quirk(kind)
    bad, successor = both[NAME]["runs"][0], both[NAME]["reserve"][0]
    _, runs, record = fetch(both, service)
    [replaced] = record["replaced"]
    assert (replaced["run"], replaced["flow_name"]) == (bad["run"], bad["flow_name"])
    assert (replaced["by"], runs["model"][0]) == (successor["run"], successor["flow_name"])
    assert runs["status"].eq("ok").all()
    n_requests = len(server.requests)
    assert fetch(both, service)[2] == record
    assert len(server.requests) == n_requests


def test_where_the_reserve_does_not_last_the_reason_stays(service, both, quirk):
    runs = [run["run"] for run in both[NAME]["runs"][:1] + both[NAME]["reserve"]]
    quirk("zero_confidence", runs)
    predictions, statuses, record = fetch(both, service)
    assert (len(statuses), predictions["model"].nunique()) == (FLOWS, FLOWS - 1)
    assert statuses["status"][0].endswith("has rows whose confidences are all zero")
    assert [entry["by"] for entry in record["replaced"]] == [*runs[1:], None]


@pytest.mark.parametrize("kind", ["truncate", "fewer_columns", "404", "cut", "html"])
def test_a_fault_that_passes_replaces_nothing(kind, service, server, both):
    for place in ("/run/{}$", "/data/download/1{:06}/"):
        server.faults.add(place.format(both[NAME]["runs"][0]["run"]), kind)
    _, runs, record = fetch(both, service)
    assert record["replaced"] == []
    assert runs["status"].eq("ok").all()


def test_a_run_that_is_not_there_or_failed_is_replaced_and_a_key_is_shown_nowhere(
    server, tmp_path, both, rewrite, caplog
):
    client = Client(tmp_path / "other", rate=1000, timeout=60, pause=0.01, secrets={"api_key": "C0ffee/1"})
    service = OpenML(f"{server.address}/api/v1/xml", server.address, client)
    first, second = (run["run"] for run in both[NAME]["runs"])
    third = both[NAME]["reserve"][0]["run"]
    server.faults.add(f"/run/{first}[?]", "404", times=-1)
    rewrite(f"/run/{second}$", b"<oml:error></oml:error>", b"<oml:error>no key C0ffee%2f1</oml:error>")
    rewrite(f"/data/download/{FIRST_FILE + third}/", rb"(?m),(no|yes),(no|yes)$", rb",C0ffee/1,\2")
    _, runs, record = fetch(both, service)
    reasons = {entry["run"]: entry["reason"] for entry in record["replaced"]}
    assert "answered with status 404" in reasons[first]
    assert reasons[second] == "failed at OpenML (no key (secret))"
    assert reasons[third] == "predicts the label '(secret)', which the data set does not have"
    assert "ffee" not in runs.to_csv() + str(record) + caplog.text


def test_a_run_that_stays_unreadable_can_be_left_out(service, server, both):
    bad, successor = both[NAME]["runs"][0], both[NAME]["reserve"][0]
    server.faults.add(f"/run/{bad['run']}$", "504", times=-1)
    advice = rf"; if it stays so, name run {bad['run']} under openml\.archive\.leave_out\.runs in the configuration\.$"
    with pytest.raises(DownloadError, match=advice):
        fetch(both, service)
    _, runs, record = fetch({NAME: both[NAME] | {"left_out": [bad["run"]]}}, service)
    assert runs["model"][0] == successor["flow_name"]
    assert record["replaced"][0]["reason"] == "is left out by the configuration"


@pytest.mark.parametrize(("path", "kind"), [("/data/download/", "truncate"), ("/run/", "404")])
def test_where_no_run_can_serve_it_is_said_and_all_are_asked_for_again(path, kind, service, server, both):
    server.faults.add(path, kind, times=-1)
    form = (
        rf"^None of {FLOWS + SPARE_FLOWS} archived runs can be used; the first: Data set '{NAME}', run \d+: "
        rf"{server.address}\S*{path}.*; if it stays so, name task {ADA_TASK} under openml\.archive\.leave_out\.tasks "
        r"in the configuration, and no longer under openml\.archive\.always\.$"
    )
    with pytest.raises(DownloadError, match=form):
        fetch(both, service)
    server.faults.clear()
    assert fetch(both, service)[2]["replaced"] == []


def test_a_task_that_cannot_serve_is_recorded_beside_those_that_can(service, server, both):
    server.faults.add(f"/data/features/{both[NAME]['data']}$", "404", times=-1)
    (_, empty, runs, record), (*_, usable) = fetch_archived_tasks(both, service)
    assert empty.empty
    assert runs["status"].str.contains("answered with status 404").all()
    assert (record["task"], len(runs), len(usable["taken"])) == (ADA_TASK, FLOWS, FLOWS)
    with pytest.raises(DownloadError, match=rf"name task {ADA_TASK} under openml\.archive\.leave_out\.tasks"):
        fetch(both, service)


@pytest.mark.parametrize(
    ("path", "kind"), [("/run/", "401"), ("/data/download/", "504"), (f"/task/{ADA_TASK}$", "102")]
)
def test_a_service_that_fails_replaces_nothing(kind, path, service, server, both):
    server.faults.add(path, kind, times=-1)
    with pytest.raises(DownloadError):
        list(fetch_archived_tasks(both, service))


HEAD = """@relation r
@attribute repeat numeric
@attribute fold numeric
@attribute row_id numeric
@attribute confidence.no numeric
@attribute 'confidence.oh yes' numeric
@attribute prediction {no,'oh yes'}
@attribute correct {no,'oh yes'}
@data
"""
BODY = "0,0,1,0.25,0.75,'oh yes',no\n0,1,0,1,0,no,no\n"
BY_ROW = ["read row by row"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (HEAD + BODY, []),
        (HEAD + BODY.replace("'", '"'), []),
        (HEAD.replace("'confidence.oh yes'", "confidence.oh yes") + BODY, []),
        ((HEAD + BODY).replace("\n", "\r\n"), []),
        (HEAD + BODY + "% 'a' \"b\"\n", BY_ROW),
        (HEAD + BODY.replace(",", "\t"), BY_ROW),
        (HEAD + "{2 1,3 0.25,4 0.75,5 'oh yes'}\n  {1 1,3 1}\n", BY_ROW),
        (HEAD + BODY + "\0", ["NUL bytes"]),
        (HEAD.replace("correct", "truth").replace("fold", "fold_nr") + BODY, ["the column 'fold_nr' for fold"]),
        (HEAD.replace("{no,'oh yes'}", "{no}") + BODY, ["the label 'oh yes', which is not declared"]),
    ],
)
def test_every_form_of_arff_gives_the_same(text, expected):
    rows, notes = read_predictions_file(text.encode())
    assert rows["row_id"].tolist() == [1, 0]
    assert rows["confidence.oh yes"].tolist() == [0.75, 0.0]
    assert rows[["prediction", "truth"]].to_numpy().tolist() == [["oh yes", "no"], ["no", "no"]]
    assert notes == expected


def test_labels_that_look_like_numbers_stay_labels():
    text = HEAD.replace("'oh yes'", "1.0").replace("'confidence.oh yes'", "confidence.1.0")
    assert read_predictions_file((text + "0,?,0,0.5,0.5,1.0,no\n").encode())[0]["prediction"].tolist() == ["1.0"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<x></x>", "is not readable ARFF"),
        (HEAD.replace("row_id", "row") + BODY, "has no column row_id"),
        (HEAD.replace("@attribute prediction", "@attribute predicted") + BODY, "has no column prediction"),
        (HEAD.replace("repeat", "fold_nr") + BODY, "has two columns of the same meaning"),
        (HEAD, "has no rows"),
        (HEAD + "% c\n0,0,1,0.25,0.75,no\n", r"is not readable ARFF \(line 11 has 6 cells"),
    ],
)
def test_what_cannot_be_read_says_why(text, message):
    with pytest.raises(ValueError, match=message):
        read_predictions_file(text.encode())


TRUTH = pd.Series(["no", "yes", "no", "yes"], dtype="str")
FOLD = np.array([0, 0, 1, 1])
MARGINS = (-0.5, 0.25, 1.5, 3.0)  # of the pairs of a "yes" and a "no", three in four are in the right order


def case(no=None, yes=MARGINS, prediction=None, **further_columns):
    """The content of a file of four rows."""
    no = [-margin for margin in yes] if no is None else no
    prediction = prediction or ["yes" if b > a else "no" for a, b in zip(no, yes, strict=True)]
    columns = {"row_id": np.arange(4.0), "confidence.no": no, "confidence.yes": yes}
    return pd.DataFrame(columns | {"prediction": pd.Series(prediction, dtype="str")} | further_columns)


def check(read):
    return check_predictions(read, TRUTH, FOLD, "yes")


def test_margins_and_confidences_that_do_not_add_to_one_order_the_rows_too():
    table, areas, notes = check(case())
    assert table["score"].tolist() == list(MARGINS)
    assert areas == {"no": 0.75, "yes": 0.75}
    assert notes == ["folds missing, taken from the task", "confidences that are not from 0 to 1"]
    assert check(case(no=[0.5] * 4, yes=[(margin + 0.5) / 4 for margin in MARGINS]))[1]["yes"] == 0.75
    hard = case(no=[1, 0, 1, 0], yes=[0, 1, 0, 1], fold=FOLD)
    assert check(hard)[2] == ["confidences of 0 and 1 alone"]
    assert check(case(truth=["no", "yes", "no", None]))[0].equals(table), "a missing truth is no wrong one"


@pytest.mark.parametrize(
    ("read", "message"),
    [
        (case().rename(columns={"confidence.no": "confidence.NO"}), "has no confidences for the class 'no'"),
        (case().assign(row_id=[0, 1, 2, 2.5]), "predicts 4 rows, which are not the 4 of the data set once each"),
        (case(repeat=[0, 0, 0, 1]), "has repeats that the task does not have"),
        (case(fold=[0, 0, 1, 2]), "has folds that are not the task's"),
        (case(yes=[*MARGINS[:3], np.inf]), "has confidences that are not finite"),
        (case(yes=[*MARGINS[:3], 0.0]), "has rows whose confidences are all zero"),
        (case(prediction=["no", None, None, "yes"]), "has rows without a prediction"),
        (case(prediction=["no", "yes", "neither", "yes"]), "predicts the label 'neither', which the data set"),
        (case(prediction=["no", "yes", "no", "yes"]), "has prediction and truth swapped"),
        (case(truth=["no", "yes", "yes", None]), "has a truth that is not the data set's"),
        (case(prediction=["yes", "no", "no", "no"]), "has predictions that contradict its own confidences"),
    ],
)
def test_what_cannot_be_trusted_is_said(read, message):
    with pytest.raises(ValueError, match=message):
        check(read)
