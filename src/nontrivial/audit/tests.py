"""The tests by name, and how a registry entry's parameters become their arguments.

A test is a pure function of typed keyword arguments that returns what it found. One with a parameter `stated` is
given the statement of its claim, one with a parameter `results` the folder of the study's results.
"""

from __future__ import annotations

import dataclasses
import functools
import inspect
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nontrivial.audit import examples, results_tables, tables
from nontrivial.audit.found import Found, Quantities, Quantity, Search
from nontrivial.audit.stated import Comparison, Order, Printed, Stated, Statement

GIVEN = ("stated", "results")


@dataclass(frozen=True)
class Test:
    """A named test.

    Attributes
    ----------
    run : callable
        Computes what is found.
    is_hit : callable or None
        For a search: takes the same arguments and one case, and tells whether that case settles the statement.
    check : callable or None
        Takes the same arguments, and `stated`, and raises ValueError where they cannot be used.
    """

    run: Callable[..., Found]
    is_hit: Callable[..., bool] | None = None
    check: Callable[..., None] | None = None


# What can answer each form of a statement.
_ANSWERS: dict[type, tuple[type, ...]] = {
    Printed: (Quantity,),
    Comparison: (Quantity,),
    Statement: (Search, Quantities),
}


def _search_tables(*, stated: Statement, where: tuple[Order, ...], cells: int) -> Search:
    return tables.search(stated, where, cells)


def _is_table_hit(case: Sequence[int], *, stated: Statement, where: tuple[Order, ...], cells: int) -> bool:
    return tables.is_hit(stated, where, cells, case)


def _check_tables(*, stated: Statement, where: tuple[Order, ...], cells: int) -> None:
    tables.check_names([*stated.names, *(name for order in where for name in order.names)])
    if not 1 <= cells <= tables.LARGEST_CELL:
        raise ValueError(f"parameter 'cells' is {cells}; 1 to {tables.LARGEST_CELL} is allowed.")


def _check_measure(*, measure: str, **_: Any) -> None:
    tables.check_names([measure])


def _check_people(*, stated: Statement, options: dict[str, int], **_: Any) -> None:
    for name in stated.names:
        if name not in options:
            raise ValueError(f"{name!r} is not among the options; known: {', '.join(options)}.")


TESTS: dict[str, Test] = {
    "binary_advantage": Test(examples.binary_advantage),
    "confusion_tables": Test(_search_tables, _is_table_hit, _check_tables),
    "exam_advantage": Test(examples.exam_advantage),
    "exam_advantages": Test(examples.exam_advantages, check=_check_people),
    "guess_rate": Test(examples.guess_rate),
    "guess_risk": Test(examples.guess_risk),
    "majority_accuracy": Test(examples.majority_accuracy),
    "measure_at_rates": Test(examples.measure_at_rates, check=_check_measure),
    "minority_share": Test(examples.minority_share),
    "nearest_rate": Test(examples.nearest_rate),
    "product": Test(examples.product),
    "published_advantage": Test(examples.published_advantage),
    "table_number": Test(results_tables.table_number),
}


def bind(name: str, parameters: Mapping[str, Any], stated: Stated | None) -> dict[str, Any]:
    """Turn a registry entry's parameters into the arguments of the test of that name.

    Raises
    ------
    ValueError
        Naming what is known or allowed, for an unknown test, an unknown or absent parameter, or a wrong value.

    Examples
    --------
    >>> bind("guess_rate", {"options": 3}, None)
    {'options': 3}
    """
    if name not in TESTS:
        raise ValueError(f"test {name!r} is unknown; known tests: {', '.join(TESTS)}.")
    signature = inspect.signature(TESTS[name].run).parameters
    hints = typing.get_type_hints(TESTS[name].run)
    open_names = [key for key in signature if key not in GIVEN]
    for key in parameters:
        if key not in open_names:
            raise ValueError(f"test {name!r} has no parameter {key!r}; allowed: {', '.join(open_names)}.")
    for key in open_names:
        if key not in parameters and signature[key].default is inspect.Parameter.empty:
            raise ValueError(f"test {name!r} needs the parameter {key!r}.")
    arguments = {key: _convert(key, value, hints[key]) for key, value in parameters.items()}
    if "stated" in signature:
        if not isinstance(stated, hints["stated"]):
            raise ValueError(f"test {name!r} needs a stated relation such as 'precision <= recall'.")
        arguments["stated"] = stated
    check = TESTS[name].check
    if check is not None:
        check(**{**arguments, "stated": stated})
    return arguments


def answers(name: str, stated: Stated | None) -> bool:
    """Tell whether the test of that name finds what can be compared with the statement."""
    found = typing.get_type_hints(TESTS[name].run)["return"]
    kinds = typing.get_args(found) or (found,)
    return any(kind in kinds for kind in _ANSWERS.get(type(stated), ()))


def needs_results(name: str) -> bool:
    """Tell whether the test reads the study's results."""
    return "results" in inspect.signature(TESTS[name].run).parameters


def bound_is_hit(name: str, arguments: Mapping[str, Any]) -> Callable[[Sequence[int]], bool] | None:
    """The check of a single case, for a test that searches."""
    is_hit = TESTS[name].is_hit
    return None if is_hit is None else functools.partial(is_hit, **arguments)


def _convert(key: str, value: Any, kind: Any) -> Any:
    """Turn plain YAML or JSON into what the test's annotation asks for."""
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if kind in (Printed, Order):
        if isinstance(value, str):
            return kind.parse(value)
        raise ValueError(f"parameter {key!r} is {value!r}; quoted text is allowed, because its digits count.")
    if origin is typing.Literal:
        if value in inner:
            return value
        raise ValueError(f"parameter {key!r} is {value!r}; allowed: {', '.join(inner)}.")
    if origin is types.UnionType:
        return None if value is None else _convert(key, value, inner[0])
    if origin is tuple and isinstance(value, (list, tuple)):
        return tuple(_convert(key, item, inner[0]) for item in value)
    if origin is dict and isinstance(value, dict) and all(isinstance(name, str) for name in value):
        # Sorted: stored evidence does not keep a mapping's order, so no outcome may depend on it.
        return {name: _convert(f"{key}.{name}", value[name], inner[1]) for name in sorted(value)}
    if dataclasses.is_dataclass(kind) and isinstance(value, dict):
        return _convert_fields(key, value, kind)
    if kind is int and type(value) is int and value > 0:
        return value
    if kind in (str, bool) and type(value) is kind:
        return value
    raise ValueError(f"parameter {key!r} is {value!r}; {_WORDS.get(origin or kind, 'a mapping')} is allowed.")


def _convert_fields(key: str, value: Mapping[str, Any], kind: type) -> Any:
    hints = typing.get_type_hints(kind)
    if value.keys() != hints.keys():
        raise ValueError(f"parameter {key!r} has the keys {', '.join(value)}; {', '.join(hints)} are needed.")
    return kind(**{name: _convert(f"{key}.{name}", value[name], hint) for name, hint in hints.items()})


_WORDS: dict[Any, str] = {
    int: "a positive whole number",
    str: "quoted text",
    bool: "true or false",
    tuple: "a list",
    dict: "a mapping of names",
}
