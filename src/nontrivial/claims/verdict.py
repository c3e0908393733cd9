"""What was found about a claim, and the one rule that turns it into a verdict."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, Literal

from nontrivial.claims.language import Formula, Printed

# What was found about a claim, as plain data that can be stored and read back.


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
    natural : bool
        Whether the case that settles it has no empty cell, or no ties; it is then the smallest of these.
    undefined_case : tuple of int or Fraction, or None
        The first case in which it has no meaning; a flag beside the verdict, which does not depend on it.
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
    undefined_case: Case | None = None
    natural: bool = False


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
        A key of `nontrivial.claims.sentences.ABSENT`.
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
            for name in ("witness", "undefined_case"):
                fields[name] = fields[name] and _numbers(fields[name])
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


# The one rule that turns a claim and what was found about it into a verdict and its reason.
#
# ==================  ==========  ====================================================================================
# claim               found       verdict
# ==================  ==========  ====================================================================================
# anything            absent      not_evaluated
# x == number, exact  a number    reproduced if equal; caveat if only what rounding or sampling leaves possible is
# ..., rounded        a number    reproduced if it rounds to the printed digits; caveat if the digits are cut off, if
#                                 only something possible does, or if the sign is open
# a relation          numbers     reproduced if all that is possible keeps it; caveat if the numbers alone do, or only
#                                 some of what is possible
# always              a decision  reproduced if proved, or searched without a counterexample; contradicted by a
#                                 counterexample; not_evaluated where it has no meaning in any case that is as given, or
#                                 only the solver has a counterexample
# sometimes           a decision  reproduced by an example; contradicted if impossible; else not_evaluated
# always              a survey    reproduced if kept at every point by more than sampling error; caveat if broken
#                                 nowhere by more than that
# sometimes           a survey    reproduced if kept somewhere by more than sampling error; caveat if kept at all; else
#                                 not_evaluated
# ==================  ==========  ====================================================================================
#
# Everything else is contradicted. That a claim has no meaning (0/0) in some cases is a flag beside the verdict. A
# replication, on other data than the document's, is neither reproduced nor contradicted: what agrees has a caveat, what
# does not is not evaluated.


REPRODUCED = "reproduced"
CAVEAT = "caveat"
CONTRADICTED = "contradicted"
NOT_EVALUATED = "not_evaluated"
VERDICTS = (REPRODUCED, CAVEAT, CONTRADICTED, NOT_EVALUATED)
VERDICT_WORDS = {
    CONTRADICTED: "contradicted",
    CAVEAT: "holds with caveat",
    REPRODUCED: "reproduced",
    NOT_EVALUATED: "not evaluated",
}


@dataclass(frozen=True)
class Verdict:
    """A verdict with its reason."""

    verdict: str  # one of `VERDICTS`
    reason: str  # a key of `nontrivial.claims.sentences.REASONS`
    about: Mapping[str, str] = field(default_factory=dict)  # what the reason's sentence says


def judge(claim: Formula | None, found: Found, tolerance: str = "rounded") -> Verdict:
    """Return the verdict on a claim; on None, which no computation settles, nothing can be found.

    Examples
    --------
    >>> judge(Formula.condition("x == 0.46"), Number(*[Printed.parse("7/15").value] * 3)).reason
    'cut'
    """
    if claim is None or isinstance(found, Absent):
        return Verdict(NOT_EVALUATED, "absent")
    match found:
        case Number() if claim.printed is not None:
            return _judge_number(Printed.parse(claim.printed[1]), found, tolerance)
        case Numbers():
            return _judge_numbers(found)
        case Decision():
            return _judge_decision(found)
        case Survey():
            return _judge_survey(found, claim.sometimes)
    raise ValueError(f"a {type(found).__name__.lower()} does not answer the claim {claim.text!r}.")


def on_other_data(verdict: Verdict) -> Verdict:
    """Return the verdict on a replication: other data than the document's neither reproduce nor contradict it.

    Examples
    --------
    >>> on_other_data(Verdict(REPRODUCED, "rounds")).verdict
    'caveat'
    """
    match verdict.verdict:
        case "reproduced":
            return Verdict(CAVEAT, "other data")
        case "contradicted":
            return Verdict(NOT_EVALUATED, "differs elsewhere")
    return verdict


def _judge_number(stated: Printed, found: Number, tolerance: str) -> Verdict:
    low, high = (stated.value, stated.value) if tolerance == "exact" else (stated.low, stated.high)
    meets = low <= found.high and found.low <= high
    difference = {"difference": str(abs(found.value - stated.value))}
    if low <= found.value <= high:
        if tolerance == "exact":
            is_sure = found.low == found.high
            return Verdict(REPRODUCED, "equal") if is_sure else Verdict(CAVEAT, "not all ends")
        is_open = found.low * found.high <= 0 < low * high
        return Verdict(CAVEAT, "sign open") if is_open else Verdict(REPRODUCED, "rounds")
    if tolerance == "rounded" and stated.is_cut_from(found.value):
        return Verdict(CAVEAT, "cut")
    return Verdict(CAVEAT, "range") if meets else Verdict(CONTRADICTED, "differs", difference)


def _judge_numbers(found: Numbers) -> Verdict:
    if found.holds:
        return Verdict(REPRODUCED, "kept") if found.at_ends == "all" else Verdict(CAVEAT, "not all ends")
    return Verdict(CONTRADICTED, "broken") if found.at_ends == "none" else Verdict(CAVEAT, "some ends")


def _judge_decision(found: Decision) -> Verdict:
    match found.status:
        case "refuted":
            return Verdict(CONTRADICTED, "counterexample")
        case "shown":
            return Verdict(REPRODUCED, "example")
        case "not shown" if not found.unconfirmed:
            return Verdict(NOT_EVALUATED, "no example")
    if found.vacuous:
        return Verdict(NOT_EVALUATED, "vacuous")
    if found.unconfirmed:
        return Verdict(NOT_EVALUATED, "unconfirmed")
    if found.status == "impossible":
        return Verdict(CONTRADICTED, "impossible")
    return Verdict(REPRODUCED, "proved" if found.status == "proved" else "searched")


def _judge_survey(found: Survey, sometimes: bool) -> Verdict:
    if not found.points:
        return Verdict(NOT_EVALUATED, "no points")
    if sometimes:
        if found.clearly_kept:
            return Verdict(REPRODUCED, "clearly kept somewhere")
        return Verdict(CAVEAT, "unclearly kept") if found.kept else Verdict(NOT_EVALUATED, "kept nowhere")
    if found.clearly_broken:
        return Verdict(CONTRADICTED, "clearly broken")
    if found.kept < found.points:
        return Verdict(CAVEAT, "unclearly broken")
    if found.clearly_kept < found.points:
        return Verdict(CAVEAT, "not everywhere clear")
    return Verdict(REPRODUCED, "kept everywhere")
