"""What a claim is about, from what the registry says under ``over`` and ``define``."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nontrivial.claims.domains import Domain, Tables
from nontrivial.claims.forecasts import Forecasts
from nontrivial.claims.formulas import Formula
from nontrivial.claims.found import Absent
from nontrivial.claims.numbers import Numbers, check_defined
from nontrivial.claims.points import Point
from nontrivial.claims.printed import fixed_number
from nontrivial.claims.rankings.domains import AllRankings, RankingPairs
from nontrivial.claims.study import archive, chance, experiments, running_example, tables

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
# By name: the function, and whether it gives many points.
_SOURCES: dict[str, tuple[Callable[..., list[Point] | Absent], bool]] = {
    "row": (tables.row, False),
    "count": (tables.count, False),
    "imbalance": (experiments.imbalance, True),
    "walks": (experiments.walks, True),
    "classes": (experiments.classes, False),
    "column": (experiments.column, False),
    "hull segments": (running_example.hull_segments, False),
    "break-even segment": (running_example.break_even_segment, False),
    "rate grid": (running_example.rate_grid, False),
    "archived runs": (archive.runs, False),
    "archived areas": (archive.areas, True),
    "archived data sets": (archive.data_sets, False),
    "archived tasks": (archive.tasks, False),
    "chance": (chance.chance, False),
}
KINDS = (*DOMAINS, "numbers", *_SOURCES)


@dataclass(frozen=True)
class Source:
    """Where the points of a claim about a study, or about printed numbers, come from.

    Attributes
    ----------
    kind : str
    read : callable
        Takes the results folder.
    files : tuple of str
        What it reads there.
    many : bool
        Whether the claim is about every point, of any number.
    names : tuple of str or None
        The names that its points have; None where only the results tell.
    """

    kind: str
    read: Callable[[Path], list[Point] | Absent]
    files: tuple[str, ...]
    many: bool
    names: tuple[str, ...] | None


def read_over(
    over: str | Mapping[str, Any], define: Mapping[str, Formula]
) -> tuple[Domain | Source, Mapping[str, Formula]]:
    """Return what a claim is about, and the definitions that are left to apply to its points.

    Raises
    ------
    ValueError
        Naming what is known or allowed.

    Examples
    --------
    >>> domain, _ = read_over({"numbers": {"tp": "0..4"}}, {})
    >>> domain.fields()
    {'over': 'numbers', 'ranges': {'tp': [0, 4]}, 'open': False}
    """
    kind, parameters = (over, {}) if isinstance(over, str) else next(iter(over.items()))
    if kind == "numbers":
        return _numbers(parameters, define)
    if kind in DOMAINS:
        if define:
            raise ValueError(f"'define' is for numbers and studies, not for {kind}.")
        bound = _bind(kind, DOMAINS[kind], parameters)
        return DOMAINS[kind](*bound.args, **bound.kwargs), {}
    if kind not in _SOURCES:
        raise ValueError(f"'over' is {kind!r}; allowed: {', '.join(KINDS)}.")
    function, many = _SOURCES[kind]
    bound = _bind(kind, function, {"results": None, **parameters})
    files = tuple(filter(None, (bound.arguments.get(name) for name in _FILES)))
    return Source(kind, lambda results: function(results, **parameters), files, many, None), define


def _bind(kind: str, function: Callable[..., Any], parameters: Mapping[str, Any]) -> inspect.BoundArguments:
    signature = inspect.signature(function)
    try:
        bound = signature.bind(**parameters)
    except TypeError as error:
        given, known = (
            ", ".join(name for name in names if name != "results") or "nothing"
            for names in (parameters, signature.parameters)
        )
        raise ValueError(f"'over' gives {kind} {given}; it takes {known}.") from error
    bound.apply_defaults()
    return bound


def _numbers(
    numbers: Mapping[str, Any] | Sequence[str], define: Mapping[str, Formula]
) -> tuple[Domain | Source, Mapping[str, Formula]]:
    if not isinstance(numbers, Mapping):
        return Numbers.positive(sorted(numbers), define), {}
    ranges = {
        name: _RANGE.fullmatch(text) if isinstance(text, str) else None for name, text in numbers.items()
    }
    found = {name: match for name, match in sorted(ranges.items()) if match}
    if len(found) == len(ranges):
        axes = {name: range(int(match[1]), int(match[2]) + 1) for name, match in found.items()}
        for name, axis in axes.items():
            if not axis:
                raise ValueError(f"{name!r} is in {numbers[name]}, which is empty.")
        return Numbers(axes, define), {}
    if found:
        raise ValueError("'numbers' are all in ranges, or all fixed.")
    fixed = {name: fixed_number(text) for name, text in numbers.items()}
    point = Point(
        {name: value for name, (value, _) in fixed.items()}, {name: ends for name, (_, ends) in fixed.items()}
    )
    return Source("numbers", lambda _: [point], (), False, tuple(fixed)), define


def check_formulas(
    about: Domain | Source, formulas: Sequence[Formula], define: Mapping[str, Formula]
) -> None:
    """Raise ValueError for a name that the cases or points do not have, as far as it can be known."""
    names = list(dict.fromkeys(name for formula in formulas for name in formula.names))
    if not isinstance(about, Source):
        about.check_names(names)
    elif about.names is not None:
        check_defined(names, about.names, define)
