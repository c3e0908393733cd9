"""Going through a study's results again, offline."""

import difflib
import filecmp
import json
import posixpath
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Set
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import yaml

from nontrivial.claims.judge import judge_claim, make_record, settles
from nontrivial.claims.registry import Claim, load_claims
from nontrivial.claims.verdict import Decision, found_from_json
from nontrivial.files import find_files, plain, read_json, sha256_of
from nontrivial.terminal import listed, shortened
from nontrivial_study.data.bundled import expand_originals
from nontrivial_study.data.canonical import dataset_record
from nontrivial_study.documents.evidence import verdict_of
from nontrivial_study.provenance.manifest import CRATE, NAME, left_files, listed_files, read_manifest
from nontrivial_study.provenance.rerun import find_checkout, lacks_downloads, other_code, run_again
from nontrivial_study.provenance.run import CODE, RUN, commit_of, package_versions
from nontrivial_study.tables import read_parquet

MISMATCH, INCOMPLETE = "mismatch", "incomplete"
UNCHECKED, LEFT = "unchecked", "left"  # which make no outcome worse
VERDICTS = "claims/verdicts.json"
_LONGEST = 900  # characters of a problem: names and values come from anywhere

T = TypeVar("T")
Record = dict[str, Any]


@dataclass(frozen=True)
class Problem:
    """A file or folder that is not as recorded, not there, not checked, or left from an earlier configuration."""

    kind: str
    place: str
    text: str


@dataclass(frozen=True)
class Verification:
    """The number of files compared, the claims by verdict and those counted apart, and what is wrong or unchecked.

    `claim` is the evidence on the one asked for. `rerun` counts the files ``compared`` and the ``same``, and has the
    ``other_code`` of the checkout.
    """

    files: int
    verdicts: dict[str, int]
    apart: dict[str, int]
    problems: list[Problem]
    unchecked: list[Problem]
    claim: Record | None
    rerun: Record | None

    @property
    def outcome(self) -> str:
        """``good``, ``mismatch`` or ``incomplete``; a mismatch outweighs what is missing."""
        kinds = {problem.kind for problem in self.problems}
        return MISMATCH if MISMATCH in kinds else INCOMPLETE if kinds else "good"


class _Findings:
    """What is found, by the path in the results. Of a file only what is found first is told."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.problems: dict[str, list[Problem]] = {}
        self.notes: list[Problem] = []

    def add(self, kind: str, place: str, *texts: str) -> None:
        problems = [Problem(kind, str(self.folder / place), shortened(text, _LONGEST)) for text in texts]
        if problems:
            self.problems.setdefault(place, problems)

    def note(self, place: str, text: str, kind: str = UNCHECKED) -> None:
        self.notes.append(Problem(kind, str(self.folder / place), text))

    def read(self, place: str, reader: Callable[[Path], T]) -> T | None:
        """Return what a file holds; None, and a problem, if it cannot be read."""
        try:
            return reader(self.folder / place)
        except FileNotFoundError:
            self.add(INCOMPLETE, place, "is missing.")
        except Exception as error:  # whatever a damaged file makes its reader raise
            reason = " ".join(str(error).split()) or type(error).__name__
            self.add(MISMATCH, place, f"is damaged: {reason}")
        return None


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
    found = _Findings(folder)
    run: Record = found.read(RUN, read_json) or {}
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
    code = found.read(CODE, partial(_read_code, run=run)) if is_sound else None
    pins, registry = code or ({}, {})
    verdicts = verdicts or {}
    evidence, again = None, None
    for name, verdict in verdicts.items():
        if not verdict["evidence"]:
            continue  # an opinion
        if (place := f"claims/{name}.json") not in found.problems:
            wrong = found.read(place, partial(_check_claim, found, verdict, registry, deep))
            found.add(MISMATCH, place, *(wrong or ()))
        evidence = read_json(folder / place) if place not in found.problems else None
    if claim is None:
        if registry and verdicts and verdicts.keys() != registry.keys():
            names = listed(sorted(verdicts.keys() ^ registry.keys()))
            found.add(MISMATCH, VERDICTS, f"does not have one verdict on each claim in {CODE}: {names}.")
        if code:
            _check_data(found, pins)
        left = left_files(folder) if not {NAME, CRATE} & found.problems.keys() else []
        if checkout:
            again = _rerun(found, run, pins, manifest.keys() - set(left), checkout)
        _note_the_rest(found, left, deep, rerun)
    groups = Counter(str(one["group"]) for one in verdicts.values())
    counts = Counter(str(one["verdict"]) for one in verdicts.values() if one["group"] == "claim")
    return Verification(
        n_files,
        dict(sorted(counts.items())),
        dict(sorted((name, count) for name, count in groups.items() if name != "claim")),
        [problem for several in found.problems.values() for problem in several],
        found.notes,
        evidence if claim else None,
        again,
    )


def _read_verdicts(path: Path) -> dict[str, Record]:
    verdicts = {str(one["id"]): verdict_of(one) for one in read_json(path)}
    return {name: one | {"data": list(map(str, one["data"]))} for name, one in verdicts.items()}


def _check_files(found: _Findings, manifest: Mapping[str, str], only: set[str] | None) -> int:
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


def _read_code(path: Path, run: Record) -> tuple[dict[str, Record], dict[str, Record]]:
    """Return the entries of the data sets, and the claims as plain data, by name, from the archive of the code."""
    files = {kind: posixpath.normpath(place) for kind, place in run["config"]["files"].items()}
    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        inside = [name for name in archive.namelist() if name.startswith(tuple(files.values()))]
        archive.extractall(folder, inside)
        datasets, boxed = (
            yaml.safe_load(archive.read(files[kind])) if files[kind] in inside else {}
            for kind in ("datasets", "common_datasets")
        )
        registry = Path(folder, files["claims"])
        claims = load_claims(registry) if registry.exists() else []
    return datasets | expand_originals(boxed), {claim.id: plain(claim.to_json()) for claim in claims}


def _check_claim(found: _Findings, verdict: Record, registry: Record, deep: bool, path: Path) -> list[str]:
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


def _check_data(found: _Findings, pins: Mapping[str, Record]) -> None:
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


def _rerun(found: _Findings, run: Record, pins: Record, names: Set[str], checkout: Path) -> Record | None:
    """Run the study again, and name the results that differ."""
    folder = found.folder
    if {RUN, CODE} & found.problems.keys():
        found.note("", f"was not made again, because of {RUN} or {CODE}.")
        return None
    if lacking := lacks_downloads(run["config"], pins, checkout):
        found.add(INCOMPLETE, "", f"cannot be made again without the study's folder downloads: {lacking}.")
        return None
    with tempfile.TemporaryDirectory() as scratch:
        if failed := run_again(folder, run["config"], checkout, Path(scratch)):
            found.add(INCOMPLETE, "", f"cannot be made again: {failed}")
            return None
        made = listed_files(Path(scratch, "results")).keys()
        compared = sorted(made - {RUN, CODE, CRATE})
        same, differ, missing = filecmp.cmpfiles(folder, Path(scratch, "results"), compared, shallow=False)
    for name in missing:
        found.add(INCOMPLETE, name, "is missing, and the study run again makes it.")
    for name in differ:
        if commit_of(checkout) != run["commit"] and name.startswith("report/"):
            found.note(name, "names another commit than the checkout has, and was not compared further.")
        else:
            found.add(MISMATCH, name, "is not what the study run again gives.")
    for name in sorted(names - made):
        found.add(MISMATCH, name, "is nothing that the study run again makes.")
    here = package_versions()
    if other := [f"{name} {one}" for name, one in run["packages"].items() if here.get(name) != one]:
        found.note(RUN, f"names other versions than those installed here: {listed(other)}.")
    return {"compared": len(compared), "same": len(same), "other_code": other_code(folder, checkout)}


def _note_the_rest(found: _Findings, left: list[str], deep: bool, rerun: bool) -> None:
    """Name what no job of the study made, what only options check, and what nothing in the folder can tell."""
    for name in left:
        found.note(name, "is left from an earlier configuration: no job of this study makes it.", LEFT)
    if not rerun:
        found.note("", "was not made again; --rerun does that.")
    if not (deep or rerun):
        found.note("claims", "was not judged again; --deep does that, and --rerun.")
    found.note("logs", "was not compared, nor was benchmarks: they are of one run on one machine.")
    found.note(NAME, "was not compared with a signature, without which nobody knows who made these results.")
