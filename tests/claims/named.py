"""Cases of one's own: fractions by name."""

from fractions import Fraction

from nontrivial.claims.formulas import Formula
from nontrivial.claims.numbers import NamedNumbers
from nontrivial.claims.values import Value


def named(**numbers):
    """One case with these numbers."""
    exact = {name: Fraction(number) for name, number in numbers.items()}
    return NamedNumbers({name: Value(x.numerator, x.denominator) for name, x in exact.items()}, {})


def number(text, cases):
    """What a formula comes to in one case; None where it has no value."""
    return Formula.number(text).value(cases).fractions()[0]


def truth(text, cases):
    """True, False, or None for undefined."""
    found = Formula.condition(text).truth(cases)
    return True if found.true else False if found.false else None
