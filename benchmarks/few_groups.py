"""How often intervals from few groups of unequal sizes hold the true value, beside those of a jackknife."""

import itertools
from collections.abc import Iterator

import numpy as np
import pandas as pd

from benchmarks.coverage_points import DISTANCES, RATES, Row, rows_of, shares_of, true_areas
from benchmarks.peer_intervals import SHARE_AREAS, SHARES, areas_without_each, jackknife
from benchmarks.score_coverage import card_bounds, draw_units, truths
from nontrivial.curves import bootstrap_curve_areas
from nontrivial.measures import compare_models, confusion_measures
from nontrivial.scorecard.estimates import TABLE
from nontrivial.seeds import generator_for

MEASURES = [
    *SHARES,
    "f_beta",
    "balanced_accuracy",
    "informedness",
    "matthews_corrcoef",
    "prediction_advantage",
]
OF_SHARES = {*SHARES, *SHARE_AREAS, "f_beta", "balanced_accuracy"}


def of_few_groups(simulations: int) -> Iterator[Row]:
    """Measures, areas and their differences between two equal models.

    Groups are of 1 to 20 cases. Half of the cases of a group share their class and their answer; half of the variance
    of the scores is the group's.
    """
    for n, share, skill in itertools.product([8, 15], [0.1, 0.3, 0.5], RATES):
        point, shares = (n, share, skill), shares_of(share, skill)
        distance = min(DISTANCES[skill], 20.0)  # 20 standard deviations leave no case out of order
        draw = generator_for("interval_coverage", "few groups", *point)
        found, known = [], []
        while len(found) < simulations:
            groups, _ = draw_units(draw, "groups", n)
            own, common = (
                draw.choice(len(TABLE), size=size, p=[shares[name] for name in TABLE])
                for size in (len(groups), n)
            )
            cells = np.where(draw.random(len(groups)) < 0.5, common[groups], own)
            positive = np.isin(cells, [TABLE.index("tp"), TABLE.index("fn")])
            if positive.all() or not positive.any():
                continue
            scores = [
                np.sqrt(0.5) * (draw.normal(size=n)[groups] + draw.normal(size=len(groups)))
                + distance * positive
                for _ in range(2)
            ]
            found.append(_ours(cells, positive, scores, groups))
            known.append(_known(cells, positive, scores, groups))
        true = {name: value for name, value in truths(shares).items() if name in MEASURES}
        true |= true_areas(share, DISTANCES[skill])
        true |= dict.fromkeys([name for name in known[0] if name.startswith("difference")], 0.0)
        yield from rows_of("few groups", point, true, found)
        yield from rows_of("few groups", point, true, known, known="jackknife")


def _guesses(scores: list[np.ndarray]) -> list[np.ndarray]:
    return [each > np.median(each) for each in scores]


def _ours(cells: np.ndarray, positive: np.ndarray, scores: list, groups: np.ndarray) -> pd.DataFrame:
    options = {"groups": groups, "n_resamples": 300}
    areas = bootstrap_curve_areas(positive, scores[0], **options)
    differences = bootstrap_curve_areas(positive, scores[0], compared_with=scores[1], **options)
    difference = compare_models(positive, *_guesses(scores), **options)
    bounds = pd.concat(
        [card_bounds(cells, None, groups), areas, differences.add_prefix("difference of ")], axis=1
    ).loc[["low", "high"]]
    return bounds.assign(**{"difference of prediction_advantage": difference[1:3]})


def _known(cells: np.ndarray, positive: np.ndarray, scores: list, groups: np.ndarray) -> pd.DataFrame:
    size = int(groups.max()) + 1
    of_groups = np.bincount(groups * len(TABLE) + cells, minlength=size * len(TABLE)).reshape(size, -1)
    tables = np.vstack([of_groups.sum(axis=0), of_groups.sum(axis=0) - of_groups])
    measures = confusion_measures(**dict(zip(TABLE, tables.T, strict=True)))[MEASURES]
    values, without = measures.iloc[0].to_dict(), {name: measures[name].to_numpy()[1:] for name in MEASURES}
    (first, without_first), (second, without_second) = (
        areas_without_each(positive, each, groups) for each in scores
    )
    values |= first | {f"difference of {name}": area - second[name] for name, area in first.items()}
    without |= without_first
    without |= {f"difference of {name}": each - without_second[name] for name, each in without_first.items()}
    right, other = (each == positive for each in _guesses(scores))
    saved = np.bincount(groups, weights=right.astype(int) - other.astype(int))
    positives, cases = np.bincount(groups, weights=positive), np.bincount(groups)

    def advantage(saved: np.ndarray, positives: np.ndarray, cases: np.ndarray) -> np.ndarray:
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(
                (positives > 0) & (positives < cases),
                saved / np.minimum(positives, cases - positives),
                np.nan,
            )

    totals = [each.sum() for each in (saved, positives, cases)]
    values["difference of prediction_advantage"] = float(advantage(*totals))
    without["difference of prediction_advantage"] = advantage(
        *(total - each for total, each in zip(totals, (saved, positives, cases), strict=True))
    )
    bounds = {
        name: jackknife(value, without[name], of_share=name in OF_SHARES) for name, value in values.items()
    }
    return pd.DataFrame(bounds, index=["low", "high"])
