"""The Bayesian bootstrap: its cells, one prior for all of them, and intervals and p-values from draws.

A resample draws a weight for each case, or for each group of cases, from an exponential distribution (Rubin 1981).
With these alone, a perfect model would be perfect in every resample. So each resample has imaginary cases: a quarter of
a case of each class, predicted wrongly (adverse) in one kind of resample and rightly (favourable) in the other. In a
ranking, an adverse positive is at the bottom and an adverse negative at the top. With k classes, half a case is spread
evenly over the classes. With two models, an adverse case is wrong for the first and right for the second, and only an
eighth as large. Each end of an interval is the further one of the two kinds. Draws of a table, of a ranking, and of two
models on the same cases differ only in their cells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask, chunks, weight_counts
from nontrivial._validation import least_resamples
from nontrivial._warnings import warn_user
from nontrivial.seeds import generator_for, generator_of

PRIOR, PRIOR_OF_TWO = 1 / 4, 1 / 32  # parts of a case in each of two classes, for one model and for two
CONFIDENCE_LEVEL = 0.95  # of every interval in a report; functions take other levels
MIN_UNITS = 5  # fewer cases or groups have no interval
BATCH = 2**21  # weights drawn at once

# More cases or groups are drawn in random blocks, to bound the cost of a draw. The standard deviation of an estimate is
# then a few percent off at most.
MOST_UNITS = 20_000
BLOCKS = 1000


class Units(NamedTuple):
    """Independent units: `n` cases, which may have weights, or groups of cases, numbered from 0."""

    n: int
    weights: Floats | None = None
    groups: Ints | None = None

    @property
    def are_cases(self) -> bool:
        """Whether each case is by itself, and weighs 1."""
        return self.weights is None and self.groups is None

    @property
    def mass(self) -> Floats:
        return np.ones(self.n) if self.weights is None else self.weights

    def part(self, cases: Ints) -> Units:
        weights = None if self.weights is None else self.weights[cases]
        return Units(len(cases), weights, None if self.groups is None else self.groups[cases])

    def sums(self, values: Floats) -> Floats:
        """Return the weighted values, summed over each group."""
        weighted = np.asarray(values * self.mass)
        return weighted if self.groups is None else np.asarray(np.bincount(self.groups, weights=weighted))

    @property
    def sizes(self) -> Floats:
        return self.sums(np.ones(self.n))

    def scaled_sums(self, values: Floats) -> Floats:
        """Return sums over units, scaled so that values in [-1, 1] have sums in [-1, 1]."""
        return np.asarray(self.sums(values) / self.sizes.max())

    @property
    def effective_size(self) -> float:
        """How many units of equal weight are worth as much (Kish 1965)."""
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum())

    @property
    def are_few(self) -> bool:
        return self.effective_size < MIN_UNITS * (1 - 1e-9)

    @property
    def are_equal(self) -> bool:
        return self.effective_size >= len(self.sizes) * (1 - 1e-9)

    def drawn(self) -> tuple[Ints, int]:
        """Return which draw each case belongs to, and the number of draws."""
        units = np.arange(self.n) if self.groups is None else self.groups
        n_units = int(units.max()) + 1
        if n_units <= MOST_UNITS:
            return units, n_units
        return generator_for("blocks").integers(BLOCKS, size=n_units, dtype=np.int16)[units], BLOCKS


def warn_few(consequence: str) -> None:
    """Warn, at the user's line, that there is no interval."""
    warn_user(f"The effective sample size is below {MIN_UNITS} cases or groups; {consequence}.", UserWarning)


def prior_part(n_classes: int, n_models: int = 1) -> float:
    """Return the imaginary part of a case in each class."""
    return 2 * (PRIOR if n_models == 1 else PRIOR_OF_TWO) / n_classes


class Imaginary(NamedTuple):
    """Imaginary cases, with the cells of each ranking that they are in as adverse and as favourable ones."""

    classes: Ints
    parts: Floats
    adverse: Sequence[Ints]
    favourable: Sequence[Ints]


def imaginary_predictions(n_classes: int) -> tuple[Ints, Ints, Floats]:
    """Return the classes of imaginary cases, their wrong predictions, and their parts of a case."""
    reach = min(n_classes - 1, 10)  # ten wrong predictions are enough
    truth = np.repeat(np.arange(n_classes), reach)
    wrong = (truth + np.tile(np.arange(1, reach + 1), n_classes)) % n_classes
    return truth, wrong, np.full(len(truth), prior_part(n_classes) / reach)


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of tables or rankings of the same cases, and the gamma variables that give them new weights."""

    weights: Floats  # the weight of each cell, without imaginary cases
    shapes: Floats  # the shapes of the gamma variables: numbers of cases or groups, without imaginary cases
    of_drawn: csr_array | None  # from variables to weights of cells; None if each variable is a cell's weight
    parts: Floats  # the shapes of the imaginary cases
    of_imaginary: tuple[
        csr_array, ...
    ]  # from imaginary cases to weights of cells, as adverse and as favourable ones
    are_cases: bool  # whether single cases of weight 1 are drawn, so that there are exact tests
    are_few: bool  # whether cases or groups are too few for an interval

    @classmethod
    def of_counts(cls, counts: Floats) -> Cells:
        """Take counts of cases: of each class in turn, those predicted rightly and those predicted wrongly."""
        of_classes = counts.reshape(-1, 2)
        order, k = _cell_order(of_classes), len(counts)
        turned = csr_array((np.ones(k), (np.arange(k), order)), (k, k))
        right = order[::2][of_classes[order[::2] // 2].any(axis=1)]
        parts = np.full(len(right), prior_part(max(len(right), 1)))
        placed = tuple(_place([cells], np.ones(len(right)), k) for cells in (right + 1, right))
        return cls(counts, counts[order], turned, parts, placed, True, bool(counts.sum() < MIN_UNITS))

    @classmethod
    def of_predictions(
        cls, truth: Ints | Mask, prediction: Ints | Mask, n_classes: int, units: Units
    ) -> Cells:
        """Count, of each class in turn, the cases predicted rightly and those predicted wrongly."""
        places = 2 * truth.astype(np.intp) + (truth != prediction)
        counts = weight_counts(places, 2 * n_classes, units.weights)
        if units.are_cases:
            return cls.of_counts(counts)
        right = _cell_order(counts.reshape(-1, 2))[::2]
        parts = np.full(n_classes, prior_part(len(np.unique(truth))))
        imaginary = Imaginary(right // 2, parts, [right + 1], [right])
        return cls.of_cases([places], 2 * n_classes, truth, imaginary, units)

    @classmethod
    def of_cases(
        cls, places: Sequence[Ints], n_cells: int, truth: Ints | Mask, imaginary: Imaginary, units: Units
    ) -> Cells:
        """Sort cases, drawn by groups, and imaginary ones by their places, an array for each of the rankings."""
        summed = np.sum([weight_counts(cells, n_cells, units.weights) for cells in places], axis=0)
        shapes, of_drawn, mass = summed, None, np.ones(len(imaginary.parts))
        if not units.are_cases or len(places) > 1:
            drawn, n_drawn = units.drawn()
            shapes, of_drawn = np.ones(n_drawn), _place(places, units.mass, n_cells, drawn, n_drawn)
            n_classes = int(imaginary.classes.max()) + 1
            mass = _mean_masses(truth.astype(np.intp), n_classes, units)[imaginary.classes]
        placed = tuple(_place(cells, mass, n_cells) for cells in (imaginary.adverse, imaginary.favourable))
        return cls(summed, shapes, of_drawn, imaginary.parts, placed, units.are_cases, units.are_few)


def _place(
    places: Sequence[Ints], mass: Floats, n_cells: int, drawn: Ints | None = None, n_drawn: int | None = None
) -> csr_array:
    """Return the weight of each drawn variable in each cell, from the cells of each ranking and the mass of cases."""
    rows = np.arange(len(mass)) if drawn is None else drawn
    entries = np.tile(rows, len(places)), np.concatenate(places)
    return csr_array((np.tile(mass, len(places)), entries), (n_drawn or len(mass), n_cells))


def _mean_masses(truth: Ints, n_classes: int, units: Units) -> Floats:
    """Return the mean mass of each class in a case, or in a group, which counts for each of its classes."""
    total = np.bincount(truth, weights=units.mass, minlength=n_classes)
    if units.groups is not None:
        truth = np.unique(units.groups.astype(np.intp) * n_classes + truth) % n_classes
    return total / np.maximum(np.bincount(truth, minlength=n_classes), 1)


def _cell_order(of_classes: Floats) -> Ints:
    """Return the two cells of each class in an order that does not depend on the names of the classes."""
    return (2 * np.lexsort(of_classes.T)[:, None] + np.arange(2)).ravel()


# From draws to intervals and p-values.

Statistic = Callable[[Floats], dict[str, Floats]]  # takes the weights of the cells, a row for each resample


class Draws(NamedTuple):
    level: float
    n_resamples: int
    random_state: int | np.random.Generator | None = None


def resample(cells: Cells, statistic: Statistic, draws: Draws) -> list[dict[str, Floats]]:
    """Return the statistics of all resamples: with adverse and then with favourable imaginary cases, if any."""
    generator, n_real = generator_of(draws.random_state), len(cells.shapes)
    shapes = np.concatenate([cells.shapes, cells.parts])
    statistics = []
    for part in chunks(draws.n_resamples, length=max(BATCH // max(len(shapes), len(cells.weights)), 1)):
        drawn = generator.standard_gamma(shapes, (part.stop - part.start, len(shapes)))
        real, imaginary = drawn[:, :n_real], drawn[:, n_real:]
        weights = real if cells.of_drawn is None else np.asarray(real @ cells.of_drawn)
        with_imaginary = [weights + imaginary @ placed for placed in cells.of_imaginary]
        statistics.append([statistic(cells) for cells in with_imaginary or [weights]])
    kinds = zip(*statistics, strict=True)
    return [{name: np.concatenate([part[name] for part in parts]) for name in parts[0]} for parts in kinds]


def bound_draws(
    cells: Cells, statistic: Statistic, draws: Draws, estimate: dict[str, float] | None = None
) -> dict[str, Bounds]:
    """Bound each statistic; its draws move by the difference of the estimate, if given, from the cells' statistic."""
    drawn, bounds = resample(cells, statistic, draws), {}
    for name, values in statistic(cells.weights[None]).items():
        value = float(values[0]) if estimate is None else estimate[name]
        shift = value - float(values[0]) if estimate else 0.0
        kinds = [Bounds.of_draws(kind[name] + shift, value, draws.level) for kind in drawn]
        bounds[name] = Bounds.furthest(kinds)
    return bounds


class Bounds(NamedTuple):
    """The ends of an interval, and p-values of "not above 0" and of "not below 0"."""

    low: float
    high: float
    p_better: float
    p_worse: float
    resamples: int = 0  # the number in which the quantity is defined

    @classmethod
    def of_draws(cls, draws: Floats, estimate: float, level: float) -> Bounds:
        """Return ends with equal shares of the draws beyond them; an end that the estimate passes moves to it."""
        draws = draws[~np.isnan(draws)]
        n, low, high = len(draws), np.nan, np.nan
        if n >= least_resamples(level) and not np.isnan(estimate):
            place = max(int((1 - level) / 2 * (n + 1) + 1e-9), 1) - 1
            ordered = np.partition(draws, [place, n - 1 - place])
            low, high = min(float(ordered[place]), estimate), max(float(ordered[-1 - place]), estimate)
        above, below = ((1 + int(np.count_nonzero(sign * draws <= 0))) / (1 + n) for sign in (1, -1))
        p_better = above if estimate > 0 else max(above, 0.5)
        return cls(low, high, p_better, below if estimate < 0 else max(below, 0.5), n)

    @classmethod
    def furthest(cls, bounds: Sequence[Bounds]) -> Bounds:
        """Return the furthest ends, and the greatest p-values."""
        low, high, p_better, p_worse, resamples = zip(*bounds, strict=True)
        return cls(float(np.min(low)), float(np.max(high)), max(p_better), max(p_worse), min(resamples))

    @property
    def pvalue(self) -> float:
        return min(2 * min(self.p_better, self.p_worse), 1.0)

    def tested(self, p_better: float, p_worse: float, level: float) -> Bounds:
        """Take other p-values, and move the ends so that they lie on one side of 0 exactly if these show it."""
        better, worse = (p <= (1 - level) / 2 * (1 + 1e-9) for p in (p_better, p_worse))
        low, high = (max if better else min)(self.low, 0.0), (min if worse else max)(self.high, 0.0)
        return Bounds(low, high, p_better, p_worse, self.resamples)


UNDEFINED = Bounds(np.nan, np.nan, np.nan, np.nan)
