"""Bootstrap intervals for the Prediction Advantage under any loss.

Every case has two losses, that of the model and that of a constant, and the advantage over the constant is one minus
the ratio of their means. The Bayesian bootstrap (Rubin 1981) draws the weights of the cases from a flat Dirichlet
distribution; cases that are alike are drawn together. The constant stays the same in all draws. If it were chosen
again for each, the optimism of choosing in hindsight would be counted twice. Where several classes may be the marginal
prediction, the interval goes from the least of their lower bounds to the least of their upper bounds, among which the
upper tail is divided.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import effective_units, expanded_tail
from nontrivial.measures.cases import Case
from nontrivial.measures.cell_draws import Cells
from nontrivial.measures.losses import CrossEntropyLoss, LabelLoss
from nontrivial.measures.resampled_advantage import DRAWS_AT_A_TIME, may_be_best

BATCH = 2**22  # weights drawn at once


class _Kinds(NamedTuple):
    """Kinds of cases: the class whose weight is kept, the two losses, the weight of one, and how many there are.

    Losses are multiplied with the weights already.
    """

    stratum: Ints
    loss: Floats
    marginal_loss: Floats
    mass: Floats
    cases: Floats


@dataclass(frozen=True)
class Design:
    """How cases are drawn: by what weights, together with which others, and how often.

    With `stratify` the weight of every class stays what it is.
    """

    n_resamples: int
    generator: np.random.Generator
    weights: Floats | None = None
    groups: Ints | None = None
    stratify: bool = False


def bootstrap_interval(case: Case, level: float, design: Design) -> tuple[float, float]:
    """Return percentile bounds for the Prediction Advantage; NaN where the marginal prediction has no risk.

    Under 0/1 loss, without strata, `resampled_advantage` gives the bounds instead.
    """
    losses = case.loss.pointwise(case.truth, case.prediction)
    extremes, kinds = None, None
    if isinstance(case.loss, LabelLoss):
        extremes = case.loss.extremes()
        kinds = case.truth * len(case.loss.classes) + case.prediction
    constants = _candidates(case, design)
    units = effective_units(design.weights, design.groups, len(losses))
    tail = expanded_tail((1 - level) / 2, units)
    divided = expanded_tail((1 - level) / 2 / len(constants), units)
    greatest, least = [], []
    for constant in constants:
        # With half a case, coverage fell to 88 % where two costly mistakes are expected.
        worst, best = resampled_ratios(case, losses, kinds, extremes, design, constant, part=3 / 4)
        greatest.append(np.quantile(worst, 1 - tail, method="inverted_cdf"))
        least.append(np.quantile(best, divided, method="inverted_cdf"))
    return 1 - float(max(greatest)), 1 - float(max(least))


def _candidates(case: Case, design: Design) -> list[Any]:
    """Return the classes that may be the marginal prediction in truth; a number is that of the sample."""
    sample = case.marginal(design.weights)
    if not isinstance(case.loss, LabelLoss) or case.baseline is not None or design.stratify:
        return [sample]
    loss, k = case.loss, len(case.loss.classes)
    cells = Cells.of_cases(case.truth, k, design.weights, design.groups)
    of_constants = np.array([loss.pointwise(np.arange(k), np.intp(constant)) for constant in range(k)])
    times = np.zeros(k, dtype=np.intp)
    for _ in range(0, design.n_resamples, DRAWS_AT_A_TIME):
        risks = cells.draw(design.generator, DRAWS_AT_A_TIME) @ of_constants.T
        times += np.bincount(risks.argmin(axis=1), minlength=k)
    chosen = may_be_best(times)
    chosen[sample] = True
    return [np.intp(constant) for constant in np.flatnonzero(chosen)]


def resampled_ratios(
    case: Case,
    losses: Floats,
    kinds: Ints | None,
    extremes: tuple[Floats, Floats] | None,
    design: Design,
    constant: Any,
    *,
    part: float,
    unit: float | None = None,
) -> tuple[Floats, Floats]:
    """Return resampled ratios of the mean of `losses` to the risk of a constant.

    Parameters
    ----------
    case : Case
    losses : ndarray of shape (n,)
    kinds : int array of shape (n,), or None
        Cases of one kind have the same class and the same losses, and may be drawn together.
    extremes : pair of ndarray of shape (k,), or None
        The least and the greatest that `losses` can be for a case of each class, if that is known.
    constant : int, float or ndarray
    part : float
        How much of a case each pseudo-case counts.
    unit : float, optional
        The weight of such a case; by default the typical one, as in `typical_mass`.

    Returns
    -------
    greatest, least : ndarray of shape (n_resamples,)
        With pseudo-cases of the greatest and of the least losses, if these are known; else the same. NaN where the
        constant has no risk.
    """
    truth, weights, groups = case.truth, design.weights, design.groups
    if design.stratify and not isinstance(case.loss, (LabelLoss, CrossEntropyLoss)):
        raise ValueError("stratify holds the shares of classes fixed; this loss has no classes.")
    if design.stratify and groups is not None:
        raise ValueError("stratify and groups exclude each other: a group may have cases of several classes.")
    counts = np.ones(len(truth))
    if kinds is not None and weights is None and groups is None:
        _, kept, repeats = np.unique(kinds, return_index=True, return_counts=True)
        counts = repeats.astype(np.float64)
        truth, losses = truth[kept], losses[kept]
    mass = np.ones(len(truth)) if weights is None else weights
    stratum = np.zeros(len(truth), dtype=np.intp)
    if design.stratify:
        stratum = np.unique(truth, return_inverse=True)[1]
    cells = _Kinds(stratum, mass * losses, mass * case.loss.pointwise(truth, constant), mass, counts)
    if groups is not None:
        cells = _joined(cells, groups)
    if not cells.marginal_loss.any():
        undefined = np.full(design.n_resamples, np.nan)
        return undefined, undefined
    masses = np.bincount(cells.stratum, weights=cells.mass * cells.cases).astype(np.float64)
    if extremes is None:
        ratios = _risk_ratios(cells, masses, design)
        return ratios, ratios
    assert isinstance(case.loss, LabelLoss)
    least, greatest = (
        _with_pseudo_cases(cells, case.loss, np.unique(truth), constant, extreme, part, unit)
        for extreme in extremes
    )
    return _risk_ratios(greatest, masses, design), _risk_ratios(least, masses, design)


def _joined(cells: _Kinds, groups: Ints) -> _Kinds:
    """Return one cell for each group that has a case that counts."""
    has_cases = np.bincount(groups) > 0
    loss, marginal_loss, mass = (
        np.bincount(groups, weights=each).astype(np.float64)[has_cases]
        for each in (cells.loss, cells.marginal_loss, cells.mass)
    )
    return _Kinds(np.zeros(len(mass), dtype=np.intp), loss, marginal_loss, mass, np.ones(len(mass)))


def _with_pseudo_cases(
    cells: _Kinds,
    loss: LabelLoss,
    classes: Ints,
    marginal: np.intp,
    extreme: Floats,
    part: float,
    unit: float | None,
) -> _Kinds:
    """Add part of a case of extreme loss where the marginal prediction is right, and as much where it is wrong.

    Without them, an outcome that did not occur could not occur in a draw, and the interval of a model without an error
    would be a point. The lower bound adds cases against the model, and the upper bound adds cases for it, as the
    asymmetric bounds of a binomial share do.
    """
    stratum = np.arange(len(classes)) if cells.stratum.any() else np.zeros(len(classes), dtype=np.intp)
    share = np.where(classes == marginal, part, part / max(len(classes) - 1, 1))
    if unit is None:
        unit = float(cells.mass**2 @ cells.cases / (cells.mass @ cells.cases))
    mass = np.full(len(classes), unit)
    return _Kinds(
        np.concatenate([cells.stratum, stratum]),
        np.concatenate([cells.loss, mass * extreme[classes]]),
        np.concatenate([cells.marginal_loss, mass * loss.pointwise(classes, marginal)]),
        np.concatenate([cells.mass, mass]),
        np.concatenate([cells.cases, share]),
    )


def _risk_ratios(cells: _Kinds, masses: Floats, design: Design) -> Floats:
    """Draw weights that leave each stratum its mass, and return the ratio of the two mean losses per draw.

    Kinds are drawn in an order that does not change with the names of the classes.
    """
    order = np.lexsort(cells)
    cells = _Kinds._make(each[order] for each in cells)
    member = (cells.stratum[:, None] == np.arange(len(masses))) * cells.mass[:, None]
    batch = max(BATCH // len(cells.cases), 1)
    ratios = []
    for start in range(0, design.n_resamples, batch):
        size = (min(batch, design.n_resamples - start), len(cells.cases))
        weights = design.generator.standard_gamma(cells.cases, size=size)
        if len(masses) > 1:
            weights *= (masses / (weights @ member))[:, cells.stratum]
        ratios.append((weights @ cells.loss) / (weights @ cells.marginal_loss))
    return np.concatenate(ratios)
