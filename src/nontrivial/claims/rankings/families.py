"""Rankings of many cases that people argue with: one or two cases of a class among many of the other, and blocks."""

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from nontrivial.claims.rankings.quantities import Rankings

MOST = 200  # cases, of quantities whose exact numbers stay small,
MOST_OF_AREAS = 20  # of others
MOST_IN_PAIRS = 12  # and of each ranking of a pair
_OTHERS = (5, 10, 20, 60, 198)  # cases of the common class
_ABOVE = (0, 1, 2, 3, 5, 8, 10, 15, 30)  # of them, how many come before a rare case
_TIED = (0, 1, 3)  # and how many are tied with it
_BLOCKS = ((5, 5), (10, 10), (4, 16), (16, 4))  # positives and negatives
Groups = tuple[tuple[int, int], ...]  # the positives and negatives of each group, the best group first


@functools.cache
def families(most: int) -> tuple[Rankings, ...]:
    """Return the rankings of up to so many cases, those of the same classes together, few cases first."""
    by_counts: dict[tuple[int, int], dict[Groups, None]] = {}
    for groups in itertools.chain(_rare(), _blocks()):
        # Reversed with its classes exchanged, a ranking has the same ROC area.
        exchanged = tuple((negatives, positives) for positives, negatives in groups[::-1])
        for ranking in (groups, exchanged):
            positives, negatives = map(sum, zip(*ranking, strict=True))
            if positives + negatives <= most:
                by_counts.setdefault((positives, negatives), {})[ranking] = None
    return tuple(
        _together(list(by_counts[counts])) for counts in sorted(by_counts, key=lambda pair: (sum(pair), pair))
    )


def _rare() -> Iterator[Groups]:
    """One or two positives among many negatives, each with or without negatives tied with it."""
    for others, above, tied in itertools.product(_OTHERS, _ABOVE, _TIED):
        if above + tied <= others:
            left = others - above - tied
            yield _without_empty((0, above), (1, tied), (0, left))
            yield _without_empty((0, above), (2, tied), (0, left))
            yield from (
                _without_empty((0, above), (1, tied), (0, between), (1, 0), (0, left - between))
                for between in (*_ABOVE, left)
                if 0 < between <= left
            )


def _blocks() -> Iterator[Groups]:
    """Two blocks of each class in turn, tied within each block, and without ties."""
    for positives, negatives in _BLOCKS:
        for first, second in itertools.product(range(positives + 1), range(negatives + 1)):
            blocks = _without_empty((first, 0), (0, second), (positives - first, 0), (0, negatives - second))
            yield blocks
            yield blocks[::-1]
            yield tuple((int(p > 0), int(n > 0)) for p, n in blocks for _ in range(p + n))


def _without_empty(*groups: tuple[int, int]) -> Groups:
    return tuple(group for group in groups if any(group))


def _together(rankings: list[Groups]) -> Rankings:
    """Put rankings of the same classes into one, as rows; groups that a row lacks are empty."""
    steps = np.zeros((len(rankings), max(map(len, rankings)), 2), dtype=int)
    for row, groups in enumerate(rankings):
        steps[row, : len(groups)] = groups
    return Rankings(steps[:, :, 0], steps[:, :, 1])
