"""What ties decide, and intervals that draw whole sources, against trying and drawing one by one."""

from itertools import chain, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nontrivial_study.experiments.ranks.ranks import (
    SourceDraws,
    expanded_tail,
    order_depends,
    places_of,
    set_depends,
)


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


SOURCES = ["a", "a", "a", "b", "c", "c", "d"]
VALUES = np.array([0.5, 0.1, 0.9, 0.3, 0.3, 0.7, 0.2])


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_quantiles_and_means_are_those_of_each_resample(share):
    draws = SourceDraws(SOURCES, resamples=200)
    often = draws.sums(np.eye(len(SOURCES))).astype(int)
    resamples = [np.repeat(VALUES, times) for times in often]
    for names in (["a"] * 3, ["c"] * 2):  # tasks of one source come together
        columns = often[:, [number for number, source in enumerate(SOURCES) if source == names[0]]]
        assert (columns == columns[:, :1]).all()
    tail = expanded_tail(0.025, 4)
    for found, of in (
        (draws.of_quantile(VALUES, share), [np.quantile(values, share) for values in resamples]),
        (draws.of_mean(VALUES), [values.mean() for values in resamples]),
    ):
        assert found.tolist() == pytest.approx(np.quantile(of, [tail, 1 - tail]).tolist())


def test_one_source_has_no_interval():
    draws = SourceDraws(["a", "a"], resamples=10)
    for ends in (
        draws.of_share(np.array([True, False])),
        draws.of_mean(VALUES[:2]),
        draws.of_quantile(VALUES[:2], 0.5),
    ):
        assert np.isnan(ends).all()


def test_the_interval_of_a_mean_of_normal_values_is_students():
    values = stats.norm.ppf((np.arange(15) + 0.5) / 15)
    ends = SourceDraws(list(map(str, values)), 20_000, "resample tasks").of_mean(values)
    student = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert ends.tolist() == pytest.approx(student, rel=0.03)
