"""Areas of many resamples of a ranking at once, the cells that its cases are in, and the exchange of two models."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array
from scipy.stats import rankdata

from nontrivial._arrays import Floats, Ints, Mask, Scores, chunks
from nontrivial._draws import BATCH, assign_blocks
from nontrivial.curves.areas import artanh_excess

# The areas of one ranking under many sets of weights at once: the formulas of single rankings, a row for each set.


@dataclass(frozen=True, eq=False)
class WeightedSteps:
    """Steps from each score to the next, from the greatest down, with a row for each set of weights.

    Attributes
    ----------
    gained, passed : ndarray of shape (n_rows, n_steps)
        The weight of the positives and of the negatives that have the score. A step without positives counts for
        nothing in an area.
    """

    gained: Floats
    passed: Floats

    @classmethod
    def of_cells(cls, cells: Floats) -> WeightedSteps:
        """Take the weights of the negatives and of the positives of each score, in turns."""
        return cls(cells[:, 1::2], cells[:, ::2])

    @cached_property
    def tp_end(self) -> Floats:
        return np.cumsum(self.gained, axis=1)

    @cached_property
    def fp_end(self) -> Floats:
        return np.cumsum(self.passed, axis=1)

    @cached_property
    def tp_start(self) -> Floats:
        return self.tp_end - self.gained

    @cached_property
    def fp_start(self) -> Floats:
        return self.fp_end - self.passed

    @property
    def positives(self) -> Floats:
        return self.tp_end[:, -1:]

    @property
    def negatives(self) -> Floats:
        return self.fp_end[:, -1:]

    def mean(self, values: Floats) -> Floats:
        """Return the mean over the positives."""
        weighted = np.where(self.gained > 0, self.gained * values, 0.0)
        return np.asarray(weighted.sum(axis=1) / self.positives[:, 0])


def resampled_areas(steps: WeightedSteps) -> dict[str, Floats]:
    """Return the areas that `curve_areas` names, but that of the cost curve; one value for each row."""
    with np.errstate(divide="ignore", invalid="ignore"):
        gain, expected = _gain_areas(steps)
        return {
            "roc_auc": steps.mean(1 - (steps.fp_start + steps.fp_end) / (2 * steps.negatives)),
            "average_precision": steps.mean(steps.tp_end / (steps.tp_end + steps.fp_end)),
            "pr_auc": steps.mean(_hyperbolic(steps)),
            "prg_auc": gain,
            "expected_f1_gain": expected,
        }


def _hyperbolic(steps: WeightedSteps) -> Floats:
    before, after = steps.tp_start + steps.fp_start, steps.tp_end + steps.fp_end
    middle = (steps.tp_start + steps.tp_end) / (before + after)
    added = after - before
    excess = artanh_excess(added / (before + after))
    # An imaginary case may weigh so little that the sum stays as it is; then there is nothing to correct.
    share = np.where(added > 0, steps.gained / added, middle)
    return np.asarray(middle + excess * (middle - share))


def _gain_areas(steps: WeightedSteps) -> tuple[Floats, Floats]:
    """Return AUPRG and the expected F1 gain; each step counts from recall gain 0 on."""
    positives, negatives = steps.positives, steps.negatives
    zero_tp = positives**2 / (positives + negatives)
    tp_start, tp_end = np.maximum(steps.tp_start, zero_tp), np.maximum(steps.tp_end, zero_tp)
    with np.errstate(over="ignore"):  # an imaginary case may gain next to nothing
        share = np.where(steps.gained > 0, (tp_start - steps.tp_start) / steps.gained, 0.0)
    fp_start = steps.fp_start + np.clip(share, 0, 1) * (steps.fp_end - steps.fp_start)
    height = 1 - positives / negatives * (fp_start / tp_start + steps.fp_end / tp_end) / 2
    width = (tp_end - tp_start) / (tp_start * tp_end)
    area = (width * height).sum(axis=1) / width.sum(axis=1)

    first = np.argmax(steps.tp_end >= zero_tp, axis=1)
    fp = fp_start[np.arange(len(first)), first]
    positives, negatives = positives[:, 0], negatives[:, 0]
    tn = negatives - fp
    top = 1 - (positives + negatives) * fp / (positives * negatives)
    numerator = area * (positives + negatives) / 2 + (positives * top**2 + negatives) / 4
    expected = numerator / ((positives + negatives) * (tn / negatives))
    return area, np.where(tn > 0, expected, np.nan)


# The cells of a ranking: the negatives and the positives of each rank. Beyond some 200, ranks that differ by less than
# half a percent count as ties, so that a resample costs no more for more cases.


RANKS_APART = 200


def rank_bins(scores: Scores) -> tuple[Ints, int]:
    """Return the bin of the rank of each case, from the top, and how many bins there are; ties share their mean rank.

    Examples
    --------
    >>> rank_bins(np.array([0.5, 0.9, 0.9, 0.1]))[0]
    array([4, 1, 1, 6])
    """
    twice = 2 * len(scores)
    ends, at = [], 0
    while at < twice:
        at = min(at + max(1, at // RANKS_APART), twice)
        ends.append(at)
    return np.searchsorted(ends, twice - 2 * rankdata(scores), side="right"), len(ends)


# The test of equal areas of two models by exchanging them in each case or group.
#
# The Bayesian bootstrap alone does not hold its level where a few cases make most of a difference: with ten positives,
# of which either of two models that hardly differ misplaces two, it told them apart in 9 % of 1,000 samples.


def exchange_p_values(
    positive: Mask,
    scores: list[Scores],
    weights: Floats | None,
    groups: Ints | None,
    n_resamples: int,
    rng: np.random.Generator,
) -> dict[str, float]:
    """Return two-sided p-values of the hypothesis that two models can be exchanged in each unit separately.

    What is exchanged is the place that each model gives a case. More than 20,000 units are exchanged in 1,000 random
    blocks.

    References
    ----------
    Venkatraman and Begg 1996; Bandos, Rockette and Gur 2005.
    """
    unit, n_units = assign_blocks(groups, len(positive))
    mass = np.ones(len(positive)) if weights is None else weights
    _, n_bins = rank_bins(scores[0])
    one, other = (
        csr_array((mass, (unit, 2 * rank_bins(each)[0] + positive)), (n_units, 2 * n_bins)) for each in scores
    )

    def differences(kept: Floats) -> dict[str, Floats]:
        first, second = (
            resampled_areas(WeightedSteps.of_cells(np.asarray(kept @ mine + (1 - kept) @ its)))
            for mine, its in ((one, other), (other, one))
        )
        return {name: area - second[name] for name, area in first.items()}

    seen = differences(np.ones((1, n_units)))
    least = {name: abs(float(value[0])) * (1 - 1e-9) - 1e-12 for name, value in seen.items()}
    beyond = dict.fromkeys(seen, 1)
    for part in chunks(n_resamples, length=max(BATCH // max(n_units, 2 * n_bins), 1)):
        kept = rng.integers(2, size=(part.stop - part.start, n_units)).astype(float)
        for name, found in differences(kept).items():
            beyond[name] += int(np.count_nonzero(~(np.abs(found) < least[name])))
    return {name: count / (1 + n_resamples) for name, count in beyond.items()}
