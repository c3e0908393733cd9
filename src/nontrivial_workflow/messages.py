"""What a run of the workflow says last."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nontrivial.terminal import say
from nontrivial_workflow import engine


def print_failures(observer: engine.Observer) -> None:
    """Repeat the reason of each failed job, so that it is the last thing on the screen; or how to go on."""
    for rule, path in dict.fromkeys(observer.failed):
        written = Path(path).read_text(encoding="utf-8", errors="replace") if Path(path).exists() else ""
        reason = written.strip().rpartition("\n")[2]
        if observer.interrupted and reason in ("", "KeyboardInterrupt"):
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
    """Name the page that a whole study ends in, so that it is the last thing on the screen."""
    page = Path(config["results"], "report", "index.html")
    if page.is_file() and not engine.is_silent(workflow):
        say([f"The study's page: {page}"], err=True)
