"""How far a download is: a bar with counts and time left on a terminal, lines with the same in the log."""

from __future__ import annotations

import contextlib
import shutil
import sys
import time
from collections.abc import Callable, Iterator

from tqdm import tqdm

from nontrivial_study.data.http.client import Client

_BETWEEN_LINES = 60.0  # seconds


@contextlib.contextmanager
def progress(total: int, what: str, client: Client) -> Iterator[Callable[[], None]]:
    """Give a function to call after each of so many steps, and show how many are done.

    Parameters
    ----------
    total : int
    what : str
        What is downloaded.
    client : Client
        Whose requests and retries are counted.
    """
    started = said = time.monotonic()
    # Never 0, as a terminal may say; tqdm would then show nothing.
    columns, rows = shutil.get_terminal_size()
    # The log takes sys.stderr; the bar belongs on the screen, and only where somebody looks at it.
    with tqdm(
        total=total, desc=what, file=sys.__stderr__, unit="", ncols=columns, nrows=rows, disable=None
    ) as bar:
        done = 0

        def step() -> None:
            nonlocal done, said
            done += 1
            bar.set_postfix(
                requests=client.counts["requests"], retries=client.counts["retries"], refresh=False
            )
            bar.update()
            now = time.monotonic()
            if now - said >= _BETWEEN_LINES:
                said = now
                left = tqdm.format_interval((now - started) / done * (total - done))
                print(f"{what}: {done} of {total} done, {left} left; {client.summary()}", file=sys.stderr)

        yield step
    print(f"{what}: {total} done; {client.summary()}; {time.monotonic() - started:.1f} s", file=sys.stderr)
