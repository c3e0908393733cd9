"""Well-known intervals, where they have a closed form."""

import numpy as np
import pytest
from scipy.stats import t

from benchmarks.peer_intervals import Z, areas_without_each, delong_difference, jackknife, tango_difference
from nontrivial.curves import curve_areas

DRAW = np.random.default_rng(0)
POSITIVE = np.arange(30) % 3 == 0
SCORES = DRAW.normal(size=(2, 30)).round(1) + POSITIVE


def test_the_jackknife_of_a_mean_is_students_interval():
    values = DRAW.normal(size=9)
    left_out = (values.sum() - values) / 8
    expected = t.interval(0.95, 8, values.mean(), values.std(ddof=1) / 3)
    assert jackknife(values.mean(), left_out) == pytest.approx(expected)


def test_of_models_that_never_differ_tangos_ends_are_wilsons():
    end = Z**2 / (50 + Z**2)
    assert tango_difference(0, 0, 50) == pytest.approx((-end, end), abs=1e-6)


def test_delong_is_the_two_sample_interval_of_placements():
    """Against a constant score, of whose placements all are 1/2."""
    positives, negatives = SCORES[0][POSITIVE], SCORES[0][~POSITIVE]
    wins = np.sign(positives[:, None] - negatives) / 2
    half = Z * np.sqrt(wins.mean(axis=1).var(ddof=1) / 10 + wins.mean(axis=0).var(ddof=1) / 20)
    expected = wins.mean() - half, wins.mean() + half
    assert delong_difference(POSITIVE, SCORES[0], np.zeros(30)) == pytest.approx(expected)


def test_areas_without_a_group_are_those_of_the_others():
    groups = np.arange(30) % 7
    found, without = areas_without_each(POSITIVE, SCORES[0], groups)
    for group in (None, *range(7)):
        kept = groups != group
        for name, area in found.items() if group is None else ((k, v[group]) for k, v in without.items()):
            assert area == pytest.approx(curve_areas(POSITIVE[kept], SCORES[0][kept])[name]), (name, group)
