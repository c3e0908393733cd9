"""Verdicts on published scores, against exact tests of every table and every spread of the errors."""

import math
import warnings
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from measures.exact_tables import all_tables, measures, searched
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score

from nontrivial.measures import published_verdict, triviality_test
from nontrivial.measures.published.numbers import RoundingInterval
from nontrivial.measures.published.verdict import StatedCases, judge_scores
from nontrivial.measures.sign_verdict import SIGNIFICANCE_LEVEL, cases_for_better, decide_verdict

HABERMAN = {"positives": 81, "n": 306}


def tail(won, lost):
    """Return the probability of at least so many wins with fair coins."""
    n = won + lost
    return Fraction(sum(math.comb(n, k) for k in range(won, n + 1)), 2**n)


def p_values(counts, wrong):
    """Return the p-values of "no better" and "no worse" than the best constant guess."""
    right = [count - errors for count, errors in zip(counts, wrong, strict=True)]
    pairs = [(sum(right) - right[c], wrong[c]) for c in range(len(counts))]
    return (
        float(max(tail(won, lost) for won, lost in pairs)),
        float(min(1, len(counts) * min(tail(lost, won) for won, lost in pairs))),
    )


def p_ranges(counts, spreads):
    better, worse = zip(*(p_values(counts, wrong) for wrong in spreads), strict=True)
    return pytest.approx((min(better), max(better))), pytest.approx((min(worse), max(worse)))


def test_it_speaks_with_the_voice_of_the_test_from_predictions():
    truth = np.repeat([1, 0], [10, 90])
    predicted = truth.copy()
    predicted[[0, 1, 2, 3, 20, 21, 22, 23, 24]] ^= 1
    expected = triviality_test(truth, predicted).pvalue
    assert published_verdict({"accuracy": "0.910"}, positives=10, n=100).p_better == pytest.approx((0.5, 0.5))
    of_table = published_verdict({"recall": "0.6000", "specificity": "0.9444"}, positives=10, n=100)
    assert (of_table.tables, of_table.p_better[0]) == (1, pytest.approx(expected))


@pytest.mark.parametrize(
    ("scores", "design", "verdict", "exact"),
    [
        ({"error_rate": "0.15"}, HABERMAN, "better", True),
        ({"error_rate": "0.20"}, HABERMAN, "inconclusive", True),  # 61 errors of one class leave 142 to 81
        ({"error_rate": "0.50"}, HABERMAN, "worse", True),
        ({"error_rate": "0.273"}, HABERMAN, None, True),
        ({"recall": "0.75", "specificity": "0.92"}, HABERMAN, "better", True),
        ({"error_rate": ">0.3"}, HABERMAN, "inconclusive", True),
        ({"cohen_kappa": "0.5"}, {"classes": [5, 4, 5]}, "inconclusive", False),
        ({"accuracy": "0.5", "balanced_accuracy": "0.5"}, {"classes": [5, 4, 5]}, "inconclusive", False),
        ({"accuracy": "0.42"}, {"positives": 4, "n": 13, "folds": 2}, "inconclusive", False),
        ({"cohen_kappa": "0.5"}, {"positives": 5, "n": 14, "folds": 2, "stratified": True}, "inconclusive", False),
        ({"accuracy": "0.9"}, {"positives": 40, "n": 100, "folds": "any"}, "inconclusive", False),
        ({"accuracy": "87.5%"}, {"positives": 45, "n": 150, "folds": 10}, "better", False),
        ({"accuracy": "87.5%"}, {"positives": 45, "n": 150, "folds": 10, "stratified": True}, None, False),
        ({"balanced_accuracy": "0.33"}, {"classes": [50, 30, 20]}, "inconclusive", False),
        ({"accuracy": "0.82"}, {"classes": np.array([50, 30, 20])}, "better", True),
        ({"recall": "75%", "specificity": "92 ± 3 %"}, {"dataset": "haberman"}, "better", True),
    ],
)  # fmt: skip
def test_verdicts_and_whether_the_numbers_are_bounds(scores, design, verdict, exact):
    record = published_verdict(scores, **design)
    assert (record.verdict, record.exact) == (verdict, exact)


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
        rates = (Fraction(round(errors * cases / counts.sum()), sum(grown)) for errors in record.errors)
        ranges = {"error_rate": RoundingInterval(*rates, 0, "error")}
        p_value = getattr(judge_scores(ranges, StatedCases([grown])), side)[1]
        assert (p_value <= SIGNIFICANCE_LEVEL) == shown


def test_the_cases_needed_are_those_of_the_rates_of_the_table_that_shows_least():
    wide = {"accuracy": ">0.91", "recall": ">0.2"}
    tables = [(tp, tn) for tp in range(2, 11) for tn in range(91 - tp, 91)]
    needed = [cases_for_better(100, [(tn, 10 - tp), (tp, 90 - tn)]) for tp, tn in tables]
    assert published_verdict(wide, positives=10, n=100).cases_needed == max(needed) > min(needed)


def test_no_number_of_cases_decides_if_a_pair_is_tied_or_lost():
    assert cases_for_better(10, [(3, 3), (5, 1)]) is cases_for_better(10, [(0, 3), (5, 1)]) is None


def test_a_thousand_million_cases_are_taken():
    tables = published_verdict({"recall": "0.5"}, positives=10**6, n=10**9).tables
    assert tables == 100_001 * (10**9 - 10**6 + 1)
    record = published_verdict({"error_rate": "0.1"}, positives=3 * 10**8, n=10**9)
    assert (record.verdict, record.errors) == ("better", (5 * 10**7, 15 * 10**7))


@pytest.mark.parametrize("name", ["accuracy", "balanced_accuracy", "recall", "false_positive_rate"])
def test_tables_of_any_folds_are_among_those_of_their_means(name):
    """Folds of unequal sizes, as scikit-learn's stratified ones are; few other tables are left."""
    folds = [(3, 3), (2, 4), (2, 3)]  # positives and negatives
    tables = [list(product(range(p + 1), range(n + 1))) for p, n in folds]
    scores = [
        {(tp, tn): float(measures(tp, n - tn, p - tp, tn)[name]) for tp, tn in fold_tables}
        for fold_tables, (p, n) in zip(tables, folds, strict=True)
    ]
    sums = {}
    for hits in product(*tables):
        mean = sum(score[right] for score, right in zip(scores, hits, strict=True)) / 3
        sums.setdefault(round(float(mean), 9), set()).add(tuple(map(sum, zip(*hits, strict=True))))
    for mean in list(sums)[::7]:
        errors = {17 - tp - tn for tp, tn in sums[mean]}
        record = published_verdict({name: f"{mean:.4f}"}, positives=7, n=17, folds=3, stratified=True)
        assert record.errors[0] <= min(errors) <= max(errors) <= record.errors[1]
        near = set().union(*(tables for near_mean, tables in sums.items() if abs(near_mean - mean) < 1e-4))
        assert len(near) <= record.tables <= 3 * len(near)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({}, "either positives and n, or classes"),
        ({"positives": 3, "n": 9, "classes": [3, 6]}, "only one of classes and positives"),
        ({"n": 10, "classes": [3, 6]}, "n is 10, but classes gives 9 cases"),
        ({"classes": [9, 0]}, "at least two"),
        ({"classes": [1, 2, 3], "folds": 2}, "means over folds are only for two"),
        ({"classes": [1, 2, 3], "scores": {"f1": "0.9"}}, "3 classes, f1 .* cohen_kappa"),
        ({"positives": 3, "n": 9, "folds": 5}, "two cases"),
        ({"positives": 3, "n": 19, "folds": 5, "stratified": True}, "case of each class"),
        *(({"positives": 5, "n": 20, "folds": bad}, "folds is ") for bad in ("5", 2.5, True)),
        *(({"classes": bad}, "classes is ") for bad in (5, b"23", [[5], [3, 2]], [9, -1], [9, 2.5], [9, 10**16])),
        ({"positives": "30%"}, "positives is given without n"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_verdict(**{"scores": {"error_rate": "0.3"}} | arguments)


@pytest.mark.parametrize(("positives", "n"), [(1, 2), (6, 7), (8, 13), (3, 20)])
@pytest.mark.parametrize(
    "scores",
    [
        {"recall": "0.4"},
        {"f_beta": "0.5"},
        {"matthews_corrcoef": "0.3"},
        {"goodman_kruskal_lambda": "0.3"},
        {"prevalence_threshold": "0.00"},
        {"diagnostic_odds_ratio": "3.0"},
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
    errors = min(map(sum, wrong)), max(map(sum, wrong))
    assert record.errors == errors
    assert record.advantage == tuple(float(1 - Fraction(number, min(counts))) for number in reversed(errors))
    assert (record.p_better, record.p_worse) == p_ranges(counts, wrong)
    assert record.verdict == decide_verdict(record.p_better[1], record.p_worse[1])


@pytest.mark.parametrize("error", [f"0.{tenth}" for tenth in range(10)])
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
        assert published_verdict({"accuracy": f"{1 - float(error):.1f}"}, classes=classes) == record


@pytest.mark.parametrize("counts", [(4, 3, 2), (9, 5, 0, 2), (30, 3, 2), (8, 6, 2, 1)])
def test_errors_and_verdict_hold_for_every_table_whose_score_is_printed_so(counts):
    """Predictions of any label, also one outside the classes, with the scores that scikit-learn gives them."""
    generator = np.random.default_rng(0)
    truth = np.repeat(np.arange(len(counts)), counts)
    held = [count for count in counts if count]
    scorers = {"balanced_accuracy": balanced_accuracy_score, "cohen_kappa": cohen_kappa_score}
    for _ in range(50):
        wrong = generator.random(len(truth)) < generator.random()
        predicted = np.where(wrong, generator.choice([*np.unique(truth), len(counts)], len(truth)), truth)
        errors = [int((predicted != truth)[truth == label].sum()) for label in np.unique(truth)]
        for name, score in scorers.items():
            with warnings.catch_warnings(action="ignore"):  # of labels that no case has
                printed = f"{score(truth, predicted):.3f}"
            record = published_verdict({name: printed}, classes=counts)
            assert record.errors[0] <= sum(errors) <= record.errors[1]
            assert record.verdict in ("inconclusive", decide_verdict(*p_values(held, errors)))


@pytest.mark.parametrize(
    ("counts", "scores", "errors"),
    [
        ((4, 3, 2), {"balanced_accuracy": "0.5"}, (4, 5)),
        ((8, 1, 1), {"balanced_accuracy": "0.7"}, (1, 8)),
        ((4, 3, 2), {"cohen_kappa": "0.4"}, (3, 5)),
        ((1, 5, 0, 2), {"cohen_kappa": "0.2"}, (3, 6)),
        ((2, 2, 1, 1), {"cohen_kappa": "0.0"}, (4, 6)),
        ((8, 1, 1), {"cohen_kappa": "0.3"}, (2, 6)),
        ((50, 30, 20), {"cohen_kappa": "0.90", "accuracy": "0.94"}, (6, 6)),
        ((50, 30, 20), {"cohen_kappa": "0.90", "accuracy": "0.80"}, None),
    ],
)
def test_the_fewest_and_the_most_errors_are_those_of_all_tables(counts, scores, errors):
    """As trying all tables with one more label finds them."""
    assert published_verdict(scores, classes=counts).errors == errors


def test_what_a_label_of_no_case_can_make_possible():
    """If 9 cases of the class of 30 are predicted to be of no class of the list, kappa is 0.7305."""
    record = published_verdict({"cohen_kappa": "0.73"}, classes=[30, 10, 10])
    assert (record.errors, record.verdict) == ((7, 9), "inconclusive")
    assert record.p_better[1] == pytest.approx(0.0307, abs=1e-4)
    assert published_verdict({"cohen_kappa": "0.73"}, classes=[0, 30, 10, 10]) == record
    of_two = published_verdict({"cohen_kappa": "0.73"}, classes=[30, 20])
    assert of_two.errors is None  # each prediction is a label of the list
