"""More tasks cost what is new in them: over real sockets, by requests, by jobs and by what is made again."""

import json
import re

import pandas as pd
import pytest
import yaml
from servers.server import Server
from servers.sets import CLOVER_TASK


@pytest.fixture
def server():
    with Server(archive_tasks=7, archive_rows=60, archive_flows=4) as server:
        yield server


def ask(project, server, *goals, **openml):
    """Run the study up to some files with settings for OpenML, and return what was printed."""
    path = project.folder / "tiny.yaml"
    tiny = yaml.safe_load(path.read_text("utf-8"))
    paper = yaml.safe_load((project.folder / "config" / "paper.yaml").read_text("utf-8"))
    archive = paper["openml"]["archive"] | {"chunk_tasks": 2, "flows": 4, "run_id_bound": 2000, "always": []}
    archive |= openml.pop("archive", {})
    tiny["downloads"] = paper["downloads"] | {"rate": 1000, "timeout": 60, "patience": 600}
    tiny["openml"] = paper["openml"] | {"api_url": f"{server.address}/api/v1/xml", "data_url": server.address}
    tiny["openml"] |= openml | {"archive": archive}
    path.write_text(yaml.safe_dump(tiny), encoding="utf-8")
    server.requests.clear()
    return project.run("--cores", "2", *goals)


def times(project):
    """Return when each result was last written."""
    results = project.folder / "results"
    files = [path for path in results.rglob("*") if path.is_file()]
    times = {path.relative_to(results).as_posix(): path.stat().st_mtime_ns for path in files}
    return {name: time for name, time in times.items() if not name.startswith(("logs/", "benchmarks/"))}


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
    goals = [f"results/scores/curve_areas/archive-0{number}.parquet" for number in range(3)]
    assert ask(project, server, *goals[:2], mode="archive", archive={"task_count": 3}).returncode == 0
    before, asked = times(project), set(server.requests)
    result = ask(project, server, *goals, mode="archive", archive={"task_count": 6})
    assert result.returncode == 0, result.stdout
    assert not asked & set(server.requests)

    drawn = json.loads((project.folder / "results/openml/selection.json").read_text("utf-8"))["tasks"]
    assert len(drawn) == 7
    assert tasks_asked_for(server) == {one["task"] for one in drawn[3:6]}
    # The batch that has room for another task, and a new one.
    assert jobs(result) == {"download_archived_runs": 2, "calc_scores": 2}
    after = times(project)
    changed = {name for name in after if after[name] != before.get(name)}
    assert changed == {
        f"{place}/archive-0{number}.{kind}"
        for place, kind in [
            *[("predictions", "parquet"), ("openml", "json")],
            *[("scores/curve_areas", "parquet"), ("scores/measures", "parquet")],
        ]
        for number in (1, 2)
    }
    areas = pd.concat(pd.read_parquet(project.folder / goal) for goal in goals)
    assert areas.groupby("task", sort=False).size().to_dict() == {
        f"openml_{one['task']}": 4 for one in drawn[:6]
    }
    log = (project.folder / "results/logs/download_archived_runs/archive-01.log").read_text("utf-8")
    assert "archive-01: 4 done" in log  # runs of one task: those of the other were carried over


@pytest.mark.rehearsal
def test_more_tasks_to_train_on_leave_the_others_as_they_are(project, server):
    first = [CLOVER_TASK, 20_000, 20_001]
    goals = [f"results/predictions/openml-0{number}.parquet" for number in range(3)]
    assert ask(project, server, *goals[:2], mode="train", tasks=first, chunk_tasks=2).returncode == 0
    before = times(project)
    result = ask(project, server, *goals, mode="train", tasks=[*first, 20_002, 20_003], chunk_tasks=2)
    assert result.returncode == 0, result.stdout
    assert tasks_asked_for(server) == {20_002, 20_003}
    assert jobs(result)["train_models"] == 2
    after = times(project)
    assert after["predictions/openml-00.parquet"] == before["predictions/openml-00.parquet"]
    logs = [
        (project.folder / f"results/logs/train_models/openml-0{number}.log").read_text("utf-8")
        for number in range(3)
    ]
    trained = [re.findall(r"^training 5 models on (\w+)", log, flags=re.MULTILINE) for log in logs]
    assert trained == [[f"openml_{CLOVER_TASK}", "openml_20000"], ["openml_20002"], ["openml_20003"]]
    kept = pd.read_parquet(project.folder / goals[1])
    assert kept["task"].unique().tolist() == ["openml_20001", "openml_20002"]


def test_rules_of_thousands_of_inputs_name_them_as_texts(project):
    """Where they name other rules' outputs as such, planning takes the square of their number."""
    rules = (project.folder / "workflow" / "rules" / "audit.smk").read_text("utf-8")
    names = ("collect_scores", "judge_claims", "render_report", "describe_results")
    count = f"print('NAMED', [len(one.dependencies) for one in workflow.rules if one.name in {names}], file=sys.stderr)"
    (project.folder / "workflow" / "rules" / "audit.smk").write_text(f"{rules}\n\n{count}\n", "utf-8")
    assert "NAMED [0, 0, 0, 0]" in project.run("-n", "--quiet").stdout
