"""The command ``nontrivial verify``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from nontrivial.terminal import OnceEach, WholeNumber, json_text, say

if TYPE_CHECKING:
    from nontrivial_study.provenance.verify import Verification

EXIT_CODES = {"good": 0, "mismatch": 1, "incomplete": 2}
FORGED = (1, 5, 20)  # predictions, for which it is said how likely a draw finds one of them


@click.command(cls=OnceEach)
@click.argument("results", type=click.Path(path_type=Path), required=False)
@click.option("--deep", is_flag=True, help="Judge all claims again, from the tables as they are.")
@click.option("--claim", metavar="ID", help="Verify this one claim, and the files it rests on.")
@click.option(
    "--recompute",
    is_flag=True,
    help="Compute everything again that follows from data and predictions. Needs a checkout of the project.",
)
@click.option(
    "--retrain",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="FRACTION",
    help="Train this share of all pairs of task and model again.",
)
@click.option("--seed", type=WholeNumber(), help="Draw the same pairs again. [default: drawn anew]")
@click.option(
    "--signers",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Ask for an SSH signature of the manifest by one of these allowed signers.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def verify(results: Path | None, claim: str | None, form: str, **options: Any) -> int:
    """Verify a study: its files, its data, its page, and the verdict of every claim.

    RESULTS is the folder of its results; by default the current folder if it is one, else results.

    Exits with 0 if all is as recorded, with 1 if something is not, and with 2 if something is missing. What was not
    checked is listed.
    """
    from nontrivial_study.provenance.verify import verify as verify_results

    if results is None:
        results = Path() if Path("claims", "verdicts.json").exists() else Path("results")
    outcome = verify_results(results, claim=claim, **options)
    say(json_text(_to_json(outcome)).splitlines() if form == "json" else _to_lines(outcome))
    return EXIT_CODES[outcome.outcome]


def _to_json(outcome: Verification) -> dict[str, Any]:
    report: dict[str, Any] = {
        "outcome": outcome.outcome,
        "files": outcome.files,
        "verdicts": outcome.verdicts,
        "apart": outcome.apart,
        "problems": [vars(problem) for problem in outcome.problems],
        "unchecked": [vars(problem) for problem in outcome.unchecked],
        "signed_by": outcome.signed_by,
        "retrained": None,
    }
    if draw := outcome.draw:
        finds = {str(forged): draw.finds(forged) for forged in FORGED}
        report["retrained"] = vars(draw) | {"finds_one_of": finds}
    return report


def _to_lines(outcome: Verification) -> list[str]:
    counts = ", ".join(f"{count} {verdict}" for verdict, count in outcome.verdicts.items())
    n_claims = sum(outcome.verdicts.values())
    plural = "" if n_claims == 1 else "s"
    apart = ", ".join(f"{group} {count}" for group, count in outcome.apart.items())
    lines = [
        *(f"{problem.kind}: {problem.place} {problem.text}" for problem in outcome.problems),
        f"{outcome.outcome}: {outcome.files} files, {n_claims} claim{plural} ({counts or 'none'})"
        f"{apart and f'; counted apart: {apart}'}.",
    ]
    if outcome.signed_by:
        lines.append(f"signed by {outcome.signed_by}.")
    if draw := outcome.draw:
        finds = ", ".join(f"{draw.finds(forged):.1%} for {forged}" for forged in FORGED)
        lines.append(
            f"trained again: {draw.drawn} of {draw.pairs} pairs of task and model, with --seed {draw.seed}."
        )
        lines.append(f"This finds one of so many forged pairs with a probability of {finds}.")
    return lines + [f"{problem.kind}: {problem.place} {problem.text}" for problem in outcome.unchecked]
