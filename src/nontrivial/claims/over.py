"""What a claim is about, from what the registry says under ``over`` and ``define``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from nontrivial.claims.domains import Domain, Numbers, Tables, check_defined
from nontrivial.claims.forecasts import Forecasts
from nontrivial.claims.formulas import Formula
from nontrivial.claims.found import Absent
from nontrivial.claims.points import Point
from nontrivial.claims.printed import fixed_number
from nontrivial.claims.rankings.domains import AllRankings, RankingPairs

_RANGE = re.compile(r"([0-9]{1,15})\.\.([0-9]{1,15})")
_FILES = ("table", "selection", "record", "counts")  # parameters that are paths in the results folder
DOMAINS: dict[str, Callable[..., Domain]] = {
    "tables": Tables,
    "pairs of tables": lambda: Tables(pairs=True),
    "forecasts": Forecasts,
    "rankings": AllRankings,
    "pairs of rankings": RankingPairs,
    "pairs of curves": lambda cases: RankingPairs(cases, of_curves=True),
}


@cache
def studied() -> dict[str, tuple[Callable[..., list[Point] | Absent], bool]]:
    """Return the kinds of claims that read a study's results: by name the function, and whether it gives many points.

    Packages offer them as entry points of the group ``nontrivial.claims``.
    """
    return {
        kind: each for found in entry_points(group="nontrivial.claims") for kind, each in found.load().items()
    }


@dataclass(frozen=True)
class Source:
    """Where the points of a claim about a study, or about printed numbers, come from.

    Attributes
    ----------
    kind : str
    read : callable
        Takes the results folder.
    define : mapping of str to Formula
        What is defined from the numbers of a point.
    files : tuple of str
        What it reads there.
    many : bool
        Whether the claim is about every point, of any number.
    names : tuple of str or None
        The names that a claim may use; None where only the results tell.
    """

    kind: str
    read: Callable[[Path], list[Point] | Absent]
    define: Mapping[str, Formula]
    files: tuple[str, ...] = ()
    many: bool = False
    names: tuple[str, ...] | None = None


def read_over(over: str | Mapping[str, Any], define: Mapping[str, Formula]) -> Domain | Source:
    """Return what a claim is about.

    Raises
    ------
    ValueError
        Naming what is known or allowed.

    Examples
    --------
    >>> read_over({"numbers": {"tp": "0..4"}}, {}).fields()
    {'over': 'numbers', 'ranges': {'tp': [0, 4]}, 'open': False}
    """
    kind, parameters = (over, {}) if isinstance(over, str) else next(iter(over.items()))
    if kind == "numbers":
        return _numbers(parameters, define)
    if kind in DOMAINS:
        if define:
            raise ValueError(f"'define' is for numbers and studies, not for {kind}.")
        _bind(kind, DOMAINS[kind], parameters)
        return DOMAINS[kind](**parameters)
    if kind not in studied():
        raise ValueError(
            f"'over' is {kind!r}; it must be one of {', '.join([*DOMAINS, 'numbers', *studied()])}."
        )
    function, many = studied()[kind]
    arguments = _bind(kind, function, parameters, None)
    files = tuple(arguments[name] for name in _FILES if arguments.get(name))
    return Source(kind, lambda results: function(results, **parameters), define, files, many)


def _bind(
    kind: str, function: Callable[..., Any], parameters: Mapping[str, Any], *first: Any
) -> Mapping[str, Any]:
    """The arguments with which a function would be called; ValueError if it cannot be."""
    signature = inspect.signature(function)
    try:
        bound = signature.bind(*first, **parameters)
    except TypeError as error:
        given = ", ".join(parameters) or "nothing"
        known = ", ".join(name for name in signature.parameters if name != "results") or "nothing"
        raise ValueError(f"'over' gives {kind} {given}; it takes {known}.") from error
    bound.apply_defaults()
    return bound.arguments


def _numbers(numbers: Mapping[str, Any] | Sequence[str], define: Mapping[str, Formula]) -> Domain | Source:
    if not isinstance(numbers, Mapping):
        return Numbers.positive(sorted(numbers), define)
    ends = {name: match for name, text in sorted(numbers.items()) if (match := _RANGE.fullmatch(str(text)))}
    if len(ends) == len(numbers):
        ranges = {name: range(int(match[1]), int(match[2]) + 1) for name, match in ends.items()}
        for name, axis in ranges.items():
            if not axis:
                raise ValueError(f"{name!r} is in {numbers[name]}, which is empty.")
        return Numbers(ranges, define)
    if ends:
        raise ValueError("'numbers' are all in ranges, or all fixed.")
    check_defined(list(numbers), define)
    fixed = {name: fixed_number(text) for name, text in numbers.items()}
    point = Point(
        {name: value for name, (value, _) in fixed.items()}, {name: ends for name, (_, ends) in fixed.items()}
    )
    return Source("numbers", lambda _: [point], define, names=(*fixed, *define))
