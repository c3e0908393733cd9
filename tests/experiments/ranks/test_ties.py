"""What ties decide, against trying every way of breaking them."""

from itertools import chain, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nontrivial_study.experiments.ranks.ranks import order_depends, places_of, set_depends


def broken(values):
    """Every order of the models, best first, in which none stands before a greater one."""
    blocks = [np.flatnonzero(values == value) for value in sorted(set(values), reverse=True)]
    return [tuple(chain(*orders)) for orders in product(*map(permutations, blocks))]


def tried(one, other, top, view):
    """Whether some ways of breaking ties make the first places agree and some do not."""
    verdicts = {
        view(first[:top]) == view(second[:top]) for first, second in product(broken(one), broken(other))
    }
    return len(verdicts) == 2


@pytest.mark.parametrize(("depends", "view"), [(order_depends, tuple), (set_depends, set)])
@settings(deadline=None, derandomize=True, max_examples=150)
@given(data=st.data())
def test_against_every_way_of_breaking_ties(depends, view, data):
    models = data.draw(st.integers(1, 5))
    one, other = (
        np.array(data.draw(st.lists(st.integers(0, 3), min_size=models, max_size=models))) for _ in "ab"
    )
    top = data.draw(st.integers(1, min(models, 3)))
    assert depends(places_of(one), places_of(other), top) == tried(one, other, top, view)
