"""What was judged is compared with what was to be judged."""

import json
import shutil
from dataclasses import replace

import pytest
from provenance.edited import places, retell, texts
from provenance.small_study import CONFIG, RUN, describe, made_in

from nontrivial.claims.claim import claim_from_json
from nontrivial.claims.judge import judge_claim
from nontrivial.claims.registry import load_claims
from nontrivial.files import write_json
from nontrivial_study.documents.evidence import verdict_of
from nontrivial_study.provenance.crate import write_crate
from nontrivial_study.provenance.manifest import write_manifest
from nontrivial_study.provenance.project import project_files
from nontrivial_study.provenance.verify import verify


def judge_otherwise(study, name, **changes):
    """Judge another claim under the name of one of the registry, and let every file agree with it."""
    registry = {claim.id: claim for claim in load_claims(study.parent / "config" / "claims")}
    record = judge_claim(replace(registry[name], **changes), study)
    write_json(study / "claims" / f"{name}.json", record)
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
    # A main claim comes first.
    assert [verdict["id"] for verdict in verdicts[:3]] == ["order", "guess", "exam"]
    retell(study, sorted(verdicts, key=lambda verdict: verdict["id"]))
    assert places(verify(study), study) == {"results/claims/verdicts.json"}


def test_a_verdict_on_what_is_no_claim_is_named(study):
    guess = json.loads((study / "claims" / "guess.json").read_text())
    again = claim_from_json(guess["trail"]["claim"] | {"id": "guess-2"})
    record = judge_claim(again, study)
    write_json(study / "claims" / "guess-2.json", record)
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    retell(study, [*verdicts, verdict_of(record)])
    assert texts(verify(study), study) == {
        "results/claims/guess-2.json": "is a verdict on 'guess-2', which is not a claim of the registry."
    }


def test_the_registry_of_the_project_outweighs_a_copy_that_was_changed_with_the_evidence(study):
    judge_otherwise(study, "order", claim="cohen_kappa <= f1")
    copy = study / "code" / "config" / "claims" / "paper.yaml"
    copy.write_text(copy.read_text().replace("f1 <= balanced_accuracy", "cohen_kappa <= f1"))
    write_crate(study, made_in(study))
    write_manifest(study, project_files(study.parent, ["own.yaml"]))
    assert places(verify(study), study) == {"results/claims/order.json"}
    (study / "run.json").write_text(json.dumps(run_with("results/code/config/claims")))
    write_crate(study, made_in(study))
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
