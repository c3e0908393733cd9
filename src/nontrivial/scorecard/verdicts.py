"""Whether predictions are better than every constant guess: the Prediction Advantage and the verdict, by one method."""

from __future__ import annotations

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import are_few
from nontrivial._stretches import masses
from nontrivial.measures.advantage import bayesian_marginal_prediction
from nontrivial.measures.exact import exact_intervals
from nontrivial.measures.paired import paired_bounds
from nontrivial.measures.sign_verdict import SignVerdict, judge_counts, verdict_of
from nontrivial.measures.totals import Totals
from nontrivial.scorecard.draws import Cells
from nontrivial.scorecard.estimates import DRAWS_AT_A_TIME, LEVEL, RESAMPLES, SEED, Estimate
from nontrivial.scorecard.losses import few_beyond

TESTS = {
    "sign": "Exact sign tests against every constant guess",
    "bootstrap": "Bayesian bootstrap of the advantage over every constant guess, with weights or groups",
    "paired": "Student's paired test of the losses against those of the best constant",
}


def judge_classes(
    truth: Ints, prediction: Ints, n_classes: int, weights: Floats | None, groups: Ints | None
) -> tuple[Estimate, SignVerdict, str]:
    """Return the Prediction Advantage of predicted classes with its interval, the verdict, and the name of the test.

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
        value = 1 - errors.sum() / (len(truth) - counts.max())
        (low,), (high,) = exact_intervals(counts[None], errors[None], LEVEL)
        return Estimate(float(value), float(low), float(high), "exact"), judge_counts(counts, errors), "sign"
    cells = Cells.of_cases(2 * truth.astype(np.intp) + wrong, 2 * n_classes, weights, groups)
    return *resampled_advantage(cells), "bootstrap"


def resampled_advantage(cells: Cells) -> tuple[Estimate, SignVerdict]:
    """Return the advantage over the constant guess that is best in a resample, and what the resamples show.

    The lower bound adds an error where a constant guess is right, and half an error where it is wrong. A whole one
    there would hide how bad a model is that errs more often than the constant. The upper bound adds a hit at either
    place. "Worse" means worse than some constant, so that the upper bound is the least over all. A p-value is the share
    of the draws at or beyond 0, so that verdict and interval agree.

    Parameters
    ----------
    cells : Cells
        Of each class in turn, the cases predicted rightly and those predicted wrongly.
    """
    right, wrong = cells.weights[::2], cells.weights[1::2]
    trivial = cells.weights.sum() - (right + wrong).max()
    if trivial == 0:  # a class without cases that have a weight, against the rest
        return Estimate(np.nan), SignVerdict("not shown", 1.0, 1.0, None)
    value = float(1 - wrong.sum() / trivial)
    if cells.are_few:
        return Estimate(value), SignVerdict("not shown", 1.0, 1.0, None)
    generator = np.random.default_rng(SEED)
    lower, upper = [], []
    for _ in range(0, RESAMPLES, DRAWS_AT_A_TIME):
        drawn = cells.draw(generator, DRAWS_AT_A_TIME)
        errors = drawn[:, 1::2].sum(axis=1, keepdims=True)
        of_others = drawn.sum(axis=1, keepdims=True) - drawn[:, ::2] - drawn[:, 1::2]
        inside, outside = cells.unit * generator.standard_exponential((2, DRAWS_AT_A_TIME, 1))
        half_outside = cells.unit * generator.standard_gamma(0.5, outside.shape)
        lower.append((1 - (errors + inside + half_outside) / (of_others + half_outside)).min(axis=1))
        upper.append(1 - errors / (of_others + outside))
    against_all, against_each = np.sort(np.concatenate(lower)), np.sort(np.concatenate(upper), axis=0)
    place = int((1 + RESAMPLES) * (1 - LEVEL) / 2)
    low, high = against_all[place - 1], against_each[-place].min()
    not_above, not_below = np.count_nonzero(against_all <= 0), np.count_nonzero(against_each >= 0, axis=0)
    p_better, p_worse = ((1 + int(count)) / (1 + RESAMPLES) for count in (not_above, not_below.min()))
    estimate = Estimate(value, float(low), float(high), "bayesian_bootstrap")
    return estimate, SignVerdict(verdict_of(p_better, p_worse), p_better, p_worse, None)


def judge_numbers(
    truth: Floats,
    prediction: Floats,
    weights: Floats | None,
    groups: Ints | None,
    quantile: float | None = None,
) -> tuple[SignVerdict, str]:
    """Judge predicted numbers as the interval of their advantage does, and name the test.

    The loss is that of the quantile that they forecast, else squared.
    """
    constant, _ = bayesian_marginal_prediction(
        truth, loss="squared" if quantile is None else "pinball", quantile=quantile, sample_weight=weights
    )
    total = Totals(np.ones(len(truth)) if weights is None else weights, groups)
    losses, marginal_losses = (total(_losses(truth, said, quantile)) for said in (prediction, constant))
    _, _, p_better, p_worse = paired_bounds(losses, marginal_losses, LEVEL)
    # Of few cases, or few beyond a quantile, there is no interval: the losses of one more could turn either verdict.
    if few_beyond(quantile, len(losses)) or are_few(weights, groups, len(truth)):
        p_better = p_worse = 1.0
    return SignVerdict(verdict_of(p_better, p_worse), p_better, p_worse, None), "paired"


def _losses(truth: Floats, said: Floats | float, quantile: float | None) -> Floats:
    short = truth - said
    return short**2 if quantile is None else np.maximum(quantile * short, (quantile - 1) * short)
