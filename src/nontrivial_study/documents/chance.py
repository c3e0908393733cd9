"""What chance gives: means over all rankings."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from nontrivial.claims.domains import Point
from nontrivial.claims.rankings import quantities
from nontrivial.claims.rankings.enumeration import untied_rankings
from nontrivial.claims.verdict import Absent


def chance(results: Path, *, quantity: str, positives: int, negatives: int) -> list[Point] | Absent:
    """Give the ``mean`` of a quantity over all rankings of so many positives and negatives without ties."""
    parts = quantities.quantity(untied_rankings(positives, negatives), quantity)
    numbers = [Fraction(int(above), int(below)) for above, below in zip(*parts, strict=True)]
    return [Point.exact(mean=sum(numbers, Fraction()) / len(numbers))]
