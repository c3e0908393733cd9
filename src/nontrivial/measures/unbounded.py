"""What inference without a bound for the loss assumes."""

from __future__ import annotations

from nontrivial._warnings import warn_user


class UnboundedLossWarning(UserWarning):
    """An interval or a test rests on the assumption that no rare case has a loss much greater than those seen."""


def warn_unbounded(what: str, remedy: str = "") -> None:
    """Warn of what an interval or a test of a loss of numbers assumes, and say what holds without it."""
    if remedy:
        remedy = f"; with {remedy}, the greatest loss there can be, it would not"
    warn_user(
        f"The {what} assumes that no rare case has a loss much greater than those seen{remedy}.",
        UnboundedLossWarning,
    )
