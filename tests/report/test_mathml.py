"""Formulas as MathML, which breaks at its signs, and the links of a relation that break."""

import re

import pytest

from nontrivial.claims.domains import Tables
from nontrivial.claims.language import Formula
from nontrivial.claims.registry import load_claims
from nontrivial_study.report.notation import broken_links, mathml


def text_of(markup):
    return " ".join(markup.striptags().replace("\N{NO-BREAK SPACE}", " ").split())


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (
            "prediction_advantage <= 2 * f_beta - 1",
            "prediction advantage ≤2\N{MULTIPLICATION SIGN}F1\N{MINUS SIGN}1",
        ),
        ("f1_1 >= f1_2 and not tp == 0", "F11 ≥F12 and not TP =0"),
        ("(fp > 1) == (fn > 1)", "FP >1 just where FN >1"),
        ("sometimes(x == -0.30)", "in some case x =\N{MINUS SIGN}0.30"),
        ("", ""),
    ],
)
def test_formulas_are_written_with_the_signs_of_prose(formula, said):
    assert text_of(mathml(formula)) == said


def test_fractions_powers_and_indices_are_drawn():
    drawn = mathml("1 - (n0 + fp)**2 / n == tp_2")
    assert "<mfrac><mrow>" in drawn
    assert "<msub><mi>n</mi><mn>0</mn></msub>" in drawn
    assert drawn.endswith("<msub><mi>TP</mi><mn>2</mn></msub></math>")
    assert "<msup>" in drawn


def test_brackets_stand_where_they_are_needed():
    assert (
        text_of(mathml("a - (b - c) == (a * b) * c"))
        == "a\N{MINUS SIGN}(b\N{MINUS SIGN}c) =a\N{MULTIPLICATION SIGN}b\N{MULTIPLICATION SIGN}c"
    )


def test_no_piece_of_a_formula_of_the_registry_is_long():
    claims = load_claims("config/claims")
    formulas = [text for claim in claims for text in (claim.claim, claim.exactly_when, *claim.given)]
    drawn = list(map(mathml, formulas))
    assert not any("_" in one or "==" in one for one in drawn)
    for one in drawn:
        assert one.count("<math>") == one.count("</math>")
        assert all(len(text_of(type(one)(piece))) <= 50 for piece in re.findall("<math>.*?</math>", one))


@pytest.mark.parametrize(
    ("claim", "table", "links"),
    [
        ("cohen_kappa <= f1 <= balanced_accuracy", (1, 1, 0, 0), ["F1 2/3 > balanced accuracy 1/2"]),
        ("not (f1 > 0 and recall > 0)", (1, 1, 0, 0), ["F1 2/3 > 0", "recall 1 > 0"]),
        ("f1 > 1 or recall < 1", (1, 1, 0, 0), ["F1 2/3 < 1", "recall 1 = 1"]),
        ("(fp > 1) == (tp > 0)", (1, 1, 0, 0), ["FP 1 = 1", "TP 1 > 0"]),
        # Precision is 0/0 there, and breaks nothing.
        ("precision > 0 and f1 > 0", (0, 0, 1, 1), ["F1 0 = 0"]),
        ("matthews_corrcoef > 1", (1, 2, 0, 1), ["matthews corrcoef 0.5773… < 1"]),
    ],
)
def test_the_links_that_break_stand_with_their_numbers(claim, table, links):
    found = broken_links(Formula.condition(claim).tree, Tables().one(table))
    said = [
        " ".join(
            filter(None, [text_of(one.left), one.left_value, one.sign, text_of(one.right), one.right_value])
        )
        for one in found
    ]
    assert said == links
