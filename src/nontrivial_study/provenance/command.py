"""The command ``nontrivial verify``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nontrivial.terminal import OnceEach, json_text, listed, say

if TYPE_CHECKING:
    from nontrivial_study.provenance.verify import Verification

EXIT_CODES = {"good": 0, "mismatch": 1, "incomplete": 2}


@click.command(cls=OnceEach)
@click.argument("results", type=click.Path(path_type=Path), required=False)
@click.option("--deep", is_flag=True, help="Judge all claims again, from the tables as they are.")
@click.option("--claim", metavar="ID", help="Verify and print this one claim, with the files it rests on.")
@click.option(
    "--rerun",
    is_flag=True,
    help="Run the study again with the code of this checkout, or the one installed, and compare the numbers.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def verify(results: Path | None, form: str, **options: Any) -> int:
    """Verify a study: its files, its data, and the verdict of every claim.

    RESULTS is the folder of its results; by default the current folder if it is one, else results.

    Exits with 0 if all is as recorded, with 1 if something is not, and with 2 if something is missing. What was not
    checked is listed.
    """
    from nontrivial_study.provenance.verify import verify as verify_results

    if results is None:
        results = Path() if Path("claims", "verdicts.json").exists() else Path("results")
    outcome = verify_results(results, **options)
    say(json_text(_to_json(outcome)).splitlines() if form == "json" else _to_lines(outcome))
    return EXIT_CODES[outcome.outcome]


def _to_json(outcome: Verification) -> dict[str, Any]:
    report = {"outcome": outcome.outcome, **asdict(outcome)}
    return {key: value for key, value in report.items() if value is not None}


def _to_lines(outcome: Verification) -> list[str]:
    lines = [f"{problem.kind}: {problem.place} {problem.text}" for problem in outcome.problems]
    lines.append(f"{outcome.outcome}: {outcome.files} files; {outcome.counted or 'no claims'}.")
    if claim := outcome.claim:
        from nontrivial.claims.rendering import record_lines

        lines += ["", f"{claim['source']}, {claim['section']}", *record_lines(claim)]
    if again := outcome.rerun:
        other_code = f"not that of code.zip: {listed(again['other_code'])}"
        lines += [
            f"run again: of {again['compared']} files {again['same_bytes']} have the same bytes, "
            f"{again['same_numbers']} the same numbers; {again['rounding']} differ as rounding may explain, "
            f"{again['differ']} otherwise.",
            f"The code of the checkout is {other_code if again['other_code'] else 'that of code.zip'}.",
            f"Recorded, but not so here: {listed(again['changed']) or 'nothing'}.",
        ]
    return lines + [f"{problem.kind}: {problem.place} {problem.text}" for problem in outcome.unchecked]
