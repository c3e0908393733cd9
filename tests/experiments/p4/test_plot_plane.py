"""P4 and its kin over shares and noises, as far as both are possible."""

import numpy as np
import pytest

from nontrivial_study.experiments.imbalance.imbalance import Rates
from nontrivial_study.experiments.p4.p4 import plane_table
from nontrivial_study.experiments.p4.p4_figures import SHOWN, plot_plane

COARSE = np.linspace(0.05, 0.5, 10), np.linspace(0, 0.5, 11)


def test_borders_on_the_plane_end_where_the_possible_ends():
    table = plane_table(Rates(0.9, 0.05))
    for name in (*SHOWN, "prediction_advantage"):
        # Its borders are upright.
        table[name] = table[name].where(table[name].isna(), table["minority_share"])
    axes = plot_plane(table).axes[0]
    (borders,) = [lines for lines in axes.collections if lines.get_linewidth()[0] == 0.4]
    for level, path in zip(borders.levels, borders.get_paths(), strict=True):
        assert np.allclose(path.vertices[:, 0], 100 * level)
        if 0 < level < 0.5:
            heights = path.vertices[:, 1]
            assert (heights.min(), heights.max()) == pytest.approx((0, min(200 * level, 50)))


def test_the_plane_covers_the_impossible():
    table = plane_table(Rates(0.9, 0.05), *COARSE)
    panels = [axes for axes in plot_plane(table).axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in panels] == ["P4", "F1", "Informedness", "Markedness"]
    for axes in panels:
        (corner,) = [patch for patch in axes.patches if patch.get_facecolor()[:3] == (0.93, 0.93, 0.93)]
        assert corner.contains_point(axes.transData.transform((10, 30)))
        assert not corner.contains_point(axes.transData.transform((20, 30)))
