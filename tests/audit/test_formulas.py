"""Formulas read from text: what they are worth, in which arithmetic, and what is refused."""

import ast
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.audit.formulas import LONGEST, PLAIN, Definition, Formula, check_definitions

NAMES = ("a", "b", "c")


def formulas():
    """Formulas of three names, as text."""
    leaves = st.sampled_from([*NAMES, "0", "1", "2", "7"])
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.tuples(inner, st.sampled_from("+-*/"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
            st.tuples(inner, st.integers(0, 3)).map(lambda t: f"({t[0]})**{t[1]}"),
            inner.map(lambda text: f"(-{text})"),
        ),
        max_leaves=6,
    )


def by_fractions(text, values):
    """The value in fractions, None where something in it is divided by 0."""
    try:
        return Formula.parse(text).fold(
            lambda leaf: values[leaf] if isinstance(leaf, str) else Fraction(leaf), PLAIN
        )
    except ZeroDivisionError:
        return None


@settings(deadline=None, derandomize=True, max_examples=150)
@given(formulas(), st.tuples(*[st.integers(-3, 4)] * 3))
def test_the_ratio_is_what_fractions_give(text, numbers):
    values = {name: Fraction(number) for name, number in zip(NAMES, numbers, strict=True)}
    formula, expected = Formula.parse(text), by_fractions(text, values)
    numerator, denominator = formula.ratio({name: (int(value), 1) for name, value in values.items()})
    assert denominator >= 0
    assert (Fraction(numerator, denominator) if denominator else None) == expected
    arrays = formula.ratio({name: (np.array([int(v), 1], dtype=object), 1) for name, v in values.items()})
    first = [part[0] if isinstance(part, np.ndarray) else part for part in arrays]
    assert first == [numerator, denominator]
    largest = formula.bound({name: (abs(int(value)), 1) for name, value in values.items()})
    assert abs(numerator) <= largest[0]
    assert denominator <= largest[1]


def test_what_is_divided_by_zero_stays_undefined():
    formula = Formula.parse("2 / (1/a + 1/b)")
    assert formula.ratio({"a": (0, 1), "b": (1, 1)})[1] == 0
    assert formula.ratio({"a": (1, 2), "b": (1, 1)}) == (2, 3)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tp /",
        "__import__('os')",
        "tp.real",
        "tp[0]",
        "a if b else c",
        "a < b",
        "1.5 * a",
        "a // b",
        "a ** b",
        "a ** 99",
        "a ** -1",
        "True",
        "'a'",
        "(" * 300 + "a" + ")" * 300,
        "a +" * LONGEST + "a",
    ],
)
def test_anything_else_is_refused_in_one_sentence(text):
    with pytest.raises(
        ValueError, match=r"is not a formula; allowed are names, whole numbers, .*\.$"
    ) as error:
        Formula.parse(text)
    assert len(str(error.value)) < 200


def test_definitions_build_on_each_other():
    texts = ["precision = tp / (tp + fp)", "double = 2*precision"]
    definitions = [Definition.parse(text) for text in texts]
    assert check_definitions(definitions, ["tp", "fp"]) == ["tp", "fp", "precision", "double"]
    with pytest.raises(ValueError, match=r"'fp' in 'tp / \(tp \+ fp\)' is not known; known: tp\."):
        check_definitions(definitions, ["tp"])
    with pytest.raises(ValueError, match="'double' is defined twice; once is allowed"):
        check_definitions(definitions, ["tp", "fp", "double"])
    with pytest.raises(ValueError, match="is not a definition such as"):
        Definition.parse("2*precision")


def test_a_fold_sees_each_leaf():
    seen = []
    Formula.parse("-a**2 + 3").fold(lambda leaf: seen.append(leaf) or 1, {**PLAIN, ast.Add: min})
    assert set(seen) == {"a", 0, 1, 3}
