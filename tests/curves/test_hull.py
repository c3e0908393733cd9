"""Convex hulls: exact vertices, and the two calibrations that they carry."""

import numpy as np
import pytest
from curves.rankings import f_beta, moderate, rankings, split
from hypothesis import given
from sklearn.isotonic import IsotonicRegression

from nontrivial.curves import prg_convex_hull, roc_convex_hull


def test_points_on_one_line_are_no_vertices_however_many():
    labels = np.tile([1, 0, 0], 3000)
    scores = np.repeat(np.arange(3000)[::-1], 3)
    assert len(roc_convex_hull(labels, scores)[0]) == 2
    assert len(prg_convex_hull(labels, scores)[0]) == 1
    assert len(roc_convex_hull(labels, scores, sample_weight=np.full(9000, 0.1))[0]) == 2


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
