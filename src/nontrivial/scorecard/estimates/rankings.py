"""Areas under the ROC curve by DeLong's placements, and Cochran's test of equal areas in subgroups."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.stats import chi2

from nontrivial._arrays import Floats
from nontrivial.scorecard.answers.answers import Predictions
from nontrivial.scorecard.estimates.estimate import MIN_CASES_OF_CLASS
from nontrivial.scorecard.result import Result


@dataclass(frozen=True, eq=False)
class EqualRankings(Result):
    """Cochran's Q of the areas under the ROC curve of a model in subgroups, and the p-value of equal areas.

    Subgroups with fewer than ten cases of a class do not take part. Statistic and p-value are NaN if no variance can be
    estimated, for instance because all rankings are perfect.
    """

    model: str
    subgroups: int
    statistic: float
    p_value: float
    test: Literal["cochran_q"] = "cochran_q"


class Placements(NamedTuple):
    """An area under the ROC curve, or the mean over the classes, and the error that a case of weight 1 adds to it.

    `sizes` has the effective number of cases of each true class.
    """

    area: float
    errors: Floats
    sizes: Floats


def compute_placements(answers: Predictions) -> Placements:
    """Compute the share of the other class that each case is ranked right against (DeLong et al. 1988)."""
    truth, mass = answers.truth.astype(np.intp), answers.units.case_weights
    rankings: list[tuple[Any, Any]] = [(truth, answers.score)]
    if answers.probabilities is not None:
        rankings = [(truth == place, column) for place, column in enumerate(answers.probabilities.T)]
    areas, errors = [], np.zeros(len(truth))
    for positive, score in rankings:
        ranks = np.unique(score, return_inverse=True)[1]
        mass_of_ranks = np.bincount(2 * ranks + positive, weights=mass, minlength=2 * ranks.max() + 2)
        mass_of_ranks = mass_of_ranks.reshape(-1, 2)
        totals = mass_of_ranks.sum(axis=0)
        below = (mass_of_ranks.cumsum(axis=0) - mass_of_ranks / 2) / totals
        placements = np.where(positive, below[ranks, 0], 1 - below[ranks, 1])
        areas.append(np.average(placements, weights=mass * positive))
        errors += (placements - areas[-1]) / totals[np.asarray(positive, dtype=np.intp)]
    sizes = np.bincount(truth, weights=mass) ** 2 / np.bincount(truth, weights=mass**2)
    return Placements(float(np.mean(areas)), errors / len(rankings), sizes)


def compare_subgroup_rankings(model: str, subgroups: Sequence[Predictions]) -> EqualRankings | None:
    """Test whether a model's areas are equal in the subgroups with `MIN_CASES_OF_CLASS` cases of each class.

    None if there are fewer than two such subgroups.
    """
    placed = [(answers, compute_placements(answers)) for answers in subgroups]
    large = [(answers, placements) for answers, placements in placed if placements.sizes.min() >= MIN_CASES_OF_CLASS]
    return EqualRankings(model, len(large), *_compute_cochran_q(large)) if len(large) > 1 else None


def _compute_cochran_q(subgroups: Sequence[tuple[Predictions, Placements]]) -> tuple[float, float]:
    """Return Cochran's Q of areas in subgroups, and its p-value (Cochran 1954)."""
    # As in an analysis of variance, the variance of a case of each class is pooled over the subgroups: a subgroup whose
    # area is near 1 by chance would else have a small variance and weigh too much. The effect of groups is pooled, too.
    areas, sizes, squares, variances_of_groups = [], [], [], []
    for answers, placements in subgroups:
        units = answers.units
        case_squares = (placements.errors * units.case_weights) ** 2
        areas.append(placements.area)
        sizes.append(placements.sizes)
        squares.append(placements.sizes**2 * np.bincount(answers.truth.astype(np.intp), weights=case_squares))
        group_squares = (units.sum_by_unit(placements.errors) ** 2).sum() / (1 - 1 / units.effective_size)
        variances_of_groups.append(units.n**2 * np.array([group_squares, case_squares.sum()]))
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = (np.sum(squares, axis=0) / (np.array(sizes) - 1).sum(axis=0) / sizes).sum(axis=1)
        if any(answers.groups is not None for answers, _ in subgroups):
            with_groups, without_groups = np.sum(variances_of_groups, axis=0)
            variances *= with_groups / without_groups
        centre = (areas / variances).sum() / (1 / variances).sum()
        statistic = float(((areas - centre) ** 2 / variances).sum())
    return statistic, float(chi2.sf(statistic, len(subgroups) - 1))
