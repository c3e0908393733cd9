"""F gain, on the harmonic scale of F-beta."""

import numpy as np
import pytest
from sklearn import metrics

from nontrivial import measures

TRUTH = np.array([0, 0, 0, 0, 1, 1, 1, 0, 1, 0])
PREDICTION = np.array([0, 1, 0, 0, 1, 0, 1, 0, 1, 0])  # tp 3, fp 1, fn 1, tn 5


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_gain_is_the_harmonic_scale_of_f_beta(beta):
    f, prevalence = metrics.fbeta_score(TRUTH, PREDICTION, beta=beta), TRUTH.mean()
    expected = (f - prevalence) / ((1 - prevalence) * f)
    assert measures.f_gain_score(TRUTH, PREDICTION, beta=beta) == pytest.approx(expected, rel=1e-14)
