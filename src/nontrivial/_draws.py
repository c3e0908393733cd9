"""What draws of a bootstrap say of 0, by the ends of an interval and by a p-value that agrees with them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nontrivial._arrays import Floats


class Ends(NamedTuple):
    """The ends of an interval, and the p-value of the side of 0 that few of the draws lie on."""

    low: float
    high: float
    pvalue: float


def ends_of_draws(lower: Floats, upper: Floats, tail: float) -> Ends:
    """Return ends beyond which less than `tail` of the draws lie, and the one-sided p-value of 0.

    The p-value counts one draw more than there are, at 0. It is at most `tail` exactly where the ends exclude 0, if
    `tail` is that of one draw at least.

    Parameters
    ----------
    lower, upper : ndarray of shape (n_draws,)
        Of the lower and of the upper end.
    tail : float in (0, 1/2)

    Examples
    --------
    >>> draws = np.arange(-1.0, 38.0)
    >>> ends_of_draws(draws, draws, 0.05)
    Ends(low=0.0, high=36.0, pvalue=0.075)
    """
    low, high = (_end(side, tail) for side in (lower, -upper))
    beyond = min((np.count_nonzero(side <= 0) + 1) / (len(side) + 1) for side in (lower, -upper))
    return Ends(low, -high, float(beyond))


def _end(draws: Floats, tail: float) -> float:
    place = max(int(tail * (len(draws) + 1)), 1) - 1
    return float(np.partition(draws, place)[place])
