"""The user's options for files of predictions."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

BEST_THRESHOLD = "best"  # chooses the threshold with the least cost
NO_COLUMN = "none"  # --group none: rows are independent; --by none: rows are not divided
ROW_ORDER = "row"  # --id row: files have the same cases in the same order
_COLUMN_LISTS = ("score", "confidence", "prediction", "by")
_NUMBERS_NEEDED = {
    "cost": "a number above 0, such as 24",
    "quantile": "a finite number",
    "threshold": f"a finite number, or {BEST_THRESHOLD}",
}
_ALLOWED_VALUES = {"task": ("classification", "regression"), "decimal": (".", ","), "missing": ("refuse", "drop")}


@dataclass(frozen=True)
class Options:
    """The user's options, as `nontrivial.score_predictions` explains them. If an option is None, the file decides.

    Only `nontrivial.score` sets `probabilities`, which are columns by their labels.
    """

    truth: str | None = None
    score: tuple[str, ...] = ()
    confidence: tuple[str, ...] = ()
    prediction: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | str | None = None
    cost: float | None = None
    weight: str | None = None
    group: str | None = None
    id: str | None = None
    by: tuple[str, ...] = ()
    task: str | None = None
    quantile: float | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    missing: str = "refuse"
    probabilities: Mapping[str, str] | None = None

    def for_columns(self, names: Sequence[str]) -> Options:
        """Return the options for a file with these columns; `none` and `row` are columns only if the file has them."""
        return replace(
            self,
            group=None if self.group == NO_COLUMN and NO_COLUMN not in names else self.group,
            id=None if self.id == ROW_ORDER and ROW_ORDER not in names else self.id,
            by=() if self.by == (NO_COLUMN,) and NO_COLUMN not in names else self.by,
        )

    def named_columns(self) -> dict[str, str]:
        """Return the columns that options name, each with the first option that names the column; --truth is last."""
        options: dict[str, str] = {}
        for option in ("score", "confidence", "prediction", "weight", "group", "by", "id", "truth"):
            value = getattr(self, option)
            for column in value if isinstance(value, tuple) else [value]:
                if column is not None:
                    options.setdefault(column, option)
        return options


def options_of(**options: Any) -> Options:
    """Return checked options; a single name becomes a tuple of one name, and None becomes the default."""
    parsed = {name: _parse_option(name, value) for name, value in options.items() if value is not None}
    if "threshold" in parsed and parsed.get("prediction") and not parsed.get("confidence"):
        raise ValueError(
            "--threshold makes predictions from scores, but --prediction names a column of predictions; give only one."
        )
    if "quantile" in parsed and parsed.get("task") == "classification":
        raise ValueError(
            "--quantile is for numbers to predict, and --task is classification; give only one of the two."
        )
    if parsed.get("score") and parsed.get("confidence"):
        raise ValueError("--score and --confidence name the scores of one model; give only one of the two.")
    return Options(**parsed)


def _parse_option(option: str, value: Any) -> Any:
    """Convert the value of an option to the type in `Options`; raise ValueError with the allowed values."""
    is_list = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
    if option == "probabilities" or (option == "threshold" and value == BEST_THRESHOLD):
        return value
    if option in _COLUMN_LISTS:
        names = tuple(str(name).strip() for name in (value if is_list else [value]))
        return tuple(dict.fromkeys(names)) if option == "by" else names
    needed = "one name"
    parsed: Any = None if is_list else str(value)
    if option in _ALLOWED_VALUES:
        needed = " or ".join(map(repr, _ALLOWED_VALUES[option]))
        parsed = parsed if parsed in _ALLOWED_VALUES[option] else None
    elif option in _NUMBERS_NEEDED:
        needed = _NUMBERS_NEEDED[option]
        parsed = _as_finite_number(value, above=0 if option == "cost" else -math.inf)
    elif option == "separator":
        needed = r'one ASCII character other than ", or \t for a tab'
        is_character = re.fullmatch(r"[\t -!#-~]|\\t", str(value)) is not None
        parsed = str(value).replace(r"\t", "\t") if is_character else None  # shells do not turn \t into a tab
    if parsed is None:
        raise ValueError(f"--{option} is {value!r}; it must be {needed}.")
    return parsed


def _as_finite_number(value: Any, above: float) -> float | None:
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    return float(value) if is_number and abs(value) <= sys.float_info.max and value > above else None
