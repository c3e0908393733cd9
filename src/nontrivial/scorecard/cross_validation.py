"""An estimator scored by cross-validation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing, indexable

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import Units
from nontrivial._validation import as_units
from nontrivial.curves.bootstrap import bootstrap_mean_areas
from nontrivial.scorecard.answers import SEEM_LABELS
from nontrivial.scorecard.estimates import LEVEL, Estimate, few_units
from nontrivial.scorecard.evaluate import RANKED_LOWER
from nontrivial.scorecard.in_python import score
from nontrivial.scorecard.verdicts import QUESTIONS, QuestionVerdict, judge

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored


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
    would come out worse than chance. Of three or more classes, the area is the mean of one class against the rest.
    There is no ranking if a fold lacks a class, as one of a single case does. Intervals leave out the variation of
    training, which a note says.

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

    Raises
    ------
    ValueError
        If a case is not tested exactly once, or as `score` does.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import nontrivial
    >>> found = nontrivial.evaluate(GaussianNB(), *load_breast_cancer(return_X_y=True))
    >>> found.verdicts["ranking"].verdict
    'better'
    """
    X, y, groups = indexable(X, y, groups)
    truth, classifies = np.asarray(y), is_classifier(estimator)
    classes = np.unique(truth) if classifies else np.array([])
    fold = np.full(len(truth), -1)
    predicted = np.empty(len(truth), dtype=object)
    scores, said = np.empty((len(truth), len(classes))), None
    for number, (train, test) in enumerate(check_cv(cv, y, classifier=classifies).split(X, y, groups)):
        if (fold[test] >= 0).any():
            raise ValueError("cv tests a case more than once; give a splitter that tests each case once.")
        fold[test] = number
        model = clone(estimator).fit(_safe_indexing(X, train), _safe_indexing(y, train))
        part = _safe_indexing(X, test)
        predicted[test] = np.asarray(model.predict(part))
        said = _scores(model, part, classes) if classifies else None
        if said is not None:
            scores[test] = said
    if (fold < 0).any():
        raise ValueError(f"cv leaves {int((fold < 0).sum()):,} cases untested; each must be tested once.")
    labels, ranking = np.asarray(predicted.tolist()), None
    if not classifies:
        found = score(truth, y_pred=labels, groups=groups, task="regression")
    else:
        options = {"groups": groups, "pos_label": pos_label, "cost": cost, "threshold": threshold}
        options["task"] = "classification"
        if said is None:
            found = score(truth, y_pred=labels, **options)
        else:
            cut = threshold is not None or cost is not None
            found = score(truth, scores, None if cut else labels, labels=classes, **options)
            ranking = _ranking(truth, scores, fold, groups, classes, pos_label)
    return _with_folds(found, type(estimator).__name__, ranking)


def _scores(model: Any, X: Any, classes: Any) -> Floats | None:
    """Return probabilities, 0 for classes that the training set lacks; or decision values; or None without either."""
    of_classes = np.searchsorted(classes, model.classes_)
    if hasattr(model, "predict_proba"):
        said = np.zeros((len(X), len(classes)))
        said[:, of_classes] = model.predict_proba(X)
        return said
    if not hasattr(model, "decision_function"):
        return None
    if len(of_classes) < len(classes):
        raise ValueError(
            "A training set lacks a class, so there are no decision values for it; use other folds."
        )
    values = np.asarray(model.decision_function(X))
    if values.ndim == 1:  # of two classes, for the second one
        return np.column_stack([-values, values])
    if "ovo" in map(str, model.get_params().values()):
        raise ValueError(
            "decision_function_shape is 'ovo', which scores pairs of classes; make it 'ovr', which scores each class."
        )
    return values


def _ranking(
    truth: Any, scores: Floats, fold: Ints, groups: Any, classes: Any, pos_label: Any
) -> QuestionVerdict | None:
    """Judge the mean over the folds, and over several classes, of the area; None if a fold lacks one of them."""
    several = len(classes) > 2 and pos_label is None
    ranked = [1 if pos_label is None else list(classes).index(pos_label)]
    if several:
        ranked = list(range(len(classes)))
    places = np.searchsorted(classes, truth)
    cases = np.array([np.bincount(places[fold == each], minlength=len(classes)) for each in np.unique(fold)])
    if ((cases == 0) | (cases == cases.sum(axis=1, keepdims=True)))[:, ranked].any():
        return None
    _, _, codes = as_units(None, groups, len(fold))
    units = Units(len(fold), None, codes)
    found = bootstrap_mean_areas(places, scores, units, level=LEVEL, fold=fold, ranked=ranked)["roc_auc"]
    value, low, high, drawn, _ = map(float, found)
    estimate = Estimate(value, low, high, "bootstrap") if drawn else Estimate(value, reason=few_units(units))
    return judge(estimate, None, "macro_roc_auc" if several else "roc_auc")


def _with_folds(found: Scored, name: str, ranking: QuestionVerdict | None) -> Scored:
    """Put the ranking within folds, if any, in the place of the pooled one, and say what the intervals leave out."""
    card: Any = found.result
    verdicts, areas = {**card.verdicts, "ranking": ranking}, {}
    note = "Intervals leave out the variation of training: each fold has one model."
    if ranking is not None:
        several = "" if ranking.measure == "roc_auc" else ", itself the mean of one class against the rest"
        note = f"The ranking is the mean over the folds of the area under the ROC curve within a fold{several}. {note}"
        areas = {each: area for each, area in card.areas.items() if not each.endswith("roc_auc")}
    elif card.areas:
        note = f"There is no ranking, as a fold lacks a class. {note}"
    # Two scores are what a model of the shares in its training sets gives, and pooled they rank worse than chance.
    notes = [each for each in card.notes if SEEM_LABELS not in each and RANKED_LOWER not in each]
    card = replace(
        card,
        model=name,
        verdicts={each: verdicts[each] for each in QUESTIONS if verdicts.get(each) is not None},
        notes=(*notes, note),
        areas=areas,
    )
    return replace(found, result=card, answers=tuple(replace(each, model=name) for each in found.answers))
