"""Integrals in formulas, against those worked by hand."""

from fractions import Fraction

import pytest
from claims.named import named, number

from nontrivial.claims.language import Formula


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("integral(x, x, 0, 1)", Fraction(1, 2)),
        ("integral(2*(1 - c), c, s, 1)", Fraction(4, 9)),  # (1 - s)**2 at 1/3
        ("integral((1 - t)*a + t*b, t, 0, 1)", Fraction(7, 2)),
        ("integral(t**3 - t**2/a, t, 1, b)", Fraction(406, 3)),  # 624/4 - 124/6
        ("integral(x, x, 1, 0)", Fraction(-1, 2)),
        ("integral(0.30, x, 0, 1)", Fraction(3, 10)),
        ("1 + 2*integral(x, x, 0, 1)", 2),
        ("integral(a, x, 0, 1) * integral(x, x, 0, b)", 25),
        ("integral(gamma*pi, gamma, 0, 1)", Fraction(7, 2)),  # names, none of them a function or a number
    ],
)
def test_by_hand(text, value):
    assert number(text, named(a=2, b=5, s="1/3", pi=7)) == value


def test_the_variable_is_no_name_of_the_formula():
    assert Formula.number("integral(t*a, t, 0, s)").names == ("a", "s")


@pytest.mark.parametrize(
    "text",
    [
        "integral(1/x, x, 1, 2)",
        "integral(1/x, x, 0, 1)",
        "integral(1/x, x, 1, s)",
        "integral(1/(1 + x**2), x, 0, s)",
        "integral(min(x, 1), x, 0, 1)",
        "integral(abs(x), x, 0, 1)",
        "integral(swap(x), x, 0, 1)",
        "integral(integral(x, x, 0, y), y, 0, 1)",
        "integral(x**4, x, 0, s)",
        "integral(x**2 * (x + a)**2, x, 0, s)",
        "integral(x, x)",
        "integral(x, 2, 0, 1)",
        "integral(x < 1, x, 0, 1)",
        "integral(x, x, 0, s > 1)",
        "integral(x, x, 0, 1, 2)",
        "integral(x**x, x, 0, 1)",
    ],
)
def test_what_is_no_polynomial_of_low_power_is_refused(text):
    with pytest.raises(ValueError, match=r"polynomials .* are allowed"):
        Formula.number(text)
