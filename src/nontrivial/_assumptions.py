"""What an interval takes for granted, besides independent cases, and results that say so.

- ``one_more_case``: one more case, or group, of each class may be right or wrong; it weighs what is typical.
- ``no_rare_loss``: no rare case has a loss much greater than those seen.
- ``alike_mistakes``, of a p-value: two models err alike in the cases or groups that count for more than others.
"""

from __future__ import annotations

from typing import Any, Literal, Self

Assumption = Literal["one_more_case", "no_rare_loss"]
TestAssumption = Literal["alike_mistakes"]

ASSUMPTIONS: dict[str, Assumption | None] = {
    "exact": None,
    "clopper_pearson": None,
    "bayesian_bootstrap": "one_more_case",
    "fieller": "no_rare_loss",
}


class Stated:
    """A named tuple of numbers with attributes: how they were found, and what that assumes.

    It unpacks into the numbers alone.
    """

    def __new__(cls, *numbers: float, **stated: Any) -> Self:
        found = super().__new__(cls, *numbers)
        vars(found).update(stated)
        return found

    def __getnewargs_ex__(self: Any) -> tuple[tuple[float, ...], dict[str, Any]]:
        return tuple(self), vars(self)

    def __repr__(self: Any) -> str:
        stated = ", ".join(f"{name}={value!r}" for name, value in (self._asdict() | vars(self)).items())
        return f"{type(self).__name__}({stated})"
