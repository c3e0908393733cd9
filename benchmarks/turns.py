"""Rows of the one table of speed, from calls that take turns.

Processor time counts, of this process and of those that it starts, so that other work on the machine matters little.
Seconds are medians over the turns. A ratio is the seconds here over those of the peer; a goal is the most it should be.
"""

import importlib.metadata
import math
import resource
import statistics
import time
from collections.abc import Callable, Iterable, Mapping

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


def take_turns(calls: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, float]:
    """Return the median processor time of each call, in seconds."""
    found: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            started = processor_time()
            call()
            found[name].append(processor_time() - started)
    return {name: statistics.median(seconds) for name, seconds in found.items()}


def version_of(peer: str) -> str:
    """Return the version of a peer, whose name begins with that of its distribution; "absent" if not installed."""
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
    version: str | None = None,
) -> Row:
    """Return a row of the table; without seconds if the peer is absent."""
    ratio, goal, seconds, peer_seconds = (
        float(f"{value:.3g}") for value in (seconds / peer_seconds, goal, seconds, peer_seconds)
    )
    met = "none" if math.isnan(ratio) or math.isnan(goal) else "yes" if ratio <= goal else "no"
    version = version_of(peer) if version is None else version
    simd = (simd_features() or ["none"])[-1]
    cells = [measured, case, size, simd, peer, ratio, goal, met, seconds, peer_seconds, version]
    return dict(zip(COLUMNS, cells, strict=True))


def as_table(rows: Iterable[Row]) -> pd.DataFrame:
    """Return rows as a part of the table."""
    return pd.DataFrame(rows, columns=COLUMNS)
