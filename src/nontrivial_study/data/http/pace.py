"""A pace that several processes keep together: so many requests per second to one host, however many jobs ask."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from filelock import FileLock

_LONGEST = 86_400.0  # seconds that a host is held at most


class Held(Exception):
    """A host is held for longer than one can wait; the argument is for how many more seconds."""


@dataclass
class _Note:
    """What is known of a host, in seconds since 1970: its next free moment, and until when nobody is to ask."""

    free: float = 0.0
    held: float = 0.0


class Pace:
    """Gives each request a moment of its own.

    Parameters
    ----------
    folder : path or None
        Where processes that share the pace note the next free moment of each host. None: this process alone.
    rate : float
        Requests per second and host.

    Examples
    --------
    >>> pace = Pace(None, rate=1000)
    >>> pace.wait("example.org")
    0.0
    """

    def __init__(self, folder: Path | None, rate: float) -> None:
        self._folder = folder
        self._step = 1.0 / rate
        self._own: dict[str, _Note] = {}

    def wait(self, host: str, longest: float = math.inf) -> float:
        """Return when the next request to a host may be sent: the seconds that this took.

        Raises
        ------
        Held
            As soon as the host is seen to be held for more seconds than are left of `longest`.
        """
        waited = 0.0
        while True:
            with self._note(host) as note:
                now = time.time()
                if note.held - now > longest - waited:
                    raise Held(note.held - now)
                moment = max(now, note.free, note.held)
                note.free = moment + self._step
            time.sleep(moment - now)
            waited += moment - now
            if not self.held(host):  # meanwhile, by another process
                return waited

    def hold(self, host: str, seconds: float) -> None:
        """Let nobody send a request to a host for some seconds, as after "too many requests"."""
        with self._note(host) as note:
            note.held = max(note.held, time.time() + min(seconds, _LONGEST))

    def held(self, host: str) -> float:
        """Return for how many more seconds nobody is to send a request to a host."""
        with self._note(host) as note:
            return max(0.0, note.held - time.time())

    @contextlib.contextmanager
    def _note(self, host: str) -> Iterator[_Note]:
        """Give what is noted of a host, which no other process changes meanwhile, and note what it then is."""
        if self._folder is None:
            yield self._own.setdefault(host, _Note())
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        place = self._folder / host.replace(":", "_")
        with FileLock(f"{place}.lock"):
            try:
                note = _Note(*map(float, place.read_text(encoding="ascii").split()))
            except (FileNotFoundError, TypeError, ValueError):
                note = _Note()
            if max(note.free, note.held) > time.time() + 2 * _LONGEST:
                note = _Note()  # it is from before the clock was set back
            before = replace(note)
            yield note
            if note != before:
                place.write_text(f"{note.free:.6f} {note.held:.6f}", encoding="ascii")
