"""What a document states: printed numbers, comparisons, and relations between measures.

The forms that the registry accepts, by example:

=============================================  ====================================================
``0.46``, ``25,980``, ``33.33 %``, ``7/15``    a number; a decimal stands for all that round to it
``< 0``                                        a comparison with a number
``bob < alice``                                an order of named quantities
``precision < recall if positives = 1``        an order, on a condition
``precision < recall iff positives = 1``       an order that holds exactly on a condition
``sometimes precision < recall``               an order that holds at least once
``f1 <= 2 * min(precision, recall)``           terms may be expressions (see `nontrivial.audit.expressions`)
=============================================  ====================================================

Conditions are joined by ``and`` or by ``or``, not by both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from nontrivial.audit.expressions import NAME, Expression, Term, term_names
from nontrivial.audit.values import COMPARISONS

_SYMBOL = re.compile(r"(<=|>=|!=|<|>|=)")
_DECIMAL = re.compile(r"([+-]?)(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d+))?\s*(%?)", re.ASCII)
_FRACTION = re.compile(r"[+-]?\d+/[1-9]\d*", re.ASCII)


@dataclass(frozen=True)
class Printed:
    """A number as printed: its value, and the place value of its last digit.

    Attributes
    ----------
    text : str
        The digits as printed.
    value : Fraction
        The number they spell.
    unit : Fraction
        Place value of the last digit (0.01 for ``0.46``, 0.0001 for ``33.33 %``); 0 for a fraction, which is exact.

    Examples
    --------
    >>> number = Printed.parse("0.3")
    >>> number.low, number.high
    (Fraction(1, 4), Fraction(7, 20))
    >>> Printed.parse("-0.02").sign
    -1
    >>> Printed.parse("0.0").sign is None
    True
    """

    text: str
    value: Fraction
    unit: Fraction

    @classmethod
    def parse(cls, text: str) -> Printed:
        """Read a decimal (with thousands commas or a percent sign) or a fraction; else ValueError."""
        text = text.strip().replace("\N{MINUS SIGN}", "-")
        if _FRACTION.fullmatch(text):
            return cls(text, Fraction(text), Fraction(0))
        match = _DECIMAL.fullmatch(text)
        if match is None:
            raise ValueError(f"{text!r} is not a printed number such as 0.46, 25,980, 33.33 % or 7/15.")
        sign, whole, decimals, percent = match.groups(default="")
        unit = Fraction(1, 10 ** len(decimals)) / (100 if percent else 1)
        value = int(whole.replace(",", "") + decimals) * unit
        return cls(text, -value if sign == "-" else value, unit)

    @property
    def low(self) -> Fraction:
        """The least number that rounds to these digits, ends included: rounding rules differ at a half."""
        return self.value - self.unit / 2

    @property
    def high(self) -> Fraction:
        """The greatest number that rounds to these digits, ends included."""
        return self.value + self.unit / 2

    @property
    def sign(self) -> int | None:
        """1, -1 or 0 where every number that rounds to these digits has that sign, otherwise None."""
        return common_sign(self.low, self.high)

    def is_cut_from(self, number: Fraction) -> bool:
        """Tell whether leaving out the further digits of `number`, without rounding, prints these digits."""
        if (number < 0) != (self.text.startswith("-")):
            return False
        return abs(self.value) <= abs(number) < abs(self.value) + self.unit


def common_sign(low: Fraction, high: Fraction) -> int | None:
    """Return the sign that all numbers from `low` to `high` share, or None."""
    if low > 0:
        return 1
    if high < 0:
        return -1
    return 0 if low == high == 0 else None


@dataclass(frozen=True)
class Comparison:
    """A bound on one number, such as ``< 0``."""

    symbol: str
    bound: Printed

    def holds(self, number: Fraction) -> bool:
        """Tell whether `number` keeps the bound."""
        return bool(COMPARISONS[self.symbol](number, self.bound.value))


@dataclass(frozen=True)
class Order:
    """A chain such as ``prediction_advantage <= cohen_kappa <= f1``; terms are names, numbers or expressions."""

    text: str
    terms: tuple[Term, ...]
    symbols: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Order:
        """Read a chain of at least two terms; else ValueError."""
        parts = [part.strip() for part in _SYMBOL.split(text)]
        if len(parts) < 3:
            raise ValueError(f"{text!r} is not an order such as 'precision <= recall'.")
        terms = tuple(_parse_term(part) for part in parts[0::2])
        return cls(" ".join(parts), terms, tuple(parts[1::2]))

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the terms, in order."""
        return tuple(name for term in self.terms for name in term_names(term))

    @property
    def links(self) -> tuple[tuple[Term, str, Term], ...]:
        """The neighbours and the symbol between them."""
        return tuple(zip(self.terms, self.symbols, self.terms[1:], strict=False))


@dataclass(frozen=True)
class Condition:
    """Orders joined by "and", and such groups joined by "or", as in ``tp > 0 and fp = 0 or errors = n``.

    Examples
    --------
    >>> Condition.parse("tp > 0 and fp = 0 or errors = n").names
    ('tp', 'fp', 'errors', 'n')
    """

    groups: tuple[tuple[Order, ...], ...]

    @classmethod
    def parse(cls, text: str) -> Condition:
        """Read a condition; else ValueError."""
        groups = (group.split(" and ") for group in " ".join(text.split()).split(" or "))
        return cls(tuple(tuple(Order.parse(part) for part in group) for group in groups))

    @property
    def text(self) -> str:
        """The condition as the registry would write it."""
        return " or ".join(" and ".join(order.text for order in group) for group in self.groups)

    @property
    def names(self) -> tuple[str, ...]:
        """The names in it, in order."""
        return tuple(name for group in self.groups for order in group for name in order.names)


@dataclass(frozen=True)
class Statement:
    """An order, whether it is claimed always or sometimes, and the condition it is claimed on.

    ``connective`` is "" (no condition), "if" or "iff"; ``junction`` joins the conditions: "and" or "or".
    """

    order: Order
    sometimes: bool = False
    connective: str = ""
    conditions: tuple[Order, ...] = ()
    junction: str = "and"

    @classmethod
    def parse(cls, text: str) -> Statement:
        """Read an order with its quantifier and condition; else ValueError."""
        words = text.split(maxsplit=1)
        sometimes = len(words) == 2 and words[0] == "sometimes"
        body = words[1] if sometimes else text
        claim, connective, condition = _split_once(body, ("iff", "if"))
        if not connective:
            return cls(Order.parse(claim), sometimes)
        junctions = {word for word in ("and", "or") if f" {word} " in condition}
        if len(junctions) > 1:
            raise ValueError(f"{text!r} joins conditions by 'and' and by 'or'; only one of them is allowed.")
        junction = junctions.pop() if junctions else "and"
        conditions = tuple(Order.parse(part) for part in condition.split(f" {junction} "))
        return cls(Order.parse(claim), sometimes, connective, conditions, junction)

    @property
    def names(self) -> tuple[str, ...]:
        """Every name in the order and in its conditions."""
        return tuple(name for order in (self.order, *self.conditions) for name in order.names)


def _parse_term(text: str) -> Term:
    if NAME.fullmatch(text):
        return text
    try:
        return Printed.parse(text).value
    except ValueError:
        return Expression.parse(text)


def _split_once(text: str, words: tuple[str, ...]) -> tuple[str, str, str]:
    for word in words:
        before, found, after = text.partition(f" {word} ")
        if found:
            return before, word, after
    return text, "", ""


Stated = Printed | Comparison | Statement


def parse_stated(text: str) -> Stated:
    """Read what a registry entry states, in one of the forms listed above; else ValueError.

    Examples
    --------
    >>> parse_stated("< 0").holds(Fraction(-1, 50))
    True
    >>> parse_stated("precision <= recall").names
    ('precision', 'recall')
    """
    text = text.strip()
    symbol = _SYMBOL.match(text)
    if symbol:
        return Comparison(symbol.group(), Printed.parse(text[symbol.end() :]))
    if _SYMBOL.search(text):
        return Statement.parse(text)
    return Printed.parse(text)
