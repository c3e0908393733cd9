"""Losses beside the risk of the best constant, a line for each problem."""

import numpy as np
import pandas as pd

from nontrivial_study.experiments.losses.losses_figures import PROBLEMS, plot_losses


def losses():
    rows = [
        ("exam A", "zero_one", 0.2, 2 / 3), ("exam A", "zero_one", 2 / 3, 2 / 3), ("exam B", "zero_one", 0.2, 0.75),
        ("exam A", "cross_entropy", np.inf, 1.1), ("exam B", "cross_entropy", 0.5, 1.4),
        ("exam B", "cross_entropy", 0.0, 1.4),
        ("line", "squared", 2.0, 4.0),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=["dataset", "loss", "risk", "marginal_risk"])
    table["advantage"] = 1 - table["risk"] / table["marginal_risk"]
    return table.assign(low=table["advantage"] - 0.01, high=table["advantage"] + 0.005)


def test_losses_have_a_line_for_each_problem_and_count_what_has_no_place():
    figure = plot_losses(losses())
    zero_one, entropy, squared = [axes for axes in figure.axes if axes.get_xlabel()]
    color = PROBLEMS[0][0]
    (line,) = [line for line in zero_one.lines if line.get_color() == color and line.get_linestyle() == "-"]
    # What is left of the trivial risk.
    np.testing.assert_allclose(line.get_ydata(), line.get_xdata() / (2 / 3))
    assert zero_one.get_xscale() == "log"
    low, high = zero_one.get_ylim()
    assert low > high  # better is up
    (note,) = [text.get_text() for text in entropy.texts if text.get_text()]
    assert note == "and 1 of infinite risk, PA = \N{MINUS SIGN}\N{INFINITY}\nand 1 without risk, PA = 1"
    assert squared.get_xscale() == "linear"  # one problem alone


def test_better_is_up_though_an_interval_ends_at_one_or_has_no_end():
    table = losses()
    table.loc[0, ["low", "high"]] = -np.inf, 1.0
    axes = plot_losses(table).axes[0]
    low, high = axes.get_ylim()
    assert low > high > 0
    ends = np.concatenate([path.vertices[:, 1] for each in axes.collections for path in each.get_paths()])
    assert np.isfinite(ends).all()
    assert ends.max() == low
