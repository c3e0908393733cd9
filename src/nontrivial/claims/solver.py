"""Puts claims to the solver z3, which decides them for cases of any size.

The solver works under a limit of its own steps, which is the same on every machine; beyond it a claim is undecided.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import z3

from nontrivial.claims.encoding import Symbols, truth_of
from nontrivial.claims.formulas import Formula

STEPS = 2_000_000


@dataclass(frozen=True)
class Answer:
    """Whether there is a case: True, False, or None if the limit was reached first; and one, if there is."""

    exists: bool | None
    case: tuple[Fraction, ...] | None = None


def find_case(symbols: Symbols, given: Sequence[Formula], *also: Any) -> Answer:
    """Look for a case that is as given and as the conditions in the solver's terms say.

    Parameters
    ----------
    symbols : Symbols
    given : sequence of Formula
        Conditions that must be true.
    *also
        Further conditions; of a disjunction each part is looked for by itself.
    """
    base = [*symbols.bounds, *(truth_of(formula, symbols)[0] for formula in given)]
    answers = []
    for parts in itertools.product(*map(_alternatives, also)):
        answers.append(_ask([*base, *parts], symbols.free))
        if answers[-1].exists:
            return answers[-1]
    return Answer(None if any(answer.exists is None for answer in answers) else False)


def _ask(conditions: list[Any], free: Sequence[Any]) -> Answer:
    solver = z3.Solver(ctx=conditions[0].ctx)
    solver.set("rlimit", STEPS)
    solver.add(conditions)
    result = solver.check()
    if result != z3.sat:
        return Answer(False if result == z3.unsat else None)
    model = solver.model()
    values = [model.eval(variable, model_completion=True) for variable in free]
    if not all(z3.is_rational_value(value) for value in values):
        return Answer(True)
    return Answer(
        True, tuple(Fraction(value.numerator_as_long(), value.denominator_as_long()) for value in values)
    )


def _alternatives(condition: Any) -> list[Any]:
    return list(condition.children()) if z3.is_or(condition) else [condition]
