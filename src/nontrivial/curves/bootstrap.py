"""Intervals for areas, differences of areas, and means over classes, by the Bayesian bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints, Mask, Scores
from nontrivial._draws import (
    PRIOR,
    Cells,
    are_equal,
    are_few,
    ends,
    imaginary_predictions,
    p_values,
    resample,
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
from nontrivial.curves.resampling import WeightedSteps, exchange_p_values, rank_bins, resampled_areas
from nontrivial.seeds import generator_for, generator_of

METHOD = "bootstrap"
Areas = dict[str, Floats]


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
        `AdvantageInterval` and `compare_models`), and ``pseudo_case``, the part of a case that each imaginary case
        counts as. For two models it also has what the p-value assumes, ``test_assumes``: the same, or None if there is
        no p-value.

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
        Where there are fewer than five cases or groups, or weights leave an effective sample size below five (Kish
        1965): the ends are NaN.

    Notes
    -----
    The intervals are about other test cases for the same model, not about training again. To the cases of the sample
    the draws add half an imaginary case of each class at the top of the ranking and as much at the bottom, tied; for
    two models a quarter of a case of each class at each of the four combinations of ends. An end that the estimate
    passes is moved to it, so that the interval of a perfect ranking ends at 1. With fewer than ten cases of a class, or
    hardly a mistake, the intervals rest largely on the imaginary cases.

    The draws alone would tell equal models apart too often where few cases make most of the difference. So the p-value
    is at least that of exchanging the models. It is never below 2 / (n_resamples + 1). The measured coverage is in the
    documentation, under "Coverage of the intervals".

    Beyond some 200, ranks that differ by less than half a percent count as ties in the draws; the estimate itself
    always rests on all of them. More than 20,000 cases, or groups, that are drawn one by one, as for two models, are
    drawn in 1,000 random blocks.

    References
    ----------
    Rubin 1981, The Bayesian bootstrap.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> labels = np.repeat([0, 1], 100)
    >>> scores = rng.normal(size=200) + labels
    >>> bootstrap_curve_areas(labels, scores, random_state=0).loc[:"high", ["roc_auc", "prg_auc"]].round(2)
              roc_auc  prg_auc
    estimate     0.74     0.49
    low          0.67     0.33
    high         0.80     0.63
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
    attrs: dict[str, Any] = {"assumes": assumes, "pseudo_case": PRIOR / len(scores)}
    try:
        positive, _, _ = binary_truth_and_scores(
            y_true, scores[0], pos_label=pos_label, sample_weight=sample_weight
        )
    except OneClassError as error:
        warn_undefined(f"{error} All areas are set to NaN.")
        attrs |= {"pseudo_case": np.nan} | ({"test_assumes": None} if is_compared else {})
        undefined = _table(dict.fromkeys(AREAS, np.nan), {}, level, attrs)
        return undefined if is_compared else undefined.drop(index="pvalue")
    positive, scores = positive[counted], [each[counted] for each in scores]
    steps = [find_positive_steps(positive, each, sample_weight=weights) for each in scores]
    for each in steps:
        warn_if_extrapolated(each)
    estimate = _difference(list(map(areas_of, steps)))
    warn_if_undefined(estimate["expected_f1_gain"])
    few, draws = are_few(weights, cluster, len(positive)), {}
    if few:
        warn_few("the intervals are set to NaN")
    else:
        # The better model comes first, so that exchanging the two changes the signs alone.
        order = 1 if estimate["roc_auc"] >= 0 else -1
        cells, width = cells_of_models(positive, scores[::order], weights, cluster)
        masses = (steps[0].positives, steps[0].negatives) if stratify else None
        draws = _resampled(
            cells,
            lambda drawn: _difference(_areas(drawn, width, masses)[::order]),
            estimate,
            n_resamples,
            rng,
        )
    found = _table(estimate, draws, level, attrs)
    if not is_compared:
        return found.drop(index="pvalue")
    found.attrs["test_assumes"] = None if few else "alike_mistakes"
    if few:
        return found
    for name, pvalue in exchange_p_values(positive, scores, weights, cluster, n_resamples, rng).items():
        low, high, of_draws = found.loc[["low", "high", "pvalue"], name]
        if pvalue > (1 - level) * (1 + 1e-9):
            low, high = min(low, 0.0), max(high, 0.0)
        found.loc[["low", "high", "pvalue"], name] = [low, high, max(of_draws, pvalue)]
    if not are_equal(weights, cluster, len(positive)):
        warn_unequal()
    return found


def cells_of_models(
    positive: Mask, scores: list[Scores], weights: Floats | None, groups: Ints | None
) -> tuple[Cells, list[int]]:
    """Return the cells of the rankings of one model or two, one after the other, and how many each has.

    Those of a ranking are the negatives and the positives of each score from the top, in turns. The first two and the
    last two hold imaginary cases alone.
    """
    bins = [np.unique(rank_bins(each)[0], return_inverse=True)[1] + 1 for each in scores]
    width = [2 * int(each.max()) + 4 for each in bins]
    start = np.cumsum([0, *width])
    # Each imaginary case: its class, and whether each model ranks it at the bottom.
    classes, *bottom = np.indices((2,) * (1 + len(scores))).reshape(1 + len(scores), -1)
    imaginary = [
        first + end * (size - 2) + classes for first, end, size in zip(start, bottom, width, strict=False)
    ]
    places = [first + 2 * each + positive for first, each in zip(start, bins, strict=False)]
    parts = np.full(len(classes), PRIOR / len(scores))
    return Cells.of_cases(
        places, int(start[-1]), imaginary, parts, (positive, classes), weights, groups
    ), width


def _areas(drawn: Floats, width: list[int], masses: tuple[float, float] | None = None) -> list[Areas]:
    """Return the areas of each model in each resample, whose classes are brought to some masses, if any."""
    found = []
    for cells in np.split(drawn, np.cumsum(width)[:-1], axis=1):
        steps = WeightedSteps.of_cells(cells)
        if masses is not None:
            of_both = zip((steps.gained, steps.passed), masses, strict=True)
            steps = WeightedSteps(
                *(each * (mass / each.sum(axis=1, keepdims=True)) for each, mass in of_both)
            )
        found.append(resampled_areas(steps))
    return found


def _difference(areas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the one model's areas, or how far the first's exceed the second's."""
    first, *others = areas
    return {name: area - sum(other[name] for other in others) for name, area in first.items()}


def _resampled(
    cells: Cells,
    statistic: Callable[[Floats], Areas],
    estimate: dict[str, float],
    n_resamples: int,
    rng: np.random.Generator,
) -> Areas:
    """Return the areas of all resamples, moved by what ties of near ranks move those of the sample."""
    held = statistic(cells.weights[None])
    draws = resample(cells, statistic, n_resamples, rng)
    return {name: each + (estimate[name] - held[name][0]) for name, each in draws.items()}


def _table(estimate: dict[str, float], draws: Areas, level: float, attrs: dict[str, Any]) -> pd.DataFrame:
    table: dict[str, list[float]] = {}
    for name, value in estimate.items():
        defined = draws.get(name, np.array([]))
        defined = defined[~np.isnan(defined)]
        if np.isnan(value) or len(defined) < least_resamples(level):
            table[name] = [value, np.nan, np.nan, 0, np.nan]
        else:
            pvalue = min(2 * min(p_values(defined, value)), 1.0)
            table[name] = [value, *ends(defined, value, level), len(defined), pvalue]
    found = pd.DataFrame(table, index=["estimate", "low", "high", "resamples", "pvalue"])
    found.attrs = {"level": level, "method": METHOD}
    found.attrs.update(attrs)
    return found


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

    In a resample a case weighs the same for all classes. An imaginary case is at the top of the ranking of the class
    that is predicted and at the bottom of all others.

    Parameters
    ----------
    truth : int array of shape (n,)
        The column of `scores` that each case belongs to. There is a case of each.
    scores : ndarray of shape (n, n_classes)
    weights : ndarray of shape (n,) or None
        Greater than 0.
    groups : int array of shape (n,) or None
    """
    classes = np.arange(scores.shape[1])
    bins = [np.unique(rank_bins(each)[0], return_inverse=True)[1] + 1 for each in scores.T]
    width = [2 * int(each.max()) + 4 for each in bins]
    start = np.cumsum([0, *width])
    true, predicted, parts = imaginary_predictions(len(classes))
    places = [start[k] + 2 * bins[k] + (truth == k) for k in classes]
    imaginary = [start[k] + (predicted != k) * (width[k] - 2) + (true == k) for k in classes]
    cells = Cells.of_cases(places, int(start[-1]), imaginary, parts, (truth, true), weights, groups)
    steps = [find_positive_steps(truth == k, scores[:, k], sample_weight=weights) for k in classes]
    estimate = _mean(list(map(areas_of, steps)))
    rng = generator_for("bootstrap_macro_areas")
    draws = _resampled(cells, lambda drawn: _mean(_areas(drawn, width)), estimate, n_resamples, rng)
    found = _table(estimate, draws, level, {})
    value, low, high = (found.loc[row] for row in ("estimate", "low", "high"))
    found.loc["low"], found.loc["high"] = (
        np.minimum(low, 2 * value - high),
        np.maximum(high, np.minimum(2 * value - low, 1.0)),
    )
    return found


def _mean(areas: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: np.mean([each[name] for each in areas], axis=0) for name in areas[0]}
