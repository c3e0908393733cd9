"""Exact areas of rankings, against the package's own and against integrals."""

import functools
import itertools

import numpy as np
import pytest
from claims.rankings.cases import FEW, SAMPLE, labels_and_scores, number, points
from scipy.integrate import quad
from sklearn.metrics import average_precision_score, roc_auc_score

from nontrivial import curves

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.gain.ExtrapolatedAreaWarning")
OWN = {
    "roc_auc": roc_auc_score,
    "concordance": roc_auc_score,
    "average_precision": average_precision_score,
    "pr_auc": curves.pr_auc_score,
    "break_even_point": curves.break_even_point_score,
    "prg_auc": curves.prg_auc_score,
    "expected_f1_gain": curves.expected_f_gain_score,
    "mean_f1_gain": curves.expected_f_gain_score,
    **{
        name.format(f): functools.partial(curves.expected_f_gain_score, beta=beta)
        for f, beta in (("f_half", 0.5), ("f2", 2))
        for name in ("mean_{}_gain", "expected_{}_gain_by_parts")
    },
    "roc_hull_auc": curves.roc_hull_auc_score,
    "cost_curve_area": curves.cost_curve_area_score,
    "mean_least_cost": curves.cost_curve_area_score,
}


@pytest.mark.parametrize("name", OWN)
def test_areas_are_those_of_the_curves(name):
    for rankings, row in SAMPLE if name != "mean_least_cost" else FEW:
        labels, scores = labels_and_scores(rankings.integers(row))
        exact = number(rankings, row, name)
        own = OWN[name](labels, scores)
        if exact is None:
            assert np.isnan(own)
        else:
            assert own == pytest.approx(float(exact), abs=6e-10 if name == "pr_auc" else 1e-12)


def test_the_hyperbolic_area_is_the_integral_of_precision():
    """Numerically, along the interpolated tables."""
    for rankings, row in SAMPLE[::20]:
        total = 0.0
        for (t1, f1), (t2, f2) in itertools.pairwise(points(rankings.integers(row))):
            if t2 > t1:
                slope = (f2 - f1) / (t2 - t1)
                total += quad(lambda t, a=t1, f=f1, s=slope: t / (t + f + s * (t - a)), t1, t2)[0]
        assert float(number(rankings, row, "pr_auc")) == pytest.approx(total / rankings.positives, abs=1e-9)
