"""Misbehaviour on demand: which requests are answered wrongly, in which way, and how often."""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter
from dataclasses import dataclass

KINDS = (
    "stall",  # accept the request and send nothing
    "drip",  # send the head, then a byte now and then
    "drip_head",  # send a byte of the head now and then
    "cut",  # announce the whole body, send half of it, close
    "cut_unannounced",  # send half of a packed body whose length nothing tells, close
    "corrupt",  # one byte of the body is another
    "truncate",  # send whole lines, too few of them, as if that were all
    "html",  # a web page with status 200
    "xhtml_504",  # a well-formed XHTML page with status 504
    "429",  # too many requests, with Retry-After
    "107",  # OpenML's "database overload"
    "102",  # OpenML's "the key is not known"
    "401",
    "403",
    "404",
    "414",  # the address is too long
    "543",  # OpenML's "more than 10,000 results"
    "wrong_md5",  # announce a digest that the file does not have
    "wrong_rows",  # the last data row twice
    "single_class",  # every label of the target the same
    "duplicate_evaluations",  # the first row of a list twice
)

# Faults that a client can get over by asking again, and in which documents it can notice them.
_OPENML, _UCI_TABLE = r"^/api/v1/xml/|^/api_splits/|^/data/", r"^/static/"
_DATA, _PREDICTIONS = r"^/data/v1/download/", r"^/data/download/"
PASSING = {
    "stall": "",
    "cut": "",
    "cut_unannounced": "",
    "truncate": "",
    "html": "",
    "xhtml_504": "",
    "429": "",
    "107": _OPENML,
    "corrupt": f"{_DATA}|{_UCI_TABLE}",
    "wrong_md5": r"/xml/data/\d+$",
    "wrong_rows": "",
    "single_class": f"{_DATA}|{_PREDICTIONS}|{_UCI_TABLE}",
    "duplicate_evaluations": "/evaluation/",
}
_LONG, _SHORT = 60.0, 0.5  # seconds: more than a client waits, and what it may be asked to wait


@dataclass
class Fault:
    """One order to misbehave.

    Attributes
    ----------
    path : str
        Regular expression, searched in the request's path and query.
    kind : str
        One of `KINDS`.
    times : int
        How many matching requests it holds for; negative for all.
    seconds : float
        How long to stall, or what Retry-After says.
    """

    path: str
    kind: str
    times: int = 1
    seconds: float = 1.0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"There is no fault {self.kind!r}; the known ones are {', '.join(KINDS)}.")


class Faults:
    """The orders in force, taken in the order given; then what happens of itself.

    Parameters
    ----------
    share : float
        The share of addresses whose first request meets a fault that passes. Which they are and which fault it is
        depends on the address alone, not on the order of the requests.

    Attributes
    ----------
    met : Counter
        How many requests met a fault of each kind.
    """

    def __init__(self, share: float = 0.0) -> None:
        self.met: Counter[str] = Counter()
        self._share = share
        self._asked: set[str] = set()
        self._orders: list[Fault] = []
        self._lock = threading.Lock()

    def add(self, path: str, kind: str, times: int = 1, seconds: float = 1.0) -> None:
        with self._lock:
            self._orders.append(Fault(path, kind, times, seconds))

    def clear(self) -> None:
        with self._lock:
            self._orders.clear()

    def take(self, path: str) -> Fault | None:
        """Return the fault that a request meets, and count it."""
        with self._lock:
            fault = self._ordered(path) or self._passing(path)
            if fault:
                self.met[fault.kind] += 1
            return fault

    def _ordered(self, path: str) -> Fault | None:
        for order in self._orders:
            if order.times and re.search(order.path, path):
                order.times -= order.times > 0
                return order
        return None

    def _passing(self, path: str) -> Fault | None:
        if path in self._asked:
            return None
        self._asked.add(path)
        drawn = hashlib.sha256(path.encode()).digest()
        if int.from_bytes(drawn[:4]) >= self._share * 2**32:
            return None
        kinds = [kind for kind, where in PASSING.items() if re.search(where, path)]
        kind = kinds[int.from_bytes(drawn[4:8]) % len(kinds)]
        return Fault(re.escape(path), kind, seconds=_LONG if kind == "stall" else _SHORT)


def parse_fault(text: str) -> dict:
    """Read a fault from the command line: ``PATH=KIND``, ``PATH=KIND*TIMES`` or ``PATH=KIND*TIMES@SECONDS``.

    Examples
    --------
    >>> parse_fault("/api_splits/=429*2@0.5")
    {'path': '/api_splits/', 'kind': '429', 'times': 2, 'seconds': 0.5}
    """
    match = re.fullmatch(r"(.+)=(\w+)(?:\*(-?\d+))?(?:@([\d.]+))?", text)
    if not match:
        raise ValueError(
            f"{text!r} is no fault; it must be PATH=KIND, PATH=KIND*TIMES or PATH=KIND*TIMES@SECONDS."
        )
    path, kind, times, seconds = match.groups()
    return {"path": path, "kind": kind, "times": int(times or 1), "seconds": float(seconds or 1)}
