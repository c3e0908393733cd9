"""The user's options for files of predictions."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

_ALLOWED = {
    "task": ("classification", "regression"),
    "decimal": (".", ","),
    "missing": ("refuse", "drop"),
}


@dataclass(frozen=True)
class Options:
    """The user's options for files; what is None is found out from the file.

    Attributes
    ----------
    truth, weight, group : str or None
        Columns, as `find_columns` takes them.
    score, prediction, by : tuple of str
    confidence : tuple of str
        Columns of scores that are for the predicted label of each case.
    positive : str or None
        The positive label, as printed or as an equal number. By default the greater of two labels. If there are more
        labels, it is set against all others.
    threshold : float or None
        Cases that score at least this are predicted positive. By default the file's predictions count. If it has
        none, the threshold is 0.5 if all scores lie in [0, 1]; otherwise it is 0 if there are scores on both sides.
    task : {"classification", "regression"} or None
        Whether classes or numbers are predicted.
    quantile : float or None
        The quantile that the predicted numbers forecast.
    separator : str or None
        The character between the columns of a text file; by default comma, semicolon or tab, whichever is most
        frequent in its first line.
    decimal, encoding : str
        The decimal mark and the encoding of a text file.
    missing : {"refuse", "drop"}
        Whether a missing value is an error, or its case is left out of all models.
    """

    truth: str | None = None
    score: tuple[str, ...] = ()
    confidence: tuple[str, ...] = ()
    prediction: tuple[str, ...] = ()
    positive: str | None = None
    threshold: float | None = None
    weight: str | None = None
    group: str | None = None
    by: tuple[str, ...] = ()
    task: str | None = None
    quantile: float | None = None
    separator: str | None = None
    decimal: str = "."
    encoding: str = "utf-8"
    missing: str = "refuse"


def options_of(**options: Any) -> Options:
    """Make options; a single name stands for a tuple of one, and None for the default.

    Raises
    ------
    ValueError
        If an option has a value that is not allowed.
    """
    given = {name: value for name, value in options.items() if value is not None}
    for name in ("score", "confidence", "prediction", "by"):
        if name in given:
            value = given[name]
            given[name] = tuple(map(str, value if _is_list(value) else [value]))
    for name in ("truth", "weight", "group", "positive"):
        if name in given:
            _check(name, given[name], not _is_list(given[name]), "one name")
            given[name] = str(given[name])
    for name in ("threshold", "quantile"):
        if name in given:
            given[name] = _number(name, given[name])
    for name, allowed in _ALLOWED.items():
        value = given.get(name, allowed[0])
        _check(name, value, isinstance(value, str) and value in allowed, " or ".join(map(repr, allowed)))
    if "separator" in given:
        given["separator"] = _separator(given["separator"])
    if "encoding" in given:
        _check(
            "encoding", given["encoding"], _is_encoding(given["encoding"]), "an encoding that Python knows"
        )
    return Options(**given)


def _is_list(value: Any) -> bool:
    try:
        iter(value)
    except TypeError:  # also an array of no dimension, which is an Iterable by its type
        return False
    return not isinstance(value, (str, bytes))


def _number(name: str, value: Any) -> float:
    _check(name, value, isinstance(value, Real) and not isinstance(value, bool), "a number")
    try:
        return float(value)
    except OverflowError:
        raise ValueError(f"--{name} is too large for a float; it must be a smaller number.") from None


def _check(name: str, value: Any, allowed: bool, what: str) -> None:
    if not allowed:
        raise ValueError(f"--{name} is {value!r}; it must be {what}.")


def _separator(text: Any) -> str:
    r"""Return the character that divides columns; \t, as shells leave it, is a tab."""
    found = text if isinstance(text, str) else ""
    found = "\t" if found == r"\t" else found
    printable = len(found) == 1 and found.isascii() and (found == "\t" or found.isprintable())
    _check(
        "separator", text, printable and found != '"', r'one ASCII character other than ", or \t for a tab'
    )
    return found


def _is_encoding(name: Any) -> bool:
    """Tell whether Python can read text in an encoding."""
    try:
        bytes(4).decode(name)  # four, as UTF-32 takes them; of none, Python would not look the name up
    except (LookupError, TypeError, ValueError):
        return False
    return True
