"""What readers are told: every code has its sentence, and every sentence is of a code."""

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest

import nontrivial.claims
import nontrivial_study.documents
from nontrivial.claims.sentences import (
    ABSENT,
    CAVEATS,
    REASONS,
    domain_text,
    found_text,
    holds_text,
    number_text,
    reason_text,
    witness_parts,
    witness_text,
)
from nontrivial.claims.verdict import Absent, Decision, ExactlyWhen, Number, Numbers, Survey

MINUS = "\N{MINUS SIGN}"
PACKAGES = [Path(package.__path__[0]) for package in (nontrivial.claims, nontrivial_study.documents)]


def calls(name, path="**/*.py"):
    """Every call of a class in the packages, as parsed."""
    for file in (file for package in PACKAGES for file in package.glob(path)):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
                yield node


def texts(node):
    return {
        part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    }


def test_every_reason_of_the_rule_has_its_sentence_and_every_sentence_its_reason():
    reasons = set().union(*(texts(call.args[1]) for call in calls("Verdict", "verdict.py")))
    assert reasons | {"scope", "strength"} == set(REASONS)  # an entry says in which it is true
    assert set(CAVEATS) <= set(REASONS)


def test_every_reason_of_a_source_has_its_sentence_and_every_sentence_its_reason():
    reasons = set().union(*(texts(call.args[0]) for call in calls("Absent")))
    assert reasons == set(ABSENT)


def test_sentences_end_and_begin_as_a_clause():
    for sentence in [*REASONS.values(), *ABSENT.values()]:
        assert sentence in ("", "{because}") or re.fullmatch(r"[a-z{].*\.", sentence), sentence


@pytest.mark.parametrize("call", list(calls("Absent")), ids=lambda call: ast.unparse(call.args[0]))
def test_a_source_gives_what_its_sentence_says(call):
    """Where it writes the fields down in place."""
    match call.args:
        case [ast.Constant(value=reason), ast.Dict(keys=keys)]:
            given = {key.value for key in keys}
            assert set(re.findall(r"{(\w+)}", ABSENT[reason])) <= given


@pytest.mark.parametrize(
    ("reason", "about", "found", "text"),
    [
        ("rounds", {}, Number(*[Fraction(1)] * 3), REASONS["rounds"]),
        ("differs", {"difference": "1/6"}, Number(*[Fraction(1)] * 3), "0.166666666667 (1/6)"),
        ("absent", {}, Absent("no data", {"files": ["a.csv", "b.csv"]}), "a.csv, b.csv"),
        ("absent", {}, Absent("unsettled", {"because": "it is taste."}), "it is taste."),
        ("absent", {}, Absent("no row", {"table": "t.csv", "where": {"x": "1", "y": "2"}}), "x = 1, y = 2"),
        ("absent", {}, Absent("undefined"), ABSENT["undefined"]),
    ],
)
def test_reasons(reason, about, found, text):
    assert text in reason_text(reason, about, found)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        ("26580", "26580"),
        ("0.4", "0.4"),
        ("-1/3", "-0.333333333333 (-1/3)"),
        ("0", "0"),
        ("1/1024", "0.0009765625"),
        ("1/4096", "0.000244140625"),
        ("1000001/1000000000003", "0.000001000001"),
    ],
)
def test_numbers_are_written_the_same_way_always(number, text):
    assert number_text(Fraction(number)) == text


DOMAIN = {"over": "tables", "cases": 12}
DECISIONS = [
    (Decision("proved", "any size", DOMAIN, 9, 0, 0), ["9"]),
    (Decision("impossible", "the ranges", DOMAIN, 9, 0, 0), ["9"]),
    (Decision("searched", "", DOMAIN, 9, 2, 0), ["9", "2"]),
    (Decision("searched", "", DOMAIN, 9, 0, 0, undefined_somewhere=True), ["9"]),
    (Decision("refuted", "", DOMAIN, 1234, 0, 2), ["2", "1,234"]),
    (Decision("shown", "", DOMAIN, 9, 0, 1), ["1", "9"]),
    (Decision("refuted", "", DOMAIN, 9, 0, 1, smallest=False), ["9"]),
    (
        Decision("refuted", "", DOMAIN, 9, 0, 1, exactly_when=ExactlyWhen("tp > 0", "refuted", 5, 2, 3)),
        ["tp > 0", "5", "2"],
    ),
]


@pytest.mark.parametrize(("found", "parts"), DECISIONS)
def test_decisions_say_their_counts(found, parts):
    for part in parts:
        assert part in found_text(found)


def test_what_differs_is_said_otherwise():
    said = [found_text(found) for found, _ in DECISIONS]
    assert len(set(said)) == len(said)


def test_numbers_and_surveys_say_their_parts():
    third = (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))
    numbers = found_text(Numbers({"a": third, "b": (Fraction(2),) * 3}, True, "all"))
    assert [text for text in ("a", "0.5", "0.25", "0.75", "b", "2") if text not in numbers] == []
    assert found_text(Absent("no number")) == ""
    broken = found_text(Survey(3, 1, 1, 1, 2, {"noise": "0.2"}, {"a": "1/2"}))
    for part in ("1 of 3", "noise = 0.2", "2"):
        assert part in broken


def test_where_a_claim_holds():
    """What is proved, tried and enough is told apart; what was refuted is as if nothing had been found."""
    said = {
        status: holds_text(ExactlyWhen("fp > 0", status, 3, 0, 3))
        for status in ("proved", "searched", "sufficient", "refuted")
    }
    assert said.pop("refuted") == holds_text(None)
    assert len(set(said.values())) == 3
    assert all("fp > 0" in text for text in said.values())
    assert "fp > 0" not in holds_text(None)


@pytest.mark.parametrize(
    ("fields", "case", "parts"),
    [
        (DOMAIN, (1, 2, 0, 3), {"FP": 1, "TP": 2, "FN": 0, "TN": 3}),
        (
            {"over": "pairs of tables", "cases": 8},
            (1, 0, 0, 0, 0, 2, 0, 0),
            {"first": {"FP": 1, "TP": 0, "FN": 0, "TN": 0}, "second": {"FP": 0, "TP": 2, "FN": 0, "TN": 0}},
        ),
        ({"over": "numbers", "ranges": {"a": [0, 4], "b": [1, 9]}, "open": False}, (3, 1), {"a": 3, "b": 1}),
        (
            {"over": "forecasts", "classes": 2, "count": 3, "guess": 3},
            (1, 2, 1, 0),
            {"labels": [1, 2], "forecast": [1, 0]},
        ),
        ({"over": "rankings", "cases": 8}, (1, 0, 1, 2), {"ranking": [[1, 0], [1, 2]]}),
        (
            {"over": "pairs of rankings", "cases": 4},
            (1, 0, 0, 1, 1, 1),
            {"a": [[1, 0], [0, 1]], "b": [[1, 1]]},
        ),
    ],
)
def test_cases_have_named_parts_and_words(fields, case, parts):
    assert witness_parts(fields, case) == parts
    text = witness_text(fields, case)
    if "rankings" in fields["over"]:  # a sign for each case
        assert (text.count("+"), text.count(MINUS)) == (sum(case[::2]), sum(case[1::2]))
    else:
        assert [int(digits) for digits in re.findall("[0-9]+", text)] == list(case)


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"over": "numbers", "ranges": {"a": [0, 4]}, "open": False}, "a in 0..4"),
        ({"over": "numbers", "ranges": {"a": [1, 6]}, "open": True}, "a"),
        ({"over": "pairs of rankings", "cases": 2, "untied": 8}, "8"),
        ({"over": "forecasts", "classes": 2, "count": 3, "guess": 4}, "4"),
    ],
)
def test_domains_say_their_sizes(fields, part):
    assert part in domain_text(fields)


def test_what_was_tried_is_not_taken_for_what_was_proved():
    fields = {"over": "numbers", "ranges": {"a": [0, 4], "b": [0, 2], "k": [1, 2]}, "open": False}
    proved, of_ranges = domain_text(fields, "any size"), domain_text(fields, "the ranges")
    meant, _, tried = proved.partition("tried")
    assert [name in meant for name in ("a, b", "k", "0..4")] == [True, True, False]
    assert "0..4" in tried
    assert "tried" not in of_ranges
