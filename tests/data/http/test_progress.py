"""The log's lines, and a bar that is for terminals alone."""

import os
import pty
import re
import subprocess
import sys

from nontrivial_study.data.http import progress as module
from nontrivial_study.data.http.client import Client
from nontrivial_study.data.http.progress import progress

STEPS = """
import time
from nontrivial_study.data.http.client import Client
from nontrivial_study.data.http.progress import progress
client = Client()
with progress(3, "OpenML", client) as step:
    for _ in range(3):
        client.counts["requests"] += 2
        time.sleep(0.3)
        step()
"""


def test_the_log_says_at_the_end_what_it_took(capsys):
    with progress(3, "UCI", Client()) as step:
        for _ in range(3):
            step()
    written = capsys.readouterr().err
    assert written.startswith("UCI: 3 done; 0 requests, 0 retries, 0 taken from earlier runs, 0.0 MB; ")
    assert written.count("\n") == 1


def test_the_log_says_on_the_way_how_far_it_is(capsys, monkeypatch):
    monkeypatch.setattr(module, "_BETWEEN_LINES", 0.0)
    clock = iter([0.0, 60.0, 120.0, 121.0])
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    with progress(4, "UCI", Client()) as step:
        step()
        step()
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].startswith("UCI: 1 of 4 done, 03:00 left; 0 requests")
    assert lines[1].startswith("UCI: 2 of 4 done, 02:00 left; 0 requests")


def test_a_terminal_shows_a_bar_with_counts_and_the_time_left():
    outer, inner = pty.openpty()
    process = subprocess.run([sys.executable, "-c", STEPS], stderr=inner, timeout=60)
    os.close(inner)
    shown = b""
    try:
        while piece := os.read(outer, 65536):
            shown += piece
    except OSError:  # how a terminal says that nobody writes to it any more
        pass
    os.close(outer)
    assert process.returncode == 0
    frame = next(frame for frame in shown.decode().split("\r") if " 2/3 " in frame)
    assert re.search(r"OpenML:  67%.* 2/3 \[\d\d:\d\d<\d\d:\d\d, .*requests=4, retries=0", frame)


def test_a_file_in_place_of_a_terminal_gets_no_bar(tmp_path):
    log = tmp_path / "log"
    with log.open("wb") as stream:
        subprocess.run([sys.executable, "-c", STEPS], stderr=stream, timeout=60, check=True)
    assert log.read_text().startswith("OpenML: 3 done; 6 requests")
    assert log.read_text().count("\n") == 1
