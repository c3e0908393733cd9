"""Better than every constant guess or not."""

import numpy as np
import pytest

from nontrivial._draws import Cells, Units
from nontrivial.measures import published_verdict, triviality_test
from nontrivial.scorecard.estimates import RESAMPLES, judge_cells
from nontrivial.scorecard.evaluate import make_scorecard
from nontrivial.seeds import generator_for


def test_a_useless_classifier_is_not_better_than_trivial(predictions):
    # FP 30, TP 30: 50 errors, as many as always predicting the negative class makes.
    card = make_scorecard(predictions(tp=30, fn=20, fp=30, tn=120)[0])
    assert card.advantage[0] == 0
    assert card.judgement.verdict == "inconclusive"
    # TP 20, FP 19: better in the sample, but by chance.
    card = make_scorecard(predictions(tp=20, fn=30, fp=19, tn=131)[0])
    assert card.advantage[0] > 0
    assert card.judgement.verdict == "inconclusive"


@pytest.mark.parametrize("counts", [[90, 10], [50, 50], [40, 40, 40]])
def test_p_of_worse_is_that_of_one_constant_times_the_number_of_classes(counts):
    truth = np.repeat(np.arange(len(counts)), counts)
    _, found, _ = judge_cells(
        Cells.of_predictions(truth, truth - 1, len(counts), Units(len(truth), None, np.arange(len(truth))))
    )
    assert found.p_worse == len(counts) / (RESAMPLES + 1)
    assert found.verdict == "worse"


def test_guesses_among_ten_classes_are_seldom_called_worse():
    """Without the factor, 11 % were."""
    said = 0
    for seed in range(150):
        truth, guess = generator_for("ten classes", seed).integers(0, 10, (2, 300))
        said += (
            judge_cells(Cells.of_predictions(truth, guess, 10, Units(300, None, np.arange(300))))[1].verdict
            == "worse"
        )
    assert said <= 9


@pytest.mark.parametrize(
    ("table", "verdict"),
    [
        ({"tp": 35, "fn": 15, "fp": 10, "tn": 140}, "better"),
        ({"tp": 1, "fn": 49, "fp": 60, "tn": 90}, "worse"),
        ({"tp": 5, "fn": 5, "fp": 4, "tn": 86}, "inconclusive"),
    ],
)
def test_the_verdict_is_that_of_the_same_errors_in_print(predictions, table, verdict):
    card = make_scorecard(predictions(**table)[0])
    n, errors = sum(table.values()), table["fn"] + table["fp"]
    positives, hits = table["tp"] + table["fn"], table["tp"]
    printed = published_verdict(
        {"error_rate": f"{errors / n:.6f}", "recall": f"{hits / positives:.6f}"},
        positives=positives,
        n=n,
    )
    assert card.judgement.verdict == printed.verdict == verdict
    assert card.judgement.p_better == pytest.approx(printed.p_better[0])
    assert card.judgement.p_worse == pytest.approx(printed.p_worse[0])
    assert card.judgement.cases_needed == printed.cases_needed
    truth = np.repeat([1, 1, 0, 0], [table["tp"], table["fn"], table["fp"], table["tn"]])
    prediction = np.repeat([1, 0, 1, 0], [table["tp"], table["fn"], table["fp"], table["tn"]])
    assert card.judgement.p_better == pytest.approx(triviality_test(truth, prediction).pvalue)
