"""Two selective classifiers, the pair of the table marked."""

import numpy as np
import pandas as pd
import pytest

from nontrivial_study.experiments.selective.selective import REJECTS, selective_classifiers, worked_example
from nontrivial_study.experiments.selective.selective_figures import plot_selection


def test_selection_marks_the_pair_and_leaves_the_worked_example_out(predictions):
    pair, curves = selective_classifiers(predictions, {"task": "t", "coverage": 0.7, "minority_share": 0.2})
    both = pd.concat([worked_example(), pair], ignore_index=True)
    risk, advantage = plot_selection(curves, both).axes
    marked = [
        line.get_ydata()[0]
        for line in risk.lines
        if line.get_marker() in ("P", "s") and len(line.get_xdata()) == 1
    ]
    assert marked == pytest.approx((100 * pair["risk"]).tolist())
    lines = [
        line for line in advantage.lines if len(line.get_xdata()) == (curves["rejects"] == REJECTS[1]).sum()
    ]
    assert all(np.isfinite(line.get_ydata()[~np.isnan(line.get_ydata())]).all() for line in lines)
