"""The verdicts as sections, and the sentences below them."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of, named_cards
from nontrivial.scorecard.estimates.rankings import EqualRankings
from nontrivial.scorecard.estimates.verdicts import BETTER, QUESTION_NAMES, QuestionVerdict
from nontrivial.scorecard.rendering.numbers import ends, p_text, percent
from nontrivial.scorecard.rendering.sections import Section, positive_word
from nontrivial.terminal import count_of, cut, joined, listed

LEAST_DRAWN = 0.002  # two-sided, of the 1,000 draws of a comparison
LOSSES = {
    "probabilities": {"cross_entropy": "log loss", "squared": "Brier"},
    "labels": {"zero_one": "0/1 loss"},
    "numbers": {
        "squared": "squared loss, which is R2",
        "absolute": "absolute loss",
        "pinball": "pinball loss",
    },
}
ANSWERS = {"better": "YES", "worse": "NO, WORSE", "inconclusive": "INCONCLUSIVE"}
COMPARED = "difference from the first"


def verdict_sections(result: Any) -> list[Section]:
    """One model: a row for each question. Several: a section for each question; subgroups: for the one that decides."""
    if isinstance(result, Scorecard):
        rows = [
            [
                _name_question(question, [result]),
                ANSWERS[verdict.verdict],
                _numbers(result, question, verdict),
            ]
            for question, verdict in result.verdicts.items()
        ]
        return [Section("verdicts", "Verdicts", header=("question", "answer", ""), rows=rows)]
    questions = [result.question] if isinstance(result, Subgroups) else QUESTION_NAMES
    return list(sections_of_questions(result, questions))


def sections_of_questions(result: Any, questions: Sequence[str]) -> Iterator[Section]:
    """A section for each of the questions, with a row for each model and subgroup that answers it."""
    is_divided = isinstance(result, Subgroups)
    for question in questions:
        rows, cards, compared = [], [], ""
        for named in named_cards(result):
            card, part = named.card, named.comparison
            if question not in card.verdicts:
                continue
            verdict, name, sizes = card.verdicts[question], named.name, []
            if is_divided:
                sizes = [f"{size:,}" for size in (card.cases, card.positives) if size is not None]
            elif part is not None and part.unpaired:
                name += f" ({card.cases:,})"
            difference = _difference(card, verdict, part)
            compared = COMPARED if difference else compared
            more = difference
            if verdict.reason:  # many subgroups have the same reason, which stands below
                more = "no interval" if is_divided else f"no interval: {verdict.reason}"
            rows.append([name, *sizes, ANSWERS[verdict.verdict], _value(verdict), more])
            cards.append(card)
        if rows:
            title = f"{_name_question(question, cards)}: {_measure(question, cards[0])}"
            kinds = ("subgroup", "cases", "positives")[: len(rows[0]) - 3] if is_divided else ("model",)
            yield Section(question, title, header=(*kinds, "answer", "value", compared), rows=rows)


def lead_section(comparison: Comparison) -> Section | None:
    """Of each question the model with the greatest value, and the models that are shown to be worse."""
    if not comparison.leads:
        return None
    rows, n_tested = [], 0
    for question, lead in comparison.leads.items():
        worse = joined(map(cut, lead.worse)) if lead.worse else "none is shown to be"
        if all(map(math.isnan, lead.p_values.values())):
            worse = "not tested"
        else:
            n_tested += 1
        rows.append([_name_question(question, comparison.cards), cut(lead.model), worse])
    pairs = n_tested * math.comb(len(comparison.cards), 2)
    title = f"The best model, and those shown to be worse (Holm's correction for {count_of(pairs, 'comparison')}):"
    return Section("leads", "Best model", [title], ("question", "best", "worse"), rows)


def _name_question(question: str, cards: Sequence[Scorecard]) -> str:
    """Name a question; labels with their threshold, if all models have the same one."""
    thresholds = {card.threshold for card in cards}
    if question != "labels" or len(thresholds) > 1 or None in thresholds:
        return question
    return f"labels at {cards[0].threshold:.3g}"


def _measure(question: str, card: Scorecard) -> str:
    """Name the measure behind the verdicts on a question."""
    loss = card.verdicts[question].loss
    if loss is None:
        return "AUC"
    return f"PA, where {_costs(card)}" if loss == "cost" else f"PA by {LOSSES[question][loss]}"


def _value(verdict: QuestionVerdict) -> str:
    return ends(verdict, verdict.trivial)


def _difference(card: Scorecard, verdict: QuestionVerdict, comparison: Comparison | None) -> str:
    """The difference from the first model with its p-value; nothing for the first, or without an interval."""
    if comparison is None or verdict.reason:
        return ""
    for difference in comparison.differences:
        names = difference.model, difference.measure, difference.loss
        if names == (card.model, verdict.measure, verdict.loss):
            is_least = difference.test == "exchange_or_bootstrap" and difference.p_value <= LEAST_DRAWN
            return (
                f"{ends(difference, 0)}, {f'p <= {LEAST_DRAWN}' if is_least else p_text(difference.p_value)}"
            )
    return ""


def _numbers(card: Scorecard, question: str, verdict: QuestionVerdict) -> str:
    """The numbers behind the verdict on one model."""
    value = f"{'PA' if verdict.loss else 'AUC'} {_value(verdict)}"
    if verdict.reason:
        return f"{value}; no interval: {verdict.reason}"
    if question == "ranking":
        is_mean = verdict.measure.startswith("macro_")
        mean, prg = (", mean of one class against the rest", "macro_prg_auc") if is_mean else ("", "prg_auc")
        return f"{value}{mean}; AUPRG {ends(card.areas[prg])}"
    if question == "labels":
        return f"{value}: {_errors(card)}" if card.cost is None else f"{value}, where {_costs(card)}"
    names = LOSSES[question]
    numbers = [f"{value} {names[verdict.loss or '']}"]
    for loss, row in card.losses.items():
        if loss == "cross_entropy" and math.isinf(row.loss):
            numbers.append("log loss is infinite: a probability of 0 was wrong")
        elif loss != verdict.loss:
            numbers.append(f"{ends(row.prediction_advantage, 0)} {names[loss]}")
    return "; ".join(numbers)


def _errors(card: Scorecard) -> str:
    """The errors of the labels and of the best constant."""
    error, trivial = card.error or 0.0, card.trivial_error or 0.0
    constant = f'always "{cut(card.constant, 24)}"'
    if card.weight is not None:
        return f"{percent(error)} wrong; {constant}: {percent(trivial)}"
    errors, of_constant = round(error * card.cases), round(trivial * card.cases)
    if errors == of_constant:
        return f"{count_of(errors, 'error')}, as many as {constant}"
    return f"{count_of(errors, 'error')}; {constant} makes {of_constant:,}"


def _missed(card: Scorecard) -> str:
    label = positive_word(card)
    return "a missed positive" if label == "positive" else f'a missed "{label}"'


def _costs(card: Scorecard) -> str:
    return f"{_missed(card)} costs {count_of(card.cost or 0, 'false alarm')}"


# Sentences.


def verdict_sentences(result: Any) -> list[str]:
    """What the verdicts mean: an endless interval, a useless threshold, the order of models, who is not compared."""
    whole = result.whole if isinstance(result, Subgroups) else result
    sentences = [_why_no_lower_end(cards_of(result)), _propose_cost(cards_of(whole))]
    sentences.append(_explain_threshold(cards_of(whole)))
    if isinstance(result, Comparison):
        sentences.append(_name_best(result))
    if isinstance(result, Subgroups):
        sentences += map(_compare_rankings, result.rankings)
        if len(result.parts) > 1 and not result.rankings:
            sentences.append(
                "Subgroups have different baselines, so their Prediction Advantages are not compared."
            )
        names: dict[str, list[str]] = {}
        for name, reason in result.left_out.items():
            names.setdefault(f"Not scored, each because {reason}", []).append(cut(name))
        for named in named_cards(result):
            verdict = named.card.verdicts.get(result.question)
            if verdict is not None and verdict.reason:
                names.setdefault(f"No interval, as {verdict.reason}", []).append(cut(named.name))
        sentences += [f"{why}: {listed(of_reason)}." for why, of_reason in names.items()]
    return list(filter(None, sentences))


def _compare_rankings(rankings: EqualRankings) -> str:
    """Whether a model ranks equally well in all subgroups."""
    of = f" of {cut(rankings.model)}" if rankings.model else ""
    if math.isnan(rankings.p_value):
        return f"The AUCs{of} in the subgroups are not compared, as each ranking is perfect, reversed or constant."
    differs = "is not" if rankings.p_value <= 1 - CONFIDENCE_LEVEL else "may be"
    return (
        f"The ranking{of} {differs} equally good in the {rankings.subgroups} subgroups that can be compared "
        f"(AUCs by Cochran's Q: {p_text(rankings.p_value)})."
    )


def _name_best(comparison: Comparison) -> str:
    """Which model is the best, or why models are not compared."""
    names = [cut(card.model) for card in comparison.cards]
    if comparison.unpaired:
        how = f"differ in their {comparison.unpaired.replace('_', ' ')}"
        if comparison.unpaired == "divided":
            how = "hold different cases"
        if comparison.unpaired == "truth":
            how += " in the order of the rows, and no column that numbers the cases is named with --id"
        return f"{joined(names)} {how}, so they are not compared."
    if len(comparison.first) > 1:
        return f"Equal by {comparison.question}: {listed(card.model for card in comparison.first)}."
    if comparison.is_selected:
        return (
            f"{names[0]} is the best of {len(names)} models by {comparison.question}. On new cases, its lead tends to "
            "be smaller; its intervals and differences do not account for this choice."
        )
    return ""


def _why_no_lower_end(cards: Sequence[Scorecard]) -> str:
    """Why an interval on the screen has no lower end, or the Brier score decides."""
    verdicts = [(card, card.verdicts["probabilities"]) for card in cards if "probabilities" in card.verdicts]
    rows = [card.losses["cross_entropy"] for card, verdict in verdicts if verdict.loss == "squared"]
    if len(cards) > 1 and any(math.isinf(row.loss) for row in rows):
        return "By Brier: a probability of 0 was wrong, and its log loss is infinite."
    if any(row.prediction_advantage.low == -math.inf < row.prediction_advantage.value for row in rows):
        return "By Brier: a probability of 0 or 1 may be wrong in another case, whose log loss is infinite."
    is_endless = any(verdict.low == -math.inf for card in cards for verdict in card.verdicts.values())
    return "-inf: the cases set no limit." if is_endless else ""


def _explain_threshold(cards: Sequence[Scorecard]) -> str:
    """How the best threshold was judged; or propose it, if costs set one and probabilities are not calibrated."""
    best = [card for card in cards if card.is_threshold_best]
    if best:
        thresholds = [f"{card.threshold:.10g}" + f" for {cut(card.model)}" * (len(best) > 1) for card in best]
        verb = "costs" if len(best) == 1 else "cost"
        return (
            f"On all cases, {listed(thresholds, 8)} {verb} least as a threshold. Labels are judged by thresholds that "
            "were each chosen without the cases they are applied to."
        )
    for card in cards:
        calibration = card.calibration
        if card.cost is None or card.threshold != 1 / (1 + card.cost) or calibration is None:
            continue
        slope, share = calibration.slope, card.measures["prevalence"]
        if not (slope.low <= 1 <= slope.high and share.low <= calibration.mean <= share.high):
            return (
                f"The probabilities are not calibrated, so 1 / (1 + {card.cost:,.10g}) need not be the best threshold; "
                "--threshold best chooses one on these cases."
            )
    return ""


def _propose_cost(cards: Sequence[Scorecard]) -> str:
    """The cost at which the trivial answers tie, if labels of a good ranking show nothing; of one model, also why."""
    ranking_alone = [
        card
        for card in cards
        if card.cost is None and card.table and "ranking" in card.verdicts
        if card.verdicts["ranking"].verdict == BETTER != card.verdicts["labels"].verdict
        if card.verdicts["labels"].value < 1
    ]
    if not ranking_alone:
        return ""
    card = ranking_alone[0]
    positives, negatives = card.table["tp"] + card.table["fn"], card.table["fp"] + card.table["tn"]
    cost, flags = round(negatives / positives), ""
    if cost < 2:  # 0/1 loss, by which the labels are judged already, or less
        return ""
    if len(cards) == 1 and card.weight is None and not card.is_threshold_best:
        flags = "These labels flag" if card.threshold is None else f"{card.threshold:.3g} flags"
        flags += f" {count_of(card.table['tp'] + card.table['fp'], 'case')}. "
    sets = "with --threshold best"
    if "probabilities" in card.verdicts and not card.is_threshold_best:
        sets = f"sets the threshold {1 / (1 + cost):.2g}"
    return (
        f"{flags}Say what {_missed(card)} costs, in false alarms: --cost {cost} (as many as flagging all and nobody "
        f"cost the same) {sets}."
    )
