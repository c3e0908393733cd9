"""Intervals that draw whole sources, against draws made one by one."""

import numpy as np
import pytest
from scipy import stats

from nontrivial_study.experiments.ranks.ranks import SourceDraws, expanded_tail, resampled_interval

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
        resampled_interval(np.empty(0), np.mean, 100),
    ):
        assert np.isnan(ends).all()


def test_the_interval_of_a_mean_of_normal_values_is_students():
    values = stats.norm.ppf((np.arange(15) + 0.5) / 15)
    ends = resampled_interval(values, np.mean, 20_000)
    student = stats.t.interval(0.95, len(values) - 1, values.mean(), stats.sem(values))
    assert ends.tolist() == pytest.approx(student, rel=0.03)
