"""Every measure of binary confusion tables: the tables, their measures, and averages of these."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import IN_CACHE, Floats, chunks
from nontrivial._docstrings import docstring_of, set_docstring
from nontrivial._validation import as_array, as_numbers, check_beta, check_in_unit_interval, check_magnitude


class Tables:
    """Confusion tables as four float64 arrays, with their margins.

    Floats, because integer products wrap round: at counts of 1e12 the product of two is 1e24.
    """

    def __init__(self, tp: Floats, fp: Floats, fn: Floats, tn: Floats, *, beta: float = 1.0) -> None:
        self.tp, self.fp, self.fn, self.tn, self.beta = tp, fp, fn, tn, beta
        self.positives, self.negatives = tp + fn, fp + tn
        self.predicted_positives, self.predicted_negatives = tp + fp, fn + tn
        self.total = self.positives + self.negatives
        self.hits, self.errors = tp + tn, fp + fn
        self.one_class = (self.positives == 0) | (self.negatives == 0)
        # Of the rarer class; NaN where there is only one class, so that what is measured by it is too.
        self.minority = np.where(self.one_class, np.nan, np.minimum(self.positives, self.negatives))
        self.class_product = self.positives * self.negatives
        self.prediction_product = self.predicted_positives * self.predicted_negatives
        # TP TN - FP FN: positive where truth and prediction go together, 0 where they are independent.
        self.determinant = self._difference(tp, tn, fp, fn)
        precision_share = 1.0 / (1.0 + beta * beta)  # in F-beta; 0 for an infinite beta
        self.f_errors = precision_share * fp + (1.0 - precision_share) * fn

    def part(self, rows: slice) -> Tables:
        cells = (self.tp, self.fp, self.fn, self.tn)
        return Tables(*(cell[rows] for cell in cells), beta=self.beta)

    def gain(self, errors: Floats) -> Floats:
        """1 - (P / N) errors / TP, the scale on which the prevalence is 0 and perfection is 1."""
        gain = self._difference(self.negatives, self.tp, self.positives, errors) / (self.negatives * self.tp)
        return np.where(self.one_class, np.nan, np.where(self.tp == 0, -np.inf, gain))

    def _difference(self, a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
        """Return a b - c d, to the last digits even where the products nearly cancel."""
        left, right = a * b, c * d
        difference = left - right
        # From here on, products of whole counts may need more than the 53 bits of a float.
        if self.total.max(initial=0) >= 2**26:
            difference += _rounding_error(a, b, left) - _rounding_error(c, d, right)
        return difference


def _rounding_error(a: Floats, b: Floats, product: Floats) -> Floats:
    """Return what a b lost when it was rounded to `product`, exactly (Dekker 1971)."""
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Floats) -> tuple[Floats, Floats]:
    """Split into two numbers of 26 bits each, whose products are exact."""
    shifted = a * 134217729.0  # 2**27 + 1
    high = shifted - (shifted - a)
    return high, a - high


def as_tables(
    tp: ArrayLike,
    fp: ArrayLike,
    fn: ArrayLike,
    tn: ArrayLike,
    *,
    beta: float = 1.0,
    prevalence: float | None = None,
) -> Tables:
    """Check counts and bring them to four float64 arrays of one length, weighted for a given share of positives."""
    beta = check_beta(beta)
    given = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    counts = [np.atleast_1d(_as_counts(cells, name, 1e-70, 1e70)) for name, cells in given.items()]
    shapes = {cells.shape for cells in counts} - {(1,)}
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        found = ", ".join(f"{name} {cells.shape}" for name, cells in zip(given, counts, strict=True))
        raise ValueError(f"The shapes of the counts are {found}; give one number, or one for each table.")
    tables = Tables(*np.broadcast_arrays(*counts), beta=beta)
    return (
        tables
        if prevalence is None
        else _at_prevalence(tables, check_in_unit_interval(prevalence, "prevalence"))
    )


def _at_prevalence(tables: Tables, share: float) -> Tables:
    """Weight the classes so that the positives have this share; NaN where a class is absent."""
    with np.errstate(divide="ignore", invalid="ignore"):
        positive = share * tables.total / tables.positives
        negative = (1 - share) * tables.total / tables.negatives
        cells = (tables.tp * positive, tables.fp * negative, tables.fn * positive, tables.tn * negative)
    return Tables(*(np.where(tables.one_class, np.nan, cell) for cell in cells), beta=tables.beta)


def _as_counts(cells: ArrayLike, name: str, least: float, most: float) -> Floats:
    counts = as_numbers(cells, name).astype(np.float64)
    if (counts < 0).any():
        raise ValueError(f"{name} has negative values; counts must be 0 or greater.")
    check_magnitude(counts, name, least, most)
    return counts


class Measure(NamedTuple):
    """A measure: how it is computed, and what the documentation says of it."""

    formula: Callable[[Tables], Floats]
    definition: str
    range: str = "[0, 1]"
    share: Callable[[Tables], tuple[Floats, Floats]] | None = None  # successes and trials of a proportion


def _proportion(share: Callable[[Tables], tuple[Floats, Floats]], definition: str) -> Measure:
    return Measure(lambda tables: np.divide(*share(tables)), definition, "[0, 1]", share)


# The one place where a measure is defined.
MEASURES = {
    "accuracy": _proportion(lambda t: (t.hits, t.total), "(TP + TN) / n"),
    "error_rate": _proportion(lambda t: (t.errors, t.total), "(FP + FN) / n"),
    "balanced_accuracy": Measure(
        lambda t: (t.tp / t.positives + t.tn / t.negatives) / 2, "(recall + specificity) / 2"
    ),
    "precision": _proportion(lambda t: (t.tp, t.predicted_positives), "TP / (TP + FP)"),
    "recall": _proportion(lambda t: (t.tp, t.positives), "TP / P"),
    "specificity": _proportion(lambda t: (t.tn, t.negatives), "TN / N"),
    "negative_predictive_value": _proportion(lambda t: (t.tn, t.predicted_negatives), "TN / (TN + FN)"),
    "false_positive_rate": _proportion(lambda t: (t.fp, t.negatives), "FP / N"),
    "false_negative_rate": _proportion(lambda t: (t.fn, t.positives), "FN / P"),
    "false_discovery_rate": _proportion(lambda t: (t.fp, t.predicted_positives), "FP / (TP + FP)"),
    "false_omission_rate": _proportion(lambda t: (t.fn, t.predicted_negatives), "FN / (TN + FN)"),
    "f_beta": Measure(lambda t: t.tp / (t.tp + t.f_errors), "TP / (TP + (FP + beta^2 FN) / (1 + beta^2))"),
    "p4": Measure(
        lambda t: 4 * t.tp * t.tn / (4 * t.tp * t.tn + t.hits * t.errors),
        "4 TP TN / (4 TP TN + (TP + TN) (FP + FN))",
    ),
    "matthews_corrcoef": Measure(
        lambda t: t.determinant / np.sqrt(t.class_product * t.prediction_product),
        "D / sqrt(P N (TP + FP) (TN + FN))",
        "[-1, 1]",
    ),
    "fowlkes_mallows": Measure(
        lambda t: t.tp / np.sqrt(t.predicted_positives * t.positives), "TP / sqrt((TP + FP) P)"
    ),
    "jaccard": _proportion(lambda t: (t.tp, t.tp + t.errors), "TP / (TP + FP + FN)"),
    "informedness": Measure(
        lambda t: t.determinant / t.class_product, "recall + specificity - 1 = D / (P N)", "[-1, 1]"
    ),
    "markedness": Measure(
        lambda t: t.determinant / t.prediction_product,
        "precision + NPV - 1 = D / ((TP + FP) (TN + FN))",
        "[-1, 1]",
    ),
    "prevalence": _proportion(lambda t: (t.positives, t.total), "P / n"),
    "prevalence_threshold": Measure(
        lambda t: 1 / (1 + np.sqrt((t.tp / t.positives) / (t.fp / t.negatives))),
        "sqrt(FPR) / (sqrt(recall) + sqrt(FPR))",
    ),
    "positive_likelihood_ratio": Measure(
        lambda t: t.tp * t.negatives / (t.fp * t.positives), "recall / FPR", "[0, inf]"
    ),
    "negative_likelihood_ratio": Measure(
        lambda t: t.fn * t.negatives / (t.tn * t.positives), "FNR / specificity", "[0, inf]"
    ),
    "diagnostic_odds_ratio": Measure(lambda t: t.tp * t.tn / (t.fp * t.fn), "TP TN / (FP FN)", "[0, inf]"),
    "cohen_kappa": Measure(
        lambda t: (
            2 * t.determinant / (t.predicted_positives * t.negatives + t.positives * t.predicted_negatives)
        ),
        "2 D / ((TP + FP) N + P (TN + FN))",
        "[-1, 1]",
    ),
    "no_information_rate": Measure(
        lambda t: np.maximum(t.positives, t.negatives) / t.total, "max(P, N) / n", "[1/2, 1]"
    ),
    "goodman_kruskal_lambda": Measure(
        lambda t: np.maximum(t.minority - np.minimum(t.tp, t.fp) - np.minimum(t.fn, t.tn), 0) / t.minority,
        "1 - (min(TP, FP) + min(FN, TN)) / min(P, N)",
    ),
    "prediction_advantage": Measure(
        lambda t: (t.minority - t.errors) / t.minority, "1 - (FP + FN) / min(P, N)", "[1 - n/min(P, N), 1]"
    ),
    "precision_gain": Measure(lambda t: t.gain(t.fp), "1 - (P / N) FP / TP", "[-inf, 1]"),
    "recall_gain": Measure(lambda t: t.gain(t.fn), "1 - (P / N) FN / TP", "[-inf, 1]"),
    "f_beta_gain": Measure(
        lambda t: t.gain(t.f_errors), "1 - (P / N) (FP + beta^2 FN) / (1 + beta^2) / TP", "[-inf, 1]"
    ),
}

# Scores that are no columns of the table of measures.
SCORES = MEASURES | {
    "geometric_mean": Measure(
        lambda t: np.sqrt((t.tp / t.positives) * (t.tn / t.negatives)), "sqrt(recall specificity)"
    ),
    "lift": Measure(
        lambda t: t.tp * t.total / (t.predicted_positives * t.positives), "precision / prevalence", "[0, n/P]"
    ),
}


def confusion_measures(
    tp: ArrayLike,
    fp: ArrayLike,
    fn: ArrayLike,
    tn: ArrayLike,
    *,
    beta: float = 1.0,
    prevalence: float | None = None,
) -> pd.DataFrame:
    r"""Compute every measure of binary confusion tables.

    Parameters
    ----------
    tp, fp, fn, tn : array-like of shape (n_tables,) or scalar
        True positives, false positives, false negatives and true negatives: counts, or sums of weights, of 0 or
        greater. A scalar stands for every table. Counts whose total is at most 2**53 are taken exactly.
    beta : float in [0, inf], default=1.0
        Recall counts `beta` times as much as precision, in `f_beta` and `f_beta_gain`.
    prevalence : float in (0, 1), optional
        Share of positives at which to measure: recall and specificity stay, and the classes are weighted so that the
        positives have this share. By default that of each table.

    Returns
    -------
    pandas.DataFrame of shape (n_tables, 30)
        One row per table, in the order given, and one column per measure. With ``P = TP + FN``, ``N = FP +
        TN``, ``n = P + N`` and ``D = TP TN - FP FN``:

        {table}

        Where a formula is 0/0, or a rate in it is, the result is NaN, without a warning: all of `prediction_advantage`,
        `informedness`, `balanced_accuracy` and the gains where a class is absent, and at a given prevalence all
        columns; `markedness` where a class is never predicted, `p4` where both TP and TN are 0. The ratios are inf
        where only the denominator is 0, and the gains -inf where both classes are present and TP is 0.

    Raises
    ------
    ValueError
        If a count is negative, NaN, infinite, or other than 0 and not from 1e-70 to 1e70, the lengths differ, or
        `beta` is negative or NaN, or `prevalence` is not strictly between 0 and 1.

    References
    ----------
    PA paper, sections 2.4, 3 and 4 (Prediction Advantage, balanced accuracy, kappa); P4 article (P4, and the table of
    the measures up to the diagnostic odds ratio); PRG paper, section 3.1 (the gains); tutorial (F-beta).

    Examples
    --------
    A test for a disease that one in 2,000 has; it finds 95 % of the ill and clears 95 % of the healthy. Then the same
    test where half are ill:

    >>> table = confusion_measures(tp=95, fp=9995, fn=5, tn=189905)
    >>> table[["accuracy", "p4", "prediction_advantage"]].round(3)
       accuracy     p4  prediction_advantage
    0      0.95  0.037                 -99.0
    >>> confusion_measures(tp=95, fp=9995, fn=5, tn=189905, prevalence=0.5)["precision"].round(3).item()
    0.95
    """
    return evaluate(as_tables(tp, fp, fn, tn, beta=beta, prevalence=prevalence), MEASURES)


def _table_of_measures() -> str:
    """Return what `MEASURES` holds as a table of reStructuredText."""
    row = "{:25}  {:50}  {}".format
    rule = row("=" * 25, "=" * 50, "=" * 20)
    rows = [row(name, measure.definition, measure.range) for name, measure in MEASURES.items()]
    return "\n    ".join([rule, row("column", "definition", "range"), rule, *rows, rule])


set_docstring(confusion_measures, docstring_of(confusion_measures).replace("{table}", _table_of_measures()))


def measure(tables: Tables, name: str) -> Floats:
    """Compute one of `SCORES` of all tables."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return SCORES[name].formula(tables)


def evaluate(tables: Tables, names: Iterable[str]) -> pd.DataFrame:
    """Compute the named measures of `tables`, one row per table."""
    names = list(names)
    values = np.empty((len(names), len(tables.tp)))
    # New memory for each formula would take three times as long as the arithmetic.
    for part in chunks(len(tables.tp), length=IN_CACHE):
        some = tables.part(part) if len(tables.tp) > IN_CACHE else tables
        for row, name in zip(values, names, strict=True):
            row[part] = measure(some, name)
    return pd.DataFrame(values.T, columns=names, copy=False)


def macro_average(tables: ArrayLike | pd.DataFrame, *, beta: float = 1.0) -> pd.Series:
    """Average the measures of several confusion tables; every table counts the same, whatever its number of cases.

    Parameters
    ----------
    tables : array-like of shape (n_tables, 4) or (n_tables, 2, 2), or DataFrame
        Rows of TP, FP, FN, TN; or matrices as scikit-learn's ``confusion_matrix`` gives them, ``[[TN, FP],
        [FN, TP]]``; or a table with the columns `tp`, `fp`, `fn` and `tn`.
    beta : float in [0, inf], default=1.0
        As in `confusion_measures`.

    Returns
    -------
    pandas.Series
        The mean of each column of `confusion_measures`, but for `f_beta`, which is the F-beta of the averaged
        precision and recall; each in its measure's range. A measure that is NaN (0/0) for one of the tables is NaN.

    Raises
    ------
    ValueError
        If there is no table, the shape is wrong, or a count is negative, NaN, infinite, or other than 0 and not
        from 1e-60 to 1e60.

    References
    ----------
    Tutorial, section on precision, recall and F1. Others call the mean of the tables' own F-beta macro-F; the two
    differ (Opitz and Burst 2019).

    Examples
    --------
    >>> macro_average([[8, 2, 0, 10], [1, 0, 3, 16]])[["precision", "recall", "f_beta"]].round(3).to_dict()
    {'precision': 0.9, 'recall': 0.625, 'f_beta': 0.738}
    """
    beta = check_beta(beta)  # the square of a NumPy integer wraps round
    average = confusion_measures(*_as_cells(tables).T, beta=beta).mean(skipna=False)
    precision, recall = average["precision"], average["recall"]
    share = 1 / (1 + beta * beta)
    if precision == recall == 0:
        average["f_beta"] = 0.0  # as of a single table without true positives: a harmonic mean of zeros is 0
    else:
        average["f_beta"] = precision * recall / (share * recall + (1 - share) * precision)
    return average


def micro_average(tables: ArrayLike | pd.DataFrame, *, beta: float = 1.0) -> pd.Series:
    """Compute the measures of the averaged confusion table, which are those of the summed one; every case counts once.

    Parameters
    ----------
    tables, beta
        As in `macro_average`, as are the errors.

    Returns
    -------
    pandas.Series
        One value per column of `confusion_measures`, each in that measure's range. NaN where it is 0/0 for the
        averaged table; +-inf where it is x/0.

    References
    ----------
    Tutorial, section on precision, recall and F1, which prints the formula of recall for micro-precision.

    Examples
    --------
    >>> micro_average([[8, 2, 0, 10], [1, 0, 3, 16]])[["precision", "recall", "f_beta"]].round(3).to_dict()
    {'precision': 0.818, 'recall': 0.75, 'f_beta': 0.783}
    """
    return confusion_measures(*_as_cells(tables).sum(axis=0), beta=beta).iloc[0].rename(None)


def _as_cells(tables: Any) -> Floats:
    """Return rows of TP, FP, FN, TN."""
    # The names of the columns of pandas, or of another library.
    names = getattr(tables, "column_names", getattr(tables, "columns", None))
    if names is not None:
        needed = ["tp", "fp", "fn", "tn"]
        missing = [name for name in needed if name not in list(names)]
        if missing:
            raise ValueError(f"tables lacks the column {missing[0]}; it must have tp, fp, fn and tn.")
        tables = np.column_stack([as_array(tables[name], "tables") for name in needed])
    cells = _as_counts(tables, "tables", 1e-60, 1e60)
    if cells.ndim == 3 and cells.shape[1:] == (2, 2):
        cells = cells.reshape(-1, 4)[:, [3, 1, 2, 0]]
    if cells.ndim != 2 or cells.shape[1] != 4 or len(cells) == 0:
        raise ValueError(f"tables has shape {cells.shape}; it must be (n_tables, 4) or (n_tables, 2, 2).")
    return cells
