"""Names that stand for expressions, as in ``precision = tp / (tp + fp)``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from nontrivial.audit.expressions import Cases, Expression
from nontrivial.audit.values import Value


@dataclass(frozen=True)
class Definition:
    """A name and the expression that it stands for.

    Examples
    --------
    >>> Definition.parse("precision = tp / (tp + fp)").name
    'precision'
    """

    name: str
    expression: Expression

    @classmethod
    def parse(cls, text: str) -> Definition:
        """Read a definition; else ValueError."""
        name, _, expression = (part.strip() for part in text.partition("="))
        if not name.isidentifier():
            raise ValueError(f"{text[:60]!r} is not a definition such as 'precision = tp / (tp + fp)'.")
        return cls(name, Expression.parse(expression))


def check_definitions(definitions: Sequence[Definition], given: Sequence[str]) -> list[str]:
    """Return all names that are known after a list of definitions.

    Raises
    ------
    ValueError
        If one is defined twice, or made from a name that is not known before it.
    """
    known = list(given)
    for definition in definitions:
        for name in definition.expression.names:
            if name not in known:
                raise ValueError(
                    f"{name!r} in {definition.expression.text!r} is not known there; known: {', '.join(known)}."
                )
        if definition.name in known:
            raise ValueError(f"{definition.name!r} is defined twice; once is allowed.")
        known.append(definition.name)
    return known


@dataclass(eq=False)
class Defined:
    """Cases of given numbers, one at a time or in arrays, and of what is defined from them."""

    numbers: Mapping[str, Any]
    definitions: Mapping[str, Definition]
    _values: dict[str, Value] = field(default_factory=dict, repr=False)

    def value(self, name: str) -> Value:
        """The number of that name, computed once; KeyError for an unknown one."""
        if name not in self._values:
            defined = name in self.definitions
            self._values[name] = (
                self.definitions[name].expression.value(self) if defined else Value(self.numbers[name])
            )
        return self._values[name]

    def exchanged(self, how: str) -> Cases:
        """ValueError: these are no tables."""
        raise ValueError(f"{how}() is for measures of a confusion table.")
