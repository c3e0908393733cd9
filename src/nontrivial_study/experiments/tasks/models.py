"""Models as the configuration describes them: an estimator's public name, its parameters, its scaling."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler
from sklearn.utils import all_estimators

from nontrivial._arrays import Ints, Mask
from nontrivial._estimators import SCORE_METHODS, class_scores
from nontrivial._validation import as_labels, encode_labels
from nontrivial_study.experiments.tasks.external_models import import_estimator, is_external

_SCALERS = {"standard": StandardScaler, "unit": lambda: MinMaxScaler(clip=True)}


@cache
def _sklearn_estimators(kind: str) -> dict[str, type[BaseEstimator]]:
    return dict(all_estimators(type_filter=kind))


def build_model(
    name: str, specification: Mapping[str, Any], seed: int | None = None, *, kind: str = "classifier"
) -> BaseEstimator:
    """Build an unfitted classifier or regressor, which runs on one core and scales its features if asked to."""
    try:
        estimator = _find_estimator(specification["estimator"], kind)
        model = _build_with_parameters(estimator, dict(specification.get("parameters", {})))
    except (TypeError, ValueError) as error:
        raise ValueError(f"Model {name!r}: {error}") from None
    if "random_state" in model.get_params(deep=False):
        model.set_params(random_state=seed)
    if is_external(specification["estimator"]) and "n_jobs" in model.get_params(deep=False):
        model.set_params(n_jobs=1)  # scikit-learn's own estimators use one core by default
    scale = specification.get("scale")
    return make_pipeline(_SCALERS[scale](), model) if scale else model


def _find_estimator(estimator: str, kind: str) -> type[BaseEstimator]:
    """Return the class of an estimator: scikit-learn's by its name, another by its package."""
    if is_external(estimator):
        imported: type[BaseEstimator] = import_estimator(estimator, kind)
        return imported
    choices = _sklearn_estimators(kind)
    if estimator not in choices:
        raise ValueError(f"unknown estimator {estimator!r}; the known ones are {', '.join(sorted(choices))}.")
    return choices[estimator]


def _build_with_parameters(estimator: type[BaseEstimator], parameters: dict[str, Any]) -> BaseEstimator:
    allowed = sorted(set(estimator().get_params(deep=False)) - {"random_state", "n_jobs"})
    for parameter in parameters:
        if parameter not in allowed:
            raise ValueError(f"{estimator.__name__} has no parameter {parameter!r}; it has {', '.join(allowed)}.")
    model = estimator(**parameters)
    try:
        if hasattr(model, "_parameter_constraints"):
            model._validate_params()  # as fit does; otherwise a wrong value would show only in the middle of a run
    except ValueError as error:
        raise ValueError(" ".join(str(error).split())) from None
    return model


def check_models(specifications: Mapping[str, Mapping[str, Any]], origin: str, *, kind: str = "classifier") -> None:
    """Raise ValueError, naming the file of `origin`, unless every model can be built."""
    for name, specification in specifications.items():
        try:
            build_model(name, specification, kind=kind)
        except ValueError as error:
            raise ValueError(f"{origin}: {error}") from None


def positive_scores(model: BaseEstimator, features: np.ndarray, *, probabilities: bool = False) -> np.ndarray:
    """Return a classifier's scores for True, from its decision function or, if asked for, its probabilities."""
    scores = class_scores(model, features, [False, True], SCORE_METHODS if probabilities else SCORE_METHODS[::-1])
    if scores is None:
        raise ValueError(f"{type(model).__name__} has none of {', '.join(SCORE_METHODS)}.")
    scores = scores[:, 1]
    if not np.isfinite(scores).all():
        raise ValueError(f"{np.count_nonzero(~np.isfinite(scores))} of {scores.size} scores are not finite.")
    return scores


def predicted_positive(model: BaseEstimator, features: np.ndarray) -> Mask:
    """Return which cases a fitted classifier predicts to be True."""
    return np.asarray(predicted_classes(model, features, [False, True]) == 1)


def predicted_classes(model: BaseEstimator, features: np.ndarray, classes: ArrayLike) -> Ints:
    """Return the codes of the classes that a fitted classifier predicts: their positions in `classes`."""
    _, (codes,) = encode_labels(as_labels(model.predict(features), "predict"), classes=classes)
    return np.asarray(codes)
