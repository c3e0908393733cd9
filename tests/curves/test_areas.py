"""The records of areas: both forms give what was worked out by hand, and say the same of any weights and ties."""

from math import log

import numpy as np
import pandas as pd
import pytest
from reference.exact_curves import compositions, has_both_classes

from nontrivial.curves.areas import CURVE_AREAS, curve_areas, resampled_areas
from nontrivial.seeds import generator_for
from nontrivial_study.tables import declared_tables

pytestmark = pytest.mark.filterwarnings(
    "ignore::nontrivial.curves.ExtrapolatedAreaWarning", "ignore:No negative case:UserWarning"
)
every_area = pytest.mark.parametrize("area", CURVE_AREAS.values(), ids=CURVE_AREAS)
# The positives and the negatives of each score, from the top.
WORKED_RANKINGS = (
    ((1.0, 0.0), (0.0, 1.0), (1.0, 0.0), (0.0, 1.0)),
    ((2.0, 1.0), (1.0, 2.0)),  # ties
    ((0.0, 0.5), (1.5, 0.0), (0.5, 1.0), (0.0, 2.5)),  # weights
)
WORKED = {  # by hand
    "roc_auc": (3 / 4, 2 / 3, 27 / 32),
    "average_precision": (5 / 6, 11 / 18, 79 / 112),
    "pr_auc": (1 - log(3 / 2) / 2, (5 + log(2)) / 9, 5 / 6 - log(2) / 2 + 5 / 36 * log(7 / 4)),
    "prg_auc": (1 / 4, 3 / 8, 35 / 48),
    "expected_f1_gain": (3 / 8, 11 / 24, 433 / 672),
    "cost_curve_area": (1 / 8, 2 / 9, 13 / 112),
}
SMALL_RANKINGS = [groups for n in range(2, 6) for groups in compositions(n) if has_both_classes(groups)]


def from_steps(name, groups):
    """Return the area of groups of positives and negatives, each a weight that has its own score, from the top."""
    weights = np.asarray(groups, dtype=float)
    labels, scores = np.tile([1, 0], len(weights)), -np.repeat(np.arange(len(weights)), 2)
    return curve_areas(labels, scores, sample_weight=weights.ravel())[name]


def from_resamples(name, *rankings):
    """Return the areas of rankings of one length as resamples, whose cells have the negatives of a score first."""
    return resampled_areas(np.array([np.asarray(groups, float)[:, ::-1].ravel() for groups in rankings]))[name]


@every_area
@pytest.mark.parametrize("place", range(len(WORKED_RANKINGS)))
def test_both_forms_give_what_was_worked_out_by_hand(area, place):
    by_hand = pytest.approx(WORKED[area.name][place], rel=1e-12)
    assert from_steps(area.name, WORKED_RANKINGS[place]) == by_hand
    if area.from_resamples:
        assert from_resamples(area.name, WORKED_RANKINGS[place])[0] == by_hand


@every_area
def test_resamples_are_steps(area):
    """With unit weights, with other weights, with ties, and with scores that no case has in a resample."""
    if not area.from_resamples:
        pytest.skip("has no interval")
    for groups in SMALL_RANKINGS:
        expected = pytest.approx(from_steps(area.name, groups), rel=1e-9, abs=1e-12, nan_ok=True)
        assert from_resamples(area.name, groups)[0] == expected, groups
    rng = generator_for("resamples of areas")
    for size in rng.integers(2, 30, 20):
        resamples = rng.integers(0, 4, (10, size, 2)) * rng.choice([1.0, rng.random()], (10, size, 2))
        resamples[:, 0] += [1, 0]
        resamples[:, -1] += [0, 1]
        expected = [from_steps(area.name, groups) for groups in resamples]
        assert from_resamples(area.name, *resamples) == pytest.approx(expected, rel=1e-9, nan_ok=True)


@every_area
def test_nothing_is_better_than_a_perfect_ranking(area):
    worth = [area.sign * from_steps(area.name, groups) for groups in SMALL_RANKINGS]
    assert area.sign * from_steps(area.name, [(1, 0), (0, 1)]) == np.nanmax(worth) > np.nanmin(worth)


@every_area
def test_a_record_says_all_that_is_shown_of_an_area(area):
    assert all([area.short_label, area.label, area.meaning.endswith(".")])
    assert bool(area.from_resamples) != bool(area.why_no_interval)
    values = [from_steps(area.name, groups) for groups in SMALL_RANKINGS]
    assert np.isnan(values).any() == bool(area.why_undefined)
    (column,) = (column for column in declared_tables()["curve_areas"].columns if column.name == area.name)
    assert column.allows(pd.Series(values)).all()
