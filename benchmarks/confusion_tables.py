"""All measures of many confusion tables beside pycm and scikit-learn, which gets the labels of each table.

Each computes the measures that it has, and is compared with ours first.
"""

import contextlib
from collections.abc import Iterator

import numpy as np
import pandas as pd
from sklearn import metrics

from benchmarks.turns import Row, row, take_turns, version_of
from nontrivial.measures import confusion_measures
from nontrivial.seeds import generator_for

PYCM = {
    "accuracy": "ACC", "error_rate": "ERR", "precision": "PPV", "recall": "TPR", "specificity": "TNR",
    "negative_predictive_value": "NPV", "false_positive_rate": "FPR", "false_negative_rate": "FNR",
    "false_discovery_rate": "FDR", "false_omission_rate": "FOR", "f_beta": "F1", "matthews_corrcoef": "MCC",
    "fowlkes_mallows": "G", "jaccard": "J", "informedness": "BM", "markedness": "MK", "prevalence": "PRE",
    "positive_likelihood_ratio": "PLR", "negative_likelihood_ratio": "NLR", "diagnostic_odds_ratio": "DOR",
}  # fmt: skip
SCIKIT_LEARN = {
    "accuracy": metrics.accuracy_score,
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "precision": metrics.precision_score,
    "recall": metrics.recall_score,
    "f_beta": metrics.f1_score,
    "matthews_corrcoef": metrics.matthews_corrcoef,
    "jaccard": metrics.jaccard_score,
    "cohen_kappa": metrics.cohen_kappa_score,
}


def by_pycm(tp: int, fp: int, fn: int, tn: int) -> dict[str, float]:
    from pycm import ConfusionMatrix

    with contextlib.redirect_stdout(None):
        matrix = ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
    return {name: matrix.class_stat[theirs][1] for name, theirs in PYCM.items()}


def by_scikit_learn(*table: int) -> dict[str, float]:
    labels = np.repeat([1, 0, 1, 0], table), np.repeat([1, 1, 0, 0], table)
    return {name: measure(*labels) for name, measure in SCIKIT_LEARN.items()}


def rows(tables: int = 100_000, peer_tables: int = 10, rounds: int = 3) -> Iterator[Row]:
    """Compare the time per table; the peers take so long that a few of the tables must do."""
    cells = generator_for("benchmark", "confusion_measures").integers(1, 100, size=(tables, 4))
    floats, some = cells.T.astype(float), cells[:peer_tables].tolist()
    ours = confusion_measures(*floats)
    for peer, measure, names, goal in (
        ("pycm", by_pycm, PYCM, 1 / 5_000),
        ("scikit-learn: functions in a loop", by_scikit_learn, SCIKIT_LEARN, 1 / 10_000),
    ):
        found = {}
        if version_of(peer) != "absent":
            calls = {
                "seconds": lambda: confusion_measures(*floats),
                "peer_seconds": lambda measure=measure: [measure(*table) for table in some],
            }
            expected = pd.DataFrame(calls["peer_seconds"]()).astype(float)
            np.testing.assert_allclose(ours.loc[: peer_tables - 1, [*names]], expected, rtol=1e-9, atol=1e-12)
            times = take_turns(calls, rounds)
            found = {"seconds": times["seconds"] / tables, "peer_seconds": times["peer_seconds"] / peer_tables}
        case = f"per table, {ours.shape[1]} measures here and {len(names)} there"
        yield row("confusion_measures", case, tables, peer, goal=goal, **found)
