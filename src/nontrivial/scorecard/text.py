"""Scorecards, and comparisons of several models, as text."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.scorecard.answers import Pairing, Unpaired
from nontrivial.scorecard.compare import Comparison, Test
from nontrivial.scorecard.estimates import LEVEL, ROW_MEASURES, TESTS, Estimate, LossRow
from nontrivial.scorecard.estimates import TESTS as TESTS_OF_VERDICTS
from nontrivial.scorecard.evaluate import Calibration, Confusion, Scorecard
from nontrivial.scorecard.notes import loss_note
from nontrivial.terminal import listed, shortened, visible

# A scorecard as text.


INTERVAL = f"{LEVEL * 100:.0f} % interval"
ADVANTAGE = f"prediction_advantage ({INTERVAL})"
CLASS_AREAS = ("roc_auc", "prg_auc")
MOST_CHARACTERS = 16  # of a label above a column
LEAST_P = 0.0001  # as it is printed
METHODS = {
    "clopper_pearson": "Clopper-Pearson",
    "bootstrap": "Bayesian bootstrap",
    "fieller": "Fieller",
    "": "",
}


def render_text(card: Scorecard) -> str:
    """Write a scorecard for a terminal; control characters that come from the data are escaped."""
    lines = [*headline(card), ""]
    if card.table:
        lines += [*_table_lines(card), ""]
    if card.confusion is not None:
        lines += [*_confusion_lines(card.confusion), ""]
    lines += [*detail_sentences(card), *(f"Note: {warning}" for warning in card.warnings), ""]
    for title, estimates in (("measure", card.measures), ("area", card.areas)):
        if estimates:
            spans = [span(each) for each in estimates.values()]
            width = max(22, *(len(each) + 2 for each in spans))
            lines.append(f"{title:30}{'value':>10}   {INTERVAL:{width}}method")
            lines += [
                f"{name:30}{number(each.value):>10}   {ends:{width}}{method(card, name)}".rstrip()
                for (name, each), ends in zip(estimates.items(), spans, strict=True)
            ]
            if "f_beta" in estimates:
                lines.append("(f_beta is F1: beta is 1.)")
            lines.append("")
    for block in (_loss_lines(card.losses), _calibration_lines(card.calibration), _class_lines(card)):
        if block:
            lines += [*block, ""]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def headline(card: Scorecard) -> list[str]:
    """The sentences about the cases and the verdict."""
    loss = f" under {loss_of(card)}:" if card.task == "regression" else ""
    advantage = f"Prediction Advantage{loss} {number(card.advantage.value)}, {interval_sentence(card)}"
    return [cases_sentence(card), f"Verdict: {card.verdict} ({advantage})."]


def other_threshold(card: Scorecard) -> str:
    """How to make other predictions from the scores of two classes."""
    return "" if card.positive is None else "; --threshold sets another threshold"


def loss_of(card: Scorecard) -> str:
    """What the loss of numbers is called."""
    return f"{card.loss} loss" + ("" if card.quantile is None else f" of the {card.quantile:.10g}-quantile")


def interval_sentence(card: Scorecard) -> str:
    """The interval of the Prediction Advantage, or why there is none."""
    if card.reason:
        return f"no {INTERVAL}{reason_clause(card.reason)}"
    return f"{INTERVAL} {span(card.advantage)}"


def cases_sentence(card: Scorecard) -> str:
    """The sentence that says what the cases are."""
    said = f"{card.cases:,} cases"
    if card.positives is not None:
        said += f", {card.positives:,} of them positive ({card.positive}{', assumed' * card.assumed})"
    said += design_words(card)
    name = f"{card.name}, {card.model}" if card.model and card.model != card.name else card.name
    return f"{name}: {said}."


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
        f"{said} The Bayesian bootstrap supposes one more {unit_word(card)} of each class, predicted wrongly for the "
        "lower end and rightly for the upper."
    )


def _table_lines(card: Scorecard) -> list[str]:
    """The table of counts, with the labels."""
    labels = [visible(name) for name in table_labels(card)]
    true = [f"true {label}" for label in labels]
    guessed = [f"predicted {label}" for label in labels]
    width = max(map(len, true)) + 2
    cells = [[card.table["tp"], card.table["fn"]], [card.table["fp"], card.table["tn"]]]
    lines = [" " * width + "   ".join(guessed)]
    for name, row in zip(true, cells, strict=True):
        counts = (f"{count:>{len(title)},.10g}" for count, title in zip(row, guessed, strict=True))
        lines.append(f"{name:{width}}" + "   ".join(counts))
    return lines


def _confusion_lines(confusion: Confusion) -> list[str]:
    """The table of counts of several classes, or the most frequent mistakes."""
    if not confusion.counts:
        found = [
            f"{each.cases:,.10g} of {each.truth!r} predicted as {each.predicted!r}"
            for each in confusion.mistakes
        ]
        return [f"The most frequent mistakes: {', '.join(found)}."] if found else []
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


def method(card: Scorecard, name: str) -> str:
    """How the interval of a measure or an area was found, or why there is none; empty if the value is undefined."""
    estimate = (card.measures | card.areas)[name]
    reason = card.no_interval.get(name)
    return METHODS[estimate.method] or (f"because {reason}" if reason else "")


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
        more = f". About {needed:,} cases with exactly these rates would show that it is {side}"
    if card.test == "bootstrap":
        more = ". A p-value is an upper bound where no draw has the other sign"
    return (
        f"{TESTS[card.test]}: {p_text(judgement.p_better)} for better and "
        f"{p_text(judgement.p_worse)} for worse; a p of at most {LEVEL_OF_TEST} counts as shown{more}."
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
        f"Each class against the rest (f_beta is F1; a one-sided p of at most {LEVEL_OF_TEST} is better than trivial):",
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


# Several models as text.


AREAS = ("roc_auc", "average_precision", "prg_auc", "macro_roc_auc", "macro_prg_auc")
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
    "divided": "the column that divides the rows does not name models, so the cases may differ",
    "case_numbers": "their case numbers differ, or repeat in another order",
    "number_of_cases": "they do not have the same number of cases",
    "truth": "the true labels of matched cases differ",
    "weights": "the weights of matched cases differ",
    "groups": "the groups of matched cases differ",
}


def render_comparison(comparison: Comparison) -> str:
    """Write a comparison for a terminal."""
    # A comparison prints no intervals of losses, so it leaves out the notes on them.
    unseen = {note for card in comparison.cards for note in loss_note(card.losses)}
    lines = [
        *verdict_sentences(comparison),
        *(f"Note: {note}" for note in common_notes(comparison, unseen)),
        "",
    ]
    lines += [*_table(*model_rows(comparison)), ""]
    if comparison.differences:
        lines += [f"Differences from {comparison.best.model}, on the same cases:"]
        lines += [*_table(*difference_rows(comparison)), tests_sentence(comparison), ""]
    choices = [
        f"{model} is picked by: {', '.join(measures)}." for model, measures in picked_by(comparison).items()
    ]
    if choices:
        lines += [*choices, ""]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def verdict_sentences(comparison: Comparison) -> list[str]:
    """The sentences about the verdict of the comparison."""
    best, pairing = comparison.best, comparison.pairing
    files = dict.fromkeys(card.name for card in comparison.cards)
    lines = [
        f"{len(comparison.cards)} models of {listed(files)}"
        + (f", on the same {best.cases:,} cases{design_words(best)}" if pairing else "")
        + (f", {_MATCHED[pairing]}." if pairing and len(files) > 1 else "."),
        f"Verdict: {_of_first(comparison)}",
    ]
    if comparison.unpaired:
        lines.append(f"The models are not compared case by case: {_UNPAIRED[comparison.unpaired]}.")
    else:
        lines += _of_pairs(comparison)
    if comparison.is_selected:
        lines.append(
            f"{best.model} is the best of {len(comparison.cards)} models on these cases. On new cases, its lead tends "
            "to be smaller. The intervals and p-values do not account for this choice."
        )
    if rules := dict.fromkeys(card.rule for card in comparison.cards if card.rule):
        lines.append(f"Predictions are made from the scores: {'; '.join(rules)}{other_threshold(best)}.")
    if tests := dict.fromkeys(TESTS_OF_VERDICTS[card.test] for card in comparison.cards if not card.reason):
        lines.append(f"{'; '.join(tests)}: a p of at most {LEVEL_OF_TEST} counts as shown.")
    return [*lines, assumptions_sentence(best, "any model")]


def _of_pairs(comparison: Comparison) -> list[str]:
    """The sentences about the differences on the same cases."""
    best = comparison.best
    if not comparison.differences:
        return [
            f"There is no test of their differences{reason_clause(best.reason)}.",
            _picked_alike(comparison),
        ]
    lines = []
    first = {card.model for card in comparison.first}
    others = [
        each
        for each in comparison.differences
        if each.measure == "prediction_advantage" and each.model not in first
    ]
    close = [each.model for each in others if not each.p_value <= 1 - LEVEL]
    if close:
        tested = f"p > {1 - LEVEL:.2g}, each tested alone"
        lines.append(f"Not shown to have a smaller Prediction Advantage ({tested}): {listed(close)}.")
    elif others:
        who = "Each of the others" if len(others) > 1 else others[0].model
        lines.append(
            f"{who} is shown to have a smaller Prediction Advantage (p <= {1 - LEVEL:.2g}, tested alone)."
        )
    return [*lines, _picked_alike(comparison)]


def _picked_alike(comparison: Comparison) -> str:
    if all(len(models) == len(comparison.cards) for models in comparison.picks.values()):
        return "The models are equally good by all measures."
    if comparison.agree:
        return "All measures would pick the same model."
    return "The measures disagree about the best model; see below which model each measure picks."


def _of_first(comparison: Comparison) -> str:
    """The verdict on the best model, or on the models that tie for first place."""
    best, *equal = comparison.first
    kind = f"under {loss_of(best)} " if best.task == "regression" else ""
    if not equal:
        return (
            f"{best.model} has the greatest Prediction Advantage {kind}({number(best.advantage.value)}, "
            f"{interval_sentence(best)}), and is {best.verdict}."
        )
    of_verdict: dict[str, list[str]] = {}
    for card in comparison.first:
        of_verdict.setdefault(card.verdict, []).append(card.model)
    said = (f"{verdict}: {listed(models)}" for verdict, models in of_verdict.items())
    return (
        f"{len(comparison.first)} models tie for first place, with a Prediction Advantage {kind}of "
        f"{number(best.advantage.value)}; {'; '.join(said)}."
    )


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
            each.measure,
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
        "Prediction Advantages" if each.measure == "prediction_advantage" else "areas": each.test
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


def common_notes(comparison: Comparison, besides: Collection[str] = ()) -> list[str]:
    """The notes of the cards, each once and without those in `besides`; a note names its models unless all have it."""
    of: dict[str, list[str]] = {}
    for card in comparison.cards:
        for warning in (each for each in card.warnings if each not in besides):
            of.setdefault(warning, []).append(card.model)
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
