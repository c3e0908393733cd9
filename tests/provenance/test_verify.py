"""Verification: every change to a study is named."""

import json
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from provenance.edited import places, texts
from provenance.small_study import RUN

from nontrivial_study.provenance.manifest import NAME, read_manifest, write_manifest
from nontrivial_study.provenance.project import project_files
from nontrivial_study.provenance.verify import verify


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


def test_a_mismatch_outweighs_what_is_missing(study):
    (study / "figures" / "one.svg").unlink()
    (study / "new").write_text("")
    outcome = verify(study)
    assert {problem.kind for problem in outcome.problems} == {"mismatch", "incomplete"}
    assert outcome.outcome == "mismatch"


def test_neither_the_workflow_nor_a_network_client_is_imported(study):
    program = (
        "import sys; from nontrivial_study.provenance.verify import verify; outcome = verify(sys.argv[1]).outcome; "
        "print(outcome, *{'snakemake', 'requests', 'rocrate', 'bagit', 'openml'} & sys.modules.keys())"
    )
    run = subprocess.run([sys.executable, "-c", program, study], capture_output=True, text=True, check=True)
    assert run.stdout == "good\n"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("{", "is damaged: run.json is not readable JSON."),
        ("{}", f"is damaged: it does not have the keys {', '.join(RUN)}."),
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
