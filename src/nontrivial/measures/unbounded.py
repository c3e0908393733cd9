"""What inference without a bound for the loss assumes."""

from __future__ import annotations

import warnings


class UnboundedLossWarning(UserWarning):
    """An interval or a test rests on the assumption that no rare case has a loss much greater than those seen."""


def warn_unbounded(what: str) -> None:
    """Warn, in the name of who called the caller, that an interval or a test of an unbounded loss may not hold."""
    valid = 'method="concentration" and bound' if what == "interval" else "bound"
    warnings.warn(
        f"This loss may be any number, so the {what} assumes that no rare case has a loss much greater than those "
        f"seen; give {valid}, the greatest loss there can be, for one that holds without it.",
        UnboundedLossWarning,
        stacklevel=3,
    )
