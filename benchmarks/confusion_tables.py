"""All measures of many confusion tables, and of one table of many labels, beside bare NumPy, pycm and scikit-learn.

Each computes the measures that it has, and is compared with ours first. pycm gets the tables as matrices, scikit-learn
the labels, as each takes them.
"""

import contextlib
import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from sklearn import metrics

from benchmarks.turns import Row, row, take_turns, version_of
from nontrivial.measures.confusion import confusion_measures
from nontrivial.measures.label_scores import p4_score
from nontrivial.seeds import generator_for

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
}
SCIKIT_LEARN = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "specificity": lambda y, p: metrics.recall_score(y, p, pos_label=0),
    "negative_predictive_value": lambda y, p: metrics.precision_score(y, p, pos_label=0),
    "f_beta": metrics.f1_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "jaccard": metrics.jaccard_score,
    "positive_likelihood_ratio": lambda y, p: metrics.class_likelihood_ratios(y, p)[0],
    "cohen_kappa": metrics.cohen_kappa_score,
}


def by_pycm(table: list[int]) -> dict[str, float]:
    from pycm import ConfusionMatrix

    tp, fp, fn, tn = table
    with contextlib.redirect_stdout(None):
        matrix = ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
    return {name: matrix.class_stat[theirs][1] for name, theirs in PYCM.items()}


def by_scikit_learn(labels: Sequence[np.ndarray]) -> dict[str, float]:
    return {name: measure(*labels) for name, measure in SCIKIT_LEARN.items()}


def by_numpy(tp: np.ndarray, fp: np.ndarray, fn: np.ndarray, tn: np.ndarray) -> dict[str, np.ndarray]:
    """Return pycm's measures by the shortest formulas, which check nothing and know nothing of 0/0."""
    positives, negatives, called, left = tp + fn, fp + tn, tp + fp, fn + tn
    total = positives + negatives
    precision, recall, specificity, npv = tp / called, tp / positives, tn / negatives, tn / left
    determinant = tp * tn - fp * fn
    return {
        "accuracy": (tp + tn) / total,
        "error_rate": (fp + fn) / total,
        "precision": precision,
        "recall": recall,
        "specificity": specificity,
        "negative_predictive_value": npv,
        "false_positive_rate": fp / negatives,
        "false_negative_rate": fn / positives,
        "false_discovery_rate": fp / called,
        "false_omission_rate": fn / left,
        "f_beta": 2 * tp / (2 * tp + fp + fn),
        "matthews_corrcoef": determinant / np.sqrt(positives * negatives * called * left),
        "fowlkes_mallows": np.sqrt(precision * recall),
        "jaccard": tp / (tp + fp + fn),
        "informedness": recall + specificity - 1,
        "markedness": precision + npv - 1,
        "prevalence": positives / total,
        "positive_likelihood_ratio": recall / (fp / negatives),
        "negative_likelihood_ratio": (fn / positives) / specificity,
        "diagnostic_odds_ratio": tp * tn / (fp * fn),
    }


def of_tables(count: int, few: int, rounds: int) -> Iterator[Row]:
    """Compare the time per table; all but NumPy take so long that a few of the tables must do."""
    tables = generator_for("benchmark", "confusion_measures").integers(1, 100, size=(count, 4))
    cells, some = tables.T.astype(float), tables[:few].tolist()
    labels = [(np.repeat([1, 0, 1, 0], table), np.repeat([1, 1, 0, 0], table)) for table in some]
    ours = confusion_measures(*cells)
    peers = {
        "numpy: bare formulas": (lambda: by_numpy(*cells), len(PYCM), count, math.nan),
        "pycm": (lambda: [by_pycm(table) for table in some], len(PYCM), few, 1 / 5_000),
        "scikit-learn: functions in a loop": (
            lambda: [by_scikit_learn(each) for each in labels], len(SCIKIT_LEARN), few, 1 / 10_000
        ),
    }  # fmt: skip
    for peer, (theirs, measures, times, goal) in peers.items():
        found = {}
        if version_of(peer) != "absent":
            expected = pd.DataFrame(theirs()).astype(float)
            np.testing.assert_allclose(
                ours.loc[: times - 1, expected.columns], expected, rtol=1e-9, atol=1e-12
            )
            turns = take_turns({"ours": lambda: confusion_measures(*cells), "theirs": theirs}, rounds)
            found = {"seconds": turns["ours"] / count, "peer_seconds": turns["theirs"] / times}
        case = f"per table, {ours.shape[1]} measures here and {measures} there"
        yield row("confusion_measures", case, count, peer, goal=goal, **found)


def of_labels(n: int, rounds: int) -> Iterator[Row]:
    """Compare with scikit-learn on what its functions are made for, labels of one model."""
    rng = generator_for("benchmark", "labels", n)
    truth = (rng.random(n) < 0.3).astype(np.int64)
    predicted = np.where(rng.random(n) < 0.1, 1 - truth, truth)

    def all_measures() -> pd.DataFrame:
        tn, fp, fn, tp = metrics.confusion_matrix(truth, predicted).ravel()
        return confusion_measures(tp, fp, fn, tn)

    pairs = {
        ("p4_score", "scikit-learn: f1_score"): "one measure",
        ("confusion_measures of scikit-learn's confusion_matrix", "scikit-learn: classification_report"): (
            "30 measures here and 7 there"
        ),
        (
            "confusion_measures of scikit-learn's confusion_matrix",
            "scikit-learn: a function for each measure",
        ): (f"30 measures here and {len(SCIKIT_LEARN)} there"),
    }
    calls = {
        "p4_score": lambda: p4_score(truth, predicted),
        "confusion_measures of scikit-learn's confusion_matrix": all_measures,
        "scikit-learn: f1_score": lambda: metrics.f1_score(truth, predicted),
        "scikit-learn: classification_report": lambda: metrics.classification_report(truth, predicted),
        "scikit-learn: a function for each measure": lambda: by_scikit_learn((truth, predicted)),
    }
    times = take_turns(calls, rounds)
    for (ours, peer), case in pairs.items():
        yield row(
            ours, f"labels of one model, {case}", n, peer, seconds=times[ours], peer_seconds=times[peer]
        )


def rows(
    tables: int = 100_000, peer_tables: int = 10, labels: Sequence[int] = (10**4, 10**5), rounds: int = 3
) -> Iterator[Row]:
    yield from of_tables(tables, peer_tables, rounds)
    for n in labels:
        yield from of_labels(n, rounds)
