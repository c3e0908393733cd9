"""Measures of a confusion table as exact ratios of integers.

Every measure is a pair (numerator, denominator) of polynomials in the four cells, of degree two at most, with a
denominator that is never negative. So two measures compare by cross-multiplication, without rounding, for one
table of Python integers or fractions and for arrays of millions of tables alike. Where the denominator is 0 the
measure is 0/0 or infinite and compares with nothing.

The definitions: PA paper, Section 4 (prediction_advantage, cohen_kappa, f1, balanced_accuracy); PRG paper,
Section 3.1 (gains); P4 article (p4 and the rates).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Ratio = tuple[Any, Any]


@dataclass(eq=False)
class Table:
    """Four cells: integers, fractions, or integer arrays that broadcast against each other."""

    fp: Any
    tp: Any
    fn: Any
    tn: Any
    _ratios: dict[str, Ratio] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        self.positives = self.tp + self.fn
        self.negatives = self.fp + self.tn
        self.predicted_positives = self.tp + self.fp
        self.predicted_negatives = self.fn + self.tn
        self.errors = self.fp + self.fn
        self.n = self.positives + self.negatives

    def ratio(self, name: str) -> Ratio:
        """The measure of that name, computed once."""
        if name not in self._ratios:
            self._ratios[name] = RATIOS[name](self)
        return self._ratios[name]


def _smaller(x: Any, y: Any) -> Any:
    return np.minimum(x, y) if isinstance(x, np.ndarray) else min(x, y)


def _larger(x: Any, y: Any) -> Any:
    return x + y - _smaller(x, y)


def _prediction_advantage(t: Table) -> Ratio:
    trivial = _smaller(t.positives, t.negatives)
    return trivial - t.errors, trivial


def _cohen_kappa(t: Table) -> Ratio:
    chance_disagreement = t.predicted_positives * t.negatives + t.predicted_negatives * t.positives
    return 2 * (t.tp * t.tn - t.fp * t.fn), chance_disagreement


def _balanced_accuracy(t: Table) -> Ratio:
    return t.tp * t.negatives + t.tn * t.positives, 2 * t.positives * t.negatives


def _informedness(t: Table) -> Ratio:
    return t.tp * t.tn - t.fp * t.fn, t.positives * t.negatives


def _markedness(t: Table) -> Ratio:
    return t.tp * t.tn - t.fp * t.fn, t.predicted_positives * t.predicted_negatives


def _p4(t: Table) -> Ratio:
    return 4 * t.tp * t.tn, 4 * t.tp * t.tn + (t.tp + t.tn) * t.errors


def _goodman_kruskal_lambda(t: Table) -> Ratio:
    trivial = _smaller(t.positives, t.negatives)
    explained = _smaller(t.tp, t.fp) + _smaller(t.fn, t.tn)
    return trivial - explained, trivial


def _precision_gain(t: Table) -> Ratio:
    return t.tp * t.negatives - t.positives * t.fp, t.tp * t.negatives


def _recall_gain(t: Table) -> Ratio:
    return t.tp * t.negatives - t.positives * t.fn, t.tp * t.negatives


def _f1_gain(t: Table) -> Ratio:
    return 2 * t.tp * t.negatives - t.positives * t.errors, 2 * t.tp * t.negatives


RATIOS: dict[str, Callable[[Table], Ratio]] = {
    "fp": lambda t: (t.fp, 1),
    "tp": lambda t: (t.tp, 1),
    "fn": lambda t: (t.fn, 1),
    "tn": lambda t: (t.tn, 1),
    "positives": lambda t: (t.positives, 1),
    "negatives": lambda t: (t.negatives, 1),
    "predicted_positives": lambda t: (t.predicted_positives, 1),
    "predicted_negatives": lambda t: (t.predicted_negatives, 1),
    "errors": lambda t: (t.errors, 1),
    "n": lambda t: (t.n, 1),
    "accuracy": lambda t: (t.tp + t.tn, t.n),
    "error_rate": lambda t: (t.errors, t.n),
    "balanced_accuracy": _balanced_accuracy,
    "precision": lambda t: (t.tp, t.predicted_positives),
    "recall": lambda t: (t.tp, t.positives),
    "specificity": lambda t: (t.tn, t.negatives),
    "negative_predictive_value": lambda t: (t.tn, t.predicted_negatives),
    "false_positive_rate": lambda t: (t.fp, t.negatives),
    "false_negative_rate": lambda t: (t.fn, t.positives),
    "false_discovery_rate": lambda t: (t.fp, t.predicted_positives),
    "false_omission_rate": lambda t: (t.fn, t.predicted_negatives),
    "f1": lambda t: (2 * t.tp, 2 * t.tp + t.errors),
    "p4": _p4,
    "jaccard": lambda t: (t.tp, t.tp + t.errors),
    "informedness": _informedness,
    "markedness": _markedness,
    "prevalence": lambda t: (t.positives, t.n),
    "cohen_kappa": _cohen_kappa,
    "no_information_rate": lambda t: (_larger(t.positives, t.negatives), t.n),
    "goodman_kruskal_lambda": _goodman_kruskal_lambda,
    "prediction_advantage": _prediction_advantage,
    "precision_gain": _precision_gain,
    "recall_gain": _recall_gain,
    "f1_gain": _f1_gain,
}
