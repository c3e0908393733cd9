"""Archived runs over a real socket: each oddity of the files is taken with a note or replaced with a reason."""

import itertools
import re
import time
from copy import deepcopy

import numpy as np
import pytest
from servers.archive import FIRST_FILE, FLOWS, READABLE, SPARE_FLOWS, UNUSABLE, Run
from servers.sets import ADA_TASK
from sklearn.metrics import roc_auc_score

from nontrivial_study.data.http.client import Client, Limits
from nontrivial_study.data.http.failures import DownloadError
from nontrivial_study.data.openml.archive import list_evaluations, list_tasks, select_runs, take_tasks
from nontrivial_study.data.openml.runs import fetch_archived_tasks
from nontrivial_study.data.openml.service import OpenML
from nontrivial_study.data.openml.tasks import fetch_task

NAME = f"openml_{ADA_TASK}"
REASONS = {
    "no_confidence": "has no confidences for the class 'no'",
    "zero_confidence": "has rows whose confidences are all zero",
    "unknown_label": "predicts the label 'neither', which the data set does not have",
    "duplicate_rows": "predicts 120 rows, which are not the 120 of the data set once each",
    "extra_repeat": "has repeats that the task does not have",
    "extra_fold": "has folds that are not the task's",
    "swapped": "has prediction and truth swapped",
    "not_finite": "has confidences that are not finite",
}
NOTES = {
    "renamed": "the column 'repeat_nr' for repeat; the column 'fold_nr' for fold",
    "double_quoted": "double quotes",
    "spaces": "",
    "undeclared": "the label 'yes', which is not declared",
    "whitespace": "separated by white space",
    "nul": "NUL bytes",
    "question_fold": "folds missing, taken from the task",
    "hard": "confidences of 0 and 1 alone",
}


def fetch_archived_task(name, selected, service):
    """Fetch a batch of one task."""
    [(_, *found)] = fetch_archived_tasks({name: selected}, service)
    return found


def often(names, few, every):
    """Parameters of which a few are tried each time; a rehearsal tries them all."""
    rest = [pytest.param(*one, marks=pytest.mark.rehearsal) for one in every if one not in few]
    return pytest.mark.parametrize(names, [*few, *rest])


@pytest.fixture(scope="module")
def remembering(served):
    """The service, for what is the same for all tests."""
    return OpenML(f"{served.address}/api/v1/xml", served.address, Client(None, Limits(timeout=60)))


@pytest.fixture(scope="module")
def chosen(remembering):
    """A function that returns the first two tasks that are selected, by their names."""
    tasks, _ = list_tasks(remembering)
    evaluations, _ = list_evaluations(remembering, range(1001, 2001), "2015-07-31")

    def choose(always=(ADA_TASK,), **leave_out):
        always = [{"task": task, "runs": []} for task in always]
        settings = {"flows": FLOWS, "always": always, "leave_out": {"tasks": [], "runs": []} | leave_out}
        drawn = select_runs(tasks, evaluations.values(), settings)
        return {f"openml_{one['task']}": one for one in take_tasks(drawn, [0, 1])}

    return choose


@pytest.fixture
def both(chosen):
    """Two tasks that were selected, by their names."""
    return chosen()


@pytest.fixture(scope="module")
def ada(remembering):
    return fetch_task(NAME, ADA_TASK, remembering)


@pytest.fixture
def selected(both, ada, monkeypatch):
    """The first of them, of which only the runs are still to be fetched."""

    def fetch(name, task, *others):
        return deepcopy(ada) if task == ADA_TASK else fetch_task(name, task, *others)

    monkeypatch.setattr("nontrivial_study.data.openml.runs.fetch_task", fetch)
    return both[NAME]


@pytest.fixture
def quirk(server, selected, monkeypatch):
    """A function that gives the first selected run a quirk."""
    whole = server.openml.archive.run

    def give(quirk, runs=(selected["runs"][0]["run"],)):
        def run(run_id):
            found = whole(run_id)
            return Run(found.run_id, found.task, found.flow, quirk) if run_id in runs else found

        monkeypatch.setattr(server.openml.archive, "run", run)

    return give


def test_predictions_are_the_archives(service, server, both):
    selected = both[NAME]
    predictions, runs, record = fetch_archived_task(NAME, selected, service)
    assert len(predictions) == FLOWS * 120
    assert runs["status"].eq("ok").all()
    assert runs["model"].tolist() == [run["flow_name"] for run in selected["runs"]]
    archive = server.openml.archive
    member = archive.tasks[ADA_TASK]
    first = predictions[predictions["model"] == selected["runs"][0]["flow_name"]].sort_values("row")
    confidence = archive.confidences(archive.run(selected["runs"][0]["run"]))
    expected = confidence if record["positive"] == member.classes[1] else 1 - confidence
    np.testing.assert_allclose(first["score"], expected, atol=1e-6)
    assert first["truth"].tolist() == (member.truth == record["positive"]).tolist()
    assert record["replaced"] == []


def test_the_archived_area_is_compared_and_the_difference_stored(service, selected):
    predictions, _, record = fetch_archived_task(NAME, selected, service)
    for one in record["taken"]:
        mine = predictions[predictions["model"] == one["flow_name"]]
        area = roc_auc_score(mine["truth"], mine["score"])
        assert one["areas_found"] == pytest.approx([area, area])
        assert one["difference"] == pytest.approx(
            [a - b for a, b in zip(one["areas_found"], one["areas_archived"], strict=True)], abs=1e-11
        )
        assert max(map(abs, one["difference"])) < 1e-6


@pytest.mark.parametrize("kind", READABLE)
def test_what_can_be_read_is_taken_and_noted(kind, service, selected, quirk):
    quirk(kind)
    _, runs, record = fetch_archived_task(NAME, selected, service)
    assert record["replaced"] == []
    assert record["taken"][0]["run"] == selected["runs"][0]["run"]
    # The list of evaluations was made before the run got its quirk.
    assert runs["warnings"][0].partition("; areas under the ROC curve")[0] == NOTES[kind]
    if kind == "hard":
        assert record["taken"][0]["distinct_scores"] == 2


@pytest.mark.parametrize("kind", UNUSABLE)
def test_what_cannot_serve_is_replaced_and_logged(kind, service, selected, quirk, caplog):
    quirk(kind)
    bad, successor = selected["runs"][0], selected["reserve"][0]
    _, runs, record = fetch_archived_task(NAME, selected, service)
    assert record["replaced"] == [
        {"run": bad["run"], "flow_name": bad["flow_name"], "reason": REASONS[kind], "by": successor["run"]}
    ]
    assert runs["model"][0] == successor["flow_name"]
    assert runs["status"].eq("ok").all()
    assert f"run {bad['run']} {REASONS[kind]}; replaced by run {successor['run']}" in caplog.text


def test_where_the_reserve_does_not_last_the_reason_stays(service, selected, quirk):
    runs = [run["run"] for run in selected["runs"][:1] + selected["reserve"]]
    quirk("not_finite", runs)
    predictions, statuses, record = fetch_archived_task(NAME, selected, service)
    assert len(statuses) == FLOWS
    assert predictions["model"].nunique() == FLOWS - 1
    assert statuses["status"][0].endswith("has confidences that are not finite")
    assert [one["by"] for one in record["replaced"]] == [*runs[1:], None]


def test_a_run_that_is_not_there_is_replaced(service, server, selected):
    server.faults.add(f"/run/{selected['runs'][0]['run']}$", "404", times=-1)
    _, runs, record = fetch_archived_task(NAME, selected, service)
    assert "cannot be fetched" in record["replaced"][0]["reason"]
    assert runs["status"].eq("ok").all()


@pytest.mark.parametrize("path", ["/run/", "/data/download/"])
def test_where_no_run_can_be_had_the_service_is_not_where_it_is_thought(path, service, server, selected):
    server.faults.add(path, "404", times=-1)
    first = selected["runs"][0]["run"]
    problem = (
        f"^None of {FLOWS + SPARE_FLOWS} archived runs can be used; the first: Data set '{NAME}', run {first}: "
        rf"{server.address}\S*{path}\S+ answered with status 404; check the base addresses in [^.]*; if it stays so, "
        r"name task 3896 under openml\.archive\.leave_out\.tasks in the configuration, and no longer under "
        r"openml\.archive\.always\.$"
    )
    with pytest.raises(DownloadError, match=problem):
        fetch_archived_task(NAME, selected, service)
    server.faults.clear()
    assert fetch_archived_task(NAME, selected, service)[1]["status"].eq("ok").all()


def test_where_no_run_can_serve_it_is_said_and_the_next_time_all_are_asked_for_again(
    service, server, selected
):
    kept = selected | {"reserve": selected["reserve"][:2]}
    server.faults.add("/data/download/", "truncate", times=-1)
    first = selected["runs"][0]["run"]
    problem = (
        rf"^None of {FLOWS + 2} archived runs can be used; the first: Data set '{NAME}', run {first}: "
        rf"{server.address}/data/download/{FIRST_FILE + first}/predictions\.arff predicts \d+ rows, which are not the "
        "120 of the data set once each; run the same command again later: .*; if it stays so, name task 3896 under "
        r"openml\.archive\.leave_out\.tasks in the configuration, and no longer under openml\.archive\.always\.$"
    )
    with pytest.raises(DownloadError, match=problem):
        fetch_archived_task(NAME, kept, service)
    server.faults.clear()
    _, runs, record = fetch_archived_task(NAME, kept, service)
    assert runs["status"].eq("ok").all()
    assert record["replaced"] == []


def test_where_every_run_has_no_file_the_next_time_all_are_asked_for_again(
    service, selected, server, monkeypatch
):
    answer = server.openml.answer
    with monkeypatch.context() as patch:
        patch.setattr(
            server.openml,
            "answer",
            lambda path: (
                answer(path).replace(b">predictions<", b">other<") if "/run/" in path else answer(path)
            ),
        )
        with pytest.raises(
            DownloadError, match=rf"{server.address}/\S+/run/\d+ has no predictions file; run the"
        ):
            fetch_archived_task(NAME, selected, service)
    assert fetch_archived_task(NAME, selected, service)[1]["status"].eq("ok").all()


@pytest.mark.parametrize("path", ["/run/{}$", "/data/download/1{:06}/"])
@pytest.mark.parametrize("kind", ["html", "cut", "xhtml_504"])
def test_a_run_that_stays_unreadable_can_be_left_out(kind, path, service, server, selected, chosen):
    bad, successor = selected["runs"][0], selected["reserve"][0]
    server.faults.add(path.format(bad["run"]), kind, times=-1)
    advice = rf"; if it stays so, name run {bad['run']} under openml\.archive\.leave_out\.runs in the configuration\.$"
    with pytest.raises(DownloadError, match=advice):
        fetch_archived_task(NAME, selected, service)
    server.requests.clear()
    left = chosen(runs=[bad["run"]])[NAME]
    _, runs, record = fetch_archived_task(NAME, left, service)
    assert runs["status"].eq("ok").all()
    assert runs["model"][0] == successor["flow_name"]
    reason = "is left out by the configuration"
    replaced = {"run": bad["run"], "flow_name": bad["flow_name"], "reason": reason, "by": successor["run"]}
    assert record["replaced"] == [replaced]
    assert not [asked for asked in server.requests if re.search(path.format(bad["run"]), asked)]


REFUSED = ["/run/{run}$", "/data/download/{file}/", "/xml/task/{task}$"]


@often(
    ("path", "kind"),
    [*((path, "401") for path in REFUSED), (REFUSED[0], "403"), (REFUSED[0], "102")],
    itertools.product(REFUSED, ["401", "403", "102"]),
)
def test_a_service_that_refuses_replaces_nothing(kind, path, service, server, both):
    first = both[NAME]["runs"][0]["run"]
    places = {"run": first, "file": FIRST_FILE + first, "task": ADA_TASK}
    server.faults.add(path.format(**places), kind, times=6)
    with pytest.raises(DownloadError, match=r"; check .*OPENML_API_KEY"):
        list(fetch_archived_tasks(both, service))


KEY = "C0ffee/1"


FORMS = [KEY, "C0ffee%2F1", "C0ffee%2f1"]
REPEATING = ["run", "file", "all files", "note"]


@often(
    ("place", "form"),
    [*((place, KEY) for place in REPEATING), ("run", FORMS[1]), ("note", FORMS[2])],
    itertools.product(REPEATING, FORMS),
)
def test_a_key_that_a_good_document_repeats_is_shown_nowhere(
    place, form, server, cache, selected, rewrite, caplog
):
    client = Client(cache, Limits(pause=0.01), secrets={"api_key": KEY})
    away = OpenML(f"{server.address}/api/v1/xml", server.address, client)
    run, form = selected["runs"][0]["run"], form.encode()
    if place == "run":
        rewrite(f"/run/{run}$", b"<oml:error></oml:error>", b"<oml:error>no key %b</oml:error>" % form)
    elif place == "note":
        rewrite(
            f"/data/download/{FIRST_FILE + run}/", b"@attribute correct ", b"@attribute correct %b " % form
        )
    else:
        files = f"/data/download/{FIRST_FILE + run}/" if place == "file" else "/data/download/"
        rewrite(files, rb"(?m),(no|yes),(no|yes)$", rb",%b,\2" % form)
        rewrite(files, b"@attribute prediction {", b"@attribute prediction {'%b'," % form)
    try:
        _, runs, record = fetch_archived_task(NAME, selected, away)
    except DownloadError as error:
        assert place == "all files"
        shown = str(error)
    else:
        shown = runs.to_csv() + str(record)
    shown += caplog.text
    assert "(secret)" in shown
    assert form.decode() not in shown


DOCUMENTS = {
    "/xml/task/{task}$": "html",
    "/xml/data/{data}$": "107",
    "/data/features/{data}$": "cut",
    "/data/qualities/{data}$": "xhtml_504",
    "/data/v1/download/{data}/": "truncate",
    "/api_splits/get/{task}/": "single_class",
}


WAYS = [(0, "as listed"), (1, "404")]


@often(
    ("path", "place", "kind"),
    [*((path, *WAYS[0]) for path in DOCUMENTS), *((path, *WAYS[1]) for path in list(DOCUMENTS)[::4])],
    [(path, *way) for path in DOCUMENTS for way in WAYS],
)
def test_a_task_that_stays_broken_is_replaced_once_the_advice_is_followed(
    place, path, kind, service, server, both, chosen
):
    bad = list(both.values())[place]
    also = ", and no longer under openml.archive.always" if bad["always"] else ""
    advice = f"name task {bad['task']} under openml.archive.leave_out.tasks in the configuration{also}"
    server.faults.add(path.format(**bad), DOCUMENTS[path] if kind == "as listed" else kind, times=-1)
    with pytest.raises(DownloadError) as caught:
        fetch_archived_task(f"openml_{bad['task']}", bad, service)
    sentence = str(caught.value)
    assert sentence.endswith(f"; if it stays so, {advice}.")
    assert "openml.tasks" not in sentence
    assert sentence.startswith(
        f"Data set 'openml_{bad['task']}' (OpenML task {bad['task']}): {server.address}/"
    )
    selected = chosen(always=() if bad["always"] else (ADA_TASK,), tasks=[bad["task"]])
    server.requests.clear()
    found = list(fetch_archived_tasks(selected, service))
    assert [name for name, _, _, _ in found] == list(selected)
    assert all(runs["status"].eq("ok").all() for _, _, runs, _ in found)
    assert f"openml_{bad['task']}" not in selected
    assert not [asked for asked in server.requests if re.search(path.format(**bad), asked)]


def test_a_task_added_alone_whose_runs_cannot_serve_is_replaced_once_the_advice_is_followed(
    service, server, both, chosen
):
    added = list(both.values())[1]
    files = "|".join(str(FIRST_FILE + run["run"]) for run in added["runs"] + added["reserve"])
    server.faults.add(f"/data/download/({files})/", "truncate", times=-1)
    with pytest.raises(DownloadError) as caught:
        fetch_archived_task(f"openml_{added['task']}", added, service)
    advice = f"name task {added['task']} under openml.archive.leave_out.tasks in the configuration"
    assert str(caught.value).endswith(f"; if it stays so, {advice}.")
    name, successor = list(chosen(tasks=[added["task"]]).items())[1]
    _, runs, record = fetch_archived_task(name, successor, service)
    assert record["openml_task"] not in [one["task"] for one in both.values()]
    assert runs["status"].eq("ok").all()


def test_of_several_tasks_without_a_run_that_serves_all_are_named(service, server, both):
    server.faults.add("/run/", "404", times=-1)
    first, second = (one["task"] for one in both.values())
    advice = rf"if it stays so, name task {first}, task {second} under openml\.archive\.leave_out\.tasks in"
    with pytest.raises(
        DownloadError, match=rf"^None of {2 * (FLOWS + SPARE_FLOWS)} archived runs can be used; .*{advice}"
    ):
        list(fetch_archived_tasks(both, service))


def test_without_a_network_nothing_is_to_be_left_out(service, server, both):
    away = OpenML("http://127.0.0.1:9/api/v1/xml", "http://127.0.0.1:9", service.client)
    with pytest.raises(DownloadError, match=r"`snakemake --cores 8`, needs no network\.$"):
        fetch_archived_task(NAME, both[NAME], away)


def test_runs_left_out_are_not_what_the_service_could_not_give(service, selected):
    every = [run["run"] for run in selected["runs"] + selected["reserve"]]
    _, runs, _ = fetch_archived_task(NAME, selected | {"left_out": every}, service)
    assert runs["status"].str.endswith("is left out by the configuration").all()


PATHS = ["/run/", "/data/download/", "/data/features/", "/api_splits/"]


@often(
    ("path", "kind"),
    [*((path, "404") for path in PATHS), (PATHS[0], "543")],
    itertools.product(PATHS, ["404", "543"]),
)
def test_what_is_not_there_once_is_asked_for_again(kind, path, service, server, both):
    server.faults.add(path, kind)
    _, runs, record = fetch_archived_task(NAME, both[NAME], service)
    assert record["replaced"] == []
    assert runs["status"].eq("ok").all()


def test_between_being_told_no_and_asking_again_is_a_pause(server, cache, selected):
    away = OpenML(f"{server.address}/api/v1/xml", server.address, Client(cache, Limits(pause=0.5)))
    server.faults.add("/data/download/", "404")
    started = time.monotonic()
    assert fetch_archived_task(NAME, selected, away)[2]["replaced"] == []
    assert time.monotonic() - started >= 0.5


def test_a_file_shortened_once_is_fetched_again_not_replaced(service, server, selected):
    server.faults.add("/data/download/", "truncate")
    _, _, record = fetch_archived_task(NAME, selected, service)
    assert record["replaced"] == []


@pytest.mark.parametrize("place", ["/data/download/", "/run/"])
def test_what_a_short_outage_brings_replaces_nothing(place, service, server, selected):
    tries = service.client.limits.attempts
    first = selected["runs"][0]["run"] + (FIRST_FILE if "download" in place else 0)
    for kind, times in (("truncate", tries - 1 if place == "/run/" else 2), ("html", tries - 1)):
        server.faults.add(f"{place}{first}\\b", kind, times=times)
        _, runs, record = fetch_archived_task(NAME, selected, service)
        assert record["replaced"] == []
        assert runs["status"].eq("ok").all()
        for path in list(service.client._kept.folder.rglob("*.gz")):
            path.unlink()


@pytest.mark.parametrize(("times", "replaced"), [(2, 0), (3, 1), (6, 1)])
def test_a_text_that_is_no_file_is_asked_for_three_times(
    times, replaced, service, server, selected, monkeypatch
):
    file = f"/data/download/{FIRST_FILE + selected['runs'][0]['run']}/predictions.arff"
    answer, down = server.openml.answer, iter([b"Service temporarily unavailable"] * times)
    monkeypatch.setattr(
        server.openml, "answer", lambda path: next(down, answer(path)) if path == file else answer(path)
    )
    _, _, record = fetch_archived_task(NAME, selected, service)
    assert len(record["replaced"]) == replaced
    assert server.requests.count(file) == 3


def test_what_cannot_serve_is_asked_for_twice_and_not_kept(service, server, selected, quirk):
    quirk("not_finite")
    file = f"/data/download/{FIRST_FILE + selected['runs'][0]['run']}/predictions.arff"
    for _ in range(2):
        server.requests.clear()
        fetch_archived_task(NAME, selected, service)
        assert server.requests.count(file) == 2
    assert set(server.requests) == {file}


def test_a_file_that_does_not_give_the_archived_areas_is_asked_for_again(
    service, server, selected, monkeypatch
):
    whole, _, _ = fetch_archived_task(NAME, selected, service)
    run = selected["runs"][0]["run"]
    address = f"{server.address}/data/download/{FIRST_FILE + run}/predictions.arff"
    body = service.client._kept.find(address)
    lines = body.splitlines(keepends=True)
    exchanged = [
        line.replace(b",0.", b",9.", 1) if number % 9 == 0 else line for number, line in enumerate(lines)
    ]
    answer = server.openml.answer
    spoilt = iter([b"".join(exchanged)])
    service.client.forget(address)
    monkeypatch.setattr(
        server.openml, "answer", lambda path: next(spoilt, body) if path in address else answer(path)
    )
    again, _, record = fetch_archived_task(NAME, selected, service)
    assert again.equals(whole)
    assert record["taken"][0]["notes"] == []


def test_prediction_and_truth_exchanged_are_found_without_a_column_that_says_the_truth(
    service, selected, quirk, rewrite
):
    quirk("swapped")
    file = FIRST_FILE + selected["runs"][0]["run"]
    rewrite(f"/data/download/{file}/", b"@attribute correct {'no','yes'}", b"")
    rewrite(f"/data/download/{file}/", rb"(?m),(no|yes)$", b"")
    _, _, record = fetch_archived_task(NAME, selected, service)
    assert record["replaced"][0]["reason"] == REASONS["swapped"]


def test_a_run_whose_description_stays_unreadable_is_replaced(service, selected, rewrite):
    rewrite(f"/run/{selected['runs'][0]['run']}$", b"</oml:run>", b"")
    _, _, record = fetch_archived_task(NAME, selected, service)
    reason = record["replaced"][0]["reason"]
    assert "something that is not the XML expected" in reason
    assert " tries" not in reason, "the record is the same however long it took"


def test_areas_are_compared_class_by_class_in_the_declared_order(service, selected, rewrite):
    names = [b"confidence.no", b"confidence.yes"]
    for file in (FIRST_FILE + run["run"] for run in selected["runs"]):
        rewrite(f"/data/download/{file}/", names[0], b"confidence.x")
        rewrite(f"/data/download/{file}/", names[1], names[0])
        rewrite(f"/data/download/{file}/", b"confidence.x", names[1])
        rewrite(f"/data/download/{file}/", rb"(?m)^(\d+,\d+,\d+),([^,]+),([^,]+),", rb"\1,\3,\2,")
    different = [{**run, "areas": [run["areas"][0], 0.0]} for run in selected["runs"]]
    _, runs, record = fetch_archived_task(NAME, selected | {"runs": different}, service)
    for one in record["taken"]:
        assert one["difference"][0] == pytest.approx(0, abs=1e-6)
        assert one["difference"][1] == one["areas_found"][1]
    assert (
        runs["warnings"]
        .str.contains(r"areas under the ROC curve \[0\.\d+, 0\.\d+\] where the archive has")
        .all()
    )


def test_a_task_that_cannot_serve_is_rows_with_the_reason(service, both, rewrite):
    other = list(both)[1]
    rewrite(f"/task/{both[other]['task']}$", b"crossvalidation", b"holdout")
    steps = []
    good, bad = fetch_archived_tasks(both, service, lambda: steps.append(1))
    assert len(steps) == 2 * FLOWS
    name, predictions, runs, record = good
    assert name == record["name"] == NAME
    assert set(predictions["task"]) == {NAME}
    assert runs["status"].eq("ok").all()
    name, predictions, bad, record = bad
    assert name == record["name"] == other
    assert predictions.empty
    assert bad["model"].tolist() == [run["flow_name"] for run in both[other]["runs"]]
    assert bad["status"].str.contains("is evaluated by holdout where crossvalidation is needed").all()
    assert "is evaluated by holdout" in record["reason"]
    with pytest.raises(DownloadError, match="is evaluated by holdout"):
        list(fetch_archived_tasks({other: both[other]}, service))


def test_predictions_have_their_types_whatever_can_serve(service, both, quirk):
    selected = both[NAME]
    whole = fetch_archived_task(NAME, selected, service)[0]
    quirk("not_finite", [run["run"] for run in selected["runs"] + selected["reserve"]])
    for path in list(service.client._kept.folder.rglob("*.gz")):
        path.unlink()
    (_, empty, runs, _), _ = fetch_archived_tasks(both, service)
    assert empty.empty
    assert (empty.dtypes == whole.dtypes).all()
    assert len(runs) == FLOWS


def test_a_service_that_fails_replaces_nothing(service, server, selected):
    server.faults.add("/data/download/", "xhtml_504", times=-1)
    with pytest.raises(DownloadError, match="answered with status 504"):
        fetch_archived_task(NAME, selected, service)


def test_an_interrupted_download_continues_at_the_request(service, server, both):
    selected = both[NAME]
    whole, _, _ = fetch_archived_task(NAME, selected, service)
    asked = set(server.requests)
    for path in list(service.client._kept.folder.rglob("*.gz")):
        path.unlink()
    server.requests.clear()
    stop_at = f"/run/{selected['runs'][FLOWS // 2]['run']}$"
    server.faults.add(stop_at, "html", times=-1)
    with pytest.raises(DownloadError):
        fetch_archived_task(NAME, selected, service)
    server.faults.clear()
    before = set(server.requests)
    server.requests.clear()
    resumed, _, _ = fetch_archived_task(NAME, selected, service)
    assert resumed.equals(whole)
    assert len(server.requests) == len(set(server.requests))
    assert before & set(server.requests) <= {path for path in asked if path.endswith(stop_at[4:-1])}


def test_the_order_of_work_changes_nothing(service, both):
    selected = both[NAME]
    first = fetch_archived_task(NAME, selected, service)
    again = fetch_archived_task(NAME, selected, service)
    assert first[0].equals(again[0])
    assert first[2] == again[2]
