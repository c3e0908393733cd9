"""The uncertainty of an empirical Prediction Advantage."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Ints
from nontrivial._draws import are_few, warn_few
from nontrivial.measures.bootstrap import Design, bootstrap_interval
from nontrivial.measures.cases import Case, LossName, resolve
from nontrivial.measures.cell_draws import Cells, unit_of
from nontrivial.measures.concentration import concentration_interval
from nontrivial.measures.exact import exact_interval
from nontrivial.measures.losses import CrossEntropyLoss, LabelLoss, SquaredLoss, ZeroOneLoss
from nontrivial.measures.paired import bounds_with_one_more, paired_bounds, worst_losses
from nontrivial.measures.resampled_advantage import resampled_advantage
from nontrivial.measures.totals import Totals
from nontrivial.measures.unbounded import warn_unbounded
from nontrivial.seeds import generator_of

METHODS = ("bootstrap", "fieller", "concentration", "exact")


def prediction_advantage_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    loss: LossName = "zero_one",
    level: float = 0.95,
    method: str | None = None,
    quantile: float | None = None,
    cost: ArrayLike | None = None,
    labels: ArrayLike | None = None,
    baseline: ArrayLike | None = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    n_resamples: int = 2000,
    stratify: bool = False,
    bound: float | None = None,
    random_state: int | np.random.Generator | None = None,
) -> tuple[float, float]:
    """Compute an interval for the true Prediction Advantage of a model, from independent test cases.

    Parameters
    ----------
    y_true, y_pred, loss, quantile, cost, labels, baseline, sample_weight
        As in `prediction_advantage_score`. The cases must not have served to fit the model. Weights are for
        ``"bootstrap"`` and ``"fieller"``.
    groups : array-like of shape (n,), optional
        What the cases were drawn by, such as patients with several rows each; for ``"bootstrap"`` and ``"fieller"``,
        for which the groups are then what is independent.
    level : float in (0, 1), default=0.95
        The probability with which the interval shall hold the true Prediction Advantage.
    method : {"bootstrap", "fieller", "concentration", "exact"}, optional
        By default ``"exact"`` for `zero_one`, and ``"concentration"`` where `bound` is given, both without weights,
        groups and `stratify`; ``"fieller"`` for losses that are not between classes, without `stratify`;
        ``"bootstrap"`` for the rest. `nontrivial score` uses the same, but has no interval for probabilities with
        fewer than ten cases of a class.

        - ``"bootstrap"``, for every loss: the percentiles of the Bayesian bootstrap; for losses between classes with
          pseudo-cases for and against the model, against every class that may be the marginal prediction. Close to its
          level for these. For other losses it assumes that no rare case has a loss much greater than those seen,
          which a warning says, and it is too narrow for fewer than some 200 cases or groups.
        - ``"fieller"``, for losses that are not between classes: all advantages that Student's paired test does not
          reject. The same assumption, and close to its level from five cases or groups on where losses are not much
          skewed; it has no lower end where they are too few. Of probabilities, the lower end supposes one more case
          that the most confident of them gets wrong, and may lie below 0 where the test rejects it. Probabilities are
          those of cross-entropy, and under squared loss predictions from 0 to 1 of targets that are 0 or 1.
        - ``"exact"``, for `zero_one`: holds its level for every sample size and every distribution, by Clopper and
          Pearson's binomial bounds. About 1.4 times as wide as the bootstrap's. It ends at 0 where the sign tests of
          `triviality_test` and their opposites tell the side of 0.
        - ``"concentration"``, for bounded losses: holds its level likewise, by Hoeffding's bounds for the
          risk of the model and of the marginal prediction. Two to four times as wide.
    n_resamples : int, default=2000
        Draws of the bootstrap, at least 39 for a level of 0.95.
    stratify : bool, default=False
        Whether the bootstrap keeps the shares of the classes; for test sets that were drawn class by class.
    bound : float, optional
        The greatest loss that a case can have, under the model and under the marginal prediction; needed by
        ``"concentration"`` but for losses between classes. For squared loss of a target between a and b it is
        ``(b - a) ** 2``, for cross-entropy ``-ln`` of a probability that no prediction and no share of a class, in
        truth or in the sample, is below.
    random_state : int or numpy.random.Generator, optional
        Seed of the bootstrap; by default a fixed one, so that a call can be repeated.

    Returns
    -------
    low, high : float in [-inf, 1]
        NaN for both, with a warning, where there is one class only, or one value. ``"exact"`` and ``"concentration"``,
        if named, then give bounds that exclude little.

    Raises
    ------
    ValueError
        As `prediction_advantage_score`, and if `level`, `method`, `n_resamples` or `bound` is out of range
        or a method is not for the loss, for weights or for groups.

    Warns
    -----
    UnboundedLossWarning
        Where ``"bootstrap"`` or ``"fieller"`` is used for a loss that may be any number: squared, absolute,
        cross-entropy or a callable of numbers.
    UserWarning
        Where weights or groups leave an effective sample size below five (Kish 1965): the ends are NaN.

    See Also
    --------
    triviality_test : Whether the Prediction Advantage is above 0 at all.

    Notes
    -----
    Measured coverage is in the documentation, under "Coverage of the intervals".

    References
    ----------
    PA paper, section 2.2 (which leaves these estimates open). Rubin 1981; Hesterberg 2015; Fieller 1954;
    Clopper and Pearson 1934; Hoeffding 1963.

    Examples
    --------
    >>> truth = [0] * 80 + [1] * 20
    >>> prediction = [0] * 76 + [1] * 4 + [1] * 14 + [0] * 6
    >>> low, high = prediction_advantage_interval(truth, prediction, method="exact")
    >>> round(low, 2), round(high, 2)
    (0.0, 0.8)
    """
    validation.check_in_unit_interval(level, "level")
    if method not in (None, *METHODS):
        raise ValueError(f"method is {method!r}; it must be one of {', '.join(METHODS)}.")
    case = resolve(loss, y_true, y_pred, quantile=quantile, cost=cost, labels=labels, baseline=baseline)
    weights = validation.as_weights(sample_weight, len(case.truth))
    units = validation.as_groups(groups, len(case.truth))
    if method is None:
        if not case.loss.pointwise(case.truth, case.marginal(weights)).any():
            validation.warn_undefined_advantage("the interval is set to NaN")
            return np.nan, np.nan
        if bound is not None and isinstance(case.loss, LabelLoss):
            raise ValueError("bound is for losses without one; a loss between classes knows its own.")
        plain = weights is None and units is None and not stratify
        method = _default_method(case, plain=plain, stratify=stratify, bounded=bound is not None)
    if method in ("exact", "concentration") and (weights is not None or units is not None):
        raise ValueError(f'method="{method}" takes neither sample_weight nor groups; use "bootstrap".')
    if method == "exact":
        if not isinstance(case.loss, ZeroOneLoss):
            raise ValueError(
                'method="exact" is for loss="zero_one"; leave method out for the one that suits the loss.'
            )
        low, high = exact_interval(case, level)
    elif method == "concentration":
        low, high = concentration_interval(case, level, bound)
    else:
        if method == "bootstrap":
            n_resamples = validation.check_resamples(n_resamples, level)
        if not isinstance(case.loss, LabelLoss):
            warn_unbounded("interval", 'method="concentration" and bound')
        elif method == "fieller":
            raise ValueError('method="fieller" is for losses that are not between classes; use "bootstrap".')
        if weights is not None:
            counted = weights > 0
            case, weights = case.only(counted), weights[counted]
            units = None if units is None else units[counted]
        if are_few(weights, units, len(case.truth)):
            warn_few("the interval is set to NaN")
            return np.nan, np.nan
        if method == "fieller":
            low, high = _fieller_interval(case, level, weights, units)
        else:
            generator = generator_of(random_state, "prediction_advantage_interval")
            design = Design(n_resamples, generator, weights, units, stratify)
            if isinstance(case.loss, ZeroOneLoss) and baseline is None and not stratify:
                low, high = _resampled_interval(case, level, design)
            else:
                low, high = bootstrap_interval(case, level, design)
    if np.isnan(low):
        validation.warn_undefined_advantage("the interval is set to NaN")
    return low, high


def _default_method(case: Case, *, plain: bool, stratify: bool, bounded: bool) -> str:
    if bounded and plain:
        return "concentration"
    if isinstance(case.loss, ZeroOneLoss) and plain:
        return "exact"
    return "bootstrap" if isinstance(case.loss, LabelLoss) or stratify else "fieller"


def _resampled_interval(case: Case, level: float, design: Design) -> tuple[float, float]:
    """Return the bounds under 0/1 loss; NaN where there is one class only."""
    assert isinstance(case.loss, ZeroOneLoss)
    wrong = case.truth != case.prediction
    cells = Cells.of_cases(2 * case.truth + wrong, 2 * len(case.loss.classes), design.weights, design.groups)
    of_class = cells.weights[::2] + cells.weights[1::2]
    if np.count_nonzero(of_class) < 2:
        return np.nan, np.nan
    return resampled_advantage(cells, level, design.n_resamples, design.generator)[:2]


def _fieller_interval(
    case: Case, level: float, weights: Floats | None, groups: Ints | None
) -> tuple[float, float]:
    """Return Fieller's bounds, with one more case for probabilities; NaN where the marginal prediction has no risk."""
    losses = case.loss.pointwise(case.truth, case.prediction)
    marginal_losses = case.loss.pointwise(case.truth, case.marginal(weights))
    if not marginal_losses.any():
        return np.nan, np.nan
    if np.isposinf(losses).any():
        return -np.inf, -np.inf
    mass = np.ones(len(losses)) if weights is None else weights
    total = Totals(mass, groups)
    sums = total(losses), total(marginal_losses)
    probabilities = _of_probabilities(case)
    if probabilities is None:
        bounds = paired_bounds(*sums, level)
        return bounds.low, bounds.high
    worst, classes, said = probabilities
    cells = 2 * classes + (said != classes)
    unit = unit_of(cells, int(cells.max()) + 1, weights, groups) / mass.sum()
    more = worst * unit * total(np.ones(len(mass))).sum(), unit * sums[1].sum()
    return bounds_with_one_more(*sums, more, level)


def _of_probabilities(case: Case) -> tuple[float, Ints, Ints] | None:
    """Return the greatest loss that probabilities could have had, the classes, and the likeliest; None for numbers."""
    said, truth = case.prediction, case.truth
    if isinstance(case.loss, CrossEntropyLoss):
        return worst_losses(said)[1], truth.astype(np.intp), said.argmax(axis=1)
    if not isinstance(case.loss, SquaredLoss):
        return None
    said, truth = (each.reshape(len(truth), -1) for each in (said, truth))
    one_hot = np.isin(truth, (0, 1)).all() and (truth.shape[1] == 1 or (truth.sum(axis=1) == 1).all())
    if not (one_hot and said.min() >= 0 and said.max() <= 1):
        return None
    if truth.shape[1] == 1:
        classes, likeliest = ((each[:, 0] >= 0.5).astype(np.intp) for each in (truth, said))
        return worst_losses(said[:, 0])[0], classes, likeliest
    return worst_losses(said)[0], truth.argmax(axis=1), said.argmax(axis=1)
