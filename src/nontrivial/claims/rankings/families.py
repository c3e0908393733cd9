"""Rankings of many cases, as people argue with them: one or two cases of a class among many, and blocks of cases."""

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from nontrivial.claims.rankings.quantities import RankingCases

MAX_CASES = 200  # for quantities whose exact numbers stay small
MAX_CASES_FOR_AREAS = 20  # for all other quantities
MAX_CASES_IN_PAIRS = 12  # in each ranking of a pair
_COMMON_COUNTS = (5, 10, 20, 60, 198)  # cases of the common class
_ABOVE_COUNTS = (0, 1, 2, 3, 5, 8, 10, 15, 30)  # common cases ranked above a rare case
_TIED_COUNTS = (0, 1, 3)  # common cases tied with a rare case
_CLASS_SIZES_OF_BLOCKS = ((5, 5), (10, 10), (4, 16), (16, 4))  # positives and negatives
Groups = tuple[
    tuple[int, int], ...
]  # the positives and negatives of each group of tied cases, best group first


@functools.cache
def ranking_families(max_cases: int) -> tuple[RankingCases, ...]:
    """Return the rankings of up to so many cases, few cases first, in items with the same class counts."""
    by_counts: dict[tuple[int, int], dict[Groups, None]] = {}
    for groups in itertools.chain(_rankings_with_rare_cases(), _rankings_of_blocks()):
        # A ranking that is reversed, with its classes exchanged, has the same ROC area.
        exchanged = tuple((negatives, positives) for positives, negatives in groups[::-1])
        for ranking in (groups, exchanged):
            positives, negatives = map(sum, zip(*ranking, strict=True))
            if positives + negatives <= max_cases:
                by_counts.setdefault((positives, negatives), {})[ranking] = None
    ordered = sorted(by_counts, key=lambda counts: (sum(counts), counts))
    return tuple(_stack_rankings(list(by_counts[counts])) for counts in ordered)


def _rankings_with_rare_cases() -> Iterator[Groups]:
    """One or two positives among many negatives, each with or without negatives tied with it."""
    for common, above, tied in itertools.product(_COMMON_COUNTS, _ABOVE_COUNTS, _TIED_COUNTS):
        if above + tied <= common:
            below = common - above - tied
            yield _without_empty((0, above), (1, tied), (0, below))
            yield _without_empty((0, above), (2, tied), (0, below))
            yield from (
                _without_empty((0, above), (1, tied), (0, between), (1, 0), (0, below - between))
                for between in (*_ABOVE_COUNTS, below)
                if 0 < between <= below
            )


def _rankings_of_blocks() -> Iterator[Groups]:
    """Two blocks of each class in turn, tied within each block, and without ties."""
    for positives, negatives in _CLASS_SIZES_OF_BLOCKS:
        for first, second in itertools.product(range(positives + 1), range(negatives + 1)):
            blocks = _without_empty((first, 0), (0, second), (positives - first, 0), (0, negatives - second))
            yield blocks
            yield blocks[::-1]
            yield tuple((int(p > 0), int(n > 0)) for p, n in blocks for _ in range(p + n))


def _without_empty(*groups: tuple[int, int]) -> Groups:
    return tuple(group for group in groups if any(group))


def _stack_rankings(rankings: list[Groups]) -> RankingCases:
    """Stack rankings with the same class counts as rows; groups that a row lacks are empty."""
    counts = np.zeros((len(rankings), max(map(len, rankings)), 2), dtype=int)
    for row, groups in enumerate(rankings):
        counts[row, : len(groups)] = groups
    return RankingCases(counts[:, :, 0], counts[:, :, 1])
