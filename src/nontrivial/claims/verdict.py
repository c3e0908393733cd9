"""The one rule that turns a claim and what was found about it into a verdict and its reason.

==================  ==========  ====================================================================================
claim               found       verdict
==================  ==========  ====================================================================================
anything            absent      caveat if a number is undefined (0/0); else not_evaluated
x == number, exact  a number    reproduced if equal; caveat if only what rounding or sampling leaves possible is
..., rounded        a number    reproduced if it rounds to the printed digits; caveat if the digits are cut off, if
                                only something possible does, or if the sign is open
a relation          numbers     reproduced if all that is possible keeps it; caveat if the numbers alone do, or only
                                some of what is possible
always              a decision  reproduced if proved, or searched without a counterexample; caveat if it has no
                                meaning somewhere; contradicted by a counterexample; not_evaluated where nothing is
                                as given, or only the solver has a counterexample
sometimes           a decision  reproduced by an example; contradicted if impossible; else not_evaluated
always              a survey    reproduced if kept at every point by more than sampling error; caveat if broken
                                nowhere by more than that
sometimes           a survey    reproduced if kept somewhere by more than sampling error; caveat if kept at all; else
                                not_evaluated
==================  ==========  ====================================================================================

Everything else is contradicted. A replication, on other data than the document's, is never reproduced: it has a caveat
where anything else would be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from nontrivial.claims.formulas import Formula
from nontrivial.claims.found import Absent, Decision, Found, Number, Numbers, Survey
from nontrivial.claims.printed import Printed

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
        is_undefined = isinstance(found, Absent) and found.reason == "undefined"
        return Verdict(CAVEAT, "no value") if is_undefined else Verdict(NOT_EVALUATED, "absent")
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
    """Return the verdict on a replication: what agrees on other data than the document's reproduces nothing.

    Examples
    --------
    >>> on_other_data(Verdict(REPRODUCED, "rounds")).verdict
    'caveat'
    """
    return Verdict(CAVEAT, "other data") if verdict.verdict == REPRODUCED else verdict


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
    if found.undefined_somewhere:
        return Verdict(CAVEAT, "undefined")
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
