"""The language of claims: what is read and what is refused, arithmetic against fractions, and three-valued logic."""

import ast
import itertools
from fractions import Fraction

import numpy as np
import pytest
from claims.named import named, number, truth, value_of
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.claims.domains import Table
from nontrivial.claims.language import Formula, NamedNumbers, Value

X = named(x="2/3", y="-1/4", zero=0, one=1)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x + y", "5/12"),
        ("x - y", "11/12"),
        ("2 * x * y", "-1/3"),
        ("x / y", "-8/3"),
        ("-x + 0.5", "-1/6"),
        ("y ** 2", "1/16"),
        ("-y ** 2", "-1/16"),  # as in mathematics, the power comes first
        ("x - 1 - 1", "-4/3"),
        ("1 / 2 / 2", "1/4"),
        ("min(x, y, 0.1)", "-1/4"),
        ("max(x, y, 0.1)", "2/3"),
        ("abs(y) / abs(x)", "3/8"),
        ("1 / (1 / x)", "2/3"),
        ("x / zero", None),
        ("zero / zero", None),
        ("1 / (x / zero)", None),  # infinite inside, so nothing outside
        ("zero * (x / zero)", None),
        ("min(x, x / zero)", None),
    ],
)
def test_numbers(text, value):
    assert number(text, X) == (None if value is None else Fraction(value))


fractions = st.fractions(min_value=-3, max_value=3, max_denominator=5)


@settings(derandomize=True, deadline=None, max_examples=25)
@given(x=fractions, y=fractions, z=fractions)
def test_arithmetic_is_that_of_fractions(x, y, z):
    text = "(x - 2 * y) / (z * y + x) + min(x, y) * max(y, z) - abs(x - z) ** 3"
    below = z * y + x
    expected = (x - 2 * y) / below + min(x, y) * max(y, z) - abs(x - z) ** 3 if below else None
    assert number(text, named(x=x, y=y, z=z)) == expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("y < 0 < x", True),
        ("y < 0 < 0", False),
        ("y < 0 <= 0 < x <= x == x != y", True),
        ("x != x", False),
        ("x >= 2/3 > y", True),
        ("not x < y", True),
        ("x < y or y < x", True),
        ("x < y and y < x", False),
        ("x < y or y < x and x < 0", False),  # "and" binds more closely
        ("(x < y) == (one < zero)", True),
        ("(x < y) == (zero < one)", False),
    ],
)
def test_conditions(text, value):
    assert truth(text, X) is value


# true, false and undefined
PARTS = {True: "x > 0", False: "x < 0", None: "zero/zero == zero/zero"}


@pytest.mark.parametrize(("one", "other"), list(itertools.product(PARTS, repeat=2)))
def test_three_valued_logic(one, other):
    """Undefined is what either value in its place would not settle."""

    def settled(function):
        ways = itertools.product(*([part] if part is not None else [True, False] for part in (one, other)))
        results = {function(*way) for way in ways}
        return results.pop() if len(results) == 1 else None

    p, q = PARTS[one], PARTS[other]
    assert truth(f"{p} and {q}", X) is settled(lambda a, b: a and b)
    assert truth(f"{p} or {q}", X) is settled(lambda a, b: a or b)
    assert truth(f"({p}) == ({q})", X) is settled(lambda a, b: a == b)
    assert truth(f"not ({p})", X) is (None if one is None else not one)


@pytest.mark.parametrize(
    "text", ["zero/zero < 1", "x < y < zero/zero", "zero/zero != zero/zero", "1/zero > 0", "x == x == x/zero"]
)
def test_a_number_without_value_leaves_a_comparison_undefined(text):
    assert truth(text, X) is None


def test_names_come_in_the_order_of_their_first_place_without_functions():
    assert Formula.number("2 * tp / (tp + max(fp, fn)) - swap(f1)").names == ("tp", "fp", "fn", "f1")
    assert Formula.condition("a < b and (c == a or not d > 0)").names == ("a", "b", "c", "d")


def test_sometimes_is_around_the_whole_claim():
    claim = Formula.condition("sometimes(x < y)")
    assert claim.sometimes
    assert ast.unparse(claim.tree) == "x < y"
    assert not Formula.condition("x < y").sometimes
    with pytest.raises(ValueError, match="is a condition"):
        Formula.number("sometimes(x < y)")


def test_exchanges():
    for fp, tp, fn, tn in itertools.product(range(3), repeat=4):
        table = Table(fp, tp, fn, tn)
        for measure in ("f1", "recall", "prediction_advantage", "cohen_kappa"):
            assert number(f"swap({measure})", table) == value_of(measure, (fn, tn, fp, tp))
            assert number(f"transpose({measure})", table) == value_of(measure, (fn, tp, fp, tn))
        assert number("swap(transpose(transpose(swap(recall))))", table) == value_of(
            "recall", (fp, tp, fn, tn)
        )


def test_what_only_tables_have_is_said():
    with pytest.raises(ValueError, match=r"swap\(\) is for measures of a confusion table"):
        number("swap(x)", X)
    with pytest.raises(ValueError, match="'z' is unknown; known: x, y, zero, one"):
        number("x + z", X)


@pytest.mark.parametrize("text", ["{} + 1", "-{}", "abs({})", "min({}, 1)", "{} ** 3", "{} / 2"])
def test_square_roots_cannot_stand_in_arithmetic(text):
    with pytest.raises(ValueError, match=r"can be compared; arithmetic takes its square"):
        number(text.format("matthews_corrcoef"), Table(1, 1, 1, 1))


def test_the_square_of_a_root_stands_in_arithmetic():
    """MCC of a table that is worse than chance is negative, its square is not."""
    table = Table(3, 1, 2, 1)
    [mcc] = table.value("matthews_corrcoef").fractions()
    assert mcc < 0
    assert number("matthews_corrcoef ** 2 + 1", table) == 1 - mcc
    assert number("matthews_corrcoef ** 4", table) == mcc**2


def test_logarithms_are_rounded_and_compare_so():
    """log 6 is log 2 and log 3 together, which forty digits do not show exactly."""
    numbers = NamedNumbers({"x": Value(np.array([2, 6, 0])), "y": Value(np.array([3, 1, 3]))}, {})
    for text in ("log(x * y) == log(x) + log(y)", "not log(x * y) < log(x) + log(y)", "log(x) < x"):
        found = Formula.condition(text).truth(numbers)
        assert found.true.tolist() == [True, True, False], text
        assert found.defined.tolist() == [True, True, False]
    [two, *_] = Formula.number("log(x)").value(numbers).fractions()
    assert abs(two - Fraction("0.6931471805599453094172321214581765680755")) < Fraction(1, 10**39)
