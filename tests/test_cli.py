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


def test_an_unknown_command_is_named():
    assert_one_sentence(run("publish"), "No such command 'publish'")
