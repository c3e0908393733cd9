"""What was found about a claim, and the one rule that turns it into a verdict."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from importlib import resources
from typing import Any, Literal, get_args

from nontrivial.claims.language import Formula, Printed

Range = tuple[Fraction, Fraction, Fraction]  # a number, and the least and the greatest that it may be
Case = tuple[int | Fraction, ...]
Outcome = Literal["proved", "searched", "sufficient", "refuted"]
Replication = Literal["agrees", "differs", "open"]
Status = Literal["proved", "refuted", "searched", "shown", "impossible", "not shown"]


@dataclass(frozen=True)
class ExactlyWhen:
    """A condition under which a claim holds, and how sure that is."""

    condition: str
    # "proved" for any size, "searched" in every small case; "sufficient" if the claim holds elsewhere, too.
    status: Outcome
    met: int  # in how many small cases it is met,
    wrong: int  # in how many of these the claim fails,
    holds: int  # and in how many the claim holds


@dataclass(frozen=True)
class Decision:
    """What is known of a claim about every case of a domain, or about some case."""

    status: Status  # the first three of a claim about every case, the others of one about some case
    proved_of: str  # of what is proved or impossible, "any size", or "the ranges" of numbers
    domain: dict[str, Any]  # what was searched
    checked: int  # small cases in which the claim has a meaning,
    undefined: int  # in which it has none (0/0),
    hits: int  # and that settle it; none, if a larger case does
    undefined_somewhere: bool | None = None  # whether cases of any size have no meaning, if that is known
    vacuous: bool = False  # whether it has a meaning in no case that is as given
    witness: Case | None = None  # the case that settles it
    values: dict[str, str] | None = None  # of its names there: exact, ``sqrt(...)``, or "undefined"
    smallest: bool = True  # whether no smaller case settles it
    unconfirmed: bool = False  # whether only the solver settles it, by numbers such as irrational ones
    exactly_when: ExactlyWhen | None = None  # where a claim holds that is refuted
    undefined_case: Case | None = None  # the first without a meaning
    natural: bool = False  # whether the witness is the smallest without an empty cell, or without ties
    near: int = 0  # small cases that rest on rounded logarithms nearer to each other than their errors,
    undecided: bool = False  # and whether one of them would settle the claim


@dataclass(frozen=True)
class Number:
    """A number to compare with a printed one, and between what it may lie."""

    value: Fraction
    low: Fraction
    high: Fraction
    # If it is of another study than the document's: by column, what this study has and what the document's has.
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Numbers:
    """Numbers by name, and whether they keep a relation; of many points, whether all do, or of `sometimes`, some do."""

    values: Mapping[str, Range]  # of many points, at the first that settles it
    holds: bool
    at_ends: str  # whether "all", "some" or "none" of what sampling and rounding leave possible keep it
    place: Mapping[str, str] = field(default_factory=dict)  # that first point, if any
    # Of many: how many there are, keep it, keep it or break it by more than sampling error, and lack a number.
    points: Mapping[str, int] = field(default_factory=dict)
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)  # as of a number


@dataclass(frozen=True)
class Absent:
    """Nothing was found, for a reason of `REASONS`, and what its sentence says."""

    reason: str
    about: Mapping[str, Any] = field(default_factory=dict)


Found = Decision | Number | Numbers | Absent
_TYPES: dict[str, type] = {kind.__name__.lower(): kind for kind in get_args(Found)}


def found_to_json(found: Found) -> dict[str, Any]:
    """Plain data, with fractions as text."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(found), default=str))
    return {"type": type(found).__name__.lower(), **plain}


def found_from_json(value: Mapping[str, Any]) -> Found:
    fields = dict(value)
    kind = _TYPES[fields.pop("type")]
    if kind is Number:
        fields |= {name: Fraction(fields[name]) for name in ("value", "low", "high")}
    elif kind is Numbers:
        fields["values"] = {name: _numbers(parts) for name, parts in fields["values"].items()}
    elif kind is Decision:
        fields |= {name: fields[name] and _numbers(fields[name]) for name in ("witness", "undefined_case")}
        fields["exactly_when"] = fields["exactly_when"] and ExactlyWhen(**fields["exactly_when"])
    found: Found = kind(**fields)
    return found


def _numbers(parts: Iterable[int | str]) -> Case:
    return tuple(Fraction(part) if isinstance(part, str) else part for part in parts)


# The one rule that turns a claim and what was found about it into a reason, and so into a verdict.
#
# What sampling and rounding leave possible counts: only what all of it keeps is reproduced, and only what none of it
# keeps is contradicted. A claim that was searched, and neither refuted nor proved, is not refuted, unless the cases
# searched are all that it is about. That it has no meaning (0/0) in some cases is a flag beside the verdict.
REPRODUCED = "reproduced"
NOT_REFUTED = "not_refuted"
CAVEAT = "caveat"
CONTRADICTED = "contradicted"
NOT_EVALUATED = "not_evaluated"
# The verdicts, those first that a reader should see first.
VERDICT_WORDS = {
    CONTRADICTED: "contradicted",
    CAVEAT: "holds with caveat",
    NOT_REFUTED: "not refuted",
    REPRODUCED: "reproduced",
    NOT_EVALUATED: "not evaluated",
}
# The sentence of each reason, by its verdict.
_ROWS = list(
    csv.DictReader(resources.files(__package__).joinpath("reasons.csv").read_text("utf-8").splitlines())
)
REASONS = {
    verdict: {row["reason"]: row["sentence"] for row in _ROWS if row["verdict"] == verdict}
    for verdict in VERDICT_WORDS
}


@dataclass(frozen=True)
class Verdict:
    """A reason of `REASONS`, which has a verdict, and the numbers that its sentence says."""

    reason: str
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        return next(verdict for verdict, sentences in REASONS.items() if self.reason in sentences)


def judge(claim: Formula | None, found: Found, tolerance: str = "rounded") -> Verdict:
    """Return the verdict on a claim; on None, which no computation settles, nothing can be found."""
    if isinstance(found, Absent):
        return Verdict(found.reason)
    if claim is None:
        raise ValueError("nothing can be found of what no computation settles.")
    match found:
        case Number() | Numbers() if found.elsewhere:
            return Verdict(f"other study {compare_with_other_data(claim, found, tolerance)}")
        case Number() if claim.printed is not None:
            return _judge_number(Printed.parse(claim.printed[1]), found, tolerance)
        case Numbers(holds=True):
            return Verdict("kept" if found.at_ends == "all" else "not all ends")
        case Numbers():
            return Verdict("broken" if found.at_ends == "none" else "some ends")
        case Decision():
            return Verdict(_judge_decision(found))
    raise ValueError(f"a {type(found).__name__.lower()} does not answer the claim {claim.text!r}.")


def with_repair(verdict: Verdict, repaired: Verdict | None, scope: str | None) -> Verdict:
    """Return the verdict on a claim that fails but has a repaired reading, which differs in scope or strength."""
    if verdict.verdict != CONTRADICTED or repaired is None or scope is None:
        return verdict
    return {REPRODUCED: Verdict(scope), NOT_REFUTED: Verdict(f"searched {scope}")}.get(
        repaired.verdict, verdict
    )


def compare_with_other_data(claim: Formula | None, found: Found, tolerance: str) -> Replication:
    """Tell whether a replication agrees: the stated number lies in its interval, or is its number rounded."""
    if isinstance(found, Number | Numbers):
        found = replace(found, elsewhere={})
    if isinstance(found, Number) and claim is not None and claim.printed is not None:
        stated = Printed.parse(claim.printed[1])
        agrees = found.low <= stated.value <= found.high or stated.low <= found.value <= stated.high
        return "agrees" if agrees else "differs"
    verdicts: dict[str, Replication] = {REPRODUCED: "agrees", CONTRADICTED: "differs"}
    return verdicts.get(judge(claim, found, tolerance).verdict, "open")


def on_other_data(verdict: Verdict) -> Verdict:
    """Return the verdict on a replication: other data than the document's neither reproduce nor contradict it."""
    reasons = {REPRODUCED: Verdict("other data"), CONTRADICTED: Verdict("differs elsewhere")}
    return reasons.get(verdict.verdict, verdict)


def _judge_number(stated: Printed, found: Number, tolerance: str) -> Verdict:
    exact = tolerance == "exact"
    low, high = (stated.value, stated.value) if exact else (stated.low, stated.high)
    if low <= found.value <= high:
        if exact:
            return Verdict("equal" if found.low == found.high else "not all ends")
        return Verdict("sign open" if found.low * found.high <= 0 < low * high else "rounds")
    if not exact and stated.is_cut_from(found.value):
        return Verdict("cut")
    if low <= found.high and found.low <= high:
        return Verdict("range")
    return Verdict("differs", {"difference": str(abs(found.value - stated.value))})


def _judge_decision(found: Decision) -> str:
    if found.status in ("refuted", "shown"):
        return "counterexample" if found.status == "refuted" else "example"
    if found.undecided:
        return "undecided"
    if found.vacuous:
        return "vacuous"
    if found.status == "not shown" and not found.unconfirmed:
        return "no example"
    return "unconfirmed" if found.unconfirmed else found.status
