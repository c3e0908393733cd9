"""Work in a process apart: results in order, and what takes too long or ends its process is lost alone."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest

from nontrivial_study.experiments.tasks.subprocess_pool import Failure, run_in_subprocess


def test_results_come_in_order_and_from_another_process():
    results = list(run_in_subprocess(lambda piece: (piece, os.getpid()), range(5), seconds=60))
    assert [piece for piece, _ in results] == list(range(5))
    assert len({process for _, process in results}) == 1
    assert os.getpid() not in {process for _, process in results}


def compute_for_ages(piece):
    """Stay in one call of compiled code, which never lets another thread or a handler of signals in."""
    return bool(re.match(r"(a+)+$", "a" * 60 + "b")) if piece == 1 else piece


def test_compiled_work_past_its_limit_is_ended_and_the_next_goes_on():
    started = time.monotonic()
    assert list(run_in_subprocess(compute_for_ages, range(3), seconds=1)) == [
        0,
        Failure("exceeded its limit of 1 s"),
        2,
    ]
    assert time.monotonic() - started < 30


@pytest.mark.parametrize(
    ("end", "reason"),
    [
        (
            lambda: os.kill(os.getpid(), signal.SIGKILL),
            "had its process ended by SIGKILL, as the system does when memory runs out",
        ),
        (lambda: os.kill(os.getpid(), signal.SIGTERM), "had its process ended by SIGTERM"),
        (lambda: os._exit(3), "had its process end with exit code 3; the log has more"),
    ],
)
def test_a_process_that_ends_loses_one_piece(end, reason):
    results = list(run_in_subprocess(lambda piece: end() if piece == 1 else piece, range(4), seconds=60))
    assert results == [0, Failure(reason), 2, 3]


def test_a_stray_kill_loses_nothing(tmp_path):
    def work(piece):
        if piece == 1 and not (tmp_path / "killed").exists():
            (tmp_path / "killed").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return piece

    assert list(run_in_subprocess(work, range(3), seconds=60)) == [0, 1, 2]


def test_nobody_is_left_when_the_reader_stops():
    results = run_in_subprocess(lambda piece: (os.getpid(), time.sleep(piece))[0], [0, 600], seconds=None)
    process = next(results)
    results.close()
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


def test_a_worker_does_not_outlive_its_parent():
    code = (
        "import os, time\nfrom nontrivial_study.experiments.tasks.subprocess_pool import run_in_subprocess\n"
        "work = lambda piece: time.sleep(600) if piece else os.getpid()\n"
        "results = run_in_subprocess(work, [0, 1], None)\nprint(next(results), flush=True)\nnext(results)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    worker = int(parent.stdout.readline())
    parent.kill()
    parent.wait()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and is_running(worker):
        time.sleep(0.02)
    assert not is_running(worker)


def is_running(process: int) -> bool:
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as stream:
            # Whoever adopts it may be slow to notice its end.
            return stream.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False
