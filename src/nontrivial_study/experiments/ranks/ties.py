"""What ties decide: whether two rankings can be said to agree at the top depends on how tied places are given out.

A ranking with ties stands for every ranking without that breaks them. Each model then has a first and a last place
that it can take. Two rankings agree surely, or surely do not, or it depends on the breaking.
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

Places = tuple[NDArray[np.int_], NDArray[np.int_]]


def places_of(values: NDArray[Any]) -> Places:
    """Return the first and the last place that each model can take, 1 for the greatest value.

    Examples
    --------
    >>> places_of(np.array([0.5, 0.9, 0.9]))
    (array([3, 1, 1]), array([3, 2, 2]))
    """
    ordered = np.sort(values)
    above = len(values) - np.searchsorted(ordered, values, side="right")
    not_below = len(values) - np.searchsorted(ordered, values, side="left")
    return above + 1, not_below


def order_depends(one: Places, other: Places, top: int) -> bool:
    """Return whether it depends on ties if two rankings have the same models on the first places in the same order.

    Parameters
    ----------
    one, other : (first, last)
        From `places_of`, of the same models.
    top : int
        Number of places, at most that of models.

    Notes
    -----
    The rankings can agree if each place can have a model of its own that both can put there, which is so if any of
    the places together have at least as many such models as they are (Hall's theorem). They can differ unless every
    place has one possible model in each, and the same.

    Examples
    --------
    >>> tied, clear = places_of(np.array([3, 3, 1])), places_of(np.array([3, 2, 1]))
    >>> order_depends(tied, clear, 1), order_depends(clear, clear, 1)
    (True, False)
    """
    on_place = [_can_take(one, place) & _can_take(other, place) for place in range(1, top + 1)]
    subsets = chain.from_iterable(combinations(on_place, size) for size in range(1, top + 1))
    can_agree = all(np.any(subset, axis=0).sum() >= len(subset) for subset in subsets)
    sole = all(
        _can_take(ranking, place).sum() == 1 for ranking in (one, other) for place in range(1, top + 1)
    )
    return can_agree and not sole


def set_depends(one: Places, other: Places, top: int) -> bool:
    """Return whether it depends on ties if two rankings have the same models on the first places, in any order.

    Parameters
    ----------
    one, other, top
        As for `order_depends`.

    Notes
    -----
    A model must be among the first if its last place is, and can be if its first place is. The rankings can agree on
    a set that holds all that must be in either and only what can be in both.

    Examples
    --------
    >>> tied, clear = places_of(np.array([3, 3, 1])), places_of(np.array([3, 2, 1]))
    >>> set_depends(tied, clear, 1), set_depends(tied, clear, 2)
    (True, False)
    """
    must = (one[1] <= top) | (other[1] <= top)
    can = (one[0] <= top) & (other[0] <= top)
    can_agree = not (must & ~can).any() and must.sum() <= top <= can.sum()
    sole = all((ranking[0] <= top).sum() == top for ranking in (one, other))
    return bool(can_agree and not sole)


def _can_take(ranking: Places, place: int) -> NDArray[np.bool_]:
    first, last = ranking
    return (first <= place) & (place <= last)
