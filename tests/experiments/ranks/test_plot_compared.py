"""Figure 5 of the PRG paper: what it shows and says."""

import numpy as np
import pandas as pd

from nontrivial_study.experiments.curve_numbers import curve_numbers
from nontrivial_study.experiments.ranks.ranks_figures import plot_compared


def compared(**statuses):
    rng = np.random.default_rng(0)
    parts = []
    for model, status in statuses.items():
        truth = rng.random(60) < 0.4
        curves = curve_numbers(truth, truth + rng.normal(size=60))
        curves = curves if status == "ok" else pd.DataFrame(index=[0], columns=list(curves))
        parts.append(curves.assign(task="t", data="", model=model, status=status))
    return pd.concat(parts, ignore_index=True)


def test_two_models_are_told_apart_without_colour_and_their_areas_are_said():
    table = compared(one="ok", two="ok")
    figure = plot_compared(table.assign(data="white$clover$ (version 1)"))
    assert figure.get_suptitle() == "Task t, white$clover$ (version 1)"
    for axes, panel in zip(figure.axes, ("roc", "pr", "prg"), strict=True):
        assert len({line.get_linestyle() for line in axes.lines}) == 2
        assert axes.get_legend() is None
        for line, (_, rows) in zip(axes.lines, table[table["panel"] == panel].groupby("model"), strict=True):
            np.testing.assert_array_equal(line.get_xydata(), rows[["x", "y"]].astype(float))
    (legend,) = figure.legends
    areas = table.groupby(["model", "panel"])["area"].first()
    for text, model in zip(legend.get_texts(), ("one", "two"), strict=True):
        for panel, name in (("roc", "AUROC"), ("pr", "AUPR"), ("prg", "AUPRG")):
            assert f"{name} {areas[model, panel]:.3f}" in text.get_text()
        assert text.get_text().startswith(model)


def test_a_model_without_curves_is_named_with_the_reason():
    figure = plot_compared(compared(one="has no confidences", two="ok"))
    (legend,) = figure.legends
    assert legend.get_texts()[0].get_text() == "one: not shown, has no confidences"
    assert [len(axes.lines) for axes in figure.axes] == [1, 1, 1]
