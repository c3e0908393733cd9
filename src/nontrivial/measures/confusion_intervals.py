"""Intervals for every measure of a confusion table.

A proportion has the exact bounds of Clopper and Pearson. They are quantiles of beta distributions that suppose one
more failure, for the lower bound, and one more success, for the upper. The other measures have bounds of the same
kind: the shares of the cells are drawn from a Dirichlet distribution of the counts with one more case of each class,
which is mostly wrong for the one bound, and mostly right for the other. The Prediction Advantage and Goodman and
Kruskal's lambda have the bounds of `resampled_advantage`.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Integral

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats
from nontrivial._assumptions import assumption_of
from nontrivial._validation import check_in_unit_interval, check_resamples, show
from nontrivial.measures.cell_draws import Cells
from nontrivial.measures.confusion import MEASURES, Tables, as_tables, evaluate
from nontrivial.measures.exact import binomial_bounds
from nontrivial.measures.resampled_advantage import resampled_advantage
from nontrivial.seeds import generator_of

MOST_CASES = 2**50  # of each cell, so that sums of cells are exact

# How much of the case that the draws add is wrong, or right. With all of it, intervals of odds ratios of few cases were
# up to 19 times as wide as the logit interval. With 3/4, coverage of nearly perfect models fell to 82 %; with 7/8, to
# 92 %.
MOSTLY = 15 / 16

# Successes and trials of each measure that is a proportion.
PROPORTIONS: dict[str, Callable[[Tables], tuple[Floats, Floats]]] = {
    "accuracy": lambda t: (t.hits, t.total),
    "error_rate": lambda t: (t.errors, t.total),
    "precision": lambda t: (t.tp, t.predicted_positives),
    "recall": lambda t: (t.tp, t.positives),
    "specificity": lambda t: (t.tn, t.negatives),
    "negative_predictive_value": lambda t: (t.tn, t.predicted_negatives),
    "false_positive_rate": lambda t: (t.fp, t.negatives),
    "false_negative_rate": lambda t: (t.fn, t.positives),
    "false_discovery_rate": lambda t: (t.fp, t.predicted_positives),
    "false_omission_rate": lambda t: (t.fn, t.predicted_negatives),
    "jaccard": lambda t: (t.tp, t.tp + t.errors),
    "prevalence": lambda t: (t.positives, t.total),
}


def confusion_intervals(
    tp: int,
    fp: int,
    fn: int,
    tn: int,
    *,
    beta: float = 1.0,
    level: float = 0.95,
    n_resamples: int = 2000,
    random_state: int | np.random.Generator | None = None,
) -> pd.DataFrame:
    """Compute every measure of a binary confusion table with an interval.

    Parameters
    ----------
    tp, fp, fn, tn : int
        True positives, false positives, false negatives and true negatives of independent test cases, with at least
        one case of each class.
    beta : float in [0, inf], default=1.0
        As in `confusion_measures`.
    level : float in (0, 1), default=0.95
        The intended probability that each interval, taken by itself, holds the true value.
    n_resamples : int, default=2000
        Draws, for the measures that need them; at least 39 for a level of 0.95, at most a million.
    random_state : int or numpy.random.Generator, optional
        Seed of the draws; by default a fixed one, so that a call can be repeated.

    Returns
    -------
    pandas.DataFrame of shape (30, 4)
        A row for each measure of `confusion_measures`, in the same order, with the columns ``estimate``, ``low``,
        ``high`` and ``method``:

        - ``clopper_pearson`` for proportions, the no-information rate and F1, which follows from the Jaccard index:
          holds its level for every table;
        - ``bootstrap``, Bayesian, for all others; that of `prediction_advantage` is `prediction_advantage_interval`'s,
          and each end of `goodman_kruskal_lambda` is the greatest of 0 and of the ends for the predictions and for
          their opposites.

        Where a measure is undefined (0/0), ``low`` and ``high`` are NaN and ``method`` is empty. ``attrs`` has the
        level, and what each method ``assumes``: ``"one_more_case"`` or None.

    Raises
    ------
    ValueError
        If a count is not a whole number from 0 to 2**50, a class is absent, or an option is out of range.

    See Also
    --------
    confusion_measures : The measures alone, of many tables.
    prediction_advantage_interval : Intervals for the Prediction Advantage under any loss.

    Notes
    -----
    The bootstrap intervals suppose one more case of each class, 15/16 of it wrong for one bound and right for the
    other. With fewer than ten cases of a class, or no mistake, they rest largely on that. Measured coverage is in the
    documentation, under "Coverage of the intervals".

    References
    ----------
    Clopper and Pearson 1934; Rubin 1981, The Bayesian bootstrap.

    Examples
    --------
    A perfect score on few cases proves little:

    >>> confusion_intervals(tp=10, fp=0, fn=0, tn=190).loc[["recall", "matthews_corrcoef"]].round(2)
                       estimate   low  high           method
    recall                  1.0  0.69   1.0  clopper_pearson
    matthews_corrcoef       1.0  0.75   1.0        bootstrap
    """
    level = check_in_unit_interval(level, "level")
    n_resamples = check_resamples(n_resamples, level)
    counts: dict[str, int] = {}
    for name, count in {"tp": tp, "fp": fp, "fn": fn, "tn": tn}.items():
        if not isinstance(count, Integral) or isinstance(count, bool) or not 0 <= count <= MOST_CASES:
            raise ValueError(f"{name} is {show(count)}; it must be a whole number from 0 to {MOST_CASES}.")
        counts[name] = int(count)
    table = as_tables(**counts, beta=beta)
    if table.one_class[0]:
        raise ValueError("The table has one class only; both classes need at least one case.")
    values = evaluate(table, MEASURES).iloc[0]
    bounds = {}
    for name, counted in PROPORTIONS.items():
        successes, trials = counted(table)
        bounds[name] = (*clopper_pearson(float(successes[0]), float(trials[0]), level), "clopper_pearson")
    if table.beta == 1:
        bounds["f_beta"] = _of_f1(*bounds["jaccard"])
    bounds["no_information_rate"] = of_the_greater(*bounds["prevalence"])
    bounds |= _advantages(counts, level, n_resamples, random_state)
    generator = generator_of(random_state)
    others = [name for name in MEASURES if name not in bounds]
    bounds |= _drawn(table, others, level, n_resamples, generator)
    rows = {}
    for label, value in values.items():
        low, high, method = bounds[str(label)]
        # Perhaps no draw is as extreme as the value, such as a kappa of -1.
        held = (min(low, value), max(high, value), method)
        rows[label] = (value, *((np.nan, np.nan, "") if np.isnan(value) else held))
    found = pd.DataFrame.from_dict(rows, orient="index", columns=["estimate", "low", "high", "method"])
    methods = filter(None, found["method"].unique())
    found.attrs = {"level": level, "assumes": {method: assumption_of(method) for method in methods}}
    return found


def clopper_pearson(successes: float, trials: float, level: float) -> tuple[float, float]:
    """Return the exact bounds of a proportion; 0 and 1 where there is no trial."""
    low, high = binomial_bounds(np.asarray(successes), np.asarray(trials), (1 - level) / 2)
    return float(low), float(high)


def of_the_greater(low: float, high: float, method: str) -> tuple[float, float, str]:
    """Return the bounds of the greater of a share and the rest."""
    ends = max(low, 1 - low), max(high, 1 - high)
    return (0.5 if low < 0.5 < high else min(ends)), max(ends), method


def _of_f1(low: float, high: float, method: str) -> tuple[float, float, str]:
    """Return the bounds of F1 from those of the Jaccard index J, of which it is 2 J / (1 + J)."""
    return 2 * low / (1 + low), 2 * high / (1 + high), method


def _advantages(
    counts: dict[str, int], level: float, n_resamples: int, random_state: int | np.random.Generator | None
) -> dict[str, tuple[float, float, str]]:
    """Return bounds for the Prediction Advantage, and for that of the best relabelling of the predictions."""
    # The same draws for both, so that an exchange of the predicted labels leaves lambda what it is.
    straight, opposite = (
        resampled_advantage(
            Cells(np.array([counts[cell] for cell in cells], float)),
            level,
            n_resamples,
            generator_of(random_state),
        )
        for cells in (("tn", "fp", "tp", "fn"), ("fp", "tn", "fn", "tp"))
    )
    low, high = (max(*ends, 0.0) for ends in zip(straight[:2], opposite[:2], strict=True))
    return {
        "prediction_advantage": (straight.low, straight.high, "bootstrap"),
        "goodman_kruskal_lambda": (low, high, "bootstrap"),
    }


def _drawn(
    table: Tables, names: list[str], level: float, n_resamples: int, generator: np.random.Generator
) -> dict[str, tuple[float, float, str]]:
    """Return bounds that suppose one more case of each class, wrong or right, whichever leaves more room."""
    counts = np.concatenate([table.tn, table.fp, table.tp, table.fn])
    lows, highs = [], []
    for wrong in (MOSTLY, 1 - MOSTLY):
        supposed = Cells(counts + np.array([1 - wrong, wrong, 1 - wrong, wrong]))
        drawn = supposed.draw_classes(generator, n_resamples)
        # Shares too small for the products in the measures count as 0.
        drawn[drawn < 1e-60] = 0
        tn, fp, tp, fn = drawn.T
        samples = evaluate(as_tables(tp, fp, fn, tn, beta=table.beta), names).to_numpy()
        lows.append(quantiles(samples, (1 - level) / 2))
        highs.append(quantiles(samples, (1 + level) / 2))
    bounds = zip(np.fmin(*lows), np.fmax(*highs), strict=True)
    return {
        name: (float(low), float(high), "bootstrap") for name, (low, high) in zip(names, bounds, strict=True)
    }


def quantiles(samples: Floats, share: float) -> Floats:
    """Return a quantile of each column that is one of its values, as some are infinite; NaN counts for nothing."""
    defined = np.count_nonzero(~np.isnan(samples), axis=0)
    place = np.clip(np.ceil(share * defined).astype(int) - 1, 0, np.maximum(defined - 1, 0))
    found: Floats = np.sort(samples, axis=0)[place, np.arange(samples.shape[1])]
    return found
