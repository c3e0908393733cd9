"""Which files may be executed: the one thing about a file, beside its bytes, on which its use depends."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from nontrivial_study.provenance.manifest import RESULTS, results_files
from nontrivial_study.provenance.problems import MISMATCH, UNCHECKED, Problem


def executable_files(results: str | Path) -> list[str]:
    """The paths in the results of all files that their owner may execute, but for logs and benchmarks."""
    return sorted(
        name.removeprefix(RESULTS)
        for name, path in results_files(results).items()
        if path.is_file() and path.stat().st_mode & 0o100
    )


def check_modes(results: Path, recorded: Sequence[str]) -> Iterator[Problem]:
    """Name the files that may be executed and were not recorded so, and the reverse."""
    found = set(executable_files(results))
    if len(found) == len(results_files(results)) or os.name != "posix":
        text = "are on a file system that keeps no modes, so what may be executed was not compared."
        yield Problem(UNCHECKED, "the results", text)
        return
    for name in sorted(found ^ set(recorded)):
        if (results / name).is_file():
            text = "may be executed" if name in found else "may not be executed"
            yield Problem(MISMATCH, RESULTS + name, f"{text}; run.json says otherwise.")
