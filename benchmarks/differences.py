"""How often intervals for the difference of two models hold the true value."""

import itertools
from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.stats import norm

from benchmarks.coverage_points import DISTANCES, Row, points, rows_of, samples, true_areas
from benchmarks.peer_intervals import (
    BLOCKS,
    areas_without_each,
    delong_difference,
    jackknife,
    tango_difference,
)
from nontrivial.curves import bootstrap_curve_areas, curve_areas
from nontrivial.measures import compare_models
from nontrivial.seeds import generator_for

# By how much further apart the classes are for the better model, and the correlation of the scores.
MODELS = {
    "difference": (0.0, 0.49),
    "difference, unequal models": (1.5, 0.49),
    "difference, models alike": (0.0, 0.95),
}


def of_differences(simulations: int) -> Iterator[Row]:
    """Differences of the areas, and of the Prediction Advantages at the best threshold, of two models."""
    grid = points([20, 100, 500], DISTANCES)
    for (family, (better, common_share)), point in itertools.product(MODELS.items(), list(grid)):
        n, share, skill = point
        # 20 standard deviations leave no case out of order.
        distances = [min(DISTANCES[skill] + more, 20.0) for more in (0.0, better)]
        if better and distances[0] == distances[1]:
            continue
        draw, found, known = generator_for("interval_coverage", family, *point), [], []
        for positive in samples(draw, n, share, simulations):
            common = draw.normal(size=n)
            first, second = (
                np.sqrt(common_share) * common
                + np.sqrt(1 - common_share) * draw.normal(size=n)
                + distance * positive
                for distance in distances
            )
            areas = bootstrap_curve_areas(positive, first, compared_with=second, n_resamples=300)
            said = first > distances[0] / 2, second > distances[1] / 2
            low, high = compare_models(positive, *said, n_resamples=300)[1:3]
            found.append(areas.assign(prediction_advantage=[np.nan, low, high, np.nan, np.nan]))
            known.append(_known(positive, (first, second), said))
        of_areas = [true_areas(share, distance) for distance in distances]
        truth = {name: area - of_areas[1][name] for name, area in of_areas[0].items()}
        errors = norm.sf(np.array(distances) / 2)
        truth["prediction_advantage"] = (errors[1] - errors[0]) / min(share, 1 - share)
        yield from rows_of(family, point, truth, found)
        for peer in known[0]:
            of_peer = [each[peer] for each in known]
            true = {name: truth[name] for name in of_peer[0]}
            yield from rows_of(family, point, true, of_peer, known=peer)


def of_misplaced(simulations: int) -> Iterator[Row]:
    """Differences of areas of a model without a mistake, and of one that ranks a few positives anywhere."""
    names = ["roc_auc", "average_precision", "pr_auc", "prg_auc", "expected_f1_gain"]
    for n, share, missed in itertools.product([100, 500], [0.1, 0.2, 0.5], [0.01, 0.04]):
        point = (n, share, f"{missed:g} misplaced")
        draw, found, known = generator_for("interval_coverage", "misplaced", *point), [], []
        many = np.arange(10**6) < share * 10**6
        second = draw.random(10**6) + (many & (draw.random(10**6) >= missed))
        of_second = curve_areas(many, second)
        perfect = curve_areas([0, 1], [0, 1])
        for positive in samples(draw, n, share, simulations):
            scores = draw.random(n) + positive, draw.random(n) + (positive & (draw.random(n) >= missed))
            found.append(bootstrap_curve_areas(positive, scores[0], compared_with=scores[1], n_resamples=300))
            delong = delong_difference(positive, *scores)
            known.append(pd.DataFrame({"roc_auc": delong}, index=["low", "high"]))
        true = {name: perfect[name] - of_second[name] for name in names}
        family = "difference, a few positives misplaced"
        yield from rows_of(family, point, true, found)
        yield from rows_of(family, point, {"roc_auc": true["roc_auc"]}, known, known="DeLong")


def of_rare_mistakes(simulations: int) -> Iterator[Row]:
    """Areas of a model, and differences of two, both or only one of which put a few cases of a class at the far end.

    Otherwise they make no mistake, or the small ones of normal scores whose means are 3.5 standard deviations apart.
    The skill is how many cases at the far end a sample is expected to have, and their class.
    """
    grid = itertools.product(
        ["rare mistakes", "rare mistakes beside small ones"],
        [100, 500],
        [0.1, 0.5],
        ["positives", "negatives"],
        [0.7, 1.5, 3.0],
    )
    for kind, n, share, misplaced, expected in grid:
        point = (n, share, f"{expected:g} {misplaced}")
        distance = 100.0 if kind == "rare mistakes" else 3.5
        draw, areas, differences, from_clean = generator_for("interval_coverage", kind, *point), [], [], []
        draw_clean = generator_for("interval_coverage", f"{kind} of one model", *point)
        rate = expected / n / (share if misplaced == "positives" else 1 - share)

        for positive in samples(draw, n, share, simulations):
            may_be = positive == (misplaced == "positives")
            first, second = (
                scores_with_mistakes(draw, positive, distance, may_be & (draw.random(n) < rate))
                for _ in range(2)
            )
            areas.append(bootstrap_curve_areas(positive, first, n_resamples=300))
            differences.append(bootstrap_curve_areas(positive, first, compared_with=second, n_resamples=300))
            clean = scores_with_mistakes(draw_clean, positive, distance, np.zeros(n, dtype=bool))
            from_clean.append(bootstrap_curve_areas(positive, first, compared_with=clean, n_resamples=300))
        # All cases in their places, and all of them out of place, each with its weight.
        many = np.arange(800_000) % 4
        positive, wrong = many < 2, many % 2 == 1
        may_be = positive == (misplaced == "positives")
        mass = np.where(positive, share, 1 - share) * np.where(wrong, rate * may_be, 1 - rate * may_be)
        true = curve_areas(
            positive, scores_with_mistakes(draw, positive, distance, wrong), sample_weight=mass
        )
        true = {name: area for name, area in true.items() if name != "cost_curve_area"}
        yield from rows_of(f"area, {kind}", point, true, areas)
        yield from rows_of(f"difference, {kind}", point, dict.fromkeys(true, 0.0), differences)
        of_clean = true_areas(share, distance)
        lost = {name: area - of_clean[name] for name, area in true.items()}
        yield from rows_of(f"difference, {kind} of one model", point, lost, from_clean)


def scores_with_mistakes(
    draw: np.random.Generator, positive: np.ndarray, distance: float, wrong: np.ndarray
) -> np.ndarray:
    """Draw normal scores; those of `wrong` lie at the far end of the other class."""
    scores = draw.normal(size=len(positive)) + distance * positive
    return np.where(wrong, np.where(positive, -1000.0, 1000.0) + scores, scores)


UNITS = {  # the cases of each of n groups, or their weights
    "a tenth of the cases weighs ten": lambda draw, n: (None, np.where(draw.random(n) < 0.1, 10.0, 1.0)),
    "weights over a decade": lambda draw, n: (None, 10 ** draw.random(n)),
    "groups of 1 to 20 cases": lambda draw, n: (np.ceil(20 ** draw.random(n)).astype(int), None),
    "a few large groups": lambda draw, n: (np.where(draw.random(n) < 0.05, 20, 1), None),
}


def of_units_differences(simulations: int) -> Iterator[Row]:
    """Differences of Prediction Advantages of unequal models, with weights or with groups whose cases are all alike."""
    errors = [(0.05, 0.2), (0.0, 0.05), (0.0, 0.3)]
    for (kind, make), n, share, rates in itertools.product(UNITS.items(), [50, 200], [0.1, 0.5], errors):
        point = (n, share, "{} {}".format(*rates))
        draw, found = generator_for("interval_coverage", kind, *point), []
        while len(found) < simulations:
            sizes, weights = make(draw, n)
            groups = None if sizes is None else np.repeat(np.arange(n), sizes)
            truth, *wrong = (
                each if groups is None else each[groups]
                for each in (draw.random(n) < rate for rate in (share, *rates))
            )
            if 0 < truth.sum() < len(truth):
                models = (truth ^ each for each in wrong)
                bounds = compare_models(truth, *models, sample_weight=weights, groups=groups, n_resamples=300)
                found.append(pd.DataFrame({kind: bounds[1:3]}, index=["low", "high"]))
        true = (rates[1] - rates[0]) / share
        yield from rows_of("difference of prediction_advantage", point, {kind: true}, found)


def _known(positive: np.ndarray, scores: tuple, said: tuple) -> dict[str, pd.DataFrame]:
    """Return well-known intervals by their names; the cases are in random order."""
    blocks = np.arange(len(positive)) % BLOCKS
    (first, without_first), (second, without_second) = (
        areas_without_each(positive, each, blocks) for each in scores
    )
    right, other = (each == positive for each in said)
    tango = tango_difference(int((right & ~other).sum()), int((other & ~right).sum()), len(positive))
    share = min(positive.mean(), 1 - positive.mean())
    bounds = {
        "jackknife": {
            name: jackknife(area - second[name], without_first[name] - without_second[name])
            for name, area in first.items()
        },
        "DeLong": {"roc_auc": delong_difference(positive, *scores)},
        "Tango, of the accuracy": {"prediction_advantage": np.array(tango) / share},
    }
    return {peer: pd.DataFrame(each, index=["low", "high"]) for peer, each in bounds.items()}
