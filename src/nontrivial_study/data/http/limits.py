"""How long a download may take, how often it is tried, and how large a document of each kind may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from nontrivial_study.data.http.failures import Advice, WrongAnswer

Kind = Literal["lists", "descriptions", "data", "splits", "predictions"]

# With these a job was measured to stay under 1 GB of memory, whatever comes.
MEGABYTES: dict[Kind, float] = {"lists": 40, "descriptions": 16, "data": 40, "splits": 32, "predictions": 40}
_BYTES_OF_A_PART = 16  # on the average at least: readers take up to 500 bytes for each tag, cell or item
_PARTS = (b"<", b"=", b",", b"{", b"[", b" ", b"\t", b"\r", b"\n")
_BYTES_OF_A_CELL = 3  # for each cell of a table in full: sparse data name few of theirs


@dataclass(frozen=True)
class Limits:
    """How long to wait, how often to try, and how much to take.

    Attributes
    ----------
    timeout : float
        Seconds without a byte after which a try has failed.
    patience : float
        Seconds that one document may take, all its tries and pauses together.
    attempts : int
        Tries for one document.
    pause : float
        Seconds before the second try; each further pause is twice as long, up to a minute, give or take a part.
    megabytes : mapping of str to float
        The greatest size of a document, unpacked, by its kind.
    """

    timeout: float = 30.0
    patience: float = 300.0
    attempts: int = 6
    pause: float = 1.0
    megabytes: Mapping[Kind, float] = field(default_factory=lambda: dict(MEGABYTES))

    def most(self, kind: Kind) -> int:
        """Return the greatest number of bytes of a document."""
        return int(self.megabytes[kind] * 1_000_000)

    def most_cells(self, kind: Kind) -> int:
        """Return how many cells a table may have, those that a sparse document does not name among them."""
        return self.most(kind) // _BYTES_OF_A_CELL

    def check(self, body: bytes, kind: Kind) -> None:
        """Raise WrongAnswer if a document has more parts, such as tags or cells, than readers have the memory for."""
        most = self.most(kind) // _BYTES_OF_A_PART
        if sum(map(body.count, _PARTS)) > most:
            raise self.exceeded(kind, f"has more than {most:,} parts, such as tags or cells")

    def exceeded(self, kind: Kind, problem: str) -> WrongAnswer:
        """Return that a document is larger than it may be."""
        advice = (
            f"run the same command again later, or set downloads.megabytes.{kind} in the configuration, now "
            f"{self.megabytes[kind]:g}, to more, which takes more memory"
        )
        return WrongAnswer(problem, Advice(advice, settled=False))
