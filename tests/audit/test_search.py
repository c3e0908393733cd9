"""The exact search, against fractions worked case by case."""

import itertools
import tracemalloc
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from nontrivial.audit.domains import Cells, Pairs, Problem
from nontrivial.audit.ratios import RATIOS, ROOTS, value_of
from nontrivial.audit.search import check, is_hit, number_kind, search
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.truth import truth
from nontrivial.measures import confusion_measures

MINORITY = (Order.parse("1 <= positives <= negatives"),)


def over(numerator, denominator):
    return Fraction(numerator, denominator) if denominator else None


def reference(fp, tp, fn, tn):
    """The measures, each by its own definition, None where it is 0/0."""
    n, p, q = fp + tp + fn + tn, tp + fn, fp + tn
    recall, specificity, precision, npv = over(tp, p), over(tn, q), over(tp, tp + fp), over(tn, tn + fn)
    rates = (recall, specificity, precision, npv)
    kappa = balanced = f1 = advantage = p4 = None
    if n:
        agree = Fraction(tp + tn, n)
        chance = Fraction(tp + fp, n) * Fraction(p, n) + Fraction(fn + tn, n) * Fraction(q, n)
        kappa = None if chance == 1 else 1 - (1 - agree) / (1 - chance)
    if p and q:
        balanced = (recall + specificity) / 2
        advantage = 1 - Fraction(fp + fn, n) / Fraction(min(p, q), n)
    if None not in (recall, precision):
        f1 = 2 / (1 / recall + 1 / precision) if recall and precision else Fraction(0)
    if None not in rates and tp + tn:  # without any success the ratio of counts is 0/0
        p4 = 4 / sum(1 / rate for rate in rates) if all(rates) else Fraction(0)
    return {
        "accuracy": over(tp + tn, n),
        "recall": recall,
        "specificity": specificity,
        "precision": precision,
        "negative_predictive_value": npv,
        "balanced_accuracy": balanced,
        "informedness": None if balanced is None else 2 * balanced - 1,
        "markedness": None if None in (precision, npv) else precision + npv - 1,
        "cohen_kappa": kappa,
        "prediction_advantage": advantage,
        "f1": f1,
        "p4": p4,
    }


CAN_BE_INFINITE = {
    *("precision_gain", "recall_gain", "f1_gain"),
    *("positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio"),
}
STATED_IN_FLOATS = [
    "matthews_corrcoef < f1",
    "matthews_corrcoef >= informedness",
    "fowlkes_mallows >= f1",
    "sometimes matthews_corrcoef > fowlkes_mallows",
    "-1 <= matthews_corrcoef <= 1",
    "matthews_corrcoef > 1/2 if fowlkes_mallows > 3/4",
]


ALL_SMALL = list(itertools.product(range(5), repeat=4))


@pytest.mark.parametrize("name", sorted(reference(1, 1, 1, 1)))
def test_each_measure_is_its_definition_in_every_small_table(name):
    for table in ALL_SMALL:
        expected = reference(*table)[name]
        # F1 and P4 have a value as ratios of counts (0) where one of the rates they average is 0/0.
        if expected is not None or name not in ("f1", "p4"):
            assert value_of(name, table) == expected, table


def test_the_exact_measures_agree_with_the_packages_own():
    fp, tp, fn, tn = zip(*ALL_SMALL, strict=True)
    columns = confusion_measures(tp=tp, fp=fp, fn=fn, tn=tn)
    renamed = {"f1": "f_beta", "f1_gain": "f_beta_gain"}
    for name in RATIOS:
        column = renamed.get(name, name)
        if column not in columns:
            continue
        for table, value in zip(ALL_SMALL, columns[column], strict=True):
            exact = value_of(name, table)
            if exact is not None:
                assert value == pytest.approx(float(exact), rel=1e-12, abs=1e-15), (name, table)
            else:
                assert pd.isna(value) or (name in CAN_BE_INFINITE and np.isinf(value)), (name, table)


@pytest.mark.parametrize("text", STATED_IN_FLOATS)
def test_measures_with_roots_compare_as_their_decimals_do(text):
    """Signed squares against the package's own floats; ties, which floats blur, are looked at apart."""
    statement = Statement.parse(text)
    fp, tp, fn, tn = (np.array(column) for column in zip(*ALL_SMALL, strict=True))
    columns = confusion_measures(tp=tp, fp=fp, fn=fn, tn=tn).rename(columns={"f_beta": "f1"})

    def decimals(order):
        terms = [
            columns[term].to_numpy() if isinstance(term, str) else np.full(len(ALL_SMALL), float(term))
            for term in order.terms
        ]
        holds, clear = np.ones(len(ALL_SMALL), dtype=bool), np.ones(len(ALL_SMALL), dtype=bool)
        for one, symbol, other in zip(terms, order.symbols, terms[1:], strict=False):
            tie = np.abs(one - other) < 1e-9
            clear &= ~np.isnan(one) & ~np.isnan(other)
            holds &= (one < other if "<" in symbol else one > other) & ~tie | (tie & ("=" in symbol))
        return holds, clear

    holds, clear = decimals(statement.order)
    for condition in statement.conditions:
        met, meant = decimals(condition)
        clear &= met & meant
    expected = {
        case for case, ok in zip(ALL_SMALL, clear & (holds == statement.sometimes), strict=True) if ok
    }
    found = {case for case in ALL_SMALL if is_hit(statement, (), Cells(4), case)}
    assert found == expected
    assert search(statement, (), Cells(4)).hits == len(expected)


@pytest.mark.parametrize(
    ("relation", "smallest", "hits"),
    [
        # The seven tables of cells 0 and 1 with 1 <= TP + FN <= FP + TN, worked by hand.
        ("f1 <= balanced_accuracy", (1, 1, 0, 0), 1),  # 2/3 > 1/2
        ("balanced_accuracy <= accuracy", (1, 1, 0, 1), 1),  # 3/4 > 2/3
        ("prediction_advantage <= cohen_kappa", None, 0),
        ("prediction_advantage <= cohen_kappa <= f1 <= balanced_accuracy <= accuracy", (1, 1, 0, 0), 2),
        ("prediction_advantage = cohen_kappa", (1, 0, 1, 1), 2),  # -1 < -1/2, and 0 < 2/5
    ],
)
def test_hand_worked_searches(relation, smallest, hits):
    found = search(Statement.parse(relation), MINORITY, Cells(1))
    assert (found.checked, found.undefined, found.hits, found.smallest) == (7, 0, hits, smallest)


def test_a_counterexample_is_stored_with_its_exact_values():
    found = search(Statement.parse("balanced_accuracy <= accuracy"), MINORITY, Cells(3))
    assert found.smallest == (1, 1, 0, 1)
    assert found.details["values"] == {"balanced_accuracy": "3/4", "accuracy": "2/3"}


STATEMENTS = [
    "f1 <= balanced_accuracy",
    "precision < recall",
    "prediction_advantage < 0 < cohen_kappa",
    "sometimes prediction_advantage < 0 < cohen_kappa",
    "precision >= prediction_advantage if errors > 0 and tp > 1/2",
    "balanced_accuracy <= accuracy iff recall <= specificity or positives = negatives",
    "p4 = f1 iff precision = 1",
    "recall < 1 if precision >= 1/2",
    "n < 0 if tp = 1 or tn = 3",  # the least table is not the first
]


@pytest.mark.parametrize("text", STATEMENTS)
@pytest.mark.parametrize("where", [(), MINORITY, (Order.parse("precision >= 1/3"),)])
def test_the_search_finds_what_going_through_every_table_finds(text, where):
    """One table at a time, in fractions, sorted by total and then by cells."""
    statement, cells = Statement.parse(text), 3

    def values(order, table):
        return [value_of(term, table) if isinstance(term, str) else term for term in order.terms]

    def meant(order, table):
        return None not in values(order, table)

    def holds(order, table):
        numbers = values(order, table)
        compare = {
            "<": Fraction.__lt__,
            "<=": Fraction.__le__,
            ">": Fraction.__gt__,
            ">=": Fraction.__ge__,
            "=": Fraction.__eq__,
        }
        return all(
            compare[symbol](x, y) for x, symbol, y in zip(numbers, order.symbols, numbers[1:], strict=False)
        )

    join = any if statement.junction == "or" else all
    checked, undefined, hits = 0, 0, []
    for table in itertools.product(range(cells + 1), repeat=4):
        if not all(meant(order, table) and holds(order, table) for order in where):
            continue
        conditions_meant = all(meant(order, table) for order in statement.conditions)
        condition = conditions_meant and join(holds(order, table) for order in statement.conditions)
        if statement.connective == "if" and not condition:
            continue
        if not meant(statement.order, table) or (statement.connective == "iff" and not conditions_meant):
            undefined += 1
            continue
        checked += 1
        true = holds(statement.order, table)
        if statement.connective == "iff":
            true = true == condition
        if true == statement.sometimes:
            hits.append(table)
    found = search(statement, where, Cells(cells))
    smallest = min(hits, key=lambda table: (sum(table), table), default=None)
    assert (found.checked, found.undefined, found.hits, found.smallest) == (
        checked,
        undefined,
        len(hits),
        smallest,
    )
    for table in itertools.product(range(cells + 1), repeat=4):
        assert is_hit(statement, where, Cells(cells), table) == (table in hits)


def test_ties_of_total_count_go_to_the_lexicographically_least():
    # Of the tables with three cases: (0, 0, 1, 2) comes before (0, 1, 0, 2), which fails too.
    found = search(
        Statement.parse("prediction_advantage < cohen_kappa if positives < negatives"), MINORITY, Cells(2)
    )
    assert found.smallest == (0, 0, 1, 2)


def test_a_case_outside_the_domain_settles_nothing():
    statement = Statement.parse("f1 <= balanced_accuracy")
    assert is_hit(statement, MINORITY, Cells(40), (1, 1, 0, 0))
    assert not is_hit(statement, MINORITY, Cells(40), (41, 41, 0, 0))
    assert not is_hit(statement, MINORITY, Cells(40), (0, 2, 0, 1))  # positives are the majority
    assert not is_hit(statement, MINORITY, Cells(40), (-1, 1, 0, 0))
    assert not is_hit(statement, MINORITY, Cells(40), (1, 1, 0))
    assert not is_hit(statement, MINORITY, Cells(40), (1, 1, 0, True))


def test_the_domain_is_said():
    found = search(Statement.parse("f1 <= accuracy if fp > 0 and fn > 0"), MINORITY, Cells(2))
    assert found.domain == (
        "every confusion table with cells FP, TP, FN, TN in 0..2"
        " where 1 <= positives <= negatives and fp > 0 and fn > 0"
    )


def test_unknown_measures_and_domains_that_are_too_large_are_named():
    with pytest.raises(ValueError, match="'kapa' is not a known measure of a confusion table; known: fp"):
        search(Statement.parse("kapa <= f1"), (), Cells(2))
    with pytest.raises(ValueError, match="'minority' is not a known measure"):
        search(Statement.parse("f1 <= 1"), (Order.parse("minority > 0"),), Cells(2))
    with pytest.raises(
        ValueError, match=r"the domain has 104,060,401 cases; at most 100,000,000 are allowed"
    ):
        check(Statement.parse("f1 <= 1"), (), Cells(100))
    with pytest.raises(ValueError, match="'f1' names neither table; names that end in _1 or _2 are allowed"):
        search(Statement.parse("f1 <= f1_2"), (), Pairs(1))


@pytest.mark.parametrize("size", [40, 10**4, 10**6, 10**9])
@pytest.mark.parametrize("name", [*RATIOS, *ROOTS])
def test_numbers_that_outgrow_64_bits_are_computed_without_overflow(name, size):
    """Cells at the ends of a huge range, by arrays of the kind chosen and in Python integers."""
    statement = Statement.parse(f"{name} <= balanced_accuracy")
    kind = number_kind(statement, (), Cells(size))
    ends = list(itertools.product((0, 1, size), repeat=4))
    arrays = [np.array(column, dtype=kind) for column in zip(*ends, strict=True)]
    many = truth(statement, (), Cells(size).cases(arrays))
    for place, cells in enumerate(ends):
        one = truth(statement, (), Cells(size).cases(cells))
        assert bool(np.broadcast_to(many[1], len(ends))[place]) == bool(one[1]), cells
        if one[1]:
            assert bool(np.broadcast_to(many[2], len(ends))[place]) == bool(one[2]), cells


def test_64_bits_serve_where_they_suffice():
    assert number_kind(Statement.parse("matthews_corrcoef <= fowlkes_mallows"), (), Cells(40)) is np.int64
    assert number_kind(Statement.parse("matthews_corrcoef <= fowlkes_mallows"), (), Cells(10**6)) is object


def test_one_problem():
    # Two positives, three negatives: recall beyond a half needs both, FP = 0 needs no condition.
    found = search(Statement.parse("precision >= 2/3 if recall = 1"), (), Problem(2, 3))
    assert (found.checked, found.hits, found.smallest) == (4, 2, (2, 2))
    assert found.domain == "every confusion table of 2 positives and 3 negatives where recall = 1"
    assert is_hit(Statement.parse("precision >= 2/3 if recall = 1"), (), Problem(2, 3), (3, 2))
    assert not is_hit(Statement.parse("precision >= 2/3 if recall = 1"), (), Problem(2, 3), (4, 2))


PAIR = (Order.parse("positives_1 = positives_2 >= 1"), Order.parse("negatives_1 = negatives_2 >= 1"))


def test_pairs_of_classifiers():
    by_accuracy = Statement.parse(
        "prediction_advantage_1 > prediction_advantage_2 iff error_rate_1 < error_rate_2"
    )
    assert search(by_accuracy, PAIR, Pairs(3)).hits == 0
    by_f1 = Statement.parse("f1_1 > f1_2 iff error_rate_1 < error_rate_2")
    found = search(by_f1, PAIR, Pairs(3))
    # One positive, one negative: all called negative, or both called wrong. F1 is 0, with one error or with two.
    assert found.smallest == (0, 0, 1, 1, 1, 0, 1, 0)
    for case in itertools.product(range(2), repeat=8):
        tables = case[:4], case[4:]
        p1, p2 = (table[1] + table[2] for table in tables)
        n1, n2 = (table[0] + table[3] for table in tables)
        f1 = [value_of("f1", table) for table in tables]
        fits = p1 == p2 >= 1 and n1 == n2 >= 1 and None not in f1
        errors = [table[0] + table[2] for table in tables]
        wrong = fits and (f1[0] > f1[1]) != (errors[0] < errors[1])
        assert is_hit(by_f1, PAIR, Pairs(3), case) == wrong, case


def test_the_full_domain_fits_into_little_memory():
    tracemalloc.start()
    found = search(
        Statement.parse("prediction_advantage <= cohen_kappa <= f1 <= balanced_accuracy <= accuracy"),
        MINORITY,
        Cells(40),
    )
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.smallest == (1, 1, 0, 0)
    assert peak < 100e6
    # All tables but those with no positives, by symmetry halved around TP + FN = FP + TN.
    ways = [min(total, 80 - total) + 1 for total in range(81)]
    assert found.checked == sum(ways[p] * ways[q] for p in range(1, 81) for q in range(p, 81))


@pytest.mark.parametrize(
    ("text", "vacuous"),
    [
        ("errors = 0 iff recall = 0 and false_positive_rate = 1", True),  # true of neither where it holds
        ("errors = 0 iff recall = 1 and false_positive_rate = 0", False),
        ("errors = 0 iff recall = 1", False),  # fails in places, and is both in others
        ("errors < 0 iff recall > 1", True),  # nothing is either
        ("errors < 0 iff recall >= 0", False),  # never holds
        ("errors = 0 if recall = 0 and false_positive_rate = 1", False),
    ],
)
def test_a_condition_that_holds_only_where_both_sides_are_false_is_called_vacuous(text, vacuous):
    both_classes = (Order.parse("positives >= 1"), Order.parse("negatives >= 1"))
    found = search(Statement.parse(text), both_classes, Cells(3))
    assert found.details.get("vacuous", False) == vacuous
