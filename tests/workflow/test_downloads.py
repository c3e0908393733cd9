"""The study with downloads, end to end against a server on this machine, and what it says when it cannot have them."""

import gzip
import json
import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pandas as pd
import pytest
import yaml
from servers.archive import FIRST_RUN, UNUSABLE
from servers.server import Server
from servers.sets import ADA_TASK, CLOVER_TASK
from snakemake.common.configfile import load_configfile
from snakemake.utils import update_config

from nontrivial.schemas import check
from nontrivial_study.data.canonical import canonical_sha256

ROOT = Path(__file__).parents[2]


@pytest.fixture
def server(folder):
    with Server(folder, archive_tasks=4, archive_rows=80, archive_flows=5, quirky=0.2) as server:
        yield server


def settings(address, patience=600, **openml):
    return {
        "datasets": ["wdbc", "iris", "diabetes", "wdbc_uci"],
        "tasks": ["wdbc", "wdbc_uci"],
        "chunk_cells": 100_000,
        "downloads": {"rate": 1000, "timeout": min(patience, 60), "patience": patience},
        "uci": {"base_url": address},
        "compared": {
            "task": CLOVER_TASK,
            "models": ["decision_tree", "logistic_regression"],
            "runs": [145651, 267741],
        },
        "openml": {
            "api_url": f"{address}/api/v1/xml",
            "data_url": address,
            "tasks": [CLOVER_TASK, ADA_TASK, 20_000],
            "chunk_tasks": 3,
            "archive": {
                "task_count": 3,
                "chunk_tasks": 2,
                "flows": 5,
                "run_id_bound": 2000,
                "always": [{"task": ADA_TASK, "runs": []}],
            },
        }
        | openml,
    }


def prepare(project, address, patience=600, **openml):
    """Let the project's tiny study follow on the papers' configuration, with the server in place of the services."""
    tiny = yaml.safe_load((project.folder / "tiny.yaml").read_text("utf-8"))
    paper = yaml.safe_load((project.folder / "config" / "paper.yaml").read_text("utf-8"))
    own = settings(address, patience, **openml)
    merged = paper | tiny | own
    for key in ("downloads", "openml"):
        merged[key] = paper[key] | own[key]
    merged["openml"]["archive"] = paper["openml"]["archive"] | own["openml"]["archive"]
    (project.folder / "tiny.yaml").write_text(yaml.safe_dump(merged), encoding="utf-8")


# What is checked of a study, or, in a rehearsal, all of it.
TABLES = [f"results/tables/{name}.csv" for name in ("measures", "curve_areas", "rank_disagreement")]
WHOLE = pytest.param([], marks=pytest.mark.rehearsal)


@pytest.mark.parametrize("goals", [[*TABLES, "results/figures/prg_figure_5.csv"], WHOLE])
def test_training_on_downloaded_data_with_faults_that_pass(goals, server, project):
    prepare(project, server.address)
    for path, kind in [("/api/dataset", "html"), ("data.csv", "truncate"), ("/api_splits/", "429")]:
        server.faults.add(path, kind, seconds=0.1)
    for path, kind in [("/data/v1/", "cut"), ("/task/3896", "107"), ("/data/qualities/", "xhtml_504")]:
        server.faults.add(path, kind)
    result = project.run("--cores", "2", *goals)
    assert result.returncode == 0, result.stdout
    results = project.folder / "results"
    uci = json.loads((results / "data" / "wdbc_uci.json").read_text("utf-8"))
    bundled = json.loads((results / "data" / "wdbc.json").read_text("utf-8"))
    assert (
        uci["sha256"]
        == bundled["sha256"]
        == canonical_sha256(pd.read_parquet(results / "data" / "wdbc_uci.parquet"))
    )
    areas = pd.read_csv(results / "tables" / "curve_areas.csv")
    assert {f"openml_{CLOVER_TASK}", f"openml_{ADA_TASK}", "openml_20000"} <= set(areas["task"])
    folds = pd.read_parquet(results / "data" / "openml-00.folds.parquet").query(
        f"task == 'openml_{ADA_TASK}'"
    )["fold"]
    predictions = pd.read_parquet(results / "predictions" / "openml-00.parquet")
    mine = predictions[
        (predictions["task"] == f"openml_{ADA_TASK}") & (predictions["model"] == "decision_tree")
    ]
    assert mine.sort_values("row")["fold"].tolist() == folds.tolist()
    measures = pd.read_csv(results / "tables" / "measures.csv")
    record = json.loads((results / "data" / f"openml_{ADA_TASK}.json").read_text("utf-8"))
    positive = measures.loc[measures["dataset"] == f"openml_{ADA_TASK}", "positive"].unique().tolist()
    assert positive == [record["positive"]]
    made_of = areas.drop_duplicates("task").set_index("task")["rows_of"]
    assert made_of[f"openml_{ADA_TASK}"] == f"OpenML data {record['openml_data']}"
    assert made_of["wdbc"] == made_of["wdbc_uci"] == "wdbc", "the same rows from two places"
    ranked = pd.read_csv(results / "tables" / "rank_disagreement.csv")
    assert set(ranked["tasks"]) == set(ranked["datasets"]) == {3}, "OpenML's alone"
    # Figure 5 is drawn where both its task and its models are there.
    curves = pd.read_csv(results / "figures" / "prg_figure_5.csv")
    assert set(curves["task"]) == {f"openml_{CLOVER_TASK}"}
    mine = areas[areas["task"] == f"openml_{CLOVER_TASK}"].set_index("model")
    for (model, panel), area in curves.groupby(["model", "panel"])["area"].first().items():
        assert area == pytest.approx(mine.loc[model, f"{panel}_auc"])
    assert goals or (results / "figures" / "prg_figure_5.svg").stat().st_size > 0


@pytest.mark.parametrize("goals", [[*TABLES[1:], "results/figures/prg_figure_5.csv"], WHOLE])
def test_the_archive_in_place_of_training(goals, server, project, monkeypatch):
    monkeypatch.setenv("OPENML_API_KEY", "c0ffee")
    archived_runs = (server.openml.archive.run(number) for number in range(FIRST_RUN, FIRST_RUN + 1000))
    of_task = [run for run in archived_runs if run and run.task == ADA_TASK]
    sound = next(run.run_id for run in of_task if run.quirk is None)
    broken = next(run.run_id for run in of_task if run.quirk in UNUSABLE)
    archive = settings(server.address)["openml"]["archive"]
    prepare(
        project,
        server.address,
        mode="archive",
        archive=archive | {"always": [{"task": ADA_TASK, "runs": [sound, broken]}]},
    )
    tiny = yaml.safe_load((project.folder / "tiny.yaml").read_text("utf-8"))
    tiny["compared"] |= {"task": ADA_TASK, "runs": [sound, broken]}
    (project.folder / "tiny.yaml").write_text(yaml.safe_dump(tiny), encoding="utf-8")
    result = project.run("--cores", "2", *goals)
    assert result.returncode == 0, result.stdout
    assert all(
        path.endswith("?api_key=c0ffee")
        for path in server.requests
        if "/api/dataset" not in path and ".csv" not in path
    )
    assert "c0ffee" not in result.stdout
    written = [path for path in project.folder.rglob("*") if path.is_file()]
    contents = (
        gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes() for path in written
    )
    assert not any(b"c0ffee" in content for content in contents)
    results = project.folder / "results"
    areas = pd.read_csv(results / "tables" / "curve_areas.csv")
    archived = areas[areas["task"].str.startswith("openml_")]
    assert archived.groupby("task").size().tolist() == [5, 5, 5]
    assert archived["rows_of"].str.fullmatch(r"OpenML data \d+").all()
    ranked = pd.read_csv(results / "tables" / "rank_disagreement.csv")
    assert set(ranked["tasks"]) == {3}, "our own models on our own tasks are no part of the archive's ranks"
    selection = json.loads((results / "openml" / "selection.json").read_text("utf-8"))
    assert selection["tasks"][0]["task"] == ADA_TASK
    for batch in ("archive-00", "archive-01"):
        for task in json.loads((results / "openml" / f"{batch}.json").read_text("utf-8"))["tasks"]:
            mine = archived[archived["task"] == task["name"]].set_index("model")
            for run in task["taken"]:
                assert mine.loc[run["flow_name"], "roc_auc"] == pytest.approx(
                    run["areas_archived"][0], abs=1e-6
                )
            for run in task["replaced"]:
                assert server.openml.archive.run(run["run"]).quirk is not None
    assert min(run["run"] for one in selection["tasks"] for run in one["runs"]) >= FIRST_RUN
    curves = (
        pd.read_csv(results / "figures" / "prg_figure_5.csv").drop_duplicates("model").set_index("status")
    )
    reason = next(
        run["reason"]
        for run in json.loads((results / "openml" / "archive-00.json").read_text("utf-8"))["tasks"][0][
            "replaced"
        ]
        if run["run"] == broken
    )
    assert set(curves.index) == {"ok", reason}
    assert curves.loc["ok", "model"].startswith(f"run {sound}, ")
    assert curves.loc[reason, "model"].startswith(f"run {broken}, ")


@pytest.mark.rehearsal
def test_killed_while_downloading_and_resumed_asks_for_nothing_twice(server, project):
    prepare(project, server.address)
    server.faults.add("/task/20000", "stall", times=1, seconds=30)
    goals = [f"results/data/openml_{number}.parquet" for number in (CLOVER_TASK, 20_000)]
    process = subprocess.Popen(
        project.command("--cores", "1", *goals),
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 120
    while not any("/task/20000" in path for path in server.requests) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    before = [path for path in server.requests if "/task/20000" not in path]
    server.requests.clear()
    server.faults.clear()
    assert project.run("--unlock").returncode == 0
    result = project.run("--cores", "1", "--rerun-incomplete", *goals)
    assert result.returncode == 0, result.stdout
    assert not set(before) & set(server.requests)
    assert all((project.folder / goal).exists() for goal in goals)


def test_no_password_is_shown(server, project, monkeypatch):
    for name in ("NO_PROXY", "no_proxy", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HTTP_PROXY", server.address.replace("://", "://me:s3cret@"))
    answer = server.answer

    def with_login(path):
        status, body = answer(path)
        return status, body.replace(b'"data_url": "http://', b'"data_url": "http://me:s3cret@')

    monkeypatch.setattr(server, "answer", with_login)
    goal = "results/data/wdbc_uci.parquet"
    prepare(project, "http://me:s3cret@mirror.invalid")
    shown = project.run("--cores", "1", goal).stdout
    assert "'http://mirror.invalid/api/v1/xml'; it must be an address" in shown
    prepare(project, "http://mirror.invalid")
    server.faults.add("data.csv", "404", times=2)
    shown += project.run("--cores", "1", goal).stdout
    assert "http://mirror.invalid/static/public/17/data.csv answered with status 404" in shown
    result = project.run("--cores", "1", goal)
    assert result.returncode == 0, result.stdout
    assert all(path.startswith("http://mirror.invalid/") for path in server.requests)
    assert "s3cret" not in shown + result.stdout
    written = [path for folder in ("results", ".snakemake") for path in (project.folder / folder).rglob("*")]
    written = [path for path in written if path.is_file()]
    assert project.folder / goal in written
    assert not [path for path in written if b"s3cret" in path.read_bytes()]
    assert not [path for path in project.folder.rglob("*") if "s3cret" in path.name]


def test_no_network_is_one_sentence_that_names_the_default_study(project):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
    prepare(project, address, patience=3)
    result = project.run("--cores", "2", "results/data/wdbc_uci.parquet")
    assert result.returncode != 0
    last = next(
        line for line in result.stdout.splitlines()[-6:] if line.startswith("download_uci_data failed: ")
    )
    assert f"Data set 'wdbc_uci': {address}/api/dataset?id=17 cannot be reached" in last
    assert "`snakemake --cores 8`, needs no network" in last
    assert not (project.folder / "results" / "data" / "wdbc_uci.parquet").exists()


ALWAYS = [{"task": number, "runs": []} for number in (1, 2)]
CASES = {
    "key": ({"apikey": "c0ffee"}, "there is no key openml.apikey; the known keys are mode"),
    "count": (
        {"mode": "archive", "archive": {"task_count": 1, "always": ALWAYS}},
        "openml.archive.task_count is 1; it must be at least 2",
    ),
    "twice": (
        {"mode": "archive", "archive": {"always": [*ALWAYS, {"task": 1, "runs": [7]}]}},
        "openml.archive.always names task 1 twice; give each task one entry.",
    ),
    "contradiction": (
        {"mode": "archive", "archive": {"always": ALWAYS, "leave_out": {"tasks": [3, 2], "runs": []}}},
        "openml.archive.leave_out.tasks names task 2, which openml.archive.always names, too; name it in one",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_settings_end_the_run_before_its_first_job(case, unstarted):
    change, expected = CASES[case]
    prepare(unstarted, "http://127.0.0.1:9", **change)
    result = unstarted.run("--cores", "1")
    last = result.stdout.strip().splitlines()[-1]
    assert result.returncode != 0
    assert last.startswith(f"The study cannot start. {expected}")
    assert "c0ffee" not in result.stdout


@pytest.mark.parametrize(
    ("openml", "expected"),
    [
        ({"mode": "both"}, "openml.mode is 'both'; it must be train or archive."),
        ({"api_url": "openml.org"}, "openml.api_url is 'openml.org'; it must be an address that starts with"),
        ({"tasks": [0]}, "openml.tasks.0 is 0; it must be a whole number of at least 1."),
        (
            {"archive": {"cutoff_date": "July"}},
            "openml.archive.cutoff_date is 'July'; it must be a date in quotes",
        ),
        ({"archive": {"run_id_bound": 0}}, "openml.archive.run_id_bound is 0; it must be a whole number"),
    ],
)
def test_wrong_values_are_one_sentence(openml, expected):
    with pytest.raises(ValueError, match=re.escape(f"paper.yaml: {expected}")):
        check_paper(openml=openml)


@pytest.mark.parametrize("contact", ["jürgen@example.org", "a@b.org\n", "a@b.org\r\nX: y", "me"])
def test_a_contact_that_no_header_can_carry_is_refused(contact):
    check_paper(downloads={"contact": "Me & you <me+nontrivial@example.org>"})
    with pytest.raises(ValueError, match=r"downloads\.contact is .*; it must be an address at which"):
        check_paper(downloads={"contact": contact})


def test_the_papers_configuration_has_the_schemas_form():
    paper = check_paper()
    assert paper["openml"]["archive"]["always"][0] == {"task": 3872, "runs": [145651, 267741]}


def check_paper(**changes):
    """Check the papers' configuration with changes, and return it."""
    config = load_configfile(ROOT / "config" / "config.yaml")
    for one in (load_configfile(ROOT / "config" / "paper.yaml"), changes):
        update_config(config, one)
    check(config, load_configfile(ROOT / "workflow" / "schemas" / "config.schema.yaml"), "paper.yaml")
    return config


def test_uci_data_need_an_address(unstarted):
    unstarted.edit("tiny.yaml", "- wdbc\n", "- wdbc\n- haberman_uci\n")
    last = unstarted.run("--cores", "1").stdout.strip().splitlines()[-1]
    assert (
        "the key uci is missing, and data set 'haberman_uci' comes from UCI; config/paper.yaml has it" in last
    )
