"""Measures of confusion tables as exact ratios, against their definitions and against the package's own decimals."""

import itertools
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from claims.named import value_of

from nontrivial.claims.domains import LARGEST
from nontrivial.claims.formulas import Formula
from nontrivial.claims.tables import MEASURES, ROOTS, Table
from nontrivial.claims.values import COMPARISONS
from nontrivial.measures import confusion_measures

SMALL = list(itertools.product(range(4), repeat=4))


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
}


@pytest.mark.parametrize("name", sorted(reference(1, 1, 1, 1)))
def test_each_measure_is_its_definition_in_every_small_table(name):
    for table in SMALL:
        expected = reference(*table)[name]
        # F1 and P4 have a value as ratios of counts (0) where one of the rates they average is 0/0.
        if expected is not None or name not in ("f1", "p4"):
            assert value_of(name, table) == expected, table


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
    table = Table(fp=1, tp=2, fn=3, tn=4)
    swapped, transposed = table.exchanged("swap"), table.exchanged("transpose")
    assert (swapped.fp, swapped.tp, swapped.fn, swapped.tn) == (3, 4, 1, 2)
    assert (transposed.fp, transposed.tp, transposed.fn, transposed.tn) == (3, 2, 1, 4)


def test_cells_may_be_fractions():
    assert value_of("precision", (Fraction(1, 2), Fraction(1, 3), 0, 1)) == Fraction(2, 5)


def test_an_unknown_measure_is_named():
    with pytest.raises(ValueError, match="'kapa' is no measure of a confusion table"):
        Table(1, 1, 1, 1).value("kapa")


def test_64_bits_suffice_for_the_largest_tables_searched():
    cuts = range(0, LARGEST[False] + 1, 4)
    cells = np.array([cells for cells in itertools.product(cuts, repeat=4) if sum(cells) == LARGEST[False]])
    for measure in MEASURES.values():
        for part, exact in zip(
            measure(Table(*cells.T)), measure(Table(*cells.astype(object).T)), strict=True
        ):
            assert np.array_equal(part, exact)
