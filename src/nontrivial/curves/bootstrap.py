"""Areas of resamples: intervals for areas, differences of areas and means of areas, and the exchange of two models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.stats import rankdata

from nontrivial import _draws as drawing
from nontrivial import _validation as validation
from nontrivial._arrays import Floats, Ints, Mask, Scores, chunks
from nontrivial._draws import Bounds, Cells, Draws, Imaginary, Units
from nontrivial._warnings import assumption_of, may_differ, warn_undefined, warn_unequal
from nontrivial.curves.areas import CURVE_AREAS, areas_of, resampled_areas
from nontrivial.curves.gain import warn_if_extrapolated, warn_if_undefined
from nontrivial.curves.points import count_steps
from nontrivial.seeds import generator_for, generator_of

METHOD = "bootstrap"
Areas = dict[str, Floats]

# Ranks beyond some 100 that differ by less than a percent count as ties, so that more cases hardly cost more time.
RANKS_APART = 100


def rank_bins(scores: Scores) -> Ints:
    """Return the bin of each rank, from the top; ties share their mean rank."""
    twice = 2 * len(scores)
    ends, end = [], 0
    while end < twice:
        end = min(end + max(1, end // RANKS_APART), twice)
        ends.append(end)
    return np.searchsorted(ends, twice - 2 * rankdata(scores), side="right")


def _merge_bins(bins: Ints, positive: Mask) -> Ints:
    """Number bins from 0; neighbours without a positive become a single one, which changes no area."""
    number = np.unique(bins, return_inverse=True)[1]
    has_positive = np.bincount(number, weights=positive) > 0
    is_first = has_positive | np.append(True, has_positive[:-1])
    return (np.cumsum(is_first) - 1)[number]


class Rankings:
    """Rankings of the same cases, or of the cases of each fold, and their cells, one ranking after the other."""

    # The cells of a ranking are the negatives and the positives of each rank from the top, in turns. The first two
    # and the last two hold imaginary cases alone.

    def __init__(
        self,
        ranked: Sequence[tuple[Mask, Scores]],  # which cases are positive, and their scores
        # Which imaginary cases are positive, which adverse ones are at the bottom, and which favourable ones are.
        imaginary: Sequence[tuple[Mask, Mask, Mask]],
        truth: Ints | Mask,
        classes: Ints,
        parts: Floats,
        units: Units,
        n_folds: int = 1,
    ) -> None:
        case_cells: list[Ints] = []
        imaginary_cells: list[list[Ints]] = [[], []]  # of the adverse and of the favourable cases
        self.starts = [0]
        for (positive, scores), (is_positive, *at_bottom) in zip(ranked, imaginary, strict=True):
            bins = _merge_bins(rank_bins(scores), positive) + 1
            start, last = self.starts[-1], 2 * int(bins.max()) + 2
            case_cells.append(start + 2 * bins + positive)
            for cells, is_at_bottom in zip(imaginary_cells, at_bottom, strict=True):
                cells.append(start + is_at_bottom * last + is_positive)
            self.starts.append(start + last + 2)
        # The rankings of one class, one for each fold, follow each other.
        by_class = [slice(first, first + n_folds) for first in range(0, len(ranked), n_folds)]
        case_cells, adverse, favourable = (
            [np.concatenate(cells[rankings]) for rankings in by_class]
            for cells in (case_cells, *imaginary_cells)
        )
        added = Imaginary(classes, parts, adverse, favourable)
        self.cells = Cells.of_cases(case_cells, self.starts[-1], truth, added, units)

    @classmethod
    def of_models(cls, positive: Mask, scores: Sequence[Scores], units: Units) -> Rankings:
        """Rank the same cases by one model or two; an adverse case is right for the second."""
        is_positive = np.array([False, True])
        at_ends = (is_positive, is_positive, ~is_positive), (is_positive, ~is_positive, is_positive)
        ranked = [(positive, model_scores) for model_scores in scores]
        parts = np.full(2, drawing.prior_part(2, len(scores)))
        return cls(ranked, at_ends[: len(scores)], positive, np.arange(2), parts, units)

    def areas(self, drawn: Floats) -> list[Areas]:
        return [resampled_areas(cells) for cells in np.split(drawn, self.starts[1:-1], axis=1)]


def _table(estimate: dict[str, float], level: float, bounds: dict[str, Bounds]) -> pd.DataFrame:
    table: dict[str, list[float]] = {}
    for name, value in estimate.items():
        ends = bounds.get(name, drawing.UNDEFINED)
        drawn = (ends.resamples, ends.pvalue) if ends.low == ends.low else (0, np.nan)
        table[name] = [value, ends.low, ends.high, *drawn]
    result = pd.DataFrame(table, index=["estimate", "low", "high", "resamples", "pvalue"])
    result.attrs = {"level": level, "method": METHOD}
    return result


def bootstrap_curve_areas(
    y_true: ArrayLike,
    y_score: ArrayLike,
    *,
    compared_with: ArrayLike | None = None,
    n_resamples: int = 1000,
    level: float = 0.95,
    groups: ArrayLike | None = None,
    random_state: int | np.random.Generator | None = None,
    pos_label: Any = None,
    sample_weight: ArrayLike | None = None,
) -> pd.DataFrame:
    """Return the areas of `curve_areas` with intervals, or compare those of two models.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `curve_areas`, as are the errors. The weight of a case in a resample multiplies its own.
    compared_with : array-like of shape (n,), optional
        Scores of another model for the same cases. The table then has the areas by `y_score` minus the areas by
        `compared_with`, from the same resamples.
    n_resamples, level, groups, random_state
        As in `prediction_advantage_interval`, as are the errors. The cases of a group weigh more or less together.

    Returns
    -------
    DataFrame
        A column for each area of `curve_areas`; rows ``estimate``, ``low``, ``high``, and ``resamples``, the number of
        resamples in which the area is defined. Two models also have ``pvalue``, two-sided, of equal areas: the greater
        one of exchanging the ranks of the two models in each case or group, and of the draws, which is at least
        2 / (n_resamples + 1). The cost curve's area has no interval (NaN), because thresholds were chosen on the same
        cases, and resampling does not show this optimism. ``attrs`` has the level, the method, what it ``assumes``
        (``"one_more_case"``, or with weights, groups or two models ``"alike_mistakes"``, as in `compare_models`), and
        for two models ``test_assumes``: the same for the p-value, or None without one.

    Warns
    -----
    UndefinedMetricWarning, ExtrapolatedAreaWarning
        As in `curve_areas`; the latter once. The former also comes if the expected F1 gain alone is NaN.
    nontrivial.measures.UnequalCasesWarning
        If two models are compared and some cases or groups count for more than others, by weight or size.
    UserWarning
        As in `prediction_advantage_interval`, for too few cases or groups; the ends are NaN.

    Notes
    -----
    The intervals are about other test cases for the same model, not about training again. The draws of the Bayesian
    bootstrap (Rubin 1981) add imaginary cases, which matter if a class has fewer than ten cases, or if hardly a case is
    misplaced. "Coverage of the intervals" in the documentation describes and measures them. In the draws alone, ranks
    beyond some 100 that differ by less than a percent count as ties, and more than 20,000 cases or groups that are
    drawn one by one, as for two models, form 1,000 random blocks.

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
    level = validation.check_in_unit_interval(level, "level")
    n_resamples = validation.check_resamples(n_resamples, level)
    draws = Draws(level, n_resamples, generator_of(random_state))
    compared = {"y_score": y_score} | ({} if compared_with is None else {"compared_with": compared_with})
    scores = [validation.as_scores(values, name) for name, values in compared.items()]
    validation.check_lengths(*scores)
    counted, weights, codes = validation.as_units(sample_weight, groups, len(scores[0]))
    units = Units(int(np.count_nonzero(counted)), weights, codes)
    is_compared = len(scores) == 2
    assumes = assumption_of(METHOD, unequal=is_compared or may_differ(sample_weight, groups))

    def table(
        estimate: dict[str, float], bounds: dict[str, Bounds], test_assumes: str | None = None
    ) -> pd.DataFrame:
        result = _table(estimate, level, bounds)
        result.attrs |= {"assumes": assumes} | ({"test_assumes": test_assumes} if is_compared else {})
        return result if is_compared else result.drop(index="pvalue")

    try:
        positive, _, _ = validation.binary_truth_and_scores(
            y_true, scores[0], pos_label=pos_label, sample_weight=sample_weight
        )
    except validation.OneClassError as error:
        warn_undefined(f"{error} All areas are set to NaN.")
        return table(dict.fromkeys(CURVE_AREAS, np.nan), {})
    positive, scores = positive[counted], [score[counted] for score in scores]
    steps_of_models = [count_steps(positive, score, weights) for score in scores]
    for steps in steps_of_models:
        warn_if_extrapolated(steps)
    estimate = _difference([areas_of(steps) for steps in steps_of_models])
    warn_if_undefined(estimate["expected_f1_gain"])
    if units.are_few:
        drawing.warn_few("the intervals are set to NaN")
        return table(estimate, {})
    rankings = Rankings.of_models(positive, scores, units)

    def statistic(drawn: Floats) -> Areas:
        return _difference(rankings.areas(drawn))

    bounds = drawing.bound_draws(rankings.cells, statistic, draws, estimate)
    if not is_compared:
        return table(estimate, bounds)
    for name, p in exchange_p_values(positive, scores, units, draws).items():
        half = max(p, bounds[name].pvalue) / 2
        bounds[name] = bounds[name].tested(*((half, 1.0) if estimate[name] >= 0 else (1.0, half)), level)
    if not units.are_equal:
        warn_unequal()
    return table(estimate, bounds, test_assumes="alike_mistakes")


def _difference(areas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the areas of a single model, or those of the first of two models minus those of the second."""
    first, *others = areas
    return {name: area - sum(other[name] for other in others) for name, area in first.items()}


def _mean(areas: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: np.mean([ranking_areas[name] for ranking_areas in areas], axis=0) for name in areas[0]}


def bootstrap_mean_areas(
    truth: Ints,
    scores: Floats,
    units: Units,
    *,
    level: float,
    n_resamples: int = 1000,
    fold: Ints | None = None,
    ranked: Sequence[int] | None = None,
) -> pd.DataFrame:
    """Return the means, also over folds, of the areas of each class, or of those `ranked`, with intervals."""
    # In a resample a case has the same weight for all classes. Each fold has all imaginary cases. An imaginary case is
    # at the top of the ranking of its own class (favourable) or of another one (adverse), else at the bottom.
    fold_numbers = np.zeros(len(truth), dtype=int) if fold is None else fold
    folds = [np.flatnonzero(fold_numbers == number) for number in range(int(fold_numbers.max()) + 1)]
    n_folds, order = len(folds), np.concatenate(folds)
    classes = range(scores.shape[1]) if ranked is None else ranked
    true, wrong, parts = drawing.imaginary_predictions(scores.shape[1])
    ranked_cases, imaginary, areas = [], [], []
    for k in classes:
        for cases in folds:
            positive, score = truth[cases] == k, scores[cases, k]
            ranked_cases.append((positive, score))
            imaginary.append((true == k, wrong != k, true != k))
            areas.append(areas_of(count_steps(positive, score, units.part(cases).weights)))
    true, parts = np.tile(true, n_folds), np.tile(parts, n_folds)
    rankings = Rankings(ranked_cases, imaginary, truth[order], true, parts, units.part(order), n_folds)
    estimate = _mean(areas)
    if rankings.cells.are_few:
        return _table(estimate, level, {})

    def statistic(drawn: Floats) -> Areas:
        return _mean(rankings.areas(drawn))

    rng = generator_for("bootstrap_macro_areas") if fold is None else generator_of(None)
    bounds = drawing.bound_draws(rankings.cells, statistic, Draws(level, n_resamples, rng), estimate)
    if len(classes) > 1:  # the interval is made symmetric by moving the nearer end out, but never above 1
        for name, ends in bounds.items():
            low, high = 2 * estimate[name] - ends.high, min(2 * estimate[name] - ends.low, 1.0)
            bounds[name] = ends._replace(low=min(ends.low, low), high=max(ends.high, high))
    return _table(estimate, level, bounds)


# The test of equal areas of two models by exchanging them in each case or group.
#
# The Bayesian bootstrap alone does not hold its level if a few cases make most of a difference. In 1,000 samples with
# ten positives, two of them misplaced by each of two models that hardly differ, it rejected equality in 9 %.


def exchange_p_values(positive: Mask, scores: list[Scores], units: Units, draws: Draws) -> dict[str, float]:
    """Return two-sided p-values of the hypothesis that two models can be exchanged in each unit separately."""
    # Exchanged are the ranks of a case (Venkatraman and Begg 1996; Bandos, Rockette and Gur 2005).
    unit, n_units = units.drawn()
    all_bins = np.concatenate([rank_bins(model_scores) for model_scores in scores])
    bins = np.split(_merge_bins(all_bins, np.tile(positive, 2)), 2)
    shape = n_units, 2 * int(np.max(bins)) + 2
    first, second = (csr_array((units.mass, (unit, 2 * model_bins + positive)), shape) for model_bins in bins)

    def differences(stays: Floats) -> Areas:
        exchanged = (stays @ first + (1 - stays) @ second, stays @ second + (1 - stays) @ first)
        return _difference([resampled_areas(np.asarray(cells)) for cells in exchanged])

    observed = differences(np.ones((1, n_units)))
    least = {name: abs(float(value[0])) * (1 - 1e-9) - 1e-12 for name, value in observed.items()}
    beyond, rng = dict.fromkeys(observed, 1), generator_of(draws.random_state)
    for part in chunks(draws.n_resamples, length=max(drawing.BATCH // max(shape), 1)):
        stays = rng.integers(2, size=(part.stop - part.start, n_units)).astype(float)
        for name, values in differences(stays).items():
            beyond[name] += int(np.count_nonzero(~(np.abs(values) < least[name])))
    return {name: count / (1 + draws.n_resamples) for name, count in beyond.items()}
