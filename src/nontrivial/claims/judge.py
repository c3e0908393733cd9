"""From claims to records, of a study or of a registry of one's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from nontrivial.claims import sentences
from nontrivial.claims import verdict as rule
from nontrivial.claims.counting import count_verdicts
from nontrivial.claims.domains import Domain, judge_point, judge_points
from nontrivial.claims.language import Printed
from nontrivial.claims.least import find_least
from nontrivial.claims.registry import Claim, read_registry
from nontrivial.claims.search import Question, decide, settle
from nontrivial.claims.verdict import Absent, Decision, Found, Numbers, Verdict
from nontrivial.files import DamagedFile, sha256_of

COLUMNS = (
    *("id", "main", "source", "section", "locator", "anchor", "statement", "kind", "group", "verdict"),
    *("replication", "reason", "stated", "found", "counterexample", "witness", "holds_where", "domain"),
    *("place", "undefined_where", "holds_if", "steps", "data", "evidence", "command", "note", "beyond"),
)
_OF_CLAIM = (*COLUMNS[:6], "kind", "group", "place", "note", "beyond")
_OF_STUDY = ("main", "place", "data", "evidence", "command", "beyond")


def judge_claims(claims: Sequence[Claim], results: str | Path | None) -> list[dict[str, Any]]:
    """Return a record for each claim, judged by the study in a results folder, if any."""
    return [judge_claim(claim, results) for claim in claims]


def judge_claim(claim: Claim, results: str | Path | None) -> dict[str, Any]:
    files = {} if results is None else {path: Path(results, path) for path in claim.data}
    data = {path: sha256_of(file) for path, file in files.items() if file.is_file()}
    try:
        parts = [_find(part, results) for part in claim.parts]
        return make_record(claim, _by_steps(claim, _find(claim, results), parts), data, parts)
    except DamagedFile:
        raise  # the file is at fault, not the claim
    except ValueError as error:
        raise ValueError(f"claim {claim.id!r}: {error}") from error


def make_record(
    claim: Claim, found: Found, data: dict[str, str], parts: Sequence[Found] = ()
) -> dict[str, Any]:
    """Return the columns of the verdict table, and under ``trail`` what the verdict follows from again.

    `data` has digests by the path of the file, `parts` what was found about the repaired reading and each step.
    """
    formula = claim.formula if claim.claim else None
    verdict, replication = rule.judge(formula, found, claim.tolerance), ""
    verdicts = [
        rule.judge(part.formula, result, part.tolerance)
        for part, result in zip(claim.parts, parts, strict=True)
    ]
    below = [_describe(*part) for part in zip(claim.parts, parts, verdicts, strict=True)]
    if claim.group == "replication":
        replication = rule.compare_with_other_data(formula, found, claim.tolerance)
        verdict = rule.on_other_data(verdict)
    repaired = None
    if claim.holds_if:
        repaired = below.pop(0)
        verdict = rule.with_repair(verdict, verdicts[0], claim.holds_if.get("as"))
    plain = rule.found_to_json(found)
    record = {
        **{name: getattr(claim, name) for name in _OF_CLAIM},
        **_describe(claim, found, verdict),
        "replication": replication,
        **dict.fromkeys(("holds_where", "domain", "witness", "counterexample"), ""),
        "holds_if": repaired,
        "steps": below,
        "data": list(claim.data),
        "evidence": f"claims/{claim.id}.json" if claim.claim else "",
        "command": f"nontrivial verify --deep --claim {claim.id}",
        "trail": {
            "claim": claim.to_json(),
            "found": plain,
            "witness": None,
            "parts": [rule.found_to_json(part) for part in parts],
            "reason": {"code": verdict.reason, **verdict.about},
            "data_sha256": data,
        },
    }
    if isinstance(found, Decision):
        record["domain"] = sentences.domain_text(found.domain, found.proved_of)
        if found.status == "refuted":
            record["holds_where"] = sentences.holds_text(found.exactly_when)
        if plain["witness"] is not None:
            record["witness"] = sentences.witness_text(found.domain, plain["witness"])
            record["trail"]["witness"] = sentences.witness_parts(found.domain, plain["witness"])
            record["counterexample"] = record["witness"] if verdict.verdict == rule.CONTRADICTED else ""
    elif isinstance(found, Numbers):
        record["witness"] = sentences.plain_text(found.place)
    if isinstance(found, Absent) or getattr(found, "elsewhere", None):
        record["command"] = claim.command
    return record


def _by_steps(claim: Claim, found: Found, parts: Sequence[Found]) -> Found:
    """Prove a claim that was only searched, if steps that are proved of the same cases imply it."""
    if not isinstance(found, Decision) or not isinstance(claim.about, Domain):
        return found
    if found.status != "searched" or found.vacuous:
        return found
    steps = [
        part.formula
        for part, result in zip(claim.parts, parts, strict=True)
        if part.over == claim.over and set(part.given) <= set(claim.given) and isinstance(result, Decision)
        if result.status == "proved"
        and part.id.startswith(f"{claim.id}-step-")
        and not part.formula.sometimes
    ]
    if not steps:
        return found
    implied = settle(Question(claim.formula, [*claim.conditions, *steps], claim.about))
    if implied.status != "proved" or found.undefined_somewhere:
        return found
    return replace(found, status="proved", proved_of=implied.proved_of)


def _describe(claim: Claim, found: Found, verdict: Verdict) -> dict[str, Any]:
    """What a claim, a repaired reading or a step states, and what is said of it."""
    return {
        "statement": claim.statement,
        "stated": claim.stated,
        "verdict": verdict.verdict,
        "reason": sentences.reason_text(verdict, found, claim.stated),
        "found": sentences.found_text(found),
        "undefined_where": sentences.undefined_text(found),
    }


def settles(claim: Claim, case: Sequence[int | Fraction]) -> bool:
    """Tell whether one case settles a claim, without repeating the search."""
    if not isinstance(claim.about, Domain):
        return False
    return bool(Question(claim.formula, claim.conditions, claim.about).masks_at(case).hit)


def _find(claim: Claim, results: str | Path | None) -> Found:
    if not claim.claim:
        return Absent("unsettled", {"because": claim.because})
    about = claim.about
    if claim.least is not None and claim.formula.printed is not None:
        _, digits = claim.formula.printed
        stated = Printed.parse(digits)
        is_exact = "." not in digits  # a fraction or a whole number
        return find_least(
            claim.least, replace(stated, low=stated.value, high=stated.value) if is_exact else stated
        )
    if isinstance(about, Domain):
        return decide(claim.formula, claim.conditions, about, claim.proposed)
    if claim.data and results is None:
        return Absent("no results")
    folder = Path(results or "")
    absent = [path for path in claim.data if not (folder / path).is_file()]
    if absent:
        return Absent("no data", {"files": absent})
    points = about.read(folder)
    if isinstance(points, Absent):
        return points
    if len(points) != 1:
        return judge_points(claim.formula, claim.conditions, about.define, points)
    return judge_point(claim.formula, claim.conditions, about.define, points[0], claim.tolerance)


@dataclass(frozen=True)
class JudgedFile:
    """The records of a registry in its order, and the documents by their short names."""

    path: Path
    sources: Mapping[str, Mapping[str, str]]
    records: Sequence[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        """Plain data: the file with its digest, the counts, and of each record what does not depend on a study."""
        verdicts = [record["verdict"] for record in self.records]
        return {
            "format": 1,
            "file": self.path.name,
            "sha256": None if self.path.is_dir() else sha256_of(self.path),
            "sources": dict(self.sources),
            "verdicts": {name: verdicts.count(name) for name in rule.VERDICT_WORDS},
            "groups": count_verdicts(self.records),
            "claims": [
                {name: record[name] for name in COLUMNS if name not in _OF_STUDY}
                | {"reason_code": record["trail"]["reason"]["code"]}
                | {"evidence": {key: record["trail"][key] for key in ("found", "witness")}}
                for record in self.records
            ],
        }


def judge_registry(path: Path, results: Path | None = None) -> JudgedFile:
    """Judge every claim of a file, or of all files of a folder."""
    if results is not None and not results.is_dir():
        raise ValueError(f"{results} is not a folder; --results names the folder of a study's results.")
    sources, claims = read_registry(path)
    return JudgedFile(path, sources, judge_claims(claims, results))
