"""Convex hulls: exact vertices, and the two calibrations that they carry."""

import numpy as np
import pytest
from curves.rankings import f_beta, moderate, rankings, split
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from sklearn.isotonic import IsotonicRegression

from nontrivial.curves import (
    operating_points,
    prg_convex_hull,
    roc_convex_hull,
)


def random_case(seed, n, decimals=9):
    rng = np.random.default_rng(seed)
    labels = rng.random(n) < rng.choice([0.5, 0.1, 0.01])
    labels[:2] = [True, False]
    return labels, (rng.normal(size=n) + rng.choice([0.0, 1.0]) * labels).round(decimals)


@pytest.mark.parametrize("seed", range(30))
def test_the_vertices_are_those_of_qhull(seed):
    labels, scores = random_case(seed, n=400, decimals=seed % 4)
    points = operating_points(labels, scores)
    below = [0.0, points.negatives]  # the worst corner closes the hull, so that only its upper side is left
    qhull = ConvexHull(np.unique([*zip(points.tp, points.fp, strict=True), below], axis=0))
    on_hull = {tuple(vertex) for vertex in qhull.points[qhull.vertices]} - {tuple(below)}
    fpr, tpr, _ = roc_convex_hull(labels, scores)
    ours = np.column_stack([tpr * points.positives, fpr * points.negatives]).round(9)
    assert set(map(tuple, ours)) == on_hull


def test_points_on_one_line_are_no_vertices_however_many():
    labels = np.tile([1, 0, 0], 3000)
    scores = np.repeat(np.arange(3000)[::-1], 3)
    assert len(roc_convex_hull(labels, scores)[0]) == 2
    assert len(prg_convex_hull(labels, scores)[0]) == 1
    assert len(roc_convex_hull(labels, scores, sample_weight=np.full(9000, 0.1))[0]) == 2


@moderate
@given(rankings, st.floats(0, 6))
def test_some_vertex_is_best_for_every_f_beta(rows, beta):
    labels, scores = map(np.array, split(rows))
    _, _, thresholds, beta_squared = prg_convex_hull(labels, scores)
    best = max(f_beta(labels, scores >= t, beta) for t in np.unique(scores))
    chosen = thresholds[np.count_nonzero(beta_squared < beta**2)]
    assert f_beta(labels, scores >= chosen, beta) == pytest.approx(best, rel=1e-12)


@moderate
@given(rankings)
def test_theorem_4_both_ends_of_a_segment_have_one_f_beta_and_d_times_it_is_the_isotonic_score(rows):
    labels, scores = map(np.array, split(rows))
    _, _, thresholds, beta_squared = prg_convex_hull(labels, scores)
    assert (np.diff(beta_squared, prepend=0) > 0).all()
    isotonic = IsotonicRegression().fit(scores, labels)
    for i, squared in enumerate(beta_squared):
        first, last = (f_beta(labels, scores >= t, np.sqrt(squared)) for t in thresholds[i : i + 2])
        assert first == pytest.approx(last, rel=1e-12)
        inside = (scores < thresholds[i]) & (scores >= thresholds[i + 1])
        np.testing.assert_allclose(isotonic.predict(scores[inside]), first / (1 + squared), rtol=1e-9)
