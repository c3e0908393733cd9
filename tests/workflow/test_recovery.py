"""Whatever happens to a study, the same command ends in the same bytes."""

import os
import re
import signal
import subprocess
import time

import pytest
from tiny_study import UNSTABLE

from nontrivial_study.provenance.verify import verify_results

RECORD = {"describe_results"}
PAGE = RECORD | {"render_report"}
MISSING = {
    "figures/prg_figure_1.csv": PAGE | {"calc_prg_example", "draw_prg_example", "judge_claims"},
    "code.zip": RECORD | {"archive_code"},
    "run.json": RECORD,
}


@pytest.mark.parametrize("name", MISSING)
def test_only_what_follows_from_a_deleted_file_is_made_again(name, finished_copy):
    (finished_copy.folder / "results" / name).unlink()
    assert finished_copy.would_rerun() == MISSING[name]


def test_a_damaged_file_is_named_and_deleting_it_is_enough(finished, finished_copy):
    results = finished_copy.folder / "results"
    damaged, goal = "predictions/chunk-00.parquet", "scores/measures/chunk-00.parquet"
    times = (results / damaged).stat()
    (results / damaged).write_bytes((results / damaged).read_bytes()[: times.st_size // 2])
    # So that the engine sees no change.
    os.utime(results / damaged, ns=(times.st_atime_ns, times.st_mtime_ns))
    (results / goal).unlink()
    failed = finished_copy.run("--cores", "2", f"results/{goal}")
    assert failed.returncode == 1
    sentence = r" failed: results/(\S+) is damaged[^;]*; delete it and run the same command again\. \(whole log"
    assert re.findall(sentence, failed.stdout) == [damaged]
    (results / damaged).unlink()
    assert finished_copy.run("--cores", "2", f"results/{goal}").returncode == 0
    for name in (damaged, goal):
        assert (results / name).read_bytes() == (finished.folder / "results" / name).read_bytes()


def test_a_killed_study_ends_in_the_same_bytes(finished, project):
    """It dies while models are trained; what a kill at another moment leaves half written is in no record."""
    process = subprocess.Popen(
        project.command("--cores", "2"),
        cwd=project.folder,
        env=project.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    results, deadline = project.folder / "results", time.monotonic() + 200
    while not list(results.glob("logs/train_models/*")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    assert list(results.glob("logs/train_models/*"))
    assert not (results / "run.json").exists()
    (results / "tables").mkdir(exist_ok=True)
    left = results / "tables" / ".exam-abcdefgh.csv"
    left.touch()
    assert project.run("--unlock").returncode == 0
    resumed = project.run("--cores", "2", "--rerun-incomplete")
    assert resumed.returncode == 0, resumed.stdout
    assert left.name not in (results / "manifest-sha256.txt").read_text("utf-8")
    left.unlink()
    one, other = (study.contents(".", but=UNSTABLE) for study in (project, finished))
    assert sorted(name for name in one.keys() | other.keys() if one.get(name) != other.get(name)) == []
    assert verify_results(results).problems == []
