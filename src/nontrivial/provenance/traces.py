"""What jobs leave beside the results: logs and benchmarks, whose content differs from run to run.

So no manifest lists them. The record of the run holds their digests, the crate that of the record, and the manifest
that of the crate.
"""

from __future__ import annotations

from pathlib import Path

from nontrivial.provenance.project import walk

FOLDERS = ("logs", "benchmarks")
# What the jobs write that record the run, or come after that.
UNRECORDED = frozenset(
    f"logs/{job}.log" for job in ("record_run", "write_crate", "write_manifest", "write_bag")
)


def trace_files(results: str | Path) -> dict[str, Path]:
    """The logs and benchmarks in a results folder, by their paths in it, without the `UNRECORDED`."""
    found = (one for folder in FOLDERS for one in walk(Path(results, folder), f"{folder}/"))
    return {name: path for name, path in found if name not in UNRECORDED}
