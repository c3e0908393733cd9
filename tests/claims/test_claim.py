"""Claims are stored and read back, and their parts fit each other."""

from dataclasses import replace

import pytest

from nontrivial.claims.registry import claim_from_json


def test_stored_claims_are_the_claims(shipped):
    for claim in shipped:
        assert claim_from_json(claim.to_json()) == claim


@pytest.mark.parametrize("value", [{}, {"id": "a", "data": []}, {"extra": 1}])
def test_a_damaged_stored_claim_is_refused(value):
    with pytest.raises(ValueError, match="the stored claim lacks a field or has an unknown one"):
        claim_from_json(value)


def test_a_stored_claim_whose_parts_do_not_fit_is_refused(shipped):
    wrong = replace(shipped[0], over="tables", given=(), define={}, claim="kapa < 1", exactly_when="")
    with pytest.raises(ValueError, match="'kapa' is unknown; about tables, did you mean cohen_kappa"):
        claim_from_json(wrong.to_json())
