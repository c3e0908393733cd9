"""The error for input with several readings: it names what settles it, as a command or as arguments."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nontrivial.numerals import as_written

Settings = Mapping[str, Any]  # option, without its hyphens, to a value or several
ANY_COLUMN = "COL"  # stands for a column that only the user knows
ANY_NUMBER = "NUMBER"


class UnsettledError(ValueError):
    """Input has several readings: `problem` says why, and each of `settings` settles it."""

    def __init__(self, problem: str, *settings: Settings) -> None:
        self.problem, self.settings = problem, settings
        super().__init__(f"{problem}; give {' or '.join(map(as_options, settings))}.")

    def with_command(self, files: Iterable[str], given: Settings) -> str:
        """Return the sentence with a command to paste, which repeats the files and the options that were given."""
        first, *others = self.settings
        called = " ".join(["nontrivial score", *map(shlex.quote, files)])
        told = f"{self.problem}; run: {called} {as_options({**given, **first})}"
        return "".join([told, *(f", or with {as_options(each)}" for each in others)])

    def with_arguments(self, names: Mapping[str, str] | None = None) -> str:
        """Return the sentence with arguments of Python.

        `names` are those of a function that takes arrays in place of columns, by the options; what it lacks is named as
        an argument of `score_predictions`.
        """
        told = []
        for setting in self.settings:
            if names is None:
                told.append(", ".join(f"{option}={_in_python(value)}" for option, value in setting.items()))
                continue
            arguments = {
                names[option]: value
                for option, value in setting.items()
                if option in names and value not in names.values()
            }
            told.append(
                ", ".join(f"{name}={_in_python(value)}" for name, value in arguments.items())
                or f"{next(iter(setting))} of score_predictions"
            )
        return f"{self.problem}; give {', or '.join(told)}."


def as_options(settings: Settings) -> str:
    """Write settings as options of the command."""
    return " ".join(
        f"--{option} {value if value in (ANY_COLUMN, ANY_NUMBER) else shlex.quote(as_written(value))}"
        for option, values in settings.items()
        for value in (values if isinstance(values, (list, tuple)) else [values])
    )


def _in_python(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return repr(list(value)) if len(value) > 1 else repr(value[0])
    return str(value) if value == ANY_NUMBER else repr(value)
