"""An estimator scored by cross-validation."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
import pandas as pd
from scipy.stats import norm
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, check_cv
from sklearn.utils import _safe_indexing, column_or_1d, indexable

from nontrivial._arrays import Floats, Ints
from nontrivial._draws import Bounds
from nontrivial._estimators import class_scores
from nontrivial.curves.bootstrap import bootstrap_mean_areas
from nontrivial.measures.comparison import compare_models
from nontrivial.measures.losses import resolve
from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.scorecard.answers import SEEM_LABELS
from nontrivial.scorecard.estimates import LEVEL, Estimate, estimates_of, explained
from nontrivial.scorecard.evaluate import RANKED_LOWER
from nontrivial.scorecard.in_python import score
from nontrivial.scorecard.verdicts import INCONCLUSIVE, QUESTIONS, WORSE, QuestionVerdict, judge

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
    would come out worse than chance. The other areas are such means, too. Of three or more classes, an area is the mean
    of one class against the rest. There is no ranking if a fold lacks a class, as one of a single case does. Other
    answers are worse than trivial only if they are also worse than the best constants of the training sets, as the
    share or the mean in a training set does a little worse, pooled, than that of all cases. As folds share training
    cases, the variance of areas and advantages is taken 1.25 times, p-values change with it, and a note says so.

    Parameters
    ----------
    estimator : classifier or regressor of scikit-learn
    X : array-like or sparse matrix of shape (n, n_features)
    y : array-like of shape (n,)
    cv : int, splitter or iterable, default=5
        As in `sklearn.model_selection.cross_validate`; each case must be tested once.
    groups : array-like of shape (n,), optional
        Cases of a group stay together: a whole number `cv` then means `StratifiedGroupKFold` or `GroupKFold`, and
        intervals draw groups.
    pos_label, threshold, cost
        As in `score`.

    Returns
    -------
    Scored

    Raises
    ------
    ValueError
        If `estimator` is no classifier or regressor, a case is not tested exactly once, `cv` divides a group, or as
        `score` does.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from sklearn.naive_bayes import GaussianNB
    >>> import nontrivial
    >>> found = nontrivial.evaluate(GaussianNB(), *load_breast_cancer(return_X_y=True))
    >>> found.verdicts["ranking"].verdict
    'better'
    """
    is_estimator = hasattr(estimator, "fit") and not isinstance(estimator, type)
    if not is_estimator or not (is_classifier(estimator) or is_regressor(estimator)):
        raise ValueError(f"estimator is {estimator!r}; it must be a scikit-learn classifier or regressor.")
    X, y, groups = indexable(X, y, groups)
    truth, classifies = column_or_1d(y), is_classifier(estimator)
    if groups is not None:
        groups = column_or_1d(groups)
        members = pd.factorize(groups)[0]
        if cv is None or isinstance(cv, Integral):
            cv = StratifiedGroupKFold(cv or 5) if classifies else GroupKFold(cv or 5)
    classes = np.unique(truth) if classifies else np.array([])
    fold, folds = np.full(len(truth), -1), list(check_cv(cv, y, classifier=classifies).split(X, y, groups))
    predicted = np.empty(len(truth), dtype=object)
    scores, said = np.empty((len(truth), len(classes))), None
    for number, (train, test) in enumerate(folds):
        if (fold[test] >= 0).any():
            raise ValueError("cv tests a case more than once; give a splitter that tests each case once.")
        if groups is not None and np.isin(members[train], members[test]).any():
            raise ValueError(
                "cv divides a group between training and test; use a splitter such as GroupKFold."
            )
        fold[test] = number
        model = clone(estimator).fit(_safe_indexing(X, train), _safe_indexing(y, train))
        part = _safe_indexing(X, test)
        predicted[test] = np.asarray(model.predict(part))
        said = _scores(model, part, classes) if classifies else None
        if said is not None:
            scores[test] = said
    if (fold < 0).any():
        raise ValueError(f"cv leaves {int((fold < 0).sum()):,} cases untested; each must be tested once.")
    labels, name = np.asarray(predicted.tolist()), type(estimator).__name__
    options = {"groups": groups, "pos_label": pos_label, "cost": cost, "threshold": threshold}
    options["task"] = "classification" if classifies else "regression"
    ordered = y if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype) else truth
    if said is None:
        return _with_folds(score(ordered, y_pred=labels, **options), name, folds, {})
    cut = threshold is not None or cost is not None
    found = score(ordered, scores, None if cut else labels, labels=classes, **options)
    return _with_folds(found, name, folds, _areas_within(fold, truth, scores, found.answers[0]))


def _scores(model: Any, X: Any, classes: Any) -> Floats | None:
    """Return a column of probabilities, or else of decision values, for each class; None without either."""
    if (
        len(classes) > 2
        and not hasattr(model, "predict_proba")
        and "ovo" in map(str, model.get_params().values())
    ):
        raise ValueError(
            "decision_function_shape is 'ovo', which scores pairs of classes; make it 'ovr', which scores each class."
        )
    return class_scores(model, X, classes)


def _areas_within(fold: Ints, truth: Any, scores: Floats, answers: Any) -> dict[str, Estimate]:
    """Return the means over the folds, and over several classes, of the areas; none if a fold lacks a class."""
    cases, places = pd.crosstab(fold, truth).to_numpy(), np.searchsorted(np.unique(truth), truth)
    ranked, prefix = list(range(cases.shape[1])), "macro_"
    if answers.positive is not None:
        ranked, prefix = [int(places[answers.truth][0])], ""
    if ((cases == 0) | (cases == cases.sum(axis=1, keepdims=True)))[:, ranked].any():
        return {}
    table = bootstrap_mean_areas(places, scores, answers.units, level=LEVEL, fold=fold, ranked=ranked)
    areas = {f"{prefix}{name}": each for name, each in estimates_of(table).items()}
    areas = {
        name: _correct(each, 0.0 if name.endswith(("roc_auc", "pr_auc", "average_precision")) else -math.inf)
        for name, each in areas.items()
    }
    return explained(areas, answers, lambda _: "it is undefined in a fold")


NEGLIGIBLE = 1e-6  # a difference of advantages, such as rounding makes


def _worse_than_trained(answers: Any, question: str, loss: str, folds: Sequence[Any]) -> float:
    """Return the p-value of "no worse than the best constant of each training set"."""
    said, how = answers.prediction, dict[str, Any]()
    if question == "probabilities":
        said = answers.chances
        if loss == "cross_entropy":
            said = np.column_stack([1 - said, said]) if said.ndim == 1 else said
            how["labels"] = range(said.shape[1])
    elif question == "labels":
        said, how["labels"] = said.astype(np.intp), range(max(len(answers.labels), 2))
        if loss == "cost":
            how |= {"cost": [[0, answers.cost], [1, 0]], "labels": [0, 1]}
    case = resolve(loss, answers.truth_under(loss), said, **how)
    constants = np.empty_like(said)
    for train, test in folds:
        constants[test] = case.loss.marginal(case.truth[train], None)
    with warnings.catch_warnings(action="ignore"):
        found = compare_models(case.truth, said, constants, loss=loss, groups=answers.groups, **how)
    if not abs(found.difference) > NEGLIGIBLE:
        return 0.5
    p_worse = found.pvalue / 2 if found.difference < 0 else 1 - found.pvalue / 2
    return float(norm.sf(norm.isf(p_worse) / math.sqrt(CORRECTION)))


# Folds share training cases, so that their answers vary together. The variance of an estimate is taken as this times
# that of independent answers. Nadeau and Bengio (2003) have 1.5 for five folds, which is more than simulations need.
CORRECTION = 1.25
Corrected = TypeVar("Corrected", Estimate, QuestionVerdict)


def _correct(found: Corrected, least: float = -math.inf) -> Corrected:
    """Widen an interval, raise its p-values, and move its ends so that they agree; values lie from `least` to 1."""
    scale = math.sqrt(CORRECTION)
    p_better, p_worse = (float(norm.sf(norm.isf(p) / scale)) for p in (found.p_better, found.p_worse))
    low, high = max(found.value - (found.value - found.low) * scale, least), found.value
    bounds = Bounds(low, min(high + (found.high - found.value) * scale, 1.0), p_better, p_worse)
    if not math.isnan(sum(bounds)):
        bounds = bounds.tested(p_better, p_worse, LEVEL)
    return replace(found, low=bounds.low, high=bounds.high, p_better=p_better, p_worse=p_worse)


def _correct_verdict(verdict: QuestionVerdict) -> QuestionVerdict:
    found = _correct(verdict)
    estimate = Estimate(found.value, found.low, found.high, found.method, found.reason)
    estimate = replace(estimate, p_better=found.p_better, p_worse=found.p_worse)
    return judge(estimate, found.loss, found.measure)


def _with_folds(found: Scored, name: str, folds: Sequence[Any], areas: dict[str, Estimate]) -> Scored:
    """Put the areas within folds, if any, in the place of the pooled ones, and say what the intervals leave out."""
    card: Any = found.result
    verdicts: dict[str, Any] = {
        each: _correct_verdict(verdict) for each, verdict in card.verdicts.items() if each != "ranking"
    }
    notes, answers = [], found.answers[0]
    trained = functools.cache(lambda question, loss: _worse_than_trained(answers, question, loss, folds))
    for question, each in verdicts.items():
        if each.verdict == WORSE and not (p_worse := trained(question, each.loss)) <= LEVEL_OF_TEST:
            tested = {} if math.isnan(each.p_worse) else {"p_worse": p_worse}
            verdicts[question] = replace(each, verdict=INCONCLUSIVE, **tested)
            notes.append(
                f"The {question} are worse than the best constant of all cases, but are not shown to be worse than "
                "those of the training sets."
            )
    advantage = _correct(card.prediction_advantage)
    question = "numbers" if "numbers" in verdicts else "labels"
    if advantage.p_worse <= LEVEL_OF_TEST < (p_worse := trained(question, card.loss)):
        advantage = replace(advantage, p_worse=p_worse)
    losses = {
        loss: replace(row, prediction_advantage=_correct(row.prediction_advantage))
        for loss, row in card.losses.items()
    }
    card = replace(card, prediction_advantage=advantage, losses=losses)
    n_trained = round(np.mean([len(train) for train, _ in folds]))
    note = (
        f"Verdicts, areas and Prediction Advantages are about the procedure, trained on {n_trained:,} cases: as the "
        f"folds share training cases, their variance is taken {CORRECTION:g} times. The other intervals leave out the "
        "variation of training."
    )
    if areas:
        ranking = "roc_auc" if "roc_auc" in areas else "macro_roc_auc"
        verdicts["ranking"] = judge(areas[ranking], None, ranking)
        means = "the folds" if ranking == "roc_auc" else "the folds and the classes"
        note = f"The ranking and the areas are means over {means} of areas within a fold. {note}"
    elif card.areas:
        note = f"There is no ranking, as a fold lacks a class. {note}"
    # Two scores are what a model of the shares in its training sets gives, and pooled they rank worse than chance.
    notes += [each for each in card.notes if SEEM_LABELS not in each and RANKED_LOWER not in each]
    card = replace(
        card,
        model=name,
        verdicts={each: verdicts[each] for each in QUESTIONS if each in verdicts},
        notes=(*notes, note),
        areas=areas,
        classes=tuple(replace(row, areas={}) for row in card.classes),  # theirs are pooled
    )
    return replace(
        found, result=card, answers=tuple(replace(each, model=name, pooled=True) for each in found.answers)
    )
