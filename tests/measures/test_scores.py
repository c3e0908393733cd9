"""Scores from labels: the positive class, codings of labels, and what others call the same."""

import numpy as np
import pandas as pd
import pytest
from measures.label_scores import SCORES
from sklearn import metrics

from nontrivial import measures

TRUTH = np.array([0, 0, 0, 0, 1, 1, 1, 0, 1, 0])
PREDICTION = np.array([0, 1, 0, 0, 1, 0, 1, 0, 1, 0])  # tp 3, fp 1, fn 1, tn 5


@pytest.mark.parametrize("name", SCORES)
def test_pos_label_turns_the_table_round(name):
    expected = measures.confusion_measures(5, 1, 1, 3)[name].iloc[0]
    assert SCORES[name](TRUTH, PREDICTION, pos_label=0) == expected


@pytest.mark.parametrize("name", SCORES)
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
    score, coded = SCORES[name], code(TRUTH)
    positive = {"pos_label": max(coded)} if isinstance(coded[0], str) else {}
    assert score(coded, code(PREDICTION), **positive) == score(TRUTH, PREDICTION)


def test_informedness_is_adjusted_balanced_accuracy():
    expected = metrics.balanced_accuracy_score(TRUTH, PREDICTION, adjusted=True)
    assert measures.informedness_score(TRUTH, PREDICTION) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize(
    ("truth", "prediction", "reason"),
    [
        ([0, 1, 2], [0, 1, 2], "more than two classes"),
        ([0, 1], [0, 3], "y_pred has a label"),
        ([0, 1], [0], "lengths differ"),
    ],
)
def test_bad_input_is_one_sentence(name, truth, prediction, reason):
    with pytest.raises(ValueError, match=reason):
        SCORES[name](truth, prediction)


@pytest.mark.parametrize("beta", [0.5, 1, 2])
def test_f_gain_is_the_harmonic_scale_of_f_beta(beta):
    f, prevalence = metrics.fbeta_score(TRUTH, PREDICTION, beta=beta), TRUTH.mean()
    expected = (f - prevalence) / ((1 - prevalence) * f)
    assert measures.f_gain_score(TRUTH, PREDICTION, beta=beta) == pytest.approx(expected, rel=1e-14)
