"""Numbers by name, and what is defined from them."""

from nontrivial.claims.formulas import Formula
from nontrivial.claims.numbers import Numbers
from nontrivial.claims.tables import value_of


def numbers(define=None, **ranges):
    formulas = {name: Formula.number(text) for name, text in (define or {}).items()}
    return Numbers({name: range(first, last + 1) for name, (first, last) in ranges.items()}, formulas)


RATES = {"precision": "tp/(tp + fp)", "recall": "tp/(tp + fn)", "harmonic": "2/(1/precision + 1/recall)"}


def test_definitions_build_on_each_other():
    cells = dict.fromkeys(("tp", "fp", "fn"), (0, 3))
    domain = numbers(dict(reversed(RATES.items())), **cells)  # in any order
    domain.check_names(["harmonic"])
    assert domain.one((1, 1, 0)).value("harmonic").fractions() == [value_of("f1", (1, 1, 0, 0))]
    assert domain.one((0, 1, 0)).value("harmonic").fractions() == [None]


def test_large_numbers_do_not_overflow():
    define = {"cube": "x**3/(y + 1)", "next": "(x**3 + 1)/(y + 1)"}
    (part,) = numbers(define, x=(3037000500, 3037000501), y=(1, 2)).small()
    assert Formula.condition("cube < next").truth(part.cases).true.all()
    assert Formula.condition("x + 99999999999999999999 > x").truth(part.cases).true.all()


def test_numbers_in_ranges_are_put_to_the_solver_without_and_with_their_ends():
    assert [space.scope for space in numbers(x=(0, 3)).spaces()] == ["any size", "the ranges"]
    assert [space.scope for space in Numbers.positive(["x"], {}).spaces()] == ["any size"]
