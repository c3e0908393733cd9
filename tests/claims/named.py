"""Cases of one's own, and what formulas come to in them."""

from fractions import Fraction

from nontrivial.claims.domains.domain import NumberDomain
from nontrivial.claims.domains.tables import TableCases
from nontrivial.claims.language.formulas import Formula, NamedNumbers
from nontrivial.claims.language.numbers import Ratios


def named(**numbers):
    """One case with these numbers."""
    exact = {name: Fraction(number) for name, number in numbers.items()}
    return NamedNumbers({name: Ratios(*x.as_integer_ratio()) for name, x in exact.items()}, {})


def number(text, cases):
    """What a formula comes to in one case; None where it has no value."""
    return Formula.number(text).evaluate(cases).fractions()[0]


def truth(text, cases):
    """True, False, or None for undefined."""
    truth_values = Formula.condition(text).evaluate(cases)
    return True if truth_values.true else False if truth_values.false else None


def conditions(*texts):
    return [Formula.condition(text) for text in texts]


def value_of(name, table):
    """A measure, or the signed square of a root, at (FP, TP, FN, TN); None where it is 0/0 or infinite."""
    return TableCases(*map(Ratios, table)).value(name).fractions()[0]


def numbers(define=None, **ranges):
    """Numbers in these ranges, and what is defined from them."""
    formulas = {name: Formula.number(text) for name, text in (define or {}).items()}
    return NumberDomain({name: range(first, last + 1) for name, (first, last) in ranges.items()}, formulas)
