"""The rule, case by case."""

import decimal
import inspect
import re
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nontrivial.audit import verdict as rule
from nontrivial.audit.found import (
    Proof,
    Quantities,
    Quantity,
    Search,
    Survey,
    Unavailable,
    found_from_json,
    number_text,
)
from nontrivial.audit.stated import Printed, parse_stated
from nontrivial.audit.verdict import CAVEATS, TOLERANCES, VERDICTS, decide


def between(low, value, high):
    return Quantity(Fraction(value), Fraction(low), Fraction(high))


def search(hits=0, undefined=0, checked=10):
    smallest = (1, 1, 0, 0) if hits else None
    return Search("domain", checked=checked, undefined=undefined, hits=hits, smallest=smallest)


@pytest.mark.parametrize(
    ("stated", "tolerance", "found", "verdict"),
    [
        # exact: equal or not, whatever the digits
        ("25980", "exact", between(26580, 26580, 26580), "contradicted"),
        ("25980", "exact", between(25980, 25980, 25980), "reproduced"),
        ("0.46", "exact", between("7/15", "7/15", "7/15"), "contradicted"),
        ("0.5", "exact", between("0.4", "0.45", "0.6"), "caveat"),
        # rounded: the printed digits decide
        ("0.47", "rounded", between("7/15", "7/15", "7/15"), "reproduced"),
        ("0.46", "rounded", between("7/15", "7/15", "7/15"), "caveat"),
        ("0.45", "rounded", between("7/15", "7/15", "7/15"), "contradicted"),
        ("0.465", "rounded", between("0.4655", "0.4655", "0.4655"), "reproduced"),
        ("0.465", "rounded", between("0.4645", "0.4645", "0.4645"), "reproduced"),
        ("0.45", "rounded", between("0.4", "7/15", "0.5"), "caveat"),
        # rounded: the sign of the range counts
        ("-0.02", "rounded", between("-7/180", "-1/50", "-1/900"), "reproduced"),
        ("-0.13", "rounded", between("-29/90", "-2/15", "1/18"), "caveat"),
        ("0.0", "rounded", between("-0.1", "0", "0.1"), "reproduced"),
        # interval: the range found decides
        ("24%", "interval", between("0.21", "0.28", "0.31"), "reproduced"),
        ("24%", "interval", between("0.2451", "0.28", "0.31"), "contradicted"),
        ("24%", "interval", between("0.245", "0.28", "0.31"), "reproduced"),
    ],
)
def test_numbers(stated, tolerance, found, verdict):
    assert decide(Printed.parse(stated), found, tolerance)[0] == verdict


@pytest.mark.parametrize(
    ("stated", "found", "verdict"),
    [
        ("< 0", between("-0.03", "-0.02", "-0.01"), "reproduced"),
        ("< 0", between("-0.03", "-0.02", "0"), "caveat"),
        ("<= 0", between("-0.03", "-0.02", "0"), "reproduced"),
        ("< 0", between("-0.03", "0.01", "0.02"), "caveat"),
        ("< 0", between("0.005", "0.01", "0.02"), "contradicted"),
        ("> 1/2", between("0.4", "0.6", "0.7"), "caveat"),
        ("= 9", between(9, 9, 9), "reproduced"),
        ("= 9", between(8, 9, 9), "caveat"),
        ("= 1", between(0, 2, 3), "caveat"),
        ("= 1", between(2, 2, 3), "contradicted"),
        ("!= 1", between(2, 2, 3), "reproduced"),
        ("!= 1", between(0, 2, 3), "caveat"),
        ("!= 1", between(1, 1, 1), "contradicted"),
    ],
)
def test_comparisons(stated, found, verdict):
    assert decide(parse_stated(stated), found)[0] == verdict


@pytest.mark.parametrize(
    ("bob", "alice", "verdict"),
    [
        (between("0.4", "0.4", "0.4"), between("7/15", "7/15", "7/15"), "reproduced"),
        (between("0.3", "0.4", "0.5"), between("0.45", "0.46", "0.47"), "caveat"),
        (between("0.4", "0.4", "0.4"), between("0.4", "0.4", "0.4"), "contradicted"),
    ],
)
def test_orders_of_quantities(bob, alice, verdict):
    assert decide(parse_stated("bob < alice"), Quantities({"bob": bob, "alice": alice}))[0] == verdict


@pytest.mark.parametrize(
    ("stated", "found", "verdict"),
    [
        ("f1 <= accuracy", search(), "reproduced"),
        ("f1 <= accuracy", search(hits=1), "contradicted"),
        ("f1 <= accuracy", search(hits=1, undefined=3), "contradicted"),
        ("f1 <= accuracy", search(undefined=3), "caveat"),
        ("f1 <= accuracy", search(checked=0), "not_evaluated"),
        ("f1 <= accuracy", search(checked=0, undefined=3), "not_evaluated"),
        ("sometimes f1 <= accuracy", search(hits=1), "reproduced"),
        ("sometimes f1 <= accuracy", search(), "not_evaluated"),
    ],
)
def test_searches(stated, found, verdict):
    assert decide(parse_stated(stated), found)[0] == verdict


def test_a_condition_of_which_no_side_is_ever_true_says_nothing():
    """As a statement on a condition that is never met, it is not evaluated; a counterexample still counts."""
    statement = parse_stated("f1 = 0 iff tp = 0")
    vacuous = {"vacuous": True}
    assert decide(statement, replace(search(), details=vacuous)) == (
        "not_evaluated",
        "in the domain that was searched neither side is ever true.",
    )
    found = replace(search(hits=1), details=vacuous)
    assert decide(statement, found)[0] == "contradicted"
    assert found.text().endswith("; where it does not fail, neither side is ever true (vacuous)")


def points(**counts):
    none = {"kept": 0, "clearly_kept": 0, "clearly_broken": 0}
    return Survey("points of t.csv", points=3, absent=0, first_broken="x", **(none | counts))


@pytest.mark.parametrize(
    ("cause", "stated", "found"),
    [
        ("sign", "-0.13", between("-29/90", "-2/15", "1/18")),
        ("cut", "0.46", between("7/15", "7/15", "7/15")),
        ("range", "0.45", between("0.4", "7/15", "0.5")),
        ("not all ends", "< 0", between("-0.03", "-0.02", "0")),
        ("some ends", "< 0", between("-0.03", "0.01", "0.02")),
        ("undefined", "f1 <= accuracy", search(undefined=3)),
        ("unclearly kept", "sometimes f1 < accuracy", points(kept=1)),
        ("unclearly broken", "f1 < accuracy", points(kept=2)),
    ],
)
def test_each_cause_of_a_caveat_is_listed(cause, stated, found):
    assert decide(parse_stated(stated), found) == (
        "caveat",
        CAVEATS[cause].format("rounds to the printed digits"),
    )


def test_no_cause_of_a_caveat_is_without_a_case():
    (mark,) = (
        mark for mark in test_each_cause_of_a_caveat_is_listed.pytestmark if mark.name == "parametrize"
    )
    assert [case[0] for case in mark.args[1]] == list(CAVEATS)


def test_no_rule_gives_a_caveat_for_another_cause():
    """Wherever the rule says caveat, its reason is one of the list."""
    for line in inspect.getsource(rule).splitlines():
        if "return CAVEAT" in line:
            assert re.search(r"return CAVEAT, CAVEATS\[", line), line


def test_only_algebra_is_called_a_proof():
    """However many cases a search went through without a counterexample."""
    equation, found, proof = parse_stated("f1 = 2*tp/(2*tp + e)"), search(checked=10**9), Proof("all e, tp")
    assert "prove" not in " ".join([*decide(equation, found), found.text()])
    assert "proved" in proof.text()
    assert decide(equation, proof)[0] == "reproduced"
    assert decide(equation, found_from_json(proof.to_json())) == decide(equation, proof)


@pytest.mark.parametrize("stated", [None, "0.5", "< 0", "f1 < accuracy"])
def test_absent_data_is_never_a_pass(stated):
    parsed = None if stated is None else parse_stated(stated)
    assert decide(parsed, Unavailable("no data.")) == ("not_evaluated", "no data.")


@pytest.mark.parametrize(
    ("stated", "found"),
    [("0.5", search()), ("f1 < accuracy", between(0, 0, 0)), ("a < b if c < d", Quantities({}))],
)
def test_an_answer_of_the_wrong_form_is_refused(stated, found):
    with pytest.raises(ValueError, match="does not answer a stated"):
        decide(parse_stated(stated), found)


def test_an_unknown_name_in_an_order_is_named():
    with pytest.raises(ValueError, match="'carol' is not among the numbers found: bob"):
        decide(parse_stated("bob < carol"), Quantities({"bob": between(0, 0, 0)}))


_numbers = st.fractions(min_value=-2, max_value=2, max_denominator=1000)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.lists(_numbers, min_size=3, max_size=3), _numbers, st.sampled_from(TOLERANCES))
def test_the_verdict_follows_from_the_stored_evidence(numbers, stated, tolerance):
    low, value, high = sorted(numbers)
    found = Quantity(value, low, high)
    printed = Printed.parse(f"{float(stated):.3f}")
    verdict = decide(printed, found, tolerance)
    assert verdict[0] in VERDICTS
    assert decide(printed, found_from_json(found.to_json()), tolerance) == verdict


@settings(max_examples=200, deadline=None, derandomize=True)
@given(_numbers)
def test_a_number_that_is_printed_rightly_is_reproduced(number):
    printed = Printed.parse(format(decimal.Decimal(int(round(number, 3) * 1000)).scaleb(-3), "f"))
    assert decide(printed, Quantity.exactly(number)) == (
        "reproduced",
        "the number found rounds to the printed digits.",
    )


@pytest.mark.parametrize(
    "found",
    [
        Quantity(Fraction(1, 3), Fraction(0), Fraction(1), {"table": ["1/2", "1"]}),
        Quantities({"b": between(0, 1, 2), "a": between(0, 0, 0)}),
        search(hits=2),
        search(),
        Survey(
            "points of t.csv", points=3, kept=2, clearly_kept=1, clearly_broken=1, absent=4, first_broken="x"
        ),
        Unavailable("why.", "do this"),
    ],
)
def test_what_was_found_survives_storage(found):
    assert found_from_json(found.to_json()) == found


@pytest.mark.parametrize(
    "value",
    [
        {},
        {"type": "else"},
        {"type": "quantity", "value": "1"},
        {"type": "search", "smallest": None},
        {"type": "quantity", "value": "1/0", "low": "0", "high": "0", "details": {}},
        [],
        None,
    ],
)
def test_damaged_evidence_is_refused(value):
    with pytest.raises(ValueError, match="a stored result"):
        found_from_json(value)


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
