"""What can be wrong with a download, in words: one sentence says what, address, what was wrong and what to do."""

from __future__ import annotations

from typing import Any

import requests
import urllib3

OFFLINE = (
    "check the network and the base addresses in the configuration; the default study, `snakemake --cores 8`, "
    "needs no network"
)
AGAIN = "run the same command again later: what has come whole is kept, and the run continues from there"
KEY_VARIABLE = "OPENML_API_KEY"
CHECK_KEY = f"check {KEY_VARIABLE} in the environment, or unset it: reading needs no key"
WAIT = "run the same command again when that time is over: what has come whole is kept"
REFUSED = (
    f"check downloads.contact, downloads.rate and, if it is set, {KEY_VARIABLE} in the environment, and run the same "
    "command again"
)
_EVERYWHERE = (OFFLINE, CHECK_KEY, WAIT)  # what is advised where no document can be had
UNSETTLED = (*_EVERYWHERE, REFUSED)  # what is advised where the answer does not tell what the service has


class DownloadError(RuntimeError):
    """A download that failed for good; the message is one sentence: what, address, what was wrong, what to do.

    Attributes
    ----------
    lasting : bool
        Whether another try would not have been of use: the service works, and this is what it has.
    too_much : bool
        Whether it was because more was asked for than the service gives at once.
    """

    def __init__(self, sentence: str, lasting: bool = False, too_much: bool = False) -> None:
        super().__init__(sentence)
        self.lasting, self.too_much = lasting, too_much

    def or_else(self, way_out: str) -> DownloadError:
        """Return the same failure with what to do if it stays so: go without what cannot be had.

        Where it is not this one document that fails, that would not help, and nothing is added.

        Examples
        --------
        >>> print(DownloadError("Task 3: http://example.org/3 was cut off; run it again.").or_else("leave it out"))
        Task 3: http://example.org/3 was cut off; run it again; if it stays so, leave it out.
        """
        said = str(self)
        if way_out in said or any(advice in said for advice in _EVERYWHERE):
            return self
        return DownloadError(
            f"{said.removesuffix('.')}; if it stays so, {way_out}.", self.lasting, self.too_much
        )


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
    too_much : bool
        Whether more was asked for than the service gives at once.

    Attributes
    ----------
    rejected : str or None
        The digest of the whole answer, if it is one that its reader rejects. Where every try brings the same one,
        that is what the service has.
    """

    def __init__(
        self,
        problem: str,
        advice: str = AGAIN,
        *,
        pause: float | None = None,
        again: bool = True,
        too_much: bool = False,
    ) -> None:
        super().__init__(problem)
        self.problem, self.advice = problem, advice
        self.pause, self.again, self.too_much = pause, again, too_much
        self.rejected: str | None = None


class OddAnswer(WrongAnswer):
    """What is odd about a whole answer that may yet be what the service has.

    Parameters
    ----------
    problem : str
    result
        What the answer counts as, once enough tries have brought the same.
    needed : float
        How many tries that are, in a row. If it is more than there are, the last of them decides.
    """

    def __init__(self, problem: str, result: Any, needed: float = 2) -> None:
        super().__init__(problem)
        self.result, self.needed = result, needed


def broken(error: Exception, timeout: float) -> WrongAnswer:
    """Say what broke a request, without the address that the library's own message repeats with its parameters.

    Examples
    --------
    >>> broken(requests.ReadTimeout(), 30).problem
    'sent nothing for 30 s'
    """
    if isinstance(error, requests.ConnectTimeout):
        return WrongAnswer("cannot be reached: there was no answer to the call", OFFLINE)
    cause = error.args[0] if error.args else error
    reason = getattr(cause, "reason", cause)
    timeouts = (requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError)
    if isinstance(error, timeouts) or isinstance(reason, timeouts):
        return WrongAnswer(f"sent nothing for {timeout:g} s")
    if isinstance(error, requests.exceptions.SSLError):
        return WrongAnswer("cannot be reached: its certificate is not accepted", OFFLINE)
    if isinstance(reason, urllib3.exceptions.NameResolutionError):
        return WrongAnswer("cannot be reached: its name is not known", OFFLINE)
    if isinstance(reason, urllib3.exceptions.NewConnectionError):
        return WrongAnswer("cannot be reached: nobody answers there", OFFLINE)
    if isinstance(error, (requests.exceptions.ProxyError, requests.exceptions.InvalidProxyURL)):
        return WrongAnswer("cannot be reached through the proxy", OFFLINE)
    if isinstance(error, requests.exceptions.TooManyRedirects):
        return WrongAnswer("leads round in a circle")
    if isinstance(
        error, ValueError
    ):  # which a redirection has brought, as one's own address has been checked
        return WrongAnswer("leads to an address that is none")
    return WrongAnswer("was cut off before the end")


def reason(error: Exception) -> str:
    """Return what an error says, on one line and not too long; its name if it cannot say it.

    liac-arff puts the file's own words into its message as a format, which fails if they hold a per cent sign.

    Examples
    --------
    >>> reason(ValueError("two\\nlines"))
    'two lines'
    """
    try:
        return " ".join(str(error).split())[:200]
    except (TypeError, ValueError):
        return type(error).__name__
