"""How often tests at 5 % tell models from trivial ones and from each other, beside Student's test and DeLong's.

docs/power.csv has a row for each setting: the share of samples in which the product, and the usual test, show a useful
model to be better than trivial, or two models to differ. The usual tests are Student's paired test of the losses of
the model and of the best constant guess, and the test of two areas by DeLong, DeLong and Clarke-Pearson (1988).

Usage: python -m benchmarks.power [--samples 400] [--jobs 2]
"""

import argparse
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np
import pandas as pd
from scipy.special import expit
from scipy.stats import norm, rankdata, ttest_rel

from benchmarks.coverage import DRAWS, Draw, chances
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import prediction_advantage_interval
from nontrivial.seeds import generator_for

TABLE = Path(__file__).parents[1] / "docs" / "power.csv"
ALPHA = 0.05


class Rejections(NamedTuple):
    """Whether the product's test and the usual one reject in one sample."""

    nontrivial: bool
    usual: bool


class Setting(NamedTuple):
    """What is drawn and tested."""

    question: str
    at: str
    usual_test: str
    draw: Callable[[Draw], Rejections]


def losses_of(name: str, positive: np.ndarray, chance: np.ndarray | float) -> np.ndarray:
    if name == "squared":
        return (positive - chance) ** 2
    return -np.log(np.where(positive, chance, 1 - chance))


def draw_probabilities(draw: Draw, n: int, share: float, distance: float, skill: str, loss: str) -> Rejections:
    positive = draw.random(n) < share
    chance = chances(draw.normal(size=n) + distance * positive, share, distance)
    if skill == "worthless":
        chance = draw.permutation(chance)
    if skill == "noisy":  # log-odds with as much noise as signal
        chance = expit(np.log(chance / (1 - chance)) + distance * draw.normal(size=n))
    low = prediction_advantage_interval(positive.astype(int), chance, loss=loss)[0]
    constant = np.full(n, positive.mean())
    usual = ttest_rel(losses_of(loss, positive, constant), losses_of(loss, positive, chance), alternative="greater")
    return Rejections(low > 0, usual.pvalue <= ALPHA / 2)


def delong_p_value(positive: np.ndarray, scores: tuple[np.ndarray, np.ndarray]) -> float:
    """Return the p-value of equal areas, from the share of the other class that each case is ranked rightly with."""
    m, n = positive.sum(), (~positive).sum()
    of_positives, of_negatives = [], []
    for score in scores:
        ranks = rankdata(score)
        of_positives.append((ranks[positive] - rankdata(score[positive])) / n)
        of_negatives.append(1 - (ranks[~positive] - rankdata(score[~positive])) / m)
    above, below = of_positives[0] - of_positives[1], of_negatives[0] - of_negatives[1]
    error = np.sqrt(above.var(ddof=1) / m + below.var(ddof=1) / n)
    return 2 * float(norm.sf(abs(above.mean()) / error))


def draw_areas(draw: Draw, n: int, positives: int, distance: float, more: float, common: float) -> Rejections:
    positive = np.arange(n) < positives
    shared = np.sqrt(common) * draw.normal(size=n)
    scores = tuple(
        shared + np.sqrt(1 - common) * draw.normal(size=n) + apart * positive for apart in (distance + more, distance)
    )
    table = bootstrap_curve_areas(positive, scores[0], compared_with=scores[1], n_resamples=DRAWS)
    usual = delong_p_value(positive, scores)
    return Rejections(table.loc["pvalue", "roc_auc"] <= ALPHA, usual <= ALPHA)


def settings() -> list[Setting]:
    found = []
    for n, share, distance in [(3000, 0.02, 0.75), (3000, 0.02, 1.5), (6000, 0.015, 0.75)]:
        for skill in ("useful", "noisy", "worthless"):
            for loss in ("cross_entropy", "squared"):
                found.append(
                    Setting(
                        "better than trivial",
                        f"{n:,} cases, {100 * share:g}% positive, sd of log-odds {distance:g}, {skill}, {loss}",
                        "Student",
                        lambda draw, options=(n, share, distance, skill, loss): draw_probabilities(draw, *options),
                    )
                )
    for common, more in [(0.5, 0.0), (0.5, 0.3), (0.8, 0.0), (0.8, 0.3), (0.95, 0.0), (0.95, 0.3)]:
        areas = norm.cdf(np.array([1 + more, 1]) / np.sqrt(2))
        found.append(
            Setting(
                "two models differ in AUC",
                f"200 cases, 20 positive, correlation {common:g}, true difference {areas[0] - areas[1]:.3f}",
                "DeLong",
                lambda draw, options=(200, 20, 1.0, more, common): draw_areas(draw, *options),
            )
        )
    return found


def measure(setting: Setting, samples: int) -> dict[str, object]:
    warnings.simplefilter("ignore")
    draw = generator_for("power", setting.question, setting.at)
    rates = np.mean([setting.draw(draw) for _ in range(samples)], axis=0)
    return {
        "question": setting.question,
        "setting": setting.at,
        "nontrivial": f"{rates[0]:.3f}",
        "usual": f"{rates[1]:.3f}",
        "usual_test": setting.usual_test,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    rows = joblib.Parallel(arguments.jobs)(
        joblib.delayed(measure)(setting, arguments.samples) for setting in settings()
    )
    table = pd.DataFrame(rows)
    table.to_csv(TABLE, index=False, lineterminator="\n")
    print(table.to_string())


if __name__ == "__main__":
    from benchmarks import power  # other processes import its functions, which they cannot from a script

    power.main()
