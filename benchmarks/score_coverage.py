"""How often intervals that only `nontrivial score` has hold the true value: with weights, groups, chances."""

import itertools
from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.stats import entropy, norm

from benchmarks.coverage_points import DISTANCES, RATES, Row, points, rows_of, samples, shares_of, true_areas
from benchmarks.peer_intervals import jackknife_of_probabilities
from nontrivial.curves import bootstrap_curve_areas, curve_areas
from nontrivial.measures import (
    confusion_measures,
    prediction_advantage_interval,
    prediction_advantage_score,
)
from nontrivial.measures.bootstrap import Cells
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates import (
    TABLE,
    estimate_areas,
    estimate_table,
    judge_cells,
    losses_of_probabilities,
)
from nontrivial.seeds import generator_for

SIZES = [50, 200, 1000]
ROWS = 4  # of a group


def card_bounds(cells: np.ndarray, weights: np.ndarray | None, groups: np.ndarray | None) -> pd.DataFrame:
    drawn = Cells.of_cases(cells, len(TABLE), weights, groups)
    advantage, _, _ = judge_cells(drawn)
    found = estimate_table(drawn, advantage)
    return pd.DataFrame({name: each[1:3] for name, each in found.items()}, index=["low", "high"])


def truths(cells: dict[str, float]) -> dict[str, float]:
    return confusion_measures(**cells).iloc[0].to_dict()


WEIGHTS = {
    "weighted table": lambda draw, n: np.exp(0.5 * draw.normal(size=n)),
    "table, a tenth of the cases weighs ten": lambda draw, n: np.where(draw.random(n) < 0.1, 10.0, 1.0),
}


def of_weighted(simulations: int) -> Iterator[Row]:
    """Every measure, of cases whose weights have nothing to do with the outcome."""
    for (family, weigh), point in itertools.product(WEIGHTS.items(), points(SIZES, RATES)):
        n, share, skill = point
        true = shares_of(share, skill)
        draw, found = generator_for("interval_coverage", family, *point), []
        while len(found) < simulations:
            cells = draw.choice(len(TABLE), size=n, p=[true[name] for name in TABLE])
            if 0 < np.isin(cells, [TABLE.index("tp"), TABLE.index("fn")]).sum() < n:
                found.append(card_bounds(cells, weigh(draw, n), None))
        yield from rows_of(family, point, truths(true), found)


def of_grouped(simulations: int) -> Iterator[Row]:
    """Every measure, of groups of four cases of one class, half of which share their prediction."""
    for point in points(SIZES, RATES):
        n, share, skill = point
        true = shares_of(share, skill)
        draw, found = generator_for("interval_coverage", "grouped", *point), []
        groups = np.repeat(np.arange(n), ROWS)
        for positive in samples(draw, n, share, simulations):
            rate = np.where(positive, *RATES[skill])
            common, alike = draw.random(n) < rate, draw.random(n) < 0.5
            alone = draw.random((n, ROWS)) < rate[:, None]
            called = np.where(alike[:, None], common[:, None], alone)
            names = np.where(positive[:, None], np.where(called, "tp", "fn"), np.where(called, "fp", "tn"))
            cells = np.select([names == name for name in TABLE], range(len(TABLE))).ravel()
            found.append(card_bounds(cells, None, groups))
        yield from rows_of("grouped table", point, truths(true), found)


def of_units_areas(simulations: int) -> Iterator[Row]:
    """Areas of cases with lognormal weights, and of groups of four cases of one class that share half their scores."""
    for kind, point in itertools.product(["weights", "groups"], points([50, 200], DISTANCES)):
        n, share, skill = point
        distance = min(DISTANCES[skill], 20.0)  # 20 standard deviations leave no case out of order
        draw, found = generator_for("interval_coverage", "areas", kind, *point), []
        groups = np.repeat(np.arange(n), ROWS) if kind == "groups" else None
        for positive in samples(draw, n, share, simulations):
            scores, weights = draw.normal(size=n) + distance * positive, np.exp(0.5 * draw.normal(size=n))
            if groups is not None:
                common, positive = draw.normal(size=n)[groups], positive[groups]
                scores = np.sqrt(0.5) * (common + draw.normal(size=len(groups))) + distance * positive
            areas = estimate_areas(positive, scores, None if kind == "groups" else weights, groups)
            found.append(
                pd.DataFrame({name: each[1:3] for name, each in areas.items()}, index=["low", "high"])
            )
        true = true_areas(share, DISTANCES[skill])
        yield from rows_of(f"area, {kind}", point, true, found)


def of_heavy_areas(simulations: int) -> Iterator[Row]:
    """Areas where a twentieth of the cases weigh ten: 30 % of these score like the other class, and 2 % of the rest."""

    def drawn(draw: np.random.Generator, n: int, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        positive, heavy = draw.random(n) < share, draw.random(n) < 0.05
        wrong = draw.random(n) < np.where(heavy, 0.3, 0.02)
        return positive, draw.normal(size=n) + 4 * (positive ^ wrong), np.where(heavy, 10.0, 1.0)

    for n, share in itertools.product([60, 150, 300], [0.1, 0.3, 0.5]):
        draw, found = generator_for("interval_coverage", "heavy areas", n, share), []
        positive, scores, weights = drawn(draw, 1_000_000, share)
        true = curve_areas(positive, scores, sample_weight=weights)
        del true["cost_curve_area"]
        while len(found) < simulations:
            positive, scores, weights = drawn(draw, n, share)
            if 0 < positive.sum() < n:
                areas = bootstrap_curve_areas(positive, scores, sample_weight=weights, n_resamples=300)
                found.append(areas.loc[["low", "high"]])
        yield from rows_of("area, heavy cases err more", (n, share, ""), true, found)


def of_wild_areas(simulations: int) -> Iterator[Row]:
    """Areas of a model that gives some cases wild scores, whatever their class; the column skill holds their share."""

    def drawn(draw: np.random.Generator, n: int, share: float, wild: float) -> tuple[np.ndarray, np.ndarray]:
        positive, is_wild = draw.random(n) < share, draw.random(n) < wild
        noise = draw.normal(size=n)
        return positive, np.where(is_wild, 3 * noise, noise / 2 + 3 * positive)

    for point in itertools.product([60, 200, 500], [0.1, 0.3, 0.5], [0.02, 0.1, 0.3]):
        draw, found = generator_for("interval_coverage", "wild areas", *point), []
        true = curve_areas(*drawn(draw, 2_000_000, *point[1:]))
        del true["cost_curve_area"]
        while len(found) < simulations:
            positive, scores = drawn(draw, *point)
            if 0 < positive.sum() < len(positive):
                areas = bootstrap_curve_areas(positive, scores, n_resamples=300)
                found.append(areas.loc[["low", "high"]])
        yield from rows_of("area, wild scores", point, true, found)


def draw_units(draw: np.random.Generator, kind: str, n: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Return what each case is drawn by, and its weight: groups of 1 to 20 cases, or weights over a decade."""
    if kind == "weights":
        return np.arange(n), 10 ** draw.random(n)
    return np.repeat(np.arange(n), np.ceil(20 ** draw.random(n)).astype(int)), None


UNITS = [
    *itertools.product(["weights"], [20, 50, 200]),
    *itertools.product(["groups"], [5, 10, 20, 50, 200]),
]


def of_verdicts(simulations: int) -> Iterator[Row]:
    """The Prediction Advantage of classes with weights or groups, by which there is a verdict.

    Half of the cases of a group share what happens. A verdict is "better" or "worse" exactly where the interval
    excludes 0: of trivial predictions, coverage is how often neither is said.
    """
    for (kind, n), share, advantage in itertools.product(UNITS, [0.1, 0.5], [0.0, 0.5]):
        missed = share * (1 - advantage) / 2
        chance = {"fp": missed, "tp": share - missed, "fn": missed, "tn": 1 - share - missed}
        quantity = f"advantage {advantage:g} of classes"
        draw, found = generator_for("interval_coverage", kind, n, share, advantage), []
        while len(found) < simulations:
            units, weights = draw_units(draw, kind, n)
            own, common = (
                draw.choice(len(TABLE), size=size, p=[chance[name] for name in TABLE])
                for size in (len(units), n)
            )
            places = np.where(draw.random(len(units)) < 0.5, common[units], own)
            groups = units if weights is None else None
            cells = Cells.of_cases(places, len(TABLE), weights, groups)
            if not cells.weights[:2].any() or not cells.weights[2:].any():
                continue
            estimate, _, _ = judge_cells(cells)
            found.append(pd.DataFrame({quantity: estimate[1:3]}, index=["low", "high"]))
        yield from rows_of(f"verdict, {kind}", (n, share, ""), {quantity: advantage}, found)


def of_numbers(simulations: int) -> Iterator[Row]:
    """The same of numbers under squared loss: y is x + u, and the model says x, or 2 x, which is trivial."""
    for (kind, n), advantage in itertools.product(UNITS, [0.0, 0.5]):
        quantity = f"advantage {advantage:g} of numbers"
        draw, found = generator_for("interval_coverage", "numbers", kind, n, advantage), []
        for _ in range(simulations):
            units, weights = draw_units(draw, kind, n)
            x, u = draw.normal(size=(2, n))[:, units] / 2 + draw.normal(size=(2, len(units))) / 2
            bounds = prediction_advantage_interval(
                x + u,
                x if advantage else 2 * x,
                loss="squared",
                method="fieller",
                sample_weight=weights,
                groups=units,
            )
            found.append(pd.DataFrame({quantity: bounds}, index=["low", "high"]))
        yield from rows_of(f"verdict, {kind}", (n, np.nan, ""), {quantity: advantage}, found)


def chances(score: np.ndarray, share: float, distance: float) -> np.ndarray:
    """Return the probability of the positive class at normal scores."""
    odds = share / (1 - share) * np.exp(distance * score - distance**2 / 2)
    return odds / (1 + odds)


def of_confident(simulations: int) -> Iterator[Row]:
    """The same of a model that says 99 % or 1 %, and is wrong more often, as often, or hardly ever."""
    said_wrong = np.array([0.99, 0.01])
    for n, share, wrong in itertools.product([50, 100, 400], [0.2, 0.5], [0.05, 0.01, 0.002]):
        trivial = {"squared": share * (1 - share), "cross_entropy": float(entropy([share, 1 - share]))}
        lost = {"squared": said_wrong**2, "cross_entropy": -np.log(said_wrong[::-1])}
        true = {name: 1 - (lost[name] @ [wrong, 1 - wrong]) / trivial[name] for name in trivial}
        draw, found = generator_for("interval_coverage", "confident", n, share, wrong), []
        while len(found) < simulations:
            positive = draw.random(n) < share
            said = np.where(positive ^ (draw.random(n) < wrong), 0.99, 0.01)
            case = Predictions("", {}, positive, said > 0.5, score=said, n_classes=2)
            bounds = {row.name: row.advantage[1:3] for row in losses_of_probabilities(case)}
            found.append(pd.DataFrame(bounds, index=["low", "high"]))
        point = n, share, f"{wrong:g} wrong"
        yield from rows_of("confident", point, true, found)


def of_chances(simulations: int) -> Iterator[Row]:
    """The Prediction Advantage of right probabilities under squared loss and cross-entropy."""
    quantiles = norm.ppf((np.arange(100_000) + 0.5) / 100_000)
    labels = np.repeat([1, 0], len(quantiles))
    for point in points(SIZES, {name: 0 for name in DISTANCES if name != "perfect"}):
        n, share, skill = point
        distance = DISTANCES[skill]
        all_scores = np.concatenate([quantiles + distance, quantiles])
        weights = np.where(labels == 1, share, 1 - share)
        right = chances(all_scores, share, distance)
        true = {
            loss: prediction_advantage_score(labels, right, loss=loss, sample_weight=weights)
            for loss in ("squared", "cross_entropy")
        }
        draw, found, known = generator_for("interval_coverage", "probabilities", *point), [], []
        for positive in samples(draw, n, share, simulations):
            said = chances(draw.normal(size=n) + distance * positive, share, distance)
            case = Predictions("", {}, positive, said > 0.5, score=said, n_classes=2)
            bounds = {row.name: row.advantage[1:3] for row in losses_of_probabilities(case)}
            found.append(pd.DataFrame(bounds, index=["low", "high"]))
            known.append(jackknife_of_probabilities(positive, said))
        yield from rows_of("probabilities", point, true, found)
        yield from rows_of("probabilities", point, true, known, known="jackknife")
