"""The cells of a whole column, gathered piece by piece: as labels, as numbers, or as names of groups."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nontrivial._arrays import Floats
from nontrivial.labels import MISSING as _MISSING
from nontrivial.labels import values_of
from nontrivial.numerals import as_written
from nontrivial.terminal import shortened

MOST_LABELS = 1000
MOST_CHARACTERS = 1000  # of a label
MOST_WHOLE = 2**53 - 1  # up to it, floats hold all
_WHOLE = re.compile(r"[+-]?[0-9]+")
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+([eE][+-]?\d+)?\s*")


class _Column:
    """An array that grows, in place where the system can do that."""

    def __init__(self, kind: Any) -> None:
        self._cells = np.empty(0, dtype=kind)
        self._n = 0

    def add(self, cells: NDArray[Any]) -> None:
        n = self._n + len(cells)
        if n > len(self._cells):
            self._cells.resize(n + n // 8, refcheck=False)
        self._cells[self._n : n] = cells
        self._n = n

    @property
    def cells(self) -> NDArray[Any]:
        return self._cells[: self._n]


class Numbers:
    """A column of numbers; reading its cases raises if it holds anything else."""

    def __init__(self, place: str, decimal: str = ".") -> None:
        self._place, self._decimal = place, decimal
        self._column = _Column(np.float64)
        self._error: ValueError | None = None

    @property
    def cases(self) -> Floats:
        if self._error is not None:
            raise self._error
        return self._column.cells

    def add(self, cells: pa.Array, before: int) -> None:
        """Add the numbers of some cases, `before` of which came earlier."""
        if self._error is None:
            try:
                self._column.add(self._read(cells, before))
            except ValueError as error:
                self._error = error

    def _read(self, cells: pa.Array, before: int) -> Floats:
        _check_filled(cells, before, self._place)
        if pa.types.is_dictionary(cells.type):
            used = pc.unique(cells.indices)  # in the order of the cases
            numbers = self._numbers(
                cells.dictionary.take(used),
                lambda place: before + _first(pc.equal(cells.indices, used[place])),
            ).take(pc.index_in(cells.indices, used))
        else:
            numbers = self._numbers(cells, lambda place: before + place)
        values: Floats = numbers.to_numpy(zero_copy_only=False)
        if not np.isfinite(values).all():
            row = np.flatnonzero(~np.isfinite(values))[0]
            raise ValueError(
                f"{self._place} is not finite in data row {before + row + 1}; every case needs a number."
            )
        for row in np.flatnonzero(np.abs(values) > MOST_WHOLE).tolist():
            written = str(cells[row].as_py()).strip()
            if _WHOLE.fullmatch(written) and int(written) != int(values[row]):
                raise ValueError(
                    f"{self._place} holds {shortened(written, 60)} in data row {before + row + 1}, a whole number "
                    "that a 64-bit float does not hold; subtract a constant from the column."
                )
        return values

    def _numbers(self, cells: pa.Array, row_of: Callable[[int], int]) -> pa.Array:
        """Return the numbers; `row_of` gives the row of the first case with one of the cells."""
        if not _is_text(cells.type):
            return pc.cast(cells, pa.float64(), safe=False)
        texts = pc.ascii_trim_whitespace(cells)
        if self._decimal != ".":
            with_point = pc.match_substring(texts, ".")
            texts = pc.replace_substring(texts, self._decimal, ".")
            # 1.234,5 is not taken for a number.
            texts = pc.if_else(with_point, pa.scalar("", texts.type), texts)
        try:
            return pc.cast(texts, pa.float64())
        except pa.ArrowInvalid:
            place = _first_without_number(texts)
        wrong = shortened(cells[place].as_py().strip(), 60)
        also = "every case needs one"
        if self._decimal == "." and _DECIMAL_COMMA.fullmatch(wrong):
            also = "if it has a decimal comma, give --decimal ,; thousands must not be separated"
        if self._decimal != "." and re.search(r"\d\.\d", wrong):
            also = f"with --decimal {self._decimal} a number has no point"
        if wrong.endswith("%"):
            also = "write a percentage as a share, such as 0.5"
        raise ValueError(
            f"{self._place} holds {wrong!r} in data row {row_of(place) + 1}, which is not a number; {also}."
        )


class Labels:
    """A column of labels, or of more numbers than labels can be.

    Attributes
    ----------
    texts : list of str
        The different labels as they are printed, in the order in which they come.
    overfull : bool
        Whether there are more than `MOST_LABELS`, all of them numbers. Then there are `numbers` only.
    """

    def __init__(self, place: str, hint: str, decimal: str = ".") -> None:
        self._place, self._hint = place, hint
        self._places: dict[str, int] = {}
        self._column = _Column(np.int16)
        self._as_numbers = Numbers(place, decimal)
        self.overfull = False

    @property
    def texts(self) -> list[str]:
        return list(self._places)

    @property
    def cases(self) -> NDArray[np.int16]:
        """For each case the place of its label in `texts`."""
        return self._column.cells

    @property
    def numbers(self) -> Floats:
        """The label of each case as a number."""
        self._move()
        return self._as_numbers.cases

    def add(self, cells: pa.Array, before: int) -> None:
        """Add the labels of some cases, `before` of which came earlier."""
        if self.overfull:
            self._as_numbers.add(cells, before)
            return
        plain = cells
        if _is_text(cells.type):
            cells = cells.dictionary_encode()
        _check_filled(cells, before, self._place)
        if not pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_encode()
        codes = cells.indices.to_numpy()
        used = np.unique(codes)
        known = len(self._places)
        if len(used) <= MOST_LABELS:
            values = cells.dictionary.take(pa.array(used))
            if _is_text(values.type):
                self._check_lengths(values)
            new = [
                self._places.setdefault(as_written(value), len(self._places)) for value in values.to_pylist()
            ]
        if len(used) > MOST_LABELS or len(self._places) > MOST_LABELS:
            self._overflow(plain, before, known)
            return
        self._column.add(np.array(new)[np.searchsorted(used, codes)])

    def _overflow(self, cells: pa.Array, before: int, known: int) -> None:
        """Go on with numbers, if all are."""
        self._places = dict(list(self._places.items())[:known])
        self._move()
        self._as_numbers.add(cells, before)
        try:
            _ = self._as_numbers.cases
        except ValueError:
            self.refuse()
        self.overfull = True

    def refuse(self) -> NoReturn:
        """Say that there are too many labels."""
        raise ValueError(
            f"{self._place} has more than {MOST_LABELS:,} different labels; {self._hint}."
        ) from None

    def _move(self) -> None:
        if self._places:
            self._as_numbers.add(pa.array(self.texts, pa.string()).take(pa.array(self.cases)), 0)
            self._column, self._places = _Column(np.int16), {}

    def _check_lengths(self, values: pa.Array) -> None:
        longest = pc.max(pc.utf8_length(values)).as_py()
        if longest > MOST_CHARACTERS:
            raise ValueError(
                f"{self._place} has a label of {longest:,} characters; at most {MOST_CHARACTERS:,} are allowed."
            )

    def check_known(self, positive: str | None) -> None:
        """Refuse a label that other programs write for a missing value, unless it is named, or one of two."""
        for text in self.texts if len(self._places) > 2 else []:
            if text.strip() in _MISSING and text != positive:
                row = int(np.argmax(self.cases == self._places[text])) + 1
                raise ValueError(
                    f"{self._place} holds {text!r} in data row {row}, which stands for a missing value; every case "
                    "needs a value. If it is a class, rename it."
                )


class Codes:
    """A column of any number of names that only tell cases apart; cells may be empty if `may_lack`."""

    def __init__(self, place: str, *, may_lack: bool = False) -> None:
        self._place, self._may_lack = place, may_lack
        self._pieces: list[pa.Array] = []

    def add(self, cells: pa.Array, before: int) -> None:
        """Add the names of some cases, `before` of which came earlier."""
        if not self._may_lack:
            _check_filled(cells, before, self._place)
        if pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_decode()
        self._pieces.append(cells)

    def encoded(self) -> tuple[NDArray[np.int32], list[str]]:
        """Return the place of the name of each case, -1 for none, and the names in their order."""
        column = pa.chunked_array(self._pieces).combine_chunks().dictionary_encode()
        texts = [as_written(value) for value in column.dictionary.to_pylist()]
        values = values_of(texts)
        key = values.__getitem__ if len(set(values.values())) == len(texts) else str
        order = sorted(range(len(texts)), key=lambda place: key(texts[place]))
        places = np.empty(len(texts), dtype=np.int32)
        places[order] = np.arange(len(texts))
        codes = column.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        found = np.where(codes < 0, -1, places[codes] if len(texts) else -1).astype(np.int32)
        return found, [texts[place] for place in order]


def _first_without_number(texts: pa.Array) -> int:
    """Return the place of the first text that is no number, of which there is one."""
    start, end = 0, len(texts)
    while end - start > 1:
        middle = (start + end) // 2
        try:
            pc.cast(texts[start:middle], pa.float64())
            start = middle
        except pa.ArrowInvalid:
            end = middle
    return start


def _check_filled(cells: pa.Array, before: int, place: str) -> None:
    """Refuse missing values: cells without a value, and cells that hold only blanks."""
    empty = pc.is_null(cells, nan_is_null=pa.types.is_floating(cells.type))
    values = cells.dictionary if pa.types.is_dictionary(cells.type) else cells
    if _is_text(values.type):
        blank = pc.equal(pc.binary_length(pc.ascii_trim_whitespace(values)), 0)
        empty = pc.or_(empty, pc.fill_null(blank if values is cells else blank.take(cells.indices), True))
    elif values is not cells and pa.types.is_floating(values.type):
        empty = pc.or_(empty, pc.fill_null(pc.is_nan(values).take(cells.indices), True))
    if pc.any(empty).as_py():
        raise ValueError(
            f"{place} is empty in data row {before + _first(empty) + 1}; every case needs a value."
        )


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _first(flags: pa.Array) -> int:
    return int(pc.index(flags, True).as_py())
