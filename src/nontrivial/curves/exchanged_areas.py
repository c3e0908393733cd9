"""The test of equal areas of two models by exchanging them in each case or group.

The Bayesian bootstrap alone does not hold its level where a few cases make most of a difference: with ten positives, of
which either model misplaces two or three, it told equally good models apart in 10 % of the samples.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import rankdata

from nontrivial._arrays import Floats, Ints, Mask, Scores, chunks
from nontrivial._draws import assign_blocks
from nontrivial.curves.resampled_areas import WeightedRises, resampled_areas
from nontrivial.curves.resamples import BATCH, held_together


def exchange_p_values(
    positive: Mask,
    scores: list[Scores],
    weights: Floats | None,
    groups: Ints | None,
    n_resamples: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Return two-sided p-values of the hypothesis that two models can be exchanged in each unit separately.

    What is exchanged is the rank that each model gives a case. Ranks that differ by less than half a percent of their
    place from the top count as ties, so that the areas come from counts of few ranks. More than 20,000 units are
    exchanged in 1,000 random blocks.

    Parameters
    ----------
    positive : bool array of shape (n,)
    scores : list of two arrays of shape (n,)
    weights : ndarray of shape (n,) or None
    groups : int array of shape (n,) or None
    n_resamples : int
    rng : numpy.random.Generator

    References
    ----------
    Venkatraman and Begg 1996; Bandos, Rockette and Gur 2005.
    """
    n = len(positive)
    ends = held_together(2 * n)
    unit, n_units = assign_blocks(groups, n)
    mass = np.ones(n) if weights is None else weights

    def of_units(ranked: Scores) -> csr_array:
        """Return the weight of each unit at each rank from the top, of its negatives and of its positives in turns."""
        rank = np.searchsorted(ends, 2 * (n - rankdata(ranked)), side="right")
        return csr_array((mass, (unit, 2 * rank + positive)), (n_units, 2 * len(ends)))

    one, other = map(of_units, scores)

    def differences(kept: Floats) -> dict[str, Floats]:
        exchanged = 1 - kept
        first, second = (
            resampled_areas(_rises(kept @ mine + exchanged @ its))
            for mine, its in ((one, other), (other, one))
        )
        return {name: area - second[name] for name, area in first.items()}

    seen = differences(np.ones((1, n_units)))
    least = {name: abs(float(value[0])) * (1 - 1e-9) - 1e-12 for name, value in seen.items()}
    beyond = dict.fromkeys(seen, 1)
    for part in chunks(n_resamples, length=max(BATCH // max(n_units, 2 * len(ends)), 1)):
        kept = rng.integers(2, size=(part.stop - part.start, n_units)).astype(float)
        for name, found in differences(kept).items():
            beyond[name] += int(np.count_nonzero(~(np.abs(found) < least[name])))
    return {name: count / (1 + n_resamples) for name, count in beyond.items()}


def _rises(masses: Floats) -> WeightedRises:
    """Return the rises of rankings, from the weight of the negatives and of the positives at each rank, in turns."""
    gained = masses[:, 1::2]
    fp_end = np.cumsum(masses[:, ::2], axis=1)
    return WeightedRises(gained, fp_end - masses[:, ::2], fp_end, fp_end[:, -1:])
