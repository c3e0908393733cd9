"""The shape of a ranking's curves, by trying all points."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from claims.rankings.cases import FEW, SAMPLE, f_beta, labels_and_scores, number, points, some_rankings

from nontrivial import curves
from nontrivial.claims.rankings import shapes

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.gain.ExtrapolatedAreaWarning")


def optimal(values):
    return {place for place, value in enumerate(values) if value == max(values)}


def best_places(rankings, row):
    """Which points are best for some weighting, and for some F-beta, by trying all that can matter."""
    tables = points(rankings.integers(row))
    p, n = rankings.positives, rankings.negatives
    pairs = list(itertools.combinations(tables, 2))
    corners = {Fraction(g - f, (t - s) + (g - f)) for (s, f), (t, g) in pairs}
    weights = sorted({Fraction(0), Fraction(1), *corners})
    inside = {w for w in weights if 0 < w < 1} | {(a + b) / 2 for a, b in itertools.pairwise(weights)}
    best = {w: optimal([w * t + (1 - w) * (n - f) for t, f in tables]) for w in inside | {0, 1}}
    accuracy = set().union(*(best[w] for w in inside))
    betas = {Fraction(g * s - f * t, p * (t - s)) for (s, f), (t, g) in pairs if t > s > 0}
    squares = sorted({Fraction(0), *(b for b in betas if b > 0), 2 * max([Fraction(0), *betas]) + 1})
    squares += [(a + b) / 2 for a, b in itertools.pairwise(squares)]
    f = {b: optimal([f_beta(table, p, b) for table in tables]) for b in squares}
    return tables, accuracy, set().union(*best.values()), set().union(*f.values())


def test_what_is_best_for_something():
    for rankings, row in FEW:
        tables, accuracy, any_weight, f_any = best_places(rankings, row)
        assert set(np.flatnonzero(shapes.best_for_accuracy(rankings)[row])) == accuracy
        assert set(np.flatnonzero(shapes.best_for_accuracy(rankings, one_class_too=True)[row])) == any_weight
        assert set(np.flatnonzero(shapes.best_for_f(rankings)[row])) == f_any
        front = [
            place
            for place, (t, f) in enumerate(tables)
            if not any(u >= t and g <= f and (u, g) != (t, f) for u, g in tables)
        ]
        assert np.flatnonzero(shapes.roc_front(rankings)[row]).tolist() == front


def test_hulls_have_the_vertices_of_the_curves_hulls():
    for rankings, row in SAMPLE:
        labels, scores = labels_and_scores(rankings.integers(row))
        fpr, tpr, _ = curves.roc_convex_hull(labels, scores)
        hull = shapes.hulls(rankings)
        count = int(hull.edges[row].sum()) + 1
        assert hull.fp[row, :count].tolist() == np.rint(fpr * rankings.negatives).tolist()
        assert hull.tp[row, :count].tolist() == np.rint(tpr * rankings.positives).tolist()


def test_thresholds_of_f_by_trying_all():
    for rankings, row in FEW:
        tables = points(rankings.integers(row))
        for name, b in (("f_half", Fraction(1, 4)), ("f1", Fraction(1)), ("f2", Fraction(4))):
            best = max(f_beta(table, rankings.positives, b) for table in tables)
            assert number(rankings, row, f"{name}_threshold") == best / (1 + b)
            if name != "f2":
                assert number(rankings, row, f"{name}_best") == best


def test_choices_of_groups_by_trying_all():
    for rankings, row in FEW:
        integers = rankings.integers(row)
        groups = list(zip(integers[0::2], integers[1::2], strict=True))
        shares = [Fraction(p, p + n) for p, n in groups]
        falls = all(one > other for one, other in itertools.pairwise(shares))
        assert number(rankings, row, "is_calibrated") == falls
        for name, b in (("f_half", Fraction(1, 4)), ("f1", Fraction(1)), ("f2", Fraction(4))):
            best = max(f_beta(table, rankings.positives, b) for table in points(integers))

            def f_of(chosen, groups=groups, b=b, positives=rankings.positives):
                return f_beta([sum(counts) for counts in zip((0, 0), *chosen, strict=False)], positives, b)

            choices = itertools.product((False, True), repeat=len(groups))
            better = sum(f_of(list(itertools.compress(groups, choice))) > best for choice in choices)
            assert number(rankings, row, f"{name}_better_subsets") == better
            taken = [group for group, share in zip(groups, shares, strict=True) if share > best / (1 + b)]
            if name == "f1":
                assert number(rankings, row, "f1_threshold_misses") == (f_of(taken) < best)


def test_the_front_of_precision_and_recall_by_the_lines_between_its_points():
    for rankings, row in some_rankings(7, step=53):
        found = [(t, f) for t, f in points(rankings.integers(row)) if t]
        plot = [(Fraction(t, rankings.positives), Fraction(t, t + f)) for t, f in found]
        front = sorted(
            (x, y) for x, y in plot if not any(u >= x and v >= y and (u, v) != (x, y) for u, v in plot)
        )
        dents = {
            middle
            for left, middle, right in itertools.combinations(front, 3)
            if (middle[1] - left[1]) * (right[0] - left[0]) < (right[1] - left[1]) * (middle[0] - left[0])
        }
        assert number(rankings, row, "pr_front_dents") == len(dents)
