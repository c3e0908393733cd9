"""Resamples of one or two rankings by weights of their cases.

The cases are sorted once into cells: the rises, and the negatives before and on each. A resample is a weight of each
cell. Without weights and groups of the cases it is drawn for whole cells; the weights of k cases add up to a gamma
variable of shape k.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from nontrivial._arrays import Floats, Ints, Mask, Scores
from nontrivial._draws import assign_blocks, typical_weight
from nontrivial.curves.resampled_areas import WeightedRises
from nontrivial.curves.rises import Rises

BATCH = 2**20  # weights drawn at once
# The least part of a case that a pseudo-case counts as. For one model, a whole case made intervals of good rankings
# twice as wide as Newcombe's. With a sixth, coverage fell to 92 % if a tenth of the scores tell nothing, and that of a
# mean over three classes to 90 % if one case in fifty is far out of place. With weights and a quarter, it fell to 85 %
# if a twentieth of the cases weigh ten and are wrong more often.
OF_CASES, OF_UNITS = 0.3, 0.5
# For two models. With 1/32, coverage fell to 74 % if one of them misplaces a few positives. With 1/8, intervals of
# models that hardly differ were more than three times as wide as DeLong's.
OF_DIFFERENCES = 1 / 12
# Without a mistake. With a sixth, coverage fell to 83 % if 1 to 8 % of a class are far out of place, and two equally
# good models were told apart in 21 %. With mistakes this part falls smoothly, since one more mistake should not
# change much.
OF_PERFECT = 3 / 4
DENSE = 10  # a matrix of which one part in so many is not 0 is multiplied faster with its zeros
FINENESS = 200  # rises are held together that differ by less than one part in so many of their rank

Models = list[WeightedRises]


@dataclass(frozen=True, eq=False)
class _Cases:
    """The cases one by one, for draws that need them.

    Attributes
    ----------
    unit : int array of shape (n,)
        What each case is drawn with: itself, or its group.
    n_units : int
    weights : ndarray of shape (n,)
    cells : list of int arrays of shape (n,)
        The cell of each case, for each model.
    n_cells : list of int
    """

    unit: Ints
    n_units: int
    weights: Floats
    cells: list[Ints]
    n_cells: list[int]

    def draw(self, rng: np.random.Generator, size: int) -> list[Floats]:
        drawn = rng.standard_exponential((size, self.n_units))
        return [np.asarray(drawn @ matrix) for matrix in self._of_units]

    @cached_property
    def _of_units(self) -> list[Floats | csr_array]:
        """For each model the weight of each unit in each cell."""
        matrices = [
            csr_array((self.weights, (self.unit, cells)), (self.n_units, n_cells))
            for cells, n_cells in zip(self.cells, self.n_cells, strict=True)
        ]
        return [
            each.toarray() if each.nnz > self.n_units * each.shape[1] / DENSE else each for each in matrices
        ]


@dataclass(frozen=True, eq=False)
class Sample:
    """What is resampled.

    Attributes
    ----------
    cells : list of ndarray of shape (3 n_rises + 1,)
        The weight of each cell, for each model: the positives of the rises; the negatives before each rise and on it,
        in turns; the negatives after the last.
    masses, pseudo : ndarray of shape (2,)
        The weight of the positives and of the negatives, and that of one more positive and one more negative.
    cases : _Cases or None
    """

    cells: list[Floats]
    masses: Floats
    pseudo: Floats
    cases: _Cases | None = None

    @classmethod
    def of_counts(cls, rises: Rises) -> Sample:
        """Sort whole cases into cells."""
        ends = held_together(len(rises.thresholds))
        starts = np.r_[0, ends[:-1]]
        fp_start, fp_end = rises.fp_start[starts], rises.fp_end[ends - 1]
        cells = np.zeros(3 * len(ends) + 1)
        cells[: len(ends)] = rises.tp[ends] - rises.tp[starts]
        cells[len(ends) : -1 : 2] = fp_start - np.r_[0, fp_end[:-1]]
        cells[len(ends) + 1 : -1 : 2] = fp_end - fp_start
        cells[-1] = rises.negatives - fp_end[-1]
        return cls([cells], np.array([rises.positives, rises.negatives]), np.ones(2))

    @classmethod
    def of_cases(
        cls,
        positive: Mask,
        scores: list[Scores],
        rises: list[Rises],
        weights: Floats | None,
        groups: Ints | None,
    ) -> Sample:
        """Sort weighted or grouped cases into cells, by the scores of each model."""
        n = len(positive)
        weights = np.ones(n) if weights is None else weights
        places = [_cells_of(positive, *model) for model in zip(scores, rises, strict=True)]
        sizes = [3 * len(held_together(len(each.thresholds))) + 1 for each in rises]
        cells = [
            np.bincount(place, weights=weights, minlength=size).astype(np.float64)
            for place, size in zip(places, sizes, strict=True)
        ]
        masses = np.array([weights[positive].sum(), weights[~positive].sum()])
        pseudo = [
            typical_weight(weights[side], None if groups is None else groups[side])
            for side in (positive, ~positive)
        ]
        unit, n_units = assign_blocks(groups, n)
        return cls(cells, masses, np.array(pseudo), _Cases(unit, n_units, weights, places, sizes))

    @property
    def part(self) -> float:
        """What part of a case, or of a group, a pseudo-case counts as."""
        if self.cases is None:
            return self.part_of(OF_CASES)
        return self.part_of(OF_UNITS if len(self.cells) == 1 else OF_DIFFERENCES)

    def part_of(self, least: float) -> float:
        """Return as what part of a case a pseudo-case counts beside the mistakes of the model with fewer."""
        return max(least, OF_PERFECT / (1 + min(map(self._mistakes, self.cells))))

    def _mistakes(self, cells: Floats) -> float:
        """Return how many positives rank behind a negative, or negatives before a positive, whichever are fewer."""
        m = len(cells) // 3
        negatives = cells[m:-1]
        behind = np.cumsum(negatives)[1::2] > 0
        return float((np.array([cells[:m][behind].sum(), negatives.sum()]) / self.pseudo).min())

    def resamples(
        self,
        rng: np.random.Generator,
        n_resamples: int,
        *,
        stratify: bool,
        parts: Floats | None = None,
    ) -> Iterator[tuple[Models, Models]]:
        """Yield resamples in batches, with a pseudo-case of each class: each model at its worst, and at its best.

        `parts` are what the two pseudo-cases count as in each resample, if they are drawn already.
        """
        width = max([*map(len, self.cells), 0 if self.cases is None else self.cases.n_units])
        batch = max(BATCH // width, 1)
        for start in range(0, n_resamples, batch):
            size = min(batch, n_resamples - start)
            if self.cases is None:
                drawn = [rng.standard_gamma(self.cells[0], size=(size, len(self.cells[0])))]
            else:
                drawn = self.cases.draw(rng, size)
            pseudo = self.pseudo * (
                rng.standard_gamma(self.part, (size, 2)) if parts is None else parts[start : start + size]
            )
            masses = self.masses if stratify else None
            yield (
                [_rises(cells, pseudo, masses, at_best=False) for cells in drawn],
                [_rises(cells, pseudo, masses, at_best=True) for cells in drawn],
            )

    def without_resampling(self) -> Models:
        """Return the sample itself, in the same cells."""
        return [_rises(cells[None], np.zeros((1, 2)), None, at_best=False) for cells in self.cells]


def held_together(n_rises: int) -> Ints:
    """Return where the rises, or ranks, that are held together end."""
    ends, at = [], 0
    while at < n_rises:
        at = min(at + max(1, at // FINENESS), n_rises)
        ends.append(at)
    return np.array(ends)


def _cells_of(positive: Mask, scores: Scores, rises: Rises) -> Ints:
    """Return the cell of each case."""
    m = len(rises.thresholds)
    ends = held_together(m)
    increasing = rises.thresholds[::-1]
    below = np.searchsorted(increasing, scores, side="left")
    not_above = np.searchsorted(increasing, scores, side="right")
    rise = m - not_above  # the one that has the score, or else the next one below
    held = np.searchsorted(ends, rise, side="right")
    inside = (below < not_above) | (rise > np.r_[0, ends][np.minimum(held, len(ends) - 1)])
    of_negative = np.where(rise == m, 3 * len(ends), len(ends) + 2 * held + inside)
    return np.where(positive, held, of_negative)


def _rises(cells: Floats, pseudo: Floats, masses: Floats | None, *, at_best: bool) -> WeightedRises:
    """Return rises with one more positive that ranks last and one more negative that ranks first, or the reverse.

    `masses` are those that the classes are brought to, or None.
    """
    m = cells.shape[1] // 3
    gained, between, tied, tail = cells[:, :m], cells[:, m:-1:2], cells[:, m + 1 : -1 : 2], cells[:, -1:]
    positive, negative = pseudo[:, :1], pseudo[:, 1:]
    fp_end = np.cumsum(between + tied, axis=1)
    fp_start = fp_end - tied
    negatives = fp_end[:, -1:] + tail + negative
    if at_best:
        none = np.zeros_like(negative)
        gained = np.hstack([positive, gained])
        fp_start, fp_end = np.hstack([none, fp_start]), np.hstack([none, fp_end])
    else:
        gained = np.hstack([gained, positive])
        fp_start, fp_end = (np.hstack([negative + fp, negatives]) for fp in (fp_start, fp_end))
    if masses is not None:
        gained = gained * (masses[0] / gained.sum(axis=1, keepdims=True))
        scale = masses[1] / negatives
        fp_start, fp_end, negatives = fp_start * scale, fp_end * scale, negatives * scale
    return WeightedRises(gained, fp_start, fp_end, negatives)
