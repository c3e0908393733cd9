"""How models differ on the same cases, and which of them are shown to be worse than the best."""

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
from nontrivial.measures.cross_validated import WIDENING, raise_p_value
from nontrivial.measures.losses import resolve
from nontrivial.scorecard.answers import Forecasts
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.estimates.estimate import MIN_CASES_OF_CLASS, may_weigh_differently
from nontrivial.scorecard.estimates.rankings import place_cases
from nontrivial.scorecard.estimates.verdicts import QUESTIONS, QuestionName
from nontrivial.scorecard.result import Result

Test = Literal["mcnemar", "exchange_or_bootstrap", "paired_t"]


@dataclass(frozen=True, eq=False)
class Difference(Result):
    """The measure of a model minus the same measure of the first model, on the same cases.

    `loss` belongs to a Prediction Advantage, and is None for an area. The other fields are as in `compare_models`, and
    for areas as in `bootstrap_curve_areas`.
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
    test: Test
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
    """The loss by which a model is judged, its answers as this loss takes them, and further options of the loss."""

    loss: str
    answers: Any
    options: Mapping[str, Any]


def answers_under_losses(member: Any, loss_of_chances: str) -> dict[str, LossAnswers]:
    """Return the loss and the answers by which a model is judged, for each question but the ranking."""
    if isinstance(member, Forecasts):
        loss = "squared" if member.quantile is None else "pinball"
        return {"numbers": LossAnswers(loss, member.prediction, {"quantile": member.quantile})}
    by_question = {}
    if member.prediction is not None:
        costs = {} if member.cost is None else {"cost": [[0, member.cost], [1, 0]], "labels": [0, 1]}
        loss = "cost" if costs else "zero_one"
        by_question["labels"] = LossAnswers(loss, member.prediction.astype(np.intp), costs)
    chances = member.chances
    if chances is not None:
        labels = range(chances.shape[1] if chances.ndim > 1 else 2)
        options = {"labels": labels} if loss_of_chances == "cross_entropy" else {}
        by_question["probabilities"] = LossAnswers(loss_of_chances, chances, options)
    return by_question


def find_differences(member: Any, best: Any, loss_of_chances: str) -> list[Difference]:
    """Return the differences of a model from the best."""
    n, weights, groups = best.units
    if weights is None and may_weigh_differently(best):
        weights = np.broadcast_to(1.0, n)  # equal in this sample, but perhaps not in the population
    options: dict[str, Any] = {"sample_weight": weights, "groups": groups, "level": CONFIDENCE_LEVEL}
    differences = []
    with warnings.catch_warnings(action="ignore"):  # the notes and the results say the same
        of_best = answers_under_losses(best, loss_of_chances)
        for question, (loss, answers, more) in answers_under_losses(member, loss_of_chances).items():
            if question not in of_best or of_best[question].answers.shape != answers.shape:
                continue
            truth, other = best.truth_under(loss), of_best[question].answers
            compared = compare_models(truth, answers, other, loss=loss, **more, **options)
            how = compared.method, compared.assumes, compared.test, compared.test_assumes
            differences.append(Difference(member.model, "prediction_advantage", loss, *compared, *how))
        if all(getattr(model, "score", None) is not None for model in (member, best)):
            areas = bootstrap_curve_areas(best.truth, member.score, compared_with=best.score, **options)
            method, assumes, test_assumes = map(areas.attrs.get, ("method", "assumes", "test_assumes"))
            for name, column in areas.items():
                if column["resamples"]:
                    value, low, high, p_value = map(float, column[["estimate", "low", "high", "pvalue"]])
                    interval = value, low, high, p_value, str(method), assumes
                    tested = Difference(
                        member.model, str(name), None, *interval, "exchange_or_bootstrap", test_assumes
                    )
                    differences.append(tested)
    # Models with the same scores do not differ in other cases either; the same labels alone show less.
    arrays, arrays_of_best = (
        [vars(model).get(name) for name in ("score", "probabilities", "prediction")]
        for model in (member, best)
    )
    is_scored = any(array is not None for array in arrays_of_best[:2])
    if is_scored and all(map(np.array_equal, arrays, arrays_of_best)):
        return [replace(known, low=known.value, high=known.value) for known in differences]
    return differences


def find_leads(
    cards: Sequence[Scorecard], members: Sequence[Any], loss_of_chances: str
) -> dict[QuestionName, Lead]:
    """Return the model with the greatest value of each question, and those that are shown to be worse."""
    pairs = list(itertools.combinations(range(len(cards)), 2))
    units, folds = members[0].units, members[0].folds
    has_several_folds = folds is not None and len(np.unique(folds)) > 1
    tested: dict[QuestionName, list[float]] = {}
    for question in QUESTIONS:
        if all(question in card.verdicts and not card.verdicts[question].reason for card in cards):
            values = [_values_of_units(question, member, loss_of_chances) for member in members]
            is_exact = units.are_cases and cards[0].verdicts[question].loss == "zero_one"
            of_pairs = [_test_pair(values[i] - values[j], units, is_exact) for i, j in pairs]
            if has_several_folds:  # which share training cases
                of_pairs = [min(2 * raise_p_value(p_value / 2, WIDENING), 1.0) for p_value in of_pairs]
            tested[question] = of_pairs
    corrected = holm(np.ravel(list(tested.values()))).reshape(len(tested), -1)
    leads = {}
    for question, of_pairs in zip(tested, corrected.tolist(), strict=True):
        best = int(np.argmax([card.verdicts[question].value for card in cards]))
        p_values = {
            cards[sum(pair) - best].model: p_value
            for pair, p_value in zip(pairs, of_pairs, strict=True)
            if best in pair
        }
        worse = tuple(name for name, p_value in p_values.items() if p_value <= 1 - CONFIDENCE_LEVEL)
        leads[question] = Lead(cards[best].model, worse, p_values)
    return leads


def _values_of_units(question: str, member: Any, loss_of_chances: str) -> Floats:
    """Return the part of each case or group in the area, or in the mean loss with its sign turned."""
    units = member.units
    total = units.mass.sum()
    if question == "ranking":
        folds = np.zeros(len(member.truth)) if member.folds is None else member.folds
        parts = [folds == fold for fold in np.unique(folds)]
        placements = [place_cases(member.select_cases(part)) for part in parts]
        if sum(of_part.sizes.min() for of_part in placements) < MIN_CASES_OF_CLASS:
            return np.full(len(units.sizes), np.nan)
        of_cases = np.full(len(folds), np.mean([of_part.area for of_part in placements]) / total)
        for part, of_part in zip(parts, placements, strict=True):
            of_cases[part] += of_part.errors / len(parts)
        return np.asarray(units.sums(of_cases))
    loss, answers, options = answers_under_losses(member, loss_of_chances)[question]
    case = resolve(loss, member.truth_under(loss), answers, **options)
    return np.asarray(-units.sums(case.loss.pointwise(case.truth, case.prediction)) / total)


def _test_pair(gained: Floats, units: Units, is_exact: bool) -> float:
    """Return the p-value of a difference, by the gain of each case or group: of McNemar's or of Student's test."""
    n_discordant = int(np.count_nonzero(gained))
    if n_discordant == 0:
        return 1.0
    if is_exact:
        return float(binomtest(int(np.count_nonzero(gained > 0)), n_discordant).pvalue)
    difference, size = gained.sum(), units.effective_size
    squares = (gained - difference * units.sizes / units.sizes.sum()) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = difference / np.sqrt(squares.sum() * size / (size - 1))
        # The degrees of freedom are the units that make the difference, by Kish's formula: a few do not show it.
        return float(2 * student.sf(abs(statistic), squares.sum() ** 2 / (squares**2).sum()))
