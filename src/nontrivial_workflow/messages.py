"""What a run of the workflow says last."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nontrivial.provenance.manifest import RESULTS
from nontrivial.provenance.verify_files import left_in
from nontrivial.terminal import say
from nontrivial_workflow import engine

_ERROR = re.compile(r"nontrivial\.|[\w.]*(Error|Exception)\b")  # KeyboardInterrupt is none


def print_failures(observer: engine.Observer) -> None:
    """Repeat the reason of each failed job, so that it is the last thing on the screen; or how to go on."""
    for rule, path in dict.fromkeys(observer.failed):
        written = Path(path).read_text(encoding="utf-8", errors="replace") if Path(path).exists() else ""
        reason = written.strip().rpartition("\n")[2]
        if observer.interrupted and not _ERROR.match(reason):
            continue  # it was stopped, and did not fail
        reason = re.sub(
            r"^(nontrivial[\w.]*|ValueError): ", "", reason or "it left no message"
        )  # sentences that need no name of an error
        say([f"{rule} failed: {reason} (whole log: {path})"], err=True)
    if observer.interrupted:
        say(
            ["interrupted; go on with: snakemake --unlock, then the same command with --rerun-incomplete"],
            err=True,
        )


def print_page(workflow: Any, config: Mapping[str, Any]) -> None:
    """Count what no job of the study made, and name the page, so that it is the last thing on the screen."""
    results = Path(config["results"])
    page = results / "report" / "index.html"
    if not page.is_file() or engine.is_silent(workflow):
        return
    if left := left_in(results):
        first = results / left[0].removeprefix(RESULTS)
        say([f"{len(left)} files are left from an earlier configuration, such as {first}"], err=True)
    say([f"The study's page: {page}"], err=True)
