"""The one client of everything that is downloaded: polite, patient, and sure of what it keeps.

A document is kept only after it has come whole and passed the check of whoever asked for it. What may be better on
another try (no answer, a broken connection, an overloaded server, a web page in place of data) is tried again, with
growing pauses or the pause that the server asks for; what will not be is said at once, in one sentence.
"""

from __future__ import annotations

import hashlib
import logging
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus, urlencode, urlsplit

import requests
import tenacity
import urllib3

from nontrivial.data.answer import Answer, is_web_page
from nontrivial.data.deadline import Overdue, within
from nontrivial.data.failures import (
    OFFLINE,
    REFUSED,
    UNSETTLED,
    WAIT,
    DownloadError,
    OddAnswer,
    WrongAnswer,
    broken,
)
from nontrivial.data.kept import Kept
from nontrivial.data.pace import Held, Pace

T = TypeVar("T")
log = logging.getLogger(__name__)

_OVERLOADED = {
    408,
    425,
    429,
    500,
    502,
    503,
    504,
    *range(520, 528),
}  # from 520 on a proxy speaks of its server
_EXPLAINED = 412
_NOT_ALLOWED = {401, 403}  # by the service, or by what stands before it
_TOO_LONG = {413, 414, 431}
_LONGEST_SHOWN = 200
_LONGEST_PATIENCE = 86_400  # that the configuration may ask for
_WORTH_SAYING = 30.0  # seconds of waiting that a log should explain


@dataclass(frozen=True)
class Limits:
    """How long to wait and how often to try.

    Attributes
    ----------
    timeout : float
        Seconds without a byte after which a try has failed.
    patience : float
        Seconds that one document may take, all its tries and pauses together.
    attempts : int
        Tries for one document.
    pause : float
        Seconds before the second try; each further pause is twice as long, up to a minute, give or take a part.
    """

    timeout: float = 30.0
    patience: float = 300.0
    attempts: int = 6
    pause: float = 1.0


class Client:
    """Downloads documents, one at a time.

    Parameters
    ----------
    cache : path, optional
        Folder in which accepted documents are kept.
    limits : Limits
    rate : float, optional
        Requests per second and host, over all processes that share the cache. None for no limit.
    contact : str, optional
        An address at which the operators of a service can reach the user, part of the User-Agent.
    secrets : mapping of str to str
        Query parameters, such as a key, that are sent and shown nowhere.

    Attributes
    ----------
    counts : dict
        ``requests`` sent, ``retries`` among them, ``kept`` documents taken from the cache, ``bytes`` received.
    """

    def __init__(
        self,
        cache: str | os.PathLike[str] | None = None,
        limits: Limits | None = None,
        *,
        rate: float | None = None,
        contact: str | None = None,
        secrets: Mapping[str, str] | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self.counts = {"requests": 0, "retries": 0, "kept": 0, "bytes": 0}
        self._kept = Kept(cache) if cache else None
        self._pace = Pace(self._kept.folder / "pace" if self._kept else None, rate) if rate else None
        self._secrets = dict(secrets or {})
        if self._secrets:
            logging.getLogger("urllib3").setLevel(logging.ERROR)  # its warnings show whole addresses
        self._agent = f"nontrivial/{version('nontrivial')}" + (f" (contact: {contact})" if contact else "")
        self._session = self._open_session()

    def get(
        self,
        address: str,
        what: str,
        accept: Callable[[bytes], T] = bytes,
        *,
        refusal: Callable[[bytes], WrongAnswer | None] | None = None,
    ) -> T:
        """Return a document, as `accept` reads it.

        Parameters
        ----------
        address : str
        what : str
            What the document is, for messages, such as ``"Data set 'haberman'"``.
        accept : callable
            Turns the body into the result; raises WrongAnswer if the body cannot be the document asked for, and
            OddAnswer if it may be, but counts only if other tries bring the same.
        refusal : callable, optional
            For a service that explains itself in the body of an answer of status 412: returns what is wrong, or None
            if the body is a document like any other.

        Raises
        ------
        DownloadError
            If the document cannot be had.
        """
        if self._kept and (body := self._kept.find(address)) is not None:
            try:
                result, _ = _read(accept, body)
            except WrongAnswer as error:
                problem = self.clean(error.problem)
                log.warning("%s: the kept copy of %s %s, and is fetched again", what, address, problem)
                self._kept.forget(address)
            else:
                self.counts["kept"] += 1
                return result
        deadline = time.monotonic() + self.limits.patience
        tries, same, before = 0, 0, ""

        def once() -> T:
            nonlocal tries, same, before
            tries += 1
            body = self._receive(address, refusal, deadline)
            digest = hashlib.sha256(body).hexdigest()
            try:
                result, odd = _read(accept, body)
            except WrongAnswer as error:
                error.rejected = digest
                raise
            same, before = same + 1 if digest == before else 1, digest
            if odd and same < (2 if tries >= self.limits.attempts else odd.needed):
                raise odd
            if self._kept:
                self._kept.add(address, body)
            return result

        return self.attempt(once, what, address)

    def attempt(self, action: Callable[[], T], what: str, address: str) -> T:
        """Return what an action returns, trying again while it raises a WrongAnswer that may pass.

        Raises
        ------
        DownloadError
            When the tries or the patience are used up, or another try would be of no use.
        """
        started = time.monotonic()
        rejected: list[str | None] = []

        def once() -> T:
            try:
                return action()
            except WrongAnswer as error:
                rejected.append(error.rejected)
                raise

        shown = address if len(address) <= _LONGEST_SHOWN else f"{address[:_LONGEST_SHOWN]}..."
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, WrongAnswer) and error.again),
            stop=tenacity.stop_after_attempt(self.limits.attempts)
            | tenacity.stop_before_delay(self.limits.patience),
            wait=self._pause,
            before_sleep=lambda state: self._note(state, f"{what}: {shown}"),
            reraise=True,
        )
        try:
            return retrying(once)
        except WrongAnswer as error:
            tries = len(rejected)
            same = tries > 1 and error.rejected is not None and len(set(rejected)) == 1
            lasting = (not error.again or same) and error.advice not in UNSETTLED
            # What lasts is recorded with the results, which do not depend on how long it took to find out.
            spent = tries > 1 and not lasting
            effort = f" ({tries} tries in {time.monotonic() - started:.0f} s)" if spent else ""
            sentence = self.clean(f"{what}: {shown} {error.problem}{effort}; {error.advice}.")
            raise DownloadError(sentence, lasting, error.too_much) from None

    def summary(self) -> str:
        """Say what the client did, in a few words for a log."""
        counts = self.counts
        return (
            f"{counts['requests']} requests, {counts['retries']} retries, {counts['kept']} taken from earlier runs, "
            f"{counts['bytes'] / 1e6:.1f} MB"
        )

    def clean(self, text: str) -> str:
        """Return a text as one line, without the secrets that a server may have repeated to us.

        Examples
        --------
        >>> Client(secrets={"api_key": "a/b"}).clean("asked by api_key=a%2fb")
        'asked by api_key=(secret)'
        """
        for secret in self._secrets.values():
            for form in (secret, quote(secret), quote(secret, safe=""), quote_plus(secret)):
                text = re.sub(re.escape(form), "(secret)", text, flags=re.IGNORECASE)  # %2F may come as %2f
        return " ".join(text.split())

    def forget(self, address: str) -> None:
        """Remove a document from the cache."""
        if self._kept:
            self._kept.forget(address)

    def _open_session(self) -> requests.Session:
        session = requests.Session()
        session.headers.update({"User-Agent": self._agent, "Accept-Encoding": "gzip"})
        return session

    def _receive(
        self, address: str, refusal: Callable[[bytes], WrongAnswer | None] | None, deadline: float
    ) -> bytes:
        """Send one request and return the body of a good answer."""
        self._check_address(address)
        host = urlsplit(address).netloc
        if self._pace:
            try:
                delay = self._pace.wait(host, deadline - time.monotonic())
            except Held as held:
                problem = "stands on a server that has asked to wait another"
                raise self._not_yet(problem, held.args[0]) from None
            if delay > _WORTH_SAYING:
                log.warning("%s: waited %.0f s, so as not to ask more often than agreed", host, delay)
        self.counts["requests"] += 1
        answer = self._exchange(address, max(deadline - time.monotonic(), 1.0))
        self.counts["bytes"] += len(answer.content)
        status = answer.status
        if status == _EXPLAINED and refusal:
            body = answer.body()
            if refused := refusal(body):
                raise refused
            return body
        if status in _OVERLOADED:
            pause = answer.retry_after()
            if pause and self._pace:
                self._pace.hold(host, pause)
            if pause and pause > deadline - time.monotonic():
                raise self._not_yet(f"answered with status {status} and asks to wait", pause)
            asked = f" and asks to wait {pause:.0f} s" if pause else ""
            raise WrongAnswer(f"answered with status {status}{asked}", pause=pause)
        if status in _NOT_ALLOWED:
            raise WrongAnswer(f"answered with status {status}", REFUSED, again=False)
        if status != 200:
            raise WrongAnswer(
                f"answered with status {status}",
                "check the base addresses in the configuration, and whether the service still has it",
                again=False,
                too_much=status in _TOO_LONG,
            )
        body = answer.body()
        if is_web_page(body):
            raise WrongAnswer("answered with a web page in place of the document")
        if not body.strip():
            raise WrongAnswer("answered with nothing")
        return body

    def _check_address(self, address: str) -> None:
        """Tell an address of ours that is none from one that a server leads to."""
        try:
            self._session.get_adapter(requests.Request("GET", address).prepare().url)
        except ValueError:
            raise WrongAnswer("is no address", OFFLINE, again=False) from None

    def _not_yet(self, problem: str, seconds: float) -> WrongAnswer:
        """Return that a server asks to wait for longer than the patience lasts."""
        patience, enough = self.limits.patience, self.limits.patience + seconds
        advice = WAIT
        if enough <= _LONGEST_PATIENCE:
            advice += f", or set downloads.patience in the configuration to {enough:.0f}, and the run waits"
        return WrongAnswer(
            f"{problem} {seconds:.0f} s, for which the patience of {patience:g} s does not last",
            advice,
            pause=seconds,
        )

    def _exchange(self, address: str, seconds: float) -> Answer:
        """Send a request and take the whole answer, within the time given whatever the server does."""
        session, timeout = self._session, self.limits.timeout
        begun = False

        def exchange() -> Answer:
            nonlocal begun
            with session.get(
                address, params=self._secrets, stream=True, timeout=(min(timeout, 10.0), timeout)
            ) as response:
                begun = True
                return Answer(response.status_code, response.headers, response.raw.read(decode_content=False))

        try:
            return within(seconds, exchange)
        except Overdue:
            self._session = self._open_session()  # the other one may still be at work
            patience = self.limits.patience
            if begun:
                raise WrongAnswer(f"was not whole after {patience:g} s") from None
            raise WrongAnswer(f"cannot be reached: no answer in {patience:g} s", OFFLINE) from None
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
            raise broken(error, timeout) from None

    def _pause(self, state: tenacity.RetryCallState) -> float:
        asked = getattr(state.outcome.exception(), "pause", None) or 0.0
        first = self.limits.pause
        wait = tenacity.wait_exponential(multiplier=first, max=60) + tenacity.wait_random(0, first)
        return max(asked, wait(state))

    def _note(self, state: tenacity.RetryCallState, what: str) -> None:
        self.counts["retries"] += 1
        problem = self.clean(state.outcome.exception().problem)
        log.warning("%s %s; trying again in %.1f s", what, problem, state.next_action.sleep)


def _read(accept: Callable[[bytes], T], body: bytes) -> tuple[T, OddAnswer | None]:
    """Return the result of a body, and what is odd about it, if anything is."""
    try:
        return accept(body), None
    except OddAnswer as odd:
        return odd.result, odd


def open_client(settings: Mapping[str, Any], secrets: Mapping[str, str] | None = None) -> Client:
    """Return a client with the settings of the configuration's ``downloads``."""
    limits = Limits(timeout=settings["timeout"], patience=settings["patience"])
    # Where the patience is short, so are the pauses: all of them together take less than half of it.
    pause = min(limits.pause, limits.patience / 2 ** (limits.attempts + 1))
    limits = replace(limits, pause=pause)
    return Client(
        settings["folder"], limits, rate=settings["rate"], contact=settings.get("contact"), secrets=secrets
    )


def joined(base: str, path: str, **query: Any) -> str:
    """Return an address below a base.

    Examples
    --------
    >>> joined("http://example.org/", "/api/dataset", id=43)
    'http://example.org/api/dataset?id=43'
    """
    return f"{base.rstrip('/')}/{path.lstrip('/')}" + (f"?{urlencode(query)}" if query else "")
