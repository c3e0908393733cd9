"""Search through cases of any kind for one that settles a statement.

A kind of case (whole numbers, rankings, pairs of rankings) comes in blocks, and each block gives its quantities as
exact ratios, so that what is true of which case is found as for confusion tables (`nontrivial.audit.tables`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from nontrivial.audit.found import Search
from nontrivial.audit.stated import Order, Statement
from nontrivial.audit.tables import truth

Case = tuple[int, ...]
Ratio = tuple[Any, Any]

# Ratios whose parts are below it compare by cross-multiplication in 64 bits.
LARGEST_PART = 2**31


class Block(Protocol):
    """Cases that are gone through at once; `shape` is that of the arrays that `ratio` gives, once broadcast."""

    shape: tuple[int, ...]

    def ratio(self, name: str) -> Ratio:
        """The quantity of that name for all cases; the denominator is 0 where it is undefined."""

    def smallest(self, hits: NDArray[np.bool_]) -> tuple[int, Case]:
        """Size and integers of the least of the hits, by size and then by integers."""


@dataclass(frozen=True)
class Domain:
    """What a search goes through.

    Attributes
    ----------
    text : str
        The cases in words, and what the integers of one are.
    blocks : callable
        Makes the blocks.
    block_of : callable
        Makes a block of one case from its integers; None where these are no case of the domain.
    """

    text: str
    blocks: Callable[[], Iterable[Block]]
    block_of: Callable[[Sequence[int]], Block | None]


def search(statement: Statement, where: Sequence[Order], domain: Domain) -> Search:
    """Search every case of a domain for those that settle a statement.

    Parameters
    ----------
    statement : Statement
        What is claimed of every case (or, with ``sometimes``, of at least one).
    where : sequence of Order
        What the document takes for granted of a case.
    domain : Domain

    Returns
    -------
    Search
        With the smallest hit: by size, then lexicographically in its integers.
    """
    checked = undefined = hits = 0
    least: tuple[int, Case] | None = None
    for block in domain.blocks():
        applies, defined, holds = (
            np.broadcast_to(mask, block.shape) for mask in truth(statement, where, block)
        )
        meant = applies & defined
        hit = meant & (holds if statement.sometimes else ~holds)
        n_meant, n_hits = int(np.count_nonzero(meant)), int(np.count_nonzero(hit))
        checked += n_meant
        undefined += int(np.count_nonzero(applies)) - n_meant
        hits += n_hits
        if n_hits:
            candidate = block.smallest(hit)
            least = candidate if least is None else min(least, candidate)
    smallest = None if least is None else least[1]
    return Search(
        domain=domain.text + _conditions(statement, where),
        checked=checked,
        undefined=undefined,
        hits=hits,
        smallest=smallest,
        seeks="example" if statement.sometimes else "counterexample",
        details={} if smallest is None else {"values": _values(statement, domain.block_of(smallest))},
    )


def is_hit(statement: Statement, where: Sequence[Order], domain: Domain, case: Sequence[int]) -> bool:
    """Tell whether one case of the domain settles the statement, without repeating the search."""
    block = domain.block_of(case) if all(type(part) is int for part in case) else None
    if block is None:
        return False
    applies, defined, holds = (bool(np.all(mask)) for mask in truth(statement, where, block))
    return applies and defined and holds == statement.sometimes


def exact(numerator: Any, denominator: Any) -> Ratio:
    """Return integer arrays as a ratio whose cross products with others like it cannot overflow.

    Lowest terms in 64 bits where they are small enough, Python integers otherwise.

    Examples
    --------
    >>> exact(np.array([2, 3]), np.array([4, 0]))
    (array([1, 1]), array([2, 0]))
    """
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    if numerator.dtype != object:
        common = np.maximum(np.gcd(numerator, denominator), 1)
        numerator, denominator = numerator // common, denominator // common
        if max(np.abs(numerator).max(initial=0), denominator.max(initial=0)) < LARGEST_PART:
            return numerator, denominator
    return numerator.astype(object), denominator.astype(object)


def _values(statement: Statement, block: Block | None) -> dict[str, str]:
    """The exact quantities of a statement in one case."""
    values = {}
    for name in dict.fromkeys(statement.names):
        numerator, denominator = (np.asarray(part).ravel()[0] for part in block.ratio(name))
        values[name] = str(Fraction(int(numerator), int(denominator))) if denominator else "undefined"
    return values


def _conditions(statement: Statement, where: Sequence[Order]) -> str:
    conditions = [order.text for order in where]
    if statement.connective == "if":
        conditions.append(f" {statement.junction} ".join(order.text for order in statement.conditions))
    return f" where {' and '.join(conditions)}" if conditions else ""
