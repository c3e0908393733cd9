"""Exact arithmetic in arrays, against fractions."""

import operator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.claims.language import COMPARISONS, Value, times

small = st.integers(-4, 4)
large = st.integers(-(2**62), 2**62)
pairs = st.lists(st.tuples(small | large, st.integers(0, 3) | large.map(abs)), min_size=1, max_size=4)


def as_value(rows):
    return Value(np.array([a for a, _ in rows]), np.array([b for _, b in rows]))


def as_fractions(rows):
    return [Fraction(a, b) if b else None for a, b in rows]


def exactly(function, one, other):
    if one is None or other is None or (function is operator.truediv and other == 0):
        return None
    return function(one, other)


def least(one, other):
    return one.choose("<=", other)


def greatest(one, other):
    return one.choose(">=", other)


def compare(symbol, one, other):
    truth = Value.compare([symbol], [one, other])
    assert not (truth.true & truth.false).any()
    assert (truth.defined == one.defined & other.defined).all()
    return truth.true


OPERATIONS = [
    *((sign, sign) for sign in (operator.add, operator.sub, operator.mul, operator.truediv)),
    (least, min),
    (greatest, max),
]


@pytest.mark.parametrize(("ours", "theirs"), OPERATIONS, ids=lambda function: function.__name__)
@settings(derandomize=True, deadline=None, max_examples=25)
@given(one=pairs, other=pairs)
def test_operations_are_those_of_fractions(ours, theirs, one, other):
    one, other = (rows[: min(len(one), len(other))] for rows in (one, other))
    found = ours(as_value(one), as_value(other))
    assert found.fractions() == [
        exactly(theirs, *both) for both in zip(as_fractions(one), as_fractions(other), strict=True)
    ]
    assert (np.broadcast_to(found.denominator, len(one))[found.defined] > 0).all()


@settings(derandomize=True, deadline=None, max_examples=25)
@given(one=pairs, other=pairs)
def test_comparisons_are_those_of_fractions(one, other):
    one, other = (rows[: min(len(one), len(other))] for rows in (one, other))
    for symbol, holds in COMPARISONS.items():
        found = compare(symbol, as_value(one), as_value(other))
        for mine, a, b in zip(found, as_fractions(one), as_fractions(other), strict=True):
            if None not in (a, b):
                assert mine == holds(a, b), symbol


@settings(derandomize=True, deadline=None, max_examples=25)
@given(a=st.fractions(-3, 3, max_denominator=4), b=st.fractions(-3, 3, max_denominator=4))
def test_a_root_compares_as_the_number_that_it_is_of(a, b):
    """Of a signed square x |x| the root is x, against any number, and against another root."""
    root, other = (Value(x.numerator * abs(x.numerator), x.denominator**2, is_root=True) for x in (a, b))
    plain = Value(b.numerator, b.denominator)
    for symbol, holds in COMPARISONS.items():
        assert compare(symbol, root, plain) == holds(a, b)
        assert compare(symbol, plain, root) == holds(b, a)
        assert compare(symbol, root, other) == holds(a, b)


def test_what_has_no_value_gives_none_to_what_is_made_from_it():
    nothing, two = Value(1, 0), Value(2)
    for made in (two / nothing, nothing / two, nothing * Value(0), two - nothing, two / Value(0)):
        assert made.fractions() == [None]
    assert (two / nothing / two + two).fractions() == [None]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (np.array([2**31, 3]), np.array([2**31, 5])),
        (np.array([-(2**62)]), np.array([-4])),
        (np.int64(2**40), 2**40),
        (np.array([2**62]), 2),
        (2**70, np.array([0, 1])),
        (np.array([0]), 2**70),
        (np.array([], dtype=np.int64), 2**70),
        (np.array([2**70], dtype=object), np.array([2**62])),
        (2**40, 2**40),
    ],
)
def test_products_beyond_64_bits_are_exact(one, other):
    rows = np.broadcast(np.asarray(one, dtype=object), np.asarray(other, dtype=object))
    found = np.asarray(times(one, other), dtype=object)
    assert np.ravel(found).tolist() == [int(a) * int(b) for a, b in rows]


def test_products_stay_in_64_bits_where_these_suffice():
    assert times(np.array([2**30]), np.array([2**31])).dtype == np.int64
    assert times(np.array([2**31]), np.array([2**31])).dtype == object


@pytest.mark.parametrize("huge", [2**63, -(2**70)])
def test_a_huge_number_joins_an_array(huge):
    array = Value(np.array([1, -2]))
    assert (array + Value(huge)).fractions() == [1 + huge, huge - 2]
    assert (Value(huge) - array).fractions() == [huge - 1, huge + 2]
    assert (array / Value(huge)).fractions() == [Fraction(1, huge), Fraction(-2, huge)]
    assert compare("<", array, Value(huge)).tolist() == [huge > 0] * 2
