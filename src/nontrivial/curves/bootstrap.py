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
from nontrivial._draws import Bounds, Cells, Statistic
from nontrivial._warnings import assumption_of, may_differ, warn_undefined, warn_unequal
from nontrivial.curves.areas import AREAS, areas_of, artanh_excess
from nontrivial.curves.gain import warn_if_extrapolated, warn_if_undefined
from nontrivial.curves.points import find_positive_steps
from nontrivial.seeds import generator_for, generator_of

METHOD = "bootstrap"
Areas = dict[str, Floats]

# The areas of one ranking under many sets of weights at once: the formulas of single rankings, a row for each set.


class WeightedSteps:
    """Steps from each score to the next, from the greatest down, with a row for each set of weights.

    A step has gained so many positives and passed so many negatives. Without positives it counts for nothing.
    """

    def __init__(self, gained: Floats, passed: Floats) -> None:
        self.gained = gained
        self.tp_end, self.fp_end = np.cumsum(gained, axis=1), np.cumsum(passed, axis=1)
        self.tp_start, self.fp_start = self.tp_end - gained, self.fp_end - passed
        self.positives, self.negatives = self.tp_end[:, -1:], self.fp_end[:, -1:]

    def mean(self, values: Floats) -> Floats:
        """Return the mean over the positives."""
        weighted = np.where(self.gained > 0, self.gained * values, 0.0)
        return np.asarray(weighted.sum(axis=1) / self.positives[:, 0])


def resampled_areas(cells: Floats, masses: tuple[float, float] | None = None) -> Areas:
    """Return the areas that `curve_areas` names, but that of the cost curve; one value for each row.

    The cells are the weights of the negatives and of the positives of each score, in turns. The positives and the
    negatives are brought to masses, if any.
    """
    of_both = [cells[:, 1::2], cells[:, ::2]]
    if masses is not None:
        pairs = zip(of_both, masses, strict=True)
        of_both = [each * (mass / each.sum(axis=1, keepdims=True)) for each, mass in pairs]
    steps = WeightedSteps(*of_both)
    with np.errstate(divide="ignore", invalid="ignore"):
        gain, expected = _gain_areas(steps)
        return {
            "roc_auc": steps.mean(1 - (steps.fp_start + steps.fp_end) / (2 * steps.negatives)),
            "average_precision": steps.mean(steps.tp_end / (steps.tp_end + steps.fp_end)),
            "pr_auc": steps.mean(_hyperbolic(steps)),
            "prg_auc": gain,
            "expected_f1_gain": expected,
        }


def _hyperbolic(steps: WeightedSteps) -> Floats:
    before, after = steps.tp_start + steps.fp_start, steps.tp_end + steps.fp_end
    middle = (steps.tp_start + steps.tp_end) / (before + after)
    added = after - before
    excess = artanh_excess(added / (before + after))
    # An imaginary case may weigh so little that the sum stays as it is; then there is nothing to correct.
    share = np.where(added > 0, steps.gained / added, middle)
    return np.asarray(middle + excess * (middle - share))


def _gain_areas(steps: WeightedSteps) -> tuple[Floats, Floats]:
    """Return AUPRG and the expected F1 gain; each step counts from recall gain 0 on."""
    positives, negatives = steps.positives, steps.negatives
    zero_tp = positives**2 / (positives + negatives)
    tp_start, tp_end = np.maximum(steps.tp_start, zero_tp), np.maximum(steps.tp_end, zero_tp)
    with np.errstate(over="ignore"):  # an imaginary case may gain next to nothing
        share = np.where(steps.gained > 0, (tp_start - steps.tp_start) / steps.gained, 0.0)
    fp_start = steps.fp_start + np.clip(share, 0, 1) * (steps.fp_end - steps.fp_start)
    height = 1 - positives / negatives * (fp_start / tp_start + steps.fp_end / tp_end) / 2
    width = (tp_end - tp_start) / (tp_start * tp_end)
    area = (width * height).sum(axis=1) / width.sum(axis=1)

    first = np.argmax(steps.tp_end >= zero_tp, axis=1)
    fp = fp_start[np.arange(len(first)), first]
    positives, negatives = positives[:, 0], negatives[:, 0]
    tn = negatives - fp
    top = 1 - (positives + negatives) * fp / (positives * negatives)
    numerator = area * (positives + negatives) / 2 + (positives * top**2 + negatives) / 4
    expected = numerator / ((positives + negatives) * (tn / negatives))
    return area, np.where(tn > 0, expected, np.nan)


# The cells of rankings, one after the other: in each, the negatives and the positives of each rank from the top, in
# turns. The first two and the last two hold imaginary cases alone. Beyond some 200, ranks that differ by less than half
# a percent count as ties, so that a resample costs no more for more cases.


RANKS_APART = 200


def rank_bins(scores: Scores) -> tuple[Ints, int]:
    """Return the bin of each rank, from the top, and how many bins there are; ties share their mean rank."""
    twice = 2 * len(scores)
    ends, at = [], 0
    while at < twice:
        at = min(at + max(1, at // RANKS_APART), twice)
        ends.append(at)
    return np.searchsorted(ends, twice - 2 * rankdata(scores), side="right"), len(ends)


class Rankings:
    """Rankings of the same cases, or of the cases of each fold."""

    def __init__(self, scores: Sequence[Scores]) -> None:
        self.bins = [np.unique(rank_bins(each)[0], return_inverse=True)[1] + 1 for each in scores]
        self.width = [2 * int(each.max()) + 4 for each in self.bins]
        self.start = np.cumsum([0, *self.width])

    def cells(
        self,
        positive: Sequence[Mask],
        imaginary: Sequence[tuple[Ints | Mask, Ints | Mask]],
        parts: Floats,
        classes: tuple[Ints | Mask, Ints],
        units: tuple[Floats | None, Ints | None],
        *,
        n_folds: int = 1,
    ) -> Cells:
        """Return the cells, from which cases and which imaginary ones are positive, and which of these at the bottom.

        The parts and classes are those of `Cells.of_cases`; units are its weights and groups.
        """
        places, ends = [], []
        for k, (of_cases, (of_ends, at_bottom)) in enumerate(zip(positive, imaginary, strict=True)):
            places.append(self.start[k] + 2 * self.bins[k] + of_cases)
            ends.append(self.start[k] + at_bottom * (self.width[k] - 2) + of_ends)
        if n_folds > 1:  # the rankings of one class follow each other
            starts = range(0, len(places), n_folds)
            places, ends = (
                [np.concatenate(each[start : start + n_folds]) for start in starts] for each in (places, ends)
            )
        return Cells.of_cases(places, int(self.start[-1]), ends, parts, classes, *units)

    def areas(self, drawn: Floats, masses: tuple[float, float] | None = None) -> list[Areas]:
        """Return the areas of each ranking in each resample."""
        return [resampled_areas(each, masses) for each in np.split(drawn, self.start[1:-1], axis=1)]

    def mean_areas(self, drawn: Floats) -> Areas:
        """Return the means over the rankings."""
        return _mean(self.areas(drawn))


def cells_of_models(
    positive: Mask, scores: Sequence[Scores], weights: Floats | None, groups: Ints | None
) -> tuple[Cells, Rankings]:
    """Return the cells of the rankings of one model or two."""
    rankings, n_models = Rankings(scores), len(scores)
    # Each imaginary case: its class, and whether each model ranks it at the bottom.
    classes, *bottom = np.indices((2,) * (1 + n_models)).reshape(1 + n_models, -1)
    imaginary, units = [(classes, each) for each in bottom], (weights, groups)
    parts = np.full(len(classes), drawing.PRIOR / n_models)
    return rankings.cells([positive] * n_models, imaginary, parts, (positive, classes), units), rankings


def _table(estimate: dict[str, float], level: float, draws: Areas | None = None) -> pd.DataFrame:
    table: dict[str, list[float]] = {}
    for name, value in estimate.items():
        defined = np.array([]) if draws is None or name not in draws else draws[name]
        defined = defined[~np.isnan(defined)]
        found = Bounds.of_draws(defined, value, level)
        has_ends = not np.isnan(found.low)
        table[name] = [value, *found[:2], *((len(defined), found.pvalue) if has_ends else (0, np.nan))]
    result = pd.DataFrame(table, index=["estimate", "low", "high", "resamples", "pvalue"])
    result.attrs = {"level": level, "method": METHOD}
    return result


def _resampled(
    estimate: dict[str, float],
    cells: Cells,
    statistic: Statistic,
    n_resamples: int,
    generator: np.random.Generator,
) -> Areas:
    """Return the areas of all resamples, moved by what ties of near ranks move those of the sample."""
    held = statistic(cells.weights[None])
    draws = drawing.resample(cells, statistic, n_resamples, generator)
    return {name: each + (estimate[name] - held[name][0]) for name, each in draws.items()}


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
    y_true, y_score, pos_label, sample_weight
        As in `curve_areas`. The weight of a case in a resample multiplies its own.
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
    passes is moved to it. With fewer than ten cases of a class, or hardly a mistake, the intervals rest largely on the
    imaginary cases. The measured coverage is in the documentation, under "Coverage of the intervals".

    The draws alone would tell equal models apart too often where few cases make most of the difference. So the p-value
    is at least that of exchanging the models. It is never below 2 / (n_resamples + 1).

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
    level = validation.check_in_unit_interval(level, "level")
    n_resamples = validation.check_resamples(n_resamples, level)
    validation.check_flag(stratify, "stratify")
    rng = generator_of(random_state)
    compared = {"y_score": y_score} | ({} if compared_with is None else {"compared_with": compared_with})
    is_compared = len(compared) == 2
    scores = [validation.as_scores(each, name) for name, each in compared.items()]
    validation.check_lengths(**dict(zip(compared, scores, strict=True)))
    counted, weights, cluster = validation.as_units(sample_weight, groups, len(scores[0]))
    assumes = assumption_of(METHOD, unequal=is_compared or may_differ(sample_weight, groups))
    said: dict[str, Any] = {"assumes": assumes, "pseudo_case": drawing.PRIOR / len(scores)}
    said |= {"test_assumes": None} if is_compared else {}

    def table(estimate: dict[str, float], draws: Areas | None = None, **more: Any) -> pd.DataFrame:
        found = _table(estimate, level, draws)
        found.attrs |= said | more
        return found if is_compared else found.drop(index="pvalue")

    try:
        positive, _, _ = validation.binary_truth_and_scores(
            y_true, scores[0], pos_label=pos_label, sample_weight=sample_weight
        )
    except validation.OneClassError as error:
        warn_undefined(f"{error} All areas are set to NaN.")
        return table(dict.fromkeys(AREAS, np.nan), pseudo_case=np.nan)
    positive, scores = positive[counted], [each[counted] for each in scores]
    steps = [find_positive_steps(positive, each, sample_weight=weights) for each in scores]
    for each in steps:
        warn_if_extrapolated(each)
    estimate = _difference(list(map(areas_of, steps)))
    warn_if_undefined(estimate["expected_f1_gain"])
    if drawing.are_few(weights, cluster, len(positive)):
        drawing.warn_few("the intervals are set to NaN")
        return table(estimate)
    # The better model comes first, so that exchanging the two changes the signs alone.
    order = 1 if estimate["roc_auc"] >= 0 else -1
    cells, rankings = cells_of_models(positive, scores[::order], weights, cluster)
    masses = (steps[0].positives, steps[0].negatives) if stratify else None

    def statistic(drawn: Floats) -> Areas:
        return _difference(rankings.areas(drawn, masses)[::order])

    draws = _resampled(estimate, cells, statistic, n_resamples, rng)
    if not is_compared:
        return table(estimate, draws)
    found = table(estimate, draws, test_assumes="alike_mistakes")
    for name, pvalue in exchange_p_values(positive, scores, weights, cluster, n_resamples, rng).items():
        low, high, of_draws = found.loc[["low", "high", "pvalue"], name]
        if pvalue > (1 - level) * (1 + 1e-9):
            low, high = min(low, 0.0), max(high, 0.0)
        found.loc[["low", "high", "pvalue"], name] = [low, high, max(of_draws, pvalue)]
    if not drawing.are_equal(weights, cluster, len(positive)):
        warn_unequal()
    return found


def _difference(areas: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the one model's areas, or how far the first's exceed the second's."""
    first, *others = areas
    return {name: area - sum(other[name] for other in others) for name, area in first.items()}


def _mean(areas: list[dict[str, Any]]) -> dict[str, Any]:
    return {name: np.mean([each[name] for each in areas], axis=0) for name in areas[0]}


# Means of areas over the classes, and over the folds of a cross-validation.


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

    Each class has a case, and a column of `scores`. In a resample a case has the same weight for all classes.
    An imaginary case is at the top of the ranking of its predicted class, and at the bottom of all other
    rankings.
    """
    rankings, classes = Rankings(list(scores.T)), range(scores.shape[1])
    true, predicted, parts = drawing.imaginary_predictions(len(classes))
    of_each, imaginary = [truth == k for k in classes], [(true == k, predicted != k) for k in classes]
    cells = rankings.cells(of_each, imaginary, parts, (truth, true), (weights, groups))
    steps = [find_positive_steps(of_each[k], scores[:, k], sample_weight=weights) for k in classes]
    estimate, rng = _mean(list(map(areas_of, steps))), generator_for("bootstrap_macro_areas")
    found = _table(estimate, level, _resampled(estimate, cells, rankings.mean_areas, n_resamples, rng))
    return _reaching_as_far(found)


def bootstrap_fold_areas(
    truth: Ints,
    scores: Floats,
    ranked: Sequence[int],
    fold: Ints,
    groups: Ints | None,
    *,
    level: float,
    n_resamples: int = 1000,
) -> pd.DataFrame:
    """Return the means of the areas over the folds, with intervals.

    Each case has a class, and a column of `scores` for each class. The areas are those of each ranked class
    against the rest, or their means. Each fold has cases of these classes. The imaginary cases are divided
    among the folds.
    """
    order, n_folds = np.argsort(fold, kind="stable"), int(fold.max()) + 1
    edges = np.searchsorted(fold[order], np.arange(1, n_folds))
    truths, values = np.split(truth[order], edges), np.split(scores[order], edges)
    each = [(number, k) for k in ranked for number in range(n_folds)]
    rankings = Rankings([values[number][:, k] for number, k in each])
    positives = [truths[number] == k for number, k in each]
    true, predicted, parts = drawing.imaginary_predictions(scores.shape[1])
    imaginary = [(true == k, predicted != k) for _, k in each]
    of_classes = truth[order], np.tile(true, n_folds)
    units = None, None if groups is None else groups[order]
    shares = np.tile(parts, n_folds) / n_folds
    cells = rankings.cells(positives, imaginary, shares, of_classes, units, n_folds=n_folds)
    steps = [
        find_positive_steps(one, values[number][:, k])
        for one, (number, k) in zip(positives, each, strict=True)
    ]
    estimate = _mean(list(map(areas_of, steps)))
    if cells.are_few:
        return _table(estimate, level)
    draws = _resampled(estimate, cells, rankings.mean_areas, n_resamples, generator_of(None))
    found = _table(estimate, level, draws)
    return found if len(ranked) == 1 else _reaching_as_far(found)


def _reaching_as_far(found: pd.DataFrame) -> pd.DataFrame:
    """Let intervals of means over classes reach as far to either side, but not beyond 1."""
    value, low, high = (found.loc[row] for row in ("estimate", "low", "high"))
    found.loc["low"] = np.minimum(low, 2 * value - high)
    found.loc["high"] = np.maximum(high, np.minimum(2 * value - low, 1.0))
    return found


# The test of equal areas of two models by exchanging them in each case or group.
#
# The Bayesian bootstrap alone does not hold its level where a few cases make most of a difference: with ten positives,
# of which either of two models that hardly differ misplaces two, it told them apart in 9 % of 1,000 samples.


def exchange_p_values(
    positive: Mask,
    scores: list[Scores],
    weights: Floats | None,
    groups: Ints | None,
    n_resamples: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Return two-sided p-values of the hypothesis that two models can be exchanged in each unit separately.

    What is exchanged is the place that each model gives a case (Venkatraman and Begg 1996; Bandos, Rockette and Gur
    2005).
    """
    unit, n_units = drawing.assign_blocks(groups, len(positive))
    mass = np.ones(len(positive)) if weights is None else weights
    _, n_bins = rank_bins(scores[0])
    one, other = (
        csr_array((mass, (unit, 2 * rank_bins(each)[0] + positive)), (n_units, 2 * n_bins)) for each in scores
    )

    def differences(kept: Floats) -> dict[str, Floats]:
        first, second = (
            resampled_areas(np.asarray(kept @ mine + (1 - kept) @ its))
            for mine, its in ((one, other), (other, one))
        )
        return {name: area - second[name] for name, area in first.items()}

    seen = differences(np.ones((1, n_units)))
    least = {name: abs(float(value[0])) * (1 - 1e-9) - 1e-12 for name, value in seen.items()}
    beyond = dict.fromkeys(seen, 1)
    for part in chunks(n_resamples, length=max(drawing.BATCH // max(n_units, 2 * n_bins), 1)):
        kept = rng.integers(2, size=(part.stop - part.start, n_units)).astype(float)
        for name, found in differences(kept).items():
            beyond[name] += int(np.count_nonzero(~(np.abs(found) < least[name])))
    return {name: count / (1 + n_resamples) for name, count in beyond.items()}
