"""Numbers by name, and what is defined from them."""

from fractions import Fraction

from claims.named import numbers, value_of

from nontrivial.claims.domains import WholeNumbers
from nontrivial.claims.language import Formula

RATES = {"precision": "tp/(tp + fp)", "recall": "tp/(tp + fn)", "harmonic": "2/(1/precision + 1/recall)"}


def test_definitions_build_on_each_other():
    cells = dict.fromkeys(("tp", "fp", "fn"), (0, 3))
    domain = numbers(dict(reversed(RATES.items())), **cells)  # in any order
    assert domain.one((1, 1, 0)).value("harmonic").fractions() == [value_of("f1", (1, 1, 0, 0))]
    assert domain.one((0, 1, 0)).value("harmonic").fractions() == [None]


def test_large_numbers_do_not_overflow():
    define = {"cube": "x**3/(y + 1)", "next": "(x**3 + 1)/(y + 1)"}
    (part,) = numbers(define, x=(3037000500, 3037000501), y=(1, 2)).small()
    assert Formula.condition("cube < next").truth(part.cases).true.all()
    assert Formula.condition("x + 99999999999999999999 > x").truth(part.cases).true.all()


def test_ranges_hold_all_cases_and_positive_numbers_do_not():
    assert (numbers(x=(0, 3)).complete, numbers(x=(0, 3)).whole) == (True, True)
    assert (WholeNumbers.positive(["x"], {}).complete, WholeNumbers.positive(["x"], {}).whole) == (
        False,
        False,
    )


def test_a_case_of_positive_numbers_may_be_a_fraction():
    domain = WholeNumbers.positive(["x"], {"double": Formula.number("2*x")})
    assert domain.one((Fraction(1, 2),)).value("double").fractions() == [1]
    assert domain.one((0,)) is None
    assert numbers(x=(0, 3)).one((Fraction(1, 2),)) is None
