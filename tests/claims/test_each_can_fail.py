"""No entry that ships is true whatever it says: a relation turned round, or a digit moved, has another verdict."""

import dataclasses

import pytest
from claims.can_fail import moved, relations_negated, survivors
from claims.made_up_study import write_study
from claims.movable import least_move, numbers_of

from nontrivial.claims.domains import WholeNumbers
from nontrivial.claims.judge import judge_claim
from nontrivial.claims.language import all_true
from nontrivial.claims.registry import Source
from nontrivial.claims.verdict import CAVEAT, CONTRADICTED, NOT_EVALUATED, REPRODUCED


def test_every_entry_can_fail(shipped_claims, shipped_records, tmp_path):
    alive, tried = [], 0
    for name, claim in shipped_claims.items():
        if shipped_records[name]["verdict"] != NOT_EVALUATED:
            tried += 1
            alive += [(name, text) for text in survivors(claim, shipped_records[name], tmp_path)]
    assert alive == []
    assert tried > 130


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """Two made-up studies, which differ in which of the archive's tasks has a model that is worse than random."""
    folders = []
    for task in (3872, 3896):
        folders.append(tmp_path_factory.mktemp(f"study_{task}"))
        write_study(folders[-1], worse_than_random=task)
    return folders


def test_every_entry_about_results_can_fail(shipped_claims, shipped_records, studies):
    """On results of which it is true, or contradicted as in the study."""
    alive, tried = [], 0
    for name, claim in shipped_claims.items():
        if claim.data:
            tried += 1
            record = judge_claim(claim, studies[0])
            agrees = CAVEAT if claim.group == "replication" else REPRODUCED
            assert record["verdict"] in (agrees, CONTRADICTED), name
            alive += [(name, text) for text in survivors(claim, record, studies[0])]
    assert alive == []
    assert tried > 20
    left = [
        record
        for record in shipped_records.values()
        if record["verdict"] == NOT_EVALUATED and not record["data"]
    ]
    assert {record["trail"]["found"]["reason"] for record in left} == {"unsettled"}


def outcome(claim, results):
    """The verdict, the cause of a caveat, and of a number that contradicts the printed one how far it is from that.

    What is contradicted fails already: there a number matters if moving it changes by how much.
    """
    about = claim.about
    if isinstance(about, WholeNumbers) and not about.open:  # ranges, all of which can be tried
        for part in about.small():
            truth = claim.formula.truth(part.cases)
            hit = truth.true if claim.formula.sometimes else truth.false
            if (hit & all_true(claim.conditions, part.cases, part.count)).any():
                return REPRODUCED if claim.formula.sometimes else CONTRADICTED
        return CONTRADICTED if claim.formula.sometimes else REPRODUCED
    record = judge_claim(claim, results)
    if record["verdict"] in (CAVEAT, CONTRADICTED):
        return record["verdict"], record["trail"]["reason"]
    return record["verdict"]


def least_moves(claim, results):
    """The numbers of an entry: where each stands, its digits, and how far it has to be moved for another outcome."""
    numbers = [
        number for number in numbers_of(claim) if isinstance(claim.about, Source) or "." in number.digits
    ]
    own = outcome(claim, results) if numbers else None
    return [
        (number.where, number.digits, least_move(number, lambda other: outcome(other, results), own))
        for number in numbers
    ]


def test_every_number_of_an_entry_matters(shipped_claims, studies):
    """Moved far enough it gives another verdict: in one of the studies, where it reads results."""
    idle, tried = [], 0
    for claim in shipped_claims.values():
        if claim.claim:
            moves = least_moves(claim, studies[0])
            tried += len(moves)
            others = (
                least_moves(claim, studies[1])
                if claim.data and any(units is None for *_, units in moves)
                else moves
            )
            idle += [
                (claim.id, one)
                for one, other in zip(moves, others, strict=True)
                if one[2] is other[2] is None
            ]
    assert idle == []
    assert tried > 60


# By hand. 81 of 306 is 0.264706: 0.2647 can be less than it, as it is rounded, and 0.2648 cannot.
@pytest.mark.parametrize(
    ("name", "number", "units"),
    [
        ("pa-exam-60-told-apart", ("over.numbers.right", "60"), 1),
        ("pa-exam-60-told-apart", ("over.numbers.bobs_options", "3"), 1),
        ("prg-models-count", ("over.numbers.models", "30"), 1),
    ],
)
def test_the_least_moves_of_some(name, number, units, shipped_claims, tmp_path):
    assert (*number, units) in least_moves(shipped_claims[name], tmp_path)


def test_a_number_that_decides_nothing_is_found(shipped_claims, tmp_path):
    """The share of the infected, which the accuracy of the test does not depend on."""
    claim = dataclasses.replace(
        shipped_claims["p4-disease-some-reflect"],
        claim="recall*prevalence + specificity*(1 - prevalence) == 0.95",
        tolerance="exact",
    )
    idle = [number for *number, units in least_moves(claim, tmp_path) if units is None]
    assert idle == [["over.numbers.prevalence", "5"]]


def test_an_entry_that_cannot_fail_survives(shipped_claims, shipped_records, tmp_path):
    claim = dataclasses.replace(shipped_claims["pa-definition"], claim="f1 >= 0 or errors >= 0")
    record = judge_claim(claim, tmp_path)
    assert list(survivors(claim, record, tmp_path)) == [
        "f1 < 0 or errors >= 0",
        "f1 >= 0 or errors < 0",
    ]


@pytest.mark.parametrize(
    ("digits", "texts"),
    [
        ("0.46", ["0.47", "0.45"]),
        ("-0.02", ["-0.01", "-0.03"]),
        ("9", ["10", "8"]),
        ("7/15", ["8/15", "6/15"]),
    ],
)
def test_digits_are_moved(digits, texts):
    assert moved(digits) == texts


def test_each_relation_is_negated_by_itself():
    assert list(relations_negated("0 <= a < 1 and b == c")) == [
        ("0 > a < 1 and b == c", "0 <= a", "0 > a"),
        ("0 <= a >= 1 and b == c", "a < 1", "a >= 1"),
        ("0 <= a < 1 and b != c", "b == c", "b != c"),
    ]
    assert next(relations_negated("(a > 0) == (b > 0)"))[0] == "(a > 0) != (b > 0)"


def survive(entry, results, **changes):
    changed = dataclasses.replace(entry, exactly_when="", **changes)
    return list(survivors(changed, judge_claim(changed, results), results))


def test_a_relation_that_decides_nothing_survives_in_what_is_sometimes_so(shipped_claims, tmp_path):
    claim = shipped_claims["pa-rivals-miss"]
    assert survive(claim, tmp_path) == []
    assert survive(claim, tmp_path, claim="sometimes(f1 == 0 and f1 < 1)") == []
    assert survive(claim, tmp_path, claim="sometimes(f1 == 0 or tn < 0)") == ["f1 == 0 or tn >= 0"]


def test_of_what_is_contradicted_each_relation_is_looked_at_alone(shipped_claims, tmp_path):
    assert survive(shipped_claims["pa-order-chain"], tmp_path) == []
    undecided = survive(
        shipped_claims["pa-order-chain"], tmp_path, claim="f1 <= balanced_accuracy and f1 == 1/0"
    )
    assert undecided == ["f1 == 1 / 0, and sometimes(f1 != 1 / 0)"]
