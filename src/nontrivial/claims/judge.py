"""From claims to records: find what can be found about each, apply the rule, and put both down."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from nontrivial.claims import sentences
from nontrivial.claims.claim import Claim
from nontrivial.claims.decide import decide, is_hit
from nontrivial.claims.found import Absent, Decision, Found, Survey, found_to_json
from nontrivial.claims.over import Source
from nontrivial.claims.points import judge_point, survey_points
from nontrivial.claims.verdict import CONTRADICTED, NOT_EVALUATED, judge, on_other_data
from nontrivial.files import DamagedFile, sha256_of

COLUMNS = (
    *("id", "main", "source", "section", "locator", "anchor", "statement", "kind", "group"),
    *("verdict", "reason", "stated", "found", "counterexample", "witness", "holds_where", "domain"),
    *("data", "evidence", "command", "repairs", "step_of", "note", "beyond"),
)


def judge_claims(claims: Sequence[Claim], results: str | Path) -> list[dict[str, Any]]:
    """Judge claims by the study in a results folder.

    Parameters
    ----------
    claims : sequence of Claim
        As `load_claims` gives them.
    results : path
        The results folder; a claim whose data is not there is not evaluated.

    Returns
    -------
    list of dict
        One record per claim, in their order, with the columns of the verdict table; under ``trail`` each has the claim,
        what was found and the reason as plain data, and the data's hashes, from which its verdict follows again.
    """
    return [judge_claim(claim, results) for claim in claims]


def judge_claim(claim: Claim, results: str | Path) -> dict[str, Any]:
    """Judge one claim."""
    folder = Path(results)
    data = {path: sha256_of(folder / path) for path in claim.data if (folder / path).is_file()}
    try:
        return make_record(claim, _find(claim, folder), data)
    except DamagedFile:
        raise  # the file is at fault, not the claim
    except ValueError as error:
        raise ValueError(f"claim {claim.id!r}: {error}") from error


def make_record(claim: Claim, found: Found, data: dict[str, str]) -> dict[str, Any]:
    """Apply the rule to a claim and to what was found, and say it in the columns of the verdict table."""
    verdict = judge(claim.formula if claim.claim else None, found, claim.tolerance)
    if claim.group == "replication":
        verdict = on_other_data(verdict)
    decided = found if isinstance(found, Decision) else None
    plain = found_to_json(found)
    witness = plain["witness"] if decided else None
    parts, case = None, ""
    if decided and witness is not None:
        parts = sentences.witness_parts(decided.domain, witness)
        case = sentences.witness_text(decided.domain, witness)
    elif isinstance(found, Survey):
        case = sentences.plain_text(found.keeping if claim.formula.sometimes else found.broken)
    waits = verdict.verdict == NOT_EVALUATED and isinstance(found, Absent)
    refuted = decided if decided and decided.status == "refuted" else None
    return {
        "id": claim.id,
        "main": claim.main,
        "source": claim.source,
        "section": claim.section,
        "locator": claim.locator,
        "anchor": claim.anchor,
        "statement": claim.statement,
        "kind": claim.kind,
        "group": claim.group,
        "verdict": verdict.verdict,
        "reason": sentences.reason_text(verdict.reason, verdict.about, found),
        "stated": claim.stated,
        "found": sentences.found_text(found),
        "counterexample": witness if verdict.verdict == CONTRADICTED else None,
        "witness": case,
        "holds_where": sentences.holds_text(refuted.exactly_when) if refuted else "",
        "domain": sentences.domain_text(decided.domain, decided.proved_of) if decided else "",
        "data": list(claim.data),
        "evidence": f"claims/{claim.id}.json",
        "command": claim.command if waits else f"nontrivial verify --deep --claim {claim.id}",
        "repairs": claim.repairs,
        "step_of": claim.step_of,
        "note": claim.note,
        "beyond": claim.beyond,
        "trail": {
            "claim": claim.to_json(),
            "found": plain,
            "witness": parts,
            "reason": {"code": verdict.reason, **verdict.about},
            "data_sha256": data,
        },
    }


def settles(claim: Claim, case: Sequence[int | Fraction]) -> bool:
    """Tell whether one case settles a claim, without repeating the search."""
    about = claim.about
    return not isinstance(about, Source) and is_hit(claim.formula, claim.conditions, about, case)


def _find(claim: Claim, results: Path) -> Found:
    if not claim.claim:
        return Absent("unsettled", {"because": claim.because})
    about = claim.about
    if not isinstance(about, Source):
        return decide(claim.formula, claim.conditions, about, claim.proposed)
    absent = [path for path in claim.data if not (results / path).is_file()]
    if absent:
        return Absent("no data", {"files": absent})
    points = about.read(results)
    if isinstance(points, Absent):
        return points
    if about.many:
        return survey_points(claim.formula, claim.conditions, about.define, points)
    return judge_point(claim.formula, claim.conditions, about.define, points[0])
