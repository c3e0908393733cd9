"""Bootstrap intervals over tasks that resample the data sets that the tasks are made of."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import ndtr, stdtrit

from nontrivial._arrays import Floats
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.results import TAILS


@dataclass(frozen=True, eq=False)
class SourceDraws:
    """Bootstrap resamples of sources, each drawn with all tasks that are made of it, because these share its rows.

    The ends of intervals are percentiles by `expanded_tail`. With fewer than two sources every interval is NaN.
    """

    count: int  # the number of sources
    frequencies: Floats  # how often each task is drawn, of shape (resamples, tasks)

    def share_interval(self, holds: np.ndarray) -> Floats:
        """Return the interval of the share of tasks in which something holds.

        If it holds in none, or in all, the draws do not vary. The interval is then Clopper's and Pearson's for as many
        trials as there are sources.
        """
        if self.count > 1 and (holds.all() or not holds.any()):
            reach = 1 - TAILS[0] ** (1 / self.count)
            return np.array([1 - reach, 1.0] if holds.all() else [0.0, reach])
        return self.mean_interval(holds)

    def mean_interval(self, values: np.ndarray) -> Floats:
        """Return the interval of the mean over tasks."""
        if self.count < 2:
            return np.full(2, np.nan)
        sums = self.resampled_sums(values.astype(np.float64)[:, None])[:, 0]
        return self.interval(sums / self.frequencies.sum(axis=1))

    def quantile_interval(self, values: np.ndarray, share: float) -> Floats:
        """Return the interval of a quantile over tasks, interpolated as `numpy.quantile` does."""
        if self.count < 2:
            return np.full(2, np.nan)
        order = np.argsort(values)
        ordered, n_up_to = values[order], self.frequencies[:, order].cumsum(axis=1)
        position = share * (n_up_to[:, -1] - 1)
        before, after = np.floor(position), np.ceil(position)
        low, high = (ordered[(n_up_to <= end[:, None]).sum(axis=1)] for end in (before, after))
        return self.interval(low + (position - before) * (high - low))

    def resampled_sums(self, values: np.ndarray) -> Floats:
        """Return the sums over the tasks of each resample, of an array with a row for each task."""
        return np.asarray(np.einsum("rt,tk->rk", self.frequencies, values))

    def interval(self, resampled: np.ndarray) -> Floats:
        """Return the interval of a statistic, from its values in the resamples."""
        if self.count < 2:
            return np.full(2, np.nan)
        tail = expanded_tail(TAILS[0], self.count)
        return np.asarray(np.quantile(resampled, [tail, 1 - tail]))


def draw_sources(sources: Sequence[str], resamples: int, purpose: str = "resample sources") -> SourceDraws:
    """Resample the sources of tasks, given the source of each task; the seed is made from the purpose."""
    codes, names = pd.factorize(pd.Series(sources, dtype="str"))
    frequencies = np.zeros((resamples, len(names)), dtype=np.int64)
    if len(names) > 1:
        drawn = generator_for(purpose, len(names)).integers(len(names), size=frequencies.shape)
        np.add.at(frequencies, (np.arange(resamples)[:, None], drawn), 1)
    return SourceDraws(len(names), frequencies[:, codes].astype(np.float64))


def expanded_tail(tail: float, count: int) -> float:
    """Return the share of draws to cut at each end: less than `tail`, as percentiles of few sources are too narrow.

    Draws of n sources spread too little, by the factor sqrt((n - 1) / n), and their percentiles are normal although
    Student's distribution has wider tails (Hesterberg 2015).

    Examples
    --------
    >>> [round(expanded_tail(0.025, count), 4) for count in (10, 10**6)]
    [0.0086, 0.025]
    """
    return float(ndtr(np.sqrt(count / (count - 1)) * stdtrit(count - 1, tail)))
