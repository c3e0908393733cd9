"""Which answers are asked for again, and what is made of those that stay wrong."""

from __future__ import annotations

import hashlib
import logging
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import tenacity

from nontrivial_study.data.http.failures import WAIT, DownloadError, OddAnswer, WrongAnswer
from nontrivial_study.data.http.limits import Limits

T = TypeVar("T")
log = logging.getLogger(__name__)

LONGEST_PATIENCE = 86_400  # that the configuration may ask for, and a server may ask to wait
_LONGEST_SHOWN = 200


def attempt(
    action: Callable[[], T],
    what: str,
    address: str,
    limits: Limits,
    clean: Callable[[str], str],
    retried: Callable[[], None],
) -> T:
    """Return what an action returns, trying again while it raises a WrongAnswer that may pass.

    Parameters
    ----------
    action : callable
    what, address : str
        What is asked for, and where.
    limits : Limits
    clean : callable
        Takes what must not be shown out of a text.
    retried : callable
        Called before each further try.

    Raises
    ------
    DownloadError
        When the tries or the patience are used up, or another try would be of no use.
    """
    started = time.monotonic()
    tries = 0
    rejected: set[str | None] = set()

    def once() -> T:
        nonlocal tries
        tries += 1
        try:
            return action()
        except WrongAnswer as error:
            rejected.add(error.rejected)
            raise

    shown = f"{what}: {address if len(address) <= _LONGEST_SHOWN else f'{address[:_LONGEST_SHOWN]}...'}"

    def note(state: tenacity.RetryCallState) -> None:
        retried()
        assert state.next_action is not None
        problem, pause = clean(_failure(state).problem), state.next_action.sleep
        log.warning("%s %s; trying again in %.1f s", clean(shown), problem, pause)

    retrying = tenacity.Retrying(
        retry=tenacity.retry_if_exception(lambda error: isinstance(error, WrongAnswer) and error.again),
        stop=tenacity.stop_after_attempt(limits.attempts) | tenacity.stop_before_delay(limits.patience),
        wait=lambda state: _pause(state, limits.pause),
        before_sleep=note,
        reraise=True,
    )
    try:
        return retrying(once)
    except WrongAnswer as error:
        same = tries > 1 and error.rejected is not None and len(rejected) == 1
        lasting = (not error.again or same) and error.advice.settled
        # What lasts is recorded with the results, which do not depend on how long it took to find out.
        spent = tries > 1 and not lasting
        effort = f" ({tries} tries in {time.monotonic() - started:.0f} s)" if spent else ""
        raise DownloadError(
            clean(f"{shown} {error.problem}{effort}"),
            replace(error.advice, text=clean(error.advice.text)),
            lasting=lasting,
            too_much=error.too_much,
            answer=error,
        ) from None


def settle(accept: Callable[[bytes], T], limits: Limits) -> Callable[[bytes], T]:
    """Return a reader that raises an OddAnswer only until as many answers in a row as it needs were the same.

    It gives the digest of the answer to every WrongAnswer of the reader.
    """
    tries, same, before = 0, 0, ""

    def read(body: bytes) -> T:
        nonlocal tries, same, before
        tries += 1
        digest = hashlib.sha256(body).hexdigest()
        try:
            result, odd = accept(body), None
        except OddAnswer as error:
            result, odd = error.result, error
        except WrongAnswer as error:
            error.rejected = digest
            raise
        same, before = same + 1 if digest == before else 1, digest
        if odd and same < (2 if tries >= limits.attempts else odd.needed):
            raise odd
        return result

    return read


def asks_to_wait(problem: str, seconds: float, limits: Limits) -> WrongAnswer:
    """Return that a server asks to wait for longer than the patience lasts."""
    patience, enough = limits.patience, limits.patience + seconds
    advice = WAIT
    if enough <= LONGEST_PATIENCE:
        text = (
            f"{WAIT.text}, or set downloads.patience in the configuration to {enough:.0f} to let the run wait"
        )
        advice = replace(WAIT, text=text)
    return WrongAnswer(
        f"{problem} {duration(seconds)}, longer than the patience of {patience:g} s", advice, pause=seconds
    )


def duration(seconds: float) -> str:
    """Say how long something takes.

    Examples
    --------
    >>> duration(900), duration(36_000), duration(3e10)
    ('900 s', '10 hours', 'more than a day')
    """
    if seconds > LONGEST_PATIENCE:
        return "more than a day"
    return f"{seconds:.0f} s" if seconds < 7_200 else f"{seconds / 3_600:.0f} hours"


def _failure(state: tenacity.RetryCallState) -> WrongAnswer:
    """Return why the last try failed; nothing else is tried again."""
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, WrongAnswer)
    return error


def _pause(state: tenacity.RetryCallState, first: float) -> float:
    asked = _failure(state).pause or 0.0
    wait = tenacity.wait_exponential(multiplier=first, max=60) + tenacity.wait_random(0, first)
    return max(asked, wait(state))
