"""Statements about what is computed from whole numbers: true ones and false ones, against loops in fractions."""

import itertools
import re

import pytest

from nontrivial.audit.definitions import Definition, check_definitions
from nontrivial.audit.families.whole_numbers import TESTS, Axis, search_numbers
from nontrivial.audit.stated import Order, Statement

CELLS = tuple(Axis.parse(f"{cell} 0..3") for cell in ("fp", "tp", "fn"))
RATES = ("precision = tp/(tp + fp)", "recall = tp/(tp + fn)", "harmonic = 2/(1/precision + 1/recall)")
DEFINE = tuple(map(Definition.parse, (*RATES, "arithmetic = (precision + recall)/2")))


def question(text, **changes):
    return {"stated": Statement.parse(text), "axes": CELLS, "define": DEFINE, **changes}


def test_a_true_statement_has_no_counterexample():
    found = search_numbers(**question("harmonic <= arithmetic"))
    # Undefined where there is no true positive: 16 tables with a rate of 0/0, or divided by one of 0.
    assert (found.checked, found.undefined, found.hits, found.smallest) == (48, 16, 0, None)
    assert found.domain == "all whole numbers fp in 0..3, tp in 0..3, fn in 0..3"


def test_a_false_statement_is_refuted_by_the_smallest_case():
    found = search_numbers(**question("harmonic < arithmetic"))
    assert found.smallest == (0, 1, 0)  # both are 1
    # Equal exactly where FP = FN: four of each three counts of true positives.
    assert found.hits == 12
    assert found.details["values"] == {"harmonic": "1", "arithmetic": "1"}


def test_an_example_is_found_where_there_is_one():
    assert search_numbers(**question("sometimes precision < recall")).smallest == (1, 1, 0)
    assert search_numbers(**question("sometimes arithmetic < harmonic")).hits == 0


def test_single_cases_by_hand():
    assert TESTS["whole_numbers"].is_hit((1, 1, 0), **question("recall <= precision"))  # 1 > 1/2
    assert not TESTS["whole_numbers"].is_hit((0, 1, 1), **question("recall <= precision"))
    assert not TESTS["whole_numbers"].is_hit((0, 0, 0), **question("recall <= precision"))  # 0/0
    for case in ((4, 1, 0), (-1, 1, 0), (1, 1), (1, 1, 0, 0), (1, True, 0), (1.0, 1, 0)):
        assert not TESTS["whole_numbers"].is_hit(case, **question("recall <= precision"))


@pytest.mark.parametrize(
    "text",
    [
        "harmonic = arithmetic iff fp = fn",
        "precision < recall if fp > 1 and fn <= 2",
        "precision = 1/2",
        "sometimes precision = recall if fp = 2",
        "2*harmonic - recall <= 1",
    ],
)
def test_the_search_finds_what_a_loop_finds(text):
    here = question(text, where=(Order.parse("fp <= 2"),))
    found = search_numbers(**here)
    hits = [
        case for case in itertools.product(range(4), repeat=3) if TESTS["whole_numbers"].is_hit(case, **here)
    ]
    assert found.hits == len(hits)
    assert found.smallest == min(hits, key=lambda case: (sum(case), case), default=None)


def test_large_numbers_do_not_overflow():
    axes = (Axis.parse("x 3037000500..3037000501"), Axis.parse("y 1..2"))
    define = tuple(map(Definition.parse, ("cube = x**3/(y + 1)", "next = (x**3 + 1)/(y + 1)")))
    found = search_numbers(stated=Statement.parse("cube < next"), axes=axes, define=define)
    assert (found.checked, found.hits) == (4, 0)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"stated": Statement.parse("kappa < 1")}, "'kappa' is not defined; known: fp, tp, fn, precision"),
        ({"where": (Order.parse("tn > 0"),)}, "'tn' is not defined"),
        ({"axes": tuple(Axis.parse(f"{x} 0..3000") for x in ("fp", "tp", "fn"))}, "27,027,009,001 cases"),
        ({"axes": CELLS[:2]}, "'fn' in 'tp/(tp + fn)' is not known there; known: fp, tp, precision."),
    ],
)
def test_what_is_wrong_is_said(changes, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        TESTS["whole_numbers"].check(**question("precision <= 1", **changes))


@pytest.mark.parametrize("text", ["tp", "tp 0-3", "tp 3..1", "tp 0..x", "TP 0..3"])
def test_a_wrong_range_is_named(text):
    with pytest.raises(ValueError, match="is not a range of whole numbers such as"):
        Axis.parse(text)


def test_definitions_build_on_each_other():
    assert check_definitions(DEFINE, ["tp", "fp", "fn"])[-2:] == ["harmonic", "arithmetic"]
    with pytest.raises(ValueError, match="'recall' is defined twice; once is allowed"):
        check_definitions((*DEFINE, DEFINE[1]), ["tp", "fp", "fn"])
    with pytest.raises(ValueError, match="is not a definition such as"):
        Definition.parse("2*precision")
