"""The registry that ships: what each of its claims comes to, worked by hand."""

from fractions import Fraction
from pathlib import Path

import pytest

from nontrivial.audit.evaluate import evaluate_claims
from nontrivial.audit.evidence import write_evidence
from nontrivial.audit.registry import load_claims
from nontrivial.audit.verdict import VERDICTS
from nontrivial.audit.verify import verify

SHIPPED = Path(__file__).parents[2] / "config" / "claims"

# Everything that is not plainly reproduced by the default registry, and why.
CONTRADICTED = {
    "p4-disease-recall-as-count",  # 47.5 of 50
    "pa-kappa-strict-when-imbalanced",  # both are 0 if nothing is predicted positive
    "pa-order-balanced-accuracy-accuracy",
    "pa-order-chain",
    "pa-order-f1-balanced-accuracy",
    "prg-models-count",  # 26,580
}
CAVEAT = {
    "pa-exam-alice-60-decimal",  # 0.4666.. cut off
    "pa-haberman-14",  # 0.25 .. 0.35 lie on both sides of 0.2647
}
COUNTEREXAMPLES = {
    "pa-kappa-strict-when-imbalanced": [0, 0, 1, 2],
    "pa-order-balanced-accuracy-accuracy": [1, 1, 0, 1],
    "pa-order-chain": [1, 1, 0, 0],
    "pa-order-f1-balanced-accuracy": [1, 1, 0, 0],
}
# Exact values that a reader can check with a pocket calculator.
FOUND = {
    "pa-exam-bob-30-trivial": "-1/20",
    "pa-exam-alice-30-better": "1/15",
    "pa-exam-bob-60": "2/5",
    "pa-exam-alice-60-fraction": "7/15",
    "pa-intern-no-better-than-trivial": "-2",
    "pa-haberman-trivial-error": "9/34",
    "pa-haberman-23": "-1/50",
    "pa-haberman-14": "-2/15",
    "pa-haberman-24": "-47/1500",
    "pa-haberman-5": "-269/7500",
    "pa-haberman-18": "-11/2250",
    "pa-haberman-15": "-2/15",
    "pa-haberman-4": "-311/4500",
    "pa-haberman-1": "-11/2250",
    "prg-models-count": "26580",
    "p4-disease-p4-notices": "37981/1037981",
    "p4-cats-p4-notices": "1333200/34396597",
}


@pytest.fixture(scope="module")
def records(tmp_path_factory):
    empty = tmp_path_factory.mktemp("results")
    return {record["id"]: record for record in evaluate_claims(load_claims(SHIPPED), empty)}


def test_verdicts(records):
    by_verdict = {
        verdict: {name for name, r in records.items() if r["verdict"] == verdict} for verdict in VERDICTS
    }
    assert by_verdict["contradicted"] == CONTRADICTED
    assert by_verdict["caveat"] == CAVEAT
    for name in by_verdict["not_evaluated"]:
        assert records[name]["data"] or records[name]["kind"] == "opinion", name


def test_counterexamples(records):
    stored = {name: r["counterexample"] for name, r in records.items() if r["counterexample"] is not None}
    assert stored == COUNTEREXAMPLES


def test_values(records):
    for name, value in FOUND.items():
        assert Fraction(records[name]["trail"]["found"]["value"]) == Fraction(value), name


def test_the_first_part_of_the_registry_is_complete(records):
    assert len([name for name in records if name.startswith("pa-haberman-")]) == 10
    for relation in (
        "prediction_advantage <= cohen_kappa",
        "cohen_kappa <= f1",
        "f1 <= balanced_accuracy",
        "balanced_accuracy <= accuracy",
        "prediction_advantage <= cohen_kappa <= f1 <= balanced_accuracy <= accuracy",
    ):
        (record,) = (record for record in records.values() if record["stated"] == relation)
        assert record["domain"] == (
            "every confusion table with cells FP, TP, FN, TN in 0..40 where 1 <= positives <= negatives"
        )


def test_a_repaired_reading_is_of_a_claim_that_fails(records):
    repaired = [record for record in records.values() if record["repairs"]]
    assert repaired
    for record in repaired:
        assert records[record["repairs"]]["verdict"] == "contradicted"
        assert record["verdict"] == "reproduced"


def test_stored_evidence_gives_every_verdict_again(records, tmp_path):
    write_evidence(list(records.values()), tmp_path / "claims")
    outcome = verify(tmp_path, deep=True)
    assert [problem.place for problem in outcome.problems] == [
        "results/manifest-sha256.txt"
    ]  # none was written
    assert sum(outcome.verdicts.values()) == len(records)
