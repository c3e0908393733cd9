"""The tables that printed scores can belong to, against all tables tried one by one with exact fractions."""

from decimal import ROUND_DOWN, Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.exact_tables import all_tables, measures, rounded, searched

from nontrivial.measures import confusion_measures, published_scores_possible, published_tables
from nontrivial.measures.catalogue import CATALOGUE
from nontrivial.measures.published.numbers import ImpossibleNumber
from nontrivial.measures.published.tables import LAMBDA, SCORE_BOUNDS, find_tables, parse_scores

POSITIVES, N = 5, 12
TABLES = all_tables(POSITIVES, N)
MEASURES = sorted(SCORE_BOUNDS.keys() - {"roc_auc"})


def listed_tables(scores, positives=POSITIVES, n=N):
    table = published_tables(scores, positives=positives, n=n)
    return list(zip(table["tp"], table["tn"], strict=True))


def holds(tables, tp, tn):
    hits = np.array([[tp], [tn]])
    return ((tables.first <= hits) & (hits <= tables.last)).all(axis=0).any()


def test_every_measure_of_a_table_is_known_with_its_range():
    assert set(MEASURES) == {name for name, measure in CATALOGUE.items() if measure.is_monotone} | {LAMBDA}
    for name in MEASURES:
        values = [float(table[name]) for table in TABLES.values() if table[name] is not None]
        assert SCORE_BOUNDS[name][0] <= min(values) <= max(values) <= SCORE_BOUNDS[name][1]


@pytest.mark.parametrize("name", MEASURES)
def test_single_scores_agree_with_all_tables(name):
    sizes = set()
    least, greatest = (float(max(-1.2, min(end, 2.2))) for end in SCORE_BOUNDS[name])
    for digits, stride in ((1, 1), (3, 37)):
        for step in range(round(least * 10**digits), round(greatest * 10**digits) + 1, stride):
            printed = f"{step / 10**digits:.{digits}f}"
            expected = searched(TABLES, {name: printed})
            assert listed_tables({name: printed}) == expected, printed
            sizes.add(len(expected))
    assert len(sizes) > 1


cells = st.integers(0, 1000)
names = st.sets(st.sampled_from(MEASURES), min_size=1, max_size=4)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(cells, cells, cells, cells, names, st.integers(1, 9))
def test_a_table_fits_its_own_scores(tp, fp, fn, tn, names, digits):
    tp, fp = tp + 1, fp + 1  # both classes are there
    values = measures(tp, fp, fn, tn)
    finite = [name for name in sorted(names) if values[name] is not None and abs(float(values[name])) < 1e8]
    scores = {name: rounded(values[name], digits) for name in finite}
    assert not scores or holds(find_tables(parse_scores(scores), tp + fn, fp + tn), tp, tn)


def test_limits_bound_one_side_and_belong_to_it():
    for sign in (">", ">="):
        expected = [hits for hits, m in TABLES.items() if m["error_rate"] >= 0.5]
        assert listed_tables({"error_rate": f"{sign}0.5"}) == expected
    for sign in ("<", "<="):
        assert listed_tables({"recall": f"{sign}0.4"}) == [hits for hits, m in TABLES.items() if m["recall"] <= 0.4]


@pytest.mark.parametrize(("name", "printed"), [("accuracy", "1.03"), ("recall", "104%"), ("kappa", "-1.1")])
def test_a_number_that_its_score_never_has_is_impossible(name, printed):
    with pytest.raises(ImpossibleNumber, match=printed) as raised:
        listed_tables({name: printed})
    assert ("%" in str(raised.value)) == (name in ("accuracy", "recall"))


@pytest.mark.parametrize("name", ["recall", "cohen_kappa", "matthews_corrcoef", "f_beta"])
def test_the_numbers_cut_off_are_those_whose_first_digits_are_printed(name):
    for value in (values[name] for values in TABLES.values() if values[name]):
        printed = Decimal(float(value)).quantize(Decimal("0.01"), ROUND_DOWN)
        if abs(float(value) - round(float(value), 2)) < 1e-9:  # floats may lie on either side
            printed = Decimal(f"{float(value):.2f}")
        interval = parse_scores({name: f"{printed}"})[name].as_cut_off()
        assert value >= Fraction(interval.low)
        assert value <= Fraction(interval.high)
        beyond = Fraction(printed) + (Fraction(1, 100) if float(value) > 0 else Fraction(-1, 100))
        assert not interval.low <= beyond <= interval.high


def test_ties_round_either_way():
    assert (
        listed_tables({"recall": "0.2"}, 4, 9) == listed_tables({"recall": "0.3"}, 4, 9) == [(1, tn) for tn in range(6)]
    )
    # sqrt((2/4) (2/4)) = 0.5 is a tie of 0 and 1, by a comparison of squares
    for printed in ("0", "1"):
        assert (2, 3) in listed_tables({"fowlkes_mallows": printed}, 4, 9)


def test_a_score_that_is_0_by_0_may_have_been_printed_as_0_or_1():
    silent = 0, N - POSITIVES
    assert all(silent in listed_tables({"precision": printed}) for printed in ("1.0", "0.0", ">1", "<0"))
    assert silent not in listed_tables({"precision": "0.99"})
    assert {silent, (POSITIVES, 0)} <= set(listed_tables({"matthews_corrcoef": "0.00"}))


def test_areas_bound_the_tables_of_their_thresholds():
    """Cases in all orders, two of three tied, cut wherever they can be, have all of these tables and no other."""
    positives, n = 2, 4
    tables = {}
    for scores in product(range(n), repeat=n):
        wins = [(s > t) + (s == t) / 2 for s in scores[:positives] for t in scores[positives:]]
        area = sum(wins) / len(wins)
        for cut in range(n + 1):
            tp = sum(s >= cut for s in scores[:positives])
            tn = sum(s < cut for s in scores[positives:])
            tables.setdefault(area, set()).add((tp, tn))
    assert len(tables) == 9
    for area, expected in tables.items():
        assert listed_tables({"roc_auc": f"{area:.3f}"}, positives, n) == sorted(expected)
    assert listed_tables({"roc_auc": "0.55"}, positives, n) == []  # no multiple of 1/8


def test_large_tables_take_no_time_and_stay_exact():
    tp, fn, fp, tn = 250_001, 49_999, 70_003, 629_997
    row = confusion_measures(tp, fp, fn, tn).iloc[0]
    scores = {name: f"{row[name]:.7f}" for name in ("matthews_corrcoef", "cohen_kappa", "f_beta", "accuracy")}
    table = published_tables(scores, positives=300_000, n=10**6)
    assert [tp, fp, fn, tn] in table[["tp", "fp", "fn", "tn"]].to_numpy().tolist()
    assert len(table) < 30
    advantages = confusion_measures(table["tp"], table["fp"], table["fn"], table["tn"])["prediction_advantage"]
    assert table["prediction_advantage"].tolist() == pytest.approx(advantages.tolist())
    # one hit more or fewer is beyond what floats tell here, and not beyond whole numbers
    huge = {"positives": 4 * 10**8, "n": 10**9}
    half = {"recall": "0.500000000000", "specificity": "0.500000000000"}
    assert published_tables(half, **huge)[["tp", "tn"]].to_numpy().tolist() == [[2 * 10**8, 3 * 10**8]]
    assert published_scores_possible(half | {"accuracy": "0.50000000000000000000"}, **huge)
    assert not published_scores_possible(half | {"accuracy": "0.50000000000000000001"}, **huge)


def test_too_many_tables_are_refused():
    with pytest.raises(ValueError, match="5,000,000 are listed"):
        published_tables({"accuracy": "0.9"}, positives=30_000, n=100_000)
    with pytest.raises(ValueError, match="1,000,000 are tried"):
        published_tables({"recall": "0.9"}, positives=10**8, n=10**9)
