"""The screens of one model, of several models and of subgroups."""

from __future__ import annotations

import math
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import Any

from nontrivial.numerals import is_decimal
from nontrivial.scorecard.answers import Pairing, Unpaired
from nontrivial.scorecard.calibration import Calibration, Confusion
from nontrivial.scorecard.compare import Comparison, Subgroups
from nontrivial.scorecard.evaluate import Scorecard
from nontrivial.scorecard.verdicts import BETTER, CHANCE, QUESTIONS, WORSE, QuestionVerdict, suggested_cost
from nontrivial.terminal import listed, shortened, visible

WIDTH, HEIGHT = 100, 24
FEWEST_RANKED = 50  # cases whose top tenth says something
MOST_COLUMNS = 6  # of a table of several classes
_WORDS = {BETTER: "YES", WORSE: "NO, WORSE"}
LOSSES = {
    "cross_entropy": "log loss",
    "squared": "squared loss",
    "absolute": "absolute loss",
    "pinball": "pinball loss",
    "zero_one": "0/1 loss",
}


def screen(card: Scorecard) -> list[str]:
    """The lines of the screen, at most `HEIGHT`: notes that have no room are counted."""
    lines = [*heading(card), "", "Better than trivial?", *verdict_lines(card), *cost_lines(card), ""]
    if card.table:
        lines += [*short_table(card), ""]
    elif card.confusion is not None and (matrix := confusion_lines(card.confusion, MOST_COLUMNS)):
        lines += [*matrix, ""]
    lines += [*use_lines(card)]
    if lines[-1]:
        lines.append("")
    foot = [*wrapped("95 % intervals; " + assumed_words(card)), *wrapped(MORE)]
    room = HEIGHT - len(lines) - len(foot)
    notes = [line for note in card.notes for line in wrapped(f"Note: {note}", indent="  ")]
    if len(notes) > room:
        shown: list[str] = []
        for place, note in enumerate(card.notes):
            more = wrapped(f"Note: {note}", indent="  ")
            if len(shown) + len(more) >= room:
                left = len(card.notes) - place
                shown.append(f"{left} {'more ' if place else ''}note{'s' * (left > 1)}: --explain")
                break
            shown += more
        notes = shown
    return [*lines, *notes, *foot]


TIE = "\x00"  # a blank at which no line ends; data cannot hold it, as control characters are escaped
MORE = "More: --all (every measure), --explain (tests, methods, assumptions), --output card.html"


def wrapped(text: str, indent: str = "") -> list[str]:
    """Break a sentence into lines of the terminal's width, at most `WIDTH`."""
    width = max(min(shutil.get_terminal_size((WIDTH, HEIGHT)).columns, WIDTH), 40)
    tied = re.sub(r"(?<=[0-9]) %|(?<=\[0), (?=1\])", lambda found: found[0].replace(" ", TIE), visible(text))
    lines = textwrap.wrap(tied, width, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(TIE, " ") for line in lines]


def heading(card: Scorecard) -> list[str]:
    """What was scored, and from what columns."""
    name = card.model or card.columns.get("score") or card.columns.get("confidence") or ""
    name = f"{name}, {card.name}" if name and name != card.name else card.name
    columns = [f'truth "{card.columns["truth"]}"']
    if card.positive is not None:
        columns.append(f'positive "{card.positive}"' + " (assumed; --positive names another)" * card.assumed)
    columns += [f'{what} "{name}"' for what, name in card.columns.items() if what != "truth"]
    return [*wrapped(f"{name}: {cases_words(card)}"), *wrapped(", ".join(columns), indent="  ")]


def cases_words(card: Scorecard) -> str:
    """The number of cases and of positives, and how they were drawn."""
    said = count_of(card.cases, "case")
    if card.positives is not None:
        said += f", {card.positives:,} {positive_word(card)} ({percent(card.positives / card.cases)})"
    elif card.confusion is not None:
        said += f", {len(card.classes)} classes"
    return said + design_words(card)


def positive_word(card: Scorecard) -> str:
    """The positive label where it can stand in a sentence, else the word positive."""
    label = card.positive or ""
    plain = label.lower() in ("true", "false", "yes", "no", "y", "n", "t", "f", "pos", "positive")
    return "positive" if plain or is_decimal(label) or len(label) > 30 else label


def verdict_lines(card: Scorecard) -> list[str]:
    """A line for each question that the answers answer."""
    lines = []
    labels: dict[str, str] = {name: name for name in QUESTIONS}
    if card.threshold is not None:
        labels["labels"] = f"labels at {short(card.threshold)}"
    width = max(15, len(labels["labels"]) + 1)
    for name, label in labels.items():
        if name in card.verdicts:
            each = card.verdicts[name]
            start = f"  {label:{width}} {word(each):14} "
            lines += wrapped(start + verdict_words(card, name, each), indent=" " * len(start))
    return lines


def word(verdict: QuestionVerdict) -> str:
    """The verdict as an answer."""
    return _WORDS.get(verdict.verdict, "INCONCLUSIVE")


def verdict_words(card: Scorecard, name: str, each: QuestionVerdict) -> str:
    """The numbers behind a verdict."""
    if each.reason:
        what = "PA" if each.loss else "AUC"
        return f"{what} {two(each.value)}; no interval: {each.reason}"
    if name == "probabilities":
        return (
            "PA "
            + "; ".join(
                f"{ends(row.advantage, 0)} {'Brier' if row.name == 'squared' else 'log loss'}"
                for row in sorted(card.losses, key=lambda row: row.name != each.loss)
                if math.isfinite(row.advantage.value)
            )
            + ("; log loss is infinite: a probability of 0 was wrong" if each.loss == "squared" else "")
        )
    if name == "ranking":
        prefix = "macro_" if each.measure.startswith("macro_") else ""
        said = f"AUC {ends(each, CHANCE)}"
        if prefix:
            said += ", mean of one class against the rest"
        return f"{said}; AUPRG {ends(card.areas[prefix + 'prg_auc'])}"
    if name == "labels":
        return labels_words(card, each)
    others = [row for row in card.losses if row.name != card.loss and math.isfinite(row.advantage.value)]
    said = f"PA {ends(each, 0)} {LOSSES[card.loss]}" + (", which is R2" if card.loss == "squared" else "")
    return "; ".join([said, *(f"{ends(row.advantage, 0)} {LOSSES[row.name]}" for row in others)])


def labels_words(card: Scorecard, each: QuestionVerdict) -> str:
    """The Prediction Advantage of labels, and what it compares."""
    if card.cost is not None:
        missed = "positive" if positive_word(card) == "positive" else f'"{card.positive}"'
        return f"PA {ends(each, 0)}, where a missed {missed} costs {false_alarms(card.cost)}"
    assert card.error is not None
    assert card.trivial_error is not None
    constant = f'always "{card.constant}"'
    if card.weight is not None:
        rates = f"{percent(card.error)} wrong; {constant}: {percent(card.trivial_error)}"
        return f"PA {ends(each, 0)}: {rates}"
    errors, trivial = round(card.error * card.cases), round(card.trivial_error * card.cases)
    if errors == trivial:
        return f"PA {ends(each, 0)}: {errors:,} errors, as many as {constant}"
    return f"PA {ends(each, 0)}: {errors:,} error{'s' * (errors != 1)}; {constant} makes {trivial:,}"


def cost_lines(card: Scorecard) -> list[str]:
    """Why labels of a good ranking may show nothing, and the ratio of costs at which the trivial answers tie."""
    labels, ranking = card.verdicts.get("labels"), card.verdicts.get("ranking")
    if card.cost is not None or labels is None or ranking is None or not card.table:
        return []
    if labels.verdict == BETTER or ranking.verdict != BETTER:
        return []
    positives, negatives = card.table["tp"] + card.table["fn"], card.table["fp"] + card.table["tn"]
    flagged, cost = card.table["tp"] + card.table["fp"], suggested_cost(positives, negatives)
    where = "These labels flag" if card.threshold is None else f"{short(card.threshold)} flags"
    amount = (
        (count_of(flagged, "case") if flagged else "no case")
        if card.weight is None
        else percent(flagged / (positives + negatives))
    )
    missed = "positive" if positive_word(card) == "positive" else f'"{card.positive}"'
    said = f"{where} {amount}. Say what a missed {missed} costs, in false alarms: --cost {cost} (as many as "
    said += "flagging all and flagging nobody cost the same)"
    sets = (
        f" sets the threshold {short(1 / (1 + cost))}."
        if "probabilities" in card.verdicts
        else " with --threshold."
    )
    return wrapped("  " + said + sets, indent="  ")


def short_table(card: Scorecard) -> list[str]:
    """The table of counts, with recall and precision beside it."""
    labels = [shortened(visible(label), 24) for label in table_labels(card)]
    width = max(map(len, labels)) + 2
    rows = ([card.table["tp"], card.table["fn"]], [card.table["fp"], card.table["tn"]])
    cells = [[f"{count:,.6g}" for count in row] for row in rows]
    wide = [
        max(len(title), *(len(row[at]) for row in cells))
        for at, title in enumerate(("flagged", "not flagged"))
    ]
    beside = [f"{name} {ends(card.measures[name])}" for name in ("recall", "precision")]
    lines = [f"  {'':{width}}{'flagged':>{wide[0]}}  {'not flagged':>{wide[1]}}"]
    for label, row, said in zip(labels, cells, beside, strict=True):
        lines.append(f"  {label:{width}}{row[0]:>{wide[0]}}  {row[1]:>{wide[1]}}   {said}")
    return lines


def use_lines(card: Scorecard) -> list[str]:
    """Calibration, the top tenth and the net benefit."""
    lines, found = [], card.calibration
    missed = positive_word(card)
    if found is not None:
        said = f"Calibration   predicted {percent(found.mean)}, {missed} {percent(found.share)}"
        slope = found.slope
        said += f"; slope {ends(slope)}" if slope.method else f"; no slope: {found.no_slope}"
        if len(found.reliability) > 1 and card.cases >= FEWEST_RANKED:
            top = found.reliability[-1]
            said += f"; top tenth {percent(top.mean)} against {percent(top.share)}"
        lines += wrapped(said, indent=" " * 14)
    ranks = card.top is not None and card.top.cases < card.cases  # equal scores have no top tenth
    if ranks and card.top is not None and card.positives is not None and card.cases >= FEWEST_RANKED:
        cases = count_of(card.top.cases, "case")
        hold = "holds" if card.top.cases == 1 else "hold"
        of = f"{card.top.positives:,} of the {count_of(card.positives, 'positive')}"
        if card.positives == 1:
            of = "the only positive" if card.top.positives else "no positive"
        lines.append(f"Top tenth     {cases} {hold} {of}")
    if found is not None:
        lines += wrapped(f"Net benefit   {benefit_words(found)} (without interval)", indent=" " * 14)
    return lines


def benefit_words(calibration: Calibration) -> str:
    """Where acting by the model is worth more than acting on all and on none."""
    spans = [
        f"from {percent(low)} to {percent(high)}" if low < high else f"at {percent(low)}"
        for low, high in calibration.beneficial
    ]
    return f'above "all" and "none" {listed(spans, 3)}' if spans else 'nowhere above "all" and "none"'


def assumed_words(card: Scorecard) -> str:
    """What intervals and tests assume, in a few words."""
    return f"independent {unit_word(card)}s that were not used for fitting."


def count_of(count: float, thing: str) -> str:
    """A number of things, in the singular for one."""
    return f"{count:,.10g} {thing}{'s' * (count != 1)}"


def false_alarms(cost: float) -> str:
    """What a missed positive costs."""
    return count_of(cost, "false alarm")


def two(value: float) -> str:
    """Two decimals; fewer for large numbers."""
    if math.isnan(value):
        return "0/0"
    return f"{value:z.2f}" if abs(value) < 100 else f"{value:,.4g}"


def short(value: float) -> str:
    """A threshold in two significant digits, or as it was given."""
    return f"{value:.2g}" if float(f"{value:.4g}") != value else f"{value:g}"


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


def percent(share: float) -> str:
    """A share in percent, with a decimal below ten."""
    amount = 100 * share
    return f"{f'{amount:.1f}'.removesuffix('.0') if 0 < amount < 9.95 else f'{amount:.0f}'} %"


MOST_CHARACTERS = 16  # of a label above a column
LEAST_P = 0.0001  # as it is printed


def unit_word(card: Scorecard) -> str:
    """The word for what was drawn."""
    return "case" if card.groups is None else "group"


def design_words(card: Scorecard) -> str:
    """The words about groups and weights that follow the number of cases."""
    said = "" if card.groups is None else f", in {card.groups:,} groups"
    return said if card.weight is None else f"{said}, with weights that sum to {card.weight:,.6g}"


def confusion_lines(confusion: Confusion, most: int) -> list[str]:
    """The table of counts of several classes, or the most frequent mistakes."""
    if not confusion.counts or len(confusion.labels) > most:
        found = [
            f"{each.cases:,.10g} of {each.truth!r} predicted as {each.predicted!r}"
            for each in confusion.mistakes
        ]
        return wrapped(f"Most frequent mistakes: {', '.join(found[:3])}.", indent="  ") if found else []
    labels = [shortened(visible(label), MOST_CHARACTERS) for label in confusion.labels]
    rows = [[f"{count:,.10g}" for count in row] for row in confusion.counts]
    width = max(map(len, labels))
    widths = [max(map(len, column)) for column in zip(labels, *rows, strict=True)]
    titles = "  ".join(f"{label:>{size}}" for label, size in zip(labels, widths, strict=True))
    return ["True classes in rows, predicted classes in columns:", f"{'':{width}}  {titles}"] + [
        f"{label:{width}}  " + "  ".join(f"{cell:>{size}}" for cell, size in zip(row, widths, strict=True))
        for label, row in zip(labels, rows, strict=False)  # labels that are only predicted have no row
    ]


def table_labels(card: Scorecard) -> tuple[str, str]:
    """The names of the two rows of the table of counts."""
    return card.positive or "", "all others" if card.negative is None else card.negative


_MATCHED: dict[Pairing, str] = {
    "case_numbers": "matched by their numbers",
    "order_of_rows": "matched by the order of the rows",
}
_UNPAIRED: dict[Unpaired, str] = {
    "divided": "hold different cases",
    "case_numbers": "have other case numbers, or repeat them in another order",
    "number_of_cases": "do not have the same number of cases",
    "truth": "have other true labels for the same cases",
    "weights": "have other weights for the same cases",
    "groups": "have other groups for the same cases",
}
_TITLES = {
    "probabilities": "probabilities: PA",
    "ranking": "ranking: AUC",
    "labels": "labels: PA",
    "numbers": "numbers: PA",
}


def subgroup_rows(subgroups: Subgroups) -> list[tuple[str, Scorecard, dict[str, str]]]:
    """The name, the card and the differences of each model in each subgroup."""
    rows = []
    for name, part in {"all": subgroups.whole, **subgroups.parts}.items():
        if isinstance(part, Comparison):
            rows += [(f"{name}, {card.model}", card, differences_of(part, card)) for card in part.cards]
        else:
            rows.append((f"{name} ({part.cases:,})", part, {}))
    return rows


def comparison_heading(comparison: Comparison) -> list[str]:
    """What was scored."""
    best, pairing = comparison.best, comparison.pairing
    files = dict.fromkeys(card.name for card in comparison.cards)
    said = f"{len(comparison.cards)} models of {listed(files)}"
    if pairing:
        said += f", on the same {cases_words(best)}" + (f", {_MATCHED[pairing]}" if len(files) > 1 else "")
    columns = f'truth "{best.columns["truth"]}"'
    if best.positive is not None:
        columns += f', positive "{best.positive}"' + " (assumed; --positive names another)" * best.assumed
    return [*wrapped(said), *wrapped(columns, indent="  ")]


def question_rows(rows: Sequence[tuple[str, Scorecard, dict[str, str]]], title: str = "") -> list[str]:
    """For each question, a row for each model or subgroup."""
    lines: list[str] = []
    for question in QUESTIONS:
        answering = [(name, card, more) for name, card, more in rows if question in card.verdicts]
        if not answering:
            continue
        loss = answering[0][1].verdicts[question].loss
        head = _TITLES[question]
        if question in ("probabilities", "numbers"):
            head += f" by {LOSSES[str(loss)]}"
        thresholds = {card.threshold for _, card, _ in answering}
        if question == "labels" and len(thresholds) == 1 and (threshold := thresholds.pop()) is not None:
            head = head.replace("labels", f"labels at {short(threshold)}")
        width = max(len(shortened(visible(name), 34)) for name, _, _ in answering)
        gap = " " * max(width + 42 - len(head), 2)
        has_differences = title and any(question in more for *_, more in answering)
        lines.append(f"  {head}{gap}{title}".rstrip() if has_differences else f"  {head}")
        for name, card, more in answering:
            each = card.verdicts[question]
            said = (
                f"{two(each.value)}, no interval: {each.reason}"
                if each.reason
                else ends(each, 0 if each.loss else CHANCE)
            )
            start = f"    {shortened(visible(name), 34):{width}}  {word(each):12}  "
            lines.append(f"{start}{said:24}{more.get(question, '')}".rstrip())
    return lines


def differences_of(comparison: Comparison, card: Scorecard) -> dict[str, str]:
    """The difference of a model from the first, by question."""
    found = {}
    for each in comparison.differences:
        for question, verdict in card.verdicts.items():
            if (each.model, each.measure, each.loss) == (card.model, verdict.measure, verdict.loss):
                p = f"p < {LEAST_P}" if each.p_value < LEAST_P else f"p = {each.p_value:.2g}"
                found[question] = f"{two(each.value)} ({two(each.low)} to {two(each.high)}), {p}"
    return found


def comparison_sentences(comparison: Comparison) -> list[str]:
    """What the order means, and why models are not compared."""
    names = [card.model for card in comparison.cards]
    lines = []
    if comparison.unpaired:
        lines += wrapped(f"{joined(names)} {_UNPAIRED[comparison.unpaired]}, so they are not compared.")
    elif len(comparison.first) > 1:
        lines += wrapped(
            f"Equal by {comparison.question}: {listed(card.model for card in comparison.first)}."
        )
    elif comparison.is_selected:
        lines += wrapped(
            f"{names[0]} is the best of {len(names)} models by {comparison.question}. On new cases, its lead tends "
            "to be smaller; intervals and p-values do not account for this choice."
        )
    return lines


def joined(names: Sequence[str]) -> str:
    """Join names as a sentence does."""
    if len(names) > 6:
        return listed(names, 5)
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def common_notes(comparison: Comparison, assumptions: bool = False) -> list[str]:
    """The notes of the cards, each once; a note names its models unless all have it."""
    of: dict[str, list[str]] = {}
    for card in comparison.cards:
        for note in card.warnings if assumptions else card.notes:
            of.setdefault(note, []).append(card.model)
    everybody = len(comparison.cards)
    return [
        text if len(models) == everybody else f"For {listed(models)}: {text}" for text, models in of.items()
    ]
