"""The P4 article's four probabilities and its two examples, recomputed."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product
from math import ceil, floor
from typing import Any

import numpy as np
import pandas as pd

from nontrivial.measures.confusion import confusion_measures
from nontrivial_study.experiments.imbalance.rates import Rates, answers_of, expected_cells, rates_of
from nontrivial_study.tables import measure_names, read_parquet

PROBABILITIES = ("precision", "recall", "specificity", "negative_predictive_value")
MEASURES = {"P4": "p4", "F1": "f_beta", "Informedness": "informedness", "Markedness": "markedness"}
PLANE = (*MEASURES.values(), "prediction_advantage")
CELLS = ("tp", "fp", "fn", "tn")
# Half as far apart as the noises: so the points reach to where noise flips the whole minority.
SHARES, NOISES = np.linspace(0.005, 0.5, 100).round(6), np.linspace(0, 0.5, 51).round(6)
_SMALL, _NOTICED = 0.01, 0.05


def dependency_table(stated: Mapping[str, Mapping[str, bool]], powers: int = 6) -> pd.DataFrame:
    """Find out which of the four probabilities a measure notices when it is near 0.

    The P4 article's table says on which probabilities a measure "depends", and that a measure misleads when one on
    which it does not depend approaches 0. The four are tied to each other, three of them fix the fourth, so that the
    latter is what can be tested: how great can the measure be while the probability is at most 0.01?
    """
    values = [0, *(10**power for power in range(powers + 1))]
    cells = np.array(list(product(values, repeat=4)), dtype=np.int64)
    cells = cells[cells.sum(axis=1) > 0]
    table = confusion_measures(*cells.T)
    rows = []
    for name, column in MEASURES.items():
        for probability in PROBABILITIES:
            near = np.flatnonzero((table[probability] <= _SMALL) & table[column].notna())
            place = int(near[table[column].to_numpy()[near].argmax()])
            greatest = table[column].to_numpy()[place]
            front = {"measure": name, "probability": probability, "greatest": greatest}
            attained = dict(zip(CELLS, cells[place].tolist(), strict=True))
            verdict = {"depends": bool(greatest <= _NOTICED), "stated": stated[name][probability]}
            rows.append(front | attained | verdict)
    return pd.DataFrame(rows)


def plane_table(
    rates: Rates | None, shares: Iterable[float] = SHARES, noises: Iterable[float] = NOISES
) -> pd.DataFrame:
    """Compute the measures of an unlimited test set over the imbalance-noise plane."""
    points = pd.DataFrame(list(product(shares, noises)), columns=["minority_share", "noise"])
    share, noise = points["minority_share"].to_numpy(), points["noise"].to_numpy()
    if rates is None:
        return points.reindex(columns=[*points, *PLANE]).iloc[:0]
    cells = np.stack(expected_cells(rates, share, noise)).clip(0)
    values = confusion_measures(*cells)[list(PLANE)]
    values[noise / 2 > share + 1e-12] = np.nan
    return pd.concat([points, values], axis=1)


def p4_example_table(examples: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Compute every measure of the P4 article's two examples, at their exact rates."""
    rows = []
    for example in examples:
        cells = _cells(*_exact_counts(example))
        rows.append({"example": example["example"]} | {name: float(count) for name, count in cells.items()})
    return _with_measures(rows)


def integer_example_table(examples: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    """Compute the article's examples at the whole counts next to their exact rates (P4 article, Examples 1 and 2)."""
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
    return pd.concat([table, confusion_measures(**table[list(CELLS)])[measure_names()]], axis=1)


def calc_p4(predictions: str, task: str, model: str, published: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """Recompute the article's examples, and trace its measures over imbalance and noise."""
    truth, prediction = answers_of(read_parquet(predictions), task, model)
    return {
        "p4_examples": p4_example_table(published["p4_examples"]),
        "p4_examples_integer": integer_example_table(published["p4_examples"]),
        "p4_dependencies": dependency_table(published["p4_dependencies"]),
        "p4_plane": plane_table(rates_of(truth, prediction) if len(truth) else None),
    }
