"""Tables of few cases with their measures, exactly, and those among them that print given scores."""

from fractions import Fraction
from itertools import product

import numpy as np
from scipy.stats import multinomial

from nontrivial.measures.catalogue import CATALOGUE, RATIO_SCALE, ConfusionTables


class Exact:
    """A measure of one table, compared with fractions exactly."""

    def __init__(self, measure, cells):
        self.measure, self.table = (measure, ConfusionTables(*(np.array([int(cell)], object) for cell in cells)))
        self.above, self.below = (part[0] for part in measure.exact_ratio(self.table))

    def __le__(self, other):
        return self.measure.compare(self.table, *other.as_integer_ratio())[0] <= 0

    def __ge__(self, other):
        return self.measure.compare(self.table, *other.as_integer_ratio())[0] >= 0

    def __float__(self):
        with np.errstate(divide="ignore"):
            return float(self.measure.scale.values(np.array(float(self.above)), np.array(float(self.below))))


def measures(*cells):
    """Each measure of a table; None is 0/0."""
    result = {name: Exact(measure, cells) for name, measure in CATALOGUE.items()}
    return {name: value if value.above or value.below else None for name, value in result.items()}


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

    return [at for at, result in tables.items() if all(fits(result[name], *ends) for name, ends in ranges.items())]


def rounded(value, digits):
    """Print a measure to so many decimals."""
    if value.measure.scale == RATIO_SCALE:
        steps = round(Fraction(value.above, value.below) * 10**digits)
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
