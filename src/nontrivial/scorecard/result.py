"""The base of results, which says when two results are equal."""

from collections.abc import Mapping
from math import isnan
from typing import Any

_NAN_STAND_IN = object()


class Result:
    """A base for results, which are dataclasses with ``eq=False``.

    Two results are equal if they are of one class and their fields are equal. An undefined value (NaN) equals another
    undefined value. In a plain dataclass it would not, because NaN differs from itself.

    Examples
    --------
    >>> from nontrivial.scorecard.estimates.estimate import Estimate
    >>> Estimate(float("nan")) == Estimate(float("nan"))
    True
    """

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return bool(_replace_undefined(vars(self)) == _replace_undefined(vars(other)))


def _replace_undefined(value: Any) -> Any:
    """Replace each NaN, also in dicts, lists and tuples, by one object that equals itself."""
    if isinstance(value, Mapping):
        return {key: _replace_undefined(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(map(_replace_undefined, value))
    return _NAN_STAND_IN if isinstance(value, float) and isnan(value) else value
