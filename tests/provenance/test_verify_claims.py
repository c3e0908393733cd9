"""The evidence bears out every verdict: that on the claims that ship, and none that was forged."""

import json
import shutil

import pytest
from provenance.edited import edit, places, retell, texts
from provenance.small_study import describe

from nontrivial.claims.claim import claim_from_json
from nontrivial.claims.found import found_from_json
from nontrivial.claims.judge import judge_claim, make_record
from nontrivial.files import write_json
from nontrivial_study.documents.evidence import verdict_of, verdict_table, write_evidence
from nontrivial_study.provenance.verify import verify
from nontrivial_study.provenance.verify_claims import check_claim, read_verdicts
from nontrivial_study.tables import write_table


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
    write_json(study / "claims" / "order.json", record)
    verdicts = json.loads((study / "claims" / "verdicts.json").read_text())
    retell(study, [verdict_of(record) if verdict["id"] == "order" else verdict for verdict in verdicts])
    assert verify(study).outcome == "good"  # what only the judgement itself can tell
    text = 'the claim, judged again, gives verdict "contradicted" where "reproduced" is stored.'
    assert texts(verify(study, deep=True), study) == {"results/claims/order.json": text}


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


@pytest.fixture(scope="module")
def judgements():
    return {}


@pytest.fixture
def judged_once(judgements, monkeypatch):
    """Judge each claim of the small study once for all tests, which leave its tables as they are."""

    def judge(claim, folder):
        if claim.id not in judgements:
            judgements[claim.id] = claim, judge_claim(claim, folder)
        judged, record = judgements[claim.id]
        assert judged == claim
        return record

    monkeypatch.setattr("nontrivial_study.provenance.verify_claims.judge_claim", judge)


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
def test_damaged_evidence_is_named_not_raised(study, change, judged_once):
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


@pytest.fixture(scope="module")
def results(shipped_records, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    write_evidence(list(shipped_records.values()), folder / "claims")
    return folder


def test_stored_evidence_gives_every_verdict_again(results, shipped_claims):
    problems = []
    verdicts = read_verdicts(results, problems)
    assert [verdict["id"] for verdict in verdicts] == list(shipped_claims)
    for verdict in verdicts:
        problems += check_claim(verdict, results, shipped_claims, deep=False)
    assert problems == []


def test_claims_judged_again_give_their_verdicts_again(results, shipped_claims):
    """One claim of every kind and verdict; all of them take as long again."""
    verdicts = read_verdicts(results, [])
    chosen = {
        (verdict["domain"].partition(" of ")[0], verdict["verdict"], verdict["reason"]): verdict
        for verdict in verdicts
        if not verdict["domain"].startswith("every pair")
    }
    assert len(chosen) > 10
    for verdict in chosen.values():
        assert list(check_claim(verdict, results, shipped_claims, deep=True)) == [], verdict["id"]
