"""The one way to the terminal: what comes from files cannot move its cursor, forge a line or fail to be encoded."""

from __future__ import annotations

import errno
import json
import os
import sys
from collections.abc import Iterable
from typing import Any

import click


def visible(text: str) -> str:
    r"""Return one line in which each character that is no glyph is escaped as in Python.

    Those are control characters with the line feed, marks of direction and of width 0, blanks other than the space, and
    what stands for bytes that are no text.

    Examples
    --------
    >>> print(visible("a\x1b[31m\nb\u202e"))
    a\x1b[31m\nb\u202e
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text
    )


def shortened(text: str, length: int) -> str:
    """Return a text of at most `length` characters; where it is cut, it ends in three dots."""
    return text if len(text) <= length else text[: length - 3] + "..."


def listed(names: Iterable[object], count: int = 20) -> str:
    """Join names with commas, so that a sentence that holds them stays one: few of them, and none of them long.

    Examples
    --------
    >>> listed("abcd", count=2)
    'a, b and 2 more'
    """
    names = list(names)
    first = ", ".join(shortened(str(name), 60) for name in names[:count])
    return first if len(names) <= count else f"{first} and {len(names) - count:,} more"


def say(lines: Iterable[str], *, err: bool = False) -> None:
    """Write lines to standard output, or to standard error."""
    stream = sys.stderr if err else sys.stdout
    if stream is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    text = "".join(f"{visible(line)}\n" for line in lines)
    encoding = stream.encoding or "utf-8"
    # Encoded here: click writes UTF-8 where the terminal says ASCII.
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False, err=err)


def json_text(value: Any) -> str:
    """Write indented JSON in ASCII, which holds everything that is in it and is shown safely everywhere."""
    return json.dumps(value, indent=2, allow_nan=False)


def progress_of(items: Iterable[Any], *, unit: str, total: int | None = None) -> Iterable[Any]:
    """Give items one by one, with a bar on standard error after two seconds if that is a terminal.

    Parameters
    ----------
    items : iterable
    unit : str
        What they are, such as "models".
    total : int, optional
        How many there are, where they do not tell.
    """
    from tqdm import tqdm

    return tqdm(items, unit=f" {unit}", total=total, delay=2, disable=None, leave=False)
