"""Polynomials in the four cells of a confusion table, whose order is known as far as their signs are."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

CELLS = ("fp", "tp", "fn", "tn")

Exponents = tuple[int, ...]


class UndecidedError(ValueError):
    """The method does not reach a question.

    Attributes
    ----------
    polynomial : Polynomial or None
        What would decide it, were its sign known.
    """

    def __init__(self, polynomial: Polynomial | None = None) -> None:
        super().__init__("undecided" if polynomial is None else f"the sign of {polynomial.text()} is open.")
        self.polynomial = polynomial


@dataclass(frozen=True, eq=False)
class Polynomial:
    """A polynomial in the four cells, with what is taken for granted of them.

    Attributes
    ----------
    terms : dict
        Coefficients by exponents, none of them 0.
    granted : tuple of Polynomial
        Polynomials that are taken not to be negative.
    """

    terms: dict[Exponents, Fraction]
    granted: tuple[Polynomial, ...] = ()

    def __add__(self, other: Any) -> Polynomial:
        sums = dict(self.terms)
        for exponents, coefficient in self._terms_of(other).items():
            sums[exponents] = sums.get(exponents, Fraction(0)) + coefficient
        return self._with(sums)

    def __mul__(self, other: Any) -> Polynomial:
        products: dict[Exponents, Fraction] = {}
        for (one, a), (two, b) in itertools.product(self.terms.items(), self._terms_of(other).items()):
            exponents = tuple(x + y for x, y in zip(one, two, strict=True))
            products[exponents] = products.get(exponents, Fraction(0)) + a * b
        return self._with(products)

    def __neg__(self) -> Polynomial:
        return self * -1

    def __sub__(self, other: Any) -> Polynomial:
        return self + self._with(self._terms_of(other)) * -1

    def __rsub__(self, other: Any) -> Polynomial:
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __abs__(self) -> Polynomial:
        return self * self._sign()

    def __ne__(self, other: object) -> bool:
        return bool((self - other).terms)

    def __eq__(self, other: object) -> bool:
        return not self != other

    def __lt__(self, other: Any) -> bool:
        return (self - other)._sign() < 0

    def __le__(self, other: Any) -> bool:
        return not other - self < 0

    def __ge__(self, other: Any) -> bool:
        return not self < other

    def _sign(self) -> int:
        """1 where it cannot be negative, -1 where it cannot be positive."""
        for sign in (1, -1):
            signed = self * sign
            if signed.is_plainly_positive or any(signed == known for known in self.granted):
                return sign
        raise UndecidedError(self)

    @property
    def is_plainly_positive(self) -> bool:
        """Whether no coefficient is negative, so that no table gives a negative number."""
        return all(coefficient > 0 for coefficient in self.terms.values())

    @property
    def degree(self) -> int | None:
        """The degree that all terms share, None if they have several or there are none."""
        degrees = {sum(exponents) for exponents in self.terms}
        return degrees.pop() if len(degrees) == 1 else None

    def text(self) -> str:
        """The polynomial as the registry would write it.

        Examples
        --------
        >>> fp, tp, fn, tn = cells()
        >>> ((tp - fp) * (tp + fp) * 2).text()
        '2*tp^2 - 2*fp^2'
        """
        parts = []
        for exponents, coefficient in sorted(self.terms.items(), key=lambda item: (item[1] < 0, item[0])):
            factors = [
                name if power == 1 else f"{name}^{power}"
                for name, power in zip(CELLS, exponents, strict=True)
                if power
            ]
            if abs(coefficient) != 1 or not factors:
                factors.insert(0, str(abs(coefficient)))
            parts.append(("-" if coefficient < 0 else "+", "*".join(factors)))
        text = " ".join(f"{sign} {part}" for sign, part in parts).removeprefix("+ ")
        return text or "0"

    def _terms_of(self, other: Any) -> dict[Exponents, Fraction]:
        if isinstance(other, Polynomial):
            return other.terms
        return {(0,) * len(CELLS): Fraction(other)} if other else {}

    def _with(self, terms: dict[Exponents, Fraction]) -> Polynomial:
        return Polynomial({key: value for key, value in terms.items() if value}, self.granted)


def cells(granted: tuple[Polynomial, ...] = ()) -> list[Polynomial]:
    """The four cells FP, TP, FN, TN as polynomials."""
    size = len(CELLS)
    return [
        Polynomial({tuple(int(place == one) for one in range(size)): Fraction(1)}, granted)
        for place in range(size)
    ]
