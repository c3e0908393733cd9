"""A scorecard as text."""

from __future__ import annotations

from nontrivial.scorecard.card import LEVEL, Scorecard


def render_text(card: Scorecard) -> str:
    """Write a scorecard for a terminal."""
    lines = [*headline(card), ""]
    for title, estimates in (("measure", card.measures), ("area", card.areas)):
        if estimates:
            lines.append(f"{title:30}{'value':>10}   {LEVEL:.0%} interval")
            lines += [
                f"{name:30}{number(value):>10}   {span(value, low, high)}"
                for name, (value, low, high) in estimates.items()
            ]
            lines.append("")
    lines += [f"Note: {warning}" for warning in card.warnings]
    return "\n".join(lines).rstrip() + "\n"


def headline(card: Scorecard) -> list[str]:
    """The sentences that say what the numbers come to."""
    about = f"{card.cases:,} cases"
    if card.positives is not None:
        about += f", {card.positives:,} of them positive ({card.positive})"
    advantage = (
        f"Prediction Advantage {number(card.advantage[0])}, {LEVEL:.0%} interval {span(*card.advantage)}"
    )
    lines = [
        f"{card.name}: {about}.",
        f"The predictions err in {card.error:.2%} of the cases; always predicting the most frequent class "
        f"errs in {card.trivial_error:.2%}.",
        f"Verdict: {card.verdict} ({advantage}; p = {p_text(card.p_value)}).",
    ]
    if card.rule:
        lines.append(f"The file has no predictions: {card.rule}.")
    return lines


def number(value: float) -> str:
    """Four significant decimals, NaN as "undefined"."""
    if value != value:
        return "undefined"
    return f"{value:.4f}" if abs(value) < 1000 else f"{value:.4g}"


def span(_: float, low: float, high: float) -> str:
    """An interval in words."""
    return "undefined" if low != low or high != high else f"{number(low)} to {number(high)}"


def p_text(p_value: float) -> str:
    """A p-value with as many digits as it deserves."""
    return "below 0.0001" if p_value < 0.0001 else f"{p_value:.4f}"
