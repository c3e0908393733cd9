"""The claims of the tutorial: what each comes to, worked by hand."""

import pytest
from audit.expected import conditions, counterexamples, of_verdict

pytestmark = pytest.mark.xdist_group("claims")  # all claims are judged once

# Everything that is not plainly reproduced, with its counterexample and why it is one.
# Rankings are written as positives and negatives of each group, the best first.
CONTRADICTED = {
    # no error: FN is 0, TN is not
    "tutorial-fn-and-tn-vanish-together": [0, 1, 0, 1],
    "tutorial-ideal-corner": [0, 1, 0, 1],
    "tutorial-macro-recall": [1, 1],  # 2 against 1
    # fn1, fn2, fp1, fp2, tp1, tp2: recall 2/(2 + 2) is not precision 2/(2 + 3)
    "tutorial-micro-precision": [1, 1, 1, 2, 1, 1],
    # the reversed ranking has area 1 on exchanged axes
    "tutorial-roc-axes": [0, 1, 1, 0],
    "tutorial-worst-corner": [0, 1, 0, 1],
}
CONDITIONS = {
    "tutorial-fn-and-tn-vanish-together": "predicted_negatives = 0 or min(fn, tn) > 0",
    "tutorial-ideal-corner": "0 < errors < n",
    "tutorial-macro-recall": "r1 + r2 = 0",
    "tutorial-micro-precision": "fn1 + fn2 = fp1 + fp2 or tp1 + tp2 = 0",
    "tutorial-roc-axes": "is_perfect = 0 and is_reversed = 0",
    "tutorial-worst-corner": "0 < errors < n",
}


@pytest.fixture(scope="module")
def records(records_of):
    return records_of("tutorial")


def test_verdicts(records):
    assert of_verdict(records, "contradicted") == set(CONTRADICTED)
    assert of_verdict(records, "caveat") == set()
    assert {records[name]["kind"] for name in of_verdict(records, "not_evaluated")} == {"opinion"}


def test_counterexamples(records):
    assert counterexamples(records) == CONTRADICTED


def test_where_what_fails_does_hold(records):
    assert conditions(records) == CONDITIONS


def test_both_sides_of_a_refuted_equation_are_kept(records):
    values = records["tutorial-micro-precision"]["trail"]["found"]["details"]["values"]
    assert values == {"left": "2/5", "right": "1/2"}


def test_each_slip_has_its_repaired_reading(records):
    repaired = {record["repairs"] for record in records.values()}
    slips = {
        "tutorial-macro-recall",
        "tutorial-micro-precision",
        "tutorial-roc-axes",
        "tutorial-fn-and-tn-vanish-together",
        "tutorial-ideal-corner",
        "tutorial-worst-corner",
    }
    assert slips <= repaired
