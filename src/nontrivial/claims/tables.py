"""Measures of confusion tables, as definitions in counts and rates for the solver, as ratios for exact arithmetic.

The ratios are those by which published numbers are judged, so that neither side repeats a slip of the other.
Where a denominator is 0 a measure is 0/0 or infinite: it has no value. Of a measure with a square root the definition
gives the signed square, x |x|.

The definitions: PA paper, Section 4 (prediction_advantage, cohen_kappa, f1, balanced_accuracy); PRG paper,
Section 3.1 (gains); P4 article (p4, the rates and the measures of its table).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from nontrivial.claims.formulas import Formula, NamedNumbers
from nontrivial.claims.values import Value
from nontrivial.measures.published.tables import FALLING, RISING, Cells
from nontrivial.measures.published.tables import ROOTS as RATIOS_UNDER_ROOTS

CELLS = ("fp", "tp", "fn", "tn")
ROOTS = ("matthews_corrcoef", "fowlkes_mallows")  # with a square root
_DEFINITIONS = {
    "positives": "tp + fn",
    "negatives": "fp + tn",
    "predicted_positives": "tp + fp",
    "predicted_negatives": "fn + tn",
    "errors": "fp + fn",
    "n": "tp + fp + fn + tn",
    "accuracy": "(tp + tn) / n",
    "error_rate": "errors / n",
    "precision": "tp / predicted_positives",
    "recall": "tp / positives",
    "specificity": "tn / negatives",
    "negative_predictive_value": "tn / predicted_negatives",
    "false_positive_rate": "fp / negatives",
    "false_negative_rate": "fn / positives",
    "prevalence": "positives / n",
    "balanced_accuracy": "(recall + specificity) / 2",
    "informedness": "recall + specificity - 1",
    "markedness": "precision + negative_predictive_value - 1",
    "f_beta": "2 * tp / (positives + predicted_positives)",
    "f1": "f_beta",
    "jaccard": "tp / (tp + errors)",
    "p4": "4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn))",
    "chance_agreement": "(predicted_positives * positives + predicted_negatives * negatives) / n**2",
    "cohen_kappa": "1 - errors * n / (predicted_positives * negatives + predicted_negatives * positives)",
    "no_information_rate": "max(positives, negatives) / n",
    "prediction_advantage": "1 - errors / min(positives, negatives)",
    "goodman_kruskal_lambda": "1 - (min(tp, fp) + min(fn, tn)) / min(positives, negatives)",
    "precision_gain": "1 - positives / negatives * (fp / tp)",
    "recall_gain": "1 - positives / negatives * (fn / tp)",
    "matthews_corrcoef": "(tp*tn - fp*fn) * abs(tp*tn - fp*fn) / "
    "(positives * negatives * predicted_positives * predicted_negatives)",
    "fowlkes_mallows": "tp**2 / (positives * predicted_positives)",
}
MEASURES = {name: Formula.number(text) for name, text in _DEFINITIONS.items()}


class _Cells(Cells):
    """The cells of many tables, each with a minority of its own."""

    @property
    def minority(self) -> Any:
        return np.minimum(self.positives, self.negatives)

    @property
    def majority(self) -> Any:
        return np.maximum(self.positives, self.negatives)


# Each measure is (a - b) / c; of a square root, the terms are those of its signed square but for a - b.
_RATIOS = RISING | FALLING | RATIOS_UNDER_ROOTS
_RATIOS["goodman_kruskal_lambda"] = lambda t: (
    t.minority,
    np.minimum(t.tp, t.fp) + np.minimum(t.fn, t.tn),
    t.minority,
)


class Table(NamedNumbers):
    """A confusion table, or many at once, by FP, TP, FN and TN."""

    def __init__(self, *cells: Any, arithmetic: Any = Value) -> None:
        self.cells = cells
        super().__init__(dict(zip(CELLS, map(arithmetic, cells), strict=True)), MEASURES, arithmetic)

    def value(self, name: str) -> Any:
        if self.arithmetic is Value and name in MEASURES.keys() & _RATIOS.keys() and name not in self._known:
            self._known[name] = self._ratio(name)
        return replace(super().value(name), is_root=name in ROOTS)

    def _ratio(self, name: str) -> Value:
        fp, tp, fn, tn = self.cells
        a, b, c = _RATIOS[name](_Cells(tp, tn, tp + fn, fp + tn))
        return Value((a - b) * abs(a - b) if name in ROOTS else a - b, c)

    def exchanged(self, how: str) -> Table:
        fp, tp, fn, tn = self.cells
        cells = (fn, tn, fp, tp) if how == "swap" else (fn, tp, fp, tn)
        return Table(*cells, arithmetic=self.arithmetic)
