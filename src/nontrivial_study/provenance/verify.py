"""The verification of a study's results, offline."""

import json
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nontrivial.claims.claim import Claim
from nontrivial.claims.judge import judge_claim, make_record, settles
from nontrivial.claims.verdict import Decision, count_line, count_verdicts, finding_from_json
from nontrivial.files import find_files, json_value, read_json, sha256_of
from nontrivial.terminal import listed
from nontrivial_study.data.canonical import Record, dataset_record
from nontrivial_study.documents.evidence import verdict_row
from nontrivial_study.provenance import recorded
from nontrivial_study.provenance.derived import check_derived
from nontrivial_study.provenance.recorded import Findings, Problem, RecordedStudy
from nontrivial_study.provenance.rerun import find_checkout, run_again
from nontrivial_study.provenance.run import CODE, CRATE, MANIFEST, RUN, leftover_files
from nontrivial_study.tables import read_parquet


@dataclass(frozen=True)
class Verification:
    """The outcome of a verification.

    `files` is the number of files compared with the manifest. `verdicts` counts the claims with each verdict, and
    `apart` the entries of each other group. `counted` is a line with both. `claim` is the evidence on the requested
    claim, and `rerun` the result of `run_again`.
    """

    files: int
    verdicts: dict[str, int]
    apart: dict[str, int]
    counted: str
    problems: list[Problem]
    unchecked: list[Problem]
    claim: Record | None
    rerun: Record | None

    @property
    def outcome(self) -> str:
        """``good``, ``mismatch`` or ``incomplete``; a mismatch outweighs what is missing."""
        kinds = {problem.kind for problem in self.problems}
        return recorded.MISMATCH if recorded.MISMATCH in kinds else recorded.INCOMPLETE if kinds else "good"


def verify_results(
    results: str | Path, *, claim: str | None = None, deep: bool = False, rerun: bool = False
) -> Verification:
    """Verify all claims and files in a results folder, or one claim with the files that it rests on.

    `deep` and `rerun` are as in ``nontrivial verify``. Raise ValueError if the folder or the claim does not exist, or
    if `rerun` finds no checkout.
    """
    folder = Path(results)
    if not folder.is_dir():
        raise ValueError(f"{results} is not a folder; the results folder of a study is needed.")
    if not any((folder / name).exists() for name in (RUN, MANIFEST)):
        names = f"{RUN} nor {MANIFEST}"
        raise ValueError(f"{results} has neither {names}; the results folder of a study is needed.")
    if claim is not None and rerun:
        raise ValueError("--claim verifies one claim alone; --rerun goes without it.")
    checkout = find_checkout() if rerun else None
    findings, rerun_record = Findings(folder), None
    with tempfile.TemporaryDirectory() as code:
        study = recorded.read_study(findings, Path(code), claim)
        for verdict in study.verdicts.values():
            _check_verdict(findings, verdict, study.claims or {}, deep=deep)
        if claim is None:
            rerun_record = _check_study(findings, study, checkout, deep=deep)
    evidence, counts = f"claims/{claim}.json", count_verdicts(study.verdicts.values())
    has_evidence = claim in study.verdicts and evidence not in findings.problems
    return Verification(
        files=findings.n_compared,
        verdicts=dict(sorted(counts.pop("claim", {}).items())),
        apart={group: sum(verdicts.values()) for group, verdicts in sorted(counts.items())},
        counted=count_line(study.verdicts.values()),
        problems=[problem for problems in findings.problems.values() for problem in problems],
        unchecked=findings.notes,
        claim=read_json(folder / evidence) if has_evidence else None,
        rerun=rerun_record,
    )


def _check_study(findings: Findings, study: RecordedStudy, checkout: Path | None, *, deep: bool) -> Record | None:
    """Check everything except the single claims. Return the comparison with a second run if there is one."""
    if study.claims and study.verdicts and study.verdicts.keys() != study.claims.keys():
        names = listed(sorted(study.verdicts.keys() ^ study.claims.keys()))
        text = f"does not have one verdict on each claim in {CODE}: {names}."
        findings.add(recorded.MISMATCH, recorded.VERDICTS, text)
    _check_datasets(findings, study.datasets or {})
    leftovers = leftover_files(findings.folder) if not {MANIFEST, CRATE} & findings.problems.keys() else []
    if findings.problems or study.datasets is None:
        findings.note("report", "was not made again, nor what else follows from the files above.")
    else:
        check_derived(findings, study, leftovers)
    rerun_record = None
    if checkout and study.datasets is not None:
        rerun_record = run_again(findings, study, study.manifest.keys() - set(leftovers), checkout)
    elif checkout:
        findings.note("", f"was not made again, because of {RUN} or {CODE}.")
    for name in leftovers:
        findings.note(name, "is left from an earlier configuration: no job of this study makes it.", recorded.LEFT)
    if not checkout:
        findings.note("", "was not made again; --rerun does that.")
    if not (deep or checkout):
        findings.note("claims", "was not judged again; --deep does that, and --rerun.")
    findings.note("logs", "was not compared, nor was benchmarks: they are of one run on one machine.")
    findings.note(MANIFEST, "was not compared with a signature, without which nobody knows who made these results.")
    return rerun_record


def _check_verdict(findings: Findings, verdict: Record, registry: Record, *, deep: bool) -> None:
    """Check that a verdict follows from its evidence. Only opinions have no evidence."""
    name, path = verdict["id"], f"claims/{verdict['id']}.json"
    if verdict["evidence"]:
        if path not in findings.problems:
            problems = findings.read(path, partial(_check_evidence, findings, verdict, registry, deep))
            findings.add(recorded.MISMATCH, path, *(problems or ()))
    elif "claim" in registry.get(name, {}):
        findings.add(recorded.MISMATCH, recorded.VERDICTS, f"names no evidence on {name}.")
    elif name in registry:
        again = verdict_row(judge_claim(Claim(**registry[name]), None))
        difference = _find_difference(f"the rule, applied to {name} again,", verdict, again)
        findings.add(recorded.MISMATCH, recorded.VERDICTS, *difference)


def _check_evidence(findings: Findings, verdict: Record, claims: Record, deep: bool, path: Path) -> list[str]:
    """Return what is wrong with a claim's evidence. Leave out files that have a problem already."""
    evidence = read_json(path)
    trail, problems = evidence["trail"], list[str]()
    if recorded.VERDICTS not in findings.problems and verdict_row(evidence) != verdict:
        problems.append("does not say what verdicts.json says.")
    has_sound_data = not trail["data_sha256"].keys() & findings.problems.keys()
    if has_sound_data:
        for name, digest in trail["data_sha256"].items():
            if findings.read(name, sha256_of) not in (digest, None):
                problems.append(f"was judged on another {name} than the one there now.")
    if claims and claims.get(verdict["id"]) != trail["claim"]:
        return [*problems, f"is about another claim than the one in {CODE}."]
    claim, finding = Claim(**trail["claim"]), finding_from_json(trail["found"])
    again = make_record(claim, finding, trail["data_sha256"], [*map(finding_from_json, trail["parts"])])
    problems += _find_difference("the rule, applied again,", evidence, again)
    witness = finding.witness if isinstance(finding, Decision) else None
    needs_witness = getattr(finding, "status", "") in ("refuted", "shown")
    if needs_witness and not (witness and settles(claim, witness)):
        problems.append(f"stores {evidence['witness'] or 'no case'}, which does not settle the claim.")
    if deep and has_sound_data:
        judged = judge_claim(claim, findings.folder)
        problems += _find_difference("the claim, judged again,", evidence, judged)
    return problems


def _find_difference(source: str, stored: Record, again: Record) -> list[str]:
    """Return a sentence on the first key with different values, or no sentence. The verdict comes before other keys."""
    again = json_value(again)
    for key in ["verdict", *sorted(stored | again)]:
        if stored.get(key) != again.get(key):
            new, old = json.dumps(again.get(key)), json.dumps(stored.get(key))
            return [f"{source} gives {key} {new} where {old} is stored."]
    return []


def _check_datasets(findings: Findings, entries: Mapping[str, Record]) -> None:
    """Compare every data set with its entry in the configuration."""
    without_entry = []
    for path in find_files(findings.folder / "data", "*.parquet"):
        table, record = f"data/{path.name}", f"data/{path.stem}.json"
        if path.stem.endswith(".folds") or {table, record} & findings.problems.keys():
            continue
        if path.stem not in entries:
            without_entry.append(path.stem)
        elif findings.read(table, partial(_has_right_record, entries[path.stem])) is False:
            text = "is not the record of this data set in the configuration."
            findings.add(recorded.MISMATCH, record, text)
    if without_entry:
        findings.note("data", f"holds sets without a digest in the configuration: {listed(without_entry)}.")


def _has_right_record(entry: Record, path: Path) -> bool:
    """Return whether the record beside a data set follows from its table and its entry."""
    record: Record = read_json(path.with_suffix(".json"))
    return dataset_record(path.stem, read_parquet(path), entry) == record
