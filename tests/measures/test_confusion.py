"""Every column against exact rational arithmetic, over all tables with cells 0..5."""

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from measures.exact_tables import NAMES, Table, Undefined

from nontrivial.measures import confusion_measures

CELLS = np.array(list(itertools.product(range(6), repeat=4)))
NAN = float("nan")
INF = float("inf")


def exact(name, cells, beta=Fraction(1)):
    try:
        return float(getattr(Table(*cells, beta=beta), name)())
    except Undefined:
        return NAN


@pytest.fixture(scope="module")
def measured():
    return confusion_measures(*CELLS.T)


def test_the_columns_are_those_of_the_contract(measured):
    assert list(measured.columns) == NAMES
    assert len(measured) == len(CELLS)


@pytest.mark.parametrize("name", NAMES)
def test_column_is_exact_over_all_small_tables(measured, name):
    expected = [exact(name, cells) for cells in CELLS]
    np.testing.assert_allclose(measured[name], expected, rtol=4e-15, atol=0)


@pytest.mark.parametrize("beta", [Fraction(0), Fraction(1, 2), Fraction(2), Fraction(10)])
@pytest.mark.parametrize("name", ["f_beta", "f_beta_gain"])
def test_beta_is_exact_over_all_small_tables(name, beta):
    measured = confusion_measures(*CELLS.T, beta=float(beta))[name]
    expected = [exact(name, cells, beta) for cells in CELLS]
    np.testing.assert_allclose(measured, expected, rtol=1e-13, atol=1e-14)


def test_infinite_beta_is_recall():
    measured = confusion_measures(*CELLS.T, beta=INF)
    known = measured["recall"].notna()
    pd.testing.assert_series_equal(measured["f_beta"][known], measured["recall"][known], check_names=False)
    pd.testing.assert_series_equal(measured["f_beta_gain"], measured["recall_gain"], check_names=False)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64, np.float32, object])
def test_types_of_counts_do_not_matter(measured, dtype):
    pd.testing.assert_frame_equal(confusion_measures(*CELLS.T.astype(dtype)), measured)


LARGE = [
    (10**12, 10**12, 10**12, 10**12),
    (10**12, 10**12, 10**12 + 1, 10**12),
    (10**12, 1, 10**12 - 1, 10**12 + 1),
    (3, 10**12, 7, 10**12),
    (10**12, 0, 0, 10**12),
    (0, 10**12, 10**12, 0),
    (999_999_999_989, 999_999_999_961, 999_999_999_959, 999_999_999_937),
]


@pytest.mark.parametrize("name", NAMES)
def test_counts_of_a_million_millions_neither_overflow_nor_cancel(name):
    measured = confusion_measures(*np.array(LARGE).T)[name]
    expected = [exact(name, cells) for cells in LARGE]
    np.testing.assert_allclose(measured, expected, rtol=1e-14, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_products_that_differ_by_less_than_their_rounding(name):
    cells = (10**8 + 2, 10**8 + 1, 10**8 + 1, 10**8)
    assert confusion_measures(*cells)[name][0] == pytest.approx(float(exact(name, cells)), rel=1e-14, abs=0)


def test_scalars_give_one_row_and_stand_for_every_table():
    assert len(confusion_measures(1, 2, 3, 4)) == 1
    both = confusion_measures([1, 5], 2, 3, 4)
    pd.testing.assert_frame_equal(both.iloc[[0]], confusion_measures(1, 2, 3, 4))


def test_a_series_is_taken_by_position():
    tp = pd.Series([1, 5], index=[9, 3])
    fp = pd.Series([2, 6], index=[3, 9])
    pd.testing.assert_frame_equal(confusion_measures(tp, fp, 3, 4), confusion_measures([1, 5], [2, 6], 3, 4))


def test_no_tables_give_no_rows():
    assert confusion_measures([], [], [], []).shape == (0, len(NAMES))


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ((-1, 0, 0, 1), "tp has negative"),
        ((1, NAN, 0, 1), "fp has NaN"),
        ((1, 1, INF, 1), "fn has NaN or infinite"),
        ((1, 1, 1, "many"), "tn has type"),
        (([1, 2], [1, 2, 3], 1, 1), "lengths of the counts differ"),
        (([[1, 2]], 1, 1, 1), "2 dimensions"),
    ],
)
def test_bad_counts_are_one_sentence(cells, reason):
    with pytest.raises(ValueError, match=reason):
        confusion_measures(*cells)


@pytest.mark.parametrize("beta", [-1, NAN, "1"])
def test_bad_beta_is_one_sentence(beta):
    with pytest.raises(ValueError, match="beta"):
        confusion_measures(1, 1, 1, 1, beta=beta)
