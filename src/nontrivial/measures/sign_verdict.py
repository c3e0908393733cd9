"""The one rule for the verdict: better than every constant guess, worse than one, or not shown to be either."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.optimize import brentq
from scipy.special import betainc

from nontrivial._arrays import Floats, Ints

LEVEL = 0.025  # each way, so that a verdict and a 95 % interval agree
MOST_GROWTH = 1e9  # times as many cases; more are not asked for

Verdict = Literal["better", "worse", "not shown"]


@dataclass(frozen=True)
class SignVerdict:
    """What a table of predictions shows.

    Attributes
    ----------
    verdict : {"better", "worse", "not shown"}
    p_better, p_worse : float in [0, 1]
        P-values of the hypotheses that the predictions are no better, and no worse, than trivial; NaN without a test.
    cases_needed : int or None
        If nothing is shown, about how many cases with the same rates would show a difference; None if no number would.
    """

    verdict: Verdict
    p_better: float
    p_worse: float
    cases_needed: int | None


def judge_counts(counts: Ints, wrong: Ints) -> SignVerdict:
    """Judge predictions under 0/1 loss.

    The p-value of "no better" is the greatest over all classes of the sign test against always predicting the class.
    That of "no worse" is the least of the opposite sign tests, times the number of classes (Bonferroni).

    Parameters
    ----------
    counts, wrong : int arrays of shape (n_classes,)
        Cases of each true class, and how many of them are predicted wrongly.

    Examples
    --------
    >>> judge_counts(np.array([90, 10]), np.array([4, 5]))
    SignVerdict(verdict='not shown', p_better=0.5, p_worse=1.0, cases_needed=3650)
    """
    p_better, p_worse = (float(p_value) for p_value in sign_p_values(counts, wrong))
    verdict = verdict_of(p_better, p_worse)
    won = won_against(counts, wrong)
    n, errors = int(counts.sum()), int(wrong.sum())
    trivial = n - int(counts.max())
    pairs = [(int(first), int(second)) for first, second in zip(won, wrong, strict=True)]
    needed = None
    if verdict == "not shown" and errors < trivial:
        needed = cases_for_better(n, pairs)
    elif verdict == "not shown" and errors > trivial:
        needed = cases_for_worse(n, pairs)
    return SignVerdict(verdict, p_better, p_worse, needed)


def sign_p_values(counts: Ints | Floats, wrong: Ints | Floats, known: int | None = None) -> tuple[Any, Any]:
    """Return the p-values of "no better" and of "no worse", along the last axis, that of the classes.

    Against one class alone if it is known to be the best constant.
    """
    won = won_against(counts, wrong)
    if known is not None:
        won, wrong = won[..., [known]], wrong[..., [known]]
    p_worse = won.shape[-1] * sign_test(wrong, won).min(axis=-1)
    return sign_test(won, wrong).max(axis=-1), np.minimum(p_worse, 1.0)


def moved_to_zero(low: float, high: float, p_values: tuple[Any, Any], tail: float) -> tuple[float, float]:
    """Return the ends of an interval that agrees with sign tests: it goes beyond 0 only on a side that they allow."""
    better, worse = (bool(p_value <= tail) for p_value in p_values)
    return (max if better else min)(low, 0.0), (min if worse else max)(high, 0.0)


def won_against(counts: Ints | Floats, wrong: Ints | Floats) -> Ints | Floats:
    """Return how many cases of other classes are predicted rightly, for each class that could be guessed always."""
    right = counts - wrong
    return np.asarray(right.sum(axis=-1, keepdims=True) - right)


def verdict_of(p_better: float, p_worse: float) -> Verdict:
    """Return what two p-values show at the level."""
    if p_better <= LEVEL:
        return "better"
    return "worse" if p_worse <= LEVEL else "not shown"


def sign_test(won: Any, lost: Any) -> Any:
    """Return the probability of at least so many wins among so many fair coins."""
    return np.where(np.equal(won, 0), 1.0, betainc(np.maximum(won, 1), np.add(lost, 1), 0.5))


def cases_for_better(n: int, pairs: list[tuple[int, int]]) -> int | None:
    """Return about how many cases would show "better", by the wins and losses against each class among `n`."""
    growths = [_growth(won, lost, LEVEL) for won, lost in pairs]
    return None if None in growths else _cases_at(n, max(filter(None, growths)))


def cases_for_worse(n: int, pairs: list[tuple[int, int]]) -> int | None:
    """Return about how many cases would show "worse", as `cases_for_better` does."""
    growths = [_growth(lost, won, LEVEL / len(pairs)) for won, lost in pairs]
    return _cases_at(n, min(filter(None, growths), default=None))


def _cases_at(n: int, growth: float | None) -> int | None:
    return None if growth is None else max(math.ceil(n * growth), n + 1)


def _growth(won: int, lost: int, level: float) -> float | None:
    """Return how many times as many wins and losses a sign test needs; None if `MOST_GROWTH` times are not enough."""

    def excess(log: float) -> float:
        return float(betainc(math.exp(log) * won, math.exp(log) * lost + 1, 0.5)) - level

    if excess(0.0) <= 0:
        return 1.0
    most = math.log(MOST_GROWTH)
    return math.exp(brentq(excess, 0.0, most, xtol=1e-9)) if excess(most) < 0 else None
