"""The P4 article's two examples, recomputed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
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
    counts = []
    for example in examples:
        positives = Fraction(example["prevalence"]) * example["population"]
        negatives = example["population"] - positives
        tp, tn = positives * Fraction(example["recall"]), negatives * Fraction(example["specificity"])
        counts.append(
            {"tp": float(tp), "fp": float(negatives - tn), "fn": float(positives - tp), "tn": float(tn)}
        )
    tables = pd.DataFrame(counts)
    names = pd.Series([example["example"] for example in examples], name="example")
    return pd.concat([names, tables, confusion_measures(**tables)], axis=1)
