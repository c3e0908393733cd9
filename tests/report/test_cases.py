"""Counterexamples that are no confusion tables: their parts have names, and nothing is made up of others."""

import pytest

from nontrivial.audit.marginals import Marginals
from nontrivial.audit.rankings.domains import AllRankings
from nontrivial.report.cases import readable_case

RANKING = AllRankings(10).text + " where is_calibrated = 1"
LABELS = Marginals("absolute", 3, 6, 1).text + " where cases >= 1"


@pytest.mark.parametrize(
    ("case", "signs"),
    [([0, 1, 0, 1, 1, 1], "- - [+ -]"), ([2, 0, 1, 0], "[+ +] +"), ([1, 0, 0, 1], "+ -")],
)
def test_a_ranking_is_shown_from_its_best_case_on(case, signs):
    said = readable_case(case, RANKING)
    said = said.replace("\N{MINUS SIGN}", "-")
    assert said == f"{signs} (the best case first, positives +, negatives -, tied ones in brackets)"


def test_a_distribution_has_counts_and_a_guess():
    said = readable_case([0, 1, 2, 0, 0, 1], LABELS)
    assert said == "the labels 0, 1, 2 occur 0, 1, 2 times; the guess is 2"
    said = readable_case([2, 2, 3, 1, 0, 1], LABELS)
    assert said == "the labels 0, 1, 2 occur 2, 2, 3 times; they are guessed 1, 0, 1 times"


def test_whole_numbers_have_their_names():
    domain = "whole numbers fn1, fn2, y0 from 1 on, in this sequence"
    assert readable_case([1, 1, 2], domain) == "fn1 = 1, fn2 = 1, y0 = 2"
    domain = "all whole numbers pos in 1..4, neg in 1..4, tp1 in 0..4 where tp1 <= pos and mixed = combined"
    assert readable_case([1, 2, 0], domain) == "pos = 1, neg = 2, tp1 = 0"


@pytest.mark.parametrize(
    ("case", "domain"),
    [
        ([1, 0, 0], RANKING),
        ([1, 0, 0], LABELS),
        ([1, 0, 0, 1], Marginals("cost", 2, 3, 1, 3).text),
        ([1], "whole numbers a, b from 1 on, in this sequence"),
        ([0.5, 1], "whole numbers a, b from 1 on, in this sequence"),
        ("a proof", RANKING),
        ([1, 2, 3, 4], "every confusion table with cells FP, TP, FN, TN in 0..40"),
    ],
)
def test_what_is_not_understood_is_left_alone(case, domain):
    assert readable_case(case, domain) == ""
