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


def in_blocks(units: Ints, n_units: int) -> tuple[Ints, int]:
    """Return with which others cases are drawn, and how many such units there are.

    Parameters
    ----------
    units : int array of shape (n,)
        What each case is drawn with: itself, or its group.
    n_units : int

    Examples
    --------
    >>> in_blocks(np.array([0, 0, 1]), 2)
    (array([0, 0, 1]), 2)
    >>> in_blocks(np.arange(200_000), 200_000)[1]
    1000
    """
    if n_units <= MOST_UNITS:
        return units, n_units
    blocks = generator_for("blocks").integers(BLOCKS, size=n_units, dtype=np.int16)
    return blocks[units], BLOCKS
