"""From claims to records, of a study or of a registry of one's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import yaml

from nontrivial.claims import sentences
from nontrivial.claims.domains import Domain, judge_point, survey_points
from nontrivial.claims.registry import (
    Claim,
    Source,
    WrongEntry,
    files_of_sources,
    read_entries,
    read_sources,
)
from nontrivial.claims.search import decide, is_hit
from nontrivial.claims.verdict import (
    CAVEAT,
    CONTRADICTED,
    NOT_EVALUATED,
    REPRODUCED,
    VERDICTS,
    Absent,
    Decision,
    Found,
    Survey,
    Verdict,
    found_to_json,
    judge,
    on_other_data,
)
from nontrivial.files import DamagedFile, sha256_of

# From claims to records: find what can be found about each, apply the rule, and put both down.


COLUMNS = (
    *("id", "main", "source", "section", "locator", "anchor", "statement", "kind", "group"),
    *("verdict", "reason", "stated", "found", "counterexample", "witness", "holds_where", "domain"),
    *("place", "undefined_where", "holds_if", "steps", "data", "evidence", "command", "note", "beyond"),
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
        parts = [_find(part, folder) for part in claim.parts]
        return make_record(claim, _find(claim, folder), data, parts)
    except DamagedFile:
        raise  # the file is at fault, not the claim
    except ValueError as error:
        raise ValueError(f"claim {claim.id!r}: {error}") from error


def make_record(
    claim: Claim, found: Found, data: dict[str, str], parts: Sequence[Found] = ()
) -> dict[str, Any]:
    """Apply the rule to a claim and to what was found, and say it in the columns of the verdict table.

    Parameters
    ----------
    claim : Claim
    found : Found
    data : dict
        The digests of the files that it was found in, by path.
    parts : sequence of Found
        What was found about the claim's repaired reading and the steps of its proof.
    """
    verdict = judge(claim.formula if claim.claim else None, found, claim.tolerance)
    if claim.group == "replication":
        verdict = on_other_data(verdict)
    below = [_part(part, its) for part, its in zip(claim.parts, parts, strict=True)]
    repaired = below[0] if claim.holds_if else None
    if (
        repaired
        and "as" in claim.holds_if
        and (verdict.verdict, repaired["verdict"]) == (CONTRADICTED, REPRODUCED)
    ):
        verdict = Verdict(CAVEAT, claim.holds_if["as"])
    decided = found if isinstance(found, Decision) else None
    plain = found_to_json(found)
    witness = plain["witness"] if decided else None
    cells, case = None, ""
    if decided and witness is not None:
        cells = sentences.witness_parts(decided.domain, witness)
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
        "place": claim.place,
        "undefined_where": sentences.undefined_text(found),
        "holds_if": repaired,
        "steps": below[bool(repaired) :],
        "data": list(claim.data),
        "evidence": f"claims/{claim.id}.json" if claim.claim else "",
        "command": claim.command if waits else f"nontrivial verify --deep --claim {claim.id}",
        "note": claim.note,
        "beyond": claim.beyond,
        "trail": {
            "claim": claim.to_json(),
            "found": plain,
            "witness": cells,
            "parts": [found_to_json(its) for its in parts],
            "reason": {"code": verdict.reason, **verdict.about},
            "data_sha256": data,
        },
    }


def _part(claim: Claim, found: Found) -> dict[str, Any]:
    """Say what a repaired reading or a step is, and its verdict."""
    verdict = judge(claim.formula, found, claim.tolerance)
    return {
        "statement": claim.statement,
        "stated": claim.stated,
        "verdict": verdict.verdict,
        "reason": sentences.reason_text(verdict.reason, verdict.about, found),
        "found": sentences.found_text(found),
        "undefined_where": sentences.undefined_text(found),
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


# A registry of one's own, judged without a study: its verdicts, or all that is wrong with it.


_FIELDS = (  # of a record: what does not depend on a study
    *("id", "source", "section", "locator", "anchor", "statement", "kind", "group", "verdict", "reason"),
    *("stated", "found", "counterexample", "witness", "holds_where", "domain", "undefined_where"),
    *("holds_if", "steps", "note"),
)


@dataclass(frozen=True)
class JudgedFile:
    """What is known of a registry.

    Attributes
    ----------
    path : Path
    sources : mapping of str to mapping
        The documents by their short names: title and, if it has one, address.
    records : sequence of dict
        As `nontrivial.claims.judge.make_record` makes them, in the order of the file; none if an entry is wrong.
    wrong : sequence of str
        A sentence for each wrong entry: file, line, id, what is there and what is allowed.
    """

    path: Path
    sources: Mapping[str, Mapping[str, str]]
    records: Sequence[dict[str, Any]] = ()
    wrong: Sequence[str] = ()

    def counts(self) -> dict[str, int]:
        """How many claims got each verdict."""
        verdicts = [record["verdict"] for record in self.records]
        return {verdict: verdicts.count(verdict) for verdict in VERDICTS}

    def to_json(self) -> dict[str, Any]:
        """Plain data: the file with its digest, the counts, and for each claim its record with what was found."""
        return {
            "format": 1,
            "file": self.path.name,
            "sha256": None if self.path.is_dir() else sha256_of(self.path),
            "sources": dict(self.sources),
            "verdicts": self.counts(),
            "claims": [_plain(record) for record in self.records],
        }


def judge_registry(path: Path, results: Path | None = None) -> JudgedFile:
    """Judge every claim of a file, or of all files of a folder.

    Claims about a study's tables are judged by the results in a folder; without one they are not evaluated.

    Raises
    ------
    ValueError
        With one sentence, if there is no registry, or the results are not a folder.
    """
    if results is not None and not results.is_dir():
        raise ValueError(f"{results} is not a folder; --results names the folder of a study's results.")
    claims, wrong = read_entries(path)
    places = {source: place for place, source in enumerate(read_sources(path))}
    files = files_of_sources(path)
    records = []
    for claim in sorted(claims, key=lambda claim: (places[claim.source], claim.place)):
        try:
            _check(claim)
            if wrong:  # then nothing is shown, and what takes time is not done
                continue
            if claim.data and results is None:
                records.append(make_record(claim, Absent("no results", {}), {}))
            else:
                records.append(judge_claim(claim, results or Path()))
        except ValueError as error:
            sentence = str(error).removeprefix(f"claim {claim.id!r}: ")
            wrong.append(WrongEntry(files[claim.source], claim.place, claim.id, sentence))
    if wrong:
        return JudgedFile(path, read_sources(path), wrong=list(_with_lines(wrong)))
    return JudgedFile(path, read_sources(path), records)


def _check(claim: Claim) -> None:
    """Raise ValueError for a claim whose formulas have no value on the first cases."""
    about = claim.about if claim.over else None
    if isinstance(about, Domain):
        first = next(iter(about.small()))
        for formula in filter(None, (claim.formula, *claim.conditions, claim.proposed)):
            formula.truth(first.cases)


def _with_lines(wrong: Sequence[WrongEntry]) -> Iterator[str]:
    """Say what is wrong with entries, by the lines on which they begin."""
    for path in sorted({one.path for one in wrong}):
        content: Any = yaml.compose(path.read_text(encoding="utf-8-sig"), yaml.CSafeLoader)
        sections = dict(_items(content))["sections"].value
        entries = [entry for section in sections for entry in dict(_items(section))["claims"].value]
        for one in sorted((one for one in wrong if one.path == path), key=lambda one: one.place):
            line = entries[one.place - 1].start_mark.line + 1
            yield f"{path}, line {line}: claim {one.id!r}: {one.sentence}"


def _items(mapping: yaml.MappingNode) -> Iterator[tuple[str, Any]]:
    return ((key.value, value) for key, value in mapping.value)


def _plain(record: Mapping[str, Any]) -> dict[str, Any]:
    trail = record["trail"]
    return {
        **{name: record[name] for name in _FIELDS},
        "reason_code": trail["reason"]["code"],
        "evidence": {key: trail[key] for key in ("found", "witness")},
    }
