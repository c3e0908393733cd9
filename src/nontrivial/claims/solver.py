"""Puts claims to the solver z3, which decides them for cases of any size.

The solver works under a limit of its own steps, which is the same on every machine; beyond it a claim is undecided.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from nontrivial.claims.encoding import any_of
from nontrivial.claims.formulas import Cases, Formula

STEPS = 2_000_000


@dataclass(frozen=True)
class Answer:
    """Whether there is a case: True, False, or None if the limit was reached first; and one, if there is."""

    exists: bool | None
    case: tuple[Fraction, ...] | None = None


@dataclass(frozen=True, eq=False)
class Space:
    """All cases of a kind in the solver's terms."""

    scope: str  # of what a claim is proved that is false in none of them
    # The variables, which are numbers from 0 on, and what else holds of each.
    bounds: Mapping[str, Sequence[str]]
    cases: Cases  # what names stand for

    @functools.cached_property
    def context(self) -> Any:
        """The solver's memory: in one of its own, a claim is answered alike whatever was asked of others before."""
        import z3

        return z3.Context()


def find_case(space: Space, given: Sequence[Formula], *also: Sequence[str]) -> Answer:
    """Look for a case in which conditions are true and, in the solver's terms, one of each of some alternatives.

    Each alternative is looked for by itself.
    """
    base = [any_of(*formula.truth(space.cases).true) for formula in given]
    answers = []
    for parts in itertools.product(*also):
        answers.append(_ask(space, [*base, *parts]))
        if answers[-1].exists:
            return answers[-1]
    return Answer(None if any(answer.exists is None for answer in answers) else False)


def exists(space: Space, given: Sequence[Formula], *also: Sequence[str]) -> bool | None:
    """Tell whether `find_case` finds that there is one."""
    return find_case(space, given, *also).exists


def _ask(space: Space, conditions: Sequence[str]) -> Answer:
    import z3  # takes its time, and most commands ask nothing

    if "false" in conditions:
        return Answer(False)
    solver = z3.Tactic("qfnra-nlsat", space.context).solver()
    solver.set("rlimit", STEPS)
    known = [f"(>= {name} 0.0)" for name in space.bounds], *space.bounds.values(), conditions
    declared = "".join(f"(declare-const {name} Real)" for name in space.bounds)
    solver.from_string(declared + "".join(f"(assert {text})" for text in itertools.chain(*known)))
    result = solver.check()
    if result != z3.sat:
        return Answer(False if result == z3.unsat else None)
    model = solver.model()
    values = [model.eval(z3.Real(name, space.context), model_completion=True) for name in space.bounds]
    if not all(map(z3.is_rational_value, values)):
        return Answer(True)
    return Answer(
        True, tuple(Fraction(value.numerator_as_long(), value.denominator_as_long()) for value in values)
    )
