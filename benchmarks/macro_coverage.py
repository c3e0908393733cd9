"""How often intervals of measures of several classes hold the true value."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, product

import numpy as np
import pandas as pd
from sklearn import metrics

from benchmarks.coverage_points import Row, rows_of, true_areas
from benchmarks.peer_intervals import jackknife_of_macro_areas
from nontrivial.curves import curve_areas
from nontrivial.measures import p4_score
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates import areas_of_classes, estimate_classes, macro_areas
from nontrivial.seeds import generator_for

ROWS = 4  # of a group
SHIFTS = {"none": 0.0, "weak": 1.0, "good": 3.0}  # of a class's own score


# Numbers of cases, and how these are weighed and grouped. Cases of a group are of one class and predicted alike.
UNITS = {
    "table of classes": ([50, 200, 1000], lambda draw, n: (None, None)),
    "table of classes, weights": ([50, 200], lambda draw, n: (np.exp(0.5 * draw.normal(size=n)), None)),
    "table of classes, groups": ([50, 200], lambda draw, n: (None, np.arange(n) // ROWS)),
}
RIGHT = {
    "none": 1 / 3,
    "weak": 0.6,
    "good": 0.95,
    "perfect": 1.0,
}  # share of each class that is predicted rightly


def of_several_labels(simulations: int) -> Iterator[Row]:
    """Every measure of predicted labels of several classes; a wrong prediction may be any other class.

    Either all classes have the same share, or all but the first have a tenth of the cases each.
    """
    grid = [
        (family, units_of, *each)
        for family, (sizes, units_of) in UNITS.items()
        for each in product(sizes, [3, 5], RIGHT.items())
    ]
    for family, units_of, n, k, (skill, right) in grid:
        for share in (1 / k, 0.1):
            shares = np.array([1 - (k - 1) * share, *[share] * (k - 1)])
            point = (n, share, f"{skill}, {k} classes")
            draw, found = generator_for("interval_coverage", family, *point), []
            while len(found) < simulations:
                weights, groups = units_of(draw, n)
                size = n if groups is None else groups[-1] + 1
                truth = draw.choice(k, size, p=shares)
                guess = np.where(draw.random(size) < right, truth, (truth + draw.integers(1, k, size)) % k)
                if groups is not None:
                    truth, guess = truth[groups], guess[groups]
                if len(np.unique(truth)) == k:
                    measures = estimate_classes(truth, guess, k, weights, groups)
                    bounds = {name: each[1:3] for name, each in measures.items()}
                    found.append(pd.DataFrame(bounds, index=["low", "high"]))
            yield from rows_of(family, point, true_measures(shares, right), found)


def true_measures(shares: np.ndarray, right: float) -> dict[str, float]:
    k = len(shares)
    cells = shares[:, None] * (np.eye(k) * right + (1 - np.eye(k)) * (1 - right) / (k - 1))
    truth, guess = np.divmod(np.arange(k * k), k)
    given = {"y_true": truth, "y_pred": guess, "sample_weight": cells.ravel()}
    return {
        "accuracy": metrics.accuracy_score(**given),
        "error_rate": metrics.zero_one_loss(**given),
        "balanced_accuracy": metrics.balanced_accuracy_score(**given),
        "macro_precision": metrics.precision_score(**given, average="macro"),
        "macro_f1": metrics.f1_score(**given, average="macro"),
        "macro_p4": p4_score(**given, average="macro"),
        "cohen_kappa": metrics.cohen_kappa_score(truth, guess, sample_weight=cells.ravel()),
        "matthews_corrcoef": metrics.matthews_corrcoef(**given),
    }


def of_macro(simulations: int) -> Iterator[Row]:
    """Means over classes of the areas of each, whose scores are normal and higher for the class by a distance.

    All classes but the first have the same share.
    """
    for n, n_classes, (skill, distance) in product([50, 200], [3, 5, 8], SHIFTS.items()):
        for share in (1 / n_classes, 0.05):
            shares = np.array([1 - (n_classes - 1) * share, *[share] * (n_classes - 1)])
            point = (n, share, f"{skill}, {n_classes} classes")
            draw = generator_for("interval_coverage", "macro", *point)
            drawn = list(islice(samples_of_classes(draw, n, shares, distance), simulations))
            found = list(map(bounds_of, drawn))
            known = [jackknife_of_macro_areas(said.truth, said.probabilities) for said in drawn]
            true = true_means(shares, distance)
            yield from rows_of("mean of classes", point, true, found)
            yield from rows_of("mean of classes", point, true, known, known="jackknife")


def of_units_macro(simulations: int) -> Iterator[Row]:
    """The same with lognormal weights, and with groups of cases whose scores share half of their variance."""
    for n, share, (skill, distance) in product([50, 200], [1 / 3, 0.1], SHIFTS.items()):
        shares, point = np.array([1 - 2 * share, share, share]), (n, share, f"{skill}, 3 classes")
        draw = generator_for("interval_coverage", "macro, weights", *point)
        drawn = islice(samples_of_classes(draw, n, shares, distance), simulations)
        found = [bounds_of(replace(said, weights=np.exp(0.5 * draw.normal(size=n)))) for said in drawn]
        yield from rows_of("mean of classes, weights", point, true_means(shares, distance), found)
        draw = generator_for("interval_coverage", "macro, groups", *point)
        groups = np.arange(n) // ROWS
        drawn = islice(samples_of_classes(draw, groups[-1] + 1, shares, distance * 2**0.5), simulations)
        found = []
        for said in drawn:
            scores = (said.probabilities[groups] + draw.normal(size=(n, 3))) / 2**0.5
            found.append(
                bounds_of(replace(said, truth=said.truth[groups], probabilities=scores, groups=groups))
            )
        yield from rows_of("mean of classes, groups", point, true_means(shares, distance), found)


def true_means(shares: np.ndarray, distance: float) -> dict[str, float]:
    of_each = pd.DataFrame([true_areas(each, distance) for each in shares])
    return of_each.mean().add_prefix("macro_").to_dict()


def of_misplaced_macro(simulations: int) -> Iterator[Row]:
    """The same of good models that are sure of a wrong class in one case of fifty."""
    for n, (n_classes, share) in product([50, 200, 500], [(3, 1 / 3), (3, 0.1), (5, 0.2)]):
        shares = np.array([1 - (n_classes - 1) * share, *[share] * (n_classes - 1)])
        point = (n, share, f"{n_classes} classes")
        draw = generator_for("interval_coverage", "macro, misplaced", *point)
        population = next(samples_of_classes(draw, 10**6, shares, SHIFTS["good"], misplaced=0.02))
        true = means_of_areas(population)
        drawn = samples_of_classes(draw, n, shares, SHIFTS["good"], misplaced=0.02)
        found = list(map(bounds_of, islice(drawn, simulations)))
        yield from rows_of("mean of classes, a few misplaced", point, true, found)


def means_of_areas(said: Predictions) -> dict[str, float]:
    of_each = [
        curve_areas(said.truth == place, said.probabilities[:, place]) for place in range(said.n_classes)
    ]
    means = pd.DataFrame(of_each).drop(columns="cost_curve_area").mean()
    return means.add_prefix("macro_").to_dict()


def bounds_of(said: Predictions) -> pd.DataFrame:
    areas = macro_areas(said, areas_of_classes(said))
    bounds = {name: each[1:3] for name, each in areas.items() if each.method}
    return pd.DataFrame(bounds, index=["low", "high"]).reindex(columns=list(areas))


def samples_of_classes(
    draw: np.random.Generator, n: int, shares: np.ndarray, distance: float, misplaced: float = 0.0
) -> Iterator[Predictions]:
    """Draw samples that have all classes."""
    k = len(shares)
    while True:
        truth = draw.choice(k, size=n, p=shares)
        scores = draw.normal(size=(n, k)) + distance * np.eye(k)[truth]
        if misplaced:
            (far,) = np.nonzero(draw.random(n) < misplaced)
            scores[far, truth[far]] -= 10
            scores[far, (truth[far] + draw.integers(1, k, len(far))) % k] += 10
        if len(np.unique(truth)) == k:
            yield Predictions("", {}, truth, scores.argmax(axis=1), probabilities=scores, n_classes=k)
