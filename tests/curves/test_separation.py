"""The Kolmogorov-Smirnov statistic and the H-measure, against SciPy, exact fractions and their definitions."""

import numpy as np
import pytest
from scipy.stats import beta, ks_2samp

from nontrivial.curves import h_measure_score, kolmogorov_smirnov_score
from nontrivial.seeds import generator_for


def draw(seed, n=60):
    rng = generator_for("separation", seed)
    truth = rng.permutation(np.arange(n) < rng.integers(3, n - 3))
    return truth, rng.integers(0, 25, n) + 6 * truth


@pytest.mark.parametrize("seed", range(8))
def test_the_statistic_is_that_of_scipy_for_a_ranking_and_its_reverse(seed):
    truth, scores = draw(seed)
    expected = ks_2samp(scores[truth], scores[~truth]).statistic
    assert kolmogorov_smirnov_score(truth, scores) == pytest.approx(expected, rel=1e-13)
    assert kolmogorov_smirnov_score(truth, -scores) == pytest.approx(expected, rel=1e-13)


def h_by_definition(truth, scores, shape):
    """Integrate the least losses of all thresholds over the cost of a false positive."""
    prevalence = truth.mean()
    a, b = shape or (1 + prevalence, 2 - prevalence)
    thresholds = [*np.unique(scores), np.inf]
    fpr = np.array([[(scores[~truth] >= t).mean()] for t in thresholds])
    fnr = np.array([[(scores[truth] < t).mean()] for t in thresholds])
    c = (np.arange(20_000) + 0.5) / 20_000  # in the middles of intervals of one length

    def mean_loss(fpr, fnr):
        least = (c * (1 - prevalence) * fpr + (1 - c) * prevalence * fnr).min(axis=0)
        return (least * beta.pdf(c, a, b)).mean()

    return 1 - mean_loss(fpr, fnr) / mean_loss(np.array([[0.0], [1.0]]), np.array([[1.0], [0.0]]))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shape", [None, (2, 2), (1, 3)])
def test_h_is_the_integral_that_defines_it(seed, shape):
    truth, scores = draw(seed)
    expected = h_by_definition(truth, scores, shape)
    assert h_measure_score(truth, scores, shape=shape) == pytest.approx(expected, rel=1e-5)


# The value that the translation of the authors' R package hmeasure into Python prints for these scores.
TRUTH = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0]
SCORES = [0.849, 0.103, 0.438, 0.460, 0.909, 0.792, 0.530, 0.138, 0.732, 0.230]
HMEASURE = 0.18889596344769588


@pytest.mark.parametrize(
    ("truth", "scores", "shape", "expected"),
    [
        # Of 2 and 2 in the order + - + -, the loss in cases is min(2 (1 - c), 1 - c, c, 2 c), that of a trivial rule
        # min(2 (1 - c), 2 c): over c in [0, 1] areas of 1/4 and 1/2.
        ([1, 0, 1, 0], [4, 3, 2, 1], (1, 1), 1 / 2),
        # In the order + - + - -, it is min(2 (1 - c), 1 - c, c, 3 c) beside min(2 (1 - c), 3 c): areas of 1/4 and 3/5.
        ([1, 0, 1, 0, 0], [5, 4, 3, 2, 1], (1, 1), 7 / 12),
        (TRUTH, SCORES, (2, 1 / 0.7), HMEASURE),
        ([0, 0, 1], [1, 2, 3], None, 1),
        ([0, 0, 1], [1, 2, 3], np.array([2, 2]), 1),
        *(([0, 0, 1], scores, shape, 0) for scores in ([1, 1, 1], [3, 2, 1]) for shape in (None, (2, 2))),
    ],
)
def test_h_by_hand_and_by_the_authors(truth, scores, shape, expected):
    assert h_measure_score(truth, scores, shape=shape) == pytest.approx(expected, rel=1e-13)


def test_h_measure_of_rare_negatives_keeps_its_digits():
    """One negative among nearly ten million cases; the expected value is that of the definition in exact fractions."""
    truth, scores, weights = [1, 0, 1, 1], [2, 2, 4, 1], [9406923, 1, 231736, 67053]
    result = h_measure_score(truth, scores, shape=(1, 1), sample_weight=weights)
    assert result == pytest.approx(2.520192878596057e-09, abs=1e-15)
    mirrored = h_measure_score(np.subtract(1, truth), np.negative(scores), shape=(1, 1), sample_weight=weights)
    assert mirrored == pytest.approx(result, abs=1e-15)


def test_h_measure_is_never_below_0():
    truth, scores = [0, 1, 1, 1, 1, 0, 0], [4, 3, 1, 0, 0, 2, 1]
    weights = [1, 406504, 849066, 10656, 54058, 1, 5]
    assert h_measure_score(truth, scores, shape=(1, 2), sample_weight=weights) == pytest.approx(
        9.709222409076968e-12, abs=1e-15
    )
    shape, weights = (5.1623531726760445, 0.4262704343616592), [6052550, 5750, 1670, 4216651]
    assert h_measure_score([0, 1, 1, 0], [3, 3, 1, 2], shape=shape, sample_weight=weights) == 0
