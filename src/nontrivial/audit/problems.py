"""What a verification finds wrong."""

from __future__ import annotations

from dataclasses import dataclass

MISMATCH = "mismatch"
INCOMPLETE = "incomplete"
# What reading tampered or damaged files can raise.
DAMAGE = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError),
    *(RecursionError, MemoryError, OSError),
)


@dataclass(frozen=True)
class Problem:
    """Something that is not as recorded (``mismatch``) or not there (``incomplete``)."""

    kind: str
    place: str
    text: str


def printable(text: str) -> str:
    """A text with its control characters, and bytes that are not UTF-8, written out: names come from anywhere."""
    return "".join(one if one.isprintable() else ascii(one)[1:-1] for one in text)


def damaged(place: str, error: Exception) -> Problem:
    """The problem of a file that cannot be read for what it should be."""
    told = f"lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
    return Problem(MISMATCH, place, f"is damaged: {told or type(error).__name__}")
