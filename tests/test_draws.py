"""Ends of intervals from draws, widened for few units as Student's distribution widens the normal one."""

import numpy as np
import pytest
from scipy.stats import norm, t

from nontrivial._draws import contracted_tail, expanded_tail


@pytest.mark.parametrize("units", [3, 5, 10, 36.8, 1000])
@pytest.mark.parametrize("tail", [0.005, 0.025, 0.3])
def test_the_reach_is_students_over_the_root_of_n_less_one_in_n(units, tail):
    reach = norm.isf(expanded_tail(tail, units))
    assert reach == pytest.approx(np.sqrt(units / (units - 1)) * t.isf(tail, units - 1), rel=1e-9)
    assert contracted_tail(expanded_tail(tail, units), units) == pytest.approx(tail, rel=1e-9)


def test_of_many_units_nothing_changes():
    assert expanded_tail(0.025, 10**7) == pytest.approx(0.025, rel=1e-5)
