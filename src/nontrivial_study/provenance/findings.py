"""The findings of a verification, by the file of the results."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from nontrivial.terminal import shortened

MISMATCH, INCOMPLETE = "mismatch", "incomplete"
UNCHECKED, LEFT, ROUNDING = "unchecked", "left", "rounding"  # notes, which leave the outcome as it is
_MAX_TEXT = 900

T = TypeVar("T")


@dataclass(frozen=True)
class Problem:
    """A file or folder that is not as recorded, or was not checked."""

    kind: str
    place: str
    text: str


class Findings:
    """The problems of each file in a folder of results, and notes on what was not checked.

    `n_compared` counts the files that were compared with the manifest.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.n_compared = 0
        self.problems: dict[str, list[Problem]] = {}
        self.notes: list[Problem] = []

    def add(self, kind: str, path: str, *texts: str) -> None:
        """Add problems of a file; if it has problems already, they stand alone."""
        problems = [Problem(kind, str(self.folder / path), shortened(text, _MAX_TEXT)) for text in texts]
        if problems:
            self.problems.setdefault(path, problems)

    def note(self, path: str, text: str, kind: str = UNCHECKED) -> None:
        """Add a note on a file or folder."""
        self.notes.append(Problem(kind, str(self.folder / path), text))

    def read(self, path: str, reader: Callable[[Path], T]) -> T | None:
        """Return what the reader returns for a file; None, and a problem, if it cannot be read."""
        try:
            return reader(self.folder / path)
        except FileNotFoundError:
            self.add(INCOMPLETE, path, "is missing.")
        except Exception as error:  # a damaged file can make its reader raise anything
            reason = " ".join(str(error).split()) or type(error).__name__
            self.add(MISMATCH, path, f"is damaged: {reason}")
        return None
