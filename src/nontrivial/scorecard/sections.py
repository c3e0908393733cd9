"""What a result says, for the text and the page alike: sections of sentences and tables, each number written here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.numerals import is_decimal
from nontrivial.scorecard.compare import (
    Comparison,
    EqualRankings,
    Subgroups,
    cards_of,
    named_cards,
    parts_of,
)
from nontrivial.scorecard.estimates import LEVEL, Estimate
from nontrivial.scorecard.evaluate import CROSS_VALIDATED, Scorecard
from nontrivial.scorecard.verdicts import BETTER, CHANCE, QUESTIONS, QuestionVerdict
from nontrivial.terminal import count_of, cut, joined, listed


class Section(NamedTuple):
    """Sentences, a table and further sections under a title; `id` says what kind of section it is.

    The first cell of a row is its name. Only the last cells may hold sentences.
    """

    id: str
    title: str
    sentences: Sequence[str] = ()
    titles: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()
    parts: Sequence[Section] = ()


# Numbers and names.

INTERVAL = f"{LEVEL * 100:.0f} % interval"
LEAST_P = 0.0001  # as it is printed
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


def number(value: float, decimals: int = 4) -> str:
    """Some decimals; one decimal from a thousand, four significant digits from ten million; NaN as "undefined"."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < 1000:
        return f"{value:z.{decimals}f}"
    return f"{value:,.1f}" if abs(value) < 1e7 else f"{value:.4g}"


def count_text(count: float) -> str:
    """A count, or a sum of weights: whole from a hundred thousand on, else with six significant digits."""
    return f"{count:,.0f}" if count >= 1e5 else f"{count:,.6g}"


def percent(share: float) -> str:
    """A share in percent, with two significant digits below ten."""
    amount = 100 * share
    return f"{amount:.2g} %" if 0 < amount < 9.95 else f"{amount:.0f} %"


def ends(found: Any, trivial: float = math.nan) -> str:
    """A value with its interval, if it has one; an end that is not trivial does not round to what is."""
    value = number(found.value, 2)
    if not found.method or math.isnan(found.value):
        return value
    low, high = (
        number(end, 4 if end != trivial and number(end, 2) == number(trivial, 2) else 2)
        for end in (found.low, found.high)
    )
    return f"{value} ({low} to {high})"


def p_text(p_value: float) -> str:
    """A p-value, or that it is less than the least that is printed."""
    return f"p < {LEAST_P}" if p_value < LEAST_P else f"p = {p_value:.4f}"


# What was scored.


def heading(result: Any) -> list[str]:
    """What was scored, and from what columns."""
    result = result.whole if isinstance(result, Subgroups) else result
    card = cards_of(result)[0]
    columns = [f'truth "{cut(card.columns["truth"])}"']
    if card.positive is not None:
        assumed = " (assumed; --positive names another)" if card.positive_assumed else ""
        columns.append(f'positive "{cut(card.positive)}"{assumed}')
    if isinstance(result, Scorecard):
        read = [card.model, *(card.columns.get(what) for what in ("score", "confidence", "prediction"))]
        name = next(filter(None, read if not card.sha256 else read[:3]), "")  # predictions name no file
        names = [name, card.file] if card.sha256 or not name else [name]
        name = ", ".join(cut(each) for each in dict.fromkeys(names) if each)
        columns += [f'{what} "{cut(name)}"' for what, name in card.columns.items() if what != "truth"]
        return [f"{name}: {_cases(card)}", ", ".join(columns)]
    files = dict.fromkeys(cut(card.file) for card in result.cards)
    said = f"{len(result.cards)} models of {listed(files)}"
    if result.pairing:
        said += f", on the same {_cases(card)}"
        if len(files) > 1:
            said += f", matched by {result.pairing.replace('_', ' ')}"
    return [said, ", ".join(columns)]


def _cases(card: Scorecard) -> str:
    """The number of cases and of positives, and how they were drawn."""
    said = count_of(card.cases, "case")
    if card.positives is not None:
        said += f", {card.positives:,} {_positive(card)}"
        said += f" ({percent(card.positives / card.cases)})" if card.weight is None else ""
    elif card.confusion is not None:
        said += f", {len(card.classes)} classes"
    if card.groups is not None:
        said += f", in {card.groups:,} groups"
    return said if card.weight is None else f"{said}, with weights that sum to {count_text(card.weight)}"


def _positive(card: Scorecard) -> str:
    """The positive label where it can stand in a sentence, else the word positive."""
    label = card.positive or ""
    plain = label.lower() in ("true", "false", "yes", "no", "y", "n", "t", "f", "pos", "positive")
    return "positive" if plain or is_decimal(label) or len(label) > 30 else label


def assumed_words(card: Scorecard) -> str:
    """What intervals and tests assume, in a few words."""
    return f"{INTERVAL}s; independent {card.unit}s that were not used for fitting."


# The verdicts.

COMPARED = "difference from the first"


def verdict_sections(result: Any) -> list[Section]:
    """One model: a row for each question. Several: a section for each question; subgroups: for the one that decides."""
    if isinstance(result, Scorecard):
        rows = [
            [_asked(question, [result]), ANSWERS[each.verdict], _numbers(result, question, each)]
            for question, each in result.verdicts.items()
        ]
        return [Section("verdicts", "Verdicts", titles=("question", "answer", ""), rows=rows)]
    asked = [result.question] if isinstance(result, Subgroups) else QUESTIONS
    return list(_side_by_side(result, asked))


def _side_by_side(result: Any, questions: Sequence[str]) -> Iterator[Section]:
    """A section for each of the questions, with a row for each model and subgroup that answers it."""
    is_divided = isinstance(result, Subgroups)
    for question in questions:
        rows, cards, compared = [], [], ""
        for named in named_cards(result):
            card, part = named.card, named.comparison
            if question not in card.verdicts:
                continue
            each, name, sizes = card.verdicts[question], named.name, []
            if is_divided:
                sizes = [f"{size:,}" for size in (card.cases, card.positives) if size is not None]
            elif part is not None and part.unpaired:
                name += f" ({card.cases:,})"
            difference = _difference(card, each, part)
            compared = COMPARED if difference else compared
            more = f"no interval: {each.reason}" if each.reason else difference
            rows.append([name, *sizes, ANSWERS[each.verdict], _value(each), more])
            cards.append(card)
        if rows:
            title = f"{_asked(question, cards)}: {_measure(question, cards[0])}"
            kinds = ("subgroup", "cases", "positives")[: len(rows[0]) - 3] if is_divided else ("model",)
            yield Section(question, title, titles=(*kinds, "answer", "value", compared), rows=rows)


def lead_section(comparison: Comparison) -> Section | None:
    """Of each question the model with the greatest value, and the models that are shown to be worse."""
    rows = []
    tested = [lead for lead in comparison.leads.values() if not all(map(math.isnan, lead.p_values.values()))]
    for question, lead in comparison.leads.items():
        worse = joined(map(cut, lead.worse)) if lead.worse else "none is shown to be"
        if lead not in tested:
            worse = "not tested"
        rows.append([_asked(question, comparison.cards), cut(lead.model), worse])
    if not rows:
        return None
    pairs = len(tested) * math.comb(len(comparison.cards), 2)
    said = f"The best model, and those shown to be worse (Holm's correction for {count_of(pairs, 'comparison')}):"
    return Section("leads", "Best model", [said], ("question", "best", "worse"), rows)


def _asked(question: str, cards: Sequence[Scorecard]) -> str:
    """A question; that of labels with the threshold, if all have the same."""
    thresholds = {card.threshold for card in cards}
    if question != "labels" or len(thresholds) > 1 or None in thresholds:
        return question
    return f"labels at {cards[0].threshold:.3g}"


def _measure(question: str, card: Scorecard) -> str:
    """The measure behind the verdicts on a question."""
    loss = card.verdicts[question].loss
    if loss is None:
        return "AUC"
    return f"PA, where {_costs(card)}" if loss == "cost" else f"PA by {LOSSES[question][loss]}"


def _value(each: QuestionVerdict) -> str:
    return ends(each, 0 if each.loss else CHANCE)


def _difference(card: Scorecard, each: QuestionVerdict, comparison: Comparison | None) -> str:
    """The difference from the first model with its p-value; nothing for the first, or without an interval."""
    if comparison is None or each.reason:
        return ""
    for found in comparison.differences:
        if (found.model, found.measure, found.loss) == (card.model, each.measure, each.loss):
            drawn = found.test == "exchange_or_bootstrap" and found.p_value <= LEAST_DRAWN
            return f"{ends(found, 0)}, {f'p <= {LEAST_DRAWN}' if drawn else p_text(found.p_value)}"
    return ""


def _numbers(card: Scorecard, question: str, each: QuestionVerdict) -> str:
    """The numbers behind the verdict on one model."""
    said = f"{'PA' if each.loss else 'AUC'} {_value(each)}"
    if each.reason:
        return f"{said}; no interval: {each.reason}"
    if question == "ranking":
        several = each.measure.startswith("macro_")
        mean, prg = (", mean of one class against the rest", "macro_prg_auc") if several else ("", "prg_auc")
        return f"{said}{mean}; AUPRG {ends(card.areas[prg])}"
    if question == "labels":
        return f"{said}: {_errors(card)}" if card.cost is None else f"{said}, where {_costs(card)}"
    names = LOSSES[question]
    found = [f"{said} {names[each.loss or '']}"]
    for loss, row in card.losses.items():
        if loss == "cross_entropy" and math.isinf(row.loss):
            found.append("log loss is infinite: a probability of 0 was wrong")
        elif loss != each.loss:
            found.append(f"{ends(row.prediction_advantage, 0)} {names[loss]}")
    return "; ".join(found)


def _errors(card: Scorecard) -> str:
    """What the Prediction Advantage of labels compares."""
    error, trivial = card.error or 0.0, card.trivial_error or 0.0
    constant = f'always "{cut(card.constant, 24)}"'
    if card.weight is not None:
        return f"{percent(error)} wrong; {constant}: {percent(trivial)}"
    errors, of_constant = round(error * card.cases), round(trivial * card.cases)
    if errors == of_constant:
        return f"{count_of(errors, 'error')}, as many as {constant}"
    return f"{count_of(errors, 'error')}; {constant} makes {of_constant:,}"


def _missed(card: Scorecard) -> str:
    label = _positive(card)
    return "a missed positive" if label == "positive" else f'a missed "{label}"'


def _costs(card: Scorecard) -> str:
    return f"{_missed(card)} costs {count_of(card.cost or 0, 'false alarm')}"


def verdict_sentences(result: Any) -> list[str]:
    """What the verdicts mean: an endless interval, a useless threshold, the order of models, who is not compared."""
    whole = result.whole if isinstance(result, Subgroups) else result
    said = [*_endless(cards_of(result)), *_cost(cards_of(whole)), *_chosen_threshold(cards_of(whole))]
    if isinstance(result, Comparison):
        said += _order(result)
    if isinstance(result, Subgroups):
        said += [_equality(each) for each in result.rankings]
        if len(result.parts) > 1 and not result.rankings:
            said.append(
                "Subgroups have different baselines, so their Prediction Advantages are not compared."
            )
        for reason in dict.fromkeys(result.left_out.values()):
            names = [cut(name) for name, each in result.left_out.items() if each == reason]
            said.append(f"Not scored, each because {reason}: {listed(names)}.")
    return said


def _equality(found: EqualRankings) -> str:
    """Whether a model ranks equally well in all subgroups, by a test that a scorecard names."""
    of = f" of {cut(found.model)}" if found.model else ""
    if math.isnan(found.p_value):
        return f"The AUCs{of} in the subgroups are not compared, as each ranking is perfect, reversed or constant."
    differs = "is not" if found.p_value <= 1 - LEVEL else "may be"
    how = f"AUCs by Cochran's Q: {p_text(found.p_value)}"
    return f"The ranking{of} {differs} equally good in the {found.subgroups} subgroups that can be compared ({how})."


def _order(comparison: Comparison) -> list[str]:
    """Which model is the best, or why models are not compared."""
    names = [cut(card.model) for card in comparison.cards]
    if comparison.unpaired:
        how = f"differ in their {comparison.unpaired.replace('_', ' ')}"
        if comparison.unpaired == "divided":
            how = "hold different cases"
        if comparison.unpaired == "truth":
            how += " in the order of the rows, and no column that numbers the cases is named with --id"
        return [f"{joined(names)} {how}, so they are not compared."]
    if len(comparison.first) > 1:
        return [f"Equal by {comparison.question}: {listed(card.model for card in comparison.first)}."]
    if comparison.is_selected:
        return [
            f"{names[0]} is the best of {len(names)} models by {comparison.question}. On new cases, its lead tends to "
            "be smaller; its intervals and differences do not account for this choice."
        ]
    return []


def _endless(cards: Sequence[Scorecard]) -> list[str]:
    """Why an interval on the screen has no lower end."""
    asked = [(card, card.verdicts["probabilities"]) for card in cards if "probabilities" in card.verdicts]
    by_brier = [card.losses["cross_entropy"] for card, each in asked if each.loss == "squared"]
    if len(cards) > 1 and any(math.isinf(row.loss) for row in by_brier):
        return ["By Brier: a probability of 0 was wrong, and its log loss is infinite."]
    if any(row.prediction_advantage.low == -math.inf < row.prediction_advantage.value for row in by_brier):
        return ["By Brier: a probability of 0 or 1 may be wrong in another case, whose log loss is infinite."]
    endless = any(each.low == -math.inf for card in cards for each in card.verdicts.values())
    return ["-inf: the cases set no limit."] if endless else []


def _chosen_threshold(cards: Sequence[Scorecard]) -> list[str]:
    """Say how the best threshold was judged, or propose it if costs set one and probabilities are not calibrated."""
    best = [card for card in cards if card.is_threshold_best]
    if best:
        thresholds = [f"{card.threshold:.10g}" + f" for {cut(card.model)}" * (len(best) > 1) for card in best]
        verb = "costs" if len(best) == 1 else "cost"
        return [
            f"On all cases, {listed(thresholds, 8)} {verb} least as a threshold. Labels are judged by thresholds that "
            "were each chosen without the cases they are applied to."
        ]
    for card in cards:
        calibration = card.calibration
        if card.cost is None or card.threshold != 1 / (1 + card.cost) or calibration is None:
            continue
        slope, share = calibration.slope, card.measures["prevalence"]
        if not (slope.low <= 1 <= slope.high and share.low <= calibration.mean <= share.high):
            return [
                f"The probabilities are not calibrated, so 1 / (1 + {card.cost:,.10g}) need not be the best threshold; "
                "--threshold best chooses one on these cases."
            ]
    return []


def _cost(cards: Sequence[Scorecard]) -> list[str]:
    """A cost at which the trivial answers tie, where labels of a good ranking show nothing; of one model, also why."""
    needing = [card for card in cards if card.cost is None and card.table and _only_ranks(card)]
    if not needing:
        return []
    card = needing[0]
    positives, negatives = card.table["tp"] + card.table["fn"], card.table["fp"] + card.table["tn"]
    cost, flags = round(negatives / positives), ""
    if cost < 2:  # 0/1 loss, by which the labels are judged already, or less
        return []
    if len(cards) == 1 and card.weight is None and not card.is_threshold_best:
        flags = "These labels flag" if card.threshold is None else f"{card.threshold:.3g} flags"
        flags += f" {count_of(card.table['tp'] + card.table['fp'], 'case')}. "
    sets = "with --threshold best"
    if "probabilities" in card.verdicts and not card.is_threshold_best:
        sets = f"sets the threshold {1 / (1 + cost):.2g}"
    return [
        f"{flags}Say what {_missed(card)} costs, in false alarms: --cost {cost} (as many as flagging all and nobody "
        f"cost the same) {sets}."
    ]


def _only_ranks(card: Scorecard) -> bool:
    """Whether the ranking is better than trivial and the labels are not, though not for want of cases alone."""
    ranking, labels = card.verdicts.get("ranking"), card.verdicts["labels"]
    is_better = ranking is not None and ranking.verdict == BETTER
    return is_better and labels.verdict != BETTER and labels.value < 1


def notes_of(result: Any) -> list[str]:
    """The notes of all models, each once; a note names its models unless all have it."""
    cards = cards_of(result.whole if isinstance(result, Subgroups) else result)
    of: dict[str, list[str]] = {}
    for card in cards:
        for note in card.notes:
            of.setdefault(note, []).append(card.model)
    return [
        note if len(models) == len(cards) else f"For {listed(models)}: {note}" for note, models in of.items()
    ]


# The counts, and what the answers are worth in use.

FEWEST_RANKED = 50  # cases whose top tenth says something
COLUMN = 6  # the least width of a class in a table


def counts(card: Scorecard, width: int = 100) -> Section | None:
    """The table of counts, in lines of some width; of many classes the most frequent mistakes."""
    if card.table:
        most = max(min(width - 42, 24), 5)
        cells = {name: count_text(count) for name, count in card.table.items()}
        recall, precision = (f"{name} {ends(card.measures[name])}" for name in ("recall", "precision"))
        rows = [
            [cut(card.positive or "", most), cells["tp"], cells["fn"], recall],
            [cut(card.negative or "all others", most), cells["fp"], cells["tn"], precision],
        ]
        return Section("counts", "Counts", titles=("", "flagged", "not flagged", ""), rows=rows)
    if card.confusion is None:
        return None
    labels, counted = card.confusion["labels"], card.confusion["counts"]
    if counted and COLUMN * (len(labels) + 1) <= width:
        most = max(width // (len(labels) + 1) - 3, COLUMN - 2)
        names = [cut(label, most) for label in labels]
        rows = [
            [name, *(f"{count:,.10g}" for count in row)]
            for name, row in zip(names, counted, strict=False)  # labels only predicted have no row
        ]
        said = "True classes in rows, predicted classes in columns:"
        return Section("counts", "Counts", [said], ["", *names], rows)
    mistakes = [
        f"{each['cases']:,.10g} of {cut(each['truth'])!r} predicted as {cut(each['predicted'])!r}"
        for each in card.confusion["mistakes"][:3]
    ]
    return Section("counts", "Counts", [f"Most frequent mistakes: {', '.join(mistakes) or 'none'}."])


def _top(cases: int, of: int) -> str:
    """Name the cases with the highest scores, which equal scores may make more or fewer than a tenth."""
    is_tenth = abs(cases - of / 10) <= max(1, of / 200)
    return "top tenth" if is_tenth else f"top {percent(cases / of)}"


def in_use(card: Scorecard) -> Section | None:
    """What calibration, the top tenth and net benefit say, each with its name."""
    rows, found, top = [], card.calibration, card.top_tenth
    if found is not None:
        said = [f"predicted {percent(found.mean)}, {_positive(card)} {percent(found.share)}"]
        said.append(f"slope {ends(found.slope)}" if found.slope.method else f"no slope: {found.slope.reason}")
        if len(found.reliability) > 1 and card.cases >= FEWEST_RANKED:
            last = found.reliability[-1]
            name = _top(last["cases"], card.cases)
            name += ":" if name.endswith("%") else ""
            said.append(f"{name} {percent(last['mean'])} against {percent(last['share'])}")
        rows.append(["Calibration", "; ".join(said)])
    # If all scores are equal, nothing is at the top.
    if top is not None and card.positives is not None and FEWEST_RANKED <= card.cases > top["cases"]:
        holding = f"{count_of(top['cases'], 'case')} {'holds' if top['cases'] == 1 else 'hold'}"
        of = f"{top['positives']:,} of the {count_of(card.positives, 'positive')}"
        rows.append([_top(top["cases"], card.cases).capitalize(), f"{holding} {of}"])
    if found is not None:
        spans = [
            f"from {percent(low)} to {percent(high)}" if low < high else f"at {percent(low)}"
            for low, high in found.beneficial
        ]
        where = f'above "all" and "none" {listed(spans, 3)}' if spans else 'nowhere above "all" and "none"'
        rows.append(["Net benefit", f"{where} (without interval)"])
    return Section("use", "In use", titles=("", ""), rows=rows) if rows else None


# Every measure, and how it was found.

EXPLAINED = "tests"  # the id of sections that say how the others were found
AS_COUNTED = ("cases", "predicted", "threshold")  # fields whose numbers are not rounded
SAID = {  # below the titles of tables
    "Net benefit": "The net benefit of acting on the cases at or above a threshold: true positives minus false "
    "positives times the odds of the threshold, per case. Acting on nobody is worth 0.",
    "Classes": f"Each class against the rest; one-sided p <= {LEVEL_OF_TEST} is better than trivial.",
}
DIFFERENCES = (
    "Differences in areas, and in the Prediction Advantage under each loss. The p-values are two-sided and not "
    "corrected for the number of comparisons."
)
TESTS = {"probabilities": "paired_t", "ranking": "mann_whitney"}  # of other questions, the card names it
NAMED = ("method", "test", "assumes", "test_assumes")  # fields whose values the glossary explains


def detail_sections(result: Any) -> list[Section]:
    """Every measure and test of one model; or of several, or of subgroups, beside a section for each."""
    if isinstance(result, Scorecard):
        return _of_card(result)
    found: list[Section] = []
    if isinstance(result, Subgroups):
        found += _side_by_side(result, [question for question in QUESTIONS if question != result.question])
    for name, part in parts_of(result).items():
        if isinstance(part, Comparison):
            found += _of_models(part, f" ({name})" if name else "")
    for place, named in enumerate(named_cards(result), 1):
        card = named.card
        (verdicts,) = verdict_sections(card)
        answers = verdicts._replace(sentences=verdict_sentences(card))
        shown = [each for each in (answers, counts(card), in_use(card)) if each]
        found.append(Section(f"card-{place}", named.name, parts=[*shown, *_of_card(card)]))
    return found


def terms_of(result: Any) -> list[str]:
    """The names of the methods, tests and assumptions behind a result; the glossary has their meanings."""
    tests = [row[1] for card in cards_of(result) for row in _tested(card)]
    return list(dict.fromkeys([*tests, *_named(result.to_json())]))


def _named(plain: Any) -> Iterator[str]:
    """The methods, tests and assumptions that plain data names."""
    if isinstance(plain, list):
        plain = dict(enumerate(plain))
    if isinstance(plain, dict):
        for key, value in plain.items():
            if key in NAMED and value:
                yield value
            yield from _named(value)


def _section(title: str, rows: Sequence[Mapping[str, Any]], said: str = "") -> Section:
    """A section with a table of fields, whose names are its titles."""
    cells = [_cells(row) for row in rows]
    said = said or SAID.get(title, "")
    return Section(
        "table", title, [said] if said else (), list(cells[0]), [list(row.values()) for row in cells]
    )


def _cells(fields: Mapping[str, Any]) -> dict[str, str]:
    """The fields of a row as text; an estimate has its interval and method beside it, or why there is none."""
    found: dict[str, str] = {}
    for name, value in fields.items():
        if isinstance(value, Mapping):
            found |= _cells(value)
        elif isinstance(value, Estimate):
            found[name] = number(value.value)
            found[INTERVAL] = f"{number(value.low)} to {number(value.high)}" if value.method else "none"
            found["method"] = value.method or (f"no interval: {value.reason}" if value.reason else "none")
        elif isinstance(value, str):
            found[name] = value
        elif name in AS_COUNTED:
            found[name] = f"{value:,.10g}"
        else:
            found[name] = p_text(value) if name == "p_value" else number(value)
    return found


def _of_models(comparison: Comparison, name: str) -> list[Section]:
    """What models differ in, with a column for each model, and what each measure would pick."""
    columns = []
    for card in comparison.cards:
        errors = {} if card.error is None else {"error": card.error, "trivial_error": card.trivial_error}
        fields = {"cases": card.cases, **errors, "prediction_advantage": card.prediction_advantage.value}
        fields |= {area: each.value for area, each in card.areas.items()}
        columns.append(_cells(fields | {loss: row.loss for loss, row in card.losses.items()}))
    names = dict.fromkeys(measure for column in columns for measure in column)
    rows = [[measure, *(column.get(measure, "none") for column in columns)] for measure in names]
    titles = ["measure", *(card.model for card in comparison.cards)]
    found = [Section("models", f"Errors, areas and losses{name}", (), titles, rows)]
    if name and (leads := lead_section(comparison)):
        found.append(leads._replace(title=leads.title + name))
    for card in comparison.cards[1:]:
        differences = [
            {
                "measure": each.loss or each.measure,
                "value": Estimate(each.value, each.low, each.high, each.method),
                "p_value": each.p_value,
                "test": each.test,
            }
            for each in comparison.differences
            if each.model == card.model
        ]
        if differences:
            title = f"{card.model} minus {comparison.best.model}, on the same cases{name}"
            found.append(_section(title, differences, DIFFERENCES))
    picked: dict[str, list[str]] = {}
    for measure, models in comparison.picks.items():
        for model in models:
            picked.setdefault(model, []).append(measure)
    said = [f"{model} is picked by {', '.join(measures)}." for model, measures in picked.items()]
    return [*found, Section(EXPLAINED, f"Choice of the model{name}", said)] if said else found


def _of_card(card: Scorecard) -> list[Section]:
    """The tables of one model, and how they were found."""
    losses = [
        {
            "loss": loss,
            "mean": row.loss,
            "trivial": row.trivial,
            "prediction_advantage": row.prediction_advantage,
        }
        for loss, row in card.losses.items()
    ]
    reliability: list[dict[str, Any]] = []
    for row in card.calibration.reliability if card.calibration else ():
        share = Estimate(*(row[name] for name in ("share", "low", "high", "method")))
        means = {name: row[name] for name in ("cases", "least", "greatest", "mean")}
        reliability.append({**means, "share": share})
    tables = {
        "Measures": [{"measure": name, "value": each} for name, each in card.measures.items()],
        "Areas": [{"area": name, "value": each} for name, each in card.areas.items()],
        "Losses beside the best constant": losses,
        "Calibration": reliability,
        "Net benefit": card.calibration.net_benefit if card.calibration else (),
        "Classes": [vars(row) for row in card.classes],
        "Mistakes": card.confusion["mistakes"] if card.confusion else (),
    }
    return [*(_section(title, rows) for title, rows in tables.items() if rows), _tests(card)]


def _tested(card: Scorecard) -> list[list[str]]:
    """The questions that were tested, by which tests, and the p-values."""
    tests = {} if card.test == CROSS_VALIDATED else TESTS
    return [
        [question, tests.get(question, card.test), p_text(verdict.p_better), p_text(verdict.p_worse)]
        for question, verdict in card.verdicts.items()
        if not math.isnan(verdict.p_better)
    ]


def _tests(card: Scorecard) -> Section:
    """The tests of one model, the rule behind its labels, its columns and notes."""
    rows = _tested(card)
    said = [f"One-sided p <= {LEVEL_OF_TEST} is significant."]
    if card.cost is not None:
        said.append("Labels under costs are judged by their interval.")
    elif not rows:
        said = [f"There is no test: {card.prediction_advantage.reason}."]
    needed = None if card.cost is not None else card.cases_needed
    if needed is not None and card.error is not None and card.trivial_error is not None:
        side = "better" if card.error < card.trivial_error else "worse"
        said.append(f"At these error rates, about {needed:,} cases would be needed to show it is {side}.")
    if card.rule:
        other = "" if card.positive is None else "; --threshold sets another threshold"
        said.append(f"The predictions are made from the scores: {card.rule}{other}.")
    said.append(f"Columns: {', '.join(f'{what} from {name!r}' for what, name in card.columns.items())}.")
    said += [f"Note: {note}" for note in card.warnings]
    return Section(EXPLAINED, "Tests", said, ("question", "test", "p_better", "p_worse"), rows)
