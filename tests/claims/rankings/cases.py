"""Rankings as labels and scores, for the package's own curves and for loops in fractions."""

import itertools
from fractions import Fraction

import numpy as np

from nontrivial.claims.rankings.domains import MOST
from nontrivial.claims.rankings.enumeration import all_rankings, classes
from nontrivial.claims.rankings.quantities import quantity


def labels_and_scores(integers):
    """Labels and scores of a ranking from its integers."""
    groups = list(zip(integers[0::2], integers[1::2], strict=True))
    labels = [label for p, n in groups for label in [1] * p + [0] * n]
    scores = [-place for place, (p, n) in enumerate(groups) for _ in range(p + n)]
    return np.array(labels), np.array(scores)


def points(integers):
    """Operating points (TP, FP), the empty prediction first."""
    tp = itertools.accumulate(integers[0::2], initial=0)
    fp = itertools.accumulate(integers[1::2], initial=0)
    return list(zip(tp, fp, strict=True))


def some_rankings(most, step=1):
    """Every so many-th ranking of up to so many cases: its block and its row in it."""
    place = 0
    for counts in classes(most):
        rankings = all_rankings(*counts)
        for row in range(len(rankings)):
            place += 1
            if place % step == 0:
                yield rankings, row


def number(rankings, row, name):
    """The exact value of a quantity of one ranking; None where it is undefined."""
    numerator, denominator = (int(part[row]) for part in quantity(rankings, name))
    return Fraction(numerator, denominator) if denominator else None


SAMPLE = list(some_rankings(MOST, step=997))
FEW = list(some_rankings(5))


def f_beta(table, positives, b):
    tp, fp = table
    return Fraction((1 + b) * tp) / (tp + fp + b * positives) if tp else Fraction(0)
