"""Test sets of a given imbalance and noise: drawn by their four counts, and row by row, in one run.

Row by row, each test set is put together in NumPy from rows of the classifier's predictions, its labels are flipped,
and its cells are counted. The measures are then computed of all tables at once here, and of each test set's labels by
scikit-learn's functions there. Both ways' mean counts are compared first. Ratios are medians over rounds; they go to
results/benchmarks/imbalance.csv.
Usage: python tests/benchmarks/bench_imbalance.py [--replicates 10000] [--peer-replicates 300] [--rounds 5]
"""

import argparse
import time
from pathlib import Path

import numpy as np
import pandas as pd
from sklearn import metrics

from nontrivial.csv_tables import write_table
from nontrivial.experiments.imbalance.sweep import draw_tables, flips_per_class, rates_of
from nontrivial.measures import confusion_measures
from nontrivial.seeds import generator_for

RESULT = Path(__file__).parents[2] / "results" / "benchmarks" / "imbalance.csv"
TARGET = 1_000
SHARE, NOISE = 0.3, 0.2
SCIKIT_LEARN = [
    metrics.accuracy_score,
    metrics.balanced_accuracy_score,
    metrics.f1_score,
    metrics.cohen_kappa_score,
    metrics.matthews_corrcoef,
]


def draw_rows(
    called: list[np.ndarray], size: int, minority: int, flips: int, generator: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Draw one test set: the labels after the noise, and what the classifier says of each row."""
    majority = size - minority
    prediction = np.concatenate(
        [generator.choice(called[0], minority), generator.choice(called[1], majority)]
    )
    truth = np.arange(size) < minority
    truth[generator.choice(minority, flips, replace=False)] = False
    truth[minority + generator.choice(majority, flips, replace=False)] = True
    return truth, prediction


def count(truth: np.ndarray, prediction: np.ndarray) -> np.ndarray:
    """Return TN, FP, FN, TP."""
    return np.bincount(2 * truth + prediction, minlength=4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--replicates", type=int, default=10_000)
    parser.add_argument("--peer-replicates", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()

    generator = generator_for("benchmark", "imbalance")
    truth = np.arange(569) < 212
    prediction = truth ^ (generator.random(569) < 0.04)
    rates, called = rates_of(truth, prediction), [prediction[truth], prediction[~truth]]
    rows = []
    for size in (1_000, 10_000):
        shape = (size, round(SHARE * size), flips_per_class(size, NOISE))
        few = options.peer_replicates
        for number in range(options.rounds):
            start = time.perf_counter()
            tables = draw_tables(rates, *shape, options.replicates, generator)
            drawn = time.perf_counter()
            confusion_measures(*tables)
            ours = np.array([drawn - start, time.perf_counter() - start]) / options.replicates
            start = time.perf_counter()
            cells = [count(*draw_rows(called, *shape, generator)) for _ in range(few)]
            theirs = (time.perf_counter() - start) / few
            if number == 0:
                tn, fp, fn, tp = np.mean(cells, axis=0)
                np.testing.assert_allclose(
                    np.mean(tables, axis=1), [tp, fp, fn, tn], atol=6 * np.sqrt(size / few)
                )
            measured = few // 30
            start = time.perf_counter()
            for _ in range(measured):
                labels = draw_rows(called, *shape, generator)
                for measure in SCIKIT_LEARN:
                    measure(*labels)
            both = (time.perf_counter() - start) / measured
            rows.append((size, *ours, theirs, both))
    columns = ["test_size", "counts", "counts_and_measures", "rows", "rows_and_measures"]
    rounds = pd.DataFrame(rows, columns=columns)
    rounds["times_drawing"] = rounds["rows"] / rounds["counts"]
    rounds["times_with_measures"] = rounds["rows_and_measures"] / rounds["counts_and_measures"]
    result = rounds.groupby("test_size").median().reset_index()
    result[columns[1:]] *= 1e6
    result = result.rename(columns={name: f"microseconds_{name}" for name in columns[1:]})
    result["target"] = TARGET
    write_table(RESULT, result)
    print(result.to_string(index=False, float_format="%.4g"))


if __name__ == "__main__":
    main()
