"""The results for several models and for subgroups of cases, and the way from answers to results."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from nontrivial.files import plain
from nontrivial.reading.asking import quoted
from nontrivial.reading.layouts import is_model_name
from nontrivial.scorecard.card import Scorecard, origin, score_answers
from nontrivial.scorecard.differences import Difference, Lead, find_differences, find_leads
from nontrivial.scorecard.estimates.rankings import EqualRankings, compare_rankings
from nontrivial.scorecard.estimates.verdicts import (
    QUESTIONS,
    QuestionName,
    first_question,
    judge,
    probability_loss,
)
from nontrivial.scorecard.pairing import AlignedAnswers, Pairing, Unpaired, drop_uncounted
from nontrivial.scorecard.result import Result


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Several models, the best first, by the measure of a question.

    `pairing` says by what the cases of the models are the same, or `unpaired` why they are not. If they are not, there
    are no `differences` from the first model and no `leads`.
    """

    cards: tuple[Scorecard, ...]
    pairing: Pairing | None
    unpaired: Unpaired | None
    question: str
    differences: tuple[Difference, ...] = ()
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
        fields = {
            **origin(),
            "question": self.question,
            "best": self.best.model,
            "best_is_selected": self.is_selected,
            "paired": self.pairing is not None,
            "paired_by": self.pairing,
            "unpaired_because": self.unpaired,
            "differences": list(map(asdict, self.differences)),
            "leads": {question: asdict(lead) for question, lead in self.leads.items()},
            "models": [card.to_json() for card in self.cards],
        }
        return dict(plain(fields))


@dataclass(frozen=True, eq=False)
class Subgroups(Result):
    """All cases, and a subgroup for each value of the columns `by`; `left_out` says why a subgroup is not scored.

    The verdicts on `question` are shown. `rankings` says whether each model ranks equally well in all subgroups.
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
            **origin(),
            "by": list(self.by),
            "all": self.whole.to_json(),
            "subgroups": {name: part.to_json() for name, part in self.parts.items()},
            "left_out": self.left_out,
            "question": self.question,
            "rankings": plain(list(map(vars, self.rankings))),
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
    return tuple(named.card for named in named_cards(result))


def score_models(aligned: AlignedAnswers, by: Sequence[str] = (), question: str | None = None) -> Any:
    """Score the answers of one model or several, and of each subgroup if the answers have any."""
    if question is not None and question not in QUESTIONS:
        raise ValueError(f"--question is {question!r}; it must be one of {', '.join(QUESTIONS)}.")
    answers = aligned.members
    if answers[0].parts is None:
        cards = list(map(score_answers, answers))
        loss = probability_loss(cards)
        return _judge_and_compare(cards, aligned, loss, question)
    aligned_parts, left_out = _divide(aligned)
    if not aligned_parts:
        raise ValueError(
            f"Each value of {quoted(by)} in {answers[0].name} has one true class or value only; two or more are needed."
        )
    whole_cards = list(map(score_answers, answers))
    part_cards = {name: list(map(score_answers, part.members)) for name, part in aligned_parts.items()}
    loss = probability_loss(itertools.chain(whole_cards, *part_cards.values()))
    whole = _judge_and_compare(whole_cards, aligned, loss, question)
    order = [card.model for card in cards_of(whole)]
    parts = {
        name: _judge_and_compare(part_cards[name], part, loss, question, order)
        for name, part in aligned_parts.items()
    }
    rankings: list[EqualRankings] = []
    for place, card in enumerate(whole_cards):
        ranked = [
            part.members[place]
            for name, part in aligned_parts.items()
            if part_cards[name][place].areas and part_cards[name][place].verdicts["ranking"].method
        ]
        rankings += compare_rankings(card.model, ranked)
    asked = whole.question if isinstance(whole, Comparison) else question or first_question([whole])
    columns = tuple(name for name in by if not is_model_name(name))
    return Subgroups(columns, whole, parts, left_out, asked, tuple(rankings))


def _divide(aligned: AlignedAnswers) -> tuple[dict[str, AlignedAnswers], dict[str, str]]:
    """Return the answers for each subgroup, and why others are left out."""
    members = aligned.members
    unpaired = aligned.unpaired
    if any(not np.array_equal(members[0].parts, other.parts) for other in members[1:]):
        unpaired = unpaired or "divided"
    aligned_parts, left_out = {}, {}
    for name in dict.fromkeys(name for member in members for name in member.part_names):
        chosen = [
            member.select_cases(member.parts == member.part_names.index(name), parts=None)
            for member in members
            if name in member.part_names
        ]
        if len(chosen) < len(members):
            left_out[name] = "some models have no cases in it"
        elif any((member.truth == member.truth[:1]).all() for member in chosen):
            left_out[name] = "all its cases have the same true class or value"
        else:
            pairing = None if unpaired else aligned.pairing
            aligned_parts[name] = AlignedAnswers(tuple(map(drop_uncounted, chosen)), pairing, unpaired)
    return aligned_parts, left_out


def judge_probabilities(card: Scorecard, loss: str) -> Scorecard:
    """Return a card with a verdict on its probabilities, if any, by a loss that is the same for all models."""
    if card.task != "classification" or not card.losses:
        return card
    verdict = judge(card.losses[loss].prediction_advantage, loss)
    return replace(card, verdicts={"probabilities": verdict} | card.verdicts | {"probabilities": verdict})


def _judge_and_compare(
    cards: Sequence[Scorecard],
    aligned: AlignedAnswers,
    loss: str,
    question: str | None,
    order: Sequence[str] = (),
) -> Scorecard | Comparison:
    judged = [judge_probabilities(card, loss) for card in cards]
    for card in judged:
        if question is not None and question not in card.verdicts:
            raise ValueError(
                f"--question is {question!r}, which {card.model or card.file} does not answer; it answers "
                f"{', '.join(card.verdicts)}."
            )
    return compare_cards(judged, aligned, loss, question, order)


def compare_cards(
    cards: Sequence[Scorecard],
    aligned: AlignedAnswers,
    loss: str,
    question: str | None = None,
    order: Sequence[str] = (),
) -> Scorecard | Comparison:
    """Compare models, in a given order of their names, or the best first; the card of one model stays alone."""
    if len(cards) == 1:
        return cards[0]
    asked = question or first_question(cards)
    places = [order.index(card.model) if order else -card.verdicts[asked].value for card in cards]
    best, *others = np.argsort(places, kind="stable").tolist()  # NaN is the last
    ordered = tuple(cards[number] for number in (best, *others))
    if aligned.unpaired:
        return Comparison(ordered, aligned.pairing, aligned.unpaired, asked)
    members, differences, leads = aligned.members, list[Difference](), {}
    if any(
        verdict.method for verdict in ordered[0].verdicts.values()
    ):  # there are enough cases for an interval
        # Differences of answers from folds would need wider intervals.
        for number in others if members[best].folds is None else ():
            differences += find_differences(members[number], members[best], loss)
        leads = find_leads(cards, members, loss)
    return Comparison(ordered, aligned.pairing, None, asked, tuple(differences), leads)
