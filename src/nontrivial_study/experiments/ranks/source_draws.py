"""Intervals of figures over tasks: what is drawn again are sources, each with all its tasks, which share its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
import pandas as pd

from nontrivial._arrays import Floats
from nontrivial._draws import expanded_tail
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.intervals import TAILS


class Statistic(Protocol):
    """Of an array along its axis of units."""

    def __call__(self, values: np.ndarray, /, *, axis: int) -> Any: ...


class SourceDraws:
    """Bootstrap resamples of the sources that tasks are made of.

    Parameters
    ----------
    sources : sequence of str, of length n_tasks
        What each task is made of.
    resamples : int

    Attributes
    ----------
    count : int
        Number of sources.

    Notes
    -----
    The ends of the intervals are percentiles by `expanded_tail`. Where there are fewer than two sources every interval
    is NaN.

    Examples
    --------
    >>> draws = SourceDraws(["ecoli", "ecoli", "glass"], resamples=1000)
    >>> draws.count, draws.of_share(np.array([True, False, False]))
    (2, array([0. , 0.5]))
    """

    def __init__(self, sources: Sequence[str], resamples: int) -> None:
        codes, names = pd.factorize(pd.Series(sources, dtype="str"))
        self.count = len(names)
        draws = np.zeros((resamples, self.count), dtype=np.int64)
        if self.count > 1:
            drawn = generator_for("resample sources", self.count).integers(self.count, size=draws.shape)
            np.add.at(draws, (np.arange(resamples)[:, None], drawn), 1)
        self._often: Floats = draws[:, codes].astype(np.float64)  # how often each task is drawn

    def of_share(self, differs: np.ndarray) -> np.ndarray:
        """Return the interval of the share of tasks in which something is so.

        Where it is so in none, or in all, no draw says how far that can be from chance. The interval then is Clopper's
        and Pearson's for as many tries as there are sources.
        """
        if self.count > 1 and (differs.all() or not differs.any()):
            reach = 1 - TAILS[0] ** (1 / self.count)
            return np.array([1 - reach, 1.0] if differs.all() else [0.0, reach])
        return self.of_mean(differs)

    def of_mean(self, values: np.ndarray) -> np.ndarray:
        """Return the interval of the mean over tasks."""
        if self.count < 2:
            return np.full(2, np.nan)
        return self.ends(self.sums(values.astype(np.float64)[:, None])[:, 0] / self._often.sum(axis=1))

    def of_quantile(self, values: np.ndarray, share: float) -> np.ndarray:
        """Return the interval of a quantile over tasks, interpolated as `numpy.quantile` does."""
        if self.count < 2:
            return np.full(2, np.nan)
        order = np.argsort(values)
        ordered, up_to = values[order], self._often[:, order].cumsum(axis=1)
        place = share * (up_to[:, -1] - 1)
        low, high = (
            ordered[(up_to <= end[:, None]).sum(axis=1)] for end in (np.floor(place), np.ceil(place))
        )
        return self.ends(low + (place - np.floor(place)) * (high - low))

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sums over the tasks of each resample, of an array with a row for each task."""
        return np.asarray(np.einsum("rt,tk->rk", self._often, values))

    def ends(self, drawn: np.ndarray) -> np.ndarray:
        """Return the interval of a figure, from its values in the resamples."""
        if self.count < 2:
            return np.full(2, np.nan)
        return _interval(drawn, self.count)


def resampled_interval(values: np.ndarray, statistic: Statistic, resamples: int) -> np.ndarray:
    """Return the bootstrap interval of a statistic of sources, by `expanded_tail`; NaN for fewer than two.

    Parameters
    ----------
    values : ndarray, a row for each source
    statistic : callable
        Of an array and its ``axis`` of sources.
    resamples : int

    Examples
    --------
    >>> resampled_interval(np.array([0.0, 1.0] * 50), np.mean, 1000).round(1)
    array([0.4, 0.6])
    """
    if len(values) < 2:
        return np.full(2, np.nan)
    draws = generator_for("resample tasks", len(values)).integers(len(values), size=(resamples, len(values)))
    drawn = statistic(values[draws], axis=1)
    return _interval(drawn, len(values))


def _interval(drawn: np.ndarray, count: int) -> np.ndarray:
    tail = expanded_tail(TAILS[0], count)
    return np.asarray(np.quantile(drawn, [tail, 1 - tail]))
