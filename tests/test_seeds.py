"""Seeds come from purposes alone."""

import hashlib

import pytest

from nontrivial.seeds import seed_for, user_generator


def test_seed_is_the_head_of_a_digest():
    assert seed_for("fit", "iris", 3) == int(hashlib.sha256(b'["fit", "iris", 3]').hexdigest()[:8], 16)


@pytest.mark.parametrize("state", ["x", 1.5, -1])
def test_what_is_no_random_state_is_refused(state):
    with pytest.raises(ValueError, match=f"random_state is {state!r}; it must be"):
        user_generator(state)
