"""The condition under which a failing statement holds, against going through every table."""

import itertools

import numpy as np
import pytest

from nontrivial.audit.atoms import TABLE_ATOMS
from nontrivial.audit.conditions import Candidate, condition_under_which
from nontrivial.audit.domains import SMALL_CELL, Cells
from nontrivial.audit.ratios import Table
from nontrivial.audit.search import search
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.truth import truth

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
    masks = [np.broadcast_to(Candidate((atom,)).met(cases), right.shape) for atom in TABLE_ATOMS]
    most = 0
    for one, other in itertools.combinations_with_replacement(masks, 2):
        for mask in (one & other, one | other):
            if not (mask & ~right).any():
                most = max(most, int(mask.sum()))
    assert found["met"] == most


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
