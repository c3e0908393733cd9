"""Every column against exact rational arithmetic, over all tables with cells 0..5."""

import itertools
import math
from decimal import Context
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from nontrivial.measures import confusion_measures

CELLS = np.array(list(itertools.product(range(6), repeat=4)))
DECIMALS = Context(prec=60)
NAN = float("nan")
INF = float("inf")


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


def exact(name, cells, beta=Fraction(1)):
    try:
        return float(getattr(Table(*cells, beta=beta), name)())
    except Undefined:
        return NAN


@pytest.fixture(scope="module")
def measured():
    return confusion_measures(*CELLS.T)


def test_the_columns_are_those_of_the_contract(measured):
    assert list(measured.columns) == NAMES
    assert len(measured) == len(CELLS)


@pytest.mark.parametrize("name", NAMES)
def test_column_is_exact_over_all_small_tables(measured, name):
    expected = [exact(name, cells) for cells in CELLS]
    np.testing.assert_allclose(measured[name], expected, rtol=4e-15, atol=0)


@pytest.mark.parametrize("beta", [Fraction(0), Fraction(1, 2), Fraction(2), Fraction(10)])
@pytest.mark.parametrize("name", ["f_beta", "f_beta_gain"])
def test_beta_is_exact_over_all_small_tables(name, beta):
    measured = confusion_measures(*CELLS.T, beta=float(beta))[name]
    expected = [exact(name, cells, beta) for cells in CELLS]
    np.testing.assert_allclose(measured, expected, rtol=1e-13, atol=1e-14)


def test_infinite_beta_is_recall():
    measured = confusion_measures(*CELLS.T, beta=INF)
    known = measured["recall"].notna()
    pd.testing.assert_series_equal(measured["f_beta"][known], measured["recall"][known], check_names=False)
    pd.testing.assert_series_equal(measured["f_beta_gain"], measured["recall_gain"], check_names=False)


@pytest.mark.parametrize("dtype", [np.uint8, np.int32, np.uint64, np.float32, object])
def test_types_of_counts_do_not_matter(measured, dtype):
    pd.testing.assert_frame_equal(confusion_measures(*CELLS.T.astype(dtype)), measured)


LARGE = [
    (10**12, 10**12, 10**12, 10**12),
    (10**12, 10**12, 10**12 + 1, 10**12),
    (10**12, 1, 10**12 - 1, 10**12 + 1),
    (3, 10**12, 7, 10**12),
    (10**12, 0, 0, 10**12),
    (0, 10**12, 10**12, 0),
    (999_999_999_989, 999_999_999_961, 999_999_999_959, 999_999_999_937),
]


@pytest.mark.parametrize("name", NAMES)
def test_counts_of_a_million_millions_neither_overflow_nor_cancel(name):
    measured = confusion_measures(*np.array(LARGE).T)[name]
    expected = [exact(name, cells) for cells in LARGE]
    np.testing.assert_allclose(measured, expected, rtol=1e-14, atol=0)


@pytest.mark.parametrize("name", NAMES)
def test_products_that_differ_by_less_than_their_rounding(name):
    cells = (10**8 + 2, 10**8 + 1, 10**8 + 1, 10**8)
    assert confusion_measures(*cells)[name][0] == pytest.approx(float(exact(name, cells)), rel=1e-14, abs=0)


def test_many_tables_are_worked_in_parts(measured, monkeypatch):
    monkeypatch.setattr("nontrivial.measures.confusion.CHUNK", 100)
    reverse = confusion_measures(*CELLS[::-1].T)[::-1].reset_index(drop=True)
    pd.testing.assert_frame_equal(reverse, measured)


def test_scalars_give_one_row_and_stand_for_every_table():
    assert len(confusion_measures(1, 2, 3, 4)) == 1
    both = confusion_measures([1, 5], 2, 3, 4)
    pd.testing.assert_frame_equal(both.iloc[[0]], confusion_measures(1, 2, 3, 4))


def test_a_series_is_taken_by_position():
    tp = pd.Series([1, 5], index=[9, 3])
    fp = pd.Series([2, 6], index=[3, 9])
    pd.testing.assert_frame_equal(confusion_measures(tp, fp, 3, 4), confusion_measures([1, 5], [2, 6], 3, 4))


def test_no_tables_give_no_rows():
    assert confusion_measures([], [], [], []).shape == (0, len(NAMES))


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ((-1, 0, 0, 1), "tp has negative"),
        ((1, NAN, 0, 1), "fp has NaN"),
        ((1, 1, INF, 1), "fn has NaN or infinite"),
        ((1, 1, 1, "many"), "tn holds something that is not a number"),
        (([1, 2], [1, 2, 3], 1, 1), "lengths of the counts differ"),
        (([[1, 2]], 1, 1, 1), "2 dimensions"),
    ],
)
def test_bad_counts_are_one_sentence(cells, reason):
    with pytest.raises(ValueError, match=reason):
        confusion_measures(*cells)


@pytest.mark.parametrize("beta", [-1, NAN, "1"])
def test_bad_beta_is_one_sentence(beta):
    with pytest.raises(ValueError, match="beta"):
        confusion_measures(1, 1, 1, 1, beta=beta)
