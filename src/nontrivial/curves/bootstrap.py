"""Intervals for areas, differences of areas, and means over classes, by the Bayesian bootstrap."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import (
    are_equal,
    are_few,
    effective_units,
    ends_of_draws,
    units_of_difference,
    warn_few,
)
from nontrivial._validation import (
    OneClassError,
    as_scores,
    as_units,
    binary_truth_and_scores,
    check_flag,
    check_in_unit_interval,
    check_lengths,
    check_resamples,
    least_resamples,
)
from nontrivial._warnings import assumption_of, may_differ, warn_undefined, warn_unequal
from nontrivial.curves.areas import AREAS, areas_of
from nontrivial.curves.gain import warn_if_extrapolated, warn_if_undefined
from nontrivial.curves.points import find_positive_steps
from nontrivial.curves.resampling import OF_CASES, OF_UNITS, Sample, exchange_p_values, resampled_areas
from nontrivial.seeds import generator_for, generator_of

# Intervals for the areas of one ranking, or for the differences between two, by the Bayesian bootstrap.
#
# No resample of a perfect ranking is less than perfect. So each bound supposes one more positive and one more
# negative: for the lower bound they rank last and first, for the upper one first and last. The bounds of Clopper and
# Pearson for a proportion do the same. Beside two mistakes or more, such a pseudo-case counts as 0.3 of a case; with
# weights or groups, as half of a case, or of a group, that is as heavy as those that have most of the weight; and
# where two models are compared, which mostly err alike, as a twelfth, with Student's tails. The fewer the mistakes,
# the more it counts, up to three quarters.


METHOD = "bootstrap"


def bootstrap_curve_areas(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    compared_with: ArrayLike | None = None,
    n_resamples: int = 1000,
    level: float = 0.95,
    stratify: bool = False,
    groups: ArrayLike | None = None,
    random_state: int | np.random.Generator | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> pd.DataFrame:
    """Return the areas of `curve_areas` with intervals, or compare those of two models.

    Parameters
    ----------
    y_true : array-like of shape (n,)
        Two labels: numbers, booleans or strings.
    y_score : array-like of shape (n,)
        Finite; the greater, the more positive.
    compared_with : array-like of shape (n,), optional
        Scores of another model for the same cases. The result is then about the areas of `y_score` minus those of
        `compared_with`, both taken from the same resamples.
    n_resamples : int, default 1000
        At most a million, and at least 39 for a level of 0.95, so that one lies beyond each end.
    level : float, default 0.95
        Of the intervals, strictly between 0 and 1.
    stratify : bool, default False
        Keep the weight of each class, for test sets that were drawn class by class. Otherwise it varies as it would in
        another sample.
    groups : array-like of shape (n,), optional
        The group of each case, such as the patient it is from. The cases of a group weigh more or less together. Groups
        of one case each, and weights that are all equal, change no number.
    random_state : int, numpy.random.Generator or None
        Seed; by default a fixed one, so that a call can be repeated.
    pos_label : label, optional
        The positive class; by default the greater label. Strings have no default.
    sample_weight : array-like of shape (n,), optional
        0 or greater; the greatest at most 1e12 times the least above 0. That of a resample multiplies it.

    Returns
    -------
    DataFrame
        A column for each area that `curve_areas` names; rows ``estimate``, ``low``, ``high``, and ``resamples``, the
        number of resamples in which the area is defined; for two models also ``pvalue``, two-sided, of equal areas: the
        greater of that of exchanging the ranks of the two models in each case or group, and that of the resamples.
        The cost curve's area has no interval (NaN): the best threshold for each cost is chosen on the same cases, so
        the sample's area is too small by more than resampling shows. ``attrs`` has the level, the method, what it
        ``assumes`` (``"one_more_case"``, or with weights, groups or two models ``"alike_mistakes"``, as in
        `AdvantageInterval` and `compare_models`), and ``pseudo_case``, the fraction of a case that the additional one
        counts as. For two models it also has what the p-value assumes, ``test_assumes``: the same, or None if there is
        no p-value. A p-value is an upper bound where no resample has the other sign.

    Raises
    ------
    ValueError
        If the lengths differ, a score is not finite, or an option is out of range.

    Warns
    -----
    UndefinedMetricWarning
        If all cases are of one class, so that all areas are NaN, or if the expected F1 gain alone is.
    ExtrapolatedAreaWarning
        As in `curve_areas`, once.
    nontrivial.measures.UnequalCasesWarning
        Where two models are compared and some cases or groups count for more than others, by weight or size: intervals
        and p-values assume that the two err alike in these.
    UserWarning
        Where weights or groups leave an effective sample size below five (Kish 1965): the ends are NaN.

    Notes
    -----
    The intervals are about other test cases for the same model, not about training again. They assume that one more
    case of each class may lie anywhere: at the worst rank for the lower end, and at the best for the upper end. With
    fewer than ten cases of a class, or hardly a mistake, the intervals rest largely on that. This case counts

    - as 0.3 of a case, with weights as half of a typical one, and with groups as half of a typical group;
    - where two models are compared, as a twelfth of a typical case or group;
    - but as 3/4 if a model ranks without a mistake, as 3/8 beside one mistake, and so on, where that is more.

    The lower end of average precision is that of ``pr_auc`` where that is lower: average precision takes each
    positive at its best, and few positives lie higher by chance than in the population.

    The draws alone would tell equal models apart too often where few cases make most of the difference. So the p-value
    is at least that of exchanging the models. For two models that make many small mistakes, intervals are too narrow
    and p-values too small if only one of them also ranks cases at the wrong end, but so few that the sample may have
    none: this is what ``"alike_mistakes"`` rules out. Tails are as wide as Student's for one and a half times the
    effective number of cases, or groups, of the rarer class. With three or fewer of these, 1,000 draws are too few to
    show a difference at a level of 0.95. The measured coverage is in the documentation, under "Coverage of the
    intervals".

    More than some 1,000 distinct scores of positives are told apart by steps of half a percent of their rank; the
    estimate itself always rests on all of them. More than 20,000 cases, or groups, that are drawn one by one, as for
    two models, are drawn in 1,000 random blocks.

    References
    ----------
    Rubin 1981, The Bayesian bootstrap; Clopper and Pearson 1934.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1], 100)
    >>> scores = rng.normal(size=200) + labels
    >>> bootstrap_curve_areas(labels, scores, random_state=0).loc[:"high", ["roc_auc", "prg_auc"]].round(2)
              roc_auc  prg_auc
    estimate     0.74     0.49
    low          0.66     0.32
    high         0.81     0.64
    """
    level = check_in_unit_interval(level, "level")
    n_resamples = check_resamples(n_resamples, level)
    check_flag(stratify, "stratify")
    rng = generator_of(random_state)
    compared = {"y_score": y_score} | ({} if compared_with is None else {"compared_with": compared_with})
    is_compared = len(compared) == 2
    scores = [as_scores(each, name) for name, each in compared.items()]
    check_lengths(**dict(zip(compared, scores, strict=True)))
    counted, weights, cluster = as_units(sample_weight, groups, len(scores[0]))
    assumes = assumption_of(METHOD, unequal=is_compared or may_differ(sample_weight, groups))
    try:
        positive, _, _ = binary_truth_and_scores(
            y_true, scores[0], pos_label=pos_label, sample_weight=sample_weight
        )
    except OneClassError as error:
        warn_undefined(f"{error} All areas are set to NaN.")
        undefined = table_of(dict.fromkeys(AREAS, np.nan), {}, {}, {}, level)
        undefined.attrs |= {"assumes": assumes, "pseudo_case": np.nan} | (
            {"test_assumes": None} if is_compared else {}
        )
        return undefined if is_compared else undefined.drop(index="pvalue")
    positive, scores = positive[counted], [each[counted] for each in scores]
    steps = [find_positive_steps(positive, each, sample_weight=weights) for each in scores]
    for each in steps:
        warn_if_extrapolated(each)
    if not is_compared and weights is None and cluster is None:
        sample = Sample.of_counts(steps[0])
    else:
        sample = Sample.of_cases(positive, scores, steps, weights, cluster)
    estimate = _difference([areas_of(each) for each in steps])
    warn_if_undefined(estimate["expected_f1_gain"])
    lower: dict[str, Floats] = {}
    upper: dict[str, Floats] = {}
    if are_few(weights, cluster, len(positive)):
        warn_few("the intervals are set to NaN")
    else:
        lower, upper = resample(sample, n_resamples, rng, stratify=stratify)
    held = _difference([resampled_areas(model) for model in sample.without_resampling()])
    units = units_of_difference(positive, weights, cluster) if is_compared else math.inf
    found = table_of(estimate, held, lower, upper, level, units)
    found.attrs |= {"assumes": assumes, "pseudo_case": sample.part}
    if not is_compared:
        return found.drop(index="pvalue")
    if lower:
        for name, pvalue in exchange_p_values(positive, scores, weights, cluster, n_resamples, rng).items():
            low, high, of_draws = found.loc[["low", "high", "pvalue"], name]
            if pvalue > (1 - level) * (1 + 1e-9):
                low, high = min(low, 0.0), max(high, 0.0)
            found.loc[["low", "high", "pvalue"], name] = [low, high, max(of_draws, pvalue)]
    found.attrs["test_assumes"] = "alike_mistakes" if lower else None
    if lower and not are_equal(weights, cluster, len(positive)):
        warn_unequal()
    return found


def table_of(
    estimate: dict[str, float],
    held: dict[str, Floats],
    lower: dict[str, Floats],
    upper: dict[str, Floats],
    level: float,
    units: float = math.inf,
) -> pd.DataFrame:
    """Return what `bootstrap_curve_areas` does, from areas, those of steps in bins, and draws."""
    # Steps in one bin move the areas of the resamples as they move those of the sample.
    shift = {name: estimate[name] - float(value[0]) for name, value in held.items()}
    table = {
        name: _row(value, lower.get(name), upper.get(name), shift.get(name, 0.0), level, units)
        for name, value in estimate.items()
    }
    found = pd.DataFrame(table, index=["estimate", "low", "high", "resamples", "pvalue"])
    found.attrs = {"level": level, "method": METHOD}
    return found


def _row(
    value: float, lower: Floats | None, upper: Floats | None, shift: float, level: float, units: float
) -> list[float]:
    """Return an estimate, its bounds, the resamples that they rest on, and the p-value of 0."""
    if lower is None or upper is None or np.isnan(value):
        return [value, np.nan, np.nan, 0, np.nan]
    lower, upper = (side[~np.isnan(side)] + shift for side in (lower, upper))
    if min(len(lower), len(upper)) < least_resamples(level):
        return [value, np.nan, np.nan, 0, np.nan]
    low, high, beyond = ends_of_draws(lower, upper, (1 - level) / 2, units)
    # Rounding of the shift must not leave the estimate outside its interval.
    return [value, min(low, value), max(high, value), min(len(lower), len(upper)), min(2 * beyond, 1.0)]


def _difference(areas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the one model's areas, or how far the first's exceed the second's."""
    first, *others = areas
    return {name: area - sum(other[name] for other in others) for name, area in first.items()}


def resample(
    sample: Sample,
    n_resamples: int,
    rng: np.random.Generator,
    *,
    stratify: bool,
    parts: Floats | None = None,
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Return the areas, or their differences, of all resamples: those for the lower bound, and those for the upper."""
    lower, upper = [], []
    for worst, best in sample.resamples(rng, n_resamples, stratify=stratify, parts=parts):
        worst_areas, best_areas = (list(map(resampled_areas, models)) for models in (worst, best))
        if len(worst_areas) == 1:
            # See the notes of `bootstrap_curve_areas`. In a difference this cancels.
            [areas] = worst_areas
            areas["average_precision"] = np.minimum(areas["average_precision"], areas["pr_auc"])
        # What is worst for the first model is best for the second.
        lower.append(_difference([worst_areas[0], *best_areas[1:]]))
        upper.append(_difference([best_areas[0], *worst_areas[1:]]))
    return _joined(lower), _joined(upper)


def _joined(parts: list[dict[str, Floats]]) -> dict[str, Floats]:
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


# Intervals for the means over several classes of the areas of each against the rest, by the Bayesian bootstrap.


def bootstrap_macro_areas(
    truth: Ints,
    scores: Floats,
    weights: Floats | None,
    groups: Ints | None,
    *,
    level: float,
    n_resamples: int = 1000,
) -> pd.DataFrame:
    """Return the means over the classes of the areas of each against the rest, with intervals.

    Each class is a ranking of its own. In a resample a case weighs the same in all of them; the pseudo-cases of each
    are drawn apart. Each counts as it does for one ranking, times the square root of its class's share of the variance.
    (The variance of a class is proportional to one over its cases.) So many classes widen the interval no more than
    one.

    A mean of many classes varies less than they do, but few cases of a class mislead it as much. Three corrections
    follow, each small beside the interval of one class:

    - Draws of n cases vary less than the cases do. They are taken further from the sample's value, as if the variance
      were one part in n greater.
    - A positive is among those that score as high as itself: `average_precision` counts it, `pr_auc` half of it. The
      lower bounds leave it out.
    - Where the draws' area is less than the sample's, the sample's is less than the population's by as much.

    Parameters
    ----------
    truth : int array of shape (n,)
        The column of `scores` that each case belongs to. There is a case of each.
    scores : ndarray of shape (n, n_classes)
    weights : ndarray of shape (n,) or None
        Greater than 0.
    groups : int array of shape (n,) or None
    """
    n_classes = scores.shape[1]
    masses = np.bincount(truth, weights=weights)
    rarity = masses.sum() / masses / effective_units(weights, groups, len(truth))
    steps = [
        find_positive_steps(truth == place, scores[:, place], sample_weight=weights)
        for place in range(n_classes)
    ]
    samples = [
        Sample.of_cases(truth == place, [scores[:, place]], [each], weights, groups)
        for place, each in enumerate(steps)
    ]
    least = OF_CASES if weights is None and groups is None else OF_UNITS
    shapes = np.array([sample.part_of(least) for sample in samples])
    shapes *= np.sqrt(rarity / rarity.sum())
    parts = generator_for("bootstrap_macro_areas", "pseudo-cases").standard_gamma(
        shapes[:, None, None], (n_classes, n_resamples, 2)
    )
    held, lower, upper = [], [], []
    for sample, part in zip(samples, parts, strict=True):
        rng = generator_for("bootstrap_macro_areas", "cases")  # the same for all classes
        worst, best = resample(sample, n_resamples, rng, stratify=False, parts=part)
        held.append(resampled_areas(*sample.without_resampling()))
        lower.append(worst)
        upper.append(best)
    value, low, high = _mean(held), _mean(lower), _mean(upper)
    half_of_it = np.abs(high["average_precision"] - high["pr_auc"])
    wider = np.sqrt(1 + rarity @ rarity / rarity.sum())
    for name, area in value.items():
        low[name], high[name] = (area + wider * (draws[name] - area) for draws in (low, high))
    for name in ("average_precision", "pr_auc"):
        low[name] = low[name] - half_of_it
    for name in ("roc_auc", "average_precision", "pr_auc"):
        low[name] = np.maximum(low[name], 0.0)
    for name, draws in high.items():
        if not np.isnan(draws).all():
            bias = max(float(value[name][0] - np.nanmean(draws)), 0.0)
            low[name], high[name] = low[name] + 2 * bias, np.minimum(draws + 2 * bias, 1.0)
    return table_of(_mean(list(map(areas_of, steps))), value, low, high, level)


def _mean(areas: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: np.mean([each[name] for each in areas], axis=0) for name in areas[0]}
