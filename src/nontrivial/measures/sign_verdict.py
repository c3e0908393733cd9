"""The rule that decides whether a model is better than every constant guess, worse than one, or neither."""

import math
from typing import Any, Literal

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc

from nontrivial._arrays import Floats, Ints

MIN_P_PRINTED = 0.0001
SIGNIFICANCE_LEVEL = 0.025  # one-sided, so that a verdict agrees with a 95 % interval
MAX_GROWTH = 1e9  # the largest factor by which a larger sample is suggested

Verdict = Literal["better", "worse", "inconclusive"]
WinsAndLosses = list[tuple[int, int]]  # the model's wins and losses against each constant class


def decide_verdict(p_better: float, p_worse: float) -> Verdict:
    """Return the verdict of two one-sided tests."""
    if p_better <= SIGNIFICANCE_LEVEL:
        return "better"
    return "worse" if p_worse <= SIGNIFICANCE_LEVEL else "inconclusive"


def sign_test(won: Any, lost: Any) -> Any:
    """Return the chance of at least so many wins if wins and losses are equally likely, the sign test's p-value."""
    return np.where(np.equal(won, 0), 1.0, betainc(np.maximum(won, 1), np.add(lost, 1), 0.5))


def sign_p_values(counts: Ints | Floats, wrong: Ints | Floats, known_class: int | None = None) -> tuple[float, float]:
    """Return p-values of "no better" and "no worse" than a known constant class, or else than the best of all."""
    won, n_tests = _count_wins(counts, wrong), int(np.count_nonzero(counts))
    if known_class is not None:
        won, wrong, n_tests = won[[known_class]], wrong[[known_class]], 1
    p_worse = float(n_tests * sign_test(wrong, won).min())  # Bonferroni
    return float(sign_test(won, wrong).max()), min(p_worse, 1.0)


def _count_wins(counts: Ints | Floats, wrong: Ints | Floats) -> Ints | Floats:
    """Return for each constant class how many cases of other classes are predicted rightly."""
    right = counts - wrong
    return np.asarray(right.sum() - right)


def cases_needed(verdict: Verdict, counts: Ints | Floats, wrong: Ints | Floats) -> int | None:
    """Return about how many cases with the same rates of errors would settle the verdict; None if no number would."""
    n, errors = int(counts.sum()), int(wrong.sum())
    trivial = n - int(counts.max())
    if verdict != "inconclusive" or errors == trivial:
        return None
    pairs = [(int(won), int(lost)) for won, lost in zip(_count_wins(counts, wrong), wrong, strict=True)]
    return (cases_for_better if errors < trivial else cases_for_worse)(n, pairs)


def cases_for_better(n: int, pairs: WinsAndLosses) -> int | None:
    """Return about how many cases would show "better", from the wins and losses among `n` cases."""
    return _scale_cases(n, max(_growth_needed(won, lost, SIGNIFICANCE_LEVEL) for won, lost in pairs))


def cases_for_worse(n: int, pairs: WinsAndLosses) -> int | None:
    """Return about how many cases would show "worse", from the wins and losses among `n` cases."""
    return _scale_cases(n, min(_growth_needed(lost, won, SIGNIFICANCE_LEVEL / len(pairs)) for won, lost in pairs))


def _scale_cases(n: int, growth: float) -> int | None:
    return max(math.ceil(n * growth), n + 1) if growth < math.inf else None


def _growth_needed(won: int, lost: int, level: float) -> float:
    """Return how many times as many wins and losses a sign test needs for the level; infinite above `MAX_GROWTH`."""

    def excess(log: float) -> float:
        return float(betainc(math.exp(log) * won, math.exp(log) * lost + 1, 0.5)) - level

    if excess(0.0) <= 0:
        return 1.0
    most = math.log(MAX_GROWTH)
    return math.exp(brentq(excess, 0.0, most, xtol=1e-9)) if excess(most) < 0 else math.inf
