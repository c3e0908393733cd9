"""Types of the options of the command: numbers as people write them, and names as files have them."""

from __future__ import annotations

import os
from typing import Any

import click

from nontrivial.numerals import is_decimal
from nontrivial.terminal import shortened

_MOST_DIGITS = 100


class _Written(click.ParamType):  # type: ignore[type-arg]  # the oldest click allowed takes none
    """A number of click's that is written as a decimal in ASCII; click takes what Python takes, such as 1_0."""

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        if isinstance(value, str) and not (is_decimal(value) and len(value) <= _MOST_DIGITS):
            wanted = f"it must be a finite number of at most {_MOST_DIGITS} plain digits"
            self.fail(f"{shortened(value, 60)!r} is not a valid {self.name}; {wanted}.", param, context)
        return super().convert(value, param, context)


class Number(_Written, click.types.FloatParamType):
    """A finite decimal number."""


class Name(click.types.StringParamType):
    """A label or a column as a file in UTF-8 has it, whatever encoding Python takes the command line to be in."""

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            return os.fsencode(value).decode("utf-8")
        except UnicodeError:
            return value


class WholeNumber(_Written, click.types.IntParamType):
    """A whole number."""
