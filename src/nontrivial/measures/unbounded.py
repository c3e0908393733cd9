"""What inference without a bound for the loss assumes."""

from __future__ import annotations

from nontrivial._warnings import warn_user


class UnboundedLossWarning(UserWarning):
    """An interval or a test rests on the assumption that no rare case has a loss much greater than those seen."""


def warn_unbounded(what: str, remedy: str = "") -> None:
    """Warn that an interval or a test of an unbounded loss may not hold, and say what would."""
    if remedy:
        remedy = f"; give {remedy}, the greatest loss there can be, for one that holds without it"
    warn_user(
        f"This loss may be any number, so the {what} assumes that no rare case has a loss much greater than those "
        f"seen{remedy}.",
        UnboundedLossWarning,
    )
