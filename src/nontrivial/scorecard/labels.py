"""What the cells of a whole column mean: labels, or numbers.

A label of a CSV file is kept as it is printed there. Where all labels of a column are numbers, or all are words for
true and false, two that are the same number are one label, in another column, too: 1 is 1.0 and True. Numbers with
zeros before them, such as 01, are codes, and so text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nontrivial._arrays import Floats
from nontrivial.numerals import is_decimal
from nontrivial.terminal import shortened

MOST_LABELS = 1000
MOST_CHARACTERS = 1000  # of a label
_TRUTHS = {
    each: Decimal(value)
    for value, word in enumerate(("false", "true"))
    for each in (word, word.title(), word.upper())
}
_CODE = re.compile(r"[+-]?0[0-9]")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*")


class Labels:
    """A column of labels, which is added to piece by piece.

    Attributes
    ----------
    texts : list of str
        The different labels as they are printed, in the order in which they come.
    """

    def __init__(self, place: str, hint: str) -> None:
        self._place, self._hint = place, hint
        self._places: dict[str, int] = {}
        self._pieces: list[NDArray[np.int32]] = []

    @property
    def texts(self) -> list[str]:
        return list(self._places)

    @property
    def cases(self) -> NDArray[np.int32]:
        """For each case the place of its label in `texts`."""
        return np.concatenate(self._pieces)

    def add(self, cells: pa.Array, before: int) -> None:
        """Add the labels of some cases, `before` of which came earlier."""
        if _is_text(cells.type):
            cells = cells.dictionary_encode()
        _check_filled(cells, before, self._place)
        if not pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_encode()
        codes = cells.indices.to_numpy()
        used = np.unique(codes)
        if len(used) <= MOST_LABELS:
            values = cells.dictionary.take(pa.array(used))
            if _is_text(values.type):
                self._check_lengths(values)
            new = [self._places.setdefault(_text(value), len(self._places)) for value in values.to_pylist()]
        if len(used) > MOST_LABELS or len(self._places) > MOST_LABELS:
            raise ValueError(f"{self._place} has more than {MOST_LABELS:,} different labels; {self._hint}.")
        self._pieces.append(np.array(new, dtype=np.int32)[np.searchsorted(used, codes)])

    def _check_lengths(self, values: pa.Array) -> None:
        longest = pc.max(pc.utf8_length(values)).as_py()
        if longest > MOST_CHARACTERS:
            raise ValueError(
                f"{self._place} has a label of {longest:,} characters; at most {MOST_CHARACTERS:,} are allowed."
            )


class Numbers:
    """A column of numbers, which is added to piece by piece; that it is none is said when its cases are asked for."""

    def __init__(self, place: str) -> None:
        self._place = place
        self._pieces: list[Floats] = []
        self._error: ValueError | None = None

    @property
    def cases(self) -> Floats:
        if self._error is not None:
            raise self._error
        return np.concatenate(self._pieces)

    def add(self, cells: pa.Array, before: int) -> None:
        """Add the numbers of some cases, `before` of which came earlier."""
        if self._error is None:
            try:
                self._pieces.append(self._read(cells, before))
            except ValueError as error:
                self._error = error

    def _read(self, cells: pa.Array, before: int) -> Floats:
        _check_filled(cells, before, self._place)
        if pa.types.is_dictionary(cells.type):
            numbers = _numbers(cells.dictionary).take(cells.indices)
        else:
            numbers = _numbers(cells)
        if numbers.null_count:
            row = _first(numbers.is_null())
            wrong = shortened(str(cells[row].as_py()).strip(), 60)
            also = "write it with a point" if _DECIMAL_COMMA.fullmatch(wrong) else "every score must be one"
            raise ValueError(
                f"{self._place} holds {wrong!r} in row {before + row + 1}, which is not a number; {also}."
            )
        values: Floats = numbers.to_numpy(zero_copy_only=False)
        if not np.isfinite(values).all():
            row = np.flatnonzero(~np.isfinite(values))[0]
            raise ValueError(
                f"{self._place} is not finite in row {before + row + 1}; every score must be a number."
            )
        return values


def values_of(texts: Iterable[str]) -> dict[str, Decimal]:
    """Return the value of each label, where all are numbers or all are words for true and false; else nothing.

    Examples
    --------
    >>> values_of(["1", "0.0"]) == {"1": 1, "0.0": 0}, values_of(["1", "yes"]), values_of(["01", "2"])
    (True, {}, {})
    """
    texts = list(texts)
    for read in (_number, _TRUTHS.get):
        values = {text: value for text in texts if (value := read(text)) is not None}
        if len(values) == len(set(texts)):
            return values
    return {}


def value_of(text: str) -> Decimal | None:
    """Return the value of one label, or None if it is no number and no word for true or false."""
    return values_of([text]).get(text)


def alike_but_for_blanks(texts: Iterable[str]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of labels that differ only by blanks or by characters that nobody sees.

    Examples
    --------
    >>> alike_but_for_blanks(["yes", "no", "yes "])
    (('yes', 'yes '),)
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        seen = "".join(each for each in text if each.isprintable() and each != " ")
        groups.setdefault(seen, []).append(text)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def merged(values: Mapping[str, Decimal]) -> tuple[tuple[str, ...], ...]:
    """Return the groups of labels that are one as they are the same number."""
    groups: dict[Decimal, list[str]] = {}
    for text, value in values.items():
        groups.setdefault(value, []).append(text)
    return tuple(tuple(group) for group in groups.values() if len(group) > 1)


def _number(text: str) -> Decimal | None:
    text = text.strip(" \t")
    return Decimal(text) if is_decimal(text) and not _CODE.match(text) else None


def _numbers(cells: pa.Array) -> pa.Array:
    """Return numbers, which are null where there is none."""
    if not _is_text(cells.type):
        return pc.cast(cells, pa.float64(), safe=False)
    texts = pc.ascii_trim_whitespace(cells)
    try:
        return pc.cast(texts, pa.float64())
    except pa.ArrowInvalid:
        return pa.array([_float(text) for text in texts.to_pylist()], pa.float64())


def _float(text: str | None) -> float | None:
    try:
        number: float | None = pc.cast(pa.scalar(text), pa.float64()).as_py()
    except pa.ArrowInvalid:
        return None
    return number


def _check_filled(cells: pa.Array, before: int, place: str) -> None:
    """Refuse missing values: cells without a value, and such that hold nothing but blanks."""
    empty = pc.is_null(cells, nan_is_null=pa.types.is_floating(cells.type))
    values = cells.dictionary if pa.types.is_dictionary(cells.type) else cells
    if _is_text(values.type):
        blank = pc.equal(pc.binary_length(pc.ascii_trim_whitespace(values)), 0)
        empty = pc.or_(empty, pc.fill_null(blank if values is cells else blank.take(cells.indices), True))
    elif values is not cells and pa.types.is_floating(values.type):
        empty = pc.or_(empty, pc.fill_null(pc.is_nan(values).take(cells.indices), True))
    if pc.any(empty).as_py():
        raise ValueError(f"{place} is empty in row {before + _first(empty) + 1}; every case needs a value.")


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _first(flags: pa.Array) -> int:
    return int(pc.index(flags, True).as_py())


def _text(value: Any) -> str:
    """Write a label as a person would: 1 for 1.0."""
    whole = isinstance(value, float) and value.is_integer() and abs(value) < 1e15
    return str(int(value)) if whole else str(value)
