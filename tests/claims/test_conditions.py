"""Where a claim that fails holds: found or derived conditions, against going through every small table."""

import itertools

import numpy as np
import pytest

from nontrivial.claims import search, solver
from nontrivial.claims.domains import Table, Tables, WholeNumbers
from nontrivial.claims.language import Formula
from nontrivial.claims.search import decide, find_condition, try_condition

MINORITY = "1 <= positives <= negatives"
SMALL = [cells for cells in itertools.product(range(13), repeat=4) if sum(cells) <= 12]
ALL = Table(*np.array(SMALL).T)


def masks(*texts):
    return [np.broadcast_to(Formula.condition(text).truth(ALL).true, len(SMALL)) for text in texts]


def found(claim, given=MINORITY):
    return find_condition(Formula.condition(claim), [Formula.condition(given)], Tables())


def tried(proposed, claim, given=MINORITY, domain=None):
    formulas = map(Formula.condition, (proposed, claim))
    return try_condition(*formulas, [Formula.condition(given)], domain or Tables())


@pytest.mark.parametrize(
    ("claim", "given", "condition"),
    [
        # With balanced classes accuracy is balanced accuracy; otherwise it weighs the majority's rate more.
        ("balanced_accuracy <= accuracy", MINORITY, "positives == negatives or recall <= specificity"),
        ("prediction_advantage <= 0", MINORITY, "tp <= fp"),  # 1 - (FP + FN) / (TP + FN)
        ("recall < 1", MINORITY, "fn > 0"),
        ("precision <= recall", "tp > 0", "predicted_positives >= positives"),
    ],
)
def test_the_exact_condition_is_found_and_proved(claim, given, condition):
    result = found(claim, given)
    assert (result.condition, result.status) == (condition, "proved")
    applies, holds, met = masks(given, claim, result.condition)
    meant = applies & Formula.condition(claim).truth(ALL).defined
    assert (result.met, result.wrong, result.holds) == ((met & meant).sum(), 0, (holds & meant).sum())
    assert result.met == result.holds


@pytest.mark.parametrize("claim", ["f1 <= balanced_accuracy", "recall <= specificity ** 2"])
def test_otherwise_one_that_suffices(claim):
    result = found(claim)
    assert result.status == "sufficient"
    applies, holds, met = masks(MINORITY, claim, result.condition)
    assert not (applies & met & ~holds).any()
    assert 0 < result.met == (applies & met & holds).sum() < result.holds == (applies & holds).sum()


def test_the_weakest_that_suffices_is_taken():
    """No atom that suffices, and no two, are met in more small tables."""
    claim = "recall <= specificity ** 2"
    applies, holds = masks(MINORITY, claim)
    atoms = masks(*(atom.text for atom in search._atoms()))
    most = max(
        int((met & applies).sum())
        for one, other in itertools.combinations_with_replacement(atoms, 2)
        for met in (one & other, one | other)
        if not (met & applies & ~holds).any()
    )
    assert found(claim).met == most


DERIVED = "positives * fp**2 <= negatives * fn**2 + (negatives - positives) * (positives + tp) * fp"


@pytest.mark.parametrize(
    ("condition", "status"),
    [
        (DERIVED, "proved"),
        (f"{DERIVED} and n >= 2 or n < 0", "proved"),
        (DERIVED.replace("<=", "<"), "sufficient"),  # too little
        ("fp == 0", "sufficient"),
        (f"{DERIVED} or fn == 0", "refuted"),  # too much
        ("precision <= recall", "refuted"),  # one of each, both called positive
    ],
)
def test_a_derived_condition_is_tried_in_every_case(condition, status):
    claim = "f1 <= balanced_accuracy"
    result = tried(condition, claim)
    assert (result.condition, result.status) == (condition, status)
    applies, holds, met = masks(MINORITY, claim, condition)
    counts = (applies & met).sum(), (applies & met & ~holds).sum(), (applies & holds).sum()
    assert (result.met, result.wrong, result.holds) == counts
    assert bool(result.wrong) == (status == "refuted")


def test_a_condition_that_fits_small_tables_only_is_not_exact():
    """The solver knows larger ones: tables of 21 true positives."""
    assert tried("errors == 0", "errors == 0 or tp == 20", "n >= 0").status == "sufficient"
    assert tried("errors == 0 or tp == 20", "errors == 0", "n >= 0").status == "refuted"
    assert tried("n >= 0", "tp <= 20", "n >= 0").status == "refuted"


def test_what_the_solver_leaves_open_is_searched(monkeypatch):
    monkeypatch.setattr(solver, "STEPS", 1)
    assert tried(DERIVED, "f1 <= balanced_accuracy").status == "searched"
    assert tried("fp == 0", "f1 <= balanced_accuracy").status == "sufficient"
    assert tried("precision <= recall", "f1 <= balanced_accuracy").status == "refuted"


def test_in_ranges_that_are_gone_through_a_condition_is_proved():
    """Though between whole numbers the two differ."""
    domain = WholeNumbers({"x": range(5)}, {})
    assert tried("x < 3", "x <= 2", "x >= 0", domain).status == "proved"
    assert tried("x < 2", "x <= 2", "x >= 0", domain).status == "sufficient"
    assert find_condition(Formula.condition("x <= 2"), [], domain) is None


def test_a_decision_takes_the_condition_derived_or_looks_for_one():
    claim, given = Formula.condition("f1 <= balanced_accuracy"), [Formula.condition(MINORITY)]
    derived = decide(claim, given, Tables(), Formula.condition(DERIVED))
    assert (derived.exactly_when.condition, derived.exactly_when.status) == (DERIVED, "proved")
    wrong = decide(claim, given, Tables(), Formula.condition("fn <= fp"))
    assert (wrong.exactly_when.condition, wrong.exactly_when.status) == ("fn <= fp", "refuted")
    assert decide(claim, given, Tables()).exactly_when == found("f1 <= balanced_accuracy")
    assert (
        decide(Formula.condition("f1 <= 1"), given, Tables(), Formula.condition("fp == 0")).exactly_when
        is None
    )


def test_a_condition_does_not_repeat_the_claim():
    assert found("tp <= fp", "n >= 1").condition != "tp <= fp"


def test_what_holds_nowhere_has_no_condition():
    assert found("accuracy > 1") is None
    assert tried("fp == 0", "accuracy > 1").status == "refuted"


def test_where_the_claim_has_no_meaning_nothing_is_met():
    result = tried("fp == 0", "precision == 1", "n >= 0")
    assert (result.status, result.met) == ("proved", sum(fp == 0 < tp for fp, tp, _, _ in SMALL))
