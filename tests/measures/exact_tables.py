"""All binary tables, and their measures as exact fractions: by rates, where the library goes by counts."""

from fractions import Fraction
from itertools import product

import numpy as np
from scipy.stats import multinomial

INF = float("inf")
INFINITE = Fraction(10**9)


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


class Threshold:
    """sqrt(fpr) / (sqrt(recall) + sqrt(fpr)), compared with fractions exactly."""

    def __init__(self, recall, fpr):
        if not recall + fpr:
            raise Undefined
        self.recall, self.fpr = recall, fpr

    def _excess(self, other):  # the sign of sqrt(fpr) (1 - other) - sqrt(recall) other
        left, right = (1 if part >= 0 else -1 for part in (1 - other, other))
        return left * self.fpr * (1 - other) ** 2 - right * self.recall * other**2

    def __le__(self, other):
        return self._excess(other) <= 0

    def __ge__(self, other):
        return self._excess(other) >= 0

    def __float__(self):
        return float(self.fpr) ** 0.5 / (float(self.recall) ** 0.5 + float(self.fpr) ** 0.5)


class Undefined(Exception):
    """0/0 somewhere in a definition."""


def over(numerator, denominator):
    """Divide exactly; x/0 is inf and 0/0 undefined."""
    if denominator:
        return Fraction(numerator) / denominator
    if numerator:
        return INF
    raise Undefined


def harmonic_mean(first, second):
    return over(2 * first * second, first + second)


def need_both_classes(t):
    if not (t.p and t.n):
        raise Undefined


def advantage(t):
    need_both_classes(t)
    return 1 - over(t.error_rate, 1 - t.no_information_rate)


def on_gain_scale(t, value):
    need_both_classes(t)
    return (value - t.prevalence) / ((1 - t.prevalence) * value) if t.tp else -INF


def pearson(t):
    """The correlation of the two indicator variables."""
    truth, predicted = over(t.p, t.total), over(t.tp + t.fp, t.total)
    covariance = over(t.tp, t.total) - truth * predicted
    variance = truth * (1 - truth) * predicted * (1 - predicted)
    return Root(np.sign(covariance), over(covariance**2, variance))


def kappa(t):
    chance = over(t.p * (t.tp + t.fp) + t.n * (t.tn + t.fn), t.total**2)
    return 1 - over(1 - t.accuracy, 1 - chance)


def goodman_kruskal(t):
    without = t.total - max(t.p, t.n)
    given = (t.tp + t.fp - max(t.tp, t.fp)) + (t.fn + t.tn - max(t.fn, t.tn))
    return over(without - given, without)


DEFINITIONS = {
    "accuracy": lambda t: over(t.tp + t.tn, t.total),
    "error_rate": lambda t: 1 - t.accuracy,
    "balanced_accuracy": lambda t: (t.recall + t.specificity) / 2,
    "precision": lambda t: over(t.tp, t.tp + t.fp),
    "recall": lambda t: over(t.tp, t.p),
    "specificity": lambda t: over(t.tn, t.n),
    "negative_predictive_value": lambda t: over(t.tn, t.tn + t.fn),
    "false_positive_rate": lambda t: 1 - t.specificity,
    "false_negative_rate": lambda t: 1 - t.recall,
    "false_discovery_rate": lambda t: 1 - t.precision,
    "false_omission_rate": lambda t: 1 - t.negative_predictive_value,
    "f_beta": lambda t: over((1 + t.beta**2) * t.tp, (1 + t.beta**2) * t.tp + t.beta**2 * t.fn + t.fp),
    "p4": lambda t: (
        harmonic_mean(  # of the F1 scores of the two classes, which is that of the four probabilities
            over(2 * t.tp, 2 * t.tp + t.fp + t.fn), over(2 * t.tn, 2 * t.tn + t.fp + t.fn)
        )
    ),
    "matthews_corrcoef": pearson,
    "fowlkes_mallows": lambda t: Root(1, t.precision * t.recall),
    "jaccard": lambda t: over(t.tp, t.tp + t.fp + t.fn),
    "informedness": lambda t: t.recall + t.specificity - 1,
    "markedness": lambda t: t.precision + t.negative_predictive_value - 1,
    "prevalence": lambda t: over(t.p, t.total),
    "prevalence_threshold": lambda t: Threshold(t.recall, t.false_positive_rate),
    "positive_likelihood_ratio": lambda t: over(t.recall, t.false_positive_rate),
    "negative_likelihood_ratio": lambda t: over(t.false_negative_rate, t.specificity),
    "diagnostic_odds_ratio": lambda t: over(t.tp * t.tn, t.fp * t.fn),
    "cohen_kappa": kappa,
    "no_information_rate": lambda t: max(t.prevalence, 1 - t.prevalence),
    "goodman_kruskal_lambda": goodman_kruskal,
    "prediction_advantage": advantage,
    "precision_gain": lambda t: on_gain_scale(t, t.precision if t.tp else 0),
    "recall_gain": lambda t: on_gain_scale(t, t.recall if t.tp else 0),
    "f_beta_gain": lambda t: on_gain_scale(t, t.f_beta if t.tp else 0),
}
NAMES = list(DEFINITIONS)
DEFINITIONS |= {  # these are no columns of `confusion_measures`
    "geometric_mean": lambda t: Root(1, t.recall * t.specificity),
    "lift": lambda t: over(t.precision, t.prevalence),
}


class Table:
    def __init__(self, tp, fp, fn, tn, beta=Fraction(1)):
        self.tp, self.fp, self.fn, self.tn = (Fraction(int(cell)) for cell in (tp, fp, fn, tn))
        self.p, self.n, self.beta = self.tp + self.fn, self.fp + self.tn, beta
        self.total = self.p + self.n

    def __getattr__(self, name):
        return DEFINITIONS[name](self)


def measures(*cells, beta=Fraction(1)):
    """Each measure of a table; None is 0/0."""
    table, found = Table(*cells, beta=beta), {}
    for name in DEFINITIONS:
        try:
            value = getattr(table, name)
        except Undefined:
            value = None
        is_infinite = isinstance(value, float)
        found[name] = (INFINITE if value > 0 else -INFINITE) if is_infinite else value
    return found


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

    def fits(value, low, high):
        return any(each >= low and each <= high for each in ((0, 1) if value is None else (value,)))

    return [
        at for at, found in tables.items() if all(fits(found[name], *ends) for name, ends in ranges.items())
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


def tables_of(n):
    """Return the tables of n cases with both classes, rows of TN, FP, FN, TP."""
    tables = np.array([cells for cells in product(range(n + 1), repeat=4) if sum(cells) == n])
    return tables[(tables[:, :2].sum(axis=1) > 0) & (tables[:, 2:].sum(axis=1) > 0)]


def chances_of(tables, cells):
    """Return the probability of each table, where the cells have these shares."""
    return multinomial(tables[0].sum(), np.asarray(cells) / np.sum(cells)).pmf(tables)
