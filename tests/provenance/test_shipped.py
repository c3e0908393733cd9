"""The evidence on the claims that ship bears out every verdict, and says the same when it is judged again."""

from pathlib import Path

import pytest

from nontrivial.claims.evidence import write_evidence
from nontrivial.claims.judge import judge_claims
from nontrivial.claims.registry import load_claims
from nontrivial.provenance.verify_claims import check_claim, read_verdicts

REGISTRY = Path(__file__).parents[2] / "config" / "claims"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    write_evidence(judge_claims(load_claims(REGISTRY), folder), folder / "claims")
    return folder


def test_stored_evidence_gives_every_verdict_again(results):
    registry = {claim.id: claim for claim in load_claims(REGISTRY)}
    problems = []
    verdicts = read_verdicts(results, problems)
    assert [verdict["id"] for verdict in verdicts] == list(registry)
    for verdict in verdicts:
        problems += check_claim(verdict, results, registry, deep=False)
    assert problems == []


def test_claims_judged_again_give_their_verdicts_again(results):
    """One claim of every kind and verdict; all of them take as long again."""
    registry = {claim.id: claim for claim in load_claims(REGISTRY)}
    verdicts = read_verdicts(results, [])
    chosen = {
        (verdict["domain"].partition(" of ")[0], verdict["verdict"], verdict["reason"]): verdict
        for verdict in verdicts
        if not verdict["domain"].startswith("every pair")
    }
    assert len(chosen) > 10
    for verdict in chosen.values():
        assert list(check_claim(verdict, results, registry, deep=True)) == [], verdict["id"]
