"""The P4 article's four probabilities and its two examples, recomputed."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.measures.confusion import confusion_measures
from nontrivial_study.experiments.imbalance import rates as imbalance
from nontrivial_study.tables import measure_names, read_parquet

CONFUSION_CELLS = list(imbalance.CellArrays._fields)
PROBABILITIES = ("precision", "recall", "specificity", "negative_predictive_value")
MEASURE_TITLES = {"p4": "P4", "f_beta": "F1", "informedness": "Informedness", "markedness": "Markedness"}
PLANE_MEASURES = (*MEASURE_TITLES, "prediction_advantage")
# Noise of twice the share flips the whole minority. With half its step, the shares include these points.
PLANE_SHARES, PLANE_NOISES = np.linspace(0.005, 0.5, 100).round(6), np.linspace(0, 0.5, 51).round(6)
_MAX_PROBABILITY, _MAX_MEASURE = 0.01, 0.05


def dependency_table(stated: Mapping[str, Mapping[str, bool]], max_power: int = 6) -> pd.DataFrame:
    """Find the greatest value of each measure while one of the four probabilities is at most 0.01.

    The P4 article's table says on which probabilities a measure "depends", and that a measure misleads if a probability
    on which it does not depend approaches 0. Three probabilities fix the fourth, so they cannot vary one by one. The
    greatest value can be tested: a measure depends on a probability if it is at most 0.05.
    """
    counts = [0, *(10**power for power in range(max_power + 1))]
    cells = np.array(list(product(counts, repeat=4)), dtype=np.int64)
    cells = cells[cells.sum(axis=1) > 0]
    table = confusion_measures(*cells.T)
    rows = []
    for measure, title in MEASURE_TITLES.items():
        for probability in PROBABILITIES:
            values = table[measure].where(table[probability] <= _MAX_PROBABILITY).to_numpy()
            index = int(np.nanargmax(values))
            greatest = values[index]
            row = {"measure": title, "probability": probability, "greatest": greatest}
            row |= dict(zip(CONFUSION_CELLS, cells[index].tolist(), strict=True))
            rows.append(row | {"depends": greatest <= _MAX_MEASURE, "stated": stated[title][probability]})
    return pd.DataFrame(rows)


def plane_table(
    rates: imbalance.Rates | None, shares: Iterable[float] = PLANE_SHARES, noises: Iterable[float] = PLANE_NOISES
) -> pd.DataFrame:
    """Compute the measures of an unlimited test set over the imbalance-noise plane."""
    points = pd.DataFrame(list(product(shares, noises)), columns=["minority_share", "noise"])
    share, noise = points["minority_share"].to_numpy(), points["noise"].to_numpy()
    if rates is None:
        return points.reindex(columns=[*points, *PLANE_MEASURES]).iloc[:0]
    cells = np.stack(imbalance.expected_cells(rates, share, noise)).clip(0)
    values = confusion_measures(*cells)[list(PLANE_MEASURES)]
    values[noise / 2 > share + 1e-12] = np.nan
    return pd.concat([points, values], axis=1)


def p4_example_table(examples: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Compute every measure of the P4 article's two examples, at their exact rates."""
    rows = []
    for example in examples:
        cells = {name: float(count) for name, count in _exact_cells(example).items()}
        rows.append({"example": example["example"], **cells})
    return _add_measures(rows)


def integer_example_table(examples: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Compute the article's examples at the whole counts next to their exact rates (P4 article, Examples 1 and 2)."""
    rows = []
    for example in examples:
        exact = _exact_cells(example)
        row = {"example": example["example"], "exact_tp": float(exact["tp"]), "exact_tn": float(exact["tn"])}
        positives, negatives = int(exact["tp"] + exact["fn"]), int(exact["fp"] + exact["tn"])
        whole_counts = ([floor(exact[name]), ceil(exact[name])] for name in ("tp", "tn"))
        for tp, tn in dict.fromkeys(product(*whole_counts)):
            rows.append(row | {"tp": tp, "fp": negatives - tn, "fn": positives - tp, "tn": tn})
    return _add_measures(rows)


def _exact_cells(example: Mapping[str, Any]) -> dict[str, Fraction]:
    """Compute the confusion table from prevalence, recall and specificity; its counts may be fractions."""
    positives = Fraction(example["prevalence"]) * example["population"]
    negatives = example["population"] - positives
    tp, tn = positives * Fraction(example["recall"]), negatives * Fraction(example["specificity"])
    return {"tp": tp, "fp": negatives - tn, "fn": positives - tp, "tn": tn}


def _add_measures(rows: list[dict[str, Any]]) -> pd.DataFrame:
    table = pd.DataFrame(rows)
    return pd.concat([table, confusion_measures(**table[CONFUSION_CELLS])[measure_names()]], axis=1)


def calc_p4(predictions: str, task: str, model: str, published: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Recompute the article's examples, and compute its measures over imbalance and noise."""
    truth, prediction = imbalance.answers_of(read_parquet(predictions), task, model)
    return {
        "p4_examples": p4_example_table(published["p4_examples"]),
        "p4_examples_integer": integer_example_table(published["p4_examples"]),
        "p4_dependencies": dependency_table(published["p4_dependencies"]),
        "p4_plane": plane_table(imbalance.rates_of(truth, prediction) if len(truth) else None),
    }
