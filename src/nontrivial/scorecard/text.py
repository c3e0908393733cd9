"""A scorecard as text."""

from __future__ import annotations

import math

from nontrivial.measures.sign_verdict import LEVEL as LEVEL_OF_TEST
from nontrivial.measures.sign_verdict import SignVerdict
from nontrivial.scorecard.card import Scorecard
from nontrivial.scorecard.classes import ROW_MEASURES, ClassRow
from nontrivial.scorecard.estimates import LEVEL, Estimate
from nontrivial.terminal import visible

NAMES = {"f_beta": "f1", "f_beta_gain": "f1_gain"}  # what is shown says its beta
METHODS = {
    "exact": "exact",
    "clopper_pearson": "Clopper-Pearson",
    "bayesian_bootstrap": "Bayesian bootstrap",
    "": "",
}


def render_text(card: Scorecard) -> str:
    """Write a scorecard for a terminal; nothing that came from the data can do more there than be read."""
    lines = [*headline(card), ""]
    for title, estimates in (("measure", card.measures), ("area", card.areas)):
        if estimates:
            lines.append(f"{title:30}{'value':>10}   {f'{LEVEL:.0%} interval':22}method")
            lines += [
                f"{NAMES.get(name, name):30}{number(each.value):>10}   {span(each):22}{METHODS[each.method]}".rstrip()
                for name, each in estimates.items()
            ]
            lines.append("")
    if card.classes:
        lines += [*_class_lines(card.classes), ""]
    lines += [f"Note: {warning}" for warning in card.warnings]
    return "\n".join(map(visible, lines)).rstrip() + "\n"


def headline(card: Scorecard) -> list[str]:
    """The sentences that say what the numbers come to."""
    about = f"{card.cases:,} cases"
    if card.positives is not None:
        about += f", {card.positives:,} of them positive ({card.positive})"
    advantage = (
        f"Prediction Advantage {number(card.advantage.value)}, {LEVEL:.0%} interval {span(card.advantage)}"
    )
    lines = [
        f"{card.name}: {about}.",
        f"The predictions err in {card.error:.2%} of the cases; always predicting the most frequent class "
        f"errs in {card.trivial_error:.2%}.",
        f"Verdict: {card.verdict} ({advantage}).",
        _rule(card.judgement),
    ]
    if card.rule:
        lines.append(f"The predictions are made from the scores: {card.rule}.")
    lines.append(f"Columns: {', '.join(f'{what} from {name!r}' for what, name in card.columns.items())}.")
    return lines


def _rule(judgement: SignVerdict) -> str:
    """Say by what rule a verdict was found, and what would show more."""
    needed = judgement.cases_needed
    more = "" if needed is None else f" About {needed:,} cases with the same rates would show it."
    return (
        f"Exact sign tests against every constant guess: p {p_text(judgement.p_better)} for better and "
        f"p {p_text(judgement.p_worse)} for worse, where at most {LEVEL_OF_TEST} shows it.{more}"
    )


def _class_lines(rows: tuple[ClassRow, ...]) -> list[str]:
    """A table of each class against the rest."""
    labels = [visible(row.label) for row in rows]
    width = max(len("class"), *map(len, labels))
    titles = ["cases", "predicted", *(NAMES.get(name, name) for name in ROW_MEASURES)]
    lines = [
        "Each class against the rest:",
        f"{'class':{width}}" + "".join(f"{title:>12}" for title in titles) + "   prediction advantage",
    ]
    for label, row in zip(labels, rows, strict=True):
        cells = [f"{row.cases:,}", f"{row.predicted:,}", *map(number, row.measures.values())]
        advantage = f"{number(row.advantage.value)} ({span(row.advantage)}), p {p_text(row.p_value)}"
        lines.append(f"{label:{width}}" + "".join(f"{cell:>12}" for cell in cells) + f"   {advantage}")
    return lines


def number(value: float) -> str:
    """Four significant decimals, NaN as "undefined"."""
    if value != value:
        return "undefined"
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:.4g}"


def span(estimate: Estimate) -> str:
    """An interval in words."""
    if math.isnan(estimate.value):
        return "undefined"
    return f"{number(estimate.low)} to {number(estimate.high)}" if estimate.method else "none"


def p_text(p_value: float) -> str:
    """What a p-value is equal to, or less than."""
    return "< 0.0001" if p_value < 0.0001 else f"= {p_value:.4f}"
