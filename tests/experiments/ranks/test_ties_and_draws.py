"""What ties decide, and intervals that draw whole sources, against trying and drawing one by one."""

from itertools import chain, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from nontrivial_study.experiments.ranks.sources import draw_sources, expanded_tail
from nontrivial_study.experiments.ranks.tied_ranks import order_depends_on_ties, rank_ranges, set_depends_on_ties


def break_ties(values):
    """Every order of the models, best first, in which none stands before a greater one."""
    blocks = [np.flatnonzero(values == value) for value in sorted(set(values), reverse=True)]
    return [tuple(chain(*orders)) for orders in product(*map(permutations, blocks))]


def depends_by_trial(x, y, top, view):
    """Whether some ways of breaking ties make the first places agree and some do not."""
    verdicts = {view(first[:top]) == view(second[:top]) for first, second in product(break_ties(x), break_ties(y))}
    return len(verdicts) == 2


@pytest.mark.parametrize(("depends", "view"), [(order_depends_on_ties, tuple), (set_depends_on_ties, set)])
@settings(deadline=None, derandomize=True, max_examples=150)
@given(data=st.data())
def test_against_every_way_of_breaking_ties(depends, view, data):
    models = data.draw(st.integers(1, 5))
    x, y = (np.array(data.draw(st.lists(st.integers(0, 3), min_size=models, max_size=models))) for _ in "ab")
    top = data.draw(st.integers(1, min(models, 3)))
    assert depends(rank_ranges(x), rank_ranges(y), top) == depends_by_trial(x, y, top, view)


SOURCES = ["a", "a", "a", "b", "c", "c", "d"]
VALUES = np.array([0.5, 0.1, 0.9, 0.3, 0.3, 0.7, 0.2])


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75])
def test_quantiles_and_means_are_those_of_each_resample(share):
    draws = draw_sources(SOURCES, resamples=200)
    frequencies = draws.resampled_sums(np.eye(len(SOURCES))).astype(int)
    resamples = [np.repeat(VALUES, times) for times in frequencies]
    for names in (["a"] * 3, ["c"] * 2):  # tasks of one source come together
        columns = frequencies[:, [number for number, source in enumerate(SOURCES) if source == names[0]]]
        assert (columns == columns[:, :1]).all()
    tail = expanded_tail(0.025, 4)
    for interval, resampled in (
        (draws.quantile_interval(VALUES, share), [np.quantile(values, share) for values in resamples]),
        (draws.mean_interval(VALUES), [values.mean() for values in resamples]),
    ):
        assert interval.tolist() == pytest.approx(np.quantile(resampled, [tail, 1 - tail]).tolist())


def test_one_source_has_no_interval():
    draws = draw_sources(["a", "a"], resamples=10)
    assert np.isnan(draws.share_interval(np.array([True, False]))).all()
    assert np.isnan(draws.mean_interval(VALUES[:2])).all()
    assert np.isnan(draws.quantile_interval(VALUES[:2], 0.5)).all()


def test_the_interval_of_a_mean_of_normal_values_is_students():
    values = stats.norm.ppf((np.arange(15) + 0.5) / 15)
    ends = draw_sources(list(map(str, values)), 20_000, "resample tasks").mean_interval(values)
    student = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert ends.tolist() == pytest.approx(student, rel=0.03)
