"""All measures of many confusion tables, and of one table of many labels, beside pycm and scikit-learn.

Each computes the measures that it has, and is compared with ours first. pycm gets the tables as matrices, scikit-learn
the labels, as each takes them.
"""

import contextlib
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


def of_tables(count: int, few: int, rounds: int) -> Iterator[Row]:
    """Compare the time per table; all but NumPy take so long that a few of the tables must do."""
    tables = generator_for("benchmark", "confusion_measures").integers(1, 100, size=(count, 4))
    cells, some = tables.T.astype(float), tables[:few].tolist()
    labels = [(np.repeat([1, 0, 1, 0], table), np.repeat([1, 1, 0, 0], table)) for table in some]
    ours = confusion_measures(*cells)
    peers = {
        "pycm": (lambda: [by_pycm(table) for table in some], len(PYCM), 1 / 5_000),
        "scikit-learn: functions in a loop": (
            lambda: [by_scikit_learn(each) for each in labels], len(SCIKIT_LEARN), 1 / 10_000
        ),
    }  # fmt: skip
    for peer, (theirs, measures, goal) in peers.items():
        found = {}
        if version_of(peer) != "absent":
            expected = pd.DataFrame(theirs()).astype(float)
            np.testing.assert_allclose(ours.loc[: few - 1, expected.columns], expected, rtol=1e-9, atol=1e-12)
            turns = take_turns({"ours": lambda: confusion_measures(*cells), "theirs": theirs}, rounds)
            found = {"seconds": turns["ours"] / count, "peer_seconds": turns["theirs"] / few}
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

    whole = "confusion_measures of scikit-learn's confusion_matrix"
    calls = {
        "p4_score": lambda: p4_score(truth, predicted),
        whole: all_measures,
        "scikit-learn: f1_score": lambda: metrics.f1_score(truth, predicted),
        "scikit-learn: classification_report": lambda: metrics.classification_report(truth, predicted),
    }
    times = take_turns(calls, rounds)
    for ours, peer, case in (
        ("p4_score", "scikit-learn: f1_score", "one measure"),
        (whole, "scikit-learn: classification_report", "30 measures here and 7 there"),
    ):
        case = f"labels of one model, {case}"
        yield row(ours, case, n, peer, seconds=times[ours], peer_seconds=times[peer])


def rows(
    tables: int = 100_000, peer_tables: int = 10, labels: Sequence[int] = (10**4, 10**5), rounds: int = 3
) -> Iterator[Row]:
    yield from of_tables(tables, peer_tables, rounds)
    for n in labels:
        yield from of_labels(n, rounds)
