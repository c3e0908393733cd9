"""By how much intervals of cross-validation have to be widened, since folds share training cases.

Logistic regression with five features, on two classes of equal size, in five folds. docs/folds.csv has, for each data
set and factor, the coverage of the area under the ROC curve, and how often the ranking and the labels are shown to be
better or worse than trivial. The true area is the mean over training sets of four fifths of the cases.

Usage: python -m benchmarks.folds [--samples 300] [--jobs 2]
"""

import argparse
import math
import warnings
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.linear_model import LogisticRegression

import nontrivial
from nontrivial.scorecard import cross_validation
from nontrivial.seeds import generator_for

TABLE = Path(__file__).parents[1] / "docs" / "folds.csv"
FACTORS = (1.0, 1.1, 1.25, 1.5)
N_FEATURES, N_FOLDS = 5, 5


class Data(NamedTuple):
    """What is drawn: the cases, and how many standard deviations the classes are apart in the first feature."""

    name: str
    n: int
    distance: float


DATA = (
    Data("noise, 60 cases", 60, 0.0),
    Data("weak signal, 60 cases", 60, 0.8),
    Data("weak signal, 600 cases", 600, 0.3),
)


def draw_cases(data: Data, n: int, *purpose: object) -> tuple[np.ndarray, np.ndarray]:
    draw = generator_for("folds", data.name, *purpose)
    truth = draw.permutation(np.repeat([0, 1], n // 2))
    features = draw.normal(size=(n, N_FEATURES))
    features[:, 0] += data.distance * (truth - 0.5)
    return features, truth


def true_area(data: Data) -> float:
    areas = []
    for number in range(400):
        trained = draw_cases(data, data.n * (N_FOLDS - 1) // N_FOLDS, "training", number)
        (weights,) = LogisticRegression().fit(*trained).coef_
        areas.append(norm.cdf(weights[0] * data.distance / (math.sqrt(2) * np.linalg.norm(weights))))
    return float(np.mean(areas))


def measure_sample(data: Data, number: int) -> dict[str, float]:
    """Return the estimates of one sample without any widening."""
    warnings.simplefilter("ignore")
    cross_validation.FOLD_ERROR_FACTOR = 1.0
    found = nontrivial.evaluate(LogisticRegression(), *draw_cases(data, data.n, number), cv=N_FOLDS)
    ranking, labels = found.verdicts["ranking"], found.verdicts["labels"]
    return {
        "area": ranking.value,
        "low": ranking.low,
        "high": ranking.high,
        "p_better": labels.p_better,
        "p_worse": labels.p_worse,
    }


def summarise(data: Data, samples: pd.DataFrame) -> list[dict[str, object]]:
    area, rows = true_area(data), []
    for factor in FACTORS:
        low = samples["area"] - factor * (samples["area"] - samples["low"])
        high = samples["area"] + factor * (samples["high"] - samples["area"])
        p_better, p_worse = (norm.sf(norm.isf(samples[p]) / factor) for p in ("p_better", "p_worse"))
        shares = {
            "auc_covered": ((low <= area) & (area <= high)).mean(),
            "ranking_better": (low > 0.5).mean(),
            "ranking_worse": (high < 0.5).mean(),
            "labels_better": (p_better <= 0.025).mean(),
            "labels_worse": (p_worse <= 0.025).mean(),
        }
        rows.append(
            {"data": data.name, "factor": f"{factor:g}"} | {name: f"{share:.3f}" for name, share in shares.items()}
        )
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    rows = []
    for data in DATA:
        samples = joblib.Parallel(arguments.jobs)(
            joblib.delayed(measure_sample)(data, number) for number in range(arguments.samples)
        )
        rows += summarise(data, pd.DataFrame(samples))
    table = pd.DataFrame(rows)
    table.to_csv(TABLE, index=False, lineterminator="\n")
    print(table.to_string())


if __name__ == "__main__":
    from benchmarks import folds  # other processes import its functions, which they cannot from a script

    folds.main()
