"""The command with strange arguments: one sentence on stderr."""

import os
import subprocess
import sys

import pytest
from commands import assert_one_sentence, run
from hypothesis import given
from hypothesis import strategies as st

COMMAND = [sys.executable, "-c", "from nontrivial.cli import main; main(prog_name='nontrivial')"]
COUNTS = ["1" * 5000, "-5", "1_0", "\N{FULLWIDTH DIGIT ONE}0", "0x10", "1e3", "", " ", "nan"]
SHARES = ["0." + "3" * 4000, "9" * 4000, "1e-99999999", "1_0", "nan", "inf", "", "%"]
NAMES = ["", " ", "x" * 10_000, "\n"]
STRANGE = {
    ("published", "--error=0.2", "--positives=3", "--n"): COUNTS,
    ("published", "--error=0.2", "--n=3", "--positives"): COUNTS,
    ("published", "--positives=3", "--n=10", "--error"): SHARES,
    ("published", "--positives=3", "--n=10", "--accuracy"): SHARES,
    ("score", "few.csv", "--threshold"): ["nan", "-inf", "", "half", "9" * 4000],
    ("score", "few.csv", "--truth"): NAMES,
    ("score", "few.csv", "--score"): NAMES,
    ("score", "few.csv", "--prediction"): NAMES,
    ("score", "few.csv", "--positive"): NAMES,
    ("score", "few.csv", "--format"): NAMES,
}


@pytest.fixture
def predictions(tmp_path):
    path = tmp_path / "few.csv"
    path.write_text("y,p\n" + "1,0.9\n0,0.2\n" * 20)
    return path


@pytest.mark.parametrize("command", STRANGE)
def test_strange_values_are_refused_in_a_sentence_that_names_their_option(predictions, monkeypatch, command):
    monkeypatch.chdir(predictions.parent)
    for value in STRANGE[command]:
        result = run(*command, value)
        assert_one_sentence(result, command[-1])
        assert len(result.stderr) < 2500


@pytest.mark.parametrize("value", ["", ".", "absent/x"])
def test_places_that_cannot_be_written_are_refused(predictions, value):
    assert_one_sentence(run("score", predictions, "--output", value))


@given(st.lists(st.text(st.characters(exclude_characters="\0"), max_size=8), max_size=5))
def test_any_arguments_are_refused_in_one_sentence(arguments):
    assert_one_sentence(run("score", "absent.csv", *(f"-{argument}" for argument in arguments)))
    assert_one_sentence(run("published", *arguments, "--error", "bad", "--n", "1", "--positives", "1"))


def run_process(*arguments, **options):
    return subprocess.run([*COMMAND, *map(str, arguments)], stderr=subprocess.PIPE, check=False, **options)


@pytest.mark.parametrize("is_help", [False, True])
def test_a_full_standard_output_is_one_sentence(predictions, is_help):
    with open("/dev/full", "wb") as full:
        process = run_process("score", "--help" if is_help else predictions, stdout=full)
    assert process.returncode == 2
    assert process.stderr.decode() == "nontrivial: standard output cannot be used: No space left on device.\n"


@pytest.mark.parametrize("is_help", [False, True])
def test_a_reader_that_leaves_hears_nothing(predictions, is_help):
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "wb") as pipe:
        process = run_process("score", "--help" if is_help else predictions, stdout=pipe)
    assert (process.returncode, process.stderr) == (1, b"")


def test_the_file_behind_standard_input_is_not_written(predictions):
    before = predictions.read_bytes()
    with predictions.open("rb") as stream:
        process = run_process("score", "-", "--format", "text", "--output", predictions, stdin=stream)
    assert process.returncode == 2
    assert b"few.csv" in process.stderr
    assert predictions.read_bytes() == before
