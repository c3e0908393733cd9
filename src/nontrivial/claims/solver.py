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
SPLITS = 3  # open signs, on which a minimum or a magnitude depends, that are taken both ways


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
        answers.append(_solve([*base, *parts], symbols.free))
        if answers[-1].exists:
            return answers[-1]
    return Answer(None if any(answer.exists is None for answer in answers) else False)


def _solve(conditions: list[Any], free: Sequence[Any]) -> Answer:
    """Ask the solver; where it gives up, ask again with each open sign taken both ways."""
    answer = _ask(conditions, free)
    if answer.exists is not None:
        return answer
    signs = list(dict.fromkeys(sign for condition in conditions for sign in _open_signs(condition)))[:SPLITS]
    answers = []
    for values in itertools.product((True, False), repeat=len(signs)):
        settled = [(sign, z3.BoolVal(value, sign.ctx)) for sign, value in zip(signs, values, strict=True)]
        taken = [sign if value else z3.Not(sign) for sign, value in zip(signs, values, strict=True)]
        parts = (
            [z3.simplify(z3.substitute(condition, *settled)) for condition in conditions] if settled else []
        )
        answers.append(_ask([*parts, *taken], free) if parts else answer)
        if answers[-1].exists:
            return answers[-1]
    return Answer(None if any(one.exists is None for one in answers) else False)


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


def _open_signs(condition: Any) -> list[Any]:
    """The conditions on which parts of it depend, the innermost first."""
    found, waiting, seen = [], [condition], set()
    while waiting:
        part = waiting.pop()
        if part.get_id() in seen:
            continue
        seen.add(part.get_id())
        if z3.is_app_of(part, z3.Z3_OP_ITE):
            found.append(part.arg(0))
        waiting += part.children()
    return found[::-1]
