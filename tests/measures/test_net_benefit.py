"""Net benefit, against its definition."""

import numpy as np
import pytest
from sklearn.exceptions import UndefinedMetricWarning

from nontrivial import measures
from nontrivial.seeds import generator_for


@pytest.mark.parametrize("threshold", [0.1, 0.5, 0.8])
@pytest.mark.parametrize("prevalence", [None, 0.2])
def test_net_benefit_by_definition(threshold, prevalence):
    rng = generator_for("net benefit", threshold)
    truth, scores = rng.integers(0, 2, 50), rng.random(50).round(1)
    acted = scores >= threshold
    share = truth.mean() if prevalence is None else prevalence
    recall, fall_out = acted[truth == 1].mean(), acted[truth == 0].mean()
    expected = share * recall - (1 - share) * fall_out * threshold / (1 - threshold)
    found = measures.net_benefit_score(truth, scores, threshold=threshold, prevalence=prevalence)
    assert found == pytest.approx(expected, rel=1e-12)


def test_net_benefit_of_nobody_and_of_all():
    assert measures.net_benefit_score([0, 0, 0, 1], [0, 0, 0, 0], threshold=0.2) == 0
    assert measures.net_benefit_score([0, 0, 0, 1], [1, 1, 1, 1], threshold=0.2) == pytest.approx(0.05 / 0.8)
    with pytest.warns(UndefinedMetricWarning):
        assert np.isnan(measures.net_benefit_score([1, 1], [0, 1], threshold=0.2))
    for bad in ({"threshold": 1}, {"threshold": 0.5, "y_score": [2, 0]}):
        with pytest.raises(ValueError, match=r"\.$"):
            measures.net_benefit_score(**{"y_true": [0, 1], "y_score": [0, 1]} | bad)
