"""The points at which coverage is simulated, and the count of the intervals that hold the truth there."""

import itertools
from collections.abc import Iterator

import numpy as np
from scipy.stats import norm

from nontrivial.curves import curve_areas

CASES = [20, 50, 200, 1000]
SHARES = [0.02, 0.1, 0.3, 0.5]
RATES = {  # recall and false positive rate
    "none": (0.3, 0.3),
    "weak": (0.6, 0.2),
    "good": (0.9, 0.05),
    "perfect": (1.0, 0.0),
}
NEARLY_PERFECT = {"a few errors": (0.98, 0.003), "hardly an error": (0.998, 0.0003)}
DISTANCES = {"none": 0.0, "weak": 1.0, "good": 2.5, "perfect": np.inf}  # of the means, in standard deviations

Row = dict[str, float | int | str]


def points(sizes: list[int], skills: dict) -> Iterator[tuple]:
    """Yield the grid, but for samples that mostly have no positive."""
    yield from (
        (n, share, skill) for n, share, skill in itertools.product(sizes, SHARES, skills) if n * share >= 1
    )


def shares_of(share: float, skill: str) -> dict[str, float]:
    """Return the shares of the four cells of a table in the population."""
    recall, false_positive_rate = (RATES | NEARLY_PERFECT)[skill]
    return {
        "tp": share * recall,
        "fp": (1 - share) * false_positive_rate,
        "fn": share * (1 - recall),
        "tn": (1 - share) * (1 - false_positive_rate),
    }


def samples(draw: np.random.Generator, n: int, share: float, count: int) -> Iterator[np.ndarray]:
    """Yield which cases are positive, in so many samples that have both classes."""
    while count:
        positive = draw.random(n) < share
        if 0 < positive.sum() < n:
            count -= 1
            yield positive


def true_areas(share: float, distance: float) -> dict[str, float]:
    """Return the areas of the population: of as many quantiles of either class as make the rest negligible."""
    if np.isinf(distance):
        return dict.fromkeys(["roc_auc", "average_precision", "pr_auc", "prg_auc"], 1.0) | {
            "expected_f1_gain": 0.75
        }
    quantiles = norm.ppf((np.arange(200_000) + 0.5) / 200_000)
    labels = np.repeat([1, 0], len(quantiles))
    areas = curve_areas(
        labels,
        np.concatenate([quantiles + distance, quantiles]),
        sample_weight=np.where(labels == 1, share, 1 - share),
    )
    return {name: area for name, area in areas.items() if name != "cost_curve_area"}


def rows_of(
    family: str, point: tuple, truth: dict, found: list, times: np.ndarray | None = None, *, known: str = ""
) -> Iterator[Row]:
    """Count, for each quantity, the samples whose interval holds the truth among those that have an interval.

    `times` says how often each sample was drawn, by default once; `known` is the name of a well-known interval, if the
    rows are not of ours.
    """
    n, share, skill = point
    times = np.ones(len(found), dtype=int) if times is None else times
    for quantity, true in truth.items():
        bounds = np.array([each.loc[["low", "high"], quantity] for each in found], dtype=float)
        offered = ~np.isnan(bounds).any(axis=1)
        if np.isnan(true) or not offered.any():
            continue
        low, high = bounds[offered].T
        slack = 1e-9 * max(abs(true), 1) if np.isfinite(true) else 0
        holds = (low <= true + slack) & (true - slack <= high)
        yield {
            "family": family,
            "known": known,
            "quantity": quantity,
            "n": n,
            "share": share,
            "skill": skill,
            "truth": true,
            "held": int(times[offered][holds].sum()),
            "samples": int(times[offered].sum()),
            "offered": float(times[offered].sum() / times.sum()),
            "median_width": float(np.nanmedian(np.repeat(high - low, times[offered]))),
        }
