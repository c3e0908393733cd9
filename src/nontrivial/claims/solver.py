"""Puts claims to the solver z3, which decides them for cases of any size.

The solver works under a limit of its own steps, which is the same on every machine; beyond it a claim is undecided.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence
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

    variables: Sequence[str]  # numbers from 0 on
    bounds: Sequence[str]  # what else holds of them
    cases: Cases  # what names stand for

    @functools.cached_property
    def context(self) -> Any:
        """The solver's memory. Each claim has its own, so that no earlier question changes its answer."""
        import z3

        return z3.Context()


def find_case(space: Space, given: Sequence[Formula], *also: Sequence[str]) -> Answer:
    """Look for a case in which conditions are true and, in the solver's terms, one of each of some alternatives.

    Each alternative is looked for by itself.
    """
    import z3  # takes its time, and most commands ask nothing

    known = [f"(>= {name} 0.0)" for name in space.variables] + [*space.bounds]
    known += [any_of(*formula.truth(space.cases).true) for formula in given]
    declared = "".join(f"(declare-const {name} Real)" for name in space.variables)
    exists: bool | None = False
    for parts in itertools.product(*also):
        solver = z3.Tactic("qfnra-nlsat", space.context).solver()
        solver.set("rlimit", STEPS)
        solver.from_string(declared + "".join(f"(assert {text})" for text in (*known, *parts)))
        result = solver.check()
        if result == z3.sat:
            model = solver.model()
            values = [model.eval(z3.Real(name, space.context), True) for name in space.variables]
            is_exact = all(map(z3.is_rational_value, values))
            return Answer(True, tuple(value.as_fraction() for value in values) if is_exact else None)
        if result != z3.unsat:
            exists = None
    return Answer(exists)
