"""Verdicts on published scores, against exact tests of every table and every spread of the errors."""

import functools
import itertools
from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from measures.exact_tables import all_tables, searched
from measures.published.sign_tests import p_values

from nontrivial.measures import published_verdict, triviality_test
from nontrivial.measures.published.verdict import (
    _clearest,
    errors_between,
    evidence_of_errors,
)
from nontrivial.measures.sign_verdict import LEVEL, cases_for_better, verdict_of

ERRORS = [f"0.{tenth}" for tenth in range(10)]


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
        ({"error_rate": "0.20"}, "inconclusive"),  # 61 errors that are all of one class leave 142 to 81
        ({"error_rate": "0.50"}, "worse"),
        ({"error_rate": "0.27"}, "inconclusive"),
        ({"error_rate": "0.273"}, None),
        ({"recall": "0.75", "specificity": "0.92"}, "better"),
        ({"error_rate": ">0.3"}, "inconclusive"),
    ],
)
def test_the_verdicts_on_haberman(scores, verdict):
    design = {"positives": 81, "n": 306}
    assert published_verdict(scores, **design).verdict == verdict


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
    assert record.verdict == "inconclusive"
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


def test_many_wins_of_still_more_cases_are_less_clear_than_few_of_few():
    """(30 - 20) / sqrt(50) is less than (9 - 1) / sqrt(10)."""
    won, lost = np.array([[30, 9]]), np.array([[20, 1]])
    assert (_clearest(won, lost, np.argmin), _clearest(won, lost, np.argmax)) == ([(30, 20)], [(9, 1)])


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
        ({"classes": [9, 3, -1]}, "whole numbers from 0"),
        ({"classes": [9, 2.5]}, "whole numbers from 0"),
        ({"classes": [1, 2, 3], "folds": 2}, "means over folds are only for two"),
        ({"classes": [1, 2, 3], "scores": {"recall": "0.3"}}, "error_rate"),
        ({"positives": 3, "n": 9, "folds": 5}, "case of each class"),
        ({"positives": 5, "n": 20, "folds": "5"}, "folds is "),
        ({"positives": 5, "n": 20, "folds": 2.5}, "folds is "),
        ({"positives": 5, "n": 20, "folds": True}, "folds is "),
        ({"classes": 5}, "classes is "),
        ({"classes": np.array(3)}, "classes is "),
        ({"classes": b"23"}, "classes is "),
        ({"classes": [[50], [30, 20]]}, "classes (is|has) "),
        ({"positives": 3, "n": 9, "scores": {}}, "empty"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_verdict(**{"scores": {"error_rate": "0.3"}} | arguments)


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


def p_ranges(counts, spreads):
    better, worse = zip(*(p_values(counts, wrong) for wrong in spreads), strict=True)
    return pytest.approx((min(better), max(better))), pytest.approx((min(worse), max(worse)))


@pytest.mark.parametrize(("positives", "n"), [(1, 5), (8, 13), (3, 20)])
@pytest.mark.parametrize(
    "scores",
    [
        {"recall": "0.4"},
        {"specificity": "0.9"},
        {"f_beta": "0.5"},
        {"matthews_corrcoef": "0.3"},
        {"goodman_kruskal_lambda": "0.3"},
        {"accuracy": "0.8", "precision": "0.7"},
    ],
)
def test_every_table_that_fits_is_tested(scores, positives, n):
    counts = [positives, n - positives]
    tables = searched(all_tables(positives, n), scores)
    record = published_verdict(scores, positives=positives, n=n)
    assert record.tables == len(tables)
    if not tables:
        assert (record.errors, record.advantage, record.verdict) == (None, None, None)
        return
    wrong = [(positives - tp, n - positives - tn) for tp, tn in tables]
    errors = [sum(each) for each in wrong]
    assert record.errors == (min(errors), max(errors))
    assert record.advantage == tuple(
        float(1 - Fraction(each, min(counts))) for each in (max(errors), min(errors))
    )
    assert (record.p_better, record.p_worse) == p_ranges(counts, wrong)
    assert record.verdict == verdict_of(record.p_better[1], record.p_worse[1])


@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("classes", [(5, 7), (1, 4), (3, 2, 4), (6, 1, 1), (2, 2, 2, 2)])
def test_every_spread_of_the_errors_over_classes_is_tested(error, classes):
    n, half = sum(classes), Fraction(1, 20)
    spreads = [
        wrong
        for wrong in product(*(range(count + 1) for count in classes))
        if abs(Fraction(sum(wrong), n) - Fraction(error)) <= half
    ]
    record = published_verdict({"error_rate": error}, classes=classes)
    assert (record.verdict is None) == (not spreads)
    if spreads:
        assert record.errors == (min(map(sum, spreads)), max(map(sum, spreads)))
        assert (record.p_better, record.p_worse) == p_ranges(classes, spreads)
        assert record.tables == (len(spreads) if len(classes) == 2 else None)
        accuracy = {"accuracy": f"{1 - float(error):.1f}"}
        assert published_verdict(accuracy, classes=classes) == record


def rows_of(count, classes):
    """All ways to predict so many cases to be of the classes."""
    for cuts in itertools.combinations_with_replacement(range(count + 1), classes - 1):
        ends = (0, *cuts, count)
        yield [end - start for start, end in itertools.pairwise(ends)]


def tables_of(counts):
    """The errors of each class with cases and the scores, for all tables in which another label may be predicted."""
    rows, held, n = [], [count for count in counts if count], sum(counts)
    for place, count in enumerate(counts):
        if count:  # tables with the same errors and the same agreement by chance have the same scores
            sizes = [*counts, 0]
            rows.append(
                {
                    (count - row[place], sum(size * cases for size, cases in zip(sizes, row, strict=True)))
                    for row in rows_of(count, len(sizes))
                }
            )
    for table in set(itertools.product(*rows)):
        wrong, chance = zip(*table, strict=True)
        recalls = [1 - Fraction(errors, count) for errors, count in zip(wrong, held, strict=True)]
        yield (
            wrong,
            {
                "accuracy": 1 - Fraction(sum(wrong), n),
                "error_rate": Fraction(sum(wrong), n),
                "balanced_accuracy": sum(recalls) / len(held),
                "cohen_kappa": 1 - Fraction(n * sum(wrong), n * n - sum(chance)),
            },
        )


@pytest.mark.parametrize("counts", [(4, 3, 2), (1, 5, 0, 2), (3, 3, 2), (2, 1, 0), (2, 2, 1, 1)])
def test_the_fewest_and_the_most_errors_are_those_of_all_tables(counts):
    ends = {}  # the least and the greatest score by errors
    for wrong, scores in tables_of(counts):
        errors = sum(wrong)
        for name, value in scores.items():
            low, high = ends.setdefault(name, {}).get(errors, (value, value))
            ends[name][errors] = min(low, value), max(high, value)
    for name, by_errors in ends.items():
        for low in (Fraction(place, 12) for place in range(-6, 13)):
            for high in (low, low + Fraction(1, 7)):
                fewest = [errors for errors, (least, _) in by_errors.items() if least <= high]
                most = [errors for errors, (_, greatest) in by_errors.items() if greatest >= low]
                found = errors_between(name, low, high, counts)
                if name in ("accuracy", "error_rate"):
                    within = [errors for errors, (value, _) in by_errors.items() if low <= value <= high]
                    assert found == ((min(within), max(within)) if within else None), (name, low, high)
                elif fewest and most and min(fewest) <= max(most):
                    assert found == (min(fewest), max(most)), (name, low, high)
                else:
                    assert found is None, (name, low, high)


@pytest.mark.parametrize(("counts", "digits"), [((4, 3, 3), 2), ((5, 0, 2), 3)])
def test_no_table_with_a_printed_kappa_is_left_out(counts, digits):
    tested = functools.cache(functools.partial(p_values, list(filter(None, counts))))
    half, by_kappa = Fraction(1, 2 * 10**digits), {}
    for wrong, scores in tables_of(counts):
        by_kappa.setdefault(scores["cohen_kappa"], set()).add(wrong)
    for printed in {f"{float(kappa):.{digits}f}" for kappa in by_kappa}:
        fits = set().union(*(by_kappa[kappa] for kappa in by_kappa if abs(kappa - Fraction(printed)) <= half))
        record = published_verdict({"cohen_kappa": printed}, classes=counts)
        assert record.errors[0] <= min(map(sum, fits)) <= max(map(sum, fits)) <= record.errors[1]
        better, worse = map(max, zip(*map(tested, fits), strict=True))
        assert record.p_better[1] > better - 1e-12
        assert record.p_worse[1] > worse - 1e-12
        assert record.verdict in ("inconclusive", verdict_of(better, worse))


def test_what_a_label_of_no_case_can_make_possible():
    """If 9 cases of the class of 30 are predicted to be of no class of the list, kappa is 0.7305."""
    record = published_verdict({"cohen_kappa": "0.73"}, classes=[30, 10, 10])
    assert (record.errors, record.verdict) == ((7, 9), "inconclusive")
    assert record.p_better[1] == pytest.approx(0.0307, abs=1e-4)
    assert published_verdict({"cohen_kappa": "0.73"}, classes=[0, 30, 10, 10]) == record
    binary = published_verdict({"cohen_kappa": "0.73"}, classes=[30, 20])
    assert published_verdict({"cohen_kappa": "0.73"}, classes=[30, 20, 0]).errors == (7, 7)
    assert binary.errors is None  # either of the two classes is predicted


def test_scores_of_several_classes_are_judged_together():
    kappa = published_verdict({"cohen_kappa": "0.90"}, classes=[50, 30, 20])
    assert (kappa.verdict, kappa.tables) == ("better", None)
    both = published_verdict({"cohen_kappa": "0.90", "accuracy": "0.94"}, classes=[50, 30, 20])
    assert both.errors == (6, 6)
    assert kappa.errors[0] <= 6 <= kappa.errors[1]
    assert published_verdict({"cohen_kappa": "0.90", "accuracy": "0.80"}, classes=[50, 30, 20]).errors is None
    assert published_verdict({"balanced_accuracy": "0.33"}, classes=[50, 30, 20]).verdict == "inconclusive"
    with pytest.raises(ValueError, match=r"3 classes, f_beta .* cohen_kappa"):
        published_verdict({"f1": "0.9"}, classes=[50, 30, 20])
