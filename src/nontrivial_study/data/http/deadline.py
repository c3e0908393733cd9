"""A bound for actions that know none themselves."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import TypeVar

T = TypeVar("T")


class Overdue(Exception):
    """An action took longer than it may."""


def within(seconds: float, action: Callable[[], T]) -> T:
    """Return what an action returns, or raise what it raises.

    The look-up of a name, or an answer whose head comes byte by byte, cannot be bounded from the thread that waits
    for it. So the action has a thread of its own, and is left to itself when the time is over.

    Raises
    ------
    Overdue
        When the time is over.

    Examples
    --------
    >>> within(1.0, lambda: 2)
    2
    """
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(action())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    if not wait([outcome], timeout=seconds).done:
        raise Overdue
    return outcome.result()
