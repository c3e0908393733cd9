"""All measures of binary confusion tables, and averages over tables."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import CACHED_LENGTH, Floats, chunk_slices
from nontrivial._validation import as_array, as_numbers, check_beta, check_in_unit_interval, check_magnitude
from nontrivial.measures.catalogue import CATALOGUE, ConfusionTables


def as_tables(
    tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike, *, beta: float = 1.0, prevalence: float | None = None
) -> ConfusionTables:
    """Check counts and turn them into tables of floats, weighted to have a given share of positives."""
    beta = check_beta(beta)
    cells_by_name = {"tp": tp, "fp": fp, "fn": fn, "tn": tn}
    counts = [np.atleast_1d(_as_counts(cells, name, 1e-70, 1e70)) for name, cells in cells_by_name.items()]
    shapes = {cells.shape for cells in counts} - {(1,)}
    if len(shapes) > 1 or any(len(shape) != 1 for shape in shapes):
        shown = ", ".join(f"{name} {cells.shape}" for name, cells in zip(cells_by_name, counts, strict=True))
        raise ValueError(f"The shapes of the counts are {shown}; give one number, or one for each table.")
    fp_weight = 1.0 / (1.0 + beta * beta)  # in F-beta; 0 for an infinite beta
    weights = fp_weight, 1.0 - fp_weight
    tables = ConfusionTables(*np.broadcast_arrays(*counts), weights=weights)
    if prevalence is None:
        return tables
    share = check_in_unit_interval(prevalence, "prevalence")
    with np.errstate(divide="ignore", invalid="ignore"):
        positive = share * tables.n / tables.positives
        negative = (1 - share) * tables.n / tables.negatives
        cells = (tables.tp * positive, tables.fp * negative, tables.fn * positive, tables.tn * negative)
    return ConfusionTables(*(np.where(tables.one_class, np.nan, cell) for cell in cells), weights=weights)


def _as_counts(cells: ArrayLike, name: str, least: float, most: float) -> Floats:
    counts = as_numbers(cells, name).astype(np.float64)
    if (counts < 0).any():
        raise ValueError(f"{name} has negative values; counts must be 0 or greater.")
    check_magnitude(counts, name, least, most)
    return counts


MEASURES = {name: measure for name, measure in CATALOGUE.items() if measure.is_column}


def confusion_measures(
    tp: ArrayLike, fp: ArrayLike, fn: ArrayLike, tn: ArrayLike, *, beta: float = 1.0, prevalence: float | None = None
) -> pd.DataFrame:
    r"""Compute every measure of binary confusion tables.

    They are in the PA paper, sections 2.4, 3 and 4 (Prediction Advantage, balanced accuracy, kappa), the P4 article
    (P4, and its table of measures), the PRG paper, section 3.1 (the gains), and the tutorial (F-beta).

    Parameters
    ----------
    tp, fp, fn, tn : array-like of shape (n_tables,) or scalar
        True positives, false positives, false negatives and true negatives: counts, or sums of weights, of 0 or
        greater. A scalar stands for every table.
    beta : float in [0, inf], default=1.0
        Recall counts `beta` times as much as precision, in `f_beta` and `f_beta_gain`.
    prevalence : float in (0, 1), optional
        Share of positives at which to measure: recall and specificity stay, and the classes are weighted so that the
        positives have this share. By default each table's own.

    Returns
    -------
    pandas.DataFrame of shape (n_tables, {count})
        One row per table, in the order given, and one column per measure. With ``P = TP + FN``, ``N = FP +
        TN``, ``n = P + N`` and ``D = TP TN - FP FN``:

        {table}

        If a formula or a rate in it is 0/0, the result is NaN, without a warning: `prediction_advantage`,
        `informedness`, `balanced_accuracy` and the gains if a class is absent, and all columns at a given prevalence;
        `markedness` if a class is never predicted, `p4` if both TP and TN are 0. The ratios are inf if only the
        denominator is 0, and the gains are -inf if both classes are present and TP is 0.

    Raises
    ------
    ValueError
        If a count is negative, NaN, infinite, or other than 0 and not from 1e-70 to 1e70, the lengths differ, or
        `beta` is negative or NaN, or `prevalence` is not strictly between 0 and 1.

    Examples
    --------
    A test that finds 95 % of the ill and clears 95 % of the healthy, if one in 2,000 is ill, and if half are:

    >>> table = confusion_measures(tp=95, fp=9995, fn=5, tn=189905)
    >>> table[["accuracy", "p4", "prediction_advantage"]].round(3)
       accuracy     p4  prediction_advantage
    0      0.95  0.037                 -99.0
    >>> confusion_measures(tp=95, fp=9995, fn=5, tn=189905, prevalence=0.5)["precision"].round(3).item()
    0.95
    """
    return evaluate_measures(as_tables(tp, fp, fn, tn, beta=beta, prevalence=prevalence), MEASURES)


_TABLE_ROW = "{:25}  {:50}  {}".format
_TABLE_RULE = _TABLE_ROW("=" * 25, "=" * 50, "=" * 20)
_MEASURE_ROWS = [_TABLE_ROW(name, measure.definition, measure.range) for name, measure in MEASURES.items()]
_HEAD_ROW = _TABLE_ROW("column", "definition", "range")
_MEASURE_TABLE = "\n    ".join([_TABLE_RULE, _HEAD_ROW, _TABLE_RULE, *_MEASURE_ROWS, _TABLE_RULE])
_DOCSTRING = (inspect.getdoc(confusion_measures) or "").replace("{table}", _MEASURE_TABLE)
confusion_measures.__doc__ = _DOCSTRING.replace("{count}", str(len(MEASURES)))


def evaluate_measures(tables: ConfusionTables, names: Iterable[str]) -> pd.DataFrame:
    """Return a row for each table and a column for each measure."""
    names = list(names)
    values = np.empty((len(names), len(tables.tp)))
    # Allocating whole arrays for each formula would take three times as long as the arithmetic.
    for chunk in chunk_slices(len(tables.tp), length=CACHED_LENGTH):
        chunk_tables = tables.select(chunk) if len(tables.tp) > CACHED_LENGTH else tables
        for row, name in zip(values, names, strict=True):
            row[chunk] = CATALOGUE[name].values(chunk_tables)
    return pd.DataFrame(values.T, columns=names, copy=False)


def macro_average(tables: ArrayLike | pd.DataFrame, *, beta: float = 1.0) -> pd.Series:
    """Average the measures of several confusion tables, which all count the same, whatever their numbers of cases.

    F-beta is computed from the averaged precision and recall, as in the tutorial's section on precision, recall and F1.
    The mean of the tables' own F-beta, which others call macro-F, differs (Opitz and Burst 2019).

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
        The mean of each column of `confusion_measures` except F-beta. Each is in its measure's range, and NaN if the
        measure is NaN (0/0) for one of the tables.

    Raises
    ------
    ValueError
        If there is no table, the shape is wrong, or a count is negative, NaN, infinite, or other than 0 and not
        from 1e-60 to 1e60.

    Examples
    --------
    >>> macro_average([[8, 2, 0, 10], [1, 0, 3, 16]])[["precision", "recall", "f_beta"]].round(3).to_dict()
    {'precision': 0.9, 'recall': 0.625, 'f_beta': 0.738}
    """
    beta = check_beta(beta)  # the square of a NumPy integer wraps round
    average = confusion_measures(*_as_table_rows(tables).T, beta=beta).mean(skipna=False)
    precision, recall = average["precision"], average["recall"]
    share = 1 / (1 + beta * beta)
    if precision == recall == 0:
        average["f_beta"] = 0.0  # the harmonic mean of zeros, as for a single table without true positives
    else:
        average["f_beta"] = precision * recall / (share * recall + (1 - share) * precision)
    return average


def micro_average(tables: ArrayLike | pd.DataFrame, *, beta: float = 1.0) -> pd.Series:
    """Compute the measures of the summed confusion table, in which every case counts the same.

    The mean table has the same measures. The tutorial prints the formula of recall for micro-precision.

    Parameters
    ----------
    tables, beta
        As in `macro_average`, as are the errors.

    Returns
    -------
    pandas.Series
        One value for each column of `confusion_measures`, each in its measure's range; NaN for 0/0, +-inf for x/0.

    Examples
    --------
    >>> micro_average([[8, 2, 0, 10], [1, 0, 3, 16]])[["precision", "recall", "f_beta"]].round(3).to_dict()
    {'precision': 0.818, 'recall': 0.75, 'f_beta': 0.783}
    """
    return confusion_measures(*_as_table_rows(tables).sum(axis=0), beta=beta).iloc[0].rename(None)


def _as_table_rows(tables: Any) -> Floats:
    """Return the tables as an array of shape (n_tables, 4) with the columns TP, FP, FN and TN."""
    # A table of pandas has `columns`, a table of pyarrow `column_names`.
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
