"""What claims name, in the terms of the solver z3: the measures of confusion tables, and numbers by name.

Cells are real numbers from 0 on, of which whole numbers are some: what no real table refutes no table does. The
definitions of the measures here are not those of `nontrivial.claims.tables`, by which whatever the solver refutes is
tried again.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping
from typing import Any

import z3

from nontrivial.claims.encoding import Ratio, ratio_of, whole
from nontrivial.claims.formulas import Formula, NotTables

_CELLS = ("fp", "tp", "fn", "tn")
_MEASURES = {
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
    "f1_gain": "1 - positives / negatives * (errors / (2 * tp))",
    "positive_likelihood_ratio": "recall / false_positive_rate",
    "negative_likelihood_ratio": "false_negative_rate / specificity",
    "diagnostic_odds_ratio": "tp * tn / (fp * fn)",
}
# Those with a square root, by their squares and what has their sign.
_ROOTS = {
    "matthews_corrcoef": (
        "(tp*tn - fp*fn)**2 / (positives * negatives * predicted_positives * predicted_negatives)",
        "tp*tn - fp*fn",
    ),
    "fowlkes_mallows": ("tp**2 / (positives * predicted_positives)", "tp"),
}


class TableSymbols:
    """One confusion table."""

    def __init__(self, fp: Any, tp: Any, fn: Any, tn: Any, *, signed: bool = True) -> None:
        self.free, self.signed = (fp, tp, fn, tn), signed
        self._twin: TableSymbols | None = None
        self.bounds = [cell >= 0 for cell in self.free]
        self._known = {name: whole(cell) for name, cell in zip(_CELLS, self.free, strict=True)}

    @classmethod
    def named(cls, ending: str = "", context: z3.Context | None = None) -> TableSymbols:
        """A table of new variables."""
        # In a context of its own, a question is answered alike whatever was asked of others before.
        context = context or z3.Context()
        return cls(*(z3.Real(name + ending, context) for name in _CELLS))

    def value(self, name: str) -> Ratio:
        """A measure or cell."""
        if name not in self._known:
            if name in _ROOTS:
                square, sign = (ratio_of(_tree(text), self) for text in _ROOTS[name])
                above = z3.If(sign.above >= 0, square.above, -square.above)
                self._known[name] = Ratio(above, square.below, square.defined, root=True)
            else:
                self._known[name] = ratio_of(_tree(_MEASURES[name]), self)
        return self._known[name]

    def exchanged(self, how: str) -> TableSymbols:
        """The table with classes, or truth and prediction, exchanged."""
        fp, tp, fn, tn = self.free
        cells = (fn, tn, fp, tp) if how == "swap" else (fn, tp, fp, tn)
        return TableSymbols(*cells, signed=self.signed)

    def with_signs(self, signed: bool) -> TableSymbols:
        """The same with denominators made positive, or left as they are."""
        if signed == self.signed:
            return self
        if self._twin is None:
            self._twin = TableSymbols(*self.free, signed=signed)
        return self._twin


class PairSymbols:
    """Two tables, whose names end in ``_1`` and ``_2``."""

    @classmethod
    def named(cls) -> PairSymbols:
        """Two tables of new variables."""
        context = z3.Context()
        return cls(TableSymbols.named("_1", context), TableSymbols.named("_2", context))

    def __init__(self, one: TableSymbols, other: TableSymbols) -> None:
        self.tables = {"1": one, "2": other}
        self.free, self.signed = one.free + other.free, one.signed
        self.bounds = one.bounds + other.bounds

    def value(self, name: str) -> Ratio:
        """A measure of the table that the name's end tells."""
        measure, _, which = name.rpartition("_")
        return self.tables[which].value(measure)

    def exchanged(self, how: str) -> PairSymbols:
        """Both exchanged."""
        return PairSymbols(*(table.exchanged(how) for table in self.tables.values()))

    def with_signs(self, signed: bool) -> PairSymbols:
        """The same with denominators made positive, or left as they are."""
        if signed == self.signed:
            return self
        return PairSymbols(*(table.with_signs(signed) for table in self.tables.values()))


class NumberSymbols(NotTables):
    """Numbers by name, and what is defined from them.

    Parameters
    ----------
    ranges : mapping of str to range
    define : mapping of str to Formula
    bounded : bool
        Whether the numbers stay within their ranges; otherwise they are from 0 on, or positive where 0 is not in the
        range.
    """

    def __init__(
        self,
        ranges: Mapping[str, range],
        define: Mapping[str, Formula],
        *,
        bounded: bool = False,
        signed: bool = True,
        context: z3.Context | None = None,
    ) -> None:
        self._made_of, self._bounded, self.signed = (ranges, define), bounded, signed
        self._twin: NumberSymbols | None = None
        context = context or z3.Context()
        self.free = tuple(z3.Real(name, context) for name in ranges)
        self.bounds = []
        for number, axis in zip(self.free, ranges.values(), strict=True):
            if bounded:
                self.bounds += [number >= axis[0], number <= axis[-1]]
            else:
                self.bounds.append(number > 0 if axis[0] > 0 else number >= 0)
        self._define = define
        self._known = {name: whole(number) for name, number in zip(ranges, self.free, strict=True)}

    def value(self, name: str) -> Ratio:
        """A number, or what is defined."""
        if name not in self._known:
            self._known[name] = ratio_of(self._define[name].tree, self)
        return self._known[name]

    def with_signs(self, signed: bool) -> NumberSymbols:
        """The same with denominators made positive, or left as they are."""
        if signed == self.signed:
            return self
        if self._twin is None:
            options = {"bounded": self._bounded, "signed": signed, "context": self.free[0].ctx}
            self._twin = NumberSymbols(*self._made_of, **options)
        return self._twin


@functools.cache
def _tree(text: str) -> ast.expr:
    return Formula.number(text).tree
