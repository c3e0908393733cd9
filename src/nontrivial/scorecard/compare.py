"""Several models side by side, and subgroups of cases: differences, and which model each measure picks."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd

from nontrivial._warnings import Assumption, TestAssumption
from nontrivial.curves.areas import CURVE_AREAS
from nontrivial.curves.bootstrap import bootstrap_curve_areas
from nontrivial.files import plain
from nontrivial.measures.comparison import compare_models
from nontrivial.measures.names import Named
from nontrivial.reading.layouts import is_model_name
from nontrivial.reading.roles import quoted
from nontrivial.scorecard.answers import Forecasts
from nontrivial.scorecard.estimates import LEVEL, are_unequal
from nontrivial.scorecard.evaluate import Scorecard, header, make_scorecard
from nontrivial.scorecard.pairing import AlignedAnswers, Pairing, Unpaired, drop_uncounted
from nontrivial.scorecard.result import Result
from nontrivial.scorecard.verdicts import QUESTIONS, first_question, judge, probability_loss

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
class Comparison(Result):
    """Several models, the best first, by the measure of a question.

    `pairing` says by what the cases of the models are the same, or `unpaired` why they are not. If they are not, there
    are no `differences` from the first model, and no `picks`: for each measure, also by its other names, the best model
    or models.
    """

    cards: tuple[Scorecard, ...]
    pairing: Pairing | None
    unpaired: Unpaired | None
    question: str
    differences: tuple[Difference, ...] = ()
    picks: dict[str, tuple[str, ...]] = field(default_factory=dict)

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
            "models": [card.to_json() for card in self.cards],
        }
        return dict(plain(found))


@dataclass(frozen=True, eq=False)
class Subgroups(Result):
    """All cases, and those of each value of the columns `by`; `left_out` says why a subgroup is not scored."""

    by: tuple[str, ...]
    whole: Scorecard | Comparison
    parts: dict[str, Scorecard | Comparison]
    left_out: dict[str, str]

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdicts on all cases and on each subgroup."""
        return {name: part.verdicts for name, part in {"all": self.whole, **self.parts}.items()}

    def to_json(self) -> dict[str, Any]:
        """Plain data, as `score.schema.json` says."""
        return {
            **header(),
            "by": list(self.by),
            "all": self.whole.to_json(),
            "subgroups": {name: part.to_json() for name, part in self.parts.items()},
            "left_out": self.left_out,
        }


def named_cards(result: Any) -> list[tuple[str, Scorecard, Comparison | None]]:
    """Return each card with the name of its model or subgroup, and the comparison that it is part of."""
    parts = {"all": result.whole, **result.parts} if isinstance(result, Subgroups) else {"": result}
    found: list[tuple[str, Scorecard, Comparison | None]] = []
    for name, part in parts.items():
        if isinstance(part, Comparison):
            found += [(f"{name}, {card.model}" if name else card.model, card, part) for card in part.cards]
        else:
            found.append((f"{name} ({part.cases:,})" if name else part.model, part, None))
    return found


def cards_of(result: Any) -> tuple[Scorecard, ...]:
    """Return the scorecards of one model, of several, or of all cases and each subgroup."""
    return tuple(card for _, card, _ in named_cards(result))


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
    return Subgroups(tuple(name for name in by if not is_model_name(name)), whole, parts, left_out)


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
    members, pairing, unpaired = (
        of_models.aligned.members,
        of_models.aligned.pairing,
        of_models.aligned.unpaired,
    )
    cards = [_judged(card, loss) for card in of_models.cards]
    for card in cards:
        if question is not None and question not in card.verdicts:
            raise ValueError(
                f"--question is {question!r}, which {card.model or card.file} does not answer; it answers "
                f"{', '.join(card.verdicts)}."
            )
    if len(cards) == 1:
        return cards[0]
    asked = question or first_question(cards)

    def place(card: Scorecard) -> float:
        value = order.index(card.model) if order else -card.verdicts[asked].value
        return math.inf if math.isnan(value) else value

    best, *others = sorted(range(len(cards)), key=lambda number: place(cards[number]))
    ordered = tuple(cards[number] for number in (best, *others))
    if unpaired:
        return Comparison(ordered, pairing, unpaired, asked)
    differences = []
    if any(each.method for each in cards[best].verdicts.values()):  # there are enough cases for an interval
        differences = [
            each for number in others for each in _differences(members[number], members[best], loss)
        ]
    return Comparison(ordered, pairing, unpaired, asked, tuple(differences), _picks(ordered))


def _judged(card: Scorecard, loss: str) -> Scorecard:
    """Return a card with a verdict on its probabilities, if any, by a loss: the same for all models."""
    if card.task != "classification" or not card.losses:
        return card
    found = judge(card.losses[loss].prediction_advantage, loss)
    return replace(card, verdicts={"probabilities": found, **card.verdicts})


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
    found = []
    with warnings.catch_warnings(action="ignore"):  # what they say is in the notes and in the results
        for loss, mine, other, more in _compared(member, best, loss_of_chances):
            each = compare_models(best.truth_under(loss), mine, other, loss=loss, **more, **options)
            said = each.method, each.assumes, each.test, each.test_assumes
            found.append(Difference(member.model, "prediction_advantage", loss, *each, *said))
        if all(getattr(each, "score", None) is not None for each in (member, best)):
            areas = bootstrap_curve_areas(best.truth, member.score, compared_with=best.score, **options)
            found += _differences_of_areas(member.model, areas)
    # Models with the same scores do not differ in other cases either; the same labels alone show less.
    is_scored = any(vars(best).get(name) is not None for name in SCORED)
    if is_scored and all(np.array_equal(vars(member).get(name), vars(best).get(name)) for name in ANSWERED):
        return [replace(each, low=each.value, high=each.value) for each in found]
    return found


def _differences_of_areas(model: str, areas: pd.DataFrame) -> Iterator[Difference]:
    method, assumes, test_assumes = (areas.attrs[name] for name in ("method", "assumes", "test_assumes"))
    for name, column in areas.items():
        if column["resamples"]:
            value, low, high, p_value = map(float, column[["estimate", "low", "high", "pvalue"]])
            interval = value, low, high, p_value, method, assumes
            yield Difference(model, str(name), None, *interval, "exchange_or_bootstrap", test_assumes)


def _compared(member: Any, best: Any, loss_of_chances: str) -> Iterator[tuple[str, Any, Any, dict[str, Any]]]:
    """Give each loss by which two models differ, what either says under it, and further options."""
    if isinstance(best, Forecasts):
        loss = "squared" if best.quantile is None else "pinball"
        yield loss, member.prediction, best.prediction, {"quantile": best.quantile}
        return
    loss, costs = "zero_one", {}
    if best.cost is not None:
        loss, costs = "cost", {"cost": [[0, best.cost], [1, 0]], "labels": [0, 1]}
    if member.prediction is not None and best.prediction is not None:
        yield loss, member.prediction.astype(np.intp), best.prediction.astype(np.intp), costs
    mine, other = member.chances, best.chances
    if mine is not None and other is not None and mine.shape == other.shape:
        labels = range(mine.shape[1] if mine.ndim > 1 else 2)
        yield loss_of_chances, mine, other, {"labels": labels} if loss_of_chances == "cross_entropy" else {}
