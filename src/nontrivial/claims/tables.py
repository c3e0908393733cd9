"""Measures of confusion tables as exact ratios.

Every measure is a pair (numerator, denominator) of polynomials in the four cells, with a denominator that is never
negative, or a square root of such a ratio. So two measures compare by cross-multiplication, without rounding. Where
the denominator is 0 the measure is 0/0 or infinite and compares with nothing. The solver has definitions of its own,
so that neither repeats a slip of the other.

The definitions: PA paper, Section 4 (prediction_advantage, cohen_kappa, f1, balanced_accuracy); PRG paper,
Section 3.1 (gains); P4 article (p4, the rates and the measures of its table).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nontrivial.claims.formulas import Cases
from nontrivial.claims.values import Value

Ratio = tuple[Any, Any]
CELLS = ("fp", "tp", "fn", "tn")


@dataclass(eq=False)
class Table(Cases):
    """The four cells of one table, or of many in arrays; integers or fractions."""

    fp: Any
    tp: Any
    fn: Any
    tn: Any
    _values: dict[str, Value] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.positives = self.tp + self.fn
        self.negatives = self.fp + self.tn
        self.predicted_positives = self.tp + self.fp
        self.predicted_negatives = self.fn + self.tn
        self.errors = self.fp + self.fn
        self.n = self.positives + self.negatives
        self.trivial = np.minimum(self.positives, self.negatives)  # errors of the best constant
        self.association = self.tp * self.tn - self.fp * self.fn

    def value(self, name: str) -> Value:
        """The measure or cell of that name, computed once; ValueError for an unknown one."""
        if name not in self._values:
            if name not in MEASURES:
                raise ValueError(f"{name!r} is no measure of a confusion table.")
            self._values[name] = Value(*MEASURES[name](self), is_root=name in ROOTS)
        return self._values[name]

    def exchanged(self, how: str) -> Table:
        """The table with the classes ("swap"), or with truth and prediction ("transpose"), exchanged."""
        if how == "swap":
            return Table(fp=self.fn, tp=self.tn, fn=self.fp, tn=self.tp)
        return Table(fp=self.fn, tp=self.tp, fn=self.fp, tn=self.tn)


def _count(name: str) -> Callable[[Table], Ratio]:
    return lambda table: (getattr(table, name), 1)


_COUNTS = (*CELLS, "positives", "negatives", "predicted_positives", "predicted_negatives", "errors", "n")
MEASURES: dict[str, Callable[[Table], Ratio]] = {name: _count(name) for name in _COUNTS}
MEASURES |= {
    "accuracy": lambda t: (t.tp + t.tn, t.n),
    "error_rate": lambda t: (t.errors, t.n),
    "balanced_accuracy": lambda t: (t.tp * t.negatives + t.tn * t.positives, 2 * t.positives * t.negatives),
    "precision": lambda t: (t.tp, t.predicted_positives),
    "recall": lambda t: (t.tp, t.positives),
    "specificity": lambda t: (t.tn, t.negatives),
    "negative_predictive_value": lambda t: (t.tn, t.predicted_negatives),
    "false_positive_rate": lambda t: (t.fp, t.negatives),
    "false_negative_rate": lambda t: (t.fn, t.positives),
    "f1": lambda t: (2 * t.tp, 2 * t.tp + t.errors),
    "p4": lambda t: (4 * t.tp * t.tn, 4 * t.tp * t.tn + (t.tp + t.tn) * t.errors),
    "jaccard": lambda t: (t.tp, t.tp + t.errors),
    "informedness": lambda t: (t.association, t.positives * t.negatives),
    "markedness": lambda t: (t.association, t.predicted_positives * t.predicted_negatives),
    "prevalence": lambda t: (t.positives, t.n),
    "cohen_kappa": lambda t: (
        2 * t.association,
        t.predicted_positives * t.negatives + t.predicted_negatives * t.positives,
    ),
    "no_information_rate": lambda t: (np.maximum(t.positives, t.negatives), t.n),
    "goodman_kruskal_lambda": lambda t: (
        t.trivial - np.minimum(t.tp, t.fp) - np.minimum(t.fn, t.tn),
        t.trivial,
    ),
    "prediction_advantage": lambda t: (t.trivial - t.errors, t.trivial),
    "precision_gain": lambda t: (t.tp * t.negatives - t.positives * t.fp, t.tp * t.negatives),
    "recall_gain": lambda t: (t.tp * t.negatives - t.positives * t.fn, t.tp * t.negatives),
    "chance_agreement": lambda t: (
        t.predicted_positives * t.positives + t.predicted_negatives * t.negatives,
        t.n * t.n,
    ),
    "matthews_corrcoef": lambda t: (
        t.association * abs(t.association),
        t.positives * t.negatives * t.predicted_positives * t.predicted_negatives,
    ),
    "fowlkes_mallows": lambda t: (t.tp * t.tp, t.predicted_positives * t.positives),
}
ROOTS = ("matthews_corrcoef", "fowlkes_mallows")  # of which the signed square, x |x|, is given
# The same once more, by their definitions in rates: what the solver reads.
FORMULAS = {
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
    "f1": "2 * tp / (positives + predicted_positives)",
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
