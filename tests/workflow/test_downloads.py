"""The study with downloads, end to end against a server on this machine, and what it says when it cannot have them."""

import gzip
import json
import re
import socket

import pandas as pd
import pytest
import yaml
from servers.archive import FIRST_RUN, UNUSABLE
from servers.server import Server
from servers.sets import ADA_TASK, CLOVER_TASK

from nontrivial_study.data.canonical import canonical_sha256

ARCHIVE = {"chunk_tasks": 2, "flows": 5, "run_id_bound": 2000}
FIGURE = "results/figures/prg_figure_5.csv"
TABLES = [f"results/tables/{name}.csv" for name in ("measures", "curve_areas", "rank_disagreement")]


@pytest.fixture
def server(folder):
    with Server(folder, archive_tasks=7, archive_rows=80, archive_flows=5, quirky=0.2) as server:
        yield server


def prepare(project, address, patience=600, archive=(), compared=(), **openml):
    """Let the tiny study follow on the papers' configuration, with the server in place of the services."""
    config, defaults = (
        yaml.safe_load((project.folder / "config" / f"{name}.yaml").read_text("utf-8")) for name in ("paper", "config")
    )
    config |= yaml.safe_load((project.folder / "tiny.yaml").read_text("utf-8"))
    places = {"api_url": f"{address}/api/v1/xml", "data_url": address}
    chosen = {"task_count": 3, "always": [{"task": ADA_TASK, "runs": []}]} | ARCHIVE | dict(archive)
    config |= {
        "datasets": ["wdbc", "iris", "diabetes", "wdbc_uci"],
        "tasks": ["wdbc", "wdbc_uci"],
        "chunk_cells": 100_000,
        "downloads": defaults["downloads"] | {"rate": 1000, "timeout": min(patience, 60), "patience": patience},
        "uci": {"base_url": address},
        "compared": {"task": CLOVER_TASK, "models": ["decision_tree", "logistic_regression"]}
        | {"runs": [145651, 267741]}
        | dict(compared),
        "openml": defaults["openml"]
        | {"tasks": [CLOVER_TASK, ADA_TASK, 20_000], "chunk_tasks": 3}
        | places
        | openml
        | {"archive": defaults["openml"]["archive"] | chosen},
    }
    (project.folder / "tiny.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")


def make(project, *goals):
    result = project.run("--cores", "2", *goals)
    assert result.returncode == 0, result.stdout
    return result


def failures(result):
    """Return the sentences at the end of a failed run."""
    assert result.returncode != 0
    return re.findall(r"^\w+ failed: (.*) \(whole log: ", result.stdout, flags=re.MULTILINE)


def read(project, name):
    path = project.folder / "results" / name
    return json.loads(path.read_text("utf-8")) if path.suffix == ".json" else pd.read_csv(path)


def test_training_on_downloaded_data_with_faults_that_pass(server, project):
    prepare(project, server.address)
    for path, kind in [("/api/dataset", "html"), ("data.csv", "truncate"), ("/api_splits/", "429")]:
        server.faults.add(path, kind, seconds=0.1)
    for path, kind in [("/data/v1/", "cut"), ("/task/3896", "107"), ("/data/qualities/", "504")]:
        server.faults.add(path, kind)
    make(project, *TABLES, FIGURE)
    results, ada = project.folder / "results", f"openml_{ADA_TASK}"
    bundled = read(project, "data/wdbc.json")["sha256"]
    assert read(project, "data/wdbc_uci.json")["sha256"] == bundled
    assert canonical_sha256(pd.read_parquet(results / "data" / "wdbc_uci.parquet")) == bundled
    areas = read(project, "tables/curve_areas.csv")
    assert {f"openml_{CLOVER_TASK}", ada, "openml_20000"} <= set(areas["task"])
    folds = pd.read_parquet(results / "data" / "openml-00.folds.parquet").query("task == @ada")["fold"]
    predictions = pd.read_parquet(results / "predictions" / "openml-00.parquet")
    mine = predictions.query("task == @ada and model == 'decision_tree'").sort_values("row")
    assert mine["fold"].tolist() == folds.tolist()
    record = read(project, f"data/{ada}.json")
    measures = read(project, "tables/measures.csv").query("dataset == @ada")
    assert set(measures["positive"]) == {record["positive"]}
    made_of = areas.drop_duplicates("task").set_index("task")["rows_of"]
    assert made_of[ada] == f"OpenML data {record['openml_data']}"
    assert made_of["wdbc"] == made_of["wdbc_uci"] == "wdbc", "the same rows from two places"
    ranked = read(project, "tables/rank_disagreement.csv")
    assert set(ranked["tasks"]) == set(ranked["datasets"]) == {3}, "OpenML's alone"
    curves = read(project, "figures/prg_figure_5.csv")
    assert set(curves["task"]) == {f"openml_{CLOVER_TASK}"}
    mine = areas[areas["task"] == f"openml_{CLOVER_TASK}"].set_index("model")
    for (model, panel), area in curves.groupby(["model", "panel"])["area"].first().items():
        assert area == pytest.approx(mine.loc[model, f"{panel}_auc"])


def test_the_archive_in_place_of_training_and_a_key_that_no_file_has(server, project, monkeypatch):
    monkeypatch.setenv("OPENML_API_KEY", "c0ffee")
    runs = (server.openml.archive.run(number) for number in range(FIRST_RUN, FIRST_RUN + 1000))
    of_task = [run for run in runs if run and run.task == ADA_TASK]
    sound = next(run.run_id for run in of_task if run.quirk is None)
    broken = next(run.run_id for run in of_task if run.quirk in UNUSABLE)
    always = {"task": ADA_TASK, "runs": [sound, broken]}
    prepare(project, server.address, mode="archive", archive={"always": [always]}, compared=always)
    result = make(project, *TABLES[1:], FIGURE)
    asked = [path for path in server.requests if "/api/dataset" not in path and ".csv" not in path]
    assert asked
    assert all(path.endswith("?api_key=c0ffee") for path in asked)
    assert "c0ffee" not in result.stdout
    for path in project.folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert b"c0ffee" not in (gzip.decompress(content) if path.suffix == ".gz" else content), path
    areas = read(project, "tables/curve_areas.csv")
    archived = areas[areas["task"].str.startswith("openml_")]
    assert archived.groupby("task").size().tolist() == [5, 5, 5]
    ranked = read(project, "tables/rank_disagreement.csv")
    assert set(ranked["tasks"]) == {3}, "our own models on our own tasks are no part of the archive's ranks"
    assert read(project, "openml/selection.json")["tasks"][0]["task"] == ADA_TASK
    batches = [read(project, f"openml/archive-0{number}.json")["tasks"] for number in range(2)]
    for task in [*batches[0], *batches[1]]:
        mine = archived[archived["task"] == task["name"]].set_index("model")["roc_auc"]
        for run in task["taken"]:
            assert mine[run["flow_name"]] == pytest.approx(run["areas_archived"][0], abs=1e-6)
        assert all(server.openml.archive.run(run["run"]).quirk is not None for run in task["replaced"])
    curves = read(project, "figures/prg_figure_5.csv").drop_duplicates("model").set_index("status")["model"]
    [reason] = [run["reason"] for run in batches[0][0]["replaced"] if run["run"] == broken]
    assert set(curves.index) == {"ok", reason}
    assert curves["ok"].startswith(f"run {sound}, ")
    assert curves[reason].startswith(f"run {broken}, ")


def test_faults_that_stay_are_said_and_the_next_run_asks_for_what_is_missing(server, project):
    goals = [f"results/data/{name}.parquet" for name in ("wdbc_uci", "openml_20000", "openml_20001")]
    prepare(project, server.address, patience=20, tasks=[20_000, 20_001], chunk_tasks=1)
    for path, kind in [("data.csv", "truncate"), ("/task/20000$", "107")]:
        server.faults.add(path, kind, -1)
    uci, openml = sorted(failures(project.run("--cores", "2", "--keep-going", *goals)), reverse=True)
    again = "; run the same command again later: complete downloads are kept"
    assert uci.startswith("Data set 'wdbc_uci': ")
    assert openml.startswith("Data set 'openml_20000' (OpenML task 20000): ")
    assert again in uci
    assert again in openml
    assert "take the task out of openml.tasks in the configuration" in openml
    assert project.contents("data").keys() >= {"data/openml_20001.parquet"}
    whole = re.compile(f"/20001|/{server.openml.tasks[20_001].data_id}$")
    assert any(map(whole.search, server.requests))
    server.requests.clear()
    server.faults.clear()
    make(project, *goals)
    assert server.requests
    assert not any(map(whole.search, server.requests))
    assert len(server.requests) == len(set(server.requests))


def test_more_archived_tasks_cost_the_new_ones(server, project):
    goals = [f"results/scores/curve_areas/archive-0{number}.parquet" for number in range(3)]
    prepare(project, server.address, mode="archive", archive={"always": []})
    make(project, *goals[:2])
    asked, first = set(server.requests), (project.folder / goals[0]).stat().st_mtime_ns
    server.requests.clear()
    prepare(project, server.address, mode="archive", archive={"always": [], "task_count": 6})
    result = make(project, *goals)
    assert not asked & set(server.requests)
    stats = result.stdout.partition("Job stats:")[2].partition("total")[0]
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", stats, flags=re.MULTILINE))
    # The batch that has room for another task, and a new one.
    assert jobs == {"download_archived_runs": "2", "calc_scores": "2"}
    assert (project.folder / goals[0]).stat().st_mtime_ns == first
    areas = pd.concat(pd.read_parquet(project.folder / goal) for goal in goals)
    drawn = read(project, "openml/selection.json")["tasks"]
    assert areas["task"].unique().tolist() == [f"openml_{one['task']}" for one in drawn[:6]]


def test_no_network_is_one_sentence_that_names_the_default_study(project):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
    prepare(project, address, patience=3)
    [said] = failures(project.run("--cores", "2", "results/data/wdbc_uci.parquet"))
    assert f"Data set 'wdbc_uci': {address}/api/dataset?id=17 cannot be reached" in said
    assert "`snakemake --cores 8`, needs no network" in said
    assert not (project.folder / "results" / "data" / "wdbc_uci.parquet").exists()
