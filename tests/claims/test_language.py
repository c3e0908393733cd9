"""The language of claims: what is read and what is refused, arithmetic against fractions, and three-valued logic."""

import ast
import itertools
import math
import operator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from claims.named import named, number, truth
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.claims.domains.tables import TableCases, TableDomain
from nontrivial.claims.language.formulas import Formula, NamedNumbers
from nontrivial.claims.language.numbers import COMPARISONS, PrintedNumber, Ratios
from nontrivial.measures.catalogue import ROOT_SCALE

X = named(x="2/3", y="-1/4", zero=0, one=1, a=2, b=5)
quick = settings(derandomize=True, deadline=None, max_examples=25)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 / 2 / 2", "1/4"),
        ("-x + 0.5", "-1/6"),
        ("0.1234567890123456789", "1234567890123456789/10000000000000000000"),
        ("-y ** 2", "-1/16"),  # as in mathematics, the power comes first
        ("x / zero", None),
        ("zero / zero", None),
        ("1 / (1 / zero)", 0),
        ("x / zero - x / zero", None),
        ("(x / zero) / (x / zero)", None),
        ("min(x, x / zero)", "2/3"),
        ("min(x, zero / zero)", None),
        ("integral(t, t, 1, 0)", "-1/2"),
        ("integral((1 - t)*a + t*b, t, 0, 1)", "7/2"),
        ("integral(t**3 - t**2/a, t, 1, b)", "406/3"),  # 624/4 - 124/6
        ("integral(a, t, 0, 1) * integral(a, a, 0, b)", 25),
    ],
)
def test_numbers(text, value):
    assert number(text, X) == (None if value is None else Fraction(value))


fractions = st.fractions(min_value=-3, max_value=3, max_denominator=5)


@quick
@given(x=fractions, y=fractions, z=fractions)
def test_arithmetic_and_comparisons_are_those_of_fractions(x, y, z):
    text = "(x - 2 * y) / (z * y + x) + min(x, y) * max(y, z) - abs(x - z) ** 3"
    below = z * y + x
    expected = (x - 2 * y) / below + min(x, y) * max(y, z) - abs(x - z) ** 3 if below else None
    assert number(text, named(x=x, y=y, z=z)) == expected
    root, other = (Ratios.constant(number * abs(number)) for number in (z, y))
    root, other = replace(root, scale=ROOT_SCALE), replace(other, scale=ROOT_SCALE)
    for symbol, holds in COMPARISONS.items():
        assert truth(f"x {symbol} y", named(x=x, y=y)) == holds(x, y)
        assert Ratios.compare([symbol], [Ratios.constant(x), root]).true == holds(x, z)
        assert Ratios.compare([symbol], [root, Ratios.constant(x)]).true == holds(z, x)
        assert Ratios.compare([symbol], [root, other]).true == holds(z, y)


large = st.integers(-(2**62), 2**62)
ratios = st.tuples(st.integers(-4, 4) | large, st.integers(0, 3) | large.map(abs))


@quick
@given(pairs=st.lists(st.tuples(ratios, ratios), min_size=1, max_size=4))
def test_numbers_of_any_size_are_exact_in_arrays(pairs):
    first, second = (Ratios(*np.array(column).T) for column in zip(*pairs, strict=True))

    def extended(above, below):
        if below:
            return Fraction(above, below)
        return math.copysign(math.inf, above) if above else math.nan

    def exactly(function):
        for ratios in pairs:
            pair = [extended(*ratio) for ratio in ratios]
            by_zero = function is operator.truediv and pair[1] == 0
            result = math.nan if by_zero or any(map(math.isnan, pair)) else function(*pair)
            yield Fraction(result) if math.isfinite(result) else None

    for function in (operator.add, operator.sub, operator.mul, operator.truediv):
        assert function(first, second).fractions() == list(exactly(function))
    for symbol, function in {"<=": min, ">=": max}.items():
        assert first.choose(symbol, second).fractions() == list(exactly(function))
    huge = Ratios(2**63)
    assert [x and x - 2**63 for x in (first + huge).fractions()] == [x and x for x in first.fractions()]


CONDITIONS = {
    True: [
        *("y < 0 <= 0 < x <= x == x != y", "x >= 2/3 > y", "not x < y", "(x < y) == (one < zero)"),
        *("(x < y) != (zero < one)", "1/zero > 9**4", "-1/zero < x < 1/zero == 2/zero", "-1/zero < 1/zero"),
        "1/zero + x/zero > 9**4",
    ],
    False: [
        *("1/zero <= x", "1/zero == -1/zero", "x == x == x/zero", "y < 0 < 0", "x < y or y < x and x < 0"),
        "(x < y) == (zero < one)",
    ],
    None: [
        *("x < y < zero/zero", "zero/zero > 0", "1/zero - 1/zero == zero", "zero/zero + x/zero > 0"),
        *("x/zero + zero/zero > 0", "x/zero - x/zero < 1", "x/zero + y/zero > 0", "0 * (x/zero) == 0"),
    ],
}
PARTS = {True: "x > 0", False: "x < 0", None: "zero/zero == zero/zero"}


@pytest.mark.parametrize("value", CONDITIONS)
def test_conditions_chain_and_bind_as_in_mathematics_and_may_have_no_value(value):
    assert {text: truth(text, X) for text in CONDITIONS[value]} == dict.fromkeys(CONDITIONS[value], value)


@pytest.mark.parametrize(("first", "second"), list(itertools.product(PARTS, repeat=2)))
def test_three_valued_logic(first, second):
    """Undefined is what either value in its place would not settle."""

    def settled(function):
        ways = itertools.product(*([part] if part is not None else [True, False] for part in (first, second)))
        results = {function(*way) for way in ways}
        return results.pop() if len(results) == 1 else None

    p, q = PARTS[first], PARTS[second]
    assert truth(f"{p} and {q}", X) is settled(lambda a, b: a and b)
    assert truth(f"{p} or {q}", X) is settled(lambda a, b: a or b)
    assert truth(f"({p}) == ({q})", X) is settled(lambda a, b: a == b)
    assert truth(f"({p}) != ({q})", X) is settled(lambda a, b: a != b)
    assert truth(f"not ({p})", X) is (None if first is None else not first)


def test_a_prevalence_threshold_can_only_be_compared():
    for text in ("prevalence_threshold ** 2", "1 - prevalence_threshold"):
        with pytest.raises(ValueError, match=r"prevalence_threshold can be compared"):
            Formula.number(text).evaluate(TableCases(*map(Ratios, (3, 1, 2, 1))))
    with pytest.raises(ValueError, match=r"square roots of different kinds"):
        Formula.condition("matthews_corrcoef < prevalence_threshold").evaluate(TableCases(*map(Ratios, (3, 1, 2, 1))))


@pytest.mark.parametrize("text", ["{} + 1", "-{}", "abs({})", "min({}, 1)", "{} ** 3", "{} / 2", "log({})"])
def test_a_root_stands_in_arithmetic_by_its_square_alone(text):
    table = TableCases(*map(Ratios, (3, 1, 2, 1)))
    for cases in (table, TableDomain().solver_space().cases):
        with pytest.raises(ValueError, match=r"can be compared; arithmetic takes its square"):
            Formula.number(text.format("matthews_corrcoef")).evaluate(cases)
    [mcc] = table.value("matthews_corrcoef").fractions()  # worse than chance: negative, and its square is not
    assert number("matthews_corrcoef ** 2 + 1", table) == 1 - mcc
    assert number("matthews_corrcoef ** 4", table) == mcc**2


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("log(x * y) == log(x) + log(y)", True),
        ("log(x) - log(x) == 0 and x > 0", True),
        ("2 / log(x + 1) * log(y + 1) * log(x + 1) / log(y + 1) == 2", True),
        (f"{10**41} * (log(x) - log(x)) <= 1", True),
        ("log(log(x*x + 1)) == log(log((x*x + 1)**2) / 2)", True),
        ("log(x / x) == 0", False),  # exactly
    ],
)
def test_logarithms_are_rounded_and_numbers_within_their_errors_are_near(text, near):
    """log 6 is log 2 and log 3 together, which forty digits do not show exactly."""
    numbers = NamedNumbers({"x": Ratios(np.array([2, 6, 0])), "y": Ratios(np.array([3, 1, 3]))}, {})
    truth_values = Formula.condition(text).evaluate(numbers)
    assert truth_values.true.tolist() == [True, True, False]
    assert np.broadcast_to(truth_values.rounded, 3).tolist() == [near, near, False]


E = "2.7182818284590452353602874713526624977572470936999595749669676277"
LOG_6 = "1.7917594692280550008124773583807022727229906921830047058553743"


@pytest.mark.parametrize("text", [f"log(2) + log(3) != {LOG_6}", f"log(log({E})) > 0", f"log({E}) * log({E}) != 1"])
def test_errors_add_up(text):
    assert Formula.condition(text).evaluate(X).rounded


def test_a_logarithm_has_forty_digits():
    numbers = named(x=2)
    two = number("log(x)", numbers)
    assert abs(two - Fraction("0.6931471805599453094172321214581765680755")) < Fraction(1, 10**39)


REFUSED = [
    *("", "   ", "tp +", "tp fp", "tp; fp", "tp = fp", "(tp := 1) > 0", "tp > 0\x00", "tp > \ud800"),
    *("tp", "-tp", "min(tp, fp)", "sometimes(tp)"),  # numbers
    *("tp // 2 > 0", "tp % 2 > 0", "~tp > 0", "+tp > 0", "tp @ fp > 0", "1. > tp", ".5 > tp"),
    *("tp ** fp > 0", "tp ** 5 > 0", "tp ** -1 > 0", "tp ** 0 > 0", "tp ** 2.0 > 0", "tp ** True > 0"),
    *("'tp' > 0", "True", "None == tp", "1j > 0", "1_000 > tp", "0x10 > tp", "1e3 > tp", "f'{tp}' > 0"),
    *("tp if fn else fp", "[tp] > 0", "lambda: tp", "tp[0] > 0", "tp.real > 0", "Tp > 0", "_tp > 0"),
    *("open(tp) > 0", "min(tp) > 0", "min(*tp) > 0", "swap(tp, fp) > 0", "max(tp, key=fp) > 0"),
    *("f_beta(tp) > 0", "f_beta(-1) > 0", "f_beta(1/0) > 0", "f_beta() > 0"),
    *("abs(tp > 0) > 0", "swap(tp > 0)"),
    *("tp and fp", "not tp", "tp > 0 or fp", "(tp > 0) + 1 > 0", "tp in fp", "tp is fp"),
    *("(tp > 0) < (fp > 0)", "(tp > 0) == (fp > 0) == (fn > 0)", "(tp > 0) == 1", "(tp > 0) != fp"),
    *("sometimes(tp > 0) and fp > 0", "sometimes(sometimes(tp > 0))", "sometimes(tp > 0, fp > 0)"),
    *("integral(tp, tp) > 0", "integral(tp, 2, 0, 1) > 0", "integral(x < 1, x, 0, 1) > 0"),
    *("integral(1/x, x, 1, 2) > 0", "integral(min(x, 1), x, 0, 1) > 0", "integral(x, x, 0, s > 1) > 0"),
    *("integral(integral(x, x, 0, y), y, 0, 1) > 0", "integral(x**2 * (x + a)**2, x, 0, s) > 0"),
]


@pytest.mark.parametrize("text", REFUSED)
def test_nothing_else_is_a_condition(text):
    with pytest.raises(ValueError, match=r"allowed|needed|write ==") as refused:
        Formula.condition(text)
    assert str(refused.value).endswith(".")
    assert "\n" not in str(refused.value)


def test_an_equation_with_a_printed_number_is_about_that_number():
    for text, digits in {"x + 1 == 0.30": "0.30", "x == -0.020": "-0.020", "x == 7 / 15": "7/15"}.items():
        left, printed = Formula.condition(text).printed
        assert (ast.unparse(left), printed.text) == (text.partition(" ==")[0], digits)
    assert Formula.condition("0.30 == x").printed.stated.text == "0.30"
    for text in ("x == 7/0", "x == y", "x <= 0.3", "x == y == 0.3", "sometimes(x == 0.3)"):
        assert Formula.condition(text).printed is None, text


FIXED = {
    "7/15": ("7/15", "7/15", "7/15"),
    "5": (5, "9/2", "11/2"),
    "-0.020": ("-1/50", "-41/2000", "-39/2000"),
    ">= 0.3": ("3/10", "3/10", 1),
    "<= 0.7": ("7/10", 0, "7/10"),
}


def test_numbers_are_fixed_as_far_as_they_are_printed():
    for text, numbers in FIXED.items():
        number = PrintedNumber.parse(text)
        assert [number.value, number.low, number.high] == list(map(Fraction, numbers))
    for text in ("0.3 or more", ">=", ">= 30", "<= -0.1", ">=0.3", "> 0.3", "0..4", "1e3", ".5", "1/0", ""):
        with pytest.raises(ValueError, match=r"is not a (printed number such as|share;)"):
            PrintedNumber.parse(text)
