"""What a study ran with and how long it took: the one record that differs from run to run."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pandas as pd

_PACKAGES = ("nontrivial", "numpy", "scipy", "pandas", "pyarrow", "scikit-learn", "matplotlib", "snakemake")


def run_record(config: Mapping[str, Any], benchmarks: Path) -> dict[str, Any]:
    """Describe a run: configuration, software and the cost of each job.

    Parameters
    ----------
    config : mapping
        The whole configuration.
    benchmarks : Path
        The folder of the jobs' benchmark files (tab-separated, with columns ``s`` and ``max_rss``).

    Returns
    -------
    dict
        ``finished`` (UTC, to the second), ``config``, ``python``, ``machine`` (the processor's architecture),
        ``packages`` and ``jobs`` (seconds of wall time and MiB of peak memory by job name). No name of a user,
        a host or a folder outside the project.
    """
    jobs = {}
    for path in sorted(benchmarks.rglob("*.tsv")):
        row = pd.read_csv(path, sep="\t").iloc[-1]
        name = path.relative_to(benchmarks).with_suffix("").as_posix()
        jobs[name] = {"seconds": float(row["s"]), "peak_mib": pd.to_numeric(row["max_rss"], errors="coerce")}
    return {
        "finished": datetime.now(UTC).replace(microsecond=0).isoformat(),
        "config": config,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "packages": {name: _version(name) for name in _PACKAGES},
        "jobs": jobs,
    }


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
