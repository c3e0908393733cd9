"""Ready-made scorers for scikit-learn's model selection, by name."""

from __future__ import annotations

import copy
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


class _NamingScorer(type(make_scorer(prediction_advantage_score))):  # type: ignore[misc]  # the class has no public name
    """A scorer of scikit-learn's that also tells its score function the estimator's classes.

    A test fold may lack a class that the estimator has a column for, so the columns have to be named.
    """

    def _score(
        self,
        method_caller: Callable[..., Any],
        estimator: Any,
        X: ArrayLike,
        y_true: ArrayLike,
        **kwargs: Any,
    ) -> float:
        return float(super()._score(method_caller, estimator, X, y_true, labels=estimator.classes_, **kwargs))


SCORERS: dict[str, Callable[..., float]] = {
    "prediction_advantage": make_scorer(prediction_advantage_score),
    "prediction_advantage_cross_entropy": _NamingScorer(
        prediction_advantage_score, 1, {"loss": "cross_entropy"}, response_method="predict_proba"
    ),
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
        ``scorer(estimator, X, y, sample_weight=None)``. Those of predicted labels or values call ``predict``,
        those of probabilities ``predict_proba``. All are scikit-learn's scorers: with metadata routing,
        ``set_score_request(sample_weight=True)`` asks for the weights.

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
    return copy.deepcopy(SCORERS[name])  # one that asks for weights leaves the others as they are
