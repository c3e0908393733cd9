"""Areas under the ROC curve by DeLong's placements, and whether the areas of subgroups are equal."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.stats import chi2

from nontrivial._arrays import Floats
from nontrivial.scorecard.answers import Predictions
from nontrivial.scorecard.estimates.estimate import MIN_CASES_OF_CLASS
from nontrivial.scorecard.result import Result


@dataclass(frozen=True, eq=False)
class EqualRankings(Result):
    """Cochran's Q of the areas under the ROC curve of a model in subgroups, and the p-value of equal areas.

    Subgroups with fewer than ten cases of a class do not take part. Both are NaN if no variance can be estimated, as
    all rankings are perfect, for instance.
    """

    model: str
    subgroups: int
    statistic: float
    p_value: float
    test: Literal["cochran_q"] = "cochran_q"


class Placements(NamedTuple):
    """An area under the ROC curve, or the mean over the classes, and what a case of weight 1 adds to its error."""

    area: float
    errors: Floats
    sizes: Floats  # the effective number of cases of each true class


def place_cases(answers: Predictions) -> Placements:
    """Compute the share of the other class that each case is ranked right against (DeLong et al. 1988)."""
    truth, mass = answers.truth.astype(np.intp), answers.units.mass
    rankings: list[tuple[Any, Any]] = [(truth, answers.score)]
    if answers.probabilities is not None:
        rankings = [(truth == place, column) for place, column in enumerate(answers.probabilities.T)]
    areas, errors = [], np.zeros(len(truth))
    for positive, score in rankings:
        ranks = np.unique(score, return_inverse=True)[1]
        held = np.bincount(2 * ranks + positive, weights=mass, minlength=2 * ranks.max() + 2).reshape(-1, 2)
        totals = held.sum(axis=0)
        below = (held.cumsum(axis=0) - held / 2) / totals
        right = np.where(positive, below[ranks, 0], 1 - below[ranks, 1])
        areas.append(np.average(right, weights=mass * positive))
        errors += (right - areas[-1]) / totals[np.asarray(positive, dtype=np.intp)]
    sizes = np.bincount(truth, weights=mass) ** 2 / np.bincount(truth, weights=mass**2)
    return Placements(float(np.mean(areas)), errors / len(rankings), sizes)


def compare_rankings(model: str, subgroups: Sequence[Predictions]) -> Iterator[EqualRankings]:
    """Test whether the areas of a model are equal in the subgroups with at least `MIN_CASES_OF_CLASS` cases of each."""
    placed = [(answers, place_cases(answers)) for answers in subgroups]
    ranked = [
        (answers, placements)
        for answers, placements in placed
        if placements.sizes.min() >= MIN_CASES_OF_CLASS
    ]
    if len(ranked) > 1:
        yield EqualRankings(model, len(ranked), *_compute_cochran_q(ranked))


def _compute_cochran_q(subgroups: Sequence[tuple[Predictions, Placements]]) -> tuple[float, float]:
    """Return Cochran's Q of areas in subgroups, and its p-value (Cochran 1954)."""
    # As in an analysis of variance, the variance that a case of a class adds is pooled over the subgroups: their own
    # variances are smallest where an area is near 1 by chance. The effect of groups is pooled, too.
    areas, sizes, squares, effects = [], [], [], []
    for answers, placements in subgroups:
        units = answers.units
        of_cases = (placements.errors * units.mass) ** 2
        areas.append(placements.area)
        sizes.append(placements.sizes)
        squares.append(placements.sizes**2 * np.bincount(answers.truth.astype(np.intp), weights=of_cases))
        of_units = (units.sums(placements.errors) ** 2).sum() / (1 - 1 / units.effective_size)
        effects.append(units.n**2 * np.array([of_units, of_cases.sum()]))
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = (np.sum(squares, axis=0) / (np.array(sizes) - 1).sum(axis=0) / sizes).sum(axis=1)
        if any(answers.groups is not None for answers, _ in subgroups):
            of_units, of_cases = np.sum(effects, axis=0)
            variances *= of_units / of_cases
        centre = (areas / variances).sum() / (1 / variances).sum()
        statistic = float(((areas - centre) ** 2 / variances).sum())
    return statistic, float(chi2.sf(statistic, len(subgroups) - 1))
