"""The command, run as its users run it."""

import subprocess
import sys
from pathlib import Path

import pytest
from commands import assert_one_sentence, run


def test_the_installed_command_answers():
    command = Path(sys.executable).with_name("nontrivial")
    process = subprocess.run([command, "--version"], capture_output=True, text=True, check=True)
    assert process.stdout.startswith("nontrivial, version ")


def test_the_installed_command_fails_in_one_sentence():
    command = Path(sys.executable).with_name("nontrivial")
    process = subprocess.run([command, "verify", "absent"], capture_output=True, text=True, check=False)
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr == "nontrivial: absent is not a folder; the results folder of a study is needed.\n"


@pytest.mark.parametrize("arguments", [(), ("--help",), ("published", "--help"), ("verify", "--help")])
def test_help_is_there(arguments):
    result = run(*arguments)
    assert "Usage:" in result.output
    assert result.exit_code == (0 if arguments else 2)


@pytest.mark.parametrize(
    "options",
    [
        ["published", "--accuracy", ".9", "--accuracy=.8", "--positives", "10", "--n", "100"],
        ["published", "--recall", ".9", "--sensitivity", ".8", "--positives", "10", "--n", "100"],
        ["score", "absent.csv", "--truth", "a", "--truth", "a"],
        ["verify", "absent", "--format", "text", "--format", "json"],
    ],
)
def test_an_option_given_twice_is_refused(options):
    assert_one_sentence(run(*options), "is given 2 times")


def test_options_that_may_be_given_twice_and_help_are_not_refused(tmp_path):
    models = tmp_path / "models.csv"
    models.write_text("truth,a,b\n1,0.9,0.8\n0,0.2,0.4\n", encoding="utf-8")
    assert run("score", str(models), "--score", "a", "--score", "b").exit_code == 0
    assert run("published", "--error", "0.1", "--error", "0.2", "--help").exit_code == 0


def test_an_unknown_command_is_named():
    assert_one_sentence(run("publish"), "No such command 'publish'")
