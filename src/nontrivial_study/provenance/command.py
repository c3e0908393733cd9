"""The command ``nontrivial verify``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nontrivial.terminal import OptionsOnceCommand, json_text, listed, print_lines

if TYPE_CHECKING:
    from nontrivial_study.provenance.verify import Verification

EXIT_CODES = {"good": 0, "mismatch": 1, "incomplete": 2}


@click.command(cls=OptionsOnceCommand)
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
    from nontrivial_study.provenance.verify import verify_results

    if results is None:
        results = Path() if Path("claims", "verdicts.json").exists() else Path("results")
    verification = verify_results(results, **options)
    print_lines(json_text(_json_report(verification)).splitlines() if form == "json" else _report_lines(verification))
    return EXIT_CODES[verification.outcome]


def _json_report(verification: Verification) -> dict[str, Any]:
    report = {"outcome": verification.outcome, **asdict(verification)}
    return {key: value for key, value in report.items() if value is not None}


def _report_lines(verification: Verification) -> list[str]:
    lines = [f"{problem.kind}: {problem.place} {problem.text}" for problem in verification.problems]
    counts = f"{verification.files} files; {verification.counted or 'no claims'}"
    lines.append(f"{verification.outcome}: {counts}.")
    if claim := verification.claim:
        from nontrivial.claims.rendering import record_lines

        lines += ["", f"{claim['source']}, {claim['section']}", *record_lines(claim)]
    if rerun := verification.rerun:
        other_code = listed(rerun["other_code"])
        lines += [
            f"run again: of {rerun['compared']} files {rerun['same_bytes']} have the same bytes, "
            f"{rerun['same_numbers']} the same numbers; {rerun['rounding']} differ as rounding may explain, "
            f"{rerun['differ']} otherwise.",
            f"The checkout {f'differs from code.zip: {other_code}' if other_code else 'has the code in code.zip'}.",
            f"Recorded, but not so here: {listed(rerun['changed']) or 'nothing'}.",
        ]
    return lines + [f"{problem.kind}: {problem.place} {problem.text}" for problem in verification.unchecked]
