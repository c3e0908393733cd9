"""Statements about whatever can be computed from some whole numbers: rates, weights, costs, several tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nontrivial.audit.definitions import Defined, Definition, check_definitions
from nontrivial.audit.domains import Product
from nontrivial.audit.found import Search
from nontrivial.audit.search import search
from nontrivial.audit.stated import Condition, Order, Statement
from nontrivial.audit.test import search_test

_AXIS = re.compile(r"([a-z][a-z0-9_]*) (\d+)\.\.(\d+)")


@dataclass(frozen=True)
class Axis:
    """A whole number and its range, written like ``tp 0..4``."""

    name: str
    numbers: range

    @classmethod
    def parse(cls, text: str) -> Axis:
        """Read an axis; else ValueError."""
        match = _AXIS.fullmatch(text)
        if match is None or int(match[2]) > int(match[3]):
            raise ValueError(f"{text[:60]!r} is not a range of whole numbers such as 'tp 0..4'.")
        return cls(match[1], range(int(match[2]), int(match[3]) + 1))


@dataclass(frozen=True)
class WholeNumbers(Product):
    """All combinations of whole numbers, and what is defined from them."""

    named: tuple[Axis, ...]
    define: tuple[Definition, ...]

    @property
    def text(self) -> str:
        """The domain in words."""
        ranges = (f"{axis.name} in {axis.numbers[0]}..{axis.numbers[-1]}" for axis in self.named)
        return f"all whole numbers {', '.join(ranges)}"

    def axes(self) -> list[range]:
        """The ranges."""
        return [axis.numbers for axis in self.named]

    def cases(self, components: Sequence[Any]) -> Defined:
        """The numbers by name."""
        numbers = dict(zip((axis.name for axis in self.named), components, strict=True))
        return Defined(numbers, {definition.name: definition for definition in self.define})

    def check_names(self, names: Sequence[str]) -> None:
        """Every name is an axis or defined."""
        known = check_definitions(self.define, [axis.name for axis in self.named])
        for name in names:
            if name not in known:
                raise ValueError(f"{name!r} is not defined; known: {', '.join(known)}.")


Axes, Define, Where = tuple[Axis, ...], tuple[Definition, ...], tuple[Order, ...]


def search_numbers(
    *,
    stated: Statement,
    axes: Axes,
    define: Define = (),
    where: Where = (),
    holds_where: Condition | None = None,
) -> Search:
    """Search all whole numbers in the ranges of `axes`; the smallest case is that of the least sum."""
    return search(stated, where, _domain(axes, define), holds_where)


def _domain(axes: Axes, define: Define = ()) -> WholeNumbers:
    return WholeNumbers(axes, define)


TESTS = {"whole_numbers": search_test(search_numbers, _domain)}
