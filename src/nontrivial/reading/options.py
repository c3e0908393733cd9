"""The user's options for files of predictions."""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any

BEST_THRESHOLD = "best"  # as the threshold: the one that costs least
NO_COLUMN = "none"  # as the name of a group: rows are independent
ROW_ORDER = "row"  # as the name of the case: the order of the rows tells the cases
_LISTS = ("score", "confidence", "prediction", "by")
_CHOICES = {"task": ("classification", "regression"), "decimal": (".", ","), "missing": ("refuse", "drop")}


@dataclass(frozen=True)
class Options:
    """The user's options for files, as `nontrivial.score_predictions` explains them; the file tells what is None."""

    truth: str | None = None
    score: tuple[str, ...] = ()
    confidence: tuple[str, ...] = ()
    prediction: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | str | None = None  # or BEST_THRESHOLD
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
    probabilities: Mapping[str, str] | None = None  # the column of each label, of arrays alone

    def without_words(self, names: Sequence[str]) -> Options:
        """Return the options for a file without `none` and `row`, unless these are columns of it."""
        return replace(
            self,
            group=None if self.group == NO_COLUMN and NO_COLUMN not in names else self.group,
            id=None if self.id == ROW_ORDER and ROW_ORDER not in names else self.id,
            by=() if self.by == (NO_COLUMN,) and NO_COLUMN not in names else self.by,
        )

    def named_columns(self) -> dict[str, str]:
        """Return each column that is named, with the first option that names it; the truth is the last."""
        options: dict[str, str] = {}
        for option in ("score", "confidence", "prediction", "weight", "group", "by", "id", "truth"):
            value = getattr(self, option)
            for column in value if isinstance(value, tuple) else [value]:
                if column is not None:
                    options.setdefault(column, option)
        return options


def options_of(**options: Any) -> Options:
    """Check options; a single name stands for a tuple of one, and None for the default."""
    given = {name: _checked(name, value) for name, value in options.items() if value is not None}
    if "threshold" in given and given.get("prediction") and not given.get("confidence"):
        raise ValueError(
            "--threshold makes predictions from scores, but --prediction names a column of predictions; give only one."
        )
    if "quantile" in given and given.get("task") == "classification":
        raise ValueError(
            "--quantile is for numbers to predict, and --task is classification; give only one of the two."
        )
    if given.get("score") and given.get("confidence"):
        raise ValueError("--score and --confidence name the scores of one model; give only one of the two.")
    return Options(**given)


def _checked(option: str, value: Any) -> Any:
    is_list = isinstance(value, Iterable) and not isinstance(value, (str, bytes))
    if option == "probabilities":
        return value
    if option in _LISTS:
        names = tuple(str(name).strip() for name in (value if is_list else [value]))
        return tuple(dict.fromkeys(names)) if option == "by" else names
    if option in _CHOICES:
        wanted = " or ".join(map(repr, _CHOICES[option]))
        fits = isinstance(value, str) and value in _CHOICES[option]
    elif option == "threshold" and value == BEST_THRESHOLD:
        return value
    elif option in ("threshold", "quantile", "cost"):
        is_number = isinstance(value, Real) and not isinstance(value, bool)
        wanted = "a number above 0, such as 24" if option == "cost" else "a finite number"
        wanted += f", or {BEST_THRESHOLD}" if option == "threshold" else ""
        fits = is_number and abs(value) <= sys.float_info.max and (option != "cost" or value > 0)
        value = float(value) if fits else value
    elif option == "separator":
        wanted = r'one ASCII character other than ", or \t for a tab'
        fits = isinstance(value, str) and re.fullmatch(r"[\t -!#-~]|\\t", value) is not None
        value = value.replace(r"\t", "\t") if fits else value  # as shells leave it
    elif option == "encoding":
        wanted, fits = "an encoding that Python knows, such as latin-1", False
        with contextlib.suppress(LookupError, ValueError, TypeError):
            fits = bool("a".encode(value))
    else:
        wanted, fits = "one name", not is_list
        value = str(value) if fits else value
    if not fits:
        raise ValueError(f"--{option} is {value!r}; it must be {wanted}.")
    return value
