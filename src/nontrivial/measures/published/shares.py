"""What printed scores say of any data: bounds of the share of positives and of the Prediction Advantage without n."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from nontrivial.measures.catalogue import CATALOGUE
from nontrivial.measures.published.boxes import (
    LEAST_RATIO,
    OBJECTIVES,
    OPPOSITE_ADVANTAGE,
    WITHIN,
    SharePoint,
    search_boxes,
)
from nontrivial.measures.published.inequalities import (
    LAMBDA,
    Inequality,
    Ranges,
    inequalities_of,
    parse_scores,
)
from nontrivial.measures.published.numbers import Printed, RoundingInterval, parse_printed
from nontrivial.measures.published.sizes import is_share


@dataclass(frozen=True)
class PublishedBounds:
    """What published scores leave open for any data.

    Attributes
    ----------
    possible : bool or None
        Whether some shares have such scores: proved if False; None if the search ended before it was known.
    prevalence, advantage : (float, float) or None
        Proved outer bounds of the share of positives and of the Prediction Advantage under 0/1 loss; None if nothing is
        possible. The lower bound of the advantage is -inf if the rarer class may be as rare as one likes.
    verdict : {"better", "worse"} or None
        The sign of the Prediction Advantage, if the bounds tell it. Without the number of cases there is no test.
    points : dict of str to SharePoint
        Points that fit, nearest to each end: least_prevalence, greatest_prevalence, least_advantage and
        greatest_advantage; empty if none was found.
    is_tight : bool
        Whether each finite end lies within 0.002 of its point. Otherwise the true bounds may be narrower.
    """

    possible: bool | None
    prevalence: tuple[float, float] | None = None
    advantage: tuple[float, float] | None = None
    verdict: Literal["better", "worse"] | None = None
    points: Mapping[str, SharePoint] = field(default_factory=dict)
    is_tight: bool = True


def published_bounds(scores: Mapping[str, Printed], *, positives: str | None = None) -> PublishedBounds:
    """Bound the share of positives and the Prediction Advantage of all data that give the printed scores.

    The scores of one confusion table bind each other, whatever the number of cases.

    Parameters
    ----------
    scores : mapping of str to str, float or decimal.Decimal
        As in `published_tables`.
    positives : str, optional
        The share of positives as printed, such as "30%".

    Returns
    -------
    PublishedBounds
        For both classes present, and at most a thousand million cases. A score that is 0/0 may have been printed as 0
        or 1, as libraries do.

    Raises
    ------
    ValueError
        If there is no score, a name is unknown, a number is none or outside the range of its score, or `positives` is
        not a share.

    Notes
    -----
    Branch and prune: a box of shares is left out only if a score surely misses its rounding interval in all of it.

    References
    ----------
    PA paper, section 2.4; Moore, Kearfott and Cloud 2009, Introduction to Interval Analysis.

    Examples
    --------
    >>> bounds = published_bounds({"accuracy": "0.76", "recall": "0.71", "specificity": "0.77", "kappa": "0.25"})
    >>> [f"{share:.1%}" for share in bounds.prevalence], bounds.verdict
    (['8.6%', '9.7%'], 'worse')
    >>> published_bounds({"f1": "0.9", "precision": "0.5"}).possible
    False
    """
    if positives is not None and not is_share(positives):
        raise ValueError(
            f"positives is {positives!r}; without n, it must be a share, such as '30%' or '0.30'."
        )
    share = None if positives is None else parse_printed(positives, "positives", may_be_limit=False)
    return bound_shares(parse_scores(scores), share)


def bound_shares(ranges: Ranges, share: RoundingInterval | None = None) -> PublishedBounds:
    """Do the work of `published_bounds`, from rounding intervals of the scores and of the share of positives."""
    inequalities = [] if share is None else inequalities_of("prevalence", share)
    for name, interval in ranges.items():
        inequalities += (
            _inequalities_of_lambda(interval) if name == LAMBDA else inequalities_of(name, interval)
        )
    search = search_boxes(inequalities)
    if not search.boxes.size:
        return PublishedBounds(possible=False)
    least_share, most_share, worst, best = (
        sign * search.bound(objective) for objective, sign in enumerate((1, -1, 1, -1))
    )
    # The search does not try smaller classes, so a bound so near 0 or 1 counts as 0 or 1.
    rarest = 2 * LEAST_RATIO
    printed = share or ranges.get("prevalence")
    fewest, most = (float(printed.low), float(printed.high)) if printed else (0.0, 1.0)
    return PublishedBounds(
        possible=True if search.points else None,
        prevalence=(
            max(fewest, least_share) if least_share > rarest else fewest,
            min(most, most_share) if most_share < 1 - rarest else most,
        ),
        advantage=(worst, best),
        verdict="better" if worst > 0 else "worse" if best < 0 else None,
        points={name: search.points[objective] for objective, name in enumerate(OBJECTIVES) if search.points},
        is_tight=all(search.is_near(objective, WITHIN) for objective in range(len(OBJECTIVES))),
    )


def _inequalities_of_lambda(interval: RoundingInterval) -> list[Inequality]:
    # Lambda is the greatest of 0, the Prediction Advantage and the advantage of the opposite predictions.
    inequalities = [
        Inequality(quantity, Fraction(interval.high), side=-1)
        for quantity in (CATALOGUE["prediction_advantage"], OPPOSITE_ADVANTAGE)
    ]
    if interval.low > 0:
        inequalities.append(Inequality(CATALOGUE[LAMBDA], Fraction(interval.low), side=1))
    return inequalities
