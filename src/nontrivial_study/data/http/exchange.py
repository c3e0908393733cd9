"""One request and its whole answer, within bounds of time and size whatever the server does."""

from __future__ import annotations

import http.client
import io
import os
import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from urllib.parse import urljoin, urlsplit

import requests
import urllib3

from nontrivial_study.data.http.answer import Answer
from nontrivial_study.data.http.deadline import Overdue, within
from nontrivial_study.data.http.failures import OFFLINE, WrongAnswer
from nontrivial_study.data.http.limits import Limits
from nontrivial_study.data.http.packing import TooLarge

_CHUNK = 1 << 16
_MOST_REDIRECTS = 30
_MOST_DIGITS = 18
_CERTIFICATES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")


class Exchange:
    """Sends requests.

    Parameters
    ----------
    agent : str
        The User-Agent.
    secrets : mapping of str to str
        Query parameters that are sent to the address that is asked for, not to where it may lead.
    """

    def __init__(self, agent: str, secrets: Mapping[str, str]) -> None:
        self._headers = {"User-Agent": agent, "Accept-Encoding": "gzip"}
        self._secrets = secrets
        self._session = self._open_session()

    def check(self, address: str) -> None:
        """Raise WrongAnswer if an address is invalid, or holds a name and password, which would be shown with it."""
        try:
            self._session.get_adapter(requests.Request("GET", address).prepare().url or "")
            login = "@" in urlsplit(address).netloc
        except ValueError:
            raise WrongAnswer("is not an address", OFFLINE, again=False) from None
        if login:
            advice = replace(OFFLINE, text="put them into ~/.netrc, and take them out of the address")
            raise WrongAnswer("holds a name and password", advice, again=False)

    @staticmethod
    def _check_certificates(address: str) -> None:
        """Raise WrongAnswer if the environment names a file that holds no certificates."""
        variable = next((name for name in _CERTIFICATES if os.environ.get(name)), None)
        if variable is None or not address.startswith("https:"):
            return
        named = os.environ[variable]
        try:
            place = {"capath" if os.path.isdir(named) else "cafile": named}
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(**place)
        except OSError:
            problem = (
                f"cannot be reached: {variable} in the environment names {named}, which holds no certificates"
            )
            advice = replace(OFFLINE, text=f"let {variable} name a file of certificates, or unset it")
            raise WrongAnswer(problem, advice, again=False) from None

    def send(self, address: str, limits: Limits, deadline: float, most: int) -> Answer:
        """Return the whole answer to a request.

        Raises
        ------
        WrongAnswer
            If there is none before the deadline (by `time.monotonic`), or something else breaks it.
        TooLarge
            If its content has more than `most` bytes.
        """
        begun = False

        def exchange() -> Answer:
            nonlocal begun
            try:
                with self._follow(address, limits.timeout) as response:
                    begun = True
                    return _received(response, most)
            except (TooLarge, WrongAnswer):
                raise
            except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
                raise broken(error, limits.timeout, begun) from None

        try:
            return within(max(deadline - time.monotonic(), 1.0), exchange)
        except Overdue:
            self._session = self._open_session()  # the other one may still be at work
            if begun:
                raise WrongAnswer(f"was not whole after {limits.patience:g} s") from None
            raise WrongAnswer(f"cannot be reached: no answer in {limits.patience:g} s", OFFLINE) from None

    def _follow(self, address: str, timeout: float) -> requests.Response:
        """Return the open answer at the end of all redirections, whose own contents nobody reads."""
        session, secrets = self._session, self._secrets
        for _ in range(_MOST_REDIRECTS + 1):
            self._check_certificates(address)
            waits = (min(timeout, 10.0), timeout)
            response = session.get(address, params=secrets, stream=True, allow_redirects=False, timeout=waits)
            target = session.get_redirect_target(response)
            if target is None:
                return response
            response.close()
            address, secrets = urljoin(response.url, target), {}
        raise requests.TooManyRedirects

    def _open_session(self) -> requests.Session:
        session = _Session()
        session.headers.update(self._headers)
        return session


class _Session(requests.Session):
    """Leaves redirections alone: requests would read the whole body of one, even where it does not follow."""

    def resolve_redirects(self, *_: object, **__: object) -> Iterator[requests.Response]:  # type: ignore[override]
        return iter(())


def _received(response: requests.Response, most: int) -> Answer:
    """Return an answer whose content is not too large, which is noticed before it takes up memory."""
    announced = response.headers.get("Content-Length", "").strip()
    if len(announced) > _MOST_DIGITS or (announced.isdecimal() and int(announced) > most):
        raise TooLarge
    content = io.BytesIO()
    while chunk := response.raw.read(_CHUNK, decode_content=False):
        content.write(chunk)
        if content.tell() > most:
            raise TooLarge
    return Answer(response.status_code, response.headers, content.getvalue())


def broken(error: Exception, timeout: float, begun: bool = False) -> WrongAnswer:
    """Say what broke a request, before the content of its answer had begun to come or after.

    The library's own message would repeat the address with its parameters.

    Examples
    --------
    >>> broken(requests.ReadTimeout(), 30).problem
    'sent nothing for 30 s'
    """
    if isinstance(error, requests.ConnectTimeout):
        return WrongAnswer("cannot be reached: the connection was not answered", OFFLINE)
    if own := _own_file(error):
        problem = f"cannot be reached: {own.filename} on this machine cannot be used ({own.strerror})"
        advice = replace(OFFLINE, text="check the variables in the environment that name files for TLS")
        return WrongAnswer(problem, advice, again=False)
    cause = error.args[0] if error.args else error
    reason = getattr(cause, "reason", cause)
    timeouts = (requests.ReadTimeout, urllib3.exceptions.ReadTimeoutError, TimeoutError)
    if isinstance(error, timeouts) or isinstance(reason, timeouts):
        return WrongAnswer(f"sent nothing for {timeout:g} s")
    if isinstance(error, requests.exceptions.SSLError):
        return WrongAnswer("cannot be reached: its certificate is not accepted", OFFLINE)
    if isinstance(reason, urllib3.exceptions.NameResolutionError):
        return WrongAnswer("cannot be reached: its host name is unknown", OFFLINE)
    if isinstance(reason, urllib3.exceptions.NewConnectionError):
        return WrongAnswer("cannot be reached: nobody answers there", OFFLINE)
    if isinstance(error, (requests.exceptions.ProxyError, requests.exceptions.InvalidProxyURL)):
        return WrongAnswer("cannot be reached through the proxy", OFFLINE)
    if isinstance(error, requests.exceptions.TooManyRedirects):
        return WrongAnswer("redirects in a loop")
    if any(map(_breaks_rules, _errors_behind(error))) or (begun and isinstance(error, ValueError)):
        return WrongAnswer("answered with something that is not HTTP")
    if isinstance(error, ValueError):  # the address of a redirection; the one asked for has been checked
        return WrongAnswer("redirects to an invalid address")
    return WrongAnswer("was cut off before the end")


def _own_file(error: BaseException) -> OSError | None:
    """Return the error about a file of this machine, such as SSLKEYLOGFILE, that is behind another error."""
    errors = (one for one in _errors_behind(error) if isinstance(one, OSError))
    return next((one for one in errors if isinstance(one.filename, str)), None)


def _breaks_rules(error: BaseException) -> bool:
    """Tell whether an answer was not cut off, but is none that HTTP allows."""
    ended = (http.client.RemoteDisconnected, http.client.IncompleteRead)
    wrong = (http.client.HTTPException, requests.exceptions.InvalidHeader)
    return isinstance(error, wrong) and not isinstance(error, ended)


def _errors_behind(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__context__
