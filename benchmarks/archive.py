"""What the archived study costs at 50, 200 and 886 tasks of 30 runs, after the download.

A server on this machine makes up the archive: predictions files of 1,000 rows, which are downloaded once and kept.
Then, without the server, the study is made from the kept documents at each size, each time from nothing, up to the
tables of areas, measures and rank disagreement. What a further task costs between two sizes is compared with the first
two.

The table goes to results/benchmarks/archive.csv. The download is taken up where an earlier one in FOLDER was cut off.
Usage: PYTHONPATH=src:tests python -m benchmarks.archive [--folder build/bench-archive] [--tasks 50 200 886]
"""

import argparse
import contextlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import yaml
from tiny_study import ROOT, Project, copy_project

from benchmarks.turns import processor_time
from nontrivial_study.tables import write_table

TABLES = [f"results/tables/{name}.csv" for name in ("curve_areas", "measures", "rank_disagreement")]


@contextlib.contextmanager
def serving(folder: Path, tasks: int):
    """Start the server, on the port that it had before: what was downloaded is known by its address."""
    note = folder / "port"
    port = note.read_text("ascii") if note.exists() else "0"
    command = [sys.executable, "-m", "servers", "--archive-tasks", str(tasks), "--port", port]
    with subprocess.Popen(
        command, cwd=ROOT / "tests", stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as server:
        address = json.loads(server.stdout.readline())["address"]
        note.write_text(address.rpartition(":")[2], encoding="ascii")
        yield address
        server.stdin.close()


def configure(project: Project, address: str, tasks: int) -> None:
    """Let the tiny study take its archive from the server."""
    path = project.folder / "tiny.yaml"
    tiny = yaml.safe_load(path.read_text("utf-8"))
    paper = yaml.safe_load((project.folder / "config" / "paper.yaml").read_text("utf-8"))
    limits = {"folder": "../downloads", "rate": 1000, "timeout": 60, "patience": 600}
    archive = paper["openml"]["archive"] | {"task_count": tasks, "run_id_bound": 40_000, "always": []}
    services = {
        "mode": "archive",
        "api_url": f"{address}/api/v1/xml",
        "data_url": address,
        "archive": archive,
    }
    tiny |= {"downloads": limits, "openml": paper["openml"] | services}
    path.write_text(yaml.safe_dump(tiny), encoding="utf-8")


def measure(project: Project, address: str, tasks: int, cores: str) -> dict[str, float]:
    """Make the study of so many tasks from the kept documents, and check that all of it is there."""
    configure(project, address, tasks)
    shutil.rmtree(project.folder / "results", ignore_errors=True)
    started = processor_time()
    run(project, "--cores", cores, *TABLES)
    areas = pd.read_csv(project.folder / TABLES[0])
    archived = areas[areas["task"].str.startswith("openml_")]
    assert archived["status"].eq("ok").all()
    assert archived.groupby("task").size().tolist() == [30] * tasks
    return {"tasks": tasks, "seconds": processor_time() - started}


def run(project: Project, *arguments: str) -> None:
    subprocess.run(
        project.command(*arguments), cwd=project.folder, env=project.environment, check=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "bench-archive")
    parser.add_argument("--tasks", type=int, nargs="+", default=[50, 200, 886])
    parser.add_argument("--cores", default="2")
    arguments = parser.parse_args()
    sizes = sorted(arguments.tasks)
    arguments.folder = arguments.folder.resolve()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(arguments.folder / "project", ignore_errors=True)
    project = copy_project(arguments.folder / "project")
    with serving(arguments.folder, sizes[-1]) as address:
        configure(project, address, sizes[-1])
        run(project, "--cores", arguments.cores, "--until", "download_archived_runs")
    table = pd.DataFrame([measure(project, address, tasks, arguments.cores) for tasks in sizes])
    further = table["seconds"].diff() / table["tasks"].diff()
    table["seconds_per_further_task"] = further
    table["to_linear"] = further / further.iloc[1:].head(1).squeeze() if len(sizes) > 1 else float("nan")
    print(table.round(3).to_string(index=False))
    write_table(ROOT / "results" / "benchmarks" / "archive.csv", table.round(3))


if __name__ == "__main__":
    main()
