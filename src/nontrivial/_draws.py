"""The Bayesian bootstrap: what is drawn, one prior for all of it, and from draws to intervals and p-values.

A resample draws a weight for each case, or for each group of cases, from an exponential distribution (Rubin 1981). In
these alone, a perfect model would be perfect in all. The prior therefore adds imaginary cases: half a case of each
class at either end of the ranking, tied. A confusion table is a ranking with two scores, so that half a case is in each
of its cells (Jeffreys). With k classes, one case in all is predicted rightly and one wrongly, each spread evenly over
the classes. With two models, a quarter of a case of each class is at each of the four combinations of ends. Draws of a
table, of a ranking, and of two models on the same cases differ only in their cells.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask, chunks, weight_counts
from nontrivial._validation import least_resamples
from nontrivial._warnings import warn_user
from nontrivial.seeds import generator_for, generator_of

PRIOR = 0.5  # of a case of each class, at either end
FEWEST = 5  # with fewer cases or groups there is no interval
BATCH = 2**21  # weights drawn at once

# Very many cases or groups are drawn in random blocks, so that a draw costs no more for more of them. The standard
# deviation of an estimate is then a few percent off at most.
MOST_UNITS = 20_000
BLOCKS = 1000


class Units(NamedTuple):
    """What is independent: `n` cases, which may have weights, or groups of them, numbered from 0."""

    n: int
    weights: Floats | None = None
    groups: Ints | None = None

    @property
    def are_cases(self) -> bool:
        """Whether each case is by itself, and weighs 1."""
        return self.weights is None and self.groups is None

    @property
    def mass(self) -> Floats:
        """The weight of each case."""
        return np.ones(self.n) if self.weights is None else self.weights

    def part(self, cases: Ints) -> Units:
        """Return those of some cases, in their order."""
        weights, groups = self.weights, self.groups
        weights = None if weights is None else weights[cases]
        return Units(len(cases), weights, None if groups is None else groups[cases])

    def sums(self, values: Floats) -> Floats:
        """Return the weighted values, summed over each group."""
        weighted = np.asarray(values * self.mass)
        return weighted if self.groups is None else np.asarray(np.bincount(self.groups, weights=weighted))

    @property
    def sizes(self) -> Floats:
        """The weight of each case, or of each group."""
        return self.sums(np.ones(self.n))

    def scaled_sums(self, values: Floats) -> Floats:
        """Return sums that leave values in [-1, 1] there."""
        return np.asarray(self.sums(values) / self.sizes.max())

    @property
    def effective_size(self) -> float:
        """How many units of equal weight are worth as much (Kish 1965)."""
        return float(self.sizes.sum() ** 2 / (self.sizes**2).sum())

    @property
    def are_few(self) -> bool:
        """Whether they are too few for an interval."""
        return self.effective_size < FEWEST * (1 - 1e-9)

    @property
    def are_equal(self) -> bool:
        """Whether all weigh the same."""
        return self.effective_size >= len(self.sizes) * (1 - 1e-9)

    def drawn(self) -> tuple[Ints, int]:
        """Return the number of what each case is drawn with, and how many of these there are."""
        units = np.arange(self.n) if self.groups is None else self.groups
        n_units = int(units.max()) + 1
        if n_units <= MOST_UNITS:
            return units, n_units
        return generator_for("blocks").integers(BLOCKS, size=n_units, dtype=np.int16)[units], BLOCKS


def warn_few(consequence: str) -> None:
    """Warn, at the user's line, that there is no interval."""
    warn_user(f"The effective sample size is below {FEWEST} cases or groups; {consequence}.", UserWarning)


def imaginary_predictions(n_classes: int) -> tuple[Ints, Ints, Floats]:
    """Return the classes of the imaginary cases, those predicted, and what part of a case each is."""
    reach = min(n_classes - 1, 10)  # of many other classes, ten are enough
    classes = np.arange(n_classes)
    truth, further = np.repeat(classes, reach), np.tile(np.arange(1, reach + 1), n_classes)
    return (
        np.concatenate([classes, truth]),
        np.concatenate([classes, (truth + further) % n_classes]),
        np.repeat(np.array([1, 1 / reach]) * 2 * PRIOR / n_classes, [n_classes, len(truth)]),
    )


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of tables or rankings of the same cases, and what is drawn to give them new weights."""

    weights: Floats  # of each cell, without imaginary cases
    shapes: Floats  # of the gamma variables drawn: 1 for a case or a group, less for an imaginary case
    of_drawn: csr_array | None  # what each weighs in each cell; None where each is a cell's weight
    are_cases: bool  # single cases of weight 1 are drawn, so that there are exact tests
    are_few: bool  # too few cases or groups for an interval

    @classmethod
    def of_counts(cls, counts: Floats) -> Cells:
        """Take counts of cases: of each class in turn, those predicted rightly and those predicted wrongly."""
        of_classes = counts.reshape(-1, 2)
        has_cases = of_classes.any(axis=1)
        prior = np.repeat(has_cases * (2 * PRIOR / max(int(np.count_nonzero(has_cases)), 1)), 2)
        order, k = _cell_order(of_classes), len(counts)
        turned = csr_array((np.ones(k), (np.arange(k), order)), (k, k))
        return cls(counts, (counts + prior)[order], turned, True, bool(counts.sum() < FEWEST))

    @classmethod
    def of_predictions(
        cls, truth: Ints | Mask, prediction: Ints | Mask, n_classes: int, units: Units
    ) -> Cells:
        """Count, of each class in turn, the cases predicted rightly and those predicted wrongly."""
        places = 2 * truth.astype(np.intp) + (truth != prediction)
        counts = weight_counts(places, 2 * n_classes, units.weights)
        if units.are_cases:
            return cls.of_counts(counts)
        every = _cell_order(counts.reshape(-1, 2))
        parts = np.full(len(every), 2 * PRIOR / len(np.unique(truth)))
        return cls.of_cases([places], len(every), [every], parts, (truth, every // 2), units)

    @classmethod
    def of_cases(
        cls,
        places: list[Ints],
        n_cells: int,
        imaginary: list[Ints],
        parts: Floats,
        classes: tuple[Ints | Mask, Ints],
        units: Units,
    ) -> Cells:
        """Sort cases, and imaginary ones that are parts of a case, by their places, an array for each of the rankings.

        The classes are those of the cases and of the imaginary ones, each of which weighs what a case, or a group, has
        of its class on average. The cases of a group are drawn together.
        """
        summed = np.sum([weight_counts(each, n_cells, units.weights) for each in places], axis=0)
        if units.are_cases and len(places) == 1:
            prior = np.bincount(imaginary[0], weights=parts, minlength=n_cells)
            return cls(summed, summed + prior, None, True, units.are_few)
        drawn, n_drawn = units.drawn()
        of_cases, of_imaginary = (np.asarray(each, dtype=np.intp) for each in classes)
        k = int(of_imaginary.max()) + 1
        held = np.bincount(of_cases, weights=units.mass, minlength=k)
        if units.groups is not None:  # each group counts once for each of its classes
            of_cases = np.unique(units.groups.astype(np.intp) * k + of_cases) % k
        unit = held / np.maximum(np.bincount(of_cases, minlength=k), 1)
        rows = np.concatenate([drawn, n_drawn + np.arange(len(parts))])
        each = np.concatenate([units.mass, unit[of_imaginary]])
        columns = [np.concatenate(pair) for pair in zip(places, imaginary, strict=True)]
        where = np.tile(rows, len(columns)), np.concatenate(columns)
        matrix = csr_array((np.tile(each, len(columns)), where), (n_drawn + len(parts), n_cells))
        shapes = np.concatenate([np.ones(n_drawn), parts])
        return cls(summed, shapes, matrix, units.are_cases, units.are_few)


def _cell_order(of_classes: Floats) -> Ints:
    """Return the two cells of each class in an order that does not depend on the names of the classes."""
    return (2 * np.lexsort(of_classes.T)[:, None] + np.arange(2)).ravel()


# From draws to intervals and p-values.


Statistic = Callable[[Floats], dict[str, Floats]]  # of the weights of the cells, a row for each resample


class Draws(NamedTuple):
    """How many resamples are drawn, for intervals of which level."""

    level: float
    n_resamples: int
    random_state: int | np.random.Generator | None = None


def resample(cells: Cells, statistic: Statistic, draws: Draws) -> dict[str, Floats]:
    """Return statistics of all resamples, computed for some of them at a time."""
    generator, found = generator_of(draws.random_state), []
    for part in chunks(draws.n_resamples, length=max(BATCH // max(len(cells.shapes), len(cells.weights)), 1)):
        drawn = generator.standard_gamma(cells.shapes, (part.stop - part.start, len(cells.shapes)))
        found.append(statistic(drawn if cells.of_drawn is None else np.asarray(drawn @ cells.of_drawn)))
    return {name: np.concatenate([each[name] for each in found]) for name in found[0]}


def bound_draws(
    cells: Cells, statistic: Statistic, draws: Draws, estimate: dict[str, float] | None = None
) -> dict[str, Bounds]:
    """Bound each statistic; its draws are moved by what those of the cells are off an estimate, if one is given."""
    held = {name: float(value[0]) for name, value in statistic(cells.weights[None]).items()}
    found = resample(cells, statistic, draws)
    if estimate is not None:
        found = {name: each + (estimate[name] - held[name]) for name, each in found.items()}
    return {
        name: Bounds.of_draws(each, (estimate or held)[name], draws.level) for name, each in found.items()
    }


class Bounds(NamedTuple):
    """The ends of an interval, and p-values of "not above 0" and of "not below 0"."""

    low: float
    high: float
    p_better: float
    p_worse: float
    resamples: int = 0  # in which the quantity is defined

    @classmethod
    def of_draws(cls, draws: Floats, estimate: float, level: float) -> Bounds:
        """Return ends beyond which equal shares of the draws lie; one that the estimate passes is moved to it.

        The p-values are the shares on the other side of 0, with one more draw there. Undefined draws count for nothing.
        The ends are NaN if too few are left, or without an estimate.
        """
        draws = draws[~np.isnan(draws)]
        n, low, high = len(draws), np.nan, np.nan
        if n >= least_resamples(level) and not np.isnan(estimate):
            place = max(int((1 - level) / 2 * (n + 1) + 1e-9), 1) - 1
            ordered = np.partition(draws, [place, n - 1 - place])
            low, high = min(float(ordered[place]), estimate), max(float(ordered[-1 - place]), estimate)
        above, below = ((1 + int(np.count_nonzero(sign * draws <= 0))) / (1 + n) for sign in (1, -1))
        p_better = above if estimate > 0 else max(above, 0.5)
        return cls(low, high, p_better, below if estimate < 0 else max(below, 0.5), n)

    @property
    def pvalue(self) -> float:
        """The two-sided p-value."""
        return min(2 * min(self.p_better, self.p_worse), 1.0)

    def tested(self, p_better: float, p_worse: float, level: float) -> Bounds:
        """Take other p-values, and move the ends so that they lie on one side of 0 exactly where these show it."""
        better, worse = (p <= (1 - level) / 2 * (1 + 1e-9) for p in (p_better, p_worse))
        low, high = (max if better else min)(self.low, 0.0), (min if worse else max)(self.high, 0.0)
        return Bounds(low, high, p_better, p_worse, self.resamples)


UNDEFINED = Bounds(np.nan, np.nan, np.nan, np.nan)
