"""The F gain to expect along the curve."""

import math

import pytest
from curves.rankings import worst

from nontrivial.curves import expected_f_gain_score

pytestmark = pytest.mark.filterwarnings("ignore::nontrivial.curves.ExtrapolatedAreaWarning")


def test_the_expected_f_gain_is_undefined_when_no_negative_is_left_at_recall_gain_zero():
    assert math.isnan(expected_f_gain_score(*worst(3, 5)))
    assert math.isfinite(expected_f_gain_score([0, 0, 1, 1, 0, 1], [6, 5, 4, 3, 2, 1]))
