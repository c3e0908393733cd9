"""Printed scores that no tables can have, against all tables tried one by one."""

import itertools
import logging

import numpy as np
import pytest

from nontrivial.measures import confusion_measures, published_advantage, published_scores_possible
from nontrivial.measures.feasibility import NAMES

POSITIVES, N = 5, 12
TABLES = np.array(list(itertools.product(range(POSITIVES + 1), range(N - POSITIVES + 1))))
MEASURED = confusion_measures(
    TABLES[:, 0], N - POSITIVES - TABLES[:, 1], POSITIVES - TABLES[:, 0], TABLES[:, 1]
).rename(columns={"f_beta": "f1"})
# The usual formula of the threshold is 0/0 where the rates are equal.
MEASURED.loc[MEASURED["informedness"] == 0, "prevalence_threshold"] = np.nan


def searched(scores):
    """Try every table with the given classes: is there one whose measures all print so, or are 0/0?"""
    possible = np.ones(len(MEASURED), dtype=bool)
    for name, printed in scores.items():
        reach = 0.5 * 10.0 ** -len(printed.split(".")[1])
        possible &= ~(np.abs(MEASURED[name] - float(printed)) > reach + 1e-9)
    return bool(possible.any())


@pytest.mark.parametrize("name", sorted(NAMES.keys() - {"accuracy", "error_rate"}))
def test_single_scores_agree_with_a_search_of_all_tables(name):
    verdicts = set()
    for printed in [f"{step / 1000:.3f}" for step in range(30, 970, 37)]:
        scores = {name: printed, "accuracy": "0.667"}
        verdict = published_scores_possible(scores, positives=POSITIVES, n=N)
        if name == "prevalence_threshold":  # solved for a table, it is 0/0 without false positives
            assert verdict or not searched(scores)
        else:
            assert verdict == searched(scores), printed
        verdicts.add(verdict)
    assert False in verdicts


@pytest.mark.parametrize("index", range(0, len(TABLES), 5))
def test_scores_of_one_table_go_together_and_a_changed_one_does_not(index):
    row = MEASURED.iloc[index]
    names = [n for n in ("accuracy", "recall", "f1", "p4", "matthews_corrcoef") if np.isfinite(row[n])]
    printed = {name: f"{row[name]:.3f}" for name in names}
    assert published_scores_possible(printed, positives=POSITIVES, n=N)
    printed["recall"] = f"{abs(row['recall'] - 0.1):.3f}"
    assert not published_scores_possible(printed, positives=POSITIVES, n=N)


@pytest.mark.parametrize("step", range(0, 101, 3))
@pytest.mark.parametrize("n_repeats", [1, 2])
def test_means_over_stated_folds_agree_with_a_search(step, n_repeats):
    folds = [(2, 5), (3, 7)]
    printed = f"{step / 100:.2f}"
    means = {
        (a / 5 + b / 7) / (2 * n_repeats) for a in range(5 * n_repeats + 1) for b in range(7 * n_repeats + 1)
    }
    expected = any(abs(mean - step / 100) <= 0.005 + 1e-9 for mean in means)
    found = published_scores_possible(
        {"accuracy": printed}, positives=POSITIVES, n=N, folds=folds, n_repeats=n_repeats, average="mean"
    )
    assert found == expected


def test_haberman_means_over_folds_can_be_what_one_table_cannot():
    design = {"positives": 81, "n": 306}
    assert not published_scores_possible({"error_rate": "0.273"}, **design)
    assert not published_scores_possible({"error_rate": "0.273"}, **design, folds=10)
    assert published_scores_possible({"error_rate": "0.273"}, **design, folds=10, n_repeats=10)
    assert published_scores_possible({"error_rate": "0.273"}, **design, folds=10, average="mean")


@pytest.mark.parametrize("printed", ["0.27", "0.3", "0.273", "0.2742", "0.266"])
def test_one_table_agrees_with_published_advantage(printed):
    record = published_advantage(error=printed, positives=81, n=306)
    assert published_scores_possible({"error_rate": printed}, positives=81, n=306) == record.possible


def test_folds_that_nobody_stated_are_tried_one_after_the_other():
    design = {"positives": 8, "n": 30, "folds": 3, "average": "mean", "stratified": False}
    assert published_scores_possible({"accuracy": "0.7333"}, **design)
    assert not published_scores_possible({"accuracy": "0.7123"}, **design)
    with pytest.raises(ValueError, match="give the folds themselves"):
        published_scores_possible(
            {"accuracy": "0.70001"}, positives=40, n=100, folds=10, average="mean", stratified=False
        )


def test_the_search_is_silent(caplog, capfd):
    caplog.set_level(logging.DEBUG)
    published_scores_possible({"accuracy": "0.7"}, positives=20, n=50, folds=5, average="mean")
    published_scores_possible({"accuracy": "0.7"}, positives=20, n=50)
    assert not [record for record in caplog.records if record.levelno > logging.DEBUG]
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"scores": {}}, "empty"),
        ({"scores": {"auc": 0.5}}, "'auc' is unknown"),
        ({"scores": {"accuracy": "high"}}, "must be a number"),
        ({"scores": {"accuracy": 0.7, "error_rate": 0.3}}, "one minus another"),
        ({"positives": 0}, "both classes"),
        ({"average": "macro"}, "average"),
        ({"n_repeats": 0}, "n_repeats"),
        ({"folds": 1}, "at least 2"),
        ({"folds": [(2, 5), (3, 8)]}, "do not add up"),
        ({"scores": {"f1": 0.5}, "folds": 3, "average": "mean"}, "accuracy, balanced_accuracy"),
    ],
)
def test_bad_input_is_one_sentence(arguments, reason):
    with pytest.raises(ValueError, match=reason):
        published_scores_possible(**{"scores": {"accuracy": "0.7"}, "positives": 5, "n": 12} | arguments)
