"""A domain of small samples with a least-squares line through them (PA paper, Section 2.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nontrivial.audit.domains import Product
from nontrivial.audit.values import Value


class Lines:
    """Samples of x and y, with the line of least squares as the prediction."""

    def __init__(self, x: Sequence[Any], y: Sequence[Any]) -> None:
        self.x, self.y, self.n = x, y, len(x)

    def value(self, name: str) -> Value:
        """The number of that name; ValueError for an unknown one."""
        check_names([name])
        # n times the sums of squares and products about the means, which are whole.
        xx, xy, yy = (
            self._product(one, other) for one, other in ((self.x,) * 2, (self.x, self.y), (self.y,) * 2)
        )
        if name in ("spread_of_x", "spread_of_y"):
            return Value(xx if name == "spread_of_x" else yy)
        if name == "squared_correlation":
            return Value(xy * xy, xx * yy)
        # n xx (y - line), each residual by itself
        total_x, total_y = sum(self.x), sum(self.y)
        residuals = [
            xx * (self.n * y - total_y) - xy * (self.n * x - total_x)
            for x, y in zip(self.x, self.y, strict=True)
        ]
        squared_loss = Value(sum(residual**2 for residual in residuals), self.n * (self.n * xx) ** 2)
        variance = Value(yy, self.n * self.n)
        return Value(1) - squared_loss / variance

    def exchanged(self, how: str) -> Lines:
        """ValueError: these are no tables."""
        raise ValueError(f"{how}() is for measures of a confusion table.")

    def _product(self, one: Sequence[Any], other: Sequence[Any]) -> Any:
        return self.n * sum(a * b for a, b in zip(one, other, strict=True)) - sum(one) * sum(other)


NAMES = ("prediction_advantage", "squared_correlation", "spread_of_x", "spread_of_y")


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError, naming what is known, for an unknown name."""
    for name in names:
        if name not in NAMES:
            raise ValueError(f"{name!r} is unknown for a line of least squares; known: {', '.join(NAMES)}.")


@dataclass(frozen=True)
class Samples(Product):
    """Every sample of so many points with whole coordinates from 0 to a limit."""

    points: int
    largest: int

    @property
    def text(self) -> str:
        """The domain in words."""
        return f"every sample of {self.points} points with x and y in 0..{self.largest} (all x, then all y)"

    def axes(self) -> list[range]:
        """0 to the limit for every coordinate."""
        return [range(self.largest + 1)] * (2 * self.points)

    def cases(self, components: Sequence[Any]) -> Lines:
        """Samples from all x, then all y."""
        return Lines(components[: self.points], components[self.points :])

    def check_names(self, names: Sequence[str]) -> None:
        """The numbers of a line of least squares are known."""
        check_names(names)
