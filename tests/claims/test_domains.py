"""What claims are about: every small case once, in the order of size, and what is no case."""

import itertools
import math

import pytest
from claims.named import numbers, value_of

from nontrivial.claims.domains import Tables, WholeNumbers

RATES = {"precision": "tp/(tp + fp)", "recall": "tp/(tp + fn)", "harmonic": "2/(1/precision + 1/recall)"}


def listed(parts):
    return [part.case(place) for part in parts for place in range(part.count)]


def by_size(cases):
    return sorted(cases, key=lambda case: (sum(case), case))


@pytest.mark.parametrize(
    ("domain", "expected"),
    [
        (Tables(), (case for case in itertools.product(range(13), repeat=4) if sum(case) <= 12)),
        (numbers(x=(0, 2), y=(3, 4)), itertools.product(range(3), range(3, 5))),
        (WholeNumbers.positive(["x", "y"], {}), itertools.product(range(1, 7), repeat=2)),
        (WholeNumbers.positive(list("abcde"), {}), itertools.product(range(1, 4), repeat=5)),
    ],
    ids=["tables", "ranges", "two positive", "five positive"],
)
def test_every_small_case_is_there_once_in_the_order_of_size(domain, expected):
    assert listed(domain.small()) == by_size(expected)


def test_pairs_are_there_once_in_the_order_of_size():
    cases = [tuple(row) for part in Tables(pairs=True).small() for row in map(part.case, range(part.count))]
    assert len(set(cases)) == len(cases) == math.comb(16, 8)  # eight cells of up to 8 cases in all
    assert all(len(case) == 8 and min(case) >= 0 for case in cases)
    assert cases == by_size(cases)


def test_beyond_the_small_tables_come_the_next_larger():
    parts = Tables().larger()
    assert next(parts).case(0) == (0, 0, 0, 13)
    assert sum(part.count for part in Tables().larger()) == math.comb(40, 4) - math.comb(16, 4)  # up to 36
    assert listed(numbers(x=(0, 2)).larger()) == []


@pytest.mark.parametrize(
    ("domain", "name"),
    [
        (Tables(), "f1"),
        (Tables(pairs=True), "f1_2"),
        (numbers(RATES, tp=(0, 3), fp=(0, 3), fn=(0, 3)), "harmonic"),
    ],
)
def test_one_case_has_the_numbers_that_it_has_among_many(domain, name):
    part = next(itertools.islice((part for part in domain.small() if part.count > 3), 3, None), None)
    part = part or next(iter(domain.small()))
    for place, number in list(enumerate(part.cases.value(name).fractions()))[:40]:
        assert domain.one(part.case(place)).value(name).fractions() == [number]


def test_a_pair_is_two_tables():
    pair = Tables(pairs=True).one((1, 2, 3, 4, 5, 1, 0, 2))
    assert pair.value("recall_1").fractions() == [value_of("recall", (1, 2, 3, 4))]
    assert pair.value("recall_2").fractions() == [value_of("recall", (5, 1, 0, 2))]
    assert pair.exchanged("swap").value("recall_2").fractions() == [value_of("specificity", (5, 1, 0, 2))]


@pytest.mark.parametrize(
    ("domain", "case", "fits"),
    [
        (Tables(), (1, 2, 3, 10**30), True),
        (Tables(), (1, 2, 3), False),
        (Tables(), (1, 2, 3, -1), False),
        (Tables(), (1, 2, 3, True), False),
        (Tables(), (1, 2, 3, 1.0), False),
        (Tables(pairs=True), (1,) * 8, True),
        (Tables(pairs=True), (1,) * 4, False),
        (numbers(x=(0, 2), y=(3, 4)), (2, 3), True),
        (numbers(x=(0, 2), y=(3, 4)), (3, 3), False),
        (numbers(x=(0, 2), y=(3, 4)), (2, 3, 4), False),
        (WholeNumbers.positive(["x"], {}), (10**9,), True),  # beyond those that are tried
        (WholeNumbers.positive(["x"], {}), (0,), False),
    ],
)
def test_what_is_a_case(domain, case, fits):
    assert (domain.one(case) is not None) == fits


@pytest.mark.parametrize(
    ("define", "ranges", "sentence"),
    [
        (RATES, {"tp": (0, 3), "fp": (0, 3)}, "'fn' is unknown; known: tp, fp, precision"),
        ({"a": "b + 1", "b": "2*a"}, {"x": (0, 3)}, "'a' is defined by itself"),
        ({"a": "a + x"}, {"x": (0, 3)}, "'a' is defined by itself"),
        ({"x": "1"}, {"x": (0, 3)}, "'x' is defined twice"),
        ({}, {"x": (0, 1000), "y": (0, 1000)}, "more than 1,000,000 combinations"),
    ],
)
def test_numbers_that_are_none_are_refused(define, ranges, sentence):
    with pytest.raises(ValueError, match=sentence):
        numbers(define, **ranges)


def test_names():
    assert {"fp", "f1", "matthews_corrcoef"} < set(Tables().names)
    assert set(Tables(pairs=True).names) == {f"{name}_{end}" for name in Tables().names for end in (1, 2)}
    assert numbers({"y": "2*x"}, x=(0, 3)).names == ["x", "y"]


def test_what_was_searched_is_plain_data():
    assert Tables().fields() == {"over": "tables", "cases": 12}
    assert Tables(pairs=True).fields() == {"over": "pairs of tables", "cases": 8}
    assert numbers(x=(2, 5)).fields() == {"over": "numbers", "ranges": {"x": [2, 5]}, "open": False}
