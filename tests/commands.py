"""The command, run as its users run it."""

from click.testing import CliRunner

from nontrivial.cli import main


def run(*arguments, stdin=None):
    result = CliRunner().invoke(main, [str(argument) for argument in arguments], input=stdin)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def assert_one_sentence(result, *parts):
    """The command failed with one plain sentence on stderr and nothing else."""
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("nontrivial: ")
    assert result.stderr.count("\n") == 1
    for part in parts:
        assert part in result.stderr
