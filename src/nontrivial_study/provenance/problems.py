"""What a verification finds wrong, and what it could not tell."""

from __future__ import annotations

from dataclasses import dataclass

from nontrivial.terminal import visible

MISMATCH = "mismatch"
INCOMPLETE = "incomplete"
UNCHECKED = "unchecked"
LEFT = "left"
NOTES = (UNCHECKED, LEFT)  # what makes no result worse
LONGEST = 900  # characters of a problem: names and values come from anywhere
# What reading tampered or damaged files can raise.
DAMAGE = (
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError),
    *(RecursionError, MemoryError, OSError),
)


@dataclass(frozen=True)
class Problem:
    """Something about a file, or a set of files.

    It is not as recorded (``mismatch``), not there (``incomplete``), not told (``unchecked``), or made by no job of the
    study (``left``).
    """

    kind: str
    place: str
    text: str


def printable(text: str) -> str:
    """The text, no longer than `LONGEST`, with control characters, and bytes that are not UTF-8, written out."""
    text = visible(text[: LONGEST + 1])
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}..."


def damaged(place: str, error: Exception) -> Problem:
    """The problem of a file that cannot be read for what it should be."""
    told = f"lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
    return Problem(MISMATCH, place, f"is damaged: {told or type(error).__name__}")
