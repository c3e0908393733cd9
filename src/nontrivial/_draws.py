"""The Bayesian bootstrap: what is drawn, one prior for all of it, and from draws to intervals and p-values.

A resample draws a weight for each case, or for each group of cases, from an exponential distribution (Rubin 1981). In
these alone, a perfect model would be perfect in all. Each resample therefore has imaginary cases, once as adverse and
once as favourable ones, with the same weights: a quarter of a case of each class, predicted wrongly or rightly. In a
ranking, an adverse positive is at the bottom and an adverse negative at the top. With k classes, half a case in all is
spread evenly over the classes. With two models, an adverse case is wrong for the first and right for the second, and
only an eighth as large. Of the ends that either kind of resample has, the further one counts. Draws of a table, of
a ranking, and of two models on the same cases differ only in their cells.
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

PRIOR, PRIOR_OF_TWO = 1 / 4, 1 / 32  # of a case of each of two classes: of a model, and of two models
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


def prior_part(n_classes: int, n_models: int = 1) -> float:
    """Return what part of a case the imaginary cases of a class are."""
    return 2 * (PRIOR if n_models == 1 else PRIOR_OF_TWO) / n_classes


class Imaginary(NamedTuple):
    """Imaginary cases: classes, parts of a case, and an array of cells for each ranking, if adverse or favourable."""

    classes: Ints
    parts: Floats
    adverse: Sequence[Ints]
    favourable: Sequence[Ints]


def imaginary_predictions(n_classes: int) -> tuple[Ints, Ints, Floats]:
    """Return the classes of imaginary cases, their wrong predictions, and what part of a case each is."""
    reach = min(n_classes - 1, 10)  # of many other classes, ten are enough
    truth = np.repeat(np.arange(n_classes), reach)
    wrong = (truth + np.tile(np.arange(1, reach + 1), n_classes)) % n_classes
    return truth, wrong, np.full(len(truth), prior_part(n_classes) / reach)


@dataclass(frozen=True, eq=False)
class Cells:
    """Cells of tables or rankings of the same cases, and what is drawn to give them new weights."""

    weights: Floats  # of each cell, without imaginary cases
    shapes: Floats  # of the gamma variables drawn, without imaginary cases: the number of cases or groups
    of_drawn: csr_array | None  # what each weighs in each cell; None where each is a cell's weight
    parts: Floats  # the shapes of the imaginary cases
    of_imaginary: tuple[csr_array, ...]  # what each weighs in each cell: as adverse, and as favourable ones
    are_cases: bool  # single cases of weight 1 are drawn, so that there are exact tests
    are_few: bool  # too few cases or groups for an interval

    @classmethod
    def of_counts(cls, counts: Floats) -> Cells:
        """Take counts of cases: of each class in turn, those predicted rightly and those predicted wrongly."""
        of_classes = counts.reshape(-1, 2)
        order, k = _cell_order(of_classes), len(counts)
        turned = csr_array((np.ones(k), (np.arange(k), order)), (k, k))
        right = order[::2][of_classes[order[::2] // 2].any(axis=1)]
        parts = np.full(len(right), prior_part(max(len(right), 1)))
        placed = tuple(_placed([each], np.ones(len(right)), k) for each in (right + 1, right))
        return cls(counts, counts[order], turned, parts, placed, True, bool(counts.sum() < FEWEST))

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
        summed = np.sum([weight_counts(each, n_cells, units.weights) for each in places], axis=0)
        shapes, of_drawn, mass = summed, None, np.ones(len(imaginary.parts))
        if not units.are_cases or len(places) > 1:
            drawn, n_drawn = units.drawn()
            shapes, of_drawn = np.ones(n_drawn), _placed(places, units.mass, n_cells, drawn, n_drawn)
            n_classes = int(imaginary.classes.max()) + 1
            mass = _mean_masses(truth.astype(np.intp), n_classes, units)[imaginary.classes]
        placed = tuple(_placed(each, mass, n_cells) for each in (imaginary.adverse, imaginary.favourable))
        return cls(summed, shapes, of_drawn, imaginary.parts, placed, units.are_cases, units.are_few)


def _placed(
    places: Sequence[Ints], mass: Floats, n_cells: int, drawn: Ints | None = None, n_drawn: int | None = None
) -> csr_array:
    """Return what each drawn variable weighs in each cell, from the place in each ranking and the mass of each case."""
    rows = np.arange(len(mass)) if drawn is None else drawn
    where = np.tile(rows, len(places)), np.concatenate(places)
    return csr_array((np.tile(mass, len(places)), where), (n_drawn or len(mass), n_cells))


def _mean_masses(truth: Ints, n_classes: int, units: Units) -> Floats:
    """Return what a case, or a group, has of each class on average; a group counts for each of its classes."""
    held = np.bincount(truth, weights=units.mass, minlength=n_classes)
    if units.groups is not None:
        truth = np.unique(units.groups.astype(np.intp) * n_classes + truth) % n_classes
    return held / np.maximum(np.bincount(truth, minlength=n_classes), 1)


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


def resample(cells: Cells, statistic: Statistic, draws: Draws) -> list[dict[str, Floats]]:
    """Return statistics of all resamples: with the imaginary cases, if any, as adverse and then as favourable ones."""
    generator, n_real = generator_of(draws.random_state), len(cells.shapes)
    shapes = np.concatenate([cells.shapes, cells.parts])
    found = []
    for part in chunks(draws.n_resamples, length=max(BATCH // max(len(shapes), len(cells.weights)), 1)):
        drawn = generator.standard_gamma(shapes, (part.stop - part.start, len(shapes)))
        real, imaginary = drawn[:, :n_real], drawn[:, n_real:]
        weights = real if cells.of_drawn is None else np.asarray(real @ cells.of_drawn)
        with_imaginary = [weights + imaginary @ placed for placed in cells.of_imaginary]
        found.append([statistic(each) for each in with_imaginary or [weights]])
    kinds = zip(*found, strict=True)
    return [{name: np.concatenate([each[name] for each in parts]) for name in parts[0]} for parts in kinds]


def bound_draws(
    cells: Cells, statistic: Statistic, draws: Draws, estimate: dict[str, float] | None = None
) -> dict[str, Bounds]:
    """Bound each statistic; its draws are moved by what those of the cells are off an estimate, if one is given."""
    found, bounds = resample(cells, statistic, draws), {}
    for name, of_cells in statistic(cells.weights[None]).items():
        held = float(of_cells[0])
        value, moved = (held, 0.0) if estimate is None else (estimate[name], estimate[name] - held)
        of_kinds = [Bounds.of_draws(each[name] + moved, value, draws.level) for each in found]
        bounds[name] = Bounds.furthest(of_kinds)
    return bounds


class Bounds(NamedTuple):
    """The ends of an interval, and p-values of "not above 0" and of "not below 0"."""

    low: float
    high: float
    p_better: float
    p_worse: float
    resamples: int = 0  # in which the quantity is defined

    @classmethod
    def of_draws(cls, draws: Floats, estimate: float, level: float) -> Bounds:
        """Return ends beyond which equal shares of the draws lie; one that the estimate passes is moved to it."""
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
        """The two-sided p-value."""
        return min(2 * min(self.p_better, self.p_worse), 1.0)

    def tested(self, p_better: float, p_worse: float, level: float) -> Bounds:
        """Take other p-values, and move the ends so that they lie on one side of 0 exactly where these show it."""
        better, worse = (p <= (1 - level) / 2 * (1 + 1e-9) for p in (p_better, p_worse))
        low, high = (max if better else min)(self.low, 0.0), (min if worse else max)(self.high, 0.0)
        return Bounds(low, high, p_better, p_worse, self.resamples)


UNDEFINED = Bounds(np.nan, np.nan, np.nan, np.nan)
