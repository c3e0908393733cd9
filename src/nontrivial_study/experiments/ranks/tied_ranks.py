"""Ranks with ties, and whether the agreement of two rankings depends on how ties are broken."""

from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from nontrivial._arrays import Mask

# A ranking with ties stands for every ranking without ties that breaks them. So each model has a best and a worst rank
# that it can take. Two rankings certainly agree, or certainly differ, or it depends on how ties are broken.


class RankRanges(NamedTuple):
    """The best and the worst rank that each model of a task can take; rank 1 is for the greatest value."""

    best: NDArray[np.int_]
    worst: NDArray[np.int_]

    def can_take(self, rank: int) -> Mask:
        """Return which models can take a rank."""
        return (self.best <= rank) & (rank <= self.worst)


def rank_ranges(values: NDArray[Any]) -> RankRanges:
    """Rank models by a value; more is better."""
    ordered = np.sort(values)
    n_greater = len(values) - np.searchsorted(ordered, values, side="right")
    n_not_less = len(values) - np.searchsorted(ordered, values, side="left")
    return RankRanges(n_greater + 1, n_not_less)


def order_depends_on_ties(x_ranks: RankRanges, y_ranks: RankRanges, top: int) -> bool:
    """Return whether it depends on ties if two rankings have the same models on the first ranks in the same order.

    The rankings can agree if each rank can have a model of its own that both can put there. By Hall's theorem this
    holds if any k of the ranks together have at least k such models. The rankings cannot differ only if in both of
    them each rank has one possible model.
    """
    ranks = range(1, top + 1)
    shared_models = [x_ranks.can_take(rank) & y_ranks.can_take(rank) for rank in ranks]
    subsets = chain.from_iterable(combinations(shared_models, size) for size in ranks)
    can_agree = all(np.any(subset, axis=0).sum() >= len(subset) for subset in subsets)
    is_fixed = all(ranking.can_take(rank).sum() == 1 for ranking in (x_ranks, y_ranks) for rank in ranks)
    return can_agree and not is_fixed


def set_depends_on_ties(x_ranks: RankRanges, y_ranks: RankRanges, top: int) -> bool:
    """Return whether it depends on ties if two rankings have the same models on the first ranks, in any order.

    A model must be among the first if its worst rank is, and can be if its best rank is. The rankings can agree on a
    set that holds all models that must be in either, and only models that can be in both.
    """
    must_be_in = (x_ranks.worst <= top) | (y_ranks.worst <= top)
    can_be_in = (x_ranks.best <= top) & (y_ranks.best <= top)
    can_agree = not (must_be_in & ~can_be_in).any() and must_be_in.sum() <= top <= can_be_in.sum()
    is_fixed = all((ranking.best <= top).sum() == top for ranking in (x_ranks, y_ranks))
    return bool(can_agree and not is_fixed)
