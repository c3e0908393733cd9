"""What planning a study costs: a dry run of the tiny study with so many OpenML tasks to train on, and as many archived.

Usage: PYTHONPATH=src:tests python benchmarks/plan.py [--tasks 10000] [--mode train archive]
"""

import argparse
import resource
import subprocess
import tempfile
import time
from pathlib import Path

import yaml
from tiny_study import Project, copy_project


def ask_for(project: Project, mode: str, tasks: int) -> None:
    """Let the tiny study have so many tasks of OpenML."""
    path = project.folder / "tiny.yaml"
    tiny = yaml.safe_load(path.read_text("utf-8"))
    paper = yaml.safe_load((project.folder / "config" / "paper.yaml").read_text("utf-8"))
    archive = paper["openml"]["archive"] | {"task_count": tasks, "always": []}
    numbers = list(range(1, tasks + 1))
    tiny |= {"downloads": paper["downloads"]}
    tiny["openml"] = paper["openml"] | {"mode": mode, "tasks": numbers, "archive": archive}
    path.write_text(yaml.safe_dump(tiny), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=10_000)
    parser.add_argument("--mode", nargs="+", default=["archive", "train"])
    arguments = parser.parse_args()
    for mode in arguments.mode:
        with tempfile.TemporaryDirectory() as folder:
            project = copy_project(Path(folder) / "project")
            ask_for(project, mode, arguments.tasks)
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            subprocess.run(
                project.command("-n", "--quiet"), cwd=project.folder, env=project.environment, check=True,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            used, seconds = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter() - started
            cpu = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
            print(f"{mode}: {seconds:.0f} s, {cpu:.0f} s of CPU, peak {used.ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
