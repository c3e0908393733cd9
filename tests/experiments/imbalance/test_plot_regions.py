"""Figure 2: a panel for each confusion table, with what the measures say of it."""

import pandas as pd

from nontrivial.experiments.imbalance.plot_regions import plot_regions
from nontrivial.experiments.imbalance.regions import region_table


def test_regions_become_panels_with_their_measures():
    table = pd.DataFrame(
        {"title": ["as it is", "harder"], "tp": [30, 7], "fp": [10, 12], "fn": [10, 8], "tn": [50, 73]}
    )
    figure = plot_regions(region_table(table))
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["a   as it is", "b   harder"]
    assert "= 0.50" in figure.axes[0].get_xlabel()  # (30 - 10) / (30 + 10)
    assert "= \N{MINUS SIGN}0.33" in figure.axes[1].get_xlabel()  # (7 - 12) / (7 + 8)
