"""Scores from labels: the columns of the table, weights as repetition, codings of labels."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from sklearn.model_selection import cross_validate
from sklearn.tree import DecisionTreeClassifier

from nontrivial import measures

COLUMNS = {
    "p4_score": "p4",
    "informedness_score": "informedness",
    "markedness_score": "markedness",
    "precision_gain_score": "precision_gain",
    "recall_gain_score": "recall_gain",
    "f_gain_score": "f_beta_gain",
}
TRUTH = np.array([0, 0, 0, 0, 1, 1, 1, 0, 1, 0])
PREDICTION = np.array([0, 1, 0, 0, 1, 0, 1, 0, 1, 0])  # tp 3, fp 1, fn 1, tn 5


@pytest.mark.parametrize("name", COLUMNS)
def test_score_is_the_column(name):
    expected = measures.confusion_measures(3, 1, 1, 5)[COLUMNS[name]].iloc[0]
    assert getattr(measures, name)(TRUTH, PREDICTION) == expected


@pytest.mark.parametrize("name", COLUMNS)
def test_pos_label_turns_the_table_round(name):
    expected = measures.confusion_measures(5, 1, 1, 3)[COLUMNS[name]].iloc[0]
    assert getattr(measures, name)(TRUTH, PREDICTION, pos_label=0) == expected


@pytest.mark.parametrize("name", COLUMNS)
def test_weights_are_repetitions(name):
    score = getattr(measures, name)
    weights = np.array([2, 1, 0, 3, 1, 2, 4, 1, 0, 1])
    repeated = score(TRUTH.repeat(weights), PREDICTION.repeat(weights))
    assert score(TRUTH, PREDICTION, sample_weight=weights) == pytest.approx(repeated, rel=1e-15)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize(
    "code",
    [
        lambda y: y.tolist(),
        lambda y: 2 * y - 1,
        lambda y: y.astype(bool),
        lambda y: y.astype(np.uint8) + 3,
        lambda y: np.where(y, "sick", "healthy"),
        lambda y: pd.Series(y, index=np.arange(len(y))[::-1] * 7),
        lambda y: pd.Series(np.where(y, "b", "a"), dtype="category"),
    ],
    ids=["list", "-1/1", "bool", "uint8", "strings", "shuffled index", "category"],
)
def test_the_coding_of_labels_does_not_matter(name, code):
    score, coded = getattr(measures, name), code(TRUTH)
    positive = {"pos_label": max(coded)} if isinstance(coded[0], str) else {}
    assert score(coded, code(PREDICTION), **positive) == score(TRUTH, PREDICTION)


def test_informedness_is_adjusted_balanced_accuracy():
    expected = metrics.balanced_accuracy_score(TRUTH, PREDICTION, adjusted=True)
    assert measures.informedness_score(TRUTH, PREDICTION) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize(
    ("truth", "prediction", "reason"),
    [
        ([1, 1], [1, 0], "one class only"),
        ([0, 1, 2], [0, 1, 2], "more than two classes"),
        ([0, 1], [0, 3], "y_pred has a label"),
        ([0, 1], [0], "lengths differ"),
    ],
)
def test_bad_input_is_one_sentence(name, truth, prediction, reason):
    with pytest.raises(ValueError, match=reason):
        getattr(measures, name)(truth, prediction)


@pytest.mark.parametrize("name", [*COLUMNS, "prediction_advantage_score"])
def test_scores_work_in_cross_validation(name):
    rows = np.random.default_rng(0).normal(size=(60, 3))
    labels = np.where(rows[:, 0] > 0, "yes", "no")
    positive = {"pos_label": "yes"} if name in COLUMNS else {}
    scorer = metrics.make_scorer(getattr(measures, name), **positive)
    scores = cross_validate(
        DecisionTreeClassifier(random_state=0), rows, labels, scoring=scorer, error_score="raise"
    )
    assert (scores["test_score"] > 0.5).all()
