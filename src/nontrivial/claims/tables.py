"""Measures of confusion tables as exact ratios.

Every measure is a pair (numerator, denominator) of polynomials in the four cells, with a denominator that is never
negative, or a square root of such a ratio. So two measures compare by cross-multiplication, without rounding. Where
the denominator is 0 the measure is 0/0 or infinite and compares with nothing. The solver has definitions of its own,
so that neither repeats a slip of the other.

The definitions: PA paper, Section 4 (prediction_advantage, cohen_kappa, f1, balanced_accuracy); PRG paper,
Section 3.1 (gains); P4 article (p4, the rates and the measures of its table).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
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

    def value(self, name: str) -> Value:
        """The measure or cell of that name, computed once; ValueError for an unknown one."""
        if name not in self._values:
            check_names([name])
            is_root = name in ROOTS
            self._values[name] = Value(*(ROOTS if is_root else RATIOS)[name](self), is_root=is_root)
        return self._values[name]

    def exchanged(self, how: str) -> Table:
        """The table with the classes ("swap"), or with truth and prediction ("transpose"), exchanged."""
        if how == "swap":
            return Table(fp=self.fn, tp=self.tn, fn=self.fp, tn=self.tp)
        return Table(fp=self.fn, tp=self.tp, fn=self.fp, tn=self.tn)


def check_names(names: Iterable[str]) -> None:
    """Raise ValueError, naming what is known, if one of `names` is no measure or cell."""
    for name in names:
        if name not in RATIOS and name not in ROOTS:
            raise ValueError(
                f"{name!r} is not a known measure of a confusion table; known: {', '.join([*RATIOS, *ROOTS])}."
            )


def value_of(name: str, table: Sequence[Any]) -> Fraction | None:
    """The exact value of a measure at (FP, TP, FN, TN), or None where it is 0/0 or infinite.

    The cells may be fractions: a table of rates or of expected counts. Of a square root, the signed square is given.

    Examples
    --------
    >>> value_of("f1", (1, 1, 0, 0)), value_of("precision", (0, 0, 1, 2))
    (Fraction(2, 3), None)
    """
    return Table(*table).value(name).fractions()[0]


def _prediction_advantage(t: Table) -> Ratio:
    trivial = np.minimum(t.positives, t.negatives)
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


def _matthews_corrcoef(t: Table) -> Ratio:
    association = t.tp * t.tn - t.fp * t.fn
    return association * abs(association), (
        t.positives * t.negatives * t.predicted_positives * t.predicted_negatives
    )


def _chance_agreement(t: Table) -> Ratio:
    return t.predicted_positives * t.positives + t.predicted_negatives * t.negatives, t.n * t.n


def _p4(t: Table) -> Ratio:
    return 4 * t.tp * t.tn, 4 * t.tp * t.tn + (t.tp + t.tn) * t.errors


def _goodman_kruskal_lambda(t: Table) -> Ratio:
    trivial = np.minimum(t.positives, t.negatives)
    explained = np.minimum(t.tp, t.fp) + np.minimum(t.fn, t.tn)
    return trivial - explained, trivial


def _precision_gain(t: Table) -> Ratio:
    return t.tp * t.negatives - t.positives * t.fp, t.tp * t.negatives


def _recall_gain(t: Table) -> Ratio:
    return t.tp * t.negatives - t.positives * t.fn, t.tp * t.negatives


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
    "no_information_rate": lambda t: (np.maximum(t.positives, t.negatives), t.n),
    "goodman_kruskal_lambda": _goodman_kruskal_lambda,
    "prediction_advantage": _prediction_advantage,
    "precision_gain": _precision_gain,
    "recall_gain": _recall_gain,
    "chance_agreement": _chance_agreement,
    "positive_likelihood_ratio": lambda t: (t.tp * t.negatives, t.fp * t.positives),
    "negative_likelihood_ratio": lambda t: (t.fn * t.negatives, t.tn * t.positives),
    "diagnostic_odds_ratio": lambda t: (t.tp * t.tn, t.fp * t.fn),
}
# The signed squares, x |x|, of measures with a square root.
ROOTS: dict[str, Callable[[Table], Ratio]] = {
    "matthews_corrcoef": _matthews_corrcoef,
    "fowlkes_mallows": lambda t: (t.tp * t.tp, t.predicted_positives * t.positives),
}
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
    "false_discovery_rate": "fp / predicted_positives",
    "false_omission_rate": "fn / predicted_negatives",
    "prevalence": "positives / n",
    "balanced_accuracy": "(recall + specificity) / 2",
    "informedness": "recall + specificity - 1",
    "markedness": "precision + negative_predictive_value - 1",
    "f1": "2 * tp / (positives + predicted_positives)",
    "jaccard": "tp / (tp + errors)",
    "p4": "4 * tp * tn / (4 * tp * tn + (tp + tn) * (fp + fn))",
    "chance_agreement": "(predicted_positives * positives + predicted_negatives * negatives) / n**2",
    "cohen_kappa": "(accuracy - chance_agreement) / (1 - chance_agreement)",
    "no_information_rate": "max(positives, negatives) / n",
    "prediction_advantage": "1 - errors / min(positives, negatives)",
    "goodman_kruskal_lambda": "1 - (min(tp, fp) + min(fn, tn)) / min(positives, negatives)",
    "precision_gain": "1 - positives / negatives * (fp / tp)",
    "recall_gain": "1 - positives / negatives * (fn / tp)",
    "positive_likelihood_ratio": "recall / false_positive_rate",
    "negative_likelihood_ratio": "false_negative_rate / specificity",
    "diagnostic_odds_ratio": "tp * tn / (fp * fn)",
    "matthews_corrcoef": "(tp*tn - fp*fn) * abs(tp*tn - fp*fn) / "
    "(positives * negatives * predicted_positives * predicted_negatives)",
    "fowlkes_mallows": "tp**2 / (positives * predicted_positives)",
}
