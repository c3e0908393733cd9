"""Claims about rankings: known true ones are borne out, known false ones refuted by the smallest ranking."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import pytest
from claims.rankings.cases import number, some_rankings

from nontrivial.claims.language import Formula
from nontrivial.claims.rankings import domains
from nontrivial.claims.rankings.domains import MOST, AllRankings, RankingPairs
from nontrivial.claims.rankings.enumeration import classes
from nontrivial.claims.search import decide, is_hit


def find(text, domain, *given):
    claim, conditions = Formula.condition(text), list(map(Formula.condition, given))
    found = decide(claim, conditions, domain)
    assert found.witness is None or is_hit(claim, conditions, domain, found.witness)
    assert found.proved_of == ""  # the solver knows nothing of rankings
    return found


def hit(case, text, domain):
    return is_hit(Formula.condition(text), [], domain, case)


@pytest.mark.parametrize(
    ("text", "given"),
    [
        ("roc_auc == concordance", ()),
        ("roc_auc <= roc_hull_auc", ()),
        ("prg_auc <= 1", ()),
        ("(roc_auc == 1) == (is_perfect == 1)", ()),
        ("prg_auc == 0", ("groups == 1",)),
        ("roc_auc + roc_auc_axes_exchanged == 1", ()),
        ("average_precision == mean_precision_at_positives", ()),
    ],
)
def test_a_true_claim_is_borne_out(text, given):
    found = find(text, AllRankings(5), *given)
    assert (found.status, found.hits) == ("searched", 0)


def test_an_example_is_found_where_there_is_one():
    assert find("sometimes(prg_auc < 0 and roc_auc > 1/2)", AllRankings(6)).status == "shown"
    assert find("sometimes(prg_auc > 1)", AllRankings(6)).status == "not shown"


@pytest.mark.parametrize(
    ("text", "given", "smallest"),
    [
        # A positive between two negatives is neither; that a tie is not, too, has a tie.
        ("is_perfect + is_reversed == 1", (), (0, 1, 1, 0, 0, 1)),
        ("roc_auc >= 1/2", (), (0, 1, 1, 0)),
        ("prg_auc >= 0", (), (0, 1, 1, 0)),  # precision gain 0 all the way but for the drop: -1/2
        ("ties == 0", ("roc_auc == 1",), (1, 0, 0, 2)),  # two negatives tied behind the positive
        ("prg_auc == roc_auc", (), (0, 1, 1, 0)),
    ],
)
def test_a_false_claim_is_refuted_by_the_smallest_ranking(text, given, smallest):
    found = find(text, AllRankings(4), *given)
    assert (found.status, found.witness) == ("refuted", smallest)


def test_counts_are_those_of_a_loop():
    found = find("prg_auc < average_precision", AllRankings(5), "roc_auc > 1/2")
    values = [
        (number(*one, "prg_auc"), number(*one, "average_precision"))
        for one in some_rankings(5)
        if number(*one, "roc_auc") > Fraction(1, 2)
    ]
    assert (found.checked, found.hits) == (len(values), sum(area >= step for area, step in values))


def test_undefined_cases_are_counted_apart():
    found = find("mean_f1_gain == expected_f1_gain", AllRankings(5))
    assert found.undefined == sum(number(*one, "expected_f1_gain") is None for one in some_rankings(5)) > 0
    assert found.undefined_somewhere


@pytest.mark.parametrize(
    ("text", "given", "status"),
    [
        ("roc_auc_a <= roc_auc_b", "covered == 1", "searched"),
        ("pr_auc_a <= pr_auc_b", "covered == 1", "searched"),
        ("cost_curve_area_a >= cost_curve_area_b", "covered == 1", "searched"),
        ("prg_auc_a == prg_auc_b", "same_from_zero == 1", "searched"),
        ("covered == 1", "roc_auc_a < roc_auc_b", "refuted"),
        ("pr_auc_a < pr_auc_b", "roc_auc_a < roc_auc_b", "refuted"),
        ("sometimes(roc_auc_a < roc_auc_b)", "same_from_zero == 1", "shown"),
        ("sometimes(prg_auc_a < prg_auc_b)", "same_from_zero == 1", "not shown"),
    ],
)
def test_pairs(text, given, status):
    assert find(text, RankingPairs(4), given).status == status


def test_the_smallest_pair_by_hand():
    """Of two cases there is one order of each kind: the reversed one is covered by the other two."""
    found = find("covered == 0", RankingPairs(2), "roc_auc_a < roc_auc_b")
    assert (found.witness, found.hits) == ((0, 1, 1, 0, 1, 0, 0, 1), 3)


@pytest.mark.parametrize("integers", [(1, 1), (0, 1, 1, 0, 1, 1, 1, 0), (1, 0, 0, 1, 1), (3, 3, 3, 3), ()])
def test_what_is_no_pair_settles_nothing(integers):
    assert not hit(integers, "roc_auc_a > 1", RankingPairs(4))


def test_a_ranking_outside_the_domain_settles_nothing():
    assert hit((1, 1), "roc_auc > 1", AllRankings(2))
    assert not hit((1, 1, 1, 0), "roc_auc > 1", AllRankings(2))


def size(domain):
    return sum(part.count for part in domain.small())


def test_beyond_the_cases_with_ties_pairs_have_none():
    domain, ties = RankingPairs(2, untied=4), RankingPairs(2)
    more = [math.comb(n, p) ** 2 for n in (3, 4) for p in range(1, n)]
    assert size(domain) == size(ties) + sum(more)
    found = find("ties_a == 0 and ties_b == 0", domain)
    # Of the pairs of three rankings, those with the tie.
    assert (found.checked, found.hits) == (size(domain), 9 - 4)
    one = (1, 0, 0, 1, 0, 1)
    assert domain.one((*one, *one)) is not None
    assert domain.one((*one, 1, 0, 0, 2)) is None
    assert ties.one((*one, *one)) is None


def test_pairs_in_parts_are_all_pairs(monkeypatch):
    question = "roc_auc_a >= roc_auc_b", RankingPairs(4), "covered == 0 and ties_a == 0"
    whole = find(*question)
    monkeypatch.setattr(domains, "_LARGEST_BLOCK", 80)
    assert max(part.count for part in RankingPairs(4).small()) <= 80
    assert find(*question) == whole


def test_pairs_of_curves_are_the_pairs_of_rankings_seen_once():
    """What holds of a pair of rankings holds of the pair of their curves, and the other way round."""
    text, given = "covered == 0 or same_from_zero == 1", "roc_auc_a < roc_auc_b"
    claim, conditions = Formula.condition(text), [Formula.condition(given)]
    rankings = [rankings.integers(row) for rankings, row in some_rankings(3)]
    of_curves = RankingPairs(3, of_curves=True)
    hits = {
        (pieces(a), pieces(b))
        for a, b in itertools.product(rankings, repeat=2)
        if counts(a) == counts(b) and is_hit(claim, conditions, RankingPairs(3), a + b)
    }
    found = find(text, of_curves, given)
    assert found.hits == len(hits) > 0
    assert sum(found.witness) == min(sum(a + b) for a, b in hits)
    assert all(is_hit(claim, conditions, of_curves, a + b) for a, b in hits)


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


def test_every_curve_is_there_once():
    for most in (2, 4, 6):
        found = {pieces(rankings.integers(row)) for rankings, row in some_rankings(most)}
        each = Counter(map(counts, found))
        assert set(each) == set(classes(most))
        assert size(RankingPairs(most, of_curves=True)) == sum(count**2 for count in each.values())


def test_a_quantity_that_a_curve_does_not_have_is_refused():
    with pytest.raises(ValueError, match="'average_precision' differs between rankings with the same curve"):
        find("average_precision_a <= average_precision_b", RankingPairs(4, of_curves=True))


def test_what_is_no_pair_of_curves_settles_nothing():
    # Two negatives one after the other are one straight piece.
    curve, split = (0, 2, 1, 0), (0, 1, 0, 1, 1, 0)
    assert hit(curve + curve, "covered == 0", RankingPairs(3, of_curves=True))
    assert not hit(split + curve, "covered == 0", RankingPairs(3, of_curves=True))
    assert hit(split + curve, "covered == 0", RankingPairs(3))


@pytest.mark.parametrize(
    ("domain", "sizes"),
    [(AllRankings, [MOST + 1]), (RankingPairs, [MOST + 1]), (RankingPairs, [5, MOST + 1])],
)
def test_too_many_cases_are_refused(domain, sizes):
    with pytest.raises(ValueError, match="the rankings have up to 9 cases; 8 are allowed"):
        domain(*sizes)


def test_only_tables_are_exchanged():
    with pytest.raises(ValueError, match=r"swap\(\) is for measures of a confusion table"):
        find("swap(roc_auc) < 1", AllRankings(3))


def test_what_was_searched_is_plain_data():
    assert AllRankings(6).fields() == {"over": "rankings", "cases": 6}
    assert RankingPairs(4).fields() == {"over": "pairs of rankings", "cases": 4}
    assert RankingPairs(4, untied=6).fields() == {"over": "pairs of rankings", "cases": 4, "untied": 6}
    assert RankingPairs(4, of_curves=True).fields() == {"over": "pairs of curves", "cases": 4}


def test_a_curve_covers_another_in_both_plots_alike():
    """Davis and Goadrich 2006, theorem 3.2; the two are computed from rates and from precisions."""
    found = find("roc_covered == pr_covered", RankingPairs(5))
    assert (found.status, found.hits) == ("searched", 0)
    assert find("pr_covered == 0", RankingPairs(3)).hits > 0
