"""Very many cases, drawn together in random blocks.

The Bayesian bootstrap weighs each case. More than `MOST_UNITS` cases are put into `BLOCKS` blocks at random, and a
block is weighed: what is estimated then varies from draw to draw as it would case by case, but for a few parts in a
hundred of its standard deviation, and a draw costs no more for more cases.
"""

from __future__ import annotations

import numpy as np

from nontrivial._arrays import Ints
from nontrivial.seeds import generator_for

MOST_UNITS = 20_000
BLOCKS = 1000


def in_blocks(groups: Ints | None, n: int) -> tuple[Ints, int]:
    """Return with which others each of `n` cases is drawn, and how many such units there are.

    Parameters
    ----------
    groups : int array of shape (n,) or None
        What cases are drawn by; None if one by one.
    n : int

    Examples
    --------
    >>> in_blocks(np.array([0, 0, 1]), 3)
    (array([0, 0, 1]), 2)
    >>> in_blocks(None, 200_000)[1]
    1000
    """
    n_units = n if groups is None else int(groups.max()) + 1
    if n_units <= MOST_UNITS:
        return np.arange(n) if groups is None else groups, n_units
    blocks = generator_for("blocks").integers(BLOCKS, size=n_units, dtype=np.int16)
    return blocks if groups is None else blocks[groups], BLOCKS
