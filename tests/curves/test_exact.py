"""Every curve, hull and area against exact fractions: all rankings of few cases, and random ones with weights."""

import math
from fractions import Fraction

import numpy as np
import pytest
from reference.exact_curves import ExactRanking, compositions, has_both_classes

from nontrivial import curves

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")

BETAS = (0.5, 3.0)  # that for 1 is among the areas


def cases_of(groups):
    """Return labels, scores and weights: a case for each class of each group, a lower score for a later group."""
    rows = [
        (label, -place, w) for place, group in enumerate(groups) for label, w in zip((1, 0), group, strict=True) if w
    ]
    labels, scores, weights = zip(*rows, strict=True)
    return np.array(labels), np.array(scores), np.array([float(w) for w in weights])


def close(result, exact):
    return len(result) == len(exact) and all(
        math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-14) for a, b in zip(result, exact, strict=True)
    )


def areas_of(groups):
    """Return the areas, ours and exact."""
    exact = ExactRanking(groups)
    labels, scores, weights = cases_of(groups)
    ours = curves.curve_areas(labels, scores, sample_weight=weights)
    for name, score, options in [
        ("clipped", curves.prg_auc_score, {"clip": True}),
        ("linear", curves.pr_auc_score, {"interpolation": "linear"}),
        ("break-even", curves.break_even_point_score, {}),
        ("roc hull", curves.roc_hull_auc_score, {}),
        *((f"F{beta:g}", curves.expected_f_gain_score, {"beta": beta}) for beta in BETAS),
    ]:
        ours[name] = score(labels, scores, sample_weight=weights, **options)
    theirs = {
        "roc_auc": exact.roc_auc(),
        "average_precision": exact.average_precision(),
        "pr_auc": exact.hyperbolic_pr_auc(),
        "prg_auc": exact.auprg(),
        "expected_f1_gain": exact.expected_f_gain(Fraction(1)),
        "cost_curve_area": exact.cost_area(),
        "clipped": exact.clipped_auprg(),
        "linear": exact.linear_pr_auc(),
        "break-even": exact.break_even_point(),
        "roc hull": exact.roc_hull_auc(),
        **{f"F{beta:g}": exact.expected_f_gain(Fraction(beta) ** 2) for beta in BETAS},
    }
    return ours, theirs


def assert_exact(groups):
    exact = ExactRanking(groups)
    result, expected = areas_of(groups)
    for name, area in expected.items():
        if area is None:
            assert math.isnan(result[name])
        else:  # the range that F gains are averaged over shrinks with this specificity, and digits are lost with it
            scale = exact.specificity_at_zero_recall_gain() if name.startswith(("expected", "F")) else 1
            assert close([result[name] * float(scale)], [area * scale]), name

    labels, scores, weights = cases_of(groups)
    precision_gain, recall_gain, thresholds = curves.precision_recall_gain_curve(labels, scores, sample_weight=weights)
    tables = exact.gain_tables
    defined = [exact.gains(table) for table in tables if table[0] > 0]
    start = len(tables) - len(defined)
    assert np.isneginf([precision_gain[:start], recall_gain[:start]]).all()
    assert close(recall_gain[start:], [x for x, _ in defined])
    assert close(precision_gain[start:], [y for _, y in defined])
    crossing = [table not in exact.tables for table in tables]
    assert list(thresholds[:-1] == thresholds[1:]) == crossing[:-1]

    roc = [exact.tables[i] for i in exact.roc_hull]
    fpr, tpr, _ = curves.roc_convex_hull(labels, scores, sample_weight=weights)
    assert close(fpr, [fp / exact.negatives for _, fp in roc])
    assert close(tpr, [tp / exact.positives for tp, _ in roc])

    precision_gain, recall_gain, thresholds, beta_squared = curves.prg_convex_hull(
        labels, scores, sample_weight=weights
    )
    gains = [exact.gains(exact.tables[i]) for i in exact.f_hull]
    assert list(thresholds) == [1 - i for i in exact.f_hull]
    assert close(recall_gain, [x for x, _ in gains])
    assert close(precision_gain, [y for _, y in gains])
    assert close(1 / (1 + beta_squared), exact.d_values())


@pytest.mark.parametrize("n", [*range(2, 6), *(pytest.param(n, marks=pytest.mark.rehearsal) for n in (6, 7, 8))])
def test_every_ranking_with_ties(n):
    for groups in filter(has_both_classes, compositions(n)):
        assert_exact(groups)


def random_weights(rng):
    """Draw how weights are made: whole, exact in binary, or of any value."""
    return [
        lambda: Fraction(int(rng.integers(0, 6))),
        lambda: Fraction(int(rng.integers(0, 40)), 8),
        lambda: Fraction(float(rng.random())),
    ][rng.integers(3)]


@pytest.mark.parametrize("block", range(7))
def test_random_rankings_with_weights(block):
    rng = np.random.default_rng(block)
    result = 0
    while result < 50:
        weight = random_weights(rng)
        groups = [(weight(), weight()) for _ in range(rng.integers(1, 13))]
        blank = rng.random((len(groups), 2)) < 0.3
        groups = [
            tuple(Fraction(0) if b else w for w, b in zip(g, bs, strict=True))
            for g, bs in zip(groups, blank, strict=True)
        ]
        groups = [group for group in groups if any(group)]
        if has_both_classes(groups):
            assert_exact(groups)
            result += 1


def test_decimal_weights_meet_their_crossings_though_their_sums_round():
    """Weights of k/10 give the curve of weights k: zero recall gain on a point, points on one line, are seen."""
    rng = np.random.default_rng(0)
    for _ in range(500):
        labels = rng.permutation(np.arange(12) < rng.integers(1, 12))
        scores, weights = rng.integers(0, 8, 12), rng.integers(1, 4, 12)
        whole, tenths = [
            (
                *curves.precision_recall_gain_curve(labels, scores, sample_weight=w),
                *curves.prg_convex_hull(labels, scores, sample_weight=w),
                np.array([curves.expected_f_gain_score(labels, scores, sample_weight=w)]),
            )
            for w in (weights, weights / 10)
        ]
        for one, other in zip(whole, tenths, strict=True):
            np.testing.assert_allclose(other, one, rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("decades", [9, 12])
def test_areas_are_right_with_weights_over_many_decades(decades):
    """Gains multiply errors by the weight of the positives over that of the negatives."""
    rng = np.random.default_rng(4)
    for _ in range(200):
        weights = 10 ** rng.uniform(-decades / 2, decades / 2, (rng.integers(2, 9), 2))
        result, expected = areas_of([tuple(Fraction(float(w)) for w in group) for group in weights])
        for name, area in expected.items():
            assert result[name] == pytest.approx(float(area), rel=1e-13, abs=1e-13), name


def test_expected_gain_is_right_where_hardly_a_negative_is_below():
    labels = np.repeat([0, 1, 0], [99_999, 5, 1])
    exact = ExactRanking([(0, 99_999), *[(1, 0)] * 5, (0, 1)])
    result = curves.expected_f_gain_score(labels, -np.arange(len(labels)))
    assert result == pytest.approx(float(exact.expected_f_gain(Fraction(1))), rel=1e-14)
