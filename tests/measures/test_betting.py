"""Tests of bounded differences hold their level, whatever the distribution."""

import numpy as np
import pytest

from nontrivial.measures import UnboundedLossWarning, triviality_test
from nontrivial.seeds import generator_for


def outliers(draw, n):
    """The model errs by 1 in a hundredth of the cases, and is a little better than the constant in all others."""
    truth = 0.5 + 0.05 * draw.normal(size=n).clip(-3, 3)
    prediction = 0.5 + 0.5 * (truth - 0.5)
    far = draw.random(n) < 0.01
    return np.where(far, 0.0, truth), np.where(far, 1.0, prediction)


@pytest.mark.parametrize("n", [20, 100])
def test_a_stated_bound_holds_the_level_with_outliers(n):
    """The true advantage is negative: 0.01 + 0.25 x 0.0025 against 0.0025 + 0.01 x 0.25."""
    draw = generator_for("triviality", "outliers", n)
    cases = [outliers(draw, n) for _ in range(120)]
    p_values = np.array([triviality_test(*case, loss="squared", bound=1).pvalue for case in cases])
    assert np.mean(p_values <= 0.05) <= 0.05
    with pytest.warns(UnboundedLossWarning):
        assumed = np.array([triviality_test(*case, loss="squared").pvalue for case in cases])
    assert np.mean(assumed <= 0.05) > 0.2  # which is why it warns


@pytest.mark.parametrize("loss", ["squared", "absolute", "cross_entropy", "cost"])
def test_bounded_tests_hold_their_level_and_find_good_models(loss):
    draw = generator_for("triviality", "bounded", loss)
    options = {"cross_entropy": {"bound": 5.0}, "cost": {"cost": [[0, 4], [1, 0]]}}.get(loss, {"bound": 1})
    guessed, good = [], []
    for _ in range(60):
        chance = draw.uniform(0.02, 0.98, 150)
        truth = (draw.random(150) < chance).astype(int if loss in ("cross_entropy", "cost") else float)
        guess, known = draw.permutation(chance), 0.1 + 0.8 * truth
        if loss == "cost":
            guess, known = (guess > 0.2).astype(int), truth
        guessed.append(triviality_test(truth, guess, loss=loss, **options).pvalue)
        good.append(triviality_test(truth, known, loss=loss, **options).pvalue)
    assert np.mean(np.array(guessed) <= 0.05) <= 0.05
    assert np.max(good) < 0.01
