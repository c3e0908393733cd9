"""The cells of a whole column, gathered chunk by chunk: as labels, as numbers, or as names of groups."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from nontrivial._arrays import Floats, Mask
from nontrivial.labels import MISSING, Classes, values_of
from nontrivial.numerals import MISSING_NUMBERS, as_written
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


class _Cells:
    """A column in which values may be missing.

    Attributes
    ----------
    place : str
        What to call the column in an error.
    missing : list of int arrays
        The rows without a value, chunk by chunk.
    word : str
        What stands in the first of them.
    """

    def __init__(self, place: str, words: Sequence[str] = ()) -> None:
        self.place, self.missing, self.word = place, list[NDArray[Any]](), ""
        self._words = words

    def _marked(self, cells: pa.Array, before: int) -> pa.Array:
        """Return the cells with a null for each missing value, and keep account of them."""
        found = _are_missing(cells, self._words)
        if not found.any():
            return cells
        if not self.missing:
            self.word = str(cells[int(found.argmax())].as_py() or "").strip()
        self.missing.append(before + np.flatnonzero(found))
        return cells.take(pa.array(np.arange(len(cells)), mask=found))


class Numbers(_Cells):
    """A column of numbers; reading its cases raises if it holds anything else. A missing one is NaN."""

    def __init__(self, place: str, decimal: str = ".") -> None:
        super().__init__(place, MISSING_NUMBERS)
        self._decimal = decimal
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
        with contextlib.suppress(ValueError):
            values = self._floats(cells, before)
            if not np.isnan(values).any():
                return values
        return self._floats(self._marked(cells, before), before)

    def _floats(self, cells: pa.Array, before: int) -> Floats:
        if pa.types.is_dictionary(cells.type):
            used = pc.drop_null(pc.unique(cells.indices))  # in the order of the cases
            numbers = self._numbers(
                cells.dictionary.take(used),
                lambda place: before + _first(pc.equal(cells.indices, used[place])),
            ).take(pc.index_in(cells.indices, used, skip_nulls=True))
        else:
            numbers = self._numbers(cells, lambda place: before + place)
        values: Floats = numbers.to_numpy(zero_copy_only=False)
        infinite = np.isinf(values)
        if infinite.any():
            raise ValueError(
                f"{self.place} is not finite in data row {before + int(infinite.argmax()) + 1}; every case needs a "
                "number."
            )
        for row in np.flatnonzero(np.abs(values) > MOST_WHOLE).tolist():
            written = str(cells[row].as_py()).strip()
            if _WHOLE.fullmatch(written) and int(written) != int(values[row]):
                raise ValueError(
                    f"{self.place} holds {shortened(written, 60)} in data row {before + row + 1}, a whole number "
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
            texts = pc.replace_substring(texts, "\N{MINUS SIGN}", "-")
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
            f"{self.place} holds {wrong!r} in data row {row_of(place) + 1}, which is not a number; {also}."
        )


class Labels(_Cells):
    """A column of labels, or of more numbers than labels can be.

    Attributes
    ----------
    texts : list of str
        The different labels as they are printed, in the order in which they come.
    overfull : bool
        Whether there are more than `MOST_LABELS`, all of them numbers. Then there are `numbers` only.
    """

    def __init__(self, place: str, hint: str, decimal: str = ".", *, but: str | None = None) -> None:
        super().__init__(place, [word for word in MISSING if word != but])
        self._hint, self._but = hint, but
        self._places: dict[str, int] = {}
        self._column = _Column(np.int16)
        self._as_numbers = Numbers(place, decimal)
        self.overfull = False

    @property
    def texts(self) -> list[str]:
        return list(self._places)

    @property
    def cases(self) -> NDArray[np.int16]:
        """For each case the place of its label in `texts`; -1 for a missing one."""
        return self._column.cells

    def mark_words(self) -> None:
        """Take words for a missing number, such as None, for missing values where all other labels are numbers."""
        words = [each for each in self.texts if each.strip().lower() in MISSING_NUMBERS and each != self._but]
        if not words or not values_of(text for text in self.texts if text not in words):
            return
        places = np.array([-1 if text in words else place for place, text in enumerate(self.texts)])
        left = np.cumsum(places >= 0) - 1
        self.word = self.word or words[0]
        self.missing.append(np.flatnonzero(np.isin(self.cases, np.flatnonzero(places < 0))))
        self._places = {text: int(left[place]) for text, place in self._places.items() if text not in words}
        self.cases[:] = np.where(self.cases < 0, -1, np.where(places < 0, -1, left)[self.cases])

    def as_numbers(self) -> Numbers:
        """Read the labels as numbers."""
        self._move()
        self._as_numbers.word = self._as_numbers.word or self.word
        return self._as_numbers

    def add(self, cells: pa.Array, before: int) -> None:
        """Add the labels of some cases, `before` of which came earlier."""
        if self.overfull:
            self._as_numbers.add(cells, before)
            return
        plain = cells
        if not pa.types.is_dictionary(cells.type):
            cells = cells.dictionary_encode()
        cells = self._marked(cells, before)
        codes = cells.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        used = np.unique(codes[codes >= 0])
        known = len(self._places)
        new: list[int] = []
        if len(used) <= MOST_LABELS:
            values = cells.dictionary.take(pa.array(used))
            if _is_text(values.type) and len(values):
                self._check_lengths(values)
            new = [
                self._places.setdefault(as_written(value), len(self._places)) for value in values.to_pylist()
            ]
        if len(used) > MOST_LABELS or len(self._places) > MOST_LABELS:
            self._overflow(plain, before, known)
            return
        self._column.add(np.array([*new, -1])[np.where(codes < 0, -1, np.searchsorted(used, codes))])

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
            f"{self.place} has more than {MOST_LABELS:,} different labels; {self._hint}."
        ) from None

    def _move(self) -> None:
        if len(self.cases):
            places = pa.array(self.cases, mask=self.cases < 0)
            self._as_numbers.add(pa.array(self.texts, pa.string()).take(places), 0)
            self._column, self._places = _Column(np.int16), {}

    def _check_lengths(self, values: pa.Array) -> None:
        longest = pc.max(pc.utf8_length(values)).as_py()
        if longest > MOST_CHARACTERS:
            raise ValueError(
                f"{self.place} has a label of {longest:,} characters; at most {MOST_CHARACTERS:,} are allowed."
            )


class Codes(_Cells):
    """A column of any number of names that only tell cases apart."""

    def __init__(self, place: str) -> None:
        super().__init__(place, MISSING)
        self._pieces: list[pa.Array] = []

    def add(self, cells: pa.Array, before: int) -> None:
        """Add the names of some cases, `before` of which came earlier."""
        cells = self._marked(cells, before)
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


def _are_missing(cells: pa.Array, words: Sequence[str]) -> Mask:
    """Tell which cells are empty, or hold one of the words for a missing value; those of numbers in any case."""
    if pa.types.is_dictionary(cells.type):
        of_values = pa.array(_are_missing(cells.dictionary, words), pa.bool_())
        found = pc.fill_null(of_values.take(cells.indices), True)
    elif _is_text(cells.type):
        trimmed = pc.ascii_trim_whitespace(cells)
        trimmed = pc.utf8_lower(trimmed) if words is MISSING_NUMBERS else trimmed
        found = pc.or_(pc.is_null(cells), pc.is_in(trimmed, pa.array(["", *words], cells.type)))
    else:
        found = pc.is_null(cells, nan_is_null=pa.types.is_floating(cells.type))
    return np.asarray(found.to_numpy(zero_copy_only=False), dtype=bool)


def _is_text(kind: pa.DataType) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _first(flags: pa.Array) -> int:
    return int(pc.index(flags, True).as_py())


class UnassignedColumn(_Cells):
    """A column without a role: whether it may hold predicted labels, or scores in [0, 1]."""

    def __init__(self, decimal: str) -> None:
        super().__init__("", MISSING)
        self._decimal = decimal
        self._labels: set[str] | None = set()
        self._are_shares: bool | None = None

    def add(self, cells: pa.Array, before: int) -> None:
        """Look at the cells of some cases, `before` of which came earlier."""
        cells = self._marked(
            cells.dictionary_decode() if pa.types.is_dictionary(cells.type) else cells, before
        )
        values = pc.drop_null(pc.unique(cells))
        if self._labels is not None:
            self._labels.update(map(as_written, values[: MOST_LABELS + 1].to_pylist()))
            self._labels = None if len(self._labels) > MOST_LABELS else self._labels
        if len(values) and self._are_shares is not False:
            if self._decimal != "." and _is_text(values.type):
                values = pc.replace_substring(values, self._decimal, ".")
            try:
                least, greatest = pc.min_max(pc.cast(values, pa.float64())).values()
                self._are_shares = least.as_py() >= 0 and greatest.as_py() <= 1
            except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
                self._are_shares = False

    def may_serve(self, classes: Classes) -> bool:
        """Tell whether it may hold answers, where the classes need not be all."""
        known = any(classes.find(text) is not None for text in self._labels or ())
        return bool(self._are_shares) or known

    def are_labels(self, classes: Classes) -> bool:
        """Tell whether it holds several values, all of them labels of the truth."""
        labels = self._labels or set()
        return len(labels) > 1 and all(classes.find(text) is not None for text in labels)

    def are_shares(self) -> bool:
        """Tell whether it holds several values, all of them in [0, 1]."""
        return bool(self._are_shares) and (self._labels is None or len(self._labels) > 1)
