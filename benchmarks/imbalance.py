"""Test sets of a given imbalance and noise, drawn by their four counts, beside putting them together row by row.

Row by row, each test set is put together in NumPy from rows of the classifier's predictions, its labels are flipped,
and its cells are counted. The measures are then computed of all tables at once here, and of each test set's labels by
scikit-learn's functions there. Both ways' mean counts are compared first.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from sklearn import metrics

from benchmarks.turns import Row, row, take_turns
from nontrivial.measures.confusion import confusion_measures
from nontrivial.seeds import generator_for
from nontrivial_study.experiments.imbalance.imbalance import draw_tables, flips_per_class, rates_of

GOAL = 1 / 1_000
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


def rows(
    sizes: Sequence[int] = (1_000, 10_000), replicates: int = 10_000, few: int = 300, rounds: int = 3
) -> Iterator[Row]:
    generator = generator_for("benchmark", "imbalance")
    truth = np.arange(569) < 212
    prediction = truth ^ (generator.random(569) < 0.04)
    rates, called = rates_of(truth, prediction), [prediction[truth], prediction[~truth]]
    for size in sizes:
        shape = (size, round(SHARE * size), flips_per_class(size, NOISE))
        drawn = draw_tables(rates, *shape, replicates, generator)
        tn, fp, fn, tp = np.mean([count(*draw_rows(called, *shape, generator)) for _ in range(few)], axis=0)
        np.testing.assert_allclose(np.mean(drawn, axis=1), [tp, fp, fn, tn], atol=6 * np.sqrt(size / few))

        def measure_rows(shape: tuple[int, int, int] = shape) -> None:
            labels = draw_rows(called, *shape, generator)
            for measure in SCIKIT_LEARN:
                measure(*labels)

        times = take_turns(
            {
                "counts": lambda s=shape: draw_tables(rates, *s, replicates, generator),
                "counts and measures": lambda s=shape: confusion_measures(
                    *draw_tables(rates, *s, replicates, generator)
                ),
                "rows": lambda s=shape: [count(*draw_rows(called, *s, generator)) for _ in range(few)],
                "rows and measures": lambda: [measure_rows() for _ in range(few // 30)],
            },
            rounds,
        )
        pairs = {
            "": ("numpy: row by row", few),
            " and measures": ("scikit-learn: row by row", few // 30),
        }
        for also, (peer, drawn_there) in pairs.items():
            yield row(
                f"test sets by their counts{also}",
                f"per test set, {SHARE:.0%} positive, noise {NOISE:.0%}",
                size,
                peer,
                seconds=times[f"counts{also}"] / replicates,
                peer_seconds=times[f"rows{also}"] / drawn_there,
                goal=GOAL,
            )
