"""Whether predictions are better than every constant guess: the tests behind the verdict of a scorecard."""

from __future__ import annotations

import warnings

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial._stretches import masses
from nontrivial.measures.betting import betting_p_value
from nontrivial.measures.sign_verdict import SignVerdict, judge_counts, verdict_of
from nontrivial.measures.triviality import triviality_test
from nontrivial.measures.unbounded import UnboundedLossWarning
from nontrivial.scorecard.losses import few_beyond

TESTS = {
    "sign": "Exact sign tests against every constant guess",
    "betting": "Tests by betting against every constant guess, with weights and groups",
    "paired": "Student's paired test of the losses against those of the best constant",
}


def judge_classes(
    truth: Ints, prediction: Ints, n_classes: int, weights: Floats | None, groups: Ints | None
) -> tuple[SignVerdict, str]:
    """Judge predicted classes, and name the test.

    Parameters
    ----------
    truth, prediction : int or bool arrays of shape (n,)
    n_classes : int
        How many of the places are true classes.
    weights : ndarray of shape (n,) or None
    groups : int array of shape (n,) or None
    """
    wrong = truth != prediction
    if weights is None and groups is None:
        counts, errors = (masses(places, n_classes).astype(int) for places in (truth, truth[wrong]))
        return judge_counts(counts, errors), "sign"
    gains = [_totals((truth != place).astype(float) - wrong, weights, groups) for place in range(n_classes)]
    p_better = max(betting_p_value(gain) for gain in gains)
    p_worse = min(1.0, n_classes * min(betting_p_value(-gain) for gain in gains))
    return SignVerdict(verdict_of(p_better, p_worse), p_better, p_worse, None), "betting"


def judge_numbers(
    truth: Floats,
    prediction: Floats,
    weights: Floats | None,
    groups: Ints | None,
    quantile: float | None = None,
) -> tuple[SignVerdict, str]:
    """Judge predicted numbers under the loss of the quantile that they forecast, else squared loss; name the test."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnboundedLossWarning)  # a note of the card says it
        found = triviality_test(
            truth,
            prediction,
            loss="squared" if quantile is None else "pinball",
            quantile=quantile,
            sample_weight=weights,
            groups=groups,
        )
    n = len(truth) if groups is None else len(np.unique(groups))
    # The sample's own quantile is closer to few cases beyond it than any quantile that could have been forecast.
    worse = found.statistic < 0 and not few_beyond(quantile, n)
    p_worse = 1 - found.pvalue if worse else 1.0
    return SignVerdict(verdict_of(found.pvalue, p_worse), found.pvalue, p_worse, None), "paired"


def _totals(gains: Floats, weights: Floats | None, groups: Ints | None) -> Floats:
    """Sum values in [-1, 1] over groups, with weights, and bring the sums to [-1, 1] again."""
    mass = np.ones(len(gains)) if weights is None else weights
    if groups is None:
        return np.asarray(gains * (mass / mass.max()))
    sizes = np.bincount(groups, weights=mass)
    sums = np.bincount(groups, weights=gains * mass)
    return np.asarray(sums[sizes > 0] / sizes.max())
