"""Resamples of many cases are drawn in blocks."""

import numpy as np
import pandas as pd
import pytest
from scorecard.valid import score

from nontrivial._draws import MOST_UNITS


def test_more_cases_are_drawn_in_blocks_with_intervals_as_wide():
    draw = np.random.default_rng(3)
    n = MOST_UNITS + 1
    frame = pd.DataFrame({"y": draw.random(n) < 0.1, "w": draw.integers(1, 3, n)})
    frame["p"] = np.clip(draw.normal(0.3 + 0.3 * frame["y"], 0.15), 0, 1)
    one, blocks = (score(frame.iloc[:size], weight="w").result for size in (n - 1, n))
    for name in ("f_beta", "matthews_corrcoef", "prediction_advantage"):
        widths = [card.measures[name].high - card.measures[name].low for card in (one, blocks)]
        assert widths[0] == pytest.approx(widths[1], rel=0.15), name
    widths = [card.areas["roc_auc"].high - card.areas["roc_auc"].low for card in (one, blocks)]
    assert widths[0] == pytest.approx(widths[1], rel=0.2)
