"""``!=`` between two conditions: just one is true; by the search and by the solver."""

import itertools

import pytest

from nontrivial.claims.domains import Tables, WholeNumbers
from nontrivial.claims.language import Formula
from nontrivial.claims.search import decide
from nontrivial.claims.verdict import judge


def decided(claim, domain, given=()):
    return decide(Formula.condition(claim), [Formula.condition(text) for text in given], domain)


TRUTHS = {"true": "tp == tp", "false": "tp != tp", "undefined": "precision == precision"}


@pytest.mark.parametrize(("one", "other"), list(itertools.product(TRUTHS, TRUTHS)))
def test_it_is_the_contrary_of_both_or_neither(one, other):
    """On a table without anything called positive, where precision is 0/0."""
    cases = Tables().one((0, 0, 1, 1))
    alike, unlike = (
        Formula.condition(f"({TRUTHS[one]}) {symbol} ({TRUTHS[other]})").truth(cases)
        for symbol in ("==", "!=")
    )
    if "undefined" in (one, other):
        assert not alike.defined.any()
        assert not unlike.defined.any()
    else:
        assert alike.true.all() == (one == other)
        assert unlike.true.all() == (one != other)


@pytest.mark.parametrize(
    ("claim", "status"),
    [
        ("(recall > 1/2) != (false_negative_rate >= 1/2)", "proved"),
        ("(recall > 1/2) != (false_negative_rate > 1/2)", "refuted"),  # of one half neither is true
        ("(recall > 1/2) != (recall > 1/2)", "refuted"),
        ("sometimes((errors == 0) != (accuracy == 1))", "impossible"),
        ("sometimes((errors == 0) != (recall == 1))", "shown"),
    ],
)
def test_the_solver_takes_it_so_too(claim, status):
    assert decided(claim, Tables(), ["positives >= 1"]).status == status


def test_conditions_have_no_other_order():
    for symbol in ("<", "<=", ">", ">="):
        with pytest.raises(ValueError, match="has no place in a formula"):
            Formula.condition(f"(tp > 0) {symbol} (fp > 0)")
    with pytest.raises(ValueError, match="has no place in a formula"):
        Formula.condition("(tp > 0) != (fp > 0) != (fn > 0)")
    with pytest.raises(ValueError, match="has no place in a formula"):
        Formula.condition("(tp > 0) != fp")


RANGES = WholeNumbers({"a": range(5), "b": range(1, 4)}, {})


def test_ranges_gone_through_without_a_counterexample_prove():
    found = decided("a*a != 2*b*b", RANGES, ["a >= 1"])
    assert (found.status, found.proved_of, found.checked) == ("proved", "the ranges", 12)


def test_ranges_gone_through_without_an_example_rule_one_out():
    """The square root of two is among all numbers from 0 on; no ratio of whole ones is."""
    assert decided("sometimes(a*a == 4*b*b)", RANGES, ["a >= 1"]).status == "shown"
    found = decided("sometimes(a*a == 2*b*b)", RANGES, ["a >= 1"])
    assert (found.status, found.proved_of) == ("impossible", "the ranges")
    verdict = judge(Formula.condition("sometimes(a*a == 2*b*b)"), found)
    assert (verdict.verdict, verdict.reason) == ("contradicted", "impossible")


def test_where_nothing_is_as_given_nothing_is_ruled_out():
    found = decided("sometimes(a == b)", RANGES, ["a > 9"])
    assert found.vacuous
    assert judge(Formula.condition("sometimes(a == b)"), found).verdict == "not_evaluated"


def test_numbers_without_ranges_are_not_gone_through():
    """The square root of two is a positive number, and no ratio of small ones."""
    found = decided("sometimes(a*a == 2*b*b)", WholeNumbers.positive(["a", "b"], {}))
    assert found.status == "not shown"
