"""Verdicts on published scores, against exact tests of every table and every spread of the errors."""

from fractions import Fraction
from itertools import product
from math import factorial, prod

import numpy as np
import pandas as pd
import pytest
from measures.published.sign_tests import p_values

from nontrivial.measures import published_verdict, triviality_test
from nontrivial.measures.published.verdict import evidence_of_errors
from nontrivial.measures.sign_verdict import LEVEL, cases_for_better


def test_it_speaks_with_the_voice_of_the_test_from_predictions():
    truth = np.repeat([1, 0], [10, 90])
    predicted = truth.copy()
    predicted[[0, 1, 2, 3, 20, 21, 22, 23, 24]] ^= 1
    record = published_verdict({"accuracy": "0.910"}, positives=10, n=100)
    assert record.p_better == pytest.approx((0.5, 0.5))
    assert triviality_test(truth, predicted).pvalue == pytest.approx(0.5)
    exact = {"recall": "0.6000", "specificity": "0.9444"}
    of_table = published_verdict(exact, positives=10, n=100)
    assert of_table.tables == 1
    assert of_table.p_better[0] == pytest.approx(triviality_test(truth, predicted).pvalue)


@pytest.mark.parametrize(
    ("scores", "verdict"),
    [
        ({"error_rate": "0.15"}, "better"),
        ({"error_rate": "0.20"}, "not shown"),  # 61 errors that are all of one class leave 142 to 81
        ({"error_rate": "0.50"}, "worse"),
        ({"error_rate": "0.27"}, "not shown"),
        ({"error_rate": "0.273"}, None),
        ({"recall": "0.75", "specificity": "0.92"}, "better"),
        ({"error_rate": ">0.3"}, "not shown"),
    ],
)
def test_the_verdicts_on_haberman(scores, verdict):
    design = {"positives": 81, "n": 306}
    assert published_verdict(scores, **design).verdict == verdict


@pytest.mark.parametrize(
    "p", [(0.3, 0.2, 0.2, 0.3), (0.2, 0.1, 0.1, 0.6), (0.1, 0.1, 0.1, 0.7), (0.5, 0.3, 0.1, 0.1)]
)
def test_worse_is_said_of_what_is_not_in_at_most_one_case_of_forty(p):
    """All samples of 14 cases, from cells where the risk is at most that of both constants."""
    assert p[1] + p[2] <= min(p[0] + p[2], p[1] + p[3]) + 1e-12
    chance, n = 0.0, 14
    for tp, fp, fn in product(range(n + 1), repeat=3):
        tn = n - tp - fp - fn
        if tn >= 0 and p_values((tp + fn, fp + tn), (fn, fp))[1] <= LEVEL:
            ways = factorial(n) // prod(map(factorial, (tp, fp, fn, tn)))
            chance += ways * prod(each**k for each, k in zip(p, (tp, fp, fn, tn), strict=True))
    assert chance <= LEVEL


@pytest.mark.parametrize(
    ("scores", "design", "side"),
    [
        ({"accuracy": "0.910"}, {"positives": 10, "n": 100}, "p_better"),
        ({"accuracy": "0.55"}, {"classes": (50, 30, 20)}, "p_better"),
        ({"error_rate": "0.120"}, {"positives": 10, "n": 100}, "p_worse"),
    ],
)
def test_the_cases_needed_would_show_it(scores, design, side):
    record = published_verdict(scores, **design)
    counts = np.array(design.get("classes", (10, 90)))
    assert record.verdict == "not shown"
    for growth, shown in ((1.1, True), (0.8, False)):
        cases = record.cases_needed * growth
        grown = np.round(counts * cases / counts.sum()).astype(int).tolist()
        rates = tuple(Fraction(round(errors * cases / counts.sum()), sum(grown)) for errors in record.errors)
        p_value = getattr(evidence_of_errors({"error_rate": rates}, grown), side)[1]
        assert (p_value <= LEVEL) == shown


def test_the_cases_needed_are_those_of_the_rates_that_are_printed():
    record = published_verdict({"recall": "0.600", "specificity": "0.9444"}, positives=10, n=100)
    for growth, shown in ((1.1, True), (0.8, False)):
        more = record.cases_needed * growth / 100
        counts, wrong = [round(10 * more), round(90 * more)], [round(4 * more), round(5 * more)]
        assert (p_values(counts, wrong)[0] <= LEVEL) == shown


def test_no_number_of_cases_tells_where_tables_disagree_or_are_trivial():
    assert published_verdict({"error_rate": "0.3"}, positives=81, n=306).cases_needed is None
    assert published_verdict({"error_rate": "0.2647"}, positives=81, n=306).cases_needed is None
    assert cases_for_better(10, [(3, 3), (5, 1)]) is cases_for_better(10, [(0, 3), (5, 1)]) is None


def test_means_over_folds_are_tested_by_the_tables_of_all_folds():
    design = {"positives": 7, "n": 17, "folds": 3}
    folds = [(3, 3), (2, 4), (2, 3)]  # positives and negatives, as scikit-learn's stratified folds may be
    printed = {"recall": "0.7", "specificity": "0.9"}
    half, totals = Fraction(1, 20), set()
    for hits in product(*(product(range(p + 1), range(n + 1)) for p, n in folds)):
        recall = sum(Fraction(tp, p) for (tp, _), (p, _) in zip(hits, folds, strict=True)) / 3
        specificity = sum(Fraction(tn, n) for (_, tn), (_, n) in zip(hits, folds, strict=True)) / 3
        if abs(recall - Fraction("0.7")) <= half and abs(specificity - Fraction("0.9")) <= half:
            totals.add((sum(tp for tp, _ in hits), sum(tn for _, tn in hits)))
    record = published_verdict(printed, **design)
    errors = {17 - tp - tn for tp, tn in totals}
    assert record.errors[0] <= min(errors)
    assert record.errors[1] >= max(errors)
    assert record.tables < 3 * len(totals)
    assert published_verdict({"recall": "0.99"}, **design).verdict is None


def test_counts_of_any_size_are_taken():
    assert published_verdict({"recall": "0.5"}, positives=10**6, n=10**14).tables == 100_001 * (
        10**14 - 10**6 + 1
    )
    record = published_verdict({"error_rate": "0.1"}, positives=3 * 10**14, n=10**15)
    assert record.verdict == "better"
    assert record.errors == (5 * 10**13, 15 * 10**13)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "either positives and n, or classes"),
        ({"positives": 3}, "either positives and n, or classes"),
        ({"positives": 3, "n": 9, "classes": [3, 6]}, "either positives and n, or classes"),
        ({"positives": 0, "classes": [3, 6]}, "either positives and n, or classes"),
        ({"classes": [9]}, "from 2 to"),
        ({"classes": [9, 0]}, "at least two classes"),
        ({"classes": [9, 0, 0]}, "at least two classes"),
        ({"classes": [9, 3, -1]}, "whole numbers from 0"),
        ({"classes": [9, 2.5]}, "whole numbers from 0"),
        ({"classes": [1, 2, 3], "folds": 2}, "means over folds are only for two"),
        ({"classes": [1, 2, 3], "scores": {"recall": "0.3"}}, "error_rate"),
        ({"positives": 3, "n": 9, "folds": 5}, "case of each class"),
        ({"positives": 3, "n": 9, "scores": {"lift": "0.5"}, "folds": 2}, "is not bounded"),
        ({"positives": 3, "n": 9, "scores": {}}, "empty"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_verdict(**{"scores": {"error_rate": "0.3"}} | arguments)


@pytest.mark.parametrize(
    "cases",
    [
        {"positives": 5, "n": 20, "folds": "5"},
        {"positives": 5, "n": 20, "folds": 2.5},
        {"positives": 5, "n": 20, "folds": True},
        {"classes": 5},
        {"classes": np.array(3)},
        {"classes": b"23"},
        {"classes": [[50], [30, 20]]},
    ],
)
def test_folds_and_classes_are_of_their_kind(cases):
    with pytest.raises(ValueError, match=r"(folds|classes) (is|has) "):
        published_verdict({"accuracy": "0.9"}, **cases)


@pytest.mark.parametrize("kind", [tuple, np.array, pd.Series])
def test_classes_may_be_any_sequence(kind):
    assert published_verdict({"accuracy": "0.82"}, classes=kind([50, 30, 20])).verdict == "better"


@pytest.mark.parametrize(
    ("scores", "design", "exact"),
    [
        ({"cohen_kappa": "0.5"}, {"positives": 5, "n": 14}, True),
        ({"accuracy": "0.5"}, {"positives": 5, "n": 14}, True),
        ({"accuracy": "0.5"}, {"classes": [5, 4, 5]}, True),
        ({"cohen_kappa": "0.5"}, {"classes": [5, 4, 5]}, False),
        ({"accuracy": "0.5", "balanced_accuracy": "0.5"}, {"classes": [5, 4, 5]}, False),
        ({"accuracy": "0.42"}, {"positives": 4, "n": 13, "folds": 2}, False),
        ({"cohen_kappa": "0.5"}, {"positives": 5, "n": 14, "folds": 2}, False),
    ],
)
def test_numbers_of_tables_say_whether_they_are_bounds(scores, design, exact):
    assert published_verdict(scores, **design).exact == exact
