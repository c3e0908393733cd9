"""Faults on the way from the services: what passes leaves no trace, what stays is said, and the next run goes on."""

import gzip
import json
import re
from base64 import b64decode

import pandas as pd
import pytest
import yaml
from servers.archive import FIRST_FILE, FIRST_RUN
from servers.server import Server
from tiny_study import copy_project

TASKS = range(20_000, 20_006)
AGAIN = "; run the same command again later: complete downloads are kept, and the run continues from there"
TAKE_OUT = "; if it stays so, take the task out of openml.tasks in the configuration"
DIGEST = r"has md5 \w+ where OpenML's description says \w+"

# What stays wrong: the document, the fault, and what is said of it.
TRAINING = {
    TASKS[0]: ("/task/20000$", "107", "refused with code 107: Database connection error"),
    TASKS[1]: ("/data/30003$", "wrong_md5", DIGEST),
    TASKS[2]: ("/data/features/30004$", "cut", "was cut off before the end"),
    TASKS[3]: ("/data/qualities/30005$", "xhtml_504", "answered with status 504"),
    TASKS[4]: (
        "/api_splits/get/20004/",
        "truncate",
        r"leads to test folds that miss or repeat \d+ of 80 rows",
    ),
    TASKS[5]: ("/data/v1/download/30007/", "single_class", DIGEST),
}
ARCHIVE = {
    TASKS[0]: ("/run/", "stall", "sent nothing for 3 s"),
    TASKS[1]: ("/run/", "429", "answered with status 429 and asks to wait 1 s"),
    TASKS[2]: ("/data/download/", "html", "answered with a web page in place of the document"),
}
RESULTS = ("data", "predictions", "openml")


def serve(folder, flaky=0.0):
    return Server(folder, archive_tasks=8, archive_rows=80, archive_flows=2, flaky=flaky)


def configure(project, server, patience, **openml):
    """Let the project's tiny study ask the server in place of the services."""
    path = project.folder / "tiny.yaml"
    tiny = yaml.safe_load(path.read_text("utf-8"))
    paper = yaml.safe_load((project.folder / "config" / "paper.yaml").read_text("utf-8"))
    archive = paper["openml"]["archive"] | {"flows": 2, "run_id_bound": 2000, "always": []}
    archive |= openml.pop("archive", {})
    limits = {"rate": 1000, "timeout": 3 if patience < 60 else 60, "patience": patience}
    tiny |= {
        "datasets": ["wdbc", "iris", "diabetes", "wdbc_uci"],
        "downloads": paper["downloads"] | limits,
        "uci": {"base_url": server.address},
        "openml": paper["openml"]
        | {"api_url": f"{server.address}/api/v1/xml", "data_url": server.address, "tasks": [*TASKS]}
        | openml
        | {"archive": archive},
    }
    path.write_text(yaml.safe_dump(tiny), encoding="utf-8")


def kept(project, server):
    """Return the paths that are kept, after asserting that each is what the server has."""
    files = (project.folder / "downloads").glob("*.json.gz")
    copies = [json.loads(gzip.decompress(file.read_bytes())) for file in files]
    found = {copy["url"].removeprefix(server.address): b64decode(copy["_content"]) for copy in copies}
    assert found.keys() <= set(server.requests)
    for path, body in found.items():
        assert body == server.answer(path)[1]
    return set(found)


def contents(project, server):
    """Return the bytes of the results, without the server's address; the folds are those of all batches."""
    found = {
        path: body.replace(server.address.encode(), b"")
        for path, body in project.contents(*RESULTS).items()
        if not path.endswith(".folds.parquet")
    }
    batches = sorted((project.folder / "results" / "data").glob("*.folds.parquet"))
    return found | {"folds": [row for path in batches for row in pd.read_parquet(path).to_numpy().tolist()]}


def failures(result):
    """Return the sentences at the end of a failed run."""
    assert result.returncode != 0
    return re.findall(r"^\w+ failed: (.*) \(whole log: ", result.stdout, flags=re.MULTILINE)


def assert_said(sentences, forms):
    """Assert that each sentence has the form of one, and each form is that of one."""
    assert len(sentences) == len(forms), sentences
    for form in forms:
        assert sum(bool(re.fullmatch(form, sentence)) for sentence in sentences) == 1, (form, sentences)


def go_on(project, server, goals, **openml):
    """Run the study without faults, and assert that it asks for what is missing, once."""
    had, before = kept(project, server), len(server.requests)
    server.faults.clear()
    configure(project, server, patience=600, **openml)
    result = project.run("--cores", "2", *goals)
    assert result.returncode == 0, result.stdout
    asked = server.requests[before:]
    assert len(asked) == len(set(asked))
    assert kept(project, server) == had | set(asked)
    assert not had & set(asked)


def assert_same_with_passing_faults(folder, engines, place, goals, right, **openml):
    """Assert that a fresh study has the same bytes where the first answer to every request is wrong."""
    project = copy_project(place, engines=engines)
    with serve(folder, flaky=1.0) as server:
        configure(project, server, patience=30, **openml)
        result = project.run("--cores", "4", *goals)
        assert result.returncode == 0, result.stdout
        assert server.faults.met.total() == len(set(server.requests))
        assert len(server.faults.met) > 4, "kinds"
        assert contents(project, server) == right


@pytest.mark.parametrize(
    "faults",
    [
        {task: TRAINING[task] for task in (TASKS[0], TASKS[4])},
        pytest.param(TRAINING, marks=pytest.mark.rehearsal),
    ],
    ids=["two faults", "all faults"],
)
def test_training(faults, folder, project, tmp_path):
    goals = ["results/data/wdbc_uci.parquet", *(f"results/data/openml_{task}.parquet" for task in faults)]
    with serve(folder) as server:
        server.faults.add("data.csv", "truncate", -1)
        for path, kind, _ in faults.values():
            server.faults.add(path, kind, -1)
        configure(project, server, patience=20, tasks=[*faults], chunk_tasks=1)
        said = failures(project.run("--cores", "4", "--keep-going", *goals))
        table = (
            rf"{server.address}/static/public/17/data.csv is not the data set expected .* has rows 379; .*"
        )
        tasks = [
            rf"Data set 'openml_{task}' \(OpenML task {task}\): {server.address}/\S+ {problem}.*{AGAIN}{TAKE_OUT}\."
            for task, (_, _, problem) in faults.items()
        ]
        assert_said(said, [rf"Data set 'wdbc_uci': {table}{AGAIN}; if it stays so, .*\.", *tasks])
        assert project.contents(*RESULTS) == {}
        go_on(project, server, goals, tasks=[*faults], chunk_tasks=1)
        right = contents(project, server)
    assert len(right) == 2 + 2 * len(faults) + 1
    assert right["folds"]
    assert_same_with_passing_faults(
        folder, project.engines, tmp_path / "other", goals, right, tasks=[*faults], chunk_tasks=4
    )


@pytest.mark.rehearsal
def test_a_broken_task_of_the_archive_is_left_out_as_advised(folder, project):
    goals = ["results/openml/archive-00.json", "results/openml/archive-01.json"]
    openml = {"mode": "archive", "archive": {"task_count": 4, "chunk_tasks": 2}}
    selection = project.folder / "results" / "openml" / "selection.json"
    with serve(folder) as server:
        configure(project, server, patience=20, **openml)
        assert project.run("--cores", "1", "results/openml/selection.json").returncode == 0
        drawn = [one["task"] for one in json.loads(selection.read_text("utf-8"))["tasks"]]
        data = server.openml.tasks[drawn[1]].data_id
        server.faults.add(f"/data/{data}$", "xhtml_504", -1)
        [said] = failures(project.run("--cores", "1", *goals))
        advice = re.search(r"; if it stays so, name task (\d+) under (\S+) in the configuration\.$", said)
        assert advice.groups() == (str(drawn[1]), "openml.archive.leave_out.tasks")
        openml["archive"]["leave_out"] = {"tasks": [drawn[1]], "runs": []}
        configure(project, server, patience=20, **openml)
        result = project.run("--cores", "1", *goals)
        assert result.returncode == 0, result.stdout
        records = [json.loads((project.folder / goal).read_text("utf-8")) for goal in goals]
        assert [one["openml_task"] for record in records for one in record["tasks"]] == [
            drawn[0],
            *drawn[2:5],
        ]
        chosen = json.loads(selection.read_text("utf-8"))
        assert chosen["settings"]["leave_out"]["tasks"] == [drawn[1]]
        for number, wrong in (
            ({"tasks": [7], "runs": []}, "tasks names task 7, which has 0 flows in the archive;"),
            (
                {"tasks": [], "runs": [7]},
                "runs names run 7, which no task has among its runs or in its reserve;",
            ),
        ):
            openml["archive"]["leave_out"] = number
            configure(project, server, patience=20, **openml)
            [said] = failures(project.run("--cores", "1", *goals))
            assert said.startswith(f"openml.archive.leave_out.{wrong} name ")


@pytest.mark.rehearsal
def test_archive(folder, project, tmp_path):
    goals = [f"results/openml/archive-{number:02}.json" for number in range(len(ARCHIVE))]
    always = [{"task": task, "runs": []} for task in ARCHIVE]
    openml = {"mode": "archive", "archive": {"task_count": len(always), "chunk_tasks": 1, "always": always}}
    with serve(folder) as server:
        server.faults.add("/evaluation/", "html", -1)
        configure(project, server, patience=20, **openml)
        said = failures(project.run("--cores", "1", *goals))
        page = "answered with a web page in place of the document"
        assert_said(said, [rf"OpenML's lists: {server.address}/\S+ {page}.*{AGAIN}\."])
        assert project.contents(*RESULTS) == {}
        server.faults.clear()
        for number, (place, kind, _) in enumerate(ARCHIVE.values()):
            first = FIRST_RUN + 8 * (
                2 + number
            )  # two flows and six to spare; the documents' two tasks come first
            files = [first + flow + (FIRST_FILE if "download" in place else 0) for flow in range(8)]
            server.faults.add(
                f"{place}({'|'.join(map(str, files))})\\b", kind, -1, seconds=60 if kind == "stall" else 1
            )
        said = failures(project.run("--cores", "4", "--keep-going", *goals))
        assert_said(
            said,
            [
                rf"Data set 'openml_{task}', run (\d+): {server.address}\S*{place}\S+ {problem}.*{AGAIN}"
                r"; if it stays so, name run \1 under openml\.archive\.leave_out\.runs in the configuration\."
                for task, (place, _, problem) in ARCHIVE.items()
            ],
        )
        assert project.contents(*RESULTS).keys() == {"openml/selection.json"}
        go_on(project, server, goals, **openml)
        right = contents(project, server)
        assert len(right) == 1 + 2 * len(ARCHIVE) + 1
        assert right["folds"] == [], "no task of the archive is trained"
        first = json.loads(right[goals[0].removeprefix("results/")])["tasks"][0]["taken"][0]["run"]
        openml["archive"]["leave_out"] = {"tasks": [], "runs": [first]}
        asked = len(server.requests)
        go_on(project, server, goals, **openml)
        assert len(server.requests) == asked + 2, "of the successor what it is, and its predictions"
        without = contents(project, server)
        assert {path for path in right if right[path] != without[path]} == {
            "openml/selection.json",
            "openml/archive-00.json",
            "predictions/archive-00.parquet",
        }
        [replaced] = json.loads(without["openml/archive-00.json"])["tasks"][0]["replaced"]
        assert (replaced["run"], replaced["reason"]) == (first, "is left out by the configuration")
        del openml["archive"]["leave_out"]
    assert_same_with_passing_faults(folder, project.engines, tmp_path / "other", goals, right, **openml)
