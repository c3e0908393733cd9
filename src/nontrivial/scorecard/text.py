"""Scorecards as text: the screen, and under it what ``--all`` and ``--explain`` add."""

from __future__ import annotations

import math
from typing import Any

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.scorecard.calibration import Calibration
from nontrivial.scorecard.compare import Comparison, Subgroups, Test
from nontrivial.scorecard.estimates import LEVEL, ROW_MEASURES, TESTS, Estimate
from nontrivial.scorecard.evaluate import Scorecard
from nontrivial.scorecard.screen import (
    LEAST_P,
    LOSSES,
    comparison_screen,
    grid,
    paragraphs,
    screen,
    subgroup_screen,
    unit_word,
)
from nontrivial.terminal import visible

INTERVAL = f"{LEVEL * 100:.0f} % interval"
ADVANTAGE = f"prediction_advantage ({INTERVAL})"
METHODS = {
    "clopper_pearson": "Clopper-Pearson",
    "bootstrap": "Bayesian bootstrap",
    "fieller": "Fieller",
    "wald": "Wald",
    "": "",
}
TESTS_OF_DIFFERENCES: dict[Test, str] = {
    "mcnemar": "McNemar's exact test",
    "exchange_or_bootstrap": "a permutation test or of the Bayesian bootstrap, whichever is greater",
    "paired_t": "Student's paired test",
}
NO_RARE_LOSS = "assume that no rare case has a loss much greater than those seen"
Table = tuple[list[str], list[list[str]]]  # titles, and rows


def render_text(
    result: Scorecard | Comparison | Subgroups, *, every: bool = False, explain: bool = False
) -> str:
    """Write a result for a terminal; control characters that come from the data are escaped."""
    lines = _lines(result, every, explain)
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def _lines(result: Any, every: bool, explain: bool) -> list[str]:
    lines: list[str] = []
    if isinstance(result, Subgroups):
        parts = {"all": result.whole, **result.parts} if every or explain else {}
        for name, part in parts.items():
            lines += ["", f"{name}:", "", *_lines(part, every, explain)]
        return subgroup_screen(result) + lines
    if every and isinstance(result, Comparison):
        lines += ["", *_table(model_table(result)), ""]
        if result.differences:
            lines += [f"Differences from {result.best.model}, on the same cases:"]
            lines += _table(difference_table(result))
    if isinstance(result, Scorecard):
        lines += ["", *every_measure(result)] if every else []
        lines += ["", *paragraphs(explanation(result))] if explain else []
        return screen(result) + lines
    for card in result.cards if every else ():
        lines += ["", f"{card.model}:", *every_measure(card)]
    if explain:
        lines += ["", *paragraphs([tests_sentence(result), *_picked(result)])]
    for card in result.cards if explain else ():
        lines += ["", f"{card.model}:", *paragraphs(explanation(card))]
    return comparison_screen(result) + lines


def _table(table: Table, sides: str = "<") -> list[str]:
    titles, rows = table
    return grid([titles, *rows], sides)


# Every measure.


def every_measure(card: Scorecard) -> list[str]:
    """Every measure, area and loss with its interval, calibration, net benefit, and each class."""
    blocks = []
    for title, estimates in (("measure", card.measures), ("area", card.areas)):
        rows = [[name, number(each.value), f" {spanned(card, name)}"] for name, each in estimates.items()]
        beta = ["(f_beta is F1: beta is 1.)"] if "f_beta" in estimates else []
        blocks.append(_table(([title, "value", f" {INTERVAL}"], rows), "<><") + beta if rows else [])
    if card.losses:
        titles, rows = loss_table(card)
        chances = any(row.name == "cross_entropy" for row in card.losses)
        blocks.append(_table((["loss", *titles[1:]], rows), "<>><"))
        blocks[-1] += ["(squared is the Brier score, cross_entropy the log loss.)"] * chances
    if card.calibration is not None:
        shares = f"the mean probability is {card.calibration.mean:.4f}, and the share of positives is "
        blocks.append([f"Calibration: {shares}{card.calibration.share:.4f}."])
        blocks[-1] += _table(reliability_table(card.calibration), "<>>><")
        blocks.append(_table(benefit_table(card.calibration), "<>"))
    if card.classes:
        rule = f"one-sided p <= {LEVEL_OF_TEST} is better than trivial"
        blocks.append([f"Each class against the rest (f_beta is F1; {rule}):"])
        titles, rows = class_table(card)
        blocks[-1] += _table((titles, rows), "<" + ">" * (len(titles) - 2) + "<")
    return [line for block in blocks if block for line in (*block, "")][:-1]


def loss_table(card: Scorecard) -> Table:
    """The losses beside those of the best constant."""
    return ["loss", "mean", "of best constant", ADVANTAGE], [
        [row.name, number(row.loss), number(row.trivial), advantage_text(row.advantage, row.no_interval)]
        for row in card.losses
    ]


def reliability_table(calibration: Calibration) -> Table:
    """Probabilities beside the shares of positives."""
    none = "none: cases have weights or groups"
    return ["probabilities", "cases", "mean", "positive", INTERVAL], [
        [
            f"{row.least:.4f} to {row.greatest:.4f}",
            f"{row.cases:,}",
            f"{row.mean:.4f}",
            f"{row.share:.4f}",
            f"{row.low:.4f} to {row.high:.4f}, {METHODS[row.method]}" if row.method else none,
        ]
        for row in calibration.reliability
    ]


def benefit_table(calibration: Calibration) -> Table:
    """The decision curve."""
    return ["net benefit, threshold", "by model", "on all", "on none"], [
        [f"{row.threshold:g}", f"{row.model:.4f}", f"{row.everybody:.4f}", "0"]
        for row in calibration.net_benefit
    ]


def class_table(card: Scorecard) -> Table:
    """Each class against the rest."""
    areas = [name for name in ("roc_auc", "prg_auc") if name in card.classes[0].areas]
    counted = "cases" if card.weight is None else "weight"
    return ["class", counted, "predicted", *ROW_MEASURES, *areas, ADVANTAGE], [
        [
            row.label,
            f"{row.cases:,.10g}",
            f"{row.predicted:,.10g}",
            *map(number, row.measures.values()),
            *(number(row.areas[name]) for name in areas),
            advantage_text(row.advantage) + (f", {p_text(row.p_value)}" if row.advantage.method else ""),
        ]
        for row in card.classes
    ]


def model_table(comparison: Comparison) -> Table:
    """A row for each model: its errors, areas and losses."""
    best = comparison.best
    areas = [name for name in best.areas if name.endswith(("roc_auc", "average_precision", "prg_auc"))]
    losses = [row.name for row in best.losses]
    rates = ["error", "of best constant"] if best.error is not None else []
    titles = ["model", "cases", *rates, "prediction_advantage", INTERVAL, *areas, *losses]
    rows = []
    for card in comparison.cards:
        found = {name: each.value for name, each in card.areas.items()}
        found |= {row.name: row.loss for row in card.losses}
        of_errors = [f"{rate:.2%}" for rate in (card.error, card.trivial_error) if rate is not None]
        row = [card.model, f"{card.cases:,}", *of_errors, number(card.advantage.value)]
        rest = [number(found[name]) if name in found else "none" for name in (*areas, *losses)]
        rows.append([*row, span_by_method(card.advantage), *rest])
    return titles, rows


def difference_table(comparison: Comparison) -> Table:
    """A row for each difference from the first model."""
    return ["model", "measure", "difference", INTERVAL, "p-value", "interval by"], [
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


# Every test, rule, method and assumption.


def explanation(card: Scorecard) -> list[str]:
    """Sentences about the errors, the tests, the rules, the assumptions, what is missing, and every note."""
    lines = []
    if card.error is not None and card.trivial_error is not None:
        whole = "cases" if card.weight is None else "weight"
        lines.append(
            f"The predictions are wrong for {card.error:.2%} of the {whole}; always predicting the most frequent class "
            f"is wrong for {card.trivial_error:.2%}."
        )
    lines.append(_test(card))
    tests = {
        "probabilities": "Student's paired test of the losses of probabilities",
        "ranking": "Mann-Whitney's test of the ranking",
    }
    for question, test in tests.items():
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
    estimates = [*card.measures.values(), *card.areas.values(), *(row.advantage for row in card.losses)]
    if used := dict.fromkeys(METHODS[each.method] for each in estimates if each.method):
        lines.append(f"Methods of the intervals: {', '.join(used)}.")
    lines.append(f"Columns: {', '.join(f'{what} from {name!r}' for what, name in card.columns.items())}.")
    return [*lines, *(f"Note: {note}" for note in card.warnings)]


def _test(card: Scorecard) -> str:
    """Say how the verdict was found and how many cases would show more; or why there is no test."""
    if card.reason:
        return f"There is no test: {card.reason}."
    judgement = card.judgement
    more = ""
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
    unit = unit_word(card)
    said = f"Intervals and tests assume independent {unit}s that were not used to fit the model."
    if card.measures and not (card.weight is None and card.groups is None):
        heavier = f"heavier {unit}s" if card.weight is not None else "larger groups"
        said += f" They also assume that predictions for {heavier} are wrong as often as for the rest."
    if any(each.method == "bootstrap" for each in (card.measures | card.areas).values()):
        said += f" The Bayesian bootstrap supposes one more {unit} of each class, half of it predicted rightly and "
        said += "half wrongly."
    lines = [said]
    losses = [row for row in card.losses if row.advantage.method]
    if losses and losses[0].assumes == "one_worst_case":
        endless = [row.name for row in losses if row.advantage.low == -math.inf]
        because = (
            f"For {endless[0]}, that is -inf, as a probability of 0 or 1 could be wrong. " if endless else ""
        )
        lines.append(
            f"The lower end of Fieller's interval ({' and '.join(row.name for row in losses)}) supposes one more case "
            f"with the worst possible loss. {because}Beyond that, Fieller's intervals {NO_RARE_LOSS}."
        )
    elif losses:
        lines.append(
            f"Fieller's intervals and the test {NO_RARE_LOSS}. Each end of an interval supposes one more case like "
            "the one that moves it most."
        )
    return lines


def tests_sentence(comparison: Comparison) -> str:
    """Say which tests gave the p-values, and what the intervals assume; nothing without differences."""
    tests = {
        f"the Prediction Advantage by {LOSSES.get(each.loss, each.loss)}" if each.loss else "areas": each.test
        for each in comparison.differences
    }
    if not tests:
        return ""
    case = unit_word(comparison.best)
    whom = [f"for {what} " for what in tests] if len(set(tests.values())) > 1 else [""]
    said = [f"{of}they are those of {TESTS_OF_DIFFERENCES[test]}" for of, test in zip(whom, tests.values())]  # noqa: B905
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
    return " ".join(lines)


def _picked(comparison: Comparison) -> list[str]:
    """Say which measures would pick which model."""
    found: dict[str, list[str]] = {}
    for measure, models in comparison.picks.items():
        for model in models:
            found.setdefault(model, []).append(measure)
    return [f"{model} is picked by {', '.join(measures)}." for model, measures in found.items()]


# Numbers.


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


def spanned(card: Scorecard, name: str) -> str:
    """The interval of a measure or an area, or why there is none."""
    reason = card.no_interval.get(name)
    return f"no interval: {reason}" if reason else span((card.measures | card.areas)[name])


def span_by_method(estimate: Estimate) -> str:
    """An interval in words, with its method if there is one."""
    return f"{span(estimate)}, {METHODS[estimate.method]}" if estimate.method else span(estimate)


def advantage_text(estimate: Estimate, reason: str = "") -> str:
    """A value with its interval and its method, or why it has none."""
    because = f", because {reason}" if reason else ""
    if math.isnan(estimate.value):
        return f"undefined{because}"
    return f"{number(estimate.value)} ({span_by_method(estimate)}{because})"


def p_text(p_value: float) -> str:
    """A p-value in a sentence: p equal to a number, or less than 0.0001."""
    return f"p {p_number(p_value)}" if p_value < LEAST_P else f"p = {p_number(p_value)}"


def p_number(p_value: float) -> str:
    """A p-value in a table."""
    return f"< {LEAST_P}" if p_value < LEAST_P else f"{p_value:.4f}"
