"""Going through the claims again: the verdicts in their two forms, the rule, the stored cases, the tests."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from nontrivial.audit import tests
from nontrivial.audit.evaluate import evaluate_claim, make_record
from nontrivial.audit.evidence import verdict_of, verdict_table
from nontrivial.audit.found import Search, found_from_json
from nontrivial.provenance.problems import DAMAGE, INCOMPLETE, MISMATCH, Problem, damaged
from nontrivial.audit.registry import Claim, claim_from_json
from nontrivial.csv_tables import read_texts, write_table
from nontrivial.files import DamagedFile, find_files, sha256_of
from nontrivial.records import read_json

VERDICTS = "results/claims/verdicts.json"


def read_verdicts(folder: Path, problems: list[Problem]) -> list[dict[str, Any]] | None:
    """Read the list of verdicts; what is wrong with it or with the table beside it becomes a problem."""
    path, table = folder / "claims" / "verdicts.json", folder / "claims" / "verdicts.csv"
    if not path.is_file():
        problems.append(Problem(INCOMPLETE, VERDICTS, "is missing, so no claim was checked."))
        return None
    try:
        verdicts = read_json(path)
        if [verdict["id"] for verdict in verdicts] != sorted({str(verdict["id"]) for verdict in verdicts}):
            raise ValueError("its ids are not sorted and unique.")
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
            yield Problem(MISMATCH, f"results/claims/{path.name}", "is evidence to which no verdict belongs.")


def check_claim(
    verdict: dict[str, Any], folder: Path, registry: Mapping[str, Claim] | None, deep: bool
) -> Iterator[Problem]:
    """Check one claim's evidence against its verdict, the registry, the rule, its stored case, if deep its test."""
    place = f"results/claims/{verdict['id']}.json"
    path = folder / "claims" / f"{verdict['id']}.json"
    if not path.is_file():
        yield Problem(INCOMPLETE, place, "is missing.")
        return
    try:
        evidence = read_json(path)
        claim, trail = claim_from_json(evidence["trail"]["claim"]), evidence["trail"]
        again = _as_stored(make_record(claim, found_from_json(trail["found"]), trail["data_sha256"]))
        if verdict_of(evidence) != verdict:
            yield Problem(MISMATCH, place, "does not say what verdicts.json says.")
        registered = None if registry is None else registry.get(verdict["id"])
        stated = trail["claim"] if registered is None else _as_stored(registered.to_json())
        if stated != trail["claim"]:
            yield Problem(MISMATCH, place, _difference("the registry of claims", trail["claim"], stated))
        if again != evidence:
            yield Problem(MISMATCH, place, _difference("the rule, applied again,", evidence, again))
        yield from _check_case(claim, trail, place)
        for name, digest in trail["data_sha256"].items():
            if (folder / name).is_file() and sha256_of(folder / name) != digest:
                yield Problem(MISMATCH, place, f"was judged on another {name} than the one there now.")
        # What no registry has is named already, and could ask for a computation without end.
        if deep and stated == trail["claim"] and (registry is None or registered is not None):
            redone = _as_stored(evaluate_claim(claim, folder))
            if redone != evidence:
                yield Problem(MISMATCH, place, _difference("the test, done again,", evidence, redone))
    except DAMAGE as error:
        yield damaged(place, error)


def _check_case(claim: Claim, trail: dict[str, Any], place: str) -> Iterator[Problem]:
    """Evaluate a stored counterexample (or example) again."""
    found = found_from_json(trail["found"])
    if not isinstance(found, Search):
        return
    if (found.smallest is None) != (found.hits == 0):
        yield Problem(MISMATCH, place, f"counts {found.hits} {found.seeks}s but stores {found.smallest}.")
    is_hit = tests.bound_is_hit(claim.test, claim.arguments)
    if found.smallest is not None and (is_hit is None or not is_hit(found.smallest)):
        text = f"stores {list(found.smallest)}, which is no {found.seeks} of the claim."
        yield Problem(MISMATCH, place, text)


def _as_stored(record: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(record))


def _difference(who: str, stored: dict[str, Any], again: dict[str, Any]) -> str:
    """Say which key differs first, the verdict before all others."""
    keys = ["verdict", *sorted(again.keys() | stored.keys())]
    key = next(key for key in keys if stored.get(key) != again.get(key))
    return f"{who} gives {key} {json.dumps(again.get(key))} where {json.dumps(stored.get(key))} is stored."
