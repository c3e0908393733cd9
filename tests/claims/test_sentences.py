"""What readers are told: every code has its sentence, and every sentence is of a code."""

import ast
import re
from fractions import Fraction
from pathlib import Path

import pytest

import nontrivial.claims
from nontrivial.claims.found import Absent, Decision, ExactlyWhen, Number, Numbers, Survey
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

MINUS = "\N{MINUS SIGN}"
PACKAGE = Path(nontrivial.claims.__file__).parent


def calls(name, path="**/*.py"):
    """Every call of a class in the package, as parsed."""
    for file in PACKAGE.glob(path):
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
    assert reasons == set(REASONS)
    assert set(CAVEATS) <= reasons


def test_every_reason_of_a_source_has_its_sentence_and_every_sentence_its_reason():
    reasons = set().union(*(texts(call.args[0]) for call in calls("Absent")))
    assert reasons - {"undefined"} == set(ABSENT)


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
        ("differs", {"difference": "1/6"}, Number(*[Fraction(1)] * 3), "by 0.166666666667 (1/6)."),
        ("absent", {}, Absent("no data", {"files": ["a.csv", "b.csv"]}), "needs a.csv, b.csv, which"),
        ("absent", {}, Absent("opinion", {"because": "it is taste."}), "it is taste."),
        (
            "absent",
            {},
            Absent("no row", {"table": "t.csv", "where": {"x": "1", "y": "2"}}),
            "with x = 1, y = 2.",
        ),
        ("no value", {}, Absent("undefined"), REASONS["no value"]),
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
    (Decision("proved", "any size", DOMAIN, 9, 0, 0), ["9 cases", "any size"]),
    (Decision("impossible", "the ranges", DOMAIN, 9, 0, 0), ["no example", "in the ranges"]),
    (Decision("searched", "", DOMAIN, 9, 2, 0), ["no counterexample", "2 cases leave it undefined"]),
    (
        Decision("searched", "", DOMAIN, 9, 0, 0, undefined_somewhere=True),
        ["larger cases leave it undefined"],
    ),
    (Decision("refuted", "", DOMAIN, 1234, 0, 2), ["2 counterexamples among 1,234 cases"]),
    (Decision("shown", "", DOMAIN, 9, 0, 1), ["1 example among"]),
    (Decision("refuted", "", DOMAIN, 9, 0, 1, smallest=False), ["a large counterexample"]),
    (
        Decision("refuted", "", DOMAIN, 9, 0, 1, exactly_when=ExactlyWhen("tp > 0", "refuted", 5, 2, 3)),
        ["tp > 0, is not it", "5 cases", "2 of which"],
    ),
]


@pytest.mark.parametrize(("found", "parts"), DECISIONS)
def test_decisions_say_their_counts(found, parts):
    for part in parts:
        assert part in found_text(found)


def test_numbers_and_surveys_say_their_parts():
    third = (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))
    assert found_text(Numbers({"a": third, "b": (Fraction(2),) * 3}, True, "all")) == (
        "a 0.5, between 0.25 and 0.75; b 2"
    )
    assert found_text(Absent("no number")) == ""
    broken = found_text(Survey(3, 1, 1, 1, 2, {"noise": "0.2"}, {"a": "1/2"}))
    for part in ("1 of 3 points", "noise = 0.2", "2 points lack a number"):
        assert part in broken


@pytest.mark.parametrize(
    ("where", "text"),
    [
        (None, "no condition found"),
        (ExactlyWhen("fp > 0", "proved", 3, 0, 3), "exactly where fp > 0"),
        (ExactlyWhen("fp > 0", "searched", 3, 0, 3), "exactly where fp > 0 (tried, not proved)"),
        (ExactlyWhen("fp > 0", "sufficient", 2, 0, 3), "at least where fp > 0"),
        (ExactlyWhen("fp > 0", "refuted", 3, 1, 3), "no condition found"),
    ],
)
def test_where_a_claim_holds(where, text):
    assert holds_text(where) == text


@pytest.mark.parametrize(
    ("fields", "case", "parts", "text"),
    [
        (DOMAIN, (1, 2, 0, 3), {"FP": 1, "TP": 2, "FN": 0, "TN": 3}, "FP 1, TP 2, FN 0, TN 3"),
        (
            {"over": "pairs of tables", "cases": 8},
            (1, 0, 0, 0, 0, 2, 0, 0),
            {"first": {"FP": 1, "TP": 0, "FN": 0, "TN": 0}, "second": {"FP": 0, "TP": 2, "FN": 0, "TN": 0}},
            "first: FP 1, TP 0, FN 0, TN 0; second: FP 0, TP 2, FN 0, TN 0",
        ),
        (
            {"over": "numbers", "ranges": {"a": [0, 4], "b": [1, 9]}, "open": False},
            (3, 1),
            {"a": 3, "b": 1},
            "a = 3, b = 1",
        ),
        (
            {"over": "forecasts", "classes": 2, "count": 3, "guess": 3},
            (1, 2, 1, 0),
            {"labels": [1, 2], "forecast": [1, 0]},
            "the labels occur 1, 2 times and are forecast as 1, 0",
        ),
        (
            {"over": "rankings", "cases": 8},
            (1, 0, 1, 2),
            {"ranking": [[1, 0], [1, 2]]},
            f"best first: + [+ {MINUS} {MINUS}]",
        ),
        (
            {"over": "pairs of rankings", "cases": 4},
            (1, 0, 0, 1, 1, 1),
            {"a": [[1, 0], [0, 1]], "b": [[1, 1]]},
            f"a, best first: + {MINUS}; b, best first: [+ {MINUS}]",
        ),
    ],
)
def test_cases_have_named_parts_and_words(fields, case, parts, text):
    assert witness_parts(fields, case) == parts
    assert witness_text(fields, case) == text


@pytest.mark.parametrize(
    ("fields", "part"),
    [
        ({"over": "numbers", "ranges": {"a": [0, 4]}, "open": False}, "a in 0..4"),
        ({"over": "numbers", "ranges": {"a": [1, 6]}, "open": True}, "all positive numbers a"),
        ({"over": "pairs of rankings", "cases": 2, "untied": 8}, "up to 8 cases without ties"),
        (
            {"over": "forecasts", "classes": 2, "count": 3, "guess": 4},
            "counts up to 4",
        ),
    ],
)
def test_domains_say_their_sizes(fields, part):
    assert part in domain_text(fields)
