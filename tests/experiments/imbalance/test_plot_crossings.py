"""Crossings are drawn where the table has them, those of each model apart."""

import numpy as np
import pandas as pd
import pytest

from nontrivial.figure_style import LOOKS
from nontrivial_study.experiments.imbalance.imbalance_figures import HEIGHT, plot_crossings


def crossings():
    rows = []
    for model, advantage in (("forest", 0.2), ("stump", 0.3)):
        for noise in (0.2, 0.0):
            for measure, reading, crossing in (
                ("prediction_advantage", "zero", advantage),
                ("cohen_kappa", "zero", 0.11 if noise else np.nan),
                ("f_beta", "best_constant", 0.13),
            ):
                width = max(0.0, advantage - (0.11 if noise else 0.0)) if measure == "cohen_kappa" else 0.0
                about = {"model": model, "reading": reading, "at": noise, "measure": measure, "width": width}
                ends = {"crossing": crossing, "low": crossing - 0.01, "high": crossing + 0.01}
                rows.append(about | ends)
    return pd.DataFrame(rows).assign(dataset="d", positive="yes", held="noise")


def test_crossings_are_where_the_table_has_them():
    panels = plot_crossings(crossings()).axes
    assert [axes.get_title(loc="left") for axes in panels] == ["20 % label noise", "0 % label noise"]
    color = LOOKS["prediction_advantage"].color
    marks = [
        line.get_xdata()[0]
        for line in panels[0].lines
        if line.get_color() == color and len(line.get_xdata()) == 1
    ]
    assert marks == pytest.approx([20, 30])
    kappa = LOOKS["cohen_kappa"].color
    assert not any(line.get_color() == kappa for line in panels[1].lines)  # it never crosses without noise
    bars = [patch for patch in panels[0].patches if patch.get_height() == pytest.approx(HEIGHT)]
    assert [(bar.get_x(), bar.get_width()) for bar in bars] == [
        pytest.approx((11, 9)),
        pytest.approx((11, 19)),
    ]
