"""The exact quantities of rankings, against the package's own curves and against loops over points in fractions."""

import functools
import itertools
from fractions import Fraction

import numpy as np
import pytest
from claims.rankings.cases import labels_and_scores, number, points, some_rankings
from scipy.integrate import quad
from sklearn.isotonic import IsotonicRegression
from sklearn.metrics import average_precision_score, roc_auc_score

from nontrivial import curves
from nontrivial.claims.rankings import areas, calibration, shapes
from nontrivial.claims.rankings.domains import MOST
from nontrivial.claims.rankings.enumeration import Rankings, all_rankings, classes
from nontrivial.claims.rankings.quantities import LARGEST_PART, QUANTITIES, quantity

SAMPLE = list(some_rankings(MOST, step=997))
FEW = list(some_rankings(5))

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.gain_areas.ExtrapolatedAreaWarning")


OWN = {
    "roc_auc": roc_auc_score,
    "concordance": roc_auc_score,
    "average_precision": average_precision_score,
    "pr_auc": curves.pr_auc_score,
    "break_even_point": curves.break_even_point_score,
    "prg_auc": curves.prg_auc_score,
    "prg_auc_in_unit_square": lambda y, s: curves.prg_auc_score(y, s, clip=True),
    "expected_f1_gain": curves.expected_f_gain_score,
    "mean_f1_gain": curves.expected_f_gain_score,
    **{
        name.format(f): functools.partial(curves.expected_f_gain_score, beta=beta)
        for f, beta in (("f_half", 0.5), ("f2", 2))
        for name in ("mean_{}_gain", "expected_{}_gain_by_parts")
    },
    "roc_hull_auc": curves.roc_hull_auc_score,
    "cost_curve_area": curves.cost_curve_area_score,
    "mean_least_cost": curves.cost_curve_area_score,
}


@pytest.mark.parametrize("name", OWN)
def test_areas_are_those_of_the_curves(name):
    for rankings, row in SAMPLE if name != "mean_least_cost" else FEW:
        labels, scores = labels_and_scores(rankings.integers(row))
        exact = number(rankings, row, name)
        own = OWN[name](labels, scores)
        if exact is None:
            assert np.isnan(own)
        else:
            assert own == pytest.approx(float(exact), abs=6e-10 if name == "pr_auc" else 1e-12)


def test_the_hyperbolic_area_is_the_integral_of_precision():
    """Numerically, along the interpolated tables."""
    for rankings, row in SAMPLE[::20]:
        total = 0.0
        for (t1, f1), (t2, f2) in itertools.pairwise(points(rankings.integers(row))):
            if t2 > t1:
                slope = (f2 - f1) / (t2 - t1)
                total += quad(lambda t, a=t1, f=f1, s=slope: t / (t + f + s * (t - a)), t1, t2)[0]
        assert float(number(rankings, row, "pr_auc")) == pytest.approx(total / rankings.positives, abs=1e-9)


def f_beta(table, positives, b):
    tp, fp = table
    return Fraction((1 + b) * tp) / (tp + fp + b * positives) if tp else Fraction(0)


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
    positive = set().union(*(places for b, places in f.items() if b > 0))
    return tables, accuracy, set().union(*best.values()), positive, set().union(*f.values())


def test_what_is_best_for_something():
    for rankings, row in FEW:
        tables, accuracy, any_weight, f_positive, f_any = best_places(rankings, row)
        assert set(np.flatnonzero(shapes.best_for_accuracy(rankings)[row])) == accuracy
        assert set(np.flatnonzero(shapes.best_for_accuracy(rankings, one_class_too=True)[row])) == any_weight
        assert set(np.flatnonzero(shapes.best_for_f(rankings, precision_too=False)[row])) == f_positive
        assert set(np.flatnonzero(shapes.best_for_f(rankings, precision_too=True)[row])) == f_any
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


def test_calibrated_scores_are_those_of_the_calibrator():
    """And c = d F-beta on every edge between points with gains."""
    for rankings, row in SAMPLE:
        labels, scores = labels_and_scores(rankings.integers(row))
        c, d = (number(rankings, row, name) for name in ("first_edge_c", "first_edge_d"))
        calibrator = curves.FBetaCalibrator().fit(scores, labels)
        inner = calibrator.calibrated_scores_[1:-1]
        assert (d is None) == (len(inner) == 0)
        if d is not None:
            assert float(d) == pytest.approx(inner[0])
            first = next(
                (t, f)
                for (t, f) in zip(shapes.hulls(rankings).tp[row], shapes.hulls(rankings).fp[row], strict=True)
                if t
            )
            assert c == d * f_beta((int(first[0]), int(first[1])), rankings.positives, 1 / d - 1)


def test_isotonic_regression_is_scikit_learns():
    """What has no mismatch to the hull has none to another implementation either."""
    for rankings, row in SAMPLE[::5]:
        labels, scores = labels_and_scores(rankings.integers(row))
        fitted = IsotonicRegression().fit(scores, labels).predict(scores)
        hull, size = shapes.hulls(rankings), areas.predicted(rankings)
        assert number(rankings, row, "isotonic_mismatches") == 0
        ends = hull.tp[row] + hull.fp[row]
        shares = [
            Fraction(int(g), int(g + a))
            for g, a in zip(hull.gained[row], hull.added[row], strict=True)
            if g + a
        ]
        per_case = [
            float(shares[int(np.searchsorted(np.unique(ends), place, side="right")) - 1])
            for place in range(size[row, -1])
        ]
        assert sorted(fitted, reverse=True) == pytest.approx(sorted(per_case, reverse=True))


# Quantities that are 0 for every ranking, and what makes them greater: a hull that is none.
WRONG_HULLS = {
    "isotonic_mismatches": (calibration, "every point"),
    "f_vertices_not_best": (calibration, "every point"),
    "vertices_not_best_exchanged": (calibration, "every point"),
    "front_vertices_not_best": (shapes, "every point"),
    "above_hull": (shapes, "the diagonal"),
}


@pytest.mark.parametrize("name", WRONG_HULLS)
def test_what_no_ranking_has_would_be_noticed(name, monkeypatch):
    rankings = all_rankings(3, 3)
    tp, fp = rankings.tp.astype(np.int8), rankings.fp.astype(np.int8)
    corner = np.arange(rankings.n + 1) > 0
    hulls = {
        "every point": shapes.Hulls(tp, fp),
        "the diagonal": shapes.Hulls(np.where(corner, tp[:, -1:], 0), np.where(corner, fp[:, -1:], 0)),
    }
    assert not quantity(rankings, name)[0].any()
    module, hull = WRONG_HULLS[name]
    monkeypatch.setattr(module, "hulls", lambda _: hulls[hull])
    assert QUANTITIES[name](rankings)[0].any()


def test_a_path_that_turns_back_is_noticed():
    """Points (TP, FP): all positive, then fewer, then as many as before but others."""
    back = Rankings(2, 2, np.array([[0, 2, 1, 0, 2]]), np.array([[0, 2, 0, 1, 2]]), groups=np.array([4]))
    assert QUANTITIES["delta_falls"](back)[0].tolist() == [1]
    assert QUANTITIES["repeated_sizes"](back)[0].tolist() == [4]  # sizes 0, 4, 1, 1, 4: two pairs, both ways


def test_delta_by_fractions():
    for rankings, row in FEW:
        p, n = rankings.positives, rankings.negatives
        share = Fraction(p, p + n)
        deltas = []
        for t, f in points(rankings.integers(row)):
            if t:
                recall, precision = (1 - Fraction(p, n) * Fraction(error, t) for error in (p - t, f))
                deltas.append(recall / share - precision / (1 - share))
        steps = [after - before for before, after in itertools.pairwise(deltas)]
        assert number(rankings, row, "delta_falls") == sum(step < 0 for step in steps)
        assert number(rankings, row, "delta_stands") == sum(step == 0 for step in steps)


def test_counts_of_points_by_hand():
    # One negative, a mixed pair, one positive: points (0, 0), (0, 1), (1, 2), (2, 2).
    rankings = all_rankings(2, 2)
    row = next(row for row in range(len(rankings)) if rankings.integers(row) == (0, 1, 1, 1, 1, 0))
    by_hand = {
        "n": 4,
        "prevalence": Fraction(1, 2),
        "groups": 3,
        "ties": 1,
        "last_positives": 1,
        "last_negatives": 0,
        "repeated_sizes": 0,
        "is_perfect": 0,
        "is_reversed": 0,
        "is_calibrated": 0,
        "break_even_points": 1,  # 0 at (0, 1); at size 2 there is no point
        "f1_best": Fraction(2, 3),
        "f1_threshold": Fraction(1, 3),
        "roc_rectangles": Fraction(0),
        "roc_auc_after_first": Fraction(1, 8),  # of the mixed pair, up from 0 to a half over a half
        "roc_auc_axes_exchanged": Fraction(7, 8),
        "mean_precision_at_positives": Fraction(5, 12),
        "f1_better_subsets": 1,  # without the first negative F1 is 4/5; everything has the 2/3 of the best threshold
    }
    for name, value in by_hand.items():
        assert number(rankings, row, name) == value, name


def test_points_by_their_rates():
    for rankings, row in FEW:
        tables = points(rankings.integers(row))[1:]
        rates = [(Fraction(t, t + f), Fraction(t, rankings.positives)) for t, f in tables]
        assert number(rankings, row, "break_even_points") == sum(p == r for p, r in rates)
        assert number(rankings, row, "is_perfect") == ((rankings.positives, 0) in tables)
        assert number(rankings, row, "is_reversed") == ((0, rankings.negatives) in tables)


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
            assert number(rankings, row, f"{name}_threshold_misses") == (f_of(taken) < best)


def test_fronts_by_the_lines_between_their_points():
    for rankings, row in some_rankings(7, step=53):
        p, n = rankings.positives, rankings.negatives
        found = [(t, f) for t, f in points(rankings.integers(row)) if t]
        precision_recall = [(Fraction(t, p), Fraction(t, t + f)) for t, f in found]
        gains = [(1 - Fraction(p * (p - t), n * t), 1 - Fraction(p * f, n * t)) for t, f in found]
        for name, plot in (("pr_front_dents", precision_recall), ("prg_front_dents", gains)):
            front = sorted(
                (x, y) for x, y in plot if not any(u >= x and v >= y and (u, v) != (x, y) for u, v in plot)
            )
            dents = {
                middle
                for left, middle, right in itertools.combinations(front, 3)
                if (middle[1] - left[1]) * (right[0] - left[0]) < (right[1] - left[1]) * (middle[0] - left[0])
            }
            assert number(rankings, row, name) == len(dents)


def test_roc_fronts_and_hulls_by_their_slopes():
    for rankings, row in some_rankings(7, step=37):
        plot = [(f, t) for t, f in points(rankings.integers(row))]
        front = sorted(
            (f, t) for f, t in plot if not any(g <= f and s >= t and (g, s) != (f, t) for g, s in plot)
        )
        slopes = [Fraction(t2 - t1, f2 - f1) for (f1, t1), (f2, t2) in itertools.pairwise(front)]
        falls = sum(one > other for one, other in itertools.pairwise(slopes))
        assert number(rankings, row, "front_slope_falls") == falls

        def height(f, plot=plot):
            """Of the upper hull: the most that a line between two points, or a point, reaches there."""
            lines = [
                t1 + Fraction((t2 - t1) * (f - f1), f2 - f1)
                for (f1, t1), (f2, t2) in itertools.combinations(plot, 2)
                if f1 <= f <= f2 and f1 < f2
            ]
            return max([*lines, *(t for g, t in plot if g == f)])

        assert number(rankings, row, "front_below_hull") == sum(t < height(f) for f, t in front)
        hull = sorted({(f, t) for f, t in plot if t == height(f)} | {(0, 0)})
        edges = [(t2 - t1, f2 - f1) for (f1, t1), (f2, t2) in itertools.pairwise(hull)]
        shares = []
        for t, f in edges:  # pieces of one slope are one edge
            if not shares or shares[-1] != Fraction(t, t + f):
                shares.append(Fraction(t, t + f))
        uneven = sum(one + other != 1 for one, other in itertools.pairwise(shares))
        assert number(rankings, row, "uneven_edge_pairs") == uneven


def test_no_number_outgrows_64_bits():
    """The same computation in Python's integers, on the blocks with the most cases."""
    for counts in ((4, 4), (7, 1), (1, 7), (5, 3)):
        rankings = all_rankings(*counts)
        wide = type(rankings)(
            rankings.positives,
            rankings.negatives,
            rankings.tp[::101].astype(object),
            rankings.fp[::101].astype(object),
            rankings.groups[::101],
        )
        for name in ("prg_auc", "expected_f1_gain", "mean_f1_gain", "average_precision", "expected_accuracy"):
            exact = QUANTITIES[name](wide)
            numerators, denominators = quantity(rankings, name)
            for part, whole, one, two in zip(
                *np.broadcast_arrays(*exact), numerators[::101], denominators[::101], strict=True
            ):
                assert part * int(two) == whole * int(one)


def test_parts_are_small_or_python_integers():
    for counts in classes(6):
        rankings = all_rankings(*counts)
        for name in QUANTITIES:
            for part in quantity(rankings, name):
                assert part.shape == (len(rankings),)
                assert part.dtype == object or (np.abs(part) < LARGEST_PART).all()
