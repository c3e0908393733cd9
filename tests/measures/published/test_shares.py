"""Bounds without the number of cases, against tables and exact fractions, and the monotony that they rest on."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from measures.exact_tables import measures, rounded

from nontrivial.measures import published_bounds
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables
from nontrivial.measures.published.shares import OPPOSITE_ADVANTAGE, WITHIN
from nontrivial.measures.published.tables import LAMBDA, SCORE_BOUNDS

NAMES = sorted(SCORE_BOUNDS.keys() - {"roc_auc"})


@pytest.mark.parametrize(
    ("scores", "positives", "prevalence", "advantage", "verdict"),
    [
        ({"accuracy": ".76", "recall": ".71", "specificity": ".77", "kappa": ".25"}, None,
         (0.0861, 0.0971), (-1.73, -1.48), "worse"),
        ({"recall": "0.8", "specificity": "0.93"}, "30%", (0.295, 0.305), (0.5707, 0.7019), "better"),
        ({"accuracy": "73.4%"}, None, (0, 1), (-np.inf, 1 - 0.2655 / 0.5), None),
        ({"precision": ">1", "recall": "0.50"}, None, (0, 1), (-np.inf, 0.505), None),  # rare negatives, all missed
        ({"recall": "1.00", "specificity": "1.00"}, None, (0, 1), (-np.inf, 1), None),
        ({"prevalence": "0.2", "accuracy": ">1"}, None, (0.15, 0.25), (1, 1), "better"),
    ],
)  # fmt: skip
def test_bounds_are_those_worked_out_by_hand(scores, positives, prevalence, advantage, verdict):
    bounds = published_bounds(scores, positives=positives)
    assert (bounds.possible, bounds.is_tight, bounds.verdict) == (True, True, verdict)
    assert bounds.prevalence == pytest.approx(prevalence, abs=1e-3)
    assert bounds.advantage == pytest.approx(advantage, abs=6e-3)


@pytest.mark.parametrize(
    "scores",
    [
        {"f1": "0.9", "precision": "0.5"},
        {"accuracy": "0.9", "recall": "0.6", "specificity": "0.7"},
        {"roc_auc": "0.6", "recall": "0.9", "specificity": "0.9"},
        {"goodman_kruskal_lambda": "0.5", "kappa": "0.0", "prevalence": "0.5"},
        {"no_information_rate": ">1"},
    ],
)
def test_what_no_data_have_is_impossible(scores):
    assert published_bounds(scores).possible is False


@pytest.mark.parametrize(("scores", "positives"), [({}, "30%"), ({"prevalence": "30%"}, None)])
def test_no_bound_lies_outside_of_the_printed_share(scores, positives):
    scores = {"recall": "0.80", "specificity": "0.90"} | scores
    assert published_bounds(scores, positives=positives).prevalence == (0.295, 0.305)


def test_a_share_is_needed_if_positives_are_given():
    with pytest.raises(ValueError, match="without n"):
        published_bounds({"accuracy": "0.9"}, positives="30")


cells = st.integers(0, 60)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(cells, cells, cells, cells, st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
def test_no_table_breaks_the_bounds_and_points_fit(tp, fp, fn, tn, names):
    tp, tn = tp + (tp + fn == 0), tn + (fp + tn == 0)
    values = measures(tp, fp, fn, tn)
    scores = {
        name: "0.00" if values[name] is None else rounded(values[name], 2)
        for name in names
        if values[name] is None or abs(float(values[name])) < 1e4
    }
    positives, n = tp + fn, tp + fp + fn + tn
    bounds = published_bounds(scores)
    assert bounds.possible is not False
    assert bounds.prevalence[0] <= positives / n <= bounds.prevalence[1]
    least, greatest = bounds.advantage
    assert least <= 1 - (fp + fn) / min(positives, n - positives) <= greatest
    for point in bounds.points.values():
        p, r, s = map(Fraction, point[:3])
        cells = [p * r, (1 - p) * (1 - s), p * (1 - r), (1 - p) * s]
        assert point.advantage == float(1 - (cells[1] + cells[2]) / min(p, 1 - p))
        tables = ConfusionTables(*(np.array([cell], object) for cell in cells))
        for name, printed in scores.items():
            above, below = CATALOGUE[name].exact_ratio(tables)
            for side in (-1, 1):
                limit = Fraction(printed) + side * Fraction(1, 200)
                sign = CATALOGUE[name].compare(tables, *limit.as_integer_ratio())
                assert side * sign[0] <= 0 or above[0] == below[0] == 0
    if bounds.is_tight:
        ends = bounds.points["least_advantage"].advantage, bounds.points["greatest_advantage"].advantage
        assert ends[1] >= greatest - WITHIN
        assert least == -np.inf or ends[0] <= least + WITHIN


@pytest.mark.parametrize("name", [*sorted({*NAMES} - {LAMBDA, "prevalence"}), "opposite"])
def test_scores_are_monotone_as_the_search_of_boxes_needs(name):
    """With more right cases of one class; and with all of a class wrong, with more of the other at a fixed rate."""
    measure = OPPOSITE_ADVANTAGE if name == "opposite" else CATALOGUE[name]
    factor = (measure.better or 1) * (-1 if measure.scale.falls else 1)

    def changes(first, second):
        """The signs of the changes of tables, listed as arrays of their cells, which have values."""
        ratios = [measure.exact_ratio(ConfusionTables(*tables)) for tables in (first, second)]
        valued = np.logical_and(*((above != 0) | (below != 0) for above, below in ratios))
        return factor * np.sign(ratios[1][0] * ratios[0][1] - ratios[0][0] * ratios[1][1])[valued]

    # The rarer class, right and wrong, and the commoner one.
    cells = np.array(list(product(range(5), range(5), range(10), range(10))), object).T
    right, wrong, false, true = cells[:, (cells[0] + cells[1] > 0) & (cells[0] + cells[1] <= cells[2] + cells[3])]
    rates = [pair for pair in product(range(4), repeat=2) if sum(pair)]
    for order in (1, -1):
        if (name, order) != ("lift", -1):  # which the search bounds by its two factors
            more = changes([right, false, wrong, true][::order], [right, false, wrong, true + 1][::order])
            assert (more >= 0).all()
        for hits, misses in rates:
            tables = [[k * hits, 30, k * misses, 0][::order] for k in range(1, 30 // (hits + misses))]
            first, second = (np.array(part, object).T for part in (tables[:-1], tables[1:]))
            steps = changes(first, second)
            assert (steps >= 0).all() or (steps <= 0).all()
