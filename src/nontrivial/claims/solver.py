"""The solver z3, which decides claims for cases of any size: its terms, texts of SMT-LIB, and how it is asked."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from nontrivial.claims.language import Cases, Formula, as_ratios
from nontrivial.measures.catalogue import RATIO, ROOT, Scale

STEPS = 1_000_000  # for each alternative; the same on every machine, as seconds are not
FEW_STEPS = STEPS // 12  # in which most claims that it proves are proved
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
        sides = [self.true, other.true]
        if math.prod(map(len, sides)) > MOST:  # too many to try one by one
            sides = [(any_of(*side),) for side in sides]
        true = tuple(all_of(*both) for both in itertools.product(*sides))
        # Named, as repeating them would double the text with each condition.
        named = f"((one {self.undefined}) (other {other.undefined}))"
        either = all_of("(or one other)", any_of("one", *self.true), any_of("other", *other.true))
        return Proposition(true, self.false + other.false, f"(let {named} {either})")

    def __invert__(self) -> Proposition:
        return Proposition(self.false, self.true, self.undefined)


@dataclass(frozen=True)
class Ratio:
    """A number: infinite, or 0/0, where what is below is 0."""

    above: str
    below: str = _ONE
    divisors: tuple[str, ...] = ()  # where none is 0, it has a finite value
    scale: Scale = RATIO  # of a measure: what the number meant is of the ratio
    is_signed: bool = False  # whether it may be below 0, as differences may
    choice: str = ""  # <= of a minimum, >= of a maximum
    members: tuple[Ratio, ...] = ()  # what it is a minimum or maximum of
    chosen_from: tuple[Ratio, ...] = ()  # all that must have a value, so that it has one
    root: str = ""  # if `above` is x |x|, the x

    @classmethod
    def of(cls, exact: Fraction | int) -> Ratio:
        """A number that is the same in all cases."""
        above = f"{abs(exact.numerator)}.0"
        return cls(f"(- {above})" if exact < 0 else above, f"{exact.denominator}.0")

    def __add__(self, other: Ratio) -> Ratio:
        above = f"(+ {_times(self.above, other.below)} {_times(other.above, self.below)})"
        if self.divisors and other.divisors:  # two infinite numbers with one sign add up to one
            zeros = (any_of(*(f"(= {by} 0.0)" for by in ratio.divisors)) for ratio in (self, other))
            both = all_of(*zeros, f"(= 0.0 {self.below} {other.below})")
            above = f"(ite {both} (ite (> {_times(self.above, other.above)} 0.0) {self.above} 0.0) {above})"
        return self._with(other, above, _times(self.below, other.below))

    def __sub__(self, other: Ratio) -> Ratio:
        return replace(self + replace(other, above=f"(- {other.above})"), is_signed=True)

    def __mul__(self, other: Ratio) -> Ratio:
        product = self._with(other, _times(self.above, other.above), _times(self.below, other.below))
        is_signed_square = other.choice == ">=" and other.members[0] == self and self.below == _ONE
        return replace(product, root=self.above) if is_signed_square else product

    def __rmul__(self, factor: int) -> Ratio:
        return Ratio.of(factor) * self

    def __truediv__(self, other: Ratio) -> Ratio:
        above, below, by = _times(self.above, other.below), _times(self.below, other.above), other.above
        if other.is_signed:  # squared, it leaves orders as they are; where it is 0, there is no value
            above, below = _times(above, by), _times(below, by)
        ratio = self._with(other, above, below)
        root = "" if other.is_signed or other.below != _ONE else self.root
        return replace(ratio, divisors=(*ratio.divisors, by), root=root)

    def _with(self, other: Ratio, above: str, below: str) -> Ratio:
        divisors, chosen_from = self.divisors + other.divisors, self.chosen_from + other.chosen_from
        is_signed = self.is_signed or other.is_signed
        return Ratio(above, below, divisors, is_signed=is_signed, chosen_from=chosen_from)

    def __abs__(self) -> Ratio:
        if self.root:
            return replace(self, above=_times(self.root, self.root), scale=RATIO, is_signed=False, root="")
        plain = replace(self, scale=RATIO)
        return replace(plain.choose(">=", Ratio.of(0) - plain), is_signed=False)

    def choose(self, symbol: str, other: Ratio) -> Ratio:
        """The smaller (``<=``) or greater (``>=``) of two numbers."""
        first = _holds(self, symbol, other, also_infinite=True)
        above = f"(ite {first} {self.above} {other.above})"
        below = f"(ite {first} {self.below} {other.below})"
        members = (*(self.members if self.choice == symbol else (self,)), other)
        ratio = self._with(other, above, below)
        return replace(ratio, choice=symbol, members=members, chosen_from=(*ratio.chosen_from, self, other))

    def on(self, scale: Scale) -> Ratio:
        """The ratio whose value on a scale that rises is this number."""
        first, second = scale.ratio_of(Ratio(self.above), Ratio(self.below))
        return replace(self, above=first.above, below=second.above)

    @property
    def signed_square(self) -> tuple[str, str, str]:
        """What has its sign, and its square above and below; of a measure with a root, the ratio is the square."""
        if self.scale == ROOT and self.root:
            return self.root, _times(self.root, self.root), self.below
        if self.scale == ROOT:  # never below 0
            return self.above, self.above, self.below
        return self.above, _times(self.above, self.above), _times(self.below, self.below)

    @staticmethod
    def compare(symbols: Sequence[str], numbers: Sequence[Ratio]) -> Proposition:
        """Where a chain of comparisons is true, false and undefined; where numbers are infinite, in cases apart."""
        zeros = dict.fromkeys(f"(= {divisor} 0.0)" for number in numbers for divisor in number.divisors)
        finite = [f"(not {zero})" for zero in zeros]
        links = _chain(symbols, numbers)
        true, false = all_of(*finite, *links), [all_of(*finite, f"(not {link})") for link in links]
        if not zeros:
            return Proposition((true,), tuple(false), "false")
        every = itertools.chain(numbers, *(number.chosen_from for number in numbers))
        without = any_of(
            *(f"(and (= {number.above} 0.0) (= {number.below} 0.0))" for number in every if number.divisors)
        )
        apart, holds = any_of(*zeros), all_of(*_chain(symbols, numbers, also_infinite=True))
        true_apart = all_of(apart, f"(not {without})", holds)
        false_apart = all_of(apart, f"(not {without})", f"(not {holds})")
        return Proposition((true, true_apart), (*false, false_apart), all_of(apart, without))


def any_of(*conditions: str) -> str:
    return f"(or false {' '.join(conditions)})"


def all_of(*conditions: str) -> str:
    return f"(and true {' '.join(conditions)})"


def _chain(symbols: Sequence[str], numbers: Sequence[Ratio], *, also_infinite: bool = False) -> list[str]:
    """Comparisons, each as one or several: max(a, b) <= c is a <= c and b <= c, and min() on the greater side alike."""
    links = []
    for first, symbol, second in zip(numbers, symbols, numbers[1:], strict=False):
        of_one, of_other = {"<": (">=", "<="), ">": ("<=", ">=")}.get(symbol[0], ("none", "none"))
        ones = first.members if first.choice == of_one else (first,)
        others = second.members if second.choice == of_other else (second,)
        links += [_holds(a, symbol, b, also_infinite) for a in ones for b in others]
    return links


def _holds(first: Ratio, symbol: str, second: Ratio, also_infinite: bool) -> str:
    if ROOT in (first.scale, second.scale) and {first.scale, second.scale} <= {ROOT, RATIO}:
        return _squares_hold(first, symbol, second)
    first, second = as_ratios(first, second)
    left, right = _times(first.above, second.below), _times(second.above, first.below)
    if also_infinite and first.divisors and second.divisors and "-" in first.above + second.above:
        # Two infinite numbers compare by their signs.
        both = f"(and (= {first.below} 0.0) (= {second.below} 0.0))"
        left = f"(ite {both} (ite (> {first.above} 0.0) 1.0 (- 1.0)) {left})"
        right = f"(ite {both} (ite (> {second.above} 0.0) 1.0 (- 1.0)) {right})"
    return f"({_EQUALITIES.get(symbol, symbol)} {left} {right})"


def _squares_hold(first: Ratio, symbol: str, second: Ratio) -> str:
    """Compare numbers by their signs, and of one sign by their squares, so that no root is needed."""
    (sign, above, below), (its_sign, its_above, its_below) = first.signed_square, second.signed_square
    left, right, symbol = _times(above, its_below), _times(its_above, below), _EQUALITIES.get(symbol, symbol)
    positive, its_positive = f"(>= {sign} 0.0)", f"(>= {its_sign} 0.0)"
    negative, its_negative = f"(< {sign} 0.0)", f"(< {its_sign} 0.0)"
    cases = [
        all_of(positive, its_positive, f"({symbol} {left} {right})"),
        all_of(negative, its_negative, f"({symbol} {right} {left})"),
    ]
    if symbol in (">", ">=", "distinct"):
        cases.append(all_of(positive, its_negative))
    if symbol in ("<", "<=", "distinct"):
        cases.append(all_of(negative, its_positive))
    return any_of(*cases)


def _times(first: str, second: str) -> str:
    if _ONE in (first, second):
        return second if first == _ONE else first
    return f"(* {first} {second})"


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

    def _solver(self, steps: int, *conditions: str) -> Any:
        import z3  # takes its time, and most commands ask nothing

        solver = z3.Tactic("qfnra-nlsat", self._context).solver()
        solver.set("rlimit", steps)
        declared = "".join(f"(declare-const {name} Real)" for name in self.variables)
        solver.from_string(declared + "".join(f"(assert {text})" for text in conditions))
        return solver

    def _possible(self, alternatives: Sequence[str]) -> Sequence[str]:
        """Alternatives but those soon seen to be impossible by themselves: most measures are infinite nowhere."""
        if len(alternatives) == 1:
            return alternatives
        bounds = [*(f"(>= {name} 0.0)" for name in self.variables), *self.bounds]
        return [
            alternative
            for alternative in alternatives
            if str(self._solver(1 + STEPS // 100, *bounds, alternative).check()) != "unsat"
        ]

    def find(
        self, given: Sequence[Formula], *also: Sequence[str], steps: int | None = None
    ) -> tuple[bool | None, tuple[int | Fraction, ...] | None]:
        """Tell whether conditions, and one of each of some alternatives, hold in a case, and return it if rational."""
        import z3

        known = [f"(>= {name} 0.0)" for name in self.variables] + [*self.bounds]
        known += [any_of(*self._possible(formula.truth(self.cases).true)) for formula in given]
        exists: bool | None = False
        for number, parts in enumerate(itertools.product(*map(self._possible, also))):
            if number == MOST:
                return None, None
            solver = self._solver(steps or STEPS, *known, *parts)
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
