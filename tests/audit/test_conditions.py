"""The condition under which a failing statement holds, against going through every table."""

import itertools

import numpy as np
import pytest

from nontrivial.audit.atoms import TABLE_ATOMS
from nontrivial.audit.conditions import condition_under_which, try_condition
from nontrivial.audit.domains import SMALL_CELL, Cells
from nontrivial.audit.ratios import Table
from nontrivial.audit.search import search
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.truth import condition_met, truth

MINORITY = (Order.parse("1 <= positives <= negatives"),)


def find(text, where=MINORITY, cells=9):
    return condition_under_which(Statement.parse(text), where, Cells(cells), np.int64)


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        # With balanced classes accuracy is balanced accuracy; otherwise it weighs the majority's rate more.
        ("balanced_accuracy <= accuracy", "positives = negatives or recall <= specificity"),
        (
            "prediction_advantage < cohen_kappa if positives < negatives",
            "errors > 0 and predicted_positives > 0",
        ),
        ("prediction_advantage <= 0", "tp <= fp"),  # 1 - (FP + FN) / (TP + FN)
        ("recall < 1", "fn > 0"),
        ("precision <= recall if tp > 0", "predicted_positives >= positives"),
    ],
)
def test_the_exact_condition_is_found(text, condition):
    found = find(text)
    assert (found["condition"], found["exact"]) == (condition, True)
    assert found["met"] == found["holds"]


@pytest.mark.parametrize("text", ["f1 <= balanced_accuracy", "recall <= specificity ** 2"])
def test_otherwise_the_weakest_sufficient_one(text):
    """No other comparison, or two joined, that suffices on the domain is met in more cases."""
    found, statement, cells = find(text, cells=SMALL_CELL), Statement.parse(text), SMALL_CELL
    assert not found["exact"]
    meant, right = [], []
    for case in itertools.product(range(cells + 1), repeat=4):
        applies, defined, holds = truth(statement, MINORITY, Table(*case))
        if applies and defined:
            meant.append(case)
            right.append(bool(holds))
    right = np.array(right)
    cases = Cells(cells).cases([np.array(column) for column in zip(*meant, strict=True)])
    assert found["holds"] == right.sum()
    masks = [
        np.broadcast_to(condition_met(Condition(((atom,),)), cases), right.shape) for atom in TABLE_ATOMS
    ]
    most = 0
    for one, other in itertools.combinations_with_replacement(masks, 2):
        for mask in (one & other, one | other):
            if not (mask & ~right).any():
                most = max(most, int(mask.sum()))
    assert found["met"] == most


DERIVED = "positives * fp**2 <= negatives * fn**2 + (negatives - positives) * (positives + tp) * fp"


@pytest.mark.parametrize(
    ("condition", "exact"),
    [
        (DERIVED, True),
        (f"{DERIVED} and n >= 2 or n < 0", True),
        (DERIVED.replace("<=", "<"), False),  # too little
        (f"{DERIVED} or fn = 0", False),  # too much
        ("recall <= specificity", False),
    ],
)
def test_a_derived_condition_is_tried_in_every_case(condition, exact):
    statement = Statement.parse("f1 <= balanced_accuracy")
    found = try_condition(Condition.parse(condition), statement, MINORITY, Cells(4), np.int64)
    met = wrong = holds = 0
    for case in itertools.product(range(5), repeat=4):
        table = Table(*case)
        applies, defined, true = truth(statement, MINORITY, table)
        if applies and defined:
            is_met = bool(condition_met(Condition.parse(condition), table))
            met, wrong, holds = met + is_met, wrong + (is_met and not true), holds + bool(true)
    text = Condition.parse(condition).text
    assert found == {"condition": text, "exact": exact, "met": met, "wrong": wrong, "holds": holds}


def test_one_that_is_exact_is_taken_and_another_is_told():
    statement = Statement.parse("f1 <= balanced_accuracy")
    found = search(statement, MINORITY, Cells(6), Condition.parse(DERIVED))
    assert found.text().endswith(f"; it holds exactly where {DERIVED}")
    assert "not_exactly_where" not in found.details
    refuted = search(statement, MINORITY, Cells(6), Condition.parse("fn >= fp"))
    tried = refuted.details["not_exactly_where"]
    assert tried["met"] - tried["wrong"] < tried["holds"]
    assert (
        f"; the condition proposed, fn >= fp, is not exact: it is met in {tried['met']:,} cases, in"
        f" {tried['wrong']:,} of which the statement fails, of {tried['holds']:,} in which it holds; it holds where "
    ) in refuted.text()
    assert refuted.details["holds_where"] == find("f1 <= balanced_accuracy", cells=6)


def test_a_derived_condition_does_not_outgrow_64_bits():
    """Its numbers count, too, when a kind of integers is chosen."""
    power = "(n ** 4) ** 4"
    condition = Condition.parse(f"fp * {power} * n ** 4 > 0")
    found = search(Statement.parse("fp = 0"), MINORITY, Cells(9), condition)
    tried = found.details["not_exactly_where"]
    assert tried["met"] == tried["wrong"] == found.hits


def test_a_condition_does_not_repeat_the_claim():
    found = find("tp <= fp", where=())
    assert found["condition"] != "tp <= fp"


def test_what_holds_nowhere_has_no_condition():
    assert find("accuracy > 1") is None


def test_the_search_says_it():
    found = search(Statement.parse("balanced_accuracy <= accuracy"), MINORITY, Cells(5))
    assert found.text().endswith("; it holds exactly where positives = negatives or recall <= specificity")
    found = search(Statement.parse("f1 <= balanced_accuracy"), MINORITY, Cells(5))
    condition = found.details["holds_where"]
    assert found.text().endswith(
        f"; it holds where {condition['condition']}, which is {condition['met']:,} of the {condition['holds']:,}"
        " cases in which it does"
    )
    assert "holds_where" not in search(Statement.parse("f1 <= 1"), MINORITY, Cells(3)).details
