"""Bootstrap intervals for the Prediction Advantage under any loss.

Every case brings two numbers, its loss and that of the marginal prediction, and the Prediction Advantage is
one minus the ratio of their means. The Bayesian bootstrap (Rubin 1981) draws the weights of the cases from a
flat Dirichlet distribution; cases that are alike are drawn together. The marginal prediction stays that of
the sample: were it chosen again for each draw, the optimism of choosing in hindsight would be counted twice.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.stats import norm, t

from nontrivial._arrays import Floats, Ints
from nontrivial.measures.cases import Case
from nontrivial.measures.losses import CrossEntropyLoss, LabelLoss

BATCH = 2**22  # weights drawn at once


class Cells(NamedTuple):
    """Kinds of cases: the class whose weight is kept, the two losses, and how many there are."""

    stratum: Ints
    loss: Floats
    marginal_loss: Floats
    cases: Floats


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
    counts = np.ones(n)
    if isinstance(loss, LabelLoss):
        pair = truth * len(loss.classes) + prediction
        _, kept, repeats = np.unique(pair, return_index=True, return_counts=True)
        counts = repeats.astype(np.float64)
        truth, prediction = truth[kept], prediction[kept]
    stratum = np.unique(truth, return_inverse=True)[1] if stratify else np.zeros(len(truth), dtype=np.intp)
    cells = Cells(stratum, loss.pointwise(truth, prediction), loss.pointwise(truth, marginal), counts)
    if not cells.marginal_loss.any():
        return np.nan, np.nan
    masses = np.bincount(stratum, weights=counts).astype(np.float64)

    def ratios(cells: Cells) -> Floats:
        return _risk_ratios(cells, masses, n_resamples, generator)

    if isinstance(loss, LabelLoss):
        for_model, against_model = loss.extremes()
        worst = ratios(_with_pseudo_cases(cells, loss, np.unique(truth), marginal, against_model))
        best = ratios(_with_pseudo_cases(cells, loss, np.unique(truth), marginal, for_model))
    else:
        worst = best = ratios(cells)
    tail = _expanded((1 - level) / 2, n)
    greatest = np.quantile(worst, 1 - tail, method="inverted_cdf")
    least = np.quantile(best, tail, method="inverted_cdf")
    return float(1 - greatest), float(1 - least)


def _with_pseudo_cases(
    cells: Cells, loss: LabelLoss, classes: Ints, marginal: np.intp, extreme: Floats
) -> Cells:
    """Add half a case of extreme loss where the marginal prediction is right, and half a case where it is wrong.

    An outcome that did not occur would otherwise have no chance to occur, and the interval of a model
    without an error would be a point. Half a case against the model for the lower bound and half a case for
    it for the upper bound do what the asymmetric bounds of a binomial share do.
    """
    stratum = np.arange(len(classes)) if cells.stratum.any() else np.zeros(len(classes), dtype=np.intp)
    share = np.where(classes == marginal, 0.5, 0.5 / max(len(classes) - 1, 1))
    return Cells(
        np.concatenate([cells.stratum, stratum]),
        np.concatenate([cells.loss, extreme[classes]]),
        np.concatenate([cells.marginal_loss, loss.pointwise(classes, marginal)]),
        np.concatenate([cells.cases, share]),
    )


def _risk_ratios(cells: Cells, masses: Floats, n_resamples: int, generator: np.random.Generator) -> Floats:
    """Draw weights that leave each stratum its mass, and return the ratio of the two mean losses per draw."""
    member = (cells.stratum[:, None] == np.arange(len(masses))).astype(np.float64)
    batch = max(BATCH // len(cells.cases), 1)
    ratios = []
    for start in range(0, n_resamples, batch):
        size = (min(batch, n_resamples - start), len(cells.cases))
        weights = generator.standard_gamma(cells.cases, size=size)
        if len(masses) > 1:
            weights *= (masses / (weights @ member))[:, cells.stratum]
        ratios.append((weights @ cells.loss) / (weights @ cells.marginal_loss))
    return np.concatenate(ratios)


def _expanded(tail: float, n: int) -> float:
    """Widen percentiles of small samples as Student's distribution widens the normal one (Hesterberg 2015)."""
    if n < 2:
        return tail
    return float(norm.sf(np.sqrt(n / (n - 1)) * t.isf(tail, n - 1)))
