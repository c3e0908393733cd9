"""The stretches of a ranking along which true positives are gained, and means over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import IN_CACHE, Counts, Floats, Scores, chunks

# Far above what a sum of ten million weights loses, far below what any ranking can show.
ROUNDING = 2.0**-40


@dataclass(frozen=True, eq=False)
class Rises:
    """The stretches of a ranking along which true positives are gained.

    Rise i goes in a straight line from the table (``tp[i]``, ``fp_start[i]``) to (``tp[i + 1]``, ``fp_end[i]``). Of
    very many cases, counts are kept as integers, in half the memory; `parts` has floats.

    Attributes
    ----------
    tp : ndarray of shape (n_rises + 1,)
        From 0, strictly increasing, to `positives`.
    fn : ndarray of shape (n_rises + 1,)
        From `positives` to 0, as in `OperatingPoints`.
    fp_start, fp_end : ndarray of shape (n_rises,)
    thresholds : ndarray of shape (n_rises,)
        The distinct scores of the positives, decreasing.
    positives, negatives, rounding : float
        As in `OperatingPoints`.
    tn : pair of ndarray of shape (n_rises,), or None
        Weight of the negatives below the start and the end of each rise; None for counts, which `tn_of` subtracts.
    """

    tp: Counts
    fn: Counts
    fp_start: Counts
    fp_end: Counts
    thresholds: Scores
    positives: float
    negatives: float
    rounding: float
    tn: tuple[Floats, Floats] | None = None

    def tn_of(self, rise: int) -> tuple[float, float]:
        """Return the weight of the negatives below the start and the end of a rise."""
        if self.tn is None:
            return self.negatives - float(self.fp_start[rise]), self.negatives - float(self.fp_end[rise])
        start, end = self.tn
        return float(start[rise]), float(end[rise])

    def parts(self) -> Iterator[Rises]:
        """Give the rises, a stretch at a time."""
        if self.tp.dtype == np.float64 and len(self.thresholds) <= IN_CACHE:
            yield self
            return
        for part in chunks(len(self.thresholds), length=IN_CACHE):
            ends = slice(part.start, part.stop + 1)
            yield replace(
                self,
                tp=self.tp[ends].astype(np.float64, copy=False),
                fn=self.fn[ends].astype(np.float64, copy=False),
                fp_start=self.fp_start[part].astype(np.float64, copy=False),
                fp_end=self.fp_end[part].astype(np.float64, copy=False),
                thresholds=self.thresholds[part],
                tn=self.tn and (self.tn[0][part], self.tn[1][part]),
            )

    def mean(self, of: Callable[[Rises], Counts]) -> float:
        """Return the mean over the true positives of what is computed of the rises."""
        return mean((of(part), part.gained) for part in self.parts())

    @cached_property
    def gained(self) -> Floats:
        """Weight of the true positives gained on each rise."""
        return steps(self.tp)

    def at_prevalence(self, prevalence: float | None) -> Rises:
        """Return the same ranking with the negatives weighted so that the positives have this share; None leaves it."""
        if prevalence is None:
            return self
        factor = self.positives * (1 - prevalence) / (prevalence * self.negatives)
        return replace(
            self,
            fp_start=self.fp_start * factor,
            fp_end=self.fp_end * factor,
            negatives=self.negatives * factor,
            rounding=ROUNDING,
            tn=self.tn and (self.tn[0] * factor, self.tn[1] * factor),
        )


def rounding_of(positives: float, negatives: float, *, whole: bool) -> float:
    """Return how far, relative to a class, sums that are equal on paper may lie apart; 0 if products are exact, too."""
    return 0.0 if whole and positives * (positives + negatives) <= 2**53 else ROUNDING


def surplus(unit: Any, errors: Any, rounding: float) -> Any:
    """Return how far N TP exceeds P times some errors, which has the sign of a gain; 0 where rounding hides it."""
    difference = unit - errors
    return np.where(np.abs(difference) <= rounding * unit, 0.0, difference) if rounding else difference


def steps(values: NDArray[Any]) -> NDArray[Any]:
    """Return the differences of neighbours; np.diff, at a fifth of its cost for the short arrays of hulls."""
    differences: NDArray[Any] = values[1:] - values[:-1]
    return differences


def mean(parts: Iterable[tuple[Counts, Counts]]) -> float:
    """Return the weighted mean of values that come with their weights.

    That of ones is exactly 1, as both sums are taken in the same order. That of a single value is exactly the value: a
    constant score has a single rise.
    """
    average = total = 0.0
    for values, weights in parts:
        weight = np.add.reduce(weights)
        of_part = values[0] if len(values) == 1 else np.add.reduce(values * weights) / weight
        total += weight
        average += (of_part - average) * (weight / total)
    return float(average)
