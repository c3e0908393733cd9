"""The one way to the terminal: text from files cannot move the cursor, forge a line or fail to be encoded."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import click


def visible(text: str) -> str:
    r"""Return one line in which each character that is not printable is escaped as in Python.

    These are control characters, the line feed among them, marks of direction and of width 0, blanks other than the
    space, and stand-ins for bytes that are not text.

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
    """Join the first names with commas and shorten long ones, so that a sentence with them stays readable.

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
    """Write indented JSON in ASCII, which every terminal shows safely."""
    return json.dumps(value, indent=2, allow_nan=False)


@contextlib.contextmanager
def waiting(what: str, unit: str = "", *, shown: bool = True) -> Iterator[Callable[[int], None]]:
    """After two seconds, say on standard error what is being done, if that is a terminal; at the end, erase it.

    A thread shows the elapsed time, so a long computation needs no steps.

    Parameters
    ----------
    what : str
    unit : str
        The unit of what is counted, if anything is.
    shown : bool

    Yields
    ------
    callable
        Adds to what is counted.
    """
    counted: list[int] = []
    done = threading.Event()

    def show() -> None:
        if done.wait(2):
            return
        from tqdm import tqdm

        form = "{desc}: {n:,} {unit}, {elapsed}" if unit else "{desc}: {elapsed}"
        columns, rows = shutil.get_terminal_size()  # never 0, for which tqdm shows nothing
        text = shortened(visible(what), columns - 40)
        with tqdm(desc=text, unit=unit, bar_format=form, ncols=columns, nrows=rows, leave=False) as bar:
            bar.start_t -= 2
            while not done.wait(0.25):
                bar.n = sum(counted)
                bar.refresh()

    thread = threading.Thread(target=show, daemon=True)
    if shown and sys.stderr is not None and sys.stderr.isatty():
        thread.start()
    try:
        yield counted.append
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()
