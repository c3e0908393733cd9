"""The solver z3, which decides claims for cases of any size: its terms, and how it is asked.

The terms are texts of SMT-LIB on real numbers from 0 on; exact arithmetic, which confirms what the solver refutes,
has operations of its own. The solver works under limits of its own steps, and of the alternatives that it tries one by
one, which are the same on every machine; beyond them a claim is undecided.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from nontrivial.claims.language import Cases, Formula

STEPS = 1_000_000  # for each alternative
MOST = 64  # alternatives
_ONE = "1.0"
_EQUALITIES = {"==": "=", "!=": "distinct"}


@dataclass(frozen=True)
class Proposition:
    """Where a condition is true, false and undefined."""

    true: tuple[str, ...]  # where one of these holds
    false: tuple[str, ...]
    undefined: str

    def __and__(self, other: Proposition) -> Proposition:
        true = all_of(any_of(*self.true), any_of(*other.true))
        open_ = (any_of(one.undefined, *one.true) for one in (self, other))
        undefined = all_of(any_of(self.undefined, other.undefined), *open_)
        return Proposition((true,), self.false + other.false, undefined)

    def __invert__(self) -> Proposition:
        return Proposition(self.false, self.true, self.undefined)


@dataclass(frozen=True)
class Ratio:
    """A number."""

    above: str
    below: str = _ONE
    divisors: tuple[str, ...] = ()  # what must not be 0, so that it has a value
    is_root: bool = False  # whether the number meant is the signed square root
    choice: str = ""  # <= of a minimum, >= of a maximum
    members: tuple[Ratio, ...] = ()  # what it is a minimum or maximum of

    @classmethod
    def of(cls, exact: Fraction | int) -> Ratio:
        """A number that is the same in all cases."""
        return cls(f"{exact.numerator}.0", f"{exact.denominator}.0")

    def __add__(self, other: Ratio) -> Ratio:
        above = f"(+ {_times(self.above, other.below)} {_times(other.above, self.below)})"
        return Ratio(above, _times(self.below, other.below), self.divisors + other.divisors)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + replace(other, above=f"(- {other.above})")

    def __mul__(self, other: Ratio) -> Ratio:
        divisors = self.divisors + other.divisors
        return Ratio(_times(self.above, other.above), _times(self.below, other.below), divisors)

    def __truediv__(self, other: Ratio) -> Ratio:
        above, below = _times(self.above, other.below), _times(self.below, other.above)
        if "-" in other.above:  # it may be negative: squared, it leaves orders as they are
            above, below = _times(above, other.above), _times(below, other.above)
        return Ratio(above, below, (*self.divisors, *other.divisors, other.above))

    def magnitude(self) -> Ratio:
        plain = replace(self, is_root=False)
        return plain.choose(">=", Ratio.of(0) - plain)

    def choose(self, symbol: str, other: Ratio) -> Ratio:
        """The smaller (``<=``) or greater (``>=``) of two numbers."""
        first = _holds(self, symbol, other)
        above = f"(ite {first} {self.above} {other.above})"
        below = f"(ite {first} {self.below} {other.below})"
        members = (*(self.members if self.choice == symbol else (self,)), other)
        return Ratio(above, below, self.divisors + other.divisors, choice=symbol, members=members)

    @staticmethod
    def compare(symbols: Sequence[str], numbers: Sequence[Ratio]) -> Proposition:
        """Where a chain of comparisons is true, false and undefined."""
        zeros = dict.fromkeys(f"(= {divisor} 0.0)" for number in numbers for divisor in number.divisors)
        defined = [f"(not {zero})" for zero in zeros]
        links = list(itertools.chain(*map(_links, numbers, symbols, numbers[1:])))
        false = tuple(all_of(*defined, f"(not {link})") for link in links)
        return Proposition((all_of(*defined, *links),), false, any_of(*zeros))


def any_of(*conditions: str) -> str:
    return f"(or false {' '.join(conditions)})"


def all_of(*conditions: str) -> str:
    return f"(and true {' '.join(conditions)})"


def _links(one: Ratio, symbol: str, other: Ratio) -> list[str]:
    """A comparison as one or several: max(a, b) <= c is a <= c and b <= c, and min() on the greater side likewise."""
    if symbol in _EQUALITIES:
        return [_holds(one, symbol, other)]
    of_one, of_other = (">=", "<=") if symbol in ("<=", "<") else ("<=", ">=")
    ones = one.members if one.choice == of_one else (one,)
    others = other.members if other.choice == of_other else (other,)
    return [_holds(a, symbol, b) for a in ones for b in others]


def _holds(one: Ratio, symbol: str, other: Ratio) -> str:
    if one.is_root or other.is_root:
        one, other = _signed_square(one), _signed_square(other)
    left, right = _times(one.above, other.below), _times(other.above, one.below)
    return f"({_EQUALITIES.get(symbol, symbol)} {left} {right})"


def _signed_square(number: Ratio) -> Ratio:
    if number.is_root:
        return number
    square = _times(number.above, number.above)
    return Ratio(f"(ite (>= {number.above} 0.0) {square} (- {square}))", _times(number.below, number.below))


def _times(one: str, other: str) -> str:
    return other if one == _ONE else one if other == _ONE else f"(* {one} {other})"


@dataclass(frozen=True, eq=False)
class Space:
    """All cases of a kind in the solver's terms."""

    variables: Sequence[str]  # numbers from 0 on
    bounds: Sequence[str]  # what else holds of them
    cases: Cases  # what names stand for
    whole: bool = True  # whether cases are whole numbers only

    @functools.cached_property
    def _context(self) -> Any:
        """The solver's memory. Each claim has its own, so that no earlier question changes its answer."""
        import z3  # takes its time, and most commands ask nothing

        return z3.Context()

    def find(
        self, given: Sequence[Formula], *also: Sequence[str]
    ) -> tuple[bool | None, tuple[int | Fraction, ...] | None]:
        """Look for a case in which conditions are true and, in the solver's terms, one of each of some alternatives.

        Returns whether there is one, None if the limit was reached first, and the case, if it is rational; made whole
        by a common factor if it has to be.
        """
        import z3

        known = [f"(>= {name} 0.0)" for name in self.variables] + [*self.bounds]
        known += [any_of(*formula.truth(self.cases).true) for formula in given]
        declared = "".join(f"(declare-const {name} Real)" for name in self.variables)
        exists: bool | None = False
        for number, parts in enumerate(itertools.product(*also)):
            if number == MOST:
                return None, None
            solver = z3.Tactic("qfnra-nlsat", self._context).solver()
            solver.set("rlimit", STEPS)
            solver.from_string(declared + "".join(f"(assert {text})" for text in (*known, *parts)))
            result = solver.check()
            if result == z3.sat:
                model = solver.model()
                values = [model.eval(z3.Real(name, self._context), True) for name in self.variables]
                if not all(map(z3.is_rational_value, values)):
                    return True, None
                numbers = [value.as_fraction() for value in values]
                scale = math.lcm(*(x.denominator for x in numbers)) if self.whole else 1
                return True, plain(scale * x for x in numbers)
            if result != z3.unsat:
                exists = None
        return exists, None


def plain(numbers: Iterable[int | Fraction]) -> tuple[int | Fraction, ...]:
    """Numbers, whole ones as integers."""
    return tuple(int(number) if number.denominator == 1 else number for number in numbers)
