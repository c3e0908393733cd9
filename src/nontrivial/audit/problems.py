"""What a verification finds wrong."""

from __future__ import annotations

from dataclasses import dataclass

MISMATCH = "mismatch"
INCOMPLETE = "incomplete"
# What reading tampered or damaged files can raise.
DAMAGE = (ValueError, KeyError, TypeError, AttributeError, ZeroDivisionError, OverflowError)


@dataclass(frozen=True)
class Problem:
    """Something that is not as recorded (``mismatch``) or not there (``incomplete``)."""

    kind: str
    place: str
    text: str


def damaged(place: str, error: Exception) -> Problem:
    """The problem of a file that cannot be read for what it should be."""
    told = f"lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
    return Problem(MISMATCH, place, f"is damaged: {told or type(error).__name__}")
