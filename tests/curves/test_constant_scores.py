"""A score that is the same for all cases has exactly the area that the docstring names, with any weights."""

import functools

import numpy as np
import pytest

from nontrivial import curves

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")

AREAS = {
    "roc_hull": (curves.roc_hull_auc_score, {}, lambda _: 0.5),
    "cost": (curves.cost_curve_area_score, {}, lambda _: 0.25),
    "prg": (curves.prg_auc_score, {}, lambda _: 0.0),
    "prg clipped": (curves.prg_auc_score, {"clip": True}, lambda _: 0.0),
    "expected F1 gain": (curves.expected_f_gain_score, {}, lambda _: 0.25),
    "expected F2 gain": (curves.expected_f_gain_score, {"beta": 2}, lambda _: 0.4),
    "hyperbolic": (curves.pr_auc_score, {}, lambda p: p),
    "step": (curves.pr_auc_score, {"interpolation": "step"}, lambda p: p),
    "linear": (curves.pr_auc_score, {"interpolation": "linear"}, lambda p: (1 + p) / 2),
    "break-even": (curves.break_even_point_score, {}, lambda p: p),
}


@functools.cache
def drawn(kind):
    """A hundred times labels, weights and the share of positives."""
    draws = []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 40))
        labels = rng.integers(0, 2, n)
        labels[:2] = 0, 1
        weights = {
            "none": None,
            "whole": rng.integers(1, 9, n),
            "decimal": rng.random(n) + 0.01,
            "twelve decades": 10 ** rng.uniform(-6, 6, n),
        }[kind]
        points = curves.operating_points(labels, np.zeros(n), sample_weight=weights)
        draws.append((labels, weights, points.positives / (points.positives + points.negatives)))
    return draws


@pytest.mark.parametrize("name", AREAS)
@pytest.mark.parametrize("kind", ["none", "whole", "decimal", "twelve decades"])
def test_a_constant_score_has_exactly_its_value(name, kind):
    score, options, value = AREAS[name]
    for labels, weights, prevalence in drawn(kind):
        found = score(labels, np.zeros(len(labels)), sample_weight=weights, **options)
        assert found == value(prevalence)
