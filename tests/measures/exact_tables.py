"""All binary tables, and their measures as exact fractions by the formulas of `confusion_measures`' documentation."""

from fractions import Fraction
from itertools import product

import numpy as np


class Root:
    """sign * sqrt(square), compared with fractions exactly."""

    def __init__(self, sign, square):
        self.sign, self.square = sign, square

    def __le__(self, other):
        return self.sign * self.square <= (1 if other >= 0 else -1) * other * other

    def __ge__(self, other):
        return self.sign * self.square >= (1 if other >= 0 else -1) * other * other

    def __float__(self):
        return self.sign * float(self.square) ** 0.5


INFINITE = Fraction(10**9)


def ratio(above, below, *, infinite=False):
    """None is 0/0."""
    if below:
        return Fraction(above, below)
    return INFINITE if infinite and above else None


def gain(p, n, tp, errors):
    return 1 - Fraction(p, n) * errors / tp if tp else -INFINITE


def measures(tp, fp, fn, tn):
    p, n, called, cleared = tp + fn, fp + tn, tp + fp, fn + tn
    total, minority = p + n, min(p, n)
    determinant = tp * tn - fp * fn
    sign = (determinant > 0) - (determinant < 0)
    recall, specificity = Fraction(tp, p), Fraction(tn, n)
    precision, npv = ratio(tp, called), ratio(tn, cleared)
    four = [precision, recall, specificity, npv]
    if tp + tn == 0:
        p4 = None
    else:
        p4 = Fraction(4 * tp * tn, 4 * tp * tn + (tp + tn) * (fp + fn))
        assert None in four or 0 in four or p4 == 4 / sum(1 / each for each in four)
    expected = Fraction(p * called + n * cleared, total * total)
    return {
        "accuracy": Fraction(tp + tn, total),
        "error_rate": Fraction(fp + fn, total),
        "balanced_accuracy": (recall + specificity) / 2,
        "precision": precision,
        "recall": recall,
        "specificity": specificity,
        "negative_predictive_value": npv,
        "false_positive_rate": 1 - specificity,
        "false_negative_rate": 1 - recall,
        "false_discovery_rate": ratio(fp, called),
        "false_omission_rate": ratio(fn, cleared),
        "f1": Fraction(2 * tp, 2 * tp + fp + fn),
        "p4": p4,
        "matthews_corrcoef": Root(sign, Fraction(determinant**2, p * n * called * cleared))
        if called and cleared
        else None,
        "fowlkes_mallows": Root(1, Fraction(tp * tp, called * p)) if called else None,
        "jaccard": Fraction(tp, tp + fp + fn),
        "informedness": recall + specificity - 1,
        "markedness": precision + npv - 1 if called and cleared else None,
        "prevalence": Fraction(p, total),
        "prevalence_threshold": Threshold(recall, 1 - specificity) if called else None,
        "positive_likelihood_ratio": ratio(recall, 1 - specificity, infinite=True),
        "negative_likelihood_ratio": ratio(1 - recall, specificity, infinite=True),
        "diagnostic_odds_ratio": ratio(tp * tn, fp * fn, infinite=True),
        "cohen_kappa": (Fraction(tp + tn, total) - expected) / (1 - expected),
        "no_information_rate": Fraction(max(p, n), total),
        "goodman_kruskal_lambda": 1 - Fraction(min(tp, fp) + min(fn, tn), minority),
        "prediction_advantage": 1 - Fraction(fp + fn, minority),
        "lift": ratio(tp * total, called * p),
        "geometric_mean": Root(1, recall * specificity),
        "precision_gain": gain(p, n, tp, fp),
        "recall_gain": gain(p, n, tp, fn),
        "f1_gain": gain(p, n, tp, Fraction(fp + fn, 2)),
    }


class Threshold:
    """sqrt(fpr) / (sqrt(recall) + sqrt(fpr)), compared with fractions exactly."""

    def __init__(self, recall, fpr):
        self.recall, self.fpr = recall, fpr

    def _excess(self, other):  # the sign of sqrt(fpr) (1 - other) - sqrt(recall) other
        left, right = 1 - other, other
        return (1 if left >= 0 else -1) * self.fpr * left**2 - (
            1 if right >= 0 else -1
        ) * self.recall * right**2

    def __le__(self, other):
        return self._excess(other) <= 0

    def __ge__(self, other):
        return self._excess(other) >= 0

    def __float__(self):
        return self.fpr**0.5 / (self.recall**0.5 + self.fpr**0.5)


def all_tables(positives, n):
    """Each tp and tn, with its measures."""
    return {
        (tp, tn): measures(tp, n - positives - tn, positives - tp, tn)
        for tp, tn in product(range(positives + 1), range(n - positives + 1))
    }


def searched(tables, scores):
    """Try each table: those whose measures all print so, ties either way; 0/0 prints as 0 or 1."""
    ranges = {}
    for name, printed in scores.items():
        half = Fraction(1, 2 * 10 ** len(printed.partition(".")[2]))
        ranges[name] = Fraction(printed) - half, Fraction(printed) + half
    return [
        at
        for at, found in tables.items()
        if all(
            any(
                value >= low and value <= high
                for value in ((0, 1) if found[name] is None else (found[name],))
            )
            for name, (low, high) in ranges.items()
        )
    ]


def rounded(value, digits):
    """Print a measure to so many decimals."""
    if isinstance(value, Fraction):
        steps = round(value * 10**digits)
        text = f"{abs(steps):0{digits + 1}d}"
        return f"{'-' if steps < 0 else ''}{text[:-digits]}.{text[-digits:]}"
    return f"{float(value):.{digits}f}"


def labels_of(table):
    """Return truth and prediction of a table of TN, FP, FN, TP."""
    return np.repeat([0, 0, 1, 1], table), np.repeat([0, 1, 0, 1], table)
