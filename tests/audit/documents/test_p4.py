"""The claims of the P4 article: what each comes to, worked by hand."""

import pytest
from audit.expected import assert_found, counterexamples, of_verdict

# Everything that is evaluated without a study and not plainly reproduced, and why.
CONTRADICTED = {
    "p4-disease-recall-as-count",  # 47.5 of 50
}
CAVEAT = set()
COUNTEREXAMPLES = {}
# Exact values that a reader can check with a pocket calculator.
FOUND = {
    "p4-disease-p4-notices": "37981/1037981",
    "p4-cats-p4-notices": "1333200/34396597",
}


@pytest.fixture(scope="module")
def records(records_of):
    return records_of("P4 article")


def test_verdicts(records):
    assert of_verdict(records, "contradicted") == CONTRADICTED
    assert of_verdict(records, "caveat") == CAVEAT


def test_counterexamples(records):
    assert counterexamples(records) == COUNTEREXAMPLES


def test_values(records):
    assert_found(records, FOUND)
