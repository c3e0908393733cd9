"""The one client of everything that is downloaded: polite, patient, and sure of what it keeps.

A document is kept only after it has come whole and passed the check of whoever asked for it. What may be better on
another try (no answer, a broken connection, an overloaded server, a web page in place of data) is tried again, with
growing pauses or the pause that the server asks for; what will not be is said at once, in one sentence.
"""

from __future__ import annotations

import gzip
import logging
import os
import re
import time
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode, urlsplit

import requests
import tenacity
import urllib3

from nontrivial.data.pace import Pace
from nontrivial.files import atomic_path

T = TypeVar("T")
log = logging.getLogger(__name__)

OFFLINE = (
    "check the network and the base addresses in the configuration; the default study, `snakemake --cores 8`, "
    "needs no network"
)
AGAIN = "run the same command again later: what has come whole is kept, and the run continues from there"

_OVERLOADED = {408, 429, 500, 502, 503, 504}
_PIECE = 1 << 16


class DownloadError(RuntimeError):
    """A download that failed for good; the message is one sentence: what, address, what was wrong, what to do.

    Attributes
    ----------
    status : int or None
        The status of the answer, if it was that which was wrong.
    lasting : bool
        Whether another try would not have been of use: the service works and does not have the document.
    """

    def __init__(self, sentence: str, status: int | None = None, lasting: bool = False) -> None:
        super().__init__(sentence)
        self.status, self.lasting = status, lasting


class WrongAnswer(ValueError):
    """What is wrong with an answer, as the part of a sentence that follows its address.

    Parameters
    ----------
    problem : str
    advice : str
        What to do if it stays so.
    pause : float, optional
        Seconds that the server asks to wait.
    again : bool
        Whether another try may be better.
    status : int, optional
        The status of the answer, if it is that which is wrong.
    """

    def __init__(
        self,
        problem: str,
        advice: str = AGAIN,
        *,
        pause: float | None = None,
        again: bool = True,
        status: int | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem, self.advice = problem, advice
        self.pause, self.again, self.status = pause, again, status


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
        Folder in which accepted documents are kept, packed with a checksum; a damaged one is fetched again.
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
        self.cache = Path(cache) if cache else None
        self.limits = limits or Limits()
        self.counts = {"requests": 0, "retries": 0, "kept": 0, "bytes": 0}
        self._pace = Pace(self.cache / "pace" if self.cache else None, rate) if rate else None
        self._secrets = dict(secrets or {})
        self._session = requests.Session()
        self._session.headers["User-Agent"] = f"nontrivial/{version('nontrivial')}" + (
            f" (contact: {contact})" if contact else ""
        )

    def get(
        self,
        address: str,
        what: str,
        accept: Callable[[bytes], T] = bytes,
        *,
        refusal: Callable[[bytes], WrongAnswer | None] = lambda body: None,
        keep: bool = True,
    ) -> T:
        """Return a document, as `accept` reads it.

        Parameters
        ----------
        address : str
        what : str
            What the document is, for messages, such as ``"data set 'haberman'"``.
        accept : callable
            Turns the body into the result; raises WrongAnswer if the body cannot be the document asked for.
        refusal : callable
            Reads the body of an answer of status 412, if the service explains itself there.
        keep : bool
            Whether to look into the cache and to keep the document there.

        Raises
        ------
        DownloadError
            If the document cannot be had.
        """
        place = self._place(address) if keep and self.cache else None
        if place:
            kept = self._kept(place, accept)
            if kept is not None:
                return kept[0]

        def once() -> T:
            body = self._receive(address, refusal)
            result = accept(body)
            if place:
                _keep(place, body)
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
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, WrongAnswer) and error.again),
            stop=tenacity.stop_after_attempt(self.limits.attempts)
            | tenacity.stop_before_delay(self.limits.patience),
            wait=self._pause,
            before_sleep=lambda state: self._note(state, what, address),
            reraise=True,
        )
        try:
            return retrying(action)
        except WrongAnswer as error:
            tries = retrying.statistics.get("attempt_number", 1)
            effort = f" ({tries} tries in {time.monotonic() - started:.0f} s)" if tries > 1 else ""
            shown = address if len(address) <= 200 else f"{address[:200]}..."
            sentence = f"{what}: {shown} {error.problem}{effort}; {error.advice}."
            raise DownloadError(sentence, error.status, not error.again) from None

    def summary(self) -> str:
        """Say what the client did, in a few words for a log."""
        counts = self.counts
        return (
            f"{counts['requests']} requests, {counts['retries']} retries, {counts['kept']} taken from earlier runs, "
            f"{counts['bytes'] / 1e6:.1f} MB"
        )

    def forget(self, address: str) -> None:
        """Remove a document from the cache."""
        if self.cache:
            self._place(address).unlink(missing_ok=True)

    def _receive(self, address: str, refusal: Callable[[bytes], WrongAnswer | None]) -> bytes:
        """Send one request and return the body of a good answer."""
        if self._pace:
            self._pace.wait(urlsplit(address).netloc)
        self.counts["requests"] += 1
        timeout = self.limits.timeout
        try:
            with self._session.get(
                address, params=self._secrets, stream=True, timeout=(min(timeout, 10.0), timeout)
            ) as response:
                body = self._body(response)
        except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as error:
            raise WrongAnswer(*_broken(error, timeout)) from None
        self.counts["bytes"] += len(body)
        status = response.status_code
        if status == 412 and (refused := refusal(body)):
            raise refused
        if status in _OVERLOADED:
            pause = _retry_after(response)
            if pause and self._pace:
                self._pace.hold(urlsplit(address).netloc, min(pause, self.limits.patience))
            asked = f" and asks to wait {pause:.0f} s" if pause else ""
            raise WrongAnswer(f"answered with status {status}{asked}", pause=pause, status=status)
        if status != 200:
            raise WrongAnswer(
                f"answered with status {status}",
                "check the base addresses in the configuration, and whether the service still has it",
                again=False,
                status=status,
            )
        if is_web_page(body):
            raise WrongAnswer("answered with a web page in place of the document")
        if not body.strip():
            raise WrongAnswer("answered with nothing")
        return body

    def _body(self, response: requests.Response) -> bytes:
        """Read a body piece by piece, so that a server that drips cannot hold the job for ever."""
        deadline = time.monotonic() + self.limits.patience
        pieces = []
        while piece := response.raw.read1(_PIECE, decode_content=True):
            pieces.append(piece)
            if time.monotonic() > deadline:
                raise WrongAnswer(f"was not whole after {self.limits.patience:g} s")
        return b"".join(pieces)

    def _pause(self, state: tenacity.RetryCallState) -> float:
        asked = getattr(state.outcome.exception(), "pause", None) or 0.0
        first = self.limits.pause
        wait = tenacity.wait_exponential(multiplier=first, max=60) + tenacity.wait_random(0, first)
        return max(asked, wait(state))

    def _note(self, state: tenacity.RetryCallState, what: str, address: str) -> None:
        self.counts["retries"] += 1
        problem = state.outcome.exception().problem
        log.warning("%s: %s %s; trying again in %.1f s", what, address, problem, state.next_action.sleep)

    def _place(self, address: str) -> Path:
        """Return where a document is kept: host, path and query as a readable, unique file name."""
        parts = urlsplit(address)
        name = re.sub(r"[^A-Za-z0-9._,=-]", "_", f"{parts.path.strip('/')}?{parts.query}".rstrip("?"))
        if len(name) > 120:  # a list of a thousand ids is longer than a file name may be
            name = f"{name[:80]}-{zlib.crc32(name.encode()):08x}{zlib.adler32(name.encode()):08x}"
        return self.cache / parts.netloc.replace(":", "_") / f"{name}.gz"

    def _kept(self, place: Path, accept: Callable[[bytes], T]) -> tuple[T] | None:
        try:
            packed = place.read_bytes()
            if not packed:  # which gzip would take for an empty document
                raise EOFError
            result = accept(gzip.decompress(packed))
        except FileNotFoundError:
            return None
        except (OSError, EOFError, zlib.error, WrongAnswer):
            log.warning("a kept copy is damaged and fetched again: %s", place.name)
            place.unlink(missing_ok=True)
            return None
        self.counts["kept"] += 1
        return (result,)


def open_client(settings: Mapping[str, Any], secrets: Mapping[str, str] | None = None) -> Client:
    """Return a client with the settings of the configuration's ``downloads``."""
    limits = Limits(timeout=settings["timeout"], patience=settings["patience"])
    return Client(
        settings["folder"], limits, rate=settings["rate"], contact=settings.get("contact"), secrets=secrets
    )


def is_web_page(body: bytes) -> bool:
    """Tell whether a body is HTML or XHTML.

    Examples
    --------
    >>> is_web_page(b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"></html>')
    True
    >>> is_web_page(b"age,html")
    False
    """
    return bool(
        re.match(
            rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*\?>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html)\b",
            body[:2000],
            re.I | re.S,
        )
    )


def joined(base: str, path: str, **query: Any) -> str:
    """Return an address below a base.

    Examples
    --------
    >>> joined("http://example.org/", "/api/dataset", id=43)
    'http://example.org/api/dataset?id=43'
    """
    return f"{base.rstrip('/')}/{path.lstrip('/')}" + (f"?{urlencode(query)}" if query else "")


def _keep(place: Path, body: bytes) -> None:
    with atomic_path(place) as temporary:
        temporary.write_bytes(gzip.compress(body, compresslevel=6, mtime=0))


def _retry_after(response: requests.Response) -> float | None:
    """Return the seconds that Retry-After asks for: a number or a date."""
    value = response.headers.get("Retry-After", "").strip()
    if not value:
        return None
    try:
        return max(0.0, float(value))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _broken(error: Exception, timeout: float) -> tuple[str, str]:
    """Say what broke a request, without the address that the library's own message repeats with its parameters."""
    if isinstance(error, requests.ConnectTimeout):
        return "cannot be reached: there was no answer to the call", OFFLINE
    if isinstance(error, (requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError)):
        return f"sent nothing for {timeout:g} s", AGAIN
    if isinstance(error, requests.exceptions.SSLError):
        return "cannot be reached: its certificate is not accepted", OFFLINE
    cause = error.args[0] if error.args else error
    reason = getattr(cause, "reason", cause)
    if isinstance(reason, urllib3.exceptions.NameResolutionError):
        return "cannot be reached: its name is not known", OFFLINE
    if isinstance(reason, urllib3.exceptions.NewConnectionError):
        return "cannot be reached: nobody answers there", OFFLINE
    if isinstance(error, requests.exceptions.ProxyError):
        return "cannot be reached through the proxy", OFFLINE
    if isinstance(error, (requests.exceptions.InvalidURL, requests.exceptions.MissingSchema)):
        return "is no address", OFFLINE
    return "was cut off before the end", AGAIN
