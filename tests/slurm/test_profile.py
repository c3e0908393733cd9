"""The tiny study on a real Slurm, through its profile: `tests/slurm/run` starts one and runs these tests on it.

One study meets two mishaps. The scripts of its copy call `mishaps.py`, and so do those of the local study that it is
compared with, where nothing happens.
"""

import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tiny_study import PARTS, UNSTABLE, Project, copy_project

from nontrivial_study.provenance.verify import verify_results

pytestmark = pytest.mark.skipif(
    os.environ.get("NONTRIVIAL_SLURM") != "1", reason="needs a Slurm of its own: tests/slurm/run"
)

ROOT = Path(__file__).parents[2]
CLUSTER = ["--profile", "workflow/profiles/slurm", "--slurm-status-command", "squeue"]
CLUSTER += ["--slurm-init-seconds-before-status-checks", "1"]
MISHAPS = '''
import os
import time
from pathlib import Path


def first(rule, note):
    path = Path("notes", rule)
    new = not path.exists()
    if new:
        path.write_text(str(note))
    return new


def hold(rule):
    """Come to a stop the first time, and leave a note of the job's number."""
    if first(rule, os.environ.get("SLURM_JOB_ID")):
        time.sleep(600)


def fill(rule, megabytes):
    """Use as much memory as the first job asked for, every time."""
    first(rule, megabytes)
    ballast = b"x" * (int(Path("notes", rule).read_text()) << 20)
    time.sleep(5 if ballast else 0)
'''
COPIED = [*PARTS, "tiny.yaml", "notes"]
HELD, FILLS = "prepare_bundled_data", "calc_exam"


def slurm(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Project:
    """A copy with scripts that meet mishaps."""
    project = copy_project(tmp_path_factory.mktemp("prepared") / "project")
    (project.folder / "src" / "mishaps.py").write_text(MISHAPS, encoding="utf-8")
    (project.folder / "notes").mkdir()
    mishaps = {
        (HELD, HELD): f"hold({HELD!r})",
        (FILLS, "calc_experiment"): f"fill({FILLS!r}, snakemake.resources.mem_mb)",
    }
    for (rule, script), call in mishaps.items():
        lines = f"import mishaps\nif snakemake.rule == {rule!r}:\n    mishaps.{call}\n"
        project.edit(f"workflow/scripts/{script}.py", "from nontrivial", f"{lines}from nontrivial")
    return project


@pytest.fixture(scope="module")
def local(prepared, tmp_path_factory) -> Project:
    """The study on this machine, where every mishap is already over."""
    project = copy_project(tmp_path_factory.mktemp("local") / "project", prepared.folder, COPIED)
    for rule in (HELD, FILLS):
        (project.folder / "notes" / rule).write_text("0", encoding="utf-8")
    result = project.run("--cores", "2")
    assert result.returncode == 0, result.stdout
    return project


@pytest.fixture(scope="module")
def seen(prepared, tmp_path_factory):
    """The study on the cluster, what Slurm had left after an interrupt, and what it says of a rule's jobs, in order."""
    project = copy_project(tmp_path_factory.mktemp("cluster") / "project", prepared.folder, COPIED)
    study = subprocess.Popen(
        project.command(*CLUSTER),
        cwd=project.folder,
        env=project.environment,
        # A process that a shell started in the background ignores interrupts, and hands that down.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        deadline, note = time.monotonic() + 300, project.folder / "notes" / HELD
        while not note.exists() and time.monotonic() < deadline:
            time.sleep(0.2)
        assert note.exists()
        study.send_signal(signal.SIGINT)
        assert study.wait(timeout=60) != 0
    finally:
        study.kill()
    left = slurm("squeue", "--noheader", "--states", "PENDING,RUNNING").split()
    result = project.run(*CLUSTER)
    assert result.returncode == 0, result.stdout
    lines = slurm("scontrol", "--oneliner", "show", "job").splitlines()
    jobs = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in lines if line.startswith("JobId=")]
    jobs.sort(key=lambda job: int(job["JobId"]))
    return project, left, lambda rule: [job for job in jobs if re.match(rf"rule_{rule}(_|$)", job["Comment"])]


def test_results_are_those_of_a_local_study_to_the_byte(seen, local):
    here, there = (study.contents(".", but=UNSTABLE) for study in (local, seen[0]))
    assert sorted(there) == sorted(here)
    assert [name for name in here if there[name] != here[name]] == []
    for project in (seen[0], local):
        assert verify_results(project.folder / "results").problems == []


def test_an_interrupted_study_leaves_no_jobs_and_is_taken_up(seen):
    _, left, jobs_of = seen
    assert left == []
    assert [job["JobState"] for job in jobs_of(HELD)][-1] == "COMPLETED"
    assert "CANCELLED" in [job["JobState"] for job in jobs_of(HELD)]


def test_a_job_out_of_memory_is_sent_again_with_twice_as_much(seen):
    project, _, jobs_of = seen
    first, second = jobs_of(FILLS)[-2:]
    assert (first["JobState"], second["JobState"]) == ("FAILED", "COMPLETED")
    assert "Exceeded job memory limit" in Path(first["StdOut"]).read_text(encoding="utf-8")
    asked = int((project.folder / "notes" / FILLS).read_text(encoding="utf-8"))
    units = {"M": 1, "G": 1024}
    given = [float(job["MinMemoryNode"][:-1]) * units[job["MinMemoryNode"][-1]] for job in (first, second)]
    assert given == [asked, 2 * asked]


def test_jobs_of_seconds_go_together(seen):
    for group in ("scores", "closing"):
        assert [(job["JobState"], job["NumCPUs"]) for job in seen[2](group)] == [("COMPLETED", "1")], group


def test_the_documented_command_for_other_schedulers(local, tmp_path):
    project = copy_project(tmp_path / "project")
    page = (ROOT / "docs" / "how-to" / "cluster.md").read_text(encoding="utf-8")
    command = shlex.split(re.search(r"^snakemake (.*--executor cluster-generic.*)$", page, re.MULTILINE)[1])
    result = project.run(*command, "--quiet", "reason", "--", "results/tables/exam.csv")
    assert result.returncode == 0, result.stdout
    assert len(re.findall("with external jobid '[0-9]+'", result.stdout)) == 1
    assert project.contents("tables").items() <= local.contents("tables").items()
