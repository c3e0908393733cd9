"""The figures of imbalance and noise show the numbers of their tables."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import FillBetweenPolyCollection

from nontrivial.figure_style import MEASURE_LOOKS, SERIES_LOOKS
from nontrivial_study.experiments.imbalance.imbalance import region_table
from nontrivial_study.experiments.imbalance.imbalance_figures import (
    SHADED_HEIGHT,
    misleading_shares,
    plot_crossings,
    plot_imbalance,
    plot_regions,
    plot_training_noise,
)

SHARES = [0.1, 0.2, 0.3, 0.4, 0.5]


def sweep(values=None, positives=("malignant", "benign"), noises=(0.0, 0.2, 0.1)):
    """A table in which every measure has the values given, or its place in `MEASURE_LOOKS` in tenths."""
    values = values or {name: [0.1 * (place + 1)] * len(SHARES) for place, name in enumerate(MEASURE_LOOKS)}
    rows = [
        ("wdbc", "forest", positive, noise, share, name, mean, mean - 0.05, mean + 0.05)
        for positive in positives
        for noise in noises
        for name, means in values.items()
        for share, mean in zip(SHARES, means, strict=True)
    ]
    columns = ["dataset", "model", "positive", "noise", "minority_share", "measure", "mean", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def shaded(axes):
    """The x ranges of the shaded regions, in percent."""
    fills = [part for part in axes.collections if isinstance(part, FillBetweenPolyCollection)]
    paths = [path for part in fills if part.get_zorder() == 0.5 for path in part.get_paths()]
    return [(path.vertices[:, 0].min(), path.vertices[:, 0].max()) for path in paths]


def line_of(axes, name):
    (line,) = [line for line in axes.lines if line.get_color() == MEASURE_LOOKS[name].color]
    return line


def test_each_panel_shows_its_own_rows():
    table = sweep()
    table["mean"] += table["noise"] + (table["positive"] == "benign") * 0.01
    for place, axes in enumerate(plot_imbalance(table).axes):
        offset = (0.2, 0.1, 0.0)[place % 3] + (0.01 if place >= 3 else 0)
        np.testing.assert_allclose(line_of(axes, "accuracy").get_ydata(), 0.1 + offset, rtol=1e-12)
        np.testing.assert_allclose(line_of(axes, "accuracy").get_xdata(), [10, 20, 30, 40, 50])


def test_missing_points_are_gaps():
    accuracy, advantage = [np.nan, 0.9, np.nan, 0.9, 0.9], [np.nan, -1, np.nan, -1, -1]
    values = {"accuracy": accuracy, "prediction_advantage": advantage}
    (axes,) = plot_imbalance(sweep(values, positives=("yes",), noises=(0.1,))).axes
    assert np.isnan(line_of(axes, "accuracy").get_ydata()).tolist() == [True, False, True, False, False]
    assert shaded(axes) == [(20, 20), (40, 50)]


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.floats(-2, -0.01), st.floats(0.01, 1), st.floats(-1, -0.01), st.floats(0.01, 1))
def test_misleading_shares_are_those_between_the_two_crossings(advantage_0, advantage_1, kappa_0, kappa_1):
    means = pd.DataFrame(
        {"prediction_advantage": [advantage_0, advantage_1], "cohen_kappa": [kappa_0, kappa_1]}, index=[0.0, 1.0]
    )
    shares, misleading = misleading_shares(means)
    from_share, to_share = -kappa_0 / (kappa_1 - kappa_0), -advantage_0 / (advantage_1 - advantage_0)
    clear = np.minimum(abs(shares - from_share), abs(shares - to_share)) > 1e-9
    expected = (shares > from_share) & (shares < to_share)
    assert (misleading == expected)[clear].all()


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
    color = MEASURE_LOOKS["prediction_advantage"].color
    marks = [
        line.get_xdata()[0] for line in panels[0].lines if line.get_color() == color and len(line.get_xdata()) == 1
    ]
    assert marks == pytest.approx([20, 30])
    kappa = MEASURE_LOOKS["cohen_kappa"].color
    assert not any(line.get_color() == kappa for line in panels[1].lines)  # it never crosses without noise
    bars = [patch for patch in panels[0].patches if patch.get_height() == pytest.approx(SHADED_HEIGHT)]
    assert [(bar.get_x(), bar.get_width()) for bar in bars] == [pytest.approx((11, 9)), pytest.approx((11, 19))]


def test_regions_become_panels_with_their_measures():
    truth = np.arange(100) < 40
    rows = pd.DataFrame({"truth": truth, "prediction": np.roll(truth, 10)})
    table = region_table(rows, minority_share=0.1, noise=0.0)
    assert table["cell"].tolist() == ["fp", "tp", "fn", "tn"] * 2
    assert table["count"].tolist()[:4] == [10, 30, 10, 50]
    figure = plot_regions(table)
    titles = ["as measured", "10 % minority, 0 % label noise"]
    assert [axes.get_title(loc="left") for axes in figure.axes] == titles
    assert "= 0.50" in figure.axes[0].get_xlabel()  # (30 - 10) / (30 + 10)
    assert "= \N{MINUS SIGN}0.75" in figure.axes[1].get_xlabel()  # (0.075 - 0.15) / 0.1


def test_training_noise_has_clean_and_noisy_rows():
    rows = [
        ("d", "m", "yes", noise, share, tested, "prediction_advantage", value, value - 0.1, value + 0.1)
        for noise in (0.0, 0.2)
        for share in (0.1, 0.5)
        for tested, value in (("clean", 0.9 - noise), ("noisy", 0.5 - noise))
    ]
    columns = ["dataset", "model", "positive", "noise", "minority_share", "tested_on", "measure"]
    columns += ["value", "low", "high"]
    panels = plot_training_noise(pd.DataFrame(rows, columns=columns)).axes
    drawn = [
        [line.get_ydata()[0] for line in axes.lines if line.get_color() == SERIES_LOOKS[0].color] for axes in panels
    ]
    assert drawn == [pytest.approx([value]) for value in (0.7, 0.9, 0.3, 0.5)]
