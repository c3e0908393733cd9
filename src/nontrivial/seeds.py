"""Random numbers whose seed comes from their purpose.

A draw that is seeded by the order of work changes when work is added, split or resumed. Here a seed is a
digest of the names of what is drawn, so each unit of work has its own stream wherever and whenever it runs.
"""

from __future__ import annotations

import hashlib
import json

import numpy as np

from nontrivial._validation import show


def seed_for(*purpose: str | int | float) -> int:
    """Return the 32-bit seed that belongs to a purpose.

    Parameters
    ----------
    *purpose : str, int or float
        What the draw is for, from the general to the special, such as ``("fit", "wdbc", "random_forest", 3)``.

    Returns
    -------
    int in [0, 2**32)
        The same for the same names on every machine; ``1`` and ``"1"`` are different names.

    Examples
    --------
    >>> seed_for("fit", "iris", 0) == seed_for("fit", "iris", 0)
    True
    >>> seed_for("fit", "iris", 0) == seed_for("fit", "iris", 1)
    False
    """
    if not purpose:
        raise ValueError("seed_for needs at least one name that says what the draw is for.")
    digest = hashlib.sha256(json.dumps(purpose).encode()).digest()
    return int.from_bytes(digest[:4], "big")


INTERVAL_SEED = seed_for("interval")


def generator_for(*purpose: str | int | float) -> np.random.Generator:
    """Return a NumPy generator seeded by `seed_for`.

    Examples
    --------
    >>> int(generator_for("flip", "wdbc").integers(10)) == int(generator_for("flip", "wdbc").integers(10))
    True
    """
    return np.random.default_rng(seed_for(*purpose))


def generator_of(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """Return the generator that a user asks for, or one that is the same for all intervals.

    So a call can be repeated, and a quantity has the same interval in each function that gives it.

    Raises
    ------
    ValueError
        If `random_state` is something else.

    Examples
    --------
    >>> bool(generator_of(None).integers(10) == generator_of(INTERVAL_SEED).integers(10))
    True
    """
    if random_state is None:
        random_state = INTERVAL_SEED
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            f"random_state is {show(random_state)}; it must be None, a whole number of at least 0 or a numpy Generator."
        ) from None
