"""The scorecards of several models and of subgroups of cases, and the differences between the models."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from nontrivial.files import json_value
from nontrivial.reading.asking import quoted
from nontrivial.reading.layouts import is_model_name
from nontrivial.scorecard.answers.pairing import AlignedAnswers, Pairing, Unpaired, drop_uncounted
from nontrivial.scorecard.card import Scorecard, origin, score_answers
from nontrivial.scorecard.differences import Difference, Lead, find_differences, find_leads
from nontrivial.scorecard.estimates import judging
from nontrivial.scorecard.estimates.rankings import EqualRankings, compare_subgroup_rankings
from nontrivial.scorecard.result import Result


@dataclass(frozen=True, eq=False)
class Comparison(Result):
    """Several models, the best first, by the measure of a question.

    `pairing` says how the cases of the models were matched. If the cases differ, `unpaired` says in what, and there are
    no `differences` from the first model and no `leads`.
    """

    cards: tuple[Scorecard, ...]
    pairing: Pairing | None
    unpaired: Unpaired | None
    question: str
    differences: tuple[Difference, ...] = ()
    leads: dict[judging.QuestionName, Lead] = field(default_factory=dict)

    @property
    def best(self) -> Scorecard:
        """The first model."""
        return self.cards[0]

    @property
    def first(self) -> tuple[Scorecard, ...]:
        """The best model, and those that are exactly as good."""
        best = self.best.verdicts[self.question].value
        equals = (card for card in self.cards[1:] if card.verdicts[self.question].value == best)
        return self.best, *equals

    @property
    def is_selected(self) -> bool:
        """Whether one model of three or more is the best; its lead on these cases is partly luck."""
        return len(self.cards) > 2 and len(self.first) == 1

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdicts on each model."""
        return {card.model: card.verdicts for card in self.cards}

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `score.schema.json` describes."""
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
        return dict(json_value(fields))


@dataclass(frozen=True, eq=False)
class Subgroups(Result):
    """All cases, and a subgroup for each value of the columns `by`; `left_out` says why a subgroup is not scored.

    The verdicts on `question` are shown. `rankings` tests whether each model ranks equally well in all subgroups.
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
        return {name: part.verdicts for name, part in results_by_subgroup(self).items()}

    def to_json(self) -> dict[str, Any]:
        """Return plain data, as `score.schema.json` describes."""
        return {
            **origin(),
            "by": list(self.by),
            "all": self.whole.to_json(),
            "subgroups": {name: part.to_json() for name, part in self.parts.items()},
            "left_out": self.left_out,
            "question": self.question,
            "rankings": json_value(list(map(vars, self.rankings))),
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


def results_by_subgroup(result: Any) -> dict[str, Scorecard | Comparison]:
    """Return all cases and each subgroup by their names; without subgroups, all cases without a name."""
    if not isinstance(result, Subgroups):
        return {"": result}
    return {"all cases" if "all" in result.parts else "all": result.whole, **result.parts}


def named_cards(result: Any) -> list[NamedCard]:
    """Return the card of each model and subgroup, with the name of the subgroup and the comparison it is part of."""
    named = []
    for subgroup, part in results_by_subgroup(result).items():
        if isinstance(part, Comparison):
            named += [NamedCard(subgroup, card, part) for card in part.cards]
        else:
            named.append(NamedCard(subgroup, part, None))
    return named


def cards_of(result: Any) -> tuple[Scorecard, ...]:
    """Return the cards alone, in the order of `named_cards`."""
    return tuple(named.card for named in named_cards(result))


def score_models(aligned: AlignedAnswers, by: Sequence[str] = (), question: str | None = None) -> Any:
    """Score one model or compare several; for each subgroup, too, if the answers have subgroups."""
    if question is not None and question not in judging.QUESTION_NAMES:
        names = ", ".join(judging.QUESTION_NAMES)
        raise ValueError(f"--question is {question!r}; it must be one of {names}.")
    if aligned.members[0].parts is not None:
        return _score_subgroups(aligned, by, question)
    cards = list(map(score_answers, aligned.members))
    loss = judging.choose_probability_loss(cards)
    return compare_cards(judge_probabilities(cards, loss), aligned, loss, question)


def _score_subgroups(aligned: AlignedAnswers, by: Sequence[str], question: str | None) -> Subgroups:
    """Score all cases and each subgroup, with one loss of probabilities and one order of the models."""
    aligned_by_name, left_out = _divide_into_subgroups(aligned)
    if not aligned_by_name:
        raise ValueError(
            f"Each value of {quoted(by)} in {aligned.members[0].name} has one true class or value only; two or more "
            "are needed."
        )
    whole_cards = list(map(score_answers, aligned.members))
    cards_by_name = {name: list(map(score_answers, part.members)) for name, part in aligned_by_name.items()}
    loss = judging.choose_probability_loss(itertools.chain(whole_cards, *cards_by_name.values()))
    whole = compare_cards(judge_probabilities(whole_cards, loss), aligned, loss, question)
    models = [card.model for card in cards_of(whole)]
    parts = {}
    for name, part in aligned_by_name.items():
        judged = judge_probabilities(cards_by_name[name], loss)
        parts[name] = compare_cards(judged, part, loss, question, models)
    rankings = []
    for place, card in enumerate(whole_cards):
        ranked = [
            part.members[place]
            for name, part in aligned_by_name.items()
            if cards_by_name[name][place].areas and cards_by_name[name][place].verdicts["ranking"].method
        ]
        if ranking := compare_subgroup_rankings(card.model, ranked):
            rankings.append(ranking)
    question = question or judging.first_common_question(cards_of(whole))
    columns = tuple(name for name in by if not is_model_name(name))
    return Subgroups(columns, whole, parts, left_out, question, tuple(rankings))


def _divide_into_subgroups(aligned: AlignedAnswers) -> tuple[dict[str, AlignedAnswers], dict[str, str]]:
    """Return the answers for each subgroup by its name, and the reasons that subgroups are left out."""
    models = aligned.members
    unpaired = aligned.unpaired
    if any(not np.array_equal(models[0].parts, answers.parts) for answers in models[1:]):
        unpaired = unpaired or "divided"
    aligned_by_name, left_out = {}, {}
    for name in dict.fromkeys(name for answers in models for name in answers.part_names):
        selected = [
            answers.select_cases(answers.parts == answers.part_names.index(name), parts=None)
            for answers in models
            if name in answers.part_names
        ]
        if len(selected) < len(models):
            left_out[name] = "some models have no cases in it"
        elif any(len(np.unique(answers.truth)) == 1 for answers in selected):
            left_out[name] = "all its cases have the same true class or value"
        else:
            pairing = None if unpaired else aligned.pairing
            aligned_by_name[name] = AlignedAnswers(tuple(map(drop_uncounted, selected)), pairing, unpaired)
    return aligned_by_name, left_out


def judge_probabilities(cards: Sequence[Scorecard], loss: str) -> list[Scorecard]:
    """Add a verdict on the probabilities, if any, to the card of each model, by a loss that is the same for all."""
    judged = []
    for card in cards:
        if card.task == "classification" and card.losses:
            verdict = judging.judge_estimate(card.losses[loss].prediction_advantage, loss)
            verdicts = {"probabilities": verdict} | card.verdicts
            verdicts["probabilities"] = verdict  # also if another loss has judged them before
            card = replace(card, verdicts=verdicts)
        judged.append(card)
    return judged


def compare_cards(
    cards: Sequence[Scorecard],
    aligned: AlignedAnswers,
    loss: str,
    question: str | None = None,
    models: Sequence[str] = (),
) -> Scorecard | Comparison:
    """Compare models, in the order of their names in `models`, or the best first; the card of one model stays alone."""
    for card in cards:
        if question is not None and question not in card.verdicts:
            raise ValueError(
                f"--question is {question!r}, which {card.model or card.file} does not answer; it answers "
                f"{', '.join(card.verdicts)}."
            )
    if len(cards) == 1:
        return cards[0]
    question = question or judging.first_common_question(cards)
    keys = [models.index(card.model) if models else -card.verdicts[question].value for card in cards]
    best, *others = np.argsort(keys, kind="stable").tolist()  # NaN is the last
    ordered = tuple(cards[number] for number in (best, *others))
    comparison = Comparison(ordered, aligned.pairing, aligned.unpaired, question)
    has_interval = any(verdict.method for verdict in comparison.best.verdicts.values())
    if aligned.unpaired or not has_interval:
        return comparison
    answers, differences = aligned.members, list[Difference]()
    if answers[best].folds is None:  # differences of answers from folds would need wider intervals
        for number in others:
            differences += find_differences(answers[number], answers[best], loss)
    return replace(comparison, differences=tuple(differences), leads=find_leads(cards, answers, loss))
