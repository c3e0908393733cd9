"""Differences between models on the same cases, and the models that are shown to be worse than the best one."""

import itertools
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from scipy.stats import binomtest
from scipy.stats import t as student

from nontrivial._arrays import Floats
from nontrivial._draws import CONFIDENCE_LEVEL, Units
from nontrivial._warnings import Assumption, TestAssumption
from nontrivial.curves.bootstrap import bootstrap_curve_areas
from nontrivial.measures.comparison import compare_models, holm
from nontrivial.measures.losses import resolve_sample
from nontrivial.measures.student import FOLD_ERROR_FACTOR, raise_p_value
from nontrivial.scorecard.answers.answers import Forecasts
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.estimates.estimate import MIN_CASES_OF_CLASS, may_weigh_differently
from nontrivial.scorecard.estimates.judging import QUESTION_NAMES, QuestionName
from nontrivial.scorecard.estimates.rankings import compute_placements
from nontrivial.scorecard.result import Result

DifferenceTest = Literal["mcnemar", "exchange_or_bootstrap", "paired_t"]


@dataclass(frozen=True, eq=False)
class Difference(Result):
    """The measure of a model minus the same measure of the first model, on the same cases.

    `loss` is the loss of a Prediction Advantage, and None for an area. `compare_models` describes the other fields, and
    `bootstrap_curve_areas` describes them for areas.
    """

    model: str
    measure: str
    loss: str | None
    value: float
    low: float
    high: float
    p_value: float
    method: str
    assumes: Assumption | None
    test: DifferenceTest
    test_assumes: TestAssumption | None


@dataclass(frozen=True, eq=False)
class Lead(Result):
    """The model with the greatest value of a question, and the other models that are shown to be worse.

    The p-values of the others are two-sided, with Holm's correction over all pairs of models and all questions.
    """

    model: str
    worse: tuple[str, ...]
    p_values: dict[str, float]
    test: Literal["holm"] = "holm"


class LossAnswers(NamedTuple):
    """The loss by which a model is judged, its answers in the form that this loss reads, and options of the loss."""

    loss: str
    answers: Any
    options: Mapping[str, Any]


def answers_under_losses(answers: Any, probability_loss: str) -> dict[str, LossAnswers]:
    """Return the loss and the answers by which a model is judged, for each question but the ranking."""
    if isinstance(answers, Forecasts):
        loss = "squared" if answers.quantile is None else "pinball"
        return {"numbers": LossAnswers(loss, answers.prediction, {"quantile": answers.quantile})}
    by_question = {}
    if answers.prediction is not None:
        options: dict[str, Any] = {}
        if answers.cost is not None:
            options = {"cost": [[0, answers.cost], [1, 0]], "labels": [0, 1]}
        loss = "cost" if options else "zero_one"
        by_question["labels"] = LossAnswers(loss, answers.prediction.astype(np.intp), options)
    chances = answers.chances
    if chances is not None:
        labels = range(chances.shape[1] if chances.ndim > 1 else 2)
        options = {"labels": labels} if probability_loss == "cross_entropy" else {}
        by_question["probabilities"] = LossAnswers(probability_loss, chances, options)
    return by_question


def find_differences(answers: Any, best: Any, probability_loss: str) -> list[Difference]:
    """Return the differences of a model from the best model: in advantages, and in areas if both have scores."""
    n, weights, groups = best.units
    if weights is None and may_weigh_differently(best):
        weights = np.broadcast_to(1.0, n)  # weights that are equal in this sample may differ in others
    options = {"sample_weight": weights, "groups": groups, "level": CONFIDENCE_LEVEL}
    with warnings.catch_warnings(action="ignore"):  # the notes and the results say the same
        differences = _compare_advantages(answers, best, probability_loss, options)
        if all(getattr(model, "score", None) is not None for model in (answers, best)):
            differences += _compare_areas(answers, best, options)
    # Models with the same scores would also agree on new cases; models with only the same labels might not.
    names = ("score", "probabilities", "prediction")
    arrays, arrays_of_best = ([vars(model).get(name) for name in names] for model in (answers, best))
    is_scored = any(array is not None for array in arrays_of_best[:2])
    if is_scored and all(map(np.array_equal, arrays, arrays_of_best)):
        differences = [replace(same, low=same.value, high=same.value) for same in differences]
    return differences


def _compare_advantages(answers: Any, best: Any, probability_loss: str, options: Mapping[str, Any]) -> list[Difference]:
    """Return the differences in the Prediction Advantage, for each question that both models answer alike."""
    differences = []
    answers_of_best = answers_under_losses(best, probability_loss)
    for question, (loss, predicted, loss_options) in answers_under_losses(answers, probability_loss).items():
        if question not in answers_of_best or answers_of_best[question].answers.shape != predicted.shape:
            continue
        predicted_by_best = answers_of_best[question].answers
        compared = compare_models(
            best.truth_under(loss), predicted, predicted_by_best, loss=loss, **loss_options, **options
        )
        methods = compared.method, compared.assumes, compared.test, compared.test_assumes
        differences.append(Difference(answers.model, "prediction_advantage", loss, *compared, *methods))
    return differences


def _compare_areas(answers: Any, best: Any, options: Mapping[str, Any]) -> list[Difference]:
    """Compare the ROC areas of a model and the best model."""
    areas = bootstrap_curve_areas(best.truth, answers.score, compared_with=best.score, **options)
    method, assumes, test_assumes = map(areas.attrs.get, ("method", "assumes", "test_assumes"))
    differences = []
    for name, column in areas.items():
        if column["resamples"]:
            value, low, high, p_value = map(float, column[["estimate", "low", "high", "pvalue"]])
            interval = value, low, high, p_value, str(method), assumes
            test: DifferenceTest = "exchange_or_bootstrap"
            differences.append(Difference(answers.model, str(name), None, *interval, test, test_assumes))
    return differences


def find_leads(cards: Sequence[Scorecard], answers: Sequence[Any], probability_loss: str) -> dict[QuestionName, Lead]:
    """Find the best model by each question, and test which of the other models are shown to be worse."""
    pairs = list(itertools.combinations(range(len(cards)), 2))
    units, folds = answers[0].units, answers[0].folds
    has_several_folds = folds is not None and len(np.unique(folds)) > 1
    p_values_by_question: dict[QuestionName, list[float]] = {}
    for question in QUESTION_NAMES:
        if not all(question in card.verdicts and not card.verdicts[question].reason for card in cards):
            continue
        values = [_values_of_units(question, model, probability_loss) for model in answers]
        is_exact = units.are_cases and cards[0].verdicts[question].loss == "zero_one"
        p_values = [_test_gains(values[i] - values[j], units, is_exact) for i, j in pairs]
        if has_several_folds:  # their models share training cases
            p_values = [min(2 * raise_p_value(p_value / 2, FOLD_ERROR_FACTOR), 1.0) for p_value in p_values]
        p_values_by_question[question] = p_values
    corrected = holm(np.ravel(list(p_values_by_question.values()))).reshape(len(p_values_by_question), -1)
    leads = {}
    for question, p_values in zip(p_values_by_question, corrected.tolist(), strict=True):
        best = int(np.argmax([card.verdicts[question].value for card in cards]))
        p_values_of_others = {
            cards[sum(pair) - best].model: p_value
            for pair, p_value in zip(pairs, p_values, strict=True)
            if best in pair
        }
        worse = tuple(model for model, p_value in p_values_of_others.items() if p_value <= 1 - CONFIDENCE_LEVEL)
        leads[question] = Lead(cards[best].model, worse, p_values_of_others)
    return leads


def _values_of_units(question: str, answers: Any, probability_loss: str) -> Floats:
    """Return the part of each case or group in the area, or in the mean loss with its sign turned."""
    units = answers.units
    total = units.case_weights.sum()
    if question == "ranking":
        folds = np.zeros(len(answers.truth)) if answers.folds is None else answers.folds
        is_in_folds = [folds == fold for fold in np.unique(folds)]
        placements_of_folds = [compute_placements(answers.select_cases(is_in)) for is_in in is_in_folds]
        if sum(placements.sizes.min() for placements in placements_of_folds) < MIN_CASES_OF_CLASS:
            return np.full(len(units.sizes), np.nan)
        area = np.mean([placements.area for placements in placements_of_folds])
        values = np.full(len(folds), area / total)
        for is_in, placements in zip(is_in_folds, placements_of_folds, strict=True):
            values[is_in] += placements.errors / len(is_in_folds)
        return np.asarray(units.sum_by_unit(values))
    loss, predicted, options = answers_under_losses(answers, probability_loss)[question]
    case = resolve_sample(loss, answers.truth_under(loss), predicted, **options)
    return np.asarray(-units.sum_by_unit(case.loss.pointwise(case.truth, case.prediction)) / total)


def _test_gains(gains: Floats, units: Units, is_exact: bool) -> float:
    """Test by the gain of each case or group whether two models differ: by McNemar's or by Student's test."""
    n_discordant = int(np.count_nonzero(gains))
    if n_discordant == 0:
        return 1.0
    if is_exact:
        return float(binomtest(int(np.count_nonzero(gains > 0)), n_discordant).pvalue)
    difference, size = gains.sum(), units.effective_size
    squares = (gains - difference * units.sizes / units.sizes.sum()) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = difference / np.sqrt(squares.sum() * size / (size - 1))
        # By Kish's formula, this is the effective number of units that make the difference; few units show none.
        degrees_of_freedom = squares.sum() ** 2 / (squares**2).sum()
        return float(2 * student.sf(abs(statistic), degrees_of_freedom))
