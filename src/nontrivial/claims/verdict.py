"""Findings about claims, the one rule that turns a claim and a finding into a verdict, and counts of verdicts."""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from importlib import resources
from typing import Any, Literal, NamedTuple

from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.language.numbers import PrintedNumber
from nontrivial.terminal import count_of

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
    met: int  # number of small cases that meet the condition
    wrong: int  # number of small cases that meet the condition, but fail the claim
    holds: int  # number of small cases in which the claim holds


@dataclass(frozen=True)
class Decision:
    """What is known of a claim about every case of a domain, or about some case."""

    status: Status  # the first three are for claims about every case, the others for claims about some case
    proved_of: str  # "any size", or "the ranges" of numbers, for a proved or impossible claim; else empty
    domain: dict[str, Any]  # the cases that were tried
    checked: int  # number of small cases in which the claim is true or false
    undefined: int  # number of small cases in which the claim is undefined (0/0)
    hits: int  # number of small cases that settle the claim
    undefined_somewhere: bool | None = None  # whether the claim is undefined in a case of any size, if known
    vacuous: bool = False  # whether the claim is undefined in all cases that meet the conditions
    witness: Case | None = None  # the case that settles the claim
    values: dict[str, str] | None = None  # the numbers in the claim there: exact, ``sqrt(...)``, or "undefined"
    smallest: bool = True  # whether no smaller case settles the claim
    unconfirmed: bool = False  # whether only the solver settles the claim, by numbers such as irrational ones
    exactly_when: ExactlyWhen | None = None  # the condition under which a refuted claim holds
    undefined_case: Case | None = None  # the first case in which the claim is undefined
    natural: bool = False  # whether the witness is the smallest without an empty cell, or without ties
    near: int = 0  # number of small cases with rounded logarithms that differ by less than their errors
    undecided: bool = False  # whether one of the cases in `near` would settle the claim


@dataclass(frozen=True)
class NumberFinding:
    """A number to compare with a printed one, and the ends between which it may lie."""

    value: Fraction
    low: Fraction
    high: Fraction
    # If this study is not the document's: by column, the text in this study and the text in the document's.
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @property
    def range(self) -> NumberRange:
        return NumberRange(self.value, self.low, self.high)


@dataclass(frozen=True)
class RelationFinding:
    """Whether a relation between numbers holds: at one point, at all of many, or at one of many if "sometimes"."""

    # The numbers by name. If there are many points, the numbers at the first point that settles the claim.
    values: Mapping[str, NumberRange]
    holds: bool
    at_ends: str  # the relation holds at "all", "some" or "none" of the ends that sampling and rounding leave possible
    place: Mapping[str, str] = field(default_factory=dict)  # the key of that point
    # Numbers of points: all, those that keep the relation, keep or break the relation at all ends, or lack a number.
    points: Mapping[str, int] = field(default_factory=dict)
    elsewhere: Mapping[str, Sequence[str]] = field(default_factory=dict)  # as in `NumberFinding`


@dataclass(frozen=True)
class NothingFound:
    """A reason of `REASONS` why nothing was found, and the words in the sentence of the reason."""

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
    """Return a finding as plain data, with fractions as text."""
    plain: dict[str, Any] = json.loads(json.dumps(asdict(finding), default=str))
    name = next(name for name, kind in _FINDING_TYPES.items() if isinstance(finding, kind))
    return {"type": name, **plain}


def finding_from_json(stored: Mapping[str, Any]) -> Finding:
    fields = dict(stored)
    kind = _FINDING_TYPES[fields.pop("type")]
    if kind is NumberFinding:
        fields |= {name: Fraction(fields[name]) for name in NumberRange._fields}
    elif kind is RelationFinding:
        ranges = fields["values"].items()
        fields["values"] = {name: NumberRange(*map(Fraction, ends)) for name, ends in ranges}
    elif kind is Decision:
        fields |= {name: fields[name] and _parse_case(fields[name]) for name in ("witness", "undefined_case")}
        fields["exactly_when"] = fields["exactly_when"] and ExactlyWhen(**fields["exactly_when"])
    finding: Finding = kind(**fields)
    return finding


def _parse_case(numbers: Iterable[int | str]) -> Case:
    return tuple(Fraction(number) if isinstance(number, str) else number for number in numbers)


# The one rule that turns a claim and the finding about it into a reason, and so into a verdict.
#
# All numbers that sampling and rounding leave possible count: a relation is reproduced if all of them keep it, and
# contradicted if none does. A claim that a search did not refute, and that is not proved, is "not refuted", unless the
# search went through all cases that the claim is about. If a claim is undefined (0/0) in some cases, that is a flag
# beside the verdict.
Replication = Literal["agrees", "differs", "open"]
REPRODUCED = "reproduced"
NOT_REFUTED = "not_refuted"
CAVEAT = "caveat"
CONTRADICTED = "contradicted"
NOT_EVALUATED = "not_evaluated"
# The verdicts in words, in the order in which readers should see them.
VERDICT_WORDS = {
    CONTRADICTED: "contradicted",
    CAVEAT: "holds with caveat",
    NOT_REFUTED: "not refuted",
    REPRODUCED: "reproduced",
    NOT_EVALUATED: "not evaluated",
}
_REASONS_CSV = resources.files(__package__).joinpath("reasons.csv").read_text("utf-8")
_REASON_ROWS = list(csv.DictReader(_REASONS_CSV.splitlines()))
# The sentence of each reason, by the verdict that it gives.
REASONS = {
    verdict: {row["reason"]: row["sentence"] for row in _REASON_ROWS if row["verdict"] == verdict}
    for verdict in VERDICT_WORDS
}


@dataclass(frozen=True)
class Verdict:
    """A reason of `REASONS`, and the numbers in the sentence of the reason."""

    reason: str
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        """The verdict that the reason gives, such as "reproduced"."""
        return next(verdict for verdict, sentences in REASONS.items() if self.reason in sentences)


def verdict_on(claim: Formula | None, finding: Finding, tolerance: str = "rounded") -> Verdict:
    """Return the verdict on a claim from the finding; `claim` is None for an opinion."""
    if isinstance(finding, NothingFound):
        return Verdict(finding.reason)
    if claim is None:
        raise ValueError("nothing can be found of what no computation settles.")
    match finding:
        case NumberFinding() | RelationFinding() if finding.elsewhere:
            return Verdict(f"other study {compare_with_other_data(claim, finding, tolerance)}")
        case NumberFinding() if claim.printed is not None:
            return _verdict_on_number(claim.printed.stated, finding, tolerance)
        case RelationFinding(holds=True):
            return Verdict("kept" if finding.at_ends == "all" else "not all ends")
        case RelationFinding():
            return Verdict("broken" if finding.at_ends == "none" else "some ends")
        case Decision():
            return Verdict(_reason_of_decision(finding))
    raise ValueError(f"a number does not answer the claim {claim.text!r}.")


def verdict_with_repair(verdict: Verdict, repaired: Verdict | None, scope: str | None) -> Verdict:
    """Replace the verdict on a claim that fails by a caveat, if a repaired reading of another scope holds."""
    if verdict.verdict != CONTRADICTED or repaired is None or scope is None:
        return verdict
    caveats = {REPRODUCED: Verdict(scope), NOT_REFUTED: Verdict(f"searched {scope}")}
    return caveats.get(repaired.verdict, verdict)


def compare_with_other_data(claim: Formula | None, finding: Finding, tolerance: str) -> Replication:
    """Tell whether a replication agrees with a claim: its interval has the stated number, or its number rounds so."""
    if isinstance(finding, NumberFinding | RelationFinding):
        finding = replace(finding, elsewhere={})
    if isinstance(finding, NumberFinding) and claim is not None and claim.printed is not None:
        stated = claim.printed.stated
        agrees = finding.low <= stated.value <= finding.high or stated.low <= finding.value <= stated.high
        return "agrees" if agrees else "differs"
    replications: dict[str, Replication] = {REPRODUCED: "agrees", CONTRADICTED: "differs"}
    return replications.get(verdict_on(claim, finding, tolerance).verdict, "open")


def verdict_on_other_data(verdict: Verdict) -> Verdict:
    """Replace the verdict on a replication, because other data neither reproduce nor contradict the document."""
    reasons = {REPRODUCED: Verdict("other data"), CONTRADICTED: Verdict("differs elsewhere")}
    return reasons.get(verdict.verdict, verdict)


def _verdict_on_number(stated: PrintedNumber, finding: NumberFinding, tolerance: str) -> Verdict:
    """Compare a number of the study with the stated one."""
    is_exact = tolerance == "exact"
    low, high = (stated.value, stated.value) if is_exact else (stated.low, stated.high)
    if low <= finding.value <= high:
        if is_exact:
            return Verdict("equal" if finding.low == finding.high else "not all ends")
        return Verdict("sign open" if finding.low * finding.high <= 0 < low * high else "rounds")
    if not is_exact and stated.is_cut_from(finding.value):
        return Verdict("cut")
    if low <= finding.high and finding.low <= high:
        return Verdict("range")
    return Verdict("differs", {"difference": str(abs(finding.value - stated.value))})


def _reason_of_decision(decision: Decision) -> str:
    """Return the key of the reason for the verdict on a search or proof."""
    if decision.status in ("refuted", "shown"):
        return "counterexample" if decision.status == "refuted" else "example"
    if decision.undecided:
        return "undecided"
    if decision.vacuous:
        return "vacuous"
    if decision.status == "not shown" and not decision.unconfirmed:
        return "no example"
    return "unconfirmed" if decision.unconfirmed else decision.status


# The groups, and what one entry of each is called.
GROUPS = {
    "claim": "claim",
    "misprint": "misprint",
    "replication": "replication",
    "definition": "definition",
    "beyond": "theorem of our own",
}
COUNTED_AS = {
    REPRODUCED: "proved or computed",
    NOT_REFUTED: "searched",
    CAVEAT: "with a caveat",
    CONTRADICTED: "contradicted",
    NOT_EVALUATED: "not evaluated",
}


def count_verdicts(records: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Return the number of records by group and verdict, without groups and verdicts that no record has."""
    counts = Counter((record["group"], record["verdict"]) for record in records)
    by_group = {
        group: {verdict: counts[group, verdict] for verdict in COUNTED_AS if counts[group, verdict]} for group in GROUPS
    }
    return {group: verdicts for group, verdicts in by_group.items() if verdicts}


def count_line(records: Iterable[Mapping[str, Any]]) -> str:
    """Write the counts, such as "3 claims (2 proved or computed, 1 contradicted); 1 misprint (1 contradicted)".

    Examples
    --------
    >>> count_line([{"group": "claim", "verdict": "reproduced"}, {"group": "claim", "verdict": "not_refuted"}])
    '2 claims (1 proved or computed, 1 searched)'
    """
    parts = []
    for group, verdicts in count_verdicts(records).items():
        words = ", ".join(f"{count:,} {COUNTED_AS[verdict]}" for verdict, count in verdicts.items())
        noun, *more = GROUPS[group].split(" ", 1)  # "theorems of our own"
        parts.append(" ".join([count_of(sum(verdicts.values()), noun), *more, f"({words})"]))
    return "; ".join(parts)
