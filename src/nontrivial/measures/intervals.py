"""The uncertainty of an empirical Prediction Advantage."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial.measures.bootstrap import bootstrap_interval
from nontrivial.measures.cases import LossName, resolve
from nontrivial.measures.concentration import concentration_interval
from nontrivial.measures.exact import exact_interval
from nontrivial.measures.losses import ZeroOneLoss
from nontrivial.seeds import generator_for

METHODS = ("bootstrap", "concentration", "exact")


def prediction_advantage_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: LossName = "zero_one",
    level: float = 0.95,
    method: str = "bootstrap",
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    n_resamples: int = 2000,
    stratify: bool = False,
    bound: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> tuple[float, float]:
    """Compute an interval for the true Prediction Advantage of a model, from independent test cases.

    Parameters
    ----------
    y_true, y_pred, loss, cost, labels
        As in `prediction_advantage_score`. The cases must not have served to fit the model.
    level : float in (0, 1), default=0.95
        The probability with which the interval shall hold the true Prediction Advantage.
    method : {"bootstrap", "concentration", "exact"}, default="bootstrap"
        - ``"bootstrap"``, for every loss: the percentiles of the Bayesian bootstrap, widened for small
          samples; for losses between classes with half a case for and against the model. Close to its
          level.
        - ``"exact"``, for `zero_one`: holds its level for every sample size and every distribution, by
          Clopper and Pearson's binomial bounds. About 1.4 times as wide.
        - ``"concentration"``, for bounded losses: holds its level likewise, by Hoeffding's bounds for the
          risk of the model and of the marginal prediction. Two to four times as wide.
    n_resamples : int, default=2000
        Draws of the bootstrap.
    stratify : bool, default=False
        Whether the bootstrap keeps the shares of the classes; for test sets that were drawn class by class.
    bound : float, optional
        The greatest loss that a case can have, under the model and under the marginal prediction; needed by
        ``"concentration"`` but for losses between classes. For squared loss of a target between a and b it is
        ``(b - a) ** 2``, for cross-entropy ``-ln`` of the least probability that is predicted or that a
        class has.
    random_state : int or numpy.random.Generator, optional
        Seed of the bootstrap; by default a fixed one, so that a call can be repeated.

    Returns
    -------
    low, high : float in [-inf, 1]
        NaN for both, with a warning, where the bootstrap meets one class only; the other methods then give
        bounds that exclude little.

    Raises
    ------
    ValueError
        As `prediction_advantage_score`, and if `level`, `method`, `n_resamples` or `bound` is out of range
        or a method is not for the loss.

    See Also
    --------
    triviality_test : Whether the Prediction Advantage is above 0 at all.

    Notes
    -----
    Simulated coverage of 95 % intervals under 0/1 loss, two classes, 1,000 samples at each point of this
    grid: n of 30, 100, 300 and 1000; share of the minority 0.5, 0.3 and 0.1 (at least 5 cases expected);
    share of errors among the minority 0.05, 0.3 and 0.7; as many errors among the majority, or a third of
    them. The least coverage was 94 % for ``"bootstrap"``, 98 % for ``"exact"`` and 99 % for
    ``"concentration"``.

    References
    ----------
    PA paper, section 2.2 (which leaves these estimates open). Rubin 1981; Hesterberg 2015; Clopper and
    Pearson 1934; Hoeffding 1963.

    Examples
    --------
    >>> truth = [0] * 80 + [1] * 20
    >>> prediction = [0] * 76 + [1] * 4 + [1] * 14 + [0] * 6
    >>> low, high = prediction_advantage_interval(truth, prediction, method="exact")
    >>> round(low, 2), round(high, 2)
    (-0.08, 0.8)
    """
    validation.check_in_unit_interval(level, "level")
    if method not in METHODS:
        raise ValueError(f"method is {method!r}; it must be one of {', '.join(METHODS)}.")
    case = resolve(loss, y_true, y_pred, cost=cost, labels=labels)
    if method == "exact":
        if not isinstance(case.loss, ZeroOneLoss):
            raise ValueError('method="exact" is for loss="zero_one"; use "bootstrap" or "concentration".')
        return exact_interval(case.truth, case.prediction, len(case.loss.classes), level)
    if method == "concentration":
        return concentration_interval(case, level, bound)
    if not isinstance(n_resamples, Integral) or n_resamples < 1:
        raise ValueError(f"n_resamples is {n_resamples!r}; it must be a whole number of 1 or greater.")
    if random_state is None:
        generator = generator_for("prediction_advantage_interval")
    else:
        generator = np.random.default_rng(random_state)
    low, high = bootstrap_interval(case, level, int(n_resamples), stratify, generator)
    if np.isnan(low):
        validation.warn_undefined_advantage("the interval is set to NaN")
    return low, high
