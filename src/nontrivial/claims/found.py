"""What was found about a claim, as plain data that can be stored and read back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Literal

Range = tuple[Fraction, Fraction, Fraction]  # a number, and the least and the greatest that it may be
Case = tuple[int | Fraction, ...]
Outcome = Literal["proved", "searched", "sufficient", "refuted"]
Status = Literal["proved", "refuted", "searched", "shown", "impossible", "not shown"]


@dataclass(frozen=True)
class ExactlyWhen:
    """Where a claim holds.

    Attributes
    ----------
    condition : str
    status : str
        "proved" of any size; "searched", exact in every small case; "sufficient", met nowhere where the claim fails but
        not wherever it holds; "refuted", a condition proposed that is met somewhere where it fails.
    met, wrong, holds : int
        In how many small cases it is met; in how many of these the claim fails; in how many the claim holds.
    """

    condition: str
    status: Outcome
    met: int
    wrong: int
    holds: int


@dataclass(frozen=True)
class Decision:
    """What is known of a claim about every case of a domain, or about some case.

    Attributes
    ----------
    status : str
        Of a claim about every case: "proved", "refuted" by a case, or "searched" without finding one. Of one about some
        case: "shown" by a case, "impossible", or "not shown".
    proved_of : str
        Of what is proved or impossible: "any size", or "the ranges" of numbers; else empty.
    domain : dict
        What was searched, as plain data.
    checked, undefined, hits : int
        Small cases in which the claim has a meaning; in which it has none; and that settle it.
    undefined_somewhere : bool or None
        Whether there are cases in which it has no meaning; None if that is undecided.
    vacuous : bool
        Whether it has a meaning in no case that is as given.
    witness : tuple of int or Fraction, or None
        The case that settles it.
    values : dict of str to str
        What the claim's names come to there: an exact number, ``sqrt(...)``, or "undefined".
    smallest : bool
        Whether no smaller case does.
    unconfirmed : bool
        Whether the solver settles it by numbers, such as irrational ones, that nothing else can confirm.
    exactly_when : ExactlyWhen or None
        For what is refuted, where it holds.
    """

    status: Status
    proved_of: str
    domain: dict[str, Any]
    checked: int
    undefined: int
    hits: int
    undefined_somewhere: bool | None = None
    vacuous: bool = False
    witness: Case | None = None
    values: dict[str, str] | None = None
    smallest: bool = True
    unconfirmed: bool = False
    exactly_when: ExactlyWhen | None = None


@dataclass(frozen=True)
class Number:
    """A number to compare with a printed one."""

    value: Fraction
    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class Numbers:
    """Numbers by name that a relation is about.

    Attributes
    ----------
    values : mapping of str to Range
    holds : bool
        Whether the numbers keep the relation.
    at_ends : str
        Whether "all", "some" or "none" of what sampling and rounding leave possible keep it.
    """

    values: Mapping[str, Range]
    holds: bool
    at_ends: str


@dataclass(frozen=True)
class Survey:
    """A relation looked at, point by point, in measured numbers.

    Attributes
    ----------
    points : int
        Those to which the claim applies, and at which every number is there.
    kept, clearly_kept : int
        Points at which the numbers keep it; at which all does that sampling leaves possible, too.
    clearly_broken : int
        Points at which neither the numbers nor anything that is possible keeps it.
    absent : int
        Points at which a number is missing; they count for nothing.
    broken : mapping of str to str
        The first point at which the numbers do not keep it; empty where there is none.
    values : mapping of str to str
        The numbers there.
    keeping : mapping of str to str
        The first point at which they do keep it; empty where there is none.
    """

    points: int
    kept: int
    clearly_kept: int
    clearly_broken: int
    absent: int
    broken: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    keeping: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Absent:
    """Nothing was found.

    Attributes
    ----------
    reason : str
        A key of `nontrivial.claims.sentences.ABSENT`, or "undefined", which makes a caveat.
    about : mapping
        What its sentence says.
    """

    reason: str
    about: Mapping[str, Any] = field(default_factory=dict)


Found = Decision | Number | Numbers | Survey | Absent
_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")
_TYPES: dict[str, type] = {
    kind.__name__.lower(): kind for kind in (Decision, Number, Numbers, Survey, Absent)
}


def found_to_json(found: Found) -> dict[str, Any]:
    """Plain data, with fractions as text."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(found), default=str))
    return {"type": type(found).__name__.lower(), **plain}


def found_from_json(value: Mapping[str, Any]) -> Found:
    """Read back what `found_to_json` gave; ValueError where it is no such thing.

    Examples
    --------
    >>> found_from_json(found_to_json(Number(*[Fraction(7, 15)] * 3))).value
    Fraction(7, 15)
    """
    try:
        fields = dict(value)
        kind = _TYPES[fields.pop("type")]
        if kind is Number:
            fields = {name: _fraction(text) for name, text in fields.items()}
        elif kind is Numbers:
            fields["values"] = {name: _numbers(parts) for name, parts in fields["values"].items()}
        elif kind is Decision:
            fields["witness"] = fields["witness"] and _numbers(fields["witness"])
            fields["exactly_when"] = fields["exactly_when"] and ExactlyWhen(**fields["exactly_when"])
        found: Found = kind(**fields)
    except (KeyError, TypeError, AttributeError, ValueError, ZeroDivisionError) as error:
        raise ValueError(f"a stored result lacks or misstates {error}.") from error
    return found


def _fraction(text: str) -> Fraction:
    if not _FRACTION.fullmatch(text):  # an exponent would ask for numbers of any length
        raise ValueError(f"{text!r}")
    return Fraction(text)


def _numbers(parts: Iterable[int | str]) -> Case:
    return tuple(_fraction(part) if isinstance(part, str) else part for part in parts)
