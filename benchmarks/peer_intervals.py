"""Well-known intervals, beside which the widths of ours are measured."""

from collections.abc import Callable

import numpy as np
import pandas as pd
from scipy.optimize import brentq
from scipy.stats import norm

Bounds = tuple[float, float]
Z = norm.isf(0.025)

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


def newcombe_area(area: float, positives: int, negatives: int) -> pd.DataFrame:
    """Newcombe 2006, method 5: the area under the ROC curve whose variance by Hanley and McNeil is at its own place."""
    half = (positives + negatives) / 2 - 1

    def excess(at: float) -> float:
        spread = at * (1 - at) * (1 + half * ((1 - at) / (2 - at) + at / (1 + at)))
        return (at - area) ** 2 * positives * negatives - Z**2 * spread

    low = brentq(excess, 1e-12, area - 1e-12) if area > 1e-11 and excess(area - 1e-12) < 0 else 0.0
    if area == 1:
        low = brentq(excess, 1e-12, 1 - 1e-12)
    high = 1.0 if area > 1 - 1e-11 else brentq(excess, area, 1 - 1e-12)
    return pd.DataFrame({"roc_auc": (low, high)}, index=["low", "high"])
