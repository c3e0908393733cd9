"""The tiny study on a real Slurm, through its profile: `tests/slurm/run` starts one and runs these tests on it.

One study meets every mishap. The scripts of its copy call `mishaps.py`, and so do those of the local study that it is
compared with, where nothing happens.
"""

import os
import re
import shlex
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml
from servers.server import Server
from tiny_study import PARTS, Project, copy_project

from nontrivial_study.provenance.verify import verify

pytestmark = pytest.mark.skipif(
    os.environ.get("NONTRIVIAL_SLURM") != "1", reason="needs a Slurm of its own: tests/slurm/run"
)

ROOT = Path(__file__).parents[2]
PROFILE = ["--profile", "workflow/profiles/slurm"]
THIS_CLUSTER = ["--slurm-status-command", "squeue", "--slurm-init-seconds-before-status-checks", "1"]

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
HELD = {  # a rule that is held up, and the line of its script before which it is
    "prepare_bundled_data": "from nontrivial",
    "train_models": "        yield TaskPredictions(",  # after its first task
    "calc_losses": "from nontrivial",
}
SLOW = "calc_losses"
FILLS = "calc_exam"


@dataclass
class Seen:
    """What was seen of the study on the cluster."""

    project: Project
    left_after_interrupt: str
    slow_asked: str
    jobs: list[dict[str, str]]

    def of(self, rule: str) -> list[dict[str, str]]:
        """Return what Slurm says of the jobs of a rule or group, in the order in which they were sent."""
        return [job for job in self.jobs if re.match(rf"rule_{rule}(_|$)", job["Comment"])]


def slurm(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def slurm_jobs() -> list[dict[str, str]]:
    lines = slurm("scontrol", "--oneliner", "show", "job").splitlines()
    jobs = [dict(re.findall(r"(\w+)=(\S*)", line)) for line in lines if line.startswith("JobId=")]
    return sorted(jobs, key=lambda job: int(job["JobId"]))


def megabytes(memory: str) -> float:
    """Read an amount of memory as Slurm prints it, such as ``700M`` or ``2G``."""
    return float(memory[:-1]) * {"M": 1, "G": 1024}[memory[-1]]


def minutes(limit: str) -> int:
    """Read a time limit as Slurm prints it: ``[days-]hours:minutes:seconds``."""
    days, _, clock = limit.rpartition("-")
    hours, minutes, _ = clock.split(":")
    return (int(days or 0) * 24 + int(hours)) * 60 + int(minutes)


def wait_for(what, seconds: float = 300):
    """Return what a function returns as soon as that is true."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if found := what():
            return found
        time.sleep(0.2)
    raise AssertionError(f"waited {seconds} s in vain")


def held_job(project: Project, rule: str) -> str:
    """Return the number of the job in which a rule is held up."""
    note = project.folder / "notes" / rule
    return wait_for(lambda: note.exists() and note.read_text(encoding="utf-8"))


def whole(project: Project) -> dict[str, bytes]:
    """Return every result but those of one run: logs, benchmarks, its record, and the crate, which quotes its times.

    Of the manifest, the line that has the crate's digest is left out.
    """
    contents = {
        name: content
        for name, content in project.contents(".").items()
        if not re.match("logs/|benchmarks/|run.json|ro-crate-metadata.json", name)
    }
    lines = contents["manifest-sha256.txt"].splitlines(keepends=True)
    contents["manifest-sha256.txt"] = b"".join(
        line for line in lines if not line.endswith(b"ro-crate-metadata.json\n")
    )
    return contents


@pytest.fixture(scope="module")
def prepared(tmp_path_factory) -> Project:
    """A copy with scripts that meet mishaps."""
    project = copy_project(tmp_path_factory.mktemp("prepared") / "project")
    (project.folder / "src" / "mishaps.py").write_text(MISHAPS, encoding="utf-8")
    (project.folder / "notes").mkdir()
    for rule, line in HELD.items():
        indent = line[: -len(line.lstrip())] if line[0] == " " else ""
        hold = f'{indent}import mishaps; mishaps.hold("{rule}")\n'
        project.edit(f"workflow/scripts/{rule}.py", line, hold + line)
    fill = f'import mishaps; mishaps.fill("{FILLS}", snakemake.resources.mem_mb)\n'
    project.edit(f"workflow/scripts/{FILLS}.py", "from nontrivial", fill + "from nontrivial")
    return project


def start(project: Project, *arguments: str) -> subprocess.Popen:
    """Start a study whose output goes to the end of a file of the project."""
    with (project.folder / "output.txt").open("a") as stream:
        return subprocess.Popen(
            project.command(*arguments),
            cwd=project.folder,
            env=project.environment,
            stdout=stream,
            stderr=stream,
            # A process that a shell started in the background ignores interrupts, and hands that down.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )


def printed(project: Project) -> str:
    return (project.folder / "output.txt").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def beside(prepared, tmp_path_factory):
    """The study on this machine, where every mishap is already over; it runs while the cluster is waited for."""
    project = copy_project(tmp_path_factory.mktemp("local") / "project", prepared.folder, COPIED)
    for rule in [*HELD, FILLS]:
        (project.folder / "notes" / rule).write_text("0", encoding="utf-8")
    process = start(project, "--cores", "1")
    yield project, process
    process.kill()


@pytest.fixture(scope="module")
def local(beside) -> Project:
    project, process = beside
    assert process.wait(timeout=900) == 0, printed(project)
    return project


@pytest.fixture(scope="module")
def seen(prepared, beside, tmp_path_factory) -> Seen:
    project = copy_project(tmp_path_factory.mktemp("cluster") / "project", prepared.folder, COPIED)
    study = start(project, *PROFILE, *THIS_CLUSTER)
    try:
        held_job(project, "prepare_bundled_data")
        study.send_signal(signal.SIGINT)
        assert study.wait(timeout=60) != 0
        left = slurm("squeue", "--noheader", "--states", "PENDING,RUNNING")

        study = start(project, *PROFILE, *THIS_CLUSTER)
        slurm("scancel", held_job(project, "train_models"))
        slow = held_job(project, SLOW)
        asked = next(job["TimeLimit"] for job in slurm_jobs() if job["JobId"] == slow)
        # A little later than now: the controller refuses a time that is past when it reads it.
        slurm("scontrol", "update", f"JobId={slow}", "EndTime=now+5")
        assert study.wait(timeout=900) == 0, printed(project)
    finally:
        study.kill()
    return Seen(project, left, asked, slurm_jobs())


def test_results_are_those_of_a_local_study_to_the_byte(seen, local):
    here, there = whole(local), whole(seen.project)
    assert sorted(there) == sorted(here)
    assert [name for name in here if there[name] != here[name]] == []
    assert {"manifest-sha256.txt", "tables/measures.csv", "report/index.html"} <= set(here)
    for project in (seen.project, local):
        assert verify(project.folder / "results").problems == []


def test_an_interrupted_study_leaves_no_jobs_and_is_taken_up(seen):
    assert seen.left_after_interrupt.split() == []
    assert [job["JobState"] for job in seen.of("prepare_bundled_data")] == ["CANCELLED", "COMPLETED"]


def test_a_cancelled_job_is_sent_again(seen):
    states = [job["JobState"] for job in seen.of("train_models")]
    assert states.count("CANCELLED") == 1
    assert set(states) == {"CANCELLED", "COMPLETED"}


def test_a_job_out_of_memory_is_sent_again_with_twice_as_much(seen):
    first, second = seen.of(FILLS)[-2:]
    assert (first["JobState"], second["JobState"]) == ("FAILED", "COMPLETED")
    assert "Exceeded job memory limit" in Path(first["StdOut"]).read_text(encoding="utf-8")
    asked = int((seen.project.folder / "notes" / FILLS).read_text(encoding="utf-8"))
    assert [megabytes(job["MinMemoryNode"]) for job in (first, second)] == [asked, 2 * asked]


def test_a_job_out_of_time_is_sent_again_with_twice_as_much(seen):
    first, second = seen.of(SLOW)
    assert (first["JobState"], second["JobState"]) == ("TIMEOUT", "COMPLETED")
    assert minutes(second["TimeLimit"]) == 2 * minutes(seen.slow_asked) > 0


def test_jobs_of_seconds_go_together(seen):
    for group in ("scores", "closing"):
        assert [(job["JobState"], job["NumCPUs"]) for job in seen.of(group)] == [("COMPLETED", "1")], group


def test_downloads_stay_on_this_machine(tmp_path):
    project = copy_project(tmp_path / "project")
    (tmp_path / "index.csv").write_text("name,file,format\n", encoding="ascii")
    tiny = yaml.safe_load((project.folder / "tiny.yaml").read_text(encoding="utf-8"))
    paper = yaml.safe_load((project.folder / "config" / "paper.yaml").read_text(encoding="utf-8"))
    before = {job["JobId"] for job in slurm_jobs()}
    with Server(tmp_path, archive_tasks=3) as server:
        places = {"api_url": f"{server.address}/api/v1/xml", "data_url": server.address}
        tiny |= {"downloads": paper["downloads"], "openml": paper["openml"] | places | {"tasks": [20_000]}}
        (project.folder / "tiny.yaml").write_text(yaml.safe_dump(tiny), encoding="utf-8")
        target = "results/predictions/openml-00.parquet"
        result = project.run(*PROFILE, *THIS_CLUSTER, "--quiet", "reason", "--", target)
    assert result.returncode == 0, result.stdout
    assert (project.folder / target).exists()
    assert "localrule download_openml_tasks_openml_00" in result.stdout
    sent = [job["Comment"] for job in slurm_jobs() if job["JobId"] not in before]
    assert sent == ["rule_train_models_wildcards_openml-00"]


def test_the_documented_command_for_other_schedulers(local, tmp_path):
    project = copy_project(tmp_path / "project")
    page = (ROOT / "docs" / "how-to" / "cluster.md").read_text(encoding="utf-8")
    command = shlex.split(re.search(r"^snakemake (.*--executor cluster-generic.*)$", page, re.MULTILINE)[1])
    result = project.run(*command, "--quiet", "reason", "--", "results/tables/exam.csv")
    assert result.returncode == 0, result.stdout
    assert len(re.findall("with external jobid '[0-9]+'", result.stdout)) == 1
    assert project.contents("tables").items() <= local.contents("tables").items()
