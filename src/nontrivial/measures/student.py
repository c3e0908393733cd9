"""Student's paired test and Fieller's interval of the Prediction Advantage, and intervals from cross-validation."""

from __future__ import annotations

import math
from typing import Literal, NamedTuple

import numpy as np
from scipy.stats import norm, t

from nontrivial import _draws as drawing
from nontrivial._arrays import Floats
from nontrivial._draws import Bounds, Units
from nontrivial.measures.losses import CrossEntropyLoss, LossSample, NumberLoss

# For the losses l of the model and m of the marginal prediction, the model saves m - l. The Prediction Advantage is the
# mean of m - l over the mean of m. Student's test of an advantage a tests whether m - l - a m has the mean 0. Fieller's
# interval holds the advantages that this test does not reject.


class PairedSums(NamedTuple):
    """The mean saving and marginal loss of `n` cases, and the summed products of their deviations, of shape (2, 2)."""

    n: int
    means: Floats
    products: Floats

    @classmethod
    def from_cases(cls, saved: Floats, marginal_losses: Floats) -> PairedSums:
        """Return the sums over cases, in units of the mean marginal loss, so that no product overflows."""
        pairs = np.stack([saved, marginal_losses]) / (marginal_losses.mean() or 1.0)
        means = pairs.mean(axis=1)
        deviations = pairs - means[:, None]
        return cls(len(saved), means, deviations @ deviations.T)

    def with_one_more(self, saved: float, marginal_loss: float) -> PairedSums:
        """Return the sums with one more case, whose losses are in the same units."""
        deviation, n = np.array([saved, marginal_loss]) - self.means, self.n + 1
        added = np.outer(deviation, deviation) * (self.n / n)
        return PairedSums(n, self.means + deviation / n, self.products + added)

    def bounds(self, level: float) -> Bounds:
        """Return Fieller's bounds for the ratio of the means, and Student's p-values, which agree with them."""
        (saved, marginal_loss), errors = self.means, np.sqrt(self.products.diagonal() / (self.n - 1) / self.n)
        no_loss, tail = student_p_value(marginal_loss, errors[1], self.n), (1 - level) / 2
        p_better, p_worse = (max(student_p_value(mean, errors[0], self.n), no_loss) for mean in (saved, -saved))
        if no_loss > tail:
            return Bounds(-np.inf, np.inf, p_better, p_worse)
        reach = t.isf(tail, self.n - 1) ** 2 / (self.n - 1) / self.n
        (saved_square, cross_product), (_, marginal_square) = self.products * reach
        square, product = marginal_loss**2 - marginal_square, saved * marginal_loss - cross_product
        root = np.sqrt(max(product**2 - square * (saved**2 - saved_square), 0.0))
        bounds = Bounds(float((product - root) / square), float((product + root) / square), p_better, p_worse)
        # If the model is the constant, both bounds are 0 but for rounding.
        return bounds.with_p_values(p_better, p_worse, level)


def paired_p_value(values: Floats) -> float:
    """Return Student's p-value of "the mean is at most 0"."""
    with np.errstate(invalid="ignore"):  # an infinite loss has no deviation
        error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return student_p_value(float(values.mean()), error, len(values))


def student_p_value(mean: float, error: float, n: int) -> float:
    """Return Student's p-value of "the mean is at most 0", from its standard error; 1 for very few values."""
    if n < drawing.MIN_UNITS or np.isneginf(mean):
        return 1.0
    if error == 0:
        return 0.0 if mean > 0 else 1.0
    return float(t.sf(mean / error, n - 1))


def fieller_interval(sample: LossSample, level: float, units: Units) -> Bounds:
    """Return Fieller's bounds, each moved out as far as one additional case could move it."""
    losses, marginal_losses = sample.losses, sample.marginal_losses(units.weights)
    if np.isposinf(losses).any():
        return Bounds(-np.inf, -np.inf, np.nan, np.nan)
    possible_losses = _possible_losses(sample, units.weights)
    losses, marginal_losses = units.scaled_sums_by_unit(losses), units.scaled_sums_by_unit(marginal_losses)
    saved, unit = marginal_losses - losses, marginal_losses.mean() or 1.0
    sums = PairedSums.from_cases(saved, marginal_losses)

    def bounds_with(saved: float, marginal_loss: float) -> Bounds:
        if not np.isfinite(saved):
            return Bounds(-np.inf, np.inf, 1.0, 1.0)
        return sums.with_one_more(saved / unit, marginal_loss / unit).bounds(level)

    low, high, p_better, p_worse, _ = sums.bounds(level)
    if possible_losses is not None:  # the additional case has mean weight, and probabilities that occurred
        weight = units.scaled_sums_by_unit(np.ones(units.n)).mean()
        for greatest, least, marginal_loss in weight * possible_losses:
            adverse = bounds_with(marginal_loss - greatest, marginal_loss)
            favourable = bounds_with(marginal_loss - least, marginal_loss)
            low, p_better = min(low, adverse.low), max(p_better, adverse.p_better)
            high, p_worse = max(high, favourable.high), max(p_worse, favourable.p_worse)
    elif np.isfinite(low):
        # The additional case is like the sample's case that moves the end most. If the model has no loss at all, the
        # additional case costs the constant as much as any case of the sample.
        lowest, highest = (saved - low * marginal_losses).argmin(), (saved - high * marginal_losses).argmax()
        if losses.any():
            low = min(low, bounds_with(saved[lowest], marginal_losses[lowest]).low)
        else:
            low = min(low, bounds_with(0.0, marginal_losses.max()).low)
        high = max(high, bounds_with(saved[highest], marginal_losses[highest]).high)
    return Bounds(low, min(high, 1.0), p_better, p_worse).with_p_values(p_better, p_worse, level)


def fieller_assumption(sample: LossSample) -> Literal["one_possible_case", "no_rare_loss"]:
    """Return what Fieller's interval assumes besides independent cases."""
    return "no_rare_loss" if _class_probabilities(sample) is None else "one_possible_case"


def _possible_losses(sample: LossSample, weights: Floats | None) -> Floats | None:
    """Return the greatest, the least and the marginal loss of a case of each class; None for losses of numbers."""
    probabilities = _class_probabilities(sample)
    if probabilities is None:
        return None
    marginal = _losses_by_class(sample, np.reshape(sample.marginal(weights), (1, -1)))[0]
    occurs = np.isfinite(marginal)  # a class that never occurs has an infinite marginal loss
    losses = _losses_by_class(sample, probabilities)[:, occurs]
    return np.column_stack([losses.max(axis=0), losses.min(axis=0), marginal[occurs]])


def _class_probabilities(sample: LossSample) -> Floats | None:
    """Return the predicted probabilities, of shape (n, outputs); None if the predictions are other numbers."""
    prediction, truth = (values.reshape(len(values), -1) for values in (sample.prediction, sample.truth))
    if isinstance(sample.loss, CrossEntropyLoss):
        return prediction
    if not (isinstance(sample.loss, NumberLoss) and sample.loss.is_squared):
        return None
    is_one_hot = np.isin(truth, (0, 1)).all() and (truth.shape[1] == 1 or (truth.sum(axis=1) == 1).all())
    return prediction if is_one_hot and prediction.min() >= 0 and prediction.max() <= 1 else None


def _losses_by_class(sample: LossSample, probabilities: Floats) -> Floats:
    """Return the loss of each row of probabilities for each true class, of shape (n, classes)."""
    if isinstance(sample.loss, CrossEntropyLoss):
        with np.errstate(divide="ignore"):
            return np.asarray(-np.log(probabilities))
    if probabilities.shape[1] == 1:
        return np.column_stack([probabilities**2, (1 - probabilities) ** 2])
    return np.asarray(1 - 2 * probabilities + (probabilities**2).sum(axis=1, keepdims=True))


# The folds of a cross-validation share training cases, so their answers vary together. The standard error of their mean
# is then greater by this factor. Nadeau and Bengio (2003) give 1.5 for five folds; in docs/coverage.md, 1.1 is enough.
FOLD_ERROR_FACTOR = 1.1


def widen_interval(
    value: float, bounds: Bounds, level: float, ratio: float, *, least: float = -math.inf, greatest: float = 1.0
) -> Bounds:
    """Widen an interval about its value by a ratio, but not beyond `least` and `greatest`, and raise its p-values."""
    low = max(value - (value - bounds.low) * ratio, least)
    high = min(value + (bounds.high - value) * ratio, greatest)
    p_better, p_worse = (raise_p_value(p, ratio) for p in (bounds.p_better, bounds.p_worse))
    widened = Bounds(low, high, p_better, p_worse, bounds.resamples)
    if math.isnan(sum(widened[:4])):
        return widened
    return widened.with_p_values(p_better, p_worse, level)


def raise_p_value(p: float, factor: float) -> float:
    """Return the one-sided p-value of an estimate if its standard error is greater by a factor."""
    return float(norm.sf(norm.isf(p) / factor))


def corrected_resampled_reach(estimates: Floats, tested_per_trained: float, level: float) -> float:
    """Return half the width of the corrected resampled t-test's interval over folds (Nadeau and Bengio 2003)."""
    count = len(estimates)
    error = math.sqrt((1 / count + tested_per_trained) * float(np.var(estimates, ddof=1)))
    return float(t.ppf((1 + level) / 2, count - 1)) * error
