"""Going through a study's results again: offline, and without the workflow that made them.

Every file is compared with the manifest; the rule is applied again to what each claim's evidence says was stated
and found; each counterexample is evaluated again. A deep verification repeats the tests themselves.
"""

from __future__ import annotations

import difflib
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nontrivial.audit import manifest, tests
from nontrivial.audit.evaluate import evaluate_claim, make_record
from nontrivial.audit.evidence import read_json, verdict_of, verdict_table
from nontrivial.audit.found import Search, found_from_json
from nontrivial.audit.registry import Claim, claim_from_json
from nontrivial.files import sha256_of, write_table

MISMATCH = "mismatch"
INCOMPLETE = "incomplete"
# What reading tampered or damaged evidence can raise.
_DAMAGE = (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError, OverflowError)


@dataclass(frozen=True)
class Problem:
    """Something that is not as recorded (``mismatch``) or not there (``incomplete``)."""

    kind: str
    place: str
    text: str


@dataclass(frozen=True)
class Verification:
    """The outcome: how much was checked, what verdicts the claims have, and every problem."""

    files: int
    verdicts: dict[str, int]
    problems: tuple[Problem, ...]

    @property
    def outcome(self) -> str:
        """``good``, ``mismatch`` or ``incomplete``; a mismatch outweighs what is missing."""
        kinds = {problem.kind for problem in self.problems}
        return MISMATCH if MISMATCH in kinds else INCOMPLETE if kinds else "good"


def verify(results: str | Path, *, deep: bool = False, claim: str | None = None) -> Verification:
    """Verify a results folder.

    Parameters
    ----------
    results : path
        The results folder.
    deep : bool
        Whether to repeat the tests of the claims, searches included.
    claim : str, optional
        The id of the one claim to verify, with the files it rests on; by default all claims and all files.

    Returns
    -------
    Verification

    Raises
    ------
    ValueError
        If the folder does not exist, or has no claim of that id.
    """
    folder = Path(results)
    if not folder.is_dir():
        raise ValueError(f"{results} is not a folder; the results folder of a study is needed.")
    problems: list[Problem] = []
    verdicts = _read_verdicts(folder, problems)
    if verdicts is not None and claim is None:
        problems += _check_unlisted(verdicts, folder)
    verdicts = verdicts or []
    if claim is not None:
        verdicts = _only(claim, verdicts, folder)
    n_files = _check_files(folder, None if claim is None else _rests_on(verdicts), problems)
    for verdict in verdicts:
        problems += _check_claim(verdict, folder, deep)
    counts = Counter(str(verdict.get("verdict")) for verdict in verdicts)
    return Verification(n_files, dict(sorted(counts.items())), tuple(dict.fromkeys(problems)))


def _read_verdicts(folder: Path, problems: list[Problem]) -> list[dict[str, Any]] | None:
    """Read the list of verdicts; what is wrong with it or with the table beside it becomes a problem."""
    path, table = folder / "claims" / "verdicts.json", folder / "claims" / "verdicts.csv"
    place = "results/claims/verdicts.json"
    if not path.is_file():
        problems.append(Problem(INCOMPLETE, place, "is missing, so no claim was checked."))
        return None
    try:
        verdicts = read_json(path)
        if [verdict["id"] for verdict in verdicts] != sorted({str(verdict["id"]) for verdict in verdicts}):
            raise ValueError("its ids are not sorted and unique.")
        with tempfile.TemporaryDirectory() as scratch:
            again = Path(scratch, table.name)
            write_table(again, verdict_table(verdicts))
            if table.is_file() and table.read_bytes() != again.read_bytes():
                text = "does not say what verdicts.json says."
                problems.append(Problem(MISMATCH, "results/claims/verdicts.csv", text))
    except _DAMAGE as error:
        problems.append(Problem(MISMATCH, place, f"is damaged: {_one_line(error)}"))
        return None
    return verdicts


def _only(claim: str, verdicts: list[dict[str, Any]], folder: Path) -> list[dict[str, Any]]:
    chosen = [verdict for verdict in verdicts if verdict["id"] == claim]
    if not chosen:
        close = difflib.get_close_matches(claim, [verdict["id"] for verdict in verdicts], n=3)
        hint = f"; close to it: {', '.join(close)}" if close else ""
        raise ValueError(f"there is no claim {claim!r} in {folder / 'claims' / 'verdicts.csv'}{hint}.")
    return chosen


def _rests_on(verdicts: list[dict[str, Any]]) -> set[str]:
    names = {"claims/verdicts.json", "claims/verdicts.csv"}
    for verdict in verdicts:
        names |= {f"claims/{verdict['id']}.json", *verdict["data"]}
    return {manifest.RESULTS + name for name in names}


def _check_files(folder: Path, only: set[str] | None, problems: list[Problem]) -> int:
    """Compare the files with the manifest and return how many it lists."""
    place = manifest.RESULTS + manifest.NAME
    try:
        listed = manifest.read_manifest(folder / manifest.NAME)
    except FileNotFoundError:
        problems.append(Problem(INCOMPLETE, place, "is missing, so no file was compared with its sha256."))
        return 0
    except ValueError as error:
        problems.append(Problem(MISMATCH, place, f"is damaged: {_one_line(error)}"))
        return 0
    present = manifest.results_files(folder)
    ours = [name for name in listed if not name.startswith(manifest.RESULTS)]
    project = _find_project(folder, ours)
    if project is not None:
        present |= manifest.project_files(project)
    elif ours and only is None:
        text = f"is not beside the results, so {len(ours)} files of code and configuration were not compared."
        problems.append(Problem(INCOMPLETE, "the project", text))
        listed = {name: digest for name, digest in listed.items() if name not in ours}
    if only is not None:
        listed = {name: digest for name, digest in listed.items() if name in only}
        present = {name: path for name, path in present.items() if name in only}
    for name in sorted(listed.keys() | present.keys()):
        if name not in present:
            problems.append(Problem(INCOMPLETE, name, "is missing."))
        elif name not in listed:
            problems.append(Problem(MISMATCH, name, "is extra: the manifest does not list it."))
        elif not present[name].is_file() or sha256_of(present[name]) != listed[name]:
            problems.append(Problem(MISMATCH, name, "is changed: its sha256 is not the one in the manifest."))
    return len(listed)


def _find_project(folder: Path, names: list[str]) -> Path | None:
    """The folder above the results, or above the current one, that holds most of the files named."""
    start, here = folder.resolve(), Path.cwd()
    counts = {
        root: sum((root / name).is_file() for name in names) for root in (*start.parents, here, *here.parents)
    }
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else None


def _check_claim(verdict: dict[str, Any], folder: Path, deep: bool) -> Iterator[Problem]:
    """Check one claim's evidence against its verdict, the rule, its counterexample, and if deep its test."""
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
        if again != evidence:
            yield Problem(MISMATCH, place, _difference("the rule, applied again,", evidence, again))
        yield from _check_case(claim, trail, place)
        for name, digest in trail["data_sha256"].items():
            if (folder / name).is_file() and sha256_of(folder / name) != digest:
                yield Problem(MISMATCH, place, f"was judged on another {name} than the one there now.")
        if deep:
            redone = _as_stored(evaluate_claim(claim, folder))
            if redone != evidence:
                yield Problem(MISMATCH, place, _difference("the test, done again,", evidence, redone))
    except _DAMAGE as error:
        yield Problem(MISMATCH, place, f"is damaged: {_one_line(error)}")


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


def _check_unlisted(verdicts: list[dict[str, Any]], folder: Path) -> Iterator[Problem]:
    """Name evidence that no verdict belongs to."""
    known = {"verdicts", *(verdict["id"] for verdict in verdicts)}
    for path in sorted((folder / "claims").glob("*.json")):
        if path.stem not in known:
            yield Problem(MISMATCH, f"results/claims/{path.name}", "is evidence to which no verdict belongs.")


def _as_stored(record: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(record))


def _difference(who: str, stored: dict[str, Any], again: dict[str, Any]) -> str:
    """Say which key differs first, the verdict before all others."""
    keys = ["verdict", *sorted(again.keys() | stored.keys())]
    key = next(key for key in keys if stored.get(key) != again.get(key))
    return f"{who} gives {key} {json.dumps(again.get(key))} where {json.dumps(stored.get(key))} is stored."


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
