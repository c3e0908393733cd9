"""The imbalance figure shows the table: its panels, its lines, its gaps and the shares at which only PA warns."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.collections import FillBetweenPolyCollection

from nontrivial.figure_style import LOOKS
from nontrivial_study.experiments.imbalance.imbalance_figures import misleading_shares, plot_imbalance

SHARES = [0.1, 0.2, 0.3, 0.4, 0.5]


def sweep(values=None, positives=("malignant", "benign"), noises=(0.0, 0.2, 0.1)):
    """A table in which every measure has the values given, or its place in `LOOKS` in tenths."""
    values = values or {name: [0.1 * (place + 1)] * len(SHARES) for place, name in enumerate(LOOKS)}
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
    """The x ranges of the shaded region, in percent, and its y range."""
    regions = [
        path.vertices
        for collection in axes.collections
        if isinstance(collection, FillBetweenPolyCollection) and collection.get_zorder() == 0.5
        for path in collection.get_paths()
    ]
    return [
        (points[:, 0].min(), points[:, 0].max(), points[:, 1].min(), points[:, 1].max()) for points in regions
    ]


def line_of(axes, name):
    (line,) = [line for line in axes.lines if line.get_color() == LOOKS[name].color]
    return line


def test_each_panel_shows_its_own_rows():
    table = sweep()
    table["mean"] += table["noise"] + (table["positive"] == "benign") * 0.01
    for place, axes in enumerate(plot_imbalance(table).axes):
        offset = (0.2, 0.1, 0.0)[place % 3] + (0.01 if place >= 3 else 0)
        np.testing.assert_allclose(line_of(axes, "accuracy").get_ydata(), 0.1 + offset, rtol=1e-12)
        np.testing.assert_allclose(line_of(axes, "accuracy").get_xdata(), [10, 20, 30, 40, 50])


def test_missing_points_are_gaps():
    values = {
        "accuracy": [np.nan, 0.9, np.nan, 0.9, 0.9],
        "prediction_advantage": [np.nan, -1, np.nan, -1, -1],
    }
    (axes,) = plot_imbalance(sweep(values, positives=("yes",), noises=(0.1,))).axes
    assert np.isnan(line_of(axes, "accuracy").get_ydata()).tolist() == [True, False, True, False, False]
    assert [region[:2] for region in shaded(axes)] == [(20, 20), (40, 50)]


def test_shading_ends_where_the_lines_cross_zero_and_lies_above_it():
    # PA crosses zero half-way from 30 to 40 %, kappa a quarter of the way from 10 to 20 %.
    values = {
        "prediction_advantage": [-0.9, -0.6, -0.3, 0.3, 0.5],
        "cohen_kappa": [-0.1, 0.3, 0.4, 0.5, 0.6],
        "accuracy": [0.9] * 5,
    }
    (axes,) = plot_imbalance(sweep(values, positives=("yes",), noises=(0.1,))).axes
    assert shaded(axes) == [(pytest.approx(12.5, abs=0.03), pytest.approx(35, abs=0.03), 0, 1)]


def test_nothing_is_shaded_where_another_measure_warns_too():
    values = {"prediction_advantage": [-0.5] * 5, "p4": [0.0] * 5, "accuracy": [0.9] * 5}
    (axes,) = plot_imbalance(sweep(values, positives=("yes",), noises=(0.1,))).axes
    assert shaded(axes) == []


@settings(max_examples=50, deadline=None, derandomize=True)
@given(st.floats(-2, -0.01), st.floats(0.01, 1), st.floats(-1, -0.01), st.floats(0.01, 1))
def test_misleading_shares_are_those_between_the_two_crossings(advantage_0, advantage_1, kappa_0, kappa_1):
    means = pd.DataFrame(
        {"prediction_advantage": [advantage_0, advantage_1], "cohen_kappa": [kappa_0, kappa_1]},
        index=[0.0, 1.0],
    )
    shares, misleading = misleading_shares(means)
    from_share, to_share = -kappa_0 / (kappa_1 - kappa_0), -advantage_0 / (advantage_1 - advantage_0)
    clear = np.minimum(abs(shares - from_share), abs(shares - to_share)) > 1e-9
    expected = (shares > from_share) & (shares < to_share)
    assert (misleading == expected)[clear].all()
