"""The same numbers as scikit-learn, pycm and mlscorecheck, where they have the measure and it is defined."""

import contextlib

import numpy as np
import pytest
from mlscorecheck.scores import calculate_scores
from pycm import ConfusionMatrix
from sklearn import metrics

from nontrivial.measures import confusion_measures, goodman_kruskal_lambda_score, no_information_rate
from nontrivial.seeds import generator_for

TABLES = generator_for("peers").integers(1, 60, size=(30, 4))  # TP, FP, FN, TN
MEASURED = confusion_measures(*TABLES.T)

SCIKIT_LEARN = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "specificity": lambda y, p: metrics.recall_score(y, p, pos_label=0),
    "negative_predictive_value": lambda y, p: metrics.precision_score(y, p, pos_label=0),
    "f_beta": metrics.f1_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "fowlkes_mallows": lambda y, p: np.sqrt(metrics.precision_score(y, p) * metrics.recall_score(y, p)),
    "jaccard": metrics.jaccard_score,
    "informedness": lambda y, p: metrics.balanced_accuracy_score(y, p, adjusted=True),
    "positive_likelihood_ratio": lambda y, p: metrics.class_likelihood_ratios(y, p)[0],
    "negative_likelihood_ratio": lambda y, p: metrics.class_likelihood_ratios(y, p)[1],
    "cohen_kappa": metrics.cohen_kappa_score,
}
PYCM = {
    "accuracy": "ACC",
    "error_rate": "ERR",
    "precision": "PPV",
    "recall": "TPR",
    "specificity": "TNR",
    "negative_predictive_value": "NPV",
    "false_positive_rate": "FPR",
    "false_negative_rate": "FNR",
    "false_discovery_rate": "FDR",
    "false_omission_rate": "FOR",
    "f_beta": "F1",
    "matthews_corrcoef": "MCC",
    "fowlkes_mallows": "G",
    "jaccard": "J",
    "informedness": "BM",
    "markedness": "MK",
    "prevalence": "PRE",
    "positive_likelihood_ratio": "PLR",
    "negative_likelihood_ratio": "NLR",
    "diagnostic_odds_ratio": "DOR",
    "cohen_kappa": "Kappa",
    "no_information_rate": "NIR",
    "goodman_kruskal_lambda": "Lambda A",
}
MLSCORECHECK = {
    "accuracy": "acc",
    "balanced_accuracy": "bacc",
    "precision": "ppv",
    "recall": "sens",
    "specificity": "spec",
    "negative_predictive_value": "npv",
    "f_beta": "f1p",
    "p4": "upm",
    "matthews_corrcoef": "mcc",
    "fowlkes_mallows": "fm",
    "jaccard": "ji",
    "informedness": "bm",
    "markedness": "mk",
    "prevalence_threshold": "pt",
    "positive_likelihood_ratio": "lrp",
    "negative_likelihood_ratio": "lrn",
    "diagnostic_odds_ratio": "dor",
    "cohen_kappa": "kappa",
}


def labels_of(tp, fp, fn, tn):
    return np.repeat([1, 0, 1, 0], [tp, fp, fn, tn]), np.repeat([1, 1, 0, 0], [tp, fp, fn, tn])


@pytest.fixture(scope="module")
def pycm_statistics():
    statistics = []
    for tp, fp, fn, tn in TABLES.tolist():
        with contextlib.redirect_stdout(None):
            matrix = ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
        by_class = {name: values[1] for name, values in matrix.class_stat.items()}
        statistics.append(matrix.overall_stat | by_class)
    return statistics


@pytest.mark.parametrize("name", SCIKIT_LEARN)
def test_scikit_learn(name):
    theirs = [SCIKIT_LEARN[name](*labels_of(*table)) for table in TABLES]
    np.testing.assert_allclose(MEASURED[name], theirs, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", PYCM)
def test_pycm(name, pycm_statistics):
    theirs = [statistics[PYCM[name]] for statistics in pycm_statistics]
    np.testing.assert_allclose(MEASURED[name], theirs, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize(("name", "short"), MLSCORECHECK.items())
def test_mlscorecheck(name, short):
    theirs = [
        calculate_scores({"p": tp + fn, "n": fp + tn, "tp": tp, "tn": tn}, subset=[short])[short]
        for tp, fp, fn, tn in TABLES.tolist()
    ]
    np.testing.assert_allclose(MEASURED[name], theirs, rtol=1e-10, atol=1e-14)


@pytest.mark.parametrize("beta", [0.0, 0.5, 2.0, np.inf])
def test_f_beta_of_scikit_learn(beta):
    theirs = [metrics.fbeta_score(*labels_of(*table), beta=beta) for table in TABLES]
    np.testing.assert_allclose(confusion_measures(*TABLES.T, beta=beta)["f_beta"], theirs, rtol=1e-12)


def test_lambda_and_no_information_rate_of_pycm_for_many_classes():
    draw = generator_for("peers", "many classes")
    for _ in range(10):
        truth = draw.integers(0, 4, 80)
        prediction = np.where(draw.random(80) < 0.5, truth, draw.integers(0, 4, 80))
        with contextlib.redirect_stdout(None):
            theirs = ConfusionMatrix(truth, prediction).overall_stat
        assert goodman_kruskal_lambda_score(truth, prediction) == pytest.approx(theirs["Lambda A"], rel=1e-12)
        assert no_information_rate(truth) == pytest.approx(theirs["NIR"], rel=1e-15)
