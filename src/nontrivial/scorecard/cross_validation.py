"""An estimator scored by cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing, column_or_1d, indexable
from sklearn.utils.validation import has_fit_parameter

from nontrivial._arrays import Floats, Ints
from nontrivial._estimators import class_scores
from nontrivial._validation import as_weights
from nontrivial.scorecard.procedures import FoldAnswers, judge_procedures

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored


def evaluate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    groups: Any = None,
    sample_weight: Any = None,
    pos_label: Any = None,
    threshold: float | str | None = None,
    cost: float | None = None,
    quantile: float | None = None,
) -> Scored:
    """Score an estimator by cross-validation.

    The answers of all folds are pooled for probabilities, labels and numbers. The ranking is judged by the mean over
    the folds of the area under the ROC curve within a fold: pooled, a model that knows only the share of positives of
    its training set would rank worse than chance. The other areas are such means, too. With three or more classes, an
    area is the mean of one class against the rest. If a fold lacks a class, the ranking is left out.

    Answers are worse than trivial only if they are also worse than the best constants of the training sets, because
    these do a little worse, pooled, than the best constant of all cases. Folds share training cases, so all intervals
    and p-values are computed with an error 1.1 times as great; a note says so.

    Parameters
    ----------
    estimator : classifier or regressor of scikit-learn
    X : array-like or sparse matrix of shape (n, n_features)
    y : array-like of shape (n,)
    cv : int, splitter or iterable, default=5
        As in `sklearn.model_selection.cross_validate`. Only cases that are tested count. The answers for a case that
        is tested several times are one group.
    groups : array-like of shape (n,), optional
        Cases of a group stay together: a whole number `cv` then means `StratifiedGroupKFold` or `GroupKFold`, and
        intervals draw groups.
    sample_weight : array-like of shape (n,), optional
        Weights of the cases in scoring, and in training if `fit` takes them; a note says if it does not.
    pos_label, threshold, cost, quantile
        As in `score`.

    Returns
    -------
    Scored

    Raises
    ------
    ValueError
        If `estimator` is neither a classifier nor a regressor, if `cv` divides a group or tests a case that it trains
        on, or as `score` does.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import nontrivial
    >>> scored = nontrivial.evaluate(GaussianNB(), *load_breast_cancer(return_X_y=True))
    >>> scored.verdicts["ranking"].verdict
    'better'
    """
    is_estimator = hasattr(estimator, "fit") and not isinstance(estimator, type)
    if not is_estimator or not (is_classifier(estimator) or is_regressor(estimator)):
        raise ValueError(f"estimator is {estimator!r}; it must be a scikit-learn classifier or regressor.")
    X, y, groups = indexable(X, y, groups)
    truth, classifies = column_or_1d(y), is_classifier(estimator)
    weights = as_weights(sample_weight, len(truth))
    if groups is not None:
        groups = column_or_1d(groups)
        if cv is None or isinstance(cv, Integral):
            cv = StratifiedGroupKFold(cv or 5) if classifies else GroupKFold(cv or 5)
    rows = np.arange(len(truth))
    splits = check_cv(cv, y, classifier=classifies).split(X, y, groups)
    folds = [(rows[train], rows[test]) for train, test in splits]
    _check_folds(folds, groups)
    answers = answer_folds(estimator, X, y, folds, weights, np.unique(truth) if classifies else None)
    name, notes = type(estimator).__name__, []
    n_tested = len(np.unique(np.concatenate([test for _, test in folds])))
    if n_untested := len(truth) - n_tested:
        notes.append(f"No test set has {n_untested:,} of {len(truth):,} cases, so these do not count.")
    if weights is not None and not _weight_option(estimator):
        notes.append(f"{name} is trained without weights, as its fit takes none.")
    options = {"pos_label": pos_label, "cost": cost, "threshold": threshold, "quantile": quantile}
    options["task"] = "classification" if classifies else "regression"
    return judge_procedures({name: answers}, folds, y, weights=weights, groups=groups, notes=notes, **options)


def _check_folds(folds: Sequence[tuple[Ints, Ints]], groups: Any) -> None:
    """Refuse folds that test a case, or a case of a group, on which they train."""
    if any(np.isin(test, train).any() for train, test in folds):
        raise ValueError("cv tests cases that it trains on; use a splitter that keeps them apart.")
    if groups is not None:
        numbers = pd.factorize(groups)[0]
        if any(np.isin(numbers[train], numbers[test]).any() for train, test in folds):
            raise ValueError(
                "cv divides a group between training and test; use a splitter such as GroupKFold."
            )


def answer_folds(
    estimator: Any, X: Any, y: Any, folds: Sequence[tuple[Ints, Ints]], weights: Floats | None, classes: Any
) -> FoldAnswers:
    """Train a model on each fold, and return the answers for the test cases with weight, in the order of the data."""
    rows, fold_numbers, predictions, scores = list[Ints](), list[Ints](), list[Any](), list[Floats]()
    option = _weight_option(estimator)
    for number, (train, test) in enumerate(folds):
        tested = test if weights is None else test[weights[test] > 0]
        if not len(tested):
            continue
        fit_options = {} if weights is None or not option else {option: weights[train]}
        labels = _safe_indexing(y, train)
        try:
            model = clone(estimator).fit(_safe_indexing(X, train), labels, **fit_options)
        except ValueError as error:
            if classes is None or len(np.unique(labels)) > 1:
                raise
            raise ValueError(
                f"cv trains on one class only in fold {number + 1}, which {type(estimator).__name__} does not take; "
                "use a splitter that trains on all classes, such as StratifiedKFold, or shuffle the cases."
            ) from error
        X_test = _safe_indexing(X, tested)
        rows.append(tested)
        fold_numbers.append(np.full(len(tested), number))
        predictions += np.asarray(model.predict(X_test)).tolist()
        fold_scores = None if classes is None else _scores_by_class(model, X_test, classes)
        if fold_scores is not None:
            scores.append(fold_scores)
    if not rows:
        raise ValueError("cv tests no case; give a splitter that does.")
    all_rows = np.concatenate(rows)
    order = np.argsort(all_rows, kind="stable")
    return FoldAnswers(
        all_rows[order],
        np.concatenate(fold_numbers)[order],
        np.asarray(predictions)[order],
        np.concatenate(scores)[order] if scores else None,
    )


def _weight_option(estimator: Any) -> str:
    """Return the option of `fit` that takes weights; empty if it takes none."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return f"{name}__sample_weight" if has_fit_parameter(last, "sample_weight") else ""
    return "sample_weight" if has_fit_parameter(estimator, "sample_weight") else ""


def _scores_by_class(model: Any, X: Any, classes: Any) -> Floats | None:
    """Return a column of probabilities, or else of decision values, for each class; None without either."""
    scores_pairs = not hasattr(model, "predict_proba") and "ovo" in map(str, model.get_params().values())
    if len(classes) > 2 and scores_pairs:
        raise ValueError(
            "decision_function_shape is 'ovo', which scores pairs of classes; make it 'ovr', which scores each class."
        )
    return class_scores(model, X, classes)
