"""How often tests at 5 % reject a true null hypothesis, by simulation.

A row of docs/levels_of_tests.csv is one test over its grid: the greatest and the median share of samples in which it
rejects, and at how many points that is above 5 % by more than the simulation's error (a binomial test at 0.001).
Usage: python -m benchmarks.levels_of_tests [--simulations 400]
"""

import argparse
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import binom, norm

from benchmarks.coverage_points import Row, points
from benchmarks.interval_coverage import ALLOWED, PROJECT
from benchmarks.number_coverage import SKEWED, no_skill
from benchmarks.score_coverage import draw_units
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import compare_models, triviality_test
from nontrivial.measures.fieller import fieller_interval
from nontrivial.measures.losses import resolve
from nontrivial.seeds import generator_for
from nontrivial_study.tables import write_table

LEVELS = PROJECT / "docs" / "levels_of_tests.csv"
LEVEL = 0.05
SIZES = [20, 100, 500]


def trivial_labels(draw: np.random.Generator, n: int, share: float) -> tuple[np.ndarray, np.ndarray]:
    """Draw a truth, and predictions that err as often as always predicting the more frequent class."""
    truth = draw.random(n) < share
    alarm = share / 2 / (1 - share)  # half of the errors are false alarms
    return truth, np.where(truth, draw.random(n) < 0.5, draw.random(n) < alarm)


def sign(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    return {"triviality_test, 0/1 loss": triviality_test(*trivial_labels(draw, n, share)).pvalue}


def betting(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    found = {}
    for kind in ("weights", "groups"):
        units, weights = draw_units(draw, kind, n)
        labels = (side[units] for side in trivial_labels(draw, n, share))  # all cases of a group are alike
        test = triviality_test(*labels, sample_weight=weights, groups=units)
        found[f"triviality_test, 0/1 loss, {kind}"] = test.pvalue
    return found


def squared(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    """Predict a normal target, and one of 0 and 1, by numbers that lose what its mean loses."""
    truth, other = draw.random((2, n)) < share
    x, u = draw.normal(size=(2, n))
    found = {"triviality_test, squared loss": triviality_test(x + u, 2 * x, loss="squared").pvalue}
    if 0 < truth.sum() < n:
        guess = share + 0.4 * (truth - share) + 0.8 * (other - share)  # 0.6 and 0.8 squared are 1 together
        test = triviality_test(truth.astype(float), guess, loss="squared", bound=1)
        found["triviality_test, squared loss, bound=1"] = test.pvalue
    return found


def models(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    """Compare two models of equal skill whose scores correlate; groups are pairs of cases."""
    truth = draw.random(n) < share
    if not 0 < truth.sum() < n:
        return {}
    common = draw.normal(size=n)
    guesses = [0.7 * common + np.sqrt(0.51) * draw.normal(size=n) + truth > 0.5 for _ in range(2)]
    heavy = np.where(draw.random(n) < 0.1, 10.0, 1.0)
    ways = {
        "0/1 loss": {},
        "0/1 loss, groups": {"groups": np.arange(n) // 2, "n_resamples": 300},
        "0/1 loss, weights": {"sample_weight": 10 ** draw.random(n), "n_resamples": 300},
        "0/1 loss, a tenth weighs ten": {"sample_weight": heavy, "n_resamples": 300},
        "cost, a miss costs ten": {"loss": "cost", "cost": [[0, 10], [1, 0]], "n_resamples": 300},
    }
    return {
        f"compare_models, {name}": compare_models(truth, *guesses, **options).pvalue
        for name, options in ways.items()
    }


def heavy_mistakes(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    """Compare two models that lose as much; a twentieth weighs ten, on which only the one errs, and the other not."""
    truth, heavy = draw.random(n) < share, draw.random(n) < 0.05
    if not 0 < truth.sum() < n:
        return {}
    wrong = heavy & (draw.random(n) < 0.4), ~heavy & (draw.random(n) < 0.4 * 0.05 * 10 / 0.95)
    guesses, weights = [truth ^ each for each in wrong], np.where(heavy, 10.0, 1.0)
    return {
        "compare_models, 0/1 loss, one model errs on heavy cases": compare_models(
            truth, *guesses, sample_weight=weights, n_resamples=300
        ).pvalue,
        "compare_models, squared loss, one model errs on heavy cases": compare_models(
            truth, *(0.1 + 0.8 * each for each in guesses), loss="squared", sample_weight=weights
        ).pvalue,
    }


def large_groups(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    """Compare two models that err as often; a twentieth of the groups has 20 cases, and each group is of one kind."""
    groups = np.repeat(np.arange(n), np.where(draw.random(n) < 0.05, 20, 1))
    truth, *wrong = ((draw.random(n) < rate)[groups] for rate in (share, 0.2, 0.2))
    if not 0 < truth.sum() < len(truth):
        return {}
    found = compare_models(truth, *(truth ^ each for each in wrong), groups=groups, n_resamples=300)
    scores = [draw.normal(size=n)[groups] + truth for _ in range(2)]
    kind = ", a few large groups"
    of_areas = area_p_values(truth, *scores, kind, groups=groups, n_resamples=300)
    return {f"compare_models, 0/1 loss{kind}": found.pvalue} | of_areas


def area_p_values(
    truth: np.ndarray, first: np.ndarray, second: np.ndarray, kind: str = "", **options: Any
) -> dict[str, float]:
    table = bootstrap_curve_areas(truth, first, compared_with=second, **options)
    return {
        f"bootstrap_curve_areas, {name}{kind}": table.loc["pvalue", name] for name in ("roc_auc", "prg_auc")
    }


def areas(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    """Compare the areas of two equal models, which put half of the positives above all negatives."""
    truth = draw.random(n) < share
    if not 0 < truth.sum() < n:
        return {}
    first, second = (draw.random(n) + (truth & (draw.random(n) < 0.5)) for _ in range(2))
    return area_p_values(truth, first, second)


def misplaced(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    """Compare the areas of two models that hardly differ, but put a fifth of the positives, each its own, last."""
    truth = draw.random(n) < share
    if not 0 < truth.sum() < n:
        return {}
    common = draw.normal(size=n) + 2.5 * truth
    first, second = (
        np.where(truth & (draw.random(n) < 0.2), common - 8, common + 0.2 * draw.normal(size=n))
        for _ in range(2)
    )
    return area_p_values(truth, first, second, ", a fifth of the positives misplaced")


def lost(draw: np.random.Generator, n: int, share: float) -> dict[str, float]:
    """Compare two models of equal area under the ROC curve: one puts a few positives last, one ranks all worse."""
    truth = draw.random(n) < share
    if not 0 < truth.sum() < n:
        return {}
    noise = draw.normal(size=n)
    gap, rate = 1.5, 0.08
    less = np.sqrt(2) * norm.ppf((1 - rate) * norm.cdf(gap / np.sqrt(2)))
    first = np.where(truth & (draw.random(n) < rate), noise - 8, noise + gap * truth)
    name = "roc_auc, one model loses a few positives"
    return {
        f"bootstrap_curve_areas, {name}": area_p_values(truth, first, noise + less * truth)[
            "bootstrap_curve_areas, roc_auc"
        ]
    }


def numbers(draw: np.random.Generator, n: int, _: float) -> dict[str, float]:
    """Judge numbers that lose what the mean of the target loses."""
    found = {}
    for kind, target in {"normal": lambda draw, n: draw.normal(size=n), **SKEWED}.items():
        truth = target(draw, n)
        bounds = fieller_interval(resolve("squared", truth, no_skill(draw, truth)), 0.95, None, None)
        found[f"nontrivial score, better, {kind} target"] = bounds.p_better
        found[f"nontrivial score, worse, {kind} target"] = bounds.p_worse
    return found


def rejections(simulations: int) -> Iterator[Row]:
    tests: list[Callable[..., dict[str, float]]] = [
        sign,
        betting,
        squared,
        models,
        heavy_mistakes,
        large_groups,
        areas,
        misplaced,
        lost,
        numbers,
    ]
    for test in tests:
        grid = [(n, np.nan) for n in SIZES] if test is numbers else [at[:2] for at in points(SIZES, {"": 0})]
        for n, share in grid:
            draw = generator_for("levels_of_tests", test.__name__, n, share)
            for _ in range(simulations):
                for name, p in test(draw, n, share).items():
                    yield {"test": name, "n": n, "share": share, "rejected": p <= LEVEL}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=400)
    warnings.simplefilter("ignore")
    counted = pd.DataFrame(rejections(parser.parse_args().simulations))
    grid = (
        counted.groupby(["test", "n", "share"], sort=False, dropna=False)["rejected"]
        .agg(["sum", "size"])
        .reset_index()
    )
    grid["rate"] = grid["sum"] / grid["size"]
    grid["above"] = binom.sf(grid["sum"] - 1, grid["size"], LEVEL) < ALLOWED
    table = grid.groupby("test", sort=False).agg(
        points=("rate", "size"),
        samples=("size", "sum"),
        greatest_rate=("rate", "max"),
        median_rate=("rate", "median"),
        points_above_5=("above", "sum"),
    )
    print(table.to_string())
    write_table(LEVELS, table.round(3).reset_index())


if __name__ == "__main__":
    main()
