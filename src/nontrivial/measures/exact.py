"""Intervals for the Prediction Advantage under 0/1 loss that hold their level for every sample size.

For a fixed marginal prediction c, the ratio of risks R(f) / R(c) is q + s / (1 - s): q is the share of errors
among the cases that c gets wrong, and s the share of "c right, f wrong" among the cases that f or c gets
wrong. Given the number of those, the counts behind s and q are binomial one after the other, so that their
exact p-values are independent. They are combined into one region, and the ratio is extremal on its edge.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import brentq
from scipy.stats import beta, binom, norm

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial.measures.cases import Case
from nontrivial.measures.losses import ZeroOneLoss
from nontrivial.measures.sign_verdict import moved_to_zero, sign_p_values

ANGLES = np.linspace(0, np.pi / 2, 201)
SLACK = 0.01  # the part of the error probability that is spent on which class is the most frequent


def exact_interval(case: Case, level: float) -> tuple[float, float]:
    """Return bounds for the Prediction Advantage under 0/1 loss that hold with at least probability `level`.

    The least frequent classes cannot be the marginal prediction; the interval spans those of all classes that can. It
    ends at 0 where the sharper sign tests show on which side of 0 the advantage is.
    """
    assert isinstance(case.loss, ZeroOneLoss)
    n_classes = len(case.loss.classes)
    counts = np.bincount(case.truth, minlength=n_classes)
    wrong = np.bincount(case.truth[case.truth != case.prediction], minlength=n_classes)
    known, slack = case.known_class, 0.0
    if known is None:
        slack = SLACK * (1 - level)
        places = np.flatnonzero(_may_be_most_frequent(counts, slack))
    else:
        places = np.array([known])
    inside, wrong_inside = counts[places], wrong[places]
    least, greatest = risk_ratio_bounds(
        wrong.sum() - wrong_inside, counts.sum() - inside, wrong_inside, (1 - level - slack) / 2
    )
    ends = float(1 - greatest.max()), float(1 - least.min())
    return moved_to_zero(*ends, sign_p_values(counts, wrong, known), (1 - level) / 2)


def risk_ratio_bounds(
    both_wrong: Ints, marginal_wrong: Ints, only_model_wrong: Ints, tail: float
) -> tuple[Floats, Floats]:
    """Return bounds of R(f) / R(c), each of which errs with at most probability `tail`.

    Parameters
    ----------
    both_wrong, marginal_wrong, only_model_wrong : int arrays of shape (m,)
        Cases that f and c, that c, and that only f gets wrong.
    """
    radius = _radius(tail)
    first = norm.sf(radius * np.cos(ANGLES))
    second = norm.sf(radius * np.sin(ANGLES))
    both, marginal, only = (count[:, None] for count in (both_wrong, marginal_wrong, only_model_wrong))
    q_low, q_high = binomial_bounds(both, marginal, first)
    s_low, s_high = binomial_bounds(only, marginal + only, second)
    with np.errstate(divide="ignore"):
        r_low, r_high = s_low / (1 - s_low), s_high / (1 - s_high)
    # Neighbouring angles are crossed, so that the points between them are covered too.
    return (q_low[:, :-1] + r_low[:, 1:]).min(axis=1), (q_high[:, :-1] + r_high[:, 1:]).max(axis=1)


def _may_be_most_frequent(counts: Ints, slack: float) -> Mask:
    """Tell which classes a sign test does not reject as the most frequent, at error probability `slack`."""
    below = binom.cdf(counts, counts + counts.max(), 0.5)
    return np.asarray(below >= slack / max(len(counts) - 1, 1))


def binomial_bounds(successes: Ints, trials: Ints, tails: Floats | float) -> tuple[Floats, Floats]:
    """Return the bounds of Clopper and Pearson, each with its tail probability."""
    failures = trials - successes
    low = np.where(successes > 0, beta.ppf(tails, np.maximum(successes, 1), failures + 1), 0.0)
    high = np.where(failures > 0, beta.isf(tails, successes + 1, np.maximum(failures, 1)), 1.0)
    return low, high


def _radius(tail: float) -> float:
    """Solve P(max(U, 0)^2 + max(V, 0)^2 > radius^2) = tail for independent standard normal U and V."""
    return float(brentq(lambda r: norm.sf(r) + np.exp(-r * r / 2) / 4 - tail, 0, 40))
