"""What a verification finds, by the file of the results."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from nontrivial.terminal import shortened

MISMATCH, INCOMPLETE = "mismatch", "incomplete"
UNCHECKED, LEFT, ROUNDING = "unchecked", "left", "rounding"  # which make no outcome worse
_LONGEST = 900  # characters of a problem: names and values come from anywhere

T = TypeVar("T")


@dataclass(frozen=True)
class Problem:
    """A file or folder that is not as recorded, or was not checked."""

    kind: str
    place: str
    text: str


class Findings:
    """Problems by the path in the results, of each file only those that were found first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.files = 0  # compared with the manifest
        self.problems: dict[str, list[Problem]] = {}
        self.notes: list[Problem] = []

    def add(self, kind: str, place: str, *texts: str) -> None:
        problems = [Problem(kind, str(self.folder / place), shortened(text, _LONGEST)) for text in texts]
        if problems:
            self.problems.setdefault(place, problems)

    def note(self, place: str, text: str, kind: str = UNCHECKED) -> None:
        self.notes.append(Problem(kind, str(self.folder / place), text))

    def read(self, place: str, reader: Callable[[Path], T]) -> T | None:
        """Return what a file holds; None, and a problem, if it cannot be read."""
        try:
            return reader(self.folder / place)
        except FileNotFoundError:
            self.add(INCOMPLETE, place, "is missing.")
        except Exception as error:  # whatever a damaged file makes its reader raise
            reason = " ".join(str(error).split()) or type(error).__name__
            self.add(MISMATCH, place, f"is damaged: {reason}")
        return None
