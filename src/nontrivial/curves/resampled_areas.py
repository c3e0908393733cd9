"""The areas of one ranking under many sets of weights at once: the formulas of single rankings, a row for each set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from nontrivial._arrays import Floats
from nontrivial.curves.areas import artanh_excess


@dataclass(frozen=True, eq=False)
class WeightedRises:
    """Rises as in `Rises`, whose tables differ from row to row.

    Attributes
    ----------
    gained : ndarray of shape (n_rows, n_rises)
        True positives gained on each rise; where it is 0 the rise counts for nothing.
    fp_start, fp_end : ndarray of shape (n_rows, n_rises)
    negatives : ndarray of shape (n_rows, 1)
    """

    gained: Floats
    fp_start: Floats
    fp_end: Floats
    negatives: Floats

    @cached_property
    def tp_end(self) -> Floats:
        return np.cumsum(self.gained, axis=1)

    @cached_property
    def tp_start(self) -> Floats:
        return self.tp_end - self.gained

    @property
    def positives(self) -> Floats:
        return self.tp_end[:, -1:]

    def mean(self, values: Floats) -> Floats:
        """Return the mean over the positives."""
        weighted = np.where(self.gained > 0, self.gained * values, 0.0)
        return np.asarray(weighted.sum(axis=1) / self.positives[:, 0])


def resampled_areas(rises: WeightedRises) -> dict[str, Floats]:
    """Return the areas that `curve_areas` names, but that of the cost curve; one value for each row."""
    with np.errstate(divide="ignore", invalid="ignore"):
        gain, expected = _gain_areas(rises)
        return {
            "roc_auc": rises.mean(1 - (rises.fp_start + rises.fp_end) / (2 * rises.negatives)),
            "average_precision": rises.mean(rises.tp_end / (rises.tp_end + rises.fp_end)),
            "pr_auc": rises.mean(_hyperbolic(rises)),
            "prg_auc": gain,
            "expected_f1_gain": expected,
        }


def _hyperbolic(rises: WeightedRises) -> Floats:
    before, after = rises.tp_start + rises.fp_start, rises.tp_end + rises.fp_end
    middle = (rises.tp_start + rises.tp_end) / (before + after)
    added = after - before
    excess = artanh_excess(added / (before + after))
    # A pseudo-case may weigh so little that the sum stays as it is; then there is nothing to correct.
    share = np.where(added > 0, rises.gained / added, middle)
    return np.asarray(middle + excess * (middle - share))


def _gain_areas(rises: WeightedRises) -> tuple[Floats, Floats]:
    """Return AUPRG and the expected F1 gain; each rise counts from recall gain 0 on."""
    positives, negatives = rises.positives, rises.negatives
    zero_tp = positives**2 / (positives + negatives)
    tp_start, tp_end = np.maximum(rises.tp_start, zero_tp), np.maximum(rises.tp_end, zero_tp)
    share = np.where(rises.gained > 0, (tp_start - rises.tp_start) / rises.gained, 0.0)
    fp_start = rises.fp_start + np.clip(share, 0, 1) * (rises.fp_end - rises.fp_start)
    height = 1 - positives / negatives * (fp_start / tp_start + rises.fp_end / tp_end) / 2
    width = (tp_end - tp_start) / (tp_start * tp_end)
    area = (width * height).sum(axis=1) / width.sum(axis=1)

    first = np.argmax(rises.tp_end >= zero_tp, axis=1)
    fp = fp_start[np.arange(len(first)), first]
    positives, negatives = positives[:, 0], negatives[:, 0]
    tn = negatives - fp
    top = 1 - (positives + negatives) * fp / (positives * negatives)
    numerator = area * (positives + negatives) / 2 + (positives * top**2 + negatives) / 4
    expected = numerator / ((positives + negatives) * (tn / negatives))
    return area, np.where(tn > 0, expected, np.nan)
