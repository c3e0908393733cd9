"""All rankings, once each."""

import itertools
import math

import pytest

from nontrivial.claims.rankings.enumeration import all_rankings, classes, ranking_of


def by_scores(labels):
    """All rankings of labelled cases, from every assignment of scores, as sorted groups."""
    n = len(labels)
    found = set()
    for scores in itertools.product(range(n), repeat=n):
        groups = sorted(set(scores), reverse=True)
        counts = [
            sum(label == which for label, score in zip(labels, scores, strict=True) if score == group)
            for group in groups
            for which in (1, 0)
        ]
        found.add(tuple(counts))
    return found


@pytest.mark.parametrize("counts", [(1, 1), (2, 1), (1, 3), (2, 2), (3, 2)])
def test_every_assignment_of_scores_is_one_of_them(counts):
    positives, negatives = counts
    rankings = all_rankings(*counts)
    listed = [rankings.integers(row) for row in range(len(rankings))]
    assert listed == sorted(by_scores([1] * positives + [0] * negatives))


def test_their_number_follows_the_recurrence():
    """Sequences of groups of s cases with s + 1 ways to label them: a(n) = 4 a(n - 1) - 2 a(n - 2)."""
    of_any_labels = [None, 2, 7]
    for n in range(3, 9):
        of_any_labels.append(4 * of_any_labels[n - 1] - 2 * of_any_labels[n - 2])
    for n in range(2, 9):
        both = [all_rankings(*counts) for counts in classes(8) if sum(counts) == n]
        listed = [rankings.integers(row) for rankings in both for row in range(len(rankings))]
        # Of one class alone there are as many as ways to cut n cases into groups.
        assert len(listed) == len(set(listed)) == of_any_labels[n] - 2 * 2 ** (n - 1)


def test_rankings_without_ties_are_the_ways_to_place_the_positives():
    for counts in classes(8):
        rankings = all_rankings(*counts)
        assert (rankings.groups == rankings.n).sum() == math.comb(rankings.n, counts[0])


def test_a_ranking_is_what_its_integers_say():
    for counts in classes(5):
        rankings = all_rankings(*counts)
        for row in range(len(rankings)):
            one = ranking_of(rankings.integers(row), 5)
            assert (one.tp[0].tolist(), one.fp[0].tolist()) == (
                rankings.tp[row].tolist(),
                rankings.fp[row].tolist(),
            )
            assert one.groups.tolist() == [rankings.groups[row]]


@pytest.mark.parametrize(
    "integers",
    [(), (1,), (1, 1, 1), (1, 0), (0, 1), (1, 1, 0, 0), (-1, 1, 2, 1), (3, 3), (True, 1), (1.0, 1), (0, 0)],
)
def test_other_integers_are_no_ranking(integers):
    assert ranking_of(integers, 5) is None
