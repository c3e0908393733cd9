"""Risks and advantages against scikit-learn's scores, and the figure of them."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.model_selection import KFold, StratifiedKFold

from nontrivial.figure_style import SERIES_LOOKS
from nontrivial.seeds import seed_for
from nontrivial_study.experiments.losses.losses import cost_matrix, loss_table, reversal_table
from nontrivial_study.experiments.losses.losses_figures import plot_losses
from nontrivial_study.experiments.tasks.models import build_model

LOGISTIC = {"estimator": "LogisticRegression", "scale": "standard"}
LINEAR = {"estimator": "LinearRegression"}


def blobs(classes=3):
    generator = np.random.default_rng(0)
    target = np.sort(generator.choice([f"class {k}" for k in range(classes)], 60))
    center = np.array([int(name[-1]) for name in target])[:, None]
    table = pd.DataFrame(center + generator.normal(size=(60, 2)), columns=["x", "y"])
    return table.assign(target=target)


def line():
    x, noise = np.random.default_rng(1).normal(size=(2, 60))
    return pd.DataFrame({"x": x, "target": 2 * x + noise})


def by_loss(table):
    return table.set_index("loss")


def out_of_fold(table, specification, name, splitter, kind):
    """The same fits, written out."""
    features, target = table[["x", "y"] if "y" in table else ["x"]].to_numpy(), table["target"]
    truth = pd.factorize(target, sort=True)[0] if kind == "classifier" else target.to_numpy()
    answers = [None] * len(table)
    for number, (train, test) in enumerate(splitter.split(features, truth)):
        model = build_model("m", specification, seed_for("loss", name, "m", number), kind=kind)
        model.fit(features[train], truth[train])
        predict = model.predict_proba if kind == "classifier" else model.predict
        for place, answer in zip(test, predict(features[test]), strict=True):
            answers[place] = answer
    return truth, np.array(answers)


def test_classification_against_scikit_learn():
    table = blobs()
    rows = by_loss(loss_table("d", table, {"m": LOGISTIC}, kind="classifier", folds=5, cost_of_rarest=4.0))
    splitter = StratifiedKFold(5, shuffle=True, random_state=seed_for("folds", "d"))
    truth, probability = out_of_fold(table, LOGISTIC, "d", splitter, "classifier")
    error = 1 - metrics.accuracy_score(truth, probability.argmax(axis=1))
    assert rows.loc["zero_one", "risk"] == pytest.approx(error, rel=1e-12)
    assert rows.loc["cross_entropy", "risk"] == pytest.approx(metrics.log_loss(truth, probability), rel=1e-9)
    assert rows.loc["cross_entropy", "advantage"] == pytest.approx(
        metrics.d2_log_loss_score(truth, probability), rel=1e-9
    )
    cost = cost_matrix(truth, 4.0)
    expected = [[sum(cost[i, j] * p[j] for j in range(3)) for i in range(3)] for p in probability]
    answer = np.argmin(expected, axis=1)
    assert rows.loc["cost", "risk"] == pytest.approx(np.mean([cost[i, j] for i, j in zip(answer, truth, strict=True)]))
    constants = [np.mean([cost[i, j] for j in truth]) for i in range(3)]
    assert rows.loc["cost", "marginal_risk"] == pytest.approx(min(constants))


def test_regression_against_scikit_learn():
    table = line()
    rows = by_loss(loss_table("d", table, {"m": LINEAR}, kind="regressor", folds=5))
    splitter = KFold(5, shuffle=True, random_state=seed_for("folds", "d"))
    truth, answer = out_of_fold(table, LINEAR, "d", splitter, "regressor")
    assert rows.loc["squared", "risk"] == pytest.approx(metrics.mean_squared_error(truth, answer))
    assert rows.loc["squared", "advantage"] == pytest.approx(metrics.r2_score(truth, answer))
    assert rows.loc["absolute", "risk"] == pytest.approx(metrics.mean_absolute_error(truth, answer))
    assert rows.loc["absolute", "advantage"] == pytest.approx(metrics.d2_absolute_error_score(truth, answer))


def test_a_probability_of_zero_for_the_truth_is_an_infinite_risk():
    tree = {"estimator": "DecisionTreeClassifier"}
    rows = by_loss(loss_table("d", blobs(), {"m": tree}, kind="classifier", folds=4))
    assert rows.loc["cross_entropy", ["risk", "advantage"]].tolist() == [np.inf, -np.inf]
    assert np.isfinite(rows.loc["zero_one", "risk"])


def test_a_model_that_fails_is_a_row_with_its_reason():
    many = {"estimator": "KNeighborsClassifier", "parameters": {"n_neighbors": 500}}
    table = loss_table("d", blobs(), {"bad": many, "m": LOGISTIC}, kind="classifier", folds=4)
    failed = table[table["model"] == "bad"]
    assert failed["status"].str.contains("n_neighbors").all()
    assert failed[["risk", "advantage"]].isna().all(axis=None)
    assert (table.loc[table["model"] == "m", "status"] == "ok").all()


def exams(*rows):
    columns = ["dataset", "model", "loss", "risk", "marginal_risk"]
    table = pd.DataFrame([(exam, who, "zero_one", risk, trivial) for exam, who, risk, trivial in rows], columns=columns)
    return table.assign(advantage=1 - table["risk"] / table["marginal_risk"])


def test_the_exam():
    """Bob's 38 % of errors are fewer than Alice's 40 %, and less of an achievement (PA paper, Section 5)."""
    (row,) = reversal_table(exams(("A", "Bob", 0.38, 2 / 3), ("B", "Alice", 0.4, 0.75))).to_dict("records")
    assert (row["pairs"], row["reversed"], row["share"]) == (1, 1, 1.0)
    assert (row["less_risky"], row["more_risky"]) == ("Bob on A", "Alice on B")
    assert row["advantage"] == pytest.approx(0.43)
    assert row["its_advantage"] == pytest.approx(7 / 15)


def test_no_reversal_at_equal_marginals_and_infinite_risks_are_left_out():
    table = exams(("A", "x", 0.1, 0.5), ("A", "y", np.inf, 0.5), ("B", "x", 0.2, 0.5), ("B", "y", 0.1, 0.5))
    (row,) = reversal_table(table).to_dict("records")
    assert (row["pairs"], row["reversed"]) == (1, 0)  # x on A against x on B; y on B has the same risk


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
    color = SERIES_LOOKS[0].color
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
    ends = np.concatenate([path.vertices[:, 1] for lines in axes.collections for path in lines.get_paths()])
    assert np.isfinite(ends).all()
    assert ends.max() == low
