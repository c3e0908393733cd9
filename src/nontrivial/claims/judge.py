"""From claims to records with their verdicts, in a study or for a registry of one's own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from nontrivial.claims import sentences
from nontrivial.claims import verdict as rule
from nontrivial.claims.claim import Claim
from nontrivial.claims.domains.domain import Domain
from nontrivial.claims.least import find_least
from nontrivial.claims.points import judge_point, judge_points
from nontrivial.claims.registry import read_registry
from nontrivial.claims.search import Question, decide, settle
from nontrivial.claims.verdict import Decision, Finding, NothingFound, RelationFinding, Verdict
from nontrivial.files import DamagedFile, sha256_of

RECORD_COLUMNS = (
    *("id", "main", "source", "section", "locator", "anchor", "statement", "kind", "group", "verdict"),
    *("replication", "reason", "stated", "found", "counterexample", "witness", "holds_where", "domain"),
    *("place", "undefined_where", "holds_if", "steps", "data", "evidence", "command", "note", "beyond"),
)
_CLAIM_COLUMNS = (*RECORD_COLUMNS[:6], "kind", "group", "place", "note", "beyond")
_STUDY_COLUMNS = ("main", "place", "data", "evidence", "command", "beyond")


def judge_claims(claims: Sequence[Claim], results: str | Path | None) -> list[dict[str, Any]]:
    """Return a record for each claim, judged by the study in a results folder, if any."""
    return [judge_claim(claim, results) for claim in claims]


def judge_claim(claim: Claim, results: str | Path | None) -> dict[str, Any]:
    """Return the record of a claim; raise ValueError with the id of a claim that cannot be judged."""
    files = {} if results is None else {path: Path(results, path) for path in claim.data}
    digests = {path: sha256_of(file) for path, file in files.items() if file.is_file()}
    try:
        parts = [_finding_on(part, results) for part in claim.parts]
        finding = _prove_by_steps(claim, _finding_on(claim, results), parts)
        return make_record(claim, finding, digests, parts)
    except DamagedFile:
        raise  # the file is at fault, not the claim
    except ValueError as error:
        raise ValueError(f"claim {claim.id!r}: {error}") from error


def make_record(
    claim: Claim, finding: Finding, digests: dict[str, str], parts: Sequence[Finding] = ()
) -> dict[str, Any]:
    """Return the columns of the verdict table by name, and under ``trail`` the data that the verdict follows from.

    `digests` are by path; `parts` are the findings about the repaired reading and each step.
    """
    formula = claim.formula if claim.claim else None
    verdict, replication = rule.verdict_on(formula, finding, claim.tolerance), ""
    if claim.group == "replication":
        replication = rule.compare_with_other_data(formula, finding, claim.tolerance)
        verdict = rule.verdict_on_other_data(verdict)
    part_verdicts = [
        rule.verdict_on(part.formula, part_finding, part.tolerance)
        for part, part_finding in zip(claim.parts, parts, strict=True)
    ]
    steps = [_verdict_columns(*part) for part in zip(claim.parts, parts, part_verdicts, strict=True)]
    repaired = None
    if claim.holds_if:
        repaired = steps.pop(0)
        verdict = rule.verdict_with_repair(verdict, part_verdicts[0], claim.holds_if.get("as"))
    is_left_to_study = isinstance(finding, NothingFound) or getattr(finding, "elsewhere", None)
    stored = rule.finding_to_json(finding)
    record = {
        **{name: getattr(claim, name) for name in _CLAIM_COLUMNS},
        **_verdict_columns(claim, finding, verdict),
        "replication": replication,
        **dict.fromkeys(("holds_where", "domain", "witness", "counterexample"), ""),
        "holds_if": repaired,
        "steps": steps,
        "data": list(claim.data),
        "evidence": f"claims/{claim.id}.json" if claim.claim else "",
        "command": claim.command if is_left_to_study else f"nontrivial verify --deep --claim {claim.id}",
        "trail": {
            "claim": claim.to_json(),
            "found": stored,
            "witness": None,
            "parts": [rule.finding_to_json(part) for part in parts],
            "reason": {"code": verdict.reason, **verdict.about},
            "data_sha256": digests,
        },
    }
    if isinstance(finding, Decision):
        record["domain"] = sentences.domain_text(finding.domain, finding.proved_of)
        if finding.status == "refuted":
            record["holds_where"] = sentences.holds_text(finding.exactly_when)
        if finding.witness is not None:
            record["witness"] = sentences.witness_text(finding.domain, stored["witness"])
            record["trail"]["witness"] = sentences.witness_parts(finding.domain, stored["witness"])
            record["counterexample"] = record["witness"] if verdict.verdict == rule.CONTRADICTED else ""
    elif isinstance(finding, RelationFinding):
        record["witness"] = sentences.plain_text(finding.place)
    return record


def _verdict_columns(claim: Claim, finding: Finding, verdict: Verdict) -> dict[str, Any]:
    """Return the columns that describe a claim, a repaired reading or a step, with its verdict."""
    return {
        "statement": claim.statement,
        "stated": claim.stated,
        "verdict": verdict.verdict,
        "reason": sentences.reason_text(verdict, finding, claim.stated),
        "found": sentences.finding_text(finding),
        "undefined_where": sentences.undefined_text(finding),
    }


def _finding_on(claim: Claim, results: str | Path | None) -> Finding:
    """Return the finding on a claim: a decision about cases, or a judgement by the numbers of a study."""
    if not claim.claim:
        return NothingFound("unsettled", {"because": claim.because})
    about = claim.about
    if claim.least is not None and claim.formula.printed is not None:
        stated = claim.formula.printed.stated
        if "." not in stated.text:  # a fraction and a whole number are exact
            stated = replace(stated, low=stated.value, high=stated.value)
        return find_least(claim.least, stated)
    if isinstance(about, Domain):
        return decide(claim.formula, claim.conditions, about, claim.proposed)
    if claim.data and results is None:
        return NothingFound("no results")
    folder = Path(results or "")
    absent = [path for path in claim.data if not (folder / path).is_file()]
    if absent:
        return NothingFound("no data", {"files": absent})
    points = about.read(folder)
    if isinstance(points, NothingFound):
        return points
    if len(points) != 1:
        return judge_points(claim.formula, claim.conditions, about.define, points)
    return judge_point(claim.formula, claim.conditions, about.define, points[0], claim.tolerance)


def _prove_by_steps(claim: Claim, finding: Finding, parts: Sequence[Finding]) -> Finding:
    """Return the finding as proved, if a claim was only searched, but follows from steps that are proved."""
    if not isinstance(finding, Decision) or not isinstance(claim.about, Domain):
        return finding
    if finding.status != "searched" or finding.vacuous or finding.undefined_somewhere:
        return finding
    steps = [
        part.formula
        for part, part_finding in zip(claim.parts, parts, strict=True)
        if part.id.startswith(f"{claim.id}-step-")
        and part.over == claim.over
        and set(part.given) <= set(claim.given)
        and isinstance(part_finding, Decision)
        and part_finding.status == "proved"
        and not part.formula.sometimes
    ]
    if steps:
        implied = settle(Question(claim.formula, [*claim.conditions, *steps], claim.about))
        if implied.status == "proved":
            return replace(finding, status="proved", proved_of=implied.proved_of)
    return finding


def settles(claim: Claim, case: rule.Case) -> bool:
    """Whether this case alone settles the claim."""
    if not isinstance(claim.about, Domain):
        return False
    return Question(claim.formula, claim.conditions, claim.about).is_settled_by(case)


@dataclass(frozen=True)
class JudgedFile:
    """The records of a registry in its order, and the documents by their short names."""

    path: Path
    sources: Mapping[str, Mapping[str, str]]
    records: Sequence[dict[str, Any]]

    def to_json(self) -> dict[str, Any]:
        """Return plain data: the file with its digest, the counts, and the columns that need no study."""
        verdicts = [record["verdict"] for record in self.records]
        return {
            "format": 1,
            "file": self.path.name,
            "sha256": None if self.path.is_dir() else sha256_of(self.path),
            "sources": dict(self.sources),
            "verdicts": {name: verdicts.count(name) for name in rule.VERDICT_WORDS},
            "groups": rule.count_verdicts(self.records),
            "claims": [
                {name: record[name] for name in RECORD_COLUMNS if name not in _STUDY_COLUMNS}
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
