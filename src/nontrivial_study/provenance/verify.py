"""Going through a study's results again, offline."""

import difflib
import json
import tempfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from nontrivial.claims.claim import Claim
from nontrivial.claims.counting import count_line, count_verdicts
from nontrivial.claims.findings import Decision, finding_from_json
from nontrivial.claims.judge import judge_claim, make_record, settles
from nontrivial.claims.registry import load_claims
from nontrivial.files import find_files, plain, read_json, sha256_of
from nontrivial.schemas import read_yaml
from nontrivial.terminal import listed
from nontrivial_study.data.bundled import expand_originals
from nontrivial_study.data.canonical import dataset_record
from nontrivial_study.documents.evidence import verdict_row
from nontrivial_study.provenance.derived import check_derived
from nontrivial_study.provenance.findings import INCOMPLETE, LEFT, MISMATCH, Findings, Problem
from nontrivial_study.provenance.manifest import CRATE, NAME, left_files, listed_files, read_manifest
from nontrivial_study.provenance.rerun import find_checkout, run_again
from nontrivial_study.provenance.run import CODE, RUN
from nontrivial_study.tables import read_parquet

VERDICTS = "claims/verdicts.json"
Record = dict[str, Any]


@dataclass(frozen=True)
class Verification:
    """The number of files compared, how many claims have which verdict, and what is wrong or unchecked.

    `claim` is the evidence on the claim that was asked for, `rerun` what `run_again` returns.
    """

    files: int
    verdicts: dict[str, int]  # of the group "claim"
    apart: dict[str, int]  # entries of each other group
    counted: str  # all groups and verdicts in one line
    problems: list[Problem]
    unchecked: list[Problem]
    claim: Record | None
    rerun: Record | None

    @property
    def outcome(self) -> str:
        """``good``, ``mismatch`` or ``incomplete``; a mismatch outweighs what is missing."""
        kinds = {problem.kind for problem in self.problems}
        return MISMATCH if MISMATCH in kinds else INCOMPLETE if kinds else "good"


@dataclass(frozen=True)
class _Study:
    """What was read of a study; empty if a file is damaged."""

    run: Record
    verdicts: Mapping[str, Record]
    manifest: Mapping[str, str]
    code: Path  # the unpacked archive
    pins: Record | None  # the entries of the data sets in it
    registry: Record  # the claims in it as plain data, by name


def verify(
    results: str | Path, *, claim: str | None = None, deep: bool = False, rerun: bool = False
) -> Verification:
    """Verify a results folder: all claims and files, or one claim with the files it rests on.

    `deep` and `rerun` are as in ``nontrivial verify``. ValueError if the folder or the claim does not exist, or with
    `rerun` if the current folder is in no checkout.
    """
    folder = Path(results)
    if not folder.is_dir():
        raise ValueError(f"{results} is not a folder; the results folder of a study is needed.")
    if not any((folder / name).exists() for name in (RUN, NAME)):
        raise ValueError(f"{results} has neither {RUN} nor {NAME}; the results folder of a study is needed.")
    if claim is not None and rerun:
        raise ValueError("--claim verifies one claim alone; --rerun goes without it.")
    checkout = find_checkout() if rerun else None
    findings, again = Findings(folder), None
    with tempfile.TemporaryDirectory() as code:
        study = _read_study(findings, Path(code), claim)
        for verdict in study.verdicts.values():
            _check_verdict(findings, verdict, study.registry, deep=deep)
        if claim is None:
            again = _check_whole(findings, study, checkout, deep=deep)
    place, counts = f"claims/{claim}.json", count_verdicts(study.verdicts.values())
    return Verification(
        findings.files,
        dict(sorted(counts.pop("claim", {}).items())),
        {group: sum(verdicts.values()) for group, verdicts in sorted(counts.items())},
        count_line(study.verdicts.values()),
        [problem for problems in findings.problems.values() for problem in problems],
        findings.notes,
        read_json(folder / place) if claim in study.verdicts and place not in findings.problems else None,
        again,
    )


def _read_study(findings: Findings, code: Path, claim: str | None) -> _Study:
    """Read the study, or what one claim rests on, and compare the files with the manifest."""
    run: Record = findings.read(RUN, _read_run) or {}
    # A study of one's own data alone judges no claims; of a damaged record nothing is known.
    has_claims = not run or "claims" in run["config"]["experiments"]
    verdicts = findings.read(VERDICTS, _read_verdicts) if has_claims else {}
    only = None
    if claim is not None and verdicts is not None:
        if claim not in verdicts:
            close = ", ".join(difflib.get_close_matches(claim, verdicts)) or "none"
            path = findings.folder / VERDICTS
            raise ValueError(f"there is no claim {claim!r} in {path}; close to it: {close}.")
        verdicts = {claim: verdicts[claim]}
        only = {VERDICTS, RUN, CODE, f"claims/{claim}.json", *verdicts[claim]["data"]}
    manifest = findings.read(NAME, read_manifest) or {}
    _check_files(findings, manifest, only)
    is_sound = run and not {RUN, CODE} & findings.problems.keys()
    pins, registry = (findings.read(CODE, partial(_read_code, run, code)) if is_sound else None) or (None, {})
    return _Study(run, verdicts or {}, manifest, code, pins, registry)


def _check_whole(findings: Findings, study: _Study, checkout: Path | None, *, deep: bool) -> Record | None:
    """Check what concerns no single claim; return what the study gave when it ran again."""
    if study.registry and study.verdicts and study.verdicts.keys() != study.registry.keys():
        names = listed(sorted(study.verdicts.keys() ^ study.registry.keys()))
        findings.add(MISMATCH, VERDICTS, f"does not have one verdict on each claim in {CODE}: {names}.")
    _check_data(findings, study.pins or {})
    left = left_files(findings.folder) if not {NAME, CRATE} & findings.problems.keys() else []
    if findings.problems or study.pins is None:
        findings.note("report", "was not made again, nor what else follows from the files above.")
    else:
        claims = study.code / study.run["config"]["files"]["claims"]
        check_derived(findings, study.code, claims, list(study.verdicts.values()), study.run, left)
    again = None
    if checkout and study.pins is not None:
        of_study = study.manifest.keys() - set(left)
        again = run_again(findings, study.run, study.pins, of_study, study.code, checkout)
    elif checkout:
        findings.note("", f"was not made again, because of {RUN} or {CODE}.")
    for name in left:
        findings.note(name, "is left from an earlier configuration: no job of this study makes it.", LEFT)
    if not checkout:
        findings.note("", "was not made again; --rerun does that.")
    if not (deep or checkout):
        findings.note("claims", "was not judged again; --deep does that, and --rerun.")
    findings.note("logs", "was not compared, nor was benchmarks: they are of one run on one machine.")
    findings.note(
        NAME, "was not compared with a signature, without which nobody knows who made these results."
    )
    return again


def _read_run(path: Path) -> Record:
    run: Record = read_json(path)
    if not {"experiments", "files"} <= run["config"].keys():
        raise ValueError("its configuration is not that of a study.")
    return run


def _read_verdicts(path: Path) -> dict[str, Record]:
    verdicts = map(verdict_row, read_json(path))
    return {str(verdict["id"]): verdict | {"data": list(map(str, verdict["data"]))} for verdict in verdicts}


def _check_files(findings: Findings, manifest: Mapping[str, str], only: set[str] | None) -> None:
    """Compare the files, or only those named, with the manifest."""
    present = listed_files(findings.folder)
    names = (manifest.keys() | present.keys() if only is None else only) if manifest else set()
    for name in sorted(names):
        if name not in manifest:
            findings.add(MISMATCH, name, "is extra: the manifest does not list it.")
        elif name not in present:
            findings.add(INCOMPLETE, name, "is missing.")
        elif findings.read(name, sha256_of) not in (manifest[name], None):
            findings.add(MISMATCH, name, "is changed: its sha256 is not the one in the manifest.")
    findings.files = len(manifest.keys() & names)


def _read_code(run: Record, folder: Path, path: Path) -> tuple[Record, Record]:
    """Unpack the archive of the code; return the entries of the data sets, and the claims as plain data, by name."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    files = {kind: folder / place for kind, place in run["config"]["files"].items()}
    pins = read_yaml(files["datasets"]) | expand_originals(read_yaml(files["common_datasets"]))
    return pins, {claim.id: plain(claim.to_json()) for claim in load_claims(files["claims"])}


def _check_verdict(findings: Findings, verdict: Record, registry: Record, *, deep: bool) -> None:
    """Check that a verdict follows from its evidence; only an opinion has none."""
    name, place = verdict["id"], f"claims/{verdict['id']}.json"
    if verdict["evidence"]:
        if place not in findings.problems:
            wrong = findings.read(place, partial(_check_claim, findings, verdict, registry, deep))
            findings.add(MISMATCH, place, *(wrong or ()))
    elif "claim" in registry.get(name, {}):
        findings.add(MISMATCH, VERDICTS, f"names no evidence on {name}.")
    elif name in registry:
        again = verdict_row(judge_claim(Claim(**registry[name]), None))
        findings.add(MISMATCH, VERDICTS, *_compare(f"the rule, applied to {name} again,", verdict, again))


def _check_claim(findings: Findings, verdict: Record, registry: Record, deep: bool, path: Path) -> list[str]:
    """Say what is wrong with a claim's evidence, but for what follows from a file that is named already."""
    evidence = read_json(path)
    trail, wrong = evidence["trail"], []
    if VERDICTS not in findings.problems and verdict_row(evidence) != verdict:
        wrong.append("does not say what verdicts.json says.")
    is_sound = not trail["data_sha256"].keys() & findings.problems.keys()
    for name, digest in trail["data_sha256"].items() if is_sound else ():
        if findings.read(name, sha256_of) not in (digest, None):
            wrong.append(f"was judged on another {name} than the one there now.")
    if registry and registry.get(verdict["id"]) != trail["claim"]:
        return [*wrong, f"is about another claim than the one in {CODE}."]
    claim, found = Claim(**trail["claim"]), finding_from_json(trail["found"])
    again = make_record(claim, found, trail["data_sha256"], [*map(finding_from_json, trail["parts"])])
    wrong += _compare("the rule, applied again,", evidence, again)
    case = found.witness if isinstance(found, Decision) else None
    if getattr(found, "status", "") in ("refuted", "shown") and not (case and settles(claim, case)):
        wrong.append(f"stores {evidence['witness'] or 'no case'}, which does not settle the claim.")
    if deep and is_sound:
        wrong += _compare("the claim, judged again,", evidence, judge_claim(claim, findings.folder))
    return wrong


def _compare(who: str, stored: Record, again: Record) -> list[str]:
    """Say which key differs first, the verdict before all others."""
    again = plain(again)
    keys = [key for key in ["verdict", *sorted(stored | again)] if stored.get(key) != again.get(key)]
    if not keys:
        return []
    new, old = (json.dumps(record.get(keys[0])) for record in (again, stored))
    return [f"{who} gives {keys[0]} {new} where {old} is stored."]


def _check_data(findings: Findings, pins: Mapping[str, Record]) -> None:
    """Compare every data set with its entry in the configuration."""
    unpinned = []
    for path in find_files(findings.folder / "data", "*.parquet"):
        place, record = f"data/{path.name}", f"data/{path.stem}.json"
        if path.stem.endswith(".folds") or {place, record} & findings.problems.keys():
            continue
        if path.stem not in pins:
            unpinned.append(path.stem)
        elif findings.read(place, partial(_is_pinned, pins[path.stem])) is False:
            findings.add(MISMATCH, record, "is not the record of this data set in the configuration.")
    if unpinned:
        findings.note("data", f"holds sets without a digest in the configuration: {listed(unpinned)}.")


def _is_pinned(entry: Record, path: Path) -> bool:
    record: Record = read_json(path.with_suffix(".json"))
    return dataset_record(path.stem, read_parquet(path), entry) == record
