"""Warnings that point to the user's line, and the assumptions of intervals and tests."""

import inspect
import os
import warnings
from typing import Any, Literal, Self

_PACKAGE = os.path.join(os.path.dirname(__file__), "")  # ends in a slash, so that no folder with a longer name matches


def warn_user(message: str, category: type[Warning]) -> None:
    """Warn at the innermost line outside the package."""
    frame, stacklevel = inspect.currentframe(), 1
    while frame is not None and frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, stacklevel = frame.f_back, stacklevel + 1
    warnings.warn(message, category, stacklevel=stacklevel)


def warn_undefined(message: str) -> None:
    """Warn as scikit-learn does if a score is undefined."""
    from sklearn.exceptions import UndefinedMetricWarning  # slow: it imports all of scikit-learn

    warn_user(message, UndefinedMetricWarning)


class UnboundedLossWarning(UserWarning):
    """An interval or a test assumes that no rare case has a loss much greater than those seen."""


def warn_unbounded_loss(name: str, remedy: str = "") -> None:
    """Warn that an interval or a test of a loss of numbers assumes no rare great loss, and name the remedy."""
    ending = f"; with {remedy}, the greatest possible loss, it would not." if remedy else "."
    message = f"The {name} assumes that no rare case has a loss much greater than those seen{ending}"
    warn_user(message, UnboundedLossWarning)


# The names of assumptions that intervals and tests make besides independent cases. The docstrings of
# `prediction_advantage_interval`, `triviality_test` and `compare_models` explain these names.

Assumption = Literal["one_more_case", "alike_mistakes", "no_rare_loss", "one_possible_case"]
TestAssumption = Literal["no_rare_loss", "alike_mistakes", "heaviest_seen"]


def interval_assumption(method: str, *, unequal: bool = False) -> Assumption | None:
    """Return the assumption of an interval; `unequal` says that some cases may count for more than others."""
    if method == "fieller":
        return "no_rare_loss"
    if unequal and method:
        return "alike_mistakes"
    return "one_more_case" if method == "bootstrap" else None


def has_weights_or_groups(sample_weight: object, groups: object) -> bool:
    """Return whether weights or groups are given, so that some cases may count for more than others."""
    return sample_weight is not None or groups is not None


class UnequalCasesWarning(UserWarning):
    """A comparison assumes that two models err alike in the cases or groups that count for more than others."""


def warn_unequal_cases() -> None:
    """Warn that a comparison assumes that models err alike in cases or groups that count for more."""
    warn_user(
        "Some cases or groups count for more than others. If these are few, and only one model is wrong about them, "
        "equally good models are told apart too often.",
        UnequalCasesWarning,
    )


class AnnotatedTuple:
    """A named tuple of numbers with attributes, such as their method and its assumption."""

    def __new__(cls, *numbers: float, **attributes: Any) -> Self:
        result = super().__new__(cls, *numbers)
        vars(result).update(attributes)
        return result

    def __repr__(self: Any) -> str:
        values = dict(zip(self._fields, self, strict=True)) | vars(self)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in values.items())})"
