"""An estimator scored by cross-validation."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import numpy as np
import pandas as pd
from sklearn.base import clone, is_classifier, is_regressor
from sklearn.model_selection import GroupKFold, StratifiedGroupKFold, check_cv
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing, column_or_1d, indexable
from sklearn.utils.validation import has_fit_parameter

from nontrivial._arrays import Floats, Ints, Mask
from nontrivial._draws import CONFIDENCE_LEVEL, Bounds
from nontrivial._estimators import class_scores
from nontrivial._validation import as_weights
from nontrivial.curves.bootstrap import bootstrap_mean_areas
from nontrivial.measures.catalogue import CATALOGUE
from nontrivial.measures.comparison import compare_models
from nontrivial.measures.cross_validated import WIDENING, raise_p_value, widen_interval
from nontrivial.measures.losses import resolve
from nontrivial.measures.names import Named, canonical_name
from nontrivial.measures.sign_verdict import SIGNIFICANCE_LEVEL
from nontrivial.numerals import as_written
from nontrivial.scorecard.answers.answers import SEEM_LABELS, Forecasts
from nontrivial.scorecard.answers.pairing import AlignedAnswers
from nontrivial.scorecard.card import CROSS_VALIDATED, RANKED_LOWER, Scorecard
from nontrivial.scorecard.compare import cards_of, compare_cards, judge_probabilities
from nontrivial.scorecard.differences import answers_under_losses
from nontrivial.scorecard.estimates.estimate import Estimate, estimates_of_areas, with_reasons
from nontrivial.scorecard.estimates.verdicts import (
    INCONCLUSIVE,
    QUESTION_NAMES,
    WORSE,
    QuestionVerdict,
    choose_probability_loss,
    judge_advantage,
    judge_area,
)
from nontrivial.scorecard.in_python import score

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored

AREAS_FROM_0 = ("roc_auc", "average_precision", "pr_auc")  # areas of gains may lie below
NEGLIGIBLE = 1e-6  # a difference of advantages, such as rounding makes
Widened = TypeVar("Widened", Estimate, QuestionVerdict)


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
    area is the mean of one class against the rest. There is no ranking if a fold lacks a class.

    Answers are worse than trivial only if they are also worse than the best constants of the training sets, because
    these do a little worse, pooled, than the best constant of all cases. Folds share training cases, so all intervals
    and p-values are those of an error 1.1 times as great; a note says so.

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
        If `estimator` is no classifier or regressor, `cv` divides a group or tests a case that it trains on, or as
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
    weights = as_weights(sample_weight, len(truth))
    if groups is not None:
        groups = column_or_1d(groups)
        if cv is None or isinstance(cv, Integral):
            cv = StratifiedGroupKFold(cv or 5) if classifies else GroupKFold(cv or 5)
    folds = [
        (np.arange(len(truth))[train], np.arange(len(truth))[test])
        for train, test in check_cv(cv, y, classifier=classifies).split(X, y, groups)
    ]
    if any(np.isin(test, train).any() for train, test in folds):
        raise ValueError("cv tests cases that it trains on; use a splitter that keeps them apart.")
    if groups is not None:
        members = pd.factorize(groups)[0]
        if any(np.isin(members[train], members[test]).any() for train, test in folds):
            raise ValueError(
                "cv divides a group between training and test; use a splitter such as GroupKFold."
            )
    tested = _answer_folds(estimator, X, y, folds, weights, np.unique(truth) if classifies else None)
    name, notes = type(estimator).__name__, []
    n_tested = len(np.unique(np.concatenate([test for _, test in folds])))
    if n_untested := len(truth) - n_tested:
        notes.append(f"No test set has {n_untested:,} of {len(truth):,} cases, so these do not count.")
    if weights is not None and not _weight_option(estimator):
        notes.append(f"{name} is trained without weights, as its fit takes none.")
    options = {"pos_label": pos_label, "cost": cost, "threshold": threshold, "quantile": quantile}
    options["task"] = "classification" if classifies else "regression"
    return judge_folds({name: tested}, folds, y, weights=weights, groups=groups, notes=notes, **options)


class FoldAnswers(NamedTuple):
    """The answers for test cases: the row of each in the data, its fold, and what the model of the fold says."""

    rows: Ints
    folds: Ints
    predictions: Any
    scores: Floats | None  # a column for each class


class _Training(NamedTuple):
    """What the models of the folds were trained on, beside the answers for the cases that were tested."""

    tested: FoldAnswers
    folds: Sequence[tuple[Ints, Ints]]
    truth: Any
    weights: Floats | None

    @property
    def widening(self) -> float:
        """How much greater errors are than those of independent answers: only several folds share training cases."""
        return WIDENING if len(self.folds) > 1 else 1.0

    @property
    def size(self) -> int:
        """How many cases count in training, as a mean over the folds."""
        counts = np.ones(len(self.truth)) if self.weights is None else self.weights > 0
        return round(float(np.mean([np.count_nonzero(counts[train]) for train, _ in self.folds])))


def _answer_folds(
    estimator: Any, X: Any, y: Any, folds: Sequence[tuple[Ints, Ints]], weights: Floats | None, classes: Any
) -> FoldAnswers:
    """Return the answers for the test cases with weight, in the order of the data."""
    rows, numbers, predictions, scores = list[Ints](), list[Ints](), list[Any](), list[Floats]()
    option = _weight_option(estimator)
    for number, (train, test) in enumerate(folds):
        counted = test if weights is None else test[weights[test] > 0]
        if not len(counted):
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
        part = _safe_indexing(X, counted)
        rows.append(counted)
        numbers.append(np.full(len(counted), number))
        predictions += np.asarray(model.predict(part)).tolist()
        if classes is not None and (of_part := _class_scores(model, part, classes)) is not None:
            scores.append(of_part)
    if not rows:
        raise ValueError("cv tests no case; give a splitter that does.")
    all_rows = np.concatenate(rows)
    order = np.argsort(all_rows, kind="stable")
    return FoldAnswers(
        all_rows[order],
        np.concatenate(numbers)[order],
        np.asarray(predictions)[order],
        np.concatenate(scores)[order] if scores else None,
    )


def judge_folds(
    models: Mapping[str, FoldAnswers],
    folds: Sequence[tuple[Ints, Ints]],
    y: Any,
    *,
    weights: Floats | None = None,
    groups: Any = None,
    notes: Sequence[str] = (),
    **options: Any,
) -> Scored:
    """Judge one procedure or several by their answers for the same test cases, and compare several."""
    truth = column_or_1d(y)
    rows = next(iter(models.values())).rows
    units, notes = groups, list(notes)
    if len(np.unique(rows)) < len(rows):
        units = np.arange(len(truth)) if groups is None else groups
        notes.insert(0, "Cases are tested several times; the answers for one case count as one group.")
    options["groups"] = None if units is None else units[rows]
    options["sample_weight"] = None if weights is None else weights[rows]
    ordered = _safe_indexing(y if isinstance(getattr(y, "dtype", None), pd.CategoricalDtype) else truth, rows)
    is_cut = any(options.get(option) is not None for option in ("threshold", "cost"))
    pooled = {}
    for name, tested in models.items():
        if tested.scores is None:
            pooled[name] = score(ordered, y_pred=tested.predictions, **options)
        else:
            predictions = None if is_cut else tested.predictions
            pooled[name] = score(ordered, tested.scores, predictions, labels=np.unique(truth), **options)
    loss = choose_probability_loss(scored.result for scored in pooled.values())
    cards, answers = list[Any](), dict[str, Any]()
    for name, scored in pooled.items():
        training, pooled_answers = _Training(models[name], folds, truth, weights), scored.answers[0]
        areas = {}
        if models[name].scores is not None:
            areas = _areas_within(training, truth[rows], pooled_answers)
        card = replace(judge_probabilities(cards_of(scored.result)[0], loss), model=name)
        cards.append(_judge_procedure(card, pooled_answers, training, areas, notes))
        answers[name] = replace(pooled_answers, model=name, folds=models[name].folds)
    result = compare_cards(cards, AlignedAnswers(tuple(answers.values()), "order_of_rows"), loss)
    return replace(scored, result=result, answers=tuple(answers[card.model] for card in cards_of(result)))


def _weight_option(estimator: Any) -> str:
    """Return the option of `fit` that takes weights; nothing if it takes none."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return f"{name}__sample_weight" if has_fit_parameter(last, "sample_weight") else ""
    return "sample_weight" if has_fit_parameter(estimator, "sample_weight") else ""


def _class_scores(model: Any, X: Any, classes: Any) -> Floats | None:
    """Return a column of probabilities, or else of decision values, for each class; None without either."""
    scores_pairs = not hasattr(model, "predict_proba") and "ovo" in map(str, model.get_params().values())
    if len(classes) > 2 and scores_pairs:
        raise ValueError(
            "decision_function_shape is 'ovo', which scores pairs of classes; make it 'ovr', which scores each class."
        )
    return class_scores(model, X, classes)


def _areas_within(training: _Training, truth: Any, answers: Any) -> dict[str, Estimate]:
    """Return the means over the folds, and over several classes, of the areas; none if a fold lacks a class."""
    tested = training.tested
    cases, places = pd.crosstab(tested.folds, truth).to_numpy(), np.searchsorted(np.unique(truth), truth)
    ranked, prefix = list(range(cases.shape[1])), "macro_"
    if answers.positive is not None:
        ranked, prefix = [int(places[answers.truth][0])], ""
    if ((cases == 0) | (cases == cases.sum(axis=1, keepdims=True)))[:, ranked].any():
        return {}
    fold = np.unique(tested.folds, return_inverse=True)[1]
    table = bootstrap_mean_areas(
        places, np.asarray(tested.scores), answers.units, level=CONFIDENCE_LEVEL, fold=fold, ranked=ranked
    )
    areas = {
        f"{prefix}{name}": _widen(area, training.widening, 0.0 if name in AREAS_FROM_0 else -math.inf)
        for name, area in estimates_of_areas(table).items()
    }
    return with_reasons(areas, answers, lambda _: "it is undefined in a fold")


def _widen(estimate: Widened, factor: float, least: float = -math.inf, greatest: float = 1.0) -> Widened:
    bounds = Bounds(estimate.low, estimate.high, estimate.p_better, estimate.p_worse)
    low, high, p_better, p_worse, _ = widen_interval(
        estimate.value, bounds, CONFIDENCE_LEVEL, factor, least=least, greatest=greatest
    )
    return replace(estimate, low=low, high=high, p_better=p_better, p_worse=p_worse)


def _widen_measure(name: str, estimate: Estimate, factor: float) -> Estimate:
    """Widen the interval of a measure of the table, unless it is about the truth alone."""
    measure = CATALOGUE[canonical_name(name.removeprefix("macro_"))]
    if measure.better == 0:
        return estimate
    least, greatest = map(float, measure.bounds)
    return _widen(estimate, factor, least, greatest)


def _widen_verdict(verdict: QuestionVerdict, factor: float) -> QuestionVerdict:
    wide = _widen(verdict, factor)
    estimate = Estimate(wide.value, wide.low, wide.high, wide.method, wide.reason)
    assert wide.loss is not None
    return judge_advantage(replace(estimate, p_better=wide.p_better, p_worse=wide.p_worse), wide.loss)


def _encode_truth(truth: Any, answers: Any) -> tuple[Any, Mask]:
    """Return the truth of all cases as the answers have that of the tested ones, and which cases have a known class."""
    if isinstance(answers, Forecasts):
        return truth.astype(np.float64), np.ones(len(truth), dtype=bool)
    texts = np.array(list(map(as_written, truth.tolist())))
    if answers.positive is not None:
        return texts == answers.positive, np.ones(len(truth), dtype=bool)
    places = {label: place for place, label in enumerate(answers.labels)}
    return np.array([places.get(text, 0) for text in texts]), np.isin(texts, answers.labels)


def _worse_than_trained(answers: Any, question: str, loss: str, training: _Training) -> float:
    """Return the p-value of "no worse than the best constant of each training set"."""
    _, predictions, options = answers_under_losses(answers, loss)[question]
    if loss == "zero_one":
        options = {"labels": range(max(len(answers.labels), 2))}
    elif loss == "cross_entropy" and predictions.ndim == 1:
        predictions = np.column_stack([1 - predictions, predictions])
    all_truth, is_known = _encode_truth(training.truth, answers)
    baseline = replace(answers, truth=all_truth).truth_under(loss)
    case: Any = resolve(loss, answers.truth_under(loss), predictions, baseline=baseline, **options)
    constants = np.empty_like(predictions)
    for number, (train, _) in enumerate(training.folds):
        known = train[is_known[train]]
        weights = None if training.weights is None else training.weights[known]
        constants[training.tested.folds == number] = case.loss.marginal(case.baseline[known], weights)
    units = {"groups": answers.groups, "sample_weight": answers.weights}
    with warnings.catch_warnings(action="ignore"):
        compared = compare_models(case.truth, predictions, constants, loss=loss, **units, **options)
    if not abs(compared.difference) > NEGLIGIBLE:
        return 0.5
    p_worse = compared.pvalue / 2 if compared.difference < 0 else 1 - compared.pvalue / 2
    return raise_p_value(p_worse, training.widening)


def _judge_procedure(
    card: Scorecard, answers: Any, training: _Training, areas: dict[str, Estimate], notes: Sequence[str]
) -> Scorecard:
    """Put the areas within folds, if any, in the place of the pooled ones, and widen all intervals."""
    notes, factor = list(notes), training.widening
    judged = {name: verdict for name, verdict in card.verdicts.items() if name != "ranking"}
    verdicts: dict[str, Any] = {name: _widen_verdict(verdict, factor) for name, verdict in judged.items()}
    trained = functools.cache(lambda question, loss: _worse_than_trained(answers, question, loss, training))
    for question, verdict in verdicts.items():
        if (
            verdict.verdict == WORSE
            and not (p_worse := trained(question, verdict.loss)) <= SIGNIFICANCE_LEVEL
        ):
            tested = {} if math.isnan(verdict.p_worse) else {"p_worse": p_worse}
            verdicts[question] = replace(verdict, verdict=INCONCLUSIVE, **tested)
            notes.append(
                f"The {question} are worse than the best constant of all cases, but are not shown to be worse than "
                "those of the training sets."
            )
    advantage = _widen(card.prediction_advantage, factor)
    question = "numbers" if "numbers" in verdicts else "labels"
    if advantage.p_worse <= SIGNIFICANCE_LEVEL < (p_worse := trained(question, card.loss)):
        advantage = replace(advantage, p_worse=p_worse)
    measures = {name: _widen_measure(name, estimate, factor) for name, estimate in card.measures.items()}
    if "prediction_advantage" in measures:
        measures["prediction_advantage"] = advantage
    losses = {
        loss: replace(row, prediction_advantage=_widen(row.prediction_advantage, factor))
        for loss, row in card.losses.items()
    }
    note = f"Verdicts and intervals are about the procedure, trained on {training.size:,} cases."
    if factor > 1:
        note += f" As the folds share training cases, errors are taken {factor:g} times as great."
    if areas:
        ranking = "roc_auc" if "roc_auc" in areas else "macro_roc_auc"
        verdicts["ranking"] = judge_area(areas[ranking], ranking)
        means = "the folds" if ranking == "roc_auc" else "the folds and the classes"
        note = f"The ranking and the areas are means over {means} of areas within a fold. {note}"
    elif card.areas:
        note = f"There is no ranking, as a fold lacks a class. {note}"
    # Two scores are what a model of the shares in its training sets gives, and pooled they rank worse than chance.
    notes += [note for note in card.notes if SEEM_LABELS not in note and RANKED_LOWER not in note]
    classes = []
    for row in card.classes:
        of_class = _widen(row.prediction_advantage, factor)
        # Without areas, which are pooled.
        classes.append(replace(row, areas={}, prediction_advantage=of_class, p_value=of_class.p_better))
    return replace(
        card,
        prediction_advantage=advantage,
        test=CROSS_VALIDATED,
        verdicts={question: verdicts[question] for question in QUESTION_NAMES if question in verdicts},
        notes=(*notes, note),
        measures=Named(measures),
        losses=losses,
        areas=areas,
        classes=tuple(classes),
    )
