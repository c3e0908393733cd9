"""Downloads: `requests` transfers, `requests-cache` keeps, `tenacity` tries again."""

from __future__ import annotations

import contextlib
import gzip
import hashlib
import io
import logging
import re
import sys
import threading
import time
import zlib
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from dataclasses import dataclass, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal, TypeVar, cast
from urllib.parse import quote, quote_plus, urlsplit

import requests
import requests_cache
import tenacity
import urllib3
from filelock import FileLock
from requests_cache.serializers import SerializerPipeline, Stage, json_serializer, utf8_encoder
from tqdm import tqdm

from nontrivial.terminal import hide_logins, shortened

T = TypeVar("T")
log = logging.getLogger(__name__)

# The greatest size of a document by its kind. With these a job was measured to stay under 1 GB of memory.
MEGABYTES = {"lists": 40, "descriptions": 16, "data": 40, "splits": 32, "predictions": 40}
# From 520 on a proxy speaks of its server.
_OVERLOADED = {408, 425, 429, 500, 502, 503, 504, *range(520, 528)}
_EXPLAINED = 412  # OpenML explains itself in the body
_CUT_OFF = "was cut off before the end"
_CHUNK = 1 << 16
_LONGEST_WAIT = 86_400.0  # seconds that a server may hold us for, and the longest patience
_LONGEST_ADDRESS = 200

AGAIN = "run the same command again later: complete downloads are kept, and the run continues from there"
OFFLINE = (
    "check the network and the base addresses in the configuration; the default study, `snakemake --cores 8`, "
    "needs no network"
)
_REFUSED = (
    "check downloads.contact, downloads.rate and, if it is set, OPENML_API_KEY in the environment, and run the same "
    "command again"
)


@dataclass(eq=False)
class WrongAnswer(ValueError):
    """What is wrong with an answer, as the part of a sentence that follows its address, and what the user can do.

    Asked ``again`` is ``"always"`` as long as there is time, or ``"once"``, until the same answer comes twice, which is
    then what the service has, or ``"never"``. An answer that ``stays`` is then kept, and counts as ``result``, if there
    is one. ``everywhere`` says that other documents cannot be had either.
    """

    problem: str
    advice: str = AGAIN
    again: Literal["always", "once", "never"] = "once"
    everywhere: bool = False
    stays: bool = False
    result: Any = None

    def __str__(self) -> str:
        return self.problem


@dataclass(eq=False)
class DownloadError(RuntimeError):
    """A download that failed for good; the message is one sentence: what, address, what was wrong, what to do.

    It is ``lasting`` if the service works, and this is what it has; ``answer`` is what was wrong with the last answer.
    """

    problem: str
    advice: str = AGAIN
    lasting: bool = False
    answer: WrongAnswer | None = None

    def __str__(self) -> str:
        return f"{self.problem}; {self.advice}."

    def or_else(self, way_out: str) -> DownloadError:
        """Return the same failure with how to do without the document, where that would help."""
        if self.answer and self.answer.everywhere:
            return self
        return replace(self, advice=f"{self.advice}; if it stays so, {way_out}")


class Client:
    """Downloads documents, one at a time, and keeps them in a folder from run to run.

    Parameters
    ----------
    folder, rate, timeout, patience, megabytes, contact
        As under ``downloads`` in the configuration. All processes that share the folder keep to the rate together.
    secrets : mapping of str to str, optional
        Query parameters, such as a key, that are sent and shown nowhere.
    attempts : int
        Tries for one document.
    pause : float
        Seconds before the second try; each further pause is twice as long, up to a minute.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        rate: float = 2.0,
        timeout: float = 30.0,
        patience: float = 300.0,
        megabytes: Mapping[str, float] | None = None,
        contact: str | None = None,
        secrets: Mapping[str, str] | None = None,
        attempts: int = 6,
        pause: float = 1.0,
    ) -> None:
        folder = Path(folder)
        self.timeout, self.patience, self.attempts = timeout, patience, attempts
        # Where the patience is short, so are the pauses: all of them together take less than half of it.
        self.pause = min(pause, patience / 2 ** (attempts + 1))
        self.megabytes: dict[str, float] = {**MEGABYTES, **(megabytes or {})}
        self.counts = {"requests": 0, "retries": 0, "kept": 0, "bytes": 0}
        self._secrets = dict(secrets or {})
        logging.getLogger("urllib3").setLevel(logging.ERROR)  # its warnings show whole addresses
        logging.getLogger("requests_cache").setLevel(logging.CRITICAL)
        self._session = _open_cache(folder)  # which leaves keys and logins out of what it keeps
        agent = f"nontrivial/{version('nontrivial')}" + (f" (contact: {contact})" if contact else "")
        self._session.headers.update({"User-Agent": agent, "Accept-Encoding": "gzip"})
        self._transfer = _Transfer(self.counts, _Turns(folder / "rate", rate))
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, self._transfer)

    def get(
        self,
        address: str,
        what: str,
        accept: Callable[[bytes], T] = bytes,  # type: ignore[assignment]  # T is then bytes
        *,
        kind: str = "descriptions",
    ) -> T:
        """Return a document, as `accept` reads it, which raises WrongAnswer if it is another than the one asked for."""
        started, before = time.monotonic(), ""

        def once() -> T:
            nonlocal before
            answer = self._ask(address, kind, started + self.patience)
            try:
                return _read(answer, accept)
            except WrongAnswer as wrong:
                same = hashlib.sha256(b"%d %b" % (answer.status_code, answer.content)).hexdigest()
                twice, before = same == before, same
                if wrong.stays and (twice or answer.from_cache):
                    if wrong.result is not None:
                        return wrong.result  # type: ignore[no-any-return]
                    raise self.failure(what, address, wrong, lasting=True) from None
                self.forget(address)
                if answer.from_cache:
                    problem = self.clean(wrong.problem)
                    log.warning("%s: the kept copy of %s %s, and is fetched again", what, address, problem)
                    before = ""
                    return once()
                if twice and wrong.again == "once":
                    raise self.failure(what, address, wrong, lasting=True) from None
                raise

        def note(state: tenacity.RetryCallState) -> None:
            self.counts["retries"] += 1
            wrong = cast("WrongAnswer", state.outcome and state.outcome.exception())
            problem = self.failure(what, address, wrong).problem
            log.warning("%s; trying again in %.1f s or more", problem, state.upcoming_sleep)

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda e: isinstance(e, WrongAnswer) and e.again != "never"),
            stop=tenacity.stop_after_attempt(self.attempts) | tenacity.stop_before_delay(self.patience),
            wait=tenacity.wait_exponential(self.pause, max=60) + tenacity.wait_random(0, self.pause),
            before_sleep=note,
            reraise=True,
        )
        try:
            return retrying(once)
        except WrongAnswer as wrong:
            if (tries := retrying.statistics["attempt_number"]) > 1:
                wrong.problem += f" ({tries} tries in {time.monotonic() - started:.0f} s)"
            raise self.failure(what, address, wrong) from None

    def forget(self, address: str) -> None:
        """Keep a document no longer."""
        self._session.cache.delete(requests=[requests.Request("GET", address)])

    def failure(self, what: str, address: str, wrong: WrongAnswer, *, lasting: bool = False) -> DownloadError:
        """Return what is wrong with an answer as the end of a download."""
        wrong.problem = self.clean(wrong.problem)
        problem = self.clean(f"{what}: {shortened(address, _LONGEST_ADDRESS)} {wrong.problem}")
        return DownloadError(problem, self.clean(wrong.advice), lasting=lasting, answer=wrong)

    def clean(self, text: str) -> str:
        """Return a text as one line, without logins, and without the secrets that a server may have repeated to us."""
        for secret in self._secrets.values():
            for form in (secret, quote(secret), quote(secret, safe=""), quote_plus(secret)):
                text = re.sub(re.escape(form), "(secret)", text, flags=re.IGNORECASE)  # %2F may come as %2f
        return " ".join(hide_logins(text).split())

    def summary(self) -> str:
        """Say what the client did, in a few words for a log."""
        counts = self.counts
        kept, megabytes = f"{counts['kept']} taken from earlier runs", f"{counts['bytes'] / 1e6:.1f} MB"
        return f"{counts['requests']} requests, {counts['retries']} retries, {kept}, {megabytes}"

    def _ask(self, address: str, kind: str, deadline: float) -> requests_cache.AnyResponse:
        """Return a whole answer, kept or fetched, that is no web page and of no server that has too much to do."""
        if hide_logins(address) != address:
            advice = "put them into ~/.netrc, and take them out of the address"
            raise WrongAnswer("holds a name and password", advice, again="never", everywhere=True)
        self._transfer.prepare(deadline, kind, self.megabytes[kind], self._secrets)
        try:
            answer = self._session.get(address, timeout=(min(self.timeout, 10.0), self.timeout))
        except WrongAnswer:
            raise
        except (OSError, ValueError, urllib3.exceptions.HTTPError) as error:  # those of requests among them
            raise _broken(error, self.timeout) from None
        if answer.from_cache:
            self.counts["kept"] += 1
        elif answer.status_code in _OVERLOADED:
            raise self._overloaded(answer, deadline)
        elif is_web_page(answer.content) and answer.status_code in (200, _EXPLAINED):
            raise WrongAnswer("answered with a web page in place of the document", again="always")
        elif not answer.content.strip():
            raise WrongAnswer("answered with nothing", again="always")
        return answer

    def _overloaded(self, answer: requests.Response, deadline: float) -> WrongAnswer:
        """Return that a server has too much to do; keep all jobs from asking it for as long as it says."""
        problem, pause = f"answered with status {answer.status_code}", 0.0
        with contextlib.suppress(urllib3.exceptions.InvalidHeader, OverflowError):
            pause = urllib3.Retry().parse_retry_after(answer.headers.get("Retry-After", "0"))
        if not pause:
            return WrongAnswer(problem, again="always")
        self._transfer.turns.hold(urlsplit(answer.url).netloc, pause)
        if pause > deadline - time.monotonic():
            return _asks_to_wait(f"{problem} and asks to wait", pause)
        return WrongAnswer(f"{problem} and asks to wait {pause:.0f} s", again="always")


class _Transfer(requests.adapters.HTTPAdapter):
    """Sends a request when its turn has come, and takes the whole answer within bounds of time and size."""

    def __init__(self, counts: dict[str, int], turns: _Turns) -> None:
        super().__init__()
        self.counts, self.turns = counts, turns

    def prepare(self, deadline: float, kind: str, megabytes: float, secrets: Mapping[str, str]) -> None:
        """Set the bounds of the next answer, and what is sent with the request."""
        advice = f"set downloads.megabytes.{kind} in the configuration to more, which takes more memory"
        self._too_large = WrongAnswer(f"has more than {megabytes:g} MB", advice, again="never")
        self._deadline, self._most, self._secrets = deadline, int(megabytes * 1_000_000), dict(secrets)

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        self.turns.wait(urlsplit(str(request.url)).netloc, self._deadline - time.monotonic())
        self.counts["requests"] += 1
        asked = request.copy()
        asked.prepare_url(str(asked.url), self._secrets)
        self._secrets = {}  # which are not for whatever address the answer may lead to
        seconds = max(self._deadline - time.monotonic(), 1.0)
        answer = _within(seconds, partial(self._whole, asked, options | {"stream": True}))
        answer.request, answer.url = request, str(request.url)
        return answer

    def _whole(self, request: requests.PreparedRequest, options: dict[str, Any]) -> requests.Response:
        answer = super().send(request, **options)
        content = io.BytesIO()
        while chunk := answer.raw.read(_CHUNK, decode_content=False):
            content.write(chunk)
            if content.tell() > self._most:
                answer.close()
                raise self._too_large
        self.counts["bytes"] += content.tell()
        content.seek(0)
        # Unpacked here: requests takes a packed body that was cut off for a whole one, and has no bound.
        answer.headers.pop("Vary", None)  # or the copy would not serve after a change of the contact
        if answer.headers.pop("Content-Encoding", "").strip().lower() in ("gzip", "x-gzip"):
            try:
                content = io.BytesIO(gzip.GzipFile(fileobj=content).read(self._most + 1))
            except (EOFError, OSError, zlib.error):
                raise WrongAnswer(_CUT_OFF, again="always") from None
            if len(content.getbuffer()) > self._most:
                raise self._too_large
        answer.raw = urllib3.HTTPResponse(content, status=answer.status_code, preload_content=False)
        return answer


class _Turns:
    """Keeps to so many requests per second and host, over all processes that share a folder."""

    def __init__(self, folder: Path, rate: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._step = folder, 1.0 / rate

    def wait(self, host: str, longest: float) -> None:
        """Return when the next request to a host may be sent."""
        with self._free_from(host) as (ahead, let_free_in):
            if ahead > longest:
                raise _asks_to_wait("is on a server that has asked to wait another", ahead)
            let_free_in(ahead + self._step)
        time.sleep(ahead)

    def hold(self, host: str, seconds: float) -> None:
        """Let nobody send a request to a host for some seconds, as after "too many requests"."""
        with self._free_from(host) as (ahead, let_free_in):
            let_free_in(max(ahead, min(seconds, _LONGEST_WAIT)))

    @contextlib.contextmanager
    def _free_from(self, host: str) -> Iterator[tuple[float, Callable[[float], int]]]:
        """Give in how many seconds a host is free for a request, and a function to change that."""
        place = self._folder / host.replace(":", "_")
        with FileLock(f"{place}.lock"):
            now, ahead = time.time(), 0.0
            with contextlib.suppress(FileNotFoundError, ValueError):
                ahead = float(place.read_text(encoding="ascii")) - now
            if not 0 <= ahead < 2 * _LONGEST_WAIT:  # it is over, or the clock was set back
                ahead = 0.0
            yield ahead, lambda wanted: place.write_text(f"{now + wanted:.6f}", encoding="ascii")


def _asks_to_wait(problem: str, seconds: float) -> WrongAnswer:
    """Return that a server asks to wait for longer than there is time."""
    advice = "run the same command again when that time is over: complete downloads are kept"
    if seconds < _LONGEST_WAIT / 2:
        advice += ", or set downloads.patience in the configuration to more than these seconds"
    return WrongAnswer(f"{problem} {seconds:.0f} s", advice, again="never", everywhere=True)


def is_web_page(body: bytes) -> bool:
    """Tell whether a body is HTML or XHTML."""
    start = rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*\?>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html)\b"
    return bool(re.match(start, body[:2000], re.IGNORECASE | re.DOTALL))


def is_refusal(body: bytes) -> bool:
    """Tell whether a body is OpenML's document of an error."""
    return bool(re.match(rb"\s*(<\?xml[^>]*\?>\s*)?<oml:error\b", body))


@contextlib.contextmanager
def reading(problem: str = "cannot be read", *, advice: str = AGAIN) -> Iterator[None]:
    """Turn any error of a reader, whatever a damaged document makes it raise, into a WrongAnswer."""
    try:
        yield
    except (WrongAnswer, DownloadError):
        raise
    except Exception as error:
        said = shortened(" ".join(str(error).split()), _LONGEST_ADDRESS).rstrip(".")
        raise WrongAnswer(f"{problem} ({type(error).__name__}: {said})", advice) from error


@contextlib.contextmanager
def progress(total: int, what: str, client: Client) -> Iterator[Callable[[], Any]]:
    """Give a function to call after each of so many steps; show a bar on a terminal, or a line a minute in the log."""
    screen = sys.__stderr__ if sys.__stderr__ and sys.__stderr__.isatty() else None
    with tqdm(total=total, desc=what, file=screen or sys.stderr, mininterval=0.1 if screen else 60) as bar:
        yield bar.update
    print(f"{what}: {total} done; {client.summary()}", file=sys.stderr)


def _open_cache(folder: Path) -> requests_cache.CachedSession:
    """Return a session that keeps answers as packed files; its own redaction leaves out keys and logins."""
    packed = Stage(dumps=gzip.compress, loads=gzip.decompress)
    return requests_cache.CachedSession(
        folder,
        backend="filesystem",
        serializer=SerializerPipeline([json_serializer, utf8_encoder, packed], is_binary=True),
        extension="json.gz",
        decode_content=False,
        allowable_codes=(200, _EXPLAINED),
        filter_fn=lambda answer: bool(answer.content.strip()) and not is_web_page(answer.content),
    )


def _read(answer: requests_cache.AnyResponse, accept: Callable[[bytes], T]) -> T:
    """Return what an answer holds; raise WrongAnswer if it is not the document."""
    status = answer.status_code
    if status in (401, 403):  # said by the service, or by what stands before it
        raise WrongAnswer(f"answered with status {status}", _REFUSED, again="never")
    if status != 200 and not (status == _EXPLAINED and is_refusal(answer.content)):
        advice = "check the base addresses in the configuration, and whether the service still has it"
        raise WrongAnswer(f"answered with status {status}", advice)
    with reading():
        return accept(answer.content)


def _within(seconds: float, action: Callable[[], T]) -> T:
    """Return the result of an action, or leave it in its own thread when the time is over."""
    # The look-up of a name, or an answer that comes byte by byte, cannot be bounded from the thread that waits for it.
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(action())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    if not wait([outcome], timeout=seconds).done:
        raise WrongAnswer(f"was not whole after {seconds:.0f} s", again="always")
    return outcome.result()


_UNREACHED = {
    requests.ConnectTimeout: "the connection was not answered",
    requests.exceptions.SSLError: "its certificate is not accepted",
    requests.exceptions.ProxyError: "the proxy does not let us through",
    urllib3.exceptions.NameResolutionError: "its host name is unknown",
    urllib3.exceptions.NewConnectionError: "nobody answers there",
}


def _broken(error: Exception, timeout: float) -> WrongAnswer:
    """Say what broke a request; the library's own message would repeat the address with its parameters."""
    cause = error.args[0] if error.args else error
    kinds = {*type(error).__mro__, *type(getattr(cause, "reason", cause)).__mro__}
    for kind, said in _UNREACHED.items():
        if kind in kinds:
            return WrongAnswer(f"cannot be reached: {said}", OFFLINE, again="always", everywhere=True)
    if kinds & {requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError}:
        return WrongAnswer(f"sent nothing for {timeout:g} s", again="always")
    if requests.TooManyRedirects in kinds:
        return WrongAnswer("redirects in a loop")
    if isinstance(error, ValueError):
        return WrongAnswer("is not an address, or leads to none", OFFLINE, again="never", everywhere=True)
    if type(error) is OSError:  # as requests says that a variable of the environment names no certificates
        return WrongAnswer(f"cannot be reached: {error}", OFFLINE, again="never", everywhere=True)
    return WrongAnswer(_CUT_OFF, again="always")
