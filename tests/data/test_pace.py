"""A pace is kept by one process and by several together."""

import multiprocessing
import time

from nontrivial.data.pace import Pace


def ask(folder, times):
    pace = Pace(folder, rate=50)
    for _ in range(times):
        pace.wait("host")


def test_requests_are_spread(tmp_path):
    for folder in (None, tmp_path):
        started = time.monotonic()
        ask(folder, 11)
        assert time.monotonic() - started >= 0.19


def test_processes_keep_one_pace_together(tmp_path):
    started = time.monotonic()
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=ask, args=(tmp_path, 10)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0, 0]
    assert time.monotonic() - started >= 29 / 50


def test_hosts_do_not_wait_for_each_other():
    pace = Pace(None, rate=0.1)
    started = time.monotonic()
    pace.wait("a")
    pace.wait("b")
    assert time.monotonic() - started < 9


def test_a_held_host_waits(tmp_path):
    Pace(tmp_path, rate=1000).hold("host", 0.3)
    started = time.monotonic()
    Pace(tmp_path, rate=1000).wait("host")
    assert time.monotonic() - started >= 0.25
