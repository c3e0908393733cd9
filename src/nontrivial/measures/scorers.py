"""Ready-made scorers for scikit-learn's model selection, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import ArrayLike
from sklearn.metrics import make_scorer

from nontrivial.measures.advantage import prediction_advantage_score
from nontrivial.measures.relations import efron_r2_score, mcfadden_r2_score
from nontrivial.measures.scores import (
    f_gain_score,
    informedness_score,
    markedness_score,
    p4_score,
    precision_gain_score,
    recall_gain_score,
)


def _cross_entropy_advantage(
    estimator: Any, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
) -> float:
    # A test fold may lack a class that the estimator has a column for, so the estimator has to name its
    # classes.
    return prediction_advantage_score(
        y,
        estimator.predict_proba(X),
        loss="cross_entropy",
        labels=estimator.classes_,
        sample_weight=sample_weight,
    )


SCORERS: dict[str, Callable[..., float]] = {
    "prediction_advantage": make_scorer(prediction_advantage_score),
    "prediction_advantage_cross_entropy": _cross_entropy_advantage,
    "prediction_advantage_squared": make_scorer(prediction_advantage_score, loss="squared"),
    "prediction_advantage_absolute": make_scorer(prediction_advantage_score, loss="absolute"),
    "p4": make_scorer(p4_score),
    "informedness": make_scorer(informedness_score),
    "markedness": make_scorer(markedness_score),
    "precision_gain": make_scorer(precision_gain_score),
    "recall_gain": make_scorer(recall_gain_score),
    "f1_gain": make_scorer(f_gain_score),
    "efron_r2": make_scorer(efron_r2_score, response_method="predict_proba"),
    "mcfadden_r2": make_scorer(mcfadden_r2_score, response_method="predict_proba"),
}


def get_scorer(name: str) -> Callable[..., float]:
    """Return a scorer by name, for ``cross_validate``, ``GridSearchCV`` and the like.

    Parameters
    ----------
    name : str
        A key of `SCORERS`. All are better when greater. The binary ones take the greater label as positive.

    Returns
    -------
    callable
        ``scorer(estimator, X, y)``. Those of predicted labels or values call ``predict``, those of
        probabilities ``predict_proba``.

    Raises
    ------
    ValueError
        If the name is unknown.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> features, species = load_iris(return_X_y=True)
    >>> scores = cross_val_score(GaussianNB(), features, species, scoring=get_scorer("prediction_advantage"))
    >>> round(float(scores.mean()), 3)
    0.93
    """
    if name not in SCORERS:
        raise ValueError(f"The scorer {name!r} is unknown; known are {', '.join(SCORERS)}.")
    return SCORERS[name]
