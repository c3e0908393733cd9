"""Intervals of areas, of differences of areas and of mean areas by the bootstrap, and a test of equal areas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import csr_array
from scipy.stats import rankdata

from nontrivial import _draws as drawing
from nontrivial import _validation as validation
from nontrivial import _warnings as warning
from nontrivial._arrays import Floats, Ints, Mask, Scores, chunk_slices
from nontrivial._draws import Bounds, DrawnCells, DrawSettings, Imaginary, Units, find_units
from nontrivial.curves.areas import CURVE_AREAS, compute_areas, resampled_areas
from nontrivial.curves.gain import warn_if_extrapolated, warn_if_undefined
from nontrivial.curves.points import count_steps
from nontrivial.seeds import generator_for, user_generator

METHOD = "bootstrap"
Areas = dict[str, Floats]

# Ranks beyond some 100 that differ by less than a percent count as ties, so that more cases hardly cost more time.
RANKS_APART = 100


def bin_ranks(scores: Scores) -> Ints:
    """Return the bin of each case's rank, counted from the top; ties share their mean rank."""
    twice = 2 * len(scores)
    ends, end = [], 0
    while end < twice:
        end = min(end + max(1, end // RANKS_APART), twice)
        ends.append(end)
    return np.searchsorted(ends, twice - 2 * rankdata(scores), side="right")


def _merge_bins(bins: Ints, positive: Mask) -> Ints:
    """Number the bins from 0, and merge neighbours without a positive, which changes no area."""
    number = np.unique(bins, return_inverse=True)[1]
    has_positive = np.bincount(number, weights=positive) > 0
    is_first = has_positive | np.append(True, has_positive[:-1])
    return (np.cumsum(is_first) - 1)[number]


class RankedCases(NamedTuple):
    """The cases of a ranking, which imaginary cases are positive, and which lie at the bottom instead of the top."""

    is_positive: Mask
    scores: Scores
    imaginary_is_positive: Mask
    adverse_at_bottom: Mask
    favourable_at_bottom: Mask


class RankingCells(NamedTuple):
    """The cells of several rankings, one ranking after the other, and the first cell of each."""

    cells: DrawnCells
    starts: list[int]

    @classmethod
    def from_models(cls, positive: Mask, scores: Sequence[Scores], units: Units) -> RankingCells:
        """Rank the same cases by one model or two; an adverse case is right for the second."""
        is_positive = np.array([False, True])
        rankings = [RankedCases(positive, scores[0], is_positive, is_positive, ~is_positive)]
        if len(scores) == 2:
            rankings.append(RankedCases(positive, scores[1], is_positive, ~is_positive, is_positive))
        weights = np.full(2, drawing.prior_weight(2, len(scores)))
        return build_cells(rankings, positive, np.arange(2), weights, units)

    def areas(self, drawn: Floats) -> list[Areas]:
        return [resampled_areas(cells) for cells in np.split(drawn, self.starts[1:-1], axis=1)]


def build_cells(
    rankings: Sequence[RankedCases],
    truth: Ints | Mask,
    imaginary_classes: Ints,
    imaginary_weights: Floats,
    units: Units,
    n_folds: int = 1,
) -> RankingCells:
    """Return the cells of several rankings; each `n_folds` rankings in a row are the folds of one class."""
    # A ranking has two cells for each rank from the top: its negatives and its positives. The first two and the last
    # two hold imaginary cases alone.
    cells: dict[str, list[Ints]] = {"cases": [], "adverse": [], "favourable": []}
    starts = [0]
    for ranking in rankings:
        bins = _merge_bins(bin_ranks(ranking.scores), ranking.is_positive) + 1
        start, last = starts[-1], 2 * int(bins.max()) + 2
        at_bottom = {"adverse": ranking.adverse_at_bottom, "favourable": ranking.favourable_at_bottom}
        cells["cases"].append(start + 2 * bins + ranking.is_positive)
        for kind, is_at_bottom in at_bottom.items():
            cells[kind].append(start + is_at_bottom * last + ranking.imaginary_is_positive)
        starts.append(start + last + 2)
    by_class = [slice(first, first + n_folds) for first in range(0, len(rankings), n_folds)]
    joined = {kind: [np.concatenate(arrays[folds]) for folds in by_class] for kind, arrays in cells.items()}
    imaginary = Imaginary(imaginary_classes, imaginary_weights, joined["adverse"], joined["favourable"])
    return RankingCells(DrawnCells.from_cases(joined["cases"], starts[-1], truth, imaginary, units), starts)


def _tabulate_areas(estimate: dict[str, float], level: float, bounds: dict[str, Bounds]) -> pd.DataFrame:
    """Return a table with a column for each area: its estimate, ends, number of resamples and p-value."""
    table: dict[str, list[float]] = {}
    for name, value in estimate.items():
        ends = bounds.get(name, drawing.UNDEFINED_BOUNDS)
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
    """Return the areas of `curve_areas` with intervals, or compare the areas of two models.

    The intervals hold for other test cases and the same model, not for a model that is trained again. The Bayesian
    bootstrap (Rubin 1981) adds imaginary cases, which matter if a class has fewer than ten cases, or if hardly a case
    is misplaced; see "Coverage of the intervals" in the documentation. To save time, the draws take two shortcuts:
    ranks beyond some 100 that differ by less than a percent count as ties, and more than 20,000 cases or groups form
    1,000 random blocks if they have weights, or if two models are compared.

    Parameters
    ----------
    y_true, y_score, pos_label, sample_weight
        As in `curve_areas`, as are the errors. In a resample, a case's own weight is multiplied by a drawn weight.
    compared_with : array-like of shape (n,), optional
        Scores of another model for the same cases. The table then has the areas by `y_score` minus the areas by
        `compared_with`, from the same resamples.
    n_resamples, level, groups, random_state
        As in `prediction_advantage_interval`, as are the errors. The cases of a group share a drawn weight.

    Returns
    -------
    DataFrame
        A column for each area of `curve_areas`; rows ``estimate``, ``low``, ``high``, and ``resamples``, the number of
        resamples in which the area is defined. For two models, the row ``pvalue`` tests two-sided whether the areas are
        equal. There are two such p-values, and the greater one counts: from exchanging the ranks of the two models in
        each case or group, and from the draws, at least 2 / (n_resamples + 1). The cost curve's area has no interval
        (NaN): thresholds were chosen on the same cases, and resampling does not show this optimism. ``attrs`` has the
        level, the method and what it ``assumes``: ``"one_more_case"``, or with weights, groups or two models
        ``"alike_mistakes"``, as in `compare_models`. For two models it also has ``test_assumes``: the same for the
        p-value, or None without one.

    Warns
    -----
    UndefinedMetricWarning, ExtrapolatedAreaWarning
        As in `curve_areas`. The first also comes if the expected F1 gain alone is NaN.
    nontrivial.measures.UnequalCasesWarning, UserWarning
        As in `compare_models`, for cases or groups that count for more than others, and for too few of them.

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
    draws = DrawSettings(level, n_resamples, user_generator(random_state))
    compared = {"y_score": y_score} | ({} if compared_with is None else {"compared_with": compared_with})
    scores = [validation.as_scores(values, name) for name, values in compared.items()]
    validation.check_lengths(*scores)
    counted, units = find_units(sample_weight, groups, len(scores[0]))
    is_compared = len(scores) == 2
    assumes = warning.interval_assumption(
        METHOD, unequal=is_compared or warning.has_weights_or_groups(sample_weight, groups)
    )

    def table(estimate: dict[str, float], bounds: dict[str, Bounds], test_assumes: str | None = None) -> pd.DataFrame:
        result = _tabulate_areas(estimate, level, bounds)
        result.attrs |= {"assumes": assumes} | ({"test_assumes": test_assumes} if is_compared else {})
        return result if is_compared else result.drop(index="pvalue")

    try:
        positive, _, _ = validation.binary_truth_and_scores(
            y_true, scores[0], pos_label=pos_label, sample_weight=sample_weight
        )
    except validation.OneClassError as error:
        warning.warn_undefined(f"{error} All areas are set to NaN.")
        return table(dict.fromkeys(CURVE_AREAS, np.nan), {})
    positive, scores = positive[counted], [score[counted] for score in scores]
    steps_of_models = [count_steps(positive, score, units.weights) for score in scores]
    for steps in steps_of_models:
        warn_if_extrapolated(steps)
    estimate = _subtract_second([compute_areas(steps) for steps in steps_of_models])
    warn_if_undefined(estimate["expected_f1_gain"])
    if units.are_few:
        drawing.warn_few_units("the intervals are set to NaN")
        return table(estimate, {})
    rankings = RankingCells.from_models(positive, scores, units)

    def statistic(drawn: Floats) -> Areas:
        return _subtract_second(rankings.areas(drawn))

    bounds = drawing.bootstrap_bounds(rankings.cells, statistic, draws, estimate)
    if not is_compared:
        return table(estimate, bounds)
    for name, p in exchange_p_values(positive, scores, units, draws).items():
        half = max(p, bounds[name].pvalue) / 2
        bounds[name] = bounds[name].with_p_values(*((half, 1.0) if estimate[name] >= 0 else (1.0, half)), level)
    if not units.are_equal:
        warning.warn_unequal_cases()
    return table(estimate, bounds, test_assumes="alike_mistakes")


def _subtract_second(areas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the areas of a single model, or of two models the first's areas minus the second's."""
    first, *second = areas
    return {name: area - sum(model[name] for model in second) for name, area in first.items()}


def _average_areas(areas: list[dict[str, Any]]) -> dict[str, Any]:
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
    """Return each area's mean over the classes, or over the classes `ranked`, and over the folds, with an interval."""
    # In a resample a case has the same weight for all classes, and each fold has all imaginary cases. A favourable one
    # is at the top of the ranking of its own class, an adverse one at the top of another class.
    fold_numbers = np.zeros(len(truth), dtype=int) if fold is None else fold
    folds = [np.flatnonzero(fold_numbers == number) for number in range(int(fold_numbers.max()) + 1)]
    n_folds, order = len(folds), np.concatenate(folds)
    classes = range(scores.shape[1]) if ranked is None else ranked
    imaginary = drawing.imaginary_predictions(scores.shape[1])
    (wrong,) = imaginary.adverse
    rankings, areas = [], []
    for k in classes:
        for cases in folds:
            positive, score = truth[cases] == k, scores[cases, k]
            own = imaginary.classes == k
            rankings.append(RankedCases(positive, score, own, wrong != k, ~own))
            areas.append(compute_areas(count_steps(positive, score, units.select(cases).weights)))
    classes_of_folds, weights = np.tile(imaginary.classes, n_folds), np.tile(imaginary.weights, n_folds)
    ranked_cells = build_cells(rankings, truth[order], classes_of_folds, weights, units.select(order), n_folds)
    estimate = _average_areas(areas)
    if ranked_cells.cells.are_few:
        return _tabulate_areas(estimate, level, {})

    def statistic(drawn: Floats) -> Areas:
        return _average_areas(ranked_cells.areas(drawn))

    rng = generator_for("bootstrap_macro_areas") if fold is None else user_generator(None)
    bounds = drawing.bootstrap_bounds(ranked_cells.cells, statistic, DrawSettings(level, n_resamples, rng), estimate)
    if len(classes) > 1:  # make the interval symmetric: move the nearer end out, but never above 1
        for name, ends in bounds.items():
            low, high = 2 * estimate[name] - ends.high, min(2 * estimate[name] - ends.low, 1.0)
            bounds[name] = ends._replace(low=min(ends.low, low), high=max(ends.high, high))
    return _tabulate_areas(estimate, level, bounds)


# The Bayesian bootstrap alone does not hold its level if a few cases make most of a difference. In 1,000 samples with
# ten positives, two of them misplaced by each of two models that hardly differ, it rejected equality in 9 %.


def exchange_p_values(positive: Mask, scores: list[Scores], units: Units, draws: DrawSettings) -> dict[str, float]:
    """Return two-sided p-values of equal areas, from exchanging the two models' ranks in random cases or groups."""
    # Venkatraman and Begg 1996; Bandos, Rockette and Gur 2005.
    unit, n_units = units.number_drawn_units()
    all_bins = np.concatenate([bin_ranks(model_scores) for model_scores in scores])
    bins = np.split(_merge_bins(all_bins, np.tile(positive, 2)), 2)
    shape = n_units, 2 * int(np.max(bins)) + 2
    first, second = (csr_array((units.case_weights, (unit, 2 * model_bins + positive)), shape) for model_bins in bins)

    def differences(stays: Floats) -> Areas:
        exchanged = (stays @ first + (1 - stays) @ second, stays @ second + (1 - stays) @ first)
        return _subtract_second([resampled_areas(np.asarray(cells)) for cells in exchanged])

    observed = differences(np.ones((1, n_units)))
    least = {name: abs(float(value[0])) * (1 - 1e-9) - 1e-12 for name, value in observed.items()}
    beyond, rng = dict.fromkeys(observed, 1), user_generator(draws.random_state)
    for batch in chunk_slices(draws.n_resamples, length=max(drawing.MAX_WEIGHTS_AT_ONCE // max(shape), 1)):
        stays = rng.integers(2, size=(batch.stop - batch.start, n_units)).astype(float)
        for name, values in differences(stays).items():
            beyond[name] += int(np.count_nonzero(~(np.abs(values) < least[name])))
    return {name: count / (1 + draws.n_resamples) for name, count in beyond.items()}
