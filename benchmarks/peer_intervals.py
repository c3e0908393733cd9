"""Well-known intervals, beside which the widths of ours are measured."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.special import entr, expit, logit
from scipy.stats import norm, t

from nontrivial.curves.points import find_positive_steps
from nontrivial.curves.resampling import Sample, _with_pseudo_cases, resampled_areas

Bounds = tuple[float, float]
Z = norm.isf(0.025)
BLOCKS = 50  # of cases that the jackknife leaves out together
SHARE_AREAS = ("roc_auc", "average_precision", "pr_auc")
NAMES = {
    "f_beta": "Wilson, of the Jaccard index",
    "informedness": "Newcombe, method 10",
    "balanced_accuracy": "Newcombe, method 10",
    "diagnostic_odds_ratio": "Gart",
}

# Successes and trials of each share, from TN, FP, FN and TP.
SHARES: dict[str, Callable[..., tuple[int, int]]] = {
    "accuracy": lambda tn, fp, fn, tp: (tp + tn, tn + fp + fn + tp),
    "precision": lambda tn, fp, fn, tp: (tp, tp + fp),
    "recall": lambda tn, fp, fn, tp: (tp, tp + fn),
    "specificity": lambda tn, fp, fn, tp: (tn, tn + fp),
    "negative_predictive_value": lambda tn, fp, fn, tp: (tn, tn + fn),
    "jaccard": lambda tn, fp, fn, tp: (tp, tp + fp + fn),
    "prevalence": lambda tn, fp, fn, tp: (tp + fn, tn + fp + fn + tp),
}


def wilson(successes: int, trials: int) -> Bounds:
    """Wilson 1927."""
    if trials == 0:
        return np.nan, np.nan
    share = successes / trials
    centre = share + Z**2 / (2 * trials)
    half = Z * np.sqrt(share * (1 - share) / trials + Z**2 / (4 * trials**2))
    return (centre - half) / (1 + Z**2 / trials), (centre + half) / (1 + Z**2 / trials)


def newcombe_difference(tn: int, fp: int, fn: int, tp: int) -> Bounds:
    """Newcombe 1998, method 10, of recall less the false positive rate."""
    recall, alarms = tp / (tp + fn), fp / (fp + tn)
    (low, high), (least, greatest) = wilson(tp, tp + fn), wilson(fp, fp + tn)
    difference = recall - alarms
    return (
        difference - np.hypot(recall - low, greatest - alarms),
        difference + np.hypot(high - recall, alarms - least),
    )


def gart_odds_ratio(tn: int, fp: int, fn: int, tp: int) -> Bounds:
    """Gart 1966: the logarithm of the odds ratio, with half a case in each cell."""
    cells = np.array([tn, fp, fn, tp]) + 0.5
    log, half = np.log(cells[0] * cells[3] / (cells[1] * cells[2])), Z * np.sqrt((1 / cells).sum())
    return float(np.exp(log - half)), float(np.exp(log + half))


def of_table(table: np.ndarray) -> pd.DataFrame:
    """Return the bounds of each measure that has a well-known interval."""
    tn, fp, fn, tp = map(int, table)
    found = {name: wilson(*count(tn, fp, fn, tp)) for name, count in SHARES.items()}
    found["f_beta"] = tuple(2 * end / (1 + end) for end in found["jaccard"])
    found["informedness"] = newcombe_difference(tn, fp, fn, tp)
    found["balanced_accuracy"] = tuple((1 + end) / 2 for end in found["informedness"])
    found["diagnostic_odds_ratio"] = gart_odds_ratio(tn, fp, fn, tp)
    return pd.DataFrame(found, index=["low", "high"])


def newcombe_area(area: float, positives: int, negatives: int) -> Bounds:
    """Newcombe 2006, method 5: the area under the ROC curve whose variance by Hanley and McNeil is at its own place."""
    half = (positives + negatives) / 2 - 1

    def excess(at: float) -> float:
        spread = at * (1 - at) * (1 + half * ((1 - at) / (2 - at) + at / (1 + at)))
        return (at - area) ** 2 * positives * negatives - Z**2 * spread

    low = brentq(excess, 1e-12, area - 1e-12) if area > 1e-11 and excess(area - 1e-12) < 0 else 0.0
    if area == 1:
        low = brentq(excess, 1e-12, 1 - 1e-12)
    high = 1.0 if area > 1 - 1e-11 else brentq(excess, area, 1 - 1e-12)
    return low, high


def delong_difference(positive: np.ndarray, first: np.ndarray, second: np.ndarray) -> Bounds:
    """DeLong, DeLong and Clarke-Pearson 1988: the difference of two areas under ROC curves; NaN for one positive."""
    saved = [_wins(scores[positive], scores[~positive]) for scores in (first, second)]
    of_pairs = saved[0] - saved[1]
    if min(of_pairs.shape) < 2:
        return np.nan, np.nan
    half = Z * np.sqrt(
        sum(of_pairs.mean(axis=side).var(ddof=1) / of_pairs.shape[1 - side] for side in (0, 1))
    )
    return _around(of_pairs.mean(), half)


def tango_difference(won: int, lost: int, n: int) -> Bounds:
    """Tango 1998: the difference of two paired shares, of which `won` cases are for the first and `lost` against."""

    def score(at: float) -> float:
        b = (2 * n - won + lost) * at - won - lost
        root = (np.sqrt(b**2 + 8 * n * lost * at * (1 - at)) - b) / (4 * n)
        return (won - lost - n * at) / np.sqrt(n * (2 * root + at * (1 - at)))

    at, little = (won - lost) / n, 1e-9
    low = brentq(lambda end: score(end) - Z, -1 + little, at - little) if lost < n else -1.0
    high = brentq(lambda end: score(end) + Z, at + little, 1 - little) if won < n else 1.0
    return low, high


def jackknife(value: float, left_out: np.ndarray, *, of_share: bool = False) -> Bounds:
    """Tukey 1958, with Student's quantile, on the logit scale for a share; NaN where the values do not vary.

    `left_out` are the values without each of the cases or groups.
    """
    left_out = left_out[~np.isnan(left_out)]
    k = len(left_out)
    if k < 3 or (of_share and not 0 < value < 1):
        return np.nan, np.nan
    half = t.isf(0.025, k - 1) * np.sqrt((k - 1) / k * ((left_out - left_out.mean()) ** 2).sum())
    if not of_share:
        return _around(value, half)
    low, high = expit(_around(logit(value), half / (value * (1 - value))))
    return float(low), float(high)


def boyd_precision(value: float, positives: int) -> Bounds:
    """Boyd, Eng and Page 2013: average precision on the logit scale, as if it were a share of the positives."""
    if not 0 < value < 1:
        return np.nan, np.nan
    half = Z / np.sqrt(positives * value * (1 - value))
    low, high = expit(_around(logit(value), half))
    return float(low), float(high)


def areas_without_each(
    positive: np.ndarray, scores: np.ndarray, groups: np.ndarray
) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Return the areas of a ranking, and those without each group."""
    sample = Sample.of_cases(positive, [scores], [find_positive_steps(positive, scores)], None, groups)
    assert sample.cases is not None
    (of_units,) = sample.cases._of_units
    every = np.ones((1, sample.cases.n_units))
    weights = np.vstack([every, every - np.eye(sample.cases.n_units)])
    cells = np.asarray(weights @ of_units)
    areas = resampled_areas(_with_pseudo_cases(cells, np.zeros((len(cells), 2)), None, at_best=False))
    return {name: area[0] for name, area in areas.items()}, {name: area[1:] for name, area in areas.items()}


def known_areas(positive: np.ndarray, scores: np.ndarray) -> dict[str, pd.DataFrame]:
    """Return well-known intervals of areas by their names; the cases are in random order."""
    areas, without = areas_without_each(positive, scores, np.arange(len(positive)) % BLOCKS)
    positives = int(positive.sum())
    bounds = {
        "jackknife": {
            name: jackknife(area, without[name], of_share=name in SHARE_AREAS) for name, area in areas.items()
        },
        "Newcombe, method 5": {
            "roc_auc": newcombe_area(areas["roc_auc"], positives, len(positive) - positives)
        },
        "Boyd, logit": {"average_precision": boyd_precision(areas["average_precision"], positives)},
    }
    return {peer: pd.DataFrame(each, index=["low", "high"]) for peer, each in bounds.items()}


def jackknife_of_macro_areas(truth: np.ndarray, scores: np.ndarray) -> pd.DataFrame:
    """Return the jackknife's intervals of the means over classes; the cases are in random order."""
    blocks = np.arange(len(truth)) % BLOCKS
    of_each = [areas_without_each(truth == place, score, blocks) for place, score in enumerate(scores.T)]
    bounds = {
        f"macro_{name}": jackknife(
            float(np.mean([areas[name] for areas, _ in of_each])),
            np.mean([without[name] for _, without in of_each], axis=0),
            of_share=name in SHARE_AREAS,
        )
        for name in of_each[0][0]
    }
    return pd.DataFrame(bounds, index=["low", "high"])


def jackknife_of_probabilities(positive: np.ndarray, said: np.ndarray) -> pd.DataFrame:
    """Return the jackknife's intervals of the Prediction Advantages of probabilities."""
    n = len(positive)
    kinds = {
        "squared": ((said - positive) ** 2, lambda share: share * (1 - share)),
        "cross_entropy": (
            -np.log(np.where(positive, said, 1 - said)),
            lambda share: entr(share) + entr(1 - share),
        ),
    }
    bounds = {
        name: jackknife(
            float(1 - losses.mean() / marginal(positive.mean())),
            1 - (losses.sum() - losses) / (n - 1) / marginal((positive.sum() - positive) / (n - 1)),
        )
        for name, (losses, marginal) in kinds.items()
    }
    return pd.DataFrame(bounds, index=["low", "high"])


def _wins(positives: np.ndarray, negatives: np.ndarray) -> np.ndarray:
    above, tied = positives[:, None] > negatives, positives[:, None] == negatives
    return np.asarray(above + tied / 2)


def _around(value: float, half: float) -> Bounds:
    return (value - half, value + half) if half > 0 else (np.nan, np.nan)
