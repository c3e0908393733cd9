"""The P4 article's two examples, recomputed: at their exact rates, and at the whole counts next to these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import pandas as pd

from nontrivial.measures.confusion import confusion_measures


def p4_example_table(examples: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Compute every measure of the P4 article's two examples, at their exact rates.

    Parameters
    ----------
    examples : iterable of mapping
        ``example, population, prevalence, recall, specificity``; the rates are decimal fractions.

    Returns
    -------
    DataFrame
        ``example, tp, fp, fn, tn`` (counts need not be whole at exact rates) and every confusion measure.
    """
    rows = []
    for example in examples:
        cells = _cells(*_exact_counts(example))
        rows.append({"example": example["example"]} | {name: float(count) for name, count in cells.items()})
    return _with_measures(rows)


def integer_example_table(examples: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Compute the article's examples at the whole counts next to their exact rates.

    Parameters
    ----------
    examples : iterable of mapping
        As for `p4_example_table`.

    Returns
    -------
    DataFrame
        A row for each way to round the true positives and the true negatives: ``example, exact_tp, exact_tn, tp, fp,
        fn, tn`` and every confusion measure. One row for an example whose counts are whole.

    References
    ----------
    P4 article, Examples 1 and 2.
    """
    rows = []
    for example in examples:
        positives, negatives, tp, tn = _exact_counts(example)
        front = {"example": example["example"], "exact_tp": float(tp), "exact_tn": float(tn)}
        for whole_tp, whole_tn in product(sorted({floor(tp), ceil(tp)}), sorted({floor(tn), ceil(tn)})):
            rows.append(front | _cells(int(positives), int(negatives), whole_tp, whole_tn))
    return _with_measures(rows)


def _exact_counts(example: Mapping[str, Any]) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Return positives, negatives, true positives and true negatives."""
    positives = Fraction(example["prevalence"]) * example["population"]
    negatives = example["population"] - positives
    tp, tn = positives * Fraction(example["recall"]), negatives * Fraction(example["specificity"])
    return positives, negatives, tp, tn


def _cells(positives: Any, negatives: Any, tp: Any, tn: Any) -> dict[str, Any]:
    return {"tp": tp, "fp": negatives - tn, "fn": positives - tp, "tn": tn}


def _with_measures(rows: list[dict[str, Any]]) -> pd.DataFrame:
    table = pd.DataFrame(rows)
    return pd.concat([table, confusion_measures(**table[["tp", "fp", "fn", "tn"]])], axis=1)
