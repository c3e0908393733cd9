"""The command with strange arguments: one sentence on stderr, and nothing that a terminal would obey."""

import json
import os
import re
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from nontrivial.cli import main

COMMAND = [sys.executable, "-c", "from nontrivial.cli import main; main(prog_name='nontrivial')"]
ESCAPES = "\x1b[31m\x9b1m\x1b]0;t\x07\u202e"
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def assert_plain(text):
    assert not FORBIDDEN.search(text), text


def assert_one_sentence(*arguments):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert isinstance(result.exception, SystemExit), result.exception
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("nontrivial: ")
    assert result.stderr.count("\n") == 1
    assert len(result.stderr) < 2500
    assert_plain(result.stderr)
    return result.stderr


@pytest.fixture
def predictions(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("y,p\n" + "1,0.9\n0,0.2\n" * 20)
    return path


COUNTS = ["1" + "0" * 400, "1" * 5000, "-5", "1_0", "\N{FULLWIDTH DIGIT ONE}0", "0x10", "1e3", "", " ", "nan"]
SHARES = [
    "0." + "3" * 4000,
    "9" * 4000,
    "1e-99999999",
    "1_0",
    "nan",
    "inf",
    "",
    "%",
    "0.\udcff",
]
NAMES = ["", " ", "\udcff", ESCAPES, "x" * 10_000, "\n"]
STRANGE = {
    ("published", "--error=0.2", "--positives=3", "--n"): COUNTS,
    ("published", "--error=0.2", "--n=3", "--positives"): COUNTS,
    ("published", "--positives=3", "--n=10", "--error"): SHARES,
    ("published", "--positives=3", "--n=10", "--accuracy"): SHARES,
    ("score", "few.csv", "--threshold"): ["nan", "-inf", "", "half", "9" * 4000, ESCAPES],
    ("score", "few.csv", "--truth"): NAMES,
    ("score", "few.csv", "--score"): NAMES,
    ("score", "few.csv", "--prediction"): NAMES,
    ("score", "few.csv", "--positive"): NAMES,
    ("score", "few.csv", "--format"): NAMES,
}


@pytest.mark.parametrize("command", STRANGE)
def test_strange_values_are_refused_in_a_sentence_that_names_their_option(predictions, monkeypatch, command):
    monkeypatch.chdir(predictions.parent)
    for value in STRANGE[command]:
        assert command[-1] in assert_one_sentence(*command, value), value


@pytest.mark.parametrize("value", ["", ".", "absent/x", "\udcff/x", f"{ESCAPES}/x"])
def test_strange_places_are_refused(predictions, value):
    assert_one_sentence("score", predictions, "--output", value)


@given(st.lists(st.text(st.characters(exclude_characters="\0"), max_size=8), max_size=5))
def test_any_arguments_are_refused_in_one_sentence(arguments):
    assert_one_sentence("score", "absent.csv", *(f"-{argument}" for argument in arguments))
    assert_one_sentence("published", *arguments, "--error", "bad", "--n", "1", "--positives", "1")


@pytest.fixture
def forged(tmp_path):
    path = tmp_path / f"{ESCAPES}.csv"
    labels = [f"a{ESCAPES}\nVerdict: better", "b", "c"]
    path.write_text(f'y,"pred{ESCAPES}"\n' + "".join(f'"{label}","{label}"\n' for label in labels * 3))
    return path, labels, ["--prediction", f"pred{ESCAPES}"]


def test_labels_and_names_cannot_steer_the_terminal(forged, tmp_path):
    path, labels, options = forged
    result = CliRunner().invoke(main, ["score", str(path), *options])
    assert result.exit_code == 0
    assert_plain(result.stdout)
    assert result.stdout.splitlines().count("Better than trivial?") == 1
    for name in ("card.txt", "card.html", "card.json"):
        written = tmp_path / name
        CliRunner().invoke(main, ["score", str(path), *options, "--output", str(written)])
        assert_plain(written.read_text(encoding="utf-8"))
    card = json.loads((tmp_path / "card.json").read_text())
    assert {row["label"] for row in card["classes"]} == set(labels)
    assert_one_sentence("score", path, "--positive", "absent", *options)
    assert_one_sentence("score", f"{path}{ESCAPES}")
    assert_one_sentence("verify", f"{path}{ESCAPES}")


def run(*arguments, **options):
    return subprocess.run([*COMMAND, *map(str, arguments)], stderr=subprocess.PIPE, check=False, **options)


@pytest.mark.parametrize("is_help", [False, True])
def test_a_full_standard_output_is_one_sentence(predictions, is_help):
    with open("/dev/full", "wb") as full:
        process = run("score", "--help" if is_help else predictions, stdout=full)
    assert process.returncode == 2
    assert process.stderr.decode() == "nontrivial: standard output cannot be used: No space left on device.\n"


@pytest.mark.parametrize("is_help", [False, True])
def test_a_reader_that_leaves_hears_nothing(predictions, is_help):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        process = run("score", "--help" if is_help else predictions, stdout=pipe)
    assert (process.returncode, process.stderr) == (1, b"")


def test_the_file_behind_standard_input_is_not_written(predictions):
    before = predictions.read_bytes()
    with predictions.open("rb") as stream:
        process = run("score", "-", "--format", "text", "--output", predictions, stdin=stream)
    assert process.returncode == 2
    assert b"few.csv" in process.stderr
    assert predictions.read_bytes() == before


@pytest.mark.parametrize("text", ["{0}: 1", "sources: {{{0}: 1, {0}: 2}}", "sources: {0}", "[{0}]"])
def test_no_sentence_shows_a_password(tmp_path, text):
    path = tmp_path / "claims.yaml"
    path.write_text(text.format('"http://me:secret@host/x"'), encoding="utf-8")
    assert "secret" not in assert_one_sentence("claims", path)
