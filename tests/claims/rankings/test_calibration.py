"""Calibrated scores of rankings."""

from fractions import Fraction

import numpy as np
import pytest
from claims.rankings.cases import SAMPLE, f_beta, labels_and_scores, number
from sklearn.isotonic import IsotonicRegression

from nontrivial import curves
from nontrivial.claims.rankings import areas, shapes

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.gain.ExtrapolatedAreaWarning")


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
