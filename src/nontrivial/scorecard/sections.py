"""What a result says, for the text and the page alike: sections of sentences and tables, each number written here."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.numerals import is_decimal
from nontrivial.scorecard.answers import Pairing, Unpaired
from nontrivial.scorecard.compare import Comparison, Subgroups, Test, cards_of, named_cards
from nontrivial.scorecard.estimates import LEVEL, ROW_MEASURES
from nontrivial.scorecard.evaluate import Scorecard
from nontrivial.scorecard.verdicts import BETTER, CHANCE, QUESTIONS, QuestionVerdict, suggested_cost
from nontrivial.terminal import count_of, cut, joined, listed

Table = tuple[list[str], list[list[str]]]  # titles, and rows; the first cell of a row is its name


class Section(NamedTuple):
    """Sentences, a table and further sections under a title; `id` tells it from the other sections of a card."""

    id: str
    title: str
    sentences: Sequence[str] = ()
    table: Table | None = None
    parts: Sequence[Section] = ()


# Numbers and names.

INTERVAL = f"{LEVEL * 100:.0f} % interval"
LEAST_P = 0.0001  # as it is printed
LEAST_DRAWN = 0.002  # of the 1,000 draws of a comparison, two-sided
METHODS = {
    "clopper_pearson": "Clopper-Pearson",
    "bootstrap": "Bayesian bootstrap",
    "fieller": "Fieller",
    "wald": "Wald",
}
LOSSES = {
    "cross_entropy": "log loss",
    "squared": "squared loss",
    "absolute": "absolute loss",
    "pinball": "pinball loss",
    "zero_one": "0/1 loss",
    "cost": "costs",
}
ANSWERS = {"better": "YES", "worse": "NO, WORSE", "inconclusive": "INCONCLUSIVE"}


def number(value: float) -> str:
    """Four decimals; one decimal from a thousand, four significant digits from ten million; NaN as "undefined"."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < 1000:
        return f"{value:z.4f}"
    return f"{value:,.1f}" if abs(value) < 1e7 else f"{value:.4g}"


def two(value: float) -> str:
    """Two decimals; fewer for large numbers."""
    if math.isnan(value):
        return "0/0"
    return f"{value:z.2f}" if abs(value) < 100 else f"{value:,.4g}"


def short(value: float) -> str:
    """A threshold in two significant digits, or as it was given."""
    return f"{value:.2g}" if float(f"{value:.4g}") != value else f"{value:g}"


def percent(share: float) -> str:
    """A share in percent, with two significant digits below ten."""
    amount = 100 * share
    return f"{f'{amount:.2g}' if 0 < amount < 9.95 else f'{amount:.0f}'} %"


def ends(found: Any, trivial: float = math.nan) -> str:
    """A value with its interval, if it has one; an end does not round to the trivial value that it excludes."""
    if math.isnan(found.value) or not found.method:
        return two(found.value)
    low, high = two(found.low), two(found.high)
    if found.low > trivial and low == two(trivial):
        low = f"{found.low:.4f}"
    if found.high < trivial and high == two(trivial):
        high = f"{found.high:z.4f}"
    return f"{two(found.value)} ({low} to {high})"


def interval(found: Any, reason: str = "") -> str:
    """An interval with its method, or why there is none."""
    if found.method:
        return f"{number(found.low)} to {number(found.high)}, {METHODS[found.method]}"
    return f"none: {reason}" if reason else "none"


def p_number(p_value: float) -> str:
    """A p-value in a table."""
    return f"< {LEAST_P}" if p_value < LEAST_P else f"{p_value:.4f}"


def p_text(p_value: float) -> str:
    """A p-value in a sentence: p equal to a number, or less than the least that is printed."""
    return f"p {p_number(p_value)}" if p_value < LEAST_P else f"p = {p_number(p_value)}"


# What was scored.

_MATCHED: dict[Pairing, str] = {
    "case_numbers": "matched by their numbers",
    "order_of_rows": "matched by the order of the rows",
}


def heading(result: Any) -> list[str]:
    """What was scored, and from what columns."""
    if isinstance(result, Subgroups):
        return heading(result.whole)
    card = result.best if isinstance(result, Comparison) else result
    columns = [f'truth "{cut(card.columns["truth"])}"']
    if card.positive is not None:
        assumed = " (assumed; --positive names another)" * card.assumed
        columns.append(f'positive "{cut(card.positive)}"{assumed}')
    if isinstance(result, Scorecard):
        name = card.model or card.columns.get("score") or card.columns.get("confidence") or ""
        name = f"{cut(name)}, {cut(card.name)}" if name and name != card.name else cut(card.name)
        columns += [f'{what} "{cut(name)}"' for what, name in card.columns.items() if what != "truth"]
        return [f"{name}: {_cases(card)}", ", ".join(columns)]
    files = dict.fromkeys(cut(card.name) for card in result.cards)
    said = f"{len(result.cards)} models of {listed(files)}"
    if result.pairing:
        matched = f", {_MATCHED[result.pairing]}" if len(files) > 1 else ""
        said += f", on the same {_cases(card)}{matched}"
    return [said, ", ".join(columns)]


def _cases(card: Scorecard) -> str:
    """The number of cases and of positives, and how they were drawn."""
    said = count_of(card.cases, "case")
    if card.positives is not None:
        said += f", {card.positives:,} {_positive(card)} ({percent(card.positives / card.cases)})"
    elif card.confusion is not None:
        said += f", {len(card.classes)} classes"
    if card.groups is not None:
        said += f", in {card.groups:,} groups"
    return said if card.weight is None else f"{said}, with weights that sum to {card.weight:,.6g}"


def _positive(card: Scorecard) -> str:
    """The positive label where it can stand in a sentence, else the word positive."""
    label = card.positive or ""
    plain = label.lower() in ("true", "false", "yes", "no", "y", "n", "t", "f", "pos", "positive")
    return "positive" if plain or is_decimal(label) or len(label) > 30 else label


def _missed(card: Scorecard) -> str:
    """What was missed, and what that costs if it was said."""
    label = _positive(card)
    said = "a missed " + (label if label == "positive" else f'"{label}"') + " costs"
    return said if card.cost is None else f"{said} {count_of(card.cost, 'false alarm')}"


def assumed_words(card: Scorecard) -> str:
    """What intervals and tests assume, in a few words."""
    return f"{INTERVAL}s; independent {card.unit}s that were not used for fitting."


# The verdicts.

COMPARED = "difference from the first"


def verdict_sections(result: Any) -> list[Section]:
    """One model: a row for each question. Several models or subgroups: a section for each question, a row for each."""
    if isinstance(result, Scorecard):
        asked = [(name, result.verdicts[name]) for name in QUESTIONS if name in result.verdicts]
        rows = [
            [_asked(name, [result]), ANSWERS[each.verdict], _numbers(result, name, each)]
            for name, each in asked
        ]
        return [Section("verdicts", "Verdicts", (), (["question", "answer", f"with {INTERVAL}s"], rows))]
    named, found = named_cards(result), []
    kind = "subgroup" if isinstance(result, Subgroups) else "model"
    for question in QUESTIONS:
        answering = [each for each in named if question in each[1].verdicts]
        rows = []
        for name, card, part in answering:
            counted = f" ({card.cases:,})" if part is not None and part.unpaired else ""
            rows.append([name + counted, *_row(card, card.verdicts[question], part)])
        if rows:
            compared = COMPARED if any(row[-1] and not row[-1].startswith("no") for row in rows) else ""
            cards = [card for _, card, _ in answering]
            title = f"{_asked(question, cards)}: {_measure(question, cards[0])}"
            found.append(Section(question, title, (), ([kind, "answer", "value", compared], rows)))
    return found


def _row(card: Scorecard, each: QuestionVerdict, comparison: Comparison | None) -> list[str]:
    """The answer, the value, and the difference from the first model or why there is no interval."""
    more = f"no interval: {each.reason}" if each.reason else ""
    for difference in () if more or comparison is None else comparison.differences:
        if (difference.model, difference.measure, difference.loss) == (card.model, each.measure, each.loss):
            said = f"{two(difference.value)} ({two(difference.low)} to {two(difference.high)})"
            drawn = difference.test == "exchange_or_bootstrap" and difference.p_value <= LEAST_DRAWN
            more = f"{said}, {f'p <= {LEAST_DRAWN}' if drawn else p_text(difference.p_value)}"
    return [ANSWERS[each.verdict], ends(each, 0 if each.loss else CHANCE), more]


def _asked(question: str, cards: Sequence[Scorecard]) -> str:
    """A question; that of labels with the threshold, if all have the same."""
    thresholds = {card.threshold for card in cards} if question == "labels" else set()
    threshold = thresholds.pop() if len(thresholds) == 1 else None
    return question if threshold is None else f"{question} at {short(threshold)}"


def _measure(question: str, card: Scorecard) -> str:
    """The measure behind the verdicts on a question."""
    loss = card.verdicts[question].loss
    if loss is None:
        return "AUC"
    if loss == "cost":
        return f"PA, where a missed positive costs {count_of(card.cost or 0, 'false alarm')}"
    return f"PA by {'Brier score' if (question, loss) == ('probabilities', 'squared') else LOSSES[loss]}"


def _numbers(card: Scorecard, question: str, each: QuestionVerdict) -> str:
    """The numbers behind a verdict."""
    if each.reason:
        return f"{'PA' if each.loss else 'AUC'} {two(each.value)}; no interval: {each.reason}"
    if question == "ranking":
        several = each.measure.startswith("macro_")
        mean, prg = (", mean of one class against the rest", "macro_prg_auc") if several else ("", "prg_auc")
        return f"AUC {ends(each, CHANCE)}{mean}; AUPRG {ends(card.areas[prg])}"
    if question == "labels":
        return f"PA {ends(each, 0)}{_errors(card)}"
    names = LOSSES | {"squared": "Brier" if question == "probabilities" else "squared loss, which is R2"}
    rows = sorted(card.losses, key=lambda row: row.name != each.loss)
    said = [
        f"{ends(row.advantage, 0)} {names[row.name]}" for row in rows if math.isfinite(row.advantage.value)
    ]
    if question == "probabilities" and any(math.isinf(row.loss) for row in card.losses):
        said.append("log loss is infinite: a probability of 0 was wrong")
    return "PA " + "; ".join(said)


def _errors(card: Scorecard) -> str:
    """What the Prediction Advantage of labels compares."""
    if card.cost is not None:
        return f", where {_missed(card)}"
    error, trivial = card.error or 0.0, card.trivial_error or 0.0
    constant = f'always "{cut(card.constant, 24)}"'
    if card.weight is not None:
        return f": {percent(error)} wrong; {constant}: {percent(trivial)}"
    errors, of_constant = round(error * card.cases), round(trivial * card.cases)
    if errors == of_constant:
        return f": {errors:,} errors, as many as {constant}"
    return f": {count_of(errors, 'error')}; {constant} makes {of_constant:,}"


_UNPAIRED: dict[Unpaired, str] = {
    "divided": "hold different cases",
    "case_numbers": "have other case numbers, or repeat them in another order",
    "number_of_cases": "do not have the same number of cases",
    "truth": "have other true labels for the same cases",
    "weights": "have other weights for the same cases",
    "groups": "have other groups for the same cases",
}


def verdict_sentences(result: Any) -> list[str]:
    """What the verdicts mean: an endless interval, a useless threshold, the order of models, who is not compared."""
    cards = [card for _, card, _ in named_cards(result)]
    said = [*_endless(cards)]
    if isinstance(result, Scorecard):
        return [*said, *_cost(result)]
    said += _shared_cost(result)
    if isinstance(result, Subgroups):
        if len(result.parts) > 1:
            said.append(f"{joined(map(cut, result.parts))} hold different cases, so they are not compared.")
        return said + [f"{cut(name)} is not scored: {reason}." for name, reason in result.left_out.items()]
    names = [cut(card.model) for card in result.cards]
    if result.unpaired:
        said.append(f"{joined(names)} {_UNPAIRED[result.unpaired]}, so they are not compared.")
    elif len(result.first) > 1:
        said.append(f"Equal by {result.question}: {listed(card.model for card in result.first)}.")
    elif result.is_selected:
        said.append(
            f"{names[0]} is the best of {len(names)} models by {result.question}. On new cases, its lead tends to be "
            "smaller; intervals and p-values do not account for this choice."
        )
    return said


def _endless(cards: Sequence[Scorecard]) -> list[str]:
    """Why an interval on the screen has no lower end."""
    of_log = [row for card in cards for row in card.losses if row.name == "cross_entropy"]
    if any(row.advantage.low == -math.inf < row.advantage.value for row in of_log):
        return ["By Brier: a probability of 0 or 1 may be wrong in another case, whose log loss is infinite."]
    endless = any(each.low == -math.inf for card in cards for each in card.verdicts.values())
    return ["-inf: the cases set no limit."] if endless else []


def _cost(card: Scorecard) -> list[str]:
    """Why labels of a good ranking may show nothing, and a cost for them."""
    if not _needs_cost(card):
        return []
    flagged = card.table["tp"] + card.table["fp"]
    where = "These labels flag" if card.threshold is None else f"{short(card.threshold)} flags"
    amount = count_of(flagged, "case") if flagged else "no case"
    if card.weight is not None:
        amount = percent(flagged / sum(card.table.values()))
    sets = "with --threshold."
    if "probabilities" in card.verdicts:
        sets = f"sets the threshold {short(1 / (1 + _tying_cost(card)))}."
    return [
        f"{where} {amount}. {_advice(card)} (as many as flagging all and flagging nobody cost the same) {sets}"
    ]


def _shared_cost(result: Any) -> list[str]:
    """A cost for the labels of models or of all subgroups, once."""
    whole = result.whole if isinstance(result, Subgroups) else result
    needing = [card for card in cards_of(whole) if _needs_cost(card)]
    return [f"{_advice(needing[0])}."] if needing else []


def _needs_cost(card: Scorecard) -> bool:
    """Whether labels of a good ranking show nothing, as no costs were named."""
    labels, ranking = card.verdicts.get("labels"), card.verdicts.get("ranking")
    if card.cost is not None or labels is None or ranking is None or not card.table:
        return False
    return labels.verdict != BETTER and ranking.verdict == BETTER


def _advice(card: Scorecard) -> str:
    """Ask for the ratio of costs."""
    return f"Say what {_missed(card)}, in false alarms: --cost {_tying_cost(card)}"


def _tying_cost(card: Scorecard) -> int:
    """The ratio of costs at which the trivial answers tie."""
    return suggested_cost(card.table["tp"] + card.table["fn"], card.table["fp"] + card.table["tn"])


def notes_of(result: Any) -> list[str]:
    """The notes of all models, each once; a note names its models unless all have it."""
    whole = result.whole if isinstance(result, Subgroups) else result
    if isinstance(whole, Scorecard):
        return list(whole.notes)
    of: dict[str, list[str]] = {}
    for card in whole.cards:
        for note in card.notes:
            of.setdefault(note, []).append(card.model)
    return [
        note if len(models) == len(whole.cards) else f"For {listed(models)}: {note}"
        for note, models in of.items()
    ]


# The counts, and what the answers are worth in use.

FEWEST_RANKED = 50  # cases whose top tenth says something
MOST_COLUMNS = 6  # of a table of several classes


def counts(card: Scorecard, width: int = 100) -> Section | None:
    """The table of counts, in lines of some width; of many classes the most frequent mistakes."""
    if card.table:
        labels = card.positive or "", "all others" if card.negative is None else card.negative
        beside = [(name, card.measures[name]) for name in ("recall", "precision")]
        rows, brief = [], width < 80
        for label, cells, (name, found) in zip(labels, (["tp", "fn"], ["fp", "tn"]), beside, strict=True):
            row = [
                cut(label, max(width - 42, 5) if brief else 24),
                *(f"{card.table[cell]:,.6g}" for cell in cells),
            ]
            rows.append([*row, f"{name} {two(found.value) if brief else ends(found)}"])
        return Section("counts", "Counts", (), (["", "flagged", "not flagged", ""], rows))
    if card.confusion is None:
        return None
    if card.confusion.counts and len(card.confusion.labels) <= MOST_COLUMNS:
        return Section(
            "counts", "Counts", ["True classes in rows, predicted classes in columns:"], _matrix(card, width)
        )
    mistakes = [
        f"{each.cases:,.10g} of {cut(each.truth)!r} predicted as {cut(each.predicted)!r}"
        for each in card.confusion.mistakes[:3]
    ]
    if not mistakes:
        return None
    return Section("counts", "Counts", [f"Most frequent mistakes: {', '.join(mistakes)}."])


def _matrix(card: Scorecard, width: int) -> Table:
    assert card.confusion is not None
    most = max(width // (len(card.confusion.labels) + 1) - 3, 4)
    labels = [cut(label, most) for label in card.confusion.labels]
    rows = zip(labels, card.confusion.counts, strict=False)  # labels that are only predicted have no row
    return ["", *labels], [[label, *(f"{count:,.10g}" for count in row)] for label, row in rows]


def _top(cases: int, of: int) -> str:
    """Name the cases with the highest scores, which equal scores may make more or fewer than a tenth."""
    is_tenth = abs(cases - of / 10) <= max(1, of / 200)
    return "top tenth" if is_tenth else f"top {percent(cases / of)}"


def in_use(card: Scorecard) -> Section | None:
    """What calibration, the top tenth and net benefit say, each with its name."""
    rows, found, top = [], card.calibration, card.top
    if found is not None:
        said = f"predicted {percent(found.mean)}, {_positive(card)} {percent(found.share)}; "
        said += f"slope {ends(found.slope)}" if found.slope.method else f"no slope: {found.no_slope}"
        if len(found.reliability) > 1 and card.cases >= FEWEST_RANKED:
            greatest = found.reliability[-1]
            name = _top(greatest.cases, card.cases)
            said += f"; {name}{':' * name.endswith('%')} {percent(greatest.mean)} against {percent(greatest.share)}"
        rows.append(["Calibration", said])
    if (
        top and card.positives is not None and FEWEST_RANKED <= card.cases > top.cases
    ):  # not if all scores are equal
        of = f"{top.positives:,} of the {count_of(card.positives, 'positive')}"
        if card.positives == 1:
            of = "the only positive" if top.positives else "no positive"
        rows.append(
            [
                _top(top.cases, card.cases).capitalize(),
                f"{count_of(top.cases, 'case')} {'holds' if top.cases == 1 else 'hold'} {of}",
            ]
        )
    if found is not None:
        spans = [
            f"from {percent(low)} to {percent(high)}" if low < high else f"at {percent(low)}"
            for low, high in found.beneficial
        ]
        where = (
            f'above "all" and "none" {listed(spans, 3)}{" ranges" * (len(spans) > 3)}'
            if spans
            else 'nowhere above "all" and "none"'
        )
        rows.append(["Net benefit", f"{where} (without interval)"])
    return Section("use", "In use", (), (["", ""], rows)) if rows else None


# Every measure, and how it was found.

TESTS = {
    "sign": "Exact sign tests against every constant guess",
    "bootstrap": "Bayesian bootstrap of the advantage over every constant guess, with weights or groups",
    "paired_t": "Student's paired test of the losses against those of the best constant",
}
TESTS_OF_DIFFERENCES: dict[Test, str] = {
    "mcnemar": "McNemar's exact test",
    "exchange_or_bootstrap": "a permutation test or of the Bayesian bootstrap, whichever is greater",
    "paired_t": "Student's paired test",
}
NO_RARE_LOSS = "assume that no rare case has a loss much greater than those seen"
EXPLAINED = "tests"  # the id of sections that say how the others were found


def detail_sections(result: Any) -> list[Section]:
    """Every measure and test of one model; or of several, or of subgroups, beside a section for each."""
    if isinstance(result, Scorecard):
        return _of_card(result)
    parts = {"all": result.whole, **result.parts} if isinstance(result, Subgroups) else {"": result}
    compared = {
        f" ({name})" if name else "": part for name, part in parts.items() if isinstance(part, Comparison)
    }
    found = [each for name, part in compared.items() for each in _of_models(part, name)]
    for place, (name, card, _) in enumerate(named_cards(result), 1):
        (verdicts,) = verdict_sections(card)
        answers = verdicts._replace(sentences=verdict_sentences(card))
        shown = [each for each in (answers, counts(card), in_use(card)) if each]
        found.append(Section(f"card-{place}", name, (), None, [*shown, *_of_card(card)]))
    return found


def _of_models(comparison: Comparison, name: str) -> list[Section]:
    found = [Section("models", f"Errors, areas and losses{name}", (), _models(comparison))]
    if comparison.differences:
        title = f"Differences from {comparison.best.model}, on the same cases{name}"
        found.append(Section("differences", title, (), _differences(comparison)))
    if said := [*_tests_of_differences(comparison), *_picked(comparison)]:
        found.append(Section(EXPLAINED, f"Tests of the differences{name}", said))
    return found


def _of_card(card: Scorecard) -> list[Section]:
    found, reasons = [], card.undefined | card.no_interval
    for kind, estimates in (("measure", card.measures), ("area", card.areas)):
        rows = []
        for name, each in estimates.items():
            rows.append([name, number(each.value), interval(each, reasons.get(name, ""))])
        said = ["f_beta is F1: beta is 1."] if "f_beta" in estimates else []
        found.append(Section(f"{kind}s", f"{kind}s".capitalize(), said, ([kind, "value", INTERVAL], rows)))
    names = "squared is the Brier score, cross_entropy the log loss."
    said = [names] if card.task == "classification" else []
    rows = []
    for row in card.losses:
        values = map(number, (row.loss, row.trivial, row.advantage.value))
        rows.append([row.name, *values, interval(row.advantage, row.no_interval)])
    titles = ["loss", "mean", "of best constant", "prediction_advantage", INTERVAL]
    found.append(Section("losses", "Losses beside the best constant", said, (titles, rows)))
    if card.calibration is not None:
        found += _calibration(card.calibration)
    if card.classes:
        found.append(_classes(card))
    if card.confusion is not None:
        table = _matrix(card, 200)
        if not table[1]:
            rows = [[each.truth, each.predicted, f"{each.cases:,.10g}"] for each in card.confusion.mistakes]
            table = ["true class", "predicted class", "cases" if card.weight is None else "weight"], rows
        found.append(Section("mistakes", "Mistakes", (), table))
    found.append(Section(EXPLAINED, "Tests and assumptions", _explanation(card)))
    return [each for each in found if each.table is None or each.table[1]]


def _calibration(found: Any) -> list[Section]:
    bins = []
    for row in found.reliability:
        ends_of, means = f"{row.least:.4f} to {row.greatest:.4f}", map(number, (row.mean, row.share))
        bins.append([ends_of, f"{row.cases:,}", *means, interval(row, "cases have weights or groups")])
    benefits = []
    for row in found.net_benefit:
        benefits.append([f"{row.threshold:g}", number(row.model), number(row.everybody), "0"])
    said = f"The mean probability is {found.mean:.4f}, and the share of positives is {found.share:.4f}."
    meaning = (
        "The net benefit of acting on the cases at or above a threshold: true positives minus false positives times "
        "the odds of the threshold, per case."
    )
    titles = ["probabilities", "cases", "mean", "positive", INTERVAL]
    of_benefits = ["threshold", "by model", "on all", "on none"]
    return [
        Section("calibration", "Calibration", [said], (titles, bins)),
        Section("net-benefit", "Net benefit", [meaning], (of_benefits, benefits)),
    ]


def _classes(card: Scorecard) -> Section:
    areas = [name for name in ("roc_auc", "prg_auc") if name in card.classes[0].areas]
    counted = "cases" if card.weight is None else "weight"
    titles = ["class", counted, "predicted", *ROW_MEASURES, *areas]
    titles += ["prediction_advantage", INTERVAL, "p-value"]
    rows = []
    for row in card.classes:
        values = [*row.measures.values(), *(row.areas[name] for name in areas), row.advantage.value]
        p_value = p_number(row.p_value) if row.advantage.method else "none"
        rows.append([row.label, f"{row.cases:,.10g}", f"{row.predicted:,.10g}", *map(number, values)])
        rows[-1] += [interval(row.advantage), p_value]
    rule = f"one-sided p <= {LEVEL_OF_TEST} is better than trivial"
    said = f"Each class against the rest (f_beta is F1); {rule}."
    return Section("classes", "Classes", [said], (titles, rows))


def _models(comparison: Comparison) -> Table:
    """A row for each model: its errors, areas and losses."""
    best = comparison.best
    areas = [name for name in best.areas if name.endswith(("roc_auc", "average_precision", "prg_auc"))]
    losses = [row.name for row in best.losses]
    rates = ["error", "of best constant"] if best.error is not None else []
    rows = []
    for card in comparison.cards:
        found = {name: each.value for name, each in card.areas.items()}
        found |= {row.name: row.loss for row in card.losses}
        errors = [f"{rate:.2%}" for rate in (card.error, card.trivial_error) if rate is not None]
        row = [card.model, f"{card.cases:,}", *errors, number(card.advantage.value), interval(card.advantage)]
        rows.append(row + [number(found[name]) if name in found else "none" for name in (*areas, *losses)])
    return ["model", "cases", *rates, "prediction_advantage", INTERVAL, *areas, *losses], rows


def _differences(comparison: Comparison) -> Table:
    """A row for each difference from the first model."""
    return ["model", "measure", "difference", "p-value", INTERVAL], [
        [
            each.model,
            each.measure if each.loss in (None, "zero_one") else f"{each.measure} ({each.loss})",
            number(each.value),
            p_number(each.p_value),
            interval(each),
        ]
        for each in comparison.differences
    ]


def _explanation(card: Scorecard) -> list[str]:
    """Sentences about the errors, the tests, the rules, the assumptions, what is missing, and every note."""
    lines = []
    if card.error is not None and card.trivial_error is not None:
        whole = "cases" if card.weight is None else "weight"
        lines.append(
            f"The predictions are wrong for {card.error:.2%} of the {whole}; always predicting the most frequent class "
            f"is wrong for {card.trivial_error:.2%}."
        )
    lines.append(_test(card))
    for question, test in (
        ("probabilities", "Student's paired test of the losses of probabilities"),
        ("ranking", "Mann-Whitney's test of the ranking"),
    ):
        each = card.verdicts.get(question)
        if each is not None and not math.isnan(each.p_better):
            lines.append(f"{test}: {p_text(each.p_better)} for better and {p_text(each.p_worse)} for worse.")
    if card.rule:
        other = "" if card.positive is None else "; --threshold sets another threshold"
        lines.append(f"The predictions are made from the scores: {card.rule}{other}.")
    lines += _assumptions(card)
    named: dict[str, list[str]] = {}
    for name, reason in card.undefined.items():
        named.setdefault(f"Undefined (0/0), because {reason}", []).append(name)
    for name, reason in card.no_interval.items():
        named.setdefault(f"No interval: {reason}", []).append(name)
    lines += [f"{reason}: {', '.join(names)}." for reason, names in named.items()]
    lines.append(f"Columns: {', '.join(f'{what} from {name!r}' for what, name in card.columns.items())}.")
    return [*lines, *(f"Note: {note}" for note in card.warnings)]


def _test(card: Scorecard) -> str:
    """Say how the verdict was found and how many cases would show more; or why there is no test."""
    if card.reason:
        return f"There is no test: {card.reason}."
    judgement, more = card.judgement, ""
    if judgement.cases_needed is not None and card.error is not None and card.trivial_error is not None:
        side = "better" if card.error < card.trivial_error else "worse"
        more = f". At these error rates, about {judgement.cases_needed:,} cases would be needed to show it is {side}"
    if card.test == "bootstrap":
        more = ". A p-value is an upper bound where no draw has the other sign"
    if {"better": card.advantage.low, "worse": card.advantage.high}.get(judgement.verdict) == 0:
        more += ". The interval of the Prediction Advantage ends at 0, which the test excludes"
    return (
        f"{TESTS[card.test]}: {p_text(judgement.p_better)} for better and "
        f"{p_text(judgement.p_worse)} for worse; p <= {LEVEL_OF_TEST} is significant{more}."
    )


def _assumptions(card: Scorecard) -> list[str]:
    """Say what intervals and tests assume."""
    unit = card.unit
    said = f"Intervals and tests assume independent {unit}s that were not used to fit the model."
    if card.measures and not (card.weight is None and card.groups is None):
        heavier = f"heavier {unit}s" if card.weight is not None else "larger groups"
        said += f" They also assume that predictions for {heavier} are wrong as often as for the rest."
    if any(each.method == "bootstrap" for each in (card.measures | card.areas).values()):
        said += f" The Bayesian bootstrap supposes one more {unit} of each class, half of it predicted rightly and "
        said += "half wrongly."
    losses = [row for row in card.losses if row.advantage.method]
    if not losses:
        return [said]
    if losses[0].assumes != "one_worst_case":
        more = f"Fieller's intervals and the test {NO_RARE_LOSS}. Each end of an interval supposes one more case like "
        return [said, f"{more}the one that moves it most."]
    endless = [row.name for row in losses if row.advantage.low == -math.inf]
    because = (
        f"For {endless[0]}, that is -inf, as a probability of 0 or 1 could be wrong. " if endless else ""
    )
    names = " and ".join(row.name for row in losses)
    return [
        said,
        f"The lower end of Fieller's interval ({names}) supposes one more case with the worst possible loss. {because}"
        f"Beyond that, Fieller's intervals {NO_RARE_LOSS}.",
    ]


def _tests_of_differences(comparison: Comparison) -> list[str]:
    """Say which tests gave the p-values, and what the intervals assume."""
    tests = {
        f"the Prediction Advantage by {LOSSES[each.loss]}" if each.loss else "areas": each.test
        for each in comparison.differences
    }
    if not tests:
        return []
    said = [f"for {what} they are those of {TESTS_OF_DIFFERENCES[test]}" for what, test in tests.items()]
    case = comparison.best.unit
    lines = [
        f"The p-values are two-sided and not corrected for the number of comparisons; {'; '.join(said)}."
    ]
    if "exchange_or_bootstrap" in tests.values():
        lines.append(
            f"The permutation test swaps the two models in each {case}. The bootstrap's p is an upper bound where no "
            "draw has the other sign."
        )
    if any(each.method == "bootstrap" for each in comparison.differences):
        lines.append(
            f"The intervals allow for one more {case} of each class about which only one of the models is right."
        )
    if any(each.test_assumes == "alike_mistakes" for each in comparison.differences):
        lines.append(
            f"A p-value may be too small, and an interval too narrow, if only one model is wrong about a few {case}s "
            "that matter most: by their weight, size or cost, or, in an area, by their rank at the wrong end."
        )
    return [" ".join(lines)]


def _picked(comparison: Comparison) -> list[str]:
    """Say which measures would pick which model."""
    found: dict[str, list[str]] = {}
    for measure, models in comparison.picks.items():
        for model in models:
            found.setdefault(model, []).append(measure)
    return [f"{model} is picked by {', '.join(measures)}." for model, measures in found.items()]
