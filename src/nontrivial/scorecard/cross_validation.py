"""An estimator scored by cross-validation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable

from nontrivial._arrays import Floats, Ints
from nontrivial._validation import as_groups
from nontrivial.curves.bootstrap import bootstrap_fold_areas
from nontrivial.scorecard.compare import cards_of
from nontrivial.scorecard.estimates import FEW, LEVEL, Estimate
from nontrivial.scorecard.in_python import score
from nontrivial.scorecard.verdicts import QUESTIONS, QuestionVerdict

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored

TRAINING = "Intervals leave out the variation of training: each fold has one model."


def evaluate(
    estimator: Any,
    X: Any,
    y: Any,
    *,
    cv: Any = 5,
    groups: Any = None,
    pos_label: Any = None,
    threshold: float | None = None,
    cost: float | None = None,
) -> Scored:
    """Score an estimator by cross-validation.

    Probabilities and labels are pooled out of fold. The ranking is judged by the mean over the folds of the area under
    the ROC curve within a fold: pooled, a model that knows nothing but the share of positives of its training set
    would come out worse than chance.

    Parameters
    ----------
    estimator : classifier or regressor of scikit-learn
    X : array-like of shape (n, n_features)
    y : array-like of shape (n,)
    cv : int, splitter or iterable, default=5
        As in `sklearn.model_selection.cross_validate`; each case must be tested once.
    groups : array-like of shape (n,), optional
        For splitters that keep groups together; intervals then draw groups.
    pos_label, threshold, cost
        As in `score`.

    Returns
    -------
    Scored
        A note says that intervals leave out the variation of training. Folds with a single case, or of one class,
        have no ranking.

    Raises
    ------
    ValueError
        If a case is not tested exactly once, or as `score` does.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import nontrivial
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> found = nontrivial.evaluate(GaussianNB(), X, y)
    >>> found.verdicts["ranking"].verdict
    'better'
    """
    X, y, groups = indexable(X, y, groups)
    truth, classifies = np.asarray(y), is_classifier(estimator)
    fold = np.full(len(truth), -1)
    predicted: list[Any] = [None] * len(truth)
    chances: dict[int, Floats] = {}
    classes = np.unique(truth) if classifies else None
    splits = list(check_cv(cv, y, classifier=classifies).split(X, y, groups))
    for number, (train, test) in enumerate(splits):
        if (fold[test] >= 0).any():
            raise ValueError("cv tests a case more than once; give a splitter that tests each case once.")
        fold[test] = number
        model = clone(estimator).fit(_safe_indexing(X, train), _safe_indexing(y, train))
        part = _safe_indexing(X, test)
        for row, label in zip(test, np.asarray(model.predict(part)), strict=True):
            predicted[row] = label
        if classifies:
            chances |= zip(test, _scores(model, part, classes), strict=True)
    if (fold < 0).any():
        raise ValueError(f"cv leaves {int((fold < 0).sum()):,} cases untested; each must be tested once.")
    options = {"groups": groups, "pos_label": pos_label, "cost": cost, "threshold": threshold}
    if not classifies:
        found = score(truth, y_pred=np.asarray(predicted), groups=groups, task="regression")
        return _with_folds(found, None)
    scores = np.array([chances[row] for row in range(len(truth))])
    by_scores = scores.ndim == 1 or scores.shape[1] == 2
    cut = by_scores and not (threshold is None and cost is None)
    labels = None if cut else np.asarray(predicted)
    found = score(truth, scores, labels, labels=classes, **options)
    return _with_folds(found, _ranking(truth, scores, fold, groups, classes, pos_label))


def _scores(model: Any, X: Any, classes: Any) -> Floats:
    """Return the probabilities of all classes, 0 for those that the training set lacks; or decision values."""
    if not hasattr(model, "predict_proba"):
        return np.asarray(model.decision_function(X))
    said = np.zeros((len(X), len(classes)))
    said[:, np.searchsorted(classes, model.classes_)] = model.predict_proba(X)
    return said


def _ranking(
    truth: Any, scores: Floats, fold: Ints, groups: Any, classes: Any, pos_label: Any
) -> QuestionVerdict | None:
    """Return the mean over the folds of the area under the ROC curve, with the Bayesian bootstrap's interval."""
    if len(classes) > 2:
        return None
    positive = classes[1] if pos_label is None else pos_label
    of_positive = scores if scores.ndim == 1 else scores[:, list(classes).index(positive)]
    if scores.ndim == 1 and positive != classes[1]:
        of_positive = -scores
    is_positive = truth == positive
    if any(len(np.unique(is_positive[fold == number])) < 2 for number in np.unique(fold)):
        return None
    units = as_groups(groups, len(fold))
    found = bootstrap_fold_areas(is_positive, of_positive, fold, units, level=LEVEL)["roc_auc"]
    value, low, high, drawn, _ = map(float, found)
    estimate = Estimate(value, low, high, "bootstrap") if drawn else Estimate(value)
    return QuestionVerdict.of("roc_auc", None, estimate, FEW)


def _with_folds(found: Scored, ranking: QuestionVerdict | None) -> Scored:
    """Put the ranking within folds, if any, in the place of the pooled one, and say what the intervals leave out."""
    (card,) = cards_of(found.result)
    verdicts = {name: each for name, each in card.verdicts.items() if name != "ranking"}
    if ranking is not None:
        verdicts["ranking"] = ranking
    verdicts = {name: verdicts[name] for name in QUESTIONS if name in verdicts}
    areas = {name: each for name, each in card.areas.items() if ranking is not None and name != "roc_auc"}
    note = (
        "The ranking is the mean over the folds of the area under the ROC curve within a fold. "
        if ranking
        else ""
    )
    return replace(
        found, result=replace(card, verdicts=verdicts, notes=(*card.notes, note + TRAINING), areas=areas)
    )
