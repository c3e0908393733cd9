"""Areas under the Precision-Recall curve: three named interpolations, three numbers."""

from decimal import Decimal, localcontext

import numpy as np
import pytest

from nontrivial.curves import operating_points, pr_auc_score
from nontrivial.curves.areas import artanh_excess, interpolated_points


@pytest.mark.parametrize("before", [1, 10**3, 10**6, 10**9])
def test_no_digits_are_lost_when_a_lone_positive_ranks_far_down(before):
    with localcontext() as context:  # after `before` negatives the positive comes alone: 1 - f ln(1 + 1/f)
        context.prec = 60
        exact = 1 - before * (1 + 1 / Decimal(before)).ln()
    area = pr_auc_score([0, 1], [2, 1], sample_weight=[before, 1])
    assert area == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("v", [1e-9, 1e-6, 1e-3, 0.0049, 0.005, 0.0051, 0.05, 0.5, 0.99])
def test_the_curvature_of_a_rise_is_right_to_the_last_digits(v):
    with localcontext() as context:
        context.prec = 60
        exact = ((1 + Decimal(v)) / (1 - Decimal(v))).ln() / (2 * Decimal(v)) - 1
    relative, absolute = (1e-14, 0) if v <= 0.005 else (0, 1e-15)
    assert artanh_excess(np.array([v]))[0] == pytest.approx(
        float(exact), rel=relative, abs=max(absolute, 1e-300)
    )


@pytest.mark.parametrize("interpolation", ["cubic", ["step"], np.array(["step", "linear"]), None])
def test_an_unknown_interpolation_is_refused(interpolation):
    with pytest.raises(ValueError, match="hyperbolic, step, linear"):
        pr_auc_score([0, 1], [0, 1], interpolation=interpolation)


@pytest.mark.parametrize(("labels", "first"), [([1, 1, 0, 0], 1), ([1, 0, 1, 0], 1 / 2), ([0, 0, 1, 1], 0)])
def test_at_recall_0_stands_the_limit_along_the_first_line_with_true_positives(labels, first):
    precision, recall = interpolated_points(operating_points(labels, [2, 2, 1, 1]))
    assert (recall[0], precision[0]) == (0, pytest.approx(first, abs=1e-12))
