"""Formulas as code, and the links of a relation that break."""

import pytest

from nontrivial.claims.domains import Tables
from nontrivial.claims.language import Formula
from nontrivial_study.report.notation import broken_links, formula


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("prediction_advantage <= 2 * f_beta - 1", "prediction_advantage ≤ 2 * f1 - 1"),
        ("f1_1 >= f1_2 and not tp == 0", "f1_1 ≥ f1_2 and not tp = 0"),
        ("sometimes(x == -0.30)", "sometimes(x = -0.30)"),
        ("a - (b - c) != 0.2742519", "a - (b - c) ≠ 0.2742519"),
        ("", ""),
    ],
)
def test_formulas_are_written_with_the_signs_of_prose(written, said):
    assert formula(written).striptags() == said


@pytest.mark.parametrize(
    ("claim", "table", "links"),
    [
        ("cohen_kappa <= f1 <= balanced_accuracy", (1, 1, 0, 0), ["f1 2/3 > balanced_accuracy 1/2"]),
        ("not (f1 > 0 and recall > 0)", (1, 1, 0, 0), ["f1 2/3 > 0", "recall 1 > 0"]),
        ("f1 > 1 or recall < 1", (1, 1, 0, 0), ["f1 2/3 < 1", "recall 1 = 1"]),
        ("(fp > 1) == (tp > 0)", (1, 1, 0, 0), ["fp 1 = 1", "tp 1 > 0"]),
        # Precision is 0/0 there, and breaks nothing.
        ("precision > 0 and f1 > 0", (0, 0, 1, 1), ["f1 0 = 0"]),
        ("matthews_corrcoef > 1", (1, 2, 0, 1), ["matthews_corrcoef 0.5773… < 1"]),
    ],
)
def test_the_links_that_break_stand_with_their_numbers(claim, table, links):
    found = broken_links(claim, Formula.condition(claim).tree, Tables().one(table))
    said = [
        " ".join(
            filter(
                None, [one.left.striptags(), one.left_value, one.sign, one.right.striptags(), one.right_value]
            )
        )
        for one in found
    ]
    assert said == links
