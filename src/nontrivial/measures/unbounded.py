"""What intervals and tests assume if the loss has no bound."""

from __future__ import annotations

from nontrivial._warnings import warn_user


class UnboundedLossWarning(UserWarning):
    """An interval or a test rests on the assumption that no rare case has a loss much greater than those seen."""


def warn_unbounded(what: str, remedy: str = "") -> None:
    """Warn of what an interval or a test assumes for a loss of numbers, and name what does without the assumption."""
    if remedy:
        remedy = f"; with {remedy}, the greatest possible loss, it would not"
    warn_user(
        f"The {what} assumes that no rare case has a loss much greater than those seen{remedy}.",
        UnboundedLossWarning,
    )
