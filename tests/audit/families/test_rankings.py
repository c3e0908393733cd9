"""Statements about rankings: known true ones are borne out, known false ones refuted by the smallest ranking."""

import itertools
import math
import re
from collections import Counter
from fractions import Fraction

import pytest
from audit.rankings.cases import number, some_rankings

from nontrivial.audit.families.rankings import TESTS, mean_over_rankings
from nontrivial.audit.rankings import domains
from nontrivial.audit.rankings.curves import CurvePairs, count_curves
from nontrivial.audit.rankings.domains import AllRankings, RankingPairs
from nontrivial.audit.rankings.enumeration import classes
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.tests import bind
from nontrivial.audit.verdict import decide

SINGLE, PAIRS, CURVES = TESTS["rankings"], TESTS["ranking_pairs"], TESTS["curve_pairs"]


def find(test, text, cases, where=()):
    stated = Statement.parse(text)
    found = test.run(stated=stated, cases=cases, where=tuple(map(Order.parse, where)))
    if found.smallest is not None:
        assert test.is_hit(found.smallest, stated=stated, cases=cases, where=tuple(map(Order.parse, where)))
    return found, decide(stated, found)[0]


@pytest.mark.parametrize(
    "text",
    [
        "roc_auc = concordance",
        "roc_auc <= roc_hull_auc",
        "prg_auc <= 1",
        "roc_auc = 1 iff is_perfect = 1",
        "prg_auc = 0 if groups = 1",
        "roc_auc + roc_auc_axes_exchanged = 1",
        "average_precision = mean_precision_at_positives",
        "sometimes prg_auc < 0 < roc_auc - 1/2",
    ],
)
def test_a_true_statement_is_borne_out(text):
    assert find(SINGLE, text, cases=6)[1] == "reproduced"


@pytest.mark.parametrize(
    ("text", "smallest"),
    [
        # A tie of a positive and a negative has the smallest area with a triangle in it.
        ("roc_auc = roc_rectangles", (1, 1)),
        ("roc_auc >= 1/2", (0, 1, 1, 0)),
        ("prg_auc >= 0", (0, 1, 1, 0)),  # precision gain 0 all the way but for the drop: -1/2
        ("ties = 0 if roc_auc = 1", (1, 0, 0, 2)),  # two negatives tied behind the positive
        ("prg_auc = roc_auc", (0, 1, 1, 0)),
    ],
)
def test_a_false_statement_is_refuted_by_the_smallest_ranking(text, smallest):
    found, verdict = find(SINGLE, text, cases=5)
    assert (found.smallest, verdict) == (smallest, "contradicted")


def test_counts_are_those_of_a_loop():
    found, _ = find(SINGLE, "prg_auc < average_precision if roc_auc > 1/2", cases=5)
    values = [
        (number(*one, "prg_auc"), number(*one, "average_precision"))
        for one in some_rankings(5)
        if number(*one, "roc_auc") > Fraction(1, 2)
    ]
    assert (found.checked, found.hits) == (len(values), sum(area >= step for area, step in values))


def test_undefined_cases_are_counted_apart():
    found, verdict = find(SINGLE, "mean_f1_gain = expected_f1_gain", cases=6)
    assert found.undefined == sum(number(*one, "expected_f1_gain") is None for one in some_rankings(6))
    assert verdict == "caveat"


def test_the_exact_condition_is_found():
    found, _ = find(SINGLE, "roc_auc = roc_rectangles", cases=6)
    assert found.details["holds_where"] == {
        "condition": "mixed_groups = 0",
        "exact": True,
        "met": found.checked - found.hits,
        "holds": found.checked - found.hits,
    }


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("roc_auc_a <= roc_auc_b if covered = 1", "reproduced"),
        ("pr_auc_a <= pr_auc_b if covered = 1", "reproduced"),
        ("cost_curve_area_a >= cost_curve_area_b if covered = 1", "reproduced"),
        ("prg_auc_a = prg_auc_b if same_from_zero = 1", "reproduced"),
        ("covered = 1 if roc_auc_a < roc_auc_b", "contradicted"),
        ("pr_auc_a < pr_auc_b if roc_auc_a < roc_auc_b", "contradicted"),
        ("sometimes roc_auc_a < roc_auc_b if same_from_zero = 1", "reproduced"),
        ("sometimes prg_auc_a < prg_auc_b if same_from_zero = 1", "not_evaluated"),
    ],
)
def test_pairs(text, verdict):
    assert find(PAIRS, text, cases=4)[1] == verdict


def test_the_smallest_pair_by_hand():
    """Of two cases there is one order of each kind: the reversed one is covered by the other two."""
    found, _ = find(PAIRS, "covered = 0 if roc_auc_a < roc_auc_b", cases=2)
    assert found.smallest == (0, 1, 1, 0, 1, 0, 0, 1)
    assert found.hits == 3


@pytest.mark.parametrize("integers", [(1, 1), (0, 1, 1, 0, 1, 1, 1, 0), (1, 0, 0, 1, 1), (3, 3, 3, 3), ()])
def test_what_is_no_pair_settles_nothing(integers):
    assert not PAIRS.is_hit(integers, stated=Statement.parse("roc_auc_a > 1"), cases=4)


def test_beyond_the_cases_with_ties_pairs_have_none():
    domain, ties = RankingPairs(2, untied=4), RankingPairs(2)
    more = [math.comb(n, p) ** 2 for n in (3, 4) for p in range(1, n)]
    assert domain.size == ties.size + sum(more) == sum(math.prod(part.shape) for part in domain.parts(int))
    assert domain.text.startswith(
        "every pair of rankings of the same 2..2 cases of both classes, ties included, and of 3..4 cases without ties"
    )
    found = PAIRS.run(stated=Statement.parse("ties_a = ties_b = 0"), cases=2, untied_cases=4)
    assert (found.checked, found.hits) == (
        domain.size,
        9 - 4,
    )  # pairs of the three rankings of two with the tie
    one = (1, 0, 0, 1, 0, 1)
    assert domain.holds((*one, *one))
    assert not domain.holds((*one, 1, 0, 0, 2))
    assert not ties.holds((*one, *one))


def test_pairs_in_parts_are_all_pairs(monkeypatch):
    stated = Statement.parse("roc_auc_a >= roc_auc_b if covered = 0 and ties_a = 0")
    whole = PAIRS.run(stated=stated, cases=5)
    monkeypatch.setattr(domains, "LARGEST_BLOCK", 80)
    assert max(math.prod(part.shape) for part in RankingPairs(5).parts(int)) <= 80
    assert PAIRS.run(stated=stated, cases=5) == whole


@pytest.mark.parametrize(
    "text",
    [
        "covered = 1 if roc_auc_a < roc_auc_b",
        "cost_curve_area_a >= cost_curve_area_b if roc_auc_a < roc_auc_b and covered = 0",
        "prg_auc_a <= pr_auc_b iff same_from_zero = 0",
        "f1_best_a < f1_best_b if break_even_point_a < break_even_point_b",
    ],
)
def test_pairs_of_curves_are_the_pairs_of_rankings_seen_once(text):
    """What holds of a pair of rankings holds of the pair of their curves, and the other way round."""
    stated = Statement.parse(text)
    rankings = [rankings.integers(row) for rankings, row in some_rankings(4)]
    hits = {
        (pieces(a), pieces(b))
        for a, b in itertools.product(rankings, repeat=2)
        if counts(a) == counts(b) and PAIRS.is_hit(a + b, stated=stated, cases=4)
    }
    found = CURVES.run(stated=stated, cases=4)
    assert found.hits == len(hits) > 0
    smallest = min((a + b for a, b in hits), key=lambda case: (sum(case), case))
    assert sum(found.smallest) == sum(smallest)
    assert CURVES.is_hit(found.smallest, stated=stated, cases=4)
    assert all(CURVES.is_hit(a + b, stated=stated, cases=4) for a, b in hits)


def counts(integers):
    return sum(integers[0::2]), sum(integers[1::2])


def pieces(integers):
    """The curve of a ranking: its groups, neighbours of one slope put together."""
    groups = list(zip(integers[0::2], integers[1::2], strict=True))
    joined = [groups[0]]
    for p, n in groups[1:]:
        before = joined[-1]
        if p * before[1] == n * before[0]:
            joined[-1] = (before[0] + p, before[1] + n)
        else:
            joined.append((p, n))
    return tuple(count for piece in joined for count in piece)


def test_every_curve_is_counted_once():
    for most in (2, 4, 6):
        found = {pieces(rankings.integers(row)) for rankings, row in some_rankings(most)}
        found = Counter(map(counts, found))
        assert found == {both: count_curves(*both) for both in classes(most)}
        assert CurvePairs(most).size == sum(count**2 for count in found.values())


def test_a_quantity_that_a_curve_does_not_have_is_refused():
    stated = Statement.parse("average_precision_a <= average_precision_b if covered = 1")
    with pytest.raises(ValueError, match="'average_precision' differs between rankings with the same curve"):
        CURVES.run(stated=stated, cases=4)


def test_what_is_no_pair_of_curves_settles_nothing():
    stated, curve, same = Statement.parse("covered = 0"), (0, 1, 1, 0), (0, 1, 1, 0)
    assert CURVES.is_hit(curve + same, stated=stated, cases=2)
    split = (0, 1, 0, 1, 1, 0), (0, 2, 1, 0)  # two negatives one after the other are one straight piece
    assert CURVES.is_hit(split[1] * 2, stated=stated, cases=3)
    assert not CURVES.is_hit(split[0] + split[1], stated=stated, cases=3)
    assert PAIRS.is_hit(split[0] + split[1], stated=stated, cases=3)


def test_a_case_outside_the_domain_settles_nothing():
    stated = Statement.parse("roc_auc > 1")
    assert SINGLE.is_hit((1, 1), stated=stated, cases=2)
    assert not SINGLE.is_hit((1, 1, 1, 0), stated=stated, cases=2)


def test_the_mean_of_chance_is_that_of_all_placements():
    # One positive among two: first, AUPRG 1, or last, -1/2.
    assert mean_over_rankings(quantity_name="prg_auc", positives=1, negatives=1).value == Fraction(1, 4)
    assert mean_over_rankings(quantity_name="roc_auc", positives=2, negatives=3).value == Fraction(1, 2)


@pytest.mark.parametrize(
    ("test", "stated", "parameters", "sentence"),
    [
        ("rankings", "auc < 1", {"cases": 5}, "'auc' is not a known quantity of rankings; known: positives,"),
        ("rankings", "roc_auc < 1", {"cases": 11}, "parameter 'cases' is 11; 2 to 10 is allowed."),
        ("ranking_pairs", "roc_auc < 1", {"cases": 5}, "'roc_auc' is not a known quantity of rankings"),
        ("ranking_pairs", "roc_auc_a < 1", {"cases": 9}, "parameter 'cases' is 9; 2 to 8 is allowed."),
        (
            "ranking_pairs",
            "roc_auc_a < 1",
            {"cases": 5, "untied_cases": 11},
            "parameter 'untied_cases' is 11; 2 to 10 is allowed.",
        ),
        ("rankings", "swap(roc_auc) < 1", {"cases": 5}, "swap() is for measures of a confusion table."),
    ],
)
def test_what_is_wrong_is_said(test, stated, parameters, sentence):
    def judge():
        return TESTS[test].run(**bind(test, parameters, Statement.parse(stated)))

    with pytest.raises(ValueError, match=re.escape(sentence)):
        judge()


def test_the_domains_say_what_they_are():
    assert AllRankings(10).size == 181_665
    assert "every ranking of 2..10 cases" in AllRankings(10).text
    assert "best group first" in RankingPairs(4).text
