"""The error for input with several readings; its message names the options that choose one reading."""

import json
import shlex
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import Any

from nontrivial.numerals import cell_text
from nontrivial.terminal import listed

Settings = Mapping[str, Any]  # values, or lists of values, by the names of options without hyphens
ANY_COLUMN = "COL"  # stands for a column that only the user knows


class UnsettledError(ValueError):
    """Input has several readings; `problem` says why, and each of `settings` chooses one reading."""

    def __init__(self, problem: str, *settings: Settings) -> None:
        self.problem, self.settings = problem, settings
        super().__init__(f"{problem}; give {' or '.join(map(as_options, settings))}.")

    def with_command(self, files: Iterable[str], options: Settings) -> str:
        """Return the sentence with a command to paste, which repeats the user's files and options."""
        first, *alternatives = self.settings
        command = " ".join(["nontrivial score", *map(shlex.quote, files), as_options({**options, **first})])
        return ", or with ".join([f"{self.problem}; run: {command}", *map(as_options, alternatives)])

    def with_arguments(self, names: Mapping[str, str] | None = None) -> str:
        """Return the sentence with arguments of Python; `names` maps options to the arguments of another function."""
        remedies = []
        for setting in self.settings:
            arguments = {option: value for option, value in setting.items() if value != ()}
            if names is not None:
                shared = {option: value for option, value in arguments.items() if option in names}
                arguments = {names[option]: value for option, value in shared.items() if value not in names.values()}
            written = ", ".join(f"{name}={_write_python_value(value)}" for name, value in arguments.items())
            remedies.append(written or f"{next(iter(setting))} of score_predictions")
        return f"{self.problem}; give {', or '.join(remedies)}."

    def with_settings(self, setting_names: Container[str], place: str) -> str:
        """Return the sentence with lines of YAML to write under `place`, if the configuration has such settings."""
        lines = [
            ", ".join(f"{name}: {json.dumps(value)}" for name, value in setting.items() if value != ())
            for setting in self.settings
            if all(name in setting_names or value == () for name, value in setting.items())
        ]
        remedies = [f"write {line} under {place}" for line in lines]
        return f"{self.problem}; {', or '.join(remedies) or 'give one row for each case of one model'}."


def as_options(settings: Settings) -> str:
    """Write settings as options of the command line; an option with an empty tuple is left out."""
    return " ".join(
        f"--{option} {shlex.quote(cell_text(value))}"
        for option, values in settings.items()
        for value in (values if isinstance(values, (list, tuple)) else [values])
    )


def _write_python_value(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return repr(list(value)) if len(value) > 1 else repr(value[0])
    return repr(value)


def quoted(names: Iterable[str]) -> str:
    """Return names in quotation marks, with commas between them."""
    return listed(map(repr, names))
