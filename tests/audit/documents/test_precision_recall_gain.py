"""The claims of the PRG paper: what each comes to, worked by hand."""

import pytest
from audit.expected import assert_found, counterexamples, of_verdict

# Everything that is evaluated without a study and not plainly reproduced, and why.
CONTRADICTED = {
    "prg-models-count",  # 26,580
}
CAVEAT = set()
COUNTEREXAMPLES = {}
# Exact values that a reader can check with a pocket calculator.
FOUND = {
    "prg-models-count": "26580",
}


@pytest.fixture(scope="module")
def records(records_of):
    return records_of("PRG paper")


def test_verdicts(records):
    assert of_verdict(records, "contradicted") == CONTRADICTED
    assert of_verdict(records, "caveat") == CAVEAT


def test_counterexamples(records):
    assert counterexamples(records) == COUNTEREXAMPLES


def test_values(records):
    assert_found(records, FOUND)
