"""Coverage, risk and advantage of classifiers that abstain, against the covered cases taken by themselves."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial.measures import prediction_advantage_score, selective_advantage_curve
from nontrivial.seeds import generator_for


def covered_one_by_one(truth, prediction, confidence, weights):
    """Return coverage, risk and advantage of every threshold, each from nothing."""
    points = []
    for threshold in sorted(set(confidence[weights > 0]), reverse=True):
        kept = confidence >= threshold
        y, p, w = truth[kept], prediction[kept], weights[kept]
        coverage, risk = w.sum() / weights.sum(), (w * (y != p)).sum() / w.sum()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            advantage = prediction_advantage_score(y, p, sample_weight=w)
        if np.isnan(advantage) and risk > 0:
            advantage = -np.inf  # one class covered, with errors
        points.append((coverage, risk, advantage))
    return np.array(points).T


@pytest.mark.parametrize("seed", range(8))
def test_every_point_is_the_measure_of_the_covered_cases(seed):
    draw = generator_for("selective", seed)
    n = 60
    truth = draw.choice([0, 1, 2], n, p=[0.6, 0.3, 0.1])
    prediction = np.where(draw.random(n) < 0.7, truth, draw.integers(0, 3, n))
    confidence = draw.integers(0, 15, n) / 4  # with ties
    weights = draw.integers(0, 4, n).astype(float) if seed % 2 else np.ones(n)
    curve = selective_advantage_curve(
        truth, prediction, confidence, sample_weight=weights if seed % 2 else None
    )
    np.testing.assert_allclose(
        list(curve), covered_one_by_one(truth, prediction, confidence, weights), rtol=1e-12
    )
    assert (curve.trivial == (curve.risk >= curve.marginal_risk)).all()
    assert (np.diff(curve.thresholds) < 0).all()


def test_the_papers_warning():
    """A fifth of the cases are a minority; two rules cover 70 % at 5 % risk, one of them by rejecting the minority."""
    truth = np.repeat([1, 0], [200, 800])
    rejects_the_minority = np.where(truth == 1, 0.1, 0.9)
    rejects_the_minority[900:] = 0.2  # and a hundred of the others
    prediction = truth.copy()
    prediction[200:235] = 1  # 35 errors of 700
    blind = selective_advantage_curve(truth, prediction, rejects_the_minority)
    at = np.flatnonzero(np.isclose(blind.coverage, 0.7))[0]
    assert blind.risk[at] == 0.05
    assert blind.advantage[at] == -np.inf
    assert blind.trivial[at]

    keeps_both = np.full(1000, 0.9)
    keeps_both[[*range(140, 200), *range(760, 1000)]] = 0.1  # the same coverage, the shares kept
    fair = selective_advantage_curve(truth, prediction, keeps_both)
    at = np.flatnonzero(np.isclose(fair.coverage, 0.7))[0]
    assert fair.risk[at] == 0.05
    assert fair.advantage[at] == 0.75
    assert not fair.trivial[at]


def test_one_class_without_errors_is_undefined_but_trivial():
    curve = selective_advantage_curve([0, 0, 1], [0, 0, 1], [0.9, 0.9, 0.1])
    assert np.isnan(curve.advantage[0])
    assert curve.trivial.tolist() == [True, False]
    with pytest.warns(UndefinedMetricWarning):
        curve = selective_advantage_curve([0, 0, 0], [0, 0, 1], [0.9, 0.8, 0.1])
    assert np.array_equal(curve.advantage, [np.nan, np.nan, -np.inf], equal_nan=True)


def test_full_coverage_is_the_plain_advantage():
    draw = generator_for("selective", "full")
    truth, prediction = draw.integers(0, 2, 50), draw.integers(0, 2, 50)
    curve = selective_advantage_curve(truth, prediction, draw.random(50))
    assert curve.coverage[-1] == 1.0
    assert curve.advantage[-1] == prediction_advantage_score(truth, prediction)


@pytest.mark.parametrize("dtype", [np.uint8, np.int64, np.float32])
def test_types_of_confidences_do_not_matter(dtype):
    expected = selective_advantage_curve([0, 1, 0, 1], [0, 1, 1, 1], [200.0, 3.0, 0.0, 1.0])
    curve = selective_advantage_curve([0, 1, 0, 1], [0, 1, 1, 1], np.array([200, 3, 0, 1], dtype=dtype))
    np.testing.assert_array_equal(list(curve), list(expected))


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"confidence": [0.1, np.nan]}, "confidence has NaN"),
        ({"confidence": [0.1]}, "lengths differ"),
        ({"y_pred": ["0", "1"]}, "one kind"),
        ({"sample_weight": [1, -1]}, "negative"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        selective_advantage_curve(
            **{"y_true": [0, 1], "y_pred": [0, 1], "confidence": [0.5, 0.6]} | arguments
        )


@pytest.mark.parametrize("seed", range(20))
def test_sums_of_decimal_weights_cancel_exactly(seed):
    draw = generator_for("selective", "decimal", seed)
    n = 40
    truth = np.sort(draw.integers(0, 3, n)) if seed % 2 else draw.integers(0, 2, n)
    prediction = np.where(draw.random(n) < 0.2, 1, truth)
    weights = 10 ** draw.uniform(-4.4, 4.4, n)
    curve = selective_advantage_curve(truth, prediction, -(np.arange(n) // 2), sample_weight=weights)
    for place, covered in enumerate(range(2, n + 1, 2)):
        own, wrong = [Fraction(0)] * 3, Fraction(0)
        for y, p, w in zip(truth[:covered], prediction[:covered], weights[:covered], strict=True):
            own[y] += Fraction(w)
            wrong += Fraction(w) * int(y != p)
        of_marginal = sum(own) - max(own)
        of_one_class = -np.inf if wrong else np.nan
        expected = float(1 - wrong / of_marginal) if of_marginal else of_one_class
        assert curve.advantage[place] == pytest.approx(expected, rel=1e-15, abs=0, nan_ok=True)
        assert curve.trivial[place] == (wrong >= of_marginal)
