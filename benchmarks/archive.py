"""What the archived study costs at 50, 200 and 886 tasks of 30 runs, after the download.

A server on this machine makes up the archive: predictions files of 1,000 rows, which are downloaded once and kept.
Then, without the server, the study is made from the kept documents at each size, each time from nothing, up to the
tables of areas, measures and rank disagreement. What a further task costs between two sizes is compared with the first
two.

The table goes to results/benchmarks/archive.csv. A download that was cut off is taken up again.
Usage: PYTHONPATH=src:tests python -m benchmarks.archive [--tasks 50 200 886]
"""

import argparse
import contextlib
import json
import shutil
import subprocess
import sys

import pandas as pd
import yaml
from tiny_study import ROOT, Project, copy_project

from benchmarks.study import TABLES, used
from nontrivial_study.tables import write_table

FOLDER = ROOT / "build" / "bench-archive"


@contextlib.contextmanager
def serving(tasks: int):
    """Start the server, on the port that it had before: what was downloaded is known by its address."""
    note = FOLDER / "port"
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
    services = {"mode": "archive", "api_url": f"{address}/api/v1/xml", "data_url": address}
    tiny |= {"downloads": limits, "openml": paper["openml"] | services | {"archive": archive}}
    path.write_text(yaml.safe_dump(tiny), encoding="utf-8")


def measure(project: Project, address: str, tasks: int) -> dict[str, float]:
    """Make the study of so many tasks from the kept documents, and check that all of it is there."""
    configure(project, address, tasks)
    shutil.rmtree(project.folder / "results", ignore_errors=True)
    seconds = run(project, *TABLES)
    areas = pd.read_csv(project.folder / TABLES[0])
    archived = areas[areas["task"].str.startswith("openml_")]
    assert archived["status"].eq("ok").all()
    assert archived.groupby("task").size().tolist() == [30] * tasks
    return {"tasks": tasks, "seconds": seconds}


def run(project: Project, *arguments: str) -> float:
    return used(project.folder, *project.command("--cores", "2", *arguments)[1:])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, nargs="+", default=[50, 200, 886])
    sizes = sorted(parser.parse_args().tasks)
    FOLDER.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(FOLDER / "project", ignore_errors=True)
    project = copy_project(FOLDER / "project")
    with serving(sizes[-1]) as address:
        configure(project, address, sizes[-1])
        run(project, "--until", "download_archived_runs")
    table = pd.DataFrame([measure(project, address, tasks) for tasks in sizes])
    further = table["seconds"].diff() / table["tasks"].diff()
    table["seconds_per_further_task"] = further
    table["to_linear"] = further / further.iloc[1:].head(1).squeeze() if len(sizes) > 1 else float("nan")
    print(table.round(3).to_string(index=False))
    write_table(ROOT / "results" / "benchmarks" / "archive.csv", table.round(3))


if __name__ == "__main__":
    main()
