"""The exact quantities of rankings, by plain fractions for one ranking at a time, and what a search finds in them."""

import itertools
import math
from fractions import Fraction

import pytest
from reference.exact_curves import ExactRanking, compositions, has_both_classes

from nontrivial.claims.language.formulas import Formula
from nontrivial.claims.rankings.domain import MAX_CASES_IN_ALL_RANKINGS, RANKING_RELATIONS, RankingDomain
from nontrivial.claims.rankings.quantities import QUANTITIES, all_rankings, ranking_class_counts
from nontrivial.claims.search import Question, decide

BETAS_SQUARED = {"f_half": Fraction(1, 4), "f1": Fraction(1), "f2": Fraction(4)}


def groups_of(integers):
    return list(zip(integers[0::2], integers[1::2], strict=True))


# All rankings of up to four cases, and some of the larger ones.
SAMPLE = [
    (all_rankings(*counts), row, ExactRanking(groups_of(all_rankings(*counts).case_at(row))))
    for counts in ranking_class_counts(MAX_CASES_IN_ALL_RANKINGS)
    for row in range(0, len(all_rankings(*counts)), 1 if sum(counts) < 5 else 149)
]


def trapezoids(points):
    return sum((x2 - x1) * (y1 + y2) / 2 for (x1, y1), (x2, y2) in itertools.pairwise(points))


def roc(r, tables):
    return [(fp / r.negatives, tp / r.positives) for tp, fp in tables]


def expected_accuracy(r):
    n = r.positives + r.negatives
    return trapezoids([((tp + fp) / n, (tp + r.negatives - fp) / n) for tp, fp in r.tables])


def best_f(r, b):
    return max(r.f_beta(table, b) for table in r.tables[1:])


def f_of(r, groups, b):
    """F-beta with some groups predicted positive."""
    return r.f_beta([sum(counts) for counts in zip((0, 0), *groups, strict=False)], b)


def better_subsets(r, b):
    choices = itertools.product((False, True), repeat=len(r.groups))
    best = best_f(r, b)
    return sum(f_of(r, itertools.compress(r.groups, choice), b) > best for choice in choices)


def threshold_misses(r, b):
    limit = best_f(r, b) / (1 + b)
    return f_of(r, [(p, n) for p, n in r.groups if p / (p + n) > limit], b) < best_f(r, b)


def is_calibrated(r):
    shares = [p / (p + n) for p, n in r.groups]
    return all(share > next_share for share, next_share in itertools.pairwise(shares))


def between(places):
    """Some places in order, and the middle between each two."""
    places = sorted(places)
    return places + [(low + high) / 2 for low, high in itertools.pairwise(places)]


def best_for(r, worth, trade_offs):
    """The points with the greatest worth at one of the trade-offs."""
    best = set()
    for trade_off in trade_offs:
        values = [worth(table, trade_off) for table in r.tables]
        best |= {place for place, value in enumerate(values) if value == max(values)}
    return best


def best_for_accuracy(r, one_class_too=False):
    pairs = itertools.combinations(r.tables, 2)
    weights = between({Fraction(0), Fraction(1), *((g - f) / (t - s + g - f) for (s, f), (t, g) in pairs)})
    weights = [w for w in weights if one_class_too or 0 < w < 1]
    return best_for(r, lambda table, w: w * table[0] - (1 - w) * table[1], weights)


def best_for_f(r):
    pairs = itertools.combinations(r.tables, 2)
    crossings = {(g * s - f * t) / (r.positives * (t - s)) for (s, f), (t, g) in pairs if t > s > 0}
    squares = between({Fraction(0), Fraction(1000), *(b for b in crossings if b > 0)})
    return best_for(r, lambda table, b: r.f_beta(table, b) if table[0] else Fraction(0), squares)


def best_for_accuracy_only_above_baseline(r):
    only = best_for_accuracy(r) - best_for_f(r)
    tables = [r.tables[place] for place in only if place]
    return sum(min(r.precision(table), r.recall(table)) >= r.prevalence for table in tables)


PLAIN = {
    "positives": lambda r: r.positives,
    "negatives": lambda r: r.negatives,
    "n": lambda r: r.positives + r.negatives,
    "groups": lambda r: len(r.groups),
    "prevalence": lambda r: r.prevalence,
    "ties": lambda r: r.positives + r.negatives - len(r.groups),
    "is_calibrated": is_calibrated,
    "roc_auc": ExactRanking.roc_auc,
    "concordance": ExactRanking.roc_auc,
    "roc_auc_after_first": lambda r: trapezoids(roc(r, r.tables[1:])),
    "expected_accuracy": expected_accuracy,
    "average_precision": ExactRanking.average_precision,
    "mean_precision_at_positives": ExactRanking.average_precision,
    "pr_auc": lambda r: round(Fraction(r.hyperbolic_pr_auc()), 9),
    "prg_auc": ExactRanking.auprg,
    "precision_gain_at_zero": lambda r: r.gain_polyline[0][1],
    "best_for_f_only": lambda r: len(best_for_f(r) - best_for_accuracy(r, one_class_too=True)),
    "best_for_accuracy_only_above_baseline": best_for_accuracy_only_above_baseline,
}
OF_BETA = {
    "{}_best": best_f,
    "{}_threshold_misses": threshold_misses,
    "{}_better_subsets": better_subsets,
    "mean_{}_gain": ExactRanking.expected_f_gain,
}
PLAIN |= {
    pattern.format(f): lambda r, function=function, b=b: function(r, b)
    for f, b in BETAS_SQUARED.items()
    for pattern, function in OF_BETA.items()
}
NEVER = ("isotonic_mismatches", "f_vertices_not_best", "vertices_not_best", "front_vertices_not_best")


@pytest.mark.parametrize("name", QUANTITIES)
def test_each_quantity_by_plain_fractions(name):
    plain = PLAIN[name] if name not in NEVER else lambda _: 0
    values = {rankings: rankings.value(name).fractions() for rankings, _, _ in SAMPLE}
    for rankings, row, exact in SAMPLE:
        value = values[rankings][row]  # an area with logarithms has nine digits; without them, it is exact
        assert (round(value, 9) if name == "pr_auc" else value) == plain(exact)


@pytest.mark.parametrize("name", NEVER)
def test_what_no_ranking_has_would_be_noticed(name):
    """If every point were a vertex of the hull."""
    rankings = all_rankings(3, 3).part(slice(None))
    rankings._hull_vertices = rankings.points
    assert rankings.value(name).numerator.any()


@pytest.mark.parametrize("cases", range(2, 7))
def test_every_ranking_is_there_once_and_in_order(cases):
    expected = {}
    for groups in filter(has_both_classes, compositions(cases)):
        counts = tuple(sum(column) for column in zip(*groups, strict=True))
        expected.setdefault(counts, []).append(tuple(itertools.chain(*groups)))
    assert set(expected) == {counts for counts in ranking_class_counts(cases) if sum(counts) == cases}
    for counts, integers in expected.items():
        rankings = all_rankings(*counts)
        assert [rankings.case_at(row) for row in range(len(rankings))] == sorted(integers)


def height(r, fp):
    """The least and the greatest TP of the curve there."""
    heights = set()
    for (s, f), (t, g) in itertools.pairwise(r.tables):
        if f <= fp <= g:
            heights |= {s, t} if f == g else {s + (t - s) * (fp - f) / (g - f)}
    return min(heights), max(heights)


def is_covered(a, b):
    places = {fp for _, fp in a.tables + b.tables}
    pairs = (zip(height(a, fp), height(b, fp), strict=True) for fp in places)
    return all(ours <= theirs for pair in pairs for ours, theirs in pair)


def is_on(point, line):
    (x, y) = point
    return any(
        min(s, t) <= x <= max(s, t) and min(f, g) <= y <= max(f, g) and (x - s) * (g - f) == (y - f) * (t - s)
        for (s, f), (t, g) in itertools.pairwise(line)
    )


def is_same_from_zero(a, b):
    lines = a.gain_polyline, b.gain_polyline
    return lines[0][0] == lines[1][0] and all(
        is_on(point, line) for points, line in (lines, lines[::-1]) for point in points
    )


@pytest.mark.parametrize("name", RANKING_RELATIONS)
def test_each_relation_by_plain_fractions(name):
    """A curve covers another in both plots alike (Davis and Goadrich 2006, theorem 3.2)."""
    plain = is_same_from_zero if name == "same_from_zero" else is_covered
    for counts in ranking_class_counts(5):
        rankings = all_rankings(*counts)
        first, second = rankings.part(slice(None, None, 3)), rankings.part(slice(1, None, 2))
        exact = [[ExactRanking(groups_of(part.case_at(row))) for row in range(len(part))] for part in (first, second)]
        expected = [[plain(a, b) for b in exact[1]] for a in exact[0]]
        assert RANKING_RELATIONS[name](first, second).tolist() == expected


# Searches.


def find(text, domain, *given):
    claim, conditions = Formula.condition(text), list(map(Formula.condition, given))
    decision = decide(claim, conditions, domain)
    assert decision.witness is None or Question(claim, conditions, domain).is_settled_by(decision.witness)
    assert decision.proved_of == ""  # the solver knows nothing of rankings
    return decision


@pytest.mark.parametrize(
    ("text", "given", "smallest"),
    [
        # A positive between two negatives is neither; that a tie is not, too, has a tie.
        ("concordance == 0 or concordance == 1", (), (0, 1, 1, 0, 0, 1)),
        ("roc_auc >= 1/2", (), (0, 1, 1, 0)),
        ("ties == 0", ("roc_auc == 1",), (1, 0, 0, 2)),  # two negatives tied behind the positive
        ("roc_auc == concordance", (), None),
        ("prg_auc == 0", ("groups == 1",), None),
    ],
)
def test_a_false_claim_is_refuted_by_the_smallest_ranking(text, given, smallest):
    assert find(text, RankingDomain(5), *given).witness == smallest


def test_counts_are_those_of_a_loop():
    small = [r for _, _, r in SAMPLE if r.positives + r.negatives < 5]
    above = [r for r in small if r.roc_auc() > Fraction(1, 2)]
    decision = find("prg_auc < average_precision", RankingDomain(4), "roc_auc > 1/2")
    hits = sum(r.auprg() >= r.average_precision() for r in above)
    assert (decision.checked, decision.hits) == (len(above), hits)
    decision = find("mean_f1_gain == mean_f1_gain", RankingDomain(4))
    assert decision.undefined == sum(r.expected_f_gain(Fraction(1)) is None for r in small) > 0


@pytest.mark.parametrize(
    ("text", "given", "status"),
    [
        ("pr_auc_a <= pr_auc_b", "roc_covered == 1", "searched"),
        ("pr_auc_a < pr_auc_b", "roc_auc_a < roc_auc_b", "refuted"),
        ("sometimes(roc_auc_a < roc_auc_b)", "same_from_zero == 1", "shown"),
        ("sometimes(prg_auc_a < prg_auc_b)", "same_from_zero == 1", "not shown"),
    ],
)
def test_pairs(text, given, status):
    assert find(text, RankingDomain(4, pairs=True), given).status == status


def test_the_smallest_pair_by_hand():
    """Of two cases there is one order of each kind: the reversed one is covered by the other two."""
    decision = find("roc_covered == 0", RankingDomain(2, pairs=True), "roc_auc_a < roc_auc_b")
    assert (decision.witness, decision.hits) == ((0, 1, 1, 0, 1, 0, 0, 1), 3)


NO_RANKINGS = [(), (1,), (1, 1, 1), (1, 0), (1, 1, 0, 0), (-1, 1, 2, 1), (200, 1)]


def test_areas_with_logarithms_compare_by_the_digits_that_they_have():
    assert find("pr_auc == prevalence", RankingDomain(6), "groups == 1").witness is None
    assert find("pr_auc > prevalence", RankingDomain(6), "groups == 1").status == "refuted"
    assert find("pr_auc < 1", RankingDomain(6), "groups == 2").witness == (1, 0, 0, 1)
    assert find("pr_auc >= 1/2", RankingDomain(3)).values == {"pr_auc": "0.306852819"}  # 1 - log 2
    assert find("pr_auc > prevalence", RankingDomain(6)).witness == (0, 1, 1, 0)


NO_PAIRS = [(), (1, 1), (0, 1, 1, 0, 1, 1, 1, 0), (1, 1, 2, 1)]


@pytest.mark.parametrize(
    ("domain", "inside", "outside"),
    [(RankingDomain(4), (1, 0, 0, 1), NO_RANKINGS), (RankingDomain(3, pairs=True), (1, 0, 0, 1) * 2, NO_PAIRS)],
)
def test_what_is_no_ranking_or_too_large_settles_nothing(domain, inside, outside):
    always_false = Formula.condition("1 > 2")
    assert Question(always_false, [], domain).is_settled_by(inside)
    assert [case for case in outside if Question(always_false, [], domain).is_settled_by(case)] == []


def test_too_many_or_too_few_cases_are_refused():
    for sizes in ((9,), (1,), (5, 9), (0, 5)):
        with pytest.raises(ValueError, match="cases; from 2, one of each class, to 8 are allowed"):
            RankingDomain(*sizes)


def test_beyond_the_cases_with_ties_pairs_have_none():
    domain = RankingDomain(2, untied=4, pairs=True)
    more = [math.comb(n, p) ** 2 for n in (3, 4) for p in range(1, n)]
    decision = find("ties_a == 0 and ties_b == 0", domain)
    assert decision.domain == {"over": "pairs of rankings", "cases": 2, "untied": 4}
    # Of the pairs of three rankings of two cases, those with the tie.
    assert (decision.checked, decision.hits) == (9 + sum(more), 9 - 4)
