"""Scorecards as text: the screen, and under it what ``--all`` and ``--explain`` add."""

from __future__ import annotations

import math
from collections.abc import Sequence

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.scorecard.calibration import Calibration
from nontrivial.scorecard.compare import Comparison, Subgroups, Test
from nontrivial.scorecard.estimates import LEVEL, ROW_MEASURES, TESTS, Estimate, LossRow
from nontrivial.scorecard.evaluate import Scorecard
from nontrivial.scorecard.screen import (
    LEAST_P,
    LOSSES,
    MORE,
    assumed_words,
    common_notes,
    comparison_heading,
    comparison_sentences,
    differences_of,
    heading,
    joined,
    question_rows,
    screen,
    subgroup_rows,
    unit_word,
    wrapped,
)
from nontrivial.terminal import shortened, visible


def render_text(card: Scorecard, *, every: bool = False, explain: bool = False) -> str:
    """Write a scorecard for a terminal; control characters that come from the data are escaped."""
    lines = screen(card)
    if every:
        lines += ["", *every_measure(card)]
    if explain:
        lines += ["", *explanation(card)]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


INTERVAL = f"{LEVEL * 100:.0f} % interval"
ADVANTAGE = f"prediction_advantage ({INTERVAL})"
CLASS_AREAS = ("roc_auc", "prg_auc")
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


TESTS_OF_DIFFERENCES: dict[Test, str] = {
    "mcnemar": "McNemar's exact test",
    "exchange_or_bootstrap": "a permutation test or of the Bayesian bootstrap, whichever is greater",
    "paired_t": "Student's paired test",
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
        f"the Prediction Advantage by {LOSSES.get(each.loss, each.loss)}" if each.loss else "areas": each.test
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


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    shown = [[visible(cell) for cell in row] for row in (titles, *rows)]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    return [
        "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in shown
    ]
