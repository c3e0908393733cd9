"""Cost curves: the least of all cost lines."""

import numpy as np
import pytest
from sklearn.metrics import roc_curve

from nontrivial.curves import cost_curve, cost_curve_area_score, probability_cost


@pytest.mark.parametrize("seed", range(10))
def test_the_envelope_is_the_least_line_everywhere(seed):
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(60) < 1 + 5 * seed)
    scores = rng.normal(size=60).round(1) + labels
    weights = rng.random(60)
    fpr, tpr, _ = roc_curve(labels, scores, sample_weight=weights)
    x = np.linspace(0, 1, 1001)
    least = np.min(np.outer(fpr, 1 - x) + np.outer(1 - tpr, x), axis=0)
    corners, costs = cost_curve(labels, scores, sample_weight=weights)
    np.testing.assert_allclose(np.interp(x, corners, costs), least, atol=1e-14)
    assert (corners[0], corners[-1], costs[0], costs[-1]) == (0, 1, 0, 0)
    assert (np.diff(corners) > 0).all()
    slopes = np.diff(costs) / np.diff(corners)
    assert (np.diff(slopes) < 0).all()
    area = cost_curve_area_score(labels, scores, sample_weight=weights)
    assert area == pytest.approx(np.trapezoid(least, x), abs=1e-5)


def test_probability_cost_takes_many_shares():
    np.testing.assert_allclose(probability_cost([0, 0.5, 1], false_negative_cost=3), [0, 0.75, 1])
    assert probability_cost(np.float16([0.5]), false_negative_cost=1e6) == 1e6 / (1e6 + 1)


@pytest.mark.parametrize(
    ("share", "costs"),
    [
        *((share, {}) for share in (1.2, np.nan, "half")),
        *((0.5, {"false_positive_cost": cost}) for cost in ("much", np.inf)),
        *((0.5, {"false_negative_cost": cost}) for cost in (0, 10**400)),
    ],
)
def test_bad_shares_and_costs_are_refused(share, costs):
    with pytest.raises(ValueError, match=next(iter(costs), "positive_share")):
        probability_cost(share, **costs)
