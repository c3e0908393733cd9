"""The running example of the PRG paper, from the study's table of its hull."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path

from nontrivial.claims.domains import Point
from nontrivial.claims.verdict import Absent
from nontrivial_study.documents.rows import read_rows


def hull_segments(results: Path, *, table: str, segments: Mapping[str, int]) -> list[Point] | Absent:
    """Give F1 of the predictions at the ends of segments of a hull.

    Parameters
    ----------
    table : str
        A table with columns ``segment, tp, fp``, the counts at the end of each segment; the last has every positive.
    segments : mapping of str to int
        Their numbers by the names that the claim uses.
    """
    found = read_rows(results, table, {}, ("segment", "tp", "fp"))
    if isinstance(found, Absent):
        return found
    counts = {int(line["segment"]): (int(line["tp"]), int(line["fp"])) for line in found}
    if not set(segments.values()) <= counts.keys():
        return Absent("too few segments", {"table": table, "segments": len(counts)})
    positives = max(tp for tp, _ in counts.values())
    ends = {name: counts[number] for name, number in segments.items()}
    return [Point.exact(**{name: Fraction(2 * tp, tp + fp + positives) for name, (tp, fp) in ends.items()})]


def break_even_segment(results: Path, *, table: str) -> list[Point] | Absent:
    """Give the calibrated score ``d`` of the segment that ends where both gains are closest to equal.

    Parameters
    ----------
    table : str
        A table with columns ``segment, positives, tp, fp, d``: of each segment the positives on it, the counts at its
        end and its calibrated score.
    """
    found = read_rows(results, table, {}, ("segment", "positives", "tp", "fp", "d"))
    if isinstance(found, Absent):
        return found
    positives = sum(int(line["positives"]) for line in found)

    def distance(line: Mapping[str, str]) -> Fraction:
        """How far the gains are apart, up to a factor that all points share."""
        tp, fp = int(line["tp"]), int(line["fp"])
        return abs(Fraction(fp - (positives - tp), tp))

    closest = min((line for line in found if int(line["tp"])), key=distance)
    if not closest["d"]:
        return Absent("empty columns", {"table": table, "columns": ["d"]})
    return [Point.exact(d=Fraction(closest["d"]))]


def rate_grid(results: Path, *, table: str, steps: int) -> list[Point] | Absent:
    """Count where a regular grid of ROC space lies in PRG space: its points in the ``lower`` and ``upper`` half.

    Of the grid's points inside the ROC plot those count that have no negative gain; the halves are those of recall gain
    below and above 1/2. With k = P/N, recall gain is 1 - k FN/TP and precision gain 1 - k FP/TP.

    Parameters
    ----------
    table : str
        A table with columns ``positives, negatives``, whose sums are P and N.
    steps : int
        How many steps the grid has from 0 to 1.
    """
    found = read_rows(results, table, {}, ("positives", "negatives"))
    if isinstance(found, Absent):
        return found
    odds = Fraction(*(sum(int(line[name]) for line in found) for name in ("positives", "negatives")))
    rates = [Fraction(step, steps) for step in range(1, steps)]
    # Precision gain is negative just where the false positive rate exceeds the true positive rate.
    gains = [1 - odds * (1 - recall) / recall for recall in rates for other in rates if other <= recall]
    half = Fraction(1, 2)
    return [
        Point.exact(lower=sum(0 <= gain < half for gain in gains), upper=sum(gain > half for gain in gains))
    ]
