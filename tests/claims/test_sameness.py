"""No two entries say the same: in one document of the same cases, in two documents at all."""

import dataclasses

import pytest
from claims.sameness import says

# Of two documents that claim the same of different cases: why either has an entry.
DIFFERENT_CASES = {
    frozenset(("tutorial-measures-disagree-on-classifiers", "prg-accuracy-overvalues-always-negative")): (
        "any two classifiers that F1 orders otherwise, and the always-negative classifier"
    ),
    frozenset(("tutorial-all-content-is-imprecise", "p4-disease-precision-low")): (
        "whoever pushes all content, and a test for a disease of 0.05 % of the people"
    ),
}


@pytest.fixture(scope="module")
def said(shipped):
    """What each entry says, with the entry."""
    return [(says(claim), claim) for claim in shipped if claim.claim]


def alike(said, parts=slice(None)):
    """The entries that say the same in these parts."""
    found = {}
    for what, claim in said:
        found.setdefault(what[parts], []).append(claim)
    return [same for same in found.values() if len(same) > 1]


def test_no_two_entries_are_the_same(said):
    assert [[claim.id for claim in same] for same in alike(said)] == []


def test_no_two_documents_have_an_entry_each_for_one_sentence(said):
    found = {
        frozenset(claim.id for claim in same)
        for same in alike(said, slice(None, None, 2))
        if len({claim.source for claim in same}) > 1
    }
    assert found == set(DIFFERENT_CASES)


def changed(entry, **changes):
    return dataclasses.replace(entry, exactly_when="", define={}, **changes)


TABLES = {"over": "tables", "given": ("positives >= 1",)}
PAIRS = [
    (TABLES | {"claim": "f1 < recall"}, TABLES | {"claim": "recall > f1"}, True),
    (TABLES | {"claim": "f1 <= recall"}, TABLES | {"claim": "f1 < recall"}, False),
    (TABLES | {"claim": "f1 <= recall"}, TABLES | {"claim": "f1 - recall <= 0"}, True),
    (TABLES | {"claim": "2*f1 <= 2*recall"}, TABLES | {"claim": "f1 <= recall"}, True),
    (TABLES | {"claim": "f1 <= min(recall, p4)"}, TABLES | {"claim": "p4 >= f1 and recall >= f1"}, True),
    (TABLES | {"claim": "f1 <= p4"}, TABLES | {"claim": "sometimes(f1 <= p4)"}, False),
    (TABLES | {"claim": "recall == tp/(tp + fn)"}, TABLES | {"claim": "tp/(fn + tp) == recall"}, True),
    (TABLES | {"claim": "recall == tp/(tp + fn)"}, TABLES | {"claim": "precision == tp/(tp + fp)"}, False),
    (TABLES | {"claim": "f1 < p4 or tp > 0"}, TABLES | {"claim": "0 < tp or p4 > f1"}, True),
    (
        {"over": "tables", "given": ("1 <= positives <= negatives",), "claim": "f1 < p4"},
        {"over": "tables", "given": ("negatives >= positives", "positives >= 1"), "claim": "f1 < p4"},
        True,
    ),
    (
        {"over": {"rankings": {"cases": 7}}, "given": (), "claim": "roc_auc == concordance"},
        {"over": {"rankings": {"cases": 8}}, "given": (), "claim": "concordance == roc_auc"},
        True,
    ),
    (
        {"over": {"numbers": {"a": "0..4", "b": "1..3"}}, "given": (), "claim": "a < b"},
        {"over": {"numbers": {"b": "0..2", "a": "0..9"}}, "given": (), "claim": "b - a > 0"},
        True,
    ),
    (
        {"over": {"numbers": {"a": 4}}, "given": (), "claim": "1/a == 0.25"},
        {"over": {"numbers": {"a": 3}}, "given": (), "claim": "1/a == 0.3333"},
        False,
    ),
]


@pytest.mark.parametrize(("one", "other", "same"), PAIRS)
def test_what_is_the_same(one, other, same, shipped_claims):
    entry = shipped_claims["pa-lemma-4-1-recall"]
    assert (says(changed(entry, **one)) == says(changed(entry, **other))) == same
