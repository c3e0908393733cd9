"""Bootstrap intervals under any loss."""

import numpy as np
import pytest
from measures.coverage import hold
from measures.exact_tables import labels_of
from scipy.stats import beta

from nontrivial.measures import UnboundedLossWarning, prediction_advantage_interval
from nontrivial.seeds import generator_for

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.measures.UnboundedLossWarning")


def regression(draw, n):
    """The model knows the signal and trusts it too much: f = 1.2 x for y = x + noise, both standard normal."""
    signal = draw.normal(size=n)
    return signal + draw.normal(size=n), 1.2 * signal


@pytest.mark.parametrize(
    ("loss", "advantage"), [("squared", 1 - 1.04 / 2), ("absolute", 1 - np.sqrt(1.04 / 2))]
)
def test_simulated_coverage_of_the_bootstrap_for_regression(loss, advantage):
    draw = generator_for("coverage", loss)
    bounds = np.array(
        [
            prediction_advantage_interval(
                *regression(draw, 60), loss=loss, n_resamples=1000, random_state=draw
            )
            for _ in range(500)
        ]
    )
    assert hold(bounds, advantage).mean() >= 0.93


@pytest.mark.parametrize("stratify", [False, True])
def test_simulated_coverage_of_the_bootstrap_for_cross_entropy(stratify):
    draw = generator_for("coverage", "cross_entropy", int(stratify))
    # Two kinds of cases, in equal numbers, positive with 0.1 and 0.5; the model says 0.2 and 0.6.
    risk = -np.mean([0.1 * np.log(0.2) + 0.9 * np.log(0.8), 0.5 * np.log(0.6) + 0.5 * np.log(0.4)])
    advantage = 1 - risk / -(0.3 * np.log(0.3) + 0.7 * np.log(0.7))
    bounds = []
    for _ in range(300):
        if stratify:  # as many positives as expected, and the kinds of cases as they go with them
            truth = np.arange(200) < 60
            kind = draw.random(200) < np.where(truth, 5 / 6, 5 / 14)
        else:
            kind = draw.random(200) < 0.5
            truth = draw.random(200) < np.where(kind, 0.5, 0.1)
        bounds.append(
            prediction_advantage_interval(
                truth,
                np.where(kind, 0.6, 0.2),
                loss="cross_entropy",
                stratify=stratify,
                n_resamples=500,
                random_state=draw,
            )
        )
    assert hold(np.array(bounds), advantage).mean() >= 0.93


def test_bootstrap_is_repeatable_and_follows_its_seed():
    truth, prediction = labels_of((70, 10, 5, 15))
    options = {"method": "bootstrap"}
    default = prediction_advantage_interval(truth, prediction, **options)
    assert prediction_advantage_interval(truth, prediction, **options) == default
    seeded = prediction_advantage_interval(truth, prediction, random_state=1, **options)
    generator = np.random.default_rng(1)
    assert seeded == prediction_advantage_interval(truth, prediction, random_state=generator, **options)
    assert seeded != default


def test_stratified_bootstrap_keeps_the_marginal():
    """With the class shares held, a model that is right on one class only varies by the other alone."""
    truth, prediction = labels_of((500, 0, 50, 50))
    low, high = prediction_advantage_interval(truth, prediction, stratify=True, n_resamples=20_000)
    # PA is then the recall, with half an imaginary case for it and half of one against it. Half an error in 501
    # negatives besides shifts it a little.
    assert [low, high] == pytest.approx(beta.ppf([0.025, 0.975], 50.5, 50.5), abs=0.02)


def test_stratified_bootstrap_keeps_the_share_of_the_minority():
    """Without misses the advantage is 1 - 5 FPR, and only the false positive rate varies."""
    truth, prediction = labels_of((450, 50, 0, 100))
    low, high = prediction_advantage_interval(truth, prediction, stratify=True, n_resamples=20_000)
    free_low, free_high = prediction_advantage_interval(truth, prediction, n_resamples=20_000)
    # Half a miss in 101 positives besides shifts it a little.
    assert [low, high] == pytest.approx(1 - 5 * beta.ppf([0.975, 0.025], 50.5, 450.5), abs=0.03)
    assert free_high - free_low > 1.15 * (high - low)


def test_batches_of_draws_do_not_change_the_number_of_draws(monkeypatch):
    truth, prediction = regression(generator_for("batches"), 50)
    expected = prediction_advantage_interval(truth, prediction, loss="squared")
    monkeypatch.setattr("nontrivial._draws.BATCH", 999)
    assert prediction_advantage_interval(truth, prediction, loss="squared") == expected


@pytest.mark.parametrize("loss", ["squared", "absolute", "cross_entropy"])
@pytest.mark.filterwarnings("always::nontrivial.measures.UnboundedLossWarning")
def test_the_bootstrap_of_an_unbounded_loss_says_what_it_assumes(loss):
    truth, prediction = ([0, 1, 1, 0, 1], [0.1, 0.7, 0.8, 0.2, 0.6])
    with pytest.warns(UnboundedLossWarning) as caught:
        prediction_advantage_interval(truth, prediction, loss=loss)
    assert [warning.filename for warning in caught] == [__file__]


def test_groups_widen_the_bootstrap_and_copies_in_groups_do_not_narrow_it():
    truth, prediction = labels_of((60, 5, 10, 35))
    once = prediction_advantage_interval(truth, prediction, method="bootstrap")
    twice = prediction_advantage_interval(
        np.repeat(truth, 2), np.repeat(prediction, 2), groups=np.repeat(np.arange(110), 2)
    )
    apart = prediction_advantage_interval(np.repeat(truth, 2), np.repeat(prediction, 2), method="bootstrap")
    assert tuple(twice) == pytest.approx(tuple(once), abs=0.04)
    assert apart[1] - apart[0] < 0.8 * (twice[1] - twice[0])
