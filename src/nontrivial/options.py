"""Options of the command: each is given once, numbers are plain decimals, and names are read as files are."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import click

from nontrivial.numerals import is_decimal
from nontrivial.terminal import shortened

_MOST_DIGITS = 100


class OnceEach(click.Command):
    """A command that refuses an option given twice; click takes the last and loses the others."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # a shell asks for completions
            return super().parse_args(ctx, args)
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        is_help = any(parameter.is_eager for parameter in order)
        for option, times in Counter(order).items():
            if times > 1 and isinstance(option, click.Option) and not (option.multiple or is_help):
                raise click.UsageError(
                    f"{' or '.join(option.opts)} is given {times} times; give it once.", ctx
                )
        return super().parse_args(ctx, args)


class _Written(click.ParamType):  # type: ignore[type-arg]  # the oldest click allowed takes none
    """A number that is written as a decimal in ASCII; click would take whatever Python takes, such as 1_0."""

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        if isinstance(value, str) and not (is_decimal(value) and len(value) <= _MOST_DIGITS):
            wanted = f"it must be a finite number, a plain decimal of at most {_MOST_DIGITS} characters"
            self.fail(f"{shortened(value, 60)!r} is not a valid {self.name}; {wanted}.", param, context)
        return super().convert(value, param, context)


class Number(_Written, click.types.FloatParamType):
    """A finite decimal number."""


class Name(click.types.StringParamType):
    """A label or a column, read as UTF-8 like a file, whatever encoding Python assumes for the command line."""

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> Any:
        try:
            return os.fsencode(value).decode("utf-8")
        except UnicodeError:
            return value


class WholeNumber(_Written, click.types.IntParamType):
    """A whole number."""
