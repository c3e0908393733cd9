"""Equations: true ones are proved, false ones refuted by numbers that can be put in by hand."""

import re

import pytest

from nontrivial.audit.definitions import Definition
from nontrivial.audit.families.identities import Integral, check_equation, is_refutation, prove_equation
from nontrivial.audit.found import Proof, Search
from nontrivial.audit.stated import Statement
from nontrivial.audit.verdict import decide


def question(text, define=(), integrals=()):
    return {
        "stated": Statement.parse(text),
        "define": tuple(map(Definition.parse, define)),
        "integrals": tuple(map(Integral.parse, integrals)),
    }


TRUE = [
    question("2/(1/p + 1/r) = 2*p*r/(p + r)"),
    question("2*tp/(n + tp - tn) = 2*tp/(2*tp + fp + fn)", ["n = tp + fp + fn + tn"]),
    question("f = 2*p*r/(p + r)", ["p = tp/(tp + fp)", "r = tp/(tp + fn)", "f = 2*tp/(2*tp + fp + fn)"]),
    question("area = (a + b)/2", integrals=["area = (1 - x)*a + x*b over x from 0 to 1"]),
    question("loss = (1 - s)**2", integrals=["loss = 2*(1 - c) over c from s to 1"]),
    question("x/x = 1 + 0*y"),
    question("0.5*x = x/2"),
]


@pytest.mark.parametrize("equation", TRUE, ids=lambda equation: equation["stated"].order.text)
def test_an_identity_is_proved(equation):
    check_equation(**equation)
    found = prove_equation(**equation)
    assert isinstance(found, Proof)
    assert decide(equation["stated"], found)[0] == "reproduced"


FALSE = [
    # 1/2 against 1/3, the first numbers that tell false positives from false negatives; names sort as fn, fp, tp.
    (question("tp/(tp + fn) = tp/(tp + fp)"), (1, 2, 1)),
    (question("(a + b)/2 = 2/(1/a + 1/b)"), (1, 2)),
    (question("area = (a + b)/3", integrals=["area = (1 - x)*a + x*b over x from 0 to 1"]), (1, 1)),
    (question("(x - 1)*(x - 2)/(x - 1) = 0*x"), (3,)),  # undefined at 1, equal at 2
]


@pytest.mark.parametrize(("equation", "smallest"), FALSE, ids=["rates", "means", "integral", "undefined"])
def test_a_false_equation_is_refuted(equation, smallest):
    found = prove_equation(**equation)
    assert isinstance(found, Search)
    assert (found.smallest, found.hits) == (smallest, 1)
    assert decide(equation["stated"], found)[0] == "contradicted"
    assert is_refutation(smallest, **equation)


def test_a_refutation_keeps_both_values():
    found = prove_equation(**question("tp/(tp + fn) = tp/(tp + fp)"))
    assert found.details["values"] == {"left": "1/2", "right": "1/3"}


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("tp/(tp + fn) = tp/(tp + fp)", "fn = fp or tp = 0"),
        ("x**2 = 4*y**2", "2 * y + x = 0 or x = 2 * y"),
        ("x*y = x + 2", "x * y = 2 + x"),
    ],
)
def test_a_refutation_has_the_places_where_both_sides_are_equal(text, condition):
    assert prove_equation(**question(text)).details["holds_where"] == {"condition": condition, "exact": True}


def test_what_holds_nowhere_has_no_such_place():
    assert prove_equation(**question("x = x + 1")).details["holds_where"] is None


def test_what_is_no_refutation():
    equation = question("tp/(tp + fn) = tp/(tp + fp)")
    for case in ((1, 1, 1), (1, 2), (0, 2, 1), (1, 2, 1, 1), (1, 2, True)):
        assert not is_refutation(case, **equation)
    assert not is_refutation((1,), **question("1/(x - 1) = 0*x"))  # undefined there


def test_the_free_names_are_the_domain():
    found = prove_equation(**question("f = tp/(tp + e/2)", ["e = fp + fn", "f = 2*tp/(2*tp + fp + fn)"]))
    assert found.domain == "all fn, fp, tp for which both sides are defined"


def test_what_is_undefined_everywhere_is_no_identity():
    with pytest.raises(ValueError, match="has a side that is undefined everywhere"):
        prove_equation(**question("x/(y - y) = x/(z - z)"))


@pytest.mark.parametrize(
    ("text", "define", "sentence"),
    [
        ("a = x", ["a = b", "b = x"], "'a' is made from 'b', which is not yet defined."),
        ("a = x", ["a = a + 1"], "'a' is made from 'a', which is not yet defined."),
        ("a = x", ["a = x", "a = y"], "a name is defined twice; once is allowed."),
        ("a <= x", [], "an identity is one equation without conditions."),
        ("a = x = y", [], "an identity is one equation without conditions."),
        ("a = x if x = 1", [], "an identity is one equation without conditions."),
        ("sometimes a = x", [], "an identity is one equation without conditions."),
        (
            "a = min(x, y)",
            [],
            "'min(x, y)' has a part that algebra cannot treat; only + - * / ** are allowed.",
        ),
    ],
)
def test_what_is_no_equation_is_named(text, define, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        check_equation(**question(text, define))


@pytest.mark.parametrize("text", ["area = x", "area = x over x", "area = 2*x over x from zero"])
def test_a_wrong_integral_is_named(text):
    with pytest.raises(ValueError, match="is not an integral such as"):
        Integral.parse(text)
