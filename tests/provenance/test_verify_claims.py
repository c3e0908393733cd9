"""The evidence on the claims that ship bears out every verdict, and says the same when it is judged again."""

import pytest

from nontrivial.claims.evidence import write_evidence
from nontrivial.provenance.verify_claims import check_claim, read_verdicts


@pytest.fixture(scope="module")
def results(shipped_records, tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    write_evidence(list(shipped_records.values()), folder / "claims")
    return folder


def test_stored_evidence_gives_every_verdict_again(results, shipped_claims):
    problems = []
    verdicts = read_verdicts(results, problems)
    assert [verdict["id"] for verdict in verdicts] == list(shipped_claims)
    for verdict in verdicts:
        problems += check_claim(verdict, results, shipped_claims, deep=False)
    assert problems == []


def test_claims_judged_again_give_their_verdicts_again(results, shipped_claims):
    """One claim of every kind and verdict; all of them take as long again."""
    verdicts = read_verdicts(results, [])
    chosen = {
        (verdict["domain"].partition(" of ")[0], verdict["verdict"], verdict["reason"]): verdict
        for verdict in verdicts
        if not verdict["domain"].startswith("every pair")
    }
    assert len(chosen) > 10
    for verdict in chosen.values():
        assert list(check_claim(verdict, results, shipped_claims, deep=True)) == [], verdict["id"]
