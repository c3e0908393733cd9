"""Haberman's data in numbers, and what the command says of published ones."""

import re

from commands import run

RULE = "always predicting the majority"

NOT_SHOWN = f"inconclusive: shown neither better nor worse than {RULE}"

HABERMAN = ("--positives", 81, "--n", 306)


def published(*arguments):
    """Return what the command says, by its titles."""
    result = run("published", *arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    lines = result.stdout.splitlines()
    assert len({len(re.match(r"[a-z0-9 -]+: +", line)[0]) for line in lines}) == 1
    assert "-0.0000" not in result.stdout
    return {title: text.strip() for title, text in (line.split(":", 1) for line in lines)}
