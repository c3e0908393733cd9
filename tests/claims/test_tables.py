"""Measures of confusion tables as exact ratios, against their definitions and against the package's own decimals."""

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from claims.named import value_of
from claims.plain_tables import Root, measure

from nontrivial.claims.domains import CELLS, LARGEST, MEASURES, ROOTS, Table
from nontrivial.claims.language import COMPARISONS, Formula, NamedNumbers
from nontrivial.measures import confusion_measures

SMALL = list(itertools.product(range(4), repeat=4))
RATIOS = {"positive_likelihood_ratio", "negative_likelihood_ratio", "diagnostic_odds_ratio"}
CAN_BE_INFINITE = {"precision_gain", "recall_gain", "f_beta_gain", *RATIOS}


@pytest.mark.parametrize("name", [*CELLS, *MEASURES])
def test_each_measure_is_its_definition_in_every_small_table(name):
    """By definitions of the tests' own."""
    for table in SMALL:
        expected = measure(name, table)
        # P4 is 0/0 without errors, too, if there is one class only.
        if name != "p4" or table[0] + table[2] > 0 or table[1] * table[3] > 0:
            assert value_of(name, table) == (expected.square if isinstance(expected, Root) else expected), (
                table
            )


def test_the_exact_measures_agree_with_the_packages_own():
    fp, tp, fn, tn = zip(*SMALL, strict=True)
    columns = confusion_measures(tp=tp, fp=fp, fn=fn, tn=tn)
    renamed = {"f1": "f_beta", "f1_gain": "f_beta_gain"}
    for name in MEASURES:
        column = renamed.get(name, name)
        if column not in columns:
            continue
        for table, value in zip(SMALL, columns[column], strict=True):
            exact = value_of(name, table)
            if exact is not None:
                decimal = float(exact) if name not in ROOTS else np.sign(exact) * float(abs(exact)) ** 0.5
                assert value == pytest.approx(decimal, rel=1e-12, abs=1e-15), (name, table)
            else:
                assert pd.isna(value) or (name in CAN_BE_INFINITE and np.isinf(value)), (name, table)


@pytest.mark.parametrize("symbol", list(COMPARISONS))
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("matthews_corrcoef", "f1"),
        ("informedness", "matthews_corrcoef"),
        ("fowlkes_mallows", "f1"),
        ("matthews_corrcoef", "fowlkes_mallows"),
    ],
)
def test_square_roots_compare_as_their_decimals_do(one, symbol, other):
    fp, tp, fn, tn = (np.array(column) for column in zip(*SMALL, strict=True))
    columns = confusion_measures(tp=tp, fp=fp, fn=fn, tn=tn).rename(columns={"f_beta": "f1"})
    # In tables this small what differs does so by more than rounding.
    left, right = (columns[name].to_numpy().round(9) for name in (one, other))
    found = Formula.condition(f"{one} {symbol} {other}").truth(Table(fp, tp, fn, tn))
    meant = ~np.isnan(left) & ~np.isnan(right)
    assert (found.defined == meant).all()
    assert (found.true[meant] == COMPARISONS[symbol](left, right)[meant]).all()


def test_exchanged():
    table = Table(1, 2, 3, 4)
    assert table.exchanged("swap").cells == (3, 4, 1, 2)
    assert table.exchanged("transpose").cells == (3, 2, 1, 4)


def test_cells_may_be_fractions():
    assert value_of("precision", (Fraction(1, 2), Fraction(1, 3), 0, 1)) == Fraction(2, 5)


def test_an_unknown_measure_is_named():
    with pytest.raises(ValueError, match="'kapa' is unknown; known: fp, tp, fn, tn, positives"):
        Table(1, 1, 1, 1).value("kapa")


def test_the_largest_tables_searched_are_exact():
    cuts = range(0, LARGEST[False] + 1, 4)
    cells = np.array([cells for cells in itertools.product(cuts, repeat=4) if sum(cells) == LARGEST[False]])
    some, exact = Table(*cells.T), Table(*cells.astype(object).T)
    for name in MEASURES:
        assert some.value(name).fractions() == exact.value(name).fractions()


def test_f_has_any_beta():
    """From precision 2/3 and recall 2/5: F2 weighs recall by 4, and its gain is on the harmonic scale."""
    table = Table(1, 2, 3, 4)
    [f2] = Formula.number("f_beta(2)").value(table).fractions()
    assert f2 == 5 / (1 / Fraction(2, 3) + 4 / Fraction(2, 5)) == Fraction(10, 23)
    [gain] = Formula.number("f_beta_gain(2)").value(table).fractions()
    assert gain == (f2 - Fraction(1, 2)) / (Fraction(1, 2) * f2)
    assert Formula.number("f_beta(1)").value(table).fractions() == table.value("f1").fractions()
    with pytest.raises(ValueError, match="is for measures of a confusion table"):
        Formula.number("f_beta(2)").value(NamedNumbers({}, {}))
