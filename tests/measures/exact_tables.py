"""All binary tables, and their measures as exact fractions."""

import math
from decimal import Context
from fractions import Fraction
from itertools import product

import numpy as np

DECIMALS = Context(prec=60)
INF = float("inf")


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


def decimal(value):
    return DECIMALS.divide(value.numerator, value.denominator)


def decimal_sqrt(value):
    return DECIMALS.sqrt(decimal(value))


class Table:
    """Definitions as the documents give them, by rates, where the library goes by counts."""

    def __init__(self, tp, fp, fn, tn, beta=Fraction(1)):
        self.tp, self.fp, self.fn, self.tn = (Fraction(int(cell)) for cell in (tp, fp, fn, tn))
        self.p, self.n = self.tp + self.fn, self.fp + self.tn
        self.total = self.p + self.n
        self.beta = beta

    def accuracy(self):
        return over(self.tp + self.tn, self.total)

    def error_rate(self):
        return 1 - self.accuracy()

    def balanced_accuracy(self):
        return (self.recall() + self.specificity()) / 2

    def precision(self):
        return over(self.tp, self.tp + self.fp)

    def recall(self):
        return over(self.tp, self.p)

    def specificity(self):
        return over(self.tn, self.n)

    def negative_predictive_value(self):
        return over(self.tn, self.tn + self.fn)

    def false_positive_rate(self):
        return 1 - self.specificity()

    def false_negative_rate(self):
        return 1 - self.recall()

    def false_discovery_rate(self):
        return 1 - self.precision()

    def false_omission_rate(self):
        return 1 - self.negative_predictive_value()

    def f_beta(self):
        square = self.beta**2
        return over((1 + square) * self.tp, (1 + square) * self.tp + square * self.fn + self.fp)

    def p4(self):
        """The harmonic mean of the F1 scores of the two classes, which is that of the four probabilities."""
        return harmonic_mean(
            over(2 * self.tp, 2 * self.tp + self.fp + self.fn),
            over(2 * self.tn, 2 * self.tn + self.fp + self.fn),
        )

    def matthews_corrcoef(self):
        """Pearson's correlation of the two indicator variables."""
        truth, predicted = over(self.p, self.total), over(self.tp + self.fp, self.total)
        covariance = over(self.tp, self.total) - truth * predicted
        variance = truth * (1 - truth) * predicted * (1 - predicted)
        return math.copysign(math.sqrt(over(covariance**2, variance)), covariance)

    def fowlkes_mallows(self):
        return math.sqrt(self.precision() * self.recall())

    def jaccard(self):
        return over(self.tp, self.tp + self.fp + self.fn)

    def informedness(self):
        return self.recall() + self.specificity() - 1

    def markedness(self):
        return self.precision() + self.negative_predictive_value() - 1

    def prevalence(self):
        return over(self.p, self.total)

    def prevalence_threshold(self):
        """(sqrt(TPR FPR) - FPR) / (TPR - FPR), with its limit 1/2 where the rates are equal and positive."""
        tpr, fpr = self.recall(), self.false_positive_rate()
        if tpr == fpr:
            return over(tpr, 2 * tpr)
        return float((decimal_sqrt(tpr * fpr) - decimal(fpr)) / decimal(tpr - fpr))

    def positive_likelihood_ratio(self):
        return over(self.recall(), self.false_positive_rate())

    def negative_likelihood_ratio(self):
        return over(self.false_negative_rate(), self.specificity())

    def diagnostic_odds_ratio(self):
        return over(self.tp * self.tn, self.fp * self.fn)

    def cohen_kappa(self):
        chance = over(
            self.p * (self.tp + self.fp) + self.n * (self.tn + self.fn),
            self.total**2,
        )
        return 1 - over(1 - self.accuracy(), 1 - chance)

    def no_information_rate(self):
        return max(self.prevalence(), 1 - self.prevalence())

    def goodman_kruskal_lambda(self):
        without = self.total - max(self.p, self.n)
        given = (self.tp + self.fp - max(self.tp, self.fp)) + (self.fn + self.tn - max(self.fn, self.tn))
        return over(without - given, without)

    def prediction_advantage(self):
        self.both_classes()
        return 1 - over(self.error_rate(), 1 - self.no_information_rate())

    def precision_gain(self):
        self.both_classes()
        return self.on_gain_scale(self.precision() if self.tp else Fraction(0))

    def recall_gain(self):
        self.both_classes()
        return self.on_gain_scale(self.recall())

    def f_beta_gain(self):
        self.both_classes()
        return self.on_gain_scale(self.f_beta() if self.tp else Fraction(0))

    def on_gain_scale(self, value):
        prevalence = self.prevalence()
        if value == 0:
            return -INF
        return (value - prevalence) / ((1 - prevalence) * value)

    def both_classes(self):
        if not (self.p and self.n):
            raise Undefined


NAMES = [
    name for name in vars(Table) if not name.startswith("_") and name not in ("on_gain_scale", "both_classes")
]


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


INFINITE = Fraction(10**9)


def threshold(t):
    t.precision()  # where nothing is predicted positive it is undefined, and so is the threshold
    return Threshold(t.recall(), t.false_positive_rate())


# Roots, to be compared with fractions exactly, and what is no column of `confusion_measures`.
OTHERS = {
    "matthews_corrcoef": lambda t: Root(np.sign(t.informedness()), t.informedness() * t.markedness()),
    "fowlkes_mallows": lambda t: Root(1, t.precision() * t.recall()),
    "prevalence_threshold": threshold,
    "geometric_mean": lambda t: Root(1, t.recall() * t.specificity()),
    "lift": lambda t: t.precision() / t.prevalence(),
}


def measures(*cells):
    """Each measure of a table; None is 0/0."""
    table, found = Table(*cells), {}
    for name in dict.fromkeys([*NAMES, *OTHERS]):
        try:
            value = OTHERS[name](table) if name in OTHERS else getattr(table, name)()
        except Undefined:
            value = None
        found[name] = {INF: INFINITE, -INF: -INFINITE}.get(value, value)
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
