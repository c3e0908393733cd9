"""An estimator scored by cross-validation, and procedures judged by the answers of the models of their folds."""

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
from nontrivial.measures.catalogue import CATALOGUE, AliasedDict, canonical_name
from nontrivial.measures.comparison import compare_models
from nontrivial.measures.losses import resolve_sample
from nontrivial.measures.sign_verdict import SIGNIFICANCE_LEVEL
from nontrivial.measures.student import FOLD_ERROR_FACTOR, raise_p_value, widen_interval
from nontrivial.numerals import cell_text
from nontrivial.scorecard.answers.answers import SEEM_LABELS, Forecasts
from nontrivial.scorecard.answers.pairing import AlignedAnswers
from nontrivial.scorecard.card import CROSS_VALIDATED, REVERSED_RANKING_WORDS, Scorecard
from nontrivial.scorecard.compare import cards_of, compare_cards, judge_probabilities
from nontrivial.scorecard.differences import answers_under_losses
from nontrivial.scorecard.estimates import judging
from nontrivial.scorecard.estimates.estimate import Estimate, estimates_of_areas, with_reasons
from nontrivial.scorecard.in_python import score

if TYPE_CHECKING:
    from nontrivial.scorecard.scored import Scored

AREAS_FROM_0 = ("roc_auc", "average_precision", "pr_auc")  # areas of gains may be negative
# A smaller difference of advantages is due to rounding.
MIN_DIFFERENCE = 1e-6
WithInterval = TypeVar("WithInterval", Estimate, judging.QuestionVerdict)


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
    """Refuse folds that train and test on the same case, or on cases of the same group."""
    if any(np.isin(test, train).any() for train, test in folds):
        raise ValueError("cv tests cases that it trains on; use a splitter that keeps them apart.")
    if groups is not None:
        numbers = pd.factorize(groups)[0]
        if any(np.isin(numbers[train], numbers[test]).any() for train, test in folds):
            raise ValueError("cv divides a group between training and test; use a splitter such as GroupKFold.")


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


class FoldAnswers(NamedTuple):
    """The answers for test cases: the row of each case in the data, its fold, and the answer of the fold's model.

    The scores have a column for each class; None if there are none.
    """

    rows: Ints
    folds: Ints
    predictions: Any
    scores: Floats | None


class _Training(NamedTuple):
    """The training and test rows of each fold, the truth and the weights of all rows, and the answers."""

    answers: FoldAnswers
    folds: Sequence[tuple[Ints, Ints]]
    truth: Any
    weights: Floats | None

    @property
    def widening(self) -> float:
        """The factor by which errors grow because several folds share training cases; 1 for a single fold."""
        return FOLD_ERROR_FACTOR if len(self.folds) > 1 else 1.0

    @property
    def size(self) -> int:
        """The mean number of training cases with weight."""
        has_weight = np.ones(len(self.truth)) if self.weights is None else self.weights > 0
        return round(float(np.mean([np.count_nonzero(has_weight[train]) for train, _ in self.folds])))


def judge_procedures(
    procedures: Mapping[str, FoldAnswers],
    folds: Sequence[tuple[Ints, Ints]],
    y: Any,
    *,
    weights: Floats | None = None,
    groups: Any = None,
    notes: Sequence[str] = (),
    **options: Any,
) -> Scored:
    """Judge one procedure or several by their answers for the same test cases, and compare several.

    A fold is a pair of training and test rows; `options` are keyword arguments of `score`.
    """
    truth = column_or_1d(y)
    rows = next(iter(procedures.values())).rows
    units, notes = groups, list(notes)
    if len(np.unique(rows)) < len(rows):
        units = np.arange(len(truth)) if groups is None else groups
        notes.insert(0, "Cases are tested several times; the answers for one case count as one group.")
    options["groups"] = None if units is None else units[rows]
    options["sample_weight"] = None if weights is None else weights[rows]
    is_categorical = isinstance(getattr(y, "dtype", None), pd.CategoricalDtype)
    tested_truth = _safe_indexing(y if is_categorical else truth, rows)
    has_threshold = any(options.get(option) is not None for option in ("threshold", "cost"))
    cards, answers = list[Scorecard](), dict[str, Any]()
    trainings = {name: _Training(tested, folds, truth, weights) for name, tested in procedures.items()}
    for name, tested in procedures.items():
        if tested.scores is None:
            scored = score(tested_truth, y_pred=tested.predictions, **options)
        else:
            predictions = None if has_threshold else tested.predictions
            scored = score(tested_truth, tested.scores, predictions, labels=np.unique(truth), **options)
        cards.append(replace(cards_of(scored.result)[0], model=name))
        answers[name] = replace(scored.answers[0], model=name, folds=tested.folds)
    loss = judging.choose_probability_loss(cards)
    cards = [
        _judge_procedure(card, answers[card.model], trainings[card.model], notes)
        for card in judge_probabilities(cards, loss)
    ]
    result = compare_cards(cards, AlignedAnswers(tuple(answers.values()), "order_of_rows"), loss)
    return replace(scored, result=result, answers=tuple(answers[card.model] for card in cards_of(result)))


def _judge_procedure(card: Scorecard, answers: Any, training: _Training, notes: Sequence[str]) -> Scorecard:
    """Replace pooled areas by means over the folds, widen all intervals, and compare with constants of the folds."""
    factor = training.widening
    test_constants = functools.cache(functools.partial(_test_training_constants, answers, training))
    areas = {} if training.answers.scores is None else _estimate_areas_within_folds(training, answers)
    notes = [*notes]
    verdicts = dict[str, judging.QuestionVerdict]()
    for question, pooled_verdict in card.verdicts.items():
        if question == "ranking":
            if areas:
                measure = pooled_verdict.measure
                verdicts[question] = judging.judge_estimate(areas[measure], None, measure)
            continue
        verdict = judging.judge_estimate(_widen_interval(pooled_verdict, factor), pooled_verdict.loss)
        if verdict.verdict == "worse" and not test_constants(question, verdict.loss) <= SIGNIFICANCE_LEVEL:
            if not math.isnan(verdict.p_worse):
                verdict = replace(verdict, p_worse=test_constants(question, verdict.loss))
            verdict = replace(verdict, verdict="inconclusive")
            notes.append(
                f"The {question} are worse than the best constant of all cases, but are not shown to be worse than "
                "those of the training sets."
            )
        verdicts[question] = verdict
    advantage = _widen_interval(card.prediction_advantage, factor)
    if advantage.p_worse <= SIGNIFICANCE_LEVEL:
        p_worse = test_constants("numbers" if "numbers" in verdicts else "labels", card.loss)
        if p_worse > SIGNIFICANCE_LEVEL:
            advantage = replace(advantage, p_worse=p_worse)
    measures = {name: _widen_measure(name, estimate, factor) for name, estimate in card.measures.items()}
    if "prediction_advantage" in measures:
        measures["prediction_advantage"] = advantage
    losses = {
        loss: replace(row, prediction_advantage=_widen_interval(row.prediction_advantage, factor))
        for loss, row in card.losses.items()
    }
    classes = []
    for row in card.classes:
        class_advantage = _widen_interval(row.prediction_advantage, factor)
        p_value = class_advantage.p_better
        # The areas of a class are pooled, so they are left out.
        classes.append(replace(row, areas={}, prediction_advantage=class_advantage, p_value=p_value))
    note = f"Verdicts and intervals are about the procedure, trained on {training.size:,} cases."
    if factor > 1:
        note += f" As the folds share training cases, errors are taken {factor:g} times as great."
    if areas:
        means = "the folds" if "roc_auc" in areas else "the folds and the classes"
        note = f"The ranking and the areas are means over {means} of areas within a fold. {note}"
    elif card.areas:
        note = f"There is no ranking, as a fold lacks a class. {note}"
    # A model that predicts the share of its training set gives few scores, which rank worse than chance if pooled.
    notes += [text for text in card.notes if SEEM_LABELS not in text and REVERSED_RANKING_WORDS not in text]
    return replace(
        card,
        prediction_advantage=advantage,
        test=CROSS_VALIDATED,
        verdicts=verdicts,
        notes=(*notes, note),
        measures=AliasedDict(measures),
        losses=losses,
        areas=areas,
        classes=tuple(classes),
    )


def _estimate_areas_within_folds(training: _Training, answers: Any) -> dict[str, Estimate]:
    """Estimate the means of areas over the folds, and over several classes; none if a fold lacks a class."""
    tested = training.answers
    truth = training.truth[tested.rows]
    counts, places = pd.crosstab(tested.folds, truth).to_numpy(), np.searchsorted(np.unique(truth), truth)
    ranked, prefix = list(range(counts.shape[1])), "macro_"
    if answers.positive is not None:
        ranked, prefix = [int(places[answers.truth][0])], ""
    if ((counts == 0) | (counts == counts.sum(axis=1, keepdims=True)))[:, ranked].any():
        return {}
    fold = np.unique(tested.folds, return_inverse=True)[1]
    table = bootstrap_mean_areas(
        places, np.asarray(tested.scores), answers.units, level=CONFIDENCE_LEVEL, fold=fold, ranked=ranked
    )
    areas = {
        f"{prefix}{name}": _widen_interval(area, training.widening, 0.0 if name in AREAS_FROM_0 else -math.inf)
        for name, area in estimates_of_areas(table).items()
    }
    return with_reasons(areas, answers, lambda _: "it is undefined in a fold")


def _widen_interval(
    estimate: WithInterval, factor: float, least: float = -math.inf, greatest: float = 1.0
) -> WithInterval:
    """Widen an interval, and raise p-values, by a factor of the error."""
    bounds = Bounds(estimate.low, estimate.high, estimate.p_better, estimate.p_worse)
    wide = widen_interval(estimate.value, bounds, CONFIDENCE_LEVEL, factor, least=least, greatest=greatest)
    return replace(estimate, low=wide.low, high=wide.high, p_better=wide.p_better, p_worse=wide.p_worse)


def _widen_measure(name: str, estimate: Estimate, factor: float) -> Estimate:
    """Widen the interval of a measure of the table, unless it is about the truth alone."""
    measure = CATALOGUE[canonical_name(name.removeprefix("macro_"))]
    if measure.better == 0:
        return estimate
    least, greatest = map(float, measure.bounds)
    return _widen_interval(estimate, factor, least, greatest)


def _test_training_constants(answers: Any, training: _Training, question: str, loss: str) -> float:
    """Return the p-value of "no worse than the best constant of each training set"."""
    _, predictions, options = answers_under_losses(answers, loss)[question]
    if loss == "zero_one":
        options = {"labels": range(max(len(answers.labels), 2))}
    elif loss == "cross_entropy" and predictions.ndim == 1:
        predictions = np.column_stack([1 - predictions, predictions])
    all_truth, has_known_class = _encode_truth(training.truth, answers)
    baseline = replace(answers, truth=all_truth).truth_under(loss)
    case: Any = resolve_sample(loss, answers.truth_under(loss), predictions, baseline=baseline, **options)
    constants = np.empty_like(predictions)
    for number, (train, _) in enumerate(training.folds):
        rows = train[has_known_class[train]]
        weights = None if training.weights is None else training.weights[rows]
        constants[training.answers.folds == number] = case.loss.marginal(case.baseline[rows], weights)
    units = {"groups": answers.groups, "sample_weight": answers.weights}
    with warnings.catch_warnings(action="ignore"):
        compared = compare_models(case.truth, predictions, constants, loss=loss, **units, **options)
    if not abs(compared.difference) > MIN_DIFFERENCE:
        return 0.5
    p_worse = compared.pvalue / 2 if compared.difference < 0 else 1 - compared.pvalue / 2
    return raise_p_value(p_worse, training.widening)


def _encode_truth(truth: Any, answers: Any) -> tuple[Any, Mask]:
    """Encode the truth of all rows like the truth of the answers, and return which rows have a known class."""
    if isinstance(answers, Forecasts):
        return truth.astype(np.float64), np.ones(len(truth), dtype=bool)
    texts = np.array(list(map(cell_text, truth.tolist())))
    if answers.positive is not None:
        return texts == answers.positive, np.ones(len(truth), dtype=bool)
    places = {label: place for place, label in enumerate(answers.labels)}
    return np.array([places.get(text, 0) for text in texts]), np.isin(texts, answers.labels)
