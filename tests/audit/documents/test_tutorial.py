"""The claims of the tutorial: what each comes to, worked by hand."""

import pytest
from audit.expected import conditions, counterexamples, of_verdict

# Everything that is not plainly reproduced, with its counterexample and why it is one.
# Rankings are written as positives and negatives of each group, the best first; of a pair the one, then the other.
CONTRADICTED = {
    # everything pushed, half of it of interest
    "tutorial-all-content-is-imprecise": [1, 1, 0, 0],
    # a tie of a positive and a negative: a triangle, no rectangle
    "tutorial-auc-by-rectangles": [1, 1],
    # the only threshold has precision 1/2 and recall 1
    "tutorial-break-even-exists": [1, 1],
    # no error: nothing is missed
    "tutorial-certain-content-misses-some": [0, 1, 0, 1],
    # 2/3 in one step against (1/2 + 2/3)/2 in two
    "tutorial-covered-curve-less-average-precision": [0, 1, 2, 0, 0, 1, 1, 0, 1, 0],
    # precision 1 with an error in three cases
    "tutorial-error-and-precision": [0, 1, 1, 1],
    # no error: FN is 0, TN is not
    "tutorial-fn-and-tn-vanish-together": [0, 1, 0, 1],
    "tutorial-ideal-corner": [0, 1, 0, 1],
    # areas 2/3 and 0.797, break-even points 2/3 and 1/2
    "tutorial-larger-pr-area-better-break-even": [2, 1, 1, 0, 0, 1, 1, 0],
    # areas 1 - ln 2 and 1/3, best F1 2/3 and 1/2
    "tutorial-larger-pr-area-better-f1": [0, 1, 1, 0, 0, 1, 1, 2],
    # the area of the tie is 1/2, its cost that of the trivial predictions
    "tutorial-larger-roc-area-less-cost": [0, 1, 0, 1, 1, 0, 0, 1, 1, 3],
    "tutorial-macro-recall": [1, 1],  # 2 against 1
    # fn1, fn2, fp1, fp2, tp1, tp2: recall 2/(2 + 2) is not precision 2/(2 + 3)
    "tutorial-micro-precision": [1, 1, 1, 2, 1, 1],
    # precision rises from 0 to 1/2
    "tutorial-precision-against-recall": [0, 1, 1, 0],
    # precision 1, accuracy 1/2
    "tutorial-precision-named-accuracy": [0, 1, 1, 0],
    # the reversed ranking has area 1 on exchanged axes
    "tutorial-roc-axes": [0, 1, 1, 0],
    "tutorial-worst-corner": [0, 1, 0, 1],
}
CONDITIONS = {
    "tutorial-all-content-is-imprecise": "positives < negatives",
    "tutorial-auc-by-rectangles": "mixed_groups = 0",
    "tutorial-certain-content-misses-some": "errors > 0",
    "tutorial-error-and-precision": "predicted_negatives = 0 or precision = negative_predictive_value",
    "tutorial-precision-named-accuracy": "predicted_negatives = 0 or precision = negative_predictive_value",
    "tutorial-roc-axes": "is_perfect = 0 and is_reversed = 0",
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
        "tutorial-error-and-precision",
        "tutorial-precision-named-accuracy",
        "tutorial-macro-recall",
        "tutorial-micro-precision",
        "tutorial-roc-axes",
        "tutorial-fn-and-tn-vanish-together",
        "tutorial-ideal-corner",
        "tutorial-worst-corner",
        "tutorial-auc-by-rectangles",
    }
    assert slips <= repaired
