"""Going through the claims again: the verdicts in their two forms, the rule, the stored cases, the judgement itself.

What a claim says is taken from the registry alone. What the results say of it is compared with that as plain data, and
never computed with: it could ask for a computation without end.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nontrivial.claims.claim import Claim
from nontrivial.claims.found import Absent, Decision, Found, Number, Numbers, Survey, found_from_json
from nontrivial.claims.judge import judge_claim, make_record, settles
from nontrivial.claims.over import Source
from nontrivial.files import DamagedFile, find_files, read_json, sha256_of
from nontrivial_study.documents.evidence import verdict_of, verdict_table
from nontrivial_study.provenance.manifest import RESULTS
from nontrivial_study.provenance.problems import DAMAGE, INCOMPLETE, MISMATCH, Problem, damaged
from nontrivial_study.provenance.verify_registry import VERDICTS
from nontrivial_study.tables import read_texts, write_table

_SCOPES = ("", "any size", "the ranges")  # of a proof
# By the status of a decision: whether the claim is "sometimes", whether a case settles it, whether a proof does.
_SETTLED = {
    "proved": (False, False, True),
    "refuted": (False, True, False),
    "searched": (False, False, False),
    "shown": (True, True, False),
    "impossible": (True, False, True),
    "not shown": (True, False, False),
}


def read_verdicts(folder: Path, problems: list[Problem]) -> list[dict[str, Any]] | None:
    """Read the list of verdicts; what is wrong with it or with the table beside it becomes a problem."""
    path, table = folder / "claims" / "verdicts.json", folder / "claims" / "verdicts.csv"
    if not path.is_file():
        problems.append(Problem(INCOMPLETE, VERDICTS, "is missing, so no claim was checked."))
        return None
    try:
        verdicts: list[dict[str, Any]] = read_json(path)
        ids = [verdict["id"] for verdict in verdicts]
        if not all(isinstance(name, str) for name in ids) or len(set(ids)) < len(ids):
            raise ValueError("its ids are not texts, or not unique.")
        with tempfile.TemporaryDirectory() as scratch:
            again = Path(scratch, table.name)
            write_table(again, verdict_table(verdicts))
            if table.is_file() and not _say_the_same(table, again):
                text = "does not say what verdicts.json says."
                problems.append(Problem(MISMATCH, "results/claims/verdicts.csv", text))
    except DAMAGE as error:
        problems.append(damaged(VERDICTS, error))
        return None
    return verdicts


def _say_the_same(one: Path, other: Path) -> bool:
    try:
        return read_texts(one).equals(read_texts(other))
    except DamagedFile:
        return False


def check_unlisted(verdicts: Sequence[dict[str, Any]], folder: Path) -> Iterator[Problem]:
    """Name evidence that no verdict belongs to."""
    known = {"verdicts", *(verdict["id"] for verdict in verdicts)}
    for path in find_files(folder / "claims", "*.json"):
        if path.stem not in known:
            yield Problem(MISMATCH, f"results/claims/{path.name}", "is evidence without a verdict.")


def check_claim(
    verdict: dict[str, Any],
    folder: Path,
    registry: Mapping[str, Claim] | None,
    deep: bool,
    named: Collection[str] = (),
) -> Iterator[Problem]:
    """Check a claim's evidence against its verdict, the registry, the rule and its case; if deep, judge it again.

    What follows from a problem with another file that is `named` already is left out.
    """
    place = f"results/claims/{verdict['id']}.json"
    path = folder / "claims" / f"{verdict['id']}.json"
    if not path.is_file():
        yield Problem(INCOMPLETE, place, "is missing.")
        return
    try:
        evidence = read_json(path)
        trail = evidence["trail"]
        if VERDICTS not in named and verdict_of(evidence) != verdict:
            yield Problem(MISMATCH, place, "does not say what verdicts.json says.")
        deep = deep and not any(RESULTS + name in named for name in trail["data_sha256"])
        for name, digest in trail["data_sha256"].items():
            if RESULTS + name in named:
                continue
            if (folder / name).is_file() and sha256_of(folder / name) != digest:
                yield Problem(MISMATCH, place, f"was judged on another {name} than the one there now.")
        claim = (registry or {}).get(verdict["id"])
        if claim is None:
            return  # that there is no registry, or no such claim in it, is named already
        stated = _as_stored(claim.to_json())
        if stated != trail["claim"]:
            yield Problem(MISMATCH, place, _difference("the registry of claims", trail["claim"], stated))
            return
        found = found_from_json(trail["found"])
        wrong = _misfit(claim, found)
        if wrong:
            yield Problem(MISMATCH, place, wrong)
        else:
            again = _as_stored(make_record(claim, found, trail["data_sha256"]))
            if again != evidence:
                yield Problem(MISMATCH, place, _difference("the rule, applied again,", evidence, again))
        if deep:
            redone = _as_stored(judge_claim(claim, folder))
            if redone != evidence:
                yield Problem(MISMATCH, place, _difference("the claim, judged again,", evidence, redone))
    except DAMAGE as error:
        yield damaged(place, error)


def _misfit(claim: Claim, found: Found) -> str:
    """Say why what was found is no answer to a claim, its case evaluated again; nothing if it is one."""
    kind = type(found).__name__.lower()
    if not claim.claim:
        unsettled = Absent("unsettled", {"because": claim.because})
        return "" if found == unsettled else f"stores a {kind}, but no computation settles the claim."
    about = claim.about
    if isinstance(about, Source):
        answer = Survey if about.many else Number if claim.formula.printed else Numbers
        return (
            "" if isinstance(found, answer | Absent) else f"stores a {kind}, which does not answer the claim."
        )
    if not isinstance(found, Decision):
        return f"stores a {kind}, but only a decision answers the claim."
    if found.domain != _as_stored(about.fields()):
        return "stores a decision on other cases than the claim is about."
    settled = claim.formula.sometimes, found.witness is not None, found.proved_of in _SCOPES[1:]
    if _SETTLED[found.status] != settled or (found.hits > 0) != settled[1] or found.proved_of not in _SCOPES:
        return f"counts {found.hits} cases that settle the claim, but stores {found.witness} and {found.status!r}."
    if found.witness is not None and not settles(claim, found.witness):
        return f"stores [{', '.join(map(str, found.witness))}], a case that does not settle the claim."
    return ""


def _as_stored(record: dict[str, Any]) -> dict[str, Any]:
    stored: dict[str, Any] = json.loads(json.dumps(record))
    return stored


def _difference(who: str, stored: dict[str, Any], again: dict[str, Any]) -> str:
    """Say which key differs first, the verdict before all others."""
    keys = ["verdict", *sorted(again.keys() | stored.keys())]
    key = next(key for key in keys if stored.get(key) != again.get(key))
    return f"{who} gives {key} {json.dumps(again.get(key))} where {json.dumps(stored.get(key))} is stored."
