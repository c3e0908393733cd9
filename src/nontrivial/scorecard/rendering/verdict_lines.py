"""The verdicts as sections, and the sentences below them, for the text and the page alike."""

import math
from collections.abc import Sequence
from typing import Any

from nontrivial._draws import CONFIDENCE_LEVEL
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.compare import Comparison, Subgroups, cards_of, named_cards
from nontrivial.scorecard.estimates.judging import BETTER, QUESTION_NAMES, QuestionVerdict
from nontrivial.scorecard.estimates.rankings import EqualRankings
from nontrivial.scorecard.rendering.numbers import interval_text, p_text, percent_text
from nontrivial.scorecard.rendering.sections import Section, positive_word
from nontrivial.terminal import count_of, cut_middle, join_with_and, listed

# The least two-sided p-value of a comparison by 1,000 draws.
MIN_P_OF_DRAWS = 0.002
LOSS_WORDS = {
    "probabilities": {"cross_entropy": "log loss", "squared": "Brier"},
    "labels": {"zero_one": "0/1 loss"},
    "numbers": {"squared": "squared loss, which is R2", "absolute": "absolute loss", "pinball": "pinball loss"},
}
ANSWER_WORDS = {"better": "YES", "worse": "NO, WORSE", "inconclusive": "INCONCLUSIVE"}
DIFFERENCE_TITLE = "difference from the first"


def verdict_sections(result: Any) -> list[Section]:
    """Return the verdicts: of one model, a row for each question; of several, a section for each question.

    Subgroups have a section for the deciding question alone.
    """
    if isinstance(result, Scorecard):
        rows = []
        for question, verdict in result.verdicts.items():
            numbers = _describe_verdict(result, question, verdict)
            rows.append([_name_question(question, [result]), ANSWER_WORDS[verdict.verdict], numbers])
        return [Section("verdicts", "Verdicts", header=("question", "answer", ""), rows=rows)]
    return question_sections(result, [result.question] if isinstance(result, Subgroups) else QUESTION_NAMES)


def question_sections(result: Any, questions: Sequence[str]) -> list[Section]:
    """Return a section for each question, with a row for each model and subgroup that answers it."""
    has_subgroups = isinstance(result, Subgroups)
    sections = []
    for question in questions:
        answering = [named for named in named_cards(result) if question in named.card.verdicts]
        if not answering:
            continue
        rows, last_title = [], ""
        for named in answering:
            card, verdict = named.card, named.card.verdicts[question]
            first_cells = [named.name]
            if has_subgroups:
                first_cells += [f"{size:,}" for size in (card.cases, card.positives) if size is not None]
            elif named.comparison is not None and named.comparison.unpaired:
                first_cells = [f"{named.name} ({card.cases:,})"]
            last_cell = _difference_text(card, verdict, named.comparison)
            if last_cell:
                last_title = DIFFERENCE_TITLE
            if verdict.reason:  # a sentence below gives the reason, which many subgroups share
                last_cell = "no interval" if has_subgroups else f"no interval: {verdict.reason}"
            value_cell = interval_text(verdict, verdict.trivial)
            rows.append([*first_cells, ANSWER_WORDS[verdict.verdict], value_cell, last_cell])
        cards = [named.card for named in answering]
        title = f"{_name_question(question, cards)}: {_name_measure(question, cards[0])}"
        first_titles = ("subgroup", "cases", "positives")[: len(rows[0]) - 3] if has_subgroups else ("model",)
        header = (*first_titles, "answer", "value", last_title)
        sections.append(Section(question, title, header=header, rows=rows))
    return sections


def lead_section(comparison: Comparison) -> Section | None:
    """Return the best model by each question, and the models that are shown to be worse; None without a test."""
    if not comparison.leads:
        return None
    rows, n_tested = [], 0
    for question, lead in comparison.leads.items():
        worse = join_with_and(map(cut_middle, lead.worse)) if lead.worse else "none is shown to be"
        if all(map(math.isnan, lead.p_values.values())):
            worse = "not tested"
        else:
            n_tested += 1
        rows.append([_name_question(question, comparison.cards), cut_middle(lead.model), worse])
    pairs = n_tested * math.comb(len(comparison.cards), 2)
    title = f"The best model, and those shown to be worse (Holm's correction for {count_of(pairs, 'comparison')}):"
    return Section("leads", "Best model", [title], ("question", "best", "worse"), rows)


def _name_question(question: str, cards: Sequence[Scorecard]) -> str:
    """Name a question, and for labels the threshold, if all models have the same one: labels at 0.5."""
    thresholds = {card.threshold for card in cards}
    if question != "labels" or len(thresholds) > 1 or None in thresholds:
        return question
    return f"labels at {cards[0].threshold:.3g}"


def _name_measure(question: str, card: Scorecard) -> str:
    """Name the measure behind the verdicts on a question, such as PA by log loss."""
    loss = card.verdicts[question].loss
    if loss is None:
        return "AUC"
    return f"PA, where {_describe_cost(card)}" if loss == "cost" else f"PA by {LOSS_WORDS[question][loss]}"


def _difference_text(card: Scorecard, verdict: QuestionVerdict, comparison: Comparison | None) -> str:
    """Write the difference from the first model and its p-value; empty for the first model, or without an interval."""
    if comparison is None or verdict.reason:
        return ""
    verdict_key = card.model, verdict.measure, verdict.loss
    for difference in comparison.differences:
        if (difference.model, difference.measure, difference.loss) == verdict_key:
            p_value = p_text(difference.p_value)
            if difference.test == "exchange_or_bootstrap" and difference.p_value <= MIN_P_OF_DRAWS:
                p_value = f"p <= {MIN_P_OF_DRAWS}"
            return f"{interval_text(difference, 0)}, {p_value}"
    return ""


def _describe_verdict(card: Scorecard, question: str, verdict: QuestionVerdict) -> str:
    """Write the value and the interval behind a verdict, and the measures beside it."""
    value = f"{'PA' if verdict.loss else 'AUC'} {interval_text(verdict, verdict.trivial)}"
    if verdict.reason:
        return f"{value}; no interval: {verdict.reason}"
    if question == "ranking":
        is_mean = verdict.measure.startswith("macro_")
        mean, prg = (", mean of one class against the rest", "macro_prg_auc") if is_mean else ("", "prg_auc")
        return f"{value}{mean}; AUPRG {interval_text(card.areas[prg])}"
    if question == "labels":
        if card.cost is not None:
            return f"{value}, where {_describe_cost(card)}"
        return f"{value}: {_compare_errors(card)}"
    names = LOSS_WORDS[question]
    numbers = [f"{value} {names[verdict.loss or '']}"]
    for loss, row in card.losses.items():
        if loss == "cross_entropy" and math.isinf(row.loss):
            numbers.append("log loss is infinite: a probability of 0 was wrong")
        elif loss != verdict.loss:
            numbers.append(f"{interval_text(row.prediction_advantage, 0)} {names[loss]}")
    return "; ".join(numbers)


def _compare_errors(card: Scorecard) -> str:
    """Write the errors of the labels and of the best constant."""
    error, trivial = card.error or 0.0, card.trivial_error or 0.0
    constant = f'always "{cut_middle(card.constant, 24)}"'
    if card.weight is not None:
        return f"{percent_text(error)} wrong; {constant}: {percent_text(trivial)}"
    errors, of_constant = round(error * card.cases), round(trivial * card.cases)
    if errors == of_constant:
        return f"{count_of(errors, 'error')}, as many as {constant}"
    return f"{count_of(errors, 'error')}; {constant} makes {of_constant:,}"


def _name_missed(card: Scorecard) -> str:
    label = positive_word(card)
    return "a missed positive" if label == "positive" else f'a missed "{label}"'


def _describe_cost(card: Scorecard) -> str:
    return f"{_name_missed(card)} costs {count_of(card.cost or 0, 'false alarm')}"


def verdict_sentences(result: Any) -> list[str]:
    """Return the sentences below the verdicts: on infinite ends, costs, thresholds, the best model and subgroups."""
    whole = result.whole if isinstance(result, Subgroups) else result
    sentences = [
        _explain_no_lower_end(cards_of(result)),
        _propose_cost(cards_of(whole)),
        _describe_threshold(cards_of(whole)),
    ]
    if isinstance(result, Comparison):
        sentences.append(_describe_comparison(result))
    if isinstance(result, Subgroups):
        sentences += _subgroup_sentences(result)
    return list(filter(None, sentences))


def _subgroup_sentences(subgroups: Subgroups) -> list[str]:
    """Write whether rankings are equal, and which subgroups have no score or no interval, by reason."""
    sentences = list(map(_describe_rankings, subgroups.rankings))
    if len(subgroups.parts) > 1 and not subgroups.rankings:
        sentences.append("Subgroups have different baselines, so their Prediction Advantages are not compared.")
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in subgroups.left_out.items():
        names_by_reason.setdefault(f"Not scored, each because {reason}", []).append(cut_middle(name))
    for named in named_cards(subgroups):
        verdict = named.card.verdicts.get(subgroups.question)
        if verdict is not None and verdict.reason:
            names_by_reason.setdefault(f"No interval, as {verdict.reason}", []).append(cut_middle(named.name))
    return sentences + [f"{reason}: {listed(names)}." for reason, names in names_by_reason.items()]


def _describe_rankings(rankings: EqualRankings) -> str:
    of_model = f" of {cut_middle(rankings.model)}" if rankings.model else ""
    if math.isnan(rankings.p_value):
        return (
            f"The AUCs{of_model} in the subgroups are not compared, as each ranking is perfect, reversed or constant."
        )
    verb = "is not" if rankings.p_value <= 1 - CONFIDENCE_LEVEL else "may be"
    return (
        f"The ranking{of_model} {verb} equally good in the {rankings.subgroups} subgroups that can be compared "
        f"(AUCs by Cochran's Q: {p_text(rankings.p_value)})."
    )


def _describe_comparison(comparison: Comparison) -> str:
    """Write which model is the best, or why models are not compared."""
    names = [cut_middle(card.model) for card in comparison.cards]
    if comparison.unpaired:
        how = f"differ in their {comparison.unpaired.replace('_', ' ')}"
        if comparison.unpaired == "divided":
            how = "hold different cases"
        if comparison.unpaired == "truth":
            how += " in the order of the rows, and no column that numbers the cases is named with --id"
        return f"{join_with_and(names)} {how}, so they are not compared."
    if len(comparison.first) > 1:
        return f"Equal by {comparison.question}: {listed(card.model for card in comparison.first)}."
    if comparison.is_selected:
        return (
            f"{names[0]} is the best of {len(names)} models by {comparison.question}. On new cases, its lead tends to "
            "be smaller; its intervals and differences do not account for this choice."
        )
    return ""


def _explain_no_lower_end(cards: Sequence[Scorecard]) -> str:
    """Write why an interval on the screen has no lower end, or why the Brier score decides."""
    verdicts = [(card, card.verdicts["probabilities"]) for card in cards if "probabilities" in card.verdicts]
    rows = [card.losses["cross_entropy"] for card, verdict in verdicts if verdict.loss == "squared"]
    if len(cards) > 1 and any(math.isinf(row.loss) for row in rows):
        return "By Brier: a probability of 0 was wrong, and its log loss is infinite."
    if any(row.prediction_advantage.low == -math.inf < row.prediction_advantage.value for row in rows):
        return "By Brier: a probability of 0 or 1 may be wrong in another case, whose log loss is infinite."
    is_endless = any(verdict.low == -math.inf for card in cards for verdict in card.verdicts.values())
    return "-inf: the cases set no limit." if is_endless else ""


def _describe_threshold(cards: Sequence[Scorecard]) -> str:
    """Write how the best threshold was judged. If costs are given and probabilities are not calibrated, propose it."""
    best = [card for card in cards if card.is_threshold_best]
    if best:
        thresholds = [f"{card.threshold:.10g}" + f" for {cut_middle(card.model)}" * (len(best) > 1) for card in best]
        verb = "costs" if len(best) == 1 else "cost"
        return (
            f"On all cases, {listed(thresholds, 8)} {verb} least as a threshold. Labels are judged by thresholds "
            "that were each chosen without the cases they are applied to."
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
    """Propose --cost if the ranking is better than trivial and the labels are not."""
    cards_to_improve = [
        card
        for card in cards
        if card.cost is None and card.table and "ranking" in card.verdicts
        if card.verdicts["ranking"].verdict == BETTER != card.verdicts["labels"].verdict
        if card.verdicts["labels"].value < 1
    ]
    if not cards_to_improve:
        return ""
    card = cards_to_improve[0]
    positives, negatives = card.table["tp"] + card.table["fn"], card.table["fp"] + card.table["tn"]
    break_even_cost, flags = round(negatives / positives), ""
    if break_even_cost < 2:  # the labels are judged by a cost of 1 already
        return ""
    if len(cards) == 1 and card.weight is None and not card.is_threshold_best:
        flags = "These labels flag" if card.threshold is None else f"{card.threshold:.3g} flags"
        flags += f" {count_of(card.table['tp'] + card.table['fp'], 'case')}. "
    consequence = "with --threshold best"
    if "probabilities" in card.verdicts and not card.is_threshold_best:
        consequence = f"sets the threshold {1 / (1 + break_even_cost):.2g}"
    return (
        f"{flags}Say what {_name_missed(card)} costs, in false alarms: --cost {break_even_cost} (as many as flagging "
        f"all and nobody cost the same) {consequence}."
    )
