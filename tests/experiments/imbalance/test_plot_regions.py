"""Figure 2: a panel for each confusion table, with what the measures say of it."""

import numpy as np
import pandas as pd

from nontrivial_study.experiments.imbalance.imbalance import region_table
from nontrivial_study.experiments.imbalance.imbalance_figures import plot_regions


def test_regions_become_panels_with_their_measures():
    truth = np.arange(100) < 40
    rows = pd.DataFrame({"truth": truth, "prediction": np.roll(truth, 10)})
    table = region_table(rows, minority_share=0.1, noise=0.0)
    assert table["cell"].tolist() == ["fp", "tp", "fn", "tn"] * 2
    assert table["count"].tolist()[:4] == [10, 30, 10, 50]
    figure = plot_regions(table)
    titles = ["a   as measured", "b   10 % minority, 0 % label noise"]
    assert [axes.get_title(loc="left") for axes in figure.axes] == titles
    assert "= 0.50" in figure.axes[0].get_xlabel()  # (30 - 10) / (30 + 10)
    assert "= \N{MINUS SIGN}0.75" in figure.axes[1].get_xlabel()  # (0.075 - 0.15) / 0.1
    assert not plot_regions(region_table(rows.iloc[:0], minority_share=0.1, noise=0.0)).axes
