"""The Bayesian bootstrap: cells whose weights are drawn, imaginary cases, and intervals and p-values from the draws.

A resample draws a weight for each case, or for each group of cases, from an exponential distribution (Rubin 1981).
A perfect model would be perfect in every such resample. So imaginary cases are added: a quarter of a case of each
class. An adverse one is predicted wrongly, a favourable one rightly. All resamples are made once with adverse and once
with favourable cases, and each end of an interval is the one further out.

In a ranking, an adverse positive is at the bottom and an adverse negative at the top. With k classes, half a case is
spread evenly over the classes. With two models, an adverse case is wrong for the first and right for the second, and
weighs only an eighth as much. A table, a ranking, and two models on the same cases differ only in their cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask, chunk_slices, count_codes
from nontrivial._validation import as_labels, as_weights, check_lengths, min_resamples
from nontrivial._warnings import warn_user
from nontrivial.seeds import generator_for, user_generator

PRIOR_WEIGHT = 1 / 4  # the weight of the imaginary case of each of two classes
PAIRED_PRIOR_WEIGHT = 1 / 32  # the same weight if two models are compared
CONFIDENCE_LEVEL = 0.95  # the level of every interval in a report
MIN_UNITS = 5  # samples with fewer cases or groups get no interval
MAX_WEIGHTS_AT_ONCE = 2**21  # limits the memory for drawn weights

# Above this number of cases or groups, random blocks of them are drawn, to bound the cost of a draw. The standard
# deviation of an estimate is then a few percent off at most.
MAX_UNITS_DRAWN = 20_000
N_BLOCKS = 1000


class Units(NamedTuple):
    """Independent units: `n` cases, which may have weights, or groups of cases, numbered from 0."""

    n: int
    weights: Floats | None = None
    groups: Ints | None = None

    @property
    def are_cases(self) -> bool:
        return self.weights is None and self.groups is None

    @property
    def case_weights(self) -> Floats:
        return np.ones(self.n) if self.weights is None else self.weights

    def select(self, cases: Ints) -> Units:
        weights = None if self.weights is None else self.weights[cases]
        return Units(len(cases), weights, None if self.groups is None else self.groups[cases])

    def sum_by_unit(self, values: Floats) -> Floats:
        """Return the weighted sum of the values of each unit."""
        weighted = np.asarray(values * self.case_weights)
        return weighted if self.groups is None else np.asarray(np.bincount(self.groups, weights=weighted))

    @property
    def sizes(self) -> Floats:
        return self.sum_by_unit(np.ones(self.n))

    def scaled_sums_by_unit(self, values: Floats) -> Floats:
        """Return the sums over units, divided by the greatest size: sums of values in [-1, 1] stay in [-1, 1]."""
        return np.asarray(self.sum_by_unit(values) / self.sizes.max())

    @property
    def effective_size(self) -> float:
        """The number of units of equal weight that are worth as much (Kish 1965)."""
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum())

    @property
    def are_few(self) -> bool:
        return self.effective_size < MIN_UNITS * (1 - 1e-9)

    @property
    def are_equal(self) -> bool:
        return self.effective_size >= len(self.sizes) * (1 - 1e-9)

    def number_drawn_units(self) -> tuple[Ints, int]:
        """Return for each case the number of its unit or random block of units, and the number of units or blocks."""
        units = np.arange(self.n) if self.groups is None else self.groups
        n_units = int(units.max()) + 1
        if n_units <= MAX_UNITS_DRAWN:
            return units, n_units
        return generator_for("blocks").integers(N_BLOCKS, size=n_units, dtype=np.int16)[units], N_BLOCKS


def find_units(sample_weight: ArrayLike | None, groups: ArrayLike | None, n: int) -> tuple[Mask, Units]:
    """Return which of `n` cases have a weight above 0, and the units of these cases."""
    weights = as_weights(sample_weight, n)
    counted = np.ones(n, dtype=bool) if weights is None else weights > 0
    n_counted = int(np.count_nonzero(counted))
    if weights is not None:
        weights = weights[counted]
        if np.allclose(weights, weights[0], rtol=1e-9, atol=0):
            weights = None
    if groups is None:
        return counted, Units(n_counted, weights)
    labels = as_labels(groups, "groups")
    check_lengths(labels, range(n))
    group_numbers, names = pd.factorize(labels[counted], sort=True)
    if len(names) == 1:
        raise ValueError("groups has one group only; an interval needs at least two.")
    return counted, Units(n_counted, weights, None if len(names) == n_counted else group_numbers)


def warn_few_units(consequence: str) -> None:
    warn_user(f"The effective sample size is below {MIN_UNITS} cases or groups; {consequence}.", UserWarning)


# Imaginary cases, and the cells that are drawn.


def prior_weight(n_classes: int, n_models: int = 1) -> float:
    """Return the weight of the imaginary case of each class."""
    return 2 * (PRIOR_WEIGHT if n_models == 1 else PAIRED_PRIOR_WEIGHT) / n_classes


class Imaginary(NamedTuple):
    """Imaginary cases: their classes, their weights, and their cell in each ranking if adverse and if favourable."""

    classes: Ints
    weights: Floats
    adverse: Sequence[Ints]
    favourable: Sequence[Ints]


def imaginary_predictions(n_classes: int) -> Imaginary:
    """Return imaginary cases of each class: adverse ones, predicted as up to ten other classes, and right ones."""
    n_wrong = min(n_classes - 1, 10)
    classes = np.repeat(np.arange(n_classes), n_wrong)
    wrong = (classes + np.tile(np.arange(1, n_wrong + 1), n_classes)) % n_classes
    weights = np.full(len(classes), prior_weight(n_classes) / n_wrong)
    return Imaginary(classes, weights, [wrong], [classes])


@dataclass(frozen=True, eq=False)
class DrawnCells:
    """Cells of tables or rankings of the same cases, and the gamma variables that give them new weights."""

    weights: Floats  # the weight of each cell in the sample, without imaginary cases
    shapes: Floats  # the shapes of the gamma variables: how many cases or groups each stands for
    from_drawn: csr_array | None  # turns the variables into weights of cells; None if they are these weights
    imaginary_shapes: Floats  # the weights of the imaginary cases
    from_imaginary: tuple[csr_array, ...]  # the same for imaginary cases: adverse, then favourable ones
    are_cases: bool  # whether single cases of weight 1 are drawn, so that there are exact tests
    are_few: bool  # whether there are too few cases or groups for an interval

    @classmethod
    def from_counts(cls, counts: Floats) -> DrawnCells:
        """Build cells from counts of cases: for each class in turn, the right and the wrong predictions."""
        by_class = counts.reshape(-1, 2)
        order, n_cells = _order_cells(by_class), len(counts)
        from_drawn = csr_array((np.ones(n_cells), (np.arange(n_cells), order)), (n_cells, n_cells))
        right = order[::2][by_class[order[::2] // 2].any(axis=1)]
        weights = np.full(len(right), prior_weight(max(len(right), 1)))
        maps = tuple(_map_to_cells([cells], np.ones(len(right)), n_cells) for cells in (right + 1, right))
        return cls(counts, counts[order], from_drawn, weights, maps, True, bool(counts.sum() < MIN_UNITS))

    @classmethod
    def from_predictions(cls, truth: Ints | Mask, prediction: Ints | Mask, n_classes: int, units: Units) -> DrawnCells:
        """Build cells from class numbers: for each class in turn, the right and the wrong predictions."""
        cells = 2 * truth.astype(np.intp) + (truth != prediction)
        counts = count_codes(cells, 2 * n_classes, units.weights)
        if units.are_cases:
            return cls.from_counts(counts)
        right = _order_cells(counts.reshape(-1, 2))[::2]
        weights = np.full(n_classes, prior_weight(len(np.unique(truth))))
        imaginary = Imaginary(right // 2, weights, [right + 1], [right])
        return cls.from_cases([cells], 2 * n_classes, truth, imaginary, units)

    @classmethod
    def from_cases(
        cls, case_cells: Sequence[Ints], n_cells: int, truth: Ints | Mask, imaginary: Imaginary, units: Units
    ) -> DrawnCells:
        """Count the cases by the cell that each falls in, one cell in each ranking. A group is drawn as a whole."""
        cell_weights = np.sum([count_codes(cells, n_cells, units.weights) for cells in case_cells], axis=0)
        shapes, from_drawn, mean_weights = cell_weights, None, np.ones(len(imaginary.weights))
        if not units.are_cases or len(case_cells) > 1:
            drawn_units, n_drawn = units.number_drawn_units()
            shapes = np.ones(n_drawn)
            from_drawn = _map_to_cells(case_cells, units.case_weights, n_cells, drawn_units, n_drawn)
            n_classes = int(imaginary.classes.max()) + 1
            mean_weights = _mean_class_weights(truth.astype(np.intp), n_classes, units)[imaginary.classes]
        kinds = imaginary.adverse, imaginary.favourable
        maps = tuple(_map_to_cells(cells, mean_weights, n_cells) for cells in kinds)
        return cls(cell_weights, shapes, from_drawn, imaginary.weights, maps, units.are_cases, units.are_few)


def _map_to_cells(
    case_cells: Sequence[Ints], case_weights: Floats, n_cells: int, units: Ints | None = None, n_units: int = 0
) -> csr_array:
    """Return the matrix that turns a drawn variable for each unit, or else each case, into weights of cells."""
    rows = np.arange(len(case_weights)) if units is None else units
    entries = np.tile(rows, len(case_cells)), np.concatenate(case_cells)
    return csr_array((np.tile(case_weights, len(case_cells)), entries), (n_units or len(rows), n_cells))


def _mean_class_weights(truth: Ints, n_classes: int, units: Units) -> Floats:
    """Return for each class its mean weight in the cases, or in the groups, that contain the class."""
    total = np.bincount(truth, weights=units.case_weights, minlength=n_classes)
    if units.groups is not None:
        truth = np.unique(units.groups.astype(np.intp) * n_classes + truth) % n_classes
    return total / np.maximum(np.bincount(truth, minlength=n_classes), 1)


def _order_cells(counts_by_class: Floats) -> Ints:
    """Return the two cells of each class in an order that does not depend on the names of the classes."""
    return (2 * np.lexsort(counts_by_class.T)[:, None] + np.arange(2)).ravel()


# From draws to intervals and p-values.

Statistic = Callable[[Floats], dict[str, Floats]]  # takes the weights of the cells, a row for each resample


class DrawSettings(NamedTuple):
    """The level of the intervals, the number of resamples, and the seed or generator."""

    level: float
    n_resamples: int
    random_state: int | np.random.Generator | None = None


def resample_statistics(cells: DrawnCells, statistic: Statistic, draws: DrawSettings) -> list[dict[str, Floats]]:
    """Return the statistics of all resamples, once with adverse and once with favourable imaginary cases, if any."""
    generator, n_real = user_generator(draws.random_state), len(cells.shapes)
    shapes = np.concatenate([cells.shapes, cells.imaginary_shapes])
    n_at_once = max(MAX_WEIGHTS_AT_ONCE // max(len(shapes), len(cells.weights)), 1)
    batches = []
    for batch in chunk_slices(draws.n_resamples, length=n_at_once):
        drawn = generator.standard_gamma(shapes, (batch.stop - batch.start, len(shapes)))
        real, imaginary = drawn[:, :n_real], drawn[:, n_real:]
        weights = real if cells.from_drawn is None else np.asarray(real @ cells.from_drawn)
        variants = [weights + imaginary @ to_cells for to_cells in cells.from_imaginary] or [weights]
        batches.append([statistic(variant) for variant in variants])
    by_variant = zip(*batches, strict=True)
    return [{name: np.concatenate([part[name] for part in parts]) for name in parts[0]} for parts in by_variant]


def bootstrap_bounds(
    cells: DrawnCells, statistic: Statistic, draws: DrawSettings, estimate: dict[str, float] | None = None
) -> dict[str, Bounds]:
    """Return the bounds of each statistic from its resamples, which are shifted to an exact estimate if it is given."""
    resamples, bounds = resample_statistics(cells, statistic, draws), {}
    for name, values in statistic(cells.weights[None]).items():
        value = float(values[0]) if estimate is None else estimate[name]
        shift = value - float(values[0]) if estimate else 0.0
        variants = [Bounds.from_draws(variant[name] + shift, value, draws.level) for variant in resamples]
        bounds[name] = Bounds.furthest(variants)
    return bounds


class Bounds(NamedTuple):
    """The ends of an interval, and the p-values of the hypotheses "not above 0" and "not below 0"."""

    low: float
    high: float
    p_better: float
    p_worse: float
    resamples: int = 0  # the number of resamples in which the quantity is defined

    @classmethod
    def from_draws(cls, draws: Floats, estimate: float, level: float) -> Bounds:
        """Return ends that cut equal shares of the draws. If the estimate lies outside, the nearer end moves to it."""
        draws = draws[~np.isnan(draws)]
        n, low, high = len(draws), np.nan, np.nan
        if n >= min_resamples(level) and not np.isnan(estimate):
            rank = max(int((1 - level) / 2 * (n + 1) + 1e-9), 1) - 1
            ordered = np.partition(draws, [rank, n - 1 - rank])
            low, high = min(float(ordered[rank]), estimate), max(float(ordered[-1 - rank]), estimate)
        p_better, p_worse = ((1 + int(np.count_nonzero(sign * draws <= 0))) / (1 + n) for sign in (1, -1))
        if not estimate > 0:
            p_better = max(p_better, 0.5)
        if not estimate < 0:
            p_worse = max(p_worse, 0.5)
        return cls(low, high, p_better, p_worse, n)

    @classmethod
    def furthest(cls, bounds: Sequence[Bounds]) -> Bounds:
        """Return the ends furthest out, and the greatest p-values."""
        low, high, p_better, p_worse, resamples = zip(*bounds, strict=True)
        return cls(float(np.min(low)), float(np.max(high)), max(p_better), max(p_worse), min(resamples))

    @property
    def pvalue(self) -> float:
        return min(2 * min(self.p_better, self.p_worse), 1.0)

    def with_p_values(self, p_better: float, p_worse: float, level: float) -> Bounds:
        """Return the bounds with the p-values of a test, and ends that exclude 0 if and only if the test rejects."""
        is_better, is_worse = (p <= (1 - level) / 2 * (1 + 1e-9) for p in (p_better, p_worse))
        low = max(self.low, 0.0) if is_better else min(self.low, 0.0)
        high = min(self.high, 0.0) if is_worse else max(self.high, 0.0)
        return Bounds(low, high, p_better, p_worse, self.resamples)


UNDEFINED_BOUNDS = Bounds(np.nan, np.nan, np.nan, np.nan)
