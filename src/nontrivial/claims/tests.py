"""The tests by name, and how a registry entry's parameters become their arguments."""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from nontrivial.audit.arguments import convert
from nontrivial.audit.families import (
    archived_runs,
    confusion_tables,
    experiments,
    identities,
    marginal_predictions,
    printed_numbers,
    rankings,
    regression,
    study_tables,
    whole_numbers,
    worked_examples,
)
from nontrivial.audit.found import Proof, Quantities, Quantity, Search, Survey
from nontrivial.audit.stated import Comparison, Printed, Stated, Statement
from nontrivial.audit.test import Test

GIVEN = ("stated", "results")

# What can answer each form of a statement.
_ANSWERS: dict[type, tuple[type, ...]] = {
    Printed: (Quantity,),
    Comparison: (Quantity,),
    Statement: (Search, Survey, Proof, Quantities),
}

_FAMILIES = (
    archived_runs,
    confusion_tables,
    experiments,
    identities,
    marginal_predictions,
    printed_numbers,
    rankings,
    regression,
    study_tables,
    whole_numbers,
    worked_examples,
)
TESTS: dict[str, Test] = {name: test for family in _FAMILIES for name, test in family.TESTS.items()}


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
        raise ValueError(f"test {name!r} is unknown; known tests: {', '.join(sorted(TESTS))}.")
    signature = inspect.signature(TESTS[name].run).parameters
    hints = typing.get_type_hints(TESTS[name].run)
    open_names = [key for key in signature if key not in GIVEN]
    for key in parameters:
        if key not in open_names:
            raise ValueError(f"test {name!r} has no parameter {key!r}; allowed: {', '.join(open_names)}.")
    for key in open_names:
        if key not in parameters and signature[key].default is inspect.Parameter.empty:
            raise ValueError(f"test {name!r} needs the parameter {key!r}.")
    arguments = {key: convert(key, value, hints[key]) for key, value in parameters.items()}
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
