"""What was found about a claim, and how it is stored as JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

Case = tuple[int | Fraction, ...]
Outcome = Literal["proved", "searched", "sufficient", "refuted"]
Status = Literal["proved", "refuted", "searched", "shown", "impossible", "not shown"]


class NumberRange(NamedTuple):
    """A number, and the least and the greatest number that rounding and sampling leave possible."""

    value: Fraction
    low: Fraction
    high: Fraction


@dataclass(frozen=True)
class ExactlyWhen:
    """A condition under which a claim holds, and how sure that is."""

    condition: str
    # "proved" for any size, "searched" in every small case; "sufficient" if the claim also holds in other cases.
    status: Outcome
    met: int  # the small cases that meet it
    wrong: int  # the small cases that meet it but in which the claim fails
    holds: int  # the small cases in which the claim holds


@dataclass(frozen=True)
class Decision:
    """What is known of a claim about every case of a domain, or about some case."""

    status: Status  # of a claim about every case one of the first three, of a claim about some case one of the others
    proved_of: str  # "any size", or "the ranges" of numbers, if it is proved or impossible; else empty
    domain: dict[str, Any]  # the cases that were tried
    checked: int  # the small cases in which the claim is true or false
    undefined: int  # the small cases in which it is undefined (0/0)
    hits: int  # the small cases that settle it; 0 if only a larger case does
    undefined_somewhere: bool | None = None  # whether it is undefined in a case of any size, if known
    vacuous: bool = False  # whether it is true or false in no case that meets its conditions
    witness: Case | None = None  # the case that settles it
    values: dict[str, str] | None = (
        None  # the numbers in the claim there: exact, ``sqrt(...)``, or "undefined"
    )
    smallest: bool = True  # whether no smaller case settles it
    unconfirmed: bool = False  # whether only the solver settles it, by numbers such as irrational ones
    exactly_when: ExactlyWhen | None = None  # the condition under which a refuted claim holds
    undefined_case: Case | None = None  # the first case in which it is undefined
    natural: bool = False  # whether the witness is the smallest without an empty cell, or without ties
    near: int = 0  # the small cases that compare rounded logarithms that differ by less than their errors
    undecided: bool = False  # whether such a case would settle the claim


@dataclass(frozen=True)
class NumberFinding:
    """A number to compare with a printed one, and the ends between which it may lie."""

    value: Fraction
    low: Fraction
    high: Fraction
    # If the study is not the document's: by column, the text in this study and the text in the document's study.
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class RelationFinding:
    """Whether a relation between numbers holds: at one point, at all of many, or at one of many if "sometimes"."""

    values: Mapping[
        str, NumberRange
    ]  # the numbers by name; of many points, at the first that settles the claim
    holds: bool
    at_ends: str  # whether it holds at "all", "some" or "none" of the ends that sampling and rounding leave possible
    place: Mapping[str, str] = field(default_factory=dict)  # the key of that first point
    # How many points there are, keep the relation, keep or break it at all ends, and lack a number.
    points: Mapping[str, int] = field(default_factory=dict)
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)  # as in `NumberFinding`


@dataclass(frozen=True)
class NothingFound:
    """A reason of `REASONS` why nothing was found, and the words that its sentence needs."""

    reason: str
    about: Mapping[str, Any] = field(default_factory=dict)


Finding = Decision | NumberFinding | RelationFinding | NothingFound
_FINDING_TYPES: dict[str, type] = {
    "decision": Decision,
    "number": NumberFinding,
    "numbers": RelationFinding,
    "absent": NothingFound,
}


def finding_to_json(finding: Finding) -> dict[str, Any]:
    """Return plain data, with fractions as text."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(finding), default=str))
    name = next(name for name, kind in _FINDING_TYPES.items() if isinstance(finding, kind))
    return {"type": name, **plain}


def finding_from_json(stored: Mapping[str, Any]) -> Finding:
    fields = dict(stored)
    kind = _FINDING_TYPES[fields.pop("type")]
    if kind is NumberFinding:
        fields |= {name: Fraction(fields[name]) for name in NumberRange._fields}
    elif kind is RelationFinding:
        fields["values"] = {
            name: NumberRange(*map(Fraction, ends)) for name, ends in fields["values"].items()
        }
    elif kind is Decision:
        fields |= {name: fields[name] and _parse_case(fields[name]) for name in ("witness", "undefined_case")}
        fields["exactly_when"] = fields["exactly_when"] and ExactlyWhen(**fields["exactly_when"])
    finding: Finding = kind(**fields)
    return finding


def _parse_case(numbers: Iterable[int | str]) -> Case:
    return tuple(Fraction(number) if isinstance(number, str) else number for number in numbers)
