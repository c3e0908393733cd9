"""The command line: its options, its printed text, its output files, and the extras that it lacks.

Text from files cannot move the cursor, forge a line or fail to be encoded.
"""

import contextlib
import errno
import json
import os
import re
import shutil
import sys
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from nontrivial.files import write_text

# A password may hold a slash that should be written as %2F; it must not be shown either.
_LOGIN = re.compile(r"(?<=://)(?:[^\s/?#]*|[^\s/?#:@\[\]]*:(?![0-9]*(?:[/?#\s]|$))\S*)@")
EXTRA_OF_MODULE = {"matplotlib": "plot", "mlscorecheck": "published"}
EXTRA_OF_MODULE |= dict.fromkeys(("jinja2", "markupsafe", "pyarrow", "python_calamine", "tqdm"), "cards")
EXTRA_OF_MODULE |= dict.fromkeys(("jsonschema", "yaml", "z3"), "claims")
_JOINERS = "\u200c\u200d"  # between letters of Persian, and between the signs of an emoji


def printable(text: str) -> str:
    """Return a text in which unprintable characters are escaped as in Python; joiners of letters and signs stay."""
    return "".join(
        letter if letter.isprintable() or letter in _JOINERS else letter.encode("unicode_escape").decode()
        for letter in text
    )


def hide_logins(text: str) -> str:
    """Remove names and passwords from addresses in a text."""
    return _LOGIN.sub("", text)


def shorten(text: str, length: int) -> str:
    """Cut a longer text to `length` characters, the last three of them dots."""
    return text if len(text) <= length else text[: length - 3] + "..."


def listed(names: Iterable[object], count: int = 20) -> str:
    """Join the first names with commas and shorten long ones: "a, b and 2 more"."""
    names = list(names)
    first = ", ".join(shorten(str(name), 60) for name in names[:count])
    return first if len(names) <= count else f"{first} and {len(names) - count:,} more"


def count_of(count: float, thing: str) -> str:
    """Return a number of things with its noun: "1 case", "1,200 cases"."""
    return f"{count:,.10g} {thing}{'s' * (count != 1)}"


def cut_middle(name: str, max_width: int = 40) -> str:
    """Return a name from the data, printable and without its middle if it is too wide: "first...last"."""
    name = printable(name)
    if text_width(name) <= max_width:
        return name
    start, end = name[: len(name) // 2], name[len(name) // 2 :]
    while start and text_width(start + end) > max_width - 3:
        start, end = (start[:-1], end) if len(start) > len(end) else (start, end[1:])
    return f"{start}...{end}"


def text_width(text: str) -> int:
    """Return how many columns of a terminal a text takes: two for a wide character, none for an accent on another."""
    shown = [letter for letter in text if not unicodedata.combining(letter) and letter not in _JOINERS]
    return len(shown) + sum(unicodedata.east_asian_width(letter) in "WF" for letter in shown)


def join_with_and(names: Iterable[str]) -> str:
    """Join up to six names as "a, b and c", and shorten longer lists."""
    names = list(names)
    if len(names) > 6:
        return listed(names, 5)
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def print_lines(lines: Iterable[str], *, err: bool = False) -> None:
    """Write lines to standard output, or to standard error."""
    stream = sys.stderr if err else sys.stdout
    if stream is None:  # the stream is closed
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    text = "".join(f"{printable(line)}\n" for line in lines)
    encoding = stream.encoding or "utf-8"
    # click would write UTF-8 to a terminal of ASCII.
    click.echo(text.encode(encoding, "backslashreplace").decode(encoding), nl=False, err=err)


def json_text(value: Any) -> str:
    """Write indented JSON in ASCII, which every terminal shows safely."""
    return json.dumps(value, indent=2, allow_nan=False)


@contextlib.contextmanager
def announce_long_work(what: str, *, shown: bool = True) -> Iterator[None]:
    """Name the work on the terminal if it takes more than two seconds."""
    done = threading.Event()

    def show() -> None:
        if done.wait(2):
            return
        from tqdm import tqdm

        columns, rows = shutil.get_terminal_size()  # never 0, for which tqdm shows nothing
        text = shorten(printable(what), columns - 40)
        with tqdm(desc=text, bar_format="{desc}: {elapsed}", ncols=columns, nrows=rows, leave=False) as bar:
            bar.start_t -= 2
            while not done.wait(0.25):
                bar.refresh()

    thread = threading.Thread(target=show, daemon=True)
    if shown and sys.stderr is not None and sys.stderr.isatty():
        thread.start()
    try:
        yield
    finally:
        done.set()
        if thread.ident is not None:
            thread.join()


def check_output_path(path: str | None, *, reads: str | os.PathLike[str], name: str) -> None:
    """Refuse an output path that cannot be written, or that is the file to be read, before any work is done."""
    if path is None:
        return
    if not path or os.path.isdir(path):
        raise ValueError(f"{name} is {path!r}, which is not a file; name the file to write.")
    if os.path.isfile(path) and os.path.isfile(reads) and os.path.samefile(path, reads):
        raise ValueError(f"{name} is {path!r}, which is the file that is read; it must be another one.")
    folder = Path(os.path.realpath(path)).parent
    if not folder.is_dir():
        raise ValueError(f"{name} is {path!r}, but there is no folder {folder}; make it first.")


def output_format(path: str | None, formats: Mapping[str, str], *, name: str) -> str:
    """Return the format for a path's ending, or the first format for standard output and for a path without ending."""
    ending = "" if path is None else Path(path).suffix.lower()
    if ending in formats:
        return formats[ending]
    if path is None or not ending or _is_pipe(path):
        return next(iter(formats.values()))
    raise ValueError(
        f"{name} is {path!r}; its ending must be one of {', '.join(formats)}, or --format must name the format."
    )


def _is_pipe(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path)  # a pipe or a device


def write_output(path: str | None, text: str) -> None:
    """Write a text to standard output, or as UTF-8 to a user's path, which may be a link or a pipe."""
    text = text.rstrip("\n")
    if path is None:
        print_lines(text.split("\n"))
        return
    text += "\n"
    try:
        if _is_pipe(path):
            Path(path).write_text(text, encoding="utf-8", newline="\n")
        else:
            write_text(os.path.realpath(path), text)
    except OSError as error:
        error.filename = path  # the error names the temporary file
        raise


class OptionsOnceCommand(click.Command):
    """A command that refuses an option given twice; click would take the last value and lose the others."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if ctx.resilient_parsing:  # a shell asks for completions
            return super().parse_args(ctx, args)
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        is_help = any(parameter.is_eager for parameter in order)
        for option, times in Counter(order).items():
            if times > 1 and isinstance(option, click.Option) and not (option.multiple or is_help):
                raise click.UsageError(f"{' or '.join(option.opts)} is given {times} times; give it once.", ctx)
        return super().parse_args(ctx, args)


@contextlib.contextmanager
def naming_extras() -> Iterator[None]:
    """Make a failed import name the extra of the package that it needs."""
    try:
        yield
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRA_OF_MODULE:
            raise
        sentence = f"{module} is not installed; install it with: pip install 'nontrivial[{EXTRA_OF_MODULE[module]}]'"
        raise ModuleNotFoundError(sentence, name=error.name) from None
