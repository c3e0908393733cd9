"""Decisions: every status, with claims known to be true and known to be false, and smallest cases worked by hand."""

import itertools
import json
from fractions import Fraction

import numpy as np
import pytest
from claims.named import numbers, truth

from nontrivial.claims import search as module
from nontrivial.claims import solver
from nontrivial.claims.domains import Part, Table, Tables, WholeNumbers
from nontrivial.claims.language import Formula
from nontrivial.claims.search import decide, is_hit
from nontrivial.claims.verdict import found_from_json, found_to_json, judge

MINORITY = "1 <= positives <= negatives"
TABLES = Tables()


def decided(claim, *given, domain=TABLES, proposed=None):
    conditions = [Formula.condition(text) for text in given]
    proposed = Formula.condition(proposed) if proposed else None
    return decide(Formula.condition(claim), conditions, domain, proposed)


POSITIVE = WholeNumbers.positive(["x", "y"], {})


@pytest.fixture
def without_conditions(monkeypatch):
    """Where only the status is looked at."""
    monkeypatch.setattr(module, "find_condition", lambda *_: None)


@pytest.mark.parametrize(
    ("claim", "given", "status", "witness"),
    [
        ("recall <= 1", (), "proved", None),
        ("prediction_advantage <= cohen_kappa", (MINORITY,), "proved", None),
        ("f1 <= balanced_accuracy", (MINORITY,), "refuted", (2, 2, 1, 1)),  # 4/7 > 1/2
        ("balanced_accuracy <= accuracy", (MINORITY,), "refuted", (2, 1, 1, 1)),  # 5/12 > 2/5
        ("prediction_advantage == cohen_kappa", (MINORITY,), "refuted", (1, 1, 1, 2)),  # 0 < 1/6
        ("n < 3", (), "refuted", (1, 1, 1, 1)),  # no cell is empty
        ("sometimes(recall < precision)", (), "shown", (1, 1, 2, 1)),
        ("sometimes(recall > 1)", (), "impossible", None),
        ("matthews_corrcoef >= 0", (), "refuted", (1, 1, 2, 1)),
        ("sometimes(matthews_corrcoef == -1/2)", (), "shown", (3, 1, 3, 1)),
    ],
)
def test_tables(without_conditions, claim, given, status, witness):
    found = decided(claim, *given)
    assert (found.status, found.witness) == (status, witness)
    assert found.smallest
    assert found.proved_of == ("any size" if status in ("proved", "impossible") else "")
    assert not found.vacuous


def test_values_are_those_of_the_witness():
    assert decided("f1 <= balanced_accuracy", MINORITY, proposed="errors == 0").values == {
        "f1": "4/7",
        "balanced_accuracy": "1/2",
    }
    shown = decided("sometimes(matthews_corrcoef < 0 and n > 2*tp + 1)", "positives > 0").values
    assert shown == {"matthews_corrcoef": "-sqrt(1/36)", "n": "5", "tp": "1"}
    assert decided("sometimes(recall > 0 or n >= 0)", "positives == 0").values["recall"] == "undefined"


@pytest.mark.parametrize(
    "claim", ["f1 <= balanced_accuracy", "p4 == f1", "sometimes(recall < accuracy < precision)"]
)
def test_counts_and_smallest_are_those_of_going_through_every_table(without_conditions, claim):
    formula, given = Formula.condition(claim), "precision >= 1/3"
    inner = claim.removeprefix("sometimes(").removesuffix(")") if formula.sometimes else claim
    checked, undefined, hits = 0, 0, []
    for cells in itertools.product(range(6), repeat=4):
        if sum(cells) > 5 or cells[0] + cells[1] == 0 or 3 * cells[1] < cells[0] + cells[1]:
            continue
        holds = truth(inner, Table(*cells))
        checked, undefined = checked + (holds is not None), undefined + (holds is None)
        if holds is formula.sometimes:
            hits.append(cells)
    found = decided(claim, given, domain=_Few())
    assert (found.checked, found.undefined, found.hits) == (checked, undefined, len(hits))
    assert found.witness == min(hits, key=lambda cells: (min(cells) == 0, sum(cells), cells))
    for cells in itertools.product(range(4), repeat=4):
        if sum(cells) <= 5:
            assert is_hit(formula, [Formula.condition(given)], TABLES, cells) == (cells in hits)


class _Few(Tables):
    """Tables of up to five cases."""

    def small(self):
        tables = [cells for cells in itertools.product(range(6), repeat=4) if sum(cells) <= 5]
        tables.sort(key=lambda cells: (sum(cells), cells))
        return iter([Part(Table(*np.array(tables).T), len(tables), tables.__getitem__)])


def test_the_small_tables_are_those_of_up_to_12_cases():
    found = decided("n <= 12", proposed="n <= 12")
    assert found.checked == 1820  # 16 over 4
    assert (found.witness, found.smallest, found.hits) == ((0, 0, 0, 13), True, 1)


def test_a_counterexample_beyond_the_small_tables_is_the_smallest(without_conditions):
    # 13 cases at least, all called positive, one of them rightly.
    found = decided("precision > 1/13 or tn + fn > 0 or tp == 0")
    assert (found.status, found.witness, found.smallest) == ("refuted", (12, 1, 0, 0), True)
    found = decided("precision != 1/17 or recall != 1")
    assert (found.status, found.witness, found.smallest) == ("refuted", (16, 1, 0, 0), True)
    assert found.values == {"precision": "1/17", "recall": "1"}


def test_beyond_all_that_is_searched_the_witness_is_the_solvers(without_conditions):
    found = decided("precision != 1/101 or recall == 0")
    assert (found.status, found.smallest) == ("refuted", False)
    fp, tp, _, _ = found.witness
    assert fp == 100 * tp > 0
    found = decided("sometimes(precision == 1/101)")
    assert (found.status, found.smallest, found.hits) == ("shown", False, 1)


@pytest.mark.parametrize(
    "claim",
    [
        "tp**2 >= tp",  # false at 1/2
        "tp <= 0 or tp >= 1",
        "2 * tp != 2 * fp + 1",
        "n * (n - 1) >= 0",
        "tp**2 != 2 * fp**2 or tp == 0",  # false at the square root of 2 only
    ],
)
def test_what_is_true_of_whole_numbers_is_not_refuted_by_others(claim):
    """Cells are real numbers to the solver: it knows of a case, but of none in whole numbers."""
    found = decided(claim)
    assert (found.status, found.witness, found.hits, found.proved_of) == ("searched", None, 0, "")


@pytest.mark.parametrize("claim", ["sometimes(0 < tp < 1)", "sometimes(tp**2 == 2)"])
def test_what_whole_numbers_are_not_is_not_shown(claim):
    found = decided(claim)
    assert (found.status, found.witness) == ("not shown", None)


@pytest.mark.parametrize(
    ("claim", "given", "undefined"),
    [
        ("precision <= 1", (), True),
        ("precision <= 1", ("predicted_positives >= 1",), False),
        ("precision <= 1 or predicted_positives == 0", (), False),
        ("1 / (tp - 20) != 0", (), True),  # in no small table
        ("sometimes(precision == 1)", (), True),
    ],
)
def test_where_it_has_no_meaning_is_said(without_conditions, claim, given, undefined):
    assert decided(claim, *given).undefined_somewhere is undefined


@pytest.mark.parametrize(
    ("claim", "given", "status", "vacuous"),
    [
        ("recall <= 1", "tp > n", "proved", True),
        ("sometimes(recall <= 1)", "tp > n", "impossible", True),
        ("recall <= 1", "tp > 20", "proved", False),  # none is small, and there are some
        ("sometimes(recall > 1)", "tp > 20", "impossible", False),
        ("sometimes(recall < 1/2)", "tp > 14", "shown", False),
        ("precision >= 1", "predicted_positives == 0", "proved", True),  # nowhere with a meaning
    ],
)
def test_a_claim_that_says_nothing_is_vacuous(without_conditions, claim, given, status, vacuous):
    found = decided(claim, given)
    assert (found.status, found.vacuous) == (status, vacuous)


def test_pairs_of_tables(without_conditions):
    same = ("positives_1 == positives_2 >= 1", "negatives_1 == negatives_2 >= 1")
    fewer = "({0}_1 > {0}_2) == (error_rate_1 < error_rate_2)"
    assert decided(fewer.format("prediction_advantage"), *same, domain=Tables(pairs=True)).status == "proved"
    found = decided(fewer.format("f1"), *same, domain=Tables(pairs=True))
    # One positive, one negative: all called negative, or both called wrong. F1 is 0, with one error or with two.
    assert (found.status, found.witness) == ("refuted", (0, 0, 1, 1, 1, 0, 1, 0))


def test_numbers_in_ranges():
    narrow = numbers(x=(0, 3), y=(1, 3))
    assert decided("x <= 3", domain=narrow).proved_of == "the ranges"
    assert decided("x + y > x", domain=narrow).proved_of == "any size"
    found = decided("x < y or x > y", domain=narrow)
    assert (found.status, found.witness, found.hits) == ("refuted", (1, 1), 3)
    assert found.exactly_when is None
    assert decided("sometimes(x > 4)", domain=narrow).status == "impossible"
    assert decided("2 * x != 3", domain=narrow).status == "proved"  # of all whole numbers there; 3/2 is none


def test_positive_numbers():
    assert decided("(x + y)/2 >= 2*x*y/(x + y)", domain=POSITIVE).proved_of == "any size"
    assert decided("x / (x + y) > 0", domain=POSITIVE).status == "proved"
    found = decided("x*y == x + y", domain=POSITIVE)
    assert (found.status, found.witness) == ("refuted", (1, 1))
    found = decided("x / y != 1/100", domain=POSITIVE)
    assert (found.status, found.smallest) == ("refuted", False)
    x, y = found.witness
    assert y == 100 * x > 0


@pytest.mark.parametrize(
    ("define", "claim", "status", "witness"),
    [
        # Identities and what is none: 1/2 against 1/3 are the first rates that differ.
        ({}, "2/(1/x + 1/y) == 2*x*y/(x + y)", "proved", None),
        (
            {"f": "2*p*r/(p + r)", "p": "x/(x + y)", "r": "x/(x + z)"},
            "f == 2*x/(2*x + y + z)",
            "proved",
            None,
        ),
        ({"area": "integral((1 - t)*x + t*y, t, 0, 1)"}, "area == (x + y)/2", "proved", None),
        ({"area": "integral((1 - t)*x + t*y, t, 0, 1)"}, "area == (x + y)/3", "refuted", (1, 1, 1)),
        ({}, "x/x == 1", "proved", None),
        ({}, "x/(x + y) == x/(x + z)", "refuted", (1, 1, 2)),
        ({}, "(x - 1)*(x - 2)/(x - 1) == 0*x", "refuted", (3, 1, 1)),  # undefined at 1, equal at 2
        ({}, "x/(y - y) == z", "proved", None),  # of nothing
    ],
)
def test_equations(define, claim, status, witness):
    formulas = {name: Formula.number(text) for name, text in define.items()}
    found = decided(claim, domain=WholeNumbers.positive(["x", "y", "z"], formulas))
    assert (found.status, found.witness) == (status, witness)


def test_what_a_line_of_least_squares_leaves_is_what_it_correlates():
    """R-squared by residuals is the squared correlation, in 729 samples of three points."""
    define = {
        "mx": "(x1 + x2 + x3)/3", "my": "(y1 + y2 + y3)/3",
        "sx": "(x1 - mx)**2 + (x2 - mx)**2 + (x3 - mx)**2", "sy": "(y1 - my)**2 + (y2 - my)**2 + (y3 - my)**2",
        "joint": "(x1 - mx)*(y1 - my) + (x2 - mx)*(y2 - my) + (x3 - mx)*(y3 - my)", "slope": "joint/sx",
        "left": "(y1 - my - slope*(x1 - mx))**2 + (y2 - my - slope*(x2 - mx))**2 + (y3 - my - slope*(x3 - mx))**2",
    }  # fmt: skip
    sample = numbers(define, **dict.fromkeys(("x1", "x2", "x3", "y1", "y2", "y3"), (0, 2)))
    found = decided("1 - left/sy == joint**2/(sx*sy)", "sx > 0", "sy > 0", domain=sample)
    assert found.status in ("proved", "searched")
    assert (found.checked, found.undefined) == (24 * 24, 0)
    assert decided("left/sy == joint**2/(sx*sy)", "sx > 0", "sy > 0", domain=sample).status == "refuted"


@pytest.mark.parametrize(
    "case",
    [(41, 0, 0), (1, 1, 0), (-1, 1, 0, 0), (1, 1, 0, True), (1.0, 1, 0, 0), (0, 2, 0, 1), (1, 1, 0, 0, 0)],
)
def test_what_is_no_case_settles_nothing(case):
    claim, given = Formula.condition("f1 <= balanced_accuracy"), [Formula.condition(MINORITY)]
    assert is_hit(claim, given, TABLES, (1, 1, 0, 0))
    assert not is_hit(claim, given, TABLES, case)


QUESTIONS = [
    ("prediction_advantage <= min(precision, recall)", MINORITY),
    ("f1 <= fowlkes_mallows", "n >= 1"),
    ("precision != 1/101 or recall == 0", "n >= 1"),
    ("tp**2 >= tp", "n >= 1"),
    ("sometimes(accuracy < 1/30 and f1 > 1/30)", "n >= 1"),
]


def test_a_claim_is_decided_alike_whenever_it_is(without_conditions):
    first = [decided(*question) for question in QUESTIONS]
    assert [decided(*question) for question in QUESTIONS] == first
    assert [decided(*question) for question in reversed(QUESTIONS)] == first[::-1]


def test_beyond_the_solvers_steps_a_claim_is_undecided(without_conditions, monkeypatch):
    monkeypatch.setattr(solver, "STEPS", 1)
    found = decided("prediction_advantage <= min(precision, recall)", MINORITY, "fn + fp > 0")
    assert (found.status, found.proved_of, found.undefined_somewhere) == ("searched", "", True)
    assert (
        decided("cohen_kappa < 1 or errors == 0", "positives > 0", "negatives > 0").undefined_somewhere
        is None
    )
    assert decided("sometimes(cohen_kappa > 1)").status == "not shown"
    assert decided("sometimes(cohen_kappa == 1)").status == "shown"
    assert decided("f1 <= accuracy", MINORITY).status == "refuted"


def test_what_the_solver_errs_in_is_no_counterexample(without_conditions, monkeypatch):
    """Its case is tried again by exact arithmetic, which shares nothing with its terms."""
    wrong = solver.Answer(True, (Fraction(1, 2), Fraction(1), Fraction(0), Fraction(3)))
    monkeypatch.setattr(module, "find_case", lambda *_: wrong)
    found = decided("recall <= 1")
    assert (found.status, found.witness) == ("searched", None)


@pytest.mark.parametrize(
    ("claim", "undefined"),
    [
        ("1/(2*x - 1)**2 > 0", False),  # 0/0 at one half only, which is no whole number
        ("1/(2*x - 4)**2 > 0", True),
        ("1/(x - 7)**2 > 0", False),  # beyond the range
    ],
)
def test_ranges_are_undefined_only_where_a_whole_number_in_them_is(claim, undefined):
    assert decided(claim, domain=numbers(x=(0, 4))).undefined_somewhere is undefined


@pytest.mark.parametrize(
    ("claim", "undefined"),
    [("1/(2*tp - 1)**2 > 0", None), ("1/(tp - 20)**2 > 0", True), ("1/(1 + tp) > 0", False)],
)
def test_tables_are_undefined_only_where_one_is_known(claim, undefined):
    assert decided(claim).undefined_somewhere is undefined


@pytest.mark.parametrize(
    ("claim", "status", "witness", "unconfirmed", "verdict"),
    [
        ("(2*x - 1)**2 > 0", "refuted", (Fraction(1, 2), 1), False, "contradicted"),
        ("x**2 != 2", "searched", None, True, "not_evaluated"),
        ("sometimes(3*x == 2)", "shown", (Fraction(2, 3), 1), False, "reproduced"),
        ("sometimes(x**2 == 2)", "not shown", None, True, "not_evaluated"),
        ("x**2 + y**2 >= 2*x*y", "proved", None, False, "reproduced"),
    ],
)
def test_what_fails_between_whole_numbers_fails(claim, status, witness, unconfirmed, verdict):
    formula = Formula.condition(claim)
    found = decide(formula, [Formula.condition("y == 1")] if "y" not in claim else [], POSITIVE)
    assert (found.status, found.witness, found.unconfirmed) == (status, witness, unconfirmed)
    assert judge(formula, found).verdict == verdict
    assert found_from_json(json.loads(json.dumps(found_to_json(found)))) == found


@pytest.mark.parametrize(
    ("claim", "witness"),
    [
        ("log(x) >= 0", (Fraction(1, 2), Fraction(1, 2))),
        ("log(x) * log(y) >= 0", (Fraction(1, 2), Fraction(3, 2))),
        ("log(x) <= 2", (100, 100)),
        ("log(x) <= x - 1", None),
    ],
)
def test_where_logarithms_stop_the_solver_other_numbers_than_small_whole_ones_are_tried(claim, witness):
    found = decided(claim, domain=POSITIVE)
    assert (found.status, found.witness) == ("refuted" if witness else "searched", witness)


def test_a_witness_has_the_numbers_of_each_beta_in_the_claim():
    found = decided(
        "f_beta(2) <= f_beta(0.5)", "tp == 1", "fp == 2", "fn == 1"
    )  # 5/(5+2+4), 1.25/(1.25+2+.25)
    assert found.values == {"f_beta(2)": "5/11", "f_beta(0.5)": "5/14"}


def test_a_proof_that_no_small_table_is_as_given_for_is_tried_on_a_larger_one():
    found = decided("accuracy == 19/20", "recall == 19/20", "specificity == 19/20")
    assert (found.status, found.checked, found.vacuous) == ("proved", 1, False)
    assert decided("accuracy == 1", "recall > 1").vacuous
