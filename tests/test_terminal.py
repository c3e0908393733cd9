"""What reaches a terminal, where the command writes, and which extra it lacks."""

import contextlib
import json
import os
import pty
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from nontrivial.terminal import EXTRA_OF_MODULE, check_output_path, json_text, printable, write_output

CODES = "a\x1b[31mb\x9b31m\x1b]0;title\x07\nforged\u202egnp.exe\u2066\x00\x7f\u2028\udcff\u00a0"


def test_what_is_no_glyph_is_escaped_in_text_and_json():
    assert printable(CODES).isprintable()
    for text in ("é ö 漢 label", "می\u200cروم", "👩\u200d🔬"):
        assert printable(text) == text
    text = json_text({CODES: "é"})
    assert text.isascii()
    assert "\x1b" not in text
    assert json.loads(text) == {CODES: "é"}


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
@pytest.mark.parametrize("err", [True, False])
def test_what_the_terminal_cannot_show_is_replaced(encoding, err):
    code = f"from nontrivial.terminal import print_lines; print_lines(['é 漢', 'a\\x1bb'], err={err})"
    command = [sys.executable, "-c", code]
    encoded = os.environ | {"PYTHONIOENCODING": encoding}
    process = subprocess.run(command, capture_output=True, env=encoded, check=True)
    written = process.stderr if err else process.stdout
    assert written == "é 漢\na\\x1bb\n".encode(encoding, "backslashreplace")


WAITING = """
import sys, time
from nontrivial.terminal import announce_long_work

with announce_long_work("Reading \\x1b[31mpatients.csv"):
    time.sleep(float(sys.argv[1]))
print("done")
"""


@pytest.mark.parametrize(("seconds", "seen"), [("0", False), ("2.6", True)])
def test_a_terminal_says_what_takes_over_two_seconds_and_erases_it(seconds, seen):
    master, slave = pty.openpty()
    command = [sys.executable, "-c", WAITING, seconds]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave) as process:
        os.close(slave)
        shown = b""
        with contextlib.suppress(OSError):  # its end, on Linux
            while part := os.read(master, 1000):
                shown += part
    os.close(master)
    assert process.returncode == 0
    assert (b"\\x1b[31mpatients.csv: 00:02" in shown) == seen
    assert b"\x1b[31m" not in shown
    before, _, last = shown.rstrip().rpartition(b"\r")
    assert last == b"done"
    assert before.rpartition(b"\r")[2].strip() == b""
    piped = subprocess.run(command, capture_output=True, check=True)
    assert (piped.stdout, piped.stderr) == (b"done\n", b"")


# places to write to


def test_a_link_stays_its_target_is_written_and_so_is_a_pipe(tmp_path):
    target, link, pipe = tmp_path / "target.txt", tmp_path / "link.txt", tmp_path / "pipe"
    link.symlink_to("target.txt")
    for text in ("first\n", "second\n"):  # there is no target at first
        write_output(str(link), text)
        assert link.is_symlink()
        assert target.read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.txt", "target.txt"]
    os.mkfifo(pipe)
    got = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    write_output(str(pipe), "text\n")
    reader.join(10)
    assert got == ["text\n"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_the_file_that_is_read_and_places_that_cannot_be_written_are_refused(tmp_path, monkeypatch):
    read = tmp_path / "read.csv"
    read.write_text("y,p\n")
    (tmp_path / "soft").symlink_to(read)
    os.link(read, tmp_path / "hard")
    (tmp_path / "folder").mkdir()
    (tmp_path / "dangling").symlink_to("absent/file")
    monkeypatch.chdir(tmp_path)
    same = ["read.csv", "soft", "hard", "folder/../read.csv", str(read)]
    for path in [*same, ".", "folder", "dangling", "absent/file"]:
        with pytest.raises(ValueError, match=r"^--output is") as error:
            check_output_path(path, reads=Path("read.csv"), name="--output")
        assert repr(path) in str(error.value)
    check_output_path(str(tmp_path / "new.csv"), reads=read, name="--output")
    check_output_path(None, reads=read, name="--output")


# extras

BARE = f"import sys\nfor module in {list(EXTRA_OF_MODULE)!r}:\n    sys.modules[module] = None\n"
PACKAGES = """
import nontrivial.curves, nontrivial.displays, nontrivial.measures
for package in (nontrivial.curves, nontrivial.displays, nontrivial.measures):
    for name in package.__all__:
        getattr(package, name)
from nontrivial.cli import main
main(["published", "--error", "0.273", "--positives", "81", "--n", "306"])
"""
MISSING = """
from nontrivial.cli import main
from nontrivial.displays import CostCurveDisplay, VennDisplay
from nontrivial.measures import published_scores_possible

def possible(**design):
    published_scores_possible({"accuracy": "0.9"}, positives=10, n=100, **design)

possible()
for run in (
    lambda: main(["score", "predictions.csv"]),
    lambda: main(["claims", "claims.yaml"]),
    lambda: CostCurveDisplay.from_predictions([0, 1], [0, 1]),
    lambda: VennDisplay(1, 2, 3, 4).plot(),
    lambda: possible(folds=5, average="mean"),
):
    try:
        run()
    except (SystemExit, ImportError) as error:
        print(type(error).__name__, error, file=sys.stderr)
"""


def test_whatever_needs_an_extra_names_it_and_the_rest_needs_none():
    def run(code):
        return subprocess.run([sys.executable, "-c", BARE + code], capture_output=True, text=True)

    done = run(PACKAGES)
    assert (done.returncode, done.stderr) == (0, "")
    score, scored, claims, judged, curve, diagram, possible = run(MISSING).stderr.splitlines()
    assert "nontrivial[cards]" in score
    assert "nontrivial[claims]" in claims
    assert scored == judged == "SystemExit 2"
    assert curve == diagram
    assert curve.startswith("ModuleNotFoundError matplotlib ")
    assert "nontrivial[published]" in possible
