"""Verification: every change to a study is named."""

import json
import shutil
import socket
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from provenance.small_study import CONFIG, RUN, describe, jobs_of, render

from nontrivial.claims.claim import claim_from_json
from nontrivial.claims.evidence import verdict_of, verdict_table
from nontrivial.claims.found import found_from_json
from nontrivial.claims.judge import judge_claim, make_record
from nontrivial.claims.registry import load_claims
from nontrivial.csv_tables import write_table
from nontrivial.files import write_json
from nontrivial.provenance.crate import write_crate
from nontrivial.provenance.manifest import NAME, read_manifest, write_manifest
from nontrivial.provenance.project import project_files
from nontrivial.provenance.traces import UNRECORDED
from nontrivial.provenance.verify import verify
from nontrivial.records import read_record, write_record


def places(outcome, study):
    """The places of the problems, as a manifest names them."""
    return {problem.place.replace(study.as_posix(), "results") for problem in outcome.problems}


def texts(outcome, study):
    return {problem.place.replace(study.as_posix(), "results"): problem.text for problem in outcome.problems}


def path_of(study, name):
    return study / name.removeprefix("results/") if name.startswith("results/") else study.parent / name


def edit(study, name, change):
    """Change a claim's evidence and renew all that describes it."""
    path = study / "claims" / f"{name}.json"
    evidence = read_record(path)
    change(evidence)
    write_record(path, evidence)
    describe(study)


def test_a_good_study_is_good(study):
    for deep in (False, True):
        outcome = verify(study, deep=deep)
        assert (outcome.outcome, outcome.problems) == ("good", ())
        assert outcome.files == len(read_manifest(study / NAME)) + len(RUN["traces"])
        assert outcome.verdicts == {"caveat": 1, "contradicted": 1, "not_evaluated": 3, "reproduced": 4}
        assert outcome.apart == {"beyond": 1, "repair": 1}


def test_no_connection_is_opened(study, monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    assert verify(study, deep=True).outcome == "good"


def checked_files(study):
    """Every file of the study, results and project, but the logs that nothing records any more."""
    results = {path.relative_to(study).as_posix() for path in study.rglob("*") if path.is_file()} - UNRECORDED
    return sorted({*(f"results/{name}" for name in results), *read_manifest(study / NAME)})


def test_flipping_one_byte_of_any_file_is_named(study):
    names = checked_files(study)
    assert {"results/run.json", "results/ro-crate-metadata.json", f"results/{NAME}"} < set(names)
    assert {
        "results/logs/train/a.log",
        "results/logs/calc_ranks.log",
        "results/benchmarks/train/a.tsv",
    } < set(names)
    for number, group in enumerate(groups(names)):
        whole = {name: path_of(study, name).read_bytes() for name in group}
        for name, content in whole.items():
            position = (0, len(content) // 2, len(content) - 1)[number % 3]
            flipped = content[:position] + bytes([(content or b" ")[position] ^ 1]) + content[position + 1 :]
            path_of(study, name).write_bytes(flipped)
        outcome = verify(study)
        assert outcome.outcome == "mismatch", group
        assert {*group} - {f"results/{NAME}"} <= places(outcome, study)
        for name, content in whole.items():
            path_of(study, name).write_bytes(content)
    assert verify(study).outcome == "good"


def groups(names):
    """Four groups of files, and alone each that others are compared with."""
    compared = [name for name in names if name.endswith((NAME, "run.json", "ro-crate-metadata.json"))]
    others = [name for name in names if name not in compared]
    return [*([name] for name in compared), *(others[first::4] for first in range(4))]


def test_deleting_any_file_is_named(study):
    aside = study.parents[1] / "aside"
    aside.mkdir()
    for group in groups(checked_files(study)):
        for number, name in enumerate(group):
            path_of(study, name).rename(aside / str(number))
        outcome = verify(study)
        assert outcome.outcome == "incomplete", group
        assert places(outcome, study) == {*group}
        for number, name in enumerate(group):
            (aside / str(number)).rename(path_of(study, name))
    assert verify(study).outcome == "good"


def test_adding_a_file_to_any_folder_is_named(study):
    folders = {path_of(study, name).parent for name in checked_files(study)}
    places_to_add = {folder for folder in folders if folder != study.parent}
    assert {study, study / "code", study / "logs" / "train", study / "benchmarks"} < places_to_add
    assert study.parent / "config" / "claims" in places_to_add
    for folder in places_to_add:
        (folder / "added").write_text("")
        outcome = verify(study)
        assert outcome.outcome == "mismatch", folder
        name = (folder / "added").relative_to(study.parent).as_posix()
        assert places(outcome, study) == {name}
        (folder / "added").unlink()


def test_adding_an_empty_folder_to_any_folder_of_results_is_named(study):
    for folder in [study, *(path for path in study.rglob("*") if path.is_dir())]:
        (folder / "added" / "within").mkdir(parents=True)
        outcome = verify(study)
        assert texts(outcome, study) == {
            (folder / "added").relative_to(study.parent).as_posix(): "is extra: a folder without a file."
        }
        (folder / "added" / "within").rmdir()
        (folder / "added").rmdir()


@pytest.mark.parametrize(
    "name",
    [
        "results/tables/more.csv",
        "results/new",
        "results/run.json.bak",
        "results/claims/guess-2.json",
        "results/.hidden",
        "results/figures/logs/a.svg",
        "results/tables/__pycache__/a.csv",
        "results/data/a.pyc",
        "results/code/.snakemake_timestamp",
        "results/logs/write_manifest.log.bak",
        "results/logs/logs/record_run.log",
        "results/benchmarks/record_run.tsv",
        "config/other.yaml",
        "src/package/new.py",
        "workflow/profiles/default/config.yaml",
    ],
)
def test_adding_a_file_is_named(study, name):
    path = path_of(study, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    outcome = verify(study)
    assert outcome.outcome == "mismatch"
    assert name in places(outcome, study)


def test_a_mismatch_outweighs_what_is_missing(study):
    (study / "figures" / "one.svg").unlink()
    (study / "new").write_text("")
    outcome = verify(study)
    assert {problem.kind for problem in outcome.problems} == {"mismatch", "incomplete"}
    assert outcome.outcome == "mismatch"


def test_a_link_to_a_folder_is_named(study, tmp_path):
    (study / "tables" / "linked").symlink_to(tmp_path, target_is_directory=True)
    assert places(verify(study), study) == {"results/tables/linked"}


@pytest.mark.parametrize(
    "name", ["results/tables/ranks.csv", "results/claims/guess.json", "src/package/module.py"]
)
def test_a_link_in_place_of_a_listed_file_is_named(study, name, tmp_path):
    path = path_of(study, name)
    path.symlink_to(path.rename(tmp_path / path.name))
    assert texts(verify(study), study) == {name: "is a link: the file itself is needed."}


def test_neither_the_workflow_nor_a_network_client_is_imported(study):
    program = (
        "import sys; from nontrivial.provenance.verify import verify; outcome = verify(sys.argv[1]).outcome; "
        "print(outcome, *{'snakemake', 'requests', 'rocrate', 'bagit', 'openml'} & sys.modules.keys())"
    )
    run = subprocess.run([sys.executable, "-c", program, study], capture_output=True, text=True, check=True)
    assert run.stdout == "good\n"


def test_flipping_any_byte_of_the_manifest_is_noticed(study):
    path = study / NAME
    whole = path.read_bytes()
    for position in range(0, len(whole), len(whole) // 31):
        path.write_bytes(whole[:position] + bytes([whole[position] ^ 1]) + whole[position + 1 :])
        assert verify(study).outcome != "good", position


def test_logs_of_the_jobs_that_nothing_comes_after_may_differ(study):
    for name in UNRECORDED:
        (study / name).write_text("another")
        assert verify(study).outcome == "good"
        (study / name).unlink()
    assert verify(study).outcome == "good"


@pytest.mark.parametrize(("part", "count"), [("logs", 2), ("benchmarks", 2)])
def test_all_logs_that_are_gone_are_one_problem(study, part, count):
    shutil.rmtree(study / part)
    text = f"is missing, with the {count} files in it that run.json lists."
    assert texts(verify(study), study) == {f"results/{part}": text}
    assert verify(study).outcome == "incomplete"


def test_a_file_of_a_bag_beside_the_results_makes_them_no_payload(study):
    (study.parent / "bagit.txt").write_text("")
    (study / "logs" / "calc_ranks.log").unlink()
    assert "results/logs/calc_ranks.log" in texts(verify(study), study)


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "is damaged: run.json is not readable JSON."),
        (
            "{}",
            f"is damaged: it does not have the keys {', '.join(RUN)}.",
        ),
        (json.dumps(RUN | {"packages": []}), "is damaged: packages is []; a mapping is needed."),
        (json.dumps(RUN | {"finished": "2026-01-02T03:04:05"}), "has no time zone."),
        (json.dumps(RUN | {"finished": "yesterday"}), "is damaged: Invalid isoformat string: 'yesterday'"),
        (json.dumps(RUN | {"jobs": {"train": {}}}), "is damaged: lacks 'finished'"),
    ],
)
def test_a_record_of_the_run_that_is_none_is_named(study, content, text):
    (study / "run.json").write_text(content)
    problems = [problem.text for problem in verify(study).problems if problem.place == f"{study}/run.json"]
    assert text in problems[0]
    assert len(problems) == 1


def test_a_crate_of_another_study_is_named(study):
    (study / "tables" / "ranks.csv").write_text("other")
    write_manifest(study, project_files(study.parent, ["own.yaml"]))
    assert texts(verify(study), study)["results/tables/ranks.csv"] == (
        "is not the one that ro-crate-metadata.json describes."
    )


@pytest.mark.parametrize("text", ["", "{}", '{"@graph": 3}', '{"@graph": [{}]}', '{"@graph": [{"@id": 3}]}'])
def test_a_damaged_crate_is_named_not_raised(study, text):
    (study / "ro-crate-metadata.json").write_text(text)
    write_manifest(study, project_files(study.parent, ["own.yaml"]))
    assert texts(verify(study), study)["results/ro-crate-metadata.json"].startswith("is damaged: ")


def test_a_missing_manifest_is_incomplete(study):
    (study / NAME).unlink()
    outcome = verify(study)
    assert (outcome.outcome, places(outcome, study)) == ("incomplete", {f"results/{NAME}"})


def test_missing_verdicts_are_incomplete(study):
    (study / "claims" / "verdicts.json").unlink()
    outcome = verify(study)
    assert (outcome.outcome, places(outcome, study)) == ("incomplete", {"results/claims/verdicts.json"})
    assert outcome.verdicts == {}


def test_results_alone_are_compared_with_the_copy_of_the_project_that_they_carry(study, tmp_path):
    alone = tmp_path / "alone" / "results"
    shutil.copytree(study, alone)
    assert verify(alone).outcome == "good"
    (alone / "code" / "config" / "claims" / "paper.yaml").write_text("other")
    named = places(verify(alone), alone)
    assert named == {"config/claims", "config/claims/paper.yaml", "results/code/config/claims/paper.yaml"}


def test_results_without_any_project_are_incomplete(study, tmp_path):
    alone = tmp_path / "alone" / "results"
    shutil.copytree(study, alone)
    shutil.rmtree(alone / "code")
    outcome = verify(alone)
    assert outcome.outcome == "incomplete"
    assert "the project" in places(outcome, alone)


@pytest.mark.parametrize("name", ["results-large", "build/large/results"])
def test_problems_are_named_by_the_folder_that_was_given(study, name, monkeypatch):
    shutil.copytree(study, study.parent / name)
    monkeypatch.chdir(study.parent)
    assert verify(name).outcome == "good"
    Path(name, "figures", "one.svg").unlink()
    Path(name, "claims", "guess.json").write_text("{")
    assert {problem.place for problem in verify(name).problems} == {
        f"{name}/figures/one.svg",
        f"{name}/claims/guess.json",
    }
    monkeypatch.chdir(name)
    assert {problem.place for problem in verify(".").problems} == {"figures/one.svg", "claims/guess.json"}


# Evidence that was edited together with the manifest.


@pytest.mark.parametrize("verdict", ["reproduced", "caveat", "not_evaluated"])
def test_a_verdict_that_does_not_follow_is_named(study, verdict):
    edit(study, "order", lambda evidence: evidence.update(verdict=verdict))
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    next(one for one in verdicts if one["id"] == "order")["verdict"] = verdict
    write_json(study / "claims" / "verdicts.json", verdicts)
    describe(study)
    outcome = verify(study, claim="order")
    found = texts(outcome, study)
    assert found["results/claims/order.json"] == (
        f'the rule, applied again, gives verdict "contradicted" where "{verdict}" is stored.'
    )
    assert found["results/claims/verdicts.csv"] == "does not say what verdicts.json says."


def retell(study, verdicts):
    """Write other verdicts, in both forms, and renew all that describes them."""
    write_json(study / "claims" / "verdicts.json", verdicts)
    write_table(study / "claims" / "verdicts.csv", verdict_table(verdicts))
    render(study)
    describe(study)


def judge_otherwise(study, name, **changes):
    """Judge another claim under the name of one of the registry, and let every file agree with it."""
    registry = {claim.id: claim for claim in load_claims(study.parent / "config" / "claims")}
    record = judge_claim(replace(registry[name], **changes), study)
    write_record(study / "claims" / f"{name}.json", record)
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    retell(study, [verdict_of(record) if verdict["id"] == name else verdict for verdict in verdicts])


@pytest.mark.parametrize("claim", [None, "order"])
@pytest.mark.parametrize(
    ("changes", "text"),
    [
        (
            {"claim": "cohen_kappa <= f1"},
            'the registry of claims gives claim "f1 <= balanced_accuracy" where "cohen_kappa <= f1" is stored.',
        ),
        (
            {"statement": "Balanced accuracy, then F1."},
            'the registry of claims gives statement "F1, then balanced accuracy." '
            'where "Balanced accuracy, then F1." is stored.',
        ),
        (
            {"given": ["1 <= positives <= negatives", "tp <= tn"]},
            'the registry of claims gives given ["1 <= positives <= negatives"] '
            'where ["1 <= positives <= negatives", "tp <= tn"] is stored.',
        ),
    ],
)
def test_another_claim_under_the_same_name_is_named(study, changes, text, claim):
    judge_otherwise(study, "order", **changes)
    for deep in (False, True):
        assert texts(verify(study, deep=deep, claim=claim), study) == {"results/claims/order.json": text}


def test_a_claim_that_was_deleted_everywhere_is_named(study):
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    (study / "claims" / "exam.json").unlink()
    retell(study, [verdict for verdict in verdicts if verdict["id"] != "exam"])
    assert texts(verify(study), study) == {
        "results/claims/verdicts.json": "has no verdict on 'exam', a claim of the registry."
    }


def test_verdicts_in_another_order_than_the_registry_are_named(study):
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    assert [verdict["id"] for verdict in verdicts[:3]] == [
        "order",
        "guess",
        "exam",
    ]  # a main claim comes first
    retell(study, sorted(verdicts, key=lambda verdict: verdict["id"]))
    assert places(verify(study), study) == {"results/claims/verdicts.json"}


def test_a_verdict_on_what_is_no_claim_is_named(study):
    guess = json.loads((study / "claims" / "guess.json").read_text())
    again = claim_from_json(guess["trail"]["claim"] | {"id": "guess-2"})
    record = judge_claim(again, study)
    write_record(study / "claims" / "guess-2.json", record)
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    retell(study, [*verdicts, verdict_of(record)])
    assert texts(verify(study), study) == {
        "results/claims/guess-2.json": "is a verdict on 'guess-2', which is not a claim of the registry."
    }


def test_a_search_that_is_said_to_have_found_nothing_is_named_by_a_deep_verification(study):
    evidence = json.loads((study / "claims" / "order.json").read_text())
    found = evidence["trail"]["found"] | {
        "status": "proved",
        "proved_of": "any size",
        "hits": 0,
        "witness": None,
        "values": None,
        "exactly_when": None,
    }
    claim = claim_from_json(evidence["trail"]["claim"])
    record = make_record(claim, found_from_json(found), {})
    assert record["verdict"] == "reproduced"
    write_record(study / "claims" / "order.json", record)
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    retell(study, [verdict_of(record) if verdict["id"] == "order" else verdict for verdict in verdicts])
    assert verify(study).outcome == "good"  # what only the judgement itself can tell
    text = 'the claim, judged again, gives verdict "contradicted" where "reproduced" is stored.'
    assert texts(verify(study, deep=True), study) == {"results/claims/order.json": text}


def test_the_registry_of_the_project_outweighs_a_copy_that_was_changed_with_the_evidence(study):
    judge_otherwise(study, "order", claim="cohen_kappa <= f1")
    copy = study / "code" / "config" / "claims" / "paper.yaml"
    copy.write_text(copy.read_text().replace("f1 <= balanced_accuracy", "cohen_kappa <= f1"))
    write_crate(study, jobs_of(study))
    write_manifest(study, project_files(study.parent, ["own.yaml"]))
    assert places(verify(study), study) == {"results/claims/order.json"}
    (study / "run.json").write_text(json.dumps(run_with("results/code/config/claims")))
    write_crate(study, jobs_of(study))
    write_manifest(study, project_files(study.parent, ["own.yaml"]))
    assert texts(verify(study), study) == {
        "results/code/config/claims": "was not found as the manifest lists it, so no verdict was checked."
    }


def test_the_registry_is_the_one_that_the_run_was_set_to(study):
    config = study.parent / "config"
    shutil.copytree(config / "claims", config / "mine")
    other = config / "claims" / "paper.yaml"
    other.write_text(other.read_text().replace("section: Section 2", "section: Section 3"))
    for name, outcome in {"config//mine": "good", "config/claims": "mismatch"}.items():
        (study / "run.json").write_text(json.dumps(run_with(name)))
        describe(study)
        assert verify(study).outcome == outcome


def run_with(claims):
    return RUN | {"config": CONFIG | {"files": CONFIG["files"] | {"claims": claims}}}


def test_a_list_of_verdicts_that_the_evidence_does_not_bear_out_is_named(study):
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    next(one for one in verdicts if one["id"] == "order")["verdict"] = "reproduced"
    write_json(study / "claims" / "verdicts.json", verdicts)
    write_table(study / "claims" / "verdicts.csv", verdict_table(verdicts))
    describe(study)
    assert texts(verify(study), study) == {
        "results/claims/order.json": "does not say what verdicts.json says."
    }


def test_evidence_without_a_verdict_is_named(study):
    shutil.copy(study / "claims" / "guess.json", study / "claims" / "guess-2.json")
    describe(study)
    outcome = verify(study)
    assert outcome.outcome == "mismatch"
    assert places(outcome, study) == {"results/claims/guess-2.json"}


def forge(table):
    def change(evidence):
        evidence["counterexample"] = evidence["trail"]["found"]["witness"] = table

    return change


@pytest.mark.parametrize("table", [[0, 1, 0, 1], [2, 1, 0, 0], [1, 1, 0], [1, 1, 0, "0"], [-1, 1, 0, 0], []])
def test_a_forged_counterexample_is_named(study, table):
    edit(study, "order", forge(table))
    outcome = verify(study)
    found = [problem.text for problem in outcome.problems if problem.place == f"{study}/claims/order.json"]
    assert f"stores [{', '.join(map(str, table))}], a case that does not settle the claim." in found


def test_another_counterexample_that_is_not_the_smallest_is_named_by_a_deep_verification(study):
    edit(study, "order", forge([2, 2, 0, 0]))
    shallow = [p.text for p in verify(study).problems]
    assert not [text for text in shallow if "does not settle" in text]
    deep = [p.text for p in verify(study, deep=True, claim="order").problems]
    assert [text for text in deep if "judged again," in text]


def test_a_forged_example_is_named(study):
    edit(study, "sometimes", lambda evidence: evidence["trail"]["found"].update(witness=[0, 1, 0, 1]))
    found = [problem.text for problem in verify(study, claim="sometimes").problems]
    assert "stores [0, 1, 0, 1], a case that does not settle the claim." in found


def test_a_count_without_a_case_is_named(study):
    edit(study, "order-holds", lambda evidence: evidence["trail"]["found"].update(hits=3))
    found = [problem.text for problem in verify(study, claim="order-holds").problems]
    assert "counts 3 cases that settle the claim, but stores None and 'proved'." in found


def test_a_forged_number_passes_the_rule_but_not_the_deep_verification(study):
    def change(evidence):
        evidence["trail"]["found"].update(value="3333/10000", low="3333/10000", high="3333/10000")
        evidence["found"] = "0.3333"

    edit(study, "guess", change)
    assert not [p for p in verify(study).problems if "the rule" in p.text]
    found = [problem.text for problem in verify(study, deep=True).problems]
    assert 'the claim, judged again, gives found "0.333333333333 (1/3)" where "0.3333" is stored.' in found


def test_a_table_that_changed_after_judgement_is_named(study):
    path = study / "tables" / "ranks.csv"
    path.write_text(path.read_text().replace("0.25", "0.26"))
    describe(study)
    text = "was judged on another tables/ranks.csv than the one there now."
    assert texts(verify(study), study) == {
        "results/claims/measured.json": text,
        "results/claims/out-of-scope.json": text,
        "results/claims/surveyed.json": text,
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda evidence: evidence.pop("trail"),
        lambda evidence: evidence["trail"].pop("claim"),
        lambda evidence: evidence["trail"]["claim"].update(over="other"),
        lambda evidence: evidence["trail"]["claim"].update(given=3),
        lambda evidence: evidence["trail"].update(found=[]),
        lambda evidence: evidence["trail"].update(found={"type": "quantity", "value": "x"}),
        lambda evidence: evidence["trail"].update(
            found={"type": "absent", "reason": "no data", "about": {"files": []}}
        ),
        lambda evidence: evidence["trail"].update(
            found=dict.fromkeys(("points", "kept", "clearly_kept"), 1)
            | {"type": "survey", "clearly_broken": 0, "absent": 0, "broken": {}, "values": {}}
        ),
        lambda evidence: evidence["trail"]["found"].update(domain={"over": "pairs of rankings"}),
        lambda evidence: evidence["trail"]["found"].update(domain={"over": "tables", "cases": 10**12}),
        lambda evidence: evidence["trail"]["found"].update(domain=None),
        lambda evidence: evidence["trail"]["found"].update(status="settled"),
        lambda evidence: evidence["trail"]["found"].update(status=["refuted"]),
        lambda evidence: evidence["trail"]["found"].update(status="shown"),
        lambda evidence: evidence["trail"]["found"].update(proved_of="some size"),
        lambda evidence: evidence["trail"]["found"].update(hits="124"),
        lambda evidence: evidence["trail"]["found"].update(checked=[]),
        lambda evidence: evidence["trail"]["found"].update(witness=None),
        lambda evidence: evidence["trail"]["found"].update(witness=[[[]]]),
        lambda evidence: evidence["trail"]["found"].update(witness=[10**4000, 10**4000, 0, 0]),
        lambda evidence: evidence["trail"]["found"].update(witness=[1] * 100_000),
        lambda evidence: evidence["trail"]["found"].update(exactly_when={"condition": "tp <= tn"}),
        lambda evidence: evidence["trail"].update(data_sha256=None),
        lambda evidence: evidence.pop("reason"),
        lambda evidence: evidence.update(more=1),
    ],
)
def test_damaged_evidence_is_named_not_raised(study, change):
    edit(study, "order", change)
    outcome = verify(study, deep=True)
    assert outcome.outcome == "mismatch"
    assert "results/claims/order.json" in places(outcome, study)


@pytest.mark.parametrize("text", ["", "[", "{}", "[{}]", '[{"id": 3}]', "null", "[[]]"])
def test_damaged_verdicts_are_named_not_raised(study, text):
    (study / "claims" / "verdicts.json").write_text(text)
    outcome = verify(study)
    assert outcome.outcome == "mismatch"
    assert "results/claims/verdicts.json" in places(outcome, study)


# One claim.


def test_one_claim_is_verified_with_what_it_rests_on(study):
    outcome = verify(study, claim="measured", deep=True)
    assert (outcome.outcome, outcome.verdicts) == ("good", {"caveat": 1})
    assert outcome.files == 5  # its evidence, its table, the verdicts in two forms, the registry
    (study / "figures" / "one.svg").write_text("other")
    assert verify(study, claim="measured").outcome == "good"
    (study / "tables" / "ranks.csv").write_text("other")
    assert "results/tables/ranks.csv" in places(verify(study, claim="measured"), study)


def test_an_unknown_claim_is_named_with_what_is_close(study):
    with pytest.raises(
        ValueError, match=r"there is no claim 'gues' in .*verdicts\.json; close to it: guess\."
    ):
        verify(study, claim="gues")


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ValueError, match="absent is not a folder; the results folder of a study is needed"):
        verify(tmp_path / "absent")
