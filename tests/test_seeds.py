"""Seeds come from purposes alone."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nontrivial.seeds import generator_of, seed_for


def test_seed_is_the_head_of_a_digest():
    assert seed_for("fit", "iris", 3) == int(hashlib.sha256(b'["fit", "iris", 3]').hexdigest()[:8], 16)


@given(st.lists(st.text(), min_size=1), st.lists(st.text(), min_size=1))
def test_different_purposes_have_different_seeds(one, other):
    assert (seed_for(*one) == seed_for(*other)) == (one == other)


@pytest.mark.parametrize("state", ["x", 1.5, -1])
def test_what_is_no_random_state_is_refused(state):
    with pytest.raises(ValueError, match=f"random_state is {state!r}; it must be"):
        generator_of(state)


def test_a_purpose_is_needed():
    with pytest.raises(ValueError, match="at least one name"):
        seed_for()
