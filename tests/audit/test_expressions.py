"""Arithmetic in statements, against fractions."""

import itertools
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.audit.expressions import Expression, Named
from nontrivial.audit.ratios import Table, value_of
from nontrivial.audit.stated import Order
from nontrivial.audit.values import Value

NUMBERS = {"x": Fraction(2, 3), "y": Fraction(-1, 4), "zero": Fraction(0)}


def evaluate(text, numbers=NUMBERS):
    return Expression.parse(text).value(Named(numbers)).fraction()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x + y", Fraction(5, 12)),
        ("x - y", Fraction(11, 12)),
        ("2 * x * y", Fraction(-1, 3)),
        ("x / y", Fraction(-8, 3)),
        ("-x + 0.5", Fraction(-1, 6)),
        ("y ** 2", Fraction(1, 16)),
        ("min(x, y, 0.1)", Fraction(-1, 4)),
        ("max(x, y, 0.1)", Fraction(2, 3)),
        ("abs(y) / abs(x)", Fraction(3, 8)),
        ("1 / (1 / x)", Fraction(2, 3)),
        ("x / zero", None),
        ("1 / (x / zero)", None),  # infinite inside, so nothing outside
        ("zero * (x / zero)", None),
        ("min(x, x / zero)", None),
    ],
)
def test_values(text, value):
    assert evaluate(text) == value


fractions = st.fractions(min_value=-3, max_value=3, max_denominator=5)


@given(x=fractions, y=fractions, zero=fractions)
@settings(deadline=None, derandomize=True, max_examples=200)
def test_arithmetic_is_that_of_fractions(x, y, zero):
    numbers = {"x": x, "y": y, "zero": zero}
    text = "(x - 2 * y) / (zero * y + x) + min(x, y) * max(y, zero) - abs(x - zero) ** 3"
    below = zero * y + x
    expected = None
    if below:
        expected = (x - 2 * y) / below + min(x, y) * max(y, zero) - abs(x - zero) ** 3
    assert evaluate(text, numbers) == expected


def test_names():
    assert Expression.parse("2 * tp / (tp + max(fp, fn)) - swap(f1)").names == ("tp", "fp", "fn", "f1")


def test_exchanges():
    for fp, tp, fn, tn in itertools.product(range(3), repeat=4):
        table = Table(fp, tp, fn, tn)
        for measure in ("f1", "recall", "prediction_advantage", "cohen_kappa"):
            swapped = Expression.parse(f"swap({measure})").value(table).fraction()
            assert swapped == value_of(measure, (fn, tn, fp, tp))
            transposed = Expression.parse(f"transpose({measure})").value(table).fraction()
            assert transposed == value_of(measure, (fn, tp, fp, tn))
        there_and_back = Expression.parse("swap(transpose(transpose(swap(recall))))").value(table).fraction()
        assert there_and_back == value_of("recall", (fp, tp, fn, tn))


@pytest.mark.parametrize(
    "text",
    [
        *("tp +", "tp fp", "", "tp ** fp", "tp ** 5", "tp ** -1", "'tp'", "True", "tp if fn else fp", "[tp]"),
        *(
            "tp.real",
            "open(tp)",
            "min(tp)",
            "min()",
            "swap(tp, fp)",
            "max(tp, key=fp)",
            "lambda: tp",
            "1j",
            "__",
        ),
        *("tp // 2", "tp % 2", "~tp", "+tp", "tp and fp", "(tp := 1)", "-" * 400 + "tp"),
    ],
)
def test_nothing_but_arithmetic_is_an_expression(text):
    with pytest.raises(ValueError, match=r"express|allowed"):
        Expression.parse(text)


def test_what_is_wrong_is_said():
    with pytest.raises(
        ValueError, match=r"'tp \+ open\(fn\)' has a part 'open\(fn\)'; lower-case names, numbers, "
    ):
        Expression.parse("tp + open(fn)")
    with pytest.raises(ValueError, match="an expression has 401 characters; 300 are allowed"):
        Expression.parse("a" * 401)
    with pytest.raises(ValueError, match=r"a measure with a square root .* cannot stand in arithmetic"):
        Expression.parse("matthews_corrcoef + 1").value(Table(1, 1, 1, 1))
    with pytest.raises(ValueError, match="'z' is not among the numbers found: x, y, zero"):
        evaluate("x + z")
    with pytest.raises(ValueError, match=r"swap\(\) is for measures of a confusion table"):
        evaluate("swap(x)")


def test_terms_of_an_order():
    order = Order.parse("0.25 <= tp < 2 * fp")
    assert order.terms[0] == Fraction(1, 4)
    assert order.terms[1] == "tp"
    assert order.names == ("tp", "fp")


def test_text_of_a_value():
    assert [Value(3, 6).text(), Value(0, 0).text(), Value(1, 4, is_root=True).text()] == [
        "1/2",
        "undefined",
        "sqrt(1/4)",
    ]
