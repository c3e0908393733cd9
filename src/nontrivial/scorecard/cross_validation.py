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
from nontrivial.scorecard.compare import cards_of
from nontrivial.scorecard.estimates import LEVEL, Estimate, few_units
from nontrivial.scorecard.in_python import score
from nontrivial.scorecard.notes import SEEM_LABELS
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
    would come out worse than chance. Of three or more classes, the area is the mean of one class against the rest.

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
        A note says that intervals leave out the variation of training. There is no ranking if a fold lacks a class,
        as one of a single case does.

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
    classes = np.unique(truth) if classifies else np.array([])
    fold = np.full(len(truth), -1)
    predicted = np.empty(len(truth), dtype=object)
    scores: Floats | None = np.empty((len(truth), len(classes)))
    splits = list(check_cv(cv, y, classifier=classifies).split(X, y, groups))
    for number, (train, test) in enumerate(splits):
        if (fold[test] >= 0).any():
            raise ValueError("cv tests a case more than once; give a splitter that tests each case once.")
        fold[test] = number
        model = clone(estimator).fit(_safe_indexing(X, train), _safe_indexing(y, train))
        part = _safe_indexing(X, test)
        predicted[test] = np.asarray(model.predict(part))
        said = _scores(model, part, classes) if classifies else None
        if said is None or scores is None:
            scores = None
        else:
            scores[test] = said
    if (fold < 0).any():
        raise ValueError(f"cv leaves {int((fold < 0).sum()):,} cases untested; each must be tested once.")
    labels, name = np.asarray(predicted.tolist()), type(estimator).__name__
    if not classifies:
        return _with_folds(score(truth, y_pred=labels, groups=groups, task="regression"), name, None)
    options = {"groups": groups, "pos_label": pos_label, "cost": cost, "threshold": threshold}
    if scores is None:
        return _with_folds(score(truth, y_pred=labels, **options), name, None)
    cut = threshold is not None or cost is not None
    found = score(truth, scores, None if cut else labels, labels=classes, **options)
    return _with_folds(found, name, _ranking(truth, scores, fold, groups, classes, pos_label))


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
    """Return the mean over the folds of the area under the ROC curve, with the Bayesian bootstrap's interval.

    Of several classes, the area is the mean of one against the rest. None if a fold lacks one of them.
    """
    several = len(classes) > 2 and pos_label is None
    ranked = (
        list(range(len(classes))) if several else [1 if pos_label is None else list(classes).index(pos_label)]
    )
    places = np.searchsorted(classes, truth)
    cases = np.array([np.bincount(places[fold == each], minlength=len(classes)) for each in np.unique(fold)])
    if ((cases == 0) | (cases == cases.sum(axis=1, keepdims=True)))[:, ranked].any():
        return None
    _, _, codes = as_units(None, groups, len(fold))
    units = Units(len(fold), None, codes)
    found = bootstrap_mean_areas(places, scores, units, level=LEVEL, fold=fold, ranked=ranked)["roc_auc"]
    value, low, high, drawn, _ = map(float, found)
    estimate = Estimate(value, low, high, "bootstrap") if drawn else Estimate(value)
    return QuestionVerdict.of("macro_roc_auc" if several else "roc_auc", None, estimate, few_units(units))


def _with_folds(found: Scored, name: str, ranking: QuestionVerdict | None) -> Scored:
    """Put the ranking within folds, if any, in the place of the pooled one, and say what the intervals leave out."""
    (card,) = cards_of(found.result)
    new = {} if ranking is None else {"ranking": ranking}
    verdicts: dict[str, QuestionVerdict] = {
        each: (card.verdicts | new)[each] for each in QUESTIONS if each in card.verdicts | new
    }
    note, areas = TRAINING, dict(card.areas)
    if ranking is None:
        verdicts.pop("ranking", None)
        note = f"There is no ranking, as a fold lacks a class. {TRAINING}" if areas else TRAINING
        areas = {}
    else:
        several = "" if ranking.measure == "roc_auc" else ", itself the mean of one class against the rest"
        note = f"The ranking is the mean over the folds of the area under the ROC curve within a fold{several}. {note}"
        areas = {each: area for each, area in areas.items() if not each.endswith("roc_auc")}
    # Two scores are what a model of the shares in its training sets gives; they are no labels.
    notes = [each for each in card.notes if SEEM_LABELS not in each]
    card = replace(card, model=name, verdicts=verdicts, notes=(*notes, note), areas=areas)
    return replace(found, result=card, answers=tuple(replace(each, model=name) for each in found.answers))
