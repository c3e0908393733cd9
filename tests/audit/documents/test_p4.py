"""The claims of the P4 article: what each comes to, worked by hand."""

import pytest
from audit.expected import assert_found, conditions, counterexamples, of_verdict

pytestmark = pytest.mark.xdist_group("claims")  # all claims are judged once

# Everything that is evaluated without a study and not plainly reproduced, and why.
CONTRADICTED = {
    "p4-related-phi-diagonal",
    "p4-related-phi-off-diagonal",
}
CAVEAT = {
    "p4-definition",  # without TP or TN the harmonic mean has 1/0
    "p4-table-diagnostic-odds-ratio",  # without TN one of the two ratios is infinite
    "p4-zero-with-any",  # without TP and TN P4 is 0/0
}
COUNTEREXAMPLES = {
    "p4-related-phi-diagonal": [1, 0, 1, 3],  # three of five on the diagonal, and 0 * 3 < 1 * 1
    "p4-related-phi-off-diagonal": [0, 1, 3, 1],  # two of five on it, and 1 * 1 > 0 * 3
}
CONDITIONS = {
    "p4-related-phi-diagonal": "informedness > 0",
    "p4-related-phi-off-diagonal": "informedness < 0",
}
FOUND = {
    "p4-disease-p4-notices": "37981/1037981",
    "p4-disease-due-to-imbalance": "19/20",
    "p4-disease-informedness-misses": "9/10",
    "p4-cats-p4-notices": "1333200/34396597",
    "p4-cats-specificity-low": "1/100",
}
# The article's table, as printed.
PROBABILITIES = ("precision", "recall", "specificity", "negative_predictive_value")
DEPENDENCIES = {
    "p4": (True, True, True, True),
    "f1": (True, True, False, False),
    "informedness": (False, True, True, False),
    "markedness": (True, False, False, True),
}


@pytest.fixture(scope="module")
def records(records_of):
    return records_of("P4 article")


def test_verdicts(records):
    assert of_verdict(records, "contradicted") == CONTRADICTED
    assert of_verdict(records, "caveat") == CAVEAT


def test_counterexamples(records):
    assert counterexamples(records) == COUNTEREXAMPLES


def test_where_what_fails_does_hold(records):
    assert conditions(records) == CONDITIONS


def test_every_cell_of_the_table_of_dependencies_has_a_claim(records):
    cells = {
        (measure, probability.replace("_", "-")): stated
        for measure, row in DEPENDENCIES.items()
        for probability, stated in zip(PROBABILITIES, row, strict=True)
    }
    for (measure, probability), stated in cells.items():
        record = records[f"p4-depends-{measure}-{probability}"]
        assert record["stated"].startswith("sometimes ") != stated
        assert ("does not depend" in record["statement"]) != stated
        assert record["verdict"] == "reproduced"


def test_values(records):
    assert_found(records, FOUND)
