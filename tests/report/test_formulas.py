"""Formulas as prose has them: names in words, signs as printed, all else as it was written."""

import pytest

from nontrivial.claims.registry import load_claims
from nontrivial.report.relations import readable_relation


@pytest.mark.parametrize(
    ("formula", "said"),
    [
        (
            "prediction_advantage <= 2 * f_beta - 1",
            "prediction advantage ≤ 2 \N{MULTIPLICATION SIGN} F1 \N{MINUS SIGN} 1",
        ),
        ("f1_1 >= f1_2 and not tp == 0", "F1₁ ≥ F1₂ and not tp = 0"),
        ("0 < tp and 0 < fp and 0 < fn", "0 < tp and 0 < fp and 0 < fn"),
        ("x == -0.30", "x = \N{MINUS SIGN}0.30"),
        ("", ""),
    ],
)
def test_formulas_are_written_as_prose_has_them(formula, said):
    assert readable_relation(formula) == said


def test_every_formula_of_the_registry_can_be_written():
    claims = load_claims("config/claims")
    formulas = [text for claim in claims for text in (claim.claim, claim.exactly_when, *claim.given)]
    said = list(map(readable_relation, formulas))
    assert not any("_" in text or "==" in text for text in said)
    assert all(map(str.strip, filter(None, said)))
