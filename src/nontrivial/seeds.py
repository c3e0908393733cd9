"""Random numbers whose seed comes from their purpose.

A draw that is seeded by the order of work changes when work is added, split or resumed. Here a seed is a
digest of the names of what is drawn, so each unit of work has its own stream wherever and whenever it runs.
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
    """Return the generator that a user asks for, or one that is the same for all intervals."""
    if random_state is None:  # so that a quantity has the same interval in each function that returns it
        random_state = INTERVAL_SEED
    try:
        return np.random.default_rng(random_state)
    except (TypeError, ValueError):
        raise ValueError(
            f"random_state is {repr_of(random_state)}; it must be None, a whole number of at least 0 or a numpy "
            "Generator."
        ) from None
