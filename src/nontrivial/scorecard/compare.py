"""Several models side by side, and subgroups of cases: differences, and which model is the best."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import binomtest, chi2
from scipy.stats import t as student

from nontrivial._arrays import Floats
from nontrivial._draws import Units
from nontrivial._warnings import Assumption, TestAssumption
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.curves.bootstrap import bootstrap_curve_areas
from nontrivial.files import plain
from nontrivial.measures.comparison import compare_models, holm
from nontrivial.measures.cross_validated import WIDENING, raise_p_value
from nontrivial.measures.losses import resolve
from nontrivial.measures.names import Named
from nontrivial.reading.layouts import is_model_name
from nontrivial.reading.roles import quoted
from nontrivial.scorecard.answers import Forecasts, Predictions
from nontrivial.scorecard.estimates import FEWEST, LEVEL, are_unequal
from nontrivial.scorecard.evaluate import Scorecard, header, make_scorecard
from nontrivial.scorecard.pairing import AlignedAnswers, Pairing, Unpaired, drop_uncounted
from nontrivial.scorecard.result import Result
from nontrivial.scorecard.verdicts import QUESTIONS, QuestionName, first_question, judge, probability_loss

# Measures by which people choose a model, besides areas and losses.
CHOOSING = (
    "prediction_advantage", "accuracy", "balanced_accuracy", "f_beta", "p4", "matthews_corrcoef", "cohen_kappa",
    "informedness", "macro_f1", "macro_p4",
)  # fmt: skip

SCORED = ("score", "probabilities")
ANSWERED = ("prediction", *SCORED)  # the arrays of what a model says
Test = Literal["mcnemar", "exchange_or_bootstrap", "paired_t"]


@dataclass(frozen=True, eq=False)
class Difference(Result):
    """A measure of one model minus that of the first model, on the same cases.

    The loss is that of a Prediction Advantage, and None for an area. The other fields are as in `compare_models`, and
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


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Several models, the best first, by the measure of a question.

    `pairing` says by what the cases of the models are the same, or `unpaired` why they are not. If they are not, there
    are no `differences` from the first model, no `leads`, and no `picks`: for each measure, also by its other names,
    the best model or models.
    """

    cards: tuple[Scorecard, ...]
    pairing: Pairing | None
    unpaired: Unpaired | None
    question: str
    differences: tuple[Difference, ...] = ()
    picks: dict[str, tuple[str, ...]] = field(default_factory=dict)
    leads: dict[QuestionName, Lead] = field(default_factory=dict)

    @property
    def best(self) -> Scorecard:
        """The first model."""
        return self.cards[0]

    @property
    def first(self) -> tuple[Scorecard, ...]:
        """The best model, and those that are exactly as good."""
        best = self.best.verdicts[self.question].value
        others = (card for card in self.cards[1:] if card.verdicts[self.question].value == best)
        return self.best, *others

    @property
    def is_selected(self) -> bool:
        """Whether one model of three or more is the best; its lead on these cases is partly luck."""
        return len(self.cards) > 2 and len(self.first) == 1

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdicts on each model."""
        return {card.model: card.verdicts for card in self.cards}

    def to_json(self) -> dict[str, Any]:
        """Plain data, as `score.schema.json` says."""
        picked = [set(models) for models in self.picks.values()]
        found = {
            **header(),
            "question": self.question,
            "best": self.best.model,
            "best_is_selected": self.is_selected,
            "paired": self.pairing is not None,
            "paired_by": self.pairing,
            "unpaired_because": self.unpaired,
            "measures_agree": not picked or bool(set.intersection(*picked)),
            "picks": self.picks,
            "differences": [asdict(each) for each in self.differences],
            "leads": {question: asdict(lead) for question, lead in self.leads.items()},
            "models": [card.to_json() for card in self.cards],
        }
        return dict(plain(found))


@dataclass(frozen=True, eq=False)
class EqualRankings(Result):
    """Cochran's Q of the areas under the ROC curve of a model in subgroups, and the p-value of equal areas.

    Subgroups with fewer than ten cases of a class do not take part. Both are NaN if no variance can be estimated, as
    all rankings are perfect, for instance.
    """

    model: str
    subgroups: int
    statistic: float
    p_value: float
    test: Literal["cochran_q"] = "cochran_q"


@dataclass(frozen=True, eq=False)
class Subgroups(Result):
    """All cases, and those of each value of the columns `by`; `left_out` says why a subgroup is not scored.

    By `question` they are shown. `rankings` tells of each model whether it ranks equally well in all subgroups.
    """

    by: tuple[str, ...]
    whole: Scorecard | Comparison
    parts: dict[str, Scorecard | Comparison]
    left_out: dict[str, str]
    question: str
    rankings: tuple[EqualRankings, ...] = ()

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdicts on all cases and on each subgroup."""
        return {name: part.verdicts for name, part in parts_of(self).items()}

    def to_json(self) -> dict[str, Any]:
        """Plain data, as `score.schema.json` says."""
        return {
            **header(),
            "by": list(self.by),
            "all": self.whole.to_json(),
            "subgroups": {name: part.to_json() for name, part in self.parts.items()},
            "left_out": self.left_out,
            "question": self.question,
            "rankings": plain([vars(each) for each in self.rankings]),
        }


class NamedCard(NamedTuple):
    """A card, with the subgroup, if any, and the comparison that it is part of."""

    subgroup: str
    card: Scorecard
    comparison: Comparison | None

    @property
    def name(self) -> str:
        """The subgroup, or the model, or both if there are several models in it."""
        if self.subgroup and self.comparison:
            return f"{self.subgroup}, {self.card.model}"
        return self.subgroup or self.card.model


def parts_of(result: Any) -> dict[str, Scorecard | Comparison]:
    """Return all cases and each subgroup by their names; without subgroups, all cases without a name."""
    if not isinstance(result, Subgroups):
        return {"": result}
    return {"all cases" if "all" in result.parts else "all": result.whole, **result.parts}


def named_cards(result: Any) -> list[NamedCard]:
    """Return the cards of one model, of several, or of all cases and each subgroup."""
    named = []
    for name, part in parts_of(result).items():
        if isinstance(part, Comparison):
            named += [NamedCard(name, card, part) for card in part.cards]
        else:
            named.append(NamedCard(name, part, None))
    return named


def cards_of(result: Any) -> tuple[Scorecard, ...]:
    """Return the scorecards alone."""
    return tuple(each.card for each in named_cards(result))


def evaluate(aligned: AlignedAnswers, by: Sequence[str] = (), question: str | None = None) -> Any:
    """Score the answers of one model or several, and of each subgroup if the answers have any."""
    if question is not None and question not in QUESTIONS:
        raise ValueError(f"--question is {question!r}; it must be one of {', '.join(QUESTIONS)}.")
    answers = aligned.members
    whole_cards = _CardsOfModels.of(aligned)
    if answers[0].parts is None:
        return _scored(whole_cards, probability_loss(whole_cards.cards), question)
    of_parts, left_out = dict[str, _CardsOfModels](), {}
    for name in dict.fromkeys(name for member in answers for name in member.part_names):
        chosen = [
            member.select_cases(member.parts == member.part_names.index(name), parts=None)
            for member in answers
            if name in member.part_names
        ]
        if len(chosen) < len(answers):
            left_out[name] = "some models have no cases in it"
        elif any((member.truth == member.truth[:1]).all() for member in chosen):
            left_out[name] = "all its cases have the same true class or value"
        else:
            of_parts[name] = _CardsOfModels.of(_part_of(aligned, chosen))
    loss = probability_loss(card for each in (whole_cards, *of_parts.values()) for card in each.cards)
    whole = _scored(whole_cards, loss, question)
    order = [card.model for card in cards_of(whole)]
    parts = {name: _scored(each, loss, question, order) for name, each in of_parts.items()}
    if not parts:
        raise ValueError(
            f"Each value of {quoted(by)} in {answers[0].name} has one true class or value only; two or more are needed."
        )
    asked = whole.question if isinstance(whole, Comparison) else question or first_question([whole])
    columns = tuple(name for name in by if not is_model_name(name))
    rankings = tuple(_compare_rankings(list(of_parts.values())))
    return Subgroups(columns, whole, parts, left_out, asked, rankings)


def _part_of(aligned: AlignedAnswers, chosen: Sequence[Any]) -> AlignedAnswers:
    """Return the answers for a subgroup, whose cases are the same if those of the whole are."""
    unpaired = aligned.unpaired
    first, *others = aligned.members
    if any(not np.array_equal(first.parts, other.parts) for other in others):
        unpaired = unpaired or "divided"
    pairing = None if unpaired else aligned.pairing
    return AlignedAnswers(tuple(map(drop_uncounted, chosen)), pairing, unpaired)


class _CardsOfModels(NamedTuple):
    """The answers of models, and the card of each."""

    aligned: AlignedAnswers
    cards: Sequence[Scorecard]

    @classmethod
    def of(cls, aligned: AlignedAnswers) -> _CardsOfModels:
        return cls(aligned, list(map(make_scorecard, aligned.members)))


def _scored(
    of_models: _CardsOfModels, loss: str, question: str | None, order: Sequence[str] = ()
) -> Scorecard | Comparison:
    """Judge one model; or several, in a given order of their names, or by a question, the best first."""
    aligned = of_models.aligned
    cards = [judge_probabilities(card, loss) for card in of_models.cards]
    for card in cards:
        if question is not None and question not in card.verdicts:
            raise ValueError(
                f"--question is {question!r}, which {card.model or card.file} does not answer; it answers "
                f"{', '.join(card.verdicts)}."
            )
    return compare_cards(cards, aligned, loss, question, order)


def compare_cards(
    cards: Sequence[Scorecard],
    aligned: AlignedAnswers,
    loss: str,
    question: str | None = None,
    order: Sequence[str] = (),
) -> Scorecard | Comparison:
    """Compare the cards of several models, which probabilities of a loss judge; the card of one model stays alone."""
    if len(cards) == 1:
        return cards[0]
    asked = question or first_question(cards)

    def place(card: Scorecard) -> float:
        value = order.index(card.model) if order else -card.verdicts[asked].value
        return math.inf if math.isnan(value) else value

    best, *others = sorted(range(len(cards)), key=lambda number: place(cards[number]))
    ordered = tuple(cards[number] for number in (best, *others))
    if aligned.unpaired:
        return Comparison(ordered, aligned.pairing, aligned.unpaired, asked)
    members, differences, leads = aligned.members, list[Difference](), {}
    if any(each.method for each in cards[best].verdicts.values()):  # there are enough cases for an interval
        for number in (
            others if members[best].folds is None else ()
        ):  # those of folds would need wider intervals
            differences += _differences(members[number], members[best], loss)
        leads = _find_leads(cards, members, loss)
    return Comparison(ordered, aligned.pairing, None, asked, tuple(differences), _picks(ordered), leads)


def judge_probabilities(card: Scorecard, loss: str) -> Scorecard:
    """Return a card with a verdict on its probabilities, if any, by a loss: the same for all models."""
    if card.task != "classification" or not card.losses:
        return card
    verdict = judge(card.losses[loss].prediction_advantage, loss)
    return replace(card, verdicts={"probabilities": verdict} | card.verdicts | {"probabilities": verdict})


def _picks(cards: Sequence[Scorecard]) -> dict[str, tuple[str, ...]]:
    """Return which models each measure, area and loss that all of them have would pick."""
    of_cards = []
    for card in cards:
        values = {name: card.measures[name].value for name in CHOOSING if name in card.measures}
        values |= {name: area.value for name, area in card.areas.items()}
        of_cards.append(values | {name: -row.loss for name, row in card.losses.items()})
    picks: Named[tuple[str, ...]] = Named()
    for name in of_cards[0]:
        if all(name in values for values in of_cards):
            worth = np.array([values[name] for values in of_cards])
            if area := CURVE_AREAS.get(name.removeprefix("macro_")):
                worth *= area.sign
            is_best = worth == np.fmax.reduce(worth)  # of all that are not NaN
            if is_best.any():
                picks[name] = tuple(card.model for card, best in zip(cards, is_best, strict=True) if best)
    return picks


def _differences(member: Any, best: Any, loss_of_chances: str) -> list[Difference]:
    """Return the differences of a model from the best."""
    n, weights, groups = best.units
    if weights is None and are_unequal(best):
        weights = np.broadcast_to(1.0, n)  # all alike in this sample: the results say that others may differ
    options: dict[str, Any] = {"sample_weight": weights, "groups": groups, "level": LEVEL}
    differences = []
    with warnings.catch_warnings(action="ignore"):  # what they say is in the notes and in the results
        answers, answers_of_best = (answers_under_losses(model, loss_of_chances) for model in (member, best))
        for question, (loss, mine, more) in answers.items():
            _, other, _ = answers_of_best.get(question, (loss, np.empty(0), {}))
            if mine.shape != other.shape:
                continue
            compared = compare_models(best.truth_under(loss), mine, other, loss=loss, **more, **options)
            how = compared.method, compared.assumes, compared.test, compared.test_assumes
            differences.append(Difference(member.model, "prediction_advantage", loss, *compared, *how))
        if all(getattr(model, "score", None) is not None for model in (member, best)):
            areas = bootstrap_curve_areas(best.truth, member.score, compared_with=best.score, **options)
            differences += _differences_of_areas(member.model, areas)
    # Models with the same scores do not differ in other cases either; the same labels alone show less.
    is_scored = any(vars(best).get(name) is not None for name in SCORED)
    if is_scored and all(np.array_equal(vars(member).get(name), vars(best).get(name)) for name in ANSWERED):
        return [replace(known, low=known.value, high=known.value) for known in differences]
    return differences


def _differences_of_areas(model: str, areas: pd.DataFrame) -> Iterator[Difference]:
    method, assumes, test_assumes = (areas.attrs[name] for name in ("method", "assumes", "test_assumes"))
    for name, column in areas.items():
        if column["resamples"]:
            value, low, high, p_value = map(float, column[["estimate", "low", "high", "pvalue"]])
            interval = value, low, high, p_value, method, assumes
            yield Difference(model, str(name), None, *interval, "exchange_or_bootstrap", test_assumes)


def answers_under_losses(member: Any, loss_of_chances: str) -> dict[str, tuple[str, Any, dict[str, Any]]]:
    """Return, by question, the loss by which a model is judged, what it says under it, and further options."""
    if isinstance(member, Forecasts):
        loss = "squared" if member.quantile is None else "pinball"
        return {"numbers": (loss, member.prediction, {"quantile": member.quantile})}
    under_losses: dict[str, tuple[str, Any, dict[str, Any]]] = {}
    if member.prediction is not None:
        costs = {} if member.cost is None else {"cost": [[0, member.cost], [1, 0]], "labels": [0, 1]}
        under_losses["labels"] = "cost" if costs else "zero_one", member.prediction.astype(np.intp), costs
    chances = member.chances
    if chances is not None:
        labels = range(chances.shape[1] if chances.ndim > 1 else 2)
        options = {"labels": labels} if loss_of_chances == "cross_entropy" else {}
        under_losses["probabilities"] = loss_of_chances, chances, options
    return under_losses


# Which models are shown to be worse than the one with the greatest value.


def _find_leads(
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
            of_pairs = [_pair_p_value(values[i] - values[j], units, is_exact) for i, j in pairs]
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
        worse = tuple(name for name, p_value in p_values.items() if p_value <= 1 - LEVEL)
        leads[question] = Lead(cards[best].model, worse, p_values)
    return leads


def _values_of_units(question: str, member: Any, loss_of_chances: str) -> Floats:
    """Return what each case or group adds to the area, or to the mean loss with its sign turned."""
    units = member.units
    total = units.mass.sum()
    if question == "ranking":
        folds = np.zeros(len(member.truth)) if member.folds is None else member.folds
        parts = [folds == fold for fold in np.unique(folds)]
        placed = [_place_cases(member.select_cases(part)) for part in parts]
        if sum(of_part.sizes.min() for of_part in placed) < FEWEST:
            return np.full(len(units.sizes), np.nan)
        of_cases = np.full(len(folds), np.mean([of_part.area for of_part in placed]) / total)
        for part, of_part in zip(parts, placed, strict=True):
            of_cases[part] += of_part.errors / len(parts)
        return np.asarray(units.sums(of_cases))
    loss, predictions, options = answers_under_losses(member, loss_of_chances)[question]
    case = resolve(loss, member.truth_under(loss), predictions, **options)
    return np.asarray(-units.sums(case.loss.pointwise(case.truth, case.prediction)) / total)


def _pair_p_value(gained: Floats, units: Units, is_exact: bool) -> float:
    """Test what each case or group adds to a difference: by McNemar's exact test, or by Student's.

    Student's has the degrees of freedom of the number of units that make the difference, by Kish's formula, so that a
    few of them do not show it.
    """
    n_discordant = int(np.count_nonzero(gained))
    if n_discordant == 0:
        return 1.0
    if is_exact:
        return float(binomtest(int(np.count_nonzero(gained > 0)), n_discordant).pvalue)
    difference, size = gained.sum(), units.effective_size
    squares = (gained - difference * units.sizes / units.sizes.sum()) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = difference / np.sqrt(squares.sum() * size / (size - 1))
        return float(2 * student.sf(abs(statistic), squares.sum() ** 2 / (squares**2).sum()))


# Areas under the ROC curve: what each case adds to their error, and whether those of subgroups are equal.


class _Placed(NamedTuple):
    """An area under the ROC curve, or the mean over the classes, and what a case of weight 1 adds to its error."""

    area: float
    errors: Floats
    sizes: Floats  # the effective number of cases of each true class


def _place_cases(answers: Predictions) -> _Placed:
    """Find the share of the other class that each case is ranked right against (DeLong et al. 1988)."""
    truth, mass = answers.truth.astype(np.intp), answers.units.mass
    rankings: list[tuple[Any, Any]] = [(truth, answers.score)]
    if answers.probabilities is not None:
        rankings = [(truth == place, column) for place, column in enumerate(answers.probabilities.T)]
    areas, errors = [], np.zeros(len(truth))
    for positive, score in rankings:
        ranks = np.unique(score, return_inverse=True)[1]
        held = np.bincount(2 * ranks + positive, weights=mass, minlength=2 * ranks.max() + 2).reshape(-1, 2)
        totals = held.sum(axis=0)
        below = (held.cumsum(axis=0) - held / 2) / totals
        right = np.where(positive, below[ranks, 0], 1 - below[ranks, 1])
        areas.append(np.average(right, weights=mass * positive))
        errors += (right - areas[-1]) / totals[np.asarray(positive, dtype=np.intp)]
    sizes = np.bincount(truth, weights=mass) ** 2 / np.bincount(truth, weights=mass**2)
    return _Placed(float(np.mean(areas)), errors / len(rankings), sizes)


def _compare_rankings(parts: Sequence[_CardsOfModels]) -> Iterator[EqualRankings]:
    """Test of each model whether its areas are equal in the subgroups that have `FEWEST` cases of each class."""
    for of_model in zip(*(zip(part.cards, part.aligned.members, strict=True) for part in parts), strict=True):
        ranked = []
        for card, answers in of_model:
            if card.areas and card.verdicts["ranking"].method:
                placed = _place_cases(answers)
                if placed.sizes.min() >= FEWEST:
                    ranked.append((answers, placed))
        if len(ranked) > 1:
            yield EqualRankings(of_model[0][0].model, len(ranked), *_cochran_q(ranked))


def _cochran_q(subgroups: Sequence[tuple[Predictions, _Placed]]) -> tuple[float, float]:
    """Return Cochran's Q of areas in subgroups, and its p-value (Cochran 1954).

    As in an analysis of variance, the variance of what a case of a class adds is pooled over the subgroups: their own
    variances are smallest where an area is near 1 by chance. So is the effect of groups.
    """
    areas, sizes, squares, effects = [], [], [], []
    for answers, placed in subgroups:
        units = answers.units
        of_cases = (placed.errors * units.mass) ** 2
        areas.append(placed.area)
        sizes.append(placed.sizes)
        squares.append(placed.sizes**2 * np.bincount(answers.truth.astype(np.intp), weights=of_cases))
        of_units = (units.sums(placed.errors) ** 2).sum() / (1 - 1 / units.effective_size)
        effects.append(units.n**2 * np.array([of_units, of_cases.sum()]))
    with np.errstate(divide="ignore", invalid="ignore"):
        variances = (np.sum(squares, axis=0) / (np.array(sizes) - 1).sum(axis=0) / sizes).sum(axis=1)
        if any(answers.groups is not None for answers, _ in subgroups):
            of_units, of_cases = np.sum(effects, axis=0)
            variances *= of_units / of_cases
        centre = (areas / variances).sum() / (1 / variances).sum()
        statistic = float(((areas - centre) ** 2 / variances).sum())
    return statistic, float(chi2.sf(statistic, len(subgroups) - 1))
