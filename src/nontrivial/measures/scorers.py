"""Ready-made scorers for scikit-learn's model selection, by name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics import make_scorer

import nontrivial.curves.areas as areas
import nontrivial.curves.hull as hull
from nontrivial._validation import binary_truth_and_predictions, check_choice, check_magnitude
from nontrivial.curves.hull import roc_hull_auc_score
from nontrivial.measures.advantage import efron_r2_score, mcfadden_r2_score, prediction_advantage_score
from nontrivial.measures.catalogue import CATALOGUE, AliasedDict, canonical_name
from nontrivial.measures.confusion import as_tables
from nontrivial.measures.label_scores import LABEL_SCORES

_PROBA, _RANKING = "predict_proba", ("decision_function", "predict_proba")


class _NamingScorer(type(make_scorer(prediction_advantage_score))):  # type: ignore[misc]  # the class has no public name
    """scikit-learn's scorer that also passes the estimator's classes on, as a fold may lack some of them."""

    def _score(self, method_caller: Any, estimator: Any, X: Any, y_true: Any, **kwargs: Any) -> float:
        """Score a fitted estimator, with the labels, the positive label and the output that it has."""
        labels, scorer = getattr(estimator, "classes_", None), self
        if labels is not None and len(labels) == 2 and self._get_pos_label() is None:
            scorer = copy(self)  # scikit-learn takes the last column, which may be the lesser label's
            scorer._kwargs = self._kwargs | {"pos_label": self._default_positive(list(labels))}
        if labels is not None and len(labels) > 2 and self._response_method == _RANKING:
            scorer = copy(self)  # a decision function may not rank each class against the rest
            scorer._response_method = _RANKING[::-1]
            if not hasattr(estimator, "predict_proba") and _is_one_against_one(estimator):
                raise ValueError('decision_function_shape is "ovo", a score for each pair of classes; use "ovr".')
        if kwargs.get("labels") is None and labels is not None:
            kwargs["labels"] = labels
        return float(super(_NamingScorer, scorer)._score(method_caller, estimator, X, y_true, **kwargs))

    def _default_positive(self, labels: list[Any]) -> Any:
        """Return the greater of two numbers. Of two strings, either serves for probabilities, and none for rankings."""
        if not isinstance(labels[0], str):
            return max(labels)
        return labels[1] if self._response_method == _PROBA else None


def _is_one_against_one(estimator: Any) -> bool:
    """Return whether an estimator, or the last one of a fitted search or pipeline, scores pairs of classes."""
    estimator = getattr(estimator, "best_estimator_", estimator)
    if hasattr(estimator, "steps"):
        return _is_one_against_one(estimator.steps[-1][1])
    return bool(getattr(estimator, "decision_function_shape", "ovr") == "ovo")


def _can_be_undefined(name: str) -> bool:
    """Return whether a measure of labels can be 0/0 although both classes occur."""
    tp, tn = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    return bool(np.isnan(CATALOGUE[name].values(as_tables(tp, 1 - tn, 1 - tp, tn))).any())


# For each scorer: its function, the estimator's method whose answers the function takes, and its options.
_SCORER_TABLE: dict[str, tuple[Callable[..., Any], str | tuple[str, ...], dict[str, Any]]] = {
    "prediction_advantage": (prediction_advantage_score, "predict", {}),
    "prediction_advantage_cross_entropy": (prediction_advantage_score, _PROBA, {"loss": "cross_entropy"}),
    "prediction_advantage_squared": (prediction_advantage_score, "predict", {"loss": "squared"}),
    "prediction_advantage_absolute": (prediction_advantage_score, "predict", {"loss": "absolute"}),
    **{
        f"{'neg_' * (CATALOGUE[name].better < 0)}{name}": (
            score,
            "predict",
            {"zero_division": 0} if _can_be_undefined(name) else {},
        )
        for name, score in LABEL_SCORES.items()
    },
    "efron_r2": (efron_r2_score, _PROBA, {}),
    "mcfadden_r2": (mcfadden_r2_score, _PROBA, {}),
    **{
        f"{'neg_' * area.less_is_better}{name}": (area.score, _RANKING, {})
        for name, area in areas.CURVE_AREAS.items()
        if area.score
    },
    "roc_hull_auc": (roc_hull_auc_score, _RANKING, {}),
    "break_even_point": (areas.break_even_point_score, _RANKING, {}),
    "kolmogorov_smirnov": (areas.kolmogorov_smirnov_score, _RANKING, {}),
    "h_measure": (hull.h_measure_score, _RANKING, {}),
}


def _build_scorer(name: str, **options: Any) -> Callable[..., float]:
    function, method, fixed = _SCORER_TABLE[name]
    is_less_better = name.startswith("neg_")
    if method == "predict":
        return make_scorer(function, greater_is_better=not is_less_better, **fixed, **options)  # type: ignore[no-any-return]
    return _NamingScorer(function, -1 if is_less_better else 1, fixed | options, response_method=method)


SCORERS: dict[str, Callable[..., float]] = AliasedDict({name: _build_scorer(name) for name in _SCORER_TABLE})


def _advantage_under_cost(
    y_true: ArrayLike, y_pred: ArrayLike, *, cost: float, pos_label: Any = None, sample_weight: ArrayLike | None = None
) -> float:
    """Return the Prediction Advantage if a missed positive costs as much as `cost` false alarms."""
    positive, predicted, weights = binary_truth_and_predictions(
        y_true, y_pred, pos_label=pos_label, sample_weight=sample_weight
    )
    return prediction_advantage_score(
        positive.astype(int),
        predicted.astype(int),
        loss="cost",
        cost=[[0.0, cost], [1.0, 0.0]],
        labels=[0, 1],
        sample_weight=weights,
    )


def get_scorer(
    name: str, *, pos_label: Any = None, average: str | None = None, cost: float | None = None
) -> Callable[..., float]:
    """Return a scorer by name, for ``cross_validate``, ``GridSearchCV`` and the like.

    Parameters
    ----------
    name : str
        A key of `SCORERS`, or another usual name of it, such as "f1_gain"; or "cost", for the Prediction Advantage of
        labels under `cost`. All are better when greater.
    pos_label : label, optional
        The positive class of two; by default the greater of two numbers. Strings have no default, except for losses of
        probabilities, which are the same for either class.
    average : {"macro", "weighted", "micro"}, optional
        How to average over more than two classes, each against the rest. The scorers of rankings take "macro" by
        default; scorers of labels need one.
    cost : float above 0, optional
        For "cost", which needs it: how many false alarms a missed positive costs. With it, scikit-learn's
        ``TunedThresholdClassifierCV`` finds the threshold that costs least.

    Returns
    -------
    callable
        ``scorer(estimator, X, y, sample_weight=None)``, one of scikit-learn's. It calls ``predict`` for labels and
        values, ``predict_proba`` for probabilities, and ``decision_function`` or else ``predict_proba`` for rankings,
        in the other order for three or more classes. A measure that constant labels make 0/0, such as "p4", is then 0,
        because a search for a threshold would take NaN for the best score. Others are NaN with a warning.

    Raises
    ------
    ValueError
        If the name is unknown, or the scorer lacks an option, or does not take one or the two of them.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from sklearn.model_selection import cross_val_score
    >>> from sklearn.naive_bayes import GaussianNB
    >>> features, species = load_iris(return_X_y=True)
    >>> macro = get_scorer("p4", average="macro")
    >>> round(float(cross_val_score(GaussianNB(), features, species, scoring=macro).mean()), 3)
    0.965
    """
    scorer = canonical_name(name)
    if (cost is not None) != (scorer == "cost"):
        raise ValueError('cost is for the scorer "cost", which needs it.')
    if cost is not None:
        if not isinstance(cost, (int, float, np.number)) or not cost > 0 or average is not None:
            raise ValueError("cost must be a number above 0, and is for two classes, without average.")
        check_magnitude(cost, "cost")
        return make_scorer(_advantage_under_cost, cost=cost, pos_label=pos_label)  # type: ignore[no-any-return]
    if not isinstance(scorer, str) or scorer not in SCORERS:
        raise ValueError(f"The scorer {name!r} is unknown; known are {', '.join(SCORERS)}.")
    function, method, _ = _SCORER_TABLE[scorer]
    accepted = set(inspect.signature(function).parameters)
    if function is prediction_advantage_score and method != _PROBA:
        accepted.remove("pos_label")
    options = {"pos_label": pos_label, "average": average}
    options = {option: value for option, value in options.items() if value is not None}
    for option, what in (("pos_label", "positive class"), ("average", "average over classes")):
        if option in options and option not in accepted:
            raise ValueError(f"The scorer {name!r} has no {what}; leave {option} out.")
    if average is not None:
        check_choice(average, "average", ("macro", "weighted", "micro"))
        if pos_label is not None:
            raise ValueError("pos_label is for two classes and average for more; give one of them.")
    return _build_scorer(scorer, **options)
