"""One row of measures for several confusion tables: the mean of the measures, or the measures of the mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats
from nontrivial._validation import as_array, check_beta, check_magnitude
from nontrivial.measures.confusion import confusion_measures

CELLS = ["tp", "fp", "fn", "tn"]


def macro_average(tables: ArrayLike | pd.DataFrame, *, beta: float = 1.0) -> pd.Series:
    """Average the measures of several confusion tables.

    Every table counts the same, however many cases it holds.

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

    Notes
    -----
    The mean of the tables' own F-beta, which others call macro-F, is
    ``confusion_measures(...)["f_beta"].mean()``; the two differ (Opitz and Burst 2019).

    References
    ----------
    Tutorial, section on precision, recall and F1.

    Examples
    --------
    >>> macro_average([[8, 2, 0, 10], [1, 0, 3, 16]])[["precision", "recall", "f_beta"]].round(3).to_dict()
    {'precision': 0.9, 'recall': 0.625, 'f_beta': 0.738}
    """
    beta = check_beta(beta)  # the square of a NumPy integer wraps round
    measures = confusion_measures(*_as_cells(tables).T, beta=beta)
    average = measures.mean(skipna=False)
    precision, recall = average["precision"], average["recall"]
    share = 1 / (1 + beta * beta)
    if precision == recall == 0:
        average["f_beta"] = 0.0  # as of a single table without true positives: a harmonic mean of zeros is 0
    else:
        average["f_beta"] = precision * recall / (share * recall + (1 - share) * precision)
    return average


def micro_average(tables: ArrayLike | pd.DataFrame, *, beta: float = 1.0) -> pd.Series:
    """Compute the measures of the averaged confusion table.

    Every case counts the same. All measures depend on the proportions of the cells only, so that the averaged
    table and the summed one give the same.

    Parameters
    ----------
    tables, beta
        As in `macro_average`.

    Returns
    -------
    pandas.Series
        One value per column of `confusion_measures`, each in that measure's range. NaN where it is 0/0 for the
        averaged table, however many of the single tables it is defined for; +-inf where it is x/0.

    Raises
    ------
    ValueError
        As in `macro_average`.

    References
    ----------
    Tutorial, section on precision, recall and F1. The tutorial prints TP / (TP + FN) for micro-precision,
    which is recall; here it is TP / (TP + FP).

    Examples
    --------
    >>> micro_average([[8, 2, 0, 10], [1, 0, 3, 16]])[["precision", "recall", "f_beta"]].round(3).to_dict()
    {'precision': 0.818, 'recall': 0.75, 'f_beta': 0.783}
    """
    return confusion_measures(*_as_cells(tables).sum(axis=0), beta=beta).iloc[0].rename(None)


def _as_cells(tables: ArrayLike | pd.DataFrame) -> Floats:
    """Return rows of TP, FP, FN, TN."""
    frame: Any = tables
    names = getattr(frame, "column_names", getattr(frame, "columns", None))
    if names is None:
        array = as_array(tables, "tables")
    else:  # of pandas, or another library's
        missing = [cell for cell in CELLS if cell not in list(names)]
        if missing:
            raise ValueError(f"tables lacks the column {missing[0]}; it must have tp, fp, fn and tn.")
        array = np.column_stack([as_array(frame[cell], "tables") for cell in CELLS])
    try:
        cells = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError("tables must hold the four counts of each table and nothing else.") from None
    if cells.ndim == 3 and cells.shape[1:] == (2, 2):
        cells = cells.reshape(-1, 4)[:, [3, 1, 2, 0]]
    if cells.ndim != 2 or cells.shape[1] != 4 or len(cells) == 0:
        raise ValueError(f"tables has shape {cells.shape}; it must be (n_tables, 4) or (n_tables, 2, 2).")
    if not (cells >= 0).all() or np.isinf(cells).any():
        raise ValueError(
            "tables has negative, NaN or infinite counts; counts must be finite and 0 or greater."
        )
    check_magnitude(cells, "tables")
    return cells
