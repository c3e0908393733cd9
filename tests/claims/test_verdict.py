"""The rule, row by row, on findings with typed fields; how these are stored, and what readers are told of it."""

import json
from dataclasses import replace
from fractions import Fraction

import pytest

from nontrivial.claims import sentences
from nontrivial.claims import verdict as rule
from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.verdict import (
    CAVEAT,
    CONTRADICTED,
    NOT_EVALUATED,
    NOT_REFUTED,
    REPRODUCED,
    Decision,
    ExactlyWhen,
    NothingFound,
    NumberFinding,
    RelationFinding,
    Verdict,
)

ALWAYS, SOMETIMES = Formula.condition("x < y"), Formula.condition("sometimes(x < y)")
THIRD = (Fraction(1, 3), Fraction(0), Fraction(1))


def between(low, value, high):
    return NumberFinding(Fraction(value), Fraction(low), Fraction(high))


def exactly(value):
    return between(value, value, value)


def decision(status, **fields):
    hits = int(status in ("refuted", "shown"))
    proved_of = "any size" if status in ("proved", "impossible") else ""
    known = {"proved_of": proved_of, "domain": {"over": "tables", "cases": 12}, "checked": 10, "undefined": 0}
    return Decision(status, **known | {"hits": hits, "witness": (1, 1, 0, 0) if hits else None} | fields)


NUMBERS = [
    # exact: equal or not, whatever the digits
    ("25980", "exact", exactly(26580), CONTRADICTED, "differs"),
    ("0.46", "exact", exactly("0.46"), REPRODUCED, "equal"),
    ("0.5", "exact", between("0.4", "0.45", "0.6"), CAVEAT, "range"),
    ("0.5", "exact", between("0.4", "0.5", "0.6"), CAVEAT, "not all ends"),
    # rounded: the printed digits decide, both ends of a half included
    ("0.47", "rounded", exactly("7/15"), REPRODUCED, "rounds"),
    ("0.46", "rounded", exactly("7/15"), CAVEAT, "cut"),
    ("0.46", "rounded", exactly("-7/15"), CONTRADICTED, "differs"),
    ("-0.46", "rounded", exactly("-7/15"), CAVEAT, "cut"),
    ("0.45", "rounded", exactly("7/15"), CONTRADICTED, "differs"),
    ("0.465", "rounded", exactly("0.4655"), REPRODUCED, "rounds"),
    # rounded: the sign of the range counts
    ("-0.02", "rounded", between("-7/180", "-1/50", "-1/900"), REPRODUCED, "rounds"),
    ("-0.13", "rounded", between("-29/90", "-2/15", "1/18"), CAVEAT, "sign open"),
    # what sampling leaves possible reproduces nothing
    ("0.24", "rounded", between("0.245", "0.28", "0.31"), CAVEAT, "range"),
    ("0.24", "rounded", between("0.2451", "0.28", "0.31"), CONTRADICTED, "differs"),
]


@pytest.mark.parametrize(("stated", "tolerance", "finding", "verdict", "reason"), NUMBERS)
def test_numbers(stated, tolerance, finding, verdict, reason):
    judged = rule.verdict_on(Formula.condition(f"x == {stated}"), finding, tolerance)
    assert (judged.verdict, judged.reason) == (verdict, reason)
    difference = str(abs(finding.value - Fraction(stated)))
    assert judged.about == ({"difference": difference} if reason == "differs" else {})


OTHERS = [
    (ALWAYS, RelationFinding({}, True, "all"), REPRODUCED, "kept"),
    (ALWAYS, RelationFinding({}, True, "some"), CAVEAT, "not all ends"),
    (ALWAYS, RelationFinding({}, False, "none"), CONTRADICTED, "broken"),
    (ALWAYS, RelationFinding({}, False, "some"), CAVEAT, "some ends"),
    (ALWAYS, decision("proved", undefined=2, undefined_somewhere=True), REPRODUCED, "proved"),
    (ALWAYS, decision("searched", undefined_somewhere=True, checked=10**9), NOT_REFUTED, "searched"),
    (SOMETIMES, decision("not shown", vacuous=True), NOT_EVALUATED, "vacuous"),
    (ALWAYS, decision("refuted", undefined=3, undefined_somewhere=True), CONTRADICTED, "counterexample"),
    (ALWAYS, decision("searched", unconfirmed=True), NOT_EVALUATED, "unconfirmed"),
    (ALWAYS, decision("searched", undecided=True), NOT_EVALUATED, "undecided"),
    (SOMETIMES, decision("not shown", undecided=True), NOT_EVALUATED, "undecided"),
    (SOMETIMES, decision("shown", undefined_somewhere=True), REPRODUCED, "example"),
    (SOMETIMES, decision("impossible"), CONTRADICTED, "impossible"),
    (SOMETIMES, decision("not shown"), NOT_EVALUATED, "no example"),
    (None, NothingFound("unsettled", {"because": "so."}), NOT_EVALUATED, "unsettled"),
]


@pytest.mark.parametrize(("claim", "finding", "verdict", "reason"), OTHERS)
def test_other_findings(claim, finding, verdict, reason):
    judged = rule.verdict_on(claim, finding)
    assert (judged.verdict, judged.reason) == (verdict, reason)


SPAN = (Fraction("0.4"), Fraction("0.3"), Fraction("0.5"))
REPLICATIONS = [
    ("x == 0.3", NumberFinding(*SPAN), "agrees"),
    ("x == 0.29", NumberFinding(*SPAN), "differs"),
    ("x == 0.4", exactly("0.44"), "agrees"),  # it rounds to the stated digits
    ("x > 0", RelationFinding({"x": SPAN}, True, "all"), "agrees"),
    ("x > 0.4", RelationFinding({"x": SPAN}, False, "some"), "open"),
    ("x > 0.6", RelationFinding({"x": SPAN}, False, "none"), "differs"),
    ("x == 0.3", NothingFound("no row"), "open"),
]


@pytest.mark.parametrize(("text", "finding", "replication"), REPLICATIONS)
def test_a_replication_agrees_differs_or_is_open(text, finding, replication):
    claim = Formula.condition(text)
    assert rule.compare_with_other_data(claim, finding, "rounded") == replication
    if isinstance(finding, NothingFound):
        return
    elsewhere = replace(finding, elsewhere={"tasks": ["33", "886"]})
    assert rule.compare_with_other_data(claim, elsewhere, "rounded") == replication
    verdict = rule.verdict_on(claim, elsewhere)
    assert (verdict.verdict, verdict.reason) == (NOT_EVALUATED, f"other study {replication}")
    sentence = sentences.reason_text(verdict, elsewhere, text)
    digits = text.replace("x == ", "").replace("x > ", "above ")
    assert [part for part in ("33 tasks", "886 other tasks", f"says {digits}.") if part not in sentence] == []
    assert isinstance(finding, RelationFinding) or f"{float(finding.value)} ({float(finding.low)} to " in sentence


def test_a_repair_or_other_data_change_the_verdict():
    assert {Verdict(reason).verdict for reason in ("other data", "scope", "strength")} == {CAVEAT}
    for reason, verdict in {"rounds": CAVEAT, "cut": CAVEAT, "differs": NOT_EVALUATED}.items():
        assert rule.verdict_on_other_data(Verdict(reason)).verdict == verdict


@pytest.mark.parametrize(("claim", "finding"), [(ALWAYS, exactly(0)), (SOMETIMES, exactly(1))])
def test_an_answer_of_the_wrong_form_is_refused(claim, finding):
    with pytest.raises(ValueError, match="does not answer the claim"):
        rule.verdict_on(claim, finding)


WHERE = ExactlyWhen("fp > 0", "proved", 3, 0, 3)
FULL = {"values": {"f1": "2/3", "matthews_corrcoef": "undefined"}, "smallest": False, "exactly_when": WHERE}


POINTS = {"points": 3, "kept": 1, "clearly_kept": 1, "clearly_broken": 1, "absent": 2}


@pytest.mark.parametrize(
    "finding",
    [
        NumberFinding(*THIRD),
        RelationFinding({"b": THIRD, "a": (Fraction(-2),) * 3}, False, "some"),
        RelationFinding({"a": THIRD}, False, "none", {"noise": "0.2"}, POINTS),
        NumberFinding(*THIRD, {"tasks": ["33", "886"]}),
        NothingFound("no row", {"table": "t.csv", "where": {"x": "1"}}),
        decision("not shown", vacuous=True),
        decision("refuted", undefined_case=(0, Fraction(1, 2)), natural=True, **FULL),
    ],
    ids=lambda finding: type(finding).__name__,
)
def test_what_was_found_survives_storage(finding):
    assert rule.finding_from_json(json.loads(json.dumps(rule.finding_to_json(finding)))) == finding


# What readers are told.


def test_reasons_say_their_numbers():
    differs = Verdict("differs", {"difference": "1/6"})
    assert "0.166666666667 (1/6)" in sentences.reason_text(differs, exactly(0), "")
    absent = NothingFound("no row", {"table": "t.csv", "where": {"x": "1", "y": "2"}})
    assert "x = 1, y = 2" in sentences.reason_text(Verdict("no row"), absent, "")
    for number, text in {"26580": "26580", "0": "0", "-1/4096": "-0.000244140625"}.items():
        assert sentences.fraction_text(Fraction(number)) == text
    assert sentences.fraction_text(Fraction(1000001, 1000000000003)) == "0.000001000001"


def test_what_an_interval_says_and_where_points_break_a_relation():
    assert sentences.finding_text(RelationFinding({"a": THIRD, "b": (Fraction(2),) * 3}, True, "all")) == (
        "a 0.333333333333 (1/3), between 0 and 1; b 2"
    )
    broken = sentences.finding_text(RelationFinding({"a": THIRD}, False, "none", {"noise": "0.2"}, POINTS))
    assert [part for part in ("1 of 3", "noise = 0.2", "2") if part not in broken] == []


NUMBERS_OVER = {"over": "numbers", "ranges": {"a": [0, 4], "b": [0, 2], "k": [1, 2]}, "open": False}


@pytest.mark.parametrize(
    ("fields", "case", "parts", "text"),
    [
        (
            {"over": "pairs of tables"},
            (1, 0, 0, 0, 0, 2, 0, 0),
            {"first": {"FP": 1, "TP": 0, "FN": 0, "TN": 0}, "second": {"FP": 0, "TP": 2, "FN": 0, "TN": 0}},
            "first: FP 1, TP 0, FN 0, TN 0; second: FP 0, TP 2, FN 0, TN 0",
        ),
        (NUMBERS_OVER, (3, 1, 2), {"a": 3, "b": 1, "k": 2}, "a = 3, b = 1, k = 2"),
        (
            {"over": "forecasts", "classes": 2},
            (1, 2, 1, 0),
            {"labels": [1, 2], "forecast": [1, 0]},
            "labels 1, 2; forecast 1, 0",
        ),
        (
            {"over": "pairs of rankings"},
            (1, 0, 0, 1, 1, 1),
            {"a": [[1, 0], [0, 1]], "b": [[1, 1]]},
            "a, best first: + -; b, best first: [+ -]",
        ),
    ],
)
def test_cases_have_named_parts_and_words(fields, case, parts, text):
    assert sentences.witness_parts(fields, case) == parts
    assert sentences.witness_text(fields, case) == text.replace("-", "\N{MINUS SIGN}")
