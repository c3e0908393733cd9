"""Coverage, risk and advantage of classifiers that abstain, against the covered cases taken by themselves."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.measures import prediction_advantage_score, selective_advantage_curve
from nontrivial.seeds import generator_for


def covered_one_by_one(truth, prediction, confidence, weights):
    """Return coverage, risk, advantage and whether it is trivial, of every threshold, each from nothing."""
    points = []
    for threshold in sorted(set(confidence[weights > 0]), reverse=True):
        own, wrong = dict.fromkeys(set(truth), Fraction(0)), Fraction(0)
        kept = confidence >= threshold
        for y, p, w in zip(truth[kept], prediction[kept], weights[kept], strict=True):
            own[y] += Fraction(w)
            wrong += Fraction(w) * int(y != p)
        covered = sum(own.values())
        of_marginal = covered - max(own.values())
        of_one_class = -np.inf if wrong else np.nan
        advantage = float(1 - wrong / of_marginal) if of_marginal else of_one_class
        coverage = float(covered / sum(map(Fraction, weights)))
        points.append((coverage, float(wrong / covered), advantage, wrong >= of_marginal))
    return np.array(points).T


@pytest.mark.parametrize("seed", range(12))
def test_every_point_is_the_measure_of_the_covered_cases(seed):
    draw, n = generator_for("selective", seed), 60
    truth = draw.choice([0, 1, 2], n, p=[0.6, 0.3, 0.1])
    if seed >= 8:
        truth.sort()  # one class is covered first
    prediction = np.where(draw.random(n) < 0.7, truth, draw.integers(0, 3, n))
    confidence = draw.integers(0, 15, n) / 4 if seed < 8 else -(np.arange(n) // 2)  # with ties
    # Sums of decimal weights cancel exactly.
    weights = [np.ones(n), draw.integers(0, 4, n).astype(float), 10 ** draw.uniform(-4.4, 4.4, n)][seed % 3]
    given = None if seed % 3 == 0 else weights
    curve = selective_advantage_curve(truth, prediction, confidence, sample_weight=given)
    *expected, trivial = covered_one_by_one(truth, prediction, confidence, weights)
    np.testing.assert_allclose(list(curve), expected, rtol=2e-15)
    assert (curve.trivial == trivial).all()
    assert (np.diff(curve.thresholds) < 0).all()
    assert curve.coverage[-1] == 1
    assert curve.advantage[-1] == pytest.approx(
        prediction_advantage_score(truth, prediction, sample_weight=given), rel=1e-12
    )


def test_the_papers_warning():
    """A fifth of the cases are a minority; two rules cover 70 % at 5 % risk, one of them by rejecting the minority."""
    truth = np.repeat([1, 0], [200, 800])
    rejects_the_minority = np.where(truth == 1, 0.1, 0.9)
    rejects_the_minority[900:] = 0.2  # and a hundred of the others
    keeps_both = np.full(1000, 0.9)
    keeps_both[[*range(140, 200), *range(760, 1000)]] = 0.1  # the same coverage, the shares kept
    prediction = truth.copy()
    prediction[200:235] = 1  # 35 errors of 700
    for confidence, advantage in ((rejects_the_minority, -np.inf), (keeps_both, 0.75)):
        curve = selective_advantage_curve(truth, prediction, confidence)
        at = np.flatnonzero(np.isclose(curve.coverage, 0.7))[0]
        assert (curve.risk[at], curve.advantage[at]) == (0.05, advantage)
        assert curve.trivial[at] == (advantage < 0)


def test_one_class_without_errors_is_undefined_but_trivial():
    curve = selective_advantage_curve([0, 0, 1], [0, 0, 1], [0.9, 0.9, 0.1])
    assert np.isnan(curve.advantage[0])
    assert curve.trivial.tolist() == [True, False]
    with pytest.warns(UndefinedMetricWarning):
        curve = selective_advantage_curve([0, 0, 0], [0, 0, 1], [0.9, 0.8, 0.1])
    assert np.array_equal(curve.advantage, [np.nan, np.nan, -np.inf], equal_nan=True)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32])
def test_types_of_confidences_do_not_matter(dtype):
    expected = selective_advantage_curve([0, 1, 0, 1], [0, 1, 1, 1], [200.0, 3.0, 0.0, 1.0])
    curve = selective_advantage_curve([0, 1, 0, 1], [0, 1, 1, 1], np.array([200, 3, 0, 1], dtype=dtype))
    np.testing.assert_array_equal(list(curve), list(expected))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"confidence": [0.1, np.nan]}, "confidence contains NaN"),
        ({"confidence": [0.1]}, "inconsistent"),
        ({"y_pred": ["0", "1"]}, "strings"),
        ({"sample_weight": [1, -1]}, "negative"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        selective_advantage_curve(
            **{"y_true": [0, 1], "y_pred": [0, 1], "confidence": [0.5, 0.6]} | arguments
        )
