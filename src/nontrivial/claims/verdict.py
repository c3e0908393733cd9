"""The one rule that turns a claim and the finding about it into a reason, and so into a verdict.

All numbers that sampling and rounding leave possible count: a relation is reproduced if all of them keep it, and
contradicted if none does. A claim that a search did not refute, and that is not proved, is "not refuted", unless the
search went through all cases that the claim is about. If a claim is undefined (0/0) in some cases, that is a flag
beside the verdict.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import resources
from typing import Literal

from nontrivial.claims.findings import Decision, Finding, NothingFound, NumberFinding, RelationFinding
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.language.numbers import PrintedNumber

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
_REASON_ROWS = list(
    csv.DictReader(resources.files(__package__).joinpath("reasons.csv").read_text("utf-8").splitlines())
)
# The sentence of each reason, by the verdict that it gives.
REASONS = {
    verdict: {row["reason"]: row["sentence"] for row in _REASON_ROWS if row["verdict"] == verdict}
    for verdict in VERDICT_WORDS
}


@dataclass(frozen=True)
class Verdict:
    """A reason of `REASONS`, which has a verdict, and the numbers in its sentence."""

    reason: str
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def verdict(self) -> str:
        return next(verdict for verdict, sentences in REASONS.items() if self.reason in sentences)


def verdict_on(claim: Formula | None, finding: Finding, tolerance: str = "rounded") -> Verdict:
    """Return the verdict on a claim; None stands for an opinion, on which nothing can be found."""
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
    """Return the verdict on a claim that fails but has a repaired reading of another scope or strength."""
    if verdict.verdict != CONTRADICTED or repaired is None or scope is None:
        return verdict
    caveats = {REPRODUCED: Verdict(scope), NOT_REFUTED: Verdict(f"searched {scope}")}
    return caveats.get(repaired.verdict, verdict)


def compare_with_other_data(claim: Formula | None, finding: Finding, tolerance: str) -> Replication:
    """Tell whether a replication agrees: its interval contains the stated number, or its number rounds to it."""
    if isinstance(finding, NumberFinding | RelationFinding):
        finding = replace(finding, elsewhere={})
    if isinstance(finding, NumberFinding) and claim is not None and claim.printed is not None:
        stated = claim.printed.stated
        agrees = finding.low <= stated.value <= finding.high or stated.low <= finding.value <= stated.high
        return "agrees" if agrees else "differs"
    replications: dict[str, Replication] = {REPRODUCED: "agrees", CONTRADICTED: "differs"}
    return replications.get(verdict_on(claim, finding, tolerance).verdict, "open")


def verdict_on_other_data(verdict: Verdict) -> Verdict:
    """Return the verdict on a replication: other data neither reproduce nor contradict the document."""
    reasons = {REPRODUCED: Verdict("other data"), CONTRADICTED: Verdict("differs elsewhere")}
    return reasons.get(verdict.verdict, verdict)


def _verdict_on_number(stated: PrintedNumber, finding: NumberFinding, tolerance: str) -> Verdict:
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
    if decision.status in ("refuted", "shown"):
        return "counterexample" if decision.status == "refuted" else "example"
    if decision.undecided:
        return "undecided"
    if decision.vacuous:
        return "vacuous"
    if decision.status == "not shown" and not decision.unconfirmed:
        return "no example"
    return "unconfirmed" if decision.unconfirmed else decision.status
