"""The rule, row by row, on what was found as typed fields."""

import decimal
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.claims.language import Formula
from nontrivial.claims.sentences import CAVEATS, REASONS
from nontrivial.claims.verdict import (
    CAVEAT,
    CONTRADICTED,
    NOT_EVALUATED,
    REPRODUCED,
    VERDICTS,
    Absent,
    Decision,
    Number,
    Numbers,
    Survey,
    Verdict,
    found_from_json,
    found_to_json,
    judge,
    on_other_data,
)

EQUATION, SOMETIMES = Formula.condition("x == 0.5"), Formula.condition("sometimes(x < y)")
ALWAYS = Formula.condition("x < y")


def between(low, value, high):
    return Number(Fraction(value), Fraction(low), Fraction(high))


def exactly(value):
    return between(value, value, value)


def decision(status, **fields):
    hits = int(status in ("refuted", "shown"))
    witness = (1, 1, 0, 0) if hits else None
    proved_of = "any size" if status in ("proved", "impossible") else ""
    known = {"proved_of": proved_of, "domain": {"over": "tables", "cases": 12}, "checked": 10, "undefined": 0}
    return Decision(status, **known | {"hits": hits, "witness": witness} | fields)


def survey(points=3, **counts):
    return Survey(
        points, **dict.fromkeys(("kept", "clearly_kept", "clearly_broken"), 0) | {"absent": 0} | counts
    )


NUMBERS = [
    # exact: equal or not, whatever the digits
    ("25980", "exact", exactly(26580), "contradicted", "differs"),
    ("25980", "exact", exactly(25980), "reproduced", "equal"),
    ("0.46", "exact", exactly("7/15"), "contradicted", "differs"),
    ("0.46", "exact", exactly("0.46"), "reproduced", "equal"),
    ("0.5", "exact", between("0.4", "0.45", "0.6"), "caveat", "range"),
    ("0.5", "exact", between("0.4", "0.5", "0.6"), "caveat", "not all ends"),
    # rounded: the printed digits decide, both ends of a half included
    ("0.47", "rounded", exactly("7/15"), "reproduced", "rounds"),
    ("7/15", "rounded", exactly("7/15"), "reproduced", "rounds"),
    ("0.46", "rounded", exactly("7/15"), "caveat", "cut"),
    ("-0.46", "rounded", exactly("-7/15"), "caveat", "cut"),
    ("0.45", "rounded", exactly("7/15"), "contradicted", "differs"),
    ("0.465", "rounded", exactly("0.4655"), "reproduced", "rounds"),
    ("0.465", "rounded", exactly("0.4645"), "reproduced", "rounds"),
    ("0.45", "rounded", between("0.4", "7/15", "0.5"), "caveat", "range"),
    # rounded: the sign of the range counts
    ("-0.02", "rounded", between("-7/180", "-1/50", "-1/900"), "reproduced", "rounds"),
    ("-0.13", "rounded", between("-29/90", "-2/15", "1/18"), "caveat", "sign open"),
    ("0.0", "rounded", between("-0.1", "0", "0.1"), "reproduced", "rounds"),
    # what sampling leaves possible reproduces nothing
    ("0.24", "rounded", between("0.245", "0.28", "0.31"), "caveat", "range"),
    ("0.24", "rounded", between("0.2451", "0.28", "0.31"), "contradicted", "differs"),
]


@pytest.mark.parametrize(("stated", "tolerance", "found", "verdict", "reason"), NUMBERS)
def test_numbers(stated, tolerance, found, verdict, reason):
    judged = judge(Formula.condition(f"x == {stated}"), found, tolerance)
    assert (judged.verdict, judged.reason) == (verdict, reason)


def test_what_differs_tells_by_how_much():
    assert judge(EQUATION, exactly("1/3")).about == {"difference": "1/6"}
    assert judge(EQUATION, exactly("1/2")).about == {}


RELATIONS = [
    (True, "all", "reproduced", "kept"),
    (True, "some", "caveat", "not all ends"),
    (True, "none", "caveat", "not all ends"),
    (False, "none", "contradicted", "broken"),
    (False, "some", "caveat", "some ends"),
    (False, "all", "caveat", "some ends"),
]


@pytest.mark.parametrize(("holds", "at_ends", "verdict", "reason"), RELATIONS)
def test_relations_of_numbers(holds, at_ends, verdict, reason):
    judged = judge(ALWAYS, Numbers({}, holds, at_ends))
    assert (judged.verdict, judged.reason) == (verdict, reason)


DECISIONS = [
    (ALWAYS, decision("proved"), "reproduced", "proved"),
    (ALWAYS, decision("proved", proved_of="the ranges"), "reproduced", "proved"),
    (ALWAYS, decision("searched"), "reproduced", "searched"),
    (ALWAYS, decision("proved", undefined=2, undefined_somewhere=True), "reproduced", "proved"),
    (ALWAYS, decision("searched", undefined_somewhere=True), "reproduced", "searched"),
    (ALWAYS, decision("proved", undefined_somewhere=False), "reproduced", "proved"),
    (ALWAYS, decision("proved", vacuous=True), "not_evaluated", "vacuous"),
    (ALWAYS, decision("searched", checked=0, vacuous=True), "not_evaluated", "vacuous"),
    (ALWAYS, decision("refuted"), "contradicted", "counterexample"),
    (ALWAYS, decision("refuted", undefined=3, undefined_somewhere=True), "contradicted", "counterexample"),
    (ALWAYS, decision("refuted", vacuous=True), "contradicted", "counterexample"),
    (SOMETIMES, decision("shown"), "reproduced", "example"),
    (SOMETIMES, decision("shown", undefined_somewhere=True), "reproduced", "example"),
    (SOMETIMES, decision("impossible"), "contradicted", "impossible"),
    (SOMETIMES, decision("impossible", vacuous=True), "not_evaluated", "vacuous"),
    (SOMETIMES, decision("not shown"), "not_evaluated", "no example"),
    (ALWAYS, decision("searched", unconfirmed=True), "not_evaluated", "unconfirmed"),
    (SOMETIMES, decision("not shown", unconfirmed=True), "not_evaluated", "unconfirmed"),
]


@pytest.mark.parametrize(("claim", "found", "verdict", "reason"), DECISIONS)
def test_decisions(claim, found, verdict, reason):
    judged = judge(claim, found)
    assert (judged.verdict, judged.reason) == (verdict, reason)


SURVEYS = [
    (ALWAYS, survey(kept=3, clearly_kept=3), "reproduced", "kept everywhere"),
    (ALWAYS, survey(kept=3, clearly_kept=2), "caveat", "not everywhere clear"),
    (ALWAYS, survey(kept=2, clearly_kept=2), "caveat", "unclearly broken"),
    (ALWAYS, survey(kept=2, clearly_kept=2, clearly_broken=1), "contradicted", "clearly broken"),
    (ALWAYS, survey(points=0, absent=3), "not_evaluated", "no points"),
    # A point at which a number is missing counts for nothing, on either side.
    (ALWAYS, survey(kept=3, clearly_kept=3, absent=4), "reproduced", "kept everywhere"),
    (SOMETIMES, survey(kept=1, clearly_kept=1), "reproduced", "clearly kept somewhere"),
    (SOMETIMES, survey(kept=1), "caveat", "unclearly kept"),
    (SOMETIMES, survey(clearly_broken=3), "not_evaluated", "kept nowhere"),
    (SOMETIMES, survey(points=0), "not_evaluated", "no points"),
]


@pytest.mark.parametrize(("claim", "found", "verdict", "reason"), SURVEYS)
def test_surveys(claim, found, verdict, reason):
    judged = judge(claim, found)
    assert (judged.verdict, judged.reason) == (verdict, reason)


ABSENCES = [
    (None, Absent("unsettled", {"because": "so."}), "not_evaluated", "absent"),
    (EQUATION, Absent("no data", {"files": ["t.csv"]}), "not_evaluated", "absent"),
    (ALWAYS, Absent("no number"), "not_evaluated", "absent"),
    (SOMETIMES, Absent("no row"), "not_evaluated", "absent"),
    (EQUATION, Absent("undefined"), "not_evaluated", "absent"),
    (ALWAYS, Absent("undefined"), "not_evaluated", "absent"),
]


@pytest.mark.parametrize(("claim", "found", "verdict", "reason"), ABSENCES)
def test_what_is_absent_is_never_a_pass(claim, found, verdict, reason):
    judged = judge(claim, found)
    assert (judged.verdict, judged.reason) == (verdict, reason)


BY_ENTRY = {"other data", "differs elsewhere", "scope", "strength"}  # with what the entry says


def test_every_reason_is_given_somewhere_above():
    tried = {row[-1] for table in (NUMBERS, RELATIONS, DECISIONS, SURVEYS, ABSENCES) for row in table}
    assert tried | BY_ENTRY == set(REASONS)


def test_caveats_are_those_of_the_list():
    rows = [row for table in (NUMBERS, RELATIONS, DECISIONS, SURVEYS, ABSENCES) for row in table]
    assert {row[-1] for row in rows if row[-2] == CAVEAT} | BY_ENTRY - {"differs elsewhere"} == set(CAVEATS)


@pytest.mark.parametrize(
    ("verdict", "expected"), [(REPRODUCED, CAVEAT), (CAVEAT, CAVEAT), (CONTRADICTED, NOT_EVALUATED)]
)
def test_what_agrees_on_other_data_reproduces_nothing(verdict, expected):
    assert on_other_data(Verdict(verdict, "rounds")).verdict == expected


@pytest.mark.parametrize(("claim", "found"), [(ALWAYS, exactly(0)), (SOMETIMES, exactly(1))])
def test_an_answer_of_the_wrong_form_is_refused(claim, found):
    with pytest.raises(ValueError, match="does not answer the claim"):
        judge(claim, found)


def test_only_what_the_solver_proved_is_called_proved():
    """However many cases a search went through without a counterexample."""
    assert judge(ALWAYS, replace(decision("searched"), checked=10**9)).reason == "searched"


_numbers = st.fractions(min_value=-2, max_value=2, max_denominator=1000)


@settings(deadline=None, derandomize=True)
@given(st.lists(_numbers, min_size=3, max_size=3), _numbers, st.sampled_from(("exact", "rounded")))
def test_the_verdict_follows_from_the_stored_evidence(numbers, stated, tolerance):
    low, value, high = sorted(numbers)
    found = Number(value, low, high)
    claim = Formula.condition(f"x == {float(stated):.3f}")
    verdict = judge(claim, found, tolerance)
    assert verdict.verdict in VERDICTS
    assert verdict.verdict != NOT_EVALUATED
    assert judge(claim, found_from_json(found_to_json(found)), tolerance) == verdict


@settings(deadline=None, derandomize=True)
@given(_numbers)
def test_a_number_that_is_printed_rightly_is_reproduced(number):
    printed = format(decimal.Decimal(round(number * 1000)).scaleb(-3), "f")
    assert judge(Formula.condition(f"x == {printed}"), exactly(number)).verdict == "reproduced"
