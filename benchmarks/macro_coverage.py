"""How often intervals of mean areas over several classes hold the true value."""

import itertools
from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.coverage_points import Row, rows_of, true_areas
from benchmarks.peer_intervals import jackknife_of_macro_areas
from nontrivial.curves import curve_areas
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.areas import areas_of_classes, macro_areas
from nontrivial.seeds import generator_for

SHIFTS = {"none": 0.0, "weak": 1.0, "good": 3.0}  # of a class's own score


def of_macro(simulations: int) -> Iterator[Row]:
    """Means over classes of the areas of each, whose scores are normal and higher for the class by a distance.

    All classes but the first have the same share.
    """
    for n, n_classes, (skill, distance) in itertools.product([50, 200], [3, 5, 8], SHIFTS.items()):
        for share in (1 / n_classes, 0.05):
            shares = np.array([1 - (n_classes - 1) * share, *[share] * (n_classes - 1)])
            point = (n, share, f"{skill}, {n_classes} classes")
            draw, found, known = generator_for("interval_coverage", "macro", *point), [], []
            while len(found) < simulations:
                said = said_of_classes(draw, n, shares, distance)
                if len(np.unique(said.truth)) == n_classes:
                    areas = macro_areas(said, areas_of_classes(said))
                    bounds = {name: each[1:3] for name, each in areas.items() if each.method}
                    found.append(pd.DataFrame(bounds, index=["low", "high"]).reindex(columns=list(areas)))
                    known.append(jackknife_of_macro_areas(said.truth, said.probabilities))
            of_each = pd.DataFrame([true_areas(each, distance) for each in shares])
            true = of_each.mean().add_prefix("macro_").to_dict()
            yield from rows_of("mean of classes", point, true, found)
            yield from rows_of("mean of classes", point, true, known, known="jackknife")


def of_misplaced_macro(simulations: int) -> Iterator[Row]:
    """The same of good models that are sure of a wrong class in one case of fifty."""
    for n, (n_classes, share) in itertools.product([50, 200, 500], [(3, 1 / 3), (3, 0.1), (5, 0.2)]):
        shares = np.array([1 - (n_classes - 1) * share, *[share] * (n_classes - 1)])
        point = (n, share, f"{n_classes} classes")
        draw, found = generator_for("interval_coverage", "macro, misplaced", *point), []
        true = areas_of_means(said_of_classes(draw, 10**6, shares, SHIFTS["good"], misplaced=0.02))
        while len(found) < simulations:
            said = said_of_classes(draw, n, shares, SHIFTS["good"], misplaced=0.02)
            if len(np.unique(said.truth)) == n_classes:
                areas = macro_areas(said, areas_of_classes(said))
                bounds = {name: each[1:3] for name, each in areas.items() if each.method}
                found.append(pd.DataFrame(bounds, index=["low", "high"]).reindex(columns=list(true)))
        yield from rows_of("mean of classes, a few misplaced", point, true, found)


def areas_of_means(said: Predictions) -> dict[str, float]:
    of_each = [
        curve_areas(said.truth == place, said.probabilities[:, place]) for place in range(said.n_classes)
    ]
    means = pd.DataFrame(of_each).drop(columns="cost_curve_area").mean()
    return means.add_prefix("macro_").to_dict()


def said_of_classes(
    draw: np.random.Generator, n: int, shares: np.ndarray, distance: float, misplaced: float = 0.0
) -> Predictions:
    k = len(shares)
    truth = draw.choice(k, size=n, p=shares)
    scores = draw.normal(size=(n, k)) + distance * np.eye(k)[truth]
    if misplaced:
        (far,) = np.nonzero(draw.random(n) < misplaced)
        scores[far, truth[far]] -= 10
        scores[far, (truth[far] + draw.integers(1, k, len(far))) % k] += 10
    return Predictions("", {}, truth, scores.argmax(axis=1), probabilities=scores, n_classes=k)
