"""The screens of one model, of several models and of subgroups."""

from __future__ import annotations

import math
import re
import shutil
import textwrap
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from nontrivial.numerals import is_decimal
from nontrivial.scorecard.answers import Pairing, Unpaired
from nontrivial.scorecard.calibration import Confusion
from nontrivial.scorecard.compare import Comparison, Subgroups
from nontrivial.scorecard.evaluate import Scorecard
from nontrivial.scorecard.verdicts import BETTER, CHANCE, QUESTIONS, WORSE, QuestionVerdict, suggested_cost
from nontrivial.terminal import listed, visible

# Where lines end and columns stand.

WIDTH, HEIGHT = 100, 24
NARROW = 80
MOST_CHARACTERS = 40  # of a name from the data
TIE = "\x00"  # a blank at which no line ends; data cannot hold it, as control characters are escaped
_TIED = re.compile(r"(?<=[0-9]) %|(?<=\[0), (?=1\])|\bp [=<]+ |(?<=[0-9]) to (?=-?[0-9.]+\))")
FILLER = "\x01"  # likewise, before a character that takes two columns


def screen_width() -> int:
    """The columns of the terminal, from 40 to `WIDTH`."""
    return max(min(shutil.get_terminal_size((WIDTH, HEIGHT)).columns, WIDTH), 40)


def columns_of(text: str) -> int:
    """How many columns a text takes: two for a wide character, none for a mark on another."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(each) else 1 + (unicodedata.east_asian_width(each) in "WF")
        for each in text
    )


def cut(name: str, most: int = MOST_CHARACTERS) -> str:
    """A name from the data, without its middle if it takes more than some columns; a short one without its end."""
    name = visible(name)
    if columns_of(name) <= most:
        return name
    start, end = (len(name) // 2,) * 2 if most > 16 else (len(name),) * 2
    while columns_of(name[:start] + name[end:]) > most - 3:
        start, end = (start - 1, end) if start > len(name) - end else (start, end + 1)
    return f"{name[:start]}...{name[end:]}"


def grid(rows: Sequence[Sequence[str]], sides: str, indent: str = "") -> list[str]:
    """Lines of columns, at the left (<) or the right (>) side; the last side is that of all others."""
    shown = [[visible(cell) for cell in row] for row in rows]
    sizes = [max(map(columns_of, column)) for column in zip(*shown, strict=True)]
    sides = sides.ljust(len(sizes), sides[-1])

    def padded(cell: str, size: int, side: str) -> str:
        blanks = " " * (size - columns_of(cell))
        return cell + blanks if side == "<" else blanks + cell

    return [(indent + "  ".join(map(padded, row, sizes, sides))).rstrip() for row in shown]


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """Break a sentence into lines of the terminal's width, at most `WIDTH`."""
    text = visible(text)
    tied = re.sub(_TIED, lambda found: found[0].replace(" ", TIE), text)
    spread = "".join(FILLER * (columns_of(each) == 2) + each for each in tied)
    columns = screen_width() - (FILLER in spread)  # a line may end after a filler
    lines = textwrap.wrap(spread, columns, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace(TIE, " ").replace(FILLER, "") for line in lines]


def paragraphs(sentences: Iterable[str], indent: str = "  ") -> list[str]:
    """The lines of sentences, each from a line of its own on."""
    return [line for sentence in sentences for line in wrapped(sentence, indent)]


# The screen of one model.

FEWEST_RANKED = 50  # cases whose top tenth says something
MOST_COLUMNS = 6  # of a table of several classes
MORE = "More: --all (every measure), --explain (tests, methods, assumptions), --output card.html"
_WORDS = {BETTER: "YES", WORSE: "NO, WORSE"}
LOSSES = {
    "cross_entropy": "log loss",
    "squared": "squared loss",
    "absolute": "absolute loss",
    "pinball": "pinball loss",
    "zero_one": "0/1 loss",
}


def screen(card: Scorecard) -> list[str]:
    """The lines of the screen, at most `HEIGHT`: what has no room is left to ``--all`` and ``--explain``."""
    for brevity in range(5):
        lines, foot = _body(card, brevity)
        room = HEIGHT - len(lines) - len(foot)
        notes = note_lines(card.notes)
        if len(notes) <= room or (brevity > 2 and room > 0):
            break
    for shown in range(len(card.notes) - 1, -1, -1):
        if len(notes) <= room:
            break
        left = len(card.notes) - shown
        more = f"{left} {'more ' if shown else ''}note{'s' * (left > 1)}: --explain"
        notes = [*note_lines(card.notes[:shown]), more]
    return [*lines, *notes, *foot]


def _body(card: Scorecard, brevity: int) -> tuple[list[str], list[str]]:
    """The lines above and below the notes; the briefer, the less of them."""
    counts = short_table(card, brevity > 1) if card.table else confusion_lines(card.confusion)
    use = use_rows(card)[: (None, None, None, 1, 0)[brevity]]
    blocks = [
        paragraphs(heading(card)),
        ["Better than trivial?", *verdict_lines(card, brevity > 1), *wrapped(f"  {cost_sentence(card)}")],
        counts,
        paragraphs([f"{name:14}{said}" for name, said in use], indent=" " * 14),
    ]
    gap = [""] if brevity < 1 else []
    lines = [line for block in blocks if block for line in (*block, *gap)]
    said = f"95 % intervals; {assumed_words(card)}"
    foot = [said, MORE] if brevity < 1 else [said, "More: --all, --explain, --output card.html"]
    return lines, paragraphs(foot, indent="")


def note_lines(notes: Sequence[str]) -> list[str]:
    """The notes, each from a line of its own on."""
    return paragraphs([f"Note: {note}" for note in notes])


def heading(card: Scorecard) -> list[str]:
    """What was scored, and from what columns."""
    name = card.model or card.columns.get("score") or card.columns.get("confidence") or ""
    name = f"{cut(name)}, {cut(card.name)}" if name and name != card.name else cut(card.name)
    columns = [f'truth "{cut(card.columns["truth"])}"', *positive_words(card)]
    columns += [f'{what} "{cut(name)}"' for what, name in card.columns.items() if what != "truth"]
    return [f"{name}: {cases_words(card)}", ", ".join(columns)]


def positive_words(card: Scorecard) -> list[str]:
    """Which label is positive, and whether that is assumed; nothing if none is."""
    if card.positive is None:
        return []
    return [f'positive "{cut(card.positive)}"' + " (assumed; --positive names another)" * card.assumed]


def cases_words(card: Scorecard) -> str:
    """The number of cases and of positives, and how they were drawn."""
    said = count_of(card.cases, "case")
    if card.positives is not None:
        said += f", {card.positives:,} {positive_word(card)} ({percent(card.positives / card.cases)})"
    elif card.confusion is not None:
        said += f", {len(card.classes)} classes"
    if card.groups is not None:
        said += f", in {card.groups:,} groups"
    return said if card.weight is None else f"{said}, with weights that sum to {card.weight:,.6g}"


def positive_word(card: Scorecard) -> str:
    """The positive label where it can stand in a sentence, else the word positive."""
    label = card.positive or ""
    plain = label.lower() in ("true", "false", "yes", "no", "y", "n", "t", "f", "pos", "positive")
    return "positive" if plain or is_decimal(label) or len(label) > 30 else label


def missed_word(card: Scorecard) -> str:
    """The positive label in quotation marks, where it can stand in a sentence."""
    found = positive_word(card)
    return found if found == "positive" else f'"{found}"'


def verdict_lines(card: Scorecard, brief: bool = False) -> list[str]:
    """A line or two for each question that the answers answer."""
    named = {question_name(name, [card]): name for name in QUESTIONS if name in card.verdicts}
    narrow = screen_width() < NARROW
    size = max(13 if narrow else 15, *map(len, named))
    lines = []
    for label, name in named.items():
        each = card.verdicts[name]
        start = f"  {label:{size}} {word(each):{12 if narrow else 14}} "
        said = verdict_words(card, name, each)
        said = said.partition(";")[0] if brief and not each.reason else said
        lines += wrapped(start + said, indent=" " * (4 if narrow else len(start)))
    return lines


def question_name(name: str, cards: Sequence[Scorecard]) -> str:
    """Name a question; that of labels with the threshold, if all have the same."""
    thresholds = {card.threshold for card in cards} if name == "labels" else set()
    threshold = thresholds.pop() if len(thresholds) == 1 else None
    return name if threshold is None else f"{name} at {short(threshold)}"


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
        return f"PA {ends(each, 0)}, where a missed {missed_word(card)} costs {false_alarms(card.cost)}"
    assert card.error is not None
    assert card.trivial_error is not None
    constant = f'always "{cut(card.constant, 24)}"'
    if card.weight is not None:
        rates = f"{percent(card.error)} wrong; {constant}: {percent(card.trivial_error)}"
        return f"PA {ends(each, 0)}: {rates}"
    errors, trivial = round(card.error * card.cases), round(card.trivial_error * card.cases)
    if errors == trivial:
        return f"PA {ends(each, 0)}: {errors:,} errors, as many as {constant}"
    return f"PA {ends(each, 0)}: {errors:,} error{'s' * (errors != 1)}; {constant} makes {trivial:,}"


def cost_sentence(card: Scorecard) -> str:
    """Why labels of a good ranking may show nothing, and the ratio of costs at which the trivial answers tie."""
    labels, ranking = card.verdicts.get("labels"), card.verdicts.get("ranking")
    if card.cost is not None or labels is None or ranking is None or not card.table:
        return ""
    if labels.verdict == BETTER or ranking.verdict != BETTER:
        return ""
    positives, negatives = card.table["tp"] + card.table["fn"], card.table["fp"] + card.table["tn"]
    flagged, cost = card.table["tp"] + card.table["fp"], suggested_cost(positives, negatives)
    where = "These labels flag" if card.threshold is None else f"{short(card.threshold)} flags"
    amount = (
        (count_of(flagged, "case") if flagged else "no case")
        if card.weight is None
        else percent(flagged / (positives + negatives))
    )
    said = f"{where} {amount}. Say what a missed {missed_word(card)} costs, in false alarms: --cost {cost} (as many as "
    said += "flagging all and flagging nobody cost the same)"
    sets = (
        f" sets the threshold {short(1 / (1 + cost))}."
        if "probabilities" in card.verdicts
        else " with --threshold."
    )
    return said + sets


def short_table(card: Scorecard, brief: bool = False) -> list[str]:
    """The table of counts, with recall and precision beside it."""
    names, room = table_labels(card), screen_width() - 26
    beside = [f" {name} {ends(card.measures[name])}" for name in ("recall", "precision")]
    if brief or room - max(map(len, beside)) < min(max(map(columns_of, names)), 12):
        beside = [f" {name} {two(card.measures[name].value)}" for name in ("recall", "precision")]
    most = min(max(room - max(map(len, beside)), 4), 24)
    rows = [["tp", "fn"], ["fp", "tn"]]
    return grid(
        [
            ["", "flagged", "not flagged", ""],
            *(
                [cut(label, most), *(f"{card.table[cell]:,.6g}" for cell in row), said]
                for label, row, said in zip(names, rows, beside, strict=True)
            ),
        ],
        "<>><",
        indent="  ",
    )


def use_rows(card: Scorecard) -> list[tuple[str, str]]:
    """What calibration, the top tenth and net benefit say, each with its name."""
    rows, found, top = [], card.calibration, card.top
    if found is not None:
        said = f"predicted {percent(found.mean)}, {positive_word(card)} {percent(found.share)}"
        slope = found.slope
        said += f"; slope {ends(slope)}" if slope.method else f"; no slope: {found.no_slope}"
        if len(found.reliability) > 1 and card.cases >= FEWEST_RANKED:
            greatest = found.reliability[-1]
            said += f"; top tenth {percent(greatest.mean)} against {percent(greatest.share)}"
        rows.append(("Calibration", said))
    # Equal scores have no top tenth.
    if top and card.positives is not None and FEWEST_RANKED <= card.cases > top.cases:
        of = f"{top.positives:,} of the {count_of(card.positives, 'positive')}"
        if card.positives == 1:
            of = "the only positive" if top.positives else "no positive"
        hold = "holds" if top.cases == 1 else "hold"
        rows.append(("Top tenth", f"{count_of(top.cases, 'case')} {hold} {of}"))
    if found is not None:
        spans = [
            f"from {percent(low)} to {percent(high)}" if low < high else f"at {percent(low)}"
            for low, high in found.beneficial
        ]
        where = f'above "all" and "none" {listed(spans, 3)}' if spans else 'nowhere above "all" and "none"'
        rows.append(("Net benefit", f"{where} (without interval)"))
    return rows


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


LEAST_P = 0.0001  # as it is printed


def unit_word(card: Scorecard) -> str:
    """The word for what was drawn."""
    return "case" if card.groups is None else "group"


def confusion_lines(confusion: Confusion | None) -> list[str]:
    """The table of counts of several classes, or the most frequent mistakes."""
    if confusion is None:
        return []
    if not confusion.counts or len(confusion.labels) > MOST_COLUMNS:
        found = [
            f"{each.cases:,.10g} of {cut(each.truth)!r} predicted as {cut(each.predicted)!r}"
            for each in confusion.mistakes
        ]
        return wrapped(f"Most frequent mistakes: {', '.join(found[:3])}.") if found else []
    most = screen_width() // (len(confusion.labels) + 1) - 2
    labels = [cut(label, most) for label in confusion.labels]
    # Labels that are only predicted have no row.
    rows = [[label, *(f"{count:,.10g}" for count in row)] for label, row in zip(labels, confusion.counts)]  # noqa: B905
    return [
        "True classes in rows, predicted classes in columns:",
        *grid([["", *labels], *rows], "<>"),
    ]


def table_labels(card: Scorecard) -> tuple[str, str]:
    """The names of the two rows of the table of counts."""
    return card.positive or "", "all others" if card.negative is None else card.negative


# The screens of several models and of subgroups.

Row = tuple[
    str, Scorecard, dict[str, str]
]  # a name, its card, and its differences from the first by question
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


def subgroup_rows(subgroups: Subgroups) -> list[Row]:
    """The name, the card and the differences of each model in each subgroup."""
    rows = []
    for name, part in {"all": subgroups.whole, **subgroups.parts}.items():
        if isinstance(part, Comparison):
            rows += [(f"{name}, {card.model}", card, differences_of(part, card)) for card in part.cards]
        else:
            rows.append((f"{name} ({part.cases:,})", part, {}))
    return rows


def comparison_screen(comparison: Comparison) -> list[str]:
    """The lines of the screen of several models."""
    rows = [(card.model, card, differences_of(comparison, card)) for card in comparison.cards]
    return _screen(comparison_heading(comparison), rows, comparison, comparison_sentences(comparison))


def subgroup_screen(subgroups: Subgroups) -> list[str]:
    """The lines of the screen of all cases and of each subgroup."""
    whole = subgroups.whole
    head = comparison_heading(whole) if isinstance(whole, Comparison) else heading(whole)
    return _screen(head, subgroup_rows(subgroups), whole, subgroup_sentences(subgroups))


def _screen(head: list[str], rows: Sequence[Row], whole: Any, sentences: Sequence[str]) -> list[str]:
    several = isinstance(whole, Comparison)
    first, notes = (whole.best, common_notes(whole)) if several else (whole, whole.notes)
    return [
        *paragraphs(head),
        "",
        *question_rows(rows),
        "",
        *paragraphs(sentences, indent=""),
        *note_lines(notes),
        *paragraphs([f"95 % intervals; {assumed_words(first)}", MORE], indent=""),
    ]


def comparison_heading(comparison: Comparison) -> list[str]:
    """What was scored."""
    best, pairing = comparison.best, comparison.pairing
    files = dict.fromkeys(cut(card.name) for card in comparison.cards)
    said = f"{len(comparison.cards)} models of {listed(files)}"
    if pairing:
        said += f", on the same {cases_words(best)}" + (f", {_MATCHED[pairing]}" if len(files) > 1 else "")
    columns = ", ".join([f'truth "{cut(best.columns["truth"])}"', *positive_words(best)])
    return [said, columns]


def question_rows(rows: Sequence[Row]) -> list[str]:
    """For each question, a row for each model or subgroup, with its difference from the first: beside it, or below."""
    asked = [
        (question, name, card.verdicts[question], more.get(question, ""))
        for question in QUESTIONS
        for name, card, more in rows
        if question in card.verdicts
    ]
    cells = [(word(each), ends(each, 0 if each.loss else CHANCE)) for _, _, each, _ in asked]
    room = screen_width() - 8 - sum(max(map(len, column)) for column in zip(*cells, strict=True))
    title = "difference from the first" if any(more for *_, more in asked) else ""
    beside = room - max(len(said) for said in (title, *(more for *_, more in asked))) - 2
    below = bool(title) and beside < 12
    names = [cut(name, min(room if below or not title else beside, 34)) for _, name, _, _ in asked]
    table = grid([(name, *more) for name, more in zip(names, cells, strict=True)], "<", indent="    ")
    at = max(map(columns_of, table)) + 2
    lines, last = ["Better than trivial?"], ""
    for line, (question, _, each, more) in zip(table, asked, strict=True):
        if question != last:
            head = f"  {measure_words(question, [card for _, card, _ in rows])}"
            lines.append(head if below else f"{head:{at - 2}}  {title}".rstrip())
            last = question
        if each.reason:
            lines += wrapped(f"{line}, no interval: {each.reason}", indent=" " * 8)
        elif more and below:
            lines += [line, *wrapped(f"      {title}: {more}", indent=" " * 8)]
        else:
            lines.append((line + " " * (at - columns_of(line)) + more).rstrip())
    return lines


def measure_words(question: str, cards: Sequence[Scorecard]) -> str:
    """A question, and the measure behind the verdicts on it."""
    card = next(card for card in cards if question in card.verdicts)
    loss = card.verdicts[question].loss
    said = f"PA by {LOSSES.get(loss or '', 'costs')}" if loss else "AUC"
    if card.cost is not None and loss == "cost":
        said = f"PA, where a missed positive costs {false_alarms(card.cost)}"
    if (question, loss) == ("probabilities", "squared"):
        said = "PA by Brier score"
    return f"{question_name(question, cards)}: {said}"


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
    names = [cut(card.model) for card in comparison.cards]
    if comparison.unpaired:
        return [f"{joined(names)} {_UNPAIRED[comparison.unpaired]}, so they are not compared."]
    if len(comparison.first) > 1:
        return [f"Equal by {comparison.question}: {listed(card.model for card in comparison.first)}."]
    if comparison.is_selected:
        return [
            f"{names[0]} is the best of {len(names)} models by {comparison.question}. On new cases, its lead tends "
            "to be smaller; intervals and p-values do not account for this choice."
        ]
    return []


def subgroup_sentences(subgroups: Subgroups) -> list[str]:
    """Why subgroups are not compared, and which are not scored."""
    said = [f"{cut(name)} is not scored: {reason}." for name, reason in subgroups.left_out.items()]
    if len(subgroups.parts) > 1:
        said.insert(
            0, f"{joined(list(map(cut, subgroups.parts)))} hold different cases, so they are not compared."
        )
    return said


def joined(names: Sequence[str]) -> str:
    """Join names as a sentence does."""
    if len(names) > 6:
        return listed(names, 5)
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def common_notes(comparison: Comparison) -> list[str]:
    """The notes of the cards, each once; a note names its models unless all have it."""
    of: dict[str, list[str]] = {}
    for card in comparison.cards:
        for note in card.notes:
            of.setdefault(note, []).append(card.model)
    everybody = len(comparison.cards)
    return [
        text if len(models) == everybody else f"For {listed(models)}: {text}" for text, models in of.items()
    ]
