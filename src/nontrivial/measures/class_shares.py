"""Weights with which the classes have the shares they have somewhere else (prior shift)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Labels
from nontrivial._binary import OneClassError
from nontrivial._validation import as_real, check_prevalence, show
from nontrivial.measures.cases import Case
from nontrivial.measures.losses import CrossEntropyLoss, LabelLoss


def weights_at_prevalence(case: Case, weights: Floats | None, prevalence: ArrayLike) -> Floats:
    """Return weights of the cases, of the same sum, with which the classes have the shares `prevalence`.

    Raises
    ------
    OneClassError
        If all cases that count are of one class.
    ValueError
        If the loss is not one between classes, a baseline is given, or the shares do not fit the classes.
    """
    if not isinstance(case.loss, (LabelLoss, CrossEntropyLoss)) or case.baseline is not None:
        raise ValueError(
            "prevalence is only for losses between classes, and cannot be combined with baseline."
        )
    classes = case.loss.classes
    mass = np.bincount(case.truth, weights=weights, minlength=len(classes))
    is_number = np.ndim(prevalence) == 0
    given = check_prevalence(prevalence) if is_number else as_real(prevalence, "prevalence")  # type: ignore[arg-type]
    if np.count_nonzero(mass) == 1:
        label = show(classes[mass.argmax()])
        raise OneClassError(f"y_true has one class only ({label}); a prevalence needs cases of others, too.")
    shares = _as_shares(given, classes)
    if ((mass == 0) & (shares > 0)).any():
        missing = classes[np.argmax((mass == 0) & (shares > 0))]
        raise ValueError(
            f"prevalence gives a share to the class {show(missing)}, of which y_true has no case."
        )
    factor = np.divide(shares * mass.sum(), mass, out=np.zeros(len(shares)), where=mass > 0)[case.truth]
    return np.asarray(factor if weights is None else factor * weights)


def _as_shares(given: float | Floats, classes: Labels) -> Floats:
    if isinstance(given, float):
        if len(classes) != 2 or classes.dtype == object:
            raise ValueError(
                f"prevalence is one number for the classes {classes.tolist()}; give the share of each, in this order."
            )
        return np.where(classes == classes.max(), given, 1 - given)
    if given.shape != (len(classes),) or (given < 0).any() or abs(given.sum() - 1) > 1e-9:
        raise ValueError(f"prevalence must be {len(classes)} shares of 0 or greater that add up to 1.")
    return given
