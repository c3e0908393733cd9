"""Killing the tiny study with SIGKILL, where a temporary file has just been made or at any moment, and resuming it.

`python tests/kills.py` does it by hand, in full: every script of the study at its first temporary file, as it begins
and as it ends, then 20 random moments, each time killing another part of the study. It prints a line for each pass.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil
from tiny_study import Project, copy_project

from nontrivial_study.provenance.verify import verify

# What dies: the engine and all its jobs; that, and the engine's own folder; the engine; a job; a process of a job.
WHAT = ("group", "folder", "engine", "job")
UNSTABLE = ("logs/", "benchmarks/", "run.json", "ro-crate-metadata.json", "manifest-sha256.txt")
# It is imported by every Python process of the study, and kills it at the first temporary file of each script once.
HOOK = """
import os, signal, sys, tempfile
from pathlib import Path

os.environ.setdefault("ENGINE", str(os.getpid()))


def kill():
    script = Path(sys.argv[0]).stem.rpartition(".")[2]
    if script not in os.environ["SCRIPTS"].split():
        return
    try:
        Path(os.environ["MARKS"], script).touch(exist_ok=False)
    except FileExistsError:
        return
    engine, what = int(os.environ["ENGINE"]), os.environ["WHAT"]
    if what in ("group", "folder"):
        os.killpg(engine, signal.SIGKILL)
    os.kill(os.getpid() if what == "job" else engine, signal.SIGKILL)


def killing(name, module, before):
    original = getattr(module, name)

    def wrapped(*arguments, **options):
        if before:
            kill()
        result = original(*arguments, **options)
        if not before and options.get("prefix", "").startswith("."):
            kill()
        return result

    setattr(module, name, wrapped)


if os.environ["WHEN"] == "begin":
    killing("mkstemp", tempfile, before=False)
else:
    killing("fsync", os, before=True)
"""


def start(project: Project, *arguments: str, **environment: str) -> subprocess.Popen:
    """Start the study as the leader of a group of processes."""
    return subprocess.Popen(
        project.command("--cores", "2", *arguments),
        cwd=project.folder,
        env=project.environment | environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def kill_at_temporary_files(
    project: Project, scripts: list[str], when: str, first: int = 0, goals: Sequence[str] = ()
) -> list[str]:
    """Run the study, or to some goals, until it is whole, killed at the first temporary file of each script.

    Return what was killed.
    """
    with tempfile.TemporaryDirectory() as folder:
        hooks, marks = Path(folder, "hooks"), Path(folder, "marks")
        hooks.mkdir()
        marks.mkdir()
        (hooks / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
        environment = {
            "PYTHONPATH": f"{hooks}{os.pathsep}{project.environment['PYTHONPATH']}",
            "SCRIPTS": " ".join(scripts),
            "MARKS": str(marks),
            "WHEN": when,
        }
        killed = []
        for attempt in range(first, first + len(scripts) + 1):
            what = WHAT[attempt % len(WHAT)]
            process = start(project, "--rerun-incomplete", *goals, WHAT=what, **environment)
            if process.wait() == 0:
                break
            done = {path.name for path in marks.iterdir()} - {name for name, _ in killed}
            killed += [(name, what) for name in sorted(done)]
            after_kill(project, what)
    return [f"{name} ({what})" for name, what in killed]


def kill_at_random(project: Project, times: int, longest: float, seed: int) -> list[str]:
    """Run the study, kill something of it at random moments, and end with a whole run; return what was killed."""
    draw, killed = random.Random(seed), []
    for _ in range(times):
        what, seconds = draw.choice(WHAT), draw.uniform(1, longest)
        process = start(project, "--rerun-incomplete")
        try:
            if process.wait(seconds) == 0:
                break
        except subprocess.TimeoutExpired:
            pass
        below = psutil.Process(process.pid).children(recursive=True) if process.poll() is None else []
        if what in ("group", "folder") or not below:
            what = what if what == "folder" else "group"
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        else:
            victim = draw.choice(below).pid if what == "job" else process.pid
            try:
                os.kill(victim, signal.SIGKILL)
            except ProcessLookupError:
                what = "nothing"
        process.wait()
        killed.append(f"{what} after {seconds:.1f} s")
        after_kill(project, what)
    return killed


def after_kill(project: Project, what: str) -> None:
    """Do what a user does before the same command again; or lose all that the engine knew."""
    if what == "folder":
        shutil.rmtree(project.folder / ".snakemake")
    else:
        assert project.run("--unlock").returncode == 0


def differences(project: Project, undisturbed: Project, cores: int = 2) -> list[str]:
    """Finish a study and name what is not as in one that was never disturbed."""
    result = project.run("--cores", str(cores), "--rerun-incomplete")
    if result.returncode != 0:
        return [result.stdout]
    one, other = (
        {name: content for name, content in study.contents(".").items() if not name.startswith(UNSTABLE)}
        for study in (project, undisturbed)
    )
    results = project.folder / "results"
    return [
        *sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)),
        *map(str, results.rglob(".*")),
        *map(str, verify(results).problems),
    ]


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    undisturbed = copy_project(folder / "undisturbed")
    assert undisturbed.run("--cores", "2").returncode == 0
    scripts = [path.stem for path in (undisturbed.folder / "workflow" / "scripts").glob("*.py")]
    passes = {
        "at the beginning of a file": lambda study: kill_at_temporary_files(study, scripts, "begin"),
        "at the end of a file": lambda study: kill_at_temporary_files(study, scripts, "end", first=1),
        "at random moments": lambda study: kill_at_random(study, 20, 20, seed=time.time_ns()),
    }
    for number, (name, disturb) in enumerate(passes.items()):
        study = copy_project(folder / str(number))
        killed = disturb(study)
        differ = differences(study, undisturbed)
        print(
            f"{len(killed)} kills {name}: {', '.join(killed)}. Different: {differ or 'nothing'}.", flush=True
        )
        if differ:
            sys.exit(f"The study is left in {study.folder}.")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
