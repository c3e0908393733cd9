"""The Bayesian bootstrap: what is drawn, one prior for all of it, and from draws to intervals and p-values.

A resample draws a weight for each case, or for each group of cases, from an exponential distribution (Rubin 1981). So
an outcome that no case of the sample shows has no weight in any resample, and a perfect model would be perfect in all.
The prior therefore adds imaginary cases: half a case of each class at either end of the ranking, where the two classes
are tied. A confusion table is a ranking with two scores, so that half a case is in each of its cells (Jeffreys). With k
classes, one case in all is predicted rightly and one wrongly, each spread evenly over the classes. With two models, a
quarter of a case of each class is at each of the four combinations of ends.

Draws of a confusion table, of a ranking, and of two models on the same cases differ only in their cells.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask, chunks, weight_counts
from nontrivial._validation import least_resamples
from nontrivial._warnings import warn_user
from nontrivial.seeds import generator_for

PRIOR = 0.5  # of a case of each class, at either end
FEWEST = 5  # with fewer cases or groups there is no interval
BATCH = 2**21  # weights drawn at once

# Very many cases or groups are drawn in random blocks, so that a draw costs no more for more of them. The standard
# deviation of an estimate is then a few percent off at most.
MOST_UNITS = 20_000
BLOCKS = 1000


def assign_blocks(groups: Ints | None, n: int) -> tuple[Ints, int]:
    """Return the unit with which each of `n` cases is drawn, and the number of units."""
    n_units = n if groups is None else int(groups.max()) + 1
    units = np.arange(n) if groups is None else groups
    if n_units <= MOST_UNITS:
        return units, n_units
    return generator_for("blocks").integers(BLOCKS, size=n_units, dtype=np.int16)[units], BLOCKS


def effective_units(weights: Floats | None, groups: Ints | None, n: int) -> float:
    """Return the effective sample size (Kish 1965) of cases, or of groups of them."""
    units = np.arange(n) if groups is None else groups
    each = np.bincount(units, weights=np.ones(n) if weights is None else weights)
    return float(each.sum() ** 2 / (each**2).sum())


def are_equal(weights: Floats | None, groups: Ints | None, n: int) -> bool:
    """Tell whether all cases, or all groups of them, weigh the same."""
    n_units = n if groups is None else int(groups.max()) + 1
    return effective_units(weights, groups, n) >= n_units * (1 - 1e-9)


def are_few(weights: Floats | None, groups: Ints | None, n: int) -> bool:
    """Tell whether cases, or groups, are too few for an interval."""
    return effective_units(weights, groups, n) < FEWEST * (1 - 1e-9)


def warn_few(consequence: str) -> None:
    """Warn, at the user's line, that there is no interval."""
    warn_user(f"The effective sample size is below {FEWEST} cases or groups; {consequence}.", UserWarning)


def summing(weights: Floats | None, groups: Ints | None) -> Callable[[Floats], Floats]:
    """Return a sum over the cases of each group, with weights, that leaves values in [-1, 1] there."""
    if groups is None:
        shares = 1.0 if weights is None else weights / weights.max()
        return lambda values: np.asarray(values * shares)
    mass, heaviest = 1.0 if weights is None else weights, np.bincount(groups, weights=weights).max()
    return lambda values: np.asarray(np.bincount(groups, weights=values * mass) / heaviest)


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
        cls,
        truth: Ints | Mask,
        prediction: Ints | Mask,
        n_classes: int,
        weights: Floats | None = None,
        groups: Ints | None = None,
    ) -> Cells:
        """Count, of each class in turn, the cases predicted rightly and those predicted wrongly."""
        places = 2 * truth.astype(np.intp) + (truth != prediction)
        counts = weight_counts(places, 2 * n_classes, weights)
        if weights is None and groups is None:
            return cls.of_counts(counts)
        every = _cell_order(counts.reshape(-1, 2))
        parts = np.full(len(every), 2 * PRIOR / len(np.unique(truth)))
        return cls.of_cases([places], len(every), [every], parts, (truth, every // 2), weights, groups)

    @classmethod
    def of_cases(
        cls,
        places: list[Ints],
        n_cells: int,
        imaginary: list[Ints],
        parts: Floats,
        classes: tuple[Ints | Mask, Ints],
        weights: Floats | None = None,
        groups: Ints | None = None,
    ) -> Cells:
        """Sort cases, and imaginary ones that are parts of a case, by their places, an array for each of the rankings.

        The classes are those of the cases and of the imaginary ones, each of which weighs what a case, or a group, has
        of its class on average. The cases of a group are drawn together.
        """
        summed = np.sum([weight_counts(each, n_cells, weights) for each in places], axis=0)
        n, plain = len(places[0]), weights is None and groups is None
        few = are_few(weights, groups, n)
        if plain and len(places) == 1:
            prior = np.bincount(imaginary[0], weights=parts, minlength=n_cells)
            return cls(summed, summed + prior, None, True, few)
        units, n_units = assign_blocks(groups, n)
        mass = np.ones(n) if weights is None else weights
        of_cases, of_imaginary = (np.asarray(each, dtype=np.intp) for each in classes)
        k = int(of_imaginary.max()) + 1
        members = of_cases if groups is None else np.unique(groups.astype(np.intp) * k + of_cases) % k
        held = np.bincount(of_cases, weights=mass, minlength=k)
        unit = held / np.maximum(np.bincount(members, minlength=k), 1)
        rows = np.concatenate([units, n_units + np.arange(len(parts))])
        each = np.concatenate([mass, unit[of_imaginary]])
        columns = [np.concatenate(pair) for pair in zip(places, imaginary, strict=True)]
        where = np.tile(rows, len(columns)), np.concatenate(columns)
        matrix = csr_array((np.tile(each, len(columns)), where), (n_units + len(parts), n_cells))
        return cls(summed, np.concatenate([np.ones(n_units), parts]), matrix, plain, few)

    def draw(self, generator: np.random.Generator, size: int) -> Iterator[Floats]:
        """Give the weights of the cells in `size` resamples, some rows at a time."""
        for part in chunks(size, length=max(BATCH // max(len(self.shapes), len(self.weights)), 1)):
            drawn = generator.standard_gamma(self.shapes, (part.stop - part.start, len(self.shapes)))
            yield drawn if self.of_drawn is None else np.asarray(drawn @ self.of_drawn)


def _cell_order(of_classes: Floats) -> Ints:
    """Return the two cells of each class in an order that does not depend on the names of the classes."""
    return (2 * np.lexsort(of_classes.T)[:, None] + np.arange(2)).ravel()


# From draws to intervals and p-values.


Statistic = Callable[[Floats], dict[str, Floats]]  # of the weights of the cells, a row for each resample


def resample(
    cells: Cells, statistic: Statistic, n_resamples: int, generator: np.random.Generator
) -> dict[str, Floats]:
    """Return statistics of all resamples."""
    parts = [statistic(drawn) for drawn in cells.draw(generator, n_resamples)]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def bound_draws(
    cells: Cells,
    statistic: Statistic,
    level: float,
    n_resamples: int,
    generator: np.random.Generator,
    estimate: dict[str, float] | None = None,
) -> dict[str, Bounds]:
    """Bound each statistic; its draws are moved by what those of the cells are off an estimate, if one is given."""
    held = {name: float(value[0]) for name, value in statistic(cells.weights[None]).items()}
    draws = resample(cells, statistic, n_resamples, generator)
    if estimate is not None:
        draws = {name: each + (estimate[name] - held[name]) for name, each in draws.items()}
    return {name: Bounds.of_draws(each, (estimate or held)[name], level) for name, each in draws.items()}


def ends(draws: Floats, estimate: float, level: float) -> tuple[float, float]:
    """Return the ends beyond which equal shares of the draws lie; one that the estimate passes is moved to it.

    Undefined draws count for nothing. NaN if too few are left, or without an estimate.
    """
    draws = draws[~np.isnan(draws)]
    if np.isnan(estimate) or len(draws) < least_resamples(level):
        return np.nan, np.nan
    place = max(int((1 - level) / 2 * (len(draws) + 1) + 1e-9), 1) - 1
    ordered = np.partition(draws, [place, len(draws) - 1 - place])
    return min(float(ordered[place]), estimate), max(float(ordered[-1 - place]), estimate)


def p_values(draws: Floats, estimate: float) -> tuple[float, float]:
    """Return p-values of "not above 0" and of "not below 0", which agree with `ends`.

    Each is the share of the draws on the other side of 0, with one more draw that lies there.
    """
    draws = draws[~np.isnan(draws)]
    above, below = ((1 + int(np.count_nonzero(sign * draws <= 0))) / (1 + len(draws)) for sign in (1, -1))
    return (above if estimate > 0 else max(above, 0.5)), (below if estimate < 0 else max(below, 0.5))


class Bounds(NamedTuple):
    """The ends of an interval, and p-values of "not above 0" and of "not below 0"."""

    low: float
    high: float
    p_better: float
    p_worse: float
    resamples: int = 0  # in which the quantity is defined

    @classmethod
    def of_draws(cls, draws: Floats, estimate: float, level: float) -> Bounds:
        defined = int(np.count_nonzero(~np.isnan(draws)))
        return cls(*ends(draws, estimate, level), *p_values(draws, estimate), defined)

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
