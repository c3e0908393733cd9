"""How far a download is: a bar with counts and time left on a terminal, a closing line in the log."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

from tqdm import tqdm

from nontrivial.data.http import Client

T = TypeVar("T")


def tracked(items: Iterable[T], total: int, what: str, client: Client) -> Iterator[T]:
    """Yield items while a bar shows how many are done, and log what it took at the end.

    Parameters
    ----------
    items : iterable
    total : int
        How many there are.
    what : str
        What is downloaded, beside the bar.
    client : Client
        Whose requests and retries are counted.
    """
    started = time.monotonic()
    # The log takes sys.stderr; the bar belongs on the screen, and only where somebody looks at it.
    with tqdm(total=total, desc=what, unit="", file=sys.__stderr__, disable=None, dynamic_ncols=True) as bar:
        for item in items:
            yield item
            bar.update()
            bar.set_postfix(requests=client.counts["requests"], retries=client.counts["retries"])
    print(f"{what}: {total} done; {client.summary()}; {time.monotonic() - started:.1f} s", file=sys.stderr)
