"""What the solver means by a name is what exact arithmetic means by it: put in numbers, and both come to the same."""

import itertools
from fractions import Fraction

import pytest
import z3

from nontrivial.claims.formulas import Formula
from nontrivial.claims.numbers import NamedNumbers
from nontrivial.claims.symbols import NumberSymbols, PairSymbols, TableSymbols
from nontrivial.claims.tables import RATIOS, ROOTS, Table, value_of
from nontrivial.claims.values import Value

# All tables of up to two cases, and some in which no two cells or sums are alike.
TABLES = [table for table in itertools.product(range(3), repeat=4) if sum(table) <= 2]
TABLES += [(1, 2, 5, 12), (12, 5, 2, 1), (3, 1, 7, 2), (0, 4, 1, 9), (5, 0, 3, 1), (2, 7, 0, 4), (9, 4, 2, 0)]


def real(number, variable=None):
    return z3.RealVal(str(number), None if variable is None else variable.ctx)


def settled(ratio, known=()):
    """What a ratio in the solver's terms comes to with numbers for its variables; None where it has no value."""
    above, below, defined = (
        z3.simplify(z3.substitute(part, *known) if known else part)
        for part in (ratio.above, ratio.below, ratio.defined)
    )
    if z3.is_false(defined):
        return None
    assert z3.is_true(defined)
    return above.as_fraction() / below.as_fraction()


@pytest.mark.parametrize("signed", [True, False])
def test_measures_are_those_of_exact_arithmetic(signed):
    for cells in TABLES if signed else TABLES[::3]:
        symbols = TableSymbols(*map(real, cells), signed=signed)
        for name in (*RATIOS, *ROOTS):
            ratio = symbols.value(name)
            assert settled(ratio) == value_of(name, cells), (name, cells)
            assert ratio.root == (name in ROOTS)
            if signed and settled(ratio) is not None:
                assert z3.simplify(ratio.below).as_fraction() > 0, (name, cells)


@pytest.mark.parametrize("how", ["swap", "transpose"])
def test_exchanged_tables_are_those_of_exact_arithmetic(how):
    for cells in TABLES[::3]:
        for name in ("fp", "tp", "fn", "tn", "recall", "precision", "cohen_kappa", "matthews_corrcoef"):
            exact = Table(*cells).exchanged(how).value(name).fractions()[0]
            assert settled(TableSymbols(*map(real, cells)).exchanged(how).value(name)) == exact


def test_pairs():
    one, other = (1, 2, 3, 4), (5, 1, 0, 2)
    pair = PairSymbols.named()
    assert [str(cell) for cell in pair.free] == [
        f"{cell}_{which}" for which in (1, 2) for cell in ("fp", "tp", "fn", "tn")
    ]
    known = [(cell, real(count, cell)) for cell, count in zip(pair.free, one + other, strict=True)]
    for symbols in (pair, pair.with_signs(False)):
        assert settled(symbols.value("precision_1"), known) == value_of("precision", one)
        assert settled(symbols.value("precision_2"), known) == value_of("precision", other)
        assert settled(symbols.exchanged("swap").value("precision_2"), known) == Fraction(2, 2)
    assert not pair.with_signs(False).signed
    assert not pair.with_signs(False).exchanged("swap").signed


def test_numbers():
    define = {"gap": Formula.number("x - y"), "odds": Formula.number("x / gap")}
    symbols = NumberSymbols({"x": range(4), "y": range(1, 3)}, define)
    for x, y in itertools.product(range(4), range(1, 3)):
        known = [(number, real(value, number)) for number, value in zip(symbols.free, (x, y), strict=True)]
        exact = NamedNumbers({"x": Value(x), "y": Value(y)}, define)
        for name in ("x", "gap", "odds"):
            for those in (symbols, symbols.with_signs(False)):
                assert settled(those.value(name), known) == exact.value(name).fractions()[0]
    with pytest.raises(ValueError, match=r"swap\(\) is for measures of a confusion table"):
        symbols.exchanged("swap")


@pytest.mark.parametrize(
    ("bounded", "case", "fits"),
    [
        (False, (0, 1), True),
        (False, ("100", "1/2"), True),  # beyond the ranges and between whole numbers
        (False, (0, 0), False),  # the range of y begins with 1: positive
        (False, ("-1/2", 1), False),
        (True, (3, 2), True),
        (True, (4, 2), False),
        (True, (0, "1/2"), False),
    ],
)
def test_bounds_of_numbers(bounded, case, fits):
    symbols = NumberSymbols({"x": range(4), "y": range(1, 3)}, {}, bounded=bounded)
    known = [(number, real(value, number)) for number, value in zip(symbols.free, case, strict=True)]
    assert z3.is_true(z3.simplify(z3.substitute(z3.And(symbols.bounds), *known))) == fits


def test_cells_are_not_negative():
    symbols = TableSymbols.named()
    for cell in symbols.free:
        solver = z3.Solver(ctx=cell.ctx)
        solver.add(*symbols.bounds, cell < 0)
        assert solver.check() == z3.unsat
