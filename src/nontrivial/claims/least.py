"""The least number for which a claim holds, exactly or between two fractions."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from nontrivial.claims.domains import Domain
from nontrivial.claims.language import Formula, Printed
from nontrivial.claims.search import Question, settle
from nontrivial.claims.verdict import Absent, Decision, Number

_LEAST = re.compile(r"least (?P<name>[a-z][a-z0-9_]*) such that (?P<condition>.+) is (?P<stated>-?[0-9]\S*)")
WIDTH = Fraction(1, 2000)  # of the range in which a number is found, unless its digits ask for less
_DIGITS = 5  # of the fractions tried
_REACH = tuple(map(Fraction, ("1/1000", "1/20", "1/2", "2", "20")))  # around the stated number
_LOOSER = {">": ">=", "<": "<="}
_STRICTER = {">=": ">", "<=": "<"}


class Least(NamedTuple):
    """A claim that holds for a number just if it holds for all greater ones; `condition` and `given` name it."""

    name: str
    condition: str
    given: Sequence[str]
    domain: Domain

    def question(self, number: Fraction, *, at_edge: bool = False) -> Question:
        """Return the claim with a number put in; at the edge, with stricter and looser signs beside it."""
        condition = self._with_signs(self.condition, _STRICTER) if at_edge else self.condition
        given = [self._with_signs(text, _LOOSER) for text in self.given] if at_edge else self.given
        digits = f"({number})" if number < 0 else str(number)
        claim, *conditions = (
            Formula.condition(re.sub(rf"\b{self.name}\b", digits, text)) for text in (condition, *given)
        )
        return Question(claim, conditions, self.domain)

    def holds(self, number: Fraction) -> bool | None:
        """Tell whether the claim holds for a number; None if that is open."""
        decision = settle(self.question(number))
        return decision.vacuous or {"proved": True, "refuted": False}.get(decision.status)

    def is_exact(self, number: Fraction) -> bool:
        """Tell whether a case refutes the claim for all lesser numbers, being at the edge for this one."""
        return settle(self.question(number, at_edge=True)).status == "refuted"

    def _with_signs(self, text: str, signs: dict[str, str]) -> str:
        """Exchange the signs of the comparisons in which the number stands."""
        beside = rf"[<>]=?(?=\s*{self.name}\b)|(?<=\b{self.name})\s*[<>]=?"
        return re.sub(beside, lambda sign: signs.get(sign[0].strip(), sign[0]), text)


def parse_least(text: str) -> tuple[str, str, str] | None:
    """Return the name, the condition and the stated number of a claim; None if it asks for no least number."""
    match = _LEAST.fullmatch(" ".join(text.split()))
    return None if match is None else (match["name"], match["condition"], match["stated"])


def find_least(least: Least, stated: Printed) -> Number | Decision | Absent:
    """Look for the least number around a stated one; an exact one for which the claim fails has a counterexample."""
    number = stated.value
    width = min(WIDTH, (stated.high - stated.low) / 4) or WIDTH
    if not least.holds(number):
        if stated.low == stated.high:
            return settle(least.question(number))
        high = next((high for by in _REACH if least.holds(high := number + by)), None)
        return Absent("no least number") if high is None else narrow(least, number, high, width)
    lesser = [number - by for by in _REACH]
    fails = [least.holds(low) is False for low in lesser]
    if True not in fails or False in fails[fails.index(True) :]:  # it holds again further below
        return Absent("no least number")
    if least.is_exact(number):
        return Number(number, number, number)
    return narrow(least, lesser[fails.index(True)], number, width)


def narrow(least: Least, low: Fraction, high: Fraction, width: Fraction) -> Number:
    """Halve the range from a number for which the claim fails to one for which it holds, while that can be told."""
    while high - low > width:
        middle = round((low + high) / 2, _DIGITS)
        holds = least.holds(middle)
        if holds is None:
            break
        low, high = (low, middle) if holds else (middle, high)
    simplest = _simplest_between(low, high)
    if least.holds(simplest):
        high = simplest
        if least.is_exact(simplest):
            low = simplest
    return Number(high, low, high)


def _simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the least denominator above `low` and up to `high`."""
    denominator = 1
    while (numerator := high * denominator // 1) <= low * denominator:
        denominator += 1
    return Fraction(numerator, denominator)
