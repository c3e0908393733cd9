"""No entry that ships is true whatever it says: a relation turned round, or a digit moved, has another verdict."""

import dataclasses

from claims.can_fail import survivors
from claims.made_up_study import write_study

from nontrivial.claims.judge import judge_claim
from nontrivial.claims.verdict import CAVEAT, CONTRADICTED, NOT_EVALUATED, REPRODUCED


def test_every_entry_can_fail(shipped_claims, shipped_records, tmp_path):
    alive, tried = [], 0
    for name, claim in shipped_claims.items():
        if shipped_records[name]["verdict"] != NOT_EVALUATED:
            tried += 1
            alive += [(name, text) for text in survivors(claim, shipped_records[name], tmp_path)]
    assert alive == []
    assert tried > 130


def test_every_entry_about_results_can_fail(shipped_claims, tmp_path):
    """On results for which it is true, or contradicted as in the study."""
    write_study(tmp_path)
    alive, tried = [], 0
    for name, claim in shipped_claims.items():
        if claim.data:
            tried += 1
            record = judge_claim(claim, tmp_path)
            agrees = CAVEAT if claim.group == "replication" else REPRODUCED
            assert record["verdict"] in (agrees, CONTRADICTED), name
            alive += [(name, text) for text in survivors(claim, record, tmp_path)]
    assert alive == []
    assert tried > 20


def test_an_entry_that_cannot_fail_survives(shipped_claims, shipped_records, tmp_path):
    claim = dataclasses.replace(shipped_claims["pa-definition"], claim="f1 >= 0 or errors >= 0")
    record = judge_claim(claim, tmp_path)
    assert list(survivors(claim, record, tmp_path)) == ["f1 < 0 or errors >= 0", "f1 >= 0 or errors < 0"]
