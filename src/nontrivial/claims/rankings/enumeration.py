"""All rankings of so many positives and negatives, ties included.

A ranking is a sequence of groups of tied cases, the best first. As the curves see it, it is a path of operating
points (FP, TP) from (0, 0) to (N, P) in which each group is one step. As integers it is the positives and the
negatives of each group in turn.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bytes = NDArray[np.int8]
Ratio = tuple[Any, Any]  # numerator and denominator, which broadcast to one number for each ranking


@dataclass(eq=False)
class Rankings:
    """Rankings with the same class counts.

    Attributes
    ----------
    positives, negatives : int
        P and N, both 1 or more.
    tp, fp : ndarray of shape (n_rankings, P + N + 1)
        The operating points, the first 0; behind the last one, (N, P), it is repeated.
    groups : ndarray of shape (n_rankings,)
        Steps that the path really has.
    """

    positives: int
    negatives: int
    tp: Ints
    fp: Ints
    groups: Ints
    ratios: dict[str, Ratio] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.tp)

    @property
    def n(self) -> int:
        """Cases in a ranking."""
        return self.positives + self.negatives

    @functools.cached_property
    def gained(self) -> Ints:
        """Positives of each group; 0 behind the last."""
        return np.diff(self.tp)

    @functools.cached_property
    def added(self) -> Ints:
        """Negatives of each group; 0 behind the last."""
        return np.diff(self.fp)

    def between(self, first: int, last: int) -> Rankings:
        """Those from one row up to another."""
        tp, fp, groups = (part[first:last] for part in (self.tp, self.fp, self.groups))
        return Rankings(self.positives, self.negatives, tp, fp, groups)

    def integers(self, row: int) -> tuple[int, ...]:
        """One ranking as integers: positives and negatives of each group."""
        groups = int(self.groups[row])
        steps = zip(self.gained[row, :groups], self.added[row, :groups], strict=True)
        return tuple(int(count) for step in steps for count in step)


def classes(cases: int) -> Iterator[tuple[int, int]]:
    """The counts (positives, negatives) with both classes present and at most `cases` in all, fewest first.

    Examples
    --------
    >>> list(classes(3))
    [(1, 1), (1, 2), (2, 1)]
    """
    for n in range(2, cases + 1):
        yield from ((positives, n - positives) for positives in range(1, n))


@functools.cache
def all_rankings(positives: int, negatives: int) -> Rankings:
    """Every ranking of so many positives and negatives once, in the order of their integers.

    Examples
    --------
    >>> rankings = all_rankings(1, 1)
    >>> [rankings.integers(row) for row in range(len(rankings))]
    [(0, 1, 1, 0), (1, 0, 0, 1), (1, 1)]
    """
    tp, fp, groups = (part.astype(np.int64) for part in _paths(positives, negatives))
    integers = np.stack([np.diff(tp), np.diff(fp)], axis=-1).reshape(len(tp), -1)
    rows = np.lexsort(integers.T[::-1])
    return Rankings(positives, negatives, tp[rows], fp[rows], groups[rows])


@functools.cache
def untied_rankings(positives: int, negatives: int) -> Rankings:
    """Every ranking of so many positives and negatives without ties, in the order of their integers.

    Examples
    --------
    >>> rankings = untied_rankings(1, 1)
    >>> [rankings.integers(row) for row in range(len(rankings))]
    [(0, 1, 1, 0), (1, 0, 0, 1)]
    """
    n = positives + negatives
    places = np.array(list(itertools.combinations(range(n), negatives)))  # of the negatives, which sort first
    gained = np.ones((len(places), n), dtype=np.int64)
    np.put_along_axis(gained, places, 0, axis=1)
    tp, fp = (np.pad(steps.cumsum(axis=1), ((0, 0), (1, 0))) for steps in (gained, 1 - gained))
    return Rankings(positives, negatives, tp, fp, np.full(len(places), n))


def ranking_of(integers: Sequence[int | Fraction], cases: int) -> Rankings | None:
    """The ranking with these integers; None if they are no ranking of at most `cases` cases."""
    whole = all(type(count) is int and count >= 0 for count in integers)
    if not whole or len(integers) % 2 or not 1 <= len(integers) // 2 <= cases or sum(integers) > cases:
        return None
    gained, added = np.array(integers[0::2]), np.array(integers[1::2])
    if not (gained + added > 0).all() or not gained.any() or not added.any():
        return None
    positives, negatives = int(gained.sum()), int(added.sum())
    behind = positives + negatives - len(gained)
    tp, fp = (
        np.concatenate([[0], np.cumsum(steps), np.full(behind, steps.sum())])[None]
        for steps in (gained, added)
    )
    return Rankings(positives, negatives, tp, fp, np.array([len(gained)]))


@functools.cache
def _paths(positives: int, negatives: int) -> tuple[Bytes, Bytes, Bytes]:
    """Paths from (0, 0) to (N, P) by steps of any size: each is one to an earlier point, and a last step."""
    width = positives + negatives + 1
    if width == 1:
        start = np.zeros((1, 1), dtype=np.int8)
        return start, start, np.zeros(1, dtype=np.int8)
    parts = []
    for tp_before in range(positives + 1):
        for fp_before in range(negatives + 1):
            if (tp_before, fp_before) == (positives, negatives):
                continue
            tp, fp, groups = _paths(tp_before, fp_before)
            ends = np.arange(width) > groups[:, None]
            longer = [
                np.where(ends, np.int8(last), np.pad(part, ((0, 0), (0, width - part.shape[1]))))
                for part, last in ((tp, positives), (fp, negatives))
            ]
            parts.append((*longer, groups + np.int8(1)))
    tp, fp, groups = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return tp, fp, groups
