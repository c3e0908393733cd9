"""The cost of all measures per confusion table: this package, pycm, and scikit-learn's functions in a loop.

All three compute the measures that they have of the same random tables, in one run, and are compared first. pycm gets
the tables as matrices, scikit-learn the labels, as each takes them. The times and ratios go to
results/benchmarks/confusion_measures.csv.
Usage: python tests/benchmarks/bench_confusion_measures.py [--tables 100000] [--peer-tables 50] [--rounds 5]
"""

import argparse
import contextlib
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
from pycm import ConfusionMatrix
from sklearn import metrics

from nontrivial.csv_tables import write_table
from nontrivial.measures import confusion_measures
from nontrivial.seeds import generator_for

RESULT = Path(__file__).parents[2] / "results" / "benchmarks" / "confusion_measures.csv"
TARGETS = {"pycm": 5_000, "scikit-learn": 10_000}
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
    tp, fp, fn, tn = table
    matrix = ConfusionMatrix(matrix={1: {1: tp, 0: fn}, 0: {1: fp, 0: tn}})
    return {name: matrix.class_stat[theirs][1] for name, theirs in PYCM.items()}


def by_scikit_learn(labels: tuple[np.ndarray, np.ndarray]) -> dict[str, float]:
    return {name: measure(*labels) for name, measure in SCIKIT_LEARN.items()}


def seconds_per_item(compute: Callable, items: list) -> float:
    start = time.perf_counter()
    for item in items:
        compute(item)
    return (time.perf_counter() - start) / len(items)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=100_000)
    parser.add_argument("--peer-tables", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    tables = generator_for("benchmark", "confusion_measures").integers(1, 100, size=(options.tables, 4))
    few = tables[: options.peer_tables].tolist()
    labels = [(np.repeat([1, 0, 1, 0], table), np.repeat([1, 1, 0, 0], table)) for table in few]
    peers = {"pycm": (by_pycm, few), "scikit-learn": (by_scikit_learn, labels)}
    ours = confusion_measures(*tables.T)
    for compute, items in peers.values():
        theirs = pd.DataFrame([compute(item) for item in items]).astype(float)
        np.testing.assert_allclose(ours.loc[: len(items) - 1, theirs.columns], theirs, rtol=1e-9, atol=1e-12)

    rows = []
    for _ in range(options.rounds):
        with contextlib.redirect_stdout(None):
            per_table = {name: seconds_per_item(*peer) for name, peer in peers.items()}
        per_table["nontrivial"] = (
            seconds_per_item(lambda t: confusion_measures(*t.T), [tables]) / options.tables
        )
        rows.append(per_table)
    rounds = pd.DataFrame(rows)
    medians = rounds.median()
    result = pd.DataFrame(
        {
            "library": medians.index,
            "measures": [len(PYCM), len(SCIKIT_LEARN), ours.shape[1]],
            "microseconds_per_table": 1e6 * medians.to_numpy(),
            "times_ours": [(rounds[name] / rounds["nontrivial"]).median() for name in medians.index],
            "target": [TARGETS.get(name, np.nan) for name in medians.index],
        }
    )
    write_table(RESULT, result)
    print(result.to_string(index=False, float_format="%.4g"))


if __name__ == "__main__":
    main()
