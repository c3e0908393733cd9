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
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar, cast
from urllib.parse import quote, quote_plus, urlsplit

import requests
import requests_cache
import tenacity
import urllib3
from filelock import FileLock
from requests_cache.serializers import SerializerPipeline, Stage, json_serializer, utf8_encoder
from tqdm import tqdm

from nontrivial.terminal import hide_logins, shorten
from nontrivial_study.data import download_errors
from nontrivial_study.data.download_errors import DownloadError, SuspectDocument, WrongAnswer

T = TypeVar("T")
log = logging.getLogger(__name__)

# The greatest size of a document of each kind. Under these limits, a job needed less than 1 GB of memory.
MEGABYTES = {"lists": 40, "descriptions": 16, "data": 40, "splits": 32, "predictions": 40}
_CHUNK_BYTES = 1 << 16
_OVERLOAD_STATUSES = {408, 425, 429, 500, 502, 503, 504, *range(520, 528)}  # a proxy answers with 520 to 527
_REFUSAL_STATUS = 412  # OpenML sends this status with a document that explains a refusal
_CHECK_CONTACT = (
    "check downloads.contact, downloads.rate and, if it is set, OPENML_API_KEY in the environment, and run the same "
    "command again"
)


class Client:
    """Downloads documents, one at a time, and keeps them in a folder from run to run.

    The settings under ``downloads`` in the configuration have the same names; all processes that share the folder keep
    to the rate together. `secrets` are query parameters, such as a key, that are sent and shown nowhere. The client
    tries to download a document `attempts` times. The first pause between two tries takes `pause` seconds, and each
    further pause is twice as long, up to a minute.
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
        self.timeout, self.patience, self.attempts = timeout, patience, attempts
        # All pauses together take less than half of the patience.
        self.pause = min(pause, patience / 2 ** (attempts + 1))
        self.megabytes: dict[str, float] = {**MEGABYTES, **(megabytes or {})}
        self.counts = {"requests": 0, "retries": 0, "from_cache": 0, "bytes": 0}
        self._secrets = dict(secrets or {})
        self._adapter = LimitedAdapter(self.counts, RateLimit(Path(folder, "rate"), rate))
        self._session = _open_session(Path(folder), self._adapter, contact)

    def get(
        self,
        address: str,
        what: str,
        accept: Callable[[bytes], T] = bytes,  # type: ignore[assignment]  # T is bytes by default
        *,
        kind: str = "descriptions",
    ) -> T:
        """Return a document as `accept` reads it. `accept` raises WrongAnswer for a document other than the right one.

        `what` names the document in messages. `kind` is a key of `MEGABYTES`.
        """
        started, previous_digest = time.monotonic(), ""

        def try_once() -> T:
            nonlocal previous_digest
            answer = self._request_answer(address, kind, started + self.patience)
            try:
                return _parse_answer(answer, accept)
            except WrongAnswer as wrong:
                digest = hashlib.sha256(b"%d %b" % (answer.status_code, answer.content)).hexdigest()
                is_repeated, previous_digest = digest == previous_digest, digest
                if isinstance(wrong, SuspectDocument) and (is_repeated or answer.from_cache):
                    if wrong.content is None:
                        raise self.failure(what, address, wrong, lasting=True) from None
                    return cast("T", wrong.content)
                self.forget(address)
                if answer.from_cache:
                    problem = self.clean(wrong.problem)
                    log.warning("%s: the kept copy of %s %s, and is fetched again", what, address, problem)
                    previous_digest = ""
                    return try_once()
                if is_repeated and wrong.retry == "until repeated":
                    raise self.failure(what, address, wrong, lasting=True) from None
                raise

        def report_retry(state: tenacity.RetryCallState) -> None:
            self.counts["retries"] += 1
            wrong = cast("WrongAnswer", state.outcome and state.outcome.exception())
            problem = self.failure(what, address, wrong).problem
            log.warning("%s; trying again in %.1f s or more", problem, state.upcoming_sleep)

        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda e: isinstance(e, WrongAnswer) and e.retry != "never"),
            stop=tenacity.stop_after_attempt(self.attempts) | tenacity.stop_before_delay(self.patience),
            wait=tenacity.wait_exponential(self.pause, max=60) + tenacity.wait_random(0, self.pause),
            before_sleep=report_retry,
            reraise=True,
        )
        try:
            return retrying(try_once)
        except WrongAnswer as wrong:
            if (tries := retrying.statistics["attempt_number"]) > 1:
                wrong.problem += f" ({tries} tries in {time.monotonic() - started:.0f} s)"
            raise self.failure(what, address, wrong) from None

    def forget(self, address: str) -> None:
        """Delete the kept copy of a document."""
        self._session.cache.delete(requests=[requests.Request("GET", address)])

    def failure(self, what: str, address: str, wrong: WrongAnswer, *, lasting: bool = False) -> DownloadError:
        """Return the error of a download that ends with a wrong answer."""
        wrong.problem = self.clean(wrong.problem)
        problem = self.clean(f"{what}: {shorten(address, download_errors.MAX_QUOTED)} {wrong.problem}")
        return DownloadError(problem, self.clean(wrong.advice), lasting, wrong, address)

    def clean(self, text: str) -> str:
        """Return a text as one line, without logins, and without secrets that the server repeats."""
        for secret in self._secrets.values():
            for form in (secret, quote(secret), quote(secret, safe=""), quote_plus(secret)):
                text = re.sub(re.escape(form), "(secret)", text, flags=re.IGNORECASE)  # %2F may come as %2f
        return " ".join(hide_logins(text).split())

    def _request_answer(self, address: str, kind: str, deadline: float) -> requests_cache.AnyResponse:
        """Return a whole answer, kept or fetched. Raise WrongAnswer for a web page, an empty answer or overload."""
        if hide_logins(address) != address:
            advice = "put them into ~/.netrc, and take them out of the address"
            raise WrongAnswer("holds a name and password", advice, retry="never", is_general=True)
        self._adapter.deadline, self._adapter.secrets = deadline, dict(self._secrets)
        self._adapter.kind, self._adapter.megabytes = kind, self.megabytes[kind]
        try:
            answer = self._session.get(address, timeout=(min(self.timeout, 10.0), self.timeout))
        except WrongAnswer:
            raise
        except (OSError, ValueError, urllib3.exceptions.HTTPError) as error:
            raise download_errors.describe_failed_request(error, self.timeout) from None
        if answer.from_cache:
            self.counts["from_cache"] += 1
        elif answer.status_code in _OVERLOAD_STATUSES:
            raise self._delay_requests(answer, deadline)
        elif is_web_page(answer.content) and answer.status_code in (200, _REFUSAL_STATUS):
            raise WrongAnswer("answered with a web page in place of the document", retry="always")
        elif not answer.content.strip():
            raise WrongAnswer("answered with nothing", retry="always")
        return answer

    def _delay_requests(self, answer: requests.Response, deadline: float) -> WrongAnswer:
        """Delay all requests to an overloaded server as long as its answer asks for. Return the answer's problem."""
        problem, pause = f"answered with status {answer.status_code}", 0.0
        with contextlib.suppress(urllib3.exceptions.InvalidHeader, OverflowError):  # we choose the pause
            pause = urllib3.Retry().parse_retry_after(answer.headers.get("Retry-After", "0"))
        if not pause:
            return WrongAnswer(problem, retry="always")
        self._adapter.rate_limit.block(urlsplit(answer.url).netloc, pause)
        if pause > deadline - time.monotonic():
            return download_errors.too_long_wait(f"{problem} and asks to wait", pause)
        return WrongAnswer(f"{problem} and asks to wait {pause:.0f} s", retry="always")


def _open_session(folder: Path, adapter: LimitedAdapter, contact: str | None) -> requests_cache.CachedSession:
    """Return a session that keeps answers as packed files, without keys and logins."""
    # These loggers would show whole addresses, secrets included.
    logging.getLogger("urllib3").setLevel(logging.ERROR)
    logging.getLogger("requests_cache").setLevel(logging.CRITICAL)
    packed = Stage(dumps=gzip.compress, loads=gzip.decompress)
    session = requests_cache.CachedSession(
        folder,
        backend="filesystem",
        serializer=SerializerPipeline([json_serializer, utf8_encoder, packed], is_binary=True),
        extension="json.gz",
        decode_content=False,
        allowable_codes=(200, _REFUSAL_STATUS),
        filter_fn=lambda answer: bool(answer.content.strip()) and not is_web_page(answer.content),
    )
    agent = f"nontrivial/{version('nontrivial')}" + (f" (contact: {contact})" if contact else "")
    session.headers.update({"User-Agent": agent, "Accept-Encoding": "gzip"})
    for scheme in ("http://", "https://"):
        session.mount(scheme, adapter)
    return session


def _parse_answer(answer: requests_cache.AnyResponse, accept: Callable[[bytes], T]) -> T:
    """Return the document as `accept` reads it. Raise WrongAnswer if the answer has another status."""
    status = answer.status_code
    if status in (401, 403):  # from the service, or from a firewall
        raise WrongAnswer(f"answered with status {status}", _CHECK_CONTACT, retry="never")
    if status != 200 and not (status == _REFUSAL_STATUS and is_refusal(answer.content)):
        advice = "check the base addresses in the configuration, and whether the service still has it"
        raise WrongAnswer(f"answered with status {status}", advice)
    with download_errors.wrong_answer_on_error():
        return accept(answer.content)


class LimitedAdapter(requests.adapters.HTTPAdapter):
    """Sends requests in turn, and reads whole answers.

    Before each download the client sets its `deadline` by the monotonic clock, the greatest size of the document, as
    `megabytes` of its `kind`, and the `secrets`, which are sent as query parameters.
    """

    deadline: float
    kind: str
    megabytes: float
    secrets: dict[str, str]

    def __init__(self, counts: dict[str, int], rate_limit: RateLimit) -> None:
        super().__init__()
        self.counts, self.rate_limit = counts, rate_limit

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        """Send a request with the secrets. Return the whole answer, without the secrets in its address."""
        self.rate_limit.wait(urlsplit(str(request.url)).netloc, self.deadline - time.monotonic())
        self.counts["requests"] += 1
        with_secrets = request.copy()
        with_secrets.prepare_url(str(request.url), self.secrets)
        self.secrets = {}  # a server to which the answer redirects must not get the secrets
        read_answer = partial(self._read_answer, with_secrets, options | {"stream": True})
        answer = _run_within(max(self.deadline - time.monotonic(), 1.0), read_answer)
        answer.request, answer.url = request, str(request.url)
        return answer

    def _read_answer(self, request: requests.PreparedRequest, options: dict[str, Any]) -> requests.Response:
        """Send a request. Read and unpack its answer within the limits of size."""
        advice = f"set downloads.megabytes.{self.kind} in the configuration to more, which takes more memory"
        too_large = WrongAnswer(f"has more than {self.megabytes:g} MB", advice, retry="never")
        max_bytes = int(self.megabytes * 1_000_000)
        answer = super().send(request, **options)
        content = io.BytesIO()
        while chunk := answer.raw.read(_CHUNK_BYTES, decode_content=False):
            content.write(chunk)
            if content.tell() > max_bytes:
                answer.close()
                raise too_large
        self.counts["bytes"] += content.tell()
        content.seek(0)
        answer.headers.pop("Vary", None)  # or a new contact would make the kept copy useless
        # The package requests would accept half of a packed body, and unpack bodies of any size.
        if answer.headers.pop("Content-Encoding", "").strip().lower() in ("gzip", "x-gzip"):
            try:
                content = io.BytesIO(gzip.GzipFile(fileobj=content).read(max_bytes + 1))
            except (EOFError, OSError, zlib.error):
                raise WrongAnswer(download_errors.CUT_OFF, retry="always") from None
            if len(content.getbuffer()) > max_bytes:
                raise too_large
        answer.raw = urllib3.HTTPResponse(content, status=answer.status_code, preload_content=False)
        return answer


class RateLimit:
    """Spaces the requests to each host. Files in a shared folder hold the times of the next requests."""

    def __init__(self, folder: Path, requests_per_second: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._interval = folder, 1.0 / requests_per_second

    def wait(self, host: str, max_seconds: float) -> None:
        """Sleep until the next request to a host may be sent. Raise WrongAnswer if this takes too long."""
        with self._locked_file(host) as path:
            seconds = _seconds_until_turn(path)
            if seconds > max_seconds:
                raise download_errors.too_long_wait("is on a server that has asked to wait another", seconds)
            _write_next_turn(path, seconds + self._interval)
        time.sleep(seconds)

    def block(self, host: str, seconds: float) -> None:
        """Keep all processes from sending requests to a host for some seconds."""
        with self._locked_file(host) as path:
            _write_next_turn(path, max(_seconds_until_turn(path), min(seconds, download_errors.MAX_WAIT)))

    @contextlib.contextmanager
    def _locked_file(self, host: str) -> Iterator[Path]:
        path = self._folder / host.replace(":", "_")
        with FileLock(f"{path}.lock"):
            yield path


def _seconds_until_turn(path: Path) -> float:
    """Return the seconds until a host's next turn."""
    seconds = 0.0
    with contextlib.suppress(FileNotFoundError, ValueError):  # no request yet, or half a file of a killed job
        seconds = float(path.read_text(encoding="ascii")) - time.time()
    # A longer wait comes from a clock that was set back.
    return seconds if 0 <= seconds < 2 * download_errors.MAX_WAIT else 0.0


def _write_next_turn(path: Path, seconds: float) -> None:
    path.write_text(f"{time.time() + seconds:.6f}", encoding="ascii")


def _run_within(seconds: float, action: Callable[[], T]) -> T:
    """Return the result of an action. Raise WrongAnswer if the action takes too long, and leave its thread alone."""
    # No timeout of a socket ends the look-up of a host name, or an answer that comes byte by byte.
    outcome: Future[T] = Future()

    def set_outcome() -> None:
        try:
            outcome.set_result(action())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=set_outcome, daemon=True).start()
    if not wait([outcome], timeout=seconds).done:
        raise WrongAnswer(f"was not whole after {seconds:.0f} s", retry="always")
    return outcome.result()


def is_web_page(body: bytes) -> bool:
    """Return whether a body is HTML or XHTML."""
    start = rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*\?>\s*)?(<!--.*?-->\s*)?<(!doctype\s+html|html)\b"
    return bool(re.match(start, body[:2000], re.IGNORECASE | re.DOTALL))


def is_refusal(body: bytes) -> bool:
    """Return whether a body is a document with which OpenML explains an error."""
    return bool(re.match(rb"\s*(<\?xml[^>]*\?>\s*)?<oml:error\b", body))


@contextlib.contextmanager
def progress(total: int, what: str, client: Client) -> Iterator[Callable[[], Any]]:
    """Yield a function to call after each step. Show a bar on a terminal, or write a line a minute to the log."""
    screen = sys.__stderr__ if sys.__stderr__ and sys.__stderr__.isatty() else None
    with tqdm(total=total, desc=what, file=screen or sys.stderr, mininterval=0.1 if screen else 60) as bar:
        yield bar.update
    counts = client.counts
    requested = f"{counts['requests']} requests, {counts['retries']} retries"
    reused, megabytes = f"{counts['from_cache']} taken from earlier runs", f"{counts['bytes'] / 1e6:.1f} MB"
    print(f"{what}: {total} done; {requested}, {reused}, {megabytes}", file=sys.stderr)
