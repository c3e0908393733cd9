"""What can be wrong with a download, in words for the user."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import requests
import urllib3

from nontrivial.terminal import shorten

MAX_WAIT = 86_400.0  # seconds: the longest pause that a server can impose, and the greatest patience
MAX_QUOTED = 200  # characters of an address or a message that we repeat
AGAIN = "run the same command again later: complete downloads are kept, and the run continues from there"
OFFLINE = (
    "check the network and the base addresses in the configuration; the default study, `snakemake --cores 8`, "
    "needs no network"
)
CUT_OFF = "was cut off before the end"


@dataclass(eq=False)
class WrongAnswer(ValueError):
    """An answer that is not the document asked for.

    `problem` continues a sentence that begins with the address, such as "answered with status 404". `advice` says what
    the user can do. With `retry` "until repeated", the client asks until the same answer comes twice. `is_general` says
    that other documents fail for the same reason.
    """

    problem: str
    advice: str = AGAIN
    retry: Literal["always", "until repeated", "never"] = "until repeated"
    is_general: bool = False

    def __str__(self) -> str:
        return self.problem


@dataclass(eq=False)
class SuspectDocument(WrongAnswer):
    """A document that may be damaged, although no digest shows it.

    The client downloads the document once more. If the same bytes come again, the client keeps the document and returns
    `content`. If `content` is None, the download fails.
    """

    content: Any = None


@dataclass(eq=False)
class DownloadError(RuntimeError):
    """A download that failed for good. Its message names the document, the address, the problem and advice.

    The failure is `lasting` if the service works but does not have the document. `answer` is the last answer.
    """

    problem: str
    advice: str = AGAIN
    lasting: bool = False
    answer: WrongAnswer | None = None
    address: str = ""

    def __str__(self) -> str:
        return f"{self.problem}; {self.advice}."

    def or_else(self, way_out: str) -> DownloadError:
        """Return the failure with advice on going without the document, unless all documents fail as well."""
        if self.answer and self.answer.is_general:
            return self
        return replace(self, advice=f"{self.advice}; if it stays so, {way_out}")


@contextlib.contextmanager
def wrong_answer_on_error(problem: str = "cannot be read", *, advice: str = AGAIN) -> Iterator[None]:
    """Turn any error of a reader into a WrongAnswer. A damaged document can make a reader raise anything."""
    try:
        yield
    except (WrongAnswer, DownloadError):
        raise
    except Exception as error:
        message = shorten(" ".join(str(error).split()), MAX_QUOTED).rstrip(".")
        raise WrongAnswer(f"{problem} ({type(error).__name__}: {message})", advice) from error


_UNREACHABLE = {
    requests.ConnectTimeout: "the connection was not answered",
    requests.exceptions.SSLError: "its certificate is not accepted",
    requests.exceptions.ProxyError: "the proxy does not let us through",
    urllib3.exceptions.NameResolutionError: "its host name is unknown",
    urllib3.exceptions.NewConnectionError: "nobody answers there",
}


def describe_failed_request(error: Exception, timeout: float) -> WrongAnswer:
    """Describe an error of requests or urllib3, whose own message would repeat the secrets in the address."""
    cause = error.args[0] if error.args else error
    kinds = {*type(error).__mro__, *type(getattr(cause, "reason", cause)).__mro__}
    for kind, reason in _UNREACHABLE.items():
        if kind in kinds:
            return WrongAnswer(f"cannot be reached: {reason}", OFFLINE, retry="always", is_general=True)
    if kinds & {requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError}:
        return WrongAnswer(f"sent nothing for {timeout:g} s", retry="always")
    if requests.TooManyRedirects in kinds:
        return WrongAnswer("redirects in a loop")
    if isinstance(error, ValueError):
        return WrongAnswer("is not an address, or leads to none", OFFLINE, retry="never", is_general=True)
    if type(error) is OSError:  # a variable of the environment names a missing file of certificates
        return WrongAnswer(f"cannot be reached: {error}", OFFLINE, retry="never", is_general=True)
    return WrongAnswer(CUT_OFF, retry="always")


def too_long_wait(problem: str, seconds: float) -> WrongAnswer:
    """Return a WrongAnswer that says how long the server asks us to wait, which is longer than our patience."""
    advice = "run the same command again when that time is over: complete downloads are kept"
    if seconds < MAX_WAIT / 2:
        advice += ", or set downloads.patience in the configuration to more than these seconds"
    return WrongAnswer(f"{problem} {seconds:.0f} s", advice, retry="never", is_general=True)
