"""Bootstrap intervals for the Prediction Advantage under any loss.

Every case brings two numbers, its loss and that of the marginal prediction, and the Prediction Advantage is
one minus the ratio of their means. The Bayesian bootstrap (Rubin 1981) draws the weights of the cases from a
flat Dirichlet distribution; cases that are alike are drawn together. The marginal prediction stays that of
the sample: were it chosen again for each draw, the optimism of choosing in hindsight would be counted twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm, t

from nontrivial.measures.cases import Case
from nontrivial.measures.losses import CrossEntropyLoss, Floats, LabelLoss

BATCH = 2**22  # weights drawn at once


class Cells(NamedTuple):
    """Kinds of cases: the class whose weight is kept, the two losses, and how many there are."""

    stratum: NDArray
    loss: Floats
    marginal_loss: Floats
    count: Floats


def bootstrap_interval(
    case: Case, level: float, n_resamples: int, stratify: bool, generator: np.random.Generator
) -> tuple[float, float]:
    """Return percentile bounds for the Prediction Advantage; NaN where the marginal prediction has no risk.

    With `stratify` the weight of every class stays what it is.
    """
    loss, truth, prediction = case.loss, case.truth, case.prediction
    if stratify and not isinstance(loss, (LabelLoss, CrossEntropyLoss)):
        raise ValueError("stratify holds the shares of classes fixed; this loss has no classes.")
    marginal = loss.marginal(truth, None)
    n = len(truth)
    count = np.ones(n)
    if isinstance(loss, LabelLoss):
        _, kept, count = np.unique(
            truth * len(loss.classes) + prediction, return_index=True, return_counts=True
        )
        truth, prediction = truth[kept], prediction[kept]
    stratum = truth if stratify else np.zeros(len(truth), dtype=np.intp)
    cells = Cells(stratum, loss.pointwise(truth, prediction), loss.pointwise(truth, marginal), count)
    if not cells.marginal_loss.any():
        return np.nan, np.nan
    best = worst = cells
    if isinstance(loss, LabelLoss):
        best, worst = (
            _with_pseudo_cases(cells, loss, np.unique(truth), marginal, x) for x in loss.extremes()
        )
    tail = _expanded((1 - level) / 2, n)
    greatest = np.quantile(_risk_ratios(worst, n_resamples, generator), 1 - tail, method="inverted_cdf")
    least = np.quantile(_risk_ratios(best, n_resamples, generator), tail, method="inverted_cdf")
    return float(1 - greatest), float(1 - least)


def _with_pseudo_cases(
    cells: Cells, loss: LabelLoss, classes: NDArray, marginal: int, extreme: Floats
) -> Cells:
    """Add half a case of the extreme loss where the marginal prediction is right and half a case where it is wrong.

    An outcome that did not occur would otherwise have no chance to occur, and the interval of a model
    without an error would be a point. Half a case against the model for the lower bound and half a case for
    it for the upper bound do what the asymmetric bounds of a binomial share do.
    """
    stratum = classes if cells.stratum.any() else np.zeros_like(classes)
    share = np.where(classes == marginal, 0.5, 0.5 / max(len(classes) - 1, 1))
    pseudo = Cells(stratum, extreme[classes], loss.pointwise(classes, marginal), share)
    return Cells(*map(np.concatenate, zip(cells, pseudo, strict=True)))


def _risk_ratios(cells: Cells, n_resamples: int, generator: np.random.Generator) -> Floats:
    """Draw weights and return the ratio of the two mean losses for each draw."""
    strata, index = np.unique(cells.stratum, return_inverse=True)
    batch = max(BATCH // len(cells.count), 1)
    ratios = []
    for start in range(0, n_resamples, batch):
        weights = generator.standard_gamma(
            cells.count, size=(min(batch, n_resamples - start), len(cells.count))
        )
        if len(strata) > 1:
            member = (index[:, None] == np.arange(len(strata))).astype(np.float64)
            weights *= ((cells.count @ member) / (weights @ member))[:, index]
        ratios.append((weights @ cells.loss) / (weights @ cells.marginal_loss))
    return np.concatenate(ratios)


def _expanded(tail: float, n: int) -> float:
    """Widen percentiles of small samples as Student's distribution widens the normal one (Hesterberg 2015)."""
    if n < 2:
        return tail
    return float(norm.sf(np.sqrt(n / (n - 1)) * t.isf(tail, n - 1)))
