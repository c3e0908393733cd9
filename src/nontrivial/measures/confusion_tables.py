"""Counts of binary confusion tables, checked, with their margins and what is computed from those."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._validation import as_array, check_beta, check_magnitude, check_prevalence


@dataclass(frozen=True)
class Tables:
    """Confusion tables as four float64 arrays, with their margins.

    Floats, because integer products wrap round: at counts of 1e12 the product of two is 1e24.
    """

    tp: Floats
    fp: Floats
    fn: Floats
    tn: Floats
    beta: float = field(default=1.0, kw_only=True)

    @cached_property
    def positives(self) -> Floats:
        return self.tp + self.fn

    @cached_property
    def negatives(self) -> Floats:
        return self.fp + self.tn

    @cached_property
    def predicted_positives(self) -> Floats:
        return self.tp + self.fp

    @cached_property
    def predicted_negatives(self) -> Floats:
        return self.fn + self.tn

    @cached_property
    def total(self) -> Floats:
        return self.positives + self.negatives

    @cached_property
    def minority(self) -> Floats:
        """Cases of the rarer class; NaN where there is only one class, so that what is measured by it is too."""
        return np.where(self.one_class, np.nan, np.minimum(self.positives, self.negatives))

    @cached_property
    def one_class(self) -> Mask:
        return np.asarray((self.positives == 0) | (self.negatives == 0))

    @cached_property
    def errors(self) -> Floats:
        return self.fp + self.fn

    @cached_property
    def hits(self) -> Floats:
        return self.tp + self.tn

    @cached_property
    def precision(self) -> Floats:
        return self.tp / self.predicted_positives

    @cached_property
    def recall(self) -> Floats:
        return self.tp / self.positives

    @cached_property
    def specificity(self) -> Floats:
        return self.tn / self.negatives

    @cached_property
    def false_positive_rate(self) -> Floats:
        return self.fp / self.negatives

    @cached_property
    def class_product(self) -> Floats:
        return self.positives * self.negatives

    @cached_property
    def prediction_product(self) -> Floats:
        return self.predicted_positives * self.predicted_negatives

    @cached_property
    def determinant(self) -> Floats:
        """TP TN - FP FN: positive where truth and prediction go together, 0 where they are independent."""
        return self._difference(self.tp, self.tn, self.fp, self.fn)

    @cached_property
    def precision_share(self) -> float:
        """The weight 1 / (1 + beta^2) of precision in F-beta; it is 0 for an infinite beta."""
        return 1.0 / (1.0 + self.beta * self.beta)

    @cached_property
    def f_errors(self) -> Floats:
        """False positives and false negatives, weighted as F-beta weights them."""
        return self.precision_share * self.fp + (1.0 - self.precision_share) * self.fn

    @cached_property
    def _gain_unit(self) -> Floats:
        return self.negatives * self.tp

    @cached_property
    def _no_gain(self) -> Ints:
        return np.flatnonzero((self.tp == 0) | self.one_class)

    def gain(self, errors: Floats) -> Floats:
        """1 - (P / N) errors / TP, the scale on which the prevalence is 0 and perfection is 1."""
        gain = self._difference(self.negatives, self.tp, self.positives, errors) / self._gain_unit
        gain[self._no_gain] = np.where(self.one_class[self._no_gain], np.nan, -np.inf)
        return gain

    def _difference(self, a: Floats, b: Floats, c: Floats, d: Floats) -> Floats:
        """Return a b - c d, to the last digits even where the products nearly cancel."""
        left, right = a * b, c * d
        difference = left - right
        if self._products_round:
            difference += _rounding_error(a, b, left) - _rounding_error(c, d, right)
        return difference

    @cached_property
    def _products_round(self) -> bool:
        """Whether products of whole counts may need more than the 53 bits of a float."""
        return bool(self.total.max(initial=0) >= 2**26)


def as_tables(
    tp: ArrayLike,
    fp: ArrayLike,
    fn: ArrayLike,
    tn: ArrayLike,
    *,
    beta: float = 1.0,
    prevalence: float | None = None,
) -> Tables:
    """Check counts and bring them to four float64 arrays of one length, weighted for a given share of positives."""
    beta = check_beta(beta)
    counts = {
        name: _as_counts(cells, name) for name, cells in {"tp": tp, "fp": fp, "fn": fn, "tn": tn}.items()
    }
    lengths = {len(cells) for cells in counts.values()} - {1}
    if len(lengths) > 1:
        found = ", ".join(f"{name} has {len(cells)}" for name, cells in counts.items())
        raise ValueError(f"The lengths of the counts differ: {found}; they must be the same, or 1.")
    tables = Tables(*np.broadcast_arrays(*counts.values()), beta=beta)
    return tables if prevalence is None else _at_prevalence(tables, prevalence)


def _at_prevalence(tables: Tables, prevalence: float) -> Tables:
    """Weight the classes so that the positives have the share `prevalence`; NaN where a class is absent."""
    share = check_prevalence(prevalence)
    with np.errstate(divide="ignore", invalid="ignore"):
        positive = share * tables.total / tables.positives
        negative = (1 - share) * tables.total / tables.negatives
        cells = (tables.tp * positive, tables.fp * negative, tables.fn * positive, tables.tn * negative)
    absent = tables.one_class
    return Tables(*(np.where(absent, np.nan, cell) for cell in cells), beta=tables.beta)


def _as_counts(cells: ArrayLike, name: str) -> Floats:
    counts = np.atleast_1d(as_array(cells, name))
    try:
        if counts.dtype.kind == "c":
            raise TypeError  # NumPy would drop the imaginary part
        counts = counts.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{name} holds something that is not a number; counts are needed.") from None
    if counts.ndim != 1:
        raise ValueError(f"{name} has {counts.ndim} dimensions; it must have one count per table.")
    if not np.isfinite(counts).all():
        raise ValueError(f"{name} has NaN or infinite values; counts must be finite.")
    if (counts < 0).any():
        raise ValueError(f"{name} has negative values; counts must be 0 or greater.")
    check_magnitude(counts, name, 1e-70, 1e70)
    return counts


def _rounding_error(a: Floats, b: Floats, product: Floats) -> Floats:
    """Return what a b lost when it was rounded to `product`, exactly (Dekker 1971)."""
    a_high, a_low = _halves(a)
    b_high, b_low = _halves(b)
    return ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


def _halves(a: Floats) -> tuple[Floats, Floats]:
    """Split into two numbers of 26 bits each, whose products are exact."""
    shifted = a * 134217729.0  # 2**27 + 1
    high = shifted - (shifted - a)
    return high, a - high
