"""The gate at the border of a document: whatever its reader stumbles over is a wrong answer, said in one way."""

from __future__ import annotations

import contextlib
import logging
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from nontrivial_study.data.http.failures import AGAIN, Advice, DownloadError, WrongAnswer

T = TypeVar("T")
log = logging.getLogger(__name__)

_LONGEST = 200
_WHOLE = re.compile(r"\s*[+-]?[0-9]+\s*", re.ASCII)


@contextlib.contextmanager
def reading(
    problem: str | Callable[[str], str], *, again: bool = True, advice: Advice = AGAIN
) -> Iterator[None]:
    """Turn any error of a reader into a WrongAnswer; the error is its cause, and logged for debugging.

    A damaged or malicious document can make a reader raise anything, so there is no list of errors.

    Parameters
    ----------
    problem : str or callable
        What is wrong; what the error says follows in brackets, unless a callable puts it elsewhere.
    again : bool
        Whether another try may be better.
    advice : Advice

    Examples
    --------
    >>> with reading("is no number"):
    ...     float("x")
    Traceback (most recent call last):
    nontrivial_study.data.http.failures.WrongAnswer: is no number (ValueError: could not convert string to float: 'x')
    """
    try:
        yield
    except (WrongAnswer, DownloadError):
        raise
    except Exception as error:
        log.debug("a reader failed", exc_info=True)
        said = f"{type(error).__name__}: {reason(error).rstrip('.')}"
        whole = f"{problem} ({said})" if isinstance(problem, str) else problem(said)
        raise WrongAnswer(whole, advice, again=again) from error


def read_rows(rows: Iterable[Any], read: Callable[[Any], T]) -> tuple[list[T], int]:
    """Return what can be read of some rows, and how many cannot be.

    Examples
    --------
    >>> read_rows(["1", "1_0", None], whole_number)
    ([1], 2)
    """
    found: list[T] = []
    unreadable = 0
    for row in rows:
        try:
            with reading("is a row that cannot be read"):
                found.append(read(row))
        except WrongAnswer:
            unreadable += 1
    return found, unreadable


def whole_number(text: str) -> int:
    """Return a whole number, of ASCII digits alone: Python's own reader takes 1_0 for 10.

    Raises
    ------
    ValueError
        If it is none.
    """
    if not _WHOLE.fullmatch(text):
        raise ValueError(f"{text[:20]!r} is not a whole number")
    return int(text)


def real_number(text: str) -> float:
    """Return a number, of ASCII characters and without underscores.

    Raises
    ------
    ValueError
        If it is none.

    Examples
    --------
    >>> real_number("1e-3")
    0.001
    """
    if "_" in text or not text.isascii():
        raise ValueError(f"{text[:20]!r} is not a number")
    return float(text)


def reason(error: Exception) -> str:
    """Return what an error says, on one line and not too long; its name if it cannot say it.

    liac-arff puts the file's own words into its message as a format, which fails if they hold a per cent sign.

    Examples
    --------
    >>> reason(ValueError("two\\nlines"))
    'two lines'
    """
    try:
        return " ".join(str(error)[: 10 * _LONGEST].split())[:_LONGEST]
    except (TypeError, ValueError):
        return type(error).__name__
