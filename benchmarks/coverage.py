"""How often 95 % intervals hold the true value, and how often tests at 5 % spare a true null hypothesis.

Each point of the grid draws its samples in batches, each from a seed of its own and written when it is done, so that a
run that was stopped goes on where it ended. docs/coverage.csv has a row for each quantity: over its points, the median
and the least share of samples whose interval holds the truth, and how many points are shown to be below 93 % (a
binomial test at 0.001). Of a test, it is the share of samples in which it does not reject.

Usage: python -m benchmarks.coverage [--samples 400] [--jobs 2] [--only FAMILY ...]
"""

import argparse
import itertools
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np
import pandas as pd
from scipy.stats import binom, entropy, norm

from nontrivial._draws import DrawnCells, DrawSettings, Units, bootstrap_bounds, imaginary_predictions
from nontrivial.curves import bootstrap_curve_areas, curve_areas
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.curves.bootstrap import bootstrap_mean_areas
from nontrivial.measures import (
    compare_models,
    confusion_intervals,
    confusion_measures,
    prediction_advantage_interval,
    triviality_test,
)
from nontrivial.measures.confusion import MEASURES
from nontrivial.measures.intervals import bootstrap_measures
from nontrivial.measures.losses import resolve_sample
from nontrivial.measures.student import fieller_interval
from nontrivial.seeds import generator_for

PROJECT = Path(__file__).parents[1]
POINTS = PROJECT / "results" / "benchmarks" / "coverage_points.csv"
TABLE = PROJECT / "docs" / "coverage.csv"
LEAST, ALLOWED, DRAWS = 0.93, 0.001, 399

Draw = np.random.Generator
Found = dict[str, tuple[float, float]]  # the ends of intervals; of a test, its p-value twice

SKILLS = {  # recall and false positive rate
    "no skill": (0.3, 0.3),
    "weak": (0.6, 0.2),
    "good": (0.9, 0.05),
    "few errors": (0.98, 0.003),
    "perfect": (1.0, 0.0),
}
# Of the classes, in standard deviations.
DISTANCES = {"no skill": 0.0, "weak": 1.0, "good": 2.5, "perfect": 20.0}
AREAS = [name for name, area in CURVE_AREAS.items() if area.from_resamples]


class Point(NamedTuple):
    """Where coverage is measured: what is true there, and one sample's intervals, or None if it is not used."""

    family: str
    at: str
    truth: dict[str, float]
    sample: Callable[[Draw], Found | None]


def grid(*axes: list) -> Iterator[tuple]:
    """Yield the sizes, shares of positives and skills, but where less than one positive is expected."""
    yield from (at for at in itertools.product(*axes) if at[0] * at[1] >= 1)


def at(n: int, share: float | None = None, *more: object) -> str:
    return ", ".join([f"n {n}", *([] if share is None else [f"{100 * share:g}% positive"]), *map(str, more)])


def cells_of(share: float, skill: str) -> np.ndarray:
    """Return the shares of true and false negatives, true positives and misses."""
    recall, alarm = SKILLS[skill]
    return np.array([(1 - share) * (1 - alarm), (1 - share) * alarm, share * recall, share * (1 - recall)])


def both(positive: np.ndarray) -> bool:
    return 0 < positive.sum() < len(positive)


# Tables of two classes, and the Prediction Advantage under 0/1 loss by each method.


PAYS = 0.25  # the odds at which a false alarm costs as much as a hit brings
COSTS = {"loss": "cost", "cost": [[0, 5], [1, 0]], "n_resamples": DRAWS}


def net_benefit(tables: np.ndarray) -> dict[str, np.ndarray]:
    return {"net_benefit": (tables[:, 2] - PAYS * tables[:, 1]) / tables.sum(axis=1)}


def measures_of(cells: np.ndarray) -> dict[str, float]:
    tn, fp, tp, fn = cells
    return confusion_measures(tp, fp, fn, tn).iloc[0].to_dict()


@cache
def of_table(tn: int, fp: int, tp: int, fn: int) -> Found:
    found = confusion_intervals(tp, fp, fn, tn, n_resamples=DRAWS)
    bounds = {str(row.Index): (row.low, row.high) for row in found.itertuples()}
    cells = DrawnCells.from_counts(np.array([tn, fp, tp, fn], float))
    if not cells.are_few:
        drawn = bootstrap_bounds(cells, net_benefit, DrawSettings(0.95, DRAWS, generator_for("net benefit")))
        bounds["net_benefit"] = drawn["net_benefit"][:2]
    labels = np.repeat([0, 0, 1, 1], [tn, fp, tp, fn]), np.repeat([0, 1, 1, 0], [tn, fp, tp, fn])
    for method in ("exact", "concentration"):
        bounds[f"prediction_advantage, {method}"] = prediction_advantage_interval(*labels, method=method)[:]
    return bounds | {"prediction_advantage, costs": prediction_advantage_interval(*labels, **COSTS)[:]}


def draw_table(draw: Draw, n: int, cells: np.ndarray) -> Found | None:
    table = draw.multinomial(n, cells)
    return of_table(*map(int, table)) if table[:2].any() and table[2:].any() else None


def tables() -> Iterator[Point]:
    for n, share, skill in grid([20, 50, 200, 1000], [0.02, 0.1, 0.3, 0.5], list(SKILLS)):
        cells = cells_of(share, skill)
        truth = measures_of(cells) | {"net_benefit": float(net_benefit(cells[None])["net_benefit"][0])}
        for method in ("exact", "concentration"):
            truth[f"prediction_advantage, {method}"] = truth["prediction_advantage"]
        truth["prediction_advantage, costs"] = 1 - (cells[1] + 5 * cells[3]) / min(5 * share, 1 - share)
        yield Point("table", at(n, share, skill), truth, partial(draw_table, n=n, cells=cells))


# Areas of one ranking.


@cache
def true_areas(share: float, distance: float) -> dict[str, float]:
    """Return the areas of the population: of as many quantiles of either class as make the rest negligible."""
    quantiles = norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    labels = np.repeat([1, 0], len(quantiles))
    weights = np.where(labels == 1, share, 1 - share)
    return curve_areas(labels, np.concatenate([quantiles + distance, quantiles]), sample_weight=weights)


def of_areas(positive: np.ndarray, *scores: np.ndarray, **options: object) -> Found | None:
    if not both(positive):
        return None
    other = {"compared_with": scores[1]} if len(scores) == 2 else {}
    found = bootstrap_curve_areas(positive, scores[0], n_resamples=DRAWS, **other, **options)
    return {name: tuple(found.loc[["low", "high"], name]) for name in AREAS}


def normal(draw: Draw, n: int, share: float, distance: float) -> tuple[np.ndarray, np.ndarray]:
    positive = draw.random(n) < share
    return positive, draw.normal(size=n) + distance * positive


def wild(draw: Draw, n: int, share: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """A model that gives some cases wild scores, whatever their class."""
    positive, noise = draw.random(n) < share, draw.normal(size=n)
    return positive, np.where(draw.random(n) < rate, 3 * noise, noise / 2 + 3 * positive)


def rare(draw: Draw, n: int, share: float, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """A model that ranks a few negatives above all positives, and makes no other mistake."""
    positive = draw.random(n) < share
    return positive, draw.random(n) + positive + 2 * (~positive & (draw.random(n) < rate))


def areas() -> Iterator[Point]:
    def sample_of(model: Callable, *population: float) -> Callable[[Draw], Found | None]:
        return lambda draw: of_areas(*model(draw, *population))

    for n, share, skill in grid([50, 200, 1000], [0.02, 0.1, 0.3, 0.5], list(DISTANCES)):
        sample = sample_of(normal, n, share, DISTANCES[skill])
        yield Point("area", at(n, share, skill), true_areas(share, DISTANCES[skill]), sample)
    for n, share, area in grid([200, 1000], [0.01, 0.03, 0.3], [0.99, 0.999]):
        distance = float(np.sqrt(2) * norm.ppf(area))
        yield Point(
            "area, nearly perfect",
            at(n, share, f"AUC {area}"),
            true_areas(share, distance),
            sample_of(normal, n, share, distance),
        )
    models = [(rare, 0.03), (wild, 0.02), (wild, 0.3)]
    for (model, rate), n, share in itertools.product(models, [60, 300], [0.1, 0.5]):
        truth = curve_areas(*model(generator_for("population"), 10**6, share, rate))
        sample = sample_of(model, n, share, rate)
        yield Point("area, rare mistakes", at(n, share, f"{rate:.0%} {model.__name__}"), truth, sample)


# Two models on the same cases.


def draw_models(draw: Draw, n: int, share: float, common: float, distances: tuple[float, float]) -> Found | None:
    positive, shared = draw.random(n) < share, np.sqrt(common) * draw.normal(size=n)
    scores = [shared + np.sqrt(1 - common) * draw.normal(size=n) + each * positive for each in distances]
    found = of_areas(positive, *scores)
    if found is None:
        return None
    said = [each > distance / 2 for each, distance in zip(scores, distances, strict=True)]
    found["labels"] = compare_models(positive, *said, n_resamples=DRAWS)[1:3]
    return found | {"costs": compare_models(positive, *said, **COSTS)[1:3]}


def differences() -> Iterator[Point]:
    kinds = {"equal": (0.0, 0.49), "alike": (0.0, 0.95), "one better": (1.0, 0.49)}
    for n, share, skill, kind in grid([50, 100, 500], [0.1, 0.3], ["no skill", "weak", "good"], list(kinds)):
        more, common = kinds[kind]
        distances = DISTANCES[skill] + more, DISTANCES[skill]
        first, second = (true_areas(share, each) for each in distances)
        errors = norm.sf(np.array(distances) / 2)
        truth = {name: first[name] - second[name] for name in AREAS}
        truth["labels"] = (errors[1] - errors[0]) / min(share, 1 - share)
        truth["costs"] = (errors[1] - errors[0]) * (5 * share + 1 - share) / min(5 * share, 1 - share)
        sample = partial(draw_models, n=n, share=share, common=common, distances=distances)
        yield Point("difference", at(n, share, skill, kind), truth, sample)


# Weights and groups.


def units_of(draw: Draw, kind: str, n: int) -> tuple[np.ndarray, np.ndarray | None, float]:
    """Return what each case is drawn by, its weight, and the part of the cases of a group that are alike."""
    if kind == "weights":
        return np.arange(n), 10 ** draw.random(n), 0.0
    if kind == "groups of 4":
        return np.repeat(np.arange(n // 4), 4), None, 0.5
    return np.repeat(np.arange(n), np.ceil(20 ** draw.random(n)).astype(int)), None, 0.5


def draw_units(draw: Draw, kind: str, n: int, cells: np.ndarray, distance: float) -> Found | None:
    units, weights, alike = units_of(draw, kind, n)
    size, total = int(units.max()) + 1, len(units)
    own, common = (draw.choice(4, size=each, p=cells) for each in (total, size))
    places = np.where(draw.random(total) < alike, common[units], own)
    positive = places > 1
    if not both(positive):
        return None
    scores = np.sqrt(alike) * draw.normal(size=size)[units] + np.sqrt(1 - alike) * draw.normal(size=total)
    groups, predicted = None if weights is not None else units, np.isin(places, [1, 2])
    drawn = DrawnCells.from_predictions(positive, predicted, 2, Units(total, weights, groups))
    found = {name: each[:2] for name, each in bootstrap_measures(drawn, DrawSettings(0.95, DRAWS)).items()}
    of_ranking = of_areas(positive, scores + distance * positive, sample_weight=weights, groups=groups)
    return found | {f"area {name}": each for name, each in of_ranking.items()}


def weighted() -> Iterator[Point]:
    sizes = {"weights": (50, 200), "groups of 4": (100, 400), "groups": (10, 40)}
    of_kinds = [(kind, n) for kind, each in sizes.items() for n in each]
    for (kind, n), share, skill in itertools.product(of_kinds, [0.1, 0.5], DISTANCES):
        cells, distance = cells_of(share, skill), DISTANCES[skill]
        truth = measures_of(cells) | {f"area {name}": true_areas(share, distance)[name] for name in AREAS}
        sample = partial(draw_units, kind=kind, n=n, cells=cells, distance=distance)
        yield Point(kind.split(" of")[0], at(n, share, skill, kind), truth, sample)


# Several classes.


def class_measures(drawn: np.ndarray, k: int) -> dict[str, np.ndarray]:
    tables = drawn.reshape(-1, k, k)
    hits, cases, guesses = np.einsum("rii->ri", tables), tables.sum(axis=2), tables.sum(axis=1)
    n = cases.sum(axis=1)
    chance = (cases * guesses).sum(axis=1) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "balanced_accuracy": (hits / cases).mean(axis=1),
            "macro_f1": (2 * hits / (cases + guesses)).mean(axis=1),
            "cohen_kappa": (hits.sum(axis=1) - chance) / (n - chance),
        }


def draw_classes(draw: Draw, n: int, shares: np.ndarray, right: float, distance: float) -> Found | None:
    k = len(shares)
    true = draw.choice(k, n, p=shares)
    if len(np.unique(true)) < k:
        return None
    said = np.where(draw.random(n) < right, true, (true + draw.integers(1, k, n)) % k)
    drawn_cases = imaginary_predictions(k)
    adverse, favourable = (
        drawn_cases.classes * k + answers for answers in (drawn_cases.adverse[0], drawn_cases.classes)
    )
    imaginary = drawn_cases._replace(adverse=[adverse], favourable=[favourable])
    cells = DrawnCells.from_cases([true * k + said], k * k, true, imaginary, Units(n))
    drawn = bootstrap_bounds(cells, partial(class_measures, k=k), DrawSettings(0.95, DRAWS, generator_for("classes")))
    found = {name: each[:2] for name, each in drawn.items()}
    found["prediction_advantage"] = prediction_advantage_interval(true, said, n_resamples=DRAWS)[:]
    if n < 1000:
        scores = draw.normal(size=(n, k)) + distance * np.eye(k)[true]
        macro = bootstrap_mean_areas(true, scores, Units(n), level=0.95, n_resamples=DRAWS)
        found |= {f"macro {name}": tuple(macro.loc[["low", "high"], name]) for name in AREAS}
    return found


def classes() -> Iterator[Point]:
    skills = {"no skill": (1 / 3, 0.0), "weak": (0.6, 1.0), "good": (0.95, 3.0)}
    for n, k, even, skill in itertools.product([50, 200, 1000], [3, 5, 8], [True, False], skills):
        right, distance = skills[skill]
        shares = np.full(k, 1 / k) if even else np.array([1 - 0.05 * (k - 1), *[0.05] * (k - 1)])
        table = shares[:, None] * (np.eye(k) * right + (1 - np.eye(k)) * (1 - right) / (k - 1))
        truth = {name: float(value[0]) for name, value in class_measures(table, k).items()}
        truth["prediction_advantage"] = 1 - (1 - right) / (1 - shares.max())
        of_each = pd.DataFrame([true_areas(each, distance) for each in shares])
        truth |= of_each.mean().add_prefix("macro ").to_dict()
        sample = partial(draw_classes, n=n, shares=shares, right=right, distance=distance)
        kind = f"{k} {'even' if even else 'uneven'} classes"
        yield Point("classes", at(n, None, kind, skill), truth, sample)


# Numbers and probabilities.


TARGETS = {  # and the Prediction Advantage of what a model says
    "normal": 0.5,
    "lognormal": 1 - np.e**1.5 * (np.sqrt(np.e) - 1) / (np.e * (np.e - 1)),
    "gamma": 1 - np.e * (2.5 + 0.2**2) / (3.5 * np.e - np.sqrt(np.e)),
    "exponential, no skill": 0.0,
}
LOSSES = ["squared", "cross_entropy"]


def forecasts(draw: Draw, n: int, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """Return a target, and what a model says that knows its mean, or half of how far it is from the mean."""
    x, u = np.sqrt(0.5) * draw.normal(size=(2, n))
    if kind == "normal":
        return x + u, x
    if kind == "lognormal":
        return np.exp(x + u), np.exp(x + 0.25)
    if kind == "gamma":
        return np.exp(x) * draw.gamma(0.4, 2.5, size=n), 1.2 * np.exp(x)
    target = draw.exponential(size=n) - 1
    return target, 0.5 * target + np.sqrt(0.75) * draw.normal(size=n)


def draw_numbers(draw: Draw, n: int, kind: str) -> Found:
    found = {}
    for method in ("fieller", "bootstrap"):
        said = {"loss": "squared", "method": method, "n_resamples": DRAWS}
        found[method] = prediction_advantage_interval(*forecasts(draw, n, kind), **said)[:]
    target, said = forecasts(draw, n, kind)
    other = target + (said - target)[draw.permutation(n)]
    return found | {"difference": compare_models(target, said, other, loss="squared")[1:3]}


def draw_constant(draw: Draw, n: int, constant: float, loss: str) -> Found:
    return {"fieller": prediction_advantage_interval(draw.normal(size=n), np.full(n, constant), loss=loss)[:]}


def numbers() -> Iterator[Point]:
    for kind, n in itertools.product(TARGETS, [20, 50, 200, 1000]):
        truth = dict.fromkeys(["fieller", "bootstrap"], TARGETS[kind])
        if kind == "normal":
            truth["difference"] = 0.0
        family = "numbers" if kind == "normal" else "numbers, skewed"
        yield Point(family, at(n, None, kind), truth, partial(draw_numbers, n=n, kind=kind))
    for n, away, loss in itertools.product([20, 50, 200, 1000], [0.0, 1.5, 3.0], ["squared", "absolute"]):
        constant = away / np.sqrt(n)
        of_constant = norm.pdf(constant) + constant * (norm.cdf(constant) - 0.5)
        truth = {"fieller": -(constant**2) if loss == "squared" else 1 - of_constant / norm.pdf(0)}
        sample = partial(draw_constant, n=n, constant=constant, loss=loss)
        yield Point("a constant", at(n, None, loss, f"{away:g} standard errors off"), truth, sample)


def chances(score: np.ndarray, share: float, distance: float) -> np.ndarray:
    odds = share / (1 - share) * np.exp(distance * score - distance**2 / 2)
    return odds / (1 + odds)


def draw_chances(draw: Draw, n: int, share: float, rate: float, distance: float) -> Found | None:
    positive = draw.random(n) < share
    if rate:  # though the model says 99 % or 1 %
        said = np.where(positive ^ (draw.random(n) < rate), 0.99, 0.01)
    else:
        said = chances(draw.normal(size=n) + distance * positive, share, distance)
    if min(positive.sum(), (~positive).sum()) < 10:  # `nontrivial score` shows no interval
        return None
    return {name: prediction_advantage_interval(positive.astype(int), said, loss=name)[:] for name in LOSSES}


def probabilities() -> Iterator[Point]:
    quantiles = norm.ppf((np.arange(100_000) + 0.5) / 100_000)
    rates, wrong = {"1% wrong": 0.01, "5% wrong": 0.05}, np.array([0.99, 0.01])
    slight = {"sd of log-odds 0.75": 0.75, "sd of log-odds 1.5": 1.5}
    distances = DISTANCES | slight
    settings = [*grid([50, 200, 1000], [0.2, 0.5], ["no skill", "weak", "good", *rates])]
    settings += [(n, share, skill) for n, share in [(3000, 0.02), (6000, 0.015)] for skill in slight]
    for n, share, skill in settings:
        rate, distance = rates.get(skill, 0.0), distances.get(skill, 0.0)
        if rate:
            lost = [each @ [rate, 1 - rate] for each in (wrong**2, -np.log(wrong[::-1]))]
        else:
            of_positives, of_negatives = (chances(quantiles + each, share, distance) for each in (distance, 0))
            squared, log = (1 - of_positives) ** 2, -np.log(of_positives)
            lost = [share * squared.mean() + (1 - share) * (of_negatives**2).mean()]
            lost.append(share * log.mean() - (1 - share) * np.log1p(-of_negatives).mean())
        trivial = [share * (1 - share), float(entropy([share, 1 - share]))]
        truth = {name: 1 - own / best for name, own, best in zip(LOSSES, lost, trivial, strict=True)}
        sample = partial(draw_chances, n=n, share=share, rate=rate, distance=distance)
        family = "probabilities, rare positives" if skill in slight else "probabilities"
        yield Point(family, at(n, share, skill), truth, sample)


# Tests of a true null hypothesis: their p-values, which should be at most 0.05 in 5 of 100 samples.


def draw_tests(draw: Draw, n: int, share: float) -> Found | None:
    truth = draw.random(n) < share
    if not both(truth):
        return None
    hit = np.where(truth, draw.random(n) < 0.5, draw.random(n) < share / 2 / (1 - share))
    found = {"triviality_test": triviality_test(truth, hit).pvalue}
    groups, heavy, common = np.arange(n) // 2, 10 ** draw.random(n), draw.normal(size=n)
    scores = [0.7 * common + np.sqrt(0.51) * draw.normal(size=n) + truth for _ in range(2)]
    ways = {"McNemar": {}, "weights": {"sample_weight": heavy}, "groups": {"groups": groups}, "costs": COSTS}
    for name, options in ways.items():
        test = compare_models(truth, *(each > 0.5 for each in scores), **{"n_resamples": DRAWS} | options)
        found[f"compare_models, {name}"] = test.pvalue
    common = common + 2.5 * truth
    noise = [(draw.random(n) < 0.2, 0.2 * draw.normal(size=n)) for _ in range(2)]
    lost = [np.where(truth & misplaced, common - 8, common + own) for misplaced, own in noise]
    for name, pair in {"equal models": scores, "a fifth misplaced": lost}.items():
        table = bootstrap_curve_areas(truth, pair[0], compared_with=pair[1], n_resamples=DRAWS)
        found |= {f"areas, {name}: {each}": table.loc["pvalue", each] for each in ("roc_auc", "prg_auc")}
    x, u = draw.normal(size=(2, n))
    found["triviality_test, squared"] = triviality_test(x + u, 2 * x, loss="squared").pvalue
    bounds = fieller_interval(resolve_sample("squared", x + u, 2 * x), 0.95, Units(n))
    found["verdict on numbers, worse"] = bounds.p_worse
    return {name: (p, p) for name, p in found.items()}


def tests() -> Iterator[Point]:
    for n, share in grid([20, 50, 100, 500], [0.1, 0.3, 0.5]):
        yield Point("test", at(n, share), {}, partial(draw_tests, n=n, share=share))


EVERY = (tables, areas, differences, weighted, classes, numbers, probabilities, tests)
FAMILIES = {each.__name__: each for each in EVERY}
BATCH = 100


def measured(point: Point, batch: int) -> pd.DataFrame:
    """Draw a batch of samples of a point, and count those whose intervals hold the truth among those that have one."""
    warnings.simplefilter("ignore")
    draw = generator_for("coverage", point.family, point.at, batch)
    held: dict[str, list[bool]] = {}
    for _ in range(BATCH):
        for name, (low, high) in (point.sample(draw) or {}).items():
            true = 0.0 if point.family == "test" else point.truth.get(name, np.nan)
            if np.isnan([low, true]).any():
                continue
            slack = 1e-9 * max(abs(true), 1) if np.isfinite(true) else 0
            holds = low > 0.05 if point.family == "test" else low - slack <= true <= high + slack
            held.setdefault(name, []).append(bool(holds))
    rows = [(point.family, point.at, batch, name, sum(each), len(each)) for name, each in held.items()]
    return pd.DataFrame(rows, columns=["family", "at", "batch", "quantity", "held", "samples"])


ROWS = {  # of the table: families, and the quantities that a row is about
    "proportions, F1 (exact)": ("table", "accuracy error_rate precision recall specificity negative_predictive_value "
        "false_positive_rate false_negative_rate false_discovery_rate false_omission_rate jaccard prevalence f_beta "
        "no_information_rate"),
    "P4, MCC, kappa and other means": ("table", "balanced_accuracy informedness markedness p4 matthews_corrcoef "
        "cohen_kappa fowlkes_mallows"),
    "likelihood and odds ratios": ("table", "positive_likelihood_ratio negative_likelihood_ratio "
        "diagnostic_odds_ratio"),
    "gains of precision, recall, F1": ("table", "precision_gain recall_gain f_beta_gain"),
    "net benefit": ("table", "net_benefit"),
    "Prediction Advantage, lambda": ("table", "prediction_advantage goodman_kruskal_lambda"),
    "Prediction Advantage (exact)": ("table", "prediction_advantage,_exact prediction_advantage,_concentration"),
    "Prediction Advantage, unequal costs": ("table", "prediction_advantage,_costs"),
    **{f"area: {name}": ("area", name) for name in AREAS},
    "areas, nearly perfect": ("area, nearly perfect", " ".join(AREAS)),
    "areas, rare mistakes or wild scores": ("area, rare mistakes", " ".join(AREAS)),
    "differences of areas": ("difference", " ".join(AREAS)),
    "differences of Prediction Advantage": ("difference", "labels costs"),
    "weights: measures": ("weights", " ".join(MEASURES)),
    "weights: areas": ("weights", " ".join(f"area_{name}" for name in AREAS)),
    "groups: measures": ("groups", " ".join(MEASURES)),
    "groups: areas": ("groups", " ".join(f"area_{name}" for name in AREAS)),
    "classes: measures": ("classes", "balanced_accuracy macro_f1 cohen_kappa prediction_advantage"),
    "classes: mean areas": ("classes", " ".join(f"macro_{name}" for name in AREAS)),
    "numbers, differences (Fieller)": ("numbers;numbers, skewed", "fieller difference"),
    "numbers (bootstrap)": ("numbers;numbers, skewed", "bootstrap"),
    "numbers, a constant (Fieller)": ("a constant", "fieller"),
    "probabilities (Fieller)": ("probabilities", "squared cross_entropy"),
    "probabilities of rare positives (Fieller)": ("probabilities, rare positives", "squared cross_entropy"),
    "test: triviality, McNemar's (exact)": ("test", "triviality_test compare_models,_McNemar"),
    "test: triviality, numbers (Student's)": ("test", "triviality_test,_squared verdict_on_numbers,_worse"),
    "test: two models, weights, groups, costs": ("test", "compare_models,_weights compare_models,_groups "
        "compare_models,_costs"),
    "test: areas of equal models": ("test", "areas,_equal_models:_roc_auc areas,_equal_models:_prg_auc"),
    "test: areas, a fifth misplaced": ("test", "areas,_a_fifth_misplaced:_roc_auc areas,_a_fifth_misplaced:_prg_auc"),
}  # fmt: skip


def summary(batches: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each of `ROWS`; points at which fewer than half of the samples have an interval do not count."""
    drawn = batches.groupby(["family", "at"])["batch"].transform("nunique") * BATCH
    each = batches.assign(drawn=drawn).groupby(["family", "at", "quantity"], sort=False)
    points = each.agg({"held": "sum", "samples": "sum", "drawn": "first"}).reset_index()
    points = points[points["samples"] >= points["drawn"] / 2]
    points = points.assign(
        coverage=points["held"] / points["samples"],
        below=binom.cdf(points["held"], points["samples"], LEAST) < ALLOWED,
        name=points["quantity"].str.replace(" ", "_"),
    )
    rows = []
    for label, (families, names) in ROWS.items():
        part = points[points["family"].isin(families.split(";")) & points["name"].isin(names.split())]
        if len(part):
            worst = part.iloc[part["coverage"].argmin()]
            median, count = part["coverage"].median(), int(part["below"].sum())
            rows.append((label, len(part), f"{median:.3f}", f"{worst['coverage']:.3f}", count, worst["at"]))
    return pd.DataFrame(rows, columns=["quantity", "points", "median", "least", "below_93", "worst_point"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=FAMILIES, default=list(FAMILIES))
    arguments = parser.parse_args()
    POINTS.parent.mkdir(parents=True, exist_ok=True)
    done = set()
    if POINTS.exists():
        done = set(pd.read_csv(POINTS)[["family", "at", "batch"]].itertuples(index=False, name=None))
    points = [point for name in arguments.only for point in FAMILIES[name]()]
    batches = range(-(-arguments.samples // BATCH))
    missing = [
        (point, batch)
        for batch, point in itertools.product(batches, points)
        if (point.family, point.at, batch) not in done
    ]
    in_turn = joblib.Parallel(arguments.jobs, batch_size=1, return_as="generator")
    for rows in in_turn(joblib.delayed(measured)(*each) for each in missing):
        rows.to_csv(POINTS, mode="a", header=not POINTS.exists(), index=False)
    table = summary(pd.read_csv(POINTS))
    table.to_csv(TABLE, index=False, lineterminator="\n")
    print(table.to_string())


if __name__ == "__main__":
    from benchmarks import coverage  # other processes import its functions, which they cannot from a script

    coverage.main()
