"""The documents' worked examples, recomputed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import pandas as pd

from nontrivial.measures.confusion import confusion_measures
from nontrivial.measures.published import published_advantage


def exam_table(examples: Iterable[Mapping[str, str]]) -> pd.DataFrame:
    """Recompute the exam and the intern's classifier (PA paper, Sections 1 and 5).

    Parameters
    ----------
    examples : iterable of mapping
        ``example, who, correct`` (decimal fraction), ``trivial`` (accuracy of the best constant guess, a fraction
        such as ``"1/3"``) and ``stated_advantage``.

    Returns
    -------
    DataFrame
        ``example, who, error, trivial_error, stated_advantage, advantage, exact``, the last as a fraction.

    Examples
    --------
    >>> alice = {"example": "exam", "who": "Alice", "correct": "0.60", "trivial": "1/4", "stated_advantage": "0.46"}
    >>> exam_table([alice])["exact"].item()
    '7/15'
    """
    rows = []
    for example in examples:
        error, trivial_error = 1 - Fraction(example["correct"]), 1 - Fraction(example["trivial"])
        exact = 1 - error / trivial_error
        rows.append(
            {
                "example": example["example"],
                "who": example["who"],
                "error": float(error),
                "trivial_error": float(trivial_error),
                "stated_advantage": example["stated_advantage"],
                "advantage": float(exact),
                "exact": str(exact),
            }
        )
    return pd.DataFrame(rows)


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


def haberman_table(published: Mapping[str, Any]) -> pd.DataFrame:
    """Recompute the Prediction Advantage of the published Haberman errors (PA paper, Appendix A).

    Parameters
    ----------
    published : mapping
        ``positives``, ``cases`` and ``errors``: mappings with ``source``, ``error`` as printed, ``bound``
        (``"equal"``, or ``"greater"`` where the error is only said to exceed the number) and ``stated_advantage``.

    Returns
    -------
    DataFrame
        ``source, error, bound, stated_advantage, advantage, low, high, sign_certain, possible``. The interval is the
        one that the printed digits leave. Of an error that is said to exceed a number, that number is an exact
        bound: the interval reaches from the advantage of a classifier that is always wrong to the bound's.
    """
    positives, cases = published["positives"], published["cases"]
    always_wrong = float(1 - 1 / Fraction(min(positives, cases - positives), cases))
    rows = []
    for entry in published["errors"]:
        record = published_advantage(error=entry["error"], positives=positives, n=cases)
        greater = entry["bound"] == "greater"
        rows.append(
            {
                **entry,
                "advantage": record.advantage,
                "low": always_wrong if greater else record.low,
                "high": record.advantage if greater else record.high,
                "sign_certain": record.advantage < 0 if greater else record.sign_certain,
                "possible": True if greater else record.possible,
            }
        )
    return pd.DataFrame(rows)
