"""Verification: every change to a study is named, and the evidence bears out every verdict."""

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from provenance.small_study import describe, edit

from nontrivial.files import read_json, write_json
from nontrivial_study.documents.evidence import write_evidence
from nontrivial_study.provenance.run import MANIFEST, archive_code, project_files, read_manifest, write_manifest
from nontrivial_study.provenance.verify import verify_results

ROOT = Path(__file__).parents[2]


def texts(study, **options):
    """What a verification says of the files of a study."""
    return {p.place.replace(f"{study}/", ""): p.text for p in verify_results(study, **options).problems}


def test_a_good_study_is_good_without_a_connection(study, monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    for deep in (False, True):
        outcome = verify_results(study, deep=deep)
        assert (outcome.outcome, outcome.problems) == ("good", [])
        assert outcome.files == len(read_manifest(study / MANIFEST))
        assert outcome.verdicts == {"caveat": 1, "contradicted": 1, "not_evaluated": 3, "reproduced": 4}
        assert outcome.apart == {"beyond": 1}


def test_neither_the_workflow_nor_a_network_client_is_imported(study):
    program = (
        "import sys; from nontrivial_study.provenance.verify import verify_results as verify; "
        "print(verify(sys.argv[1]).outcome, *{'snakemake', 'requests', 'rocrate', 'openml'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", program, study], capture_output=True, text=True, check=True)
    assert done.stdout == "good\n"


def test_every_edit_and_every_loss_is_named(study):
    for name in [*read_manifest(study / MANIFEST), MANIFEST]:
        path = study / name
        whole = path.read_bytes()
        path.write_bytes(whole[:-2] + bytes([whole[-2] ^ 1]) + whole[-1:])
        outcome = verify_results(study)
        assert outcome.outcome == "mismatch", name
        assert name == MANIFEST or name in texts(study), name
        path.unlink()
        outcome = verify_results(study)
        assert outcome.outcome in ("incomplete", "mismatch"), name
        assert texts(study)[name] == "is missing.", name
        path.write_bytes(whole)
    assert verify_results(study).outcome == "good"


@pytest.mark.parametrize("name", ["run.json.sig", "tables/caf\u00e9.csv"])
def test_an_extra_file_is_named(study, name):
    (study / name).write_text("")
    assert texts(study) == {name: "is extra: the manifest does not list it."}


def test_a_signature_of_the_manifest_logs_and_benchmarks_are_no_mismatch(study):
    for name in (f"{MANIFEST}.sig", "logs/train/a.log", "benchmarks/new.tsv"):
        (study / name).write_text("another")
    shutil.rmtree(study / "logs")
    assert verify_results(study).outcome == "good"


def test_what_an_earlier_configuration_left_is_told_and_makes_nothing_worse(study):
    (study / "tables" / "old.csv").write_text("")
    write_manifest(study)
    outcome = verify_results(study)
    left = [problem.place for problem in outcome.unchecked if problem.kind == "left"]
    assert (outcome.outcome, left) == ("good", [f"{study}/tables/old.csv"])


@pytest.mark.parametrize("name", ["results-large", "build/large/results"])
def test_problems_are_named_by_the_folder_that_was_given(study, name, monkeypatch):
    shutil.copytree(study, study.parent / name)
    monkeypatch.chdir(study.parent)
    assert verify_results(name).outcome == "good"
    Path(name, "figures", "one.svg").unlink()
    assert [problem.place for problem in verify_results(name).problems] == [f"{name}/figures/one.svg"]
    monkeypatch.chdir(name)
    assert [problem.place for problem in verify_results(".").problems] == ["figures/one.svg"]


def test_data_are_compared_with_the_digests_in_the_configuration(study):
    path = study.parent / "config" / "datasets.yaml"
    text = path.read_text()
    path.write_text(text.replace("rows: 9", "rows: 8"))
    describe(study)
    assert "rows 9; 8 was expected" in texts(study)["data/toy.parquet"]
    path.write_text(text.replace("title: Toy", "title: Other"))
    describe(study)
    assert texts(study).keys() == {"data/toy.json"}
    path.write_text("{}\n")
    describe(study)
    outcome = verify_results(study)
    assert outcome.outcome == "good"
    assert any("without a digest in the configuration: toy." in problem.text for problem in outcome.unchecked)


def test_a_verdict_that_does_not_follow_is_named(study):
    edit(study, "claims/order.json", lambda evidence: evidence.update(verdict="reproduced"))
    order_texts = [problem.text for problem in verify_results(study, claim="order").problems]
    assert "does not say what verdicts.json says." in order_texts
    edit(study, "claims/verdicts.json", lambda verdicts: by_id(verdicts)["order"].update(verdict="reproduced"))
    assert texts(study)["claims/order.json"] == (
        'the rule, applied again, gives verdict "contradicted" where "reproduced" is stored.'
    )


def by_id(verdicts):
    return {verdict["id"]: verdict for verdict in verdicts}


def test_what_follows_from_another_file_is_made_again(study):
    path = study / "claims" / "verdicts.csv"
    path.write_text(path.read_text().replace(",contradicted,", ",reproduced,", 1))
    write_manifest(study)
    assert texts(study) == {"claims/verdicts.csv": "does not say what verdicts.json says."}


def test_an_opinion_is_judged_again_and_nothing_else_goes_without_evidence(study):
    edit(study, "claims/verdicts.json", lambda verdicts: by_id(verdicts)["view"].update(verdict="reproduced"))
    assert texts(study)["claims/verdicts.json"].startswith("the rule, applied to view again, gives verdict")
    edit(study, "claims/verdicts.json", lambda verdicts: by_id(verdicts)["order"].update(evidence=""))
    assert texts(study)["claims/verdicts.json"] == "names no evidence on order."


@pytest.mark.parametrize("case", [[0, 1, 0, 1], None, [1, 1, 0]])
@pytest.mark.parametrize("claim", ["order", "sometimes"])
def test_a_case_that_does_not_settle_its_claim_is_named(study, claim, case):
    def change(evidence):
        evidence["trail"]["found"]["witness"] = case

    edit(study, f"claims/{claim}.json", change)
    problems = [problem.text for problem in verify_results(study).problems if claim in problem.place]
    assert any("does not settle the claim" in text or "damaged" in text for text in problems)


def test_only_a_deep_verification_finds_another_number_and_another_case(study):
    def change(evidence):
        evidence["trail"]["found"].update(value="3333/10000", low="3333/10000", high="3333/10000")
        evidence["found"] = "0.3333"

    edit(study, "claims/guess.json", change)
    edit(study, "claims/verdicts.json", lambda verdicts: by_id(verdicts)["guess"].update(found="0.3333"))
    assert not [text for text in texts(study).values() if "judged again" in text]
    assert texts(study, deep=True)["claims/guess.json"] == (
        'the claim, judged again, gives found "0.333333333333 (1/3)" where "0.3333" is stored.'
    )


def test_a_table_that_changed_after_judgement_is_named(study):
    path = study / "tables" / "ranks.csv"
    path.write_text(path.read_text().replace("0.25", "0.26"))
    describe(study)
    text = "was judged on another tables/ranks.csv than the one there now."
    assert texts(study) == {f"claims/{name}.json": text for name in ("measured", "out-of-scope", "surveyed")}


def test_claims_are_those_of_the_registry(study):
    path = study.parent / "config" / "claims" / "paper.yaml"
    path.write_text(path.read_text().replace("A guess among three.", "A guess among four."))
    describe(study)
    assert texts(study) == {"claims/guess.json": "is about another claim than the one in code.zip."}
    path.write_text(path.read_text().replace("id: guess", "id: guess-2"))
    describe(study)
    assert texts(study)["claims/verdicts.json"].endswith("on each claim in code.zip: guess, guess-2.")


@pytest.mark.parametrize(
    "change",
    [
        lambda evidence: evidence.pop("trail"),
        lambda evidence: evidence["trail"]["found"].update(domain=None),
        lambda evidence: evidence.update(more=1),
    ],
)
def test_damaged_evidence_is_named_not_raised(study, change):
    edit(study, "claims/order.json", change)
    assert "claims/order.json" in texts(study)


@pytest.mark.parametrize("text", ["", "{}", "null"])
@pytest.mark.parametrize("name", ["claims/verdicts.json", "run.json"])
def test_damaged_json_is_named_not_raised(study, name, text):
    (study / name).write_text(text)
    assert name in texts(study)
    write_manifest(study)
    verify_results(study)


def test_one_claim_is_verified_with_what_it_rests_on(study):
    outcome = verify_results(study, claim="measured", deep=True)
    assert (outcome.outcome, outcome.verdicts, outcome.files) == ("good", {"caveat": 1}, 5)
    assert outcome.claim == read_json(study / "claims" / "measured.json")
    (study / "figures" / "one.svg").write_text("other")
    assert verify_results(study, claim="measured").outcome == "good"
    (study / "tables" / "ranks.csv").write_text("other")
    assert texts(study, claim="measured").keys() == {"tables/ranks.csv"}


def test_the_evidence_on_the_claims_that_ship_bears_out_every_verdict(shipped_records, tmp_path):
    write_evidence(list(shipped_records.values()), tmp_path / "claims")
    files = {name: f"config/{name}.yaml" for name in ("datasets", "common_datasets", "models")}
    config = {"experiments": ["claims"], "files": files | {"claims": "config/claims"}}
    write_json(tmp_path / "run.json", {"config": config})
    archive_code(project_files(ROOT), tmp_path / "code.zip")
    write_manifest(tmp_path)
    outcome = verify_results(tmp_path)  # without a page and a crate
    assert [problem for problem in outcome.problems if "claims" in problem.place] == []
    assert sum(outcome.verdicts.values()) + sum(outcome.apart.values()) == len(shipped_records)
