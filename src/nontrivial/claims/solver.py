"""The solver z3, which decides claims for cases of any size: numbers in its language SMT-LIB, and questions."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from nontrivial.claims.language.formulas import Formula, FormulaCases
from nontrivial.claims.language.numbers import on_one_scale
from nontrivial.claims.verdict import Case
from nontrivial.measures.catalogue import RATIO_SCALE, ROOT_SCALE, Scale

# Limits for each alternative. A limit of time would make verdicts depend on the machine.
MAX_SOLVER_STEPS = 1_000_000
FEW_SOLVER_STEPS = MAX_SOLVER_STEPS // 12  # enough to prove most claims that can be proved
MAX_ALTERNATIVES = 64
_ONE = "1.0"
_EQUALITIES = {"==": "=", "!=": "distinct"}


@dataclass(frozen=True)
class Proposition:
    """The conditions, in the solver's terms, under which a formula is true, false and undefined."""

    true: tuple[str, ...]  # conditions; the formula is true if one of them holds
    false: tuple[str, ...]
    undefined: str

    def __and__(self, other: Proposition) -> Proposition:
        sides = [self.true, other.true]
        if math.prod(map(len, sides)) > MAX_ALTERNATIVES:  # too many to try one by one
            sides = [(any_of(*side),) for side in sides]
        true = tuple(all_of(*pair) for pair in itertools.product(*sides))
        # Both conditions get names, because repeating the conditions would double the text with each `&`.
        named = f"((one {self.undefined}) (other {other.undefined}))"
        undefined = all_of("(or one other)", any_of("one", *self.true), any_of("other", *other.true))
        return Proposition(true, self.false + other.false, f"(let {named} {undefined})")

    def __invert__(self) -> Proposition:
        return Proposition(self.false, self.true, self.undefined)


@dataclass(frozen=True)
class SolverRatio:
    """A number in the solver's terms. With the denominator 0, the number is infinite, or has no value (0/0)."""

    numerator: str
    denominator: str = _ONE
    divisors: tuple[str, ...] = ()  # terms; the number is finite if no divisor is 0
    scale: Scale = RATIO_SCALE  # the scale of a measure, such as a square root, which is applied to the ratio
    is_signed: bool = False  # whether the number can be negative, such as a difference
    choice: str = ""  # <= for a minimum, >= for a maximum
    members: tuple[SolverRatio, ...] = ()  # the numbers of a minimum or maximum
    chosen_from: tuple[SolverRatio, ...] = ()  # numbers; this number has a value only if all of them have one
    root: str = ""  # x, if the numerator is x |x|

    @classmethod
    def constant(cls, number: Fraction | int) -> SolverRatio:
        """Make a number that is the same in all cases."""
        numerator = f"{abs(number.numerator)}.0"
        return cls(f"(- {numerator})" if number < 0 else numerator, f"{number.denominator}.0")

    def __add__(self, other: SolverRatio) -> SolverRatio:
        left = _product_of(self.numerator, other.denominator)
        numerator = f"(+ {left} {_product_of(other.numerator, self.denominator)})"
        if self.divisors and other.divisors:  # two infinite numbers of one sign have an infinite sum
            are_zero = (any_of(*(f"(= {divisor} 0.0)" for divisor in ratio.divisors)) for ratio in (self, other))
            are_infinite = all_of(*are_zero, f"(= 0.0 {self.denominator} {other.denominator})")
            same_sign = f"(> {_product_of(self.numerator, other.numerator)} 0.0)"
            numerator = f"(ite {are_infinite} (ite {same_sign} {self.numerator} 0.0) {numerator})"
        return self._combine_with(other, numerator, _product_of(self.denominator, other.denominator))

    def __sub__(self, other: SolverRatio) -> SolverRatio:
        return replace(self + replace(other, numerator=f"(- {other.numerator})"), is_signed=True)

    def __mul__(self, other: SolverRatio) -> SolverRatio:
        numerator = _product_of(self.numerator, other.numerator)
        product = self._combine_with(other, numerator, _product_of(self.denominator, other.denominator))
        is_signed_square = other.choice == ">=" and other.members[0] == self and self.denominator == _ONE
        return replace(product, root=self.numerator) if is_signed_square else product

    def __rmul__(self, factor: int) -> SolverRatio:
        return SolverRatio.constant(factor) * self

    def __truediv__(self, other: SolverRatio) -> SolverRatio:
        divisor = other.numerator
        numerator = _product_of(self.numerator, other.denominator)
        denominator = _product_of(self.denominator, divisor)
        if other.is_signed:  # a squared divisor changes no order; if it is 0, the result has no value
            numerator, denominator = _product_of(numerator, divisor), _product_of(denominator, divisor)
        ratio = self._combine_with(other, numerator, denominator)
        root = "" if other.is_signed or other.denominator != _ONE else self.root
        return replace(ratio, divisors=(*ratio.divisors, divisor), root=root)

    def _combine_with(self, other: SolverRatio, numerator: str, denominator: str) -> SolverRatio:
        """Return a result of two numbers, with the divisors of both."""
        divisors, chosen_from = self.divisors + other.divisors, self.chosen_from + other.chosen_from
        is_signed = self.is_signed or other.is_signed
        return SolverRatio(numerator, denominator, divisors, is_signed=is_signed, chosen_from=chosen_from)

    def __abs__(self) -> SolverRatio:
        if self.root:
            square = _product_of(self.root, self.root)
            return replace(self, numerator=square, scale=RATIO_SCALE, is_signed=False, root="")
        ratio = replace(self, scale=RATIO_SCALE)
        return replace(ratio.choose(">=", SolverRatio.constant(0) - ratio), is_signed=False)

    def choose(self, symbol: str, other: SolverRatio) -> SolverRatio:
        """Choose the smaller (``<=``) or greater (``>=``) of two numbers."""
        is_first = _comparison_of(self, symbol, other, also_infinite=True)
        numerator = f"(ite {is_first} {self.numerator} {other.numerator})"
        denominator = f"(ite {is_first} {self.denominator} {other.denominator})"
        members = (*(self.members if self.choice == symbol else (self,)), other)
        ratio = self._combine_with(other, numerator, denominator)
        return replace(ratio, choice=symbol, members=members, chosen_from=(*ratio.chosen_from, self, other))

    def to_scale(self, scale: Scale) -> SolverRatio:
        """Return the ratio whose value on an increasing scale is this number."""
        above, below = scale.ratio_of(SolverRatio(self.numerator), SolverRatio(self.denominator))
        return replace(self, numerator=above.numerator, denominator=below.numerator)

    @property
    def signed_square(self) -> _SignedSquare:
        """Return the square of the number as a ratio, with a term that has the sign of the number."""
        if self.scale == ROOT_SCALE and self.root:
            return _SignedSquare(self.root, _product_of(self.root, self.root), self.denominator)
        if self.scale == ROOT_SCALE:  # a root is never negative, so its signed square is the ratio under the root
            return _SignedSquare(self.numerator, self.numerator, self.denominator)
        square = _product_of(self.numerator, self.numerator)
        return _SignedSquare(self.numerator, square, _product_of(self.denominator, self.denominator))

    @staticmethod
    def compare(symbols: Sequence[str], numbers: Sequence[SolverRatio]) -> Proposition:
        """State when a chain of comparisons is true, false and undefined, for finite and for infinite numbers."""
        zeros = dict.fromkeys(f"(= {divisor} 0.0)" for number in numbers for divisor in number.divisors)
        finite = [f"(not {zero})" for zero in zeros]
        links = _comparisons_in_chain(symbols, numbers)
        true, false = all_of(*finite, *links), [all_of(*finite, f"(not {link})") for link in links]
        if not zeros:
            return Proposition((true,), tuple(false), "false")
        must_have_value = itertools.chain(numbers, *(number.chosen_from for number in numbers))
        no_value = any_of(
            *(
                f"(and (= {number.numerator} 0.0) (= {number.denominator} 0.0))"
                for number in must_have_value
                if number.divisors
            )
        )
        infinite, holds = any_of(*zeros), all_of(*_comparisons_in_chain(symbols, numbers, also_infinite=True))
        true_if_infinite = all_of(infinite, f"(not {no_value})", holds)
        false_if_infinite = all_of(infinite, f"(not {no_value})", f"(not {holds})")
        return Proposition((true, true_if_infinite), (*false, false_if_infinite), all_of(infinite, no_value))


class _SignedSquare(NamedTuple):
    """The square of a number as a ratio, and a term with the same sign as the number."""

    sign: str
    numerator: str
    denominator: str


def any_of(*conditions: str) -> str:
    return f"(or false {' '.join(conditions)})"


def all_of(*conditions: str) -> str:
    return f"(and true {' '.join(conditions)})"


def _comparisons_in_chain(
    symbols: Sequence[str], numbers: Sequence[SolverRatio], *, also_infinite: bool = False
) -> list[str]:
    """Write comparisons, with minima and maxima split: max(a, b) <= c becomes a <= c and b <= c."""
    links = []
    for first, symbol, second in zip(numbers, symbols, numbers[1:], strict=False):
        # "<" splits a maximum on the left and a minimum on the right, ">" the reverse.
        left_choice, right_choice = {"<": (">=", "<="), ">": ("<=", ">=")}.get(symbol[0], ("none", "none"))
        lefts = first.members if first.choice == left_choice else (first,)
        rights = second.members if second.choice == right_choice else (second,)
        links += [_comparison_of(left, symbol, right, also_infinite) for left in lefts for right in rights]
    return links


def _comparison_of(first: SolverRatio, symbol: str, second: SolverRatio, also_infinite: bool) -> str:
    if ROOT_SCALE in (first.scale, second.scale) and {first.scale, second.scale} <= {ROOT_SCALE, RATIO_SCALE}:
        return _comparison_of_squares(first, symbol, second)
    first, second = on_one_scale(first, second)
    left = _product_of(first.numerator, second.denominator)
    right = _product_of(second.numerator, first.denominator)
    if also_infinite and first.divisors and second.divisors and "-" in first.numerator + second.numerator:
        # Two infinite numbers compare by their signs.
        are_infinite = f"(and (= {first.denominator} 0.0) (= {second.denominator} 0.0))"
        left = f"(ite {are_infinite} (ite (> {first.numerator} 0.0) 1.0 (- 1.0)) {left})"
        right = f"(ite {are_infinite} (ite (> {second.numerator} 0.0) 1.0 (- 1.0)) {right})"
    return f"({_EQUALITIES.get(symbol, symbol)} {left} {right})"


def _comparison_of_squares(first: SolverRatio, symbol: str, second: SolverRatio) -> str:
    """Write a comparison of two numbers by their signs, and, for equal signs, by their squares, without roots."""
    first_square, second_square = first.signed_square, second.signed_square
    left = _product_of(first_square.numerator, second_square.denominator)
    right = _product_of(second_square.numerator, first_square.denominator)
    symbol = _EQUALITIES.get(symbol, symbol)
    positive, other_positive = f"(>= {first_square.sign} 0.0)", f"(>= {second_square.sign} 0.0)"
    negative, other_negative = f"(< {first_square.sign} 0.0)", f"(< {second_square.sign} 0.0)"
    ways = [
        all_of(positive, other_positive, f"({symbol} {left} {right})"),
        all_of(negative, other_negative, f"({symbol} {right} {left})"),
    ]
    if symbol in (">", ">=", "distinct"):
        ways.append(all_of(positive, other_negative))
    if symbol in ("<", "<=", "distinct"):
        ways.append(all_of(negative, other_positive))
    return any_of(*ways)


def _product_of(first: str, second: str) -> str:
    if _ONE in (first, second):
        return second if first == _ONE else first
    return f"(* {first} {second})"


class SolverAnswer(NamedTuple):
    """Whether a case exists, None if the solver gave up, and the case, if all its numbers are rational."""

    exists: bool | None
    case: Case | None = None


@dataclass(frozen=True, eq=False)
class SolverSpace:
    """All cases of a domain in the solver's terms."""

    variables: Sequence[str]
    bounds: Sequence[str]  # conditions on the variables
    cases: FormulaCases
    is_whole: bool = True  # whether cases consist of whole numbers only

    @functools.cached_property
    def _solver_context(self) -> Any:
        """Return the solver's memory, a new one for each claim, so that no earlier question changes an answer."""
        import z3  # z3 loads slowly, and most commands do not need z3

        return z3.Context()

    def _make_solver(self, steps: int, *conditions: str) -> Any:
        """Make a solver that has these conditions, and that gives up after so many steps."""
        import z3  # z3 loads slowly, and most commands do not need z3

        solver = z3.Tactic("qfnra-nlsat", self._solver_context).solver()
        solver.set("rlimit", steps)
        declared = "".join(f"(declare-const {name} Real)" for name in self.variables)
        solver.from_string(declared + "".join(f"(assert {text})" for text in conditions))
        return solver

    def _drop_impossible(self, alternatives: Sequence[str]) -> Sequence[str]:
        """Return the alternatives without those that the solver quickly shows to be impossible."""
        if len(alternatives) == 1:
            return alternatives
        steps = 1 + MAX_SOLVER_STEPS // 100
        solvers = ((text, self._make_solver(steps, *self.bounds, text)) for text in alternatives)
        return [text for text, solver in solvers if str(solver.check()) != "unsat"]

    def find_case(
        self, conditions: Sequence[Formula], *choices: Sequence[str], steps: int | None = None
    ) -> SolverAnswer:
        """Find a case that meets all conditions, and at least one alternative of each choice."""
        import z3

        given = [any_of(*self._drop_impossible(formula.evaluate(self.cases).true)) for formula in conditions]
        exists: bool | None = False
        for number, chosen in enumerate(itertools.product(*map(self._drop_impossible, choices))):
            if number == MAX_ALTERNATIVES:
                return SolverAnswer(None)
            solver = self._make_solver(steps or MAX_SOLVER_STEPS, *self.bounds, *given, *chosen)
            result = solver.check()
            if result == z3.sat:
                return SolverAnswer(True, self._rational_case(solver.model()))
            if result != z3.unsat:
                exists = None
        return SolverAnswer(exists)

    def _rational_case(self, model: Any) -> Case | None:
        """Return the case of a solver's model, scaled to whole numbers if needed; None if a number is irrational."""
        import z3

        values = [model.eval(z3.Real(name, self._solver_context), True) for name in self.variables]
        if not all(map(z3.is_rational_value, values)):
            return None
        numbers = [value.as_fraction() for value in values]
        factor = math.lcm(*(number.denominator for number in numbers)) if self.is_whole else 1
        return as_case(factor * number for number in numbers)


def as_case(numbers: Iterable[int | Fraction]) -> Case:
    """Turn numbers into a case, in which whole numbers are integers."""
    return tuple(int(number) if number.denominator == 1 else number for number in numbers)
