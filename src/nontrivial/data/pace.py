"""A pace that several processes keep together: so many requests per second to one host, however many jobs ask."""

from __future__ import annotations

import time
from pathlib import Path

from filelock import FileLock


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
        self._own: dict[str, float] = {}

    def wait(self, host: str) -> float:
        """Return when the next request to a host may be sent: the seconds that this took."""
        delay = max(0.0, self._book(host, self._step) - time.time())
        time.sleep(delay)
        return delay

    def hold(self, host: str, seconds: float) -> None:
        """Let nobody send a request to a host for some seconds, as after "too many requests"."""
        self._book(host, seconds)

    def _book(self, host: str, seconds: float) -> float:
        """Return the next free moment of a host, and take the time after it."""
        if self._folder is None:
            moment = max(time.time(), self._own.get(host, 0.0))
            self._own[host] = moment + seconds
            return moment
        self._folder.mkdir(parents=True, exist_ok=True)
        note = self._folder / host.replace(":", "_")
        with FileLock(f"{note}.lock"):
            now = time.time()
            try:
                booked = float(note.read_text(encoding="ascii"))
            except (FileNotFoundError, ValueError):
                booked = now
            # A note from before the clock was set back would hold everyone up.
            moment = max(now, booked) if booked < now + 3600 else now
            note.write_text(f"{moment + seconds:.6f}", encoding="ascii")
            return moment
