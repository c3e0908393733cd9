"""Scorecards as text: the screen, and under it what ``--all`` and ``--explain`` add."""

from __future__ import annotations

import math
import re
import shutil
import textwrap
from collections.abc import Sequence
from typing import Any

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.numerals import is_decimal
from nontrivial.scorecard.answers import Pairing, Unpaired
from nontrivial.scorecard.compare import Comparison, Subgroups, Test
from nontrivial.scorecard.estimates import LEVEL, ROW_MEASURES, TESTS, Estimate, LossRow
from nontrivial.scorecard.evaluate import Calibration, Confusion, Scorecard
from nontrivial.scorecard.verdicts import BETTER, CHANCE, QUESTIONS, WORSE, QuestionVerdict, suggested_cost
from nontrivial.terminal import listed, shortened, visible

# The screen: what a reader asks first of one model.


WIDTH, HEIGHT = 100, 24
FEWEST_RANKED = 50  # cases whose top tenth says something
MOST_COLUMNS = 6  # of a table of several classes
_WORDS = {BETTER: "YES", WORSE: "NO, WORSE"}
_LOSSES = {
    "cross_entropy": "log loss",
    "squared": "squared loss",
    "absolute": "absolute loss",
    "pinball": "pinball loss",
    "zero_one": "0/1 loss",
}


def render_text(card: Scorecard, *, every: bool = False, explain: bool = False) -> str:
    """Write a scorecard for a terminal; control characters that come from the data are escaped."""
    lines = screen(card)
    if every:
        lines += ["", *every_measure(card)]
    if explain:
        lines += ["", *explanation(card)]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


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
    said = f"PA {ends(each, 0)} {_LOSSES[card.loss]}" + (", which is R2" if card.loss == "squared" else "")
    return "; ".join([said, *(f"{ends(row.advantage, 0)} {_LOSSES[row.name]}" for row in others)])


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


# What ``--all`` and ``--explain`` add.


INTERVAL = f"{LEVEL * 100:.0f} % interval"
ADVANTAGE = f"prediction_advantage ({INTERVAL})"
CLASS_AREAS = ("roc_auc", "prg_auc")
MOST_CHARACTERS = 16  # of a label above a column
LEAST_P = 0.0001  # as it is printed
METHODS = {
    "clopper_pearson": "Clopper-Pearson",
    "bootstrap": "Bayesian bootstrap",
    "fieller": "Fieller",
    "wald": "Wald",
    "": "",
}


def every_measure(card: Scorecard) -> list[str]:
    """Every measure, area and loss with its interval, calibration, net benefit, and each class."""
    lines: list[str] = []
    for title, estimates in (("measure", card.measures), ("area", card.areas)):
        if estimates:
            lines.append(f"{title:30}{'value':>10}   {INTERVAL}")
            lines += [f"{name:30}{number(each.value):>10}   {span(each)}" for name, each in estimates.items()]
            if "f_beta" in estimates:
                lines.append("(f_beta is F1: beta is 1.)")
            lines.append("")
    for block in (_loss_lines(card.losses), _calibration_lines(card.calibration), _class_lines(card)):
        if block:
            lines += [*block, ""]
    return lines[:-1]


def explanation(card: Scorecard) -> list[str]:
    """Every test, rule, method and assumption, and every note."""
    lines = [*detail_sentences(card), *(f"Note: {note}" for note in card.warnings)]
    if "ranking" in card.verdicts and not math.isnan((ranking := card.verdicts["ranking"]).p_better):
        p_values = f"{p_text(ranking.p_better)} for better and {p_text(ranking.p_worse)} for worse"
        lines.append(f"Mann-Whitney's test of the ranking: {p_values}.")
    reasons = card.undefined | card.no_interval
    lines += [f"{name}: no interval, because {reason}." for name, reason in reasons.items()]
    used = dict.fromkeys(
        METHODS[each.method] for each in (card.measures | card.areas).values() if each.method
    )
    used |= dict.fromkeys(METHODS[row.advantage.method] for row in card.losses if row.advantage.method)
    if used:
        lines.append(f"Methods of the intervals: {', '.join(used)}.")
    return [part for line in lines for part in wrapped(line, indent="  ")]


def other_threshold(card: Scorecard) -> str:
    """How to make other predictions from the scores of two classes."""
    return "" if card.positive is None else "; --threshold sets another threshold"


def unit_word(card: Scorecard) -> str:
    """The word for what was drawn."""
    return "case" if card.groups is None else "group"


def design_words(card: Scorecard) -> str:
    """The words about groups and weights that follow the number of cases."""
    said = "" if card.groups is None else f", in {card.groups:,} groups"
    return said if card.weight is None else f"{said}, with weights that sum to {card.weight:,.6g}"


def detail_sentences(card: Scorecard) -> list[str]:
    """The sentences about the errors, the test, the rule, the assumptions and the columns."""
    lines = []
    whole = "cases" if card.weight is None else "weight"
    if card.error is not None and card.trivial_error is not None:
        lines.append(
            f"The predictions are wrong for {card.error:.2%} of the {whole}; always predicting the most frequent class "
            f"is wrong for {card.trivial_error:.2%}."
        )
    lines.append(_rule(card))
    if card.rule:
        lines.append(f"The predictions are made from the scores: {card.rule}{other_threshold(card)}.")
    lines.append(assumptions_sentence(card, "the model"))
    lines.append(f"Columns: {', '.join(f'{what} from {name!r}' for what, name in card.columns.items())}.")
    return lines


def assumptions_sentence(card: Scorecard, fitted: str) -> str:
    """Say what intervals and tests assume."""
    said = f"Intervals and tests assume independent {unit_word(card)}s that were not used to fit {fitted}."
    if card.measures and not (card.weight is None and card.groups is None):
        heavier = f"heavier {unit_word(card)}s" if card.weight is not None else "larger groups"
        said = f"{said} They also assume that predictions for {heavier} are wrong as often as for the rest."
    if all(each.method != "bootstrap" for each in (card.measures | card.areas).values()):
        return said
    return (
        f"{said} The Bayesian bootstrap supposes one more {unit_word(card)} of each class, half of it predicted "
        "rightly and half wrongly."
    )


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


def _loss_lines(rows: tuple[LossRow, ...]) -> list[str]:
    """A table of losses beside those of the best constant."""
    if not rows:
        return []
    lines = [f"{'loss':14}{'mean':>10}{'of best constant':>18}   {ADVANTAGE}"]
    for row in rows:
        advantage = f"undefined{reason_clause(row.no_interval)}"
        if not math.isnan(row.advantage.value):
            interval = f"{span_by_method(row.advantage)}{reason_clause(row.no_interval)}"
            advantage = f"{number(row.advantage.value)} ({interval})"
        lines.append(f"{row.name:14}{number(row.loss):>10}{number(row.trivial):>18}   {advantage}")
    if any(row.name == "cross_entropy" for row in rows):
        lines.append("(squared is the Brier score, cross_entropy the log loss.)")
    return lines


def reason_clause(reason: str) -> str:
    """The end of a sentence that says why something is missing; empty without a reason."""
    return f", because {reason}" if reason else ""


def _calibration_lines(calibration: Calibration | None) -> list[str]:
    """Probabilities beside the shares of positives, and the decision curve."""
    if calibration is None:
        return []
    lines = [
        f"Calibration: the mean probability is {calibration.mean:.4f}, and the share of positives is "
        f"{calibration.share:.4f}.",
        f"{'probabilities':22}{'cases':>10}{'mean':>10}{'positive':>10}   {INTERVAL:22}method",
    ]
    for row in calibration.reliability:
        ends = f"{row.low:.4f} to {row.high:.4f}" if row.method else "none"
        how = METHODS[row.method] or "because cases have weights or groups"
        place = f"{row.least:.4f} to {row.greatest:.4f}"
        lines.append(f"{place:22}{row.cases:>10,}{row.mean:>10.4f}{row.share:>10.4f}   {ends:22}{how}")
    lines += ["", f"{'net benefit, threshold':22}{'by model':>10}{'on all':>10}{'on none':>10}"]
    return lines + [
        f"{row.threshold:<22g}{row.model:>10.4f}{row.everybody:>10.4f}{0:>10}"
        for row in calibration.net_benefit
    ]


def _rule(card: Scorecard) -> str:
    """Say how the verdict was found and how many cases would show more; or why there is no test."""
    if card.reason:
        return f"There is no test{reason_clause(card.reason)}."
    judgement = card.judgement
    needed = judgement.cases_needed
    more = ""
    if needed is not None and card.error is not None and card.trivial_error is not None:
        side = "better" if card.error < card.trivial_error else "worse"
        more = f". At these error rates, about {needed:,} cases would be needed to show it is {side}"
    if card.test == "bootstrap":
        more = ". A p-value is an upper bound where no draw has the other sign"
    return (
        f"{TESTS[card.test]}: {p_text(judgement.p_better)} for better and "
        f"{p_text(judgement.p_worse)} for worse; p <= {LEVEL_OF_TEST} is significant{more}."
    )


def _class_lines(card: Scorecard) -> list[str]:
    """A table of each class against the rest."""
    rows = card.classes
    if not rows:
        return []
    labels = [visible(row.label) for row in rows]
    width = max(len("class"), *map(len, labels))
    areas = [name for name in CLASS_AREAS if name in rows[0].areas]
    counted = "cases" if card.weight is None else "weight"
    titles = [counted, "predicted", *ROW_MEASURES, *areas]
    lines = [
        f"Each class against the rest (f_beta is F1; one-sided p <= {LEVEL_OF_TEST} is better than trivial):",
        f"{'class':{width}}" + "".join(f"{title:>12}" for title in titles) + f"   {ADVANTAGE}",
    ]
    for label, row in zip(labels, rows, strict=True):
        cells = [f"{row.cases:,.10g}", f"{row.predicted:,.10g}", *map(number, row.measures.values())]
        cells += [number(row.areas[name]) for name in areas]
        advantage = f"{number(row.advantage.value)} ({span_by_method(row.advantage)})"
        if row.advantage.method:
            advantage += f", {p_text(row.p_value)}"
        lines.append(f"{label:{width}}" + "".join(f"{cell:>12}" for cell in cells) + f"   {advantage}")
    return lines


def number(value: float) -> str:
    """Four decimals; one decimal from a thousand, four significant digits from ten million; NaN as "undefined"."""
    if math.isnan(value):
        return "undefined"
    if abs(value) < 1000:
        return f"{value:z.4f}"
    return f"{value:,.1f}" if abs(value) < 1e7 else f"{value:.4g}"


def span(estimate: Estimate) -> str:
    """An interval in words."""
    if math.isnan(estimate.value):
        return "undefined"
    return f"{number(estimate.low)} to {number(estimate.high)}" if estimate.method else "none"


def span_by_method(estimate: Estimate) -> str:
    """An interval in words, with its method if there is one."""
    return f"{span(estimate)}, {METHODS[estimate.method]}" if estimate.method else span(estimate)


def p_text(p_value: float) -> str:
    """A p-value in a sentence: p equal to a number, or less than 0.0001."""
    return f"p {p_number(p_value)}" if p_value < LEAST_P else f"p = {p_number(p_value)}"


def p_number(p_value: float) -> str:
    """A p-value in a table."""
    return f"< {LEAST_P}" if p_value < LEAST_P else f"{p_value:.4f}"


# Several models, and subgroups, as text.


TESTS_OF_DIFFERENCES: dict[Test, str] = {
    "mcnemar": "McNemar's exact test",
    "exchange_or_bootstrap": "a permutation test or of the Bayesian bootstrap, whichever is greater",
    "paired_t": "Student's paired test",
}
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


def render_comparison(comparison: Comparison, *, every: bool = False, explain: bool = False) -> str:
    """Write a comparison for a terminal."""
    first = comparison.best
    rows = [(card.model, card, differences_of(comparison, card)) for card in comparison.cards]
    lines = [*comparison_heading(comparison), "", "Better than trivial?"]
    lines += question_rows(
        rows, f"difference from {shortened(first.model, 24)}" if comparison.differences else ""
    )
    lines += ["", *comparison_sentences(comparison)]
    lines += [line for note in common_notes(comparison) for line in wrapped(f"Note: {note}", indent="  ")]
    lines += [*wrapped("95 % intervals; " + assumed_words(first)), *wrapped(MORE)]
    if every:
        lines += ["", *_table(*model_rows(comparison)), ""]
        if comparison.differences:
            lines += [
                f"Differences from {first.model}, on the same cases:",
                *_table(*difference_rows(comparison)),
            ]
        for card in comparison.cards:
            lines += ["", f"{card.model}:", *every_measure(card)]
    if explain:
        lines += ["", *wrapped(tests_sentence(comparison)), *_choices(comparison)]
        for card in comparison.cards:
            lines += ["", f"{card.model}:", *explanation(card)]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def render_subgroups(subgroups: Subgroups, *, every: bool = False, explain: bool = False) -> str:
    """Write the verdicts on all cases and on each subgroup for a terminal."""
    whole = subgroups.whole
    first = whole.best if isinstance(whole, Comparison) else whole
    lines = [*heading(first)] if whole is first else [*comparison_heading(whole)]
    title = f"difference from {shortened(first.model, 24)}" if isinstance(whole, Comparison) else ""
    lines += ["", "Better than trivial?", *question_rows(subgroup_rows(subgroups), title), ""]
    if len(subgroups.parts) > 1:
        lines += wrapped(f"{joined(list(subgroups.parts))} hold different cases, so they are not compared.")
    lines += [f"{name} is not scored: {reason}." for name, reason in subgroups.left_out.items()]
    notes = common_notes(whole) if isinstance(whole, Comparison) else list(whole.notes)
    lines += [line for note in notes for line in wrapped(f"Note: {note}", indent="  ")]
    lines += [*wrapped("95 % intervals; " + assumed_words(first)), *wrapped(MORE)]
    for name, part in {"all": whole, **subgroups.parts}.items() if every or explain else ():
        render = render_comparison if isinstance(part, Comparison) else render_text
        lines += ["", f"{name}:", "", *render(part, every=every, explain=explain).splitlines()]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


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
            head += f" by {_LOSSES[str(loss)]}"
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


def _choices(comparison: Comparison) -> list[str]:
    """Which measure would pick which model."""
    return [
        line
        for model, measures in picked_by(comparison).items()
        for line in wrapped(f"{model} is picked by {', '.join(measures)}.", indent="  ")
    ]


AREAS = ("roc_auc", "average_precision", "prg_auc", "macro_roc_auc", "macro_prg_auc")


def model_rows(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """Titles, and a row for each model."""
    losses = [row.name for row in comparison.best.losses]
    areas = [name for name in AREAS if name in comparison.best.areas]
    titles = ["model", "verdict", "cases", "error", "of best constant", "prediction_advantage", INTERVAL]
    if comparison.best.task == "regression":
        titles[3:5] = []
    return [*titles, *areas, *losses], [
        [
            card.model,
            card.judgement.verdict,
            f"{card.cases:,}",
            *_errors(card),
            number(card.advantage.value),
            span_by_method(card.advantage),
        ]
        + [number(card.areas[name].value) if name in card.areas else "none" for name in areas]
        + [_loss(card, name) for name in losses]
        for card in comparison.cards
    ]


def _errors(card: Scorecard) -> list[str]:
    if card.error is None or card.trivial_error is None:
        return []
    return [f"{card.error:.2%}", f"{card.trivial_error:.2%}"]


def _loss(card: Scorecard, name: str) -> str:
    return next((number(row.loss) for row in card.losses if row.name == name), "none")


def difference_rows(comparison: Comparison) -> tuple[list[str], list[list[str]]]:
    """Titles, and a row for each difference."""
    rows = [
        [
            each.model,
            each.measure if each.loss in (None, "zero_one") else f"{each.measure} ({each.loss})",
            number(each.value),
            f"{number(each.low)} to {number(each.high)}",
            p_number(each.p_value),
            METHODS[each.method],
        ]
        for each in comparison.differences
    ]
    return ["model", "measure", "difference", INTERVAL, "p-value", "interval by"], rows


def tests_sentence(comparison: Comparison) -> str:
    """Say which tests gave the p-values, and what the intervals assume; nothing without differences."""
    tests = {
        f"the Prediction Advantage by {_LOSSES.get(each.loss, each.loss)}"
        if each.loss
        else "areas": each.test
        for each in comparison.differences
    }
    if not tests:
        return ""
    case = unit_word(comparison.best)
    said = "; ".join(
        f"for {what} they are those of {TESTS_OF_DIFFERENCES[test]}" for what, test in tests.items()
    )
    if len(set(tests.values())) == 1:
        said = f"they are those of {TESTS_OF_DIFFERENCES[next(iter(tests.values()))]}"
    lines = [f"The p-values are two-sided and not corrected for the number of comparisons; {said}."]
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
    return " ".join(lines)


def picked_by(comparison: Comparison) -> dict[str, list[str]]:
    """For each model, the measures by which it is the best or one of the best."""
    found: dict[str, list[str]] = {card.model: [] for card in comparison.cards}
    for measure, models in comparison.picks.items():
        for model in models:
            found[model].append(measure)
    return {model: measures for model, measures in found.items() if measures}


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


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    shown = [[visible(cell) for cell in row] for row in (titles, *rows)]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    ]
