"""The least number from which on a claim holds, found exactly or between two fractions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from nontrivial.claims.domains.domain import Domain
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.language.numbers import PrintedNumber
from nontrivial.claims.search import Question, settle
from nontrivial.claims.verdict import Decision, NothingFound, NumberFinding

_LEAST = re.compile(r"least (?P<name>[a-z][a-z0-9_]*) such that (?P<condition>.+) is (?P<stated>-?[0-9]\S*)")
MAX_RANGE_WIDTH = Fraction(1, 2000)  # around a least number; its digits may need a narrower range
_DECIMALS_TRIED = 5
_DISTANCES = tuple(map(Fraction, ("1/1000", "1/20", "1/2", "2", "20")))  # tried around the stated number
_LOOSER = {">": ">=", "<": "<="}
_STRICTER = {">=": ">", "<=": "<"}


class LeastClaim(NamedTuple):
    """A claim such as ``least x such that recall >= 1/2 is 0.7``, as written."""

    name: str
    condition: str
    stated: str

    @classmethod
    def parse(cls, text: str) -> LeastClaim | None:
        """Parse a claim about a least number; return None for any other claim."""
        match = _LEAST.fullmatch(" ".join(text.split()))
        return None if match is None else cls(**match.groupdict())


class LeastNumber(NamedTuple):
    """A claim with a variable. If the claim holds for a number, the claim holds for all greater numbers."""

    name: str  # the variable in `condition` and `given`
    condition: str
    given: Sequence[str]
    domain: Domain

    def question(self, number: Fraction, *, at_edge: bool = False) -> Question:
        """Put a number in for the variable; at the edge with < for <= in the claim, and <= for < in the conditions."""
        condition = self._replace_signs(self.condition, _STRICTER) if at_edge else self.condition
        given = [self._replace_signs(text, _LOOSER) for text in self.given] if at_edge else self.given
        digits = f"({number})" if number < 0 else str(number)
        claim, *conditions = (
            Formula.condition(re.sub(rf"\b{self.name}\b", digits, text)) for text in (condition, *given)
        )
        return Question(claim, conditions, self.domain)

    def holds(self, number: Fraction) -> bool | None:
        """Whether the claim holds for a number; None if the search leaves this open."""
        decision = settle(self.question(number))
        return decision.vacuous or {"proved": True, "refuted": False}.get(decision.status)

    def is_exact(self, number: Fraction) -> bool:
        """Whether one case refutes the claim for all smaller numbers."""
        return settle(self.question(number, at_edge=True)).status == "refuted"

    def _replace_signs(self, text: str, signs: dict[str, str]) -> str:
        """Replace the signs of the comparisons that have the variable on one side."""
        beside_name = rf"[<>]=?(?=\s*{self.name}\b)|(?<=\b{self.name})\s*[<>]=?"
        return re.sub(beside_name, lambda sign: signs.get(sign[0].strip(), sign[0]), text)


def find_least(least: LeastNumber, stated: PrintedNumber) -> NumberFinding | Decision | NothingFound:
    """Find the least number near the stated one; refute an exact stated number for which the claim fails."""
    number = stated.value
    width = min(MAX_RANGE_WIDTH, (stated.high - stated.low) / 4) or MAX_RANGE_WIDTH
    if not least.holds(number):
        if stated.low == stated.high:
            return settle(least.question(number))
        greater = (number + distance for distance in _DISTANCES)
        high = next((candidate for candidate in greater if least.holds(candidate)), None)
        return NothingFound("no least number") if high is None else narrow(least, number, high, width)
    lesser = [number - distance for distance in _DISTANCES]
    fails = [least.holds(low) is False for low in lesser]
    if True not in fails or False in fails[fails.index(True) :]:  # the claim holds again for a smaller number
        return NothingFound("no least number")
    if least.is_exact(number):
        return NumberFinding(number, number, number)
    return narrow(least, lesser[fails.index(True)], number, width)


def narrow(least: LeastNumber, low: Fraction, high: Fraction, width: Fraction) -> NumberFinding:
    """Bisect from a number for which the claim fails and one for which it holds, while each middle can be decided."""
    while high - low > width:
        middle = round((low + high) / 2, _DECIMALS_TRIED)
        holds = least.holds(middle)
        if holds is None:
            break
        low, high = (low, middle) if holds else (middle, high)
    simplest = _simplest_between(low, high)
    if least.holds(simplest):
        high = simplest
        if least.is_exact(simplest):
            low = simplest
    return NumberFinding(high, low, high)


def _simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """Return the fraction with the smallest denominator above `low` and up to `high`."""
    denominator = 1
    while (numerator := high * denominator // 1) <= low * denominator:
        denominator += 1
    return Fraction(numerator, denominator)
