"""The transfer of one document: at its turn, whole, and within limits of time and size."""

import contextlib
import gzip
import io
import threading
import time
import zlib
from collections.abc import Callable
from concurrent.futures import Future, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import requests
import urllib3
from filelock import FileLock

from nontrivial_study.data.download_errors import CUT_OFF, WrongAnswer

T = TypeVar("T")

MAX_WAIT = 86_400.0  # seconds for which a server can block us, and the greatest patience
_CHUNK_BYTES = 1 << 16


@dataclass(frozen=True)
class Limits:
    """The end of a download by the monotonic clock, and the greatest size of its document."""

    deadline: float
    kind: str
    megabytes: float

    @property
    def seconds_left(self) -> float:
        return self.deadline - time.monotonic()

    @property
    def max_bytes(self) -> int:
        return int(self.megabytes * 1_000_000)

    def refuse_size(self) -> WrongAnswer:
        """Return that the document is too large."""
        advice = f"set downloads.megabytes.{self.kind} in the configuration to more, which takes more memory"
        return WrongAnswer(f"has more than {self.megabytes:g} MB", advice, retry="never")


class LimitedAdapter(requests.adapters.HTTPAdapter):
    """Sends requests in turn, and reads whole answers. The client sets `limits` and `secrets` before a download."""

    limits: Limits
    secrets: dict[str, str]

    def __init__(self, counts: dict[str, int], rate_limit: "RateLimit") -> None:
        super().__init__()
        self.counts, self.rate_limit = counts, rate_limit

    def send(self, request: requests.PreparedRequest, *args: Any, **options: Any) -> requests.Response:
        """Send a request with the secrets, and return its whole answer without them."""
        self.rate_limit.wait(urlsplit(str(request.url)).netloc, self.limits.seconds_left)
        self.counts["requests"] += 1
        with_secrets = request.copy()
        with_secrets.prepare_url(str(request.url), self.secrets)
        self.secrets = {}  # an address that the answer redirects to must not see them
        read_answer = partial(self._read_answer, with_secrets, options | {"stream": True})
        answer = _run_within(max(self.limits.seconds_left, 1.0), read_answer)
        answer.request, answer.url = request, str(request.url)
        return answer

    def _read_answer(self, request: requests.PreparedRequest, options: dict[str, Any]) -> requests.Response:
        """Send a request, and read and unpack its answer."""
        answer = super().send(request, **options)
        content, limits = io.BytesIO(), self.limits
        while chunk := answer.raw.read(_CHUNK_BYTES, decode_content=False):
            content.write(chunk)
            if content.tell() > limits.max_bytes:
                answer.close()
                raise limits.refuse_size()
        self.counts["bytes"] += content.tell()
        content.seek(0)
        answer.headers.pop("Vary", None)  # with it, the copy would not serve after a change of the contact
        # requests would take a packed body that was cut off for a whole one, and would unpack without a limit.
        if answer.headers.pop("Content-Encoding", "").strip().lower() in ("gzip", "x-gzip"):
            try:
                content = io.BytesIO(gzip.GzipFile(fileobj=content).read(limits.max_bytes + 1))
            except (EOFError, OSError, zlib.error):
                raise WrongAnswer(CUT_OFF, retry="always") from None
            if len(content.getbuffer()) > limits.max_bytes:
                raise limits.refuse_size()
        answer.raw = urllib3.HTTPResponse(content, status=answer.status_code, preload_content=False)
        return answer


def asks_to_wait(problem: str, seconds: float) -> WrongAnswer:
    """Return that a server asks us to wait longer than our patience."""
    advice = "run the same command again when that time is over: complete downloads are kept"
    if seconds < MAX_WAIT / 2:
        advice += ", or set downloads.patience in the configuration to more than these seconds"
    return WrongAnswer(f"{problem} {seconds:.0f} s", advice, retry="never", is_general=True)


class RateLimit:
    """Spaces the requests to each host, over all processes that share a folder.

    A file for each host holds the time from which on the next request may be sent.
    """

    def __init__(self, folder: Path, requests_per_second: float) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._interval = folder, 1.0 / requests_per_second

    def wait(self, host: str, max_seconds: float) -> None:
        """Sleep until the next request to a host may be sent; WrongAnswer if this takes too long."""
        path = self._path(host)
        with FileLock(f"{path}.lock"):
            seconds = _read_wait(path)
            if seconds > max_seconds:
                raise asks_to_wait("is on a server that has asked to wait another", seconds)
            _write_wait(path, seconds + self._interval)
        time.sleep(seconds)

    def block(self, host: str, seconds: float) -> None:
        """Let no process send a request to a host for some seconds."""
        path = self._path(host)
        with FileLock(f"{path}.lock"):
            _write_wait(path, max(_read_wait(path), min(seconds, MAX_WAIT)))

    def _path(self, host: str) -> Path:
        return self._folder / host.replace(":", "_")


def _read_wait(path: Path) -> float:
    """Return the seconds until a host's next turn."""
    seconds = 0.0
    with contextlib.suppress(
        FileNotFoundError, ValueError
    ):  # no request yet, or a process died while it wrote
        seconds = float(path.read_text(encoding="ascii")) - time.time()
    return (
        seconds if 0 <= seconds < 2 * MAX_WAIT else 0.0
    )  # a longer wait comes from a clock that was set back


def _write_wait(path: Path, seconds: float) -> None:
    path.write_text(f"{time.time() + seconds:.6f}", encoding="ascii")


def _run_within(seconds: float, action: Callable[[], T]) -> T:
    """Return the result of an action; WrongAnswer if it takes too long, and its thread is then left alone."""
    # No timeout of a socket ends the look-up of a host name, or an answer that comes byte by byte.
    outcome: Future[T] = Future()

    def run() -> None:
        try:
            outcome.set_result(action())
        except BaseException as error:
            outcome.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    if not wait([outcome], timeout=seconds).done:
        raise WrongAnswer(f"was not whole after {seconds:.0f} s", retry="always")
    return outcome.result()
