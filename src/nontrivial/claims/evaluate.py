"""From claims to records: run each test, apply the rule, and put down what was stated and what was found."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nontrivial.audit import tests
from nontrivial.audit.found import Found, Proof, Search, Survey, Unavailable
from nontrivial.audit.registry import Claim
from nontrivial.audit.verdict import CONTRADICTED, NOT_EVALUATED, decide
from nontrivial.files import sha256_of

COLUMNS = (
    "id",
    "source",
    "locator",
    "statement",
    "kind",
    "verdict",
    "reason",
    "stated",
    "found",
    "counterexample",
    "holds_where",
    "domain",
    "data",
    "evidence",
    "command",
    "repairs",
    "note",
    "beyond",
)


def evaluate_claims(claims: Sequence[Claim], results: str | Path) -> list[dict[str, Any]]:
    """Evaluate claims against the study in a results folder.

    Parameters
    ----------
    claims : sequence of Claim
        As `load_claims` gives them.
    results : path
        The results folder; a claim whose data is not there is not evaluated.

    Returns
    -------
    list of dict
        One record per claim, sorted by id, with the columns of the verdict table; under ``trail`` each has the
        claim, what was found, and the data's hashes, from which its verdict follows again.
    """
    return [evaluate_claim(claim, results) for claim in sorted(claims, key=lambda claim: claim.id)]


def evaluate_claim(claim: Claim, results: str | Path) -> dict[str, Any]:
    """Evaluate one claim."""
    folder = Path(results)
    data = {path: sha256_of(folder / path) for path in claim.data if (folder / path).is_file()}
    try:
        return make_record(claim, _find(claim, folder), data)
    except ValueError as error:
        raise ValueError(f"claim {claim.id!r}: {error}") from error


def make_record(claim: Claim, found: Found, data: dict[str, str]) -> dict[str, Any]:
    """Apply the rule to a claim and to what was found, and say it in the columns of the verdict table."""
    verdict, reason = decide(claim.stated, found, claim.tolerance)
    search = found if isinstance(found, Search) else None
    refuted = search is not None and search.seeks == "counterexample" and search.smallest is not None
    if verdict == NOT_EVALUATED and isinstance(found, Unavailable):
        command = found.command
    else:
        command = f"nontrivial verify --deep --claim {claim.id}"
    return {
        "id": claim.id,
        "source": claim.source,
        "locator": claim.locator,
        "statement": claim.statement,
        "kind": claim.kind,
        "verdict": verdict,
        "reason": reason,
        "stated": claim.stated_text,
        "found": found.text(),
        "counterexample": list(search.smallest) if refuted else None,
        "holds_where": _condition(found) if verdict == CONTRADICTED else "",
        "domain": found.domain if isinstance(found, (Search, Survey, Proof)) else "",
        "data": list(claim.data),
        "evidence": f"claims/{claim.id}.json",
        "command": command,
        "repairs": claim.repairs,
        "note": claim.note,
        "beyond": claim.beyond,
        "trail": {"claim": claim.to_json(), "found": found.to_json(), "data_sha256": data},
    }


def _condition(found: Found) -> str:
    """Where what is contradicted does hold, or why there is no such place to state."""
    if isinstance(found, Search):
        where = found.details.get("holds_where")
        if where is None:
            return "none found"
        text = f"{'exactly' if where['exact'] else 'at least'} where {where['condition']}"
        return text + (", where neither side is ever true" if found.details.get("vacuous") else "")
    if isinstance(found, Survey):
        return "not applicable: judged at the points that were measured"
    return "not applicable: judged by single numbers"


def _find(claim: Claim, results: Path) -> Found:
    if claim.kind == "opinion":
        return Unavailable(claim.because)
    absent = [path for path in claim.data if not (results / path).is_file()]
    if absent:
        return Unavailable(f"needs {' and '.join(absent)}, which this study has not made.", claim.command)
    arguments = dict(claim.arguments)
    if tests.needs_results(claim.test):
        arguments["results"] = results
    found = tests.TESTS[claim.test].run(**arguments)
    if isinstance(found, Unavailable) and not found.command:
        return Unavailable(found.reason, claim.command)
    return found
