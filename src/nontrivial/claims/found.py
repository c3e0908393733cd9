"""What a test finds: a quantity, several named ones, the outcome of a search, survey or proof, or that there is none.

All numbers are exact fractions, so that a verdict taken from the stored evidence is the one first given.
"""

from __future__ import annotations

import decimal
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any

DIGITS = 12


def number_text(number: Fraction) -> str:
    """Write a fraction in at most twelve significant digits, with the exact fraction where those do not suffice.

    Examples
    --------
    >>> number_text(Fraction(2, 5)), number_text(Fraction(7, 15))
    ('0.4', '0.466666666667 (7/15)')
    """
    with decimal.localcontext(prec=DIGITS):
        digits = decimal.Decimal(number.numerator) / decimal.Decimal(number.denominator)
    text = format(digits.normalize(), "f")
    exact = Fraction(digits) == number
    # A fraction with a long denominator says less than its digits.
    return text if exact or number.denominator >= 10**DIGITS else f"{text} ({number})"


@dataclass(frozen=True)
class Quantity:
    """A number and the range it may lie in: from printed inputs, or from sampling.

    `details` may hold an `origin`, which a reader is told.
    """

    value: Fraction
    low: Fraction
    high: Fraction
    details: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def exactly(cls, value: Fraction | int, **details: Any) -> Quantity:
        """A number that is known exactly."""
        exact = Fraction(value)
        return cls(exact, exact, exact, details)

    def text(self) -> str:
        """The number for a reader, with its range where it has one."""
        return _range_text(self) + _origin_text(self.details)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON with fractions as text."""
        return {"type": "quantity", **_range_to_json(self), "details": self.details}


@dataclass(frozen=True)
class Quantities:
    """Several named numbers that an order compares."""

    values: dict[str, Quantity]
    details: dict[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        """All names with their numbers."""
        texts = (f"{name} {_range_text(quantity)}" for name, quantity in self.values.items())
        return "; ".join(texts) + _origin_text(self.details)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON with fractions as text; a list, because the order of the names counts."""
        values = [{"name": name, **_range_to_json(quantity)} for name, quantity in self.values.items()]
        return {"type": "quantities", "values": values, "details": self.details}


@dataclass(frozen=True)
class Search:
    """The outcome of a search through cases.

    Attributes
    ----------
    domain : str
        The cases that were searched, in words.
    checked, undefined, hits : int
        Cases on which the statement has a meaning; cases left out because a term is 0/0 or infinite there; cases
        of those checked that refute the statement (or, where it is claimed only sometimes, that bear it out).
    smallest : tuple of int or None
        The smallest hit: for confusion tables (FP, TP, FN, TN), by total count and then lexicographically.
    details : dict
        What else is known: ``values`` at the smallest hit, ``holds_where``, ``proof``, and ``vacuous`` of a condition
        both sides of which are false in every case that keeps it.
    """

    domain: str
    checked: int
    undefined: int
    hits: int
    smallest: tuple[int, ...] | None
    seeks: str = "counterexample"
    details: dict[str, Any] = field(default_factory=dict)

    def text(self) -> str:
        """The count of hits for a reader."""
        if not self.hits:
            text = f"no {self.seeks} among {self.checked:,} cases"
        else:
            plural = "s" if self.hits > 1 else ""
            text = f"{self.hits:,} {self.seeks}{plural} among {self.checked:,} cases"
        if self.details.get("vacuous"):
            text += "; where it does not fail, neither side is ever true (vacuous)"
        if self.undefined:
            text += f"; {self.undefined:,} cases leave a side undefined"
        tried = self.details.get("not_exactly_where")
        if tried:
            text += (
                f"; the condition proposed, {tried['condition']}, is not exact: it is met in {tried['met']:,} cases, in"
                f" {tried['wrong']:,} of which the statement fails, of {tried['holds']:,} in which it holds"
            )
        where = self.details.get("holds_where")
        if where and where["exact"]:
            text += f"; it holds exactly where {where['condition']}"
        elif where:
            share = f"{where['met']:,} of the {where['holds']:,} cases in which it does"
            text += f"; it holds where {where['condition']}, which is {share}"
        return text + ("; proved for tables of any size" if self.details.get("proof") else "")

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        smallest = None if self.smallest is None else list(self.smallest)
        return {
            "type": "search",
            "domain": self.domain,
            "checked": self.checked,
            "undefined": self.undefined,
            "hits": self.hits,
            "smallest": smallest,
            "seeks": self.seeks,
            "details": self.details,
        }


@dataclass(frozen=True)
class Survey:
    """A statement looked at, point by point, in measured numbers.

    Attributes
    ----------
    domain : str
        The points, in words.
    points : int
        Those at which the statement applies.
    kept, clearly_kept : int
        Points at which the numbers keep it; at which every end of their ranges does too.
    clearly_broken : int
        Points at which neither the numbers nor any end of their ranges keep it.
    absent : int
        Points without numbers, which do not count.
    first_broken : str
        The first point at which the numbers do not keep it.
    """

    domain: str
    points: int
    kept: int
    clearly_kept: int
    clearly_broken: int
    absent: int
    first_broken: str = ""

    def text(self) -> str:
        """The counts for a reader."""
        text = (
            f"kept at {self.kept} of {self.points} points, at {self.clearly_kept} by more than sampling error"
        )
        if self.kept < self.points:
            text += (
                f"; broken at {self.points - self.kept}, the first with {self.first_broken}, at"
                f" {self.clearly_broken} by more than sampling error"
            )
        return text + (f"; {self.absent} points have no numbers" if self.absent else "")

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"type": "survey", **asdict(self)}


@dataclass(frozen=True)
class Proof:
    """An equation was proved by algebra; `domain` says of what."""

    domain: str

    def text(self) -> str:
        """What was done, for a reader."""
        return "both sides are the same function (proved by algebra)"

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"type": "proof", "domain": self.domain}


@dataclass(frozen=True)
class Unavailable:
    """Nothing was found, and why; `command` is what would change that, if anything would."""

    reason: str
    command: str = ""

    def text(self) -> str:
        """Nothing: the reason stands beside the verdict."""
        return ""

    def to_json(self) -> dict[str, Any]:
        """Plain JSON."""
        return {"type": "unavailable", "reason": self.reason, "command": self.command}


Found = Quantity | Quantities | Search | Survey | Proof | Unavailable


def found_from_json(value: dict[str, Any]) -> Found:
    """Read back what `to_json` gave; ValueError where it is no such thing.

    Examples
    --------
    >>> found_from_json(Quantity.exactly(Fraction(7, 15)).to_json()).value
    Fraction(7, 15)
    """
    try:
        fields = dict(value)
        match fields.pop("type"):
            case "quantity":
                return _range_from_json(fields, fields["details"])
            case "quantities":
                values = {item["name"]: _range_from_json(item, {}) for item in fields["values"]}
                return Quantities(values, fields["details"])
            case "search":
                smallest = fields.pop("smallest")
                return Search(smallest=None if smallest is None else tuple(smallest), **fields)
            case "survey":
                return Survey(**fields)
            case "proof":
                return Proof(**fields)
            case "unavailable":
                return Unavailable(**fields)
    except (KeyError, TypeError, AttributeError, ZeroDivisionError) as error:
        raise ValueError(f"a stored result lacks or misstates {error}.") from error
    raise ValueError(
        f"a stored result has type {value['type']!r}; allowed: quantity, quantities, search, survey, proof,"
        " unavailable."
    )


def _range_text(quantity: Quantity) -> str:
    value, low, high = (number_text(number) for number in (quantity.value, quantity.low, quantity.high))
    return value if low == high else f"{value}, between {low} and {high}"


def _origin_text(details: dict[str, Any]) -> str:
    return f" (from {details['origin']})" if "origin" in details else ""


def _range_to_json(quantity: Quantity) -> dict[str, str]:
    return {key: str(getattr(quantity, key)) for key in ("value", "low", "high")}


def _range_from_json(item: dict[str, Any], details: dict[str, Any]) -> Quantity:
    return Quantity(*(Fraction(item[key]) for key in ("value", "low", "high")), details)
