"""The one client of everything that is downloaded: polite, patient, and sure of what it keeps.

A document is kept only after it has come whole and passed the check of whoever asked for it. What may be better on
another try (no answer, a broken connection, an overloaded server, a web page in place of data) is tried again, with
growing pauses or the pause that the server asks for; what will not be is said at once, in one sentence.
"""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib.metadata import version
from typing import Any, TypeVar
from urllib.parse import quote, quote_plus, urlsplit

from nontrivial.terminal import hide_logins
from nontrivial_study.data.http.answer import Answer, check_body
from nontrivial_study.data.http.exchange import Exchange
from nontrivial_study.data.http.failures import REFUSED, Advice, OddAnswer, WrongAnswer
from nontrivial_study.data.http.kept import Kept
from nontrivial_study.data.http.limits import MEGABYTES, Kind, Limits
from nontrivial_study.data.http.pace import Held, Pace
from nontrivial_study.data.http.packing import TooLarge
from nontrivial_study.data.http.reading import reading
from nontrivial_study.data.http.retry import LONGEST_PATIENCE, asks_to_wait, attempt, duration, settle

T = TypeVar("T")
Refusal = Callable[[bytes], WrongAnswer | None]
log = logging.getLogger(__name__)

# From 520 on a proxy speaks of its server.
_OVERLOADED = {408, 425, 429, 500, 502, 503, 504, *range(520, 528)}
_EXPLAINED = 412
_NOT_ALLOWED = {401, 403}  # by the service, or by what stands before it
_TOO_LONG = {413, 414, 431}
_WORTH_SAYING = 30.0  # seconds of waiting that a log should explain
_DOUBTED_HOLD = 3_600.0  # seconds that nobody asks a server which asks to wait for more than a day


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
        agent = f"nontrivial/{version('nontrivial')}" + (f" (contact: {contact})" if contact else "")
        self._exchange = Exchange(agent, self._secrets)

    def get(
        self,
        address: str,
        what: str,
        accept: Callable[[bytes], T] = bytes,  # type: ignore[assignment]  # T is then bytes
        *,
        kind: Kind = "descriptions",
        form: str = "in the form expected",
        refusal: Refusal | None = None,
    ) -> T:
        """Return a document, as `accept` reads it.

        Parameters
        ----------
        address : str
            Without a name and password, which belong in ~/.netrc.
        what : str
            What the document is, for messages, such as ``"Data set 'haberman'"``.
        accept : callable
            Turns the body into the result; raises WrongAnswer if the body cannot be the document asked for, and
            OddAnswer if it may be, but counts only if other tries bring the same. Any other error means that the body
            is not of the form.
        kind : str
            The kind of document, which says how large it may be.
        form : str
            What a document is that can be read, such as ``"JSON"``, for messages.
        refusal : callable, optional
            For a service that explains itself in the body of an answer of status 412: returns what is wrong, or None
            if the body is a document like any other.

        Raises
        ------
        DownloadError
            If the document cannot be had.
        """

        def check(body: bytes) -> bytes:
            check_body(body)
            self.limits.check(body, kind)
            return body

        def read(body: bytes) -> T:
            with reading(f"answered with something that is not {form}"):
                return accept(body)

        if self._kept and (body := self._kept.find(address, self.limits.most(kind))) is not None:
            try:
                try:
                    result = read(check(body))
                except OddAnswer as odd:
                    result = odd.result  # it was accepted before
            except WrongAnswer as error:
                problem = self.clean(error.problem)
                log.warning("%s: the kept copy of %s %s, and is fetched again", what, address, problem)
                self._kept.forget(address)
            else:
                self.counts["kept"] += 1
                return result
        deadline = time.monotonic() + self.limits.patience
        settled = settle(read, self.limits)

        def once() -> T:
            body = check(self._receive(address, kind, refusal, deadline))
            result = settled(body)
            if self._kept:
                self._kept.add(address, body)
            return result

        return self.attempt(once, what, address)

    def attempt(self, action: Callable[[], T], what: str, address: str) -> T:
        """Return what an action returns; see `nontrivial_study.data.http.retry.attempt`."""

        def retried() -> None:
            self.counts["retries"] += 1

        return attempt(action, what, address, self.limits, self.clean, retried)

    def summary(self) -> str:
        """Say what the client did, in a few words for a log."""
        counts = self.counts
        return (
            f"{counts['requests']} requests, {counts['retries']} retries, {counts['kept']} taken from earlier runs, "
            f"{counts['bytes'] / 1e6:.1f} MB"
        )

    def clean(self, text: str) -> str:
        """Return a text as one line, without logins, and without the secrets that a server may have repeated to us.

        Examples
        --------
        >>> Client(secrets={"api_key": "a/b"}).clean("asked by api_key=a%2fb")
        'asked by api_key=(secret)'
        """
        for secret in self._secrets.values():
            for form in (secret, quote(secret), quote(secret, safe=""), quote_plus(secret)):
                text = re.sub(re.escape(form), "(secret)", text, flags=re.IGNORECASE)  # %2F may come as %2f
        return " ".join(hide_logins(text).split())

    def forget(self, address: str) -> None:
        """Remove a document from the cache."""
        if self._kept:
            self._kept.forget(address)

    def _receive(self, address: str, kind: Kind, refusal: Refusal | None, deadline: float) -> bytes:
        """Send one request and return the body of a good answer."""
        self._exchange.check(address)
        host = urlsplit(address).netloc
        if self._pace:
            try:
                delay = self._pace.wait(host, deadline - time.monotonic())
            except Held as held:
                problem = "is on a server that has asked to wait another"
                raise asks_to_wait(problem, held.args[0], self.limits) from None
            if delay > _WORTH_SAYING:
                log.warning("%s: waited %.0f s, so as not to ask more often than agreed", host, delay)
        self.counts["requests"] += 1
        most = self.limits.most(kind)
        try:
            answer = self._exchange.send(address, self.limits, deadline, most)
            self.counts["bytes"] += len(answer.content)
            self._check_status(answer, host, deadline, explained=refusal is not None)
            body = answer.body(most)
        except TooLarge:
            problem = f"has more than {self.limits.megabytes[kind]:g} MB"
            raise self.limits.exceeded(kind, problem) from None
        if answer.status == _EXPLAINED and refusal:
            with reading("answered with status 412 and a reason that cannot be read"):
                if refused := refusal(body):
                    raise refused
        return body

    def _check_status(self, answer: Answer, host: str, deadline: float, *, explained: bool) -> None:
        """Raise WrongAnswer unless the body of an answer is to be read."""
        status = answer.status
        if status in _OVERLOADED:
            pause = answer.retry_after()
            if pause and self._pace:
                self._pace.hold(host, pause if pause <= LONGEST_PATIENCE else _DOUBTED_HOLD)
            if pause and pause > deadline - time.monotonic():
                raise asks_to_wait(f"answered with status {status} and asks to wait", pause, self.limits)
            asked = f" and asks to wait {duration(pause)}" if pause else ""
            raise WrongAnswer(f"answered with status {status}{asked}", pause=pause)
        if status in _NOT_ALLOWED:
            raise WrongAnswer(f"answered with status {status}", REFUSED, again=False)
        if status != 200 and not (status == _EXPLAINED and explained):
            raise WrongAnswer(
                f"answered with status {status}",
                Advice("check the base addresses in the configuration, and whether the service still has it"),
                again=False,
                too_much=status in _TOO_LONG,
            )


def open_client(settings: Mapping[str, Any], secrets: Mapping[str, str] | None = None) -> Client:
    """Return a client with the settings of the configuration's ``downloads``."""
    megabytes = MEGABYTES | settings.get("megabytes", {})
    limits = Limits(timeout=settings["timeout"], patience=settings["patience"], megabytes=megabytes)
    # Where the patience is short, so are the pauses: all of them together take less than half of it.
    pause = min(limits.pause, limits.patience / 2 ** (limits.attempts + 1))
    limits = replace(limits, pause=pause)
    return Client(
        settings["folder"], limits, rate=settings["rate"], contact=settings.get("contact"), secrets=secrets
    )
