"""Bootstrap intervals for the Prediction Advantage under any loss.

Every case brings two numbers, its loss and that of the marginal prediction, and the Prediction Advantage is
one minus the ratio of their means. The Bayesian bootstrap (Rubin 1981) draws the weights of the cases from a
flat Dirichlet distribution; cases that are alike are drawn together. The marginal prediction stays that of
the sample: were it chosen again for each draw, the optimism of choosing in hindsight would be counted twice.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import norm, t

from nontrivial.measures.cases import Case
from nontrivial.measures.losses import CrossEntropyLoss, Floats, LabelLoss

CELL = ["stratum", "loss", "marginal_loss"]
BATCH = 2**22  # weights drawn at once


def bootstrap_interval(
    case: Case, level: float, n_resamples: int, stratify: bool, generator: np.random.Generator
) -> tuple[float, float]:
    """Return percentile bounds for the Prediction Advantage; NaN where the marginal prediction has no risk.

    With `stratify` the weight of every class stays what it is.
    """
    loss, truth = case.loss, case.truth
    if stratify and not isinstance(loss, (LabelLoss, CrossEntropyLoss)):
        raise ValueError("stratify holds the shares of classes fixed; this loss has no classes.")
    marginal = loss.marginal(truth, None)
    cells = pd.DataFrame(
        {
            "stratum": truth if stratify else 0,
            "loss": loss.pointwise(truth, case.prediction),
            "marginal_loss": loss.pointwise(truth, marginal),
            "count": 1.0,
        }
    )
    if not cells["marginal_loss"].any():
        return np.nan, np.nan
    tail = _expanded((1 - level) / 2, len(truth))
    best = worst = cells
    if isinstance(loss, LabelLoss):
        best, worst = (
            _with_pseudo_cases(cells, loss, truth, marginal, extreme, stratify) for extreme in loss.extremes()
        )
    low = np.quantile(_risk_ratios(worst, n_resamples, generator), 1 - tail, method="inverted_cdf")
    high = np.quantile(_risk_ratios(best, n_resamples, generator), tail, method="inverted_cdf")
    return float(1 - low), float(1 - high)


def _with_pseudo_cases(
    cells: pd.DataFrame, loss: LabelLoss, truth: NDArray, marginal: int, extreme: Floats, stratify: bool
) -> pd.DataFrame:
    """Join alike cases, and add a half case of the extreme loss where the marginal is right and where it is wrong.

    An outcome that did not occur would otherwise have no chance to occur, and the interval of a model
    without an error would be a point. Half a case against the model for the lower bound and half a case for
    it for the upper bound do what the asymmetric bounds of a binomial share do.
    """
    classes = np.unique(truth)
    share = np.where(classes == marginal, 0.5, 0.5 / max(len(classes) - 1, 1))
    pseudo = pd.DataFrame(
        {
            "stratum": classes if stratify else 0,
            "loss": extreme[classes],
            "marginal_loss": loss.pointwise(classes, marginal),
            "count": share,
        }
    )
    return pd.concat([cells, pseudo]).groupby(CELL, as_index=False)["count"].sum()


def _risk_ratios(cells: pd.DataFrame, n_resamples: int, generator: np.random.Generator) -> Floats:
    """Draw weights and return the ratio of the two mean losses for each draw."""
    strata, index = np.unique(cells["stratum"], return_inverse=True)
    counts, losses, marginal_losses = (cells[name].to_numpy() for name in ("count", "loss", "marginal_loss"))
    ratios = []
    for start in range(0, n_resamples, size := max(BATCH // len(cells), 1)):
        weights = generator.standard_gamma(counts, size=(min(size, n_resamples - start), len(counts)))
        if len(strata) > 1:
            member = index[:, None] == np.arange(len(strata))
            weights *= ((counts @ member) / (weights @ member))[:, index]
        ratios.append((weights @ losses) / (weights @ marginal_losses))
    return np.concatenate(ratios)


def _expanded(tail: float, n: int) -> float:
    """Widen percentiles of small samples as Student's distribution widens the normal one (Hesterberg 2015)."""
    if n < 2:
        return tail
    return float(norm.sf(np.sqrt(n / (n - 1)) * t.isf(tail, n - 1)))
