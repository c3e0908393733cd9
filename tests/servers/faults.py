"""Misbehaviour on demand: which requests are answered wrongly, in which way, and how often."""

from __future__ import annotations

import hashlib
import re
import threading
from collections import Counter
from dataclasses import dataclass

_DATA, _ROWS = "^/data/v1/|^/static/", "^/data/|^/static/"
# Faults that a client can get over by asking again, and in which documents it can notice them.
PASSING = {
    "stall": "",  # accept the request and send nothing
    "cut": "",  # announce the whole body, send half of it, close
    "cut_unannounced": "",  # send half of a packed body whose length nothing tells, close
    "truncate": "",  # send whole lines, too few of them, as if that were all
    "html": "",  # a web page with status 200
    "500": "",
    "503": "",
    "504": "",  # with a well-formed XHTML page
    "429": "",  # too many requests, with Retry-After
    "107": "^/api/v1/|^/api_splits/|^/data/",  # OpenML's "database overload"
    "corrupt": _DATA,  # one byte of the body is another
    "wrong_md5": r"/xml/data/\d+$",  # announce a digest that the file does not have
    "wrong_rows": "",  # the last row twice
    "fewer_columns": _ROWS,  # rows without their last cell
    "duplicate_evaluations": "/evaluation/",  # the first row of a list twice
}
_LONG, _SHORT = 60.0, 0.5  # seconds: more than a client waits, and what it may be asked to wait


@dataclass
class Fault:
    """An order to answer requests wrongly whose path or query matches; ``times`` is negative for all of them.

    Kinds are those of `PASSING`, "drip" and "drip_head" for an answer or its head that comes byte by byte, "large",
    and the numbers of statuses and of OpenML's refusals.
    """

    path: str
    kind: str
    times: int = 1
    seconds: float = 1.0  # how long to stall, or what Retry-After says


class Faults:
    """The orders in force, taken in the order given; then what happens of itself.

    For a ``share`` of addresses the first request meets a fault that passes. Which they are and which fault it is
    depends on the address alone. ``met`` counts the requests that met a fault of each kind.
    """

    def __init__(self, share: float = 0.0) -> None:
        self.met: Counter[str] = Counter()
        self._share, self._asked = share, set[str]()
        self._orders: list[Fault] = []
        self._lock = threading.Lock()

    def add(self, path: str, kind: str, times: int = 1, seconds: float = 1.0) -> None:
        self._orders.append(Fault(path, kind, times, seconds))

    def clear(self) -> None:
        self._orders.clear()

    def take(self, path: str) -> Fault | None:
        """Return the fault that a request meets, and count it."""
        with self._lock:
            ordered = (each for each in self._orders if each.times and re.search(each.path, path))
            fault = next(ordered, None) or self._passing(path)
            if fault:
                fault.times -= fault.times > 0
                self.met[fault.kind] += 1
            return fault

    def _passing(self, path: str) -> Fault | None:
        drawn = hashlib.sha256(path.encode()).digest()
        if path in self._asked or int.from_bytes(drawn[:4]) >= self._share * 2**32:
            return None
        self._asked.add(path)
        kinds = [kind for kind, where in PASSING.items() if re.search(where, path)]
        kind = kinds[int.from_bytes(drawn[4:8]) % len(kinds)]
        return Fault(path, kind, seconds=_LONG if kind == "stall" else _SHORT)
