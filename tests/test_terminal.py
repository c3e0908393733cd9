"""What reaches a terminal, whatever comes from files."""

import contextlib
import json
import os
import pty
import subprocess
import sys

import pytest

from nontrivial.terminal import json_text, listed, visible

CODES = "a\x1b[31mb\x9b31m\x1b]0;title\x07\nforged\u202egnp.exe\u2066\x00\x7f\u2028\udcff\u00a0"


def test_what_is_no_glyph_is_escaped():
    assert visible(CODES).isprintable()
    assert visible("é ö 漢 label") == "é ö 漢 label"


def test_json_is_ascii_and_means_the_same():
    text = json_text({CODES: "é"})
    assert text.isascii()
    assert "\x1b" not in text
    assert json.loads(text) == {CODES: "é"}


def test_lists_in_sentences_are_bounded():
    assert len(listed("x" * 1000 for _ in range(10_000))) < 2000


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("err", [True, False])
def test_what_the_terminal_cannot_show_is_replaced(encoding, err):
    command = f"from nontrivial.terminal import say; say(['é 漢', 'a\\x1bb'], err={err})"
    process = subprocess.run(
        [sys.executable, "-c", command],
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": encoding},
        check=True,
    )
    written = process.stderr if err else process.stdout
    assert written == "é 漢\na\\x1bb\n".encode(encoding, "backslashreplace")


WAITING = """
import sys, time
from nontrivial.terminal import waiting

with waiting("Reading \\x1b[31mpatients.csv", "rows") as count:
    count(2500)
    count(500)
    time.sleep(float(sys.argv[1]))
print("done")
"""


@pytest.mark.parametrize(("seconds", "seen"), [("0", False), ("2.6", True)])
def test_a_terminal_says_what_takes_over_two_seconds_and_erases_it(seconds, seen):
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, seconds], stdin=slave, stdout=slave, stderr=slave
    ) as process:
        os.close(slave)
        shown = b""
        with contextlib.suppress(OSError):  # its end, on Linux
            while part := os.read(master, 1000):
                shown += part
    os.close(master)
    assert process.returncode == 0
    assert (b"\\x1b[31mpatients.csv: 3,000 rows, 00:02" in shown) == seen
    assert b"\x1b[31m" not in shown
    before, _, last = shown.rstrip().rpartition(b"\r")
    assert last == b"done"
    assert before.rpartition(b"\r")[2].strip() == b""


def test_no_terminal_no_sign_of_it():
    run = subprocess.run([sys.executable, "-c", WAITING, "2.6"], capture_output=True, check=True)
    assert (run.stdout, run.stderr) == (b"done\n", b"")
