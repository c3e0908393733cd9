"""More tasks cost what is new in them: over real sockets, by requests, by jobs and by what is made again."""

import json
import re

import pandas as pd
import pytest
import yaml
from servers.server import Server
from servers.sets import CLOVER_TASK

TABLE = "results/tables/curve_areas.csv"


@pytest.fixture
def server():
    with Server(archive_tasks=9, archive_rows=60, archive_flows=4) as server:
        yield server


def ask(project, server, **openml):
    """Run the study up to one table with some OpenML tasks, and return what was printed and asked for."""
    path = project.folder / "tiny.yaml"
    tiny = yaml.safe_load(path.read_text("utf-8"))
    paper = yaml.safe_load((project.folder / "config" / "paper.yaml").read_text("utf-8"))
    archive = paper["openml"]["archive"] | {"chunk_tasks": 2, "flows": 4, "run_id_bound": 2000, "always": []}
    archive |= openml.pop("archive", {})
    tiny["downloads"] = paper["downloads"] | {"rate": 1000, "timeout": 5, "patience": 10}
    tiny["openml"] = paper["openml"] | {"api_url": f"{server.address}/api/v1/xml", "data_url": server.address}
    tiny["openml"] |= openml | {"archive": archive}
    path.write_text(yaml.safe_dump(tiny), encoding="utf-8")
    server.requests.clear()
    return project.run("--cores", "2", TABLE)


def times(project, pattern):
    """Return when each file of the results was last written."""
    return {path.name: path.stat().st_mtime_ns for path in project.folder.glob(f"results/{pattern}")}


def tasks_asked_for(server):
    """Return the tasks that the requests since the last run concern."""
    found = set()
    for path in server.requests:
        if match := re.search(r"/(?:task|get)/(\d+)", path):
            found.add(int(match[1]))
        elif match := re.search(r"/xml/run/(\d+)$", path):
            found.add(server.openml.archive.run(int(match[1])).task)
        else:
            assert re.search(r"/data/(v1/download|download|features|qualities)?/?\d+", path), path
    return found


def jobs(result):
    """Return how many jobs of each rule a run had."""
    stats = result.stdout.partition("Job stats:")[2].partition("total")[0]
    return {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", stats, flags=re.MULTILINE)}


def test_more_archived_tasks_cost_the_new_ones(project, server):
    assert ask(project, server, mode="archive", archive={"task_count": 5}).returncode == 0
    whole = {kind: times(project, kind) for kind in ("predictions/archive-*", "scores/*/archive-0[01]*")}
    result = ask(project, server, mode="archive", archive={"task_count": 8})
    assert result.returncode == 0, result.stdout

    drawn = json.loads((project.folder / "results/openml/selection.json").read_text("utf-8"))["tasks"]
    assert len(drawn) == 9
    assert tasks_asked_for(server) == {one["task"] for one in drawn[5:8]}
    assert jobs(result) == {
        "download_archived_runs": 2,  # the one that has room for another task, and a new one
        "calc_curve_areas": 2,
        "collect_curve_areas": 1,
    }
    after = times(project, "predictions/archive-*")
    changed = {name for name in after if after[name] != whole["predictions/archive-*"].get(name)}
    assert changed == {"archive-02.parquet", "archive-03.parquet"}
    assert times(project, "scores/*/archive-0[01]*") == whole["scores/*/archive-0[01]*"]
    areas = pd.read_csv(project.folder / TABLE)
    assert areas["task"].str.startswith("openml_").sum() == 8 * 4
    log = (project.folder / "results/logs/download_archived_runs/archive-02.log").read_text("utf-8")
    assert "archive-02: 4 done" in log  # runs of one task: those of the other were carried over


def test_more_tasks_than_the_archive_has_are_one_sentence(project, server):
    result = ask(project, server, mode="archive", archive={"task_count": 10, "chunk_tasks": 25})
    assert result.returncode != 0
    assert (
        "openml.archive.task_count asks for more tasks than there are; allowed are at most 9" in result.stdout
    )


def test_more_tasks_to_train_on_leave_the_others_as_they_are(project, server):
    first = [CLOVER_TASK, 20_000, 20_001]
    assert ask(project, server, mode="train", tasks=first, chunk_tasks=2).returncode == 0
    before = times(project, "predictions/*-0*.parquet")
    result = ask(project, server, mode="train", tasks=[*first, 20_002, 20_003], chunk_tasks=2)
    assert result.returncode == 0, result.stdout
    assert tasks_asked_for(server) == {20_002, 20_003}
    assert jobs(result)["train_models"] == 2
    after = times(project, "predictions/*-0*.parquet")
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {"openml-01.parquet", "openml-02.parquet"}
    logs = {name: project.folder / f"results/logs/train_models/openml-0{name}.log" for name in range(3)}
    assert "openml_20000: 4 models trained" in logs[0].read_text("utf-8")
    assert logs[1].read_text("utf-8").split(":")[0] == "openml_20002"
    assert "openml_20001" not in logs[1].read_text("utf-8")
    areas = pd.read_csv(project.folder / TABLE)
    assert areas.loc[areas["task"].str.startswith("openml_"), "task"].nunique() == 5
