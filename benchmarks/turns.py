"""Rows of the one table of speed, from calls that take turns.

We measure the processor time of this process and of the processes that it starts. The shortest of all turns counts, so
that other work on the machine matters little. A ratio is our seconds over the peer's; a goal is the most it should be.
"""

import importlib.metadata
import math
import resource
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd

COLUMNS = [
    "measured", "case", "size", "numpy_simd", "peer", "ratio", "goal", "met", "seconds", "peer_seconds", "version",
]  # fmt: skip

Row = dict[str, float | int | str]


def processor_time() -> float:
    """Return the seconds that this process and those that it started, and that have ended, have used."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def take_turns(calls: Mapping[Any, Callable[[], object]], rounds: int) -> dict[Any, float]:
    """Return the least processor time of each call, in seconds."""
    least = dict.fromkeys(calls, math.inf)
    for _ in range(rounds):
        for name, call in calls.items():
            started = processor_time()
            call()
            least[name] = min(least[name], processor_time() - started)
    return least


def version_of(peer: str) -> str:
    """Return the version of a peer, whose name begins with its distribution's; "absent" if not installed."""
    try:
        return importlib.metadata.version(peer.partition(":")[0])
    except importlib.metadata.PackageNotFoundError:
        return "absent"


def simd_features() -> list[str]:
    """Return the sets of instructions beyond the least that NumPy uses on this processor, the newest last."""
    return [*np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])]


def row(
    measured: str,
    case: str,
    size: int,
    peer: str,
    *,
    seconds: float = math.nan,
    peer_seconds: float = math.nan,
    goal: float = math.nan,
) -> Row:
    """Return a row of the table; without seconds if the peer is absent."""
    ratio, goal, seconds, peer_seconds = (
        float(f"{value:.3g}") for value in (seconds / peer_seconds, goal, seconds, peer_seconds)
    )
    met = "none" if math.isnan(ratio) or math.isnan(goal) else "yes" if ratio <= goal else "no"
    simd = (simd_features() or ["none"])[-1]
    cells = [measured, case, size, simd, peer, ratio, goal, met, seconds, peer_seconds, version_of(peer)]
    return dict(zip(COLUMNS, cells, strict=True))


def as_table(rows: Iterable[Row]) -> pd.DataFrame:
    """Return rows as a part of the table."""
    return pd.DataFrame(rows, columns=COLUMNS)
