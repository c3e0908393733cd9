"""Proofs for tables of any size: what is proved holds, and nothing that fails is proved."""

import itertools
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial.audit import certificates
from nontrivial.audit.certificates import prove
from nontrivial.audit.domains import Cells
from nontrivial.audit.polynomials import CELLS, Polynomial, UndecidedError, cells
from nontrivial.audit.ratios import RATIOS, value_of
from nontrivial.audit.search import search
from nontrivial.audit.stated import Order, Statement

MINORITY = (Order.parse("1 <= positives <= negatives"),)
ALL = (Order.parse("n >= 1"),)


@pytest.mark.parametrize(
    ("text", "proof"),
    [
        # (a + c)(a + d) - a (b + c) = c (a + d) + a (a + d - b - c)
        ("prediction_advantage <= specificity", ["fn*tn + fp*fn + (tn + fp - fn - tp) * (fp)"]),
        ("prediction_advantage <= precision", ["tp*fn + fp^2"]),
        ("prediction_advantage <= min(precision, recall)", ["tp*fn + fp^2", "fp*fn + fp*tp"]),
        ("max(fp, fn) <= errors", ["fn", "fp"]),
        ("errors >= fp", ["fn"]),
        ("recall = tp / (tp + fn)", ["0"]),
        # N - P times TN P - TP N
        (
            "balanced_accuracy <= accuracy if recall <= specificity",
            ["(tn + fp - fn - tp) * (fn*tn - fp*tp)"],
        ),
    ],
)
def test_proofs_worked_by_hand(text, proof):
    assert prove(Statement.parse(text), MINORITY) == proof


@pytest.mark.parametrize(
    "text",
    [
        "balanced_accuracy <= accuracy",
        "f1 <= balanced_accuracy",
        "prediction_advantage <= markedness",
        "cohen_kappa >= f1",
        "f1 = swap(f1)",
        "prediction_advantage = cohen_kappa",
        "max(recall, precision) <= f1",
        "f1 <= min(recall, precision)",
        "errors <= 1",  # no ratio: one table's errors are 1, another's 2
    ],
)
def test_what_fails_is_not_proved(text):
    statement = Statement.parse(text)
    assert search(statement, MINORITY, Cells(4)).hits
    assert prove(statement, MINORITY) is None


@pytest.mark.parametrize(
    "text",
    [
        "sometimes recall <= precision",
        "prediction_advantage < recall",
        "recall <= 1 iff fn >= 0",
        "recall <= 1 if fn > 0 or fp > 0",
        "matthews_corrcoef <= 1",
    ],
)
def test_what_is_of_another_kind_is_not_tried(text):
    assert prove(Statement.parse(text), MINORITY) is None


def test_both_signs_are_proved_where_a_minimum_is_open():
    """Without a minority that is known beforehand."""
    proof = prove(Statement.parse("prediction_advantage <= 1"), ALL)
    assert proof == [
        "where tn + fp - fn - tp >= 0: fn + fp",
        "where fn + tp - tn - fp >= 0: fn + fp",
    ]


def test_a_proposal_that_does_not_add_up_proves_nothing(monkeypatch):
    monkeypatch.setattr(
        certificates, "_propose", lambda polynomial, summands, monomials: [Fraction(1)] * len(summands)
    )
    assert prove(Statement.parse("f1 <= balanced_accuracy"), MINORITY) is None
    assert prove(Statement.parse("prediction_advantage <= specificity"), MINORITY) is None


SIDES = [name for name in RATIOS if name not in CELLS and "ratio" not in name and "gain" not in name]


@given(
    one=st.sampled_from(SIDES),
    other=st.sampled_from(SIDES),
    shape=st.sampled_from(
        ["{} <= {}", "{} * {} <= 1", "min({}, 1/2) <= {}", "{} <= 1 - {}", "abs({}) <= {}"]
    ),
    where=st.sampled_from([MINORITY, ALL, (*MINORITY, Order.parse("recall <= specificity"))]),
)
@settings(deadline=None, derandomize=True, max_examples=250)
def test_what_is_proved_has_no_counterexample(one, other, shape, where):
    statement = Statement.parse(shape.format(one, other))
    if prove(statement, where) is not None:
        assert search(statement, where, Cells(5)).hits == 0


def test_a_proof_has_the_sign_of_the_difference():
    """Evaluated at small tables, as text."""
    (text,) = prove(Statement.parse("prediction_advantage <= balanced_accuracy"), MINORITY)
    for fp, tp, fn, tn in itertools.product(range(4), repeat=4):
        if 1 <= tp + fn <= fp + tn:
            table = (fp, tp, fn, tn)
            number = eval(text.replace("^", "**"), {}, dict(zip(CELLS, table, strict=True)))
            gap = value_of("balanced_accuracy", table) - value_of("prediction_advantage", table)
            assert np.sign(number) == np.sign(float(gap)), table
            assert number >= 0


polynomials = st.dictionaries(
    st.tuples(*[st.integers(0, 2)] * 4), st.integers(-3, 3).map(Fraction), max_size=4
)


@given(one=polynomials, other=polynomials, at=st.tuples(*[st.integers(0, 4)] * 4))
@settings(deadline=None, derandomize=True, max_examples=150)
def test_polynomials_add_and_multiply_as_their_values_do(one, other, at):
    def value(polynomial):
        total = Fraction(0)
        for powers, weight in polynomial.terms.items():
            product = Fraction(weight)
            for number, power in zip(at, powers, strict=True):
                product *= number**power
            total += product
        return total

    p, q = (Polynomial({key: weight for key, weight in terms.items() if weight}) for terms in (one, other))
    assert value(p + q) == value(p) + value(q)
    assert value(p - q * 2) == value(p) - 2 * value(q)
    assert value(3 - p) == 3 - value(p)
    assert value(p * q) == value(p) * value(q)
    if p.is_plainly_positive:
        assert value(p) >= 0
    assert (p == q) == (not (p - q).terms)
    text = re.sub(r"\^", "**", p.text())
    assert eval(text, {"Fraction": Fraction}, dict(zip(CELLS, map(Fraction, at), strict=True))) == value(p)


def test_an_open_sign_is_named():
    fp, tp, _, _ = cells()
    with pytest.raises(UndecidedError, match=re.escape("the sign of tp - fp is open.")):
        _ = tp < fp
    assert tp + fp >= fp
    fp, tp, _, _ = cells((tp - fp,))
    assert fp <= tp
    assert abs(fp - tp) == tp - fp
