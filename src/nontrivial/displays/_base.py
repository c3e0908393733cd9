"""What all displays of curves share: how they are made from scores, classifiers and cross-validations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from nontrivial._arrays import Floats, Labels
from nontrivial._validation import (
    OneClassError,
    as_labels,
    as_weights,
    binary_truth,
    check_choice,
    check_fitted_to,
    show,
)
from nontrivial.displays._drawing import CurvePlot

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class CurveDisplay(CurvePlot):
    """A plot of one curve, or of one for each fold, in the manner of scikit-learn's displays.

    A subclass takes its arrays in the constructor, as ``name=array`` for one curve or ``name=[array, ...]`` for
    several, stores them under the same names, and says in `_curves_of` how they are made from labels and scores.
    """

    def __init__(
        self, *, name: str | Sequence[str] | None = None, pos_label: Any = None, **arrays: Any
    ) -> None:
        raise NotImplementedError

    @classmethod
    def _curves_of(
        cls, y_true: Labels, y_score: ArrayLike, pos_label: Any, weights: Floats | None
    ) -> dict[str, Any]:
        """Return the constructor's arguments for one curve."""
        raise NotImplementedError

    def plot(
        self,
        ax: Axes | None = None,
        *,
        name: str | Sequence[str] | None = None,
        curve_kwargs: Mapping[str, Any] | Sequence[Mapping[str, Any]] | None = None,
    ) -> Self:
        """Draw what is stored."""
        raise NotImplementedError

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve of labels and scores, and draw it.

        Parameters
        ----------
        y_true : array-like of shape (n,)
            Two labels: numbers, booleans or strings.
        y_score : array-like of shape (n,)
            Finite; the greater, the more positive.
        pos_label : label, optional
            The positive class; by default the greater label. Strings have no default.
        sample_weight : array-like of shape (n,), optional
            0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.
        name : str, optional
            Goes into the legend.
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        **options
            For `plot`.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If the lengths differ or a score is not finite.

        Warns
        -----
        UndefinedMetricWarning
            If all cases are of one class; the curve and its area are NaN.
        """
        labels = as_labels(y_true, "y_true")
        weights = as_weights(sample_weight, len(labels))
        arrays = cls._curves_of(labels, y_score, pos_label, weights)
        with suppress(OneClassError):
            _, pos_label, _ = binary_truth(labels, pos_label=pos_label, sample_weight=weights)
        return cls(**arrays, name=name, pos_label=pos_label).plot(ax, **options)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: ArrayLike,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Score `X` with a fitted classifier, compute the curve, and draw it.

        Parameters
        ----------
        estimator : fitted classifier of two classes, or a pipeline that ends in one
        X : array-like of shape (n, n_features)
        y : array-like of shape (n,)
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            What gives the scores; "auto" takes the first of the two that the estimator has.
        pos_label : label, optional
            The positive class; by default the greater label.
        sample_weight : array-like of shape (n,), optional
            0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.
        name : str, optional
            Goes into the legend; by default the name of the estimator's class.
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        **options
            For `plot`.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If the estimator has no scores for two classes, if `y` has another label, or as in
            `from_predictions`.

        Warns
        -----
        UndefinedMetricWarning
            As in `from_predictions`.
        """
        scores = scores_of(estimator, X, response_method=response_method, pos_label=pos_label)
        check_fitted_to(estimator, y, sample_weight=sample_weight)
        return cls.from_predictions(
            y,
            scores,
            pos_label=estimator.classes_[1] if pos_label is None else pos_label,
            sample_weight=sample_weight,
            name=type(estimator).__name__ if name is None else name,
            ax=ax,
            **options,
        )

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,
        y: ArrayLike,
        *,
        response_method: str = "auto",
        pos_label: Any = None,
        sample_weight: ArrayLike | None = None,
        name: str | Sequence[str] | None = None,
        ax: Axes | None = None,
        **options: Any,
    ) -> Self:
        """Compute the curve of each fold of a cross-validation on its test cases, and draw them together.

        Parameters
        ----------
        cv_results : dict
            From scikit-learn's ``cross_validate`` with ``return_estimator=True`` and ``return_indices=True``.
        X : array-like of shape (n, n_features)
        y : array-like of shape (n,)
            What was cross-validated.
        response_method : {"auto", "predict_proba", "decision_function"}, default "auto"
            What gives the scores; "auto" takes the first of the two that the estimators have.
        pos_label : label, optional
            The positive class; by default the greater label.
        sample_weight : array-like of shape (n,), optional
            0 or greater; the greatest at most 1e12 times the least above 0. A weight of k counts like k equal cases.
        name : str or list of str, optional
            Goes into the legend: one name for all folds, or one for each.
        ax : matplotlib axes, optional
            Where to draw; by default new axes.
        **options
            For `plot`.

        Returns
        -------
        The display.

        Raises
        ------
        ValueError
            If `cv_results` lacks the estimators or the indices, if `y` has a label that they do not know, or if `X`
            and `y` differ in length or hold fewer cases than it divides.

        Warns
        -----
        UndefinedMetricWarning
            If all test cases of a fold are of one class; its curve and area are NaN, and the legend leaves it out.
        """
        from sklearn.utils import _safe_indexing  # slow to import, and nothing else here needs it
        from sklearn.utils.validation import _num_samples

        if not {"estimator", "indices"} <= set(cv_results):
            raise ValueError(
                "cv_results has no estimators or no indices; "
                "call cross_validate with return_estimator=True and return_indices=True."
            )
        labels = as_labels(y, "y")
        n, last = _num_samples(X), max(np.max(test) for test in cv_results["indices"]["test"])
        if not last < n == len(labels):
            raise ValueError(
                f"X has {n} cases and y {len(labels)}; both must hold all cases that were cross-validated, at least "
                f"{last + 1}."
            )
        if pos_label is None:
            pos_label = two_classes(cv_results["estimator"][0])[1]
        check_fitted_to(cv_results["estimator"][0], labels, sample_weight=sample_weight)
        weights = as_weights(sample_weight, len(labels))
        folds = []
        for estimator, test in zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True):
            scores = scores_of(
                estimator, _safe_indexing(X, test), response_method=response_method, pos_label=pos_label
            )
            of_fold = None if weights is None else weights[test]
            folds.append(cls._curves_of(labels[test], scores, pos_label, of_fold))
        arrays = {key: [fold[key] for fold in folds] for key in folds[0]}
        return cls(**arrays, name=name, pos_label=pos_label).plot(ax, **options)


def two_classes(estimator: Any) -> list[Any]:
    """Return the classes of a fitted classifier, which must be two."""
    from sklearn.base import BaseEstimator  # slow to import, as above
    from sklearn.utils.validation import check_is_fitted

    if isinstance(estimator, BaseEstimator):
        check_is_fitted(estimator)
    classes = list(getattr(estimator, "classes_", []))
    if len(classes) != 2:
        raise ValueError(
            f"{type(estimator).__name__} is not a fitted classifier of two classes; pass such a classifier, or its "
            "predictions to from_predictions."
        )
    return classes


def scores_of(estimator: Any, X: Any, *, response_method: str, pos_label: Any) -> Floats:
    """Return the scores that a fitted classifier of two classes gives to the positive class."""
    methods = ("predict_proba", "decision_function")
    check_choice(response_method, "response_method", ("auto", *methods))
    wanted = methods if response_method == "auto" else (response_method,)
    classes = two_classes(estimator)
    method = next((method for method in wanted if hasattr(estimator, method)), None)
    if method is None:
        raise ValueError(
            f"{type(estimator).__name__} has no {' and no '.join(wanted)}; pass scores to from_predictions."
        )
    if pos_label is not None and pos_label not in classes:
        raise ValueError(
            f"pos_label is {show(pos_label)}; it must be one of the classes {show(classes[0])} and {show(classes[1])}."
        )
    column = 1 if pos_label is None else classes.index(pos_label)
    scores = np.asarray(getattr(estimator, method)(X))
    if method == "predict_proba":
        return scores[:, column]
    return scores if column == 1 else -scores
