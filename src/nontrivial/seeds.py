"""Seeds of random numbers, each computed from the purpose of a draw.

If draws were seeded by the order of work, they would change when work is added, split or resumed. Here a seed is a
digest of the purpose of the draw, so each unit of work draws the same numbers wherever and whenever it runs.
"""

import hashlib
import json

import numpy as np

from nontrivial._validation import repr_of


def seed_for(*purpose: str | int | float) -> int:
    """Return the 32-bit seed of a purpose, such as ``("fit", "wdbc", "random_forest", 3)``; 1 and "1" differ."""
    digest = hashlib.sha256(json.dumps(purpose).encode()).digest()
    return int.from_bytes(digest[:4], "big")


INTERVAL_SEED = seed_for("interval")


def generator_for(*purpose: str | int | float) -> np.random.Generator:
    return np.random.default_rng(seed_for(*purpose))


def user_generator(random_state: int | np.random.Generator | None) -> np.random.Generator:
    """Return a user's generator, or by default one with the same seed for all intervals."""
    if random_state is None:  # each function that returns an interval then returns the same one
        random_state = INTERVAL_SEED
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            f"random_state is {repr_of(random_state)}; it must be None, a whole number of at least 0 or a numpy "
            "Generator."
        ) from None
