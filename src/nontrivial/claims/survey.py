"""Going through measured points, each with numbers and the ranges that sampling leaves them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import product

from nontrivial.audit.expressions import Named
from nontrivial.audit.found import Quantity, Survey
from nontrivial.audit.stated import Statement
from nontrivial.audit.truth import truth

Point = tuple[str, Mapping[str, Quantity | None]]


def survey(statement: Statement, points: Iterable[Point], domain: str) -> Survey:
    """Look at a statement at each point, by the numbers themselves and by all ends of their ranges.

    Parameters
    ----------
    statement : Statement
    points : iterable of (str, mapping of str to Quantity or None)
        What the point is, and its numbers by name; None where there is none.
    domain : str
        All the points, in words.

    Returns
    -------
    Survey
        Of the points at which every number is there and the statement's conditions are met.

    Examples
    --------
    >>> unsure = Quantity(Fraction(3, 10), Fraction(2, 10), Fraction(4, 10))
    >>> points = [("a", {"x": unsure}), ("b", {"x": Quantity.exactly(1)})]
    >>> found = survey(Statement.parse("x > 1/3"), points, "two points")
    >>> found.points, found.kept, found.clearly_broken
    (2, 1, 0)
    """
    names = list(dict.fromkeys(statement.names))
    counts = dict.fromkeys(("points", "kept", "clearly_kept", "clearly_broken", "absent"), 0)
    broken: list[str] = []
    for place, numbers in points:
        ranges = [_number(name, numbers) for name in names]
        if None in ranges:
            counts["absent"] += 1
            continue
        holds = _holds(statement, names, [quantity.value for quantity in ranges])
        if holds is None:
            continue
        corners = product(*({quantity.low, quantity.high} for quantity in ranges))
        at_ends = [end for end in (_holds(statement, names, corner) for corner in corners) if end is not None]
        counts["points"] += 1
        counts["kept"] += holds
        counts["clearly_kept"] += holds and all(at_ends)
        counts["clearly_broken"] += not holds and not any(at_ends)
        if not holds:
            broken.append(place)
    return Survey(domain=domain, first_broken=broken[0] if broken else "", **counts)


def _number(name: str, numbers: Mapping[str, Quantity | None]) -> Quantity | None:
    if name not in numbers:
        raise ValueError(f"{name!r} is not among the measures found: {', '.join(numbers)}.")
    return numbers[name]


def _holds(statement: Statement, names: list[str], numbers: Iterable[Fraction]) -> bool | None:
    """Whether a statement holds of exact numbers, None where it does not apply or has no meaning."""
    applies, defined, holds = truth(statement, (), Named(dict(zip(names, numbers, strict=True))))
    return bool(holds) if applies and defined else None
