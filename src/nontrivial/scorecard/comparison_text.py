"""Several models as text."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.comparison import Comparison, Test
from nontrivial.scorecard.estimates import LEVEL
from nontrivial.scorecard.notes import loss_note
from nontrivial.scorecard.split import Pairing, Unpaired
from nontrivial.scorecard.text import (
    INTERVAL,
    METHODS,
    another,
    assumed,
    because,
    design,
    ends,
    loss_of,
    number,
    p_number,
    span_by_method,
    unit,
)
from nontrivial.scorecard.verdicts import TESTS as TESTS_OF_VERDICTS
from nontrivial.terminal import listed, visible

AREAS = ("roc_auc", "average_precision", "prg_auc", "macro_roc_auc", "macro_prg_auc")
TESTS: dict[Test, str] = {
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
    lines = [*sentences(comparison), *(f"Note: {note}" for note in notes(comparison, unseen)), ""]
    lines += [*_table(*model_rows(comparison)), ""]
    if comparison.differences:
        lines += [f"Differences from {comparison.best.model}, on the same cases:"]
        lines += [*_table(*difference_rows(comparison)), said_of_differences(comparison), ""]
    choices = [
        f"{model} is picked by: {', '.join(measures)}." for model, measures in picked(comparison).items()
    ]
    if choices:
        lines += [*choices, ""]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def sentences(comparison: Comparison) -> list[str]:
    """The sentences about the verdict of the comparison."""
    best, pairing = comparison.best, comparison.pairing
    files = dict.fromkeys(card.name for card in comparison.cards)
    lines = [
        f"{len(comparison.cards)} models of {listed(files)}"
        + (f", on the same {best.cases:,} cases{design(best)}" if pairing else "")
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
        lines.append(f"Predictions are made from the scores: {'; '.join(rules)}{another(best)}.")
    if tests := dict.fromkeys(TESTS_OF_VERDICTS[card.test] for card in comparison.cards if not card.reason):
        lines.append(f"{'; '.join(tests)}: a p of at most {LEVEL_OF_TEST} counts as shown.")
    return [*lines, assumed(best, "any model")]


def _of_pairs(comparison: Comparison) -> list[str]:
    """The sentences about the differences on the same cases."""
    best = comparison.best
    if not comparison.differences:
        return [f"There is no test of their differences{because(best.reason)}.", _picked_alike(comparison)]
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
            f"{ends(best)}), and is {best.verdict}."
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


def said_of_differences(comparison: Comparison) -> str:
    """Say which tests gave the p-values, and what the intervals assume; nothing without differences."""
    tests = {
        "Prediction Advantages" if each.measure == "prediction_advantage" else "areas": each.test
        for each in comparison.differences
    }
    if not tests:
        return ""
    case = unit(comparison.best)
    said = "; ".join(f"for {what} they are those of {TESTS[test]}" for what, test in tests.items())
    if len(set(tests.values())) == 1:
        said = f"they are those of {TESTS[next(iter(tests.values()))]}"
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


def picked(comparison: Comparison) -> dict[str, list[str]]:
    """For each model, the measures by which it is the best or one of the best."""
    found: dict[str, list[str]] = {card.model: [] for card in comparison.cards}
    for measure, models in comparison.picks.items():
        for model in models:
            found[model].append(measure)
    return {model: measures for model, measures in found.items() if measures}


def notes(comparison: Comparison, besides: Collection[str] = ()) -> list[str]:
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
