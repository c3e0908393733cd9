"""The claims of the PA paper: what each comes to, worked by hand."""

import pytest
from audit.expected import assert_found, counterexamples, of_verdict

# Everything that is evaluated without a study and not plainly reproduced, and why.
CONTRADICTED = {
    "pa-kappa-strict-when-imbalanced",  # both are 0 if nothing is predicted positive
    "pa-order-balanced-accuracy-accuracy",
    "pa-order-chain",
    "pa-order-f1-balanced-accuracy",
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
}


@pytest.fixture(scope="module")
def records(records_of):
    return records_of("PA paper")


def test_verdicts(records):
    assert of_verdict(records, "contradicted") == CONTRADICTED
    assert of_verdict(records, "caveat") == CAVEAT


def test_counterexamples(records):
    assert counterexamples(records) == COUNTEREXAMPLES


def test_values(records):
    assert_found(records, FOUND)


def test_the_order_of_the_measures_is_complete(records):
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
