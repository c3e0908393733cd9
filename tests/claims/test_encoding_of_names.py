"""What the solver means by a name is what exact arithmetic means by it: put in numbers, and both come to the same."""

import functools
import itertools
from fractions import Fraction

import pytest
import z3
from claims.named import value_of

from nontrivial.claims.domains import CELLS, MEASURES, ROOTS, Table, Tables, WholeNumbers
from nontrivial.claims.language import Formula, NamedNumbers, Value
from nontrivial.claims.solver import find_case

# All tables of up to two cases, and some in which no two cells or sums are alike.
TABLES = [table for table in itertools.product(range(3), repeat=4) if sum(table) <= 2]
TABLES += [(1, 2, 5, 12), (12, 5, 2, 1), (3, 1, 7, 2), (0, 4, 1, 9), (5, 0, 3, 1), (2, 7, 0, 4), (9, 4, 2, 0)]
ONE, PAIR = Tables().space(), Tables(pairs=True).space()


@functools.cache
def read(text, *variables):
    """What a text of the solver's language says, as a term."""
    names = {name: z3.Real(name) for name in variables}
    (equation,) = z3.parse_smt2_string(f"(assert (= 7.0 {text}))", decls=names)
    seven, term = equation.children()
    return term if seven.eq(z3.RealVal(7)) else seven


def settled(ratio, space, case):
    """What a ratio in the solver's terms comes to with numbers for its variables; None where it has no value."""
    numbers = [
        (z3.Real(name), z3.RealVal(str(number))) for name, number in zip(space.variables, case, strict=True)
    ]

    def number(text):
        return z3.simplify(z3.substitute(read(text, *space.variables), *numbers)).as_fraction()

    if 0 in map(number, ratio.divisors):
        return None
    assert number(ratio.below) > 0
    return number(ratio.above) / number(ratio.below)


@pytest.mark.parametrize("name", [*CELLS, *MEASURES])
def test_measures_are_those_of_exact_arithmetic(name):
    ratio = ONE.cases.value(name)
    assert ratio.is_root == (name in ROOTS)
    for cells in TABLES:
        assert settled(ratio, ONE, cells) == value_of(name, cells), cells


@pytest.mark.parametrize("how", ["swap", "transpose"])
def test_exchanged_tables_are_those_of_exact_arithmetic(how):
    for name in ("fp", "tp", "fn", "tn", "recall", "precision", "cohen_kappa", "matthews_corrcoef"):
        ratio = ONE.cases.exchanged(how).value(name)
        for cells in TABLES[::3]:
            assert settled(ratio, ONE, cells) == Table(*cells).exchanged(how).value(name).fractions()[0]


def test_pairs():
    one, other = (1, 2, 3, 4), (5, 1, 0, 2)
    assert PAIR.variables == [f"?{cell}_{which}" for which in (1, 2) for cell in ("fp", "tp", "fn", "tn")]
    assert settled(PAIR.cases.value("precision_1"), PAIR, one + other) == value_of("precision", one)
    assert settled(PAIR.cases.value("precision_2"), PAIR, one + other) == value_of("precision", other)
    assert settled(PAIR.cases.exchanged("swap").value("precision_2"), PAIR, one + other) == Fraction(2, 2)


def test_numbers():
    define = {
        "gap": Formula.number("x - y"),
        "odds": Formula.number("x / gap"),
        "low": Formula.number("min(x, odds)"),
    }
    space = WholeNumbers({"x": range(4), "y": range(1, 3)}, define).space()
    for x, y in itertools.product(range(4), range(1, 3)):
        exact = NamedNumbers({"x": Value(x), "y": Value(y)}, define)
        for name in ("x", "gap", "odds", "low"):
            assert settled(space.cases.value(name), space, (x, y)) == exact.value(name).fractions()[0]
    with pytest.raises(ValueError, match=r"swap\(\) is for measures of a confusion table"):
        space.cases.exchanged("swap")


@pytest.mark.parametrize(
    ("claim", "there"),
    [
        ("x == 0 and y == 1", True),
        ("x == 100 and y == 1/2", True),  # beyond the ranges and between whole numbers
        ("x == 0 and y == 0", False),  # the range of y begins with 1: positive
        ("x == -1/2", False),
    ],
)
def test_bounds_of_numbers(claim, there):
    space = WholeNumbers({"x": range(4), "y": range(1, 3)}, {}).space()
    assert find_case(space, [Formula.condition(claim)]).exists is there


@pytest.mark.parametrize("cell", ["fp", "tp", "fn", "tn"])
def test_cells_are_not_negative(cell):
    assert find_case(ONE, [Formula.condition(f"{cell} < 0")]).exists is False
    assert find_case(ONE, [Formula.condition(f"0 < {cell} < 1")]).exists is True
