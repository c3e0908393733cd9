"""The interval that agrees with Student's paired test."""

import numpy as np
import pytest
from measures.coverage import hold
from scipy.stats import ttest_1samp

from nontrivial._draws import summing
from nontrivial.measures import compare_models, prediction_advantage_interval, triviality_test
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")


@pytest.mark.parametrize(
    "option", [{}, {"groups": np.arange(60) // 3}, {"sample_weight": np.arange(1.0, 61)}]
)
@pytest.mark.parametrize("shift", [0.0, 1.5])
def test_fieller_agrees_with_the_test_of_triviality_at_its_ends(option, shift):
    """The test is Student's, with one more case like the worst; the factor by which the model errs is at an end."""
    draw = generator_for("fieller", shift)
    truth = draw.normal(size=60)
    prediction = truth + draw.normal(size=60) + shift
    low, high = prediction_advantage_interval(truth, prediction, loss="squared", method="fieller", **option)
    losses = (truth - prediction) ** 2
    marginal = (truth - np.average(truth, weights=option.get("sample_weight"))) ** 2
    total = summing(option.get("sample_weight"), option.get("groups"))
    for end, sign in ((low, 1), (high, -1)):
        saved = sign * total((1 - end) * marginal - losses)
        saved = np.append(saved, saved.min())
        assert ttest_1samp(saved, 0, alternative="greater").pvalue == pytest.approx(0.025)
    found = triviality_test(truth, prediction, loss="squared", **option)
    assert (found.pvalue <= 0.025) == (low >= 0)


@pytest.mark.parametrize("unit", [1e-55, 1e-41, 1e39, 1e59])
def test_the_unit_of_the_numbers_does_not_matter(unit):
    draw = np.random.default_rng(1)
    truth = draw.normal(size=30)
    models = truth + draw.normal(size=(2, 30))
    for found, expected in (
        [prediction_advantage_interval(truth * of, models[0] * of, loss="squared") for of in (unit, 1)],
        [compare_models(truth * of, *(models * of), loss="squared") for of in (unit, 1)],
    ):
        assert found == pytest.approx(expected)
        assert np.isfinite(expected).all()


def test_fieller_has_no_lower_end_for_a_handful_and_is_not_for_classes():
    truth, prediction = [0.0, 0.1, 0.2, 0.1, 9.0], [0.1, 0.1, 0.3, 0.2, 8.0]
    bounds = prediction_advantage_interval(truth, prediction, loss="squared", method="fieller")
    assert bounds == (-np.inf, 1.0)
    with pytest.raises(ValueError, match="between classes"):
        prediction_advantage_interval([0, 1, 1], [0, 1, 0], method="fieller")


@pytest.mark.parametrize("rows", [1, 4])
def test_fieller_covers_where_the_bootstrap_does_not(rows):
    """Squared losses of a lognormal target, in 20 groups of equal cases."""
    draw, bounds = generator_for("coverage", "fieller", rows), []
    for _ in range(300):
        x, u = np.repeat(np.sqrt(0.5) * draw.normal(size=(2, 20)), rows, axis=1)
        options = {"loss": "squared", "groups": np.repeat(np.arange(20), rows), "n_resamples": 200}
        bounds += [
            prediction_advantage_interval(np.exp(x + u), np.exp(x + 0.25), method=method, **options)
            for method in ("fieller", "bootstrap")
        ]
    advantage = 1 - np.e**1.5 * (np.sqrt(np.e) - 1) / (np.e * (np.e - 1))
    held = hold(np.array(bounds), advantage)
    assert held[::2].mean() >= 0.94 > 0.9 > held[1::2].mean()
