"""A pace is kept by one process and by several together."""

import multiprocessing
import threading
import time

import pytest

from nontrivial_study.data.http.pace import Held, Pace


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


def test_several_that_are_asked_to_wait_wait_at_the_same_time(tmp_path):
    for _ in range(8):
        Pace(tmp_path, rate=1000).hold("host", 100)
    assert 0 < Pace(tmp_path, rate=1000).held("host") <= 100


def test_a_host_stays_held_when_somebody_waits_for_it(tmp_path):
    pace = Pace(tmp_path, rate=0.01)
    pace.hold("host", 1e6)
    waiting = threading.Thread(target=pace.wait, args=["host"], daemon=True)
    waiting.start()
    waiting.join(0.5)
    assert 86_000 < Pace(tmp_path, rate=0.01).held("host") <= 86_400


def test_a_host_that_is_held_meanwhile_is_waited_for(tmp_path):
    started = time.monotonic()
    Pace(tmp_path, rate=1).wait("host")
    threading.Timer(0.1, lambda: Pace(tmp_path, rate=1).hold("host", 1.5)).start()
    Pace(tmp_path, rate=1).wait("host")
    assert time.monotonic() - started >= 1.5


def test_a_host_that_is_held_meanwhile_for_too_long_is_not_waited_for(tmp_path):
    Pace(tmp_path, rate=1).wait("host")
    threading.Timer(0.1, lambda: Pace(tmp_path, rate=1).hold("host", 15)).start()
    started = time.monotonic()
    with pytest.raises(Held) as caught:
        Pace(tmp_path, rate=1).wait("host", longest=5)
    assert time.monotonic() - started < 10
    assert 10 < caught.value.args[0] <= 15


@pytest.mark.parametrize("note", ["", "1e300 0", "0 1e300", "nonsense", "1 2 3"])
def test_a_note_that_cannot_be_right_holds_nobody_up(note, tmp_path):
    (tmp_path / "host").write_text(note, encoding="ascii")
    assert Pace(tmp_path, rate=1000).wait("host") == 0
