"""The exact test of published scores, over every table that fits them."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from measures.exact_tables import all_tables, searched
from measures.published.sign_tests import p_values

from nontrivial.measures import published_verdict
from nontrivial.measures.published.tables import find_tables, ranges_of
from nontrivial.measures.published.verdict import _clearest, evidence_of_errors, evidence_of_tables
from nontrivial.measures.sign_verdict import LEVEL

ERRORS = [f"0.{tenth}" for tenth in range(10)]


def p_ranges(counts, spreads):
    better, worse = zip(*(p_values(counts, wrong) for wrong in spreads), strict=True)
    return pytest.approx((min(better), max(better))), pytest.approx((min(worse), max(worse)))


@pytest.mark.parametrize(("positives", "n"), [(1, 5), (5, 12), (8, 13), (3, 20)])
@pytest.mark.parametrize(
    "scores",
    [
        {"recall": "0.4"},
        {"specificity": "0.9"},
        {"f_beta": "0.5"},
        {"matthews_corrcoef": "0.3"},
        {"goodman_kruskal_lambda": "0.3"},
        {"prevalence_threshold": "0.3"},
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
    expected = (
        "better" if record.p_better[1] <= LEVEL else "worse" if record.p_worse[1] <= LEVEL else "not shown"
    )
    assert record.verdict == expected


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


@pytest.mark.parametrize("error", ERRORS)
def test_errors_alone_and_all_tables_say_the_same(error):
    ranges = ranges_of({"error_rate": error})
    by_errors = evidence_of_errors(ranges, [30, 41])
    by_tables = evidence_of_tables(find_tables(ranges, 30, 41))
    assert by_errors.tables == by_tables.tables
    assert by_errors.errors == by_tables.errors
    assert by_errors.p_better == pytest.approx(by_tables.p_better)
    assert by_errors.p_worse == pytest.approx(by_tables.p_worse)


def test_many_wins_of_still_more_cases_are_less_clear_than_few_of_few():
    """(30 - 20) / sqrt(50) is less than (9 - 1) / sqrt(10)."""
    won, lost = np.array([[30, 9]]), np.array([[20, 1]])
    assert _clearest(won, lost, np.argmin) == [(30, 20)]
    assert _clearest(won, lost, np.argmax) == [(9, 1)]
