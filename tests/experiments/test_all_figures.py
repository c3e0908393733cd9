"""The study's other figures show the numbers of their tables, and nothing that is not there."""

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection

from nontrivial.curves.points import operating_points
from nontrivial.experiments.imbalance.plot_crossings import HEIGHT, plot_crossings
from nontrivial.experiments.imbalance.plot_training_noise import plot_training_noise
from nontrivial.experiments.imbalance.sweep import Rates
from nontrivial.experiments.losses.plot_losses import PROBLEMS, plot_losses
from nontrivial.experiments.p4.four_rates import plane_table
from nontrivial.experiments.p4.plot_plane import SHOWN, plot_plane
from nontrivial.experiments.selective.plot_selection import plot_selection
from nontrivial.experiments.selective.selection import REJECTS, selective_classifiers, worked_example
from nontrivial.experiments.tutorial.plot_curves import (
    plot_averages,
    plot_costs,
    plot_precision_recall,
    plot_roc,
)
from nontrivial.experiments.tutorial.real_curves import (
    average_table,
    cost_lines,
    precision_recall_points,
    roc_points,
)
from nontrivial.figure_style import LOOKS, save_figure


@pytest.fixture(scope="module")
def predictions():
    generator = np.random.default_rng(6)
    truth = np.arange(120) < 40
    parts = []
    for name, spread in (("good", 0.9), ("weak", 1.8)):
        score = np.where(truth, 1.0, -1.0) + generator.normal(size=120) * spread
        rows = {
            "task": "t",
            "model": name,
            "fold": np.arange(120) % 4,
            "truth": truth,
            "prediction": score > 0,
        }
        parts.append(pd.DataFrame(rows | {"score": score.round(2)}))
    return pd.concat(parts, ignore_index=True)


MODELS = ["good", "weak"]


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
                rows.append(
                    (
                        "d",
                        model,
                        "yes",
                        reading,
                        "noise",
                        noise,
                        measure,
                        crossing,
                        crossing - 0.01,
                        crossing + 0.01,
                        width,
                    )
                )
    columns = [
        "dataset",
        "model",
        "positive",
        "reading",
        "held",
        "at",
        "measure",
        "crossing",
        "low",
        "high",
        "width",
    ]
    return pd.DataFrame(rows, columns=columns)


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
    assert [
        line for line in panels[1].lines if line.get_color() == kappa
    ] == []  # it never crosses without noise
    bars = [patch for patch in panels[0].patches if patch.get_height() == pytest.approx(HEIGHT)]
    assert [(bar.get_x(), bar.get_width()) for bar in bars] == [
        pytest.approx((11, 9)),
        pytest.approx((11, 19)),
    ]


def test_marks_of_a_model_stand_apart_where_crossings_are_the_same():
    table = crossings()
    table[["crossing", "low", "high"]] = 0.11
    figure = plot_crossings(table)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    marks = [line for line in axes.lines if len(line.get_xdata()) == 1]
    places = np.sort([axes.transData.transform(line.get_xydata()[0])[1] for line in marks])
    points = np.diff(places) * 72 / figure.dpi
    assert points.min() > max(line.get_markersize() for line in marks)


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
    np.testing.assert_allclose(
        line.get_ydata(), line.get_xdata() / (2 / 3)
    )  # what is left of the trivial risk
    assert zero_one.get_xscale() == "log"
    low, high = zero_one.get_ylim()
    assert low > high  # better is up
    (note,) = [text.get_text() for text in entropy.texts if text.get_text()]
    assert note == "and 1 of infinite risk, PA = \N{MINUS SIGN}\N{INFINITY}\nand 1 without risk, PA = 1"
    assert squared.get_xscale() == "linear"  # one problem alone


def test_lines_of_losses_stay_inside_their_panel():
    for axes in plot_losses(losses()).axes[:2]:
        low, high = axes.get_ylim()
        for line in axes.lines:
            assert (line.get_ydata() >= high).all()  # better is up, and less
            assert (line.get_ydata() <= low).all()


def test_too_many_problems_are_refused():
    many = pd.concat([losses().assign(dataset=f"d{number}") for number in range(len(PROBLEMS) + 1)])
    with pytest.raises(ValueError, match="at most 6 can be told apart"):
        plot_losses(many)


def test_borders_on_the_plane_end_where_the_possible_ends():
    table = plane_table(Rates(0.9, 0.05))
    for name in (*SHOWN, "prediction_advantage"):
        table[name] = table[name].where(
            table[name].isna(), table["minority_share"]
        )  # its borders are upright
    axes = plot_plane(table).axes[0]
    (borders,) = [lines for lines in axes.collections if lines.get_linewidth()[0] == 0.4]
    for level, path in zip(borders.levels, borders.get_paths(), strict=True):
        assert np.allclose(path.vertices[:, 0], 100 * level)
        if 0 < level < 0.5:
            heights = path.vertices[:, 1]
            assert (heights.min(), heights.max()) == pytest.approx((0, min(200 * level, 50)))


def test_borders_on_the_plane_are_smooth_where_positives_are_rare():
    axes = plot_plane(plane_table(Rates(0.93, 0.03))).axes[0]
    (borders,) = [lines for lines in axes.collections if lines.get_linewidth()[0] == 0.4]
    for path in borders.get_paths():
        rare = path.vertices[path.vertices[:, 0] < 25]
        noises = rare[np.argsort(rare[:, 0]), 1]
        assert (np.diff(noises) > 0).all()  # there P4 grows with the share and falls with the noise


def test_the_plane_covers_the_impossible():
    table = plane_table(Rates(0.9, 0.05), np.linspace(0.05, 0.5, 10), np.linspace(0, 0.5, 11))
    panels = [axes for axes in plot_plane(table).axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in panels] == ["P4", "F1", "Informedness", "Markedness"]
    for axes in panels:
        (corner,) = [patch for patch in axes.patches if patch.get_facecolor()[:3] == (0.93, 0.93, 0.93)]
        assert corner.contains_point(axes.transData.transform((10, 30)))
        assert not corner.contains_point(axes.transData.transform((20, 30)))


def test_the_plane_of_a_classifier_that_finds_nothing_has_no_markedness():
    f1, markedness = (plot_plane(plane_table(Rates(0.0, 0.0))).axes[place] for place in (1, 3))
    assert f1.collections
    assert all(lines.get_linewidth()[0] != 0.4 for lines in markedness.collections)


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


def test_no_pair_is_a_sentence():
    pair, curves = selective_classifiers(
        pd.DataFrame(columns=["task", "model", "truth", "prediction", "score"]),
        {"task": "t", "coverage": 0.7, "minority_share": 0.2},
    )
    figure = plot_selection(curves, pd.concat([worked_example(), pair], ignore_index=True))
    assert [text.get_text() for text in figure.texts] == [
        "There is no such pair of models; the table says why."
    ]


def test_training_noise_has_clean_and_noisy_rows():
    rows = [
        ("d", "m", "yes", noise, share, tested, "prediction_advantage", value, value - 0.1, value + 0.1)
        for noise in (0.0, 0.2)
        for share in (0.1, 0.5)
        for tested, value in (("clean", 0.9 - noise), ("noisy", 0.5 - noise))
    ]
    columns = [
        "dataset",
        "model",
        "positive",
        "noise",
        "minority_share",
        "tested_on",
        "measure",
        "value",
        "low",
        "high",
    ]
    panels = plot_training_noise(pd.DataFrame(rows, columns=columns)).axes
    drawn = [
        [line.get_ydata()[0] for line in axes.lines if line.get_color() == PROBLEMS[0][0]] for axes in panels
    ]
    assert drawn == [pytest.approx([value]) for value in (0.7, 0.9, 0.3, 0.5)]


def test_break_even_points_lie_on_the_diagonal_and_on_the_curve(predictions):
    table = precision_recall_points(predictions, "t", MODELS)
    (axes,) = plot_precision_recall(table).axes
    marks = [line for line in axes.lines if len(line.get_xdata()) == 1]
    assert len(marks) == 2
    for mark in marks:
        (value,) = mark.get_xdata()
        assert mark.get_ydata()[0] == value
        (curve,) = [
            line for line in axes.lines if line.get_color() == mark.get_color() and len(line.get_xdata()) > 2
        ]
        distance = np.hypot(curve.get_xdata() - value, curve.get_ydata() - value)
        assert distance.min() < 0.01


def test_roc_draws_the_points(predictions):
    (axes,) = plot_roc(roc_points(predictions, "t", ["good"])).axes
    of_model = predictions[predictions["model"] == "good"]
    points = operating_points(of_model["truth"], of_model["score"])
    (curve,) = [line for line in axes.lines if "area" in str(line.get_label())]
    np.testing.assert_allclose(curve.get_xdata(), points.fp / points.negatives)


def test_cost_lines_run_from_side_to_side(predictions):
    figure = plot_costs(cost_lines(predictions, "t", MODELS))
    for axes in figure.axes:
        (lines,) = [item for item in axes.collections if isinstance(item, LineCollection)]
        segments = np.array(lines.get_segments())
        assert (segments[:, 0, 0] == 0).all()
        assert (segments[:, 1, 0] == 1).all()


def test_averages_have_a_marker_for_each_fold(predictions):
    table = average_table(predictions, "t", MODELS)
    precision, *_ = plot_averages(table).axes
    markers = [line for line in precision.lines if len(line.get_xdata()) == 4]
    assert len(markers) == 2
    bars = [line for line in precision.lines if len(line.get_xdata()) == 2]
    for kind, side, dashes in (("macro", -1, "-"), ("micro", 1, "--")):
        found = [line for line in bars if line.get_linestyle() == dashes]
        expected = table.loc[table["fold"] == kind, "precision"].astype(float).tolist()
        assert [line.get_ydata()[0] for line in found] == pytest.approx(expected)
        for place, (line, marks) in enumerate(zip(found, markers, strict=True)):
            beside = side * (line.get_xdata() - place)  # so neither hides the other, nor a fold
            assert beside.min() > np.abs(marks.get_xdata() - place).max()
        assert {f"{value:.3f}" for value in expected} <= {text.get_text() for text in precision.texts}


def test_the_axis_of_averages_holds_every_fold(predictions):
    table = average_table(predictions, "t", MODELS)
    precision, *_ = plot_averages(table).axes
    least = table[["precision", "recall", "f_beta"]].astype(float).min(axis=None)
    low, high = precision.get_ylim()
    assert low == pytest.approx(np.floor(10 * least - 0.2) / 10)
    assert low < least
    assert high > 1


def test_files_are_the_same_from_run_to_run(tmp_path, predictions):
    for name in ("first", "second"):
        save_figure(plot_averages(average_table(predictions, "t", MODELS)), tmp_path / name)
    for ending in (".svg", ".pdf", ".png"):
        assert (tmp_path / f"first{ending}").read_bytes() == (tmp_path / f"second{ending}").read_bytes()
