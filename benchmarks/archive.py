"""What the archived study costs at 50, 200 and 886 tasks of 30 runs, after the download.

A server on this machine makes up the archive: predictions files of 1,000 rows. They are downloaded once, as fast as
the server makes them, and kept. Then, without the server, the study is made from the kept documents at each size, each
time from nothing: every file is read, checked and brought into the study's form, and the tables of areas, measures and
rank disagreement are made. So what is timed is all that follows the download. After the smaller sizes ten tasks are
added, to see that they cost what ten tasks cost. Last, the rest of the largest study, figures and page included.

Memory is sampled three times a second over the engine and all its jobs: the sum of their proportional set sizes, in
which what processes share counts once, and that of their resident set sizes, in which it counts for each.

The tables go to results/benchmarks/archive.csv. The download is taken up where an earlier one in FOLDER was cut off.
Usage: PYTHONPATH=src:tests python benchmarks/archive.py [--folder build/bench-archive] [--tasks 50 200 886]
"""

import argparse
import contextlib
import json
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas as pd
import psutil
import yaml
from tiny_study import ROOT, Project, copy_project

from nontrivial_study.tables import write_table

TABLES = [f"results/tables/{name}.csv" for name in ("curve_areas", "measures", "rank_disagreement")]
MORE = 10


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


class Memory(threading.Thread):
    """Samples the memory of a process and all that descend from it, in MB."""

    def __init__(self, process: int) -> None:
        super().__init__(daemon=True)
        self.root = psutil.Process(process)
        self.proportional = self.resident = 0.0
        self.start()

    def run(self) -> None:
        while self.root.is_running() and self.root.status() != psutil.STATUS_ZOMBIE:
            proportional = resident = 0
            with contextlib.suppress(psutil.Error):
                for process in [self.root, *self.root.children(recursive=True)]:
                    with contextlib.suppress(psutil.Error):
                        memory = process.memory_full_info()
                        proportional, resident = proportional + memory.pss, resident + memory.rss
            self.proportional = max(self.proportional, proportional / 1e6)
            self.resident = max(self.resident, resident / 1e6)
            time.sleep(0.3)


def run(project: Project, *arguments: str) -> dict[str, float]:
    """Run the study and return seconds, jobs and memory."""
    started = time.perf_counter()
    with open(project.folder / "printed.txt", "w+", encoding="utf-8") as printed:
        command = project.command(*arguments)
        process = subprocess.Popen(
            command, cwd=project.folder, env=project.environment, stdout=printed, stderr=subprocess.STDOUT
        )
        memory = Memory(process.pid)
        process.wait()
        seconds = time.perf_counter() - started
        memory.join()
        printed.seek(0)
        text = printed.read()
    if process.returncode:
        sys.exit(f"{' '.join(command)} failed:\n{text[-3000:]}")
    jobs = re.search(r"^total +(\d+)$", text, flags=re.MULTILINE)
    return {
        "seconds": seconds,
        "jobs": int(jobs[1]) if jobs else 0,
        "peak_pss_mb": memory.proportional,
        "peak_rss_mb": memory.resident,
    }


def measure(project: Project, address: str, tasks: int, cores: str) -> dict[str, float]:
    """Make the study of so many tasks from the kept documents, and check that all of it is there."""
    configure(project, address, tasks)
    shutil.rmtree(project.folder / "results", ignore_errors=True)
    row = {"tasks": tasks, "dag_seconds": run(project, "-n", "--quiet")["seconds"]}
    row |= run(project, "--cores", cores, *TABLES)
    check(project, tasks)
    return row


def check(project: Project, tasks: int) -> None:
    areas = pd.read_csv(project.folder / TABLES[0])
    archived = areas[areas["task"].str.startswith("openml_")]
    assert archived["status"].eq("ok").all()
    assert archived.groupby("task").size().tolist() == [30] * tasks


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
    started = time.perf_counter()
    with serving(arguments.folder, sizes[-1]) as address:
        configure(project, address, sizes[-1])
        subprocess.run(
            project.command("--cores", arguments.cores, "--until", "download_archived_runs"),
            cwd=project.folder, env=project.environment, check=True, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
    print(f"Download of {30 * sizes[-1]} files: {time.perf_counter() - started:.0f} s", flush=True)

    rows, grown = [], []
    for tasks in sizes:
        rows.append(measure(project, address, tasks, arguments.cores))
        print(pd.DataFrame(rows).round(1).to_string(index=False), flush=True)
        if tasks + MORE <= sizes[-1]:
            configure(project, address, tasks + MORE)
            grown.append({"tasks": tasks, "added": MORE} | run(project, "--cores", arguments.cores, *TABLES))
            check(project, tasks + MORE)
    table = pd.DataFrame(rows)
    # What a further task costs between two sizes, relative to the first two: 1 where the cost is linear.
    further = table["seconds"].diff() / table["tasks"].diff()
    table["seconds_per_further_task"] = further
    table["to_linear"] = further / further.iloc[1:].head(1).squeeze() if len(sizes) > 1 else float("nan")
    print(table.round(3).to_string(index=False))
    print(pd.DataFrame(grown).round(1).to_string(index=False), flush=True)
    rest = run(project, "--cores", arguments.cores)
    print(f"The rest of the study of {sizes[-1]} tasks, page included: {rest['seconds']:.0f} s")
    write_table(ROOT / "results" / "benchmarks" / "archive.csv", table.round(3))


if __name__ == "__main__":
    main()
